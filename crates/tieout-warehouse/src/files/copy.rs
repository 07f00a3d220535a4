//! Owns the clean copy of a delimited file that an engine cannot be trusted with: sound rows only, wanted columns
//! only, every value plainly written, UTF-8, one line feed a row.
//!
//! Deliberately absent: where the copy is put, which is the engine's to say.

use std::{
    fs::File,
    io::{BufWriter, Read, Write},
    ops::ControlFlow,
    path::Path,
};

use tieout_core::halt::Fault;

use super::{
    dialect::{Dialect, Encoding},
    judge::Shape,
    open_fault,
    records::Record,
    scan::{Column, Refusals, Widths, judged, walk},
};
use crate::fault;

/// How much text is decoded at once.
const DECODE_BYTES: usize = 64 * 1024;

/// A clean copy.
#[derive(Debug)]
pub(crate) struct Copied {
    /// How many rows it has.
    pub(crate) rows: u64,
    /// The rows that are not in it.
    pub(crate) refusals: Refusals,
    /// By wanted column.
    pub(crate) widths: Widths,
}

/// Writes the clean copy to a new file.
pub(crate) fn copy_clean(dialect: &Dialect, columns: &[Column], target: &Path) -> Result<Copied, Fault> {
    let full = |error: std::io::Error| write_fault(&dialect.shown, &error);
    let mut writer = BufWriter::new(File::create(target).map_err(full)?);
    let mut copied =
        Copied { rows: 0, refusals: Refusals::default(), widths: vec![Shape::default(); columns.len()] };
    // Lines at the end that are no rows are held back until it is known that they are not the last.
    let mut held: std::collections::VecDeque<Result<Vec<String>, (u64, String)>> = Default::default();
    let skip = usize::try_from(dialect.skip_trailing).unwrap_or(usize::MAX);
    let _ = walk(dialect, &mut false, |record| {
        let (line, judged) = match record {
            Record::Broken { line, reason } => (line, Err(reason.to_owned())),
            Record::Sound { line, bytes, fields } => {
                (line, judged(dialect, columns, bytes, fields, &mut copied.widths))
            }
        };
        held.push_back(judged.map_err(|reason| (line, reason)));
        if held.len() > skip {
            match held.pop_front() {
                Some(Ok(texts)) => {
                    write_row(&mut writer, &texts).map_err(full)?;
                    copied.rows += 1;
                }
                Some(Err((line, reason))) => copied.refusals.add(line, || reason),
                None => {}
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    writer.flush().map_err(full)?;
    Ok(copied)
}

fn write_row(writer: &mut impl Write, texts: &[String]) -> std::io::Result<()> {
    for (place, text) in texts.iter().enumerate() {
        if place > 0 {
            writer.write_all(b",")?;
        }
        // An empty field is no value; a row of one column must not become a blank line.
        match text.bytes().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) || texts.len() == 1 {
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
