//! What a reading may not do with words that it understood only as grammar.
//!
//! Grammar shapes a request and leaves no name in it, so it cannot be held to its words as names are. Here the words
//! that were seen to be dropped are held to the request: a fall that is ordered as a rise, a superlative without a
//! number, the best within each group, a step of time that split nothing. Each declines and says what to ask instead.

mod clauses;
mod contrasts;
mod heads;
mod line;
mod moments;
mod related;
mod shares;
mod spans;

use tieout_core::{
    catalogue::{Catalogue, Presence},
    ports::FieldValues,
    reading::{
        Condition, FiguresRequest, Grouping, MeasureRef, Problem, RankBy, Ranking, ReasonCode, Request, Sort,
        Use, WordUse,
    },
};

use crate::language::english::{AVERAGES, BOUNDS, FALLS, LINKS, ONLY, STEPS, SUPERLATIVES, WITHIN};

/// What a reading is held to, beside its own words.
#[derive(Clone, Copy)]
pub(crate) struct Beside<'a> {
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) values: &'a FieldValues,
    pub(crate) previous: Option<&'a Request>,
    /// Whether the asker has chosen among choices before.
    pub(crate) confirmed: bool,
    /// Whether nothing is wrong or in doubt with the reading yet: what is declined anyway is not declined twice.
    pub(crate) sound: bool,
}

/// Why the grammar of a reading does not do what its words say.
pub(crate) fn objections(request: &Request, words: &[WordUse], beside: Beside<'_>) -> Vec<Problem> {
    let Beside { catalogue, sound, .. } = beside;
    let grammar = Grammar { words };
    let held = line::Held::new(request, words, beside);
    let mut problems = Vec::new();
    if sound && !matches!(request, Request::About(_)) {
        problems.extend(heads::objections(&held));
        problems.extend(clauses::objections(&held));
        problems.extend(spans::objections(&held));
    }
    if sound {
        problems.extend(contrasts::objections(&held));
    }
    let (ranking, stepped) = match request {
        Request::Figures(figures) => {
            let stepped = figures.groupings.iter().any(|g| matches!(g.value, Grouping::Time(_)));
            problems.extend(grammar.best_within(figures.ranking.as_ref(), &figures.groupings, catalogue));
            let plain = figures.measures.iter().any(|m| matches!(m.value, MeasureRef::Count { .. }));
            if !plain {
                problems.extend(both_of(figures.conditions.iter().map(|c| &c.value)));
            }
            problems.extend(grammar.average_of_counts(figures, catalogue));
            problems.extend(grammar.bound_lost(figures));
            problems.extend(grammar.measure_as_filter(figures));
            problems.extend(related::all_of(words, figures.conditions.iter().map(|c| &c.value)));
            problems.extend(related::bound_of_another(words, catalogue));
            problems.extend(shares::of_which_whole(words, figures, catalogue));
            problems.extend(moments::step_of_another(words));
            problems.extend(moments::uncertain(words));
            problems.extend(grammar.only(figures.conditions.iter().map(|c| &c.value)));
            (figures.ranking.as_ref(), stepped)
        }
        Request::Rows(rows) => {
            problems.extend(grammar.first_of_each(rows.ranking.as_ref()));
            problems.extend(grammar.only(rows.conditions.iter().map(|c| &c.value)));
            problems.extend(related::all_of(words, rows.conditions.iter().map(|c| &c.value)));
            problems.extend(related::bound_of_another(words, catalogue));
            problems.extend(moments::uncertain(words));
            (rows.ranking.as_ref(), false)
        }
        Request::About(_) => {
            problems.extend(grammar.beside_about());
            return problems;
        }
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

    /// `average number of loans per customer`: counts were understood, and nothing averages them.
    fn average_of_counts(&self, figures: &FiguresRequest, catalogue: &Catalogue) -> Option<Problem> {
        let word = self.words.iter().find(|w| {
            let text = w.text.to_lowercase();
            !matches!(w.used_as, Use::Metric(_)) && text.split_whitespace().any(|t| AVERAGES.contains(&t))
        })?;
        let hint = "ask for a metric that is an average, or for the count";
        counts(figures, catalogue)
            .then(|| blame(word, "asks for an average, and counts would be given", hint))
    }

    /// `customers with more than one loan`: a bound that bounds nothing.
    fn bound_lost(&self, figures: &FiguresRequest) -> Option<Problem> {
        let word = self.words.iter().find(|w| {
            let text = w.text.to_lowercase();
            BOUNDS.iter().any(|bound| text == *bound || text.starts_with(&format!("{bound} ")))
        })?;
        let bound = |c: &Condition| !matches!(c, Condition::OneOf { .. } | Condition::Member { .. });
        let kept = !figures.having.is_empty() || figures.conditions.iter().any(|c| bound(&c.value));
        (!kept)
            .then(|| blame(word, "bounds nothing that is asked for", "ask for the figure with its condition"))
    }

    /// `CSAT for reopened tickets`: the second was taken for a measure of its own, and narrows nothing.
    fn measure_as_filter(&self, figures: &FiguresRequest) -> Option<Problem> {
        let [_, _, ..] = figures.measures.as_slice() else { return None };
        let behind = |pair: &[WordUse]| match pair {
            [link, named] => {
                LINKS.contains(&link.text.to_lowercase().as_str()) && self.measured_before(named)
            }
            _ => false,
        };
        let word = self.words.windows(2).find(|pair| behind(pair))?.get(1)?;
        Some(blame(
            word,
            "would be a figure of its own, and narrow nothing",
            "ask for it by a value or a population",
        ))
    }

    fn measured_before(&self, word: &WordUse) -> bool {
        matches!(word.used_as, Use::Metric(_))
            && self.words.iter().any(|w| matches!(w.used_as, Use::Metric(_)) && w.start < word.start)
    }

    /// `with only solved tickets`: one that is would be enough, and others would not matter.
    fn only<'c>(&self, mut conditions: impl Iterator<Item = &'c Condition>) -> Option<Problem> {
        let word = self.with(ONLY)?;
        let related = conditions.any(|c| matches!(c, Condition::Related { .. }));
        let hint = "ask for those with one, or for those without another";
        related.then(|| blame(word, "rules others out, and one that fits would be enough", hint))
    }

    /// `tickets with subject Please help`: a question about the catalogue that leaves out what else was asked.
    fn beside_about(&self) -> Option<Problem> {
        let word = self.words.iter().find(|w| match &w.used_as {
            Use::Grammar(label) => !matches!(label.as_str(), "about" | "ask"),
            Use::Value(_) | Use::Time(_) | Use::Number(_) => true,
            Use::Metric(_)
            | Use::Dataset(_)
            | Use::Field(_)
            | Use::Population(_)
            | Use::Relationship(_)
            | Use::Definition(_)
            | Use::Wrapping
            | Use::Stop
            | Use::Unknown => false,
        })?;
        let hint = "ask about the catalogue alone, or put a value that is meant in quotation marks";
        Some(blame(word, "has no part in a question about the catalogue", hint))
    }

    fn step(&self) -> Option<Problem> {
        let word = self.with(STEPS)?;
        let hint = "ask how many there are, or for a metric, by that step";
        Some(blame(word, "splits by time, and what is asked for is not split so", hint))
    }
}

/// Whether all that is measured are counts.
fn counts(figures: &FiguresRequest, catalogue: &Catalogue) -> bool {
    figures.measures.iter().all(|m| match &m.value {
        MeasureRef::Count { .. } => true,
        MeasureRef::Metric(name) => {
            let mut within = catalogue.aggregates_within(name);
            within.next().is_some_and(|(_, a)| matches!(a.kind, "count" | "count_distinct"))
                && within.next().is_none()
        }
        MeasureRef::AdHoc { .. } => false,
    })
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

/// The words of a use, in small letters.
fn tokens(word: &WordUse) -> impl Iterator<Item = String> {
    word.text.split_whitespace().map(str::to_lowercase)
}
