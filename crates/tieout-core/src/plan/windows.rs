//! The periods that are fetched, and their steps.

use super::Window;
use crate::{
    catalogue::Project,
    halt::Halt,
    reading::{Derivation, FiguresRequest, Grouping, Problem, ReasonCode},
    time::{Grain, Period},
};

/// The asked window, and the one it is compared with.
///
/// # Errors
/// A refusal when a period is longer than the project allows or has more steps than can be shown.
pub(super) fn windows(project: &Project, request: &FiguresRequest) -> Result<Vec<Window>, Halt> {
    let grain = request.groupings.iter().find_map(|g| match &g.value {
        Grouping::Time(grain) => Some(*grain),
        Grouping::Field(_) => None,
    });
    let asked = &request.period;
    let mut windows = vec![window(project, asked.words.clone(), asked.period.as_ref(), grain)?];
    if let Derivation::Against(contrast) = &request.derivation {
        windows.push(window(project, contrast.words.clone(), Some(&contrast.baseline), grain)?);
    }
    Ok(windows)
}

fn window(
    project: &Project,
    words: String,
    period: Option<&Period>,
    grain: Option<Grain>,
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
    Ok(Window { words, period: period.cloned(), buckets })
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
