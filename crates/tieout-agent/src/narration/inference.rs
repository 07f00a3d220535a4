//! Reasoning beyond the data, as a claim of its own kind.
//!
//! It states no figure and no quantity, says that it is not sure, and names the figures that it reasons from. What it
//! says of a direction must be the direction of those. The rest no row can prove, so it is never shown unless the project
//! asks for it, and then in its own style.

use tieout_core::{
    claim::{Author, ClaimKind, Confidence, Piece, Sentence},
    figures::Role,
    number::Number,
};
use tieout_reader::language::sentences::{SentenceClass, SentenceWords};

use super::wording::Matter;

/// The longest inference, in words.
const WORDS_MAX: usize = 30;

/// Judges an inference.
///
/// # Errors
/// Why it may not be shown even as one.
pub(super) fn inferred(text: &str, from: &[String], matter: &Matter<'_>) -> Result<Sentence, String> {
    let text = text.trim().trim_end_matches('.');
    let plain = |c: char| c.is_ascii_alphabetic() || matches!(c, ' ' | ',' | '-' | '\'');
    if let Some(other) = text.chars().find(|c| !plain(*c)) {
        return Err(format!("“{other}” may not stand in an inference, which has words only"));
    }
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphabetic()).filter(|w| !w.is_empty()).collect();
    if words.len() > WORDS_MAX {
        return Err(format!("an inference has {WORDS_MAX} words at most"));
    }
    if from.is_empty() {
        return Err("an inference names the figures that it reasons from, in `from`".to_owned());
    }
    let mut hedged = false;
    for word in words {
        match SentenceWords::english().class(word) {
            Some(SentenceClass::Hedge) => hedged = true,
            Some(SentenceClass::Number) => return Err(format!("“{word}” is a quantity, in an inference")),
            Some(SentenceClass::Most | SentenceClass::Least) => {
                return Err(format!("“{word}” is for the figures to say, not for an inference"));
            }
            Some(SentenceClass::Up | SentenceClass::More) => directed(word, true, from, matter)?,
            Some(SentenceClass::Down | SentenceClass::Less) => directed(word, false, from, matter)?,
            Some(_) | None => {}
        }
    }
    if !hedged {
        return Err("an inference says that it is not sure: may, might, could, perhaps".to_owned());
    }
    let mut pieces = vec![Piece::Words(text.to_owned())];
    for id in from {
        if matter.slot(id).is_none() {
            return Err(format!("there is no figure {id} to reason from"));
        }
        pieces.push(Piece::From(id.clone()));
    }
    Ok(Sentence {
        kind: ClaimKind::Inference,
        pieces,
        confidence: Confidence::Inferred,
        author: Author::Model,
    })
}

/// A word of direction is that of every difference that the inference reasons from, and there is one.
fn directed(word: &str, up: bool, from: &[String], matter: &Matter<'_>) -> Result<(), String> {
    let differences: Vec<_> = from
        .iter()
        .filter_map(|id| matter.slot(id))
        .filter(|slot| matches!(slot.column.role, Role::Difference | Role::Change))
        .collect();
    let zero = Number::from(0);
    let agrees = |n: &Number| if up { *n > zero } else { *n < zero };
    let all = differences.iter().all(|slot| slot.figure.value.number().is_some_and(agrees));
    if differences.is_empty() || !all {
        return Err(format!("“{word}” is not what the figures it reasons from say"));
    }
    Ok(())
}
