//! Owns "did you mean": the nearest of the names that exist.
//!
//! Deliberately absent: binding anything to a near name. A near name is a hint, never an answer.

/// How many names a hint offers.
const NAMES_OFFERED_MAX: usize = 3;
/// How alike two names must be, between 0 and 1.
const LIKENESS_MIN: f64 = 0.75;

/// A hint that offers the nearest names, or lists what there is when nothing is near.
pub(crate) fn nearest_hint<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let lower = name.to_lowercase();
    let mut near: Vec<(f64, &str)> = known
        .clone()
        .map(|candidate| (strsim::jaro_winkler(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(likeness, _)| *likeness >= LIKENESS_MIN)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.truncate(NAMES_OFFERED_MAX);
    if near.is_empty() {
        let mut all: Vec<&str> = known.take(NAMES_OFFERED_MAX.saturating_add(9)).collect();
        all.sort_unstable();
        return match all.is_empty() {
            true => "there is none".to_owned(),
            false => format!("there is {}", listed(&all)),
        };
    }
    format!(
        "did you mean {}?",
        near.iter().map(|(_, name)| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
    )
}

/// Names in backquotes, separated by commas.
pub(crate) fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
