//! The periods that are fetched, and their steps.

use jiff::civil::Date;

use super::Window;
use crate::{
    catalogue::Project,
    halt::Halt,
    reading::{Comparison, Derivation, FiguresRequest, Grouping, Problem, RankBy, ReasonCode, Sort},
    time::{Grain, Period},
};

/// The asked window, and the one it is compared with.
///
/// # Errors
/// A refusal when a period is longer than the project allows or has more steps than can be shown.
pub(super) fn windows(project: &Project, request: &FiguresRequest, today: Date) -> Result<Vec<Window>, Halt> {
    let grain = request.groupings.iter().find_map(|g| match &g.value {
        Grouping::Time(grain) => Some(*grain),
        Grouping::Field(_) => None,
    });
    let asked = &request.period;
    let mut windows = vec![window(project, asked.words.clone(), asked.period.as_ref(), grain, today)?];
    if let Derivation::Against(contrast) = &request.derivation {
        windows.push(window(project, contrast.words.clone(), Some(&contrast.baseline), grain, today)?);
    }
    Ok(windows)
}

fn window(
    project: &Project,
    words: String,
    period: Option<&Period>,
    grain: Option<Grain>,
    today: Date,
) -> Result<Window, Halt> {
    if let (Some(period), Some(days_max)) = (period, project.policy.period_days_max)
        && !open_ended(period)
        && period.days() > days_max
    {
        return Err(Halt::Refuse(vec![Problem::new(
            ReasonCode::PeriodTooLong,
            format!("{period} is {} days, and the project allows {days_max}", period.days()),
            "ask for a shorter period",
        )]));
    }
    let buckets = match (grain, period) {
        (Some(grain), Some(period)) => {
            project.calendar.buckets(grain, period).ok_or_else(|| too_many(grain))?
        }
        (Some(_), None) => return Err(Halt::Refuse(vec![unbounded()])),
        (None, _) => Vec::new(),
    };
    if let ([only], Some(grain)) = (buckets.as_slice(), grain)
        && only.partial
    {
        return Err(Halt::Refuse(vec![Problem::new(
            ReasonCode::Unsupported,
            format!("{words} lies within one {grain}, so steps of a {grain} split nothing"),
            "ask for a longer period or shorter steps",
        )]));
    }
    let ahead = buckets.iter().position(|b| b.period.start() > today);
    Ok(Window { words, period: period.cloned(), buckets, ahead })
}

/// A step that is not over, or still to come, is no lowest one: it would stand among whole steps.
///
/// # Errors
/// A refusal when steps are put in order from the least, or kept for being small, and the last is not over.
pub(super) fn whole_steps(request: &FiguresRequest, windows: &[Window], today: Date) -> Result<(), Halt> {
    let least = request
        .ranking
        .as_ref()
        .is_some_and(|r| r.sort == Sort::Ascending && matches!(r.by, RankBy::Measure(_) | RankBy::Change(_)));
    let small = request.having.iter().any(|h| match h.comparison {
        Comparison::Below | Comparison::AtMost | Comparison::Equal => true,
        Comparison::NotEqual | Comparison::AtLeast | Comparison::Above => false,
    });
    let open = windows.first().and_then(|w| w.buckets.iter().find(|b| b.period.end_exclusive() > today));
    match open {
        Some(bucket) if least || small => Err(Halt::Refuse(vec![Problem::new(
            ReasonCode::NotLoaded,
            format!("{} is not over, and would stand as a low one among whole steps", bucket.label),
            "ask for a period that ends before it, such as “up to” the last whole one",
        )])),
        Some(_) | None => Ok(()),
    }
}

/// Whether a period has no first day of its own: all that lies before a day.
fn open_ended(period: &Period) -> bool {
    period.start().year() <= 1
}

fn too_many(grain: Grain) -> Halt {
    Halt::Refuse(vec![Problem::new(
        ReasonCode::PeriodTooLong,
        format!("the period has more steps of a {grain} than can be shown"),
        "ask for a shorter period or longer steps",
    )])
}

fn unbounded() -> Problem {
    Problem::new(
        ReasonCode::Unsupported,
        "a trend needs a period",
        "give one, such as “in the last 12 months”",
    )
}
