//! Which datasets lead to which, over stated relationships, and by which way.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use tieout_core::catalogue::{Catalogue, Graph, JoinPath, PathSearch};

/// How far a dataset lies from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// It is the same.
    Own,
    /// Each row has at most one of the other.
    ToOne,
    /// Each row may have many of the other.
    ToMany,
    /// No stated relationship leads there.
    Nowhere,
}

/// The graph, with every search done once.
#[derive(Debug)]
pub(super) struct Ways<'a> {
    catalogue: &'a Catalogue,
    known: RefCell<HashMap<(usize, usize), Rc<PathSearch>>>,
}

impl<'a> Ways<'a> {
    pub(super) fn of(catalogue: &'a Catalogue) -> Self {
        Self { catalogue, known: RefCell::new(HashMap::new()) }
    }

    /// Every way from one dataset to another, by their places in the catalogue.
    pub(super) fn search(&self, from: usize, to: usize) -> Rc<PathSearch> {
        if let Some(known) = self.known.borrow().get(&(from, to)) {
            return Rc::clone(known);
        }
        let names = self.name(from).zip(self.name(to));
        let found = Rc::new(names.map_or(PathSearch::None, |(a, b)| Graph::of(self.catalogue).search(a, b)));
        self.known.borrow_mut().insert((from, to), Rc::clone(&found));
        found
    }

    /// How far `to` lies from `from`.
    pub(super) fn reach(&self, from: usize, to: usize) -> Reach {
        if from == to {
            return Reach::Own;
        }
        match self.search(from, to).as_ref() {
            PathSearch::One(path) => one_or_many(path),
            PathSearch::Several(paths) => paths.first().map_or(Reach::Nowhere, one_or_many),
            PathSearch::None => Reach::Nowhere,
        }
    }

    /// Whether every row of `from` has its row of `to`, so that asking for one leaves nothing out.
    pub(super) fn always(&self, from: usize, to: usize) -> bool {
        if from == to {
            return true;
        }
        let required = |path: &JoinPath| {
            path.to_one()
                && path.hops.iter().all(|hop| {
                    self.catalogue
                        .relationships
                        .get(&hop.relationship)
                        .is_some_and(|relationship| relationship.required)
                })
        };
        match self.search(from, to).as_ref() {
            PathSearch::One(path) => required(path),
            PathSearch::Several(_) | PathSearch::None => false,
        }
    }

    fn name(&self, dataset: usize) -> Option<&'a str> {
        self.catalogue.datasets.get_index(dataset).map(|(name, _)| name.as_str())
    }
}

fn one_or_many(path: &JoinPath) -> Reach {
    if path.to_one() { Reach::ToOne } else { Reach::ToMany }
}
