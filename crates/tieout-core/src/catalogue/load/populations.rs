//! Populations: whose rows, and which of them, by their own fields or by related rows.
//!
//! Deliberately absent: how related rows are looked for, which the compiler says.

use indexmap::IndexMap;

use super::{
    Context, codes,
    expressions::{Gives, Runs, expression},
    node::Node,
    problem::Report,
    relationships, spoken,
};
use crate::catalogue::{Catalogue, Graph, HOPS_MAX, Membership, Population, Presence, Related};

/// Every population that has a name, by it.
pub(super) fn read(
    context: &Context<'_>,
    catalogue: &Catalogue,
    report: &mut Report<'_>,
) -> IndexMap<String, Population> {
    let mut populations = IndexMap::new();
    for (name, node) in &context.entries.populations {
        let dataset = node
            .word_of("dataset")
            .and_then(|word| relationships::dataset(word, &catalogue.datasets, report));
        let filter = dataset.and_then(|dataset| {
            expression(node, "where", dataset, catalogue.dialect, (Runs::InQuery, Gives::Condition), report)
        });
        let mut related = Vec::new();
        for (key, presence) in [("exists", Presence::Exists), ("absent", Presence::Absent)] {
            for item in node.items_of(key) {
                related.extend(
                    dataset.and_then(|from| one_related(item, presence, &from.name, catalogue, report)),
                );
            }
        }
        let says = |key: &str| node.get(key).is_some();
        if !says("where") && node.items_of("exists").is_empty() && node.items_of("absent").is_empty() {
            let message = format!("the population `{name}` does not say who belongs to it");
            report.error(
                codes::NO_MEMBERS,
                node.at,
                message,
                "give it a `where`, an `exists` or an `absent`",
            );
        }
        let population = Population {
            name: name.clone(),
            label: node.text_of("label").unwrap_or_else(|| spoken(name)),
            dataset: node.text_of("dataset").unwrap_or_default(),
            membership: Membership { filter, related },
            synonyms: node.texts_of("synonyms"),
            description: node.text_of("description"),
        };
        populations.insert(name.clone(), population);
    }
    populations
}

fn one_related(
    node: &Node,
    presence: Presence,
    from: &str,
    catalogue: &Catalogue,
    report: &mut Report<'_>,
) -> Option<Related> {
    let to = reached(node, from, catalogue, report)?;
    let dataset = catalogue.datasets.get(&to)?;
    let within_period = node.flag_of("within_period").unwrap_or(false);
    if within_period && dataset.time.is_none() {
        let message = format!("`{to}` has no field that says when, so its rows cannot lie in a period");
        report.error(
            codes::NO_TIME,
            node.at_of("within_period"),
            message,
            format!("give the dataset `{to}` a `time`"),
        );
    }
    let filter =
        expression(node, "where", dataset, catalogue.dialect, (Runs::InQuery, Gives::Condition), report);
    Some(Related { via: node.texts_of("via"), dataset: to, presence, filter, within_period })
}

/// The dataset that a list of relationships leads to, or none with a problem noted.
pub(super) fn reached(
    node: &Node,
    from: &str,
    catalogue: &Catalogue,
    report: &mut Report<'_>,
) -> Option<String> {
    let graph = Graph::of(catalogue);
    let via = node.words_of("via");
    if via.is_empty() || via.len() > HOPS_MAX {
        if node.get("via").is_some() {
            let message = format!("a way has between 1 and {HOPS_MAX} relationships");
            report.error(
                codes::BAD_VALUE,
                node.at_of("via"),
                message,
                "list the relationships in the order in which they are walked",
            );
        }
        return None;
    }
    let mut at = from.to_owned();
    let mut broken = false;
    for word in via {
        if graph.relationship(word.text).is_none() {
            let message = format!("there is no relationship `{}`", word.text);
            let known = catalogue.relationships.keys().map(String::as_str);
            report.unknown(codes::UNKNOWN_RELATIONSHIP, word, message, known);
            broken = true;
            continue;
        }
        if broken {
            continue;
        }
        match graph.hops_from(&at).find(|hop| hop.relationship == word.text) {
            Some(hop) => at = hop.to,
            None => {
                let message = format!("the relationship `{}` does not touch `{at}`", word.text);
                let leaving: Vec<String> = graph.hops_from(&at).map(|hop| hop.relationship).collect();
                report.unknown(codes::NOT_CONNECTED, word, message, leaving.iter().map(String::as_str));
                broken = true;
            }
        }
    }
    (!broken).then_some(at)
}
