//! Owns the expected conditions, figures and groupings in their simplest form, so that they can be compared.
//!
//! Deliberately absent: the comparison (`judge`).

use std::collections::BTreeSet;
use std::rc::Rc;

use sqlparser::ast::{Ident, Query};

use super::canon::{Canon, Constant};
use super::expected::{
    Expected, ExpectedAggregate, ExpectedCondition, ExpectedGrouping, FieldTest, Hop, Presence, Role, Test,
};
use super::figures::Kind;
use super::formula::{Comparison, Formula, and, conjuncts, or};
use super::paths::Step;
use super::rows::Reader;
use super::truth::Ask;
use crate::flow::Term;
use crate::fragment::Fragment;
use crate::schema::Table;
use crate::terms::{self, Names, unknown};
use crate::value::Value;

/// Fields of a fragment: attributes numbered from the end, which no statement has.
struct Fields<'t> {
    table: &'t Table,
}

impl<'a> Names<'a> for Fields<'_> {
    fn name(&mut self, parts: &'a [Ident]) -> Term {
        let [ident] = parts else { return unknown("a qualified name") };
        let name = crate::spelling::plain(ident);
        self.table
            .spelled(&name)
            .map_or_else(|| unknown("a field"), |position| Term::Attr(usize::MAX.saturating_sub(position)))
    }

    fn block(&mut self, _query: &'a Query) -> Option<usize> {
        None
    }
}

/// One thing that is expected.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub role: Role,
    pub words: String,
    pub formula: Formula,
}

/// A figure that is expected.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    One(Kind, Formula),
    Ratio(Box<Wanted>, Box<Wanted>),
}

impl Reader<'_> {
    /// The term of a fragment over a row.
    fn fragment(&mut self, fragment: &Fragment, row: usize) -> Term {
        let schema = self.cx.schema;
        let table = self.rows.get(row).and_then(|table| schema.tables.get_index(*table));
        let Some((_, table)) = table else { return unknown("a row") };
        for (position, name) in table.columns.keys().enumerate() {
            let column = Canon::Column(row, name.as_str().into());
            self.env.insert(usize::MAX.saturating_sub(position), column);
        }
        terms::term(fragment.expr(), self.cx.dialect, &mut Fields { table })
    }

    fn fragment_value(&mut self, fragment: &Fragment, row: usize) -> Canon {
        let term = self.fragment(fragment, row);
        self.canon(&term)
    }

    fn fragment_truth(&mut self, fragment: &Fragment, row: usize, ask: Ask) -> Formula {
        let term = self.fragment(fragment, row);
        self.truth(&term, ask)
    }

    /// Everything that must hold of the rows behind every figure.
    pub(super) fn items(&mut self, expected: &Expected, root: usize) -> Vec<Item> {
        let mut items: Vec<Item> =
            expected.conditions.iter().map(|condition| self.item(condition, root)).collect();
        if let Some(period) = &expected.period {
            let of = Canon::Column(root, period.column.as_str().into());
            let formula = self.within(of, &period.start, &period.end);
            let words = format!("{} from {} until {}", period.column, period.start, period.end);
            items.push(Item { role: Role::Period, words, formula });
        }
        items
    }

    pub(super) fn item(&mut self, condition: &ExpectedCondition, root: usize) -> Item {
        let ExpectedCondition { role, words, test } = condition;
        let formula = self.test(test, root);
        Item { role: *role, words: words.clone(), formula: and(self.pruned(conjuncts(formula))) }
    }

    fn within(&mut self, of: Canon, start: &Value, end: &Value) -> Formula {
        let bound = |value: &Value| Canon::Constant(Constant::of(value));
        let low = self.comparison(Comparison::AtLeast, of.clone(), bound(start), Ask::True);
        let high = self.comparison(Comparison::Less, of, bound(end), Ask::True);
        and([low, high])
    }

    fn test(&mut self, test: &Test, row: usize) -> Formula {
        match test {
            Test::Holds(fragment) => self.fragment_truth(fragment, row, Ask::True),
            Test::HoldsNot(fragment) => self.fragment_truth(fragment, row, Ask::NotTrue),
            Test::Field { path, column, is } => match self.way(row, path) {
                Some(reached) => self.field(Canon::Column(reached, column.as_str().into()), is),
                None => self.unfollowed("a way that no relationship states"),
            },
            Test::Related { path, presence, tests } => {
                let there = self.related_test(row, path, tests);
                match presence {
                    Presence::Exists => there,
                    Presence::Absent => self.opposite(there),
                }
            }
            Test::Any(tests) => {
                let parts: Vec<Formula> = tests.iter().map(|test| self.test(test, row)).collect();
                or(parts)
            }
            Test::All(tests) => {
                let parts: Vec<Formula> = tests.iter().map(|test| self.test(test, row)).collect();
                and(parts)
            }
        }
    }

    fn step(&self, hop: &Hop) -> Option<Step> {
        Some(match hop {
            Hop::ToOne(name) => Step::ToOne(self.relationship(name)?),
            Hop::ToMany(name) => Step::ToMany(self.relationship(name)?),
        })
    }

    fn way(&mut self, row: usize, path: &[Hop]) -> Option<usize> {
        path.iter().try_fold(row, |row, hop| {
            let step = self.step(hop)?;
            self.further(row, step)
        })
    }

    fn related_test(&mut self, row: usize, path: &[Hop], tests: &[Test]) -> Formula {
        let Some((hop, rest)) = path.split_first() else {
            let parts: Vec<Formula> = tests.iter().map(|test| self.test(test, row)).collect();
            return and(parts);
        };
        let Some((step, next)) = self.step(hop).and_then(|step| Some((step, self.further(row, step)?)))
        else {
            return self.unfollowed("a way that no relationship states");
        };
        let inner = self.related_test(next, rest, tests);
        match step {
            Step::ToMany(_) => {
                let all = self.pruned(conjuncts(inner));
                Formula::Related { exists: true, rows: vec![next], all }
            }
            Step::Start(_) | Step::ToOne(_) => {
                let there = match self.optional.contains(&next) {
                    true => Formula::There(next),
                    false => Formula::True,
                };
                and(self.pruned(conjuncts(and([there, inner]))))
            }
        }
    }

    fn field(&mut self, of: Canon, is: &FieldTest) -> Formula {
        let bound = |value: &Value| Canon::Constant(Constant::of(value));
        let any = |reader: &mut Self, values: &[Value], ask| {
            let parts: Vec<Formula> = values
                .iter()
                .map(|value| reader.comparison(Comparison::Equal, of.clone(), bound(value), ask))
                .collect();
            match ask {
                Ask::True | Ask::NotFalse => or(parts),
                Ask::False | Ask::NotTrue => and(parts),
            }
        };
        match is {
            FieldTest::OneOf(values) => any(self, values, Ask::True),
            FieldTest::NoneOf(values) => {
                let one_of = any(self, values, Ask::True);
                self.opposite(one_of)
            }
            FieldTest::Below(value) => self.comparison(Comparison::Less, of, bound(value), Ask::True),
            FieldTest::AtMost(value) => self.comparison(Comparison::AtMost, of, bound(value), Ask::True),
            FieldTest::AtLeast(value) => self.comparison(Comparison::AtLeast, of, bound(value), Ask::True),
            FieldTest::Above(value) => self.comparison(Comparison::More, of, bound(value), Ask::True),
            FieldTest::Within(start, end) => self.within(of, start, end),
            FieldTest::Missing => self.null_when(&of).unwrap_or(Formula::False),
            FieldTest::Present => {
                let missing = self.null_when(&of).unwrap_or(Formula::False);
                self.opposite(missing)
            }
        }
    }

    /// A figure that is expected.
    pub(super) fn wanted(&mut self, aggregate: &ExpectedAggregate, root: usize) -> Wanted {
        use ExpectedAggregate as E;
        let one = |kind| Wanted::One(kind, Formula::True);
        match aggregate {
            E::CountRows => one(Kind::Rows),
            E::Count(of) => {
                let of = self.fragment_value(of, root);
                let missing = self.null_when(&of).unwrap_or(Formula::False);
                Wanted::One(Kind::Rows, self.opposite(missing))
            }
            E::CountDistinct(of) => one(Kind::Distinct(self.fragment_value(of, root))),
            E::Sum(of) => one(Kind::Sum(self.fragment_value(of, root))),
            E::Average(of) => one(Kind::Average(self.fragment_value(of, root))),
            E::Minimum(of) => one(Kind::Minimum(self.fragment_value(of, root))),
            E::Maximum(of) => one(Kind::Maximum(self.fragment_value(of, root))),
            E::Median(of) => one(Kind::Median(self.fragment_value(of, root))),
            E::Ratio(over, under) => {
                Wanted::Ratio(Box::new(self.wanted(over, root)), Box::new(self.wanted(under, root)))
            }
        }
    }

    /// What rows are expected to be grouped by.
    pub(super) fn key(&mut self, grouping: &ExpectedGrouping, root: usize) -> (Canon, String) {
        match grouping {
            ExpectedGrouping::Field { path, column } => match self.way(root, path) {
                Some(reached) => {
                    let of = Canon::Column(reached, column.as_str().into());
                    let words = self.shown(&of);
                    (of, words)
                }
                None => (self.opaque("a way that no relationship states"), column.clone()),
            },
            ExpectedGrouping::Bucket { column, unit } => {
                let column = Canon::Column(root, column.as_str().into());
                let unit = Canon::Constant(Constant::Text(unit.clone()));
                let of = self.called("date_trunc", vec![unit, column]);
                let words = self.shown(&of);
                (of, words)
            }
            ExpectedGrouping::Steps { column, starts } => {
                let of = Canon::Column(root, column.as_str().into());
                let ty = self.type_of(&of);
                let starts = starts.iter().map(Constant::of).map(|start| start.coerced(ty).unwrap_or(start));
                let words = format!("steps of {}", self.shown(&of));
                (stepped(of, starts.collect()), words)
            }
            ExpectedGrouping::Expression(fragment) => {
                let of = self.fragment_value(fragment, root);
                let words = self.shown(&of);
                (of, words)
            }
        }
    }
}

/// Labels of units of time as the units: two rows have equal labels exactly when they fall into the same unit.
pub(super) fn buckets(keys: Vec<Canon>) -> Vec<Canon> {
    let truncated = |unit: &str, of: &Canon| Canon::Call(Rc::from(format!("trunc {unit}")), vec![of.clone()]);
    let mut found: Vec<Canon> = Vec::new();
    let mut years: BTreeSet<Canon> = BTreeSet::new();
    let mut parts: Vec<(String, Canon)> = Vec::new();
    for key in keys {
        let key = steps(&key).or_else(|| label(&key)).unwrap_or(key);
        match &key {
            Canon::Call(name, arguments) => match (&**name, arguments.as_slice()) {
                ("extract year", [of]) => {
                    years.insert(of.clone());
                }
                ("extract month" | "extract quarter", [of]) => {
                    let unit = name.trim_start_matches("extract ").to_owned();
                    parts.push((unit, of.clone()));
                }
                _ => found.push(key),
            },
            _ => found.push(key),
        }
    }
    for (unit, of) in parts {
        match years.contains(&of) {
            true => found.push(truncated(&unit, &of)),
            false => found.push(Canon::Call(Rc::from(format!("extract {unit}")), vec![of])),
        }
    }
    for of in years {
        let finer = ["month", "quarter"].iter().any(|unit| found.contains(&truncated(unit, &of)));
        if !finer {
            found.push(truncated("year", &of));
        }
    }
    found
}

fn stepped(of: Canon, starts: BTreeSet<Constant>) -> Canon {
    let bounds = starts.into_iter().map(Canon::Constant);
    Canon::Call(Rc::from("steps"), std::iter::once(of).chain(bounds).collect())
}

/// A tree of `CASE WHEN value < bound` with a label of its own in every leaf, as the steps it tells apart.
fn steps(key: &Canon) -> Option<Canon> {
    let mut found = Steps::default();
    found.walk(key, None, None)?;
    let apart = found.labels.len() == found.leaves;
    let of = found.of.filter(|_| apart && !found.bounds.is_empty())?;
    Some(stepped(of, found.bounds))
}

/// Whether a tree of `CASE WHEN value < bound` numbers its steps as our own statements do: what lies before the first
/// bound is -1, then from 0 on.
pub(super) fn is_numbered(key: &Canon) -> bool {
    let mut found = Steps::default();
    let walked = found.walk(key, None, None).is_some();
    let number = |step: i64| Constant::Number(bigdecimal::BigDecimal::from(step).normalized());
    walked && found.in_order.iter().zip(-1..).all(|(label, step)| *label == number(step))
}

#[derive(Default)]
struct Steps {
    of: Option<Canon>,
    bounds: BTreeSet<Constant>,
    labels: BTreeSet<Constant>,
    /// The labels, from the earliest step on.
    in_order: Vec<Constant>,
    leaves: usize,
}

impl Steps {
    /// Walks a tree whose values lie in `[low, high)`; a bound outside would make a leaf that no value reaches.
    fn walk(&mut self, tree: &Canon, low: Option<&Constant>, high: Option<&Constant>) -> Option<()> {
        let Canon::Call(name, parts) = tree else {
            let Canon::Constant(label) = tree else { return None };
            self.leaves = self.leaves.saturating_add(1);
            self.labels.insert(label.clone());
            self.in_order.push(label.clone());
            return Some(());
        };
        let ("case", [Canon::Call(sign, compared), below, rest @ ..]) = (&**name, parts.as_slice()) else {
            return None;
        };
        // `CASE WHEN a THEN … WHEN b THEN … ELSE …` is the second case in the ELSE of the first.
        let above = match rest {
            [above] => above.clone(),
            rest => Canon::Call(Rc::from("case"), rest.to_vec()),
        };
        let ("<", [of, Canon::Constant(bound)]) = (&**sign, compared.as_slice()) else { return None };
        let after = low.is_none_or(|low| bound.compared(low).is_some_and(std::cmp::Ordering::is_gt));
        let before = high.is_none_or(|high| bound.compared(high).is_some_and(std::cmp::Ordering::is_lt));
        if !after || !before || self.of.as_ref().is_some_and(|known| known != of) {
            return None;
        }
        self.of = Some(of.clone());
        self.bounds.insert(bound.clone());
        self.walk(below, low, Some(bound))?;
        self.walk(&above, Some(bound), high)
    }
}

/// What a label of a unit of time stands for.
fn label(key: &Canon) -> Option<Canon> {
    let Canon::Call(name, arguments) = key else { return None };
    let unit = |of: &Canon, format: &str| {
        let unit = match format {
            "%Y-%m-%d" | "YYYY-MM-DD" => "day",
            "%Y-%m" | "YYYY-MM" | "%Y-%m-01" | "YYYY-MM-01" => "month",
            "%Y" | "YYYY" => "year",
            _ => return None,
        };
        Some(Canon::Call(Rc::from(format!("trunc {unit}")), vec![of.clone()]))
    };
    match (&**name, arguments.as_slice()) {
        (cast, [inner @ Canon::Call(inside, _)])
            if cast.starts_with("cast ") && inside.starts_with("trunc ") =>
        {
            Some(inner.clone())
        }
        // The day of the start of a unit tells the unit.
        ("trunc day", [inner @ Canon::Call(inside, _)]) if inside.starts_with("trunc ") => {
            Some(inner.clone())
        }
        ("strftime", [of, Canon::Constant(Constant::Text(format))])
        | ("strftime", [Canon::Constant(Constant::Text(format)), of])
        | ("to_char" | "date_format", [of, Canon::Constant(Constant::Text(format))]) => match of {
            Canon::Constant(_) => None,
            of => unit(of, format),
        },
        _ => None,
    }
}
