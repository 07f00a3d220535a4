//! The fan-out verdict against execution: on random schemas, data and joins, SUM is rejected exactly when it differs
//! from the sum in which each row counts once (chains of RIGHT and FULL joins may be rejected too often, by one in a
//! hundred; never too seldom). The executor here is ten lines of nested loops and knows nothing of
//! keys. `TIEOUT_EXECUTIONS` sets how many queries are tried.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may stop")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

use tieout_sql::{
    Column, Context, DUCKDB, Limits, Relationship, Schema, Scope, Severity, SqlType, Table, check_text,
};

/// A small generator of luck with a seed (splitmix64).
struct Luck(u64);

impl Luck {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % below as u64) as usize
    }

    fn chance(&mut self, of: usize) -> bool {
        self.next(of) == 0
    }
}

/// Table `t<i>`: `id`, `v`, `g`, and `f<k>` for each parent; keyed by `id`, or by `f0` and `n`.
struct Shape {
    parents: Vec<Vec<usize>>,
    composite: Vec<bool>,
}

type Row = BTreeMap<String, Option<i64>>;

fn shape(luck: &mut Luck) -> Shape {
    let tables = 2 + luck.next(3);
    let parents: Vec<Vec<usize>> =
        (0..tables).map(|table| (0..luck.next(3).min(table)).map(|_| luck.next(table)).collect()).collect();
    let composite =
        parents.iter().map(|parents: &Vec<usize>| !parents.is_empty() && luck.chance(3)).collect();
    Shape { parents, composite }
}

fn schema(shape: &Shape) -> Schema {
    let mut schema = Schema::default();
    for (index, parents) in shape.parents.iter().enumerate() {
        let mut columns: Vec<Column> =
            ["id", "v", "n"].iter().map(|name| Column::plain(name, SqlType::Integer)).collect();
        columns.push(Column { values: Some(Vec::new()), ..Column::plain("g", SqlType::Integer) });
        columns.extend((0..parents.len()).map(|k| Column::plain(&format!("f{k}"), SqlType::Integer)));
        let mut table = Table::plain(&format!("t{index}"), columns);
        table.primary_key = vec!["id".into()];
        if shape.composite[index] {
            table.unique_keys = vec![vec!["f0".into(), "n".into()]];
        }
        schema.tables.insert(table.name.clone(), table);
        for (k, parent) in parents.iter().enumerate() {
            schema.relationships.push(Relationship {
                name: format!("t{index}_{k}"),
                from: format!("t{index}"),
                to: format!("t{parent}"),
                from_columns: vec![format!("f{k}")],
                to_columns: vec!["id".into()],
                required: false,
            });
        }
    }
    schema
}

fn data(shape: &Shape, luck: &mut Luck) -> Vec<Vec<Row>> {
    let mut tables: Vec<Vec<Row>> = Vec::new();
    for (index, parents) in shape.parents.iter().enumerate() {
        let mut rows: Vec<Row> = Vec::new();
        let mut keys = BTreeSet::new();
        for id in 0..1 + luck.next(6) {
            let mut row = Row::new();
            row.insert("id".into(), Some(id as i64));
            row.insert("v".into(), Some(1 << (id * 3)));
            row.insert("n".into(), Some(luck.next(3) as i64));
            row.insert("g".into(), Some(luck.next(2) as i64));
            for (k, parent) in parents.iter().enumerate() {
                let value = (!luck.chance(6)).then(|| luck.next(tables[*parent].len()) as i64);
                row.insert(format!("f{k}"), value);
            }
            if shape.composite[index] && row["f0"].is_some() && !keys.insert((row["f0"], row["n"])) {
                continue;
            }
            rows.push(row);
        }
        tables.push(rows);
    }
    tables
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Inner,
    Left,
    Right,
    Full,
}

struct JoinStep {
    kind: Kind,
    table: usize,
    /// Own column, earlier source and its column.
    on: (String, usize, String),
    /// A further condition of ON: own column equals a constant.
    fixed: Option<(&'static str, i64)>,
}

struct Draft {
    first: usize,
    steps: Vec<JoinStep>,
    filter: Option<(usize, &'static str, i64)>,
    groups: Vec<(usize, &'static str)>,
    summed: usize,
}

fn draft(shape: &Shape, luck: &mut Luck) -> Draft {
    let mut tables = vec![luck.next(shape.parents.len())];
    let mut steps = Vec::new();
    for _ in 0..1 + luck.next(3) {
        let mut links = Vec::new();
        for (position, table) in tables.iter().enumerate() {
            for (k, parent) in shape.parents[*table].iter().enumerate() {
                links.push((*parent, "id".to_owned(), position, format!("f{k}")));
            }
            for (child, parents) in shape.parents.iter().enumerate() {
                for (k, _) in parents.iter().enumerate().filter(|(_, parent)| *parent == table) {
                    links.push((child, format!("f{k}"), position, "id".to_owned()));
                }
            }
        }
        if links.is_empty() {
            break;
        }
        let (table, own, position, other) = links.swap_remove(luck.next(links.len()));
        let fixed = luck.chance(4).then(|| (["n", "id", "g"][luck.next(3)], luck.next(2) as i64));
        steps.push(JoinStep {
            kind: [Kind::Inner, Kind::Left, Kind::Inner, Kind::Left, Kind::Right, Kind::Full][luck.next(6)],
            table,
            on: (own, position, other),
            fixed,
        });
        tables.push(table);
    }
    let filter = luck
        .chance(3)
        .then(|| (luck.next(tables.len()), ["n", "id", "g"][luck.next(3)], luck.next(2) as i64));
    let mut groups = Vec::new();
    while luck.chance(2) && groups.len() < 2 {
        groups.push((luck.next(tables.len()), ["g", "id", "n"][luck.next(3)]));
    }
    Draft { first: tables[0], steps, filter, groups, summed: luck.next(tables.len()) }
}

fn text(draft: &Draft) -> String {
    let mut text = "select ".to_owned();
    let groups: Vec<String> =
        draft.groups.iter().map(|(source, column)| format!("s{source}.{column}")).collect();
    groups.iter().for_each(|group| write!(text, "{group}, ").unwrap());
    write!(text, "sum(s{}.v) as total from t{} as s0", draft.summed, draft.first).unwrap();
    for (position, step) in draft.steps.iter().enumerate() {
        let (kind, own) = (
            match step.kind {
                Kind::Inner => "join",
                Kind::Left => "left join",
                Kind::Right => "right join",
                Kind::Full => "full join",
            },
            position + 1,
        );
        let (column, other, other_column) = &step.on;
        write!(text, " {kind} t{} as s{own} on s{own}.{column} = s{other}.{other_column}", step.table)
            .unwrap();
        if let Some((column, value)) = step.fixed {
            write!(text, " and s{own}.{column} = {value}").unwrap();
        }
    }
    if let Some((source, column, value)) = draft.filter {
        write!(text, " where s{source}.{column} = {value}").unwrap();
    }
    if !groups.is_empty() {
        write!(text, " group by {}", groups.join(", ")).unwrap();
    }
    text
}

/// Whether the sum differs from the one in which each row counts once, in some group; nothing when nothing is summed.
fn differs(draft: &Draft, tables: &[Vec<Row>]) -> Option<bool> {
    let mut joined: Vec<Vec<Option<usize>>> =
        (0..tables[draft.first].len()).map(|row| vec![Some(row)]).collect();
    let mut sources = vec![draft.first];
    for step in &draft.steps {
        let mut next = Vec::new();
        let mut met = BTreeSet::new();
        for left in joined {
            let (column, other, other_column) = &step.on;
            let key = left[*other].and_then(|row| tables[sources[*other]][row][other_column]);
            let matches = tables[step.table].iter().enumerate().filter(|(_, row)| {
                key.is_some()
                    && row[column] == key
                    && step.fixed.is_none_or(|(column, value)| row[column] == Some(value))
            });
            let found: Vec<usize> = matches.map(|(row, _)| row).collect();
            met.extend(found.iter().copied());
            if found.is_empty() && matches!(step.kind, Kind::Left | Kind::Full) {
                next.push(left.iter().copied().chain([None]).collect());
            }
            next.extend(
                found.into_iter().map(|row| left.iter().copied().chain([Some(row)]).collect::<Vec<_>>()),
            );
        }
        if matches!(step.kind, Kind::Right | Kind::Full) {
            let alone = (0..tables[step.table].len()).filter(|row| !met.contains(row));
            next.extend(alone.map(|row| sources.iter().map(|_| None).chain([Some(row)]).collect::<Vec<_>>()));
        }
        joined = next;
        sources.push(step.table);
    }
    let value = |row: &[Option<usize>], source: usize, column: &str| {
        row[source].and_then(|index| tables[sources[source]][index][column])
    };
    if let Some((source, column, fixed)) = draft.filter {
        joined.retain(|row| value(row, source, column) == Some(fixed));
    }
    let mut groups: BTreeMap<Vec<Option<i64>>, (i64, BTreeSet<usize>, i64)> = BTreeMap::new();
    for row in &joined {
        let key = draft.groups.iter().map(|(source, column)| value(row, *source, column)).collect();
        let (total, seen, once) = groups.entry(key).or_default();
        let Some(index) = row[draft.summed] else { continue };
        let amount = tables[sources[draft.summed]][index]["v"].unwrap();
        *total += amount;
        if seen.insert(index) {
            *once += amount;
        }
    }
    let summed = groups.values().any(|(_, seen, _)| !seen.is_empty());
    summed.then(|| groups.values().any(|(total, _, once)| total != once))
}

#[test]
fn fan_out_is_rejected_exactly_when_execution_differs() {
    let count = std::env::var("TIEOUT_EXECUTIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(1500);
    let (mut accepted, mut rejected) = (0, 0);
    let (mut unsound, mut idle, mut cautious) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..count {
        let mut luck = Luck(seed);
        let shape = shape(&mut luck);
        let draft = draft(&shape, &mut luck);
        let (schema, sql, scope) = (schema(&shape), text(&draft), Scope::none());
        let limits = Limits { rows_max: 100, timeout: Duration::from_secs(1) };
        let result = check_text(
            &sql,
            Vec::new(),
            &Context { dialect: &DUCKDB, schema: &schema, scope: &scope, limits },
        );
        let refused = match &result {
            Ok(_) => false,
            Err(found) => {
                let others =
                    found.rejections.iter().filter(|r| r.severity == Severity::Reject && r.rule != "fan_out");
                assert_eq!(others.count(), 0, "{sql}\n{found}");
                true
            }
        };
        let tries = if refused { 4000 } else { 40 };
        let mut runs = (0..tries).filter_map(|_| differs(&draft, &data(&shape, &mut luck))).peekable();
        if runs.peek().is_none() {
            continue;
        }
        let differs = runs.any(|differs| differs);
        match (refused, differs) {
            (false, false) => accepted += 1,
            (true, true) => rejected += 1,
            (false, true) => unsound.push(sql),
            (true, false) if sql.contains("right join") || sql.contains("full join") => cautious.push(sql),
            (true, false) => idle.push(sql),
        }
    }
    println!(
        "{accepted} accepted, {rejected} rejected, {} wrongly accepted, {} wrongly rejected",
        unsound.len(),
        idle.len()
    );
    println!("{} more wrongly rejected behind RIGHT and FULL joins", cautious.len());
    assert!(unsound.is_empty(), "accepted and yet different:\n{}", unsound.join("\n"));
    // What is left are conditions that contradict one another through two references to one row.
    assert!(idle.len() * 1000 <= accepted + rejected, "rejected and never different:\n{}", idle.join("\n"));
    assert!(
        cautious.len() * 100 <= rejected + accepted,
        "too cautious behind outer joins:\n{}",
        cautious.join("\n")
    );
}
