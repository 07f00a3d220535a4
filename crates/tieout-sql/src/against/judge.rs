//! Owns holding a statement against what it claims to be: each expected thing is present or absent, and whatever else
//! narrows rows is extra.
//!
//! It fails closed: what cannot be shown equal is absent, or extra. Deliberately absent: the rules for every statement.

use std::collections::HashMap;

use super::canon::Canon;
use super::expected::{Expected, ExpectedOrderBy, Role};
use super::figures::{Figure, has_figure, has_opaque};
use super::formula::{All, Formula, and, conjuncts};
use super::matching::{
    bare, bounds, determined, has_own_filter, hint, matched, nearest, neutral, unified, whole_key,
};
use super::paths::Settled;
use super::rows::{Given, Reader, Use};
use super::wanted::{Item, buckets};
use super::{Finding, Verdict};
use crate::flow::{Block, Cut, OrderedBy};
use crate::rejection::Place;

/// Holds a statement against what is expected.
pub(super) fn judge(reader: &mut Reader, expected: &Expected) -> Vec<Finding> {
    let mut judge = Judge { expected, findings: Vec::new(), columns: None };
    let Some(base) = reader.cx.schema.tables.get_index_of(&expected.base) else {
        judge.absent(Role::Base, &format!("rows of `{}`", expected.base), "name a table of the schema", None);
        return judge.findings;
    };
    let flow = reader.flow;
    let branches: Vec<Option<usize>> = match flow.root.and_then(|root| flow.blocks.get(root)) {
        Some(Block::Union(union)) => {
            if union.cut.limit.is_some() || union.cut.offset {
                judge.extra("LIMIT around a union", None);
            }
            union.branches.clone()
        }
        _ => vec![flow.root],
    };
    for branch in branches {
        match branch {
            Some(block) => judge.branch(reader, block, base),
            None => judge.absent(Role::Base, &format!("rows of `{}`", expected.base), NOT_FOLLOWED, None),
        }
    }
    judge.merged()
}

const NOT_FOLLOWED: &str = "write it as one SELECT over the tables, with plain joins and conditions";

struct Judge<'e> {
    expected: &'e Expected,
    findings: Vec<Finding>,
    /// The column of each figure on the first branch; every other branch must have them there too.
    columns: Option<Vec<Option<usize>>>,
}

impl Judge<'_> {
    fn found(&mut self, verdict: Verdict, role: Role, what: &str, hint: &str, place: Option<Place>) {
        let finding = Finding { verdict, role, what: what.to_owned(), hint: hint.to_owned(), place };
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    fn present(&mut self, role: Role, what: &str, place: Option<Place>) {
        self.found(Verdict::Present, role, what, "", place);
    }

    fn absent(&mut self, role: Role, what: &str, hint: &str, place: Option<Place>) {
        self.found(Verdict::Absent, role, what, hint, place);
    }

    fn extra(&mut self, what: &str, place: Option<Place>) {
        self.found(
            Verdict::Extra,
            Role::Unasked,
            what,
            "leave it out: the definitions do not ask for it",
            place,
        );
    }

    /// What is absent on one branch is absent, however many others have it.
    fn merged(self) -> Vec<Finding> {
        let findings = self.findings;
        let same = |a: &Finding, b: &Finding| (a.role, &a.what) == (b.role, &b.what);
        let absent: Vec<Finding> =
            findings.iter().filter(|found| found.verdict == Verdict::Absent).cloned().collect();
        let mut kept: Vec<Finding> = Vec::new();
        for found in findings {
            let denied = found.verdict == Verdict::Present && absent.iter().any(|other| same(other, &found));
            let again = kept.iter().any(|known| known.verdict == found.verdict && same(known, &found));
            if !denied && !again {
                kept.push(found);
            }
        }
        kept
    }

    fn branch(&mut self, reader: &mut Reader, block: usize, base: usize) {
        let given = reader.open(block, Use::Result);
        for narrowing in &given.set.narrowing {
            self.extra(&narrowing.what, narrowing.place);
        }
        let cut = match reader.flow.blocks.get(block) {
            Some(Block::Select(select)) => select.cut.clone(),
            Some(Block::Union(_) | Block::Other(_)) | None => Cut::default(),
        };
        let outputs = match self.expected.figures.is_empty() {
            true => {
                self.rows(reader, &given, base);
                Vec::new()
            }
            false => self.figures(reader, &given, base),
        };
        match &self.columns {
            Some(known) if *known != outputs => {
                let hint = "put each figure into the same column on every branch";
                self.found(
                    Verdict::Extra,
                    Role::Metric,
                    "figures in other columns on another branch",
                    hint,
                    None,
                );
            }
            Some(_) => {}
            None => self.columns = Some(outputs.clone()),
        }
        self.cut(reader, &given, &cut, &outputs);
    }

    /// A statement that lists rows.
    fn rows(&mut self, reader: &mut Reader, given: &Given, base: usize) {
        let what = format!("rows of `{}`", self.expected.base);
        if given.grouped {
            self.absent(Role::Base, &what, "list the rows, without grouping them", None);
            return;
        }
        let settled = reader.settle(&given.set, base);
        let Some(root) = self.base(reader, &settled, base) else { return };
        if settled.repeats {
            self.extra("a join that repeats rows", None);
        }
        let items = reader.items(self.expected, root);
        self.conditions(reader, &settled, &items, &Formula::True, &All::new());
    }

    fn base(&mut self, reader: &mut Reader, settled: &Settled, base: usize) -> Option<usize> {
        let what = format!("rows of `{}`", self.expected.base);
        for narrowing in &settled.narrowing {
            self.extra(&narrowing.what, narrowing.place);
        }
        match settled.found {
            true => {
                self.present(Role::Base, &what, None);
                reader.intern(vec![super::paths::Step::Start(base)])
            }
            false => {
                let hint = format!("read `{}` and join the others to it", self.expected.base);
                self.absent(Role::Base, &what, &hint, None);
                None
            }
        }
    }

    /// A statement that gives figures; the output column of each that is expected.
    fn figures(&mut self, reader: &mut Reader, given: &Given, base: usize) -> Vec<Option<usize>> {
        let mut settled: HashMap<usize, Settled> = HashMap::new();
        for number in 0..reader.figures.len() {
            let Some(leg) = reader.figures.get(number).map(|figure| figure.leg) else { continue };
            if let std::collections::hash_map::Entry::Vacant(slot) = settled.entry(leg)
                && let Some(set) = reader.legs.get(leg).map(|leg| leg.set.clone())
            {
                slot.insert(reader.settle(&set, base));
            }
        }
        let shown: Vec<(usize, Canon)> = given
            .outputs
            .iter()
            .enumerate()
            .map(|(position, (_, of, _))| (position, bare(of.clone())))
            .collect();
        let mut claimed: Vec<usize> = Vec::new();
        let mut first = Vec::new();
        for index in 0..self.expected.figures.len() {
            first.push(self.figure(reader, given, &shown, &settled, index, &mut claimed));
        }
        for (position, of) in &shown {
            let Some((name, _, place)) = given.outputs.get(*position) else { continue };
            let figure = has_figure(of) || has_opaque(of);
            if figure && !claimed.contains(position) {
                let what = format!("`{name}`, which is {}", reader.shown(of));
                let hint = "leave the column out, or select what the definition says";
                self.found(Verdict::Extra, Role::Metric, &what, hint, *place);
            }
        }
        first
    }

    /// Looks for one expected figure among the outputs; each output that is it must be wholly so.
    fn figure(
        &mut self,
        reader: &mut Reader,
        given: &Given,
        shown: &[(usize, Canon)],
        settled: &HashMap<usize, Settled>,
        index: usize,
        claimed: &mut Vec<usize>,
    ) -> Option<usize> {
        let expected = self.expected;
        let figure = expected.figures.get(index)?;
        let base = reader.cx.schema.tables.get_index_of(&expected.base)?;
        let root = reader.intern(vec![super::paths::Step::Start(base)])?;
        let wanted = reader.wanted(&figure.aggregate, root);
        let mut items = reader.items(expected, root);
        for condition in &figure.conditions {
            let item = reader.item(condition, root);
            items.push(item);
        }
        let mut at = None;
        let mut near: Vec<(usize, Vec<(usize, Formula)>)> = Vec::new();
        for (position, of) in shown {
            if let Some(used) = matched(reader, of, &wanted, settled) {
                near.push((*position, used));
            }
        }
        // Where several outputs are of the same kind, those with the very conditions are meant.
        let mut meant: Vec<usize> = near
            .iter()
            .filter(|(_, used)| self.quietly(|judge| judge.behind(reader, used, settled, &items, base)))
            .map(|(position, _)| *position)
            .collect();
        if meant.is_empty() {
            // Else those that count the same rows of a group: a count of rows is not meant by one of values.
            let alike = near.iter().filter(|(_, used)| has_own_filter(reader, used, settled));
            meant = alike.map(|(position, _)| *position).collect();
        }
        for (position, used) in near {
            if claimed.contains(&position) || (!meant.is_empty() && !meant.contains(&position)) {
                continue;
            }
            at = at.or(Some(position));
            claimed.push(position);
            let place = given.outputs.get(position).and_then(|(_, _, place)| *place);
            self.present(Role::Metric, &figure.name, place);
            self.behind(reader, &used, settled, &items, base);
        }
        if at.is_none() {
            let hint = "select the aggregate itself, as it is defined, in a column of its own";
            self.absent(Role::Metric, &figure.name, hint, None);
        }
        at
    }

    /// Runs some checks without keeping what they find; whether all was well.
    fn quietly(&mut self, mut work: impl FnMut(&mut Self)) -> bool {
        let kept = std::mem::take(&mut self.findings);
        work(self);
        let found = std::mem::replace(&mut self.findings, kept);
        found.iter().all(|finding| finding.verdict == Verdict::Present)
    }

    /// The rows and groups behind the figures of one output.
    fn behind(
        &mut self,
        reader: &mut Reader,
        used: &[(usize, Formula)],
        settled: &HashMap<usize, Settled>,
        items: &[Item],
        base: usize,
    ) {
        for (number, beside) in used {
            let Some(figure) = reader.figures.get(*number).cloned() else { continue };
            let Some(settled) = settled.get(&figure.leg) else { continue };
            let Some(root) = self.base(reader, settled, base) else { continue };
            let whole_key = whole_key(reader, &figure.kind, root, settled);
            if settled.repeats && !figure.kind.ignores_repeats() && !whole_key {
                self.extra("a join that repeats the rows of the figure", figure.place);
            }
            let filter = reader.rewritten(figure.filter.clone(), &settled.map);
            let mut items = items.to_vec();
            if *beside != Formula::True {
                let words = reader.said(beside);
                items.push(Item { role: Role::Metric, words, formula: beside.clone() });
            }
            let neutral = neutral(reader, &figure, settled);
            self.conditions(reader, settled, &items, &filter, &neutral);
            self.groupings(reader, settled, &figure, root);
        }
    }

    /// Holds conditions that are there against those that are expected.
    /// `neutral` are conditions that make no difference.
    fn conditions(
        &mut self,
        reader: &mut Reader,
        settled: &Settled,
        items: &[Item],
        filter: &Formula,
        neutral: &All,
    ) {
        let there = and(settled.conditions.iter().map(|met| met.formula.clone()).chain([filter.clone()]));
        let there: All = reader.pruned(conjuncts(there));
        let wanted: All = reader.pruned(conjuncts(and(items.iter().map(|item| item.formula.clone()))));
        for item in items {
            let place = self.place_of(settled, &item.formula);
            match reader.follows(&item.formula, &there) {
                true => self.present(item.role, &item.words, place),
                false => {
                    self.absent(item.role, &item.words, &hint(item), nearest(reader, settled, &item.formula))
                }
            }
        }
        let wanted: All = wanted.union(neutral).cloned().collect();
        for part in &there {
            if reader.follows(part, &wanted) {
                continue;
            }
            let place = self.place_of(settled, part);
            match items.iter().find(|item| item.role == Role::Period && bounds(part, &item.formula)) {
                // Another bound of the declared column: the period is not the one that is meant.
                Some(item) => self.absent(item.role, &item.words, &hint(item), place),
                None => self.extra(&format!("only rows where {}", reader.said(part)), place),
            }
        }
    }

    fn place_of(&self, settled: &Settled, formula: &Formula) -> Option<Place> {
        let of = conjuncts(formula.clone());
        settled.conditions.iter().find(|met| of.contains(&met.formula)).and_then(|met| met.place)
    }

    fn groupings(&mut self, reader: &mut Reader, settled: &Settled, figure: &Figure, root: usize) {
        let keys = reader.legs.get(figure.leg).map(|leg| leg.keys.clone()).unwrap_or_default();
        let keys: Vec<Canon> = keys.into_iter().map(|key| reader.moved(key, &settled.map)).collect();
        let keys: Vec<Canon> =
            buckets(keys).into_iter().filter(|key| !matches!(key, Canon::Constant(_))).collect();
        let there = and(settled.conditions.iter().map(|met| met.formula.clone()));
        let fixed = conjuncts(there);
        let mut wanted = Vec::new();
        for grouping in &self.expected.groupings {
            let (of, words) = reader.key(grouping, root);
            let of = buckets(vec![of.clone()]).pop().unwrap_or(of);
            match keys.contains(&of) {
                true => self.present(Role::Grouping, &words, None),
                false => self.absent(Role::Grouping, &words, "group by it", figure.place),
            }
            wanted.push(of);
        }
        for key in &keys {
            let one_value = fixed
                .iter()
                .any(|part| matches!(part, Formula::OneOf(of, values) if of == key && values.len() == 1));
            if !wanted.contains(key) && !one_value && !determined(reader, key, &wanted) {
                let what = format!("a grouping by {}", reader.shown(key));
                self.extra(&what, figure.place);
            }
        }
    }

    /// LIMIT, and the order that decides what it keeps.
    fn cut(&mut self, reader: &mut Reader, given: &Given, cut: &Cut, outputs: &[Option<usize>]) {
        if cut.offset || cut.odd {
            self.extra("OFFSET, or a limit that is no number", None);
        }
        let limit = cut.limit.as_ref().map(|limit| reader.count(limit));
        match (self.expected.limit, limit) {
            (None, None) => {}
            (None, Some(Some(rows))) if given.one_row && rows >= 1 => {}
            (None, Some(Some(rows))) => self.extra(&format!("LIMIT {rows}"), None),
            (None, Some(None)) => self.extra("LIMIT", None),
            (Some(wanted), Some(Some(rows))) if wanted == rows => {
                self.present(Role::Limit, &format!("the first {wanted} rows"), None);
            }
            (Some(wanted), _) => {
                let hint = format!("write LIMIT {wanted}");
                self.absent(Role::Limit, &format!("the first {wanted} rows"), &hint, None);
            }
        }
        for (position, wanted) in self.expected.order.iter().enumerate() {
            let (of, words) = match wanted.by {
                ExpectedOrderBy::Figure(figure) => {
                    let name = self.expected.figures.get(figure).map_or("a figure", |figure| &figure.name);
                    let output = outputs.get(figure).copied().flatten();
                    (
                        output.and_then(|at| given.outputs.get(at)).map(|(_, of, _)| of.clone()),
                        name.to_owned(),
                    )
                }
                ExpectedOrderBy::Grouping(grouping) => self.ordered_key(reader, given, grouping),
            };
            let there = cut.order.get(position).is_some_and(|item| {
                let by = match &item.by {
                    OrderedBy::Output(at) => given.outputs.get(*at).map(|(_, of, _)| of.clone()),
                    OrderedBy::Term(term) => self.ordered_by(reader, given, term),
                };
                item.descending == wanted.descending
                    && by.is_some()
                    && by.map(|by| unified(reader, bare(by))) == of.map(|of| unified(reader, bare(of)))
            });
            let words = format!("order by {words}{}", if wanted.descending { ", largest first" } else { "" });
            match there {
                true => self.present(Role::Order, &words, None),
                false => self.absent(Role::Order, &words, "order by it", None),
            }
        }
    }

    /// What an ORDER BY is by: an aggregate written again is the figure that it repeats.
    fn ordered_by(&self, reader: &mut Reader, given: &Given, term: &crate::flow::Term) -> Option<Canon> {
        reader.current = given.legs.first().copied();
        let of = reader.canon(term);
        reader.current = None;
        Some(of)
    }

    fn ordered_key(&self, reader: &mut Reader, given: &Given, grouping: usize) -> (Option<Canon>, String) {
        let Some(expected) = self.expected.groupings.get(grouping) else {
            return (None, "a grouping".into());
        };
        let base = reader.cx.schema.tables.get_index_of(&self.expected.base).unwrap_or(0);
        let Some(root) = reader.intern(vec![super::paths::Step::Start(base)]) else {
            return (None, String::new());
        };
        let (wanted, words) = reader.key(expected, root);
        let leg = given.legs.first().and_then(|leg| reader.legs.get(*leg)).cloned();
        let Some(leg) = leg else { return (None, words) };
        let settled = reader.settle(&leg.set, base);
        let key = leg.keys.into_iter().find(|key| {
            let moved = reader.moved(key.clone(), &settled.map);
            moved == wanted || buckets(vec![moved]) == buckets(vec![wanted.clone()])
        });
        (key, words)
    }
}
