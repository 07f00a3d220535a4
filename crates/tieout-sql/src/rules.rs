//! Owns the table of rules and running them. One file a rule: a name, a reason, and a function from facts to
//! findings. To add a rule, add a file and a line here.
//!
//! Deliberately absent: syntax trees; rules read facts only.

mod adds_up;
mod allowed_functions;
mod closed_catalogues;
mod closed_ranges;
mod counted_rows;
mod cross_joins;
mod equals_null;
mod fan_out;
mod grouped_columns;
mod hidden_columns;
mod identifiers;
mod integer_division;
mod known_names;
mod known_syntax;
mod known_values;
mod limit_without_order;
mod merged_values;
mod not_in_nullable;
mod one_statement;
mod outer_join_undone;
mod read_only;
mod sensitive_columns;
mod shadowed_tables;
mod stated_joins;
mod tenant;
mod zoned_truncation;
mod zero_division;
mod tied_order;
mod mixed_logic;
mod having_rows;
mod declared_time;
mod comparable_types;

use crate::check::Context;
use crate::facts::Facts;
use crate::rejection::{Place, Rejection, Severity};

/// One rule.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Its name, as rejections carry it.
    pub name: &'static str,
    /// Why it exists.
    pub reason: &'static str,
    check: fn(&Facts, &Context) -> Vec<Finding>,
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rule").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a rule finds, before it carries the rule's name.
pub(crate) struct Finding {
    severity: Severity,
    message: String,
    hint: String,
    place: Option<Place>,
}

impl Finding {
    fn reject(message: String, hint: impl Into<String>, place: Option<Place>) -> Finding {
        Finding { severity: Severity::Reject, message, hint: hint.into(), place }
    }

    fn warn(message: String, hint: impl Into<String>, place: Option<Place>) -> Finding {
        Finding { severity: Severity::Warn, message, hint: hint.into(), place }
    }
}

/// Every rule, in the order in which findings are shown.
pub static RULES: &[Rule] = &[
    one_statement::RULE,
    read_only::RULE,
    known_syntax::RULE,
    closed_catalogues::RULE,
    known_names::RULE,
    allowed_functions::RULE,
    hidden_columns::RULE,
    sensitive_columns::RULE,
    tenant::RULE,
    stated_joins::RULE,
    cross_joins::RULE,
    fan_out::RULE,
    counted_rows::RULE,
    grouped_columns::RULE,
    identifiers::RULE,
    adds_up::RULE,
    merged_values::RULE,
    equals_null::RULE,
    not_in_nullable::RULE,
    outer_join_undone::RULE,
    integer_division::RULE,
    closed_ranges::RULE,
    known_values::RULE,
    comparable_types::RULE,
    declared_time::RULE,
    zoned_truncation::RULE,
    mixed_logic::RULE,
    having_rows::RULE,
    zero_division::RULE,
    limit_without_order::RULE,
    tied_order::RULE,
    shadowed_tables::RULE,
];

/// Runs every rule; rejections come before warnings, each kind in the order of the table and without repeats.
pub(crate) fn findings(facts: &Facts, cx: &Context) -> Vec<Rejection> {
    let mut found: Vec<Rejection> = Vec::new();
    for rule in RULES {
        for Finding { severity, message, hint, place } in (rule.check)(facts, cx) {
            let rejection = Rejection { rule: rule.name, severity, message, hint, place };
            if !found.contains(&rejection) {
                found.push(rejection);
            }
        }
    }
    found.sort_by_key(|rejection| match rejection.severity {
        Severity::Reject => 0,
        Severity::Warn => 1,
    });
    found
}
