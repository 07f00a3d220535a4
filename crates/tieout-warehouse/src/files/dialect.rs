//! Owns what is decided about how a delimited file is written: encoding, separator, line ends, header and columns.
//!
//! What the project declares stands; the rest is sniffed once from the file's beginning, and reported. Deliberately
//! absent: types of columns, and everything behind the sample.

use std::{
    borrow::Cow,
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use tieout_core::{catalogue::FileSource, halt::Fault};

use super::{
    open_fault,
    records::{Record, Records},
};
use crate::fault;

/// How much of a file's beginning is sniffed.
const SAMPLE_BYTES: usize = 512 * 1024;
/// How much of a file's end is looked at for a line of totals.
const TAIL_BYTES: u64 = 16 * 1024;
/// How many records of the sample decide the separator.
const SAMPLE_RECORDS_MAX: usize = 1_000;
/// The separators that are tried, in order.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// How text is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// ISO 8859-1 as it is met in the wild: Windows 1252.
    Latin1,
}

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// The project.
    Declared,
    /// Nobody; it was sniffed.
    Sniffed,
}

/// What ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NewLine {
    /// A line feed.
    Feed,
    /// A carriage return and a line feed.
    ReturnFeed,
    /// A carriage return.
    Return,
    /// Now this, now that.
    Mixed,
}

/// How a delimited file is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// The path as the project names it.
    pub(crate) shown: String,
    /// Its length in bytes.
    pub(crate) bytes: u64,
    /// Its encoding.
    pub(crate) encoding: Encoding,
    /// Whether the project says so.
    pub(crate) encoding_by: Said,
    /// The separator of fields.
    pub(crate) delimiter: u8,
    /// What ends a line.
    pub(crate) newline: NewLine,
    /// Whether the first line names the columns.
    pub(crate) header: bool,
    /// The columns' names, each once: names that the file has twice are numbered, and so are those it has not.
    pub(crate) columns: Vec<String>,
    /// Names that the file has more than once, in whatever case.
    pub(crate) repeated: Vec<String>,
    /// How many lines at the end are not rows.
    pub(crate) skip_trailing: u64,
    /// The last line, when it looks like a line of totals that nobody declared.
    pub(crate) totals: Option<String>,
}

impl Dialect {
    /// The byte that ends a line, whatever comes before it.
    pub(crate) fn line_end(&self) -> u8 {
        match self.newline {
            NewLine::Return => b'\r',
            NewLine::Feed | NewLine::ReturnFeed | NewLine::Mixed => b'\n',
        }
    }

    /// Text of the file's encoding as UTF-8.
    pub(crate) fn decode<'t>(&self, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        match self.encoding {
            Encoding::Utf8 => Cow::Borrowed(bytes),
            Encoding::Latin1 => match encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0 {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            },
        }
    }
}

/// Decides how a file is written.
pub(crate) fn sniff(path: &Path, source: &FileSource) -> Result<Dialect, Fault> {
    let shown = source.path.clone();
    let mut file = File::open(path).map_err(|error| open_fault(&shown, &error))?;
    let bytes = file.metadata().map_err(|error| open_fault(&shown, &error))?.len();
    let mut sample = Vec::new();
    let limit = u64::try_from(SAMPLE_BYTES).unwrap_or(u64::MAX);
    file.by_ref().take(limit).read_to_end(&mut sample).map_err(|error| open_fault(&shown, &error))?;
    let whole = sample.len() < SAMPLE_BYTES;
    let encoding = encoding(source, &sample, whole)?;
    let newline = newline(&sample);
    let mut dialect = Dialect {
        path: path.to_owned(),
        shown,
        bytes,
        encoding,
        encoding_by: if source.encoding.is_some() { Said::Declared } else { Said::Sniffed },
        delimiter: b',',
        newline,
        header: source.header.unwrap_or(true),
        columns: Vec::new(),
        repeated: Vec::new(),
        skip_trailing: source.skip_trailing,
        totals: None,
    };
    dialect.delimiter = delimiter(source, &dialect, &sample)?;
    let first = split_sample(&sample, dialect.delimiter, &dialect, 1).into_iter().next();
    let Some(first) = first else {
        return Err(fault::data(
            format!("`{}` is empty: it has not even a line that names its columns", source.path),
            "put the data in place, or take the file out of tieout.yml",
        ));
    };
    (dialect.columns, dialect.repeated) = columns(&first, dialect.header);
    dialect.totals = totals(&mut file, &dialect).map_err(|error| open_fault(&dialect.shown, &error))?;
    Ok(dialect)
}

/// The first records behind the header, as text; the last of a cut sample is left out.
pub(crate) fn sample_records(dialect: &Dialect) -> Result<Vec<Vec<String>>, Fault> {
    let gone = |error: std::io::Error| open_fault(&dialect.shown, &error);
    let file = File::open(&dialect.path).map_err(gone)?;
    let mut sample = Vec::new();
    file.take(u64::try_from(SAMPLE_BYTES).unwrap_or(u64::MAX)).read_to_end(&mut sample).map_err(gone)?;
    let mut records = split_sample(&sample, dialect.delimiter, dialect, SAMPLE_RECORDS_MAX);
    if sample.len() == SAMPLE_BYTES && records.len() > 1 {
        records.pop();
    }
    if dialect.header && !records.is_empty() {
        records.remove(0);
    }
    Ok(records)
}

fn encoding(source: &FileSource, sample: &[u8], whole: bool) -> Result<Encoding, Fault> {
    if sample.starts_with(b"\xff\xfe") || sample.starts_with(b"\xfe\xff") {
        return Err(fault::data(
            format!("`{}` is encoded in UTF-16", source.path),
            "save it as UTF-8 and try again",
        ));
    }
    match source.encoding.as_deref().map(str::to_ascii_lowercase).as_deref() {
        Some("utf-8" | "utf8") => Ok(Encoding::Utf8),
        Some("latin-1" | "latin1" | "iso-8859-1" | "windows-1252" | "cp1252") => Ok(Encoding::Latin1),
        Some(other) => Err(fault::data(
            format!("`{}` is said to be encoded in `{other}`, which is not known here", source.path),
            "say `encoding: utf-8` or `latin-1`",
        )),
        None => Ok(match std::str::from_utf8(sample) {
            Ok(_) => Encoding::Utf8,
            Err(error) if error.error_len().is_none() && !whole => Encoding::Utf8,
            Err(_) => Encoding::Latin1,
        }),
    }
}

fn newline(sample: &[u8]) -> NewLine {
    let feeds = memchr::memchr_iter(b'\n', sample).count();
    let pairs = memchr::memmem::find_iter(sample, b"\r\n").count();
    let returns = memchr::memchr_iter(b'\r', sample).count();
    match (feeds, pairs, returns) {
        (0, _, 1..) => NewLine::Return,
        (_, 0, 0) => NewLine::Feed,
        (f, p, r) if f == p && r == p => NewLine::ReturnFeed,
        _ => NewLine::Mixed,
    }
}

fn delimiter(source: &FileSource, dialect: &Dialect, sample: &[u8]) -> Result<u8, Fault> {
    if let Some(declared) = source.delimiter {
        return u8::try_from(declared)
            .ok()
            .filter(|byte| byte.is_ascii() && !b"\"\r\n".contains(byte))
            .ok_or_else(|| {
                fault::data(
                    format!("`{declared}` cannot be the separator of `{}`", source.path),
                    "name one plain character, such as `delimiter: \";\"`",
                )
            });
    }
    if source.format.as_deref() == Some("tsv") || source.path.to_ascii_lowercase().ends_with(".tsv") {
        return Ok(b'\t');
    }
    // The separator for which most lines have as many fields as the first; of those, the one that gives most fields.
    let best = DELIMITERS
        .iter()
        .filter_map(|&candidate| {
            let records = split_sample(sample, candidate, dialect, SAMPLE_RECORDS_MAX);
            let fields = records.first()?.len();
            let alike = records.iter().filter(|record| record.len() == fields).count();
            (fields > 1).then_some((alike * 1000 / records.len(), fields, candidate))
        })
        .max_by_key(|&(alike, fields, _)| (alike, fields));
    Ok(best.map_or(b',', |(_, _, candidate)| candidate))
}

fn split_sample(sample: &[u8], delimiter: u8, dialect: &Dialect, most: usize) -> Vec<Vec<String>> {
    let text = dialect.decode(sample);
    let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
    let Ok(mut records) = Records::new(text.as_ref(), delimiter, dialect.line_end(), bytes) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    while found.len() < most {
        match records.next() {
            Ok(Some(Record::Sound { bytes, fields, .. })) => {
                found.push(fields.fields.iter().map(|field| field.text(bytes).into_owned()).collect());
            }
            Ok(Some(Record::Broken { .. })) => {}
            Ok(None) | Err(_) => break,
        }
    }
    found
}

/// Names for the columns, and those names that the file has more than once.
fn columns(first: &[String], header: bool) -> (Vec<String>, Vec<String>) {
    let written: Vec<String> = first
        .iter()
        .enumerate()
        .map(|(place, name)| match name.trim() {
            name if header && !name.is_empty() => name.to_owned(),
            _ => format!("column{}", place + 1),
        })
        .collect();
    let count = |name: &str| written.iter().filter(|other| other.eq_ignore_ascii_case(name)).count();
    let mut names: Vec<String> = Vec::new();
    let mut repeated: Vec<String> = Vec::new();
    for name in &written {
        if count(name) == 1 {
            names.push(name.clone());
            continue;
        }
        if !repeated.iter().any(|seen| seen.eq_ignore_ascii_case(name)) {
            repeated.push(name.clone());
        }
        let free = |candidate: &String| {
            !names.iter().chain(&written).any(|taken| taken.eq_ignore_ascii_case(candidate))
        };
        names.extend((1..=written.len() * 2).map(|number| format!("{name}_{number}")).find(free));
    }
    (names, repeated)
}

/// The file's last line, when its first words say that it adds up the others and nobody said to skip it.
fn totals(file: &mut File, dialect: &Dialect) -> std::io::Result<Option<String>> {
    if dialect.skip_trailing > 0 {
        return Ok(None);
    }
    file.seek(SeekFrom::Start(dialect.bytes.saturating_sub(TAIL_BYTES)))?;
    let mut tail = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut tail)?;
    let text = String::from_utf8_lossy(&dialect.decode(&tail)).into_owned();
    let Some(last) = text.split(['\n', '\r']).rfind(|line| !line.trim().is_empty()) else { return Ok(None) };
    let says = last.split(char::from(dialect.delimiter)).any(|field| {
        let word = field.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
        matches!(word.as_str(), "total" | "totals" | "grand total" | "sum" | "subtotal" | "summe" | "gesamt")
    });
    Ok(says.then(|| last.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(first: &[&str], header: bool) -> (Vec<String>, Vec<String>) {
        columns(&first.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>(), header)
    }

    #[test]
    fn repeated_and_missing_names_are_numbered() {
        let (all, repeated) = names(&["id", "amount", "", "Amount", "amount_1"], true);
        assert_eq!(all, ["id", "amount_2", "column3", "Amount_3", "amount_1"]);
        assert_eq!(repeated, ["amount"]);
        assert_eq!(names(&["1", "2"], false).0, ["column1", "column2"]);
    }

    #[test]
    fn line_ends() {
        assert_eq!(newline(b"a\nb\n"), NewLine::Feed);
        assert_eq!(newline(b"a\r\nb\r\n"), NewLine::ReturnFeed);
        assert_eq!(newline(b"a\rb\r"), NewLine::Return);
        assert_eq!(newline(b"a\r\nb\n"), NewLine::Mixed);
        assert_eq!(newline(b"a"), NewLine::Feed);
    }
}
