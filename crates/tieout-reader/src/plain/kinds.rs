//! Single words and constructions that people mean in more than one way, whatever stands beside them.

use tieout_core::{
    catalogue::{Catalogue, Datatype},
    reading::{
        Condition, Derivation, FiguresRequest, Grouping, MeasureRef, RankBy, Request, RowsRequest, Sort, Use,
        WordUse,
    },
    time::Grain,
};

use crate::{
    grammar::ast::{Clause, Joined, Test},
    language::Class,
    lattice::{Item, Meaning},
    time::TimeKind,
};

use super::Look;

impl Look<'_> {
    /// `best`, `worst`: neither the most nor the least.
    pub(super) fn judged(&self) -> Option<String> {
        let at = self.says(Class::Judges)?;
        Some(format!("“{}” does not say whether the most or the least is meant", self.chart.text(at)))
    }

    /// `latest first`, `alphabetically`: an order by what the groups are called.
    pub(super) fn ordered_by_key(&self, figures: &FiguresRequest) -> Option<String> {
        let by_key = figures.ranking.as_ref().is_some_and(|ranking| matches!(ranking.by, RankBy::Field(_)));
        let at = self.says(Class::ByKey)?;
        (!by_key).then(|| format!("“{}” may be an order of the groups by name or time", self.chart.text(at)))
    }

    /// `compared to`, where one figure is shown.
    pub(super) fn compared_without(&self, figures: &FiguresRequest) -> Option<String> {
        let shown_apart = self.conditions().iter().any(|condition| match condition {
            Condition::OneOf { field, .. } => self.grouped_by(&format!("{}.{}", field.dataset, field.field)),
            _ => false,
        });
        if shown_apart
            || figures.derivation != Derivation::Plain
            || self.has(|c| matches!(c, Clause::Where(_, Joined::AsContrast)))
        {
            return None;
        }
        let says = |class| {
            (0..self.chart.tokens_count())
                .find(|at| self.chart.one_of(*at, &[class]).is_some() && self.chart.text(*at) != "over")
        };
        let at =
            says(Class::Versus).or_else(|| says(Class::Compare).filter(|_| !self.conditions().is_empty()))?;
        Some(format!(
            "“{}” asks for two figures side by side, and they are taken together",
            self.chart.text(at)
        ))
    }

    /// `over 30 in September`, read as the thirtieth.
    pub(super) fn number_in_a_date(&self) -> Option<String> {
        let number = |text: &str| text.parse::<u32>().is_ok_and(|n| n <= 31);
        self.words.iter().filter(|word| matches!(word.used_as, Use::Time(_))).find_map(|word| {
            let text = word.text.to_lowercase();
            let parts: Vec<&str> = text.split_whitespace().collect();
            let apart = parts.windows(2).any(|pair| match pair {
                [first, second] => number(first) && matches!(*second, "in" | "during" | "within"),
                _ => false,
            });
            let led = parts.first().is_some_and(|first| matches!(*first, "over" | "of"))
                && parts.get(1).is_some_and(|second| number(second));
            (apart || led)
                .then(|| format!("“{}” is taken for a day, and its number could be a bound", word.text))
        })
    }

    /// `as of September`: what fell into it, or what stood at its end.
    pub(super) fn as_of(&self, figures: &FiguresRequest) -> Option<String> {
        let said = self.words.iter().find(|word| {
            let text = word.text.to_lowercase();
            matches!(word.used_as, Use::Time(_) | Use::Stop | Use::Grammar(_))
                && ["as of", "as at", "as on"].iter().any(|opening| text.starts_with(opening))
        })?;
        let stock = figures.measures.iter().all(|measure| self.is_of_kind(&measure.value, "latest"));
        (!stock)
            .then(|| format!("“{}” asks how things stood, and what fell into the period is shown", said.text))
    }

    /// Whether a measure is, or is made of, a metric of a kind.
    pub(super) fn is_of_kind(&self, measure: &MeasureRef, kind: &str) -> bool {
        match measure {
            MeasureRef::Metric(name) => {
                self.catalogue.aggregates_within(name).any(|(_, aggregate)| aggregate.kind == kind)
            }
            MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => false,
        }
    }

    /// A running total of a period that is not a whole run from its beginning.
    pub(super) fn running_since(&self, figures: &FiguresRequest) -> Option<String> {
        if figures.groupings.iter().any(|g| matches!(g.value, Grouping::Time(_))) {
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

    /// `by team`, where `team` is a value: groups, or that one alone?
    pub(super) fn by_a_value(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            if !matches!(word.used_as, Use::Value(_)) {
                return None;
            }
            let at = self.chart.tokens.iter().position(|token| token.start >= word.start)?;
            let before = at.checked_sub(1)?;
            let groups = self.chart.one_of(before, &[Class::By, Class::Each]).is_some_and(|next| next == at);
            // `opened by phone`: what happens by something.
            let happens = before.checked_sub(1).is_some_and(|verb| {
                let text = self.chart.text(verb);
                tieout_core::definitions::participle(text)
                    || self.chart.one_of(verb, &[Class::IdleVerb]).is_some()
            });
            (groups && !happens).then(|| {
                format!("“{}” is taken for {}, and stands where groups are named", word.text, word.used_as)
            })
        })
    }

    /// `in 2023 and 2024`: one figure for both, or one for each?
    pub(super) fn times_joined(&self) -> Option<String> {
        let word = self.words.iter().find(|word| {
            let text = word.text.to_lowercase();
            // A comma alone may stand inside one date: `March 3, 2026`.
            let joined = text.split_whitespace().any(|part| matches!(part, "and" | "&" | "plus"));
            let range = text.split_whitespace().any(|part| matches!(part, "between" | "from"));
            matches!(word.used_as, Use::Time(_)) && joined && !range
        })?;
        let split = match self.request {
            Request::Figures(figures) => {
                figures.groupings.iter().any(|g| matches!(g.value, Grouping::Time(_)))
                    || figures.derivation != Derivation::Plain
            }
            Request::Rows(_) | Request::About(_) => true,
        };
        (!split).then(|| format!("“{}” may ask for a figure of each", word.text))
    }

    /// Whether the figures are split by a field, as `dataset.field`.
    fn grouped_by(&self, name: &str) -> bool {
        let Request::Figures(figures) = self.request else { return false };
        figures.groupings.iter().any(|grouping| match &grouping.value {
            Grouping::Field(field) => format!("{}.{}", field.dataset, field.field) == name,
            Grouping::Time(_) => false,
        })
    }

    /// `to farms and to retail`: one figure for both, or one for each?
    pub(super) fn values_apart(&self) -> Option<String> {
        let values: Vec<(&WordUse, &str)> = self
            .words
            .iter()
            .filter_map(|word| match &word.used_as {
                Use::Value(value) => Some((word, value.split(" = ").next()?)),
                _ => None,
            })
            .collect();
        values.windows(2).find_map(|pair| {
            let [(first, field), (second, other)] = pair else { return None };
            if self.grouped_by(field) {
                return None;
            }
            let between = self.chart.slice(first.start.saturating_add(first.text.len()), second.start)?;
            let joined = between.to_lowercase();
            let plain = joined
                .split(|c: char| c.is_whitespace() || c == ',')
                .all(|word| matches!(word, "" | "or" | "/" | "not" | "nor" | "the" | "vs" | "versus"));
            (field == other && !plain).then(|| {
                format!("“{}” and “{}” may each ask for a figure of its own", first.text, second.text)
            })
        })
    }

    /// The least steps of time, where steps without any rows are not there to be the least.
    pub(super) fn least_steps(&self, figures: &FiguresRequest) -> Option<String> {
        let steps = figures.groupings.iter().any(|g| matches!(g.value, Grouping::Time(_)));
        let least = figures.ranking.as_ref().is_some_and(|r| r.sort == Sort::Ascending);
        let cut = least || !figures.having.is_empty();
        // A count keeps its steps of nothing.
        let counted = figures.measures.iter().all(|m| self.counts(&m.value));
        (steps && cut && !counted)
            .then(|| "steps of time in which nothing happened are not among them".to_owned())
    }

    /// `due this month`: what is still to come belongs to it, and times without a year are taken to lie behind.
    pub(super) fn ahead(&self) -> Option<String> {
        let language = self.chart.language();
        let names_ahead = |text: &str| {
            text.to_lowercase()
                .split(|c: char| !c.is_alphanumeric())
                .any(|word| language.classes(word).contains(&Class::Ahead))
        };
        let word = self.words.iter().find(|word| {
            matches!(
                word.used_as,
                Use::Metric(_)
                    | Use::Field(_)
                    | Use::Dataset(_)
                    | Use::Population(_)
                    | Use::Grammar(_)
                    | Use::Stop
            ) && (names_ahead(&word.text)
                || self.label_of(&word.used_as).is_some_and(|label| names_ahead(&label)))
        })?;
        let time = self.words.iter().find(|word| matches!(word.used_as, Use::Time(_)))?;
        let dated = time.text.split(|c: char| !c.is_ascii_digit()).any(|part| part.len() == 4);
        let days =
            self.has(|c| matches!(c, Clause::When(time) if matches!(time.reading.kind, TimeKind::Period(_))));
        (days && !dated).then(|| {
            format!(
                "“{}” may lie ahead, and “{}” is taken to end today or to lie behind",
                word.text, time.text
            )
        })
    }

    fn label_of(&self, used: &Use) -> Option<String> {
        let catalogue: &Catalogue = self.catalogue;
        match used {
            Use::Metric(name) => {
                let metric = catalogue.metrics.get(name)?;
                let times: Vec<&str> = catalogue
                    .aggregates_within(name)
                    .filter_map(|(_, aggregate)| {
                        let dataset = catalogue.datasets.get(&aggregate.dataset)?;
                        let time = aggregate.time.as_deref().or(dataset.time.as_deref())?;
                        Some(dataset.fields.get(time)?.label.as_str())
                    })
                    .collect();
                Some(format!("{} {}", metric.label, times.join(" ")))
            }
            Use::Dataset(name) => {
                let dataset = catalogue.datasets.get(name)?;
                Some(dataset.fields.get(dataset.time.as_deref()?)?.label.clone())
            }
            Use::Field(_)
            | Use::Value(_)
            | Use::Population(_)
            | Use::Relationship(_)
            | Use::Time(_)
            | Use::Number(_)
            | Use::Grammar(_)
            | Use::Definition(_)
            | Use::Wrapping
            | Use::Stop
            | Use::Unknown => None,
        }
    }

    /// `customers live in York`: a name of members that stands where a verb stands.
    pub(super) fn members_or_verb(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            if !matches!(word.used_as, Use::Population(_)) || word.text.split_whitespace().count() != 1 {
                return None;
            }
            let at = self.chart.tokens.iter().position(|token| token.start >= word.start)?;
            let next = self.chart.text(at.saturating_add(1)).to_owned();
            let before = at.checked_sub(1).map(|before| self.chart.text(before)).unwrap_or_default();
            if ["from", "of", "by", "for", "to", "only", "are", "with", "and", "per"].contains(&before) {
                return None;
            }
            let followed = ["in", "at", "from", "near", "on", "with"].contains(&next.as_str());
            followed.then(|| format!("“{}” is taken for {}, and could be a verb", word.text, word.used_as))
        })
    }

    /// `new customers with a ticket`, where `new` is a value of the tickets.
    pub(super) fn adjective_of_another(&self) -> Option<String> {
        self.words.windows(2).find_map(|pair| {
            let [adjective, noun] = pair else { return None };
            let Use::Value(value) = &adjective.used_as else { return None };
            let of = value.split('.').next().unwrap_or_default();
            let another = match &noun.used_as {
                Use::Dataset(dataset) => of != dataset,
                // A metric may begin with the name of a thing: `customers with a ticket`.
                Use::Metric(_) => {
                    let at = self.chart.tokens.iter().position(|token| token.start >= noun.start)?;
                    let named = |item: &Item| match &item.meaning {
                        Meaning::Datasets(datasets) => datasets.clone(),
                        _ => Vec::new(),
                    };
                    let datasets: Vec<usize> = self.chart.items(at).iter().flat_map(named).collect();
                    let name = |index: &usize| {
                        self.catalogue.datasets.get_index(*index).map(|(name, _)| name.as_str())
                    };
                    !datasets.is_empty() && datasets.iter().all(|index| name(index) != Some(of))
                }
                _ => false,
            };
            another.then(|| {
                format!("“{}” is taken for {value}, and stands before “{}”", adjective.text, noun.text)
            })
        })
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

    /// `average loans per officer`: the size of one, or how many.
    pub(super) fn average_of_many(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            let Use::Metric(name) = &word.used_as else { return None };
            let metric = self.catalogue.metrics.get(name)?;
            let text = word.text.to_lowercase();
            let called = |known: &str| known.to_lowercase() == text;
            let exact = called(&metric.label)
                || called(&metric.name.replace('_', " "))
                || metric.synonyms.iter().any(|synonym| called(synonym));
            let first = text.split_whitespace().next()?;
            let averages = self.chart.language().classes(first).contains(&Class::Average);
            (averages && !exact && text.ends_with('s')).then(|| {
                format!("“{}” is taken for {}, and could ask how many there are", word.text, metric.label)
            })
        })
    }

    /// `top 3 products`: by a field that no word names.
    pub(super) fn top_by_unsaid(&self, rows: &RowsRequest) -> Option<String> {
        let ranking = rows.ranking.as_ref()?;
        let RankBy::Field(field) = &ranking.by else { return None };
        let name = format!("{}.{}", field.dataset, field.field);
        let said = self.words.iter().any(|word| matches!(&word.used_as, Use::Field(said) if *said == name));
        let sized =
            [Class::Size, Class::Newest, Class::Oldest].into_iter().any(|class| self.says(class).is_some());
        let words = tieout_core::definitions::field_words(field, self.catalogue);
        (!said && !sized).then(|| format!("the order is taken to be that of the {words}, which no word says"))
    }

    /// A list with a period, of rows that go on: which of their dates is meant?
    pub(super) fn lasting_list(&self, rows: &RowsRequest) -> Option<String> {
        let dataset = self.catalogue.datasets.get(&rows.dataset)?;
        let time = dataset.time.as_deref()?;
        let name = format!("{}.{time}", rows.dataset);
        let dated =
            self.words.iter().any(|word| matches!(&word.used_as, Use::Field(field) if *field == name));
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
        let before = match self.previous? {
            Request::Figures(figures) => figures.period.period.as_ref()?,
            Request::Rows(rows) => rows.period.period.as_ref()?,
            Request::About(_) => return None,
        };
        if !self.inherits() {
            return None;
        }
        let now = match self.request {
            Request::Figures(figures) => figures.period.period.as_ref()?,
            Request::Rows(rows) => rows.period.period.as_ref()?,
            Request::About(_) => return None,
        };
        let time = self.words.iter().find(|word| matches!(word.used_as, Use::Time(_)))?;
        let said =
            self.has(|c| matches!(c, Clause::When(time) if matches!(time.reading.kind, TimeKind::Period(_))));
        let dated = time.text.split(|c: char| !c.is_ascii_digit()).any(|part| part.len() == 4);
        if !said || dated {
            return None;
        }
        let counted = time.text.to_lowercase().split_whitespace().next().is_some_and(|first| {
            ["previous", "last", "prior", "past", "this", "current", "next", "yesterday", "today"]
                .contains(&first)
        });
        let just_before = now.end_exclusive() == before.start();
        let like = now.days().abs_diff(before.days()) <= 3;
        let within =
            !counted && now.start() >= before.start() && now.end_exclusive() <= before.end_exclusive();
        let beside = like && (just_before || (!counted && now.start() == before.end_exclusive()));
        let same_year = !counted
            && now.start().year() == before.start().year()
            && before.days() <= 92
            && now.start() <= before.start()
            && before.start().month() - now.start().month() <= 6;
        (!within && !beside && !same_year)
            .then(|| format!("“{}” may be counted from the answer before, and not from today", time.text))
    }
}
