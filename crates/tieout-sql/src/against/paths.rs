//! Owns the way from the row that is counted to every other row, along stated relationships: two rows reached the same
//! way are the same row, and two conditions on them the same condition.
//!
//! Deliberately absent: which relationships may be joined at all (the rule `stated_joins`).

use std::collections::{BTreeSet, HashMap};

use super::canon::{self, Canon};
use super::formula::{All, Comparison, Formula, and, complement, conjuncts, follows, or};
use super::rows::{Narrowing, Placed, Reader, RowSet};
use super::spans;

/// Steps along relationships, by their index in the schema.
pub(super) type Hops = Vec<Step>;

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Step {
    /// From the table that is counted: its index in the schema.
    Start(usize),
    ToOne(usize),
    ToMany(usize),
}

/// The rows that are counted, told by their ways.
#[derive(Clone, Debug, Default)]
pub(super) struct Settled {
    pub conditions: Vec<Placed>,
    pub map: HashMap<usize, usize>,
    pub narrowing: Vec<Narrowing>,
    /// Whether a join repeats the row that is counted.
    pub repeats: bool,
    /// Whether the table that is counted is read at all.
    pub found: bool,
}

/// How one row is reached from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Link {
    /// It is the same row of the same table.
    Same,
    One(usize),
    Many(usize),
}

impl Reader<'_> {
    /// The row that a way leads to.
    pub(super) fn intern(&mut self, hops: Hops) -> Option<usize> {
        if let Some(row) = self.interned.get(&hops) {
            return Some(*row);
        }
        let schema = self.cx.schema;
        let last = *hops.last()?;
        let name = |name: &str| schema.tables.get_index_of(name);
        let table = match last {
            Step::Start(table) => table,
            Step::ToOne(relationship) => name(&schema.relationships.get(relationship)?.to)?,
            Step::ToMany(relationship) => name(&schema.relationships.get(relationship)?.from)?,
        };
        let row = self.new_row(table);
        let after_many = hops.iter().rposition(|step| matches!(step, Step::ToMany(_))).unwrap_or(0);
        let may_miss = hops.iter().skip(after_many).any(|step| match step {
            Step::ToOne(relationship) => {
                schema.relationships.get(*relationship).is_none_or(|known| !known.required)
            }
            Step::Start(_) | Step::ToMany(_) => false,
        });
        if may_miss {
            self.optional.insert(row);
        }
        self.paths.insert(row, hops.clone());
        self.interned.insert(hops, row);
        Some(row)
    }

    pub(super) fn further(&mut self, from: usize, step: Step) -> Option<usize> {
        let mut hops = self.paths.get(&from)?.clone();
        hops.push(step);
        self.intern(hops)
    }

    /// Whether a row that is there has this row on its way to it.
    pub(super) fn passes(&self, there: usize, row: usize) -> bool {
        match (self.paths.get(&there), self.paths.get(&row)) {
            (Some(longer), Some(shorter)) => longer.starts_with(shorter),
            (_, _) => there == row,
        }
    }

    pub(super) fn follows(&self, formula: &Formula, from: &All) -> bool {
        follows(formula, from, &|there, row| self.passes(there, row))
    }

    /// The first relationship between the same columns: two names for one way are one way.
    pub(super) fn relationship(&self, name: &str) -> Option<usize> {
        let all = &self.cx.schema.relationships;
        let named = all.iter().find(|known| known.name == name)?;
        all.iter().position(|known| {
            known.from == named.from
                && known.to == named.to
                && known.from_columns == named.from_columns
                && known.to_columns == named.to_columns
        })
    }

    /// How two rows are linked by equalities of their columns, and those equalities.
    fn link(&self, from: usize, to: usize, equal: &BTreeSet<Formula>) -> Option<(Link, Vec<Formula>)> {
        let schema = self.cx.schema;
        let table = |row: usize| self.rows.get(row).and_then(|table| schema.tables.get_index(*table));
        let (_, a) = table(from)?;
        let (_, b) = table(to)?;
        let pairs = |left: &[String], right: &[String]| -> Option<Vec<Formula>> {
            let each = left.iter().zip(right).map(|(left, right)| {
                let wanted = equality(
                    Canon::Column(from, left.as_str().into()),
                    Canon::Column(to, right.as_str().into()),
                );
                equal.contains(&wanted).then_some(wanted)
            });
            each.collect::<Option<Vec<_>>>().filter(|found| !found.is_empty())
        };
        for (index, known) in schema.relationships.iter().enumerate() {
            if known.from == a.name
                && known.to == b.name
                && let Some(used) = pairs(&known.from_columns, &known.to_columns)
            {
                return Some((Link::One(index), used));
            }
        }
        if a.name == b.name
            && let Some(used) = a.keys().find_map(|key| pairs(key, key))
        {
            return Some((Link::Same, used));
        }
        for (index, known) in schema.relationships.iter().enumerate() {
            if known.to == a.name
                && known.from == b.name
                && let Some(used) = pairs(&known.to_columns, &known.from_columns)
            {
                return Some((Link::Many(index), used));
            }
        }
        None
    }

    /// Tells the rows of a set by their ways from a row of the table that is counted.
    pub(super) fn settle(&mut self, set: &RowSet, base: usize) -> Settled {
        let mut settled = Settled::default();
        let everywhere = || set.rows.iter().chain(set.optional.iter().flat_map(|optional| &optional.rows));
        let is_base = |row: &&usize| self.rows.get(**row) == Some(&base);
        let start = set.rows.iter().find(is_base).or_else(|| everywhere().find(is_base)).copied();
        let Some((start, root)) = start.zip(self.intern(vec![Step::Start(base)])) else { return settled };
        settled.found = true;
        settled.map.insert(start, root);
        let mut conditions: Vec<Placed> = Vec::new();
        for Placed { formula, place } in &set.conditions {
            let parts = conjuncts(formula.clone()).into_iter();
            conditions.extend(parts.map(|formula| Placed { formula, place: *place }));
        }
        let mut equal: BTreeSet<Formula> = conditions.iter().map(|met| met.formula.clone()).collect();
        set.optional.iter().for_each(|optional| equal.extend(optional.on.iter().cloned()));
        let mut used: BTreeSet<Formula> = BTreeSet::new();
        let mut many: Vec<(usize, usize)> = Vec::new();
        self.reach(
            &everywhere().copied().collect::<Vec<_>>(),
            &equal,
            &mut settled.map,
            &mut used,
            &mut many,
        );
        self.missing_start(set, start, &conditions, &mut settled);
        self.optional_rows(set, &used, &mut conditions, &mut settled, &mut many);
        for row in &set.rows {
            match settled.map.get(row).copied() {
                Some(reached)
                    if self.optional.contains(&reached) && !many.iter().any(|(child, _)| child == row) =>
                {
                    let place =
                        set.places.iter().find(|(known, _)| known == row).and_then(|(_, place)| *place);
                    conditions.push(Placed { formula: Formula::There(*row), place });
                }
                Some(_) => {}
                None => {
                    let place =
                        set.places.iter().find(|(known, _)| known == row).and_then(|(_, place)| *place);
                    let table = self.table_name(*row);
                    let what = format!("`{table}` is joined, along no relationship that leads to it");
                    settled.narrowing.push(Narrowing { what, place });
                }
            }
        }
        conditions.retain(|met| !used.contains(&met.formula));
        let inner: Vec<(usize, usize)> =
            many.into_iter().filter(|(child, _)| set.rows.contains(child)).collect();
        settled.repeats |= !inner.is_empty();
        let conditions = self.nested(conditions, &inner, &settled.map);
        let mut done = Vec::new();
        for Placed { formula, place } in conditions {
            let formula = self.rewritten(formula, &settled.map);
            done.extend(conjuncts(formula).into_iter().map(|formula| Placed { formula, place }));
        }
        settled.conditions = done;
        settled
    }

    pub(super) fn table_name(&self, row: usize) -> String {
        let table = self.rows.get(row).and_then(|table| self.cx.schema.tables.get_index(*table));
        table.map(|(_, table)| table.name.clone()).unwrap_or_default()
    }

    /// When the row that is counted may itself be missing, some condition must say that it is there.
    fn missing_start(&self, set: &RowSet, start: usize, conditions: &[Placed], settled: &mut Settled) {
        if set.rows.contains(&start) {
            return;
        }
        let all: All = conditions.iter().map(|met| met.formula.clone()).collect();
        if !follows(&Formula::There(start), &all, &|there, row| there == row) {
            let what = format!("rows without any `{}` are counted too", self.table_name(start));
            settled.narrowing.push(Narrowing { what, place: None });
        }
    }

    /// Follows equalities from rows that are reached to rows that are not yet.
    fn reach(
        &mut self,
        rows: &[usize],
        equal: &BTreeSet<Formula>,
        map: &mut HashMap<usize, usize>,
        used: &mut BTreeSet<Formula>,
        many: &mut Vec<(usize, usize)>,
    ) {
        // Ways to one row first, so that a row is not taken for one of many when a shorter way leads to it.
        for only_one in [true, false, true] {
            loop {
                let mut grown = false;
                for to in rows.iter().filter(|row| !map.contains_key(row)).copied().collect::<Vec<_>>() {
                    let mut from: Vec<usize> = map.keys().copied().collect();
                    from.sort_unstable();
                    let found = from.into_iter().find_map(|from| {
                        let (link, used) = self.link(from, to, equal)?;
                        (!(only_one && matches!(link, Link::Many(_)))).then_some((from, link, used))
                    });
                    let Some((from, link, equalities)) = found else { continue };
                    let Some(known) = map.get(&from).copied() else { continue };
                    let reached = match link {
                        Link::Same => Some(known),
                        Link::One(relationship) => self.further(known, Step::ToOne(relationship)),
                        Link::Many(relationship) => {
                            many.push((to, from));
                            self.further(known, Step::ToMany(relationship))
                        }
                    };
                    if let Some(reached) = reached {
                        map.insert(to, reached);
                        used.extend(equalities);
                        grown = true;
                    }
                }
                if !grown {
                    break;
                }
            }
        }
    }

    /// Rows of outer joins: those with more conditions than their key are no plain step, and many rows that must be
    /// missing are an absence.
    fn optional_rows(
        &mut self,
        set: &RowSet,
        used: &BTreeSet<Formula>,
        conditions: &mut Vec<Placed>,
        settled: &mut Settled,
        many: &mut Vec<(usize, usize)>,
    ) {
        for optional in &set.optional {
            let more: All = optional.on.iter().filter(|part| !used.contains(*part)).cloned().collect();
            for row in &optional.rows {
                let of_many = many.iter().any(|(child, _)| child == row);
                let missing = Formula::Missing(*row);
                let absent = conditions.iter().position(|met| met.formula == missing);
                match (of_many, absent) {
                    (true, Some(position)) => {
                        let place = conditions.get(position).and_then(|met| met.place);
                        conditions.remove(position);
                        settled.map.remove(row);
                        many.retain(|(child, _)| child != row);
                        let (rows, all) = (optional.rows.clone(), optional.on.clone());
                        let formula = Formula::Related { exists: false, rows, all };
                        conditions.push(Placed { formula, place });
                    }
                    (true, None) => {
                        settled.repeats = true;
                        settled.map.remove(row);
                        many.retain(|(child, _)| child != row);
                    }
                    (false, _) if !more.is_empty() => {
                        settled.map.remove(row);
                    }
                    (false, _) => {}
                }
            }
        }
    }

    /// Conditions on many rows that are joined inside: that such a row exists.
    fn nested(
        &mut self,
        conditions: Vec<Placed>,
        many: &[(usize, usize)],
        map: &HashMap<usize, usize>,
    ) -> Vec<Placed> {
        let Some((child, _)) = many.first().copied() else { return conditions };
        let Some(reached) = map.get(&child).copied() else { return conditions };
        let beneath = |row: usize| map.get(&row).is_some_and(|known| self.passes(*known, reached));
        let (inside, mut outside): (Vec<Placed>, Vec<Placed>) =
            conditions.into_iter().partition(|met| rows_of(&met.formula).into_iter().any(beneath));
        let place = inside.first().and_then(|met| met.place);
        let rest: Vec<(usize, usize)> =
            many.iter().skip(1).copied().filter(|(other, _)| beneath(*other)).collect();
        let others: Vec<(usize, usize)> =
            many.iter().skip(1).copied().filter(|(other, _)| !beneath(*other)).collect();
        let inside = self.nested(inside, &rest, map);
        let all = inside.into_iter().map(|met| self.rewritten(met.formula, map)).collect::<Vec<_>>();
        let all = self.pruned(conjuncts(and(all)));
        outside.push(Placed { formula: Formula::Related { exists: true, rows: vec![reached], all }, place });
        self.nested(outside, &others, map)
    }

    /// Without conditions that follow from the others.
    pub(super) fn pruned(&self, all: All) -> All {
        let mut kept = all.clone();
        for part in &all {
            if matches!(part, Formula::There(_) | Formula::NotNull(_)) {
                let mut rest = kept.clone();
                rest.remove(part);
                if self.follows(part, &rest) {
                    kept = rest;
                }
            }
        }
        spans::months(kept)
    }

    /// A formula over the rows that ways lead to.
    pub(super) fn rewritten(&mut self, formula: Formula, map: &HashMap<usize, usize>) -> Formula {
        let at = |row: usize| map.get(&row).copied().unwrap_or(row);
        match formula {
            Formula::And(all) => {
                let parts: Vec<Formula> = all.into_iter().map(|part| self.rewritten(part, map)).collect();
                let all = self.pruned(conjuncts(and(parts)));
                and(all)
            }
            Formula::Or(any) => {
                let parts: Vec<Formula> = any.into_iter().map(|part| self.rewritten(part, map)).collect();
                or(parts)
            }
            Formula::Compare(comparison, a, b) => {
                let (a, b) = (self.moved(a, map), self.moved(b, map));
                match matches!(b, Canon::Constant(_)) || a <= b {
                    true => Formula::Compare(comparison, a, b),
                    false => Formula::Compare(comparison.flipped(), b, a),
                }
            }
            Formula::OneOf(of, values) => Formula::OneOf(self.moved(of, map), values),
            Formula::NoneOf(of, values) => Formula::NoneOf(self.moved(of, map), values),
            Formula::IsNull(of) => Formula::IsNull(self.moved(of, map)),
            Formula::NotNull(of) => Formula::NotNull(self.moved(of, map)),
            Formula::Holds(of, is) => Formula::Holds(self.moved(of, map), is),
            Formula::There(row) => match map.get(&row) {
                Some(reached) if !self.optional.contains(reached) => Formula::True,
                _ => Formula::There(at(row)),
            },
            Formula::Missing(row) => match map.get(&row) {
                Some(reached) if !self.optional.contains(reached) => Formula::False,
                _ => Formula::Missing(at(row)),
            },
            Formula::Related { exists, rows, all } if rows.iter().all(|row| self.paths.contains_key(row)) => {
                let all = all.into_iter().map(|part| self.rewritten(part, map)).collect::<Vec<_>>();
                Formula::Related { exists, rows, all: conjuncts(and(all)) }
            }
            Formula::Related { exists, rows, all } => self.related_rows(exists, &rows, all, map),
            same @ (Formula::True | Formula::False | Formula::Opaque(_, _)) => same,
        }
    }

    /// That related rows are there or not, told by their ways.
    fn related_rows(
        &mut self,
        exists: bool,
        rows: &[usize],
        all: All,
        outer: &HashMap<usize, usize>,
    ) -> Formula {
        let mut map = outer.clone();
        let (mut used, mut many) = (BTreeSet::new(), Vec::new());
        let equal: BTreeSet<Formula> = all.iter().cloned().collect();
        self.reach(rows, &equal, &mut map, &mut used, &mut many);
        if rows.iter().any(|row| !map.contains_key(row)) {
            return self.unfollowed("related rows, along no relationship that leads to them");
        }
        let mut conditions: Vec<Placed> = all
            .into_iter()
            .filter(|part| !used.contains(part))
            .map(|formula| Placed { formula, place: None })
            .collect();
        for row in rows {
            let reached = map.get(row).copied().unwrap_or(*row);
            if self.optional.contains(&reached) && !many.iter().any(|(child, _)| child == row) {
                conditions.push(Placed { formula: Formula::There(*row), place: None });
            }
        }
        let conditions = self.nested(conditions, &many, &map);
        let parts: Vec<Formula> =
            conditions.into_iter().map(|met| self.rewritten(met.formula, &map)).collect();
        let whole = self.pruned(conjuncts(and(parts)));
        match exists {
            true => and(whole),
            false => self.opposite(and(whole)),
        }
    }

    pub(super) fn opposite(&mut self, formula: Formula) -> Formula {
        match complement(formula, &|of| self.null_when(of)) {
            Some(opposite) => opposite,
            None => self.unfollowed("the opposite of what is not followed"),
        }
    }

    /// A value over the rows that ways lead to.
    pub(super) fn moved(&self, of: Canon, map: &HashMap<usize, usize>) -> Canon {
        match of {
            Canon::Column(row, name) => Canon::Column(map.get(&row).copied().unwrap_or(row), name),
            Canon::Call(name, arguments) => {
                let arguments = arguments.into_iter().map(|argument| self.moved(argument, map)).collect();
                canon::folded(&name, arguments)
            }
            same @ (Canon::Constant(_) | Canon::Figure(_) | Canon::Opaque(_, _)) => same,
        }
    }
}

/// An equality in its simplest form.
fn equality(a: Canon, b: Canon) -> Formula {
    match a <= b {
        true => Formula::Compare(Comparison::Equal, a, b),
        false => Formula::Compare(Comparison::Equal, b, a),
    }
}

/// Every row that a formula speaks of.
fn rows_of(formula: &Formula) -> Vec<usize> {
    fn of(canon: &Canon) -> Vec<usize> {
        match canon {
            Canon::Column(row, _) => vec![*row],
            Canon::Call(_, arguments) => arguments.iter().flat_map(of).collect(),
            Canon::Constant(_) | Canon::Figure(_) | Canon::Opaque(_, _) => Vec::new(),
        }
    }
    match formula {
        Formula::And(all) | Formula::Or(all) => all.iter().flat_map(rows_of).collect(),
        Formula::Compare(_, a, b) => of(a).into_iter().chain(of(b)).collect(),
        Formula::OneOf(a, _)
        | Formula::NoneOf(a, _)
        | Formula::IsNull(a)
        | Formula::NotNull(a)
        | Formula::Holds(a, _) => of(a),
        Formula::There(row) | Formula::Missing(row) => vec![*row],
        Formula::Related { exists: _, rows, all } => {
            rows.iter().copied().chain(all.iter().flat_map(rows_of)).collect()
        }
        Formula::True | Formula::False | Formula::Opaque(_, _) => Vec::new(),
    }
}
