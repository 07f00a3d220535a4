//! What a reading may not do with words that it understood only as grammar.
//!
//! Grammar shapes a request and leaves no name in it, so it cannot be held to its words as names are. Here the words
//! that were seen to be dropped are held to the request: a fall that is ordered as a rise, a superlative without a
//! number, the best within each group, a step of time that split nothing. Each declines and says what to ask instead.

use tieout_core::{
    catalogue::{Catalogue, Presence},
    reading::{
        Condition, Grouping, MeasureRef, Problem, RankBy, Ranking, ReasonCode, Request, Sort, Use, WordUse,
    },
};

use crate::language::english::{FALLS, STEPS, SUPERLATIVES, WITHIN};

/// Why the grammar of a reading does not do what its words say.
pub(crate) fn objections(request: &Request, words: &[WordUse], catalogue: &Catalogue) -> Vec<Problem> {
    let grammar = Grammar { words };
    let mut problems = Vec::new();
    let (ranking, stepped) = match request {
        Request::Figures(figures) => {
            let stepped = figures.groupings.iter().any(|g| matches!(g.value, Grouping::Time(_)));
            problems.extend(grammar.best_within(figures.ranking.as_ref(), &figures.groupings, catalogue));
            let plain = figures.measures.iter().any(|m| matches!(m.value, MeasureRef::Count { .. }));
            if !plain {
                problems.extend(both_of(figures.conditions.iter().map(|c| &c.value)));
            }
            (figures.ranking.as_ref(), stepped)
        }
        Request::Rows(rows) => {
            problems.extend(grammar.first_of_each(rows.ranking.as_ref()));
            (rows.ranking.as_ref(), false)
        }
        Request::About(_) => return problems,
    };
    problems.extend(grammar.fall(ranking));
    problems.extend(grammar.superlative(ranking, matches!(request, Request::Rows(_))));
    if !stepped {
        problems.extend(grammar.step());
    }
    problems
}

struct Grammar<'a> {
    words: &'a [WordUse],
}

impl Grammar<'_> {
    /// Words that were understood as grammar and hold one of these.
    fn with(&self, listed: &[&str]) -> Option<&WordUse> {
        self.words.iter().find(|w| {
            let text = w.text.to_lowercase();
            matches!(w.used_as, Use::Grammar(_)) && text.split_whitespace().any(|t| listed.contains(&t))
        })
    }

    fn fall(&self, ranking: Option<&Ranking>) -> Option<Problem> {
        let word = self.with(FALLS)?;
        let rising = ranking.is_some_and(|r| matches!(r.by, RankBy::Change(_)) && r.sort == Sort::Descending);
        let hint = "ask for the change by that, lowest first";
        rising.then(|| blame(word, "asks for a fall, and the order would put the greatest rise first", hint))
    }

    /// `oldest customer`, `top customer per region`: one is meant, and nothing says of how many.
    fn superlative(&self, ranking: Option<&Ranking>, rows: bool) -> Option<Problem> {
        ranking.filter(|r| r.limit.is_none())?;
        let word = self.words.iter().find(|w| {
            let text = w.text.to_lowercase();
            matches!(w.used_as, Use::Grammar(_)) && SUPERLATIVES.contains(&text.as_str())
        })?;
        let hint = if rows {
            "say how many, such as “the 5 oldest”"
        } else {
            "say how many, such as “top 1”"
        };
        Some(blame(word, "does not say how many are meant", hint))
    }

    /// `top 2 products per category`: the best within each group is not what one order over all groups gives.
    fn best_within(
        &self,
        ranking: Option<&Ranking>,
        groupings: &[tieout_core::reading::Sourced<Grouping>],
        catalogue: &Catalogue,
    ) -> Option<Problem> {
        ranking?;
        let within = self.with(WITHIN)?;
        let at = self
            .words
            .iter()
            .position(|w| matches!(&w.used_as, Use::Grammar(g) if g.starts_with("order")))?;
        let next = self.words.get(at.saturating_add(1)..)?.iter().find(|w| w.used_as != Use::Stop)?;
        let Use::Dataset(named) = &next.used_as else { return None };
        let naming = catalogue.datasets.get(named).map(|d| (d.display.clone(), d.primary_key.clone()))?;
        let grouped = groupings.iter().any(|g| match &g.value {
            Grouping::Field(f) => {
                f.dataset == *named && (naming.0.as_ref() == Some(&f.field) || naming.1.contains(&f.field))
            }
            Grouping::Time(_) => false,
        });
        let hint = "ask for one group at a time, or for the order over all of them";
        (!grouped || groupings.len() > 1).then(|| blame(within, "asks for the first within each group", hint))
    }

    /// `first order of each customer`: one order over all rows gives the first of all.
    fn first_of_each(&self, ranking: Option<&Ranking>) -> Option<Problem> {
        ranking.filter(|r| r.limit.is_some())?;
        let within = self.with(WITHIN)?;
        Some(blame(within, "asks for the first within each group", "ask for one group at a time"))
    }

    fn step(&self) -> Option<Problem> {
        let word = self.with(STEPS)?;
        let hint = "ask how many there are, or for a metric, by that step";
        Some(blame(word, "splits by time, and what is asked for is not split so", hint))
    }
}

/// `bought Lighting but not Furniture`: told of single rows, where whoever they belong to is meant.
fn both_of<'a>(conditions: impl Iterator<Item = &'a Condition> + Clone) -> Option<Problem> {
    let related = |wanted: Presence| {
        conditions.clone().filter_map(move |c| match c {
            Condition::Related { dataset, presence, .. } if *presence == wanted => Some(dataset),
            Condition::Related { .. }
            | Condition::OneOf { .. }
            | Condition::Compare { .. }
            | Condition::Between { .. }
            | Condition::Missing { .. }
            | Condition::InPeriod { .. }
            | Condition::Member { .. }
            | Condition::Any(_) => None,
        })
    };
    let both = related(Presence::Exists).any(|a| related(Presence::Absent).any(|b| a == b));
    both.then(|| {
        Problem::new(
            ReasonCode::Unsupported,
            "with one and without the other would be told of single rows, and not of whoever they belong to",
            "ask for one of them at a time",
        )
    })
}

fn blame(word: &WordUse, message: &str, hint: &str) -> Problem {
    Problem {
        start: Some(word.start),
        ..Problem::new(ReasonCode::Unsupported, format!("`{}` {message}", word.text), hint)
    }
}
