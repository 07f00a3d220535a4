//! Owns the rule that a statement only reads.
//!
//! Deliberately absent: functions that write; those are on no allow-list.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{Facts, StatementKind};

pub(super) const RULE: Rule =
    Rule { name: "read_only", reason: "answering a question never changes, locks or keeps anything", check };

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    let statements = facts.statements.iter().filter_map(|statement| match statement {
        StatementKind::Query => None,
        StatementKind::Other(word) => Some(Finding::reject(
            format!("the statement is a `{word}`, not a query"),
            "write one SELECT",
            None,
        )),
    });
    let writes = facts.writes.iter().map(|write| {
        Finding::reject(
            format!("{} does more than read", write.what),
            "leave it out; only reading is possible",
            write.place,
        )
    });
    statements.chain(writes).collect()
}
