//! Which of the readings of a question stands, and when two stand equally well.

use tieout_core::{
    catalogue::Presence,
    reading::{Choice, Condition, Doubtful, MeasureRef, Polarity, Problem, ReasonCode, Request},
};

use crate::resolve::Resolved;

/// What a problem costs a reading: a lawful reading that is a little less likely is preferred.
const PROBLEM: i32 = 8;
/// What a doubt costs a reading.
const DOUBT: i32 = 1;
/// The most readings that are put to the asker.
const READINGS_OFFERED_MAX: usize = 4;

/// The best reading, and those that are as good and ask for something else.
pub(crate) struct Ranked<'s> {
    pub(crate) best: Resolved<'s>,
    pub(crate) tied: Vec<Resolved<'s>>,
}

/// Ranks readings; none when there is none.
pub(crate) fn rank(readings: Vec<Resolved<'_>>) -> Option<Ranked<'_>> {
    let mut weighed: Vec<(i32, Resolved<'_>)> = readings.into_iter().map(|r| (worth(&r), r)).collect();
    weighed.sort_by_key(|(worth, _)| std::cmp::Reverse(*worth));
    let mut weighed = weighed.into_iter();
    let (top, best) = weighed.next()?;
    let mut tied: Vec<Resolved<'_>> = Vec::new();
    if best.problems.is_empty() && best.doubts.is_empty() {
        for (worth, reading) in weighed {
            let is_other = |known: &Resolved<'_>| known.request != reading.request;
            let stands = worth == top && reading.problems.is_empty() && reading.doubts.is_empty();
            if stands && is_other(&best) && tied.iter().all(is_other) && tied.len() < READINGS_OFFERED_MAX {
                tied.push(reading);
            }
        }
    }
    Some(Ranked { best, tied })
}

/// The same reading with its conditions said as simply as they can be, so that two ways to say one thing do not tie.
pub(crate) fn simplest(mut reading: Resolved<'_>) -> Resolved<'_> {
    if let Some(Request::Figures(figures)) = &mut reading.request {
        figures.conditions.iter_mut().for_each(|condition| simplify(&mut condition.value));
    }
    if let Some(Request::Rows(rows)) = &mut reading.request {
        rows.conditions.iter_mut().for_each(|condition| simplify(&mut condition.value));
    }
    reading
}

/// "With a row of a population" is membership of the population.
fn simplify(condition: &mut Condition) {
    if let Condition::Related { via, presence, conditions, period: None, .. } = condition
        && let [Condition::Member { population, via: None, polarity: Polarity::Is }] = conditions.as_slice()
    {
        let polarity = match presence {
            Presence::Exists => Polarity::Is,
            Presence::Absent => Polarity::IsNot,
        };
        *condition = Condition::Member { population: population.clone(), via: via.clone(), polarity };
    }
}

/// What a reading is worth, which is never more than the score of its sequence. Unknown words have lowered that already.
pub(crate) fn worth(reading: &Resolved<'_>) -> i32 {
    let counted =
        |problem: &&Problem| !matches!(problem.code, ReasonCode::UnknownWord | ReasonCode::UnknownValue);
    let problems = i32::try_from(reading.problems.iter().filter(counted).count()).unwrap_or(i32::MAX);
    let doubts = i32::try_from(reading.doubts.len()).unwrap_or(i32::MAX);
    reading
        .score
        .saturating_sub(problems.saturating_mul(PROBLEM))
        .saturating_sub(doubts.saturating_mul(DOUBT))
}

/// The doubt between readings that stand equally well: its subject is what they differ in.
pub(crate) fn between(readings: &[&Resolved<'_>]) -> Doubtful {
    let requests: Vec<&Request> = readings.iter().filter_map(|reading| reading.request.as_ref()).collect();
    let subject = differing(&requests);
    let key = |index: usize, request: &Request| {
        match (subject, request) {
            ("metric", Request::Figures(figures)) => figures.measures.first().map(|m| measure_key(&m.value)),
            ("period", Request::Figures(figures)) => figures.period.period.as_ref().map(ToString::to_string),
            _ => None,
        }
        .unwrap_or_else(|| format!("r{}", index.saturating_add(1)))
    };
    let mut choices: Vec<Choice> = requests
        .iter()
        .enumerate()
        .map(|(index, request)| Choice { key: key(index, request), text: one_line(request) })
        .collect();
    let keys: std::collections::BTreeSet<String> = choices.iter().map(|choice| choice.key.clone()).collect();
    if keys.len() < choices.len() {
        for (index, choice) in choices.iter_mut().enumerate() {
            choice.key = format!("r{}", index.saturating_add(1));
        }
    }
    let message = format!("the question can be read in {} ways", choices.len());
    Doubtful { subject: subject.to_owned(), message, choices }
}

fn differing(requests: &[&Request]) -> &'static str {
    let figures: Vec<_> = requests
        .iter()
        .filter_map(|request| if let Request::Figures(figures) = request { Some(figures) } else { None })
        .collect();
    let Some(first) = figures.first().filter(|_| figures.len() == requests.len()) else { return "reading" };
    if figures.iter().any(|figures| figures.measures != first.measures) {
        "metric"
    } else if figures.iter().any(|figures| figures.period != first.period) {
        "period"
    } else if figures.iter().any(|figures| figures.conditions != first.conditions) {
        "population"
    } else {
        "reading"
    }
}

fn measure_key(measure: &MeasureRef) -> String {
    match measure {
        MeasureRef::Metric(name) => name.clone(),
        MeasureRef::Count { dataset } => format!("count:{dataset}"),
        MeasureRef::AdHoc { kind, dataset, field } => format!("{kind}:{dataset}.{field}"),
    }
}

/// A request in one line.
fn one_line(request: &Request) -> String {
    let lines: Vec<String> = request.to_string().lines().map(|line| line.trim().to_owned()).collect();
    lines.join("; ")
}

/// Whether a problem may be one of a chosen meaning alone.
pub(crate) fn hangs_on_meaning(problem: &Problem) -> bool {
    matches!(
        problem.code,
        ReasonCode::Unsupported
            | ReasonCode::NoRelationship
            | ReasonCode::ForbiddenGrouping
            | ReasonCode::NotAdditive
            | ReasonCode::DefinitionDiffers
    )
}
