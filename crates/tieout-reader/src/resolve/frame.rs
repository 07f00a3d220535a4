//! A sequence of clauses, sorted by what they contribute.

use crate::{
    grammar::{
        Sequence,
        ast::{
            AboutPhrase, Ask, Clause, DefinitionPhrase, Filter, HavingPhrase, Joined, Literal, Opening,
            RankPhrase, SortPhrase, Stopper, Target,
        },
    },
    language::numbers::WrittenUnit,
    lattice::{Span, TimeItem},
};
use tieout_core::reading::Comparison;

/// Something that is asked for, in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedPart<'c> {
    /// What.
    pub(super) target: &'c Target,
    /// Whether a ranking word stands right before it.
    pub(super) ranked: bool,
    /// Whether it is meant one at a time.
    pub(super) each: bool,
}

/// A filter in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilterPart<'c> {
    /// What.
    pub(super) filter: &'c Filter,
    /// How it is joined.
    pub(super) joined: Joined,
    /// Whether the words that ask for a share stand before it.
    pub(super) after_share: bool,
    /// How many of the named parts stand before it; it may belong to the last of them.
    pub(super) named_before: usize,
}

/// A bound behind a measure or a thing: `above 1000`.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundPart<'c> {
    /// Its run.
    pub(super) span: Span,
    /// How.
    pub(super) comparison: Comparison,
    /// With what.
    pub(super) low: &'c Literal,
    /// The second bound.
    pub(super) high: Option<&'c Literal>,
    /// What is named right before it.
    pub(super) about: Option<&'c Target>,
}

/// A sequence, sorted.
#[derive(Debug, Default)]
pub(super) struct Frame<'c> {
    pub(super) asks: Vec<Ask>,
    pub(super) named: Vec<NamedPart<'c>>,
    pub(super) by: Vec<&'c Target>,
    pub(super) showing: Vec<&'c Target>,
    pub(super) each: Vec<&'c Target>,
    pub(super) filters: Vec<FilterPart<'c>>,
    pub(super) only: Vec<Span>,
    pub(super) units: Vec<(Span, &'c WrittenUnit)>,
    pub(super) whens: Vec<&'c TimeItem>,
    pub(super) versus: Vec<(&'c TimeItem, Opening)>,
    pub(super) contrasts: Vec<(&'c TimeItem, &'c TimeItem)>,
    pub(super) changes: Vec<Span>,
    pub(super) trends: Vec<Span>,
    pub(super) ranks: Vec<&'c RankPhrase>,
    pub(super) sorts: Vec<(Span, &'c SortPhrase)>,
    pub(super) having: Vec<&'c HavingPhrase>,
    pub(super) bounds: Vec<BoundPart<'c>>,
    pub(super) shares: Vec<Span>,
    pub(super) of_total: Vec<Span>,
    pub(super) definitions: Vec<&'c DefinitionPhrase>,
    pub(super) abouts: Vec<(Span, &'c AboutPhrase)>,
    pub(super) follows: Vec<Span>,
    pub(super) adds: Vec<Span>,
    pub(super) insteads: Vec<Span>,
    pub(super) stoppers: Vec<(Span, &'c Stopper)>,
    pub(super) unknown: Vec<Span>,
    /// Whether two things are named with nothing between them.
    pub(super) run_on: bool,
    /// Where lists stand; verbs inside them repeat a relationship.
    pub(super) lists: Vec<Span>,
}

impl<'c> Frame<'c> {
    /// Sorts a sequence.
    pub(super) fn of(sequence: &'c Sequence) -> Self {
        let mut frame = Self::default();
        let mut after_rank = false;
        let mut named_until = None;
        for placed in &sequence.clauses {
            frame.add(placed.span, placed.clause.as_ref(), after_rank);
            if let Clause::Named(targets) = placed.clause.as_ref() {
                let starts = targets.first().map(|target| target.span().first);
                frame.run_on |= named_until.is_some() && named_until == starts;
                named_until = Some(placed.span.last.saturating_add(1));
            }
            after_rank = match placed.clause.as_ref() {
                Clause::Rank(_) => true,
                Clause::Stop | Clause::Wrapping => after_rank,
                _ => false,
            };
        }
        frame
    }

    fn add(&mut self, span: Span, clause: &'c Clause, after_rank: bool) {
        if matches!(clause, Clause::Named(_) | Clause::By(_) | Clause::Each(_) | Clause::Showing(_)) {
            self.lists.push(span);
        }
        match clause {
            Clause::Unknown => self.unknown.push(span),
            Clause::Stop | Clause::Wrapping => {}
            Clause::Ask(ask) => self.asks.push(*ask),
            Clause::Named(targets) => {
                let part =
                    |(index, target)| NamedPart { target, ranked: after_rank && index == 0, each: false };
                self.named.extend(targets.iter().enumerate().map(part));
            }
            Clause::By(targets) => self.by.extend(targets),
            Clause::Showing(targets) => self.showing.extend(targets),
            Clause::Each(targets) => self.each.extend(targets),
            Clause::Where(filter, joined) => self.filters.push(FilterPart {
                filter,
                joined: *joined,
                after_share: !self.shares.is_empty(),
                named_before: self.named.len(),
            }),
            Clause::Only => self.only.push(span),
            Clause::Unit(span, unit) => self.units.push((*span, unit)),
            Clause::When(time) => self.whens.push(time),
            Clause::Versus(time, opening) => self.versus.push((time, *opening)),
            Clause::Contrast(first, second) => self.contrasts.push((first, second)),
            Clause::Change => self.changes.push(span),
            Clause::Trend => self.trends.push(span),
            Clause::Rank(rank) => self.ranks.push(rank),
            Clause::Sort(sort) => self.sorts.push((span, sort)),
            Clause::Having(having) => self.having.push(having),
            Clause::Bound(comparison, low, high) => {
                let about = self.named.last().map(|part| part.target);
                self.bounds.push(BoundPart {
                    span,
                    comparison: *comparison,
                    low,
                    high: high.as_ref(),
                    about,
                });
            }
            Clause::Share => self.shares.push(span),
            Clause::OfTotal => self.of_total.push(span),
            Clause::Definition(definition) => self.definitions.push(definition),
            Clause::About(about) => self.abouts.push((span, about)),
            Clause::Follow => self.follows.push(span),
            Clause::Add => self.adds.push(span),
            Clause::Instead => self.insteads.push(span),
            Clause::Stopped(stopper) => self.stoppers.push((span, stopper)),
        }
    }

    /// Everything that is named, wherever it stands.
    pub(super) fn targets(&self) -> impl Iterator<Item = &'c Target> + '_ {
        let named = self.named.iter().map(|part| part.target);
        named
            .chain(self.by.iter().copied())
            .chain(self.each.iter().copied())
            .chain(self.showing.iter().copied())
    }

    /// Whether a question opens so.
    pub(super) fn asks(&self, ask: Ask) -> bool {
        self.asks.contains(&ask)
    }

    /// Whether times are set against each other.
    pub(super) fn compares(&self) -> bool {
        self.asks(Ask::Compare) || self.asks(Ask::Difference) || !self.changes.is_empty()
    }
}
