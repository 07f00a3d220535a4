//! How often a question names a field, and how often the reading uses it. A word for the field is not enough where it is
//! named twice: `where status is open, by status` asks for a condition and for groups, and a reading that dropped one of
//! them would still have a part for each of its words.

use std::collections::BTreeMap;

use tieout_core::reading::{
    Condition, FieldRef, Grouping, MeasureRef, Polarity, Problem, RankBy, Ranking, ReasonCode, Request, Use,
    WordUse,
};

use crate::{language::Class, lattice::Chart};

/// What words of a language say that a value is there.
const SAYS_PRESENT: [Class; 5] = [Class::Present, Class::With, Class::Have, Class::Not, Class::Exclude];

/// The parts of a request that use a field.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    /// All of them.
    all: usize,
    /// Groups.
    groups: usize,
    /// That it is known, or not.
    missing: usize,
}

/// Fields that are named more often than they are used, groups that are asked for and not there, and conditions that a
/// field has a value, where no word says so.
pub(super) fn mentions(chart: &Chart<'_>, request: &Request, words: &[WordUse]) -> Vec<Problem> {
    let parts = parts(request);
    let mut named: BTreeMap<&str, Vec<&WordUse>> = BTreeMap::new();
    for word in words {
        if let Use::Field(field) = &word.used_as {
            named.entry(field).or_default().push(word);
        }
    }
    let mut problems = Vec::new();
    for (field, at) in &named {
        let used = parts.get(*field).copied().unwrap_or_default();
        if let Some(last) = at.last().filter(|_| at.len() > 1 && at.len() > used.all) {
            let message = format!("“{}” is named {} times, and is used {}", last.text, at.len(), used.all);
            problems.push(problem(last, message, "give each its part in the reading"));
        }
    }
    for (field, used) in &parts {
        let at = named.get(field.as_str()).map_or(0, Vec::len);
        if used.missing > 0 && used.groups > 0 && at < used.groups.saturating_add(used.missing) {
            let message =
                format!("the reading asks whether {field} is known, but no word of the question does");
            problems.push(Problem::new(ReasonCode::Unsupported, message, "leave it out"));
        }
    }
    problems.extend(ungrouped(chart, words, &parts));
    problems.extend(present_unsaid(chart, request));
    problems.extend(related_unsaid(request, words));
    problems
}

/// `by channel`, where nothing is split by it or put in its order.
fn ungrouped(chart: &Chart<'_>, words: &[WordUse], parts: &BTreeMap<String, Parts>) -> Option<Problem> {
    words.iter().find_map(|word| {
        let Use::Field(field) = &word.used_as else { return None };
        let at = chart.tokens.iter().position(|token| token.start >= word.start)?;
        let split = (0..at).any(|before| {
            chart.word(before, Class::By).chain(chart.word(before, Class::ForEach)).any(|next| next == at)
        });
        let used = parts.get(field).copied().unwrap_or_default();
        (split && used.groups == 0).then(|| {
            let message = format!("“{}” is named as groups, and the reading has none of it", word.text);
            problem(word, message, "split by it")
        })
    })
}

/// That something is known, without a word for it.
fn present_unsaid(chart: &Chart<'_>, request: &Request) -> Option<Problem> {
    let asks = request.conditions().into_iter().any(asks_present);
    let said = (0..chart.tokens_count()).any(|at| chart.one_of(at, &SAYS_PRESENT).is_some());
    (asks && !said).then(|| {
        let message = "the reading asks that something is known, and no word of the question does";
        Problem::new(ReasonCode::Unsupported, message, "leave it out")
    })
}

fn asks_present(condition: &Condition) -> bool {
    match condition {
        Condition::Missing { polarity, .. } => *polarity == Polarity::IsNot,
        Condition::Related { conditions, .. } | Condition::Any(conditions) => {
            conditions.iter().any(asks_present)
        }
        Condition::OneOf { .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::InPeriod { .. }
        | Condition::Member { .. } => false,
    }
}

/// That related rows are there, or are not, where only a field of theirs is named: `by customer name` asks for no
/// customer to be there.
fn related_unsaid(request: &Request, words: &[WordUse]) -> Option<Problem> {
    let bare = request.conditions().into_iter().find_map(bare_related)?;
    let said = words.iter().any(|word| match &word.used_as {
        Use::Dataset(dataset) => dataset == bare,
        Use::Relationship(_) => true,
        Use::Metric(_)
        | Use::Field(_)
        | Use::Value(_)
        | Use::Population(_)
        | Use::Time(_)
        | Use::Number(_)
        | Use::Grammar(_)
        | Use::Definition(_)
        | Use::Wrapping
        | Use::Stop
        | Use::Unknown => false,
    });
    (!said).then(|| {
        let message =
            format!("the reading asks for {bare} that are there, and no word of the question names them");
        Problem::new(ReasonCode::Unsupported, message, "leave it out")
    })
}

/// The related rows that a condition asks for without saying anything of them.
fn bare_related(condition: &Condition) -> Option<&str> {
    match condition {
        Condition::Related { dataset, conditions, .. } => match conditions.is_empty() {
            true => Some(dataset),
            false => conditions.iter().find_map(bare_related),
        },
        Condition::Any(conditions) => conditions.iter().find_map(bare_related),
        Condition::OneOf { .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Member { .. } => None,
    }
}

/// How often each field is used, as `dataset.field`.
fn parts(request: &Request) -> BTreeMap<String, Parts> {
    let mut found = BTreeMap::new();
    request.conditions().into_iter().for_each(|condition| of_condition(condition, &mut found));
    let ranking = match request {
        Request::Figures(figures) => {
            for measure in &figures.measures {
                if let MeasureRef::AdHoc { dataset, field, .. } = &measure.value {
                    found.entry(format!("{dataset}.{field}")).or_insert_with(Parts::default).all += 1;
                }
            }
            for grouping in &figures.groupings {
                if let Grouping::Field(field) = &grouping.value {
                    let parts = of(field, &mut found);
                    (parts.all, parts.groups) = (parts.all.saturating_add(1), parts.groups.saturating_add(1));
                }
            }
            figures.ranking.as_ref()
        }
        Request::Rows(rows) => {
            for column in &rows.columns {
                let parts = of(&column.value, &mut found);
                // What is listed by a field is shown with it.
                (parts.all, parts.groups) = (parts.all.saturating_add(1), parts.groups.saturating_add(1));
            }
            rows.ranking.as_ref()
        }
        Request::About(_) => None,
    };
    if let Some(Ranking { by: RankBy::Field(field), .. }) = ranking {
        let parts = of(field, &mut found);
        (parts.all, parts.groups) = (parts.all.saturating_add(1), parts.groups.saturating_add(1));
    }
    found
}

fn of<'f>(field: &FieldRef, found: &'f mut BTreeMap<String, Parts>) -> &'f mut Parts {
    found.entry(format!("{}.{}", field.dataset, field.field)).or_default()
}

fn of_condition(condition: &Condition, found: &mut BTreeMap<String, Parts>) {
    match condition {
        Condition::OneOf { field, .. }
        | Condition::Compare { field, .. }
        | Condition::Between { field, .. }
        | Condition::InPeriod { field, .. } => {
            let parts = of(field, found);
            parts.all = parts.all.saturating_add(1);
        }
        Condition::Missing { field, .. } => {
            let parts = of(field, found);
            (parts.all, parts.missing) = (parts.all.saturating_add(1), parts.missing.saturating_add(1));
        }
        Condition::Member { .. } => {}
        Condition::Related { conditions, .. } | Condition::Any(conditions) => {
            conditions.iter().for_each(|condition| of_condition(condition, found));
        }
    }
}

fn problem(word: &WordUse, message: String, hint: &str) -> Problem {
    Problem { start: Some(word.start), ..Problem::new(ReasonCode::Unsupported, message, hint) }
}
