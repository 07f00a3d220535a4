//! Owns the row grain of aggregates: whether a join repeats the rows they are over, and whether what they give
//! may be added up.
//!
//! Deliberately absent: verdicts (the rules).

use super::Resolver;
use super::grain::{Attr, Attrs, Trust, merge};
use super::value::{Value, worse};
use crate::facts::{Additivity, AggregateKind, Doubt, Grain};
use crate::schema::SqlType;

impl Resolver<'_> {
    /// The row grain of an aggregate (with or without DISTINCT), and whether its results may be added up over groups.
    pub(super) fn judged(
        &self,
        (kind, distinct): (AggregateKind, bool),
        arguments: &Value,
        keys: &[Attr],
    ) -> (Grain, Additivity) {
        let grain = self.row_grain(kind, &arguments.value, keys);
        let rows = self.units(&arguments.value);
        if let Some(spine) = self.repeated_by_constants(&rows).first() {
            return (grain, Additivity::Repeated(self.label(*spine)));
        }
        let additivity = match kind {
            AggregateKind::Average => Additivity::Never("an average"),
            AggregateKind::CountRows => Additivity::Additive,
            AggregateKind::Sum | AggregateKind::Count => worse(
                &arguments.additivity,
                &self.spread(&arguments.value, &self.units(&arguments.value), keys),
            ),
            AggregateKind::Idempotent if distinct => self.spread(&arguments.value, &[], keys),
            AggregateKind::Idempotent => Additivity::Additive,
        };
        (grain, additivity)
    }

    /// Whether the rows that an aggregate is over count once each.
    pub(super) fn row_grain(&self, kind: AggregateKind, values: &[Attr], keys: &[Attr]) -> Grain {
        let grain = match kind {
            AggregateKind::Idempotent => Grain::Once,
            AggregateKind::CountRows => self.counted_rows(keys),
            AggregateKind::Sum | AggregateKind::Count | AggregateKind::Average => self.grain_of(values, keys),
        };
        match grain {
            Grain::Repeated { .. } | Grain::Pairs { .. } => grain,
            grain => self.everywhere(kind, values, keys).unwrap_or(grain),
        }
    }

    /// Rows that are in every group of a spine: they are grouped by its constants, and no condition says which of them
    /// belong to which. Not so where the groups are of the rows themselves.
    fn everywhere(&self, kind: AggregateKind, values: &[Attr], keys: &[Attr]) -> Option<Grain> {
        let frame = self.frames.last()?;
        let rows = match kind {
            AggregateKind::CountRows => {
                frame.rows().into_iter().filter(|row| !frame.ties.spines.contains(row)).collect()
            }
            _ => self.units(values),
        };
        let repeating = self.repeated_by_constants(&rows);
        if rows.is_empty() || repeating.is_empty() {
            return None;
        }
        let (closure, grouped) = (frame.closure(keys, self.attrs.len()), self.units(keys));
        let by_constants = repeating.iter().any(|row| closure.has(*row) || grouped.contains(row));
        if closure.has_all(&rows) || !by_constants {
            return None;
        }
        let (mut of, mut by) = (self.sources_of(&rows), self.sources_of(&repeating));
        if of == by {
            // Joined further inside: what they are called there tells them apart.
            (of, by) = (self.labels(&rows), self.labels(&repeating));
        }
        Some(Grain::Everywhere { unit: of.join(" × "), by })
    }

    pub(super) fn units(&self, attrs: &[Attr]) -> Attrs {
        let mut units = Attrs::new();
        for attr in attrs {
            if let Some(info) = self.info(*attr) {
                merge(&mut units, &info.units);
            }
        }
        units
    }

    /// Whether one row counts in one group only.
    pub(super) fn spread(&self, values: &[Attr], units: &[Attr], keys: &[Attr]) -> Additivity {
        let Some(frame) = self.frames.last() else { return Additivity::Additive };
        if keys.is_empty() {
            return Additivity::Additive;
        }
        let mut start = Attrs::from(values);
        merge(&mut start, units);
        let closure = frame.closure(&start, self.attrs.len());
        match keys.iter().find(|key| !closure.has(**key)) {
            Some(key) => Additivity::Spread(self.label(*key)),
            None => Additivity::Additive,
        }
    }

    /// Whether a join repeats the rows that some values come from.
    pub(super) fn grain_of(&self, values: &[Attr], keys: &[Attr]) -> Grain {
        let Some(frame) = self.frames.last() else { return Grain::Once };
        let size = self.attrs.len();
        let rows = frame.rows();
        let units = self.units(values);
        if units.is_empty() {
            return Grain::Once;
        }
        if units.len() == rows.len() && rows.iter().all(|row| units.contains(row)) {
            return Grain::Once;
        }
        let everything = frame.closure(&rows, size);
        let label =
            |units: &[Attr]| units.iter().map(|unit| self.label(*unit)).collect::<Vec<_>>().join(" × ");
        if let Some(lost) = units.iter().find(|unit| !everything.has(**unit)) {
            return Grain::Merged { unit: self.label(*lost) };
        }
        let mut start = units.clone();
        merge(&mut start, values);
        merge(&mut start, keys);
        let closure = frame.closure(&start, size);
        let mut repeating: Vec<String> = Vec::new();
        for row in rows.iter().filter(|row| !closure.has(**row)) {
            let label = self.label(*row);
            if !repeating.contains(&label) {
                repeating.push(label);
            }
        }
        if repeating.is_empty() {
            return Grain::Once;
        }
        let doubt = self.doubt(&start, keys, &rows);
        Grain::Repeated { unit: label(&units), by: repeating, doubt }
    }

    /// What would make the rows count once after all.
    pub(super) fn doubt(&self, start: &[Attr], keys: &[Attr], rows: &[Attr]) -> Option<Doubt> {
        let (frame, size) = (self.frames.last()?, self.attrs.len());
        if frame.closure_trusting(start, size, Trust::Assumed).has_all(rows) {
            return Some(Doubt::Uniqueness);
        }
        let mut start = Attrs::from(start);
        merge(&mut start, &self.labelled_rows(keys));
        frame.closure_trusting(&start, size, Trust::Assumed).has_all(rows).then_some(Doubt::Label)
    }

    /// The rows that the grouped columns label: text that is not categorical, such as a name.
    pub(super) fn labelled_rows(&self, keys: &[Attr]) -> Attrs {
        let mut rows = Attrs::new();
        for key in keys {
            let Some(info) = self.info(*key) else { continue };
            let [base] = info.base.as_slice() else { continue };
            let column =
                self.schema.tables.get_index(base.table).and_then(|(_, t)| t.columns.get_index(base.column));
            if info.ty == SqlType::Text && column.is_some_and(|(_, column)| column.values.is_none()) {
                merge(&mut rows, &info.units);
            }
        }
        rows
    }

    /// Whether an outer join keeps rows without a partner in this source, and no condition drops them again.
    fn may_be_missing(&self, rows: &[Attr]) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        let is_there =
            |row: &Attr| frame.dependencies.iter().any(|d| d.when.is_empty() && d.present.contains(row));
        rows.iter().any(|row| frame.optional.contains(row) && !is_there(row))
    }

    /// What COUNT(*) counts: the source whose row determines all the others.
    pub(super) fn counted_rows(&self, keys: &[Attr]) -> Grain {
        let Some(frame) = self.frames.last() else { return Grain::Once };
        let size = self.attrs.len();
        let rows = frame.rows();
        let determines = |start: &[Attr], trust: Trust| {
            let mut start = Attrs::from(start);
            merge(&mut start, keys);
            frame.closure_trusting(&start, size, trust).has_all(&rows)
        };
        let Some(first) = frame.sources.first() else { return Grain::Once };
        if determines(&first.rows, Trust::Stated) {
            return Grain::Once;
        }
        match frame.sources.iter().skip(1).find(|source| determines(&source.rows, Trust::Stated)) {
            Some(finest) if self.may_be_missing(&finest.rows) => {
                Grain::Missing { unit: finest.label.to_string() }
            }
            Some(finest) => Grain::Finest { unit: finest.label.to_string(), first: first.label.to_string() },
            None => {
                let fixed = frame.closure(keys, size);
                let loose = frame.sources.iter().filter(|source| !fixed.has_all(&source.rows));
                let of = loose.map(|source| source.label.to_string()).collect();
                let unsure = frame.sources.iter().any(|source| determines(&source.rows, Trust::Assumed))
                    || self.pairs_of_one(keys);
                Grain::Pairs { of, doubt: unsure.then_some(Doubt::Uniqueness) }
            }
        }
    }

    /// Whether what is counted are pairs of rows of one table that are meant as pairs: the same column of both is held in
    /// order, and grouped by (`a.product < b.product`).
    fn pairs_of_one(&self, keys: &[Attr]) -> bool {
        let column = |attr: Attr| match self.info(attr).map(|info| info.base.as_slice()) {
            Some([base]) => Some((base.table, base.column)),
            _ => None,
        };
        self.frames.last().is_some_and(|frame| {
            frame.ordered.iter().any(|(a, b)| {
                a != b
                    && column(*a).is_some()
                    && column(*a) == column(*b)
                    && keys.contains(a)
                    && keys.contains(b)
            })
        })
    }
}
