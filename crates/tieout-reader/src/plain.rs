//! Whether a question is plain, so that its reading may be answered without being looked at.
//!
//! Strangers asked thousands of questions, and what was read wrongly was never a plain one: a measure, groups, a period,
//! a condition or two, an order. So whatever is not plain is put to the asker with its reading, and answered when they
//! take it. Each check here is about a construction and not about any word of a catalogue. Deliberately absent: what is
//! plainly wrong, which the objections decline.

use tieout_core::{
    catalogue::{Catalogue, Datatype, Measure, Presence, Related},
    number::UnitKind,
    reading::{
        Choice, Condition, Derivation, Doubtful, FiguresRequest, Grouping, MeasureRef, Polarity, READING,
        RankBy, Ranking, Request, RowsRequest, Source, Use, WordUse,
    },
};

use crate::{
    examine::shape::{self, Demand},
    grammar::{
        Sequence,
        ast::{Ask, Clause, Joined},
    },
    language::Class,
    lattice::{Chart, Item, Meaning, Span},
    lexicon::field_of,
    resolve::{Context, Resolved},
    time::TimeKind,
};

/// The most conditions of a plain question.
const CONDITIONS_MAX: usize = 3;
/// The last words of names of fields that say how things stand now.
const STATES: [&str; 4] = ["status", "state", "stage", "phase"];

/// The doubt that puts a reading to the asker.
pub(crate) fn doubt(why: &str) -> Doubtful {
    Doubtful {
        subject: READING.to_owned(),
        message: format!("{why}; is what stands above what you ask?"),
        choices: vec![Choice { key: "yes".to_owned(), text: "yes, as it stands above".to_owned() }],
    }
}

/// Why a reading should be looked at before it is answered; none when the question is plain, or declined anyway.
pub(crate) fn unsure(cx: &Context<'_>, sequence: &Sequence, resolved: &Resolved) -> Option<String> {
    let request = resolved.request.as_ref()?;
    if !resolved.problems.is_empty() || matches!(request, Request::About(_)) {
        return None;
    }
    let look = Look {
        chart: cx.chart,
        catalogue: &cx.project.catalogue,
        sequence,
        request,
        words: &resolved.words,
        previous: cx.previous,
    };
    look.dropped()
        .or_else(|| look.opens_as_yes_or_no())
        .or_else(|| look.demanded())
        .or_else(|| look.conditions_together())
        .or_else(|| look.state_then())
        .or_else(|| look.verb_taken_for_a_name())
        .or_else(|| look.starting())
        .or_else(|| look.followed_up())
        .or_else(|| look.lasting_then())
        .or_else(|| look.related_unnamed())
        .or_else(|| look.value_or_population())
        .or_else(|| look.bound_of_unnamed())
        .or_else(|| look.no_in_a_name())
        .or_else(|| look.value_in_a_field())
        .or_else(|| match request {
            Request::Figures(figures) => look.figures(figures),
            Request::Rows(rows) => look.rows(rows),
            Request::About(_) => None,
        })
}

struct Look<'a> {
    chart: &'a Chart<'a>,
    catalogue: &'a Catalogue,
    sequence: &'a Sequence,
    request: &'a Request,
    words: &'a [WordUse],
    previous: Option<&'a Request>,
}

impl Look<'_> {
    fn has(&self, test: impl Fn(&Clause) -> bool) -> bool {
        self.sequence.clauses.iter().any(|placed| test(placed.clause.as_ref()))
    }

    /// Where a phrase of a class starts.
    fn says(&self, class: Class) -> Option<usize> {
        (0..self.chart.tokens_count()).find(|at| self.chart.one_of(*at, &[class]).is_some())
    }

    /// A word that was dropped, and is not of those that may be.
    fn dropped(&self) -> Option<String> {
        // What happens to things, without saying when, changes nothing; with a period it may say which date is meant.
        let defined = self.measures_are_defined() || !self.has_period();
        self.stops().into_iter().find_map(|span| {
            let is_idle = |at: usize| {
                let ends =
                    |class| self.chart.word(at, class).find(|next| *next <= span.last.saturating_add(1));
                ends(Class::Idle).or_else(|| ends(Class::IdleVerb).filter(|_| defined))
            };
            let mut at = span.first;
            while at <= span.last {
                match is_idle(at) {
                    Some(next) => at = next.max(at.saturating_add(1)),
                    None => return Some(format!("“{}” has no part in the reading", self.chart.typed(span))),
                }
            }
            None
        })
    }

    /// Runs of words that were dropped.
    fn stops(&self) -> Vec<Span> {
        let mut runs: Vec<Span> = Vec::new();
        for placed in self.sequence.clauses.iter().filter(|placed| matches!(*placed.clause, Clause::Stop)) {
            match runs.last_mut() {
                Some(run) if run.last.saturating_add(1) == placed.span.first => run.last = placed.span.last,
                Some(_) | None => runs.push(placed.span),
            }
        }
        runs
    }

    /// Whether everything that is measured is a metric of the catalogue.
    fn measures_are_defined(&self) -> bool {
        match self.request {
            Request::Figures(figures) => {
                figures.measures.iter().all(|measure| matches!(measure.value, MeasureRef::Metric(_)))
            }
            Request::Rows(_) | Request::About(_) => false,
        }
    }

    /// `are all loans closed?`: what is shown is no yes and no no.
    fn opens_as_yes_or_no(&self) -> Option<String> {
        let first = (0..self.chart.tokens_count()).find(|at| {
            let placed = self.sequence.clauses.iter().find(|placed| placed.span.last >= *at);
            placed.is_none_or(|placed| !matches!(*placed.clause, Clause::Wrapping))
        })?;
        let opening = [Class::Copula, Class::Do, Class::Have];
        let opens = self.chart.classes(first).iter().any(|(_, class)| opening.contains(class));
        opens.then(|| "the question asks for a yes or a no, and figures or rows would be shown".to_owned())
    }

    /// A word of grammar that asks for something that the request does not have.
    fn demanded(&self) -> Option<String> {
        let grammar = |at: usize| {
            let start = self.chart.tokens.get(at).map_or(0, |token| token.start);
            let holds =
                |word: &&WordUse| (word.start..word.start.saturating_add(word.text.len())).contains(&start);
            let word = self.words.iter().find(holds);
            word.is_some_and(|word| matches!(word.used_as, Use::Grammar(_) | Use::Stop))
        };
        let mut demands = Vec::new();
        let mut at = 0;
        while at < self.chart.tokens_count() {
            let Some((next, _)) = self.chart.classes(at).first().copied().filter(|_| grammar(at)) else {
                at = at.saturating_add(1);
                continue;
            };
            let longest = self.chart.classes(at).iter().filter(|(end, _)| *end == next);
            let classes: Vec<Class> = longest.map(|(_, class)| *class).collect();
            let start = self.chart.tokens.get(at).map_or(0, |token| token.start);
            demands.extend(Demand::of(&classes, self.chart.typed(Span::of(at, next)), start));
            at = next.max(at.saturating_add(1));
        }
        let lacking = shape::lacking(self.request, self.catalogue, &demands);
        lacking.into_iter().next().map(|problem| problem.message)
    }

    /// Every condition, those of a share's part included.
    fn conditions(&self) -> Vec<&Condition> {
        match self.request {
            Request::Figures(figures) => {
                let part = match &figures.derivation {
                    Derivation::ShareOf { part } => part.as_slice(),
                    Derivation::Plain
                    | Derivation::Against(_)
                    | Derivation::StepByStep
                    | Derivation::ShareOfTotal => &[],
                };
                figures.conditions.iter().map(|condition| &condition.value).chain(part).collect()
            }
            Request::Rows(rows) => rows.conditions.iter().map(|condition| &condition.value).collect(),
            Request::About(_) => Vec::new(),
        }
    }

    /// Conditions whose scopes could be others.
    fn conditions_together(&self) -> Option<String> {
        let conditions = self.conditions();
        let several = conditions.len() > 1;
        if conditions.len() > CONDITIONS_MAX {
            return Some(format!("{} conditions are taken together", conditions.len()));
        }
        if conditions.iter().any(|condition| matches!(condition, Condition::Any(_))) {
            return Some("“or” could join other parts of the question".to_owned());
        }
        if several && self.says(Class::Or).is_some() {
            return Some("“or” stands beside another condition, and could reach further".to_owned());
        }
        if several && conditions.iter().any(|condition| negates(condition)) {
            return Some(
                "one of several conditions leaves something out, and could leave out more".to_owned(),
            );
        }
        if several && conditions.iter().any(|condition| self.relates(condition)) {
            return Some(
                "other rows are asked about beside another condition, which could be theirs".to_owned(),
            );
        }
        None
    }

    /// Whether a condition is about rows of another dataset that stand on the many side.
    fn relates(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Related { .. } => true,
            Condition::Member { population, .. } => {
                self.catalogue.populations.get(population).is_some_and(|p| !p.membership.related.is_empty())
            }
            Condition::OneOf { .. }
            | Condition::Compare { .. }
            | Condition::Between { .. }
            | Condition::Missing { .. }
            | Condition::InPeriod { .. }
            | Condition::Any(_) => false,
        }
    }

    fn has_period(&self) -> bool {
        match self.request {
            Request::Figures(figures) => {
                figures.period.period.is_some()
                    || figures.groupings.iter().any(|grouping| matches!(grouping.value, Grouping::Time(_)))
            }
            Request::Rows(rows) => rows.period.period.is_some(),
            Request::About(_) => false,
        }
    }

    /// How things stand today, asked for of rows of another time.
    fn state_then(&self) -> Option<String> {
        if !self.has_period() {
            return None;
        }
        let state = self.conditions().into_iter().find(|condition| self.is_state(condition))?;
        let words = tieout_core::definitions::condition_words(state, self.catalogue);
        Some(format!("“{words}” is what is so now, and the period is that of the rows"))
    }

    fn is_state(&self, condition: &Condition) -> bool {
        match condition {
            Condition::OneOf { field, .. } => {
                // `with order status shipped` says that it is about the status.
                let name = format!("{}.{}", field.dataset, field.field);
                let said =
                    self.words.iter().any(|word| matches!(&word.used_as, Use::Field(said) if *said == name));
                let found =
                    self.catalogue.datasets.get(&field.dataset).and_then(|d| d.fields.get(&field.field));
                // A flag is named by what is true of a row, and so is never named apart from its value.
                let flag = found.is_some_and(|found| found.datatype == Datatype::Boolean);
                (flag || !said) && self.states(&field.dataset, &field.field)
            }
            Condition::Member { population, .. } => {
                self.catalogue.populations.get(population).is_some_and(|p| {
                    let columns = p.membership.filter.iter().flat_map(|filter| filter.columns());
                    let lacks =
                        |related: &Related| related.presence == Presence::Absent && !related.within_period;
                    columns.into_iter().any(|column| self.states(&p.dataset, column))
                        || p.membership.related.iter().any(lacks)
                })
            }
            Condition::Related { conditions, .. } => conditions.iter().any(|inner| self.is_state(inner)),
            Condition::Compare { .. }
            | Condition::Between { .. }
            | Condition::Missing { .. }
            | Condition::InPeriod { .. }
            | Condition::Any(_) => false,
        }
    }

    /// Whether a field says how things stand now.
    fn states(&self, dataset: &str, field: &str) -> bool {
        let last = |name: &str| {
            let name = name.to_lowercase();
            name.split(['_', ' ']).next_back().is_some_and(|word| STATES.contains(&word))
        };
        self.catalogue.datasets.get(dataset).and_then(|dataset| dataset.fields.get(field)).is_some_and(
            |field| field.datatype == Datatype::Boolean || last(&field.name) || last(&field.label),
        )
    }

    /// `did not open a ticket`: a name behind `do` may be a verb.
    fn verb_taken_for_a_name(&self) -> Option<String> {
        let start = self.chart.tokens.get(self.says(Class::Do)?)?.start;
        let named = |word: &&WordUse| {
            word.start > start && matches!(word.used_as, Use::Population(_) | Use::Value(_))
        };
        let verb = self.words.iter().find(named)?;
        Some(format!("“{}” is taken for {}, and could be a verb", verb.text, verb.used_as))
    }

    /// `the year starting 1 April`: how long it is was not read.
    fn starting(&self) -> Option<String> {
        let at = self.says(Class::Starting)?;
        let inside = self.words.iter().find(|word| {
            let token = self.chart.tokens.get(at).map_or(0, |token| token.start);
            matches!(word.used_as, Use::Time(_) | Use::Stop | Use::Grammar(_))
                && (word.start..word.start.saturating_add(word.text.len())).contains(&token)
        })?;
        Some(format!("“{}” may name another length of time", inside.text))
    }

    /// A follow-up of a question whose conditions hold the period, or that was itself a comparison.
    fn followed_up(&self) -> Option<String> {
        let previous = self.previous?;
        if !self.inherits() {
            return None;
        }
        let (conditions, derived): (Vec<&Condition>, bool) = match previous {
            Request::Figures(figures) => (
                figures.conditions.iter().map(|condition| &condition.value).collect(),
                figures.derivation != Derivation::Plain,
            ),
            Request::Rows(rows) => {
                (rows.conditions.iter().map(|condition| &condition.value).collect(), false)
            }
            Request::About(_) => (Vec::new(), false),
        };
        let counted_from = self.has(|clause| match clause {
            Clause::When(time) | Clause::Versus(time, _) => {
                matches!(time.reading.kind, TimeKind::Previous { .. } | TimeKind::SameLastYear)
            }
            _ => false,
        });
        let holds_time = |condition: &&Condition| match condition {
            Condition::InPeriod { .. }
            | Condition::Related { .. }
            | Condition::Member { .. }
            | Condition::Any(_) => true,
            Condition::OneOf { .. }
            | Condition::Compare { .. }
            | Condition::Between { .. }
            | Condition::Missing { .. } => false,
        };
        if conditions.iter().any(holds_time) || conditions.len() > 1 || derived || counted_from {
            return Some(
                "this goes on from the answer before, and could change another part of it".to_owned(),
            );
        }
        None
    }

    /// Whether a part of the request comes from the answer before.
    fn inherits(&self) -> bool {
        let sources: Vec<Source> = match self.request {
            Request::Figures(figures) => {
                let measures = figures.measures.iter().map(|part| part.source);
                let conditions = figures.conditions.iter().map(|part| part.source);
                measures.chain(conditions).chain([figures.period.source]).collect()
            }
            Request::Rows(rows) => {
                rows.conditions.iter().map(|part| part.source).chain([rows.period.source]).collect()
            }
            Request::About(_) => Vec::new(),
        };
        sources.contains(&Source::Previous)
    }

    fn figures(&self, figures: &FiguresRequest) -> Option<String> {
        self.which(figures)
            .or_else(|| self.several_measures(figures))
            .or_else(|| self.split_unasked(figures))
            .or_else(|| self.base_unsaid(figures))
            .or_else(|| self.backwards(figures))
            .or_else(|| self.part_of_a_percent(figures))
            .or_else(|| self.largest_of_several())
            .or_else(|| self.between_snapshots(figures))
            .or_else(|| self.ranked(figures.ranking.as_ref(), Some(figures)))
    }

    fn rows(&self, rows: &RowsRequest) -> Option<String> {
        self.ranked(rows.ranking.as_ref(), None)
            .or_else(|| self.first_of_event(rows))
            .or_else(|| self.listed_by(rows))
            .or_else(|| self.uncut(rows))
    }

    /// `last loan closed in 2025`: in the order of another date than that of the event.
    fn first_of_event(&self, rows: &RowsRequest) -> Option<String> {
        let ordered = rows.ranking.as_ref().is_some_and(|ranking| matches!(ranking.by, RankBy::Field(_)));
        let of_event = |condition: &&Condition| {
            matches!(condition, Condition::InPeriod { .. } | Condition::Related { .. })
        };
        let event = self.conditions().iter().any(of_event);
        (ordered && event)
            .then(|| "the order may be that of another date than the one that is asked about".to_owned())
    }

    /// `list orders by amount`: it may be meant as an order, as groups, or as a column.
    fn listed_by(&self, rows: &RowsRequest) -> Option<String> {
        if rows.ranking.is_some() || !self.has(|clause| matches!(clause, Clause::By(_))) {
            return None;
        }
        let measures =
            rows.columns.iter().filter(|column| column.source == Source::Question).find(|column| {
                let dataset = self.catalogue.datasets.get(&column.value.dataset);
                let field = dataset.and_then(|dataset| dataset.fields.get(&column.value.field));
                field.is_some_and(|field| match field.datatype {
                    Datatype::Integer | Datatype::Decimal | Datatype::Float => {
                        field.unit.is_some() && !field.identifier
                    }
                    Datatype::Boolean => true,
                    Datatype::String | Datatype::Date | Datatype::Timestamp | Datatype::Instant => {
                        self.states(&column.value.dataset, &column.value.field)
                    }
                })
            })?;
        let words = tieout_core::definitions::field_words(&measures.value, self.catalogue);
        Some(format!("“by” is taken to show the {words}, and could ask for an order or for groups"))
    }

    /// `which loan is the largest?`: all are listed.
    fn uncut(&self, rows: &RowsRequest) -> Option<String> {
        let cut = rows.ranking.as_ref().is_some_and(|ranking| ranking.limit.is_some());
        let extremes = [Class::Size, Class::Top, Class::Bottom, Class::Newest, Class::Oldest];
        let extreme = extremes.into_iter().any(|class| self.says(class).is_some());
        (extreme && !cut).then(|| "one is asked for, and all would be listed".to_owned())
    }

    /// `no orders`, where a field is called `line no`.
    fn no_in_a_name(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            let named = matches!(word.used_as, Use::Field(_) | Use::Dataset(_) | Use::Metric(_));
            let text = word.text.to_lowercase();
            let first = text.split_whitespace().next()?;
            let negates = self.chart.language().classes(first).contains(&Class::No);
            (named && negates).then(|| {
                format!("“{}” is taken for {}, and could leave something out", word.text, word.used_as)
            })
        })
    }

    /// `tickets in the Product area`, where `product area` is a field and `Product` one of its values.
    fn value_in_a_field(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            let Use::Field(name) = &word.used_as else { return None };
            let at = self.chart.tokens.iter().position(|token| token.start >= word.start)?;
            let of_field = |item: &Item| match &item.meaning {
                Meaning::Values(values) => values.iter().any(|value| {
                    field_of(self.catalogue, value.field)
                        .is_some_and(|(dataset, field)| *name == format!("{dataset}.{}", field.name))
                }),
                _ => false,
            };
            let end = word.start.saturating_add(word.text.len());
            let inside = (at..self.chart.tokens_count())
                .take_while(|at| self.chart.tokens.get(*at).is_some_and(|token| token.start < end));
            let holds = inside.into_iter().any(|at| self.chart.items(at).iter().any(of_field));
            holds.then(|| format!("“{}” is taken for a field, and holds one of its values", word.text))
        })
    }

    /// `which customer has the largest loan?`: all of them are shown.
    fn which(&self, figures: &FiguresRequest) -> Option<String> {
        let chooses = self.sequence.clauses.iter().any(|placed| {
            matches!(*placed.clause, Clause::Ask(_))
                && self.chart.one_of(placed.span.first, &[Class::Chooses]).is_some()
        });
        let chosen = figures.ranking.is_some() || !figures.having.is_empty();
        (chooses && !chosen).then(|| "some are asked for, and nothing chooses among them".to_owned())
    }

    /// `how many customers in 2025?`: those that came then, or those that there were.
    fn lasting_then(&self) -> Option<String> {
        if !self.has_period() {
            return None;
        }
        let (counted, whole) = match self.request {
            Request::Figures(figures) => figures.measures.iter().find_map(|measure| match &measure.value {
                MeasureRef::Count { dataset } => Some((dataset, true)),
                MeasureRef::Metric(_) | MeasureRef::AdHoc { .. } => None,
            }),
            // A list at one day asks for what there was then.
            Request::Rows(rows) => {
                let one_day = rows.period.period.as_ref().is_some_and(|period| period.days() <= 1);
                Some((&rows.dataset, one_day))
            }
            Request::About(_) => None,
        }?;
        let dataset = self.catalogue.datasets.get(counted)?;
        let time = dataset.time.as_deref()?;
        let name = format!("{counted}.{time}");
        let dated =
            self.words.iter().any(|word| matches!(&word.used_as, Use::Field(field) if *field == name));
        let label = &dataset.fields.get(time)?.label;
        (!dated && self.lasts(counted) && (whole || !self.begins(counted, time)))
            .then(|| format!("the period is taken to be of the {label}, which no word says"))
    }

    /// Whether rows of a dataset go on: others belong to them.
    fn lasts(&self, dataset: &str) -> bool {
        self.catalogue.relationships.values().any(|relationship| relationship.to == dataset)
    }

    /// Whether a metric counts the rows of a dataset by the day they begin.
    fn begins(&self, dataset: &str, time: &str) -> bool {
        self.catalogue.metrics.values().any(|metric| match &metric.measure {
            Measure::Aggregate(aggregate) => {
                aggregate.kind == "count"
                    && aggregate.dataset == dataset
                    && aggregate.time.as_deref().is_none_or(|own| own == time)
            }
            Measure::Ratio { .. } | Measure::Derived { .. } => false,
        })
    }

    /// Related rows that no word names.
    fn related_unnamed(&self) -> Option<String> {
        self.conditions().into_iter().find_map(|condition| {
            let Condition::Related { dataset, .. } = condition else { return None };
            let of_dataset = |name: &str| name.split('.').next() == Some(dataset.as_str());
            let named = self.words.iter().any(|word| match &word.used_as {
                Use::Dataset(name) => name == dataset,
                Use::Field(name) => of_dataset(name),
                Use::Population(name) => {
                    self.catalogue.populations.get(name).is_some_and(|p| p.dataset == *dataset)
                }
                Use::Relationship(_) => true,
                Use::Metric(_)
                | Use::Value(_)
                | Use::Time(_)
                | Use::Number(_)
                | Use::Grammar(_)
                | Use::Definition(_)
                | Use::Wrapping
                | Use::Stop
                | Use::Unknown => false,
            });
            let label = &self.catalogue.datasets.get(dataset)?.label;
            (!named).then(|| format!("{label} are brought in, and no word names them"))
        })
    }

    /// A value that also starts the name of a population: `shipped` of `shipped orders`.
    fn value_or_population(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            let Use::Value(value) = &word.used_as else { return None };
            let field = value.split(" = ").next()?;
            if self.words.iter().any(|word| matches!(&word.used_as, Use::Field(name) if name == field)) {
                return None;
            }
            let dataset = value.split('.').next()?;
            let text = word.text.to_lowercase();
            let called = |name: &str| name.to_lowercase().split(' ').any(|part| part == text);
            let other = self.catalogue.populations.values().find(|p| {
                p.dataset == dataset && (called(&p.label) || p.synonyms.iter().any(|name| called(name)))
            })?;
            Some(format!("“{}” is taken for {value}, and could be {}", word.text, other.label))
        })
    }

    /// A bound on a field that no word names, where several things are spoken of.
    fn bound_of_unnamed(&self) -> Option<String> {
        let things =
            self.words.iter().filter(|word| matches!(word.used_as, Use::Dataset(_) | Use::Population(_)));
        if things.count() < 2 {
            return None;
        }
        self.conditions().into_iter().find_map(|condition| {
            let (Condition::Compare { field, .. } | Condition::Between { field, .. }) = condition else {
                return None;
            };
            let name = format!("{}.{}", field.dataset, field.field);
            let named =
                self.words.iter().any(|word| matches!(&word.used_as, Use::Field(said) if *said == name));
            let words = tieout_core::definitions::field_words(field, self.catalogue);
            (!named).then(|| format!("the bound is taken to be of the {words}, which no word says"))
        })
    }

    /// A count beside another measure may have been a condition on it.
    fn several_measures(&self, figures: &FiguresRequest) -> Option<String> {
        let counts =
            |measure: &MeasureRef| matches!(measure, MeasureRef::Count { .. } | MeasureRef::AdHoc { .. });
        let several = figures.measures.len() > 1;
        let beside = several && figures.measures.iter().any(|part| counts(&part.value));
        // `orders that have tax`: a condition, and not two figures.
        let had = several && self.says(Class::Have).is_some();
        (beside || had)
            .then(|| "a count stands beside another measure, and could narrow it instead".to_owned())
    }

    /// Groups that no word of grouping asks for.
    fn split_unasked(&self, figures: &FiguresRequest) -> Option<String> {
        let asked = figures.groupings.iter().any(|grouping| grouping.source == Source::Question);
        let split = self.has(|clause| {
            matches!(
                clause,
                Clause::By(_) | Clause::Each(_) | Clause::Trend | Clause::Rank(_) | Clause::Sort(_)
                    | Clause::Ask(Ask::Which) | Clause::Having(_) | Clause::Bound(..)
                    | Clause::Where(_, Joined::AsContrast)
            ) || matches!(clause, Clause::When(time) if matches!(time.reading.kind, TimeKind::Grain(_) | TimeKind::StepByStep(_)))
        });
        (asked && !split && self.says(Class::By).is_none())
            .then(|| "nothing asks for the groups that it is split into".to_owned())
    }

    /// `growth by month`: against what is not said.
    fn base_unsaid(&self, figures: &FiguresRequest) -> Option<String> {
        let Derivation::Against(contrast) = &figures.derivation else { return None };
        let said = self.has(|clause| match clause {
            Clause::Versus(..) | Clause::Contrast(..) => true,
            Clause::When(time) => {
                matches!(time.reading.kind, TimeKind::Previous { .. } | TimeKind::SameLastYear)
            }
            _ => false,
        });
        let periods = self.has_two_periods();
        (!said && !periods).then(|| format!("no word says that it is compared with {}", contrast.words))
    }

    /// `2025 vs 2026`: the later one stands as the base.
    fn backwards(&self, figures: &FiguresRequest) -> Option<String> {
        let Derivation::Against(contrast) = &figures.derivation else { return None };
        let period = figures.period.period.as_ref()?;
        (contrast.baseline.start() > period.start())
            .then(|| format!("the change is worked out from {} on, which is the later one", contrast.words))
    }

    /// `above 0.7` of a percentage: as it stands, or seventy of a hundred.
    fn part_of_a_percent(&self, figures: &FiguresRequest) -> Option<String> {
        let bound = figures.having.iter().find(|having| {
            let unit = figures.measures.get(having.measure).and_then(|measure| match &measure.value {
                MeasureRef::Metric(name) => self.catalogue.metrics.get(name).map(|metric| &metric.unit.kind),
                MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => None,
            });
            let value: Option<f64> = having.value.to_plain_string().parse().ok();
            unit == Some(&UnitKind::Percent) && value.is_some_and(|value| value > 0.0 && value < 1.0)
        })?;
        let shown = bound.value.to_plain_string();
        Some(format!("{shown} is taken for {shown} %, and could be that part of a whole"))
    }

    /// `largest orders`: the metric is of one.
    fn largest_of_several(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            let text = word.text.to_lowercase();
            let first = text.split_whitespace().next()?;
            let sized = self.chart.language().classes(first).contains(&Class::Size);
            let several = text.ends_with('s') && text.contains(' ');
            (matches!(word.used_as, Use::Metric(_)) && sized && several)
                .then(|| format!("“{}” names several, and one figure would be shown", word.text))
        })
    }

    /// What there was on a day, where the last snapshot may be an older one.
    fn between_snapshots(&self, figures: &FiguresRequest) -> Option<String> {
        let stock = figures.measures.iter().any(|measure| match &measure.value {
            MeasureRef::Metric(name) => {
                self.catalogue.aggregates_within(name).any(|(_, aggregate)| aggregate.kind == "latest")
            }
            MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => false,
        });
        let period = figures.period.period.as_ref()?;
        let ends_a_month = period.end_exclusive().day() == 1;
        (stock && period.days() <= 1 && !ends_a_month)
            .then(|| "the last snapshot up to that day is shown, which may be an older one".to_owned())
    }

    fn has_two_periods(&self) -> bool {
        let period = |clause: &Clause| matches!(clause, Clause::When(time) if matches!(time.reading.kind, TimeKind::Period(_)));
        self.sequence.clauses.iter().filter(|placed| period(placed.clause.as_ref())).count() > 1
    }

    /// An order by a key, or by how many there are where the size of one is asked for.
    fn ranked(&self, ranking: Option<&Ranking>, figures: Option<&FiguresRequest>) -> Option<String> {
        let ranking = ranking?;
        match &ranking.by {
            RankBy::Field(field) => {
                let dataset = self.catalogue.datasets.get(&field.dataset)?;
                let is_key = dataset.primary_key.contains(&field.field)
                    || dataset.fields.get(&field.field).is_some_and(|field| field.identifier);
                let said = self.words.iter().any(|word| {
                    matches!(&word.used_as, Use::Field(name) if *name == format!("{}.{}", field.dataset, field.field))
                });
                (is_key && !said).then(|| "the order is that of a number that only names things".to_owned())
            }
            RankBy::Measure(index) | RankBy::Change(index) => {
                let measure = &figures?.measures.get(*index)?.value;
                let sized = self.says(Class::Size).is_some();
                (sized && self.counts(measure))
                    .then(|| "the size of one is asked for, and how many there are would decide".to_owned())
            }
        }
    }

    fn counts(&self, measure: &MeasureRef) -> bool {
        match measure {
            MeasureRef::Count { .. } => true,
            MeasureRef::AdHoc { .. } => false,
            MeasureRef::Metric(name) => {
                match self.catalogue.metrics.get(name).map(|metric| &metric.measure) {
                    Some(Measure::Aggregate(aggregate)) => {
                        matches!(aggregate.kind, "count" | "count_distinct")
                    }
                    Some(Measure::Ratio { .. } | Measure::Derived { .. }) | None => false,
                }
            }
        }
    }
}

fn negates(condition: &Condition) -> bool {
    match condition {
        Condition::OneOf { polarity, .. } | Condition::Member { polarity, .. } => {
            *polarity == Polarity::IsNot
        }
        Condition::Missing { polarity, .. } => *polarity == Polarity::Is,
        Condition::Compare { comparison, .. } => *comparison == tieout_core::reading::Comparison::NotEqual,
        Condition::Related { presence, .. } => *presence == Presence::Absent,
        Condition::Between { .. } | Condition::InPeriod { .. } => false,
        Condition::Any(any) => any.iter().any(negates),
    }
}
