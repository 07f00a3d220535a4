//! Owns the rule that system catalogues are closed.
//!
//! Deliberately absent: tables that are merely unknown (`known_names`).

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{Facts, NameKind};

pub(super) const RULE: Rule = Rule {
    name: "closed_catalogues",
    reason: "an engine's own tables tell of other tenants, users and settings",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .names
        .iter()
        .filter(|problem| problem.kind == NameKind::SystemCatalogue)
        .map(|problem| {
            let message = format!("`{}` belongs to the engine itself", problem.name);
            Finding::reject(message, "read the tables of the schema only", problem.place)
        })
        .collect()
}
