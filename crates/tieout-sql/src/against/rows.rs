//! Owns following rows through blocks: which rows of which tables are counted, under which conditions, and what else
//! narrows them.
//!
//! Deliberately absent: relationships (`paths`), and what was expected (`judge`).

use std::collections::{HashMap, HashSet};

use super::canon::{Canon, Constant};
use super::figures::{Figure, Leg};
use super::formula::{All, Formula, and, conjuncts};
use super::paths::Hops;
use super::truth::Ask;
use crate::check::Context;
use crate::flow::{Block, Condition, Flow, FlowJoin, FlowSource, Origin, Pairing, SelectBlock, Term};
use crate::rejection::Place;
use crate::value::Value;

/// How many blocks may be opened; queries that each use the last twice grow without end.
const BLOCKS_OPENED_MAX: usize = 2_000;

/// How closely a statement must be written as it is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rigour {
    /// Whatever gives the same over data that is as the schema says.
    Equal,
    /// As it is defined: bounds as they are given, numbers as they are stored.
    AsDefined,
}

/// Follows rows.
pub(crate) struct Reader<'c> {
    pub(super) cx: &'c Context<'c>,
    pub(super) binds: &'c [Value],
    pub(super) flow: &'c Flow,
    /// What each attribute is.
    pub(super) env: HashMap<usize, Canon>,
    /// The table of each row, by its index in the schema.
    pub(super) rows: Vec<usize>,
    /// Rows that may be missing.
    pub(super) optional: HashSet<usize>,
    pub(super) figures: Vec<Figure>,
    pub(super) legs: Vec<Leg>,
    /// The leg whose aggregates are read.
    pub(super) current: Option<usize>,
    pub(super) opaque: usize,
    opened: usize,
    /// How closely a statement must be written as it is defined.
    pub(super) rigour: Rigour,
    /// Attributes that are a column as it is stored, or a plain aggregate of one.
    pub(super) stored: HashSet<usize>,
    /// The rows that relationships lead to, from the row that is counted.
    pub(super) interned: HashMap<Hops, usize>,
    pub(super) paths: HashMap<usize, Hops>,
}

/// A condition and its place.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub formula: Formula,
    pub place: Option<Place>,
}

/// Something else that narrows rows, or that is not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Narrowing {
    pub what: String,
    pub place: Option<Place>,
}

/// Rows that may be missing, and what they must meet to be there.
#[derive(Clone, Debug)]
pub(super) struct Optional {
    pub rows: Vec<usize>,
    pub on: All,
}

/// Rows in all combinations that meet some conditions.
#[derive(Clone, Debug, Default)]
pub(super) struct RowSet {
    pub rows: Vec<usize>,
    pub conditions: Vec<Placed>,
    pub optional: Vec<Optional>,
    pub narrowing: Vec<Narrowing>,
    pub places: Vec<(usize, Option<Place>)>,
}

/// What a block gives.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    pub outputs: Vec<(String, Canon, Option<Place>)>,
    pub set: RowSet,
    /// Whether its rows are groups of rows.
    pub grouped: bool,
    pub one_row: bool,
    /// The legs behind groups.
    pub legs: Vec<usize>,
}

/// What a block's rows are wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Each of them matters.
    Rows,
    /// Only whether there is one.
    Existence,
    /// Only which values there are.
    Values,
    /// They are the result; its limit is looked at elsewhere.
    Result,
}

impl<'c> Reader<'c> {
    pub(super) fn new(cx: &'c Context<'c>, binds: &'c [Value], flow: &'c Flow) -> Reader<'c> {
        Reader {
            cx,
            binds,
            flow,
            env: HashMap::new(),
            rows: Vec::new(),
            optional: HashSet::new(),
            figures: Vec::new(),
            legs: Vec::new(),
            current: None,
            opaque: 0,
            opened: 0,
            rigour: Rigour::Equal,
            stored: HashSet::new(),
            interned: HashMap::new(),
            paths: HashMap::new(),
        }
    }

    /// The same reader, for statements that must be written as they are defined.
    pub(super) fn closely(self) -> Self {
        Reader { rigour: Rigour::AsDefined, ..self }
    }

    pub(super) fn new_row(&mut self, table: usize) -> usize {
        self.rows.push(table);
        self.rows.len().saturating_sub(1)
    }

    /// What a block gives.
    pub(super) fn open(&mut self, block: usize, wanted: Use) -> Given {
        let flow = self.flow;
        self.opened = self.opened.saturating_add(1);
        let what = match flow.blocks.get(block) {
            Some(Block::Select(select)) if self.opened <= BLOCKS_OPENED_MAX => {
                let current = self.current.take();
                let given = self.select(select, wanted);
                self.current = current;
                return given;
            }
            Some(Block::Select(_)) => "so large a combination of queries",
            Some(Block::Union(_)) => "a union beneath another query",
            Some(Block::Other(what)) => what,
            None => "rows that are not followed",
        };
        let mut given = Given::default();
        given.set.narrowing.push(Narrowing { what: what.to_owned(), place: None });
        given
    }

    fn select(&mut self, select: &SelectBlock, wanted: Use) -> Given {
        let mut given = self.sources(select);
        for condition in &select.filter {
            let formula = self.truth(&condition.term, Ask::True);
            self.narrowed(&mut given, formula, condition.place, "the groups are filtered");
        }
        if let Some(keys) = &select.keys {
            self.grouped(select, keys, &mut given);
        }
        for condition in &select.having {
            let formula = self.truth(&condition.term, Ask::True);
            match given.grouped {
                true => self.narrowed(&mut given, formula, condition.place, "HAVING keeps only groups where"),
                false => given.set.conditions.push(Placed { formula, place: condition.place }),
            }
        }
        for condition in &select.qualify {
            given.set.narrowing.push(Narrowing { what: "QUALIFY".into(), place: condition.place });
        }
        given.outputs = select
            .outputs
            .iter()
            .map(|output| (output.name.clone(), self.canon(&output.term), output.place))
            .collect();
        self.one_each(select, &mut given, wanted);
        given
    }

    /// A condition on rows, or on groups.
    fn narrowed(&mut self, given: &mut Given, formula: Formula, place: Option<Place>, what: &str) {
        if formula == Formula::True {
            return;
        }
        match given.grouped {
            true => {
                let what = format!("{what} {}", self.said(&formula));
                given.set.narrowing.push(Narrowing { what, place });
            }
            false => given.set.conditions.push(Placed { formula, place }),
        }
    }

    /// DISTINCT and LIMIT.
    fn one_each(&mut self, select: &SelectBlock, given: &mut Given, wanted: Use) {
        let place = select.outputs.first().and_then(|output| output.place);
        let mut narrowing = Vec::new();
        if select.distinct_on {
            narrowing.push("DISTINCT ON");
        }
        let counted = !matches!(wanted, Use::Existence | Use::Values);
        if select.distinct && counted && !given.one_row && !self.keeps_apart(given) {
            narrowing.push("DISTINCT");
        }
        let limit = select.cut.limit.as_ref().map(|limit| self.count(limit));
        let harmless = given.one_row || wanted == Use::Existence;
        let cuts = match limit {
            None => false,
            Some(Some(rows)) => !(harmless && rows >= 1),
            Some(None) => true,
        };
        if wanted != Use::Result && cuts {
            narrowing.push("LIMIT");
        }
        if wanted != Use::Result && (select.cut.offset || select.cut.odd) {
            narrowing.push("OFFSET, or a limit that is no number");
        }
        let narrowing = narrowing.into_iter().map(|what| Narrowing { what: what.to_owned(), place });
        given.set.narrowing.extend(narrowing);
    }

    pub(super) fn count(&mut self, limit: &Term) -> Option<u64> {
        match self.canon(limit) {
            Canon::Constant(Constant::Number(number)) => number.to_plain_string().parse().ok(),
            _ => None,
        }
    }

    /// Whether the outputs tell the rows apart anyhow: every key of the groups, or a key of every row.
    fn keeps_apart(&self, given: &Given) -> bool {
        let has = |wanted: &Canon| given.outputs.iter().any(|(_, of, _)| of == wanted);
        if given.grouped {
            let keys = given.legs.iter().filter_map(|leg| self.legs.get(*leg)).flat_map(|leg| &leg.keys);
            return given.legs.len() == 1 && keys.into_iter().all(has);
        }
        let rows =
            || given.set.rows.iter().chain(given.set.optional.iter().flat_map(|optional| &optional.rows));
        !given.set.rows.is_empty()
            && rows().all(|row| {
                let table = self.rows.get(*row).and_then(|table| self.cx.schema.tables.get_index(*table));
                table.is_some_and(|(_, table)| {
                    table
                        .keys()
                        .any(|key| key.iter().all(|column| has(&Canon::Column(*row, column.as_str().into()))))
                })
            })
    }

    /// FROM.
    fn sources(&mut self, select: &SelectBlock) -> Given {
        let mut each: Vec<Given> = select.sources.iter().map(|source| self.source(source)).collect();
        let mut whole = Given { one_row: select.sources.is_empty(), ..Given::default() };
        for join in &select.joins {
            self.join(join, &mut each, &mut whole);
        }
        let groups = each.iter().filter(|given| given.grouped).count();
        let rows = each.iter().any(|given| !given.set.rows.is_empty());
        if groups > 0 && rows {
            let what = "rows are joined with groups of rows".to_owned();
            whole.set.narrowing.push(Narrowing { what, place: None });
        }
        whole.one_row |= !each.is_empty() && each.iter().all(|given| given.one_row);
        for given in each {
            whole.grouped |= given.grouped;
            whole.legs.extend(given.legs);
            whole.set.take(given.set);
        }
        if whole.grouped {
            // Conditions between groups; those of each group's own rows are in its leg.
            for Placed { formula, place } in std::mem::take(&mut whole.set.conditions) {
                if formula != Formula::True {
                    let what = format!("groups are kept only where {}", self.said(&formula));
                    whole.set.narrowing.push(Narrowing { what, place });
                }
            }
        }
        whole
    }

    fn source(&mut self, source: &FlowSource) -> Given {
        let FlowSource { label, origin, columns, place } = source;
        match origin {
            Origin::Table(name, names) => {
                let Some(index) = self.cx.schema.tables.get_index_of(name) else { return Given::default() };
                let row = self.new_row(index);
                for (attr, name) in columns.iter().zip(names) {
                    self.env.insert(*attr, Canon::Column(row, name.as_str().into()));
                    self.stored.insert(*attr);
                }
                let set = RowSet { rows: vec![row], places: vec![(row, *place)], ..RowSet::default() };
                Given { set, ..Given::default() }
            }
            Origin::Block(block) => {
                let given = self.open(*block, Use::Rows);
                for (position, attr) in columns.iter().enumerate() {
                    let of = match given.outputs.get(position) {
                        Some((_, of, _)) => of.clone(),
                        None => self.opaque("a column that is not followed"),
                    };
                    self.env.insert(*attr, of);
                    if self.gives_stored(*block, position) {
                        self.stored.insert(*attr);
                    }
                }
                given
            }
            Origin::Other => {
                let mut given = Given::default();
                let what = format!("rows of `{label}` are not followed");
                given.set.narrowing.push(Narrowing { what, place: *place });
                given
            }
        }
    }

    fn join(&mut self, join: &FlowJoin, each: &mut [Given], whole: &mut Given) {
        let FlowJoin { left, right, pairing, on } = join;
        let mut met: Vec<Placed> = Vec::new();
        for Condition { term, place } in on {
            let formula = self.truth(term, Ask::True);
            met.extend(conjuncts(formula).into_iter().map(|formula| Placed { formula, place: *place }));
        }
        match pairing {
            Pairing::Inner => whole.set.conditions.extend(met),
            Pairing::Left => self.optional_side(right.clone(), met, each, whole),
            Pairing::Right if left.len() == 1 => self.optional_side(left.clone(), met, each, whole),
            Pairing::Right | Pairing::Full => {
                let place = met.first().and_then(|met| met.place);
                let what = "an outer join that is not followed".to_owned();
                whole.set.narrowing.push(Narrowing { what, place });
                whole.set.conditions.extend(met);
            }
            Pairing::Semi | Pairing::Anti => {
                let place = met.first().and_then(|met| met.place);
                let mut all: Vec<Formula> = met.into_iter().map(|met| met.formula).collect();
                let (mut rows, mut grouped) = (Vec::new(), false);
                for given in each.iter_mut().take(right.end).skip(right.start) {
                    grouped |= given.grouped;
                    given.legs.clear();
                    let set = std::mem::take(&mut given.set);
                    given.grouped = false;
                    all.extend(set.conditions.into_iter().map(|met| met.formula));
                    rows.extend(set.rows);
                    whole.set.narrowing.extend(set.narrowing);
                }
                let exists = *pairing == Pairing::Semi;
                let formula = match rows.is_empty() || grouped {
                    true => self.unfollowed("a semi-join that is not followed"),
                    false => Formula::Related { exists, rows, all: conjuncts(and(all)) },
                };
                whole.set.conditions.push(Placed { formula, place });
            }
        }
    }

    /// The sources of one side may be missing.
    fn optional_side(
        &mut self,
        side: std::ops::Range<usize>,
        met: Vec<Placed>,
        each: &mut [Given],
        whole: &mut Given,
    ) {
        let mut on: Vec<Formula> = met.into_iter().map(|met| met.formula).collect();
        let mut rows = Vec::new();
        for given in each.iter_mut().take(side.end).skip(side.start) {
            given.one_row = given.one_row || given.grouped;
            if given.grouped {
                let what = "groups of rows are joined with others".to_owned();
                whole.set.narrowing.push(Narrowing { what, place: None });
                continue;
            }
            let set = std::mem::take(&mut given.set);
            on.extend(set.conditions.into_iter().map(|met| met.formula));
            whole.set.optional.extend(set.optional);
            whole.set.narrowing.extend(set.narrowing);
            whole.set.places.extend(set.places);
            rows.extend(set.rows);
        }
        self.optional.extend(&rows);
        if !rows.is_empty() {
            whole.set.optional.push(Optional { rows, on: conjuncts(and(on)) });
        }
    }

    /// That a row of a block is there, or none is; `subject` equals its first column.
    pub(super) fn related(&mut self, block: usize, subject: Option<&Term>, exists: bool) -> Formula {
        let subject = subject.map(|subject| self.canon(subject));
        let wanted = if subject.is_some() { Use::Values } else { Use::Existence };
        let given = self.open(block, wanted);
        let mut sets: Vec<&RowSet> = vec![&given.set];
        let legs: Vec<RowSet> =
            given.legs.iter().filter_map(|leg| self.legs.get(*leg)).map(|leg| leg.set.clone()).collect();
        sets.extend(&legs);
        let followed = sets.iter().all(|set| set.narrowing.is_empty())
            && !(given.grouped && given.one_row)
            && sets.iter().any(|set| !set.rows.is_empty());
        if !followed {
            return self.unfollowed("a nested query that is not followed");
        }
        let mut all: Vec<Formula> = Vec::new();
        let mut rows = Vec::new();
        for set in sets {
            all.extend(set.conditions.iter().map(|met| met.formula.clone()));
            rows.extend(&set.rows);
        }
        if let (Some(subject), Some((_, of, _))) = (subject, given.outputs.first()) {
            let of = of.clone();
            all.push(self.comparison(super::formula::Comparison::Equal, subject, of, Ask::True));
        }
        match and(all) {
            Formula::False if exists => Formula::False,
            Formula::False => Formula::True,
            all => Formula::Related { exists, rows, all: conjuncts(all) },
        }
    }

    /// Whether the first column of a block is never NULL.
    pub(super) fn never_null(&mut self, block: usize) -> bool {
        let given = self.open(block, Use::Values);
        given.outputs.first().is_some_and(|(_, of, _)| self.null_when(of).is_none())
    }

    /// A block used as a value.
    pub(super) fn scalar(&mut self, block: usize) -> Canon {
        let given = self.open(block, Use::Rows);
        match given.outputs.first() {
            Some((_, of, _)) if given.one_row && given.set.narrowing.is_empty() => of.clone(),
            _ => self.opaque("a nested query"),
        }
    }
}

impl RowSet {
    fn take(&mut self, other: RowSet) {
        let RowSet { rows, conditions, optional, narrowing, places } = other;
        self.rows.extend(rows);
        self.conditions.extend(conditions);
        self.optional.extend(optional);
        self.narrowing.extend(narrowing);
        self.places.extend(places);
    }
}
