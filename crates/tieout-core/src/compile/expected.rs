//! A plan in terms of SQL: what a statement must work out to implement it, for the checker to hold statements against.
//!
//! The same conditions as the compiler writes, from the same plan; a test holds every compiled statement against what is
//! made here. Deliberately absent: plans that no one statement works out (two periods, shares, states at a moment), which
//! are declined with the reason.

use tieout_sql::{
    Expected, Fragment,
    against::{
        ExpectedAggregate, ExpectedCondition, ExpectedFigure, ExpectedGrouping, ExpectedOrder,
        ExpectedOrderBy, ExpectedPeriod, FieldTest as Is, Hop, Presence as There, Role, Test,
    },
};

use tieout_sql::sqlparser::ast::Expr;

use super::{bounds::bounds, row_tests::positive, source::Source};
use crate::{
    catalogue::{Datatype, Direction, JoinPath, Presence, Project},
    halt::Halt,
    metric_kinds::{Part, RowsTaken},
    plan::{
        Atom, Beside, FieldTest, FiguresPlan, Formula, GroupBy, Level, Plan, RowTest, RowsPlan, TimeField,
        Window, flipped, membership_tests,
    },
    reading::{Comparison, Polarity, Problem, RankBy, ReasonCode, Sort},
    time::{Grain, Period},
};

/// What one statement must work out to implement a plan.
///
/// # Errors
/// A refusal that says why no one statement does.
pub fn expected(plan: &Plan, project: &Project) -> Result<Expected, Halt> {
    let writer = Writer { project, trust: Trust::Stated };
    match plan {
        Plan::Figures(plan) => writer.figures(plan),
        Plan::Rows(plan) => writer.rows(plan),
    }
}

/// What is believed of the data.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// What the catalogue says.
    Stated,
    /// Nothing that nobody looked at.
    Nothing,
}

/// How steps of time are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Steps {
    /// By where each of them starts.
    AsCompiled,
    /// As units of the calendar, where an engine's are the project's.
    AsUnits,
}

pub(super) struct Writer<'a> {
    pub(super) project: &'a Project,
    pub(super) trust: Trust,
}

impl Writer<'_> {
    fn figures(&self, plan: &FiguresPlan) -> Result<Expected, Halt> {
        match plan.beside {
            Beside::Nothing => {}
            Beside::Against | Beside::StepByStep => {
                return Err(refuse("it compares two periods, which are two statements"));
            }
            Beside::PartOfWhole | Beside::GroupOfTotal => {
                return Err(refuse("it is a share, which is worked out of two statements"));
            }
        }
        if !plan.having.is_empty() {
            return Err(refuse("it keeps groups by their figures, which is worked out after its statements"));
        }
        let [window] = plan.windows.as_slice() else {
            return Err(refuse("it is of several periods"));
        };
        let first = plan.atoms.first().ok_or_else(|| refuse("it has no figure"))?;
        for atom in &plan.atoms {
            let level = if plan.groupings.is_empty() { Level::Total } else { Level::Grouped };
            plain(atom, level)?;
            if atom.dataset != first.dataset || atom.time != first.time {
                return Err(refuse(
                    "its figures are over rows of different kinds, which are several statements",
                ));
            }
        }
        let conditions =
            plan.atoms.iter().map(|atom| self.conditions(atom)).collect::<Result<Vec<_>, _>>()?;
        let shared = conditions.windows(2).all(|pair| pair[0] == pair[1]);
        let mut figures = Vec::new();
        for measure in &plan.measures {
            let (aggregate, atoms) = self.measure(&measure.formula, plan)?;
            let own = match (shared, atoms.as_slice()) {
                (true, _) => Vec::new(),
                (false, [only]) => conditions.get(*only).cloned().unwrap_or_default(),
                (false, _) => return Err(refuse("it divides figures over different rows")),
            };
            figures.push(ExpectedFigure { name: measure.label.clone(), aggregate, conditions: own });
        }
        let order = self.order(plan)?;
        Ok(Expected {
            base: first.dataset.clone(),
            figures,
            conditions: if shared { conditions.into_iter().next().unwrap_or_default() } else { Vec::new() },
            period: self.period(first, window.period.as_ref())?,
            groupings: self.groupings(plan, first, window, Steps::AsUnits)?,
            order,
            limit: plan.ranking.as_ref().and_then(|ranking| ranking.limit),
        })
    }

    /// Whether an aggregate is over a field that each of its rows has, so that to count its values is to count rows.
    pub(super) fn always_there(&self, atom: &Atom, of: &Fragment) -> bool {
        let fields = self.project.catalogue.datasets.get(&atom.dataset).map(|found| &found.fields);
        let plain = |expr: &Expr, name: &str| matches!(expr, Expr::Identifier(ident) if ident.value == name);
        let required = |name: &str| {
            let field = fields.and_then(|fields| fields.get(name));
            let filtered = |filter: &Fragment| {
                filter
                    .conjuncts()
                    .iter()
                    .any(|part| matches!(part, Expr::IsNotNull(inner) if plain(inner, name)))
            };
            let stated = self.trust == Trust::Stated && field.is_some_and(|field| !field.nullable);
            stated || atom.filters.iter().any(filtered)
        };
        matches!(of.columns(), [only] if plain(of.expr(), only) && required(only))
    }

    fn rows(&self, plan: &RowsPlan) -> Result<Expected, Halt> {
        if plan.limit.is_some() {
            return Err(refuse("it keeps some rows of a list, with all that tie with the last"));
        }
        let period = match &plan.period {
            Some((time, period)) => Some(self.bounded(&plan.dataset, time, period)?),
            None => None,
        };
        Ok(Expected {
            base: plan.dataset.clone(),
            figures: Vec::new(),
            conditions: self.asked(&plan.dataset, &plan.tests)?,
            period,
            groupings: Vec::new(),
            order: Vec::new(),
            limit: None,
        })
    }

    /// An order decides what a limit keeps; without one it changes no figure.
    fn order(&self, plan: &FiguresPlan) -> Result<Vec<ExpectedOrder>, Halt> {
        let Some(ranking) = plan.ranking.as_ref().filter(|ranking| ranking.limit.is_some()) else {
            return Ok(Vec::new());
        };
        let by = match &ranking.by {
            RankBy::Measure(place) => ExpectedOrderBy::Figure(*place),
            RankBy::Change(_) | RankBy::Field(_) => {
                return Err(refuse("it ranks by what is worked out after its statements"));
            }
        };
        let descending = match ranking.sort {
            Sort::Descending => true,
            Sort::Ascending => false,
        };
        Ok(vec![ExpectedOrder { by, descending }])
    }

    /// A measure, and the atoms that it is made of.
    fn measure(
        &self,
        formula: &Formula,
        plan: &FiguresPlan,
    ) -> Result<(ExpectedAggregate, Vec<usize>), Halt> {
        match formula {
            Formula::Atom(place) => {
                let atom = plan.atoms.get(*place).ok_or_else(|| refuse("a figure names no aggregate"))?;
                Ok((of_kind(atom)?, vec![*place]))
            }
            Formula::Divide(a, b) => {
                let ((above, mut atoms), (below, more)) = (self.measure(a, plan)?, self.measure(b, plan)?);
                atoms.extend(more);
                Ok((ExpectedAggregate::Ratio(Box::new(above), Box::new(below)), atoms))
            }
            Formula::Constant(_) | Formula::Add(..) | Formula::Subtract(..) | Formula::Multiply(..) => {
                Err(refuse("its figure is worked out of several others"))
            }
        }
    }

    /// What a row must meet to be one of an aggregate's.
    pub(super) fn conditions(&self, atom: &Atom) -> Result<Vec<ExpectedCondition>, Halt> {
        let stated = |role, fragment: &Fragment, test: fn(Fragment) -> Test| ExpectedCondition {
            role,
            words: fragment.text().to_owned(),
            test: test(fragment.clone()),
        };
        let mut all: Vec<ExpectedCondition> =
            atom.filters.iter().map(|filter| stated(Role::Metric, filter, Test::Holds)).collect();
        all.extend(atom.exclusions.iter().map(|left_out| stated(Role::Exclusion, left_out, Test::HoldsNot)));
        all.extend(self.asked(&atom.dataset, &atom.tests)?);
        Ok(all)
    }

    pub(super) fn asked(&self, dataset: &str, tests: &[RowTest]) -> Result<Vec<ExpectedCondition>, Halt> {
        let one = |test: &RowTest| {
            Ok(ExpectedCondition { role: role(test), words: words(test), test: self.test(dataset, test)? })
        };
        tests.iter().map(one).collect()
    }

    /// A test of a row of a dataset.
    fn test(&self, dataset: &str, test: &RowTest) -> Result<Test, Halt> {
        match test {
            RowTest::Field { way, field, test, .. } => self.field(dataset, way, field, test),
            RowTest::Member { way, population, polarity, period } => {
                self.member(way, population, *polarity, period.as_ref())
            }
            RowTest::Related { way, presence, filter, tests, period } => {
                let mut inner: Vec<Test> = filter.iter().cloned().map(Test::Holds).collect();
                let last = way.hops.last().map_or(dataset, |hop| hop.to.as_str());
                for test in tests {
                    inner.push(self.test(last, test)?);
                }
                if let Some((time, period)) = period {
                    let ExpectedPeriod { column, start, end } = self.bounded(last, time, period)?;
                    inner.push(Test::Field { path: Vec::new(), column, is: Is::Within(start, end) });
                }
                Ok(related(way, *presence, inner))
            }
            RowTest::Any(any) => {
                any.iter().map(|one| self.test(dataset, one)).collect::<Result<_, _>>().map(Test::Any)
            }
        }
    }

    fn member(
        &self,
        way: &JoinPath,
        population: &str,
        polarity: Polarity,
        period: Option<&Period>,
    ) -> Result<Test, Halt> {
        let catalogue = &self.project.catalogue;
        let found =
            catalogue.populations.get(population).ok_or_else(|| refuse("a population is not there"))?;
        let members = membership_tests(catalogue, &found.dataset, &found.membership.related, period)?;
        let mut all: Vec<Test> = found.membership.filter.iter().cloned().map(Test::Holds).collect();
        for test in &members {
            all.push(self.test(&found.dataset, test)?);
        }
        if !way.hops.is_empty() {
            return Ok(related(way, flipped(Presence::Exists, polarity), all));
        }
        match polarity {
            Polarity::Is => Ok(Test::All(all)),
            Polarity::IsNot => all.into_iter().map(opposite).collect::<Result<_, _>>().map(Test::Any),
        }
    }

    fn field(&self, dataset: &str, way: &JoinPath, field: &str, test: &FieldTest) -> Result<Test, Halt> {
        let holder = way.hops.last().map_or(dataset, |hop| hop.to.as_str());
        if way.to_one() {
            return self.told(path(way), holder, field, test);
        }
        let (presence, positive) = positive(test);
        Ok(related(way, presence, vec![self.told(Vec::new(), holder, field, &positive)?]))
    }

    /// A test of a column that is reached by steps to one row each.
    fn told(&self, path: Vec<Hop>, dataset: &str, field: &str, test: &FieldTest) -> Result<Test, Halt> {
        let at = |is| Test::Field { path: path.clone(), column: field.to_owned(), is };
        Ok(match test {
            FieldTest::OneOf(values, Polarity::Is) => at(Is::OneOf(values.clone())),
            FieldTest::OneOf(values, Polarity::IsNot) => at(Is::NoneOf(values.clone())),
            FieldTest::Compare(comparison, value) => {
                let value = value.clone();
                at(match comparison {
                    Comparison::Below => Is::Below(value),
                    Comparison::AtMost => Is::AtMost(value),
                    Comparison::Equal => Is::OneOf(vec![value]),
                    Comparison::NotEqual => Is::NoneOf(vec![value]),
                    Comparison::AtLeast => Is::AtLeast(value),
                    Comparison::Above => Is::Above(value),
                })
            }
            FieldTest::Between(low, high) => {
                Test::All(vec![at(Is::AtLeast(low.clone())), at(Is::AtMost(high.clone()))])
            }
            FieldTest::Missing(Polarity::Is) => at(Is::Missing),
            FieldTest::Missing(Polarity::IsNot) => at(Is::Present),
            FieldTest::In(period, datatype) => {
                let (start, end) = bounds(&Source::new(self.project, dataset), *datatype, period)?;
                at(Is::Within(start, end))
            }
        })
    }

    pub(super) fn period(
        &self,
        atom: &Atom,
        period: Option<&Period>,
    ) -> Result<Option<ExpectedPeriod>, Halt> {
        let time = atom.time.as_ref().filter(|_| !atom.period_elsewhere);
        match (time, period) {
            (Some(time), Some(period)) => self.bounded(&atom.dataset, time, period).map(Some),
            (Some(_) | None, _) => Ok(None),
        }
    }

    fn bounded(&self, dataset: &str, time: &TimeField, period: &Period) -> Result<ExpectedPeriod, Halt> {
        let (start, end) = bounds(&Source::new(self.project, dataset), time.datatype, period)?;
        Ok(ExpectedPeriod { column: time.field.clone(), start, end })
    }

    pub(super) fn groupings(
        &self,
        plan: &FiguresPlan,
        atom: &Atom,
        window: &Window,
        steps: Steps,
    ) -> Result<Vec<ExpectedGrouping>, Halt> {
        let mut all = Vec::new();
        for (grouping, way) in plan.groupings.iter().zip(&atom.ways) {
            all.push(match (&grouping.by, way) {
                (GroupBy::Field { field, .. }, Some(way)) => {
                    ExpectedGrouping::Field { path: path(way), column: field.clone() }
                }
                (GroupBy::Field { .. }, None) => return Err(refuse("a grouping has no way to its field")),
                (GroupBy::Time(grain), _) => self.steps(*grain, atom, window, steps)?,
            });
        }
        Ok(all)
    }

    fn steps(
        &self,
        grain: Grain,
        atom: &Atom,
        window: &Window,
        steps: Steps,
    ) -> Result<ExpectedGrouping, Halt> {
        let time = atom.time.as_ref().ok_or_else(|| refuse("its rows have no time"))?;
        let column = time.field.clone();
        // An engine cuts a moment to a unit in its own zone, and a week on its own day.
        let unit = match (grain, time.datatype) {
            (
                Grain::Day | Grain::Month | Grain::Quarter | Grain::Year,
                Datatype::Date | Datatype::Timestamp,
            ) => Some(grain.to_string()),
            (_, _) => None,
        };
        match (steps, unit) {
            (Steps::AsUnits, Some(unit)) => Ok(ExpectedGrouping::Bucket { column, unit }),
            (Steps::AsUnits, None) | (Steps::AsCompiled, _) => {
                let source = Source::new(self.project, &atom.dataset);
                let start = |bucket: &crate::time::Bucket| {
                    bounds(&source, time.datatype, &bucket.period).map(|(start, _)| start)
                };
                let starts = window.buckets.iter().map(start).collect::<Result<_, _>>()?;
                Ok(ExpectedGrouping::Steps { column, starts })
            }
        }
    }
}

/// Holds that an aggregate is one over rows, each of them once.
pub(super) fn plain(atom: &Atom, level: Level) -> Result<(), Halt> {
    match atom.kind.rows {
        RowsTaken::InPeriod => {}
        RowsTaken::LastBeforeEnd => return Err(refuse("it is a state at a moment")),
        RowsTaken::UpToEnd => return Err(refuse("it is a running total")),
    }
    if level == Level::Grouped && !atom.partitions() {
        return Err(refuse("its groups share rows"));
    }
    Ok(())
}

pub(super) fn of_part(part: Part, of: Option<&Fragment>) -> Result<ExpectedAggregate, Halt> {
    use ExpectedAggregate as A;
    let taken = |make: fn(Fragment) -> A| of.cloned().map_or(A::CountRows, make);
    Ok(match part {
        Part::Sum => taken(A::Sum),
        Part::Count => taken(A::Count),
        Part::CountRows => A::CountRows,
        Part::CountDistinct => taken(A::CountDistinct),
        Part::Minimum => taken(A::Minimum),
        Part::Maximum => taken(A::Maximum),
        Part::LowerMedian | Part::UpperMedian => {
            return Err(refuse("it is a median, of rows in their order"));
        }
    })
}

/// A figure as a person writes it in one aggregate.
fn of_kind(atom: &Atom) -> Result<ExpectedAggregate, Halt> {
    match (atom.kind.parts, &atom.of) {
        ([Part::LowerMedian, Part::UpperMedian], Some(of)) => Ok(ExpectedAggregate::Median(of.clone())),
        ([Part::Sum, Part::Count], Some(of)) => Ok(ExpectedAggregate::Average(of.clone())),
        ([only], of) => of_part(*only, of.as_ref()),
        (_, _) => Err(refuse("its figure is worked out of several parts")),
    }
}

fn path(way: &JoinPath) -> Vec<Hop> {
    let hop = |hop: &crate::catalogue::Hop| match hop.direction {
        Direction::ToOne => Hop::ToOne(hop.relationship.clone()),
        Direction::ToMany => Hop::ToMany(hop.relationship.clone()),
    };
    way.hops.iter().map(hop).collect()
}

fn related(way: &JoinPath, presence: Presence, tests: Vec<Test>) -> Test {
    let presence = match presence {
        Presence::Exists => There::Exists,
        Presence::Absent => There::Absent,
    };
    Test::Related { path: path(way), presence, tests }
}

fn opposite(test: Test) -> Result<Test, Halt> {
    match test {
        Test::Holds(fragment) => Ok(Test::HoldsNot(fragment)),
        Test::HoldsNot(fragment) => Ok(Test::Holds(fragment)),
        Test::Related { path, presence: There::Exists, tests } => {
            Ok(Test::Related { path, presence: There::Absent, tests })
        }
        Test::Related { path, presence: There::Absent, tests } => {
            Ok(Test::Related { path, presence: There::Exists, tests })
        }
        Test::Field { .. } | Test::Any(_) | Test::All(_) => {
            Err(refuse("it leaves out a population of several parts"))
        }
    }
}

fn role(test: &RowTest) -> Role {
    match test {
        RowTest::Member { .. } => Role::Population,
        RowTest::Field { .. } | RowTest::Related { .. } | RowTest::Any(_) => Role::Filter,
    }
}

fn words(test: &RowTest) -> String {
    match test {
        RowTest::Field { dataset, field, test, .. } => format!("{field} of {dataset} {}", test_words(test)),
        RowTest::Member { population, polarity: Polarity::Is, .. } => format!("in population {population}"),
        RowTest::Member { population, polarity: Polarity::IsNot, .. } => {
            format!("not in population {population}")
        }
        RowTest::Related { way, presence, .. } => {
            let of = way.hops.last().map_or("rows", |hop| hop.to.as_str());
            match presence {
                Presence::Exists => format!("with {of}"),
                Presence::Absent => format!("without {of}"),
            }
        }
        RowTest::Any(any) => any.iter().map(words).collect::<Vec<_>>().join(" or "),
    }
}

fn test_words(test: &FieldTest) -> String {
    let list = |values: &[tieout_sql::Value]| {
        values.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
    };
    match test {
        FieldTest::OneOf(values, Polarity::Is) => format!("is {}", list(values)),
        FieldTest::OneOf(values, Polarity::IsNot) => format!("is not {}", list(values)),
        FieldTest::Compare(comparison, value) => {
            let sign = match comparison {
                Comparison::Below => "is below",
                Comparison::AtMost => "is at most",
                Comparison::Equal => "is",
                Comparison::NotEqual => "is not",
                Comparison::AtLeast => "is at least",
                Comparison::Above => "is above",
            };
            format!("{sign} {value}")
        }
        FieldTest::Between(low, high) => format!("is from {low} to {high}"),
        FieldTest::Missing(Polarity::Is) => "is missing".to_owned(),
        FieldTest::Missing(Polarity::IsNot) => "is there".to_owned(),
        FieldTest::In(period, _) => format!("lies in {period}"),
    }
}

pub(super) fn refuse(message: &str) -> Halt {
    Halt::Refuse(vec![Problem::new(
        ReasonCode::Unsupported,
        format!("no one statement can be held against this: {message}"),
        "hold it against a simpler answer, or a metric by its name",
    )])
}
