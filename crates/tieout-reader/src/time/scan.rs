//! Finds every time expression of a question and says what it means.
//!
//! Zones come first, since they bound the days; then units, each parsed once at its start; then what is made of units:
//! ranges, lists and words in front; last, steps of time where no unit starts. Deliberately absent: a choice between
//! overlapping spans.

use jiff::{Timestamp, tz::TimeZone};
use tieout_core::time::{Calendar, zone_name};

use super::{
    TimeKind, TimeReading, TimeSpan, TimeToken,
    atoms::{Atom, read_atoms},
    grains::{Said, grain_alternative, previous_of},
    lexicon::{self, Cue},
    parser::{Parsed, Parser},
    ranges::{Range, Units},
    resolve::{Context, Fault, Found, Outcome},
    unit::{Kind, Unit},
    zones,
};

/// The most units that may follow one another (`July, August and September 2026`) and share a year.
pub(super) const LIST_UNITS_MAX: usize = 12;

/// See [`super::spans`].
pub(super) fn spans(tokens: &[TimeToken<'_>], calendar: &Calendar, now: Timestamp) -> Vec<TimeSpan> {
    let words = lexicon::english();
    let atoms = read_atoms(tokens, words);
    let parser = Parser { atoms: &atoms, words };
    let zones = find_zones(parser);
    let switched = zones.iter().flatten().map(|(zone, _)| zone).next().filter(|zone| **zone != calendar.zone);
    let calendar = Calendar { zone: switched.unwrap_or(&calendar.zone).clone(), ..calendar.clone() };
    let context = Context { calendar: &calendar, today: calendar.today(now), words: parser.words };
    let units = find_units(parser, &zones);
    let suffix = switched.map(|zone| format!(", in {} days", zone_name(zone))).unwrap_or_default();
    let mut scan =
        Scan { parser, context, units, resolved: Vec::new(), suffix, found: Vec::new(), whole: Vec::new() };
    for (at, zone) in zones.iter().enumerate() {
        if let Some((zone, end)) = zone {
            scan.push(at, *end, TimeKind::Zone(zone.clone()), zones::words(zone), Vec::new());
        }
    }
    scan.all_units();
    scan.all_ranges();
    scan.all_steps();
    scan.words_in_front();
    scan.finish()
}

/// See [`super::may_be_a_step`].
pub(super) fn may_be_a_step(tokens: &[TimeToken<'_>]) -> bool {
    read_atoms(tokens, lexicon::english()).iter().any(|atom| !atom.grains.is_empty())
}

fn find_zones(parser: Parser<'_>) -> Vec<Option<(TimeZone, usize)>> {
    let mut zones = vec![None; parser.atoms.len()];
    let mut at = 0;
    while let Some(slot) = zones.get_mut(at) {
        let found = if opens(parser.atoms, at) { parser.zone(at) } else { None };
        match found.filter(|(_, end)| closed(parser, *end).is_some()) {
            Some((zone, end)) => {
                *slot = Some((zone, end));
                at = end.max(at + 1);
            }
            None => at += 1,
        }
    }
    zones
}

/// Each unit at the atom it starts with. Inside of one no other is looked for.
fn find_units(parser: Parser<'_>, zones: &[Option<(TimeZone, usize)>]) -> Vec<Option<(Unit, usize)>> {
    let mut units = vec![None; parser.atoms.len()];
    let mut at = 0;
    while let Some(slot) = units.get_mut(at) {
        if let Some((_, end)) = zones.get(at).and_then(Option::as_ref) {
            at = (*end).max(at + 1);
            continue;
        }
        let found = if opens(parser.atoms, at) { parser.unit(at) } else { None };
        match found.filter(|(_, end)| closed(parser, *end).is_some()) {
            Some((unit, end)) => {
                *slot = Some((unit, end));
                at = end.max(at + 1);
            }
            None => at += 1,
        }
    }
    units
}

fn opens(atoms: &[Atom<'_>], at: usize) -> bool {
    atoms.get(at).is_some_and(|atom| atom.opens)
}

/// The place behind an expression that ends before `end`, its possessive taken in; none when it ends inside a token.
fn closed(parser: Parser<'_>, end: usize) -> Option<usize> {
    let closes =
        |at: usize| at.checked_sub(1).and_then(|last| parser.atoms.get(last)).is_some_and(|atom| atom.closes);
    let apostrophe = matches!(parser.glued(end), Some("'" | "’"));
    if apostrophe && parser.glued(end + 1) == Some("s") && closes(end + 2) {
        return Some(end + 2);
    }
    closes(end).then_some(end)
}

/// One span, in atoms.
#[derive(Clone)]
struct Entry {
    start: usize,
    end: usize,
    reading: TimeReading,
}

pub(super) struct Scan<'s> {
    pub(super) parser: Parser<'s>,
    pub(super) context: Context<'s>,
    pub(super) units: Vec<Option<(Unit, usize)>>,
    /// The days of each unit, or why it has none.
    pub(super) resolved: Vec<Option<Outcome>>,
    suffix: String,
    found: Vec<Entry>,
    /// Expressions whose parts mean nothing by themselves (`the same month last year`), from and to.
    whole: Vec<(usize, usize)>,
}

impl Units for Vec<Option<(Unit, usize)>> {
    fn unit_at(&self, at: usize) -> Parsed<Unit> {
        self.get(at).and_then(Clone::clone)
    }
}

impl Scan<'_> {
    fn push(&mut self, start: usize, end: usize, kind: TimeKind, words: String, alternatives: Vec<String>) {
        if let Some(end) = closed(self.parser, end) {
            self.found.push(Entry { start, end, reading: TimeReading { kind, words, alternatives } });
        }
    }

    fn push_said(&mut self, start: usize, end: usize, (kind, words): Said) {
        let alternative = match &kind {
            TimeKind::Grain(grain) => grain_alternative(*grain, self.context.fiscal_differs()),
            _ => None,
        };
        self.push(start, end, kind, words, alternative.into_iter().collect());
    }

    fn push_outcome(&mut self, start: usize, end: usize, outcome: Outcome) {
        match outcome {
            Ok(found) => {
                let (kind, mut words) = self.days(&found);
                if let TimeKind::Period(_) = kind {
                    words.push_str(&self.suffix);
                }
                let mut alternatives: Vec<String> = Vec::new();
                for other in found.alternatives {
                    if other != found.words && !alternatives.contains(&other) {
                        alternatives.push(other);
                    }
                }
                self.push(start, end, kind, words, alternatives);
            }
            Err(Fault::Empty(reason, alternatives)) => {
                self.push(start, end, TimeKind::Empty(reason.clone()), reason, alternatives);
            }
            Err(Fault::TooLarge(reason)) => {
                self.push(start, end, TimeKind::TooLarge(reason.clone()), reason, Vec::new());
            }
        }
    }

    fn days(&self, found: &Found) -> (TimeKind, String) {
        match self.context.calendar.period(found.start, found.end) {
            Some(period) => (TimeKind::Period(period), found.words.clone()),
            None => {
                let reason = format!("{} holds no day", found.words);
                (TimeKind::Empty(reason.clone()), reason)
            }
        }
    }

    fn all_units(&mut self) {
        self.resolved = (0..self.units.len())
            .map(|at| self.units.unit_at(at).map(|(unit, end)| self.in_context(at, &unit, end)))
            .collect();
        for at in 0..self.units.len() {
            let Some((unit, end)) = self.units.unit_at(at) else { continue };
            let Some(outcome) = self.resolved.get(at).cloned().flatten() else { continue };
            if let Some((list, list_end)) = self.list(&unit, &outcome, end) {
                self.push_outcome(at, list_end, Ok(list));
            }
            if let Some((range, range_end)) = self.parser.bare_range(&self.units, &unit, end)
                && let Ok(found) = self.context.range(&range)
            {
                self.push_outcome(at, range_end, Ok(found));
            }
            self.push_outcome(at, end, outcome);
            let previous = match unit {
                Unit::Whole { steps, grain, kind, .. } if steps < 0 => previous_of(-steps, grain, kind),
                Unit::Ago { count, grain } => previous_of(count, grain, Kind::Calendar),
                _ => None,
            };
            if let Some(said) = previous {
                self.push_said(at, end, said);
            }
        }
    }

    fn all_ranges(&mut self) {
        for at in 0..self.units.len() {
            if !opens(self.parser.atoms, at) {
                continue;
            }
            if let Some((range, end)) = self.parser.range(&self.units, at) {
                let outcome = self.range_in_context(&range, end);
                self.push_outcome(at, end, outcome);
            }
        }
    }

    /// A range with one unit takes the year that follows, as the unit itself would.
    fn range_in_context(&self, range: &Range, end: usize) -> Outcome {
        let dated = |unit: &Unit| self.listed_year(end).and_then(|year| unit.with_year(year));
        let range = match range {
            Range::From(unit) => dated(unit).map(Range::From),
            Range::Since(unit) => dated(unit).map(Range::Since),
            Range::After(unit) => dated(unit).map(Range::After),
            Range::Until(unit) => dated(unit).map(Range::Until),
            Range::Before(unit) => dated(unit).map(Range::Before),
            Range::AsOf(unit) => dated(unit).map(Range::AsOf),
            Range::Both { from, to, from_side, to_side } => dated(to).map(|to| Range::Both {
                from: from.clone(),
                to,
                from_side: *from_side,
                to_side: *to_side,
            }),
        }
        .unwrap_or_else(|| range.clone());
        self.context.range(&range)
    }

    fn all_steps(&mut self) {
        let mut at = 0;
        while at < self.units.len() {
            if let Some((_, end)) = self.units.unit_at(at) {
                // `a year ago` and `the month before` start where a unit may: they are longer or nothing.
                at = end.max(at + 1);
                continue;
            }
            if opens(self.parser.atoms, at)
                && let Some((said, end)) = self.parser.step(at)
            {
                if matches!(said.0, TimeKind::Previous { .. } | TimeKind::SameLastYear) {
                    self.whole.push((at, end));
                }
                self.push_said(at, end, said);
            }
            at += 1;
        }
    }

    /// `in`, `during the`, `for the period` in front of what was found.
    fn words_in_front(&mut self) {
        let mut starts: Vec<Vec<usize>> = vec![Vec::new(); self.units.len()];
        for (index, entry) in self.found.iter().enumerate() {
            let days = matches!(
                entry.reading.kind,
                TimeKind::Period(_)
                    | TimeKind::Empty(_)
                    | TimeKind::TooLarge(_)
                    | TimeKind::Previous { .. }
                    | TimeKind::SameLastYear
            );
            if days && let Some(list) = starts.get_mut(entry.start) {
                list.push(index);
            }
        }
        for at in (0..self.units.len()).filter(|at| opens(self.parser.atoms, *at)).collect::<Vec<_>>() {
            let front = self.parser.cue(Cue::InFront, at);
            let place = self.parser.skip(Cue::The, front.unwrap_or(at));
            let behind = if place == at { place } else { self.parser.skip(Cue::PeriodWord, place) };
            for place in [front.unwrap_or(at), place, behind] {
                if place == at {
                    continue;
                }
                for index in starts.get(place).cloned().unwrap_or_default() {
                    let Some(entry) = self.found.get(index).cloned() else { continue };
                    self.found.push(Entry { start: at, ..entry });
                }
            }
        }
    }

    fn finish(mut self) -> Vec<TimeSpan> {
        let whole = std::mem::take(&mut self.whole);
        self.found
            .retain(|entry| !whole.iter().any(|(start, end)| *start < entry.start && entry.end <= *end));
        let token = |at: usize| self.parser.atoms.get(at).map(|atom| atom.token);
        let mut spans: Vec<TimeSpan> = Vec::with_capacity(self.found.len());
        for entry in &self.found {
            let (Some(first), Some(last)) = (token(entry.start), entry.end.checked_sub(1).and_then(token))
            else {
                continue;
            };
            spans.push(TimeSpan { first, last, reading: entry.reading.clone() });
        }
        spans.sort_by(|a, b| a.first.cmp(&b.first).then(b.last.cmp(&a.last)));
        // The same run may be found twice, by itself and behind a word that is part of it.
        let mut kept: Vec<TimeSpan> = Vec::with_capacity(spans.len());
        for span in spans {
            if !kept.iter().rev().take_while(|other| other.first == span.first).any(|other| *other == span) {
                kept.push(span);
            }
        }
        kept
    }
}
