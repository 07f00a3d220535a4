//! Mutants of a statement: texts that do something else. Structural ones break its joins, its grain or its safety;
//! the others change what it means and nothing else.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::collapsible_match,
    clippy::too_many_lines,
    reason = "each test uses a part, and may stop"
)]

pub mod change;
pub mod definitions;
pub mod execution;
pub mod structure;

use std::collections::BTreeMap;
use std::time::Duration;

use tieout_sql::sqlparser::ast::{Query, Statement};
use tieout_sql::sqlparser::parser::Parser;
use tieout_sql::{Context, Dialect, Expected, Limits, Schema, Scope, Value, check_text, check_text_against};

/// A mutant.
#[derive(Clone, Debug)]
pub struct Survivor {
    pub operator: &'static str,
    /// Where the original is from.
    pub origin: String,
    pub original: String,
    pub mutant: String,
    pub schema: Schema,
    pub judged: Judged,
}

/// How many mutants of each operator there were, and how many were rejected.
#[derive(Default)]
pub struct Tally {
    operators: BTreeMap<&'static str, (usize, usize)>,
    pub survivors: Vec<Survivor>,
}

impl Tally {
    fn count(&mut self, mutant: Survivor) {
        let (total, dead) = self.operators.entry(mutant.operator).or_default();
        *total += 1;
        match mutant.judged {
            Judged::Rejected => *dead += 1,
            Judged::Warned | Judged::Accepted => self.survivors.push(mutant),
        }
    }

    /// Prints the table, with the survivors that mean something else; gives how many mutants are rejected of how many
    /// that mean something else.
    pub fn print(&self, what: &str) -> (usize, usize) {
        let verdicts = execution::verdicts(&self.survivors);
        if verdicts.is_none() {
            println!("{}", execution::ABSENT);
        }
        let same = |position: usize| {
            verdicts.as_ref().is_some_and(|verdicts| verdicts[position] == execution::Verdict::Same)
        };
        println!("{what}");
        println!(
            "  {:26} {:>7} {:>8} {:>9} {:>8} {:>8}",
            "operator", "mutants", "rejected", "mean same", "warned", "survive"
        );
        let (mut rejected, mut counted, mut warned) = (0, 0, 0);
        for (operator, (total, dead)) in &self.operators {
            let of = |wanted: &dyn Fn(usize, &Survivor) -> bool| {
                let alive = self.survivors.iter().enumerate();
                alive.filter(|(position, s)| s.operator == *operator && wanted(*position, s)).count()
            };
            let equal = of(&|position, _| same(position));
            let told = of(&|position, survivor| !same(position) && survivor.judged == Judged::Warned);
            let silent = total - dead - equal - told;
            println!("  {operator:26} {total:7} {dead:8} {equal:9} {told:8} {silent:8}");
            rejected += dead;
            counted += total - equal;
            warned += told;
        }
        println!(
            "  {rejected} of {counted} that mean something else are rejected, {warned} more are warned of"
        );
        for (position, survivor) in self.survivors.iter().enumerate().filter(|(position, _)| !same(*position))
        {
            let verdict =
                verdicts.as_ref().map_or_else(String::new, |verdicts| format!("{:?}", verdicts[position]));
            let Survivor { operator, origin, mutant, judged, .. } = survivor;
            println!("  survivor · {operator} · {origin} · {judged:?} · {verdict} · {mutant}");
        }
        // Without a witness nobody knows which survivors mean something else, and no bound can be judged.
        (rejected, if verdicts.is_some() { counted } else { rejected })
    }
}

/// A statement that is accepted, and what it is judged by. Its tables belong to tenants, or a mutant cannot reach for
/// those of another.
pub struct Original {
    pub origin: String,
    pub query: Query,
    pub binds: Vec<Value>,
    pub schema: Schema,
    pub dialect: &'static Dialect,
}

/// What the checker says of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    Rejected,
    /// It is accepted with a warning that the original has not.
    Warned,
    Accepted,
}

impl Original {
    /// One statement of a text.
    pub fn parsed(sql: &str, dialect: &Dialect) -> Option<Query> {
        let mut parser = Parser::new(dialect.syntax).try_with_sql(sql).ok()?;
        match parser.parse_statements().ok()?.as_slice() {
            [Statement::Query(query)] => Some((**query).clone()),
            _ => None,
        }
    }

    /// The rules that warn of a text, or nothing when it is rejected.
    fn warnings(&self, sql: &str, expected: Option<&Expected>) -> Option<Vec<&'static str>> {
        let scope = Scope::tenant(Value::Integer(7));
        let limits = Limits { rows_max: 10_000, timeout: Duration::from_secs(30) };
        let cx = Context { dialect: self.dialect, schema: &self.schema, scope: &scope, limits };
        let checked = match expected {
            Some(expected) => check_text_against(sql, self.binds.clone(), &cx, expected).map(|found| found.0),
            None => check_text(sql, self.binds.clone(), &cx),
        };
        checked.ok().map(|checked| checked.warnings().iter().map(|warning| warning.rule).collect())
    }

    pub fn is_accepted(&self, expected: Option<&Expected>) -> bool {
        self.warnings(&self.query.to_string(), expected).is_some()
    }

    fn judged(&self, sql: &str, expected: Option<&Expected>) -> Judged {
        let known = self.warnings(&self.query.to_string(), expected).unwrap_or_default();
        match self.warnings(sql, expected) {
            None => Judged::Rejected,
            Some(warnings) if warnings.iter().any(|rule| !known.contains(rule)) => Judged::Warned,
            Some(_) => Judged::Accepted,
        }
    }

    /// What it works out, when that has the shape of a definition and the checker finds all of it there.
    pub fn definitions(&self) -> Option<Expected> {
        let expected = definitions::of(&self.query, &self.binds, &self.schema, self.dialect)?;
        self.is_accepted(Some(&expected)).then_some(expected)
    }

    /// Judges mutants of it.
    pub fn tally(
        &self,
        mutants: Vec<(&'static str, String)>,
        expected: Option<&Expected>,
        tally: &mut Tally,
    ) {
        for (operator, sql) in mutants {
            let judged = self.judged(&sql, expected);
            let mutant = Original::parsed(&sql, self.dialect)
                .map_or(sql, |query| definitions::with_literals(&query, &self.binds).to_string());
            let original = definitions::with_literals(&self.query, &self.binds).to_string();
            let (origin, schema) = (self.origin.clone(), self.schema.clone());
            tally.count(Survivor { operator, origin, original, mutant, schema, judged });
        }
    }
}

/// Every mutant of a statement.
pub fn all(query: &Query, schema: &Schema) -> Vec<(&'static str, String)> {
    structure::changes(query, schema).into_iter().chain(change::changes(query)).collect()
}
