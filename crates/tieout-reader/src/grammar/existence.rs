//! Related rows that exist or do not: `who never ordered`, `without an order`, `that have had a claim`, `sold by agents`.

use crate::{
    language::Class,
    lattice::{Meaning, Span, TimeItem},
    time::TimeKind,
};

use super::{
    Found, Parser,
    ast::{Clause, Filter, Joined, Literal, NounPhrase, Quantity, RelatedPhrase, Target, Test},
    lists, nouns,
};

/// Words that may stand around a verb and add nothing.
const AUXILIARIES: [Class; 3] = [Class::Have, Class::Do, Class::Copula];

/// Clauses about related rows that start here.
pub(super) fn clauses(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let mut found = Vec::new();
    for filter in related(chart, at) {
        found.push(Found {
            next: filter.next,
            bonus: filter.bonus,
            what: Clause::Where(filter.what, Joined::ByVerb),
        });
    }
    found.extend(subjects(chart, at));
    found
}

/// Filters about related rows that start here.
pub(super) fn related(chart: &Parser<'_>, at: usize) -> Vec<Found<Filter>> {
    let start = chart.skip(at, &[Class::And, Class::Comma]);
    let mut found = with_noun(chart, at, start);
    found.extend(with_verb(chart, at, start));
    found.extend(passive(chart, at, start));
    found
}

/// `with a shipment`, `without orders`, `that have had a claim`, `who do not have any orders`.
fn with_noun(chart: &Parser<'_>, at: usize, start: usize) -> Vec<Found<Filter>> {
    let mut openings: Vec<(usize, bool)> = chart.word(start, Class::With).map(|next| (next, false)).collect();
    openings.extend(chart.word(start, Class::Without).map(|next| (next, true)));
    if let Some(next) = negated_have(chart, start) {
        openings.push((next, true));
    }
    let mut found = Vec::new();
    for (after, negated) in openings {
        // `with no`, `with 0`: the count turns it round.
        let (after, negated) = match chart.one_of(after, &[Class::No]) {
            Some(next) => (next, !negated),
            None => (after, negated),
        };
        for noun in nouns::noun_phrases(chart, after) {
            if noun.what.quantity == Quantity::Each {
                continue;
            }
            let noun_end = noun.next;
            let next = association(chart, noun.next);
            let phrase = by_noun(chart, noun.what);
            // `with their customer` more often asks to see it.
            let seen = !negated && chart.one_of(after, &[Class::Possessive]).is_some();
            for (next, phrase) in by_identifier(chart, noun_end, next, &phrase) {
                push(chart, at, next, phrase, negated, if seen { -8 } else { 4 }, &mut found);
            }
        }
    }
    found
}

/// `that do not have`, `who have never had`.
fn negated_have(chart: &Parser<'_>, at: usize) -> Option<usize> {
    let relative = chart.skip(at, &[Class::Relative]);
    let auxiliaries = chart.skip(relative, &AUXILIARIES);
    let not = chart.one_of(auxiliaries, &[Class::Never, Class::Not])?;
    let next = chart.skip(not, &[Class::Have]);
    (next > not).then_some(chart.skip(next, &[Class::All]))
}

/// `associated to them`, `linked to it` behind the noun.
fn association(chart: &Parser<'_>, at: usize) -> usize {
    let Some(after) = chart.one_of(at, &[Class::Association]) else { return at };
    chart.one_of(after, &[Class::Pronoun]).unwrap_or(at)
}

fn by_noun(chart: &Parser<'_>, noun: NounPhrase) -> RelatedPhrase {
    let dataset = super::dataset_of(chart, noun.head);
    RelatedPhrase {
        span: noun.head_span,
        datasets: dataset.into_iter().collect(),
        noun: Some(noun),
        relationships: Vec::new(),
        verb: None,
        time: None,
    }
}

/// The noun as it is, and with the identifier behind it: `placed order 1001`.
fn by_identifier(
    chart: &Parser<'_>,
    noun_end: usize,
    next: usize,
    phrase: &RelatedPhrase,
) -> Vec<(usize, RelatedPhrase)> {
    let mut found = vec![(next, phrase.clone())];
    let (Some(noun), Some(dataset)) = (&phrase.noun, phrase.datasets.first()) else { return found };
    for literal in nouns::literals(chart, noun_end) {
        if matches!(literal.what, Literal::Time(_)) {
            continue;
        }
        let test = Test::Row { dataset: *dataset, span: noun.head_span, literal: literal.what };
        let filter = Filter { span: Span::of(noun.span.first, literal.next), negated: false, test };
        let mut narrowed = noun.clone();
        narrowed.adjectives.push(filter);
        found.push((literal.next, RelatedPhrase { noun: Some(narrowed), ..phrase.clone() }));
    }
    found
}

/// `who never ordered`, `that were shipped`, `who have placed an order`.
fn with_verb(chart: &Parser<'_>, at: usize, start: usize) -> Vec<Found<Filter>> {
    let relative = chart.skip(start, &[Class::Relative, Class::Pronoun]);
    let auxiliaries = chart.skip(relative, &AUXILIARIES);
    let negation = chart.one_of(auxiliaries, &[Class::Never, Class::Not]);
    let verb_at = chart.skip(negation.unwrap_or(auxiliaries), &AUXILIARIES);
    let mut found = Vec::new();
    let introduced = if verb_at > start { 3 } else { 0 };
    let names_itself = chart.items(verb_at).iter().any(|item| matches!(item.meaning, Meaning::Datasets(_)));
    let datasets = chart.lexicon.datasets_of_verb(chart.text(verb_at));
    if !datasets.is_empty() && !names_itself && !chart.text(verb_at).is_empty() {
        let verb = Span { first: verb_at, last: verb_at };
        let next = verb_at.saturating_add(1);
        let phrase = RelatedPhrase {
            span: verb,
            datasets: datasets.to_vec(),
            noun: None,
            relationships: chart.lexicon.relationships_of_verb(chart.text(verb_at)).to_vec(),
            verb: Some(verb),
            time: None,
        };
        let next = chart.one_of(next, &[Class::Nothing]).unwrap_or(next);
        let nothing = next > verb_at.saturating_add(1);
        push(chart, at, next, phrase, negation.is_some() != nothing, introduced, &mut found);
    }
    for (after, relationships) in verbs(chart, verb_at) {
        for noun in nouns::noun_phrases(chart, chart.one_of(after, &[Class::No]).unwrap_or(after)) {
            if noun.what.quantity == Quantity::Each {
                continue;
            }
            let verb = Span::of(verb_at, after);
            let none = chart.one_of(after, &[Class::No]).is_some();
            let phrase = RelatedPhrase {
                relationships: relationships.clone(),
                verb: Some(verb),
                ..by_noun(chart, noun.what)
            };
            for (next, phrase) in by_identifier(chart, noun.next, noun.next, &phrase) {
                push(chart, at, next, phrase, negation.is_some() != none, introduced, &mut found);
            }
        }
    }
    found
}

/// `sold by agents`, `placed by paying customers`.
fn passive(chart: &Parser<'_>, at: usize, start: usize) -> Vec<Found<Filter>> {
    let relative = chart.skip(start, &[Class::Relative]);
    let auxiliaries = chart.skip(relative, &AUXILIARIES);
    let negation = chart.one_of(auxiliaries, &[Class::Never, Class::Not]);
    let verb_at = chart.skip(negation.unwrap_or(auxiliaries), &AUXILIARIES);
    let mut found = Vec::new();
    for (after, relationships) in verbs(chart, verb_at) {
        let has_by = chart.one_of(after.saturating_sub(1), &[Class::ByWord]) == Some(after);
        let noun_at = if has_by { Some(after) } else { chart.one_of(after, &[Class::ByWord]) };
        let Some(noun_at) = noun_at else { continue };
        for noun in nouns::noun_phrases(chart, noun_at) {
            if noun.what.quantity == Quantity::Each {
                continue;
            }
            let bare =
                noun.what.adjectives.is_empty() && matches!(noun.what.head, super::ast::Head::Dataset(_));
            let verb = Span::of(verb_at, after);
            let phrase = RelatedPhrase {
                relationships: relationships.clone(),
                verb: Some(verb),
                ..by_noun(chart, noun.what)
            };
            // `by agents` alone is more often a grouping.
            let bonus = if bare && negation.is_none() { -8 } else { 6 };
            // A time that follows is when it was done, not a time of those who did it.
            let filter = Filter {
                span: Span::of(at, noun.next),
                negated: negation.is_some(),
                test: Test::Related(phrase),
            };
            found.push(Found { next: noun.next, what: filter, bonus });
        }
    }
    found
}

/// Verbs that may link rows: a relationship's own, or a light one.
fn verbs(chart: &Parser<'_>, at: usize) -> Vec<(usize, Vec<usize>)> {
    let mut found = lists::relationships(chart, at);
    if found.is_empty() {
        found.extend(chart.word(at, Class::LinkVerb).map(|next| (next, Vec::new())));
    }
    found
}

/// `have agents sold`, `that an agent has sold`, `does each policy holder have`: a plain subject must exist, a single
/// one is a grouping.
fn subjects(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let relative = chart.skip(at, &[Class::Relative]);
    let before = chart.skip(relative, &[Class::Have, Class::Do]);
    let mut found = Vec::new();
    for noun in nouns::noun_phrases(chart, before) {
        let auxiliaries = chart.skip(noun.next, &[Class::Have, Class::Do]);
        let verb = verbs(chart, auxiliaries).into_iter().next();
        let (next, relationships) = match verb {
            Some(found) => found,
            None if auxiliaries > noun.next && before > at => (auxiliaries, Vec::new()),
            None => continue,
        };
        if before == at && auxiliaries == noun.next {
            continue;
        }
        let next = chart.one_of(next, &[Class::Pronoun]).unwrap_or(next);
        if noun.what.quantity == Quantity::Plain {
            let verb = Some(Span::of(auxiliaries, next));
            let phrase = RelatedPhrase { relationships, verb, ..by_noun(chart, noun.what) };
            let filter = Filter { span: Span::of(at, next), negated: false, test: Test::Related(phrase) };
            let bonus = if relative > at && chart.one_of(at, &[Class::Which]).is_some() { -9 } else { 3 };
            found.push(Found { next, bonus, what: Clause::Where(filter, Joined::ByVerb) });
        } else {
            found.push(Found { next, bonus: 4, what: Clause::Each(vec![Target::Thing(noun.what)]) });
        }
    }
    found
}

/// `who sold it`, `they have sold`, `it had`: words that only repeat a relationship.
pub(super) fn relation_tail(chart: &Parser<'_>, at: usize) -> Option<usize> {
    let relative = chart.skip(at, &[Class::Relative]);
    let pronoun = chart.skip(relative, &[Class::Pronoun]);
    if pronoun == at {
        return None;
    }
    let auxiliaries = chart.skip(pronoun, &AUXILIARIES);
    if let Some((next, _)) = verbs(chart, auxiliaries).into_iter().next() {
        // `who ordered` says that there are orders; only a pronoun refers back to what is named already.
        let object = chart.one_of(next, &[Class::Pronoun]);
        return if pronoun > relative { Some(object.unwrap_or(next)) } else { object };
    }
    (pronoun > relative && auxiliaries > pronoun).then_some(auxiliaries)
}

/// Adds the filter, and the filter with the time that follows it.
fn push(
    chart: &Parser<'_>,
    at: usize,
    next: usize,
    phrase: RelatedPhrase,
    negated: bool,
    bonus: i32,
    found: &mut Vec<Found<Filter>>,
) {
    for time in times_after(chart, next) {
        let end = time.span.last.saturating_add(1);
        let timed = RelatedPhrase { time: Some(time), ..phrase.clone() };
        let filter = Filter { span: Span::of(at, end), negated, test: Test::Related(timed) };
        // A time belongs to the clause that it stands behind: `without an order in May`. Six for the clause that the
        // time alone would have cost, less four.
        found.push(Found { next: end, what: filter, bonus: bonus.saturating_sub(2) });
    }
    let filter = Filter { span: Span::of(at, next), negated, test: Test::Related(phrase) };
    found.push(Found { next, what: filter, bonus });
}

/// Times behind an optional preposition.
pub(super) fn times_after(chart: &Parser<'_>, at: usize) -> Vec<TimeItem> {
    let mut starts = vec![at];
    starts.extend(chart.word(at, Class::TimePreposition));
    let times = starts.into_iter().flat_map(|start| chart.times(start).iter().cloned());
    times.filter(|time| matches!(time.reading.kind, TimeKind::Period(_))).collect()
}
