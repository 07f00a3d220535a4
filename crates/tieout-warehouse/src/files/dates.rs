//! Owns how the dates of a file are written when nobody said so and they are not as ISO 8601 has them.
//!
//! One format must fit every date of the columns; if both day-first and month-first do, nobody may choose but the
//! owner of the data. Deliberately absent: formats with names of months, which differ by language.

use std::ops::ControlFlow;

use tieout_core::{catalogue::Datatype, halt::Fault};

use super::{
    dialect::Dialect,
    judge::Verdict,
    records::Record,
    scan::{Column, walk},
};
use crate::fault;

/// The formats that are tried.
pub(super) const FORMATS: [&str; 7] =
    ["%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y.%m.%d", "%Y%m%d"];

/// Finds the format of every date column that the sample shows not to be ISO.
///
/// # Errors
/// A fault when two formats fit every date of a column.
pub(crate) fn settle_dates<'c>(
    dialect: &Dialect,
    columns: impl Iterator<Item = &'c mut Column>,
    sample: &[Vec<String>],
) -> Result<(), Fault> {
    for column in columns {
        let dated = matches!(column.judge.datatype, Datatype::Date | Datatype::Timestamp);
        if !dated || column.judge.date_format.is_some() {
            continue;
        }
        let texts: Vec<&str> =
            sample.iter().filter_map(|row| row.get(column.place)).map(String::as_str).collect();
        let understood = texts
            .iter()
            .any(|text| !matches!(column.judge.judge(text), Verdict::Refused(_)) && !text.trim().is_empty());
        let fits: Vec<&str> =
            FORMATS.into_iter().filter(|format| share(column, format, &texts) > 0).collect();
        if understood || fits.is_empty() {
            continue;
        }
        let format = settle(dialect, column, &fits)?;
        column.judge.date_format = format;
    }
    Ok(())
}

/// How many of the texts are dates of a format.
fn share(column: &Column, format: &str, texts: &[&str]) -> usize {
    let judge = with_format(column, format);
    texts
        .iter()
        .filter(|text| matches!(judge.judge(text), Verdict::Rewritten(plain, _) if !plain.is_empty()))
        .count()
}

fn with_format(column: &Column, format: &str) -> super::Judge {
    super::Judge { date_format: Some(format.to_owned()), ..column.judge.clone() }
}

/// The format that most of the column's texts have, over the whole file.
fn settle(dialect: &Dialect, column: &Column, formats: &[&str]) -> Result<Option<String>, Fault> {
    let judges: Vec<_> = formats.iter().map(|format| with_format(column, format)).collect();
    let mut counts = vec![0u64; judges.len()];
    let _ = walk(dialect, &mut false, |record| {
        if let Record::Sound { bytes, fields, .. } = record
            && let Some(field) = fields.fields.get(column.place)
        {
            let text = field.text(bytes);
            for (judge, count) in judges.iter().zip(&mut counts) {
                *count += u64::from(
                    matches!(judge.judge(&text), Verdict::Rewritten(plain, _) if !plain.is_empty()),
                );
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let most = counts.iter().copied().max().unwrap_or_default();
    let best: Vec<&str> =
        formats.iter().zip(&counts).filter(|(_, count)| **count == most).map(|(format, _)| *format).collect();
    match best.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some((*one).to_owned())),
        several => Err(fault::data(
            format!(
                "the dates in column `{}` of `{}` may be {}: every one of them fits",
                column.name,
                dialect.shown,
                several.join(" or ")
            ),
            format!(
                "say which: `date_format: \"{}\"` beside the file's path in tieout.yml",
                several.first().unwrap_or(&"")
            ),
        )),
    }
}
