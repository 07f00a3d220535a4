//! Owns saying in five lines what a statement counts: metric, population, period, grain, exclusions, as recovered from
//! its rows, conditions and groups.
//!
//! Deliberately absent: whether that is what was meant; a statement that is not followed says so in its own line.

use std::collections::HashMap;
use std::fmt;

use super::canon::Canon;
use super::figures::{has_figure, has_opaque};
use super::formula::{All, Comparison, Formula, and, conjuncts};
use super::paths::Settled;
use super::rows::{Given, Reader, RowSet, Use};
use super::wanted::buckets;
use crate::check::Context;
use crate::flow::{Block, Cut, Flow, OrderedBy};
use crate::schema::SqlType;
use crate::value::Value;

/// What a statement counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// What each figure is; the columns, when rows are listed.
    pub metric: Vec<String>,
    /// Which rows are counted: the table, then what they must meet.
    pub population: Vec<String>,
    /// When: a range for each column of time that is bounded; empty for all time.
    pub period: Vec<String>,
    /// What one row of the result is, and which rows of it are kept.
    pub grain: Vec<String>,
    /// What is left out.
    pub exclusions: Vec<String>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |parts: &[String], otherwise: &str| match parts.is_empty() {
            true => otherwise.to_owned(),
            false => parts.join("; "),
        };
        writeln!(f, "metric      {}", line(&self.metric, "not recovered"))?;
        writeln!(f, "population  {}", line(&self.population, "not recovered"))?;
        writeln!(f, "period      {}", line(&self.period, "all time"))?;
        writeln!(f, "grain       {}", line(&self.grain, "not recovered"))?;
        write!(f, "exclusions  {}", line(&self.exclusions, "none"))
    }
}

/// Explains the flow of a statement.
pub(crate) fn explained(flow: &Flow, binds: &[Value], cx: &Context) -> Explanation {
    let mut reader = Reader::new(cx, binds, flow);
    let branches = match flow.root.and_then(|root| flow.blocks.get(root)) {
        Some(Block::Union(union)) => union.branches.clone(),
        _ => vec![flow.root],
    };
    let explained = branches.into_iter().flatten().map(|block| {
        let mut explanation = Explanation::default();
        explanation.branch(&mut reader, block);
        explanation
    });
    together(explained.collect())
}

/// Several explanations as one: what differs is numbered.
fn together(each: Vec<Explanation>) -> Explanation {
    let line = |of: fn(&Explanation) -> &Vec<String>, otherwise: &str| -> Vec<String> {
        let mut lines: Vec<&Vec<String>> = each.iter().map(of).collect();
        lines.dedup();
        match lines.as_slice() {
            [] => Vec::new(),
            [only] => (*only).clone(),
            _ => {
                let said = each.iter().map(of).enumerate().map(|(index, parts)| {
                    let parts = if parts.is_empty() { otherwise.to_owned() } else { parts.join(", ") };
                    format!("{}. {parts}", index.saturating_add(1))
                });
                said.collect()
            }
        }
    };
    Explanation {
        metric: line(|explanation| &explanation.metric, "nothing"),
        population: line(|explanation| &explanation.population, "nothing"),
        period: line(|explanation| &explanation.period, "all time"),
        grain: line(|explanation| &explanation.grain, "nothing"),
        exclusions: line(|explanation| &explanation.exclusions, "none"),
    }
}

impl Explanation {
    fn branch(&mut self, reader: &mut Reader, block: usize) {
        let given = reader.open(block, Use::Result);
        let narrowing = given.set.narrowing.iter().map(|narrowing| narrowing.what.clone());
        add(&mut self.population, narrowing.collect());
        let mut legs: Vec<usize> = Vec::new();
        for (_, of, _) in &given.outputs {
            figures_in(of, &mut |number| {
                let leg = reader.figures.get(number).map(|figure| figure.leg);
                legs.extend(leg.filter(|leg| !legs.contains(leg)));
            });
        }
        if legs.is_empty() {
            legs.clone_from(&given.legs);
        }
        let mut settled: HashMap<usize, Settled> = HashMap::new();
        match given.grouped {
            true => {
                let mut each = Vec::new();
                for leg in &legs {
                    let Some(found) = reader.legs.get(*leg).cloned() else { continue };
                    let mut explanation = Explanation::default();
                    let known = explanation.rows(reader, &found.set);
                    explanation.groups(reader, &found.keys, &known);
                    settled.insert(*leg, known);
                    each.push(explanation);
                }
                let Explanation { metric: _, population, period, grain, exclusions } = together(each);
                self.population.extend(population);
                *self = Explanation {
                    population: std::mem::take(&mut self.population),
                    period,
                    grain,
                    exclusions,
                    ..Explanation::default()
                };
            }
            false => {
                let known = self.rows(reader, &given.set);
                add(&mut self.grain, vec![format!("one row of {}", table(reader, &known))]);
            }
        }
        self.columns(reader, &given, &settled);
        self.kept(reader, block, &given, &settled);
    }

    /// The rows behind a figure or a list: the table that is counted, conditions, periods, exclusions.
    fn rows(&mut self, reader: &mut Reader, set: &RowSet) -> Settled {
        let settled = counted(reader, set);
        add(&mut self.population, vec![format!("rows of {}", table(reader, &settled))]);
        let narrowing = settled.narrowing.iter().map(|narrowing| narrowing.what.clone());
        add(&mut self.population, narrowing.collect());
        if settled.repeats {
            add(&mut self.population, vec!["repeated by a join".to_owned()]);
        }
        let all = and(settled.conditions.iter().map(|met| met.formula.clone()));
        let mut all: All = reader.pruned(conjuncts(all));
        add(&mut self.period, periods(reader, &mut all));
        for part in &all {
            let said = reader.said(part);
            match leaves_out(part) {
                true => add(&mut self.exclusions, vec![excluded(reader, part).unwrap_or(said)]),
                false => add(&mut self.population, vec![said]),
            }
        }
        settled
    }

    fn groups(&mut self, reader: &Reader, keys: &[Canon], settled: &Settled) {
        let keys: Vec<Canon> = keys.iter().map(|key| reader.moved(key.clone(), &settled.map)).collect();
        let keys: Vec<String> = buckets(keys).iter().map(|key| reader.shown(key)).collect();
        let said = match keys.is_empty() {
            true => "one row in all".to_owned(),
            false => format!("one row for each {}", keys.join(" and ")),
        };
        add(&mut self.grain, vec![said]);
    }

    fn columns(&mut self, reader: &mut Reader, given: &Given, settled: &HashMap<usize, Settled>) {
        for (name, of, _) in &given.outputs {
            let figure = has_figure(of) || has_opaque(of);
            if given.grouped && !figure {
                continue;
            }
            let shown = of_ways(reader, of.clone(), settled);
            add(
                &mut self.metric,
                vec![match shown == *name {
                    true => shown,
                    false => format!("{name}: {shown}"),
                }],
            );
        }
    }

    /// Which rows of the result are kept.
    fn kept(&mut self, reader: &mut Reader, block: usize, given: &Given, settled: &HashMap<usize, Settled>) {
        let flow = reader.flow;
        let Some(Block::Select(select)) = flow.blocks.get(block) else { return };
        let Cut { order, limit, offset: _, odd: _ } = &select.cut;
        let Some(limit) = limit else { return };
        let count = reader.count(limit).map_or_else(|| "some".to_owned(), |count| count.to_string());
        let by: Vec<String> = order
            .iter()
            .map(|item| {
                let of = match &item.by {
                    OrderedBy::Output(position) => given.outputs.get(*position).map(|(_, of, _)| of.clone()),
                    OrderedBy::Term(term) => {
                        reader.current = given.legs.first().copied();
                        let of = reader.canon(term);
                        reader.current = None;
                        Some(of)
                    }
                };
                let shown = of.map_or_else(|| "a column".to_owned(), |of| of_ways(reader, of, settled));
                format!("{shown}, {} first", if item.descending { "largest" } else { "smallest" })
            })
            .collect();
        let said = match by.is_empty() {
            true => format!("{count} of them, in no order"),
            false => format!("the first {count} by {}", by.join(", then ")),
        };
        add(&mut self.grain, vec![said]);
    }
}

/// The table that is counted.
fn table(reader: &Reader, settled: &Settled) -> String {
    settled.map.values().min().map_or_else(|| "the result".to_owned(), |root| reader.table_name(*root))
}

fn add(to: &mut Vec<String>, more: Vec<String>) {
    for said in more {
        if !to.contains(&said) {
            to.push(said);
        }
    }
}

fn figures_in(of: &Canon, found: &mut dyn FnMut(usize)) {
    match of {
        Canon::Figure(number) => found(*number),
        Canon::Call(_, arguments) => arguments.iter().for_each(|argument| figures_in(argument, found)),
        Canon::Constant(_) | Canon::Column(_, _) | Canon::Opaque(_, _) => {}
    }
}

/// A value in words, its columns told by their ways from the table that is counted.
fn of_ways(reader: &mut Reader, of: Canon, settled: &HashMap<usize, Settled>) -> String {
    let mut moved: Vec<(usize, super::figures::Figure)> = Vec::new();
    figures_in(&of, &mut |number| {
        let Some(figure) = reader.figures.get(number).cloned() else { return };
        moved.push((number, figure));
    });
    for (number, mut figure) in moved {
        let Some(known) = settled.get(&figure.leg) else { continue };
        if let Some(of) = figure.kind.of() {
            figure.kind = figure.kind.with(reader.moved(of.clone(), &known.map));
        }
        figure.filter = reader.rewritten(figure.filter, &known.map);
        if let Some(slot) = reader.figures.get_mut(number) {
            *slot = figure;
        }
    }
    reader.shown(&of)
}

/// Settles rows by the table that is counted: the one from which every other is reached without being repeated.
fn counted(reader: &mut Reader, set: &RowSet) -> Settled {
    let optional = set.optional.iter().flat_map(|optional| &optional.rows);
    let mut tables: Vec<usize> = Vec::new();
    for row in set.rows.iter().chain(optional) {
        let table = reader.rows.get(*row).copied();
        tables.extend(table.filter(|table| !tables.contains(table)));
    }
    let mut best: Option<(usize, Settled)> = None;
    for table in tables {
        let settled = reader.settle(set, table);
        let trouble = settled.narrowing.len().saturating_mul(2).saturating_add(usize::from(settled.repeats));
        if best.as_ref().is_none_or(|(known, _)| trouble < *known) {
            best = Some((trouble, settled));
        }
    }
    best.map(|(_, settled)| settled).unwrap_or_default()
}

/// Takes the bounds of columns of time out of some conditions.
fn periods(reader: &Reader, all: &mut All) -> Vec<String> {
    let mut bounds: Vec<(Canon, Option<String>, Option<String>)> = Vec::new();
    all.retain(|part| {
        let Formula::Compare(comparison, of, bound) = part else { return true };
        let timed = matches!(reader.type_of(of), SqlType::Date | SqlType::DateTime | SqlType::Instant);
        let (of, comparison, bound) = match (timed, of) {
            (true, Canon::Column(_, _)) => (of, *comparison, bound),
            _ => (bound, comparison.flipped(), of),
        };
        let timed = matches!(reader.type_of(of), SqlType::Date | SqlType::DateTime | SqlType::Instant);
        let column = matches!(of, Canon::Column(_, _)) && !matches!(bound, Canon::Column(_, _));
        if !timed || !column {
            return true;
        }
        let (low, word) = match comparison {
            Comparison::AtLeast => (true, "from"),
            Comparison::More => (true, "after"),
            Comparison::Less => (false, "until before"),
            Comparison::AtMost => (false, "until"),
            Comparison::Equal | Comparison::Unequal => return true,
        };
        let said = format!("{word} {}", reader.shown(bound));
        let position = match bounds.iter().position(|(known, _, _)| known == of) {
            Some(position) => position,
            None => {
                bounds.push((of.clone(), None, None));
                bounds.len().saturating_sub(1)
            }
        };
        if let Some((_, from, until)) = bounds.get_mut(position) {
            let slot = if low { from } else { until };
            *slot = Some(slot.take().map_or(said.clone(), |known| format!("{known} and {said}")));
        }
        false
    });
    let said = bounds.into_iter().map(|(of, from, until)| {
        let parts: Vec<String> = [Some(reader.shown(&of)), from, until].into_iter().flatten().collect();
        parts.join(" ")
    });
    said.collect()
}

/// Whether a condition says what is left out rather than what is counted.
fn leaves_out(part: &Formula) -> bool {
    match part {
        Formula::NoneOf(_, _)
        | Formula::Missing(_)
        | Formula::Holds(_, false)
        | Formula::NotNull(_)
        | Formula::Compare(Comparison::Unequal, _, _)
        | Formula::Related { exists: false, rows: _, all: _ } => true,
        Formula::Or(any) => any.iter().all(|part| matches!(part, Formula::IsNull(_)) || leaves_out(part)),
        Formula::And(all) => all.iter().all(leaves_out),
        Formula::True
        | Formula::False
        | Formula::Compare(_, _, _)
        | Formula::OneOf(_, _)
        | Formula::IsNull(_)
        | Formula::Holds(_, true)
        | Formula::There(_)
        | Formula::Related { exists: true, rows: _, all: _ }
        | Formula::Opaque(_, _) => false,
    }
}

/// What is left out, in words.
fn excluded(reader: &mut Reader, part: &Formula) -> Option<String> {
    match part {
        // NULL is kept: only the values are left out.
        Formula::Or(any) => {
            let mut values = any.iter().filter(|part| !matches!(part, Formula::IsNull(_)));
            match (values.next(), values.next()) {
                (Some(Formula::NoneOf(of, values)), None) => {
                    Some(reader.said(&Formula::OneOf(of.clone(), values.clone())))
                }
                (Some(Formula::Holds(of, false)), None) => {
                    Some(reader.said(&Formula::Holds(of.clone(), true)))
                }
                (_, _) => None,
            }
        }
        Formula::NoneOf(of, values) => {
            let one_of = reader.said(&Formula::OneOf(of.clone(), values.clone()));
            Some(match reader.null_when(of) {
                None => one_of,
                Some(missing) => format!("{one_of}, or {}", reader.said(&missing)),
            })
        }
        _ => match reader.opposite(part.clone()) {
            Formula::Opaque(_, _) => None,
            opposite => Some(reader.said(&opposite)),
        },
    }
}
