//! Noun phrases: fields, values and rows, with the adjectives before them; and what a field can be compared with.

use tieout_core::catalogue::Catalogue;

use crate::{
    language::Class,
    lattice::{FieldSense, Item, Meaning, Span, Standing},
    lexicon::{FieldId, Tier, ValueEntry},
    tokens::TokenKind,
};

use super::{
    Found, Parser,
    ast::{FieldPhrase, Filter, Head, Literal, NounPhrase, Quantity, Test, ValuePhrase},
    parser,
};

/// The most adjectives before one noun.
const ADJECTIVES_MAX: usize = 3;
/// The most values in one list.
const VALUES_LISTED_MAX: usize = 24;

/// Words that may stand before a noun and add nothing.
const DETERMINERS: [Class; 3] = [Class::Definite, Class::All, Class::Possessive];

/// Field names that start here. A relationship named by its role stands for the field that names its rows.
pub(super) fn fields(chart: &Parser<'_>, at: usize) -> Vec<Found<FieldPhrase>> {
    parser::kept(&chart.fields, at, || read_fields(chart, at))
}

fn read_fields(chart: &Parser<'_>, at: usize) -> Vec<Found<FieldPhrase>> {
    let start = chart.skip(at, &[Class::Definite, Class::Indefinite, Class::Possessive, Class::All]);
    let found = chart.items(start).iter().flat_map(|item| {
        let next = item.span.last.saturating_add(1);
        let phrase =
            |senses: Vec<FieldSense>, link| FieldPhrase { span: item.span, senses, term: item.term, link };
        match &item.meaning {
            Meaning::Fields(senses) => {
                vec![Found { next, bonus: tier_bonus(item), what: phrase(senses.clone(), None) }]
            }
            Meaning::Relationships(links) => {
                let role = |link: &usize| {
                    let sense =
                        FieldSense { tier: Tier::Synonym, field: role_field(chart.catalogue, *link)? };
                    Some(Found { next, bonus: tier_bonus(item), what: phrase(vec![sense], Some(*link)) })
                };
                links
                    .iter()
                    .filter(|link| names_rows(chart, **link, item.span.last))
                    .filter_map(role)
                    .collect()
            }
            _ => Vec::new(),
        }
    });
    found.collect()
}

/// Whether a relationship's word ends in what its rows are called: `shipping region` does, `sold by` does not.
fn names_rows(chart: &Parser<'_>, link: usize, last: usize) -> bool {
    let Some((_, relationship)) = chart.catalogue.relationships.get_index(link) else { return false };
    let Some(dataset) = chart.catalogue.datasets.get(&relationship.to) else { return false };
    let word = chart.language().inflection.singular(chart.text(last));
    let nouns = [&dataset.label, &dataset.name].into_iter().chain(&dataset.synonyms);
    nouns.map(|noun| chart.lexicon.name_key(noun)).any(|key| key.rsplit(' ').next() == Some(word.as_str()))
}

/// The field that names the rows a relationship leads to.
fn role_field(catalogue: &Catalogue, link: usize) -> Option<FieldId> {
    let (_, relationship) = catalogue.relationships.get_index(link)?;
    let (dataset, _, entry) = catalogue.datasets.get_full(&relationship.to)?;
    let name = match (&entry.display, entry.primary_key.as_slice()) {
        (Some(display), _) => display,
        (None, [only]) => only,
        (None, _) => return None,
    };
    entry.fields.get_index_of(name).map(|field| FieldId { dataset, field })
}

/// A closer name is worth more, so that a guessed head never beats a declared label.
pub(super) fn tier_bonus(item: &Item) -> i32 {
    use crate::lexicon::Tier;
    let tier = match item.tier {
        Tier::Label => 2,
        Tier::Synonym => 2,
        Tier::Composite => 1,
        Tier::Elided => 0,
        Tier::Head => -1,
    };
    tier - item.doubtful
}

/// Lists of values that start here: the whole list, and its first value alone.
pub(super) fn value_lists(
    chart: &Parser<'_>,
    at: usize,
    field: Option<&FieldPhrase>,
) -> Vec<Found<Vec<ValuePhrase>>> {
    let mut lists = Vec::new();
    for first in values(chart, at, field) {
        let (list, next) = extend(chart, first.clone(), field);
        if list.len() > 1 {
            lists.push(Found { next, what: list, bonus: first.bonus.saturating_add(1) });
        }
        lists.push(Found { next: first.next, what: vec![first.what], bonus: first.bonus });
    }
    lists
}

/// Adds to a list while the next value belongs to a field that all before it belong to.
fn extend(
    chart: &Parser<'_>,
    first: Found<ValuePhrase>,
    field: Option<&FieldPhrase>,
) -> (Vec<ValuePhrase>, usize) {
    let mut next = first.next;
    let mut shared = first.what.senses.clone();
    let mut list = vec![first.what];
    while list.len() < VALUES_LISTED_MAX {
        let Some(after) = separator(chart, next) else { break };
        let after = chart.skip(after, &[Class::Preposition, Class::Definite, Class::Or]);
        let Some(more) =
            values(chart, after, field).into_iter().find(|more| share(&shared, &more.what.senses))
        else {
            break;
        };
        shared.retain(|sense| more.what.senses.iter().any(|other| other.field == sense.field));
        next = more.next;
        list.push(more.what);
    }
    (list, next)
}

/// `,` `and` `or` between the parts of a list.
fn separator(chart: &Parser<'_>, at: usize) -> Option<usize> {
    let next = chart.skip(at, &[Class::Comma]);
    let against = if chart.compares() { chart.one_of(next, &[Class::WithTo]) } else { None };
    let after = chart.one_of(next, &[Class::And, Class::Or, Class::Versus]).or(against).unwrap_or(next);
    (after > at).then_some(after)
}

fn share(some: &[ValueEntry], others: &[ValueEntry]) -> bool {
    some.iter().any(|sense| others.iter().any(|other| other.field == sense.field))
}

/// Values that start here. Beside a field's name only its own values count, and numbers and common words may be values.
pub(super) fn values(chart: &Parser<'_>, at: usize, field: Option<&FieldPhrase>) -> Vec<Found<ValuePhrase>> {
    let mut found = Vec::new();
    for start in starts(chart, at) {
        for item in chart.items(start) {
            let Meaning::Values(senses) = &item.meaning else { continue };
            let senses = match field {
                Some(field) => senses
                    .iter()
                    .filter(|s| field.senses.iter().any(|f| f.field == s.field))
                    .copied()
                    .collect(),
                None if item.standing == Standing::BesideField => continue,
                None => senses.clone(),
            };
            if !senses.is_empty() {
                let what = ValuePhrase { span: item.span, senses };
                let bonus = -item.doubtful;
                found.push(Found { next: item.span.last.saturating_add(1), what, bonus });
            }
        }
    }
    found
}

/// Here, and behind an article: a value may itself begin with one.
fn starts(chart: &Parser<'_>, at: usize) -> Vec<usize> {
    let after = chart.skip(at, &[Class::Definite, Class::Indefinite, Class::Either]);
    if after > at { vec![at, after] } else { vec![at] }
}

/// Rows named here, with their adjectives.
pub(super) fn noun_phrases(chart: &Parser<'_>, at: usize) -> Vec<Found<NounPhrase>> {
    parser::kept(&chart.nouns, at, || read_noun_phrases(chart, at))
}

fn read_noun_phrases(chart: &Parser<'_>, at: usize) -> Vec<Found<NounPhrase>> {
    let (quantity, start) = quantity(chart, at);
    let mut found = Vec::new();
    for adjectives in adjectives(chart, start) {
        for item in chart.items(adjectives.next) {
            let heads: Vec<Head> = match &item.meaning {
                Meaning::Datasets(datasets) => datasets.iter().map(|index| Head::Dataset(*index)).collect(),
                Meaning::Populations(populations) if item.tier != crate::lexicon::Tier::Elided => {
                    populations.iter().map(|index| Head::Population(*index)).collect()
                }
                _ => continue,
            };
            let next = item.span.last.saturating_add(1);
            for head in heads {
                let phrase = NounPhrase {
                    span: Span::of(at, next),
                    head_span: item.span,
                    head,
                    adjectives: adjectives.what.clone(),
                    quantity,
                    term: item.term,
                };
                found.push(Found {
                    next,
                    what: phrase,
                    bonus: tier_bonus(item).min(1).saturating_add(adjectives.bonus),
                });
            }
        }
    }
    found
}

/// `each`, `a`, or any words that add nothing.
fn quantity(chart: &Parser<'_>, at: usize) -> (Quantity, usize) {
    let start = chart.skip(at, &DETERMINERS);
    if let Some(next) = chart.one_of(start, &[Class::Each]) {
        return (Quantity::Each, chart.skip(next, &DETERMINERS));
    }
    if let Some(next) = chart.one_of(start, &[Class::Indefinite]) {
        return (Quantity::One, next);
    }
    (Quantity::Plain, start)
}

/// The adjectives that may start here: none, or up to [`ADJECTIVES_MAX`] values, populations and flags.
pub(super) fn adjectives(chart: &Parser<'_>, at: usize) -> Vec<Found<Vec<Filter>>> {
    let mut all = vec![Found { next: at, what: Vec::new(), bonus: 0 }];
    let mut frontier = all.clone();
    for _ in 0..ADJECTIVES_MAX {
        let mut next_frontier = Vec::new();
        for before in frontier {
            for adjective in one_adjective(chart, before.next) {
                let mut what = before.what.clone();
                what.push(adjective.what);
                let bonus = before.bonus.saturating_add(adjective.bonus.min(3));
                next_frontier.push(Found { next: adjective.next, what, bonus });
            }
        }
        all.extend(next_frontier.iter().cloned());
        frontier = next_frontier;
    }
    all
}

fn one_adjective(chart: &Parser<'_>, at: usize) -> Vec<Found<Filter>> {
    let negation = chart.one_of(at, &[Class::Not]);
    let start = negation.unwrap_or(at);
    let start = chart.skip(start, &[Class::Only, Class::Comma]);
    let mut found = quality(chart, start);
    for one in &mut found {
        one.what.negated = negation.is_some();
        one.what.span = Span::of(at, one.next);
    }
    found
}

/// A value, a population by its adjective, or a flag.
pub(super) fn quality(chart: &Parser<'_>, at: usize) -> Vec<Found<Filter>> {
    let mut found: Vec<Found<Filter>> = value_lists(chart, at, None)
        .into_iter()
        .map(|list| Found {
            next: list.next,
            bonus: list.bonus,
            what: Filter {
                span: Span::of(at, list.next),
                negated: false,
                test: Test::Values { field: None, values: list.what },
            },
        })
        .collect();
    for item in chart.items(at) {
        let test = match &item.meaning {
            Meaning::Populations(populations) => Test::Member(item.span, populations.clone(), item.term),
            Meaning::Flags(fields) => Test::Flag(item.span, fields.clone()),
            _ => continue,
        };
        let next = item.span.last.saturating_add(1);
        // A population is the catalogue's own meaning of a word, before a value that is spelled alike.
        let own = if matches!(item.meaning, Meaning::Populations(_)) { 3 } else { 1 };
        let bonus = own - item.doubtful;
        found.push(Found { next, what: Filter { span: item.span, negated: false, test }, bonus });
    }
    found
}

/// What a field may be compared with: a number, something in quotes, an identifier, a time.
pub(super) fn literals(chart: &Parser<'_>, at: usize) -> Vec<Found<Literal>> {
    let mut found = Vec::new();
    for time in chart.times(at) {
        found.push(Found {
            next: time.span.last.saturating_add(1),
            what: Literal::Time(time.clone()),
            bonus: 0,
        });
    }
    if let Some(written) = chart.number(at) {
        let span = Span::of(at, written.next);
        let what = Literal::Number { span, value: written.value, unit: written.unit };
        found.push(Found { next: written.next, what, bonus: 1 });
    }
    let is_number = found.iter().any(|literal: &Found<Literal>| {
        matches!(literal.what, Literal::Number { .. }) && literal.next == at.saturating_add(1)
    });
    if let Some(token) = chart.tokens.get(at).filter(|_| !is_number) {
        let span = Span { first: at, last: at };
        let identifier = token.kind == TokenKind::Number
            || token.kind == TokenKind::Quoted
            || (token.kind == TokenKind::Word && token.raw.chars().any(|c| c.is_ascii_digit()));
        if identifier {
            found.push(Found {
                next: at.saturating_add(1),
                what: Literal::Text(span, token.raw.clone()),
                bonus: 0,
            });
        }
    }
    found
}

/// A word that is not known at all, taken for a value because a field and `is` stand before it.
pub(super) fn unknown_literal(chart: &Parser<'_>, at: usize) -> Option<Found<Literal>> {
    let mut next = at;
    while chart.tokens.get(next).is_some_and(|token| token.kind == TokenKind::Word) && is_unknown(chart, next)
    {
        next = next.saturating_add(1);
    }
    let span = Span::of(at, next);
    (next > at).then(|| Found { next, what: Literal::Text(span, chart.typed(span)), bonus: 0 })
}

fn is_unknown(chart: &Parser<'_>, at: usize) -> bool {
    chart.items(at).is_empty() && chart.classes(at).is_empty() && chart.times(at).is_empty()
}
