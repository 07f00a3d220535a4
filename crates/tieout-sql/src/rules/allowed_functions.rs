//! Owns the rule that only functions on the dialect's allow-list are called, as they are meant to be called.
//!
//! Deliberately absent: the lists (`dialect/lists.rs`).

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{Facts, Permission};

pub(super) const RULE: Rule = Rule {
    name: "allowed_functions",
    reason: "a function can read files, write, sleep, lock or call out, and a SELECT would not show it",
    check,
};

fn check(facts: &Facts, cx: &Context) -> Vec<Finding> {
    let engine = cx.dialect.name;
    facts
        .functions
        .iter()
        .filter_map(|call| {
            let name = &call.name;
            let (message, hint) = match call.permission {
                Permission::Allowed => return None,
                Permission::Absent => {
                    (format!("the function `{name}` is not on the list for {engine}"), "use a listed function")
                }
                Permission::WrongArguments => {
                    (format!("`{name}` does not take so many arguments on {engine}"), "check its arguments")
                }
                Permission::Misplaced => (
                    format!("`{name}` cannot be called in this place"),
                    "table functions stand in FROM, window functions need OVER, scalar functions take no FILTER or DISTINCT",
                ),
            };
            Some(Finding::reject(message, hint, call.place))
        })
        .collect()
}
