//! Owns the rule that every table and column is known and unambiguous.
//!
//! Deliberately absent: guessing. A near name is offered in the hint and never taken.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{Facts, NameKind, NameProblem};

pub(super) const RULE: Rule = Rule {
    name: "known_names",
    reason: "a name that could mean two things, or nothing, has no certain answer",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts.names.iter().filter_map(finding).collect()
}

fn finding(problem: &NameProblem) -> Option<Finding> {
    let name = &problem.name;
    let message = match problem.kind {
        NameKind::UnknownTable => format!("there is no table `{name}`"),
        NameKind::UnseenView => format!("`{name}` is a view that cannot be looked through"),
        NameKind::UnknownColumn => format!("there is no column `{name}`"),
        NameKind::AmbiguousColumn => format!("the column `{name}` could be more than one"),
        NameKind::DuplicateSource => format!("the name `{name}` is given twice"),
        NameKind::ColumnCount => format!("{name} has sides of different width"),
        NameKind::SystemCatalogue => return None,
    };
    Some(Finding::reject(message, problem.hint.clone(), problem.place))
}
