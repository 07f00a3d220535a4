//! "Did you mean": the nearest of the names that exist, as a hint.
//!
//! Deliberately absent: binding anything to a near name.

/// How many names a hint offers.
const OFFERED_MAX: usize = 3;
/// How many names a hint lists when none is near.
const LISTED_MAX: usize = 12;
/// How many names are looked at; a catalogue of more is not searched to its end for a hint.
const CANDIDATES_MAX: usize = 5_000;
/// How alike two names must be, between 0 and 1.
const LIKENESS_MIN: f64 = 0.8;
/// How much less alike than the nearest a name may be and still be offered beside it.
const LIKENESS_SPAN: f64 = 0.06;

/// A hint that offers the nearest names, or lists what there is when none is near.
pub(in super::super) fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.into_iter().take(CANDIDATES_MAX).collect();
    if let Some(offer) = near(name, known.iter().copied()) {
        return offer;
    }
    known.sort_unstable();
    known.dedup();
    match known.len() {
        0 => "there is none yet".to_owned(),
        1 => format!("there is only {}", quoted(&known, ", ")),
        count if count <= LISTED_MAX => format!("there are {}", quoted(&known, ", ")),
        count => format!("there are {count}, such as {}", quoted(&known[..OFFERED_MAX], ", ")),
    }
}

/// A hint that offers the nearest names, or none when none is near.
pub(super) fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let near = nearest(name, known);
    (!near.is_empty()).then(|| format!("did you mean {}?", quoted(&near, " or ")))
}

/// The nearest names, nearest first.
fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let lower = name.to_lowercase();
    let mut near: Vec<(f64, &str)> = known
        .into_iter()
        .take(CANDIDATES_MAX)
        .map(|candidate| (likeness(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(likeness, _)| *likeness >= LIKENESS_MIN)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.dedup_by_key(|(_, candidate)| *candidate);
    let best = near.first().map_or(0.0, |(likeness, _)| *likeness);
    near.retain(|(likeness, _)| best - likeness <= LIKENESS_SPAN);
    near.into_iter().take(OFFERED_MAX).map(|(_, candidate)| candidate).collect()
}

fn likeness(a: &str, b: &str) -> f64 {
    if a == b { 1.0 } else { strsim::jaro_winkler(a, b) }
}

/// Names in backquotes, with something between.
pub(super) fn quoted(names: &[&str], between: &str) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(between)
}
