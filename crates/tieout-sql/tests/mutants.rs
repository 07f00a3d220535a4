//! Mutants of the published gold queries: a query whose joins, grain or safety was broken must be rejected. Only
//! databases with stated keys take part, and only golds that pass; survivors are printed. Steps aside when the folder
//! is not there.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop"
)]

mod corpus;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use corpus::{databases, golds, judged};
use tieout_sql::sqlparser::ast::{
    Expr, Ident, JoinConstraint, JoinOperator, Query, Select, Statement, TableFactor, VisitMut, VisitorMut,
};
use tieout_sql::sqlparser::parser::Parser;
use tieout_sql::{POSTGRES, Schema, Severity};

/// Calls back for every SELECT, until one was changed.
struct Selects<F>(F);

impl<F: FnMut(&mut Select) -> bool> VisitorMut for Selects<F> {
    type Break = ();

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        if (self.0)(select) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn changed(query: &Query, change: impl FnMut(&mut Select) -> bool) -> Option<String> {
    let mut copy = query.clone();
    let found: ControlFlow<()> = VisitMut::visit(&mut copy, &mut Selects(change));
    found.is_break().then(|| copy.to_string())
}

fn constraint(operator: &mut JoinOperator) -> Option<&mut JoinConstraint> {
    match operator {
        JoinOperator::Join(c)
        | JoinOperator::Inner(c)
        | JoinOperator::Left(c)
        | JoinOperator::LeftOuter(c)
        | JoinOperator::Right(c)
        | JoinOperator::RightOuter(c)
        | JoinOperator::FullOuter(c) => Some(c),
        _ => None,
    }
}

fn drop_condition(query: &Query, nth: usize) -> Option<String> {
    let mut seen = 0;
    changed(query, |select| {
        for join in select.from.iter_mut().flat_map(|from| &mut from.joins) {
            if let Some(JoinConstraint::On(on)) = constraint(&mut join.join_operator) {
                seen += 1;
                if seen > nth {
                    *on = Expr::Identifier(Ident::new("true"));
                    return true;
                }
            }
        }
        false
    })
    .map(|text| text.replace("ON true", "ON 1 = 1"))
}

/// The table behind an alias in a FROM clause.
fn table_of(select: &Select, alias: &str) -> Option<String> {
    let factors = select
        .from
        .iter()
        .flat_map(|from| std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation)));
    for factor in factors {
        if let TableFactor::Table { name, alias: given, .. } = factor {
            let last = name.0.last()?.as_ident()?.value.clone();
            if given.as_ref().map_or(&last, |given| &given.name.value) == alias {
                return Some(last);
            }
        }
    }
    None
}

/// Another column of the same table and type takes the place of one side of a join condition.
fn swap_key(query: &Query, schema: &Schema, nth: usize) -> Option<String> {
    let mut seen = 0;
    changed(query, |select| {
        let copy = select.clone();
        for join in select.from.iter_mut().flat_map(|from| &mut from.joins) {
            let Some(JoinConstraint::On(Expr::BinaryOp { left, .. })) = constraint(&mut join.join_operator)
            else {
                continue;
            };
            let Expr::CompoundIdentifier(parts) = left.as_mut() else { continue };
            let Some(table) = table_of(&copy, &parts[0].value) else { continue };
            let Some((_, table)) = schema.tables.iter().find(|(name, _)| name.eq_ignore_ascii_case(&table))
            else {
                continue;
            };
            let Some((_, own)) =
                table.columns.iter().find(|(name, _)| name.eq_ignore_ascii_case(&parts[1].value))
            else {
                continue;
            };
            let Some(other) =
                table.columns.values().find(|other| other.ty == own.ty && other.name != own.name)
            else {
                continue;
            };
            seen += 1;
            if seen > nth {
                parts[1] = Ident::new(&other.name);
                return true;
            }
        }
        false
    })
}

/// A child of some table that is read is joined as well, so that its rows are repeated.
fn fan_out(query: &Query, schema: &Schema) -> Vec<String> {
    let mut mutants = Vec::new();
    for relationship in &schema.relationships {
        let key = schema.tables.get(&relationship.to).map(|table| table.primary_key.clone());
        if key.as_ref() != Some(&relationship.to_columns) {
            continue;
        }
        let mutant = changed(query, |select| {
            let sums = select.projection.iter().any(|item| {
                let text = item.to_string().to_lowercase();
                (text.contains("sum(") || text.contains("avg("))
                    && !text.contains("case")
                    && !text.contains("distinct")
            });
            let [from] = select.from.as_mut_slice() else { return false };
            let TableFactor::Table { name, alias, .. } = &from.relation else { return false };
            let last =
                name.0.last().and_then(|part| part.as_ident()).map(|ident| ident.value.clone()).unwrap();
            if !sums || !last.eq_ignore_ascii_case(&relationship.to) || !from.joins.is_empty() {
                return false;
            }
            let alias = alias.as_ref().map_or(last, |alias| alias.name.value.clone());
            let pairs = relationship.from_columns.iter().zip(&relationship.to_columns);
            let on: Vec<String> = pairs.map(|(a, b)| format!("zz.{a} = {alias}.{b}")).collect();
            let text = format!("select 1 from x join {} zz on {}", relationship.from, on.join(" and "));
            let parsed = Parser::parse_sql(POSTGRES.syntax, &text).unwrap();
            let [Statement::Query(donor)] = parsed.as_slice() else { return false };
            let tieout_sql::sqlparser::ast::SetExpr::Select(donor) = donor.body.as_ref() else {
                return false;
            };
            from.joins.extend(donor.from[0].joins.clone());
            true
        });
        mutants.extend(mutant);
    }
    mutants
}

#[test]
fn mutants_die() {
    let Some(databases) = databases() else {
        println!("skipped: no corpora here");
        return;
    };
    let mut table: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut survivors = Vec::new();
    let refused = |sql: &str, schema: &Schema| {
        judged(sql, schema, &POSTGRES).iter().any(|(_, severity, _)| *severity == Severity::Reject)
    };
    for gold in golds("postgres") {
        let schema = &databases[&gold.db];
        if schema.tables.values().filter(|table| table.primary_key.is_empty()).count() > 3
            || refused(&gold.sql, schema)
        {
            continue;
        }
        let parsed = Parser::parse_sql(POSTGRES.syntax, &gold.sql).unwrap();
        let [Statement::Query(query)] = parsed.as_slice() else { continue };
        let mut mutants: Vec<(&str, String)> = Vec::new();
        mutants.extend(
            (0..4).filter_map(|nth| drop_condition(query, nth)).map(|text| ("drop a join condition", text)),
        );
        mutants
            .extend((0..4).filter_map(|nth| swap_key(query, schema, nth)).map(|text| ("swap a key", text)));
        mutants.extend(fan_out(query, schema).into_iter().map(|text| ("join a child", text)));
        mutants.push(("second statement", format!("{}; delete from x", gold.sql.trim_end_matches(';'))));
        mutants.push((
            "writing named query",
            format!("with zz as (delete from x returning 1) select * from ({}) q", query),
        ));
        mutants.push(("volatile function", format!("select *, nextval('s') from ({query}) q")));
        mutants.push(("read a catalogue", format!("select q.* from ({query}) q, pg_catalog.pg_user")));
        mutants.push(("lock", format!("{query} for update")));
        for (operator, text) in mutants {
            let (total, dead) = table.entry(operator).or_default();
            *total += 1;
            match refused(&text, schema) {
                true => *dead += 1,
                false => survivors.push((operator, gold.db.clone(), text)),
            }
        }
    }
    for (operator, (total, dead)) in &table {
        println!("{operator:24} {dead:5} of {total:5}");
    }
    for (operator, db, text) in &survivors {
        println!("survivor · {operator} · {db} · {text}");
    }
    let (total, dead) = table.values().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    assert!(dead * 10 >= total * 9, "{dead} of {total} mutants are rejected");
}
