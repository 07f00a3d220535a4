//! Which parts may stand together in a plain question.
//!
//! This is a list of what may be, not of what may not: a measure with groups, a filter or two, a period, and at most one
//! thing more (an order, a condition on the figures, a comparison, a share, a bound, other rows, further measures). Two
//! of those in one question can be put together in more than one way, and people mean each of them.

use tieout_core::reading::{Condition, Derivation, FiguresRequest, Grouping, Request, RowsRequest};

use crate::grammar::ast::{Ask, Clause, Target};

use super::Look;

/// What makes a question more than a measure with groups, filters and a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Special {
    Measures,
    Ranked,
    Having,
    Compared,
    Share,
    Bound,
    Related,
}

impl Special {
    fn words(self) -> &'static str {
        match self {
            Self::Measures => "several measures",
            Self::Ranked => "an order",
            Self::Having => "a condition on the figures",
            Self::Compared => "a comparison",
            Self::Share => "a share",
            Self::Bound => "a bound on single rows",
            Self::Related => "other rows",
        }
    }
}

impl Look<'_> {
    /// Parts of figures that could be put together otherwise.
    pub(super) fn figures_together(&self, figures: &FiguresRequest) -> Option<String> {
        let conditions = self.conditions();
        let specials = self.specials(figures, &conditions);
        if let [first, second, ..] = specials.as_slice() {
            return Some(format!(
                "{} and {} stand in one question, and could be put together otherwise",
                first.words(),
                second.words()
            ));
        }
        let steps = figures.groupings.iter().any(|g| matches!(g.value, Grouping::Time(_)));
        let (groups, filters) = (figures.groupings.len(), conditions.len());
        let fits = match specials.first() {
            // Groups that are listed one after another are what they are, however many.
            None => filters <= 2,
            Some(Special::Measures) => filters == 0 || (groups <= 1 && filters <= 1),
            Some(Special::Ranked) => groups <= 1 && filters <= 1,
            // The groups are what is asked for, by their noun: “by region above 1000” may bound single rows.
            Some(Special::Having) => {
                groups == 1
                    && filters == 0
                    && !steps
                    && !self.has(|c| matches!(c, Clause::By(_) | Clause::Each(_)))
            }
            Some(Special::Compared) => groups <= 2 && filters <= 1,
            Some(Special::Share) => match &figures.derivation {
                Derivation::ShareOf { part } => groups == 0 && part.len() == 1 && filters == 1,
                Derivation::ShareOfTotal
                | Derivation::Plain
                | Derivation::Against(_)
                | Derivation::StepByStep => groups == 1 && filters == 0,
            },
            Some(Special::Bound) => groups <= 1 && filters == 1,
            Some(Special::Related) => filters == 1 && !self.has_period(),
        };
        let one = specials.first().map_or("these parts", |special| special.words());
        (!fits).then(|| format!("{one} could be put together with the rest in another way"))
    }

    fn specials(&self, figures: &FiguresRequest, conditions: &[&Condition]) -> Vec<Special> {
        let mut specials = Vec::new();
        let mut add = |special, holds: bool| {
            if holds {
                specials.push(special);
            }
        };
        add(Special::Measures, figures.measures.len() > 1);
        add(Special::Ranked, figures.ranking.is_some());
        add(Special::Having, !figures.having.is_empty());
        match &figures.derivation {
            Derivation::Plain => {}
            Derivation::Against(_) | Derivation::StepByStep => add(Special::Compared, true),
            Derivation::ShareOf { .. } | Derivation::ShareOfTotal => add(Special::Share, true),
        }
        add(Special::Bound, conditions.iter().any(|c| bounds(c)));
        add(Special::Related, figures.conditions.iter().any(|c| self.relates(&c.value)));
        specials
    }

    /// Parts of a list that could be put together otherwise.
    pub(super) fn rows_together(&self, rows: &RowsRequest) -> Option<String> {
        let conditions = self.conditions();
        let related = conditions.iter().any(|c| self.relates(c));
        let bound = conditions.iter().any(|c| bounds(c));
        let fits = if related {
            conditions.len() == 1 && rows.ranking.is_none() && !self.has_period()
        } else if rows.ranking.is_some() || bound {
            conditions.len() <= 1 && !(bound && rows.ranking.is_some())
        } else {
            conditions.len() <= 2
        };
        (!fits).then(|| "the parts of this list could be put together in another way".to_owned())
    }

    /// A thing that is named twice, of which one part alone was read.
    pub(super) fn named_twice(&self) -> Option<String> {
        use tieout_core::reading::Use;
        // `revenue by region where revenue is above 1000` names the measure once more on purpose.
        let bounded = matches!(self.request, Request::Figures(figures) if !figures.having.is_empty());
        for (i, word) in self.words.iter().enumerate() {
            let names = match word.used_as {
                Use::Dataset(_) => true,
                Use::Metric(_) => !bounded,
                _ => false,
            };
            if !names {
                continue;
            }
            if self.words.iter().skip(i.saturating_add(1)).any(|other| other.used_as == word.used_as) {
                return Some(format!("“{}” is named twice, and one reading of it is shown", word.text));
            }
        }
        None
    }

    /// A filter between two measures: it may be of the first alone.
    pub(super) fn filter_between(&self, figures: &FiguresRequest) -> Option<String> {
        if figures.measures.len() < 2 || self.conditions().is_empty() {
            return None;
        }
        let is_filter = |clause: &Clause| matches!(clause, Clause::Where(..) | Clause::Bound(..));
        let is_measure = |clause: &Clause| match clause {
            Clause::Named(targets) => {
                targets.iter().any(|t| matches!(t, Target::Measure(_) | Target::Thing(_)))
            }
            Clause::Ask(Ask::HowMany) => true,
            _ => false,
        };
        let places = |test: &dyn Fn(&Clause) -> bool| -> Vec<usize> {
            let placed = self.sequence.clauses.iter().enumerate();
            placed.filter(|(_, placed)| test(placed.clause.as_ref())).map(|(at, _)| at).collect()
        };
        let last = places(&is_measure).last().copied()?;
        let first = places(&is_filter).first().copied()?;
        (first < last)
            .then(|| "a filter stands between two measures, and could be of the first alone".to_owned())
    }
}

/// Whether a condition bounds a number or a date of single rows.
fn bounds(condition: &Condition) -> bool {
    match condition {
        Condition::Compare { .. } | Condition::Between { .. } => true,
        Condition::OneOf { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Member { .. }
        | Condition::Related { .. }
        | Condition::Any(_) => false,
    }
}
