//! A list as a select: the primary key first, then what is shown, in a complete order.

use tieout_sql::{
    Select,
    build::{Order, SelectBuilder, and, col, count_star, int, le},
    sqlparser::ast::{Expr, Query},
};

use super::{
    bounds::within,
    gaps::{Names, gaps, marked, without_gaps},
    row_tests::row_tests,
    source::{Need, Source},
    window::{ascending, descending, rank},
};
use crate::{
    catalogue::{JoinPath, Project},
    halt::Halt,
    plan::RowsPlan,
    reading::Sort,
};

/// The rows of a list.
///
/// # Errors
/// A refusal when a test names what the catalogue does not have.
pub fn compile_list(plan: &RowsPlan, project: &Project) -> Result<Select, Halt> {
    let mut source = Source::new(project, &plan.dataset);
    let columns: Vec<Expr> = plan.columns.iter().map(|c| shown(&mut source, &c.way, &c.field)).collect();
    let order = plan.order.as_ref().map(|(c, sort)| (shown(&mut source, &c.way, &c.field), *sort));
    let condition = condition(&mut source, plan)?;
    let names = ListNames {
        keys: (1..=plan.key.len()).map(|i| format!("k{i}")).collect(),
        columns: (1..=columns.len()).map(|i| format!("c{i}")).collect(),
        order: order.iter().map(|_| "o".to_owned()).collect(),
    };
    let apart = apart(&mut source, plan, project);
    let repeats = plan.columns.iter().any(|c| !c.way.to_one());
    let ways: Vec<Option<&JoinPath>> = plan.columns.iter().map(|c| Some(&c.way)).collect();
    let gaps = gaps(&mut source, &ways);
    let mut rows = source.select()?;
    let keys = plan.key.iter().map(|key| col(&plan.dataset, key));
    for (expr, name) in keys.zip(&names.keys).chain(columns.into_iter().zip(&names.columns)) {
        rows = rows.column(expr, name);
    }
    rows = order.iter().fold(rows, |s, (by, _)| s.column(by.clone(), "o"));
    for (key, name) in &apart {
        rows = rows.column(key.clone(), name);
    }
    rows = condition.into_iter().fold(rows, SelectBuilder::filter);
    let sort = order.map(|(_, sort)| sort);
    let inner = if repeats {
        let more: Vec<String> =
            names.order.iter().chain(apart.iter().map(|(_, name)| name)).cloned().collect();
        let named = Names { keys: &names.keys, columns: &names.columns, more: &more };
        without_gaps(marked(rows.distinct(), &gaps).build(), &gaps, &named)
    } else {
        rows.build()
    };
    let query = ordered(kept(inner, &names, sort, plan.limit), &names, sort);
    // Rows that tie with the last one kept are kept too, so that only a list without an order is cut by number.
    let limit = plan.limit.filter(|_| sort.is_none());
    let query = limit.into_iter().fold(query, SelectBuilder::limit);
    Ok(Select { query: query.build(), binds: source.into_binds() })
}

/// The keys of rows shown from the many side: equal values of different rows are different lines.
fn apart(source: &mut Source<'_>, plan: &RowsPlan, project: &Project) -> Vec<(Expr, String)> {
    let mut keys: Vec<(Expr, String)> = Vec::new();
    for column in plan.columns.iter().filter(|c| !c.way.to_one()) {
        let Some(dataset) = project.catalogue.datasets.get(&column.dataset) else { continue };
        for key in &dataset.primary_key {
            let key = shown(source, &column.way, key);
            if keys.iter().all(|(known, _)| *known != key) {
                keys.push((key, format!("h{}", keys.len() + 1)));
            }
        }
    }
    keys
}

/// The rows that a limit keeps, with all that tie with the last of them.
fn kept(inner: Query, names: &ListNames, sort: Option<Sort>, limit: Option<u64>) -> SelectBuilder {
    let all = || names.keys.iter().chain(&names.columns).chain(&names.order);
    let select =
        |from: Query| all().fold(SelectBuilder::new().from_query(from, "l"), |s, n| s.column(col("l", n), n));
    let (Some(sort), Some(limit)) = (sort, limit.and_then(|l| i64::try_from(l).ok())) else {
        return select(inner);
    };
    let by = match sort {
        Sort::Descending => descending(col("l", "o")),
        Sort::Ascending => ascending(col("l", "o")),
    };
    let ranked = select(inner).column(rank(vec![by]), "place").build();
    select(ranked).filter(le(col("l", "place"), int(limit)))
}

struct ListNames {
    keys: Vec<String>,
    columns: Vec<String>,
    order: Vec<String>,
}

/// As asked, then by the primary key, then by what is shown: the list is the same every time.
fn ordered(select: SelectBuilder, names: &ListNames, sort: Option<Sort>) -> SelectBuilder {
    let by = match sort {
        Some(Sort::Descending) => Order::Descending,
        Some(Sort::Ascending) | None => Order::Ascending,
    };
    let select = names.order.iter().fold(select, |s, n| s.order_by(col("l", n), by));
    names.keys.iter().chain(&names.columns).fold(select, |s, n| s.order_by(col("l", n), Order::Ascending))
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

fn shown(source: &mut Source<'_>, way: &JoinPath, field: &str) -> Expr {
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
