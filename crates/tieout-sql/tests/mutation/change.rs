//! Changes of meaning: one condition, literal, operator, aggregate, join, grouping or limit is another.

use std::ops::ControlFlow;

use tieout_sql::DUCKDB;
use tieout_sql::sqlparser::ast::{
    BinaryOperator, DuplicateTreatment, Expr, FunctionArguments, GroupByExpr, JoinOperator, LimitClause,
    OrderByKind, OrderBySort, Query, Select, Statement, Value as Literal, ValueWithSpan, VisitMut,
    VisitorMut,
};
use tieout_sql::sqlparser::parser::Parser;

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

/// Every change of meaning that a statement allows, each as a text of its own.
pub fn changes(query: &Query) -> Vec<(&'static str, String)> {
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
