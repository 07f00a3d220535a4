//! Drafts by a script: what is told to each attempt, how often it is tried, and how it ends.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, reason = "a test may stop")]

use std::{cell::RefCell, future::ready, time::Duration};

use tieout_agent::{Draft, Drafted, Feedback, NoStatement, drafted};
use tieout_core::{
    halt::{Fault, FaultKind, Halt},
    reading::ReasonCode,
};
use tieout_sql::{
    CheckedQuery, Context, Expected, Finding, Fragment, Held, Limits, POSTGRES, Rejected, Scope,
    against::{ExpectedAggregate, ExpectedCondition, ExpectedFigure, Role, Test, Verdict},
    check_text, ddl, hold_text,
};

const DDL: &str = "
create table customers (id int primary key, region text not null);
create table orders (id int primary key, customer_id int not null references customers(id), status text not null, amount int not null);
create table lines (order_id int not null references orders(id), line_no int, primary key (order_id, line_no));";

const EMPTY: &str = "nothing was said";
const FANNED: &str = "select sum(o.amount) from orders o join lines l on l.order_id = o.id";
const PAID: &str = "select sum(amount) as paid from orders where status = 'paid'";

fn paid() -> Expected {
    let fragment = |text: &str| Fragment::parse(text, &POSTGRES).unwrap();
    Expected {
        base: "orders".to_owned(),
        figures: vec![ExpectedFigure {
            name: "paid".to_owned(),
            aggregate: ExpectedAggregate::Sum(fragment("amount")),
            conditions: Vec::new(),
        }],
        conditions: vec![ExpectedCondition {
            role: Role::Population,
            words: "paid orders".to_owned(),
            test: Test::Holds(fragment("status = 'paid'")),
        }],
        period: None,
        groupings: Vec::new(),
        order: Vec::new(),
        limit: None,
    }
}

type Accepted = (CheckedQuery, Vec<Finding>);

fn judged(sql: &str, context: &Context<'_>, expected: Option<&Expected>) -> Result<Accepted, Rejected> {
    let Some(expected) = expected else {
        return check_text(sql, Vec::new(), context).map(|query| (query, Vec::new()));
    };
    let Held { findings, outcome } = hold_text(sql, Vec::new(), context, expected)?;
    outcome.map(|query| (query, findings))
}

/// How the script's drafts end, and what each attempt was told.
fn played(
    script: &[&str],
    expected: Option<&Expected>,
) -> (Result<Drafted<Accepted>, Halt>, Vec<Option<Feedback>>) {
    let schema = ddl::schema(DDL, &POSTGRES).unwrap();
    let scope = Scope::none();
    let limits = Limits { rows_max: 100, timeout: Duration::from_secs(1) };
    let context = Context { dialect: &POSTGRES, schema: &schema, scope: &scope, limits };
    let told = RefCell::new(Vec::new());
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let judge = |sql: &str| judged(sql, &context, expected);
    let end = runtime.block_on(drafted(judge, |number, feedback| {
        told.borrow_mut().push(feedback);
        let line = script.get(number as usize - 1).expect("it is tried no oftener than the script is long");
        let said = if line.is_empty() { Err(NoStatement(EMPTY.to_owned())) } else { Ok((*line).to_owned()) };
        ready(Ok(Draft { said, took: 1 }))
    }));
    (end, told.into_inner())
}

fn rejected(feedback: &Feedback) -> (&str, &Rejected) {
    match feedback {
        Feedback::Rejected { sql, rejected } => (sql, rejected),
        Feedback::NoStatement(none) => panic!("{none:?}"),
    }
}

#[test]
fn an_accepted_draft_is_the_end() {
    let (end, told) = played(&[PAID], Some(&paid()));
    let drafted = end.unwrap();
    assert_eq!((drafted.attempts, drafted.sql.as_str()), (1, PAID));
    assert!(drafted.accepted.1.iter().all(|finding| finding.verdict == Verdict::Present));
    assert_eq!(told, [None]);
}

#[test]
fn each_attempt_is_told_why_the_one_before_was_rejected() {
    let (end, told) = played(&[FANNED, "select sum(amount) as paid from orders", PAID], Some(&paid()));
    assert_eq!(end.unwrap().attempts, 3);
    let rules: Vec<Vec<&str>> = told
        .iter()
        .flatten()
        .map(|feedback| rejected(feedback).1.rejections.iter().map(|rejection| rejection.rule).collect())
        .collect();
    assert_eq!(rules, [vec!["fan_out"], vec!["definition_absent"]]);
    assert_eq!(rejected(told[1].as_ref().unwrap()).0, FANNED);
    assert!(
        told[1].as_ref().unwrap().to_string().contains("aggregate before joining"),
        "the hint is told too"
    );
}

#[test]
fn the_last_rejection_becomes_the_refusal_after_three_attempts() {
    let (end, told) = played(&["select 1; select 2", "delete from orders", FANNED], None);
    assert_eq!(told.len(), 3);
    let Err(Halt::Refuse(problems)) = end else { panic!("it is refused") };
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].code, ReasonCode::Rejected);
    assert!(problems[0].message.starts_with("fan_out: "), "{problems:?}");
}

#[test]
fn what_is_no_statement_takes_an_attempt_and_is_told() {
    let (end, told) = played(&["", PAID], Some(&paid()));
    assert_eq!(end.unwrap().attempts, 2);
    assert_eq!(told[1].as_ref().unwrap().to_string(), EMPTY);
    let (end, _) = played(&[FANNED, FANNED, ""], Some(&paid()));
    let Err(Halt::Refuse(problems)) = end else { panic!("it is refused") };
    assert_eq!(problems[0].code, ReasonCode::NoDraft, "{problems:?}");
}

#[test]
fn attempts_of_whoever_drafts_are_counted_with_these() {
    let schema = ddl::schema(DDL, &POSTGRES).unwrap();
    let scope = Scope::none();
    let limits = Limits { rows_max: 100, timeout: Duration::from_secs(1) };
    let context = Context { dialect: &POSTGRES, schema: &schema, scope: &scope, limits };
    let mut asked = 0;
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let end = runtime.block_on(drafted(
        |sql: &str| check_text(sql, Vec::new(), &context),
        |_, _| {
            asked += 1;
            ready(Ok(Draft { said: Ok(FANNED.to_owned()), took: 2 }))
        },
    ));
    assert!(matches!(end, Err(Halt::Refuse(_))));
    assert_eq!(asked, 2, "two drafts of two attempts each leave none");
}

#[test]
fn a_fault_of_whoever_drafts_is_no_refusal_and_is_not_tried_again() {
    let schema = ddl::schema(DDL, &POSTGRES).unwrap();
    let scope = Scope::none();
    let limits = Limits { rows_max: 100, timeout: Duration::from_secs(1) };
    let context = Context { dialect: &POSTGRES, schema: &schema, scope: &scope, limits };
    let mut asked = 0;
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let end = runtime.block_on(drafted(
        |sql: &str| check_text(sql, Vec::new(), &context),
        |_, _| {
            asked += 1;
            let (message, hint) = ("it does not reply".to_owned(), "ask later".to_owned());
            ready(Err::<Draft, _>(Fault { kind: FaultKind::Timeout, message, hint }))
        },
    ));
    assert!(matches!(end, Err(Halt::Fault(_))));
    assert_eq!(asked, 1);
}
