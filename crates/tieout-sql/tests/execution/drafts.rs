//! Random statements over a schema: joins of tables, of filtered and of grouped queries, conditions that another table has
//! a row or has none, and the sum worked out at once, around a nested query, or over rows made distinct.

use std::fmt::Write as _;

use crate::shapes::{Luck, Shape};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Inner,
    Left,
    Right,
    Full,
}

/// What a source is.
#[derive(Clone, PartialEq, Eq)]
pub enum Form {
    /// The table itself.
    Plain,
    /// Some of its rows.
    Filtered(&'static str, i64),
    /// Its rows added up for each value of a column that refers to a parent.
    Grouped(String),
}

pub struct JoinStep {
    pub kind: Kind,
    /// Own column, earlier source and its column.
    pub on: (String, usize, String),
    /// A further condition of ON: own column equals a constant.
    pub fixed: Option<(&'static str, i64)>,
}

/// Around what the sum is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Around {
    Joins,
    Derived,
    Named,
    /// Rows made distinct, with the key of what is summed.
    Distinct,
}

/// A condition that a child of some source is there, or is not.
pub struct Related {
    pub source: usize,
    pub child: usize,
    pub column: String,
    pub negated: bool,
    pub member: bool,
}

pub struct Draft {
    /// The table and the form of every source.
    pub sources: Vec<(usize, Form)>,
    pub steps: Vec<JoinStep>,
    pub filter: Option<(usize, &'static str, i64)>,
    pub related: Option<Related>,
    pub groups: Vec<(usize, &'static str)>,
    pub summed: usize,
    pub around: Around,
}

fn form(luck: &mut Luck) -> Form {
    match luck.next(6) {
        0 => Form::Filtered(["n", "g"][luck.next(2)], luck.next(2) as i64),
        _ => Form::Plain,
    }
}

pub fn draft(shape: &Shape, luck: &mut Luck) -> Draft {
    let first = form(luck);
    let mut sources = vec![(luck.next(shape.parents.len()), first)];
    let mut steps = Vec::new();
    for _ in 0..1 + luck.next(3) {
        let mut links = Vec::new();
        for (position, (table, form)) in sources.iter().enumerate() {
            for (k, parent) in shape.parents[*table].iter().enumerate() {
                let own = format!("f{k}");
                if !matches!(form, Form::Grouped(by) if *by != own) {
                    links.push((*parent, "id".to_owned(), position, own));
                }
            }
            for (child, parents) in
                shape.parents.iter().enumerate().filter(|_| !matches!(form, Form::Grouped(_)))
            {
                for (k, _) in parents.iter().enumerate().filter(|(_, parent)| *parent == table) {
                    links.push((child, format!("f{k}"), position, "id".to_owned()));
                }
            }
        }
        if links.is_empty() {
            break;
        }
        let (table, own, position, other) = links.swap_remove(luck.next(links.len()));
        let grouped = own != "id" && luck.chance(4);
        let form = if grouped { Form::Grouped(own.clone()) } else { form(luck) };
        let fixed =
            (!grouped && luck.chance(4)).then(|| (["n", "id", "g"][luck.next(3)], luck.next(2) as i64));
        let kind = [Kind::Inner, Kind::Left, Kind::Inner, Kind::Left, Kind::Right, Kind::Full][luck.next(6)];
        steps.push(JoinStep { kind, on: (own, position, other), fixed });
        sources.push((table, form));
    }
    finished(shape, luck, sources, steps)
}

fn finished(shape: &Shape, luck: &mut Luck, sources: Vec<(usize, Form)>, steps: Vec<JoinStep>) -> Draft {
    let whole: Vec<usize> =
        (0..sources.len()).filter(|source| !matches!(sources[*source].1, Form::Grouped(_))).collect();
    let any = |luck: &mut Luck| whole[luck.next(whole.len())];
    let filter = luck.chance(3).then(|| (any(luck), ["n", "id", "g"][luck.next(3)], luck.next(2) as i64));
    let mut groups = Vec::new();
    while luck.chance(2) && groups.len() < 2 {
        groups.push((any(luck), ["g", "id", "n"][luck.next(3)]));
    }
    let related = luck.chance(5).then(|| any(luck)).and_then(|source| {
        let children: Vec<(usize, usize)> = shape
            .parents
            .iter()
            .enumerate()
            .flat_map(|(child, parents)| {
                parents.iter().enumerate().map(move |(k, parent)| (child, k, *parent))
            })
            .filter(|(_, _, parent)| *parent == sources[source].0)
            .map(|(child, k, _)| (child, k))
            .collect();
        let (child, k) = *children.get(luck.next(children.len().max(1)))?;
        let negated = luck.chance(3);
        Some(Related { source, child, column: format!("f{k}"), negated, member: !negated && luck.chance(2) })
    });
    let summed = luck.next(sources.len());
    let around = match luck.next(6) {
        0 => Around::Derived,
        1 => Around::Named,
        2 if whole.contains(&summed) => Around::Distinct,
        _ => Around::Joins,
    };
    Draft { sources, steps, filter, related, groups, summed, around }
}

fn source(table: usize, form: &Form, name: usize, named: &mut Vec<String>) -> String {
    match form {
        Form::Plain => format!("t{table} as s{name}"),
        Form::Filtered(column, value) if name.is_multiple_of(2) => {
            named.push(format!("c{name} as (select * from t{table} where {column} = {value})"));
            format!("c{name} as s{name}")
        }
        Form::Filtered(column, value) => {
            format!("(select * from t{table} where {column} = {value}) as s{name}")
        }
        Form::Grouped(by) => format!("(select {by}, sum(v) as v from t{table} group by {by}) as s{name}"),
    }
}

pub fn text(draft: &Draft) -> String {
    let mut named = Vec::new();
    let (table, form) = &draft.sources[0];
    let mut from = format!(" from {}", source(*table, form, 0, &mut named));
    for (position, step) in draft.steps.iter().enumerate() {
        let own = position + 1;
        let kind = match step.kind {
            Kind::Inner => "join",
            Kind::Left => "left join",
            Kind::Right => "right join",
            Kind::Full => "full join",
        };
        let (column, other, other_column) = &step.on;
        let (table, form) = &draft.sources[own];
        let source = source(*table, form, own, &mut named);
        write!(from, " {kind} {source} on s{own}.{column} = s{other}.{other_column}").unwrap();
        if let Some((column, value)) = step.fixed {
            write!(from, " and s{own}.{column} = {value}").unwrap();
        }
    }
    let mut conditions = Vec::new();
    if let Some((source, column, value)) = draft.filter {
        conditions.push(format!("s{source}.{column} = {value}"));
    }
    if let Some(Related { source, child, column, negated, member }) = &draft.related {
        conditions.push(match member {
            true => format!("s{source}.id in (select {column} from t{child})"),
            false => {
                let not = if *negated { "not " } else { "" };
                format!("{not}exists (select 1 from t{child} as e where e.{column} = s{source}.id)")
            }
        });
    }
    if !conditions.is_empty() {
        write!(from, " where {}", conditions.join(" and ")).unwrap();
    }
    let select = summed(draft, &from, &mut named);
    match named.is_empty() {
        true => select,
        false => format!("with {} {select}", named.join(", ")),
    }
}

fn summed(draft: &Draft, from: &str, named: &mut Vec<String>) -> String {
    let columns: Vec<String> =
        draft.groups.iter().map(|(source, column)| format!("s{source}.{column}")).collect();
    let list = |columns: &[String]| columns.iter().map(|column| format!("{column}, ")).collect::<String>();
    let by = |columns: &[String]| match columns.is_empty() {
        true => String::new(),
        false => format!(" group by {}", columns.join(", ")),
    };
    if draft.around == Around::Joins {
        return format!("select {}sum(s{}.v) as total{from}{}", list(&columns), draft.summed, by(&columns));
    }
    let inner: Vec<String> =
        columns.iter().enumerate().map(|(position, column)| format!("{column} as k{position}")).collect();
    let outer: Vec<String> = (0..columns.len()).map(|position| format!("k{position}")).collect();
    let nested = match draft.around {
        Around::Distinct => {
            format!("select distinct {}s{1}.id as own, s{1}.v{from}", list(&inner), draft.summed)
        }
        _ => format!("select {}s{}.v{from}", list(&inner), draft.summed),
    };
    let source = match draft.around {
        Around::Named => {
            named.push(format!("j as ({nested})"));
            "j".to_owned()
        }
        _ => format!("({nested}) as j"),
    };
    format!("select {}sum(v) as total from {source}{}", list(&outer), by(&outer))
}
