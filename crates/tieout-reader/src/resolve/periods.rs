//! Which days are asked for, and what they are compared with.

use tieout_core::{
    reading::{AskedPeriod, Choice, Contrast, Derivation, ReasonCode, Source, Use},
    time::{Grain, OPEN_START, Period},
};

use super::{Base, Frame, Resolver};
use crate::{
    grammar::ast::{Head, MeasureCore, MeasurePhrase, Opening, Target, Test},
    language::Class,
    lattice::{Span, TimeItem},
    time::TimeKind,
};

/// What a question says of time.
#[derive(Clone, Debug)]
pub(super) struct Timing {
    pub(super) period: AskedPeriod,
    pub(super) derivation: Derivation,
    pub(super) grains: Vec<(Grain, Source)>,
}

/// What the previous answer said of time.
pub(super) struct Before<'p> {
    pub(super) period: &'p AskedPeriod,
    pub(super) derivation: &'p Derivation,
}

/// A period with the words that named it.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) period: Period,
    pub(super) words: String,
    pub(super) source: Source,
    pub(super) span: Option<Span>,
}

impl Resolver<'_> {
    pub(super) fn note_time(&mut self, time: &TimeItem) {
        self.note(time.span, Use::Time(time.reading.account()));
    }

    /// Everything that the question says of time.
    pub(super) fn timing(
        &mut self,
        frame: &Frame<'_>,
        extra: &[TimeItem],
        bases: &[Base],
        before: Option<&Before<'_>>,
    ) -> Timing {
        let mut grains = Vec::new();
        let mut periods: Vec<TimeItem> = extra.to_vec();
        extra.iter().for_each(|time| self.note_time(time));
        let mut steps = None;
        let mut versus: Vec<(TimeItem, Opening)> =
            frame.versus.iter().map(|(t, o)| ((*t).clone(), *o)).collect();
        for time in &frame.whens {
            self.note_time(time);
            match &time.reading.kind {
                TimeKind::Period(_) | TimeKind::Previous { .. } => periods.push((*time).clone()),
                TimeKind::Zone(_) => {}
                TimeKind::Grain(grain) => grains.push((*grain, Source::Question)),
                TimeKind::SameLastYear => versus.push(((*time).clone(), Opening::Plain)),
                TimeKind::StepByStep(grain) => steps = Some(*grain),
                TimeKind::Empty(reason) | TimeKind::TooLarge(reason) => {
                    let splits = self.chart().one_of(time.span.first, &[Class::By, Class::ForEach]).is_some();
                    let code = if splits { ReasonCode::Unsupported } else { ReasonCode::EmptyPeriod };
                    let message = format!("cannot be used: {reason}");
                    self.blame(
                        code,
                        time.span,
                        &message,
                        "give a period that starts before it ends, in whole days",
                    );
                }
            }
        }
        for (time, opening) in &versus {
            self.note_time(time);
            if *opening == Opening::AfterCompare && !frame.compares() {
                self.unlikely(30);
            }
        }
        let (asked, contrast) = self.asked(frame, &periods, &versus, before);
        let grows = !frame.changes.is_empty() && contrast.is_none() && steps.is_none() && grains.is_empty();
        let asked = if grows && asked.is_none() && before.is_none() { self.period_in_doubt() } else { asked };
        let derivation = self.derivation(frame, asked.as_ref(), contrast, steps, &mut grains, before);
        let period = self.dated(asked, bases, before);
        Timing { period, derivation, grains }
    }

    /// Words of a state right before a time: the time may be when the state came about, and that may not be recorded.
    pub(super) fn untimed_states(&mut self, frame: &Frame<'_>, bases: &[Base]) {
        // Of a share, the time is that of the whole.
        let shared = !frame.shares.is_empty();
        for part in &frame.filters {
            let Test::Values { field: None, values } = &part.filter.test else { continue };
            let Some(last) = values.last().map(|value| value.span) else { continue };
            let word = self.chart().text(last.last);
            let is_state =
                !shared && !part.filter.negated && self.chart().language().inflection.is_participle(word);
            if is_state && frame.whens.iter().any(|time| self.follows(last, time)) {
                self.state_in_doubt(last, bases);
            }
        }
        self.times_of_one_clause(frame);
        let populations = frame.named.iter().filter_map(|part| match part.target {
            Target::Thing(noun) => Some(noun),
            Target::Measure(MeasurePhrase { core: MeasureCore::Count(noun), .. }) => Some(noun),
            Target::Measure(_) | Target::Field(_) | Target::Grain(..) => None,
        });
        for noun in populations {
            let Head::Population(index) = noun.head else { continue };
            let Some((_, population)) = self.catalogue().populations.get_index(index) else { continue };
            let timeless = population.membership.related.iter().any(|related| !related.within_period);
            if timeless && frame.whens.iter().any(|time| self.follows(noun.span, time)) {
                // `customers without orders in 2026` are without orders in 2026, not without any.
                self.unlikely(34);
            }
        }
    }

    /// `who ordered in August and in September`: a second time behind a clause that has one is the clause's too.
    fn times_of_one_clause(&mut self, frame: &Frame<'_>) {
        for part in &frame.filters {
            let Test::Related(related) = &part.filter.test else { continue };
            let next = part.filter.span.last.saturating_add(1);
            let Some(after) = self.chart().one_of(next, &[Class::And]).filter(|_| related.time.is_some())
            else {
                continue;
            };
            let before = Span { first: after.saturating_sub(1), last: after.saturating_sub(1) };
            if let Some(time) = frame.whens.iter().find(|time| self.follows(before, time)) {
                let message =
                    "is a second time of one clause, and it is not said whether one of them is enough";
                self.blame(ReasonCode::Unsupported, time.span, message, "ask for one of them");
            }
        }
    }

    /// Whether a time stands right behind a run, but for a preposition.
    fn follows(&self, span: Span, time: &TimeItem) -> bool {
        let next = span.last.saturating_add(1);
        let is_period = matches!(time.reading.kind, TimeKind::Period(_) | TimeKind::Previous { .. });
        is_period
            && (time.span.first == next
                || self.chart().word(next, Class::TimePreposition).any(|at| at == time.span.first))
    }

    fn state_in_doubt(&mut self, span: Span, bases: &[Base]) {
        let Some(base) = bases.first() else { return };
        let Some(time) = base.time.clone() else { return };
        let dataset = self.dataset(base.dataset);
        let label = dataset
            .and_then(|d| d.fields.get(&time))
            .map_or_else(|| time.clone(), |field| field.label.clone());
        let words = self.words_of(span);
        let message = format!(
            "nothing says when a row came to be `{words}`; the period can only be that of the {label}"
        );
        let choices = vec![Choice { key: time, text: format!("the period by the {label}") }];
        self.choose("period", message, choices);
    }

    /// The asked period, and the one it is set against.
    fn asked(
        &mut self,
        frame: &Frame<'_>,
        periods: &[TimeItem],
        versus: &[(TimeItem, Opening)],
        before: Option<&Before<'_>>,
    ) -> (Option<Asked>, Option<Contrast>) {
        if let Some((first, second)) = frame.contrasts.first() {
            if !frame.compares() || !versus.is_empty() || !periods.is_empty() {
                self.unlikely(30);
            }
            return self.contrast(first, second);
        }
        if !frame.changes.is_empty() && versus.is_empty() && periods.iter().any(|time| self.spans_two(time)) {
            self.unlikely(8);
        }
        let asked = self.one_period(periods, frame.compares(), before);
        if let (true, [first, second], true) = (frame.compares(), periods, versus.is_empty()) {
            return self.contrast(first, second);
        }
        let Some((baseline, _)) = versus.first() else { return (asked, None) };
        if versus.len() > 1 {
            self.unlikely(20);
            self.blame(
                ReasonCode::Unsupported,
                baseline.span,
                "is one of several comparisons",
                "compare with one period at a time",
            );
        }
        let fallen_back = asked.or_else(|| before.and_then(|before| of_before(before.period)));
        let Some(mut asked) = fallen_back else {
            self.unlikely(4);
            return (self.period_in_doubt(), None);
        };
        self.inherit_year(&mut asked, periods, baseline);
        let contrast = self.baseline(baseline, &asked.period);
        (Some(asked), contrast)
    }

    /// `August against September 2026`: the year that only the other names.
    fn inherit_year(&self, asked: &mut Asked, periods: &[TimeItem], baseline: &TimeItem) {
        let TimeKind::Period(other) = &baseline.reading.kind else { return };
        let (Some(span), [_]) = (asked.span, periods) else { return };
        let other_has_year = self.chart().with_year(baseline.span, other.start().year()).is_none();
        if let Some(reading) = self.chart().with_year(span, other.start().year()).filter(|_| other_has_year)
            && let TimeKind::Period(period) = reading.kind
        {
            asked.period = period;
            asked.words = reading.words;
        }
    }

    /// Whether a period's words name two times with `to` or `and` between them.
    fn spans_two(&self, time: &TimeItem) -> bool {
        let chart = self.chart();
        let inner = (time.span.first..=time.span.last).flat_map(|at| chart.times(at));
        let parts: Vec<&TimeItem> =
            inner.filter(|part| part.span != time.span && part.span.last <= time.span.last).collect();
        parts.iter().any(|a| parts.iter().any(|b| a.span.last < b.span.first))
    }

    /// Whether a period's words are two times joined by `and`.
    pub(super) fn joins_two(&self, time: &TimeItem) -> bool {
        let chart = self.chart();
        let led = chart.one_of(time.span.first, &[Class::Between]).is_some();
        let joined = (time.span.first..=time.span.last).any(|at| chart.one_of(at, &[Class::And]).is_some());
        joined && !led && self.spans_two(time)
    }

    /// `from August to September`: the later is asked for, the earlier is what it is set against.
    fn contrast(&mut self, first: &TimeItem, second: &TimeItem) -> (Option<Asked>, Option<Contrast>) {
        self.note_time(first);
        self.note_time(second);
        let (Some(mut a), Some(mut b)) = (self.read(first), self.read(second)) else { return (None, None) };
        self.inherit_year(&mut a, std::slice::from_ref(first), second);
        self.inherit_year(&mut b, std::slice::from_ref(second), first);
        let (early, late) = if a.period.start() <= b.period.start() { (a, b) } else { (b, a) };
        (Some(late), Some(Contrast { baseline: early.period, words: early.words }))
    }

    fn read(&mut self, time: &TimeItem) -> Option<Asked> {
        match &time.reading.kind {
            TimeKind::Period(period) => {
                self.alternatives.extend(time.reading.alternatives.iter().cloned());
                Some(Asked {
                    period: period.clone(),
                    words: time.reading.words.clone(),
                    source: Source::Question,
                    span: Some(time.span),
                })
            }
            TimeKind::Previous { steps, grain } => {
                // Without a period to count from, it counts from today, and another reading says so better.
                self.unlikely(4);
                let today = self.chart().calendar.today(self.chart().now);
                let steps = steps.checked_neg()?;
                let period = self.chart().calendar.unit_at(grain.unwrap_or(Grain::Month), today, steps)?;
                let words = self.say(&period);
                Some(Asked { period, words, source: Source::Question, span: Some(time.span) })
            }
            TimeKind::Zone(_)
            | TimeKind::Grain(_)
            | TimeKind::SameLastYear
            | TimeKind::StepByStep(_)
            | TimeKind::Empty(_)
            | TimeKind::TooLarge(_) => None,
        }
    }

    /// The one period that is asked for; several are a doubt.
    fn one_period(
        &mut self,
        periods: &[TimeItem],
        compares: bool,
        before: Option<&Before<'_>>,
    ) -> Option<Asked> {
        let mut asked: Vec<Asked> = periods.iter().filter_map(|time| self.read(time)).collect();
        if let Some(before) = before {
            asked.iter_mut().for_each(|asked| self.year_of_before(asked, before));
        }
        asked.dedup_by(|a, b| a.period == b.period);
        if asked.len() < 2 || (compares && asked.len() == 2) {
            return asked.into_iter().next();
        }
        self.unlikely(4);
        let mut choices: Vec<(Asked, Choice)> = asked
            .iter()
            .map(|asked| (asked.clone(), Choice { key: asked.period.to_string(), text: asked.words.clone() }))
            .collect();
        let start = asked.iter().map(|asked| asked.period.start()).min()?;
        let end = asked.iter().map(|asked| asked.period.end_exclusive()).max()?;
        if let Some(all) = self.chart().calendar.period(start, end) {
            let words = format!("all of {all}");
            let key = all.to_string();
            if choices.iter().all(|(_, choice)| choice.key != key) {
                let whole = Asked { period: all, words: words.clone(), source: Source::Question, span: None };
                choices.push((whole, Choice { key, text: words }));
            }
        }
        let options = choices.iter().map(|(_, choice)| choice.clone()).collect();
        let (index, source) = self.choose("period", "more than one period is named".to_owned(), options);
        choices.into_iter().nth(index).map(|(asked, _)| Asked { source, ..asked })
    }

    /// In a follow-up, a month without a year lies in the year that was asked about.
    fn year_of_before(&self, asked: &mut Asked, before: &Before<'_>) {
        let Some(span) = asked.span else { return };
        let Some(known) = &before.period.period else { return };
        let today = self.chart().calendar.today(self.chart().now);
        let Some(reading) = self.chart().with_year(span, known.last_day().year()) else { return };
        if let TimeKind::Period(period) = reading.kind
            && period.start() <= today
        {
            asked.period = period;
            asked.words = reading.words;
        }
    }

    /// The asked period as the request holds it.
    fn dated(&mut self, asked: Option<Asked>, bases: &[Base], before: Option<&Before<'_>>) -> AskedPeriod {
        let timeless = !bases.is_empty() && bases.iter().all(|base| base.time.is_none());
        let Some(asked) = asked else {
            return match before {
                Some(before) if before.period.period.is_some() => {
                    AskedPeriod { source: Source::Previous, ..before.period.clone() }
                }
                _ if timeless => {
                    AskedPeriod { period: None, words: "not dated".to_owned(), source: Source::Catalogue }
                }
                _ => AskedPeriod { period: None, words: "all dates".to_owned(), source: Source::Assumed },
            };
        };
        let undated = bases.iter().find(|base| base.time.is_none()).map(|base| base.measure.clone());
        if let (Some(measure), Some(span)) = (undated, asked.span) {
            self.unlikely(8);
            let message = format!("cannot be applied: nothing says when {measure} happened");
            self.blame(ReasonCode::Unsupported, span, &message, "ask without a period");
        }
        AskedPeriod { period: Some(asked.period), words: asked.words, source: asked.source }
    }

    /// Nothing says which period a comparison is about.
    fn period_in_doubt(&mut self) -> Option<Asked> {
        let calendar = self.chart().calendar.clone();
        let today = calendar.today(self.chart().now);
        let last = |grain, name: &str| {
            let period = calendar.unit_at(grain, today, -1)?;
            Some((
                period.clone(),
                Choice {
                    key: calendar.label(grain, period.start()),
                    text: format!("the last complete {name}"),
                },
            ))
        };
        let options: Vec<(Period, Choice)> =
            [last(Grain::Month, "month"), last(Grain::Quarter, "quarter"), last(Grain::Year, "year")]
                .into_iter()
                .flatten()
                .collect();
        let choices = options.iter().map(|(_, choice)| choice.clone()).collect();
        let (index, source) =
            self.choose("period", "it is not said which period is meant".to_owned(), choices);
        let (period, choice) = options.into_iter().nth(index)?;
        Some(Asked { period, words: choice.text, source, span: None })
    }

    /// A period as a person names it.
    pub(super) fn say(&self, period: &Period) -> String {
        let calendar = &self.chart().calendar;
        for grain in [Grain::Month, Grain::Quarter, Grain::Year] {
            if calendar.unit(grain, period.start()).as_ref() == Some(period) {
                return calendar.label(grain, period.start());
            }
        }
        if period.start() == OPEN_START { format!("up to {}", period.last_day()) } else { period.to_string() }
    }
}

pub(super) fn of_before(period: &AskedPeriod) -> Option<Asked> {
    let known = period.period.clone()?;
    Some(Asked { period: known, words: period.words.clone(), source: Source::Previous, span: None })
}
