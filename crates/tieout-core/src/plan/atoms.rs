//! Measures taken apart into aggregates at home.

use super::{
    Atom, Formula, MeasurePlan, TimeField, Window,
    row_tests::{Ground, row_tests, time_field},
    ways::grouping_way,
};
use crate::{
    catalogue::{Aggregate, Catalogue, Datatype, Field, METRICS_DEPTH_MAX, Measure, Metric, Project},
    halt::Halt,
    metric_kinds::{Accepts, Arithmetic, MetricKind, RowsTaken, Split, SplitBy, kind},
    number::{Number, Unit, UnitKind},
    plan::RowTest,
    reading::{
        Derivation, FiguresRequest, Grouping, MeasureRef, Polarity, Problem, ReasonCode, period_elsewhere,
    },
    time::{Bucket, Grain},
};

/// Takes the asked measures apart.
pub(super) struct Disassembler<'a> {
    project: &'a Project,
    request: &'a FiguresRequest,
    windows: &'a [Window],
    /// The aggregates found so far, each once.
    pub(super) atoms: Vec<Atom>,
}

impl<'a> Disassembler<'a> {
    pub(super) fn new(project: &'a Project, request: &'a FiguresRequest, windows: &'a [Window]) -> Self {
        Self { project, request, windows, atoms: Vec::new() }
    }

    /// One asked measure as a formula over atoms.
    ///
    /// # Errors
    /// A refusal when it cannot be worked out or split as asked, or a doubt when a way must be chosen.
    pub(super) fn measure(&mut self, measure: &MeasureRef) -> Result<MeasurePlan, Halt> {
        match measure {
            MeasureRef::Metric(name) => {
                let metric = self.metric(name)?;
                let formula = self.formula(metric, metric, 0)?;
                let unit = Unit { minor: false, ..metric.unit.clone() };
                Ok(MeasurePlan { name: name.clone(), label: metric.label.clone(), unit, formula })
            }
            MeasureRef::Count { dataset } => {
                let label = self.label(dataset);
                let atom = self.plain(format!("count({dataset})"), "count", dataset, None)?;
                Ok(MeasurePlan {
                    name: format!("count({dataset})"),
                    unit: Unit::count(&label),
                    label: format!("number of {label}"),
                    formula: Formula::Atom(self.place(atom)),
                })
            }
            MeasureRef::AdHoc { kind, dataset, field } => {
                let name = format!("{kind}({dataset}.{field})");
                measurable(kind, self.field(dataset, field)?)?;
                let unit = self.field(dataset, field)?.unit.clone().unwrap_or_else(Unit::none);
                let atom = self.plain(name.clone(), kind, dataset, Some(field))?;
                let label = format!("{kind} {}", self.field(dataset, field)?.label);
                let unit = Unit { minor: false, ..unit };
                Ok(MeasurePlan { name, label, unit, formula: Formula::Atom(self.place(atom)) })
            }
        }
    }

    fn formula(&mut self, asked: &'a Metric, metric: &'a Metric, depth: usize) -> Result<Formula, Halt> {
        if depth > METRICS_DEPTH_MAX {
            return Err(unsupported(format!("{} is made of metrics too deep to follow", asked.label)));
        }
        match &metric.measure {
            Measure::Aggregate(aggregate) => {
                let atom = self.aggregate(asked, metric, aggregate)?;
                Ok(Formula::Atom(self.place(atom)))
            }
            Measure::Ratio { numerator, denominator } => {
                let a = self.formula(asked, self.metric(numerator)?, depth + 1)?;
                let b = self.formula(asked, self.metric(denominator)?, depth + 1)?;
                let quotient = Formula::Divide(Box::new(a), Box::new(b));
                Ok(match metric.unit.kind {
                    UnitKind::Percent => {
                        Formula::Multiply(Box::new(quotient), Box::new(Formula::Constant(Number::from(100))))
                    }
                    UnitKind::Currency(_) | UnitKind::Ratio | UnitKind::Named(_) | UnitKind::None => quotient,
                })
            }
            Measure::Derived { expression } => self.arithmetic(asked, expression, depth),
        }
    }

    fn arithmetic(&mut self, asked: &'a Metric, of: &'a Arithmetic, depth: usize) -> Result<Formula, Halt> {
        let mut both = |a: &'a Arithmetic, b: &'a Arithmetic| -> Result<(Box<Formula>, Box<Formula>), Halt> {
            Ok((Box::new(self.arithmetic(asked, a, depth)?), Box::new(self.arithmetic(asked, b, depth)?)))
        };
        Ok(match of {
            Arithmetic::Metric(name) => {
                let metric = self.metric(name)?;
                self.formula(asked, metric, depth + 1)?
            }
            Arithmetic::Constant(n) => Formula::Constant(n.clone()),
            Arithmetic::Add(a, b) => both(a, b).map(|(a, b)| Formula::Add(a, b))?,
            Arithmetic::Subtract(a, b) => both(a, b).map(|(a, b)| Formula::Subtract(a, b))?,
            Arithmetic::Multiply(a, b) => both(a, b).map(|(a, b)| Formula::Multiply(a, b))?,
            Arithmetic::Divide(a, b) => both(a, b).map(|(a, b)| Formula::Divide(a, b))?,
        })
    }

    fn aggregate(&self, asked: &Metric, metric: &Metric, aggregate: &Aggregate) -> Result<Atom, Halt> {
        let catalogue = &self.project.catalogue;
        let kind = known_kind(aggregate.kind)?;
        let metrics = [metric, asked];
        let mut tests = self.tests(&aggregate.dataset, &metrics)?;
        if let Some(population) = &aggregate.population {
            tests.push(RowTest::Member {
                way: crate::catalogue::JoinPath::default(),
                population: population.clone(),
                polarity: Polarity::Is,
                period: self.request.period.period.clone(),
            });
        }
        let time = match &aggregate.time {
            Some(field) => {
                let datatype = self.field(&aggregate.dataset, field)?.datatype;
                Some(TimeField { field: field.clone(), datatype })
            }
            None => None,
        };
        let mut atom = Atom {
            name: metric.name.clone(),
            label: metric.label.clone(),
            kind,
            dataset: aggregate.dataset.clone(),
            of: aggregate.of.clone(),
            of_float: self.may_be_float(&aggregate.dataset, aggregate.of.as_ref()),
            filters: aggregate.filter.iter().cloned().collect(),
            exclusions: metric.exclusions.iter().filter_map(|e| e.filter.clone()).collect(),
            tests,
            part_tests: self.part_tests(&aggregate.dataset, &metrics)?,
            period_elsewhere: self.period_elsewhere(&aggregate.dataset),
            time,
            per: aggregate.per.clone(),
            restart: aggregate.restart,
            restarts_at: self.restarts(aggregate.restart)?,
            tens: -i64::from(aggregate.minor_digits),
            ways: Vec::new(),
            minimum_group: metric.minimum_group.unwrap_or(self.project.policy.minimum_group),
        };
        atom.ways = self.ways(catalogue, Some(asked), Some(metric), &atom)?;
        Ok(atom)
    }

    /// A count of rows, or an aggregate of a field, that no metric states.
    fn plain(
        &self,
        name: String,
        kind: &'static str,
        dataset: &str,
        field: Option<&str>,
    ) -> Result<Atom, Halt> {
        let catalogue = &self.project.catalogue;
        let of = field
            .map(|f| tieout_sql::Fragment::parse(&quoted(f), catalogue.dialect))
            .transpose()
            .map_err(|e| unsupported(e.message))?;
        let unit = match field {
            Some(f) => self.field(dataset, f)?.unit.clone(),
            None => None,
        };
        let minor = unit.as_ref().filter(|u| u.minor && kind != "count" && kind != "count_distinct");
        let mut atom = Atom {
            label: name.clone(),
            name,
            kind: known_kind(kind)?,
            dataset: dataset.to_owned(),
            of_float: self.may_be_float(dataset, of.as_ref()),
            of,
            filters: Vec::new(),
            exclusions: Vec::new(),
            tests: self.tests(dataset, &[])?,
            part_tests: self.part_tests(dataset, &[])?,
            period_elsewhere: self.period_elsewhere(dataset),
            time: time_field(catalogue, dataset).ok(),
            per: Vec::new(),
            restart: None,
            restarts_at: Vec::new(),
            tens: minor.map_or(0, |u| -i64::from(u.minor_digits())),
            ways: Vec::new(),
            minimum_group: self.project.policy.minimum_group,
        };
        atom.ways = self.ways(catalogue, None, None, &atom)?;
        Ok(atom)
    }

    fn ways(
        &self,
        catalogue: &Catalogue,
        asked: Option<&Metric>,
        own: Option<&Metric>,
        atom: &Atom,
    ) -> Result<Vec<Option<crate::catalogue::JoinPath>>, Halt> {
        let mut ways = Vec::new();
        for grouping in &self.request.groupings {
            let time = atom.time.as_ref().map(|t| t.field.as_str());
            let (by, way) = match &grouping.value {
                Grouping::Field(field) => {
                    super::access::shown(self.field(&field.dataset, &field.field)?, &field.dataset)?;
                    let way = grouping_way(catalogue, asked, own, &atom.dataset, field)?;
                    let by = if way.hops.is_empty() {
                        SplitBy::OwnField(&field.field)
                    } else {
                        SplitBy::RelatedField(&field.field)
                    };
                    (by, Some(way))
                }
                Grouping::Time(grain) => {
                    time_needed(atom)?;
                    (SplitBy::Steps(*grain), None)
                }
            };
            if let Some(reason) = (atom.kind.forbids)(&Split { by, time, restart: atom.restart }) {
                let hint = "ask for another grouping";
                return Err(Halt::Refuse(vec![Problem::new(ReasonCode::ForbiddenGrouping, reason, hint)]));
            }
            ways.push(way);
        }
        let dated = self.request.period.period.is_some() && !atom.period_elsewhere;
        if dated || atom.kind.rows != RowsTaken::InPeriod {
            time_needed(atom)?;
        }
        Ok(ways)
    }

    fn tests(&self, dataset: &str, metrics: &[&Metric]) -> Result<Vec<RowTest>, Halt> {
        row_tests(self.ground(dataset, metrics), self.request.conditions.iter().map(|c| &c.value))
    }

    fn part_tests(&self, dataset: &str, metrics: &[&Metric]) -> Result<Vec<RowTest>, Halt> {
        match &self.request.derivation {
            Derivation::ShareOf { part } => row_tests(self.ground(dataset, metrics), part),
            Derivation::Plain
            | Derivation::Against(_)
            | Derivation::StepByStep
            | Derivation::ShareOfTotal => Ok(Vec::new()),
        }
    }

    fn ground<'g>(&'g self, from: &'g str, metrics: &'g [&'g Metric]) -> Ground<'g> {
        let period = self.request.period.period.as_ref();
        Ground { catalogue: &self.project.catalogue, from, metrics, period }
    }

    fn period_elsewhere(&self, dataset: &str) -> bool {
        let conditions = self.request.conditions.iter().map(|c| &c.value);
        period_elsewhere(&self.project.catalogue, dataset, conditions)
    }

    /// At which steps of each window a running total begins again.
    fn restarts(&self, restart: Option<Grain>) -> Result<Vec<Vec<bool>>, Halt> {
        let Some(restart) = restart else { return Ok(Vec::new()) };
        let calendar = &self.project.calendar;
        let of_step = |bucket: &Bucket| {
            let unit = |day| calendar.unit(restart, day).map(|u| u.start());
            let (first, last) = (bucket.period.start(), bucket.period.last_day());
            if unit(first) == unit(last) {
                return Ok(unit(first) == Some(first));
            }
            let message = format!(
                "the running total begins again with each {restart}, in the middle of {}",
                bucket.label
            );
            let hint = format!("ask for steps that end with the {restart}, such as days");
            Err(Halt::Refuse(vec![Problem::new(ReasonCode::ForbiddenGrouping, message, hint)]))
        };
        self.windows.iter().map(|w| w.buckets.iter().map(of_step).collect()).collect()
    }

    /// The place of an atom among those found, added when it is new.
    fn place(&mut self, atom: Atom) -> usize {
        if let Some(found) = self.atoms.iter().position(|a| a.name == atom.name) {
            return found;
        }
        self.atoms.push(atom);
        self.atoms.len() - 1
    }

    /// Whether the aggregated expression may be a binary float: a float field, or a division, which engines make one.
    fn may_be_float(&self, dataset: &str, of: Option<&tieout_sql::Fragment>) -> bool {
        let Some(of) = of else { return false };
        let float = |f: &String| self.field(dataset, f).is_ok_and(|f| f.datatype == Datatype::Float);
        of.text().contains('/') || of.columns().iter().any(float)
    }

    fn metric(&self, name: &str) -> Result<&'a Metric, Halt> {
        let missing = || unsupported(format!("there is no metric {name}"));
        self.project.catalogue.metrics.get(name).ok_or_else(missing)
    }

    fn field(&self, dataset: &str, field: &str) -> Result<&'a Field, Halt> {
        let found = self.project.catalogue.datasets.get(dataset).and_then(|d| d.fields.get(field));
        match found {
            Some(found) => Ok(found),
            None => Err(unsupported(format!("{dataset} has no field {field}"))),
        }
    }

    fn label(&self, dataset: &str) -> String {
        self.project.catalogue.datasets.get(dataset).map_or(dataset.to_owned(), |d| d.label.clone())
    }
}

/// Lets a field through that can be aggregated so: names of things are not numbers to be added up.
fn measurable(name: &str, field: &Field) -> Result<(), Halt> {
    let message = match known_kind(name)?.accepts {
        Accepts::Anything => return Ok(()),
        Accepts::Measures if field.identifier => format!("{} names things, so it has no {name}", field.label),
        Accepts::Measures => match field.datatype {
            Datatype::Integer | Datatype::Decimal | Datatype::Float => return Ok(()),
            Datatype::String
            | Datatype::Boolean
            | Datatype::Date
            | Datatype::Timestamp
            | Datatype::Instant => {
                format!("{} holds no numbers, so it has no {name}", field.label)
            }
        },
    };
    Err(Halt::Refuse(vec![Problem::new(
        ReasonCode::NotAdditive,
        message,
        "count it, or ask for a field that measures",
    )]))
}

fn time_needed(atom: &Atom) -> Result<(), Halt> {
    if atom.time.is_some() {
        return Ok(());
    }
    Err(Halt::Refuse(vec![Problem::new(
        ReasonCode::Unsupported,
        format!(
            "nothing says when the rows of {} happened, so {} cannot be given for a period",
            atom.dataset, atom.label
        ),
        "ask without a period, or name its time field in the catalogue (`time:`)",
    )]))
}

fn known_kind(name: &str) -> Result<&'static MetricKind, Halt> {
    kind(name).ok_or_else(|| unsupported(format!("there is no kind of metric called {name}")))
}

/// A field's name as an expression: quoted, so that no name can be anything else.
fn quoted(field: &str) -> String {
    format!("\"{}\"", field.replace('"', "\"\""))
}

fn unsupported(message: String) -> Halt {
    Halt::Refuse(vec![Problem::new(
        ReasonCode::Unsupported,
        message,
        "ask with names of the catalogue (`tieout catalogue show`)",
    )])
}
