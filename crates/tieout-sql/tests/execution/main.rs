//! The fan-out verdict against execution: on random schemas, data and statements, SUM is rejected exactly when it differs
//! from the sum in which each row counts once. Never too seldom; too often in fewer than one of a hundred, behind chains of
//! RIGHT and FULL joins and where conditions contradict one another. `TIEOUT_EXECUTIONS` sets how many statements are
//! tried.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may stop")]

mod drafts;
mod run;
mod shapes;

use std::time::Duration;

use shapes::Luck;
use tieout_sql::{Context, DUCKDB, Limits, Scope, Severity, check_text};

/// How many statements are tried when nobody says.
const STATEMENTS: u64 = 10_000;
/// How many sets of rows a rejected statement is given to show a difference, and an accepted one to show none.
const SETS_REJECTED: usize = 4000;
const SETS_ACCEPTED: usize = 40;

/// What came of some statements.
#[derive(Default)]
struct Outcome {
    accepted: usize,
    rejected: usize,
    /// Accepted, and yet some rows count twice.
    unsound: Vec<String>,
    /// Rejected, and no rows count twice.
    idle: Vec<String>,
    /// The same behind RIGHT and FULL joins.
    cautious: Vec<String>,
    /// Nothing was ever summed.
    empty: usize,
}

impl Outcome {
    fn merge(&mut self, other: Outcome) {
        self.accepted += other.accepted;
        self.rejected += other.rejected;
        self.empty += other.empty;
        self.unsound.extend(other.unsound);
        self.idle.extend(other.idle);
        self.cautious.extend(other.cautious);
    }

    fn one(&mut self, seed: u64) {
        let mut luck = Luck(seed);
        let shape = shapes::shape(&mut luck);
        let draft = drafts::draft(&shape, &mut luck);
        let (schema, sql, scope) = (shapes::schema(&shape), drafts::text(&draft), Scope::none());
        let limits = Limits { rows_max: 100, timeout: Duration::from_secs(1) };
        let cx = Context { dialect: &DUCKDB, schema: &schema, scope: &scope, limits };
        let refused = match check_text(&sql, Vec::new(), &cx) {
            Ok(_) => false,
            Err(found) => {
                let others =
                    found.rejections.iter().filter(|r| r.severity == Severity::Reject && r.rule != "fan_out");
                assert_eq!(others.count(), 0, "{sql}\n{found}");
                true
            }
        };
        let tries = if refused { SETS_REJECTED } else { SETS_ACCEPTED };
        let mut runs =
            (0..tries).filter_map(|_| run::differs(&draft, &shapes::data(&shape, &mut luck))).peekable();
        if runs.peek().is_none() {
            self.empty += 1;
            return;
        }
        match (refused, runs.any(|differs| differs)) {
            (false, false) => self.accepted += 1,
            (true, true) => self.rejected += 1,
            (false, true) => self.unsound.push(sql),
            (true, false) if sql.contains("right join") || sql.contains("full join") => {
                self.cautious.push(sql)
            }
            (true, false) => self.idle.push(sql),
        }
    }
}

#[test]
fn fan_out_is_rejected_exactly_when_execution_differs() {
    let asked = std::env::var("TIEOUT_EXECUTIONS").ok().and_then(|text| text.parse().ok());
    let count: u64 = asked.unwrap_or(STATEMENTS);
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let mut all = Outcome::default();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|first| {
                scope.spawn(move || {
                    let mut outcome = Outcome::default();
                    (first..count).step_by(threads as usize).for_each(|seed| outcome.one(seed));
                    outcome
                })
            })
            .collect();
        workers.into_iter().for_each(|worker| all.merge(worker.join().unwrap()));
    });
    let Outcome { accepted, rejected, unsound, idle, cautious, empty } = all;
    println!("{count} statements, {empty} of which never summed anything");
    println!("{accepted} rightly accepted, {rejected} rightly rejected, {} wrongly accepted", unsound.len());
    println!("{} wrongly rejected, {} more behind RIGHT and FULL joins", idle.len(), cautious.len());
    assert!(unsound.is_empty(), "accepted and yet different:\n{}", unsound.join("\n"));
    // What is left are conditions that contradict one another through two references to one row.
    idle.iter().for_each(|sql| println!("rejected and never different: {sql}"));
    let told = accepted + rejected;
    assert!(idle.len() * 500 <= told, "{} are rejected and never different", idle.len());
    assert!(cautious.len() * 100 <= told, "too cautious behind outer joins:\n{}", cautious.join("\n"));
}
