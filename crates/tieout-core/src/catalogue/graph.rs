//! The graph of stated relationships: the one place that says which datasets can be joined, and how.
//!
//! The reader, the prompt, the compiler and the checker all get their joins from here.

use super::{Catalogue, Relationship};

/// The most relationships one path may walk.
pub const HOPS_MAX: usize = 5;

/// The most paths one search returns; a search that finds more says that it was cut.
const PATHS_MAX: usize = 32;

/// Which way a relationship is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the many side to the one: rows keep their number.
    ToOne,
    /// From the one side to the many: rows may be repeated or lost.
    ToMany,
}

/// One relationship, walked one way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hop {
    /// The relationship's name.
    pub relationship: String,
    /// Which way.
    pub direction: Direction,
    /// The dataset it starts from.
    pub from: String,
    /// The dataset it leads to.
    pub to: String,
}

/// A way from one dataset to another. Empty when they are the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct JoinPath {
    /// In order.
    pub hops: Vec<Hop>,
}

impl JoinPath {
    /// Whether every hop keeps the number of rows.
    #[must_use]
    pub fn to_one(&self) -> bool {
        self.hops.iter().all(|hop| hop.direction == Direction::ToOne)
    }

    /// The relationships' names, in order, as a person and a file write them.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.hops.iter().map(|hop| hop.relationship.clone()).collect()
    }
}

/// What a search for a path found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathSearch {
    /// Exactly one way.
    One(JoinPath),
    /// Several, shortest first: the asker must choose.
    Several(Vec<JoinPath>),
    /// None along stated relationships.
    None,
}

/// The graph of a catalogue's relationships.
#[derive(Clone, Copy, Debug)]
pub struct Graph<'a> {
    catalogue: &'a Catalogue,
}

impl<'a> Graph<'a> {
    /// The graph of `catalogue`.
    #[must_use]
    pub fn of(catalogue: &'a Catalogue) -> Self {
        Self { catalogue }
    }

    /// How to get from one dataset to another. Ways that keep the number of rows are preferred: a way through the
    /// many side is looked for only when there is none. Any two ways left are a doubt.
    #[must_use]
    pub fn search(&self, from: &str, to: &str) -> PathSearch {
        let all = self.paths(from, to);
        let (single, multiple): (Vec<_>, Vec<_>) = all.into_iter().partition(JoinPath::to_one);
        let mut found = if single.is_empty() { multiple } else { single };
        match found.len() {
            0 => PathSearch::None,
            1 => PathSearch::One(found.remove(0)),
            _ => PathSearch::Several(found),
        }
    }

    /// The path that the named relationships spell out from `from`, or none when they do not connect.
    #[must_use]
    pub fn spelled(&self, from: &str, names: &[String]) -> Option<JoinPath> {
        let mut path = JoinPath::default();
        let mut at = from.to_owned();
        for name in names {
            let hop = self.hops_from(&at).find(|hop| &hop.relationship == name)?;
            at.clone_from(&hop.to);
            path.hops.push(hop);
        }
        Some(path)
    }

    /// The relationship of a name.
    #[must_use]
    pub fn relationship(&self, name: &str) -> Option<&'a Relationship> {
        self.catalogue.relationships.get(name)
    }

    /// Every hop that leaves a dataset, in the catalogue's order.
    pub fn hops_from(&self, dataset: &str) -> impl Iterator<Item = Hop> + use<'a> {
        let at = dataset.to_owned();
        self.catalogue.relationships.values().flat_map(move |r| {
            let one = (r.from == at).then(|| hop(r, Direction::ToOne));
            let many = (r.to == at).then(|| hop(r, Direction::ToMany));
            one.into_iter().chain(many)
        })
    }

    /// Every simple path of at most [`HOPS_MAX`] hops, shortest first.
    fn paths(&self, from: &str, to: &str) -> Vec<JoinPath> {
        if from == to {
            return vec![JoinPath::default()];
        }
        let mut found = Vec::new();
        let mut frontier = vec![(from.to_owned(), JoinPath::default())];
        for _ in 0..HOPS_MAX {
            let mut next = Vec::new();
            for (at, path) in frontier {
                for hop in self.hops_from(&at) {
                    if hop.to == from || path.hops.iter().any(|seen| seen.to == hop.to) {
                        continue;
                    }
                    let mut longer = path.clone();
                    let reached = hop.to.clone();
                    longer.hops.push(hop);
                    if reached == to {
                        found.push(longer);
                    } else {
                        next.push((reached, longer));
                    }
                }
            }
            if found.len() >= PATHS_MAX {
                break;
            }
            frontier = next;
        }
        found
    }
}

fn hop(r: &Relationship, direction: Direction) -> Hop {
    let (from, to) = match direction {
        Direction::ToOne => (&r.from, &r.to),
        Direction::ToMany => (&r.to, &r.from),
    };
    Hop { relationship: r.name.clone(), direction, from: from.clone(), to: to.clone() }
}
