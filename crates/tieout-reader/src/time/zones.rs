//! Named zones: `in New York time`, `Pacific time`, `in UTC`, `UTC+2`, `Europe/Berlin`.
//!
//! A place is a zone only before a word for time, so that `in Berlin` stays a place. Deliberately absent: what the zone
//! is for; the periods of the same question are cut at its midnights (`scan`).

use jiff::tz::{Offset, TimeZone};
use tieout_core::time::zone_name;

use super::{
    lexicon::Cue,
    parser::{Parsed, Parser},
};

/// The most atoms a zone's name has: `America/Argentina/ComodRivadavia` and its like.
const NAME_ATOMS_MAX: usize = 12;

/// The most hours a zone lies from UTC.
const OFFSET_HOURS_MAX: i64 = 14;

/// How a zone is said.
pub(super) fn words(zone: &TimeZone) -> String {
    format!("days from midnight to midnight in {}", zone_name(zone))
}

impl Parser<'_> {
    /// A zone at a place, with the word in front.
    pub(super) fn zone(&self, at: usize) -> Parsed<TimeZone> {
        let front = self.cue(Cue::InFront, at);
        let place = self.skip(Cue::The, front.unwrap_or(at));
        if let Some(named) = self.cue(Cue::ZoneWord, place) {
            return self
                .zone_name(named)
                .or_else(|| self.zone_letters(named, front))
                .or_else(|| self.place(named));
        }
        let (zone, end) = self
            .zone_name(place)
            .or_else(|| self.place_time(place))
            .or_else(|| self.zone_letters(place, front))?;
        Some((zone, self.cue(Cue::ZoneWord, end).or_else(|| self.cue(Cue::Clock, end)).unwrap_or(end)))
    }

    /// `Europe/Berlin`, in whichever pieces it came.
    fn zone_name(&self, at: usize) -> Parsed<TimeZone> {
        let mut name = self.text(at)?.to_owned();
        let mut best = None;
        for place in at + 1..at + NAME_ATOMS_MAX {
            let Some(atom) = self.atoms.get(place).filter(|atom| atom.near) else { break };
            // An underscore is dropped between words.
            if !atom.glued {
                name.push('_');
            }
            name.push_str(atom.text);
            if name.contains('/')
                && let Ok(zone) = TimeZone::get(&name)
            {
                best = Some((zone, place + 1));
            }
        }
        best
    }

    /// A place of the language's file or the zone database.
    fn place(&self, at: usize) -> Parsed<TimeZone> {
        let (name, end) = self.phrase(self.words.zones.get(self.text(at)?)?, at, |_| true)?;
        Some((TimeZone::get(&name).ok()?, end))
    }

    fn place_time(&self, at: usize) -> Parsed<TimeZone> {
        let (zone, end) = self.place(at)?;
        let end = self.cue(Cue::Clock, end).or_else(|| self.cue(Cue::ZoneWord, end))?;
        Some((zone, end))
    }

    /// `UTC`, `UTC+2`, `CET`. Ones other than UTC need a word in front or behind, since they are short.
    fn zone_letters(&self, at: usize, front: Option<usize>) -> Parsed<TimeZone> {
        let text = self.text(at)?;
        let name = self.words.zone_letters.get(text)?;
        if name == "UTC" {
            if let Some(found) = self.offset(at + 1) {
                return Some(found);
            }
            return self.no_offset(at + 1).then_some((TimeZone::UTC, at + 1));
        }
        let behind = self.cue(Cue::TimeWord, at + 1).or_else(|| self.cue(Cue::ZoneWord, at + 1));
        (front.is_some() || behind.is_some())
            .then(|| TimeZone::get(name).ok().map(|zone| (zone, at + 1)))
            .flatten()
    }

    /// Whether nothing follows that could be an offset: a sign, or digits whose hyphen may have been dropped.
    fn no_offset(&self, at: usize) -> bool {
        let digits = self.atoms.get(at).is_some_and(|atom| atom.near && atom.is_digits());
        !digits && !matches!(self.glued(at), Some("+" | "-" | "−"))
    }

    fn offset(&self, at: usize) -> Parsed<TimeZone> {
        let sign = match self.glued(at)? {
            "+" => 1,
            "-" | "−" => -1,
            _ => return None,
        };
        let digits = self.atoms.get(at + 1).filter(|atom| atom.glued && atom.is_digits())?;
        let number = digits.number()?;
        let (hours, minutes, end) = match digits.text.len() {
            1 | 2 => match (self.glued(at + 2), self.atoms.get(at + 3)) {
                (Some(":"), Some(minutes)) => (number, minutes.number()?, at + 4),
                (_, _) => (number, 0, at + 2),
            },
            4 => (number / 100, number % 100, at + 2),
            _ => return None,
        };
        if hours > OFFSET_HOURS_MAX || minutes > 59 {
            return None;
        }
        // The database's own names for whole hours have their sign turned round.
        let turned = if sign > 0 { '-' } else { '+' };
        let named = if minutes == 0 { TimeZone::get(&format!("Etc/GMT{turned}{hours}")).ok() } else { None };
        let seconds = i32::try_from(sign * (hours * 3_600 + minutes * 60)).ok()?;
        let zone = match named {
            Some(zone) => zone,
            None => TimeZone::fixed(Offset::from_seconds(seconds).ok()?),
        };
        Some((zone, end))
    }
}
