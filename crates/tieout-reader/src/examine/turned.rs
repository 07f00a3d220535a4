//! Which of two periods is compared with which: a reading that has them exchanged has every word in its place, and its
//! difference the wrong way round.

use tieout_core::{
    reading::{Derivation, Problem, ReasonCode, Request},
    time::Period,
};

use crate::{language::Class, lattice::Chart, time::TimeKind};

/// A period that is compared with one which the question names before it. `between August and September` says the earlier
/// one first; every other way of asking says first what is asked for.
pub(super) fn turned(chart: &Chart<'_>, request: &Request) -> Option<Problem> {
    let Request::Figures(figures) = request else { return None };
    let Derivation::Against(contrast) = &figures.derivation else { return None };
    let asked = place(chart, figures.period.period.as_ref()?)?;
    let baseline = place(chart, &contrast.baseline)?;
    let introduced = baseline.checked_sub(1).is_some_and(|at| chart.one_of(at, &[Class::Between]).is_some());
    if asked < baseline || introduced {
        return None;
    }
    Some(Problem::new(
        ReasonCode::Unsupported,
        format!("the question names {} first, and the reading only compares with it", contrast.words),
        "exchange `period` and `against`",
    ))
}

/// Where a question names a period.
fn place(chart: &Chart<'_>, period: &Period) -> Option<usize> {
    (0..chart.tokens_count()).find(|at| {
        let is_it = |kind: &TimeKind| matches!(kind, TimeKind::Period(named) if named == period);
        chart.times(*at).iter().any(|item| is_it(&item.reading.kind))
    })
}
