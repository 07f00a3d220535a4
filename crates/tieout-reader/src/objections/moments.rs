//! Objections to words of time that could mean another day or the date of another thing.

use tieout_core::reading::{Problem, Use, WordUse};

use super::{blame, tokens};
use crate::language::english::{ANY, NOUN_STEPS, WEEKDAYS};

/// `refunds by order month`, `by month of the order`: the month of another thing, where the period's own steps would be
/// taken.
pub(super) fn step_of_another(words: &[WordUse]) -> Option<Problem> {
    let thing = |w: &WordUse| match &w.used_as {
        Use::Dataset(_) | Use::Field(_) | Use::Metric(_) | Use::Value(_) | Use::Population(_) => true,
        Use::Grammar(label) => label.ends_with("every row has one"),
        Use::Relationship(_)
        | Use::Time(_)
        | Use::Number(_)
        | Use::Definition(_)
        | Use::Wrapping
        | Use::Stop
        | Use::Unknown => false,
    };
    let step = |w: &WordUse| {
        let last = tokens(w).last().unwrap_or_default();
        let digits = w.text.contains(|c: char| c.is_ascii_digit());
        matches!(w.used_as, Use::Time(_)) && !digits && NOUN_STEPS.contains(&last.as_str())
    };
    let bare = |w: &WordUse| step(w) && tokens(w).count() == 1;
    let before = words.windows(2).find(|pair| matches!(pair, [a, b] if thing(a) && bare(b)));
    let verb = |w: &WordUse| {
        let act = tokens(w).next().is_some_and(|t| tieout_core::definitions::participle(&t));
        matches!(w.used_as, Use::Field(_)) && act && tokens(w).count() == 1
    };
    let behind = words.windows(2).find(|pair| matches!(pair, [a, b] if step(a) && verb(b)));
    let after = words.iter().enumerate().filter(|(_, w)| step(w)).find_map(|(i, w)| {
        let mut rest = words.get(i.saturating_add(1)..)?.iter();
        let of = rest.next().filter(|w| tokens(w).next().as_deref() == Some("of"))?;
        let mut named = std::iter::once(of).chain(rest.skip_while(|w| w.used_as == Use::Stop).take(1));
        named.any(thing).then_some(w)
    });
    let word = before.and_then(<[WordUse]>::last).or(after).or(behind.and_then(<[WordUse]>::first))?;
    let message = "may be the step of another thing’s date, which is not what would be split by";
    Some(blame(word, message, "say “by month” for the dates of what is counted"))
}

/// `03/04/2026` may be two days; `a Monday` is any.
pub(super) fn uncertain(words: &[WordUse]) -> Option<Problem> {
    let times = || words.iter().filter(|w| matches!(w.used_as, Use::Time(_)));
    if let Some(word) = times().find(|w| tokens(w).any(|t| two_days(&t))) {
        let hint = "write the date as 2026-08-01 or with the month’s name";
        return Some(blame(word, "may begin with the day or with the month", hint));
    }
    let any = words.windows(2).find(|pair| match pair {
        [article, day] => {
            matches!(day.used_as, Use::Time(_))
                && tokens(article).last().is_some_and(|t| ANY.contains(&t.as_str()))
                && tokens(day).next().is_some_and(|t| WEEKDAYS.contains(&t.as_str()))
        }
        _ => false,
    })?;
    any.last().map(|day| blame(day, "is any such day, and one would be taken", "name the date"))
}

/// Whether a date in digits reads both with the day first and with the month first.
fn two_days(token: &str) -> bool {
    let token = token.trim_matches(|c: char| !c.is_ascii_digit());
    let parts: Vec<&str> = token.split(['/', '.', '-']).collect();
    let [a, b, year] = parts.as_slice() else { return false };
    let small = |part: &str| part.parse::<u8>().ok().filter(|n| (1..=12).contains(n));
    match (small(a), small(b)) {
        (Some(a), Some(b)) => a != b && matches!(year.len(), 2 | 4) && year.parse::<u16>().is_ok(),
        _ => false,
    }
}
