//! The words that entries claim: two approved metrics may not claim the same, and other clashes are worth a look.
//!
//! Deliberately absent: words that are only alike, which lint looks for.

use std::collections::{HashMap, HashSet};

use super::{
    Context, codes,
    node::Node,
    problem::{At, Report},
    spoken,
};
use crate::catalogue::{Catalogue, Measure, Metric, Status};

/// A word or words, and who claims them.
#[derive(Clone, Debug)]
struct Claim<'c> {
    by: Claimant<'c>,
    at: At,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claimant<'c> {
    Metric(&'c str),
    Population(&'c str),
    Dataset(&'c str),
    Field(&'c str, &'c str),
    Term(&'c str),
}

impl Claimant<'_> {
    /// A field's dataset.
    fn dataset(&self) -> Option<&str> {
        match self {
            Self::Field(dataset, _) => Some(dataset),
            Self::Metric(_) | Self::Population(_) | Self::Dataset(_) | Self::Term(_) => None,
        }
    }

    fn in_words(self) -> String {
        match self {
            Self::Metric(name) => format!("the metric `{name}`"),
            Self::Population(name) => format!("the population `{name}`"),
            Self::Dataset(name) => format!("the dataset `{name}`"),
            Self::Field(dataset, name) => format!("the field `{dataset}.{name}`"),
            Self::Term(name) => format!("the term `{name}`"),
        }
    }
}

/// Notes every clash.
pub(super) fn check(context: &Context<'_>, catalogue: &Catalogue, report: &mut Report<'_>) {
    let mut claims: HashMap<String, Vec<Claim<'_>>> = HashMap::new();
    let mut order = Vec::new();
    for (word, claim) in all(context, catalogue) {
        let list = claims.entry(word.clone()).or_default();
        if list.is_empty() {
            order.push(word);
        }
        list.push(claim);
    }
    for word in order {
        let list = claims.get(&word).map_or(&[][..], Vec::as_slice);
        let (mut fields, mut others): (Vec<&Claim<'_>>, Vec<&Claim<'_>>) = (Vec::new(), Vec::new());
        for claim in list {
            let is_field = matches!(claim.by, Claimant::Field(..));
            // Fields of other datasets may be called the same, and thousands of them are: they are not compared.
            let near = fields
                .iter()
                .rev()
                .take_while(|before| !is_field || before.by.dataset() == claim.by.dataset());
            let clash = others
                .iter()
                .chain(near)
                .find_map(|before| Some((*before, clash(before.by, claim.by, catalogue)?)));
            if let Some((before, clash)) = clash {
                note(&word, before, claim, clash, report);
            }
            if is_field { fields.push(claim) } else { others.push(claim) }
        }
    }
}

/// How bad it is that two claim the same words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clash {
    TwoApproved,
    Other,
}

fn clash(a: Claimant<'_>, b: Claimant<'_>, catalogue: &Catalogue) -> Option<Clash> {
    use Claimant as C;
    if a == b {
        return None;
    }
    match (a, b) {
        (C::Metric(a), C::Metric(b)) => {
            (is_approved(a, catalogue) && is_approved(b, catalogue)).then_some(Clash::TwoApproved)
        }
        (C::Metric(metric), C::Dataset(dataset)) | (C::Dataset(dataset), C::Metric(metric)) => {
            (!counts_rows_of(metric, dataset, catalogue)).then_some(Clash::Other)
        }
        (C::Metric(metric), C::Field(dataset, _)) | (C::Field(dataset, _), C::Metric(metric)) => {
            (!is_over(metric, dataset, catalogue)).then_some(Clash::Other)
        }
        (C::Field(a, _), C::Field(b, _)) => (a == b).then_some(Clash::Other),
        (C::Dataset(_) | C::Population(_), C::Field(..))
        | (C::Field(..), C::Dataset(_) | C::Population(_)) => None,
        (C::Metric(_) | C::Field(..), C::Population(_) | C::Term(_))
        | (C::Population(_) | C::Dataset(_), C::Metric(_) | C::Population(_) | C::Dataset(_) | C::Term(_))
        | (C::Term(_), C::Metric(_) | C::Population(_) | C::Dataset(_) | C::Field(..) | C::Term(_)) => {
            Some(Clash::Other)
        }
    }
}

fn note(word: &str, before: &Claim<'_>, claim: &Claim<'_>, clash: Clash, report: &mut Report<'_>) {
    let place = report.place(before.at);
    let who = before.by.in_words();
    match clash {
        Clash::TwoApproved => {
            let message = format!("\"{word}\" is claimed by {who} too ({place})");
            let hint = "leave the words to one of them, or state a term with both as readings";
            report.error(codes::CLAIMED_TWICE, claim.at, message, hint);
        }
        Clash::Other => {
            let message =
                format!("\"{word}\" is claimed by {who} too ({place}), and whoever asks may mean either");
            report.warn(codes::CLAIMED_BY_KINDS, claim.at, message, "leave the words to one of them");
        }
    }
}

fn is_approved(metric: &str, catalogue: &Catalogue) -> bool {
    catalogue.metrics.get(metric).is_some_and(|metric| metric.status == Status::Approved)
}

/// A metric that counts the rows of a dataset may well be called like them.
fn counts_rows_of(metric: &str, dataset: &str, catalogue: &Catalogue) -> bool {
    match catalogue.metrics.get(metric).map(|metric| &metric.measure) {
        Some(Measure::Aggregate(aggregate)) => aggregate.kind == "count" && aggregate.dataset == dataset,
        Some(Measure::Ratio { .. } | Measure::Derived { .. }) | None => false,
    }
}

/// A metric of a field may well be called like it.
fn is_over(metric: &str, dataset: &str, catalogue: &Catalogue) -> bool {
    catalogue.aggregates_within(metric).any(|(_, aggregate)| aggregate.dataset == dataset)
}

/// Every claim, entry by entry. An entry claims each of its words once.
fn all<'c>(context: &Context<'c>, catalogue: &'c Catalogue) -> Vec<(String, Claim<'c>)> {
    let mut claims = Vec::new();
    for (name, metric) in &catalogue.metrics {
        if let Some(node) = context.entries.metrics.get(name).filter(|_| !is_deprecated(metric)) {
            claim(Claimant::Metric(name), node, &mut claims);
        }
    }
    for name in catalogue.populations.keys() {
        if let Some(node) = context.entries.populations.get(name) {
            claim(Claimant::Population(name), node, &mut claims);
        }
    }
    for (name, dataset) in &catalogue.datasets {
        let Some(node) = context.entries.datasets.get(name) else { continue };
        claim(Claimant::Dataset(name), node, &mut claims);
        for field in node.items_of("fields") {
            let known = field.word_of("name").and_then(|word| dataset.fields.get_key_value(word.text));
            if let Some((field_name, _)) = known {
                claim(Claimant::Field(name, field_name), field, &mut claims);
            }
        }
    }
    for name in catalogue.terms.keys() {
        if let Some(node) = context.entries.terms.get(name) {
            claims.push((normal(name), Claim { by: Claimant::Term(name), at: node.at_of("term") }));
        }
    }
    claims
}

fn is_deprecated(metric: &Metric) -> bool {
    match metric.status {
        Status::Deprecated { .. } => true,
        Status::Draft | Status::Approved => false,
    }
}

fn claim<'c>(by: Claimant<'c>, node: &Node, claims: &mut Vec<(String, Claim<'c>)>) {
    let mut seen = HashSet::new();
    let name = node.word_of("name").map(|word| (spoken(word.text), word.at));
    let label = node.word_of("label").map(|word| (word.owned(), word.at));
    // A name that a label replaces is still understood, so it is still claimed.
    let words = name.into_iter().chain(label);
    let synonyms = node.words_of("synonyms").into_iter().map(|word| (word.owned(), word.at));
    for (word, at) in words.chain(synonyms) {
        let word = normal(&word);
        if seen.insert(word.clone()) {
            claims.push((word, Claim { by, at }));
        }
    }
}

/// Words as they are compared: lower case, one blank between.
pub(in super::super) fn normal(words: &str) -> String {
    words.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}
