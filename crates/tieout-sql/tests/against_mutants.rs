//! Mutants of the statements that `cases/checker/against.md` accepts: one condition, literal, operator, aggregate, join,
//! grouping or limit is changed. All must be rejected that do not mean the same.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::collapsible_match,
    clippy::too_many_lines,
    reason = "a test may stop; a change is made where it is counted"
)]

mod case_files;
mod expected;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;

use case_files::{folder, parse, schema};
use tieout_sql::sqlparser::ast::{
    BinaryOperator, DuplicateTreatment, Expr, FunctionArguments, GroupByExpr, JoinOperator, LimitClause,
    OrderByKind, OrderBySort, Query, Select, Statement, Value as Literal, ValueWithSpan, VisitMut,
    VisitorMut,
};
use tieout_sql::sqlparser::parser::Parser;
use tieout_sql::{Context, DUCKDB, Limits, Schema, Scope, Value, check_text_against};

/// Makes the nth possible change of one kind.
struct Change {
    kind: &'static str,
    nth: usize,
    seen: usize,
    done: bool,
}

impl Change {
    fn now(&mut self) -> bool {
        self.seen += 1;
        self.done |= self.seen == self.nth + 1;
        self.seen == self.nth + 1
    }

    fn expr(&mut self, expr: &mut Expr) {
        match (self.kind, &mut *expr) {
            ("keep one side of AND", Expr::BinaryOp { left, op: BinaryOperator::And, right }) => {
                if self.now() {
                    *expr = (**left).clone();
                } else if self.now() {
                    *expr = (**right).clone();
                }
            }
            ("AND to OR", Expr::BinaryOp { op: op @ BinaryOperator::And, .. }) => {
                if self.now() {
                    *op = BinaryOperator::Or;
                }
            }
            ("another comparison", Expr::BinaryOp { op, .. }) => {
                let other = match op {
                    BinaryOperator::Lt => BinaryOperator::LtEq,
                    BinaryOperator::LtEq => BinaryOperator::Lt,
                    BinaryOperator::Gt => BinaryOperator::GtEq,
                    BinaryOperator::GtEq => BinaryOperator::Gt,
                    BinaryOperator::NotEq => BinaryOperator::Eq,
                    _ => return,
                };
                if self.now() {
                    *op = other;
                }
            }
            (
                "the opposite",
                Expr::In { negated, .. } | Expr::Exists { negated, .. } | Expr::Between { negated, .. },
            ) => {
                if self.now() {
                    *negated = !*negated;
                }
            }
            ("the opposite", Expr::IsNull(inner)) => {
                if self.now() {
                    *expr = Expr::IsNotNull(inner.clone());
                }
            }
            ("the opposite", Expr::IsNotTrue(inner)) => {
                if self.now() {
                    *expr = Expr::IsTrue(inner.clone());
                }
            }
            ("NULLs dropped", Expr::IsNotTrue(inner)) => {
                if self.now() {
                    *expr = Expr::IsFalse(inner.clone());
                }
            }
            ("another function", Expr::Function(function)) => {
                let name = function.name.to_string().to_lowercase();
                let other = match name.as_str() {
                    "sum" => "avg",
                    "avg" => "sum",
                    "min" => "max",
                    _ => return,
                };
                if self.now() {
                    function.name = vec![tieout_sql::sqlparser::ast::Ident::new(other)].into();
                }
            }
            ("DISTINCT", Expr::Function(function)) => {
                let name = function.name.to_string().to_lowercase();
                if let FunctionArguments::List(list) = &mut function.args
                    && ["sum", "count", "avg"].contains(&name.as_str())
                    && !list.to_string().contains('*')
                    && self.now()
                {
                    list.duplicate_treatment = match list.duplicate_treatment {
                        Some(DuplicateTreatment::Distinct) => None,
                        _ => Some(DuplicateTreatment::Distinct),
                    };
                }
            }
            ("no FILTER", Expr::Function(function)) => {
                if function.filter.is_some() && self.now() {
                    function.filter = None;
                }
            }
            _ => {}
        }
    }

    fn select(&mut self, select: &mut Select) {
        let kind = self.kind;
        match kind {
            "no WHERE" if select.selection.is_some() && self.now() => select.selection = None,
            "HAVING" if select.having.is_none() && !select.group_by.to_string().is_empty() && self.now() => {
                let text = "select 1 from t having count(*) > 1";
                let donor = Parser::parse_sql(DUCKDB.syntax, text).unwrap().remove(0);
                let Statement::Query(donor) = donor else { return };
                select.having = donor.body.as_select().unwrap().having.clone();
            }
            "one grouping less" => {
                if let GroupByExpr::Expressions(exprs, _) = &mut select.group_by {
                    for position in 0..exprs.len() {
                        if self.now() {
                            exprs.remove(position);
                            break;
                        }
                    }
                }
            }
            "another join" => {
                for join in select.from.iter_mut().flat_map(|from| &mut from.joins) {
                    let other = match &join.join_operator {
                        JoinOperator::Join(c) | JoinOperator::Inner(c) => JoinOperator::Left(c.clone()),
                        JoinOperator::Left(c) => JoinOperator::Inner(c.clone()),
                        _ => continue,
                    };
                    if self.now() {
                        join.join_operator = other;
                    }
                }
            }
            _ => {}
        }
    }
}

impl VisitorMut for Change {
    type Break = ();

    fn pre_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        self.expr(expr);
        if self.done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn pre_visit_value(&mut self, value: &mut ValueWithSpan) -> ControlFlow<()> {
        if self.kind == "another literal" {
            let other = match &value.value {
                Literal::Number(digits, long) if digits.chars().all(|c| c.is_ascii_digit()) => {
                    Literal::Number((digits.parse::<i64>().unwrap() + 2).to_string(), *long)
                }
                Literal::SingleQuotedString(text) => {
                    Literal::SingleQuotedString(match text.strip_suffix("01") {
                        Some(start) => format!("{start}02"),
                        None => format!("{text}x"),
                    })
                }
                _ => return ControlFlow::Continue(()),
            };
            if self.now() {
                value.value = other;
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        self.select(select);
        if self.done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        let kind = self.kind;
        match kind {
            "a limit" if query.limit_clause.is_none() && self.now() => {
                query.limit_clause = Some(LimitClause::LimitOffset {
                    limit: Some(Expr::value(Literal::Number("2".into(), false))),
                    offset: None,
                    limit_by: Vec::new(),
                });
            }
            "no limit" if query.limit_clause.is_some() && self.now() => query.limit_clause = None,
            "another order" => {
                if let Some(order) = &mut query.order_by
                    && let OrderByKind::Expressions(items) = &mut order.kind
                    && self.now()
                {
                    let sort = &mut items[0].options.sort;
                    *sort = match sort {
                        Some(OrderBySort::Desc) => None,
                        _ => Some(OrderBySort::Desc),
                    };
                }
            }
            _ => {}
        }
        if self.done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

const KINDS: &[&str] = &[
    "keep one side of AND",
    "AND to OR",
    "another comparison",
    "the opposite",
    "NULLs dropped",
    "another function",
    "DISTINCT",
    "no FILTER",
    "no WHERE",
    "HAVING",
    "one grouping less",
    "another join",
    "another literal",
    "a limit",
    "no limit",
    "another order",
];

fn mutants(query: &Query) -> Vec<(&'static str, String)> {
    let original = query.to_string();
    let mut found = Vec::new();
    for kind in KINDS {
        for nth in 0.. {
            let mut copy = query.clone();
            let mut change = Change { kind, nth, seen: 0, done: false };
            let _: ControlFlow<()> = VisitMut::visit(&mut copy, &mut change);
            if !change.done && change.seen <= nth {
                break;
            }
            let text = copy.to_string();
            if text != original {
                found.push((*kind, text));
            }
        }
    }
    found
}

fn accepted(sql: &str, schema: &Schema, claims: &str) -> bool {
    let scope = Scope::tenant(Value::Integer(7));
    let limits = Limits { rows_max: 1000, timeout: Duration::from_secs(30) };
    let binds = (0..4).map(Value::Integer).collect();
    let cx = Context { dialect: &DUCKDB, schema, scope: &scope, limits };
    check_text_against(sql, binds, &cx, &expected::expected(claims)).is_ok()
}

/// Survivors that mean the same: kind, a part of the text, and why.
const EQUIVALENT: &[(&str, &str, &str)] = &[
    ("another join", "customers c", "every order has its customer"),
    ("another join", "shops s", "a condition on the shop needs the shop"),
    ("a limit", "SELECT sum(", "one row is one row"),
    ("a limit", "AS finish", "one row is one row"),
    ("a limit", "a.x / b.n", "one row is one row"),
    ("a limit", "EXISTS (SELECT 1", "one row is enough"),
    ("no limit", "coalesce(sum(amount), 0)", "one row is one row"),
    ("another literal", "coalesce(sum(amount), 0)", "one row is one row"),
    ("another literal", "EXISTS (SELECT 3", "which value is there does not matter"),
    ("DISTINCT", "o.order_id", "the key of an order is there once"),
    ("one grouping less", "GROUP BY c.customer_id ORDER", "the key decides the name"),
    ("no WHERE", "SELECT sum(net) FROM orders", "a sum passes over NULL"),
];

#[test]
fn mutants_of_accepted_statements_die() {
    let text = std::fs::read_to_string(folder().join("against.md")).unwrap();
    let cases = parse(&text);
    let of = |fences: &[case_files::Fence], name: &str| {
        fences.iter().find(|fence| fence.info[0] == name).map(|fence| fence.body.clone())
    };
    let schema = schema(&of(&cases[0].fences, "schema").unwrap());
    let shared = of(&cases[0].fences, "expected").unwrap();
    let mut table: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut survivors = Vec::new();
    for case in &cases[1..] {
        if case.fences.last().unwrap().info[0] != "accepted" {
            continue;
        }
        let claims = of(&case.fences, "expected").unwrap_or_else(|| shared.clone());
        let sql = of(&case.fences, "sql").unwrap();
        assert!(accepted(&sql, &schema, &claims), "{}", case.name);
        let parsed = Parser::parse_sql(DUCKDB.syntax, &sql).unwrap();
        let [Statement::Query(query)] = parsed.as_slice() else { continue };
        for (kind, mutant) in mutants(query) {
            let (total, dead) = table.entry(kind).or_default();
            *total += 1;
            match accepted(&mutant, &schema, &claims) {
                false => *dead += 1,
                true => survivors.push(format!("{kind} · {mutant}")),
            }
        }
    }
    for (kind, (total, dead)) in &table {
        println!("{kind:24} {dead:5} of {total:5}");
    }
    let equivalent = |text: &String| {
        EQUIVALENT.iter().any(|(kind, part, _)| text.starts_with(kind) && text.contains(part))
    };
    println!("{} survivors mean the same", survivors.iter().filter(|text| equivalent(text)).count());
    survivors.retain(|text| !equivalent(text));
    for text in &survivors {
        println!("survivor · {text}");
    }
    let total: usize = table.values().map(|(total, _)| total).sum();
    println!("{} of {total} survive", survivors.len());
    assert!(survivors.is_empty(), "{} of {total} mutants survive", survivors.len());
}
