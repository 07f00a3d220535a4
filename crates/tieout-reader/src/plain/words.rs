//! Words of the question: dropped, or taken for something that they need not be.

use tieout_core::reading::{MeasureRef, Request, Use, WordUse};

use crate::{
    examine::shape::{self, Demand},
    grammar::ast::Clause,
    language::{Caution, Class},
    lattice::{Item, Meaning, Span},
    lexicon::field_of,
};

use super::Look;

impl Look<'_> {
    /// A word that was dropped, and is not of those that may be.
    pub(super) fn dropped(&self) -> Option<String> {
        // What happens to things, without saying when, changes nothing; with a period it may say which date is meant.
        let defined = self.measures_are_defined() || !self.has_period();
        self.stops().into_iter().find_map(|span| {
            let is_idle = |at: usize| {
                let within = |next: &usize| *next <= span.last.saturating_add(1);
                let ends = |caution| self.chart.cautions(at, caution).find(within);
                ends(Caution::Idle).or_else(|| ends(Caution::IdleVerb).filter(|_| defined))
            };
            let mut at = span.first;
            while at <= span.last {
                match is_idle(at) {
                    Some(next) => at = next.max(at.saturating_add(1)),
                    None => return Some(format!("“{}” has no part in the reading", self.chart.typed(span))),
                }
            }
            None
        })
    }

    /// Runs of words that were dropped.
    pub(super) fn stops(&self) -> Vec<Span> {
        let mut runs: Vec<Span> = Vec::new();
        for placed in self.sequence.clauses.iter().filter(|placed| matches!(*placed.clause, Clause::Stop)) {
            match runs.last_mut() {
                Some(run) if run.last.saturating_add(1) == placed.span.first => run.last = placed.span.last,
                Some(_) | None => runs.push(placed.span),
            }
        }
        runs
    }

    /// Whether everything that is measured is a metric of the catalogue.
    pub(super) fn measures_are_defined(&self) -> bool {
        match self.request {
            Request::Figures(figures) => {
                figures.measures.iter().all(|measure| matches!(measure.value, MeasureRef::Metric(_)))
            }
            Request::Rows(_) | Request::About(_) => false,
        }
    }

    /// `are all loans closed?`: what is shown is no yes and no no.
    pub(super) fn opens_as_yes_or_no(&self) -> Option<String> {
        let first = (0..self.chart.tokens_count()).find(|at| {
            let placed = self.sequence.clauses.iter().find(|placed| placed.span.last >= *at);
            placed.is_none_or(|placed| !matches!(*placed.clause, Clause::Wrapping))
        })?;
        let opening = [Class::Copula, Class::Do, Class::Have];
        let opens = self.chart.classes(first).iter().any(|(_, class)| opening.contains(class));
        opens.then(|| "the question asks for a yes or a no, and figures or rows would be shown".to_owned())
    }

    /// A word of grammar that asks for something that the request does not have.
    pub(super) fn demanded(&self) -> Option<String> {
        let grammar = |at: usize| {
            let start = self.chart.tokens.get(at).map_or(0, |token| token.start);
            let holds =
                |word: &&WordUse| (word.start..word.start.saturating_add(word.text.len())).contains(&start);
            let word = self.words.iter().find(holds);
            word.is_some_and(|word| matches!(word.used_as, Use::Grammar(_) | Use::Stop))
        };
        let mut demands = Vec::new();
        let mut at = 0;
        while at < self.chart.tokens_count() {
            let Some((next, _)) = self.chart.classes(at).first().copied().filter(|_| grammar(at)) else {
                at = at.saturating_add(1);
                continue;
            };
            let longest = self.chart.classes(at).iter().filter(|(end, _)| *end == next);
            let classes: Vec<Class> = longest.map(|(_, class)| *class).collect();
            let start = self.chart.tokens.get(at).map_or(0, |token| token.start);
            demands.extend(Demand::of(&classes, self.chart.typed(Span::of(at, next)), start));
            at = next.max(at.saturating_add(1));
        }
        let lacking = shape::lacking(self.request, self.catalogue, &demands);
        lacking.into_iter().next().map(|problem| problem.message)
    }

    /// `did not open a ticket`: a name behind `do` may be a verb.
    pub(super) fn verb_taken_for_a_name(&self) -> Option<String> {
        let start = self.chart.tokens.get(self.says(Class::Do)?)?.start;
        let named = |word: &&WordUse| {
            word.start > start && matches!(word.used_as, Use::Population(_) | Use::Value(_))
        };
        let verb = self.words.iter().find(named)?;
        Some(format!("“{}” is taken for {}, and could be a verb", verb.text, verb.used_as))
    }

    /// `the year starting 1 April`: how long it is was not read.
    pub(super) fn starting(&self) -> Option<String> {
        let at = self.warns(Caution::Starting)?;
        let inside = self.words.iter().find(|word| {
            let token = self.chart.tokens.get(at).map_or(0, |token| token.start);
            matches!(word.used_as, Use::Time(_) | Use::Stop | Use::Grammar(_))
                && (word.start..word.start.saturating_add(word.text.len())).contains(&token)
        })?;
        Some(format!("“{}” may name another length of time", inside.text))
    }

    /// `no orders`, where a field is called `line no`.
    pub(super) fn no_in_a_name(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            let named = matches!(word.used_as, Use::Field(_) | Use::Dataset(_) | Use::Metric(_));
            let text = word.text.to_lowercase();
            let first = text.split_whitespace().next()?;
            let negates = self.chart.language().classes(first).contains(&Class::No);
            (named && negates).then(|| {
                format!("“{}” is taken for {}, and could leave something out", word.text, word.used_as)
            })
        })
    }

    /// `tickets in the Product area`, where `product area` is a field and `Product` one of its values.
    pub(super) fn value_in_a_field(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            let Use::Field(name) = &word.used_as else { return None };
            let at = self.chart.tokens.iter().position(|token| token.start >= word.start)?;
            let of_field = |item: &Item| match &item.meaning {
                Meaning::Values(values) => values.iter().any(|value| {
                    field_of(self.catalogue, value.field)
                        .is_some_and(|(dataset, field)| *name == format!("{dataset}.{}", field.name))
                }),
                _ => false,
            };
            let end = word.start.saturating_add(word.text.len());
            let inside = (at..self.chart.tokens_count())
                .take_while(|at| self.chart.tokens.get(*at).is_some_and(|token| token.start < end));
            let holds = inside.into_iter().any(|at| self.chart.items(at).iter().any(of_field));
            holds.then(|| format!("“{}” is taken for a field, and holds one of its values", word.text))
        })
    }

    /// A value that also starts the name of a population: `shipped` of `shipped orders`.
    pub(super) fn value_or_population(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            let Use::Value(value) = &word.used_as else { return None };
            let field = value.split(" = ").next()?;
            if self.words.iter().any(|word| matches!(&word.used_as, Use::Field(name) if name == field)) {
                return None;
            }
            let dataset = value.split('.').next()?;
            let text = word.text.to_lowercase();
            let called = |name: &str| name.to_lowercase().split(' ').any(|part| part == text);
            let other = self.catalogue.populations.values().find(|p| {
                p.dataset == dataset && (called(&p.label) || p.synonyms.iter().any(|name| called(name)))
            })?;
            Some(format!("“{}” is taken for {value}, and could be {}", word.text, other.label))
        })
    }
}
