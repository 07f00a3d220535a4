//! Order and limit of groups and rows.

use tieout_core::reading::{
    Derivation, FiguresRequest, Grouping, RankBy, Ranking, ReasonCode, Sort, Sourced, Use,
};

use super::{Base, Frame, Resolver, fields::Purpose};
use crate::{
    grammar::ast::{Ask, RankKind, RankPhrase, Target},
    lattice::Span,
};

impl Resolver<'_> {
    /// The order of the groups of figures.
    pub(super) fn order(&mut self, frame: &Frame<'_>, bases: &[Base], request: &mut FiguresRequest) {
        if let Some(rank) = frame.ranks.first() {
            if frame.ranks.len() > 1 {
                self.unlikely(10);
                self.blame(
                    ReasonCode::Unsupported,
                    rank.span,
                    "is one of several orders",
                    "order by one thing",
                );
            }
            self.rank(frame, rank, request);
        }
        for (span, sort) in &frame.sorts {
            let by = match &sort.by {
                None => Some(RankBy::Measure(0)),
                Some(target) => self.sort_by(target, bases, request),
            };
            let Some(by) = by else { continue };
            if request.groupings.is_empty() {
                self.blame(
                    ReasonCode::Unsupported,
                    *span,
                    "orders a single figure",
                    "say by what it is split",
                );
                continue;
            }
            let default = match by {
                RankBy::Measure(_) | RankBy::Change(_) => Sort::Descending,
                RankBy::Field(_) => Sort::Ascending,
            };
            let limit = request.ranking.take().and_then(|ranking| ranking.limit);
            request.ranking = Some(Ranking { by, sort: sort.sort.unwrap_or(default), limit });
        }
    }

    fn rank(&mut self, frame: &Frame<'_>, rank: &RankPhrase, request: &mut FiguresRequest) {
        if request.groupings.is_empty() {
            self.unlikely(6);
            self.blame(
                ReasonCode::Unsupported,
                rank.span,
                "does not say among what",
                "say by what the figures are split",
            );
            return;
        }
        let ranked = frame.named.iter().filter(|part| !matches!(part.target, Target::Measure(_))).count();
        let beside = request.groupings.len() > ranked.max(1);
        if beside {
            self.unlikely(6);
            self.blame(
                ReasonCode::Unsupported,
                rank.span,
                "ranks within groups, and only groups as a whole are ranked",
                "ask for one group at a time",
            );
            return;
        }
        if rank.by == RankKind::Time {
            let time = request.groupings.iter().any(|grouping| matches!(grouping.value, Grouping::Time(_)));
            self.unlikely(if time { 0 } else { 8 });
            self.blame(ReasonCode::Unsupported, rank.span, "orders groups by time", "name a period instead");
            return;
        }
        self.note_limit(rank);
        let by = match (&request.derivation, frame.changes.is_empty()) {
            (Derivation::Against(_), false) => RankBy::Change(0),
            _ => RankBy::Measure(self.ranked_measure(frame, request)),
        };
        let limit = rank.limit.or_else(|| self.one_is_meant(frame, request).then_some(1));
        request.ranking = Some(Ranking { by, sort: rank.sort, limit });
    }

    fn note_limit(&mut self, rank: &RankPhrase) {
        let what = rank.limit.map_or_else(|| "order".to_owned(), |limit| format!("order, at most {limit}"));
        self.note(rank.span, Use::Grammar(what));
    }

    /// The measure that the ranking word stands before, or the one behind `by`; else the first.
    fn ranked_measure(&self, frame: &Frame<'_>, request: &FiguresRequest) -> usize {
        let ranked = frame
            .named
            .iter()
            .filter(|part| matches!(part.target, Target::Measure(_)))
            .position(|p| p.ranked);
        ranked.unwrap_or(0).min(request.measures.len().saturating_sub(1))
    }

    /// `which channel had the highest`: one; `which channels`, `top channels`: all, in order.
    fn one_is_meant(&self, frame: &Frame<'_>, request: &FiguresRequest) -> bool {
        let group =
            frame.named.iter().map(|part| part.target).find(|target| !matches!(target, Target::Measure(_)));
        let Some(span) = group.map(Target::span) else {
            return frame.asks(Ask::Which) && request.groupings.len() == 1;
        };
        let word = self.chart().text(span.last);
        frame.asks(Ask::Which) && self.chart().language().inflection.singular(word) == word
    }

    fn sort_by(&mut self, target: &Target, bases: &[Base], request: &mut FiguresRequest) -> Option<RankBy> {
        match target {
            Target::Measure(phrase) => {
                let measured = self.measure(phrase, false)?;
                let known = request.measures.iter().position(|known| known.value == measured.measure.value);
                Some(RankBy::Measure(known.unwrap_or_else(|| {
                    request.measures.push(Sourced { ..measured.measure });
                    request.measures.len().saturating_sub(1)
                })))
            }
            Target::Field(phrase) => {
                self.field(phrase, Purpose::Group, bases, None).map(|chosen| RankBy::Field(chosen.reference))
            }
            Target::Thing(noun) => {
                let dataset = crate::grammar::dataset_of(self.chart(), noun.head)?;
                self.note_head(noun);
                let phrase = self.naming_phrase(noun.span, dataset)?;
                self.field(&phrase, Purpose::Group, bases, None).map(|chosen| RankBy::Field(chosen.reference))
            }
            Target::Grain(span, _) => {
                self.blame(
                    ReasonCode::Unsupported,
                    *span,
                    "is always in the order of time",
                    "leave the order out",
                );
                None
            }
        }
    }

    /// The order of rows: by the dataset's time, by the one size its rows have, or by a field that is named.
    pub(super) fn row_order(&mut self, frame: &Frame<'_>, base: &Base) -> Option<Ranking> {
        let bases = std::slice::from_ref(base);
        let mut ranking = None;
        if let Some(rank) = frame.ranks.first() {
            self.note_limit(rank);
            let by = match rank.by {
                RankKind::Time => self.time_field(rank.span, base)?,
                RankKind::Size if !frame.by.is_empty() => {
                    let by = frame.by.iter().find_map(|target| {
                        if let Target::Field(phrase) = target { Some(phrase) } else { None }
                    });
                    self.field(by?, Purpose::Column, bases, None)?.reference
                }
                RankKind::Size => {
                    let (field, source) = self.size_field(rank.span, base.dataset)?;
                    self.reached(field, super::reach::Reach::Own, source, bases, Purpose::Column)?.reference
                }
            };
            let limit = rank.limit.or_else(|| self.names_one(frame).then_some(1));
            ranking = Some(Ranking { by: RankBy::Field(by), sort: rank.sort, limit });
        }
        for (span, sort) in &frame.sorts {
            let phrase = match &sort.by {
                Some(Target::Field(phrase)) => Some(phrase.clone()),
                Some(Target::Thing(noun)) => {
                    let dataset = crate::grammar::dataset_of(self.chart(), noun.head)?;
                    self.note_head(noun);
                    self.naming_phrase(noun.span, dataset)
                }
                Some(Target::Measure(_) | Target::Grain(..)) | None => {
                    self.blame(
                        ReasonCode::Unsupported,
                        *span,
                        "does not say by which field rows are ordered",
                        "name a field",
                    );
                    None
                }
            };
            let Some(chosen) = phrase.and_then(|phrase| self.field(&phrase, Purpose::Column, bases, None))
            else {
                continue;
            };
            let limit = ranking.take().and_then(|ranking: Ranking| ranking.limit);
            let sort = sort.sort.unwrap_or(Sort::Ascending);
            ranking = Some(Ranking { by: RankBy::Field(chosen.reference), sort, limit });
        }
        ranking
    }

    /// `the last order` is one; `the last orders` are all, in order.
    fn names_one(&self, frame: &Frame<'_>) -> bool {
        let thing = frame.named.iter().find(|part| part.ranked).map(|part| part.target.span());
        thing.is_some_and(|span| {
            let word = self.chart().text(span.last);
            self.chart().language().inflection.singular(word) == word
        })
    }

    fn time_field(&mut self, span: Span, base: &Base) -> Option<tieout_core::reading::FieldRef> {
        let dataset = self.dataset_name(base.dataset);
        let Some(field) = base.time.clone() else {
            let message = format!("cannot be applied: nothing says when {} happened", base.measure);
            self.blame(ReasonCode::Unsupported, span, &message, "order by a field that is named");
            return None;
        };
        Some(tieout_core::reading::FieldRef { dataset, field, via: None })
    }
}
