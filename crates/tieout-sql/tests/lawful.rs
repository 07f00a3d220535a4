//! No false alarms: whatever analysts lawfully write, at least 200 statements for each dialect, is accepted.
//! `tieout-warehouse` runs the same statements on their engines.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may stop")]

mod case_files;
mod statements;

use std::collections::{BTreeMap, BTreeSet};

use statements::{checked, lawful, shop};
use tieout_sql::{DIALECTS, Severity};

#[test]
fn lawful_statements_are_accepted() {
    let schema = shop();
    let mut alarms = Vec::new();
    let mut warned = BTreeMap::<&str, usize>::new();
    for dialect in DIALECTS {
        let statements = lawful(dialect.name);
        let mut seen = BTreeSet::new();
        let twice = statements.iter().find(|statement| !seen.insert(&statement.sql));
        assert!(
            twice.is_none(),
            "{} stands twice",
            twice.map_or_else(String::new, |twice| twice.name.clone())
        );
        assert!(statements.len() >= 200, "{} has {} statements", dialect.name, statements.len());
        let before = alarms.len();
        for statement in &statements {
            match checked(&statement.sql, statement.binds.clone(), dialect, &schema) {
                Ok(found) => {
                    for warning in found.warnings() {
                        *warned.entry(warning.rule).or_default() += 1;
                    }
                }
                Err(rejected) => {
                    let reasons = rejected.rejections.iter().filter(|r| r.severity == Severity::Reject);
                    let reasons: String =
                        reasons.map(|r| format!("\n    {}: {}; {}", r.rule, r.message, r.hint)).collect();
                    alarms.push(format!("{} {}\n  {}{reasons}", dialect.name, statement.name, statement.sql));
                }
            }
        }
        println!("{}: {} lawful, {} refused", dialect.name, statements.len(), alarms.len() - before);
    }
    println!("warned of: {warned:?}");
    assert!(alarms.is_empty(), "{} false alarms\n{}", alarms.len(), alarms.join("\n"));
}
