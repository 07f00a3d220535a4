//! What a period is compared with: another period, growth, step by step, or what the previous answer compared with.

use jiff::Span as TimeLength;
use tieout_core::{
    reading::{Contrast, Derivation, ReasonCode, Source},
    time::{Grain, Period},
};

use super::{
    Frame, Resolver,
    periods::{Asked, Before, of_before},
};
use crate::{lattice::TimeItem, time::TimeKind};

impl Resolver<'_> {
    /// What a baseline means for the asked period.
    pub(super) fn baseline(&mut self, time: &TimeItem, asked: &Period) -> Option<Contrast> {
        let calendar = &self.chart().calendar;
        let (baseline, words) = match &time.reading.kind {
            TimeKind::Period(period) => {
                if self.also_previous(time) {
                    self.unlikely(3);
                }
                self.nearest_year(time, period, asked)
            }
            TimeKind::Previous { steps, grain } => {
                let baseline = self.steps_before(asked, *steps, *grain)?;
                let words = self.say(&baseline);
                (baseline, words)
            }
            TimeKind::SameLastYear => {
                let baseline = calendar.shifted(asked, -12)?;
                let words = self.say(&baseline);
                (baseline, words)
            }
            TimeKind::Zone(_)
            | TimeKind::Grain(_)
            | TimeKind::StepByStep(_)
            | TimeKind::Empty(_)
            | TimeKind::TooLarge(_) => return None,
        };
        if baseline == *asked {
            self.blame(
                ReasonCode::Unsupported,
                time.span,
                "is the period itself",
                "compare with another period",
            );
            return None;
        }
        Some(Contrast { baseline, words })
    }

    /// Whether the same words also mean so many units before the asked period.
    pub(super) fn also_previous(&self, time: &TimeItem) -> bool {
        self.chart()
            .times(time.span.first)
            .iter()
            .any(|other| other.span == time.span && matches!(other.reading.kind, TimeKind::Previous { .. }))
    }

    /// A month without a year lies in the asked period's year, or, when that is still to come, in the year before.
    pub(super) fn nearest_year(
        &mut self,
        time: &TimeItem,
        period: &Period,
        asked: &Period,
    ) -> (Period, String) {
        let today = self.chart().calendar.today(self.chart().now);
        let year = asked.start().year();
        let fits = |period: &Period| *period != *asked && period.start() <= today;
        for year in [year, year.saturating_sub(1)] {
            let Some(reading) = self.chart().with_year(time.span, year) else { break };
            if let TimeKind::Period(found) = reading.kind
                && fits(&found)
            {
                return (found, reading.words);
            }
        }
        self.alternatives.extend(time.reading.alternatives.iter().cloned());
        (period.clone(), time.reading.words.clone())
    }

    /// So many units before a period; without a unit, the period of the same length before it.
    pub(super) fn steps_before(&self, asked: &Period, steps: i32, grain: Option<Grain>) -> Option<Period> {
        let calendar = &self.chart().calendar;
        let Some(grain) = grain else { return self.preceding(asked) };
        let back = steps.checked_neg()?;
        if calendar.unit(grain, asked.start()).as_ref() == Some(asked) {
            return calendar.unit_at(grain, asked.start(), back);
        }
        match grain {
            Grain::Year | Grain::FiscalYear => calendar.shifted(asked, back.checked_mul(12)?),
            Grain::Quarter | Grain::FiscalQuarter => calendar.shifted(asked, back.checked_mul(3)?),
            Grain::Month => calendar.shifted(asked, back),
            Grain::Week => moved(asked, i64::from(back).checked_mul(7)?),
            Grain::Day => moved(asked, i64::from(back)),
        }
    }

    /// The period of the same length right before.
    pub(super) fn preceding(&self, asked: &Period) -> Option<Period> {
        let (start, end) = (asked.start(), asked.end_exclusive());
        if start.day() == 1 && end.day() == 1 {
            let years = i32::from(end.year()).checked_sub(i32::from(start.year()))?;
            let months =
                years.checked_mul(12)?.checked_add(i32::from(end.month()) - i32::from(start.month()))?;
            return self.chart().calendar.shifted(asked, months.checked_neg()?);
        }
        moved(asked, asked.days().checked_neg()?)
    }

    pub(super) fn derivation(
        &mut self,
        frame: &Frame<'_>,
        asked: Option<&Asked>,
        contrast: Option<Contrast>,
        steps: Option<Grain>,
        grains: &mut Vec<(Grain, Source)>,
        before: Option<&Before<'_>>,
    ) -> Derivation {
        if let Some(contrast) = contrast {
            return Derivation::Against(contrast);
        }
        if let Some(grain) = steps {
            return self.step_by_step(grain, asked, grains);
        }
        if !frame.changes.is_empty() {
            if !grains.is_empty() {
                return Derivation::StepByStep;
            }
            return self.growth(asked, before);
        }
        match before {
            Some(before) => self.carried(before, asked),
            None => Derivation::Plain,
        }
    }

    /// `month over month`: over several months each against the one before; over one, that one against the one before.
    pub(super) fn step_by_step(
        &mut self,
        grain: Grain,
        asked: Option<&Asked>,
        grains: &mut Vec<(Grain, Source)>,
    ) -> Derivation {
        let one = asked.and_then(|asked| {
            let unit = self.chart().calendar.unit(grain, asked.period.start())?;
            let short = asked.period.end_exclusive() <= unit.end_exclusive();
            short.then(|| self.steps_before(&asked.period, 1, Some(grain)))?
        });
        if let Some(baseline) = one.filter(|_| grains.is_empty()) {
            let words = self.say(&baseline);
            return Derivation::Against(Contrast { baseline, words });
        }
        if grains.iter().all(|(known, _)| *known != grain) {
            grains.push((grain, Source::Question));
        }
        Derivation::StepByStep
    }

    /// `growth` without a baseline: against the period before.
    pub(super) fn growth(&mut self, asked: Option<&Asked>, before: Option<&Before<'_>>) -> Derivation {
        let known = asked.cloned().or_else(|| before.and_then(|before| of_before(before.period)));
        let Some(known) = known else { return Derivation::Plain };
        let Some(baseline) = self.preceding(&known.period) else { return Derivation::Plain };
        if let Some(year) = self.chart().calendar.shifted(&known.period, -12) {
            let words = self.say(&year);
            self.alternatives.push(format!("against {words}"));
        }
        let words = format!("the period before ({})", self.say(&baseline));
        Derivation::Against(Contrast { baseline, words })
    }

    /// A comparison carried over to another period: the same distance before it.
    pub(super) fn carried(&self, before: &Before<'_>, asked: Option<&Asked>) -> Derivation {
        let Derivation::Against(contrast) = before.derivation else { return before.derivation.clone() };
        let (Some(asked), Some(old)) = (asked, &before.period.period) else {
            return before.derivation.clone();
        };
        let moved = if self.preceding(old).as_ref() == Some(&contrast.baseline) {
            self.preceding(&asked.period)
        } else if self.chart().calendar.shifted(old, -12).as_ref() == Some(&contrast.baseline) {
            self.chart().calendar.shifted(&asked.period, -12)
        } else {
            None
        };
        match moved {
            Some(baseline) => {
                let words = self.say(&baseline);
                Derivation::Against(Contrast { baseline, words })
            }
            None => Derivation::Plain,
        }
    }
}

/// A period moved by days.
fn moved(period: &Period, days: i64) -> Option<Period> {
    let span = TimeLength::new().try_days(days).ok()?;
    let start = period.start().checked_add(span).ok()?;
    let end = period.end_exclusive().checked_add(span).ok()?;
    Period::new(start, end, period.zone().clone())
}
