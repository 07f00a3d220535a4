//! A list as a select: the primary key first, then what is shown, in a complete order.

use tieout_sql::{
    Select,
    build::{Order, SelectBuilder, and, col, count_star},
    sqlparser::ast::Expr,
};

use super::{
    bounds::within,
    row_tests::row_tests,
    source::{Need, Source},
};
use crate::{catalogue::Project, halt::Halt, plan::RowsPlan, reading::Sort};

/// The rows of a list.
///
/// # Errors
/// A refusal when a test names what the catalogue does not have.
pub fn compile_list(plan: &RowsPlan, project: &Project) -> Result<Select, Halt> {
    let mut source = Source::new(project, &plan.dataset);
    let columns: Vec<Expr> = plan.columns.iter().map(|c| shown(&mut source, &c.way, &c.field)).collect();
    let order = plan.order.as_ref().map(|(c, sort)| (shown(&mut source, &c.way, &c.field), *sort));
    let condition = condition(&mut source, plan)?;
    let mut select = source.select()?;
    for (i, key) in plan.key.iter().enumerate() {
        select = select.column(col(&plan.dataset, key), &format!("k{}", i + 1));
    }
    for (i, column) in columns.iter().enumerate() {
        select = select.column(column.clone(), &format!("c{}", i + 1));
    }
    if let Some((by, sort)) = order {
        let order = match sort {
            Sort::Ascending => Order::Ascending,
            Sort::Descending => Order::Descending,
        };
        select = select.order_by(by, order);
    }
    for key in &plan.key {
        select = select.order_by(col(&plan.dataset, key), Order::Ascending);
    }
    // Columns behind a many side come in an order of their own, so that the list is the same every time.
    for (plan, column) in plan.columns.iter().zip(columns) {
        if !plan.way.to_one() {
            select = select.order_by(column, Order::Ascending);
        }
    }
    select = condition.into_iter().fold(select, SelectBuilder::filter);
    select = plan.limit.into_iter().fold(select, SelectBuilder::limit);
    Ok(Select { query: select.build(), binds: source.into_binds() })
}

/// How many rows of the list's dataset there are, limit or not.
///
/// # Errors
/// As [`compile_list`].
pub fn compile_list_count(plan: &RowsPlan, project: &Project) -> Result<Select, Halt> {
    let mut source = Source::new(project, &plan.dataset);
    let condition = condition(&mut source, plan)?;
    let select = source.select()?.column(count_star(), "n");
    let select = condition.into_iter().fold(select, SelectBuilder::filter);
    Ok(Select { query: select.build(), binds: source.into_binds() })
}

fn shown(source: &mut Source<'_>, way: &crate::catalogue::JoinPath, field: &str) -> Expr {
    let alias = source.alias(way, Need::MayMiss);
    col(&alias, field)
}

fn condition(source: &mut Source<'_>, plan: &RowsPlan) -> Result<Option<Expr>, Halt> {
    let mut all = row_tests(source, &plan.tests)?;
    if let Some((time, period)) = &plan.period {
        all.push(within(source, col(&plan.dataset, &time.field), time.datatype, period)?);
    }
    Ok(and(all))
}
