//! The published gold queries: those that are lawful may not be rejected. Steps aside when the folder is not there;
//! nothing of it is copied into the repository.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop"
)]

mod corpus;

use std::collections::BTreeMap;
use std::time::Instant;

use corpus::{corpora, databases, golds, judged};
use tieout_sql::{ANSI, DIALECTS, Severity, ddl};

/// How many of a thousand golds may be rejected although their joins are stated. Those that are have been looked at:
/// they count or average rows that their join repeats (customers by transaction, patients by treatment, cost by sale).
const FALSE_ALARMS_PER_THOUSAND_MAX: usize = 15;

#[test]
fn gold_queries_are_accepted() {
    let Some(databases) = databases() else {
        println!("skipped: no corpora here");
        return;
    };
    let mut rules = BTreeMap::<(&str, bool), usize>::new();
    for dialect in DIALECTS {
        let (mut total, mut unstated, mut refused) = (0, 0, 0);
        let start = Instant::now();
        for gold in golds(dialect.name) {
            let mut schema = databases[&gold.db].clone();
            if dialect.name == "mysql" {
                schema
                    .tables
                    .values_mut()
                    .for_each(|table| table.relation = vec![gold.db.clone(), table.name.clone()]);
            }
            let findings = judged(&gold.sql, &schema, dialect);
            total += 1;
            for (rule, severity, _) in &findings {
                *rules.entry((rule, *severity == Severity::Reject)).or_default() += 1;
            }
            let rejects: Vec<_> =
                findings.iter().filter(|(_, severity, _)| *severity == Severity::Reject).collect();
            if rejects.is_empty() {
                continue;
            }
            match rejects.iter().any(|(rule, _, _)| ["stated_joins", "cross_joins"].contains(rule)) {
                true => unstated += 1,
                false => refused += 1,
            }
            println!("--- {} {} {}\n{}", gold.id, dialect.name, gold.db, gold.sql);
            for (rule, _, message) in rejects {
                println!("    {rule}: {message}");
            }
        }
        println!(
            "{}: {total} golds, {unstated} with a join stated nowhere, {refused} rejected otherwise, in {:?}",
            dialect.name,
            start.elapsed()
        );
        assert!(refused * 1000 <= total * FALSE_ALARMS_PER_THOUSAND_MAX, "{refused} of {total} are rejected");
    }
    for ((rule, rejects), count) in rules {
        println!("{count:5} {rule} {}", if rejects { "rejects" } else { "warns" });
    }
}

#[test]
fn acme_gold_queries_are_judged() {
    let Some(corpora) = corpora() else {
        println!("skipped: no corpora here");
        return;
    };
    let ddl_text = std::fs::read_to_string(corpora.join("acme/schema.sql")).unwrap();
    let schema = ddl::schema(&ddl_text, &ANSI).unwrap();
    let text = std::fs::read_to_string(corpora.join("acme/questions.jsonl")).unwrap();
    let (mut total, mut refused) = (0, 0);
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        for gold in row["gold_sql"].as_array().unwrap() {
            total += 1;
            let findings = judged(gold.as_str().unwrap(), &schema, &ANSI);
            if findings.iter().any(|(_, severity, _)| *severity == Severity::Reject) {
                refused += 1;
                println!("--- {}\n{}", row["id"].as_str().unwrap(), gold.as_str().unwrap());
                for (rule, severity, message) in findings {
                    println!("    {rule} {severity:?}: {message}");
                }
            }
        }
    }
    println!("{refused} of {total} rejected");
}
