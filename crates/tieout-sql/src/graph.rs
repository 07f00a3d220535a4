//! Owns the graph of stated relationships, and whether some equalities follow it.
//!
//! Deliberately absent: guessing a relationship from names or types.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::facts::{End, JoinBlock, Pair, SourceFact};
use crate::schema::{Relationship, Schema};

/// The stated relationships, ready to be asked.
pub(crate) struct Graph<'a> {
    schema: &'a Schema,
    /// Columns that hold values of the same key share a number.
    domains: OnceCell<Domains<'a>>,
}

/// Columns by table, each with the number of its key. Made when no relationship links two columns directly.
type Domains<'a> = HashMap<(&'a str, &'a str), usize>;

/// The sources of a FROM clause, in groups that are linked.
pub(crate) struct Groups {
    /// The group of each source, and whether it needs to be linked at all.
    sources: Vec<(usize, Need)>,
}

/// Whether a source must be linked to the others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Linked,
    Free,
}

impl Groups {
    /// The groups that are not linked to the first one that needs linking: the source that stands for each, and the
    /// equalities that lead out of it without being lawful.
    pub(crate) fn loose<'b>(&self, block: &'b JoinBlock) -> Vec<(&'b SourceFact, Vec<&'b Pair>)> {
        let needed = |position: usize| matches!(self.sources.get(position), Some((_, Need::Linked)));
        let group = |position: usize| self.sources.get(position).map(|(group, _)| *group);
        let main = (0..block.sources.len()).find(|position| needed(*position)).and_then(group);
        let mut seen = vec![main];
        let mut found = Vec::new();
        for (position, source) in block.sources.iter().enumerate() {
            if !needed(position) || seen.contains(&group(position)) {
                continue;
            }
            seen.push(group(position));
            let leads_out = |pair: &&Pair| {
                (group(pair.left.source) == group(position)) != (group(pair.right.source) == group(position))
            };
            found.push((source, block.pairs.iter().filter(leads_out).collect()));
        }
        found
    }
}

impl<'a> Graph<'a> {
    pub(crate) fn new(schema: &'a Schema) -> Graph<'a> {
        Graph { schema, domains: OnceCell::new() }
    }

    fn domains(&self) -> &Domains<'a> {
        self.domains.get_or_init(|| domains(self.schema))
    }

    /// Groups the sources of a FROM clause by lawful links. Sources of one row, of constants, or that depend on
    /// the others row by row need no link.
    pub(crate) fn groups(&self, block: &JoinBlock) -> Groups {
        let mut sources: Vec<(usize, Need)> = block
            .sources
            .iter()
            .enumerate()
            .map(|(position, source)| match source.one_row || source.constant || source.lateral {
                true => (position, Need::Free),
                false => (position, Need::Linked),
            })
            .collect();
        for a in 0..block.sources.len() {
            for b in 0..a {
                let (Some((one, _)), Some((other, _))) = (sources.get(a).copied(), sources.get(b).copied())
                else {
                    continue;
                };
                let linked = || {
                    let (pairs, ranges) = (between(&block.pairs, a, b), between(&block.ranges, a, b));
                    let nearest = [a, b].iter().any(|at| block.sources.get(*at).is_some_and(|s| s.nearest));
                    self.links(&pairs)
                        || ranges.iter().any(|pair| self.running(pair))
                        || (nearest && self.ranges_along(&pairs, &ranges))
                };
                if one != other && linked() {
                    let joined = one.min(other);
                    for (group, _) in &mut sources {
                        if *group == one || *group == other {
                            *group = joined;
                        }
                    }
                }
            }
        }
        Groups { sources }
    }

    /// Whether the equalities link two rows lawfully.
    pub(crate) fn links(&self, pairs: &[&Pair]) -> bool {
        pairs.iter().any(|pair| self.bucketed(pair)) || {
            let mut rows: Vec<(usize, usize)> =
                pairs.iter().map(|pair| (pair.left.row, pair.right.row)).collect();
            rows.sort_unstable();
            rows.dedup();
            rows.into_iter().any(|rows| {
                let together: Vec<(&End, &End)> = pairs
                    .iter()
                    .filter(|pair| (pair.left.row, pair.right.row) == rows)
                    .map(|pair| (&pair.left, &pair.right))
                    .collect();
                self.stated(&together) || self.same_key(&together)
            })
        }
    }

    /// A bucket or a spine on one side, or computed group keys on both.
    fn bucketed(&self, pair: &Pair) -> bool {
        let Pair { left, right } = pair;
        let grouped = left.grouped || right.grouped;
        left.picked
            || right.picked
            || (grouped && left.base.is_none() && right.base.is_none())
            || (grouped && left.base.is_some() && left.base == right.base && !left.chosen && !right.chosen)
    }

    /// The same column of two grouped results held in order: a running total over months.
    fn running(&self, pair: &Pair) -> bool {
        let Pair { left, right } = pair;
        let same_base = left.base.is_some() && left.base == right.base;
        let same_shape = left.base.is_none() && left.shape.is_some() && left.shape == right.shape;
        left.grouped && right.grouped && (same_base || same_shape) && !left.chosen && !right.chosen
    }

    /// Whether equalities, and columns held in order, together follow a relationship: the last rate up to a day. Some part
    /// of the key must be equal.
    pub(crate) fn ranges_along(&self, pairs: &[&Pair], ranges: &[&Pair]) -> bool {
        let all: Vec<&Pair> = pairs.iter().chain(ranges).copied().collect();
        !pairs.is_empty() && !ranges.is_empty() && self.links(&all) && !self.links(ranges)
    }

    /// Along a relationship with its whole key, or between two columns that hold the same key.
    fn stated(&self, pairs: &[(&End, &End)]) -> bool {
        let tables = pairs.first().and_then(|(a, b)| Some((&a.base.as_ref()?.0, &b.base.as_ref()?.0)));
        let Some((left, right)) = tables else { return false };
        let follows = |relationship: &Relationship, flipped: bool| {
            let (from, to) = match flipped {
                false => (left, right),
                true => (right, left),
            };
            relationship.from == *from
                && relationship.to == *to
                && !relationship.from_columns.is_empty()
                && relationship
                    .from_columns
                    .iter()
                    .zip(&relationship.to_columns)
                    .all(|(a, b)| has_pair(pairs, a, b, flipped))
        };
        let direct =
            self.schema.relationships.iter().any(|known| follows(known, false) || follows(known, true));
        direct || self.same_domain(pairs) || self.same_parent(pairs, left, right)
    }

    fn same_domain(&self, pairs: &[(&End, &End)]) -> bool {
        let domain = |end: &End| {
            let (table, column) = end.base.as_ref()?;
            self.domains().get(&(table.as_str(), column.as_str())).copied()
        };
        pairs.iter().any(|(a, b)| domain(a).is_some_and(|known| domain(b) == Some(known)))
    }

    /// Two tables with a key of several columns to the same parent, joined on all of it.
    fn same_parent(&self, pairs: &[(&End, &End)], left: &str, right: &str) -> bool {
        let of = |table: &str| -> Vec<&Relationship> {
            self.schema.relationships.iter().filter(|known| known.from == table).collect()
        };
        of(left).iter().any(|one| {
            of(right)
                .iter()
                .filter(|other| other.to == one.to && other.to_columns.len() == one.to_columns.len())
                .any(|other| {
                    one.to_columns.iter().zip(&one.from_columns).all(|(key, a)| {
                        let b = other.to_columns.iter().position(|known| known == key);
                        let b = b.and_then(|position| other.from_columns.get(position));
                        b.is_some_and(|b| has_pair(pairs, a, b, false))
                    })
                })
        })
    }

    /// The same whole key of the same table on both sides.
    fn same_key(&self, pairs: &[(&End, &End)]) -> bool {
        let tables = pairs.first().and_then(|(a, b)| Some((&a.base.as_ref()?.0, &b.base.as_ref()?.0)));
        let Some((left, right)) = tables else { return false };
        left == right
            && self.schema.tables.get(left.as_str()).is_some_and(|table| {
                table.keys().any(|key| key.iter().all(|column| has_pair(pairs, column, column, false)))
            })
    }

    /// The stated relationship that the equalities between two sources follow with its whole key.
    pub(crate) fn followed(&self, pairs: &[&Pair]) -> Option<&'a Relationship> {
        let ends = || pairs.iter().flat_map(|pair| [(&pair.left, &pair.right), (&pair.right, &pair.left)]);
        let is = |end: &End, table: &str, column: &str| {
            end.base.as_ref().is_some_and(|(a, b)| a == table && b == column)
        };
        self.schema.relationships.iter().find(|known| {
            let mut key = known.from_columns.iter().zip(&known.to_columns);
            !known.from_columns.is_empty()
                && key.all(|(from, to)| ends().any(|(a, b)| is(a, &known.from, from) && is(b, &known.to, to)))
        })
    }

    /// What is stated about the tables of some equalities.
    pub(crate) fn hint(&self, pairs: &[&Pair]) -> String {
        let mut tables: Vec<&str> = pairs
            .iter()
            .flat_map(|pair| [&pair.left, &pair.right])
            .filter_map(|end| Some(end.base.as_ref()?.0.as_str()))
            .collect();
        tables.sort_unstable();
        tables.dedup();
        let about = |known: &&Relationship| match tables.as_slice() {
            [only] => known.from == *only || known.to == *only,
            several => several.contains(&known.from.as_str()) && several.contains(&known.to.as_str()),
        };
        let stated: Vec<String> = self.schema.relationships.iter().filter(about).map(shown).collect();
        match stated.is_empty() {
            true => {
                "no relationship is stated between these tables; join through a table that is related to both"
                    .into()
            }
            false => format!("stated is {}", stated.join("; ")),
        }
    }
}

fn domains(schema: &Schema) -> Domains<'_> {
    let mut domains: HashMap<(&str, &str), usize> = HashMap::new();
    for relationship in &schema.relationships {
        let ([from], [to]) = (relationship.from_columns.as_slice(), relationship.to_columns.as_slice())
        else {
            continue;
        };
        let ends = [(relationship.from.as_str(), from.as_str()), (relationship.to.as_str(), to.as_str())];
        let next = domains.len();
        let known: Vec<usize> = ends.iter().filter_map(|end| domains.get(end).copied()).collect();
        let domain = known.first().copied().unwrap_or(next);
        for value in domains.values_mut() {
            if known.contains(value) {
                *value = domain;
            }
        }
        domains.extend(ends.map(|end| (end, domain)));
    }
    domains
}

/// The equalities between two sources.
fn between(pairs: &[Pair], a: usize, b: usize) -> Vec<&Pair> {
    let joins = |pair: &&Pair| {
        let ends = (pair.left.source, pair.right.source);
        ends == (a, b) || ends == (b, a)
    };
    pairs.iter().filter(joins).collect()
}

fn has_pair(pairs: &[(&End, &End)], a: &str, b: &str, flipped: bool) -> bool {
    let is = |end: &End, column: &str| end.base.as_ref().is_some_and(|(_, known)| known == column);
    pairs.iter().any(|(left, right)| match flipped {
        false => is(left, a) && is(right, b),
        true => is(right, a) && is(left, b),
    })
}

fn shown(relationship: &Relationship) -> String {
    let Relationship { name: _, from, to, from_columns, to_columns, required: _ } = relationship;
    let pairs = from_columns.iter().zip(to_columns).map(|(a, b)| format!("{from}.{a} = {to}.{b}"));
    format!("`{}`", pairs.collect::<Vec<_>>().join(" and "))
}
