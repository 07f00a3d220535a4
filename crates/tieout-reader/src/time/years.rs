//! Units that stand together: a year said once holds for all, and units that follow without a gap are one.
//!
//! Deliberately absent: ranges (`ranges`), whose ends give each other their year as well.

use super::{
    lexicon::Cue,
    parser::Parsed,
    ranges::Units,
    resolve::{Found, Outcome},
    scan::{LIST_UNITS_MAX, Scan},
    unit::{Unit, Year},
};

impl Scan<'_> {
    /// The days of a unit; one without a year takes it from the units it stands with.
    pub(super) fn in_context(&self, at: usize, unit: &Unit, end: usize) -> Outcome {
        if !unit.lacks_year() {
            return self.context.days(unit);
        }
        if let Some(dated) = self.listed_year(end).and_then(|year| unit.with_year(year)) {
            return self.context.days(&dated);
        }
        let latest = self.context.resolve(unit);
        let Some(found) = self.contrasted_year(at, unit, end) else { return latest };
        let found = found?;
        match latest {
            Ok(latest) if latest.start != found.start => Ok(found.or([latest.words])),
            Ok(_) | Err(_) => Ok(found),
        }
    }

    /// The year of the first unit that has one among those that follow directly: `August and September 2026`.
    pub(super) fn listed_year(&self, end: usize) -> Option<Year> {
        let mut place = end;
        for _ in 0..LIST_UNITS_MAX {
            let (next, after) = self.next_in_list(place, Cue::Compared)?;
            if let Some(year) = next.year() {
                return Some(year);
            }
            if !next.lacks_year() {
                return None;
            }
            place = after;
        }
        None
    }

    fn next_in_list(&self, at: usize, cue: Cue) -> Parsed<Unit> {
        let place = self.parser.cue(cue, at)?;
        let place = self.parser.skip(Cue::And, place);
        let place = self.parser.skip(Cue::InFront, place);
        self.units.unit_at(place).or_else(|| self.units.unit_at(self.parser.skip(Cue::The, place)))
    }

    /// The year of a unit that this one is compared with: `compare August revenue with September 2026`.
    fn contrasted_year(&self, at: usize, unit: &Unit, end: usize) -> Option<Outcome> {
        let dated = |place: usize| self.units.unit_at(place).and_then(|(unit, _)| unit.year());
        let starts = |place: &usize| self.units.get(*place).is_some_and(Option::is_some);
        let next = (end..self.units.len()).take(LIST_UNITS_MAX).find(starts);
        if let Some(next) = next.filter(|next| self.is_contrasted(*next))
            && let Some(dated) = dated(next).and_then(|year| unit.with_year(year))
        {
            return Some(self.context.days(&dated));
        }
        if !self.is_contrasted(at) {
            return None;
        }
        let before = (0..at).rev().take(LIST_UNITS_MAX * 2).find(starts)?;
        let year = self.context.year(dated(before)).ok().filter(|_| dated(before).is_some())?;
        let same = self.context.days(&unit.with_year(Year::Stated(year))?);
        match same {
            Ok(found) if found.start > self.context.today => {
                Some(self.context.days(&unit.with_year(Year::Stated(year - 1))?))
            }
            other => Some(other),
        }
    }

    fn is_contrasted(&self, at: usize) -> bool {
        (1..=4).any(|back| {
            let Some(place) = at.checked_sub(back) else { return false };
            let Some(end) = self.parser.cue(Cue::Contrast, place) else { return false };
            let end = self.parser.skip(Cue::The, self.parser.skip(Cue::InFront, end));
            end == at || self.parser.cue(Cue::Contrast, place) == Some(at)
        })
    }

    /// Units that follow one another without a gap, as one: `August and September 2026`.
    pub(super) fn list(&self, unit: &Unit, outcome: &Outcome, end: usize) -> Option<(Found, usize)> {
        let first = outcome.as_ref().ok()?;
        let (mut last, mut place, mut joined) = (first.clone(), end, false);
        for _ in 0..LIST_UNITS_MAX {
            let comma = self.next_in_list(place, Cue::Comma);
            let and = self.next_in_list(place, Cue::And);
            joined |= and.is_some()
                || comma.as_ref().is_some_and(|_| {
                    self.parser
                        .cue(Cue::Comma, place)
                        .is_some_and(|behind| self.parser.cue(Cue::And, behind).is_some())
                });
            let Some((next, after)) = and.or(comma) else { break };
            let at = (place..after).find(|at| self.units.get(*at).is_some_and(Option::is_some))?;
            let found = self.resolved.get(at)?.as_ref()?.as_ref().ok()?.clone();
            if found.start != last.end || next.is_day() != unit.is_day() {
                return None;
            }
            (last, place) = (found, after);
        }
        let name = format!("{} to {}", first.label, last.label);
        let found = Found::named(first.start, last.end, name, unit.is_day()).ok()?;
        (joined && place > end).then_some((found, place))
    }
}
