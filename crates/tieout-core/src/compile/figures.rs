//! One leg of a figures plan as a select.
//!
//! The shape of every leg's result is the same: the groups' keys `g1…`, the number of rows counted `n`, and the
//! fetched parts `p1…`. Rows that several groups share (a way through the many side) are made distinct by their
//! primary key before they are counted.

use tieout_sql::{
    Select, SqlType,
    build::{
        Distinct, Order, SelectBuilder, add, agg, and, cast, col, count_star, ge, int, is_not_null, is_null,
        le, mul,
    },
    sqlparser::ast::{Expr, Query},
};

use jiff::{civil::Date, tz::TimeZone};

use super::{
    bounds::{before_end, from_start, step_number, within},
    gaps::{Gap, Names, gaps, marked, without_gaps},
    row_tests::row_tests,
    source::{Need, Source},
    window::{ascending, count_over, descending, row_number},
};
use crate::{
    catalogue::{JoinPath, Project},
    halt::Halt,
    metric_kinds::{Part, RowsTaken},
    plan::{Atom, FiguresPlan, GroupBy, Leg, Level, Slice, Window},
    reading::{Problem, ReasonCode},
    time::{Calendar, Grain, Period},
};

/// The names of a leg's columns.
pub mod columns {
    /// The column of the grouping at a place, from 0.
    #[must_use]
    pub fn group(place: usize) -> String {
        format!("g{}", place + 1)
    }
    /// The column of a part at a place, from 0.
    #[must_use]
    pub fn part(place: usize) -> String {
        format!("p{}", place + 1)
    }
    /// How many rows were counted.
    pub const ROWS: &str = "n";
    /// What is aggregated, in a query of the rows that were counted.
    pub const VALUE: &str = "value";
}

/// A leg as a select.
///
/// # Errors
/// A refusal when the parts are known but cannot be fetched together.
pub fn compile_leg(leg: &Leg, plan: &FiguresPlan, project: &Project) -> Result<Select, Halt> {
    let level = leg.level;
    Prepared::new(leg, level, plan, project)?.leg()
}

/// The rows that a leg counts, by primary key, with what is aggregated of each: what a figure is followed back to.
///
/// # Errors
/// As [`compile_leg`].
pub fn compile_support(leg: &Leg, plan: &FiguresPlan, project: &Project, limit: u64) -> Result<Select, Halt> {
    Prepared::new(leg, Level::Total, plan, project)?.support(limit)
}

/// How many rows an aggregate leaves out because their time is not known: they lie in no period. None when no period
/// is asked for, or when the time is always there.
///
/// # Errors
/// As [`compile_leg`].
pub fn compile_undated(atom: &Atom, plan: &FiguresPlan, project: &Project) -> Result<Option<Select>, Halt> {
    let asked = plan.windows.iter().any(|w| w.period.is_some()) && !atom.period_elsewhere;
    let Some(time) = atom.time.as_ref().filter(|_| asked) else { return Ok(None) };
    let dataset = project.catalogue.datasets.get(&atom.dataset);
    if !dataset.and_then(|d| d.fields.get(&time.field)).is_some_and(|f| f.nullable) {
        return Ok(None);
    }
    let mut source = Source::new(project, &atom.dataset);
    let mut all = rows_of(&mut source, atom)?;
    all.push(is_null(col(&atom.dataset, &time.field)));
    let select = source.select()?.column(count_star(), "undated");
    let select = and(all).into_iter().fold(select, SelectBuilder::filter);
    Ok(Some(Select { query: select.build(), binds: source.into_binds() }))
}

/// How many of the rows that an aggregate counts are dated after today. None where every period that is asked for ends
/// by then, and for rows without a time.
///
/// # Errors
/// As [`compile_leg`].
pub fn compile_ahead(
    atom: &Atom,
    plan: &FiguresPlan,
    project: &Project,
    today: Date,
) -> Result<Option<Select>, Halt> {
    let Some(time) = atom.time.as_ref().filter(|_| !atom.period_elsewhere) else { return Ok(None) };
    let mut source = Source::new(project, &atom.dataset);
    let Some((begins, ends)) = ahead(plan, today, &source.zone.clone()) else { return Ok(None) };
    let field = col(&atom.dataset, &time.field);
    let mut all = rows_of(&mut source, atom)?;
    all.push(from_start(&mut source, field.clone(), time.datatype, &begins)?);
    if let Some(ends) = ends {
        all.push(before_end(&mut source, field, time.datatype, &ends)?);
    }
    let select = source.select()?.column(count_star(), "ahead");
    let select = and(all).into_iter().fold(select, SelectBuilder::filter);
    Ok(Some(Select { query: select.build(), binds: source.into_binds() }))
}

/// A period that begins tomorrow, and the one that ends last of those that are asked for; no end where one of them has
/// none, so that a day which stands for "never" lies ahead as well. None where all end by today.
fn ahead(plan: &FiguresPlan, today: Date, zone: &TimeZone) -> Option<(Period, Option<Period>)> {
    let tomorrow = today.tomorrow().ok()?;
    let begins = Period::new(tomorrow, tomorrow.tomorrow().ok()?, zone.clone())?;
    let periods: Option<Vec<&Period>> = plan.windows.iter().map(|window| window.period.as_ref()).collect();
    let Some(periods) = periods else { return Some((begins, None)) };
    let last = periods.into_iter().max_by_key(|period| period.end_exclusive())?;
    (last.end_exclusive() > tomorrow).then(|| (begins, Some(last.clone())))
}

/// How many rows of a stock lie within the asked period itself: with none, what stands at its end was recorded before it.
/// None for anything but a stock, without a period, and where steps of time show their own.
///
/// # Errors
/// As [`compile_leg`].
pub fn compile_recorded(atom: &Atom, plan: &FiguresPlan, project: &Project) -> Result<Option<Select>, Halt> {
    let Some(window) = plan.windows.first().filter(|window| window.buckets.is_empty()) else {
        return Ok(None);
    };
    let (Some(time), Some(period)) = (&atom.time, &window.period) else { return Ok(None) };
    if atom.kind.rows != RowsTaken::LastBeforeEnd || atom.period_elsewhere {
        return Ok(None);
    }
    let mut source = Source::new(project, &atom.dataset);
    let mut all = rows_of(&mut source, atom)?;
    let field = col(&atom.dataset, &time.field);
    all.push(within(&mut source, field, time.datatype, period)?);
    let select = source.select()?.column(count_star(), "recorded");
    let select = and(all).into_iter().fold(select, SelectBuilder::filter);
    Ok(Some(Select { query: select.build(), binds: source.into_binds() }))
}

/// A leg whose source is built: joins known, conditions and keys as expressions.
struct Prepared<'a> {
    source: Source<'a>,
    atom: &'a Atom,
    key: Vec<String>,
    groups: Vec<Expr>,
    value: Option<Expr>,
    condition: Vec<Expr>,
    partitions: bool,
    gaps: Vec<Gap>,
}

impl<'a> Prepared<'a> {
    fn new(leg: &Leg, level: Level, plan: &'a FiguresPlan, project: &'a Project) -> Result<Self, Halt> {
        let atom = plan.atoms.get(leg.atom).ok_or_else(|| refuse("a leg names no aggregate".to_owned()))?;
        let window =
            plan.windows.get(leg.window).ok_or_else(|| refuse("a leg names no period".to_owned()))?;
        let dataset = project.catalogue.datasets.get(&atom.dataset);
        let key = dataset.map(|d| d.primary_key.clone()).unwrap_or_default();
        let mut source = Source::new(project, &atom.dataset);
        let grouped = level == Level::Grouped;
        let groups = if grouped { groups(&mut source, plan, atom, window)? } else { Vec::new() };
        let condition = conditions(&mut source, leg, atom, window, &project.calendar)?;
        let value = atom.of.as_ref().map(|of| {
            let value = of.qualified(&atom.dataset);
            if atom.of_float { cast(value, SqlType::Decimal, project.catalogue.dialect) } else { value }
        });
        let partitions = !grouped || atom.partitions();
        let ways: Vec<Option<&JoinPath>> = atom.ways.iter().map(Option::as_ref).collect();
        let gaps = if partitions { Vec::new() } else { gaps(&mut source, &ways) };
        Ok(Self { source, atom, key, groups, value, condition, partitions, gaps })
    }

    fn leg(self) -> Result<Select, Halt> {
        let query = if self.windowed() { self.windowed_query()? } else { self.plain_query()? };
        Ok(Select { query, binds: self.source.into_binds() })
    }

    fn windowed(&self) -> bool {
        self.atom.kind.rows == RowsTaken::LastBeforeEnd
            || self.atom.kind.parts.iter().any(|p| matches!(p, Part::LowerMedian | Part::UpperMedian))
    }

    /// Aggregates straight over the rows, or over rows made distinct where groups share them.
    fn plain_query(&self) -> Result<Query, Halt> {
        let (select, groups, value) = if self.partitions {
            (self.filtered()?, self.groups.clone(), self.value.clone())
        } else {
            let inner = self.distinct_rows()?;
            let groups = (0..self.groups.len()).map(|i| col("d", &columns::group(i))).collect();
            let value = self.value.as_ref().map(|_| col("d", columns::VALUE));
            (SelectBuilder::new().from_query(inner, "d"), groups, value)
        };
        let select = with_groups(select, &groups);
        let select = select.column(count_star(), columns::ROWS);
        let parts = self.atom.kind.parts.iter().enumerate();
        let select =
            parts.fold(select, |s, (i, part)| s.column(aggregate(*part, value.as_ref()), &columns::part(i)));
        Ok(groups.into_iter().fold(select, SelectBuilder::group_by).build())
    }

    /// Aggregates over the last rows of each key, or over the middle rows of each group.
    fn windowed_query(&self) -> Result<Query, Halt> {
        let (inner, alias) = (self.ranked_rows()?, "d");
        let groups: Vec<Expr> = (0..self.groups.len()).map(|i| col(alias, &columns::group(i))).collect();
        let select = with_groups(SelectBuilder::new().from_query(inner, alias), &groups);
        let value = col(alias, columns::VALUE);
        let (keep, rows) = self.kept_rows(alias);
        let select = select.column(rows, columns::ROWS);
        let parts = self.atom.kind.parts.iter().enumerate();
        let select =
            parts.fold(select, |s, (i, part)| s.column(aggregate(*part, Some(&value)), &columns::part(i)));
        let select = select.filter(keep);
        Ok(groups.into_iter().fold(select, SelectBuilder::group_by).build())
    }

    /// Which ranked rows are kept, and how the rows that were looked at are counted.
    fn kept_rows(&self, alias: &str) -> (Expr, Expr) {
        let rank = col(alias, "rn");
        if self.atom.kind.rows == RowsTaken::LastBeforeEnd {
            return (tieout_sql::build::eq(rank, int(1)), count_star());
        }
        let twice = mul(int(2), rank);
        let all = col(alias, "rows_in_group");
        let middle = and(vec![ge(twice.clone(), all.clone()), le(twice, add(all.clone(), int(2)))]);
        let rows = agg("max", &[all], Distinct::All, None);
        (middle.unwrap_or_else(|| int(1)), rows)
    }

    /// The rows with their keys, ranked: by time within each key, latest first; or by value within each group.
    fn ranked_rows(&self) -> Result<Query, Halt> {
        let value =
            self.value.clone().ok_or_else(|| refuse(format!("{} is taken of nothing", self.atom.label)))?;
        if self.atom.kind.rows == RowsTaken::LastBeforeEnd {
            return self.last_rows(value);
        }
        let (mut select, groups, value) = if self.partitions {
            (self.filtered()?, self.groups.clone(), value)
        } else {
            let groups = (0..self.groups.len()).map(|i| col("b", &columns::group(i))).collect();
            (SelectBuilder::new().from_query(self.distinct_rows()?, "b"), groups, col("b", columns::VALUE))
        };
        select = with_groups(select, &groups).column(value.clone(), columns::VALUE);
        select = select.column(row_number(groups.clone(), vec![ascending(value.clone())]), "rn");
        select = select.column(count_over(groups), "rows_in_group");
        Ok(select.filter(is_not_null(value)).build())
    }

    fn last_rows(&self, value: Expr) -> Result<Query, Halt> {
        if !self.partitions {
            let message =
                format!("{} is a state at a moment; it cannot be split through a many side", self.atom.label);
            return Err(refuse(message));
        }
        let base = &self.atom.dataset;
        let time =
            self.atom.time.as_ref().ok_or_else(|| refuse(format!("{} has no time", self.atom.label)))?;
        let per = self.atom.per.iter().map(|p| col(base, p)).collect();
        let mut order = vec![descending(col(base, &time.field))];
        order.extend(self.key.iter().map(|k| descending(col(base, k))));
        let select = with_groups(self.filtered()?, &self.groups).column(value, columns::VALUE);
        let select = self.key.iter().fold(select, |s, k| s.column(col(base, k), &format!("key_{k}")));
        Ok(select.column(row_number(per, order), "rn").build())
    }

    /// Each row once for each group that it falls into.
    fn distinct_rows(&self) -> Result<Query, Halt> {
        if self.key.is_empty() {
            return Err(refuse(format!(
                "{} has no primary key, so its rows cannot be told apart",
                self.atom.dataset
            )));
        }
        let base = &self.atom.dataset;
        let keys: Vec<String> = self.key.iter().map(|k| format!("key_{k}")).collect();
        let groups: Vec<String> = (0..self.groups.len()).map(columns::group).collect();
        let more: Vec<String> = self.value.iter().map(|_| columns::VALUE.to_owned()).collect();
        let select = with_groups(self.filtered()?, &self.groups).distinct();
        let select = self.key.iter().zip(&keys).fold(select, |s, (k, name)| s.column(col(base, k), name));
        let select = self.value.iter().fold(select, |s, v| s.column(v.clone(), columns::VALUE));
        let rows = marked(select, &self.gaps).build();
        Ok(without_gaps(rows, &self.gaps, &Names { keys: &keys, columns: &groups, more: &more }))
    }

    /// FROM and WHERE.
    fn filtered(&self) -> Result<SelectBuilder, Halt> {
        let select = self.source.select()?;
        Ok(and(self.condition.clone()).into_iter().fold(select, SelectBuilder::filter))
    }

    fn support(self, limit: u64) -> Result<Select, Halt> {
        if self.key.is_empty() {
            return Err(refuse(format!(
                "{} has no primary key, so its rows cannot be told apart",
                self.atom.dataset
            )));
        }
        let base = self.atom.dataset.clone();
        let query = if self.atom.kind.rows == RowsTaken::LastBeforeEnd {
            let value = self.value.clone().unwrap_or_else(|| int(1));
            let mut select = SelectBuilder::new().from_query(self.last_rows(value)?, "d");
            for key in &self.key {
                select = select.column(col("d", &format!("key_{key}")), key);
                select = select.order_by(col("d", &format!("key_{key}")), Order::Ascending);
            }
            let select = select.column(col("d", columns::VALUE), columns::VALUE);
            select.filter(tieout_sql::build::eq(col("d", "rn"), int(1))).limit(limit).build()
        } else {
            let mut select = self.filtered()?;
            for key in &self.key {
                select = select.column(col(&base, key), key).order_by(col(&base, key), Order::Ascending);
            }
            let time = self.atom.time.iter().filter(|t| !self.key.contains(&t.field));
            select = time.fold(select, |s, t| s.column(col(&base, &t.field), &t.field));
            select = self.value.iter().fold(select, |s, v| s.column(v.clone(), columns::VALUE));
            select.limit(limit).build()
        };
        Ok(Select { query, binds: self.source.into_binds() })
    }
}

fn with_groups(select: SelectBuilder, groups: &[Expr]) -> SelectBuilder {
    groups.iter().enumerate().fold(select, |s, (i, g)| s.column(g.clone(), &columns::group(i)))
}

fn groups(
    source: &mut Source<'_>,
    plan: &FiguresPlan,
    atom: &Atom,
    window: &Window,
) -> Result<Vec<Expr>, Halt> {
    let mut groups = Vec::new();
    for (grouping, way) in plan.groupings.iter().zip(&atom.ways) {
        groups.push(match (&grouping.by, way) {
            (GroupBy::Field { field, .. }, Some(way)) => {
                let alias = source.alias(way, Need::MayMiss);
                col(&alias, field)
            }
            (GroupBy::Field { .. }, None) => {
                return Err(refuse("a grouping has no way to its field".to_owned()));
            }
            (GroupBy::Time(_), _) => {
                if atom.kind.rows == RowsTaken::LastBeforeEnd {
                    continue;
                }
                let time = atom.time.as_ref().ok_or_else(|| refuse(format!("{} has no time", atom.label)))?;
                let field = col(&atom.dataset, &time.field);
                step_number(source, &field, time, &window.buckets)?
            }
        });
    }
    Ok(groups)
}

fn conditions(
    source: &mut Source<'_>,
    leg: &Leg,
    atom: &Atom,
    window: &Window,
    calendar: &Calendar,
) -> Result<Vec<Expr>, Halt> {
    let mut all = rows_of(source, atom)?;
    all.extend(time_condition(source, leg, atom, window, calendar)?);
    if leg.slice == Slice::Part {
        all.extend(row_tests(source, &atom.part_tests)?);
    }
    Ok(all)
}

/// What a row must meet to be one of an aggregate's, whenever it is of.
fn rows_of(source: &mut Source<'_>, atom: &Atom) -> Result<Vec<Expr>, Halt> {
    let base = source.base_alias().to_owned();
    let mut all: Vec<Expr> = atom.filters.iter().map(|f| f.qualified(&base)).collect();
    for exclusion in &atom.exclusions {
        all.push(Expr::IsNotTrue(Box::new(Expr::Nested(Box::new(exclusion.qualified(&base))))));
    }
    all.extend(row_tests(source, &atom.tests)?);
    Ok(all)
}

fn time_condition(
    source: &mut Source<'_>,
    leg: &Leg,
    atom: &Atom,
    window: &Window,
    calendar: &Calendar,
) -> Result<Option<Expr>, Halt> {
    let Some(time) = atom.time.as_ref().filter(|_| !atom.period_elsewhere) else { return Ok(None) };
    let field = col(&atom.dataset, &time.field);
    let step = leg.step.and_then(|s| window.buckets.get(s)).map(|b| &b.period);
    let Some(period) = step.or(window.period.as_ref()) else { return Ok(None) };
    match atom.kind.rows {
        RowsTaken::InPeriod => within(source, field, time.datatype, period).map(Some),
        RowsTaken::LastBeforeEnd => before_end(source, field, time.datatype, period).map(Some),
        RowsTaken::UpToEnd => match atom.restart {
            None => before_end(source, field, time.datatype, period).map(Some),
            Some(restart) => {
                let stepped = leg.level == Level::Grouped && !window.buckets.is_empty();
                let run = running(calendar, restart, period, stepped)?;
                within(source, field, time.datatype, &run).map(Some)
            }
        },
    }
}

/// From the start of the unit that a running total restarts with, up to the period's end.
fn running(calendar: &Calendar, restart: Grain, period: &Period, stepped: bool) -> Result<Period, Halt> {
    let from = if stepped { period.start() } else { period.last_day() };
    let unit = calendar.unit(restart, from);
    unit.and_then(|u| Period::new(u.start(), period.end_exclusive(), period.zone().clone()))
        .ok_or_else(|| refuse("the period lies outside the years that can be counted".to_owned()))
}

fn aggregate(part: Part, value: Option<&Expr>) -> Expr {
    let of = |name: &str, distinct| match value {
        Some(value) => agg(name, std::slice::from_ref(value), distinct, None),
        None => count_star(),
    };
    match part {
        Part::Sum => of("sum", Distinct::All),
        Part::Count => of("count", Distinct::All),
        Part::CountRows => count_star(),
        Part::CountDistinct => of("count", Distinct::Distinct),
        Part::Minimum | Part::LowerMedian => of("min", Distinct::All),
        Part::Maximum | Part::UpperMedian => of("max", Distinct::All),
    }
}

fn refuse(message: String) -> Halt {
    Halt::Refuse(vec![Problem::new(ReasonCode::Unsupported, message, "ask in other words")])
}
