//! Times: whose they are, what they are counted from, and what of them is not read.

use tieout_core::{
    catalogue::Datatype,
    reading::{Condition, Derivation, FiguresRequest, Grouping, MeasureRef, Request, RowsRequest, Sort, Use},
    time::{Grain, Period},
};

use crate::{
    grammar::ast::{Clause, Test},
    language::{Caution, Class},
    time::TimeKind,
};

use super::Look;

/// The most days of a period that a follow-up may change to an earlier one of the same year.
const FOLLOWED_DAYS_MAX: i64 = 92;
/// How many months earlier that may be.
const FOLLOWED_MONTHS_MAX: i8 = 6;
/// By how many days two periods of one kind may differ in length.
const LIKE_DAYS_MAX: u64 = 3;

impl Look<'_> {
    /// `over 30 in September`, read as the thirtieth.
    pub(super) fn number_in_a_date(&self) -> Option<String> {
        let number = |text: &str| text.parse::<u32>().is_ok_and(|n| n <= 31);
        self.words.iter().filter(|word| matches!(word.used_as, Use::Time(_))).find_map(|word| {
            let text = word.text.to_lowercase();
            let parts: Vec<&str> = text.split_whitespace().collect();
            let apart = parts.windows(2).any(|pair| match pair {
                [first, second] => number(first) && self.is_caution(second, Caution::WithinTime),
                _ => false,
            });
            let led = parts.first().is_some_and(|first| self.is_caution(first, Caution::BeforeBound))
                && parts.get(1).is_some_and(|second| number(second));
            (apart || led)
                .then(|| format!("“{}” is taken for a day, and its number could be a bound", word.text))
        })
    }

    /// `as of September`: what fell into it, or what stood at its end.
    pub(super) fn as_of(&self, figures: &FiguresRequest) -> Option<String> {
        let said = self.words.iter().find(|word| {
            let at = self.chart.tokens.iter().position(|token| token.start >= word.start);
            matches!(word.used_as, Use::Time(_) | Use::Stop | Use::Grammar(_))
                && at.is_some_and(|at| self.warns_at(at, Caution::AsOf))
        })?;
        let stock = figures.measures.iter().all(|measure| self.is_of_kind(&measure.value, "latest"));
        (!stock)
            .then(|| format!("“{}” asks how things stood, and what fell into the period is shown", said.text))
    }

    /// A running total of a period that is not a whole run from its beginning.
    pub(super) fn running_since(&self, figures: &FiguresRequest) -> Option<String> {
        if in_steps(figures) {
            return None;
        }
        let period = figures.period.period.as_ref()?;
        let whole_run = |restart: Option<Grain>| {
            let days = match restart {
                None => return false,
                Some(Grain::Year) => 366,
                Some(Grain::Quarter) => 92,
                Some(Grain::Month) => 31,
                Some(_) => 1,
            };
            let begins = match restart {
                Some(Grain::Year) => period.start().month() == 1 && period.start().day() == 1,
                Some(Grain::Quarter) => period.start().month() % 3 == 1 && period.start().day() == 1,
                Some(Grain::Month) => period.start().day() == 1,
                Some(_) | None => true,
            };
            begins && period.days() <= days
        };
        let other = figures.measures.iter().any(|measure| match &measure.value {
            MeasureRef::Metric(name) => self
                .catalogue
                .aggregates_within(name)
                .any(|(_, aggregate)| aggregate.kind == "cumulative" && !whole_run(aggregate.restart)),
            MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => false,
        });
        other.then(|| "a running total is asked for, and it does not begin with the period".to_owned())
    }

    /// `in 2023 and 2024`: one figure for both, or one for each?
    pub(super) fn times_joined(&self) -> Option<String> {
        let word = self.words.iter().find(|word| {
            let text = word.text.to_lowercase();
            // A comma alone may stand inside one date: `March 3, 2026`.
            let joined = text.split_whitespace().any(|part| self.is_word(part, Class::And));
            let range = text.split_whitespace().any(|part| self.is_word(part, Class::Between));
            matches!(word.used_as, Use::Time(_)) && joined && !range
        })?;
        let split = match self.request {
            Request::Figures(figures) => in_steps(figures) || figures.derivation != Derivation::Plain,
            Request::Rows(_) | Request::About(_) => true,
        };
        (!split).then(|| format!("“{}” may ask for a figure of each", word.text))
    }

    /// The least steps of time, where steps without any rows are not there to be the least.
    pub(super) fn least_steps(&self, figures: &FiguresRequest) -> Option<String> {
        let steps = in_steps(figures);
        let least = figures.ranking.as_ref().is_some_and(|r| r.sort == Sort::Ascending);
        let cut = least || !figures.having.is_empty();
        // A count keeps its steps of nothing.
        let counted = figures.measures.iter().all(|m| self.counts(&m.value));
        (steps && cut && !counted)
            .then(|| "steps of time in which nothing happened are not among them".to_owned())
    }

    /// `due this month`: what is still to come belongs to it, and times without a year are taken to lie behind.
    pub(super) fn ahead(&self) -> Option<String> {
        let word = self.words.iter().find(|word| {
            matches!(
                word.used_as,
                Use::Metric(_)
                    | Use::Field(_)
                    | Use::Dataset(_)
                    | Use::Population(_)
                    | Use::Grammar(_)
                    | Use::Stop
            ) && (self.names_ahead(&word.text)
                || self.label_of(&word.used_as).is_some_and(|label| self.names_ahead(&label)))
        })?;
        let time = self.words.iter().find(|word| matches!(word.used_as, Use::Time(_)))?;
        (self.names_days() && !names_year(&time.text)).then(|| {
            format!(
                "“{}” may lie ahead, and “{}” is taken to end today or to lie behind",
                word.text, time.text
            )
        })
    }

    /// `this week vs last month`: a month earlier, of what is no month.
    pub(super) fn shifted_by_another_unit(&self, figures: &FiguresRequest) -> Option<String> {
        let Derivation::Against(contrast) = &figures.derivation else { return None };
        let period = figures.period.period.as_ref()?;
        let grain = self.sequence.clauses.iter().find_map(|placed| match placed.clause.as_ref() {
            Clause::When(time) | Clause::Versus(time, _) => match time.reading.kind {
                TimeKind::Previous { grain, .. } => grain,
                _ => None,
            },
            _ => None,
        })?;
        let unit = self.chart.calendar.unit(grain, period.start())?;
        let today = self.chart.calendar.today(self.chart.now);
        // `this month so far` is set beside as many days of the month before.
        let runs = unit.end_exclusive() > today && (period.end_exclusive() >= today);
        let is_unit = unit.start() == period.start()
            && (unit.end_exclusive() == period.end_exclusive()
                || (runs && period.end_exclusive() < unit.end_exclusive()));
        (!is_unit && grain != Grain::Year)
            .then(|| format!("it is compared with {}, which is no whole {grain}", contrast.words))
    }

    /// `how many repayments in 2025`, `loans without repayments`, of rows that go by the day on which they are due: they
    /// may not have happened.
    pub(super) fn planned(&self) -> Option<String> {
        let is_planned = |dataset: &str| {
            let date = self.label_of(&Use::Dataset(dataset.to_owned()))?;
            let named = self
                .words
                .iter()
                .any(|word| self.names_ahead(&word.text) && !matches!(word.used_as, Use::Time(_)));
            (self.names_ahead(&date) && !named).then_some(date)
        };
        let counted = match self.request {
            Request::Figures(figures) if self.has_period() => {
                figures.measures.iter().find_map(|part| match &part.value {
                    MeasureRef::Count { dataset } => Some(dataset.as_str()),
                    MeasureRef::Metric(_) | MeasureRef::AdHoc { .. } => None,
                })
            }
            // `last repayment`: the last that is due.
            Request::Rows(rows) if rows.ranking.is_some() => Some(rows.dataset.as_str()),
            Request::Figures(_) | Request::Rows(_) | Request::About(_) => None,
        };
        let related = self.conditions().into_iter().find_map(|condition| match condition {
            Condition::Related { dataset, conditions, .. } if conditions.is_empty() => Some(dataset.as_str()),
            _ => None,
        });
        let dataset = counted.or(related)?;
        let date = is_planned(dataset)?;
        let label = &self.catalogue.datasets.get(dataset)?.label;
        Some(format!("{label} go by their {date}, which no word says, and may not have happened"))
    }

    fn names_ahead(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        text.split(|c: char| !c.is_alphanumeric()).any(|word| self.is_caution(word, Caution::Ahead))
    }

    /// What a measure or a thing is called, with the dates that it goes by.
    fn label_of(&self, used: &Use) -> Option<String> {
        let catalogue = self.catalogue;
        let date_of = |dataset: &str, own: Option<&str>| {
            let dataset = catalogue.datasets.get(dataset)?;
            Some(dataset.fields.get(own.or(dataset.time.as_deref())?)?.label.as_str())
        };
        if let Use::Metric(name) = used {
            let aggregates = catalogue.aggregates_within(name);
            let dates: Vec<&str> =
                aggregates.filter_map(|(_, a)| date_of(&a.dataset, a.time.as_deref())).collect();
            return Some(format!("{} {}", catalogue.metrics.get(name)?.label, dates.join(" ")));
        }
        let Use::Dataset(name) = used else { return None };
        date_of(name, None).map(str::to_owned)
    }

    /// `by shipping date in September`: the period is that of the rows' own date, the groups are of another.
    pub(super) fn split_by_another_date(&self, figures: &FiguresRequest) -> Option<String> {
        figures.period.period.as_ref()?;
        figures.groupings.iter().find_map(|grouping| {
            let Grouping::Field(field) = &grouping.value else { return None };
            let found = self.catalogue.datasets.get(&field.dataset)?.fields.get(&field.field)?;
            let dated = matches!(found.datatype, Datatype::Date | Datatype::Timestamp | Datatype::Instant);
            dated.then(|| format!("the period may be that of the {}, by which it is split", found.label))
        })
    }

    /// A list with a period, of rows that go on: which of their dates is meant?
    pub(super) fn lasting_list(&self, rows: &RowsRequest) -> Option<String> {
        let dataset = self.catalogue.datasets.get(&rows.dataset)?;
        let time = dataset.time.as_deref()?;
        let dated = self.names_field(&rows.dataset, time);
        let event = self.conditions().iter().any(|c| matches!(c, Condition::InPeriod { .. }));
        let label = &dataset.fields.get(time)?.label;
        // A metric that is called as they are counts them by that date, and so says which it is.
        let counted = self.catalogue.metrics.values().any(|metric| {
            let number = format!("number of {}", dataset.label);
            let called =
                |name: &str| [&number, &dataset.label].iter().any(|known| known.eq_ignore_ascii_case(name));
            self.counts_by(metric, &rows.dataset, time)
                && (called(&metric.label) || metric.synonyms.iter().any(|name| called(name)))
        });
        (rows.period.period.is_some() && !dated && !event && !counted && self.lasts(&rows.dataset))
            .then(|| format!("the period is taken to be of the {label}, which no word says"))
    }

    /// `without a survey in September`: the survey's time, or that of the rows that are asked for?
    pub(super) fn time_of_related(&self) -> Option<String> {
        let timed = |clause: &Clause| {
            matches!(clause, Clause::Where(filter, _)
                if matches!(&filter.test, Test::Related(related) if related.time.is_some() && related.verb.is_none()))
        };
        self.has(timed)
            .then(|| "the time may be that of the related rows, or of those that are asked for".to_owned())
    }

    /// A time in a follow-up: counted from today, or from the answer before?
    pub(super) fn time_of_follow_up(&self) -> Option<String> {
        let before = period(self.previous?)?;
        if !self.inherits() {
            return None;
        }
        let now = period(self.request)?;
        let time = self.words.iter().find(|word| matches!(word.used_as, Use::Time(_)))?;
        if !self.names_days() || names_year(&time.text) {
            return None;
        }
        let counted = time.text.to_lowercase();
        let counted =
            counted.split_whitespace().next().is_some_and(|first| self.is_caution(first, Caution::FromToday));
        let just_before = now.end_exclusive() == before.start();
        let like = now.days().abs_diff(before.days()) <= LIKE_DAYS_MAX;
        let within =
            !counted && now.start() >= before.start() && now.end_exclusive() <= before.end_exclusive();
        let beside = like && (just_before || (!counted && now.start() == before.end_exclusive()));
        let same_year = !counted
            && now.start().year() == before.start().year()
            && before.days() <= FOLLOWED_DAYS_MAX
            && now.start() <= before.start()
            && before.start().month() - now.start().month() <= FOLLOWED_MONTHS_MAX;
        (!within && !beside && !same_year)
            .then(|| format!("“{}” may be counted from the answer before, and not from today", time.text))
    }

    /// Whether days are named, rather than steps of time alone.
    fn names_days(&self) -> bool {
        self.has(|c| matches!(c, Clause::When(time) if matches!(time.reading.kind, TimeKind::Period(_))))
    }
}

/// Whether a time is written with its year.
fn names_year(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit()).any(|part| part.len() == 4)
}

/// Whether figures are split by steps of time.
fn in_steps(figures: &FiguresRequest) -> bool {
    figures.groupings.iter().any(|grouping| matches!(grouping.value, Grouping::Time(_)))
}

/// The days of a request.
fn period(request: &Request) -> Option<&Period> {
    match request {
        Request::Figures(figures) => figures.period.period.as_ref(),
        Request::Rows(rows) => rows.period.period.as_ref(),
        Request::About(_) => None,
    }
}
