//! Window functions over a query's rows, for kinds that take the last or the middle rows.

use tieout_sql::{
    build::{count_star, func},
    sqlparser::ast::{Expr, OrderByExpr, OrderByOptions, OrderBySort, WindowSpec, WindowType},
};

/// `ROW_NUMBER() OVER (PARTITION BY … ORDER BY …)`.
pub(super) fn row_number(partition_by: Vec<Expr>, order_by: Vec<OrderByExpr>) -> Expr {
    over(func("row_number", &[]), partition_by, order_by)
}

/// `RANK() OVER (ORDER BY …)`: rows that are equal in it share a place.
pub(super) fn rank(order_by: Vec<OrderByExpr>) -> Expr {
    over(func("rank", &[]), Vec::new(), order_by)
}

/// `COUNT(*) OVER (PARTITION BY …)`.
pub(super) fn count_over(partition_by: Vec<Expr>) -> Expr {
    over(count_star(), partition_by, Vec::new())
}

/// Smallest first.
pub(super) fn ascending(expr: Expr) -> OrderByExpr {
    ordered(expr, OrderBySort::Asc)
}

/// Greatest first.
pub(super) fn descending(expr: Expr) -> OrderByExpr {
    ordered(expr, OrderBySort::Desc)
}

fn ordered(expr: Expr, sort: OrderBySort) -> OrderByExpr {
    OrderByExpr { expr, options: OrderByOptions { sort: Some(sort), nulls_first: None }, with_fill: None }
}

/// A call over a window.
pub(super) fn over(call: Expr, partition_by: Vec<Expr>, order_by: Vec<OrderByExpr>) -> Expr {
    match call {
        Expr::Function(mut function) => {
            function.over = Some(WindowType::WindowSpec(WindowSpec {
                window_name: None,
                partition_by,
                order_by,
                window_frame: None,
            }));
            Expr::Function(function)
        }
        other => other,
    }
}
