//! Owns the clean copy of data that an engine cannot be trusted with: sound rows only, wanted columns only, every value
//! plainly written, UTF-8, one line feed a row. No value is nothing at all; an empty text is two quotation marks.
//!
//! Deliberately absent: where the copy is put, which is the engine's to say.

use std::{
    borrow::Cow,
    collections::VecDeque,
    fs::File,
    io::{BufWriter, Read, Write},
    ops::ControlFlow,
    path::Path,
};

use tieout_core::{catalogue::Datatype, halt::Fault};

use super::{
    dialect::{Dialect, Encoding, Said},
    judge::{DIGITS_MAX, Shape, Verdict, shown},
    records::Record,
    scan::{Column, Refusals, Widths, structure, walk, widen},
};
use crate::fault;

/// How much text is decoded at once.
const DECODE_BYTES: usize = 64 * 1024;

/// A row's wanted texts, plainly written.
pub(crate) type Texts = Vec<Option<String>>;

/// A clean copy that is finished.
#[derive(Debug)]
pub(crate) struct Copied {
    /// How many rows it has.
    pub(crate) rows: u64,
    /// The rows that are not in it.
    pub(crate) refusals: Refusals,
    /// By wanted column.
    pub(crate) widths: Widths,
}

/// A clean copy that is being written.
pub(crate) struct CleanCopy<'a> {
    writer: BufWriter<File>,
    shown: &'a str,
    columns: &'a [Column],
    copied: Copied,
}

impl<'a> CleanCopy<'a> {
    /// Begins a copy in a new file.
    ///
    /// `unit` is what the places of its rows count: `line` or `row`.
    pub(crate) fn begin(
        target: &Path,
        shown: &'a str,
        columns: &'a [Column],
        unit: &'static str,
    ) -> Result<CleanCopy<'a>, Fault> {
        let file = File::create(target).map_err(|error| write_fault(shown, &error))?;
        let widths = vec![Shape::default(); columns.len()];
        let copied = Copied { rows: 0, refusals: Refusals::none(unit), widths };
        Ok(CleanCopy { writer: BufWriter::new(file), shown, columns, copied })
    }

    /// Judges a row by the text it has in each wanted column.
    pub(crate) fn judge<'t>(
        &mut self,
        text: impl Fn(&Column) -> Option<Cow<'t, str>>,
    ) -> Result<Texts, String> {
        let mut texts = Vec::with_capacity(self.columns.len());
        let mut wider = self.copied.widths.clone();
        for (column, width) in self.columns.iter().zip(&mut wider) {
            let Some(text) = text(column) else {
                texts.push(None);
                continue;
            };
            if column.judge.datatype == Datatype::String {
                texts.push(Some(text.into_owned()));
                continue;
            }
            let (plain, shape) = match column.judge.judge(&text) {
                Verdict::Null => (String::new(), Shape::default()),
                Verdict::Same(shape) => (text.clone().into_owned(), shape),
                Verdict::Rewritten(plain, shape) => (plain, shape),
                Verdict::Refused(why) => {
                    return Err(format!("{} in column `{}` {why}", shown(&text), column.name));
                }
            };
            widen(width, shape);
            if width.whole + width.fraction > DIGITS_MAX {
                return Err(format!(
                    "{} in column `{}` needs more than {DIGITS_MAX} digits beside its others",
                    shown(&text),
                    column.name
                ));
            }
            texts.push(Some(plain).filter(|plain| !plain.is_empty()));
        }
        self.copied.widths = wider;
        Ok(texts)
    }

    /// Adds a judged row, with its place in the source.
    pub(crate) fn push(&mut self, place: u64, row: Result<Texts, String>) -> Result<(), Fault> {
        match row {
            Ok(texts) => {
                write_row(&mut self.writer, &texts).map_err(|error| write_fault(self.shown, &error))?;
                self.copied.rows += 1;
            }
            Err(reason) => self.copied.refusals.add(place, || reason),
        }
        Ok(())
    }

    /// Ends the copy.
    pub(crate) fn finish(mut self) -> Result<Copied, Fault> {
        self.writer.flush().map_err(|error| write_fault(self.shown, &error))?;
        Ok(self.copied)
    }
}

/// The encoding of a file, judged by the whole of it: when lines are not UTF-8 and no line needs it to be, it is not.
pub(crate) fn settle_encoding(dialect: &Dialect) -> Result<Encoding, Fault> {
    if dialect.encoding_by == Said::Declared || dialect.encoding == Encoding::Latin1 {
        return Ok(dialect.encoding);
    }
    let (mut broken, mut needed) = (false, false);
    let _ = walk(dialect, &mut false, |record| {
        if let Record::Sound { bytes, .. } = record {
            match std::str::from_utf8(bytes) {
                Ok(text) => needed |= !text.is_ascii(),
                Err(_) => broken = true,
            }
        }
        Ok(if needed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    Ok(if broken && !needed { Encoding::Latin1 } else { Encoding::Utf8 })
}

/// Writes the clean copy of a delimited file.
pub(crate) fn copy_delimited(dialect: &Dialect, columns: &[Column], target: &Path) -> Result<Copied, Fault> {
    let mut copy = CleanCopy::begin(target, &dialect.shown, columns, "line")?;
    // Lines at the end that are no rows are held back until it is known that they are not the last.
    let mut held: VecDeque<(u64, Result<Texts, String>)> = VecDeque::new();
    let skip = usize::try_from(dialect.skip_trailing).unwrap_or(usize::MAX);
    let _ = walk(dialect, &mut false, |record| {
        held.push_back(match record {
            Record::Broken { line, reason } => (line, Err(reason.to_owned())),
            Record::Sound { line, bytes, fields, .. } => {
                let row = structure(dialect, bytes, fields).and_then(|()| {
                    copy.judge(|column| {
                        let text = fields.fields.get(column.place)?.text(bytes);
                        (!text.is_empty()).then_some(text)
                    })
                });
                (line, row)
            }
        });
        if held.len() > skip
            && let Some((line, row)) = held.pop_front()
        {
            copy.push(line, row)?;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    copy.finish()
}

fn write_row(writer: &mut impl Write, texts: &Texts) -> std::io::Result<()> {
    for (place, text) in texts.iter().enumerate() {
        if place > 0 {
            writer.write_all(b",")?;
        }
        let Some(text) = text else { continue };
        match text.is_empty() || text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
            true => write!(writer, "\"{}\"", text.replace('"', "\"\""))?,
            false => writer.write_all(text.as_bytes())?,
        }
    }
    writer.write_all(b"\n")
}

/// Why a copy could not be written, in words.
fn write_fault(shown: &str, error: &std::io::Error) -> Fault {
    match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => fault::data(
            format!("there is no room on the disk for a clean copy of `{shown}`"),
            "make room in the folder for temporary files, or name another in TMPDIR",
        ),
        _ => fault::data(
            format!("a clean copy of `{shown}` could not be written: {error}"),
            "check the folder for temporary files, or name another in TMPDIR",
        ),
    }
}

/// A file's bytes as UTF-8.
pub(crate) fn decoded(file: File, encoding: Encoding) -> Box<dyn Read> {
    match encoding {
        Encoding::Utf8 => Box::new(file),
        Encoding::Latin1 => Box::new(Latin1 { file, pending: Vec::new(), given: 0 }),
    }
}

/// Windows 1252 as UTF-8. Every byte stands for itself, so blocks may be cut anywhere.
struct Latin1 {
    file: File,
    pending: Vec<u8>,
    given: usize,
}

impl Read for Latin1 {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        if self.given == self.pending.len() {
            let mut block = vec![0; DECODE_BYTES];
            let read = self.file.read(&mut block)?;
            block.truncate(read);
            let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&block);
            self.pending = text.into_owned().into_bytes();
            self.given = 0;
        }
        let rest = self.pending.get(self.given..).unwrap_or_default();
        let length = rest.len().min(room.len());
        if let (Some(to), Some(from)) = (room.get_mut(..length), rest.get(..length)) {
            to.copy_from_slice(from);
        }
        self.given += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told_so() {
        let full = Path::new("/dev/full");
        if !full.exists() {
            return;
        }
        let mut copy = CleanCopy::begin(full, "big.csv", &[], "line").unwrap();
        let mut outcome = Ok(());
        for place in 0..100_000 {
            outcome = outcome.and_then(|()| copy.push(place, Ok(vec![Some("text".to_owned())])));
        }
        let fault = outcome.and_then(|()| copy.finish().map(drop)).unwrap_err();
        assert_eq!(fault.message, "there is no room on the disk for a clean copy of `big.csv`");
    }

    #[test]
    fn nothing_and_an_empty_text_are_told_apart() {
        let mut bytes = Vec::new();
        write_row(&mut bytes, &vec![None, Some(String::new()), Some("a\"b,c".to_owned())]).unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), ",\"\",\"a\"\"b,c\"\n");
    }
}
