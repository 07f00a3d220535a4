//! Objections to comparisons, to `new`, and to what goes on from the question before.

use tieout_core::reading::{
    Condition, Derivation, FieldRef, FiguresRequest, Grouping, MeasureRef, Problem, Request, Source, Use,
};

use super::{blame, line::Held};
use crate::language::english::{GOES_ON, THEIRS, VERSUS};

/// Every objection of this kind.
pub(super) fn objections(held: &Held<'_>) -> Vec<Problem> {
    [versus(held), new_things(held), goes_on(held), order_kept(held), slash(held), their_share(held)]
        .into_iter()
        .flatten()
        .collect()
}

/// `Leeds vs York`: two that are to be set against each other would be one.
fn versus(held: &Held<'_>) -> Option<Problem> {
    let tokens: Vec<_> = held.tokens.iter().filter(|t| VERSUS.contains(&t.text.as_str())).collect();
    let first = tokens.first()?;
    let compared =
        held.figures().is_some_and(|f| matches!(f.derivation, Derivation::Against(_)) || side_by_side(f));
    let hint = "compare two periods, or split by the field that the two are values of";
    (tokens.len() > 1 || !compared)
        .then(|| blame(first.word, "sets two things against each other, and they would stand together", hint))
}

/// Whether the values that were named each have a group.
fn side_by_side(figures: &FiguresRequest) -> bool {
    let grouped =
        |field: &FieldRef| figures.groupings.iter().any(|g| g.value == Grouping::Field(field.clone()));
    figures.conditions.iter().any(|c| match &c.value {
        Condition::OneOf { field, values, .. } => values.len() > 1 && grouped(field),
        Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Member { .. }
        | Condition::Related { .. }
        | Condition::Any(_) => false,
    })
}

/// `how many new customers ordered`: what is new, and when it is, would be lost.
fn new_things(held: &Held<'_>) -> Option<Problem> {
    let token = held.tokens.iter().find(|t| t.text == "new")?;
    let hint = "ask for those who came in the period, by the name of that metric";
    let alone = token.word.text.split_whitespace().count() == 1;
    match &token.word.used_as {
        Use::Metric(name) => {
            let others = held.words.iter().any(|w| match &w.used_as {
                Use::Dataset(_) => true,
                Use::Metric(other) => other != name,
                Use::Field(_)
                | Use::Value(_)
                | Use::Population(_)
                | Use::Relationship(_)
                | Use::Time(_)
                | Use::Number(_)
                | Use::Grammar(_)
                | Use::Definition(_)
                | Use::Wrapping
                | Use::Stop
                | Use::Unknown => false,
            });
            let measured = held.figures().is_some_and(|f| {
                f.measures.len() == 1
                    && f.measures.iter().all(|m| m.value == MeasureRef::Metric(name.clone()))
            });
            let narrowed = held.conditions().iter().any(|c| matches!(c.value, Condition::Related { .. }));
            let lost = !measured || (others && narrowed);
            lost.then(|| {
                blame(token.word, "counts those who are new, and something else is asked of them", hint)
            })
        }
        Use::Value(_) => {
            let dated = held.periods().next().is_some();
            (alone && dated)
                .then(|| blame(token.word, "may mean those that came then, and would be a value", hint))
        }
        Use::Dataset(_)
        | Use::Field(_)
        | Use::Population(_)
        | Use::Relationship(_)
        | Use::Time(_)
        | Use::Number(_)
        | Use::Grammar(_)
        | Use::Definition(_)
        | Use::Wrapping
        | Use::Stop
        | Use::Unknown => None,
    }
}

/// `top 3 customers …`, then `by month`: the order was of other groups.
fn order_kept(held: &Held<'_>) -> Option<Problem> {
    held.previous?;
    let figures = held.figures()?;
    let regrouped = figures.measures.iter().any(|m| m.source == Source::Previous)
        && figures.groupings.iter().any(|g| g.source == Source::Question);
    let ranks =
        held.words.iter().any(|w| matches!(&w.used_as, Use::Grammar(label) if label.starts_with("order")));
    let token = held.tokens.first().filter(|_| regrouped && figures.ranking.is_some() && !ranks)?;
    Some(blame(
        token.word,
        "splits by something else, and the order was of other groups",
        "ask the whole question",
    ))
}

/// `only car loans`, after another question: what went before would be left behind.
fn goes_on(held: &Held<'_>) -> Option<Problem> {
    held.previous?;
    let token = held.tokens.first().filter(|t| GOES_ON.contains(&t.text.as_str()))?;
    let kept = match held.request {
        Request::Figures(f) => {
            f.measures.iter().any(|m| m.source == Source::Previous)
                || f.conditions.iter().any(|c| c.source == Source::Previous)
                || f.groupings.iter().any(|g| g.source == Source::Previous)
                || f.period.source == Source::Previous
        }
        Request::Rows(r) => {
            r.columns.iter().any(|c| c.source == Source::Previous)
                || r.conditions.iter().any(|c| c.source == Source::Previous)
                || r.period.source == Source::Previous
        }
        Request::About(_) => true,
    };
    (!kept).then(|| {
        blame(
            token.word,
            "goes on from the question before, of which nothing would be kept",
            "ask the whole question",
        )
    })
}

/// `WAU/MAU`: one divided by the other, or one and the other?
fn slash(held: &Held<'_>) -> Option<Problem> {
    let metrics = held.figures()?.measures.len();
    let word = held.words.iter().find(|w| w.text.contains('/') && !matches!(w.used_as, Use::Time(_)))?;
    (metrics > 1).then(|| {
        blame(
            word,
            "may divide one by the other, and both would stand side by side",
            "ask for a metric that is the ratio, or say “and”",
        )
    })
}

/// `… and their share`, without one.
fn their_share(held: &Held<'_>) -> Option<Problem> {
    let figures = held.figures()?;
    let shares = matches!(figures.derivation, Derivation::ShareOf { .. } | Derivation::ShareOfTotal);
    let at = held.tokens.iter().position(|t| THEIRS.contains(&t.text.as_str()))?;
    let token = held.tokens.get(at.saturating_add(1)).filter(|t| t.text.starts_with("share"))?;
    (!shares || figures.measures.len() > 1).then(|| {
        blame(
            token.word,
            "is of what stands before it, and would be of something else",
            "ask for the share alone",
        )
    })
}
