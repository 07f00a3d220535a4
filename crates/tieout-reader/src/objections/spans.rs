//! Objections to periods: each has its own place in the request, and is what its words say.

use tieout_core::{
    metric_kinds::RowsTaken,
    reading::{AskedPeriod, Condition, Derivation, Grouping, MeasureRef, Problem, Request, Source, Use},
};
use tieout_sql::Value;

use super::{
    blame,
    line::{Held, field_of},
};
use crate::language::english::{GRAINS, JOINTLY, TIME_LINKS, WEEKDAYS};

/// Every objection of this kind.
pub(super) fn objections(held: &Held<'_>) -> Vec<Problem> {
    let found = [
        year_as_number(held),
        link_as_field(held),
        flow_at_a_point(held),
        had_then(held),
        two_verbs(held),
        lost_period(held),
        step_of_a_step(held),
        weekdays(held),
        step_twice(held),
        step_lost(held),
        grouping_lost(held),
        verb_of_another(held),
    ];
    found.into_iter().flatten().collect()
}

/// `customers with orders before 2025`: a year is no number of orders.
fn year_as_number(held: &Held<'_>) -> Option<Problem> {
    let year = |text: &str| text.len() == 4 && text.parse::<u16>().is_ok_and(|y| (1900..2100).contains(&y));
    let word = held.words.iter().find(|w| {
        matches!(w.used_as, Use::Number(_) | Use::Field(_) | Use::Grammar(_))
            && super::tokens(w).any(|t| year(&t))
    })?;
    Some(blame(
        word,
        "may be a year, and would be a number",
        "write the whole date, or the number with its unit",
    ))
}

/// `tickets since 1 September`, where `since` would be a field of something else.
fn link_as_field(held: &Held<'_>) -> Option<Problem> {
    let bases = held.bases();
    let word = held.words.iter().find(|w| {
        let text = w.text.to_lowercase();
        let far = field_of(&w.used_as).is_some_and(|(dataset, _)| !bases.contains(dataset));
        TIME_LINKS.contains(&text.as_str()) && far
    })?;
    Some(blame(word, "would be a field of another thing", "give the period as “from … to …”"))
}

/// `customers at the end of 2025`: a flow has no value at a point.
fn flow_at_a_point(held: &Held<'_>) -> Option<Problem> {
    const POINTS: [&str; 9] = [
        "at the ",
        "at ",
        "as of ",
        "as at ",
        "by the end",
        "the end of",
        "end of",
        "the start of",
        "start of",
    ];
    let point = |text: &str| POINTS.iter().any(|p| text.starts_with(p));
    let word = held.periods().find(|w| point(&w.text.to_lowercase()))?;
    let stock = held.figures().is_some_and(|figures| {
        figures.measures.iter().all(|m| match &m.value {
            MeasureRef::Metric(name) => {
                let mut within = held.catalogue.aggregates_within(name).peekable();
                within.peek().is_some() && within.all(|(_, a)| is_stock(a.kind))
            }
            MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => false,
        })
    });
    let hint = "ask for a metric that is a stock, or for a period";
    (!stock).then(|| blame(word, "is a point in time, and what is asked for is counted over a period", hint))
}

fn is_stock(kind: &str) -> bool {
    tieout_core::metric_kinds::kind(kind)
        .is_some_and(|k| matches!(k.rows, RowsTaken::LastBeforeEnd | RowsTaken::UpToEnd))
}

/// `how many customers did we have in 2025?`, `did customers grow?`: those who came then are not those there were.
fn had_then(held: &Held<'_>) -> Option<Problem> {
    let figures = held.figures()?;
    figures.period.period.as_ref().filter(|_| figures.period.source == Source::Question)?;
    let counts = figures.measures.iter().any(|m| matches!(m.value, MeasureRef::Count { .. }));
    let at = (0..held.tokens.len()).find(|at| {
        let had = matches!(held.text(*at), "have" | "had" | "has")
            && matches!(held.text(at.saturating_sub(1)), "we" | "they" | "you" | "i");
        let grew = matches!(held.text(*at), "grow" | "grew" | "grown" | "growth" | "shrink" | "shrank");
        had || grew
    })?;
    let token = held.tokens.get(at).filter(|_| counts)?;
    Some(blame(
        token.word,
        "asks how many there were, and those that came then would be counted",
        "ask how many were added, or for a metric that is a stock",
    ))
}

/// `placed and shipped in September`: one period for two events.
fn two_verbs(held: &Held<'_>) -> Option<Problem> {
    let acts = |at: &usize| {
        let Some(token) = held.tokens.get(*at) else { return false };
        let event = matches!(
            token.word.used_as,
            Use::Field(_)
                | Use::Metric(_)
                | Use::Relationship(_)
                | Use::Dataset(_)
                | Use::Value(_)
                | Use::Population(_)
        );
        event && tieout_core::definitions::participle(&token.text)
    };
    let places: Vec<usize> = (0..held.tokens.len()).filter(acts).collect();
    let pair = places.windows(2).find(|pair| match pair {
        [a, b] => {
            let between = held.tokens.get(a.saturating_add(1)..*b).unwrap_or_default();
            let joined = between.iter().any(|t| JOINTLY.contains(&t.text.as_str()));
            let dated = between.iter().any(|t| matches!(t.word.used_as, Use::Time(_)));
            // `cancelled and refunded orders`: two kinds of row, before their noun.
            let kinds = held
                .tokens
                .get(b.saturating_add(1))
                .is_some_and(|t| matches!(t.word.used_as, Use::Dataset(_)))
                && [a, b]
                    .iter()
                    .all(|at| held.tokens.get(**at).is_some_and(|t| matches!(t.word.used_as, Use::Value(_))));
            joined && !dated && !kinds
        }
        _ => false,
    })?;
    held.periods().next()?;
    let token = held.tokens.get(*pair.first()?)?;
    Some(blame(
        token.word,
        "and another verb share one period, which would be given to one of them",
        "ask for one of them, or give each its own period",
    ))
}

/// Each period that was named has a place of its own.
fn lost_period(held: &Held<'_>) -> Option<Problem> {
    let slots = match held.request {
        Request::Figures(figures) => {
            let baseline = match &figures.derivation {
                Derivation::Against(_) => 1,
                Derivation::ShareOf { part } => part.iter().map(dated).sum(),
                Derivation::Plain | Derivation::StepByStep | Derivation::ShareOfTotal => 0,
            };
            own(&figures.period).saturating_add(baseline)
        }
        Request::Rows(rows) => own(&rows.period),
        Request::About(_) => return None,
    };
    let slots = held.conditions().iter().map(|c| dated(&c.value)).sum::<usize>().saturating_add(slots);
    let periods: Vec<_> = held.periods().collect();
    let last = periods.last().filter(|_| periods.len() > slots)?;
    Some(blame(
        last,
        "or another period would have no part in the answer",
        "ask with one period, or compare two",
    ))
}

fn own(period: &AskedPeriod) -> usize {
    match period.source {
        // What was chosen stands for all that were named.
        Source::Confirmed => usize::MAX,
        Source::Question => usize::from(period.period.is_some()),
        Source::Catalogue | Source::Session | Source::Previous | Source::Assumed => 0,
    }
}

/// How many periods or days a condition holds.
fn dated(condition: &Condition) -> usize {
    let day = |value: &Value| match value {
        Value::Date(_) | Value::DateTime(_) | Value::Instant(_) => true,
        Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Decimal(_) | Value::Text(_) => false,
    };
    match condition {
        Condition::InPeriod { .. } => 1,
        Condition::Compare { value, .. } => usize::from(day(value)),
        Condition::Between { low, high, .. } => usize::from(day(low)).saturating_add(usize::from(day(high))),
        Condition::Related { conditions, period, .. } => {
            conditions.iter().map(dated).sum::<usize>().saturating_add(usize::from(period.is_some()))
        }
        Condition::Any(any) => any.iter().map(dated).sum(),
        Condition::OneOf { values, .. } => values.iter().filter(|v| day(v)).count(),
        Condition::Missing { .. } => 0,
        Condition::Member { .. } => 1,
    }
}

/// `by day of week`: a step within a step is no split of time.
fn step_of_a_step(held: &Held<'_>) -> Option<Problem> {
    let grain = |at: usize| {
        held.tokens
            .get(at)
            .is_some_and(|t| matches!(t.word.used_as, Use::Time(_)) && GRAINS.contains(&t.text.as_str()))
    };
    let at = (0..held.tokens.len()).find(|at| {
        let of = held.text(at.saturating_add(1)) == "of";
        let the = usize::from(matches!(held.text(at.saturating_add(2)), "the" | "each" | "a"));
        of && grain(*at) && grain(at.saturating_add(2).saturating_add(the))
    })?;
    held.tokens.get(at).map(|t| {
        blame(
            t.word,
            "of another step is no split of time that can be made",
            "split by day, week, month, quarter or year",
        )
    })
}

/// `Monday to Friday` may be every week’s.
fn weekdays(held: &Held<'_>) -> Option<Problem> {
    let word = held.periods().find(|w| {
        let named = super::tokens(w).filter(|t| WEEKDAYS.contains(&t.as_str())).count();
        named > 1
    })?;
    Some(blame(word, "may be the days of every week, and one week’s would be taken", "give the dates"))
}

/// `monthly subscriptions by month`: one of the two may be a kind of thing.
fn step_twice(held: &Held<'_>) -> Option<Problem> {
    let steps = held
        .words
        .iter()
        .filter(|w| matches!(&w.used_as, Use::Time(what) if !what.contains(|c: char| c.is_ascii_digit())));
    let steps: Vec<_> = steps.collect();
    let second = steps.get(1)?;
    let same = |w: &tieout_core::reading::WordUse| w.text.to_lowercase().trim_end_matches("ly").to_owned();
    let first = steps
        .first()
        .filter(|first| same(second).contains(&same(first)) || same(first).contains(&same(second)))?;
    Some(blame(
        first,
        "splits by the same step as another word",
        "say it once, or name the field that is meant",
    ))
}

/// `tickets in September each year`: a step that splits nothing.
fn step_lost(held: &Held<'_>) -> Option<Problem> {
    let stepped = held.figures().is_some_and(|f| {
        f.groupings.iter().any(|g| matches!(g.value, Grouping::Time(_)))
            || matches!(f.derivation, Derivation::StepByStep)
    });
    let at = (0..held.tokens.len()).find(|at| {
        matches!(held.text(*at), "each" | "every" | "per")
            && GRAINS.contains(&held.text(at.saturating_add(1)))
    })?;
    let metric = held
        .tokens
        .get(at)
        .is_some_and(|t| matches!(t.word.used_as, Use::Metric(_) | Use::Field(_) | Use::Population(_)));
    let token = held.tokens.get(at).filter(|_| !stepped && !metric)?;
    Some(blame(
        token.word,
        "splits by time, and what is asked for is not split so",
        "ask for a metric or a count by that step",
    ))
}

/// `by number of lines`: a split that splits nothing.
fn grouping_lost(held: &Held<'_>) -> Option<Problem> {
    let figures = held.figures()?;
    let by = |t: &&super::line::Token<'_>| {
        let grammar = matches!(&t.word.used_as, Use::Grammar(label) if label == "grouping");
        grammar && matches!(t.text.as_str(), "by" | "per")
    };
    let token = held.tokens.iter().find(by).filter(|_| figures.groupings.is_empty())?;
    Some(blame(
        token.word,
        "splits by something that cannot be split by",
        "name a field or a thing to split by",
    ))
}

/// `net revenue of orders placed in August`: the verb dates the orders, and the period would be of the entries.
fn verb_of_another(held: &Held<'_>) -> Option<Problem> {
    let figures = held.figures()?;
    let bases = held.bases();
    figures.period.period.as_ref().filter(|_| figures.period.source == Source::Question)?;
    let dated = |at: usize| {
        let mut after = held.tokens.get(at.saturating_add(1)..).unwrap_or_default().iter();
        after
            .find(|t| {
                !matches!(t.word.used_as, Use::Stop)
                    && !TIME_LINKS.contains(&t.text.as_str())
                    && t.text != "in"
                    && t.text != "on"
            })
            .is_some_and(|t| matches!(t.word.used_as, Use::Time(_)))
    };
    let at = (1..held.tokens.len()).find(|at| {
        let verb = tieout_core::definitions::participle(held.text(*at));
        let own =
            held.tokens.get(*at).is_some_and(|t| matches!(t.word.used_as, Use::Metric(_) | Use::Time(_)));
        let before = held.tokens.get(..*at).unwrap_or_default().iter().rev();
        let noun = before.filter(|t| t.word.used_as != Use::Stop).find_map(|t| match &t.word.used_as {
            Use::Grammar(label) if label.ends_with("every row has one") => Some(None),
            Use::Metric(_) => Some(Some("")),
            _ => held.names(t.word).map(Some),
        });
        let other = match noun {
            Some(None) => true,
            Some(Some(dataset)) => !dataset.is_empty() && !bases.contains(dataset),
            None => false,
        };
        verb && !own && other && dated(*at)
    })?;
    held.tokens.get(at).map(|t| {
        blame(
            t.word,
            "dates another thing, and the period would be of what is counted",
            "ask for a metric by that date",
        )
    })
}
