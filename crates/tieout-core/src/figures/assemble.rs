//! Evidence becomes figures: keys merged null-safely, steps of time filled in, groups conditioned, ordered and cut.

use std::collections::BTreeSet;

use bigdecimal::Zero;

use super::{
    Book, CellRef, Figure, FigureColumn, FigureValue, Figures, Key, Line, ListColumn, Listing, Role,
    Unworkable, Working, cut::cut, work_out,
};
use crate::{
    compile::columns,
    evidence::{Cell, Evidence},
    halt::{Fault, FaultKind, Halt},
    metric_kinds::{Additivity, Part, RowsTaken},
    number::{Unit, UnitKind},
    plan::{Atom, Beside, FiguresPlan, Formula, GroupBy, Leg, Level, RowsPlan, Slice, own_total},
    reading::{Problem, ReasonCode},
};

/// Works the figures of a plan out from its evidence.
///
/// # Errors
/// A refusal when rows were cut, or when nothing matched; a fault when the evidence does not fit the plan.
pub fn assemble(plan: &FiguresPlan, evidence: &[Evidence], names: Vec<String>) -> Result<Figures, Halt> {
    if let Some(cut) = evidence.iter().find(|e| e.rows().cut) {
        return Err(Halt::Refuse(vec![cut_short(cut)]));
    }
    let book = Book::open(evidence);
    let maker = Maker { plan, evidence, book: &book, time: time_place(plan) };
    let keys = maker.keys();
    let mut ids = Ids(0);
    let mut lines = Vec::new();
    if !plan.groupings.is_empty() {
        for key in &keys {
            lines.push(
                maker
                    .line(&mut ids, key.clone(), &|role, m| maker.at(role, m, key, &keys))
                    .map_err(broken)?,
            );
        }
    }
    let total = match maker.has_total(&lines) {
        false => None,
        true => {
            Some(maker.line(&mut ids, Vec::new(), &|role, m| maker.total(role, m, &keys)).map_err(broken)?)
        }
    };
    let mut figures = Figures {
        groupings: plan.groupings.iter().map(|g| g.label.clone()).collect(),
        columns: maker.columns(),
        total,
        lines,
        listing: None,
        groups_before_cut: None,
        names,
    };
    if figures.all().all(|(_, f)| f.value == FigureValue::NoRows) {
        return Err(Halt::Refuse(vec![no_rows()]));
    }
    if figures.all().all(|(_, f)| matches!(f.value, FigureValue::NoRows | FigureValue::Withheld)) {
        return Err(Halt::Refuse(vec![thin(plan)]));
    }
    drop_steps_ahead(plan, maker.time, &mut figures);
    cut(plan, &mut figures);
    Ok(figures)
}

/// The rows of a list, as they stand in its evidence.
///
/// # Errors
/// A refusal when there are more rows than may be returned and no order says which come first, or none at all.
pub fn assemble_list(
    plan: &RowsPlan,
    list: &Evidence,
    count: &Evidence,
    names: Vec<String>,
) -> Result<Figures, Halt> {
    if list.rows().rows.is_empty() {
        return Err(Halt::Refuse(vec![no_rows()]));
    }
    let keys = plan.key.len();
    let columns = plan.columns.iter().enumerate().map(|(i, c)| ListColumn {
        label: c.label.clone(),
        place: keys + i,
        unit: c.unit.clone(),
        tens: c.tens,
    });
    let listing = Listing {
        evidence: list.id().to_owned(),
        columns: columns.collect(),
        counted_by: count.id().to_owned(),
    };
    Ok(Figures { listing: Some(listing), names, ..Figures::default() })
}

struct Ids(usize);

impl Ids {
    fn next(&mut self) -> String {
        self.0 += 1;
        format!("f{}", self.0)
    }
}

struct Maker<'a> {
    plan: &'a FiguresPlan,
    evidence: &'a [Evidence],
    book: &'a Book<'a>,
    time: Option<usize>,
}

type At<'f> = dyn Fn(Role, usize) -> Working + 'f;

impl Maker<'_> {
    /// The groups, in the order of their keys, NULL last; every step of time is there, with rows or without.
    fn keys(&self) -> Vec<Vec<Cell>> {
        let mut rest: BTreeSet<Vec<Order>> = BTreeSet::new();
        let mut seen: BTreeSet<Vec<Order>> = BTreeSet::new();
        let grouped = self.plan.legs.iter().filter(|l| l.level == Level::Grouped);
        for leg in grouped {
            let Some(evidence) = self.evidence.iter().find(|e| e.id() == leg.id) else { continue };
            for row in &evidence.rows().rows {
                let mut key: Vec<Order> =
                    row[..evidence.key_columns().min(row.len())].iter().map(order).collect();
                if let (Some(place), None) = (self.time, leg.step) {
                    key.remove(place.min(key.len().saturating_sub(1)));
                }
                if self.time.is_some() {
                    rest.insert(key);
                } else {
                    seen.insert(key);
                }
            }
        }
        let cells = |key: Vec<Order>| key.into_iter().map(|o| o.1).collect::<Vec<_>>();
        let Some(place) = self.time else { return seen.into_iter().map(cells).collect() };
        if self.plan.groupings.len() == 1 {
            rest = BTreeSet::from([Vec::new()]);
        }
        let steps = self.plan.windows.iter().map(|w| w.buckets.len()).max().unwrap_or(0);
        let mut keys = Vec::new();
        let rest: Vec<Vec<Cell>> = rest.into_iter().map(cells).collect();
        let mut add = |group: &Vec<Cell>, step: usize| {
            let mut key = group.clone();
            key.insert(place.min(key.len()), step_cell(step));
            keys.push(key);
        };
        if place == 0 {
            (0..steps).for_each(|step| rest.iter().for_each(|group| add(group, step)));
        } else {
            rest.iter().for_each(|group| (0..steps).for_each(|step| add(group, step)));
        }
        keys
    }

    fn line(&self, ids: &mut Ids, key: Vec<Cell>, at: &At<'_>) -> Result<Line, Unworkable> {
        let mut figures = Vec::new();
        for (column, (measure, role)) in self.roles().into_iter().enumerate() {
            let working = at(role, measure);
            let value = work_out(&working, self.book)?;
            figures.push(Figure { id: ids.next(), column, working, value });
        }
        let keys = key.iter().enumerate().map(|(place, cell)| self.key(place, cell)).collect();
        Ok(Line { keys, figures })
    }

    fn key(&self, place: usize, cell: &Cell) -> Key {
        let label = self.plan.groupings.get(place).map_or("", |g| g.label.as_str());
        let shown = match (cell, self.time == Some(place)) {
            (Cell::Number(_), true) => {
                let step = step_of(cell);
                let bucket = step.and_then(|s| self.plan.windows.first()?.buckets.get(s));
                bucket.map_or_else(|| format!("step {}", cell.shown()), |b| b.label.clone())
            }
            (Cell::Number(_), false) => self.number_key(place, cell),
            (Cell::Null, _) => format!("(no {label})"),
            (Cell::Text(t), _) if t.trim().is_empty() => format!("(blank {label})"),
            _ => cell.shown(),
        };
        Key { cell: cell.clone(), shown }
    }

    /// A number that is grouped by, in its unit: cents are shown in whole units, identifiers as they are.
    fn number_key(&self, place: usize, cell: &Cell) -> String {
        match self.plan.groupings.get(place).map(|g| &g.by) {
            Some(GroupBy::Field { unit, tens, .. }) => {
                let column = ListColumn { label: String::new(), place, unit: unit.clone(), tens: *tens };
                column.shown(cell)
            }
            Some(GroupBy::Time(_)) | None => cell.shown(),
        }
    }

    /// The columns: for each measure, what is shown beside it.
    fn roles(&self) -> Vec<(usize, Role)> {
        let roles: &[Role] = match self.plan.beside {
            Beside::Nothing => &[Role::Value],
            Beside::Against | Beside::StepByStep => {
                &[Role::Value, Role::Baseline, Role::Difference, Role::Change]
            }
            Beside::PartOfWhole => &[Role::Part, Role::Whole, Role::Share],
            Beside::GroupOfTotal => &[Role::Value, Role::Share],
        };
        (0..self.plan.measures.len()).flat_map(|m| roles.iter().map(move |r| (m, *r))).collect()
    }

    fn columns(&self) -> Vec<FigureColumn> {
        let period = |window: usize| self.plan.windows.get(window).map(|w| w.words.clone());
        let of = |(measure, role): (usize, Role)| {
            let measure = &self.plan.measures[measure];
            let period = match (role, self.plan.beside) {
                (Role::Baseline, Beside::Against) => period(1),
                (Role::Value, Beside::Against) => period(0),
                _ => None,
            };
            let unit = match role {
                Role::Change | Role::Share => Unit::percent(),
                Role::Difference if measure.unit.kind == UnitKind::Percent => {
                    Unit { kind: UnitKind::Named("percentage points".to_owned()), ..measure.unit.clone() }
                }
                Role::Value | Role::Baseline | Role::Difference | Role::Part | Role::Whole => {
                    measure.unit.clone()
                }
            };
            FigureColumn { measure: measure.name.clone(), label: measure.label.clone(), role, unit, period }
        };
        self.roles().into_iter().map(of).collect()
    }

    /// A column's working for one group.
    fn at(&self, role: Role, measure: usize, key: &[Cell], keys: &[Vec<Cell>]) -> Working {
        let value = |window, slice| self.formula(measure, &|atom| self.atom(atom, window, slice, key));
        let previous = || match self.earlier(key) {
            Some(key) => self.formula(measure, &|atom| self.atom(atom, 0, Slice::Whole, &key)),
            None => Working::Nothing("no step before it was asked for".to_owned()),
        };
        let baseline =
            || if self.plan.beside == Beside::StepByStep { previous() } else { value(1, Slice::Whole) };
        match role {
            Role::Value | Role::Whole => value(0, Slice::Whole),
            Role::Part => value(0, Slice::Part),
            Role::Baseline => baseline(),
            Role::Difference => Working::Subtract(Box::new(value(0, Slice::Whole)), Box::new(baseline())),
            Role::Change => Working::Change(Box::new(value(0, Slice::Whole)), Box::new(baseline())),
            Role::Share if self.plan.beside == Beside::PartOfWhole => {
                Working::Share(Box::new(value(0, Slice::Part)), Box::new(value(0, Slice::Whole)))
            }
            Role::Share => {
                let whole = self.total(Role::Value, measure, keys);
                Working::Share(Box::new(value(0, Slice::Whole)), Box::new(whole))
            }
        }
    }

    /// A column's working over all groups.
    fn total(&self, role: Role, measure: usize, keys: &[Vec<Cell>]) -> Working {
        let value = |window, slice| self.formula(measure, &|atom| self.atom_total(atom, window, slice, keys));
        match role {
            Role::Value | Role::Whole => value(0, Slice::Whole),
            Role::Part => value(0, Slice::Part),
            Role::Baseline => value(1, Slice::Whole),
            Role::Difference => {
                Working::Subtract(Box::new(value(0, Slice::Whole)), Box::new(value(1, Slice::Whole)))
            }
            Role::Change => {
                Working::Change(Box::new(value(0, Slice::Whole)), Box::new(value(1, Slice::Whole)))
            }
            Role::Share if self.plan.beside == Beside::PartOfWhole => {
                Working::Share(Box::new(value(0, Slice::Part)), Box::new(value(0, Slice::Whole)))
            }
            Role::Share => Working::Share(Box::new(value(0, Slice::Whole)), Box::new(value(0, Slice::Whole))),
        }
    }

    /// Whether a total stands over the groups: not over steps that build on each other, and not where it would give
    /// a withheld group away.
    fn has_total(&self, lines: &[Line]) -> bool {
        if self.plan.groupings.is_empty() {
            return true;
        }
        if self.plan.beside == Beside::StepByStep {
            return false;
        }
        let stock = |a: &Atom| a.kind.adds_up == Additivity::SemiAdditive;
        if self.time.is_some() && self.plan.atoms.iter().any(stock) {
            return false;
        }
        let withheld = |l: &Line| l.figures.iter().any(|f| f.value == FigureValue::Withheld);
        !lines.iter().any(withheld)
    }

    /// A measure over atoms; where several make it, an aggregate without rows counts as zero as long as one has any.
    fn formula(&self, measure: usize, atom: &dyn Fn(usize) -> AtomWorking) -> Working {
        let formula = &self.plan.measures[measure].formula;
        if let Formula::Atom(only) = formula {
            return atom(*only).value;
        }
        let mut rows = Vec::new();
        let inner = self.arithmetic(formula, atom, &mut rows);
        Working::IfAny { rows, inner: Box::new(inner) }
    }

    fn arithmetic(
        &self,
        formula: &Formula,
        atom: &dyn Fn(usize) -> AtomWorking,
        rows: &mut Vec<Working>,
    ) -> Working {
        let mut both = |a: &Formula, b: &Formula| {
            (Box::new(self.arithmetic(a, atom, rows)), Box::new(self.arithmetic(b, atom, rows)))
        };
        match formula {
            Formula::Atom(i) => {
                let AtomWorking { value, rows: counted } = atom(*i);
                rows.push(counted);
                let empty_is_zero = match self.plan.atoms[*i].kind.adds_up {
                    Additivity::Additive | Additivity::SemiAdditive => true,
                    Additivity::NonAdditive => false,
                };
                if empty_is_zero { Working::OrZero(Box::new(value)) } else { value }
            }
            Formula::Constant(n) => Working::Constant(n.clone()),
            Formula::Add(a, b) => {
                let (a, b) = both(a, b);
                Working::Add(vec![*a, *b])
            }
            Formula::Subtract(a, b) => {
                let (a, b) = both(a, b);
                Working::Subtract(a, b)
            }
            Formula::Multiply(a, b) => {
                let (a, b) = both(a, b);
                Working::Multiply(a, b)
            }
            Formula::Divide(a, b) => {
                let (a, b) = both(a, b);
                Working::Divide(a, b)
            }
        }
    }

    /// An atom in one group of one window.
    fn atom(&self, atom: usize, window: usize, slice: Slice, key: &[Cell]) -> AtomWorking {
        let a = &self.plan.atoms[atom];
        let step = self.time.and_then(|place| step_of(key.get(place)?));
        if let (RowsTaken::UpToEnd, Some(step), Some(place)) = (a.kind.rows, step, self.time) {
            return self.running(atom, window, slice, key, (place, step));
        }
        let leg = self.leg(
            atom,
            window,
            slice,
            Level::Grouped,
            step.filter(|_| a.kind.rows == RowsTaken::LastBeforeEnd),
        );
        match leg {
            None => AtomWorking::none(),
            Some(leg) => {
                let mut key = key.to_vec();
                if let (Some(place), Some(_)) = (self.time, leg.step) {
                    key.remove(place);
                }
                cells(a, leg, &key)
            }
        }
    }

    /// A running total at a step: the rows before the first step, and every step since the total began.
    fn running(
        &self,
        atom: usize,
        window: usize,
        slice: Slice,
        key: &[Cell],
        (place, step): (usize, usize),
    ) -> AtomWorking {
        let a = &self.plan.atoms[atom];
        let Some(leg) = self.leg(atom, window, slice, Level::Grouped, None) else {
            return AtomWorking::none();
        };
        let buckets = self.plan.windows.get(window).map(|w| w.buckets.as_slice()).unwrap_or_default();
        if step >= buckets.len() {
            return AtomWorking::none();
        }
        let restarts = a.restarts_at.get(window).map(Vec::as_slice).unwrap_or_default();
        let from = (0..=step).rev().find(|s| restarts.get(*s).is_some_and(|r| *r));
        let first = from.map_or(-1, |s| i64::try_from(s).unwrap_or(0));
        let last = i64::try_from(step).unwrap_or(i64::MAX);
        let parts: Vec<AtomWorking> = (first..=last)
            .map(|s| {
                let mut key = key.to_vec();
                key[place] = Cell::Number(s.into());
                cells(a, leg, &key)
            })
            .collect();
        AtomWorking {
            rows: Working::Add(parts.iter().map(|p| p.rows.clone()).collect()),
            value: Working::Add(parts.into_iter().map(|p| p.value).collect()),
        }
    }

    /// An atom over all groups: its own query where groups do not add up, else their sum.
    fn atom_total(&self, atom: usize, window: usize, slice: Slice, keys: &[Vec<Cell>]) -> AtomWorking {
        let a = &self.plan.atoms[atom];
        if self.plan.groupings.is_empty() || own_total(a, self.time.is_some()) {
            return self
                .leg(atom, window, slice, Level::Total, None)
                .map_or_else(AtomWorking::none, |leg| cells(a, leg, &[]));
        }
        let parts: Vec<AtomWorking> = keys.iter().map(|key| self.atom(atom, window, slice, key)).collect();
        AtomWorking {
            rows: Working::Add(parts.iter().map(|p| p.rows.clone()).collect()),
            value: Working::Add(parts.into_iter().map(|p| p.value).collect()),
        }
    }

    fn leg(
        &self,
        atom: usize,
        window: usize,
        slice: Slice,
        level: Level,
        step: Option<usize>,
    ) -> Option<&Leg> {
        self.plan
            .legs
            .iter()
            .find(|l| (l.atom, l.window, l.slice, l.level, l.step) == (atom, window, slice, level, step))
    }

    /// The same group one step of time before, if there is one.
    fn earlier(&self, key: &[Cell]) -> Option<Vec<Cell>> {
        let place = self.time?;
        let step = step_of(key.get(place)?)?.checked_sub(1)?;
        let mut key = key.to_vec();
        key[place] = step_cell(step);
        Some(key)
    }
}

/// An atom's value and how many rows it counted.
struct AtomWorking {
    value: Working,
    rows: Working,
}

impl AtomWorking {
    fn none() -> Self {
        Self { value: Working::Add(Vec::new()), rows: Working::Add(Vec::new()) }
    }
}

/// The fetched parts of one row, combined, in the figure's unit, and withheld where too few rows were counted.
fn cells(atom: &Atom, leg: &Leg, key: &[Cell]) -> AtomWorking {
    let cell =
        |column: String| Working::Cell(CellRef { evidence: leg.id.clone(), key: key.to_vec(), column });
    let part = |(i, part): (usize, &Part)| match part {
        Part::Count | Part::CountRows | Part::CountDistinct => {
            Working::OrZero(Box::new(cell(columns::part(i))))
        }
        Part::Sum | Part::Minimum | Part::Maximum | Part::LowerMedian | Part::UpperMedian => {
            cell(columns::part(i))
        }
    };
    let mut value = Working::Combine(atom.kind.name, atom.kind.parts.iter().enumerate().map(part).collect());
    if atom.tens != 0 {
        value = Working::Scale(Box::new(value), atom.tens);
    }
    let rows = cell(columns::ROWS.to_owned());
    if atom.minimum_group > 1 {
        let rows = Box::new(rows.clone());
        value = Working::Guard { rows, minimum: atom.minimum_group, inner: Box::new(value) };
    }
    AtomWorking { value, rows }
}

/// Steps that are still to come and hold nothing yet are no lines: nothing is known of them.
fn drop_steps_ahead(plan: &FiguresPlan, time: Option<usize>, figures: &mut Figures) {
    let Some(place) = time else { return };
    let Some(ahead) = plan.windows.first().and_then(|w| w.ahead) else { return };
    let flows = plan.atoms.iter().all(|a| a.kind.rows == RowsTaken::InPeriod);
    let empty = |f: &Figure| match &f.value {
        FigureValue::Number(n) => n.is_zero(),
        FigureValue::Undefined(_) | FigureValue::NoRows | FigureValue::Withheld => true,
    };
    figures.lines.retain(|line| {
        let step = line.keys.get(place).and_then(|k| step_of(&k.cell));
        step.is_none_or(|step| step < ahead) || (flows && !line.figures.first().is_none_or(empty))
    });
}

fn time_place(plan: &FiguresPlan) -> Option<usize> {
    plan.groupings.iter().position(|g| matches!(g.by, GroupBy::Time(_)))
}

fn step_cell(step: usize) -> Cell {
    Cell::Number(i64::try_from(step).unwrap_or(i64::MAX).into())
}

fn step_of(cell: &Cell) -> Option<usize> {
    use bigdecimal::ToPrimitive;
    match cell {
        Cell::Number(n) => n.to_usize(),
        Cell::Null
        | Cell::Boolean(_)
        | Cell::NotFinite(_)
        | Cell::Text(_)
        | Cell::Date(_)
        | Cell::DateTime(_)
        | Cell::Instant(_) => None,
    }
}

/// A cell in the order in which groups are shown: NULL last.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order(bool, Cell);

pub(super) fn order(cell: &Cell) -> Order {
    Order(matches!(cell, Cell::Null), cell.clone())
}

fn no_rows() -> Problem {
    Problem::new(
        ReasonCode::NoRows,
        "no row matches, so there is nothing to show",
        "ask for another period, or with fewer conditions",
    )
}

fn thin(plan: &FiguresPlan) -> Problem {
    let minimum = plan.atoms.iter().map(|a| a.minimum_group).max().unwrap_or(1);
    Problem::new(
        ReasonCode::Thin,
        format!("fewer than {minimum} rows were counted, which is too few to be shown"),
        "ask for a longer period or coarser groups",
    )
}

fn cut_short(evidence: &Evidence) -> Problem {
    Problem::new(
        ReasonCode::CutShort,
        format!("{} ({}) has more rows than may be returned", evidence.id(), evidence.label()),
        "ask for coarser groups or a shorter period; figures are never worked out over a cut set",
    )
}

fn broken(error: Unworkable) -> Halt {
    Halt::Fault(Fault {
        kind: FaultKind::Internal,
        message: format!("a figure cannot be worked out: {error}"),
        hint: "nothing is shown; please report this".to_owned(),
    })
}
