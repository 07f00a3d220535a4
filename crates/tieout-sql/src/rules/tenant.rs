//! Owns the rule that a table which belongs to tenants is read only with a tenant in scope.
//!
//! Deliberately absent: binding the tenant (`scoping`) and proving it bound (`prove`).

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::Facts;

pub(super) const RULE: Rule =
    Rule { name: "tenant", reason: "a missing tenant means no rows, never all rows", check };

fn check(facts: &Facts, cx: &Context) -> Vec<Finding> {
    if cx.scope.tenant_value().is_some() {
        return Vec::new();
    }
    facts
        .tables
        .iter()
        .filter(|used| used.tenant.is_some())
        .map(|used| {
            let message = format!("`{}` belongs to tenants and no tenant is in scope", used.table);
            Finding::reject(message, "sign in, or name the tenant of this session", used.place)
        })
        .collect()
}
