//! Owns what the rules see of a FROM clause: its sources, and the columns of two that conditions hold against one another.
//!
//! Deliberately absent: conditions themselves (`predicate`), and judging links (the rules).

use super::Resolver;
use super::frame::{Equality, Source};
use super::grain::{Attr, Attrs, Trust, merge};
use crate::facts::{End, JoinBlock, Pair, SourceFact};

impl Resolver<'_> {
    /// The FROM clause as the rules see it, once every equality is known.
    pub(super) fn join_block(&mut self) {
        let size = self.attrs.len();
        let Some(frame) = self.frames.last() else { return };
        if frame.sources.len() < 2 && frame.outer.is_empty() {
            return;
        }
        let fixed = frame.closure(&[], size);
        let assumed = frame.closure_trusting(&[], size, Trust::Assumed);
        let mut block = JoinBlock::default();
        for source in &frame.sources {
            block.sources.push(SourceFact {
                label: source.label.to_string(),
                one_row: fixed.has_all(&source.rows),
                one_row_assumed: assumed.has_all(&source.rows),
                constant: source.constant,
                lateral: source.lateral && self.belongs_to_others(source),
                nearest: source.nearest,
                place: source.place,
            });
        }
        let (pairs, correlated) = self.paired(self.equal_pairs());
        let (ranges, ranged) = self.paired(frame.ordered.clone());
        block.pairs = pairs;
        block.ranges = ranges;
        if block.sources.len() > 1 {
            self.facts.joins.push(block);
        }
        let frame = self.frame();
        frame.correlated.extend(correlated);
        frame.ranged.extend(ranged);
    }

    /// Columns that a condition holds against one another: of two sources here, and of one here and a query around it.
    fn paired(&self, columns: Vec<(Attr, Attr)>) -> (Vec<Pair>, Vec<Pair>) {
        let (mut pairs, mut correlated) = (Vec::new(), Vec::new());
        for (a, b) in columns {
            match (self.end(a), self.end(b)) {
                (Some(left), Some(right)) if left.source != right.source => pairs.push(Pair { left, right }),
                (Some(inner), None) => {
                    correlated.extend(self.outer_end(b).map(|outer| Pair { left: inner, right: outer }));
                }
                (None, Some(inner)) => {
                    correlated.extend(self.outer_end(a).map(|outer| Pair { left: inner, right: outer }));
                }
                (_, _) => {}
            }
        }
        (pairs, correlated)
    }

    /// Whether the rows of a source that reads the sources before it belong to theirs: they are determined by them, or a
    /// condition ties them.
    fn belongs_to_others(&self, source: &Source) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        let others: Attrs = frame.rows().into_iter().filter(|row| !source.rows.contains(row)).collect();
        let reached = frame.ties.reach(&source.rows);
        others.iter().any(|row| reached.contains(row))
            || frame.closure(&others, self.attrs.len()).has_all(&source.rows)
    }

    /// Every pair of columns held equal in this SELECT, also through others.
    fn equal_pairs(&self) -> Vec<(Attr, Attr)> {
        let Some(frame) = self.frames.last() else { return Vec::new() };
        let mut classes: Vec<Attrs> = Vec::new();
        for Equality { left, right } in &frame.equalities {
            let mut joined: Attrs = left.iter().chain(right).copied().collect();
            classes.retain(|class| {
                let touches = class.iter().any(|attr| joined.contains(attr));
                if touches {
                    merge(&mut joined, class);
                }
                !touches
            });
            classes.push(joined);
        }
        let mut pairs = Vec::new();
        for class in classes {
            for (position, a) in class.iter().enumerate() {
                pairs.extend(class.iter().skip(position.saturating_add(1)).map(|b| (*a, *b)));
            }
        }
        pairs
    }

    fn end(&self, attr: Attr) -> Option<End> {
        let frame = self.frames.last()?;
        let source = frame.sources.iter().position(|source| source.attrs.contains(&attr))?;
        let grouped = frame.sources.get(source).is_some_and(|source| source.grouped);
        self.end_of(attr, source, grouped)
    }

    fn outer_end(&self, attr: Attr) -> Option<End> {
        self.frames.last()?.outer.contains(&attr).then(|| self.end_of(attr, usize::MAX, false)).flatten()
    }

    fn end_of(&self, attr: Attr, source: usize, grouped: bool) -> Option<End> {
        let info = self.info(attr)?;
        let copied = info.base.first();
        let base = copied.or_else(|| info.chosen.first());
        Some(End {
            source,
            row: copied.map_or(attr, |base| base.row),
            base: base.and_then(|base| self.base_name(base.table, base.column)),
            chosen: copied.is_none() && base.is_some(),
            shape: info.shape.map(super::shape::of),
            picked: info.picked,
            grouped,
        })
    }
}
