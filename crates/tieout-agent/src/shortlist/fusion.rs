//! Two rankings made into one.

use std::collections::BTreeMap;

use super::{ListedBy, Near};

/// How many entries of a ranking count. Beyond them its order says nothing.
const RANKED_MAX: usize = 100;

/// The constant of reciprocal rank fusion, as its authors set it.
const RANK_SHIFT: u32 = 60;

/// The entries that two rankings put nearest together, each with the rankings that hold it.
///
/// Reciprocal rank fusion: an entry is worth the sum of 1 / (60 + rank) over the rankings that hold it (Cormack, Clarke and
/// Büttcher, “Reciprocal rank fusion outperforms Condorcet and individual rank learning methods”, SIGIR 2009). It needs no
/// common scale, which a score by words and a cosine have not. Of two that are worth the same, the one that words put first
/// comes first. With one ranking empty it is the other, as it was.
pub(super) fn nearest(words: &[String], meaning: &[String], most: usize) -> Near {
    let mut worth: BTreeMap<&String, (f64, ListedBy, usize)> = BTreeMap::new();
    let rankings = [(words, ListedBy::Words), (meaning, ListedBy::Meaning)];
    let count = if meaning.is_empty() || words.is_empty() { usize::MAX } else { RANKED_MAX };
    for (ranking, by) in rankings {
        for (name, rank) in ranking.iter().take(count).zip(1_u32..) {
            let arrived = worth.len();
            let entry = worth.entry(name).or_insert((0.0, by, arrived));
            entry.0 += 1.0 / f64::from(RANK_SHIFT.saturating_add(rank));
            if entry.1 != by {
                entry.1 = ListedBy::Both;
            }
        }
    }
    let mut all: Vec<_> = worth.into_iter().collect();
    all.sort_by(|(_, (a, _, first)), (_, (b, _, second))| b.total_cmp(a).then(first.cmp(second)));
    all.into_iter().take(most).map(|(name, (_, by, _))| (name.clone(), by)).collect()
}
