//! Filters: values, comparisons of a field, missing values, populations, and mentions of other rows; with `not` and `or`.

use tieout_core::reading::Comparison;

use crate::{
    language::Class,
    lattice::{FieldSense, Meaning, Span},
    lexicon::{FieldId, Tier},
};

use super::{
    Found, Parser,
    ast::{Clause, FieldPhrase, Filter, Joined, Literal, NamedBy, Quantity, Target, Test},
    existence, nouns,
};

/// How a number or a date is compared, by the word before it.
pub(super) const COMPARISONS: [(Class, Comparison); 6] = [
    (Class::Above, Comparison::Above),
    (Class::AtLeast, Comparison::AtLeast),
    (Class::Below, Comparison::Below),
    (Class::AtMost, Comparison::AtMost),
    (Class::Equal, Comparison::Equal),
    (Class::NotEqual, Comparison::NotEqual),
];

/// The most filters joined by `or`.
const ALTERNATIVES_MAX: usize = 4;

/// Filter clauses that start here.
pub(super) fn clauses(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let mut found: Vec<Found<Clause>> = Vec::new();
    for one in simple(chart, at) {
        alternatives(chart, at, &one, &mut found);
        let Found { next, what: (filter, joined), bonus } = one;
        let clause = match each_mentioned(&filter) {
            Some(target) => Clause::Each(vec![target]),
            None => Clause::Where(filter, joined),
        };
        found.push(Found { next, what: clause, bonus });
    }
    if let Some(next) = chart.one_of(at, &[Class::Only]) {
        found.push(Found { next, what: Clause::Only, bonus: 0 });
    }
    found
}

/// `of each policy` is a grouping, not a filter.
fn each_mentioned(filter: &Filter) -> Option<Target> {
    match &filter.test {
        Test::Mention(noun) if noun.quantity == Quantity::Each => Some(Target::Thing(noun.clone())),
        _ => None,
    }
}

type Joint = (Filter, Joined);

/// `A or B`, where A and B are filters of their own.
fn alternatives(chart: &Parser<'_>, at: usize, first: &Found<Joint>, found: &mut Vec<Found<Clause>>) {
    let mut list = vec![first.what.0.clone()];
    let (mut next, mut bonus) = (first.next, first.bonus);
    while list.len() < ALTERNATIVES_MAX {
        let Some(after) = chart.one_of(next, &[Class::Or]) else { break };
        let Some(more) = simple(chart, after).into_iter().max_by_key(|more| (more.next, more.bonus)) else {
            break;
        };
        if more.next == after {
            break;
        }
        (next, bonus) = (more.next, bonus.saturating_add(more.bonus));
        list.push(more.what.0);
        let filter = Filter { span: Span::of(at, next), negated: false, test: Test::Any(list.clone()) };
        found.push(Found { next, what: Clause::Where(filter, first.what.1), bonus });
    }
}

/// One filter, in every reading.
fn simple(chart: &Parser<'_>, at: usize) -> Vec<Found<Joint>> {
    let mut found = Vec::new();
    let start = chart.skip(at, &[Class::Comma]);
    let start = chart.one_of(start, &[Class::And]).unwrap_or(start);
    bare(chart, at, start, &mut found);
    after_preposition(chart, at, start, &mut found);
    excluded(chart, at, start, &mut found);
    predicates(chart, at, start, &mut found);
    of_a_field(chart, at, start, &mut found);
    by_date(chart, at, start, &mut found);
    found
}

fn keep(
    found: &mut Vec<Found<Joint>>,
    at: usize,
    next: usize,
    test: Test,
    negated: bool,
    joined: Joined,
    bonus: i32,
) {
    let filter = Filter { span: Span::of(at, next), negated, test };
    found.push(Found { next, what: (filter, joined), bonus });
}

/// `marketplace`, `paying customers`, `direct vs marketplace`.
fn bare(chart: &Parser<'_>, at: usize, start: usize, found: &mut Vec<Found<Joint>>) {
    let negation = chart.one_of(start, &[Class::Not]);
    let from = negation.unwrap_or(start);
    for one in nouns::quality(chart, chart.skip(from, &[Class::Definite])) {
        let contrast = is_contrast(chart, one.what.span);
        let joined = if contrast { Joined::AsContrast } else { Joined::Plainly };
        let next = field_behind(chart, one.next, &one.what.test).unwrap_or(one.next);
        keep(found, at, next, one.what.test, negation.is_some(), joined, one.bonus.saturating_sub(3));
    }
}

/// Whether values are set against each other.
fn is_contrast(chart: &Parser<'_>, span: Span) -> bool {
    (span.first..=span.last).any(|at| chart.one_of(at, &[Class::Versus]).is_some())
}

/// `channel` of `in the direct channel`: a field's name behind one of its values.
fn field_behind(chart: &Parser<'_>, at: usize, test: &Test) -> Option<usize> {
    let Test::Values { values, .. } = test else { return None };
    let senses = &values.first()?.senses;
    let item = chart.items(at).iter().find(|item| match &item.meaning {
        Meaning::Fields(fields) => fields.iter().any(|f| senses.iter().any(|v| v.field == f.field)),
        _ => false,
    })?;
    Some(item.span.last.saturating_add(1))
}

/// `in Berlin or Hamburg`, `for paying customers`, `of all policies`, `from customer 42`.
fn after_preposition(chart: &Parser<'_>, at: usize, start: usize, found: &mut Vec<Found<Joint>>) {
    let by = chart.word(start, Class::ByWord).map(|next| (next, true));
    let openings: Vec<(usize, bool)> =
        chart.word(start, Class::Preposition).map(|next| (next, false)).chain(by).collect();
    for (after, by) in openings {
        let only = chart.skip(after, &[Class::Only]);
        for one in nouns::quality(chart, chart.skip(only, &[Class::Definite, Class::All])) {
            let next = field_behind(chart, one.next, &one.what.test);
            keep(found, at, one.next, one.what.test.clone(), false, Joined::Plainly, one.bonus);
            if let Some(next) = next {
                keep(found, at, next, one.what.test, false, Joined::Plainly, one.bonus.saturating_add(1));
            }
        }
        for list in nouns::value_lists(chart, only, None) {
            let test = Test::Values { field: None, values: list.what };
            keep(found, at, list.next, test, false, Joined::Plainly, list.bonus);
        }
        // `by channel` groups.
        if !by {
            mentions(chart, at, only, found);
            fields_and(chart, at, only, Stated::Not, false, found);
        }
    }
    mentions_by_row(chart, at, start, found);
}

/// Other rows that are mentioned: all of them, those that a clause behind them narrows, or one by its identifier.
fn mentions(chart: &Parser<'_>, at: usize, after: usize, found: &mut Vec<Found<Joint>>) {
    for noun in nouns::noun_phrases(chart, after) {
        for clause in existence::related(chart, noun.next) {
            let led = chart.one_of(noun.next, &[Class::Relative, Class::With, Class::Without]).is_some();
            if led && noun.what.quantity != Quantity::Each {
                let mut narrowed = noun.what.clone();
                narrowed.adjectives.push(clause.what);
                let bonus = noun.bonus.saturating_add(clause.bonus);
                keep(found, at, clause.next, Test::Mention(narrowed), false, Joined::Plainly, bonus);
            }
        }
        let next = existence::relation_tail(chart, noun.next).unwrap_or(noun.next);
        let span_end = if noun.what.quantity == Quantity::Each { next } else { noun.next };
        keep(found, at, span_end, Test::Mention(noun.what), false, Joined::Plainly, noun.bonus);
    }
    mentions_by_row(chart, at, after, found);
}

/// `customer 42`.
fn mentions_by_row(chart: &Parser<'_>, at: usize, after: usize, found: &mut Vec<Found<Joint>>) {
    let start = chart.skip(after, &[Class::Definite]);
    for item in chart.items(start) {
        let Meaning::Datasets(datasets) = &item.meaning else { continue };
        let next = item.span.last.saturating_add(1);
        let named = chart.one_of(next, &[Class::Called]);
        let mut literals = nouns::literals(chart, named.unwrap_or(next));
        if let Some(next) = named {
            literals.extend(nouns::unknown_literal(chart, next));
        }
        literals.extend(known_names(chart, named.unwrap_or(next), datasets));
        for literal in literals {
            if matches!(literal.what, Literal::Time(_)) {
                continue;
            }
            for dataset in datasets {
                let test = Test::Row { dataset: *dataset, span: item.span, literal: literal.what.clone() };
                keep(found, at, literal.next, test, false, Joined::Plainly, 2);
            }
        }
    }
}

/// A known value of the field that names rows of these datasets.
fn known_names(chart: &Parser<'_>, at: usize, datasets: &[usize]) -> Vec<Found<Literal>> {
    let names = |field: FieldId| datasets.contains(&field.dataset) && chart.names_row(field);
    let values = chart.items(at).iter().filter(|item| match &item.meaning {
        Meaning::Values(senses) => senses.iter().any(|sense| names(sense.field)),
        _ => false,
    });
    values
        .map(|item| Found {
            next: item.span.last.saturating_add(1),
            what: Literal::Text(item.span, chart.typed(item.span)),
            bonus: -item.doubtful,
        })
        .collect()
}

/// `excluding marketplace`, `not in Berlin`, `other than paying customers`, `without refunds`, `without a region`.
fn excluded(chart: &Parser<'_>, at: usize, start: usize, found: &mut Vec<Found<Joint>>) {
    let mut openings: Vec<usize> = chart.word(start, Class::Exclude).collect();
    openings.extend(chart.word(start, Class::Without));
    if let Some(not) = chart.one_of(start, &[Class::Not]) {
        openings.push(chart.one_of(not, &[Class::Preposition]).unwrap_or(not));
    }
    for after in openings {
        let from = chart.skip(after, &[Class::Preposition, Class::Definite, Class::All, Class::Possessive]);
        for one in nouns::quality(chart, from) {
            let next = field_behind(chart, one.next, &one.what.test).unwrap_or(one.next);
            keep(found, at, next, one.what.test, true, Joined::Plainly, one.bonus.saturating_add(1));
        }
        for noun in nouns::noun_phrases(chart, after) {
            keep(
                found,
                at,
                noun.next,
                Test::Mention(noun.what),
                true,
                Joined::Plainly,
                noun.bonus.saturating_sub(1),
            );
        }
        fields_and(chart, at, from, Stated::Not, true, found);
    }
    missing_named(chart, at, start, found);
}

/// `without a region`, `with a region`, `that have no region`.
fn missing_named(chart: &Parser<'_>, at: usize, start: usize, found: &mut Vec<Found<Joint>>) {
    let mut openings: Vec<(usize, bool)> =
        chart.word(start, Class::Without).map(|next| (next, false)).collect();
    openings.extend(chart.word(start, Class::With).map(|next| {
        match chart.one_of(next, &[Class::No, Class::Missing]) {
            Some(after) => (after, false),
            None => (next, true),
        }
    }));
    openings.extend(chart.word(start, Class::Missing).map(|next| (next, false)));
    for (after, present) in openings {
        // `with a region` asks for one; `with customer name` more often asks to see it.
        let shows = present && chart.one_of(after, &[Class::Indefinite, Class::All]).is_none();
        for field in nouns::fields(chart, after) {
            let bonus = if shows { field.bonus.saturating_sub(6) } else { field.bonus };
            keep(found, at, field.next, Test::Missing(field.what), present, Joined::Plainly, bonus);
        }
    }
}

/// `are open`, `that are not paying`, `came from direct`, `is_internal`.
fn predicates(chart: &Parser<'_>, at: usize, start: usize, found: &mut Vec<Found<Joint>>) {
    let relative = chart.skip(start, &[Class::Relative]);
    let copula = chart.skip(relative, &[Class::Copula, Class::Have, Class::Do]);
    let mut openings: Vec<(usize, bool)> =
        chart.word(relative, Class::Came).map(|next| (next, false)).collect();
    if copula > relative {
        match chart.one_of(copula, &[Class::Not, Class::Never]) {
            Some(next) => openings.push((next, true)),
            None => openings.push((copula, false)),
        }
    }
    for (after, negated) in openings {
        let preposition = chart.skip(after, &[Class::Preposition]);
        for from in if preposition > after { vec![after, preposition] } else { vec![after] } {
            let from = chart.skip(from, &[Class::Only, Class::Definite, Class::All]);
            for one in nouns::quality(chart, from) {
                let next = field_behind(chart, one.next, &one.what.test).unwrap_or(one.next);
                keep(found, at, next, one.what.test, negated, Joined::ByVerb, one.bonus.saturating_add(2));
            }
            for noun in nouns::noun_phrases(chart, from) {
                keep(
                    found,
                    at,
                    noun.next,
                    Test::Mention(noun.what),
                    negated,
                    Joined::ByVerb,
                    noun.bonus.saturating_sub(5),
                );
            }
        }
    }
}

/// `where status is open`, `with an amount over 100`, `channel = direct`.
fn of_a_field(chart: &Parser<'_>, at: usize, start: usize, found: &mut Vec<Found<Joint>>) {
    let mut openings = vec![(start, Stated::Not)];
    for class in [Class::Where, Class::With, Class::Relative] {
        openings.extend(chart.word(start, class).map(|next| (next, Stated::Before)));
    }
    for (after, stated) in openings {
        fields_and(chart, at, after, stated, false, found);
    }
}

/// What stands between a field and what it is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stated {
    /// Nothing: an unknown word is no value.
    Not,
    /// `is`, `=`, or `with` before the field: an unknown word can only be a value.
    Before,
    /// `in`: a list of known values.
    Values,
}

/// A field and what it is compared with.
fn fields_and(
    chart: &Parser<'_>,
    at: usize,
    after: usize,
    said: Stated,
    turned: bool,
    found: &mut Vec<Found<Joint>>,
) {
    for field in nouns::fields(chart, after) {
        let start = chart.skip(field.next, &[Class::Copula]);
        let stated = if start > field.next { Stated::Before } else { said };
        let (from, negated) = match chart.one_of(start, &[Class::Not]) {
            Some(next) => (next, !turned),
            None => (start, turned),
        };
        valued(chart, at, &field, from, negated, stated, found);
        compared(chart, at, &field, from, negated, found);
        for next in chart.word(from, Class::Missing) {
            let joined = Joined::Plainly;
            keep(
                found,
                at,
                next,
                Test::Missing(field.what.clone()),
                negated,
                joined,
                field.bonus.saturating_add(1),
            );
        }
        for next in chart.word(start, Class::Present) {
            let test = Test::Missing(field.what.clone());
            keep(found, at, next, test, !turned, Joined::Plainly, field.bonus.saturating_add(1));
        }
    }
}

/// `status open`, `status is not open`, `status in (open, closed)`, `policy number 31003`.
fn valued(
    chart: &Parser<'_>,
    at: usize,
    field: &Found<FieldPhrase>,
    from: usize,
    negated: bool,
    stated: Stated,
    found: &mut Vec<Found<Joint>>,
) {
    let mut openings = vec![(from, negated, stated)];
    openings.extend(chart.word(from, Class::Equal).map(|next| (next, negated, Stated::Before)));
    openings.extend(chart.word(from, Class::NotEqual).map(|next| (next, !negated, Stated::Before)));
    openings.extend(chart.word(from, Class::Preposition).map(|next| (next, negated, Stated::Values)));
    for (after, negated, stated) in openings {
        let after = if chart.text(after) == "(" { after.saturating_add(1) } else { after };
        for list in nouns::value_lists(chart, chart.skip(after, &[Class::Either]), Some(&field.what)) {
            let next = if chart.text(list.next) == ")" { list.next.saturating_add(1) } else { list.next };
            let test = Test::Values { field: Some(field.what.clone()), values: list.what };
            keep(
                found,
                at,
                next,
                test,
                negated,
                Joined::Plainly,
                field.bonus.saturating_add(list.bonus).saturating_add(2),
            );
        }
        let known = !nouns::values(chart, after, Some(&field.what)).is_empty();
        if known || stated == Stated::Values {
            continue;
        }
        let mut literals = nouns::literals(chart, after);
        if stated == Stated::Before {
            literals.extend(nouns::unknown_literal(chart, after));
        }
        // `by channel in 2025` names a year, unless the field was said to be equal to it.
        let timed = stated != Stated::Before && !chart.times(after).is_empty();
        for literal in literals {
            if timed || matches!(literal.what, Literal::Time(_)) {
                continue;
            }
            let test = Test::Literal { field: field.what.clone(), literals: vec![literal.what] };
            keep(found, at, literal.next, test, negated, Joined::Plainly, field.bonus);
        }
    }
}

/// `amount over 100`, `amount between 1 and 5`, `amount 100 or more`, `closing date before May`.
fn compared(
    chart: &Parser<'_>,
    at: usize,
    field: &Found<FieldPhrase>,
    from: usize,
    negated: bool,
    found: &mut Vec<Found<Joint>>,
) {
    for bound in bounds(chart, from) {
        let (comparison, low, high) = bound.what;
        let field_phrase = Some(field.what.clone());
        let test = match high {
            Some(high) => Test::Between { field: field_phrase, low, high },
            None => Test::Compare { field: field_phrase, comparison, literal: low },
        };
        keep(found, at, bound.next, test, negated, Joined::Plainly, field.bonus.saturating_add(3));
    }
    // `tickets resolved in 2025` measures where a metric has that name; `of tickets resolved in 2025` does not.
    let measures = chart
        .items(field.what.span.first)
        .iter()
        .any(|item| item.span == field.what.span && matches!(item.meaning, Meaning::Metrics(_)));
    let bonus = if measures { -20 } else { field.bonus.saturating_add(2) };
    for time in existence::times_after(chart, from) {
        let next = time.span.last.saturating_add(1);
        let test = Test::InTime {
            span: field.what.span,
            fields: field.what.senses.clone(),
            by: NamedBy::Name,
            time,
        };
        keep(found, at, next, test, negated, Joined::Plainly, bonus);
    }
}

/// A comparison and its bounds.
pub(super) type Bound = (Comparison, Literal, Option<Literal>);

/// `over 100`, `between 1 and 5`, `100 or more`.
pub(super) fn bounds(chart: &Parser<'_>, at: usize) -> Vec<Found<Bound>> {
    let mut found = Vec::new();
    for (class, comparison) in COMPARISONS {
        for next in chart.word(at, class) {
            for literal in nouns::literals(chart, next) {
                if !matches!(literal.what, Literal::Text(..)) {
                    found.push(Found {
                        next: literal.next,
                        what: (comparison, literal.what, None),
                        bonus: 0,
                    });
                }
            }
        }
    }
    for next in chart.word(at, Class::Between) {
        for low in numbers(chart, next) {
            let Some(and) = chart.one_of(low.next, &[Class::And, Class::WithTo]) else { continue };
            for high in numbers(chart, and) {
                let what = (Comparison::AtLeast, low.what.clone(), Some(high.what));
                found.push(Found { next: high.next, what, bonus: 2 });
            }
        }
    }
    for number in numbers(chart, at) {
        for (class, comparison) in [(Class::OrMore, Comparison::AtLeast), (Class::OrLess, Comparison::AtMost)]
        {
            for next in chart.word(number.next, class) {
                found.push(Found { next, what: (comparison, number.what.clone(), None), bonus: 1 });
            }
        }
    }
    found
}

fn numbers(chart: &Parser<'_>, at: usize) -> Vec<Found<Literal>> {
    let literals = nouns::literals(chart, at);
    literals.into_iter().filter(|literal| matches!(literal.what, Literal::Number { .. })).collect()
}

/// `closed in 2019`, `that were opened last month`: the verb of a date field and a time.
fn by_date(chart: &Parser<'_>, at: usize, start: usize, found: &mut Vec<Found<Joint>>) {
    let relative = chart.skip(start, &[Class::Relative, Class::Pronoun]);
    let auxiliaries = chart.skip(relative, &[Class::Copula, Class::Have, Class::Do]);
    let negation = chart.one_of(auxiliaries, &[Class::Not, Class::Never]);
    let verb_at = negation.unwrap_or(auxiliaries);
    let fields = chart.lexicon.date_fields_of_verb(chart.text(verb_at));
    if fields.is_empty() {
        return;
    }
    let spoken = |field: &&FieldId| chart.speaks_of(field.dataset);
    let senses: Vec<FieldSense> =
        fields.iter().filter(spoken).map(|field| FieldSense { tier: Tier::Elided, field: *field }).collect();
    if senses.is_empty() {
        return;
    }
    let span = Span { first: verb_at, last: verb_at };
    for time in existence::times_after(chart, verb_at.saturating_add(1)) {
        let next = time.span.last.saturating_add(1);
        let test = Test::InTime { span, fields: senses.clone(), by: NamedBy::Verb, time };
        keep(found, at, next, test, negation.is_some(), Joined::Plainly, 1);
    }
}
