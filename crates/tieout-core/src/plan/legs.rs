//! What a leg is, in words and in columns.

use super::{FiguresPlan, GroupBy, Leg, Level, Slice};
use crate::{catalogue::Project, metric_kinds::RowsTaken};

impl FiguresPlan {
    /// A leg in words: `net revenue, September 2026, by channel`.
    #[must_use]
    pub fn leg_words(&self, leg: &Leg) -> String {
        let mut words = self.atoms.get(leg.atom).map_or_else(String::new, |a| a.label.clone());
        if let Some(window) = self.windows.get(leg.window) {
            let step = leg.step.and_then(|s| window.buckets.get(s));
            words.push_str(&format!(", {}", step.map_or(&window.words, |b| &b.label)));
        }
        match leg.level {
            Level::Grouped => {
                let labels: Vec<_> = self.groupings.iter().map(|g| g.label.as_str()).collect();
                words.push_str(&format!(", by {}", labels.join(" and ")));
            }
            Level::Total if self.groupings.is_empty() => {}
            Level::Total => words.push_str(", in all"),
        }
        match leg.slice {
            Slice::Whole => words,
            Slice::Part => format!("{words}, the part"),
        }
    }

    /// How many columns at the start of a leg's rows are the group's key.
    #[must_use]
    pub fn leg_keys(&self, leg: &Leg) -> usize {
        match leg.level {
            Level::Total => 0,
            Level::Grouped => {
                let stepped = leg.step.is_some();
                self.groupings.iter().filter(|g| !(stepped && matches!(g.by, GroupBy::Time(_)))).count()
            }
        }
    }

    /// One leg for each set of rows that is counted: an atom over a window and a slice.
    pub fn support_legs(&self) -> impl Iterator<Item = &Leg> {
        let first = |leg: &&Leg| {
            let same =
                |l: &&Leg| (l.atom, l.window, l.slice, l.step) == (leg.atom, leg.window, leg.slice, leg.step);
            self.legs.iter().find(same).is_some_and(|l| l.id == leg.id)
        };
        self.legs.iter().filter(first)
    }

    /// How many columns at the start of a support query are the row's primary key.
    #[must_use]
    pub fn key_len(&self, leg: &Leg, project: &Project) -> usize {
        let dataset = self.atoms.get(leg.atom).and_then(|a| project.catalogue.datasets.get(&a.dataset));
        dataset.map_or(0, |d| d.primary_key.len())
    }

    /// Whether the number of rows that a leg counted is the number of rows that its support lists: not where rows
    /// fall into several groups, nor where rows without a value are passed over.
    #[must_use]
    pub fn counts_rows_once(&self, leg: &Leg) -> bool {
        let Some(atom) = self.atoms.get(leg.atom) else { return false };
        let middle = atom.kind.parts.iter().any(|p| {
            matches!(p, crate::metric_kinds::Part::LowerMedian | crate::metric_kinds::Part::UpperMedian)
        });
        let shared = leg.level == Level::Grouped && !atom.partitions();
        !middle && !shared && atom.kind.rows != RowsTaken::UpToEnd
    }
}
