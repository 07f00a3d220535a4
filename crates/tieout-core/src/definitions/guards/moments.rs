//! Guards over states, verbs and the dates they stand beside.

use crate::{
    catalogue::{Catalogue, Datatype},
    reading::{Condition, FiguresRequest, Grouping, Problem, ReasonCode, RowsRequest, Source, Use, WordUse},
};

/// Participles of English that do not end in “ed”, of what business records tell.
const PARTICIPLES: [&str; 13] = [
    "paid", "due", "sent", "made", "sold", "bought", "won", "lost", "taken", "given", "written", "drawn",
    "begun",
];

/// Words for a state that passes.
const STATES: [&str; 9] =
    ["active", "open", "current", "outstanding", "pending", "live", "inactive", "available", "unresolved"];

/// Whether a word says that something was done: `opened`, `paid`.
#[must_use]
pub fn participle(token: &str) -> bool {
    token.ends_with("ed") || PARTICIPLES.contains(&token)
}

/// Whether any word of a text does.
pub(super) fn acts(word: &WordUse) -> bool {
    word.text.to_lowercase().split_whitespace().any(participle)
}

/// "Loans closed by month", "orders cancelled in September": the state has no date, and the rows' own date is another
/// one. Before the noun (`cancelled orders in September`) it is a kind of row, and the period is the rows' own.
pub(super) fn states_without_a_date(
    stepped: bool,
    words: &[WordUse],
    catalogue: &Catalogue,
) -> Option<Problem> {
    let plain: Vec<&WordUse> = words.iter().filter(|w| w.used_as != Use::Stop).collect();
    let noun = |w: &&WordUse| matches!(w.used_as, Use::Dataset(_) | Use::Metric(_) | Use::Population(_));
    let first = plain.iter().position(noun)?;
    let is_state = |at: usize| {
        let (Some(word), before) = (plain.get(at), plain.get(at.saturating_sub(1))) else { return false };
        let alone = word.text.split_whitespace().count() == 1;
        // `not cancelled` is no event, and `with order status shipped` names what it is a value of.
        let said = before.is_some_and(|w| matches!(w.used_as, Use::Field(_)) || negates(w));
        let state = match &word.used_as {
            Use::Value(_) | Use::Population(_) => true,
            Use::Field(name) => flag(name, catalogue),
            Use::Metric(_)
            | Use::Dataset(_)
            | Use::Relationship(_)
            | Use::Time(_)
            | Use::Number(_)
            | Use::Grammar(_)
            | Use::Definition(_)
            | Use::Wrapping
            | Use::Stop
            | Use::Unknown => false,
        };
        let dated = plain.get(at.saturating_add(1)).is_some_and(|w| matches!(w.used_as, Use::Time(_)));
        state && alone && acts(word) && !said && (stepped || dated)
    };
    let state =
        (first.saturating_add(1)..plain.len()).find(|at| is_state(*at)).and_then(|at| plain.get(at))?;
    Some(Problem {
        start: Some(state.start),
        ..Problem::new(
            ReasonCode::Unsupported,
            format!("“{}” is a state, and nothing says when it came about", state.text),
            "put it before the noun, to use the rows' own date, or name the date that is meant",
        )
    })
}

/// `dataset.field` of a flag.
fn flag(name: &str, catalogue: &Catalogue) -> bool {
    let Some((dataset, field)) = name.split_once('.') else { return false };
    let found = catalogue.datasets.get(dataset).and_then(|d| d.fields.get(field));
    found.is_some_and(|f| f.datatype == Datatype::Boolean)
}

fn negates(word: &WordUse) -> bool {
    const NOT: [&str; 4] = ["not", "never", "no", "without"];
    word.text.to_lowercase().split_whitespace().any(|t| NOT.contains(&t) || t.ends_with("n't"))
}

/// "Tickets open on 1 September", "were active in August": what a state was then is not what it is now.
pub(super) fn states_at_a_date(words: &[WordUse], catalogue: &Catalogue) -> Option<Problem> {
    const BE: [&str; 6] = ["was", "were", "is", "are", "been", "be"];
    let alone = |w: &WordUse| w.text.split_whitespace().count() == 1 && !acts(w);
    let state = |w: &WordUse, at_a_point: bool| match &w.used_as {
        Use::Value(_) => alone(w) && (at_a_point || STATES.contains(&w.text.to_lowercase().as_str())),
        Use::Field(name) => dated_field(name, catalogue) && alone(w),
        Use::Population(_) => alone(w),
        Use::Metric(_)
        | Use::Dataset(_)
        | Use::Relationship(_)
        | Use::Time(_)
        | Use::Number(_)
        | Use::Grammar(_)
        | Use::Definition(_)
        | Use::Wrapping
        | Use::Stop
        | Use::Unknown => false,
    };
    let is_be = |w: &WordUse| w.text.to_lowercase().split_whitespace().any(|t| BE.contains(&t));
    let plain: Vec<&WordUse> = words.iter().filter(|w| w.used_as != Use::Stop || is_be(w)).collect();
    let at_a_date = |at: &usize| {
        let mut rest = plain.get(*at..).unwrap_or_default().iter();
        let (Some(be), Some(word)) = (rest.next(), rest.next()) else { return false };
        let Some(next) = rest.next() else { return false };
        let leads = is_point(next) && !matches!(next.used_as, Use::Time(_));
        let time = if leads { rest.next() } else { Some(next) };
        let at_a_point = is_point(next);
        is_be(be) && time.is_some_and(|t| matches!(t.used_as, Use::Time(_))) && state(word, at_a_point)
    };
    let word = (0..plain.len()).find(at_a_date).and_then(|at| plain.get(at.saturating_add(1)))?;
    Some(Problem {
        start: Some(word.start),
        ..Problem::new(
            ReasonCode::Unsupported,
            format!("what was “{}” at another time is not recorded; only what is now", word.text),
            "ask for a metric that is a stock, or for rows by a date that is recorded",
        )
    })
}

/// Whether a word leads to a moment at which something is so: `on 1 September`, `at the end of August`.
fn is_point(word: &WordUse) -> bool {
    const POINTS: [&str; 4] = ["on", "at", "as", "by"];
    word.text.to_lowercase().split_whitespace().next().is_some_and(|t| POINTS.contains(&t))
}

/// `dataset.field` of a date or a moment.
fn dated_field(name: &str, catalogue: &Catalogue) -> bool {
    let Some((dataset, field)) = name.split_once('.') else { return false };
    let found = catalogue.datasets.get(dataset).and_then(|d| d.fields.get(field));
    found.is_some_and(|f| super::dated_type(f.datatype))
}

/// "Closed loans by closing date by month": one splits by the day, the other by the step.
pub(super) fn date_and_step(figures: &FiguresRequest, catalogue: &Catalogue) -> Option<Problem> {
    let stepped = figures.groupings.iter().any(|g| matches!(g.value, Grouping::Time(_)));
    let date = figures.groupings.iter().find_map(|g| match &g.value {
        Grouping::Field(field) if dated_field(&format!("{}.{}", field.dataset, field.field), catalogue) => {
            Some(field)
        }
        Grouping::Field(_) | Grouping::Time(_) => None,
    });
    let field = date.filter(|_| stepped)?;
    Some(Problem::new(
        ReasonCode::Unsupported,
        format!(
            "the figures would be split by {} of {} and by steps of another date",
            field.field, field.dataset
        ),
        "split by one date",
    ))
}

/// "Active loans by month": what is active now, by another date, looks like what was active then.
pub(super) fn states_by_step(figures: &FiguresRequest, words: &[WordUse]) -> Option<Problem> {
    let stepped = figures.groupings.iter().any(|g| matches!(g.value, Grouping::Time(_)));
    let state = |w: &&WordUse| {
        let text = w.text.to_lowercase();
        matches!(w.used_as, Use::Value(_) | Use::Population(_))
            && text.split_whitespace().any(|t| STATES.contains(&t))
    };
    let word = words.iter().filter(|_| stepped).find(state)?;
    Some(Problem {
        start: Some(word.start),
        ..Problem::new(
            ReasonCode::Unsupported,
            format!("“{}” is what is so now, and steps of time would show it as what was so then", word.text),
            "ask for a metric that is a stock, or leave the steps out",
        )
    })
}

/// "By year and quarter": one set of steps can be taken at a time.
pub(super) fn steps_of_two_kinds(figures: &FiguresRequest) -> Option<Problem> {
    let steps = figures.groupings.iter().filter(|g| matches!(g.value, Grouping::Time(_))).count();
    (steps > 1).then(|| {
        Problem::new(
            ReasonCode::Unsupported,
            "the figures would be split by steps of two kinds",
            "split by the shorter of the two",
        )
    })
}

/// "Closed loans by month", "solved tickets in September", where the day of it is recorded: of that day, or of the rows'
/// own?
pub(super) fn dated_state(
    figures: &FiguresRequest,
    words: &[WordUse],
    catalogue: &Catalogue,
) -> Option<Problem> {
    let stepped = figures.groupings.iter().any(|g| matches!(g.value, Grouping::Time(_)));
    let asked = figures.period.period.is_some() && figures.period.source == Source::Question;
    dated_state_word(words, catalogue).filter(|_| stepped || asked)
}

/// The same of a list.
pub(super) fn dated_state_of_rows(
    rows: &RowsRequest,
    words: &[WordUse],
    catalogue: &Catalogue,
) -> Option<Problem> {
    let asked = rows.period.period.is_some() && rows.period.source == Source::Question;
    dated_state_word(words, catalogue).filter(|_| asked)
}

fn dated_state_word(words: &[WordUse], catalogue: &Catalogue) -> Option<Problem> {
    let word = words.iter().find(|w| match &w.used_as {
        Use::Value(said) => said.split_once(" = ").is_some_and(|(name, state)| {
            let dataset = name.split('.').next().unwrap_or_default();
            catalogue.datasets.get(dataset).is_some_and(|d| d.date_called(state).is_some())
        }),
        Use::Population(_) => acts(w) && recorded(w, catalogue),
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
    })?;
    Some(Problem {
        start: Some(word.start),
        ..Problem::new(
            ReasonCode::Unsupported,
            format!(
                "“{}” came about on a day of its own, and the period would be of another date",
                word.text
            ),
            "put the verb behind the noun, as in “loans closed in 2025”, or ask for a metric by that date",
        )
    })
}

/// Whether a participle of a population's words has a date in its dataset.
fn recorded(word: &WordUse, catalogue: &Catalogue) -> bool {
    let Use::Population(name) = &word.used_as else { return false };
    let Some(found) = catalogue.populations.get(name) else { return false };
    let text = word.text.to_lowercase();
    let mut verbs = text.split_whitespace().filter(|t| participle(t));
    let dataset = catalogue.datasets.get(&found.dataset);
    verbs.any(|verb| dataset.is_some_and(|d| d.date_called(verb).is_some()))
}

/// "Repayments by month of payment": the steps would follow another date than the one that has the period.
pub(super) fn steps_of_another_date(figures: &FiguresRequest) -> Option<Problem> {
    let stepped = figures.groupings.iter().any(|g| matches!(g.value, Grouping::Time(_)));
    let other = figures.conditions.iter().find_map(|c| match &c.value {
        Condition::InPeriod { field, .. } => Some(field),
        Condition::OneOf { .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::Member { .. }
        | Condition::Related { .. }
        | Condition::Any(_) => None,
    });
    let field = other.filter(|_| stepped && figures.period.period.is_none())?;
    Some(Problem::new(
        ReasonCode::Unsupported,
        format!(
            "the period is of {} of {}, and the steps of time would follow another date",
            field.field, field.dataset
        ),
        "ask for a metric whose own date is meant, or leave the steps out",
    ))
}
