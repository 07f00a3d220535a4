//! Owns what is found out about a delimited file of which nothing is known: a datatype for every column that its
//! whole content bears out, and the marks its numbers and dates are written with.
//!
//! Deliberately absent: what anything is called.

use std::ops::ControlFlow;

use tieout_core::{
    catalogue::{Datatype, FileSource},
    halt::Fault,
};

use super::{
    dates::FORMATS,
    dialect::Dialect,
    guess::guess,
    judge::{Judge, Verdict},
    records::Record,
    scan::{Column, walk},
};

/// The marks between thousands and before decimals that are tried when plain numbers do not fit.
const MARKS: [(Option<char>, Option<char>); 5] = [
    (Some(','), None),
    (Some('.'), Some(',')),
    (None, Some(',')),
    (Some(' '), Some(',')),
    (Some('\''), None),
];
/// A datatype stands although this share of the values is not of it; those rows are refused and told. One in a hundred.
const STRAYS_SHARE: u64 = 100;

/// Guesses every column's datatype from a sample. Marks that are found out are put into `file`.
pub(crate) fn guess_columns(dialect: &Dialect, file: &mut FileSource, sample: &[Vec<String>]) -> Vec<Column> {
    let mut guesses: Vec<Datatype> = Vec::new();
    for place in 0..dialect.columns.len() {
        let texts = sample.iter().filter_map(|row| row.get(place)).map(String::as_str);
        let texts: Vec<&str> = texts.filter(|text| !text.trim().is_empty()).collect();
        let mut datatype = guess(texts.iter().copied());
        if datatype == Datatype::String && !texts.is_empty() {
            datatype = marked(&texts, file).or_else(|| dated(&texts, file)).unwrap_or(Datatype::String);
        }
        guesses.push(datatype);
    }
    let named = dialect.columns.iter().enumerate().zip(guesses);
    named
        .map(|((place, name), datatype)| Column { place, name: name.clone(), judge: judge(file, datatype) })
        .collect()
}

/// Turns the columns into text whose values are of another datatype than was guessed, but for a few strays. Says of
/// each column how many those are.
pub(crate) fn give_way(dialect: &Dialect, columns: &mut [Column]) -> Result<Vec<u64>, Fault> {
    let counted = count(dialect, columns)?;
    let mut strays = Vec::new();
    for (column, (values, strange)) in columns.iter_mut().zip(counted) {
        if strange.saturating_mul(STRAYS_SHARE) > values {
            column.judge = Judge::plain(Datatype::String);
            strays.push(0);
        } else {
            strays.push(strange);
        }
    }
    Ok(strays)
}

fn judge(file: &FileSource, datatype: Datatype) -> Judge {
    let date_format = file.date_format.clone();
    Judge { datatype, thousands: file.thousands, decimal: file.decimal, date_format }
}

/// Whether the texts are numbers of exactly one way of writing them.
fn marked(texts: &[&str], file: &mut FileSource) -> Option<Datatype> {
    let fits = |&(thousands, decimal): &(Option<char>, Option<char>)| {
        let judge = Judge { thousands, decimal, ..Judge::plain(Datatype::Decimal) };
        let padded = |text: &str| {
            text.starts_with('0') && text.len() > 1 && text.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
        };
        texts.iter().all(|text| {
            !padded(text) && matches!(judge.judge(text), Verdict::Rewritten(plain, _) if !plain.is_empty())
        })
    };
    let fitting: Vec<_> = MARKS.iter().filter(|marks| fits(marks)).collect();
    let &[&(thousands, decimal)] = fitting.as_slice() else { return None };
    let free = (file.thousands, file.decimal) == (None, None)
        || (file.thousands, file.decimal) == (thousands, decimal);
    free.then(|| {
        file.thousands = thousands;
        file.decimal = decimal;
        Datatype::Decimal
    })
}

/// Whether the texts are dates of exactly one format.
fn dated(texts: &[&str], file: &mut FileSource) -> Option<Datatype> {
    for datatype in [Datatype::Date, Datatype::Timestamp] {
        let fits = |format: &&str| {
            let judge = Judge { date_format: Some((*format).to_owned()), ..Judge::plain(datatype) };
            texts.iter().all(|text| matches!(judge.judge(text), Verdict::Rewritten(..)))
        };
        let fitting: Vec<&str> = FORMATS.into_iter().filter(fits).collect();
        if let [format] = fitting.as_slice()
            && file.date_format.as_deref().is_none_or(|known| known == *format)
        {
            file.date_format = Some((*format).to_owned());
            return Some(datatype);
        }
    }
    None
}

/// By column, how many values there are, and how many are not of its datatype.
fn count(dialect: &Dialect, columns: &[Column]) -> Result<Vec<(u64, u64)>, Fault> {
    let mut counts = vec![(0, 0); columns.len()];
    let typed: Vec<usize> = (0..columns.len())
        .filter(|at| columns.get(*at).is_some_and(|c| c.judge.datatype != Datatype::String))
        .collect();
    let _ = walk(dialect, &mut false, |record| {
        if let Record::Sound { bytes, fields, .. } = record
            && fields.fields.len() == dialect.columns.len()
        {
            for &at in &typed {
                let (Some(column), Some(count), Some(field)) =
                    (columns.get(at), counts.get_mut(at), fields.fields.get(at))
                else {
                    continue;
                };
                match column.judge.judge(&field.text(bytes)) {
                    Verdict::Null => {}
                    Verdict::Same(_) | Verdict::Rewritten(..) => count.0 += 1,
                    Verdict::Refused(_) => {
                        count.0 += 1;
                        count.1 += 1;
                    }
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(counts)
}
