//! The lattice as the grammar walks over it, with what was read at each token kept: many clauses begin with the same
//! list, noun or measure.

use std::{cell::RefCell, collections::HashMap, ops::Deref, rc::Rc};

use crate::lattice::Chart;

use super::{
    Found,
    ast::{FieldPhrase, MeasurePhrase, NounPhrase, Target},
    lists::Place,
};

/// Readings of one kind, by the token they start at.
type Kept<K, T> = RefCell<HashMap<K, Rc<[Found<T>]>>>;

/// The lattice, and what was read from it.
pub(crate) struct Parser<'a> {
    chart: &'a Chart<'a>,
    pub(super) fields: Kept<usize, FieldPhrase>,
    pub(super) nouns: Kept<usize, NounPhrase>,
    pub(super) measures: Kept<usize, MeasurePhrase>,
    pub(super) targets: Kept<(usize, Place), Target>,
    pub(super) lists: Kept<(usize, Place), Vec<Target>>,
}

impl<'a> Parser<'a> {
    /// A parser that has read nothing yet.
    pub(crate) fn over(chart: &'a Chart<'a>) -> Self {
        Self {
            chart,
            fields: RefCell::default(),
            nouns: RefCell::default(),
            measures: RefCell::default(),
            targets: RefCell::default(),
            lists: RefCell::default(),
        }
    }
}

impl<'a> Deref for Parser<'a> {
    type Target = Chart<'a>;

    fn deref(&self) -> &Self::Target {
        self.chart
    }
}

/// What is kept under a key, read now when it is not there yet.
pub(super) fn kept<K: Copy + Eq + std::hash::Hash, T: Clone>(
    kept: &Kept<K, T>,
    key: K,
    read: impl FnOnce() -> Vec<Found<T>>,
) -> Vec<Found<T>> {
    let known = kept.borrow().get(&key).cloned();
    let found = known.unwrap_or_else(|| {
        let found: Rc<[Found<T>]> = read().into();
        kept.borrow_mut().insert(key, Rc::clone(&found));
        found
    });
    found.to_vec()
}
