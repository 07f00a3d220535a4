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

use std::collections::{BTreeMap, BTreeSet};

use corpus::{corpora, databases, golds, judged};
use tieout_sql::{ANSI, DIALECTS, Severity, ddl};

/// Golds that are rejected and should be, and why. Each was looked at; whatever else is rejected although its joins are
/// stated is a false alarm. They are told in `docs/reference/published-golds.md`.
const WRONG: &[(&str, &str)] = &[
    (
        "instruct_advanced-007",
        "counts customers once for each of their transactions of the month, and calls it signups",
    ),
    (
        "instruct_advanced-032",
        "adds the cost of a car for each of its sales, and nothing states that a car is sold once",
    ),
    ("instruct_advanced-034", "averages the weight of patients once for each of their treatments"),
    ("acme-03", "counts a policy once for each period in which the agent had the role"),
    ("acme-15", "counts a policy once for each period in which the holder had the role"),
    ("acme-16", "adds a premium once for each period in which the holder had the role"),
    ("acme-19", "adds a premium once for each period in which the holder had the role"),
    ("acme-33", "comments begin with #, which only one engine reads"),
];

/// How many of a hundred golds may be false alarms.
const FALSE_ALARMS_PER_HUNDRED_MAX: usize = 1;

/// What came of some golds.
#[derive(Default)]
struct Tally {
    total: usize,
    unstated: usize,
    wrong: BTreeSet<&'static str>,
    wrong_variants: usize,
    alarms: usize,
}

impl Tally {
    /// Counts a gold by the rules that reject it.
    fn add(&mut self, id: &str, rejects: &[&str]) {
        self.total += 1;
        let known = WRONG.iter().find(|(wrong, _)| *wrong == id.trim_matches('"'));
        match (rejects, known) {
            ([], _) => {}
            (rules, _) if rules.iter().any(|rule| ["stated_joins", "cross_joins"].contains(rule)) => {
                self.unstated += 1;
            }
            (_, Some((wrong, _))) => {
                self.wrong.insert(wrong);
                self.wrong_variants += 1;
            }
            (_, None) => self.alarms += 1,
        }
    }

    fn settle(&self, name: &str) {
        let Tally { total, unstated, wrong, wrong_variants, alarms } = self;
        let found = wrong.len();
        println!(
            "{name}: {total} golds, {unstated} with a join stated nowhere, {wrong_variants} wrong ({found} findings), \
             {alarms} false alarms"
        );
        assert!(alarms * 100 <= total * FALSE_ALARMS_PER_HUNDRED_MAX, "{alarms} of {total} are false alarms");
    }
}

#[test]
fn gold_queries_are_accepted() {
    let Some(databases) = databases() else {
        println!("skipped: no corpora here");
        return;
    };
    let mut rules = BTreeMap::<(&str, bool), usize>::new();
    for dialect in DIALECTS {
        let mut tally = Tally::default();
        for gold in golds(dialect.name) {
            let mut schema = databases[&gold.db].clone();
            if dialect.name == "mysql" {
                schema
                    .tables
                    .values_mut()
                    .for_each(|table| table.relation = vec![gold.db.clone(), table.name.clone()]);
            }
            let findings = judged(&gold.sql, &schema, dialect);
            for (rule, severity, _) in &findings {
                *rules.entry((rule, *severity == Severity::Reject)).or_default() += 1;
            }
            tally.add(&gold.id, &told(&gold.id, dialect.name, &gold.sql, &findings));
        }
        tally.settle(dialect.name);
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
    let mut tally = Tally::default();
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let id = row["id"].as_str().unwrap();
        for gold in row["gold_sql"].as_array().unwrap() {
            let sql = gold.as_str().unwrap();
            tally.add(id, &told(id, "ansi", sql, &judged(sql, &schema, &ANSI)));
        }
    }
    tally.settle("acme");
}

/// Prints a gold that is rejected, with the reasons, and gives the rules.
fn told<'a>(
    id: &str,
    dialect: &str,
    sql: &str,
    findings: &'a [(&'static str, Severity, String)],
) -> Vec<&'a str> {
    let rejects: Vec<_> = findings.iter().filter(|(_, severity, _)| *severity == Severity::Reject).collect();
    if !rejects.is_empty() {
        println!("--- {id} {dialect}\n{sql}");
    }
    for (rule, _, message) in &rejects {
        println!("    {rule}: {message}");
    }
    rejects.iter().map(|(rule, _, _)| *rule).collect()
}
