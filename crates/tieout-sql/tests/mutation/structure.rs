//! Changes of structure: what is joined, by what, how often a row counts, whose rows are read, and whether only that.

use std::ops::ControlFlow;

use tieout_sql::sqlparser::ast::{
    BinaryOperator, Expr, Ident, JoinConstraint, JoinOperator, ObjectNamePart, Query, Select, Statement,
    TableFactor, VisitMut, VisitorMut, visit_relations,
};
use tieout_sql::sqlparser::parser::Parser;
use tieout_sql::{POSTGRES, Schema, SqlType, Table};

/// Every change of structure that a statement allows, each as a text of its own.
pub fn changes(query: &Query, schema: &Schema) -> Vec<(&'static str, String)> {
    let mut mutants: Vec<(&str, String)> = Vec::new();
    let mut add =
        |operator, texts: Vec<String>| mutants.extend(texts.into_iter().map(|text| (operator, text)));
    let each = |change: &dyn Fn(usize) -> Option<String>| (0..).map_while(change).take(6).collect::<Vec<_>>();
    add("drop a join condition", each(&|nth| drop_condition(query, nth)));
    add("swap a key", each(&|nth| swap_key(query, schema, nth)));
    add("join a wrong table", each(&|nth| wrong_table(query, schema, nth)));
    add("join a child", fan_out(query, schema));
    add("another table by its name", shadowed(query, schema));
    add("widen the tenant", each(&|nth| (nth == 0).then(|| widened(query)).flatten()));
    add("second statement", vec![format!("{query}; delete from x")]);
    add(
        "writing named query",
        vec![format!("with zz as (delete from x returning 1) select * from ({query}) q")],
    );
    add("volatile function", vec![format!("select *, nextval('s') from ({query}) q")]);
    add("read a catalogue", vec![format!("select q.* from ({query}) q, pg_catalog.pg_user")]);
    add("lock", vec![format!("{query} for update")]);
    mutants
}

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
            let text = format!("select 1 from x left join {} zz on {}", relationship.from, on.join(" and "));
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

/// Another table with the same columns, as far as they are named, takes the place of one that is joined.
fn wrong_table(query: &Query, schema: &Schema, nth: usize) -> Option<String> {
    let mut seen = 0;
    changed(query, |select| {
        let text = select.to_string();
        for join in select.from.iter_mut().flat_map(|from| &mut from.joins) {
            let TableFactor::Table { name, alias: Some(alias), .. } = &mut join.relation else { continue };
            let Some(last) = name.0.last().and_then(ObjectNamePart::as_ident) else { continue };
            let Some(own) = schema.tables.values().find(|known| known.name.eq_ignore_ascii_case(&last.value))
            else {
                continue;
            };
            let prefix = format!("{}.", alias.name.value);
            let used: Vec<&str> = text
                .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
                .filter_map(|word| word.strip_prefix(prefix.as_str()))
                .collect();
            let has = |table: &&Table| {
                table.name != own.name
                    && used.iter().all(|column| {
                        let of = |table: &Table| {
                            table
                                .columns
                                .values()
                                .find(|known| known.name.eq_ignore_ascii_case(column))
                                .map(|c| c.ty)
                        };
                        of(table).is_some() && of(table) == of(own)
                    })
            };
            for other in schema.tables.values().filter(has) {
                seen += 1;
                if seen > nth {
                    *name = other.relation.iter().map(Ident::new).collect::<Vec<_>>().into();
                    return true;
                }
            }
        }
        false
    })
}

/// A named query with the name of a table gives rows of another one.
fn shadowed(query: &Query, schema: &Schema) -> Vec<String> {
    let mut named: Vec<String> = Vec::new();
    let _: ControlFlow<()> = visit_relations(query, |name| {
        if let [ObjectNamePart::Identifier(ident)] = name.0.as_slice() {
            named.push(ident.value.to_lowercase());
        }
        ControlFlow::Continue(())
    });
    let read = schema.tables.values().find(|table| named.contains(&table.name.to_lowercase()));
    let Some(own) = read else { return Vec::new() };
    let text = query.to_string().to_lowercase();
    let used: Vec<(&str, SqlType)> = own
        .columns
        .values()
        .filter(|column| {
            text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .any(|word| word == column.name.to_lowercase())
        })
        .map(|column| (column.name.as_str(), column.ty))
        .collect();
    let donor = |table: &&Table| {
        table.name != own.name && used.iter().all(|(_, ty)| table.columns.values().any(|c| c.ty == *ty))
    };
    let Some(other) = schema.tables.values().find(donor) else { return Vec::new() };
    let columns: Vec<String> = used
        .iter()
        .map(|(name, ty)| {
            let from = other.columns.values().find(|column| column.ty == *ty).map_or("", |c| c.name.as_str());
            format!("{from} as {name}")
        })
        .collect();
    if columns.is_empty() || query.with.is_some() {
        return Vec::new();
    }
    let from = other.relation.join(".");
    vec![format!("WITH {} AS (SELECT {} FROM {from}) {query}", own.name, columns.join(", "))]
}

/// Rows of other tenants are asked for.
fn widened(query: &Query) -> Option<String> {
    changed(query, |select| {
        let Some(alias) = select.from.first().and_then(|from| match &from.relation {
            TableFactor::Table { name, alias, args: None, .. } => match alias {
                Some(alias) => Some(alias.name.clone()),
                None => name.0.last().and_then(ObjectNamePart::as_ident).cloned(),
            },
            _ => None,
        }) else {
            return false;
        };
        let other = Expr::BinaryOp {
            left: Box::new(Expr::CompoundIdentifier(vec![alias, Ident::new("tenant_id")])),
            op: BinaryOperator::Gt,
            right: Box::new(Expr::Identifier(Ident::new("0"))),
        };
        select.selection = Some(match select.selection.take() {
            Some(known) => Expr::BinaryOp {
                left: Box::new(Expr::Nested(Box::new(known))),
                op: BinaryOperator::Or,
                right: Box::new(other),
            },
            None => other,
        });
        true
    })
}
