//! Owns the arithmetic of grain: attributes, what determines what, and closures over that.
//!
//! An attribute is a column of some intermediate result, or the identity of a *row* of one source. A
//! functional dependency says that some attributes determine others. A row of a source is repeated by a join
//! exactly when its row attribute (with what is fixed within a group) does not determine the row attributes of
//! every other source. Deliberately absent: syntax, names and rules.

use smallvec::{SmallVec, smallvec};
use sqlparser::ast::Expr;

use super::name::Name;
use super::ties::Ties;
use crate::facts::Additivity;
use crate::schema::SqlType;

/// An index into the resolver's attributes.
pub(crate) type Attr = usize;

/// A few attributes: most sets of them have one or two.
pub(crate) type Attrs = SmallVec<[Attr; 2]>;

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
    pub from: Attrs,
    pub to: Attrs,
    pub when: Attrs,
    /// Rows that are there, not missing for want of a partner, whenever this applies.
    pub present: Attrs,
    pub trust: Trust,
}

impl Dependency {
    /// A dependency that holds where one of some rows is there.
    pub(crate) fn when(rows: &[Attr], from: Attrs, to: Attrs) -> Dependency {
        Dependency { when: rows.into(), ..Dependency::always(from, to) }
    }

    /// Rows that are there whenever one of `when` is; always when that is empty.
    pub(crate) fn presence(when: Attrs, present: Attrs) -> Dependency {
        Dependency { when, present, ..Dependency::always(Attrs::new(), Attrs::new()) }
    }

    /// Every attribute that it speaks of.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = Attr> {
        let Dependency { from, to, when, present, trust: _ } = self;
        from.iter().chain(to).chain(when).chain(present).copied()
    }

    /// A dependency that always holds.
    pub(crate) fn always(from: Attrs, to: Attrs) -> Dependency {
        Dependency { from, to, when: Attrs::new(), present: Attrs::new(), trust: Trust::Stated }
    }
}

/// A base column behind an attribute, and the row of the base table it is read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Base {
    pub table: usize,
    pub column: usize,
    pub row: Attr,
}

/// Base columns behind an attribute.
pub(crate) type Bases = SmallVec<[Base; 1]>;

/// Base columns that something is made of, each as its table and its place there.
pub(crate) type Columns = SmallVec<[(usize, usize); 1]>;

/// What is known of one attribute.
#[derive(Clone, Debug)]
pub(crate) struct AttrInfo<'a> {
    /// How messages call it.
    pub label: Name<'a>,
    pub ty: SqlType,
    pub nullable: bool,
    /// The base columns it is a plain copy of.
    pub base: Bases,
    /// The base columns of whose values it is one: MIN(x), the last of x.
    pub chosen: Bases,
    /// Every base column it is made of.
    pub lineage: Columns,
    /// The aggregates it passed through.
    pub aggregates: SmallVec<[&'static str; 1]>,
    /// The rows its value is a function of. A row attribute is its own unit.
    pub units: Attrs,
    pub additivity: Additivity,
    /// For computed values: the expression, to recognise equal buckets by its shape.
    pub shape: Option<&'a Expr>,
    /// Whether its values are midnights, each once: a cast to a date loses nothing.
    pub whole_days: bool,
    /// Whether its value is picked from constants only (a bucket or a spine).
    pub picked: bool,
    /// Whether the statement names it, by itself or with a star.
    pub named: bool,
}

/// One visible column of a relation.
#[derive(Clone, Debug)]
pub(crate) struct OutColumn<'a> {
    /// Its name as the dialect compares it; `None` when it cannot be named.
    pub key: Option<Name<'a>>,
    /// Its name as it is shown.
    pub name: Name<'a>,
    pub attr: Attr,
}

impl OutColumn<'_> {
    /// Whether it is called so, as the dialect compares names.
    pub(crate) fn is(&self, key: &str) -> bool {
        self.key.as_deref() == Some(key)
    }
}

/// The result of a table, a query or a join.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relation<'a> {
    pub columns: Vec<OutColumn<'a>>,
    /// The rows that together identify one row of this relation.
    pub rows: Attrs,
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

/// A set of attributes under closure, a bit for each.
pub(crate) struct Closure {
    held: SmallVec<[u64; 4]>,
}

const BITS: usize = u64::BITS as usize;

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
        let mut closure = Closure { held: smallvec![0; size.div_ceil(BITS)] };
        closure.add(start);
        let mut there: Attrs = start.into();
        let trusted = dependencies.iter().filter(|dependency| dependency.trust <= trust);
        let mut waiting: SmallVec<[&Dependency; 32]> = trusted.collect();
        loop {
            let before = waiting.len();
            waiting.retain(|dependency| {
                let applies = closure.has_all(&dependency.from)
                    && (dependency.when.is_empty() || dependency.when.iter().any(|row| there.contains(row)));
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
            if let Some(word) = self.held.get_mut(*attr / BITS) {
                *word |= 1 << (*attr % BITS);
            }
        }
    }

    /// Whether the attribute is determined.
    pub(crate) fn has(&self, attr: Attr) -> bool {
        self.held.get(attr / BITS).is_some_and(|word| word >> (attr % BITS) & 1 == 1)
    }

    /// Whether all of them are determined.
    pub(crate) fn has_all(&self, attrs: &[Attr]) -> bool {
        attrs.iter().all(|attr| self.has(*attr))
    }
}

impl<'a> Relation<'a> {
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
    pub(crate) fn renamed(&self, rename: &dyn Fn(Attr) -> Attr) -> Relation<'a> {
        let all = |attrs: &[Attr]| attrs.iter().map(|attr| rename(*attr)).collect::<Attrs>();
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
pub(crate) fn merge(into: &mut Attrs, more: &[Attr]) {
    for attr in more {
        if !into.contains(attr) {
            into.push(*attr);
        }
    }
}
