//! Owns the arithmetic of grain: attributes, what determines what, and closures over that.
//!
//! An attribute is a column of some intermediate result, or the identity of a *row* of one source. A
//! functional dependency says that some attributes determine others. A row of a source is repeated by a join
//! exactly when its row attribute (with what is fixed within a group) does not determine the row attributes of
//! every other source. Deliberately absent: syntax, names and rules.

use std::rc::Rc;

use super::ties::Ties;
use crate::facts::Additivity;
use crate::schema::SqlType;

/// An index into the resolver's attributes.
pub(crate) type Attr = usize;

/// How far a dependency can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trust {
    /// It follows from stated keys.
    Stated,
    /// It would follow if the columns of a table without any stated key were unique.
    Assumed,
}

/// `from` determines `to`; when `when` is not empty, only for rows in which one of those sources has a row.
#[derive(Clone, Debug)]
pub(crate) struct Dependency {
    pub from: Vec<Attr>,
    pub to: Vec<Attr>,
    pub when: Vec<Attr>,
    /// Rows that are there, not missing for want of a partner, whenever this applies.
    pub present: Vec<Attr>,
    pub trust: Trust,
}

impl Dependency {
    /// A dependency that holds where one of some rows is there.
    pub(crate) fn when(rows: &[Attr], from: Vec<Attr>, to: Vec<Attr>) -> Dependency {
        Dependency { when: rows.to_vec(), ..Dependency::always(from, to) }
    }

    /// Rows that are there whenever one of `when` is; always when that is empty.
    pub(crate) fn presence(when: Vec<Attr>, present: Vec<Attr>) -> Dependency {
        Dependency { when, present, ..Dependency::always(Vec::new(), Vec::new()) }
    }

    /// Every attribute that it speaks of.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = Attr> {
        let Dependency { from, to, when, present, trust: _ } = self;
        from.iter().chain(to).chain(when).chain(present).copied()
    }

    /// A dependency that always holds.
    pub(crate) fn always(from: Vec<Attr>, to: Vec<Attr>) -> Dependency {
        Dependency { from, to, when: Vec::new(), present: Vec::new(), trust: Trust::Stated }
    }
}

/// A base column behind an attribute, and the row of the base table it is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Base {
    pub table: usize,
    pub column: usize,
    pub row: Attr,
}

/// What is known of one attribute.
#[derive(Clone, Debug)]
pub(crate) struct AttrInfo {
    /// How messages call it.
    pub label: Rc<str>,
    pub ty: SqlType,
    pub nullable: bool,
    /// The base columns it is a plain copy of.
    pub base: Vec<Base>,
    /// The base columns of whose values it is one: MIN(x), the last of x.
    pub chosen: Vec<Base>,
    /// Every base column it is made of.
    pub lineage: Vec<(usize, usize)>,
    /// The aggregates it passed through.
    pub aggregates: Vec<Rc<str>>,
    /// The rows its value is a function of. A row attribute is its own unit.
    pub units: Vec<Attr>,
    pub additivity: Additivity,
    /// For computed values: the expression with its columns left out, to recognise equal buckets.
    pub shape: Option<Rc<str>>,
    /// Whether its values are midnights, each once: a cast to a date loses nothing.
    pub whole_days: bool,
    /// Whether its value is picked from constants only (a bucket or a spine).
    pub picked: bool,
}

/// One visible column of a relation.
#[derive(Clone, Debug)]
pub(crate) struct OutColumn {
    /// Its name as the dialect compares it; `None` when it cannot be named.
    pub key: Option<String>,
    /// Its name as it is shown.
    pub name: String,
    pub attr: Attr,
}

/// The result of a table, a query or a join.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relation {
    pub columns: Vec<OutColumn>,
    /// The rows that together identify one row of this relation.
    pub rows: Vec<Attr>,
    pub dependencies: Vec<Dependency>,
    /// Which of its rows belong together.
    pub ties: Ties,
    /// Whether it is made of constants only, without any base table.
    pub constant: bool,
    /// Whether it groups or removes duplicates at its top.
    pub grouped: bool,
    /// The block of the flow that it is, when that is recorded.
    pub block: Option<usize>,
}

/// A set of attributes under closure.
pub(crate) struct Closure {
    held: Vec<bool>,
}

impl Closure {
    /// Everything that `start` determines, as far as keys are stated.
    pub(crate) fn of(start: &[Attr], dependencies: &[Dependency], size: usize) -> Closure {
        Closure::trusting(start, dependencies, size, Trust::Stated)
    }

    /// Everything that `start` determines, trusting dependencies so far.
    pub(crate) fn trusting(
        start: &[Attr],
        dependencies: &[Dependency],
        size: usize,
        trust: Trust,
    ) -> Closure {
        let mut held = vec![false; size];
        let mut hold = |attr: &Attr| {
            if let Some(slot) = held.get_mut(*attr) {
                *slot = true;
            }
        };
        start.iter().for_each(&mut hold);
        let mut closure = Closure { held };
        let mut there = start.to_vec();
        let mut waiting: Vec<&Dependency> = dependencies.iter().filter(|d| d.trust <= trust).collect();
        loop {
            let before = waiting.len();
            waiting.retain(|dependency| {
                let applies = (dependency.when.is_empty()
                    || dependency.when.iter().any(|row| there.contains(row)))
                    && dependency.from.iter().all(|attr| closure.has(*attr));
                if applies {
                    closure.add(&dependency.to);
                    merge(&mut there, &dependency.present);
                }
                !applies
            });
            if waiting.len() == before {
                return closure;
            }
        }
    }

    fn add(&mut self, attrs: &[Attr]) {
        for attr in attrs {
            if let Some(slot) = self.held.get_mut(*attr) {
                *slot = true;
            }
        }
    }

    /// Whether the attribute is determined.
    pub(crate) fn has(&self, attr: Attr) -> bool {
        self.held.get(attr).copied().unwrap_or(false)
    }

    /// Whether all of them are determined.
    pub(crate) fn has_all(&self, attrs: &[Attr]) -> bool {
        attrs.iter().all(|attr| self.has(*attr))
    }
}

impl Relation {
    /// Every attribute that occurs in it, each once.
    pub(crate) fn attributes(&self) -> Vec<Attr> {
        let mut found: Vec<Attr> = self.columns.iter().map(|column| column.attr).collect();
        found.extend(&self.rows);
        found.extend(self.ties.rows());
        self.dependencies.iter().for_each(|dependency| found.extend(dependency.attributes()));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The same relation with attributes renamed.
    pub(crate) fn renamed(&self, rename: &dyn Fn(Attr) -> Attr) -> Relation {
        let all = |attrs: &[Attr]| attrs.iter().map(|attr| rename(*attr)).collect::<Vec<_>>();
        Relation {
            columns: self
                .columns
                .iter()
                .map(|column| OutColumn { attr: rename(column.attr), ..column.clone() })
                .collect(),
            rows: all(&self.rows),
            dependencies: self
                .dependencies
                .iter()
                .map(|d| Dependency {
                    from: all(&d.from),
                    to: all(&d.to),
                    when: all(&d.when),
                    present: all(&d.present),
                    trust: d.trust,
                })
                .collect(),
            ties: self.ties.renamed(rename),
            constant: self.constant,
            grouped: self.grouped,
            block: self.block,
        }
    }
}

/// Adds attributes that are not there yet.
pub(crate) fn merge(into: &mut Vec<Attr>, more: &[Attr]) {
    for attr in more {
        if !into.contains(attr) {
            into.push(*attr);
        }
    }
}
