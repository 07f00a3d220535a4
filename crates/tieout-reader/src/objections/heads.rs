//! Objections to what is counted or listed: the head of the question must be what the request is of.

use tieout_core::catalogue::Measure;
use tieout_core::reading::{Condition, MeasureRef, Problem, RankBy, Ranking, Request, Use};

use super::{
    blame,
    line::{Held, Token},
};
use crate::language::english::{COUNTS, JOINTLY, SIZES};

/// Every objection of this kind.
pub(super) fn objections(held: &Held<'_>) -> Vec<Problem> {
    let found = [
        number_as_field(held),
        counted_noun(held),
        how_much(held),
        list_head(held),
        who_does(held),
        ranked_within(held),
        most_of_rows(held),
        size_of_things(held),
        order_of_another(held),
        stray_measure(held),
        order_of_a_named_field(held),
        thing_not_shown(held),
        field_beside_a_thing(held),
        owner_lost(held),
        unit_lost(held),
        bound_of_a_further_measure(held),
    ];
    found.into_iter().flatten().collect()
}

/// `customers with their number of loans`, where `number` would be the customer's own.
fn number_as_field(held: &Held<'_>) -> Option<Problem> {
    let at = (0..held.tokens.len()).find(|at| {
        let token = held.tokens.get(*at);
        let field = token.is_some_and(|t| matches!(t.word.used_as, Use::Field(_)) && alone(t));
        field && COUNTS.contains(&held.text(*at)) && held.text(at.saturating_add(1)) == "of"
    })?;
    held.tokens.get(at).map(|t| {
        blame(
            t.word,
            "may ask for a count, and would be a number that is a name",
            "ask for the count by itself, split by what it is of",
        )
    })
}

fn alone(token: &Token<'_>) -> bool {
    token.word.text.split_whitespace().count() == 1
}

/// `how many customers opened …`: customers are counted, and nothing else.
fn counted_noun(held: &Held<'_>) -> Option<Problem> {
    let asks = |at: &usize| {
        let (a, b) = (held.text(*at), held.text(at.saturating_add(1)));
        matches!((a, b), ("how", "many") | ("number" | "numbers" | "count", "of"))
    };
    let at = (0..held.tokens.len()).find(asks)?;
    let start = held.tokens.get(at.saturating_add(1))?.word.start;
    let noun = held
        .words
        .iter()
        .filter(|w| w.start >= start)
        .find(|w| matches!(w.used_as, Use::Dataset(_) | Use::Metric(_) | Use::Population(_)))?;
    let hint = "ask for the count of one thing, split or narrowed by others";
    if held.rows().is_some() {
        return Some(blame(noun, "is to be counted, and rows would be listed", hint));
    }
    let figures = held.figures()?;
    let counted = match &noun.used_as {
        Use::Metric(name) => {
            figures.measures.iter().any(|m| matches!(&m.value, MeasureRef::Metric(n) if n == name))
        }
        _ => held.names(noun).is_some_and(|dataset| held.bases().contains(dataset)),
    };
    (!counted).then(|| blame(noun, "is to be counted, and something else would be", hint))
}

/// `how much was due and how much was paid?` is no list.
fn how_much(held: &Held<'_>) -> Option<Problem> {
    let at = held.find(&["how", "much"])?;
    held.rows()?;
    held.tokens
        .get(at)
        .map(|t| blame(t.word, "asks for a figure, and rows would be listed", "name one metric"))
}

/// `loans with an overdue repayment and a late one`: the first thing named is the one that is listed.
fn list_head(held: &Held<'_>) -> Option<Problem> {
    let rows = held.rows()?;
    let at = held.tokens.iter().position(|t| held.names(t.word).is_some())?;
    let head = held.tokens.get(at)?.word;
    // `customers and their orders` lists both.
    let listed = held.tokens.iter().skip(at).find(|t| t.word != head);
    let thing = matches!(head.used_as, Use::Dataset(_));
    if thing && listed.is_some_and(|t| JOINTLY.contains(&t.text.as_str())) {
        return None;
    }
    let other = held.names(head).is_some_and(|dataset| dataset != rows.dataset);
    other.then(|| {
        let message = format!("is named first, and {} would be listed", rows.dataset);
        blame(head, &message, "name what is to be listed first")
    })
}

/// `agents who opened a ticket`: a clause that narrows nothing.
fn who_does(held: &Held<'_>) -> Option<Problem> {
    let at = (1..held.tokens.len()).find(|at| matches!(held.text(*at), "who" | "whose" | "whom" | "that"))?;
    let narrowed = match held.request {
        Request::Figures(figures) => {
            !figures.conditions.is_empty() || !figures.having.is_empty() || shares(figures)
        }
        Request::Rows(rows) => !rows.conditions.is_empty(),
        Request::About(_) => true,
    };
    let filters = |t: &&Token<'_>| matches!(&t.word.used_as, Use::Grammar(label) if label == "filter");
    let token = held.tokens.get(at).filter(filters).filter(|_| !narrowed)?;
    Some(blame(
        token.word,
        "opens a clause that narrows nothing",
        "say it with a value, a population or a related thing",
    ))
}

fn shares(figures: &tieout_core::reading::FiguresRequest) -> bool {
    matches!(figures.derivation, tieout_core::reading::Derivation::ShareOf { .. })
}

fn ranking<'a>(held: &Held<'a>) -> Option<&'a Ranking> {
    match held.request {
        Request::Figures(figures) => figures.ranking.as_ref(),
        Request::Rows(rows) => rows.ranking.as_ref(),
        Request::About(_) => None,
    }
}

fn orders(token: &Token<'_>) -> bool {
    matches!(&token.word.used_as, Use::Grammar(label) if label.starts_with("order"))
}

/// `orders of the top 3 customers`: an order within a clause would become the order of the answer.
fn ranked_within(held: &Held<'_>) -> Option<Problem> {
    ranking(held)?;
    let within = |t: &&Token<'_>| {
        let mut texts = super::tokens(t.word);
        let opens = texts.next().unwrap_or_default();
        let few = |text: &str| matches!(text, "first" | "last" | "top" | "bottom" | "latest");
        let led = matches!(opens.as_str(), "with" | "their" | "its" | "of" | "in" | "from" | "among");
        orders(t) && led && texts.any(|text| few(&text))
    };
    let narrow = held.tokens.iter().find(within);
    if let Some(token) = narrow {
        return Some(blame(
            token.word,
            "ranks within each of them, and the whole answer would be ranked",
            "ask for one at a time",
        ));
    }
    let at = (1..held.tokens.len()).find(|at| {
        let first = held.tokens.get(*at).is_some_and(|t| orders(t) && t.text != "the");
        let mut before = at.saturating_sub(1);
        while before > 0 && matches!(held.text(before), "the" | "a" | "an" | "their" | "its") {
            before = before.saturating_sub(1);
        }
        let linked = matches!(held.text(before), "of" | "in" | "from" | "among" | "for" | "to");
        let narrow =
            held.text(before) == "with" && matches!(held.text(*at), "top" | "first" | "last" | "bottom");
        let opens = held.tokens.get(before).is_none_or(|t| !orders(t));
        first && opens && (linked || narrow)
    })?;
    held.tokens.get(at).map(|t| {
        blame(
            t.word,
            "ranks within a clause, and the whole answer would be ranked",
            "ask for those first, then by their names",
        )
    })
}

/// `who placed the most orders`: rows would be listed by their amounts.
fn most_of_rows(held: &Held<'_>) -> Option<Problem> {
    held.rows()?.ranking.as_ref()?;
    // `the most recent` is an order by date.
    let counts = |t: &&Token<'_>| {
        let last = super::tokens(t.word).last();
        orders(t) && last.is_some_and(|text| matches!(text.as_str(), "most" | "fewest" | "least"))
    };
    let token = held.tokens.iter().find(counts)?;
    Some(blame(
        token.word,
        "asks for a count, and rows would be ordered by a field",
        "ask for the number, split by whose it is",
    ))
}

/// `customers with the highest order`: the size of one is asked, and their number would be ranked.
fn size_of_things(held: &Held<'_>) -> Option<Problem> {
    let Some(Ranking { by: RankBy::Measure(place), .. }) = ranking(held) else { return None };
    let measure = &held.figures()?.measures.get(*place)?.value;
    let counted = match measure {
        MeasureRef::Count { .. } => true,
        MeasureRef::Metric(name) => {
            let mut within = held.catalogue.aggregates_within(name);
            within.next().is_some_and(|(_, a)| a.kind == "count") && within.next().is_none()
        }
        MeasureRef::AdHoc { .. } => false,
    };
    let at = (0..held.tokens.len()).find(|at| {
        let next = held.tokens.get(at.saturating_add(1));
        let thing = next.is_some_and(|t| matches!(t.word.used_as, Use::Dataset(_)) || named_by_thing(t));
        SIZES.contains(&held.text(*at)) && thing
    })?;
    let token = held.tokens.get(at).filter(|_| counted)?;
    Some(blame(token.word, "asks for a size, and a number would be ranked", "say “most”, or name the amount"))
}

/// `top 5 overdue repayments by amount`, ordered by the amount of something else.
fn order_of_another(held: &Held<'_>) -> Option<Problem> {
    let rows = held.rows()?;
    let RankBy::Field(field) = &rows.ranking.as_ref()?.by else { return None };
    let name = format!("{}.{}", field.dataset, field.field);
    let word = held.words.iter().find(|w| w.used_as == Use::Field(name.clone()))?;
    let other = field.dataset != rows.dataset;
    let label = held.catalogue.datasets.get(&field.dataset).map_or("", |d| d.label.as_str()).to_lowercase();
    let stem = label.trim_end_matches('s');
    let said = held.tokens.iter().any(|t| t.text.starts_with(stem));
    (other && !said).then(|| {
        let message =
            format!("is a field of {}, and {} would be put in its order", field.dataset, rows.dataset);
        blame(word, &message, "name whose field it is")
    })
}

/// `default rate for customers who joined in 2023`, `by tier of the customer`: a word that says which would be a figure of
/// its own.
fn stray_measure(held: &Held<'_>) -> Option<Problem> {
    const LINKS: [&str; 15] = [
        "for", "of", "among", "from", "by", "per", "in", "to", "who", "that", "which", "whose", "did", "do",
        "does",
    ];
    let figures = held.figures()?;
    let [_, further @ ..] = figures.measures.as_slice() else { return None };
    let mut known = further.iter().filter_map(|m| match &m.value {
        MeasureRef::Metric(name) => Some(Use::Metric(name.clone())),
        MeasureRef::Count { dataset } => Some(Use::Dataset(dataset.clone())),
        MeasureRef::AdHoc { .. } => None,
    });
    known.find_map(|used| {
        let at = held.tokens.iter().position(|t| t.word.used_as == used)?;
        let mut before = held.tokens.get(..at)?.iter().rev();
        let link = before.find(|t| {
            let skipped = matches!(t.text.as_str(), "the" | "a" | "an" | "all")
                || matches!(t.word.used_as, Use::Value(_) | Use::Population(_));
            !skipped
        })?;
        let own = held.tokens.get(at).filter(|t| t.word != link.word)?;
        let inside = held.tokens.iter().filter(|t| t.word == own.word);
        let clause = inside.clone().any(|t| matches!(t.text.as_str(), "who" | "that" | "which"));
        // `sorted by number of orders` is an order.
        let led = LINKS.contains(&link.text.as_str()) && !orders(link);
        (led || clause).then(|| {
            let hint = "ask for it by a value or a population, or as a figure joined with “and”";
            blame(own.word, "says which, and would be a figure of its own", hint)
        })
    })
}

/// `loans with the highest outstanding amount`, put in the order of another field than the one named.
fn order_of_a_named_field(held: &Held<'_>) -> Option<Problem> {
    let RankBy::Field(field) = &held.rows()?.ranking.as_ref()?.by else { return None };
    let name = format!("{}.{}", field.dataset, field.field);
    let pair = held.words.windows(2).find(|pair| match pair {
        [order, named] => {
            let ranks = matches!(&order.used_as, Use::Grammar(label) if label.starts_with("order"));
            ranks && matches!(&named.used_as, Use::Field(other) if *other != name)
        }
        _ => false,
    })?;
    pair.last().map(|w| {
        blame(w, "is named, and another field would give the order", "ask for the rows by that field")
    })
}

/// `orders with their customer`: a thing that is named is shown.
fn thing_not_shown(held: &Held<'_>) -> Option<Problem> {
    let rows = held.rows()?;
    let shown = |dataset: &str| {
        let Some(found) = held.catalogue.datasets.get(dataset) else { return true };
        rows.columns.iter().map(|c| &c.value).any(|field| {
            let names =
                found.display.as_ref() == Some(&field.field) || found.primary_key.contains(&field.field);
            field.dataset == dataset && names
        })
    };
    let conditioned = |dataset: &str| {
        held.conditions()
            .iter()
            .any(|c| matches!(&c.value, Condition::Related { dataset: d, .. } if d == dataset))
    };
    let lost = held.words.iter().enumerate().find(|(i, word)| {
        let Use::Dataset(dataset) = &word.used_as else { return false };
        let next = held.words.get(i.saturating_add(1)).map(|w| &w.used_as);
        let before = i.checked_sub(1).and_then(|b| held.words.get(b)).map(|w| &w.used_as);
        let of_it =
            |used: Option<&Use>| used.and_then(super::line::field_of).is_some_and(|(d, _)| d == dataset);
        let columns = matches!(before, Some(Use::Grammar(label)) if label == "column");
        *dataset != rows.dataset && columns && !of_it(next) && !shown(dataset) && !conditioned(dataset)
    });
    lost.map(|(_, word)| {
        blame(word, "is named, and would not be shown", "name the field of it that is to be shown")
    })
}

/// `repayment amounts`, where the amount would be of something else.
fn field_beside_a_thing(held: &Held<'_>) -> Option<Problem> {
    let pair = held.words.windows(2).find(|pair| match pair {
        [thing, field] => match (&thing.used_as, &field.used_as) {
            (Use::Dataset(dataset), Use::Field(name)) => name.split('.').next() != Some(dataset.as_str()),
            _ => false,
        },
        _ => false,
    })?;
    pair.last().map(|w| {
        blame(w, "stands beside one thing, and would be of another", "name it as the catalogue does")
    })
}

/// `default rate of officers`: a rate of each is asked for, and one over all would be given.
fn owner_lost(held: &Held<'_>) -> Option<Problem> {
    let figures = held.figures()?;
    let rate = figures.measures.iter().any(|m| match &m.value {
        MeasureRef::Metric(name) => held.catalogue.metrics.get(name).is_some_and(|m| match &m.measure {
            Measure::Ratio { .. } => true,
            Measure::Aggregate(a) => matches!(a.kind, "average" | "median"),
            Measure::Derived { .. } => false,
        }),
        MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => false,
    });
    let at = (1..held.tokens.len()).find(|at| {
        let lost = held.tokens.get(*at).is_some_and(
            |t| matches!(&t.word.used_as, Use::Grammar(label) if label.ends_with("every row has one")),
        );
        let bare = held.tokens.get(*at).is_some_and(|t| {
            let Use::Dataset(name) = &t.word.used_as else { return false };
            held.conditions().iter().any(|c| {
                matches!(&c.value, Condition::Related { dataset, conditions, .. } if dataset == name && conditions.is_empty())
            })
        });
        (lost || bare) && held.text(at.saturating_sub(1)) == "of"
    })?;
    let token = held.tokens.get(at).filter(|_| rate && figures.groupings.is_empty())?;
    Some(blame(
        token.word,
        "may ask for one of each, and one over all would be given",
        "say “by” to split by it, or leave it out",
    ))
}

/// `days from order to shipment`: a measure that nothing measures.
fn unit_lost(held: &Held<'_>) -> Option<Problem> {
    held.rows()?;
    let token = held.tokens.iter().find(|t| {
        let unit = matches!(t.text.as_str(), "days" | "hours" | "minutes" | "weeks" | "months");
        unit && matches!(t.word.used_as, Use::Grammar(_) | Use::Stop)
    })?;
    Some(blame(
        token.word,
        "asks for a duration, and rows would be listed",
        "name a metric or a field that is one",
    ))
}

/// `number of customers per city with more than 2 orders`: each customer's, or the city's?
fn bound_of_a_further_measure(held: &Held<'_>) -> Option<Problem> {
    let figures = held.figures()?;
    let first = &figures.measures.first()?.value;
    let counts = match first {
        MeasureRef::Count { .. } => true,
        MeasureRef::Metric(name) => {
            held.catalogue.aggregates_within(name).next().is_some_and(|(_, a)| a.kind.starts_with("count"))
        }
        MeasureRef::AdHoc { .. } => false,
    };
    let further = !figures.having.is_empty() && figures.having.iter().all(|h| h.measure > 0);
    let word =
        held.words.iter().find(|w| matches!(&w.used_as, Use::Grammar(label) if label == "condition"))?;
    (counts && further).then(|| {
        blame(
            word,
            "may be of each that is counted, and would be of the group",
            "ask for one figure with its condition",
        )
    })
}

/// `orders`, used as the metric that counts them.
fn named_by_thing(token: &Token<'_>) -> bool {
    matches!(token.word.used_as, Use::Metric(_)) && alone(token)
}

/// Whether a condition asks for related rows.
pub(super) fn related(condition: &Condition) -> bool {
    match condition {
        Condition::Related { .. } => true,
        Condition::Any(any) => any.iter().any(related),
        Condition::OneOf { .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Member { .. } => false,
    }
}
