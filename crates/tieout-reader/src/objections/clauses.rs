//! Objections to clauses: what stands beside a thing is said of that thing.

use tieout_core::{
    catalogue::Presence,
    reading::{Condition, Grouping, MeasureRef, Polarity, Problem, Use, WordUse},
};

use super::{
    blame,
    heads::related,
    line::{Held, field_of},
    tokens,
};
use crate::language::english::{JOINTLY, THEIRS};

/// Every objection of this kind.
pub(super) fn objections(held: &Held<'_>) -> Vec<Problem> {
    let found = [
        with_a_field(held),
        of_the_thing(held),
        of_the_value(held),
        possessive(held),
        joined_over_rows(held),
        foreign_adjectives(held),
        theirs(held),
        all_of_them(held),
        two_fields(held),
        done_by(held),
        both_values(held),
        months_together(held),
        adjective_of_many(held),
    ];
    found.into_iter().flatten().collect()
}

/// `customers with their country`: shown, or required? Only `with a country` requires one.
fn with_a_field(held: &Held<'_>) -> Option<Problem> {
    let required = held.conditions().iter().find_map(|c| match &c.value {
        Condition::Missing { field, polarity: Polarity::IsNot } => {
            Some(format!("{}.{}", field.dataset, field.field))
        }
        Condition::Missing { polarity: Polarity::Is, .. }
        | Condition::OneOf { .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::InPeriod { .. }
        | Condition::Member { .. }
        | Condition::Related { .. }
        | Condition::Any(_) => None,
    })?;
    let at =
        held.tokens.iter().position(|t| matches!(&t.word.used_as, Use::Field(name) if *name == required))?;
    let before = held.text(at.checked_sub(1)?);
    let shown = matches!(before, "with" | "and" | "their" | "its" | "the" | "having" | ",");
    let token = held.tokens.get(at).filter(|_| shown)?;
    let hint = "say “by” to split by it, “with a …” to require one, or list the rows with it";
    Some(blame(token.word, "may be what is to be shown, and rows without one would be left out", hint))
}

/// `team of the agent`: says whose, and would leave out rows without one.
fn of_the_thing(held: &Held<'_>) -> Option<Problem> {
    let bare = held.conditions().iter().find_map(|c| match &c.value {
        Condition::Related { dataset, presence: Presence::Exists, conditions, period: None, .. }
            if conditions.is_empty() =>
        {
            Some(dataset.as_str())
        }
        Condition::Related { .. }
        | Condition::OneOf { .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Member { .. }
        | Condition::Any(_) => None,
    })?;
    let at =
        held.tokens.iter().position(|t| matches!(&t.word.used_as, Use::Dataset(name) if name == bare))?;
    let the = held.text(at.checked_sub(1)?);
    let before =
        if matches!(the, "the" | "a" | "an" | "their") { held.text(at.checked_sub(2)?) } else { the };
    let token = held.tokens.get(at).filter(|_| before == "of" && held.to_one(bare))?;
    Some(blame(
        token.word,
        "says whose it is, and rows without one would be left out",
        "name the field without it",
    ))
}

/// `by the channel of the sale`, where `sale` would be a value that narrows.
fn of_the_value(held: &Held<'_>) -> Option<Problem> {
    let at = (2..held.tokens.len()).find(|at| {
        let value = held.tokens.get(*at).is_some_and(|t| matches!(t.word.used_as, Use::Value(_)));
        let led = held.text(at.saturating_sub(2)) == "of" && held.text(at.saturating_sub(1)) == "the";
        let next = held.tokens.get(at.saturating_add(1)).map(|t| &t.word.used_as);
        let qualified =
            matches!(next, Some(Use::Field(_) | Use::Dataset(_) | Use::Value(_) | Use::Population(_)));
        value && led && !qualified
    })?;
    held.tokens.get(at).map(|t| {
        blame(
            t.word,
            "may only say whose it is, and would narrow the rows",
            "leave it out, or name its field",
        )
    })
}

/// `by customer's plan`: the owner would be a grouping of its own.
fn possessive(held: &Held<'_>) -> Option<Problem> {
    let figures = held.figures()?;
    let at = held.tokens.iter().position(|t| {
        let sign = matches!(t.text.as_str(), "'s" | "’s" | "'" | "’")
            || t.text.ends_with("'s")
            || t.text.ends_with("’s");
        sign && !matches!(t.word.used_as, Use::Value(_) | Use::Metric(_) | Use::Time(_))
    })?;
    let owner = held.tokens.get(..=at)?.iter().rev().find_map(|t| held.names(t.word).map(|d| (d, t.word)))?;
    let split = figures.groupings.iter().any(|g| match &g.value {
        Grouping::Field(field) => {
            let found = held.catalogue.datasets.get(owner.0);
            field.dataset == owner.0
                && found.is_some_and(|d| {
                    d.display.as_ref() == Some(&field.field) || d.primary_key.contains(&field.field)
                })
        }
        Grouping::Time(_) => false,
    });
    split.then(|| {
        blame(owner.1, "says whose field it is, and would be a grouping of its own", "name the field alone")
    })
}

/// `customers with closed and active loans`: either would be enough, and both are asked for.
fn joined_over_rows(held: &Held<'_>) -> Option<Problem> {
    let bases = held.bases();
    let far = |w: &WordUse| match &w.used_as {
        Use::Value(_) => field_of(&w.used_as).is_some_and(|(d, _)| !bases.contains(d) && !held.to_one(d)),
        Use::Population(name) => held
            .catalogue
            .populations
            .get(name)
            .is_some_and(|p| !bases.contains(p.dataset.as_str()) && !held.to_one(&p.dataset)),
        Use::Metric(_)
        | Use::Dataset(_)
        | Use::Field(_)
        | Use::Relationship(_)
        | Use::Time(_)
        | Use::Number(_)
        | Use::Grammar(_)
        | Use::Definition(_)
        | Use::Wrapping
        | Use::Stop
        | Use::Unknown => false,
    };
    let places: Vec<usize> =
        held.tokens.iter().enumerate().filter(|(_, t)| far(t.word)).map(|(i, _)| i).collect();
    let pair = places.windows(2).find(|pair| match pair {
        [a, b] => {
            held.tokens.get(*a..=*b).unwrap_or_default().iter().any(|t| JOINTLY.contains(&t.text.as_str()))
        }
        _ => false,
    })?;
    let [a, b] = pair else { return None };
    // Named with each condition, one row for each is meant: `with a car loan and a personal loan`.
    let between = held.tokens.get(a.saturating_add(1)..*b)?;
    let repeated = between.iter().any(|t| matches!(t.word.used_as, Use::Dataset(_)));
    let token = held.tokens.get(*b).filter(|_| !repeated)?;
    Some(blame(
        token.word,
        "may be asked for together with another, of one row or of several",
        "ask for one at a time",
    ))
}

/// `free shipping orders`: two values of two other things, each of which may belong to the other.
fn foreign_adjectives(held: &Held<'_>) -> Option<Problem> {
    let bases = held.bases();
    let foreign = |w: &WordUse| match &w.used_as {
        Use::Value(_) => {
            field_of(&w.used_as).map(|(d, _)| d.to_owned()).filter(|d| !bases.contains(d.as_str()))
        }
        Use::Metric(_)
        | Use::Dataset(_)
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
    };
    let pair = held.words.windows(2).find(|pair| match pair {
        [a, b] => match (foreign(a), foreign(b)) {
            (Some(a), Some(b)) => a != b,
            (Some(_), None) | (None, _) => false,
        },
        _ => false,
    })?;
    pair.first().map(|w| {
        blame(w, "and the word after it are values of two different things", "name the field of each")
    })
}

/// `customers who cancelled their subscription`: whose is told by a word that has no part.
fn theirs(held: &Held<'_>) -> Option<Problem> {
    let narrowed = held.conditions().iter().any(|c| related(&c.value));
    let token = held.tokens.iter().find(|t| THEIRS.contains(&t.text.as_str()))?;
    narrowed.then(|| {
        blame(
            token.word,
            "ties what follows to each of them, and nothing would",
            "name the thing that is meant",
        )
    })
}

/// `loans with all repayments paid`: one that is would be enough.
fn all_of_them(held: &Held<'_>) -> Option<Problem> {
    held.conditions().iter().find(|c| {
        related(&c.value) || matches!(c.value, Condition::Member { .. } | Condition::OneOf { .. })
    })?;
    let at = (1..held.tokens.len()).find(|at| {
        let every = matches!(held.text(*at), "all" | "every" | "each");
        let after = matches!(
            held.text(at.saturating_sub(1)),
            "with" | "have" | "has" | "had" | "having" | "where" | "whose"
        );
        every && after
    })?;
    held.tokens.get(at).map(|t| {
        blame(t.word, "asks it of every one, and one would be enough", "ask for those without another")
    })
}

/// `amount lent in Leeds`: the town of a customer, or the place of a branch?
fn two_fields(held: &Held<'_>) -> Option<Problem> {
    let bases = held.bases();
    held.words.iter().filter(|_| !held.confirmed).find_map(|word| {
        let Use::Value(said) = &word.used_as else { return None };
        let (name, value) = said.split_once(" = ")?;
        let (dataset, field) = name.split_once('.')?;
        if bases.contains(dataset) || held.values_named(word, dataset, field) {
            return None;
        }
        let other = held.values.fields.iter().find(|(d, f, values)| {
            (d.as_str(), f.as_str()) != (dataset, field)
                && values.iter().any(|v| v.eq_ignore_ascii_case(value))
                && held.reaches(d)
                && !held.only_splits_by(dataset, field, d, f)
        })?;
        let message = format!("is a {field} of {dataset} and a {} of {}", other.1, other.0);
        Some(blame(word, &message, "put the name of the field before it"))
    })
}

/// `business customers`, where `business` would be of one of their loans: an adjective tells of the thing itself.
fn adjective_of_many(held: &Held<'_>) -> Option<Problem> {
    let bases = held.bases();
    let pair = held.words.windows(2).find(|pair| match pair {
        [adjective, noun] => {
            let base = matches!(&noun.used_as, Use::Dataset(name) if bases.contains(name.as_str()));
            let many = matches!(adjective.used_as, Use::Value(_))
                && field_of(&adjective.used_as).is_some_and(|(d, _)| !bases.contains(d) && !held.to_one(d));
            base && many
        }
        _ => false,
    })?;
    pair.first().map(|w| {
        blame(
            w,
            "stands before one thing, and would be of one of several others",
            "say “with” and the thing that it is of",
        )
    })
}

/// `customers with tickets in August and September`: in each of them, or in either?
fn months_together(held: &Held<'_>) -> Option<Problem> {
    let inner =
        held.conditions().iter().any(|c| matches!(c.value, Condition::Related { period: Some(_), .. }));
    let word = held.periods().filter(|_| inner).find(|w| tokens(w).any(|t| t == "and"))?;
    let between = tokens(word).next().is_some_and(|t| t == "between");
    (!between).then(|| {
        blame(word, "may mean each of them, and either would do", "ask for one at a time, or “from … to …”")
    })
}

/// `customers with loans in both Leeds and York`: no row has two values of one field.
fn both_values(held: &Held<'_>) -> Option<Problem> {
    let several = held.conditions().iter().any(|c| match &c.value {
        Condition::OneOf { values, polarity: Polarity::Is, .. } => values.len() > 1,
        Condition::OneOf { polarity: Polarity::IsNot, .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Member { .. }
        | Condition::Related { .. }
        | Condition::Any(_) => false,
    });
    // `revenue from both channels` is of either; `customers with loans in both towns` is not.
    let bases = held.bases();
    let others = held.words.iter().any(|w| held.names(w).is_some_and(|d| !bases.contains(d)));
    let token = held.tokens.iter().filter(|_| several && others).find(|t| t.text == "both")?;
    Some(blame(
        token.word,
        "asks for both, and either would be counted",
        "ask for one at a time, or say “or”",
    ))
}

/// `orders shipped by DHL`: the verb would be a state of the row beside who did it.
fn done_by(held: &Held<'_>) -> Option<Problem> {
    let at = (0..held.tokens.len()).find(|at| {
        let token = held.tokens.get(*at);
        let state = token.is_some_and(|t| {
            matches!(t.word.used_as, Use::Value(_) | Use::Population(_))
                && tieout_core::definitions::participle(&t.text)
                && t.word.text.split_whitespace().count() == 1
        });
        let next = held.tokens.get(at.saturating_add(2)).map(|t| &t.word.used_as);
        let doer = matches!(next, Some(Use::Value(_) | Use::Dataset(_) | Use::Population(_)));
        state && held.text(at.saturating_add(1)) == "by" && doer
    })?;
    held.tokens.get(at).map(|t| {
        blame(
            t.word,
            "may only say what was done, and would be a state that narrows",
            "ask for it by the name of its field",
        )
    })
}

impl Held<'_> {
    /// Whether the metrics that are asked for list the one field among their groupings and not the other.
    fn only_splits_by(&self, dataset: &str, field: &str, other: &str, other_field: &str) -> bool {
        let metrics = self.figures().into_iter().flat_map(|f| &f.measures).filter_map(|m| match &m.value {
            MeasureRef::Metric(name) => self.catalogue.metrics.get(name),
            MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => None,
        });
        let mut listed = metrics.filter(|m| m.dimensions.is_some()).peekable();
        listed.peek().is_some()
            && listed
                .all(|m| m.dimension(dataset, field).is_some() && m.dimension(other, other_field).is_none())
    }

    /// Whether the word itself, or the one before or after it, names the field or its thing.
    fn values_named(&self, word: &WordUse, dataset: &str, field: &str) -> bool {
        let Some(found) = self.catalogue.datasets.get(dataset) else { return false };
        let names: Vec<String> = found
            .fields
            .get(field)
            .into_iter()
            .flat_map(|f| [&f.label, &f.name])
            .chain([&found.label])
            .flat_map(|n| {
                n.to_lowercase()
                    .split([' ', '_'])
                    .map(|t| t.trim_end_matches('s').to_owned())
                    .collect::<Vec<_>>()
            })
            .filter(|n| n.len() > 2)
            .collect();
        let at = self.words.iter().position(|w| w == word).unwrap_or(0);
        let near = self.words.iter().skip(at.saturating_sub(1)).take(3);
        near.flat_map(tokens).any(|t| names.iter().any(|n| t.trim_end_matches('s').starts_with(n.as_str())))
    }
}
