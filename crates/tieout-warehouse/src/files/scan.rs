//! Owns the judgement of a whole file: which rows can be trusted, which are refused and why, and whether an engine can
//! read the file as it stands.
//!
//! Deliberately absent: writing (see `copy`), and engines.

use std::{fs::File, ops::ControlFlow};

use tieout_core::{catalogue::Datatype, halt::Fault};

use super::{
    dialect::{Dialect, Encoding, NewLine},
    fields::Splitter,
    judge::{Judge, Plain, Shape, Verdict},
    open_fault,
    records::{Ascii, Record, Records},
};

/// How many refused rows are kept with line and reason; all are counted.
pub(crate) const REFUSALS_KEPT_MAX: usize = 100;

/// A column that is wanted, and how it is judged.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    /// Its place in the file.
    pub(crate) place: usize,
    /// Its name.
    pub(crate) name: String,
    /// How its fields are judged.
    pub(crate) judge: Judge,
}

/// A row that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The line it begins on, or the row it is, from 1.
    pub(crate) place: u64,
    /// Why, in a sentence.
    pub(crate) reason: String,
}

/// Rows that are not used: all counted, the first few kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusals {
    /// What their places count: `line` or `row`.
    pub(crate) unit: &'static str,
    /// How many.
    pub(crate) count: u64,
    /// The first of them.
    pub(crate) kept: Vec<Refusal>,
}

impl Refusals {
    /// None, yet.
    pub(crate) fn none(unit: &'static str) -> Refusals {
        Refusals { unit, count: 0, kept: Vec::new() }
    }

    /// Adds one.
    pub(crate) fn add(&mut self, place: u64, reason: impl FnOnce() -> String) {
        self.count += 1;
        if self.kept.len() < REFUSALS_KEPT_MAX {
            self.kept.push(Refusal { place, reason: reason() });
        }
    }
}

/// The most digits a column's numbers have on either side of the point.
pub(crate) type Widths = Vec<Shape>;

/// What a walk over the whole file found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scan {
    /// An engine may read the file as it stands: every row is sound and plainly written.
    Clean {
        /// How many rows there are.
        rows: u64,
        /// By wanted column.
        widths: Widths,
    },
    /// The file must be written anew first.
    Unclean,
}

/// Walks over a file until something is found that an engine could not be trusted with.
pub(crate) fn scan(dialect: &Dialect, columns: &[Column]) -> Result<Scan, Fault> {
    let certain = dialect.encoding == Encoding::Utf8
        && matches!(dialect.newline, NewLine::Feed | NewLine::ReturnFeed)
        && dialect.skip_trailing == 0
        && !columns.iter().any(|column| column.judge.rewrites());
    if !certain {
        return Ok(Scan::Unclean);
    }
    let mut rows = 0;
    let mut widths = vec![Shape::default(); columns.len()];
    let mut blank = false;
    let outcome = walk(dialect, &mut blank, |record| {
        let Record::Sound { bytes, ascii, fields, .. } = record else { return Ok(ControlFlow::Break(())) };
        let text = ascii == Ascii::Surely || std::str::from_utf8(bytes).is_ok();
        let returns = dialect.newline == NewLine::Feed && memchr::memchr(b'\r', bytes).is_some();
        match text && !returns && !fields.stray && clean(dialect, columns, bytes, fields, &mut widths) {
            true => rows += 1,
            false => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let lone_blank = blank && dialect.columns.len() == 1;
    Ok(match outcome.is_break() || lone_blank {
        true => Scan::Unclean,
        false => Scan::Clean { rows, widths },
    })
}

/// Hands every record behind the header to `each`, until it has enough.
pub(crate) fn walk(
    dialect: &Dialect,
    blank: &mut bool,
    mut each: impl FnMut(Record<'_>) -> Result<ControlFlow<()>, Fault>,
) -> Result<ControlFlow<()>, Fault> {
    let gone = |error: std::io::Error| open_fault(&dialect.shown, &error);
    let file = File::open(&dialect.path).map_err(gone)?;
    let reader = super::copy::decoded(file, dialect.encoding);
    let mut records =
        Records::new(reader, dialect.delimiter, dialect.line_end(), dialect.bytes).map_err(gone)?;
    let mut header = dialect.header;
    while let Some(record) = records.next().map_err(gone)? {
        if std::mem::take(&mut header) {
            continue;
        }
        if each(record)?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    *blank = records.blank;
    Ok(ControlFlow::Continue(()))
}

/// Whether a record is sound and plainly written; notes its numbers' widths.
fn clean(
    dialect: &Dialect,
    columns: &[Column],
    bytes: &[u8],
    fields: &Splitter,
    widths: &mut Widths,
) -> bool {
    if fields.fields.len() != dialect.columns.len()
        || fields.fields.iter().all(|field| field.start == field.end)
    {
        return false;
    }
    for (column, width) in columns.iter().zip(widths) {
        let Some(field) = fields.fields.get(column.place) else { return false };
        if field.doubled && column.judge.datatype != Datatype::String {
            return false;
        }
        let raw = bytes.get(field.start..field.end).unwrap_or_default();
        match column.judge.at_once(raw) {
            Some(Plain::Null) => {}
            Some(Plain::Same(shape)) => widen(width, shape),
            None => match column.judge.judge(&String::from_utf8_lossy(raw)) {
                Verdict::Null => {}
                Verdict::Same(shape) => widen(width, shape),
                Verdict::Rewritten(..) | Verdict::Refused(_) => return false,
            },
        }
    }
    true
}

/// Widens a column's width to hold a number.
pub(crate) fn widen(width: &mut Shape, shape: Shape) {
    width.whole = width.whole.max(shape.whole);
    width.fraction = width.fraction.max(shape.fraction);
}

/// Whether a record has the file's shape at all.
pub(crate) fn structure(dialect: &Dialect, bytes: &[u8], fields: &Splitter) -> Result<(), String> {
    let (found, expected) = (fields.fields.len(), dialect.columns.len());
    if found != expected {
        let s = if found == 1 { "" } else { "s" };
        return Err(format!("it has {found} field{s}, and there are {expected} columns"));
    }
    if std::str::from_utf8(bytes).is_err() {
        return Err("it is not UTF-8 text (if the file is not, say `encoding: latin-1`)".to_owned());
    }
    if fields.fields.iter().all(|field| field.start == field.end) {
        return Err("all its fields are empty".to_owned());
    }
    Ok(())
}
