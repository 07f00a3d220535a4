//! Owns the guess at a column's datatype from texts that were seen. A guess is always told as one.
//!
//! Deliberately absent: what the rest of the file holds.

use tieout_core::catalogue::Datatype;

use super::judge::{Judge, Verdict};

/// The datatypes that are tried, the narrowest first.
const CANDIDATES: [Datatype; 6] = [
    Datatype::Boolean,
    Datatype::Integer,
    Datatype::Decimal,
    Datatype::Date,
    Datatype::Timestamp,
    Datatype::Instant,
];

/// The narrowest datatype that every text is plainly of; text when there is none, or nothing to tell by.
pub(crate) fn guess<'t>(texts: impl Iterator<Item = &'t str>) -> Datatype {
    let texts: Vec<&str> = texts.filter(|text| !text.trim().is_empty()).collect();
    let fits = |datatype: &Datatype| texts.iter().all(|text| plainly(*datatype, text));
    match texts.is_empty() {
        true => Datatype::String,
        false => CANDIDATES.into_iter().find(fits).unwrap_or(Datatype::String),
    }
}

/// Whether a text is plainly of a datatype: a number with zeros before it names something, and is text.
fn plainly(datatype: Datatype, text: &str) -> bool {
    match datatype {
        Datatype::Boolean => matches!(text.to_ascii_lowercase().as_str(), "true" | "false"),
        Datatype::Integer | Datatype::Decimal => {
            let digits = text.trim_start_matches('-');
            let padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
            !padded && matches!(Judge::plain(datatype).judge(text), Verdict::Same(_))
        }
        Datatype::Date | Datatype::Timestamp | Datatype::Instant => {
            matches!(Judge::plain(datatype).judge(text), Verdict::Same(_) | Verdict::Rewritten(..))
        }
        Datatype::Float | Datatype::String => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Datatype {
        guess(texts.iter().copied())
    }

    #[test]
    fn the_narrowest_that_fits_all() {
        assert_eq!(of(&["1", "", "-2"]), Datatype::Integer);
        assert_eq!(of(&["1", "2.5"]), Datatype::Decimal);
        assert_eq!(of(&["0.5", "0"]), Datatype::Decimal);
        assert_eq!(of(&["true", "False"]), Datatype::Boolean);
        assert_eq!(of(&["2026-01-31"]), Datatype::Date);
        assert_eq!(of(&["2026-01-31 12:00:00", "2026-01-31"]), Datatype::Timestamp);
        assert_eq!(of(&["2026-01-31T12:00:00Z"]), Datatype::Instant);
    }

    #[test]
    fn what_is_mixed_or_only_looks_like_a_number_is_text() {
        assert_eq!(of(&["1", "n/a"]), Datatype::String);
        assert_eq!(of(&["007", "12"]), Datatype::String);
        assert_eq!(of(&["", " "]), Datatype::String);
        assert_eq!(of(&[]), Datatype::String);
        assert_eq!(of(&["1e5"]), Datatype::String);
        assert_eq!(of(&["NaN", "1.5"]), Datatype::String);
        assert_eq!(of(&["31/01/2026"]), Datatype::String);
    }
}
