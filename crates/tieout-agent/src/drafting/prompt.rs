//! The prompt that a statement is drafted with: what one leg works out, in words, and what may be named for it.
//!
//! It is made of the definitions alone. Deliberately absent, and not handed in: the question, rows, the session, the
//! tenant, and every value that is not one of the settled conditions.

use std::{collections::BTreeSet, fmt::Write as _};

use serde::Deserialize;
use serde_json::{Value as Json, json};
use tieout_core::{
    attempt::ATTEMPTS_MAX,
    catalogue::{Catalogue, Field, Relationship},
    model::{Prompt, PromptLimits, Purpose, Speaker, Turn},
};
use tieout_sql::{
    Access, ColumnPart, Expected, Fragment, LaidColumn, Value,
    against::{ExpectedAggregate, ExpectedGrouping, FieldTest, Hop, Presence, Test},
};

use crate::{
    drafted::{Feedback, NoStatement},
    untrusted::data_section,
};

/// The version of the prompt's text: a change of what is said is a change of this.
const VERSION: &str = "draft-1";
/// The longest reply, in tokens.
const REPLY_TOKENS_MAX: u32 = 1_000;
/// The longest statement, in characters.
const SQL_CHARS_MAX: usize = 6_000;

/// A reply as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    sql: String,
}

/// The statement of a reply.
pub(super) fn statement(value: &Json) -> Result<String, NoStatement> {
    let Reply { sql } =
        serde_json::from_value(value.clone()).map_err(|error| NoStatement(error.to_string()))?;
    match sql.trim() {
        "" => Err(NoStatement("there is no statement in it".to_owned())),
        _ => Ok(sql),
    }
}

/// The first prompt for a statement.
pub(super) fn prompt(expected: &Expected, wanted: &[LaidColumn], catalogue: &Catalogue) -> Prompt {
    let named = Named::by(expected, catalogue);
    let mut text = String::new();
    let _ = writeln!(text, "# columns, in this order");
    for column in wanted {
        let _ = writeln!(text, "{}: {}", column.name, words(column.part, expected, catalogue));
    }
    let _ = writeln!(
        text,
        "\n# rows\nevery row of {0} that meets all of these (a column without a table is one of {0})",
        expected.base
    );
    if let Some(period) = &expected.period {
        let (column, start, end) = (&period.column, literal(&period.start), literal(&period.end));
        let _ = writeln!(text, "- {column} >= {start} and {column} < {end}");
    }
    let conditions: Vec<Json> = expected.conditions.iter().map(|condition| test(&condition.test)).collect();
    let _ = writeln!(text, "{}", data_section(&json!(conditions)));
    listed(&mut text, &named, catalogue);
    Prompt {
        purpose: Purpose::Draft,
        version: VERSION.to_owned(),
        system: include_str!("../prompts/draft.md").replace("DIALECT", catalogue.dialect.name),
        turns: vec![Turn { speaker: Speaker::User, text }],
        schema: json!({
            "type": "object",
            "properties": { "sql": { "type": "string", "maxLength": SQL_CHARS_MAX } },
            "required": ["sql"],
            "additionalProperties": false,
        }),
        limits: PromptLimits { attempts_max: ATTEMPTS_MAX, reply_tokens_max: REPLY_TOKENS_MAX },
    }
}

/// What is said when a draft does not do.
pub(super) fn rejection(feedback: &Feedback) -> String {
    let mut text = "This does not do:\n".to_owned();
    for line in feedback.to_string().lines() {
        let _ = writeln!(text, "- {line}");
    }
    text.push_str("Give the whole statement again, mended.");
    text
}

/// The tables and relationships that a definition leads along.
struct Named<'a> {
    tables: BTreeSet<&'a str>,
    relationships: Vec<&'a Relationship>,
}

impl<'a> Named<'a> {
    fn by(expected: &'a Expected, catalogue: &'a Catalogue) -> Self {
        let mut hops = BTreeSet::new();
        for grouping in &expected.groupings {
            if let ExpectedGrouping::Field { path, column: _ } = grouping {
                hops.extend(path);
            }
        }
        expected.conditions.iter().for_each(|condition| ways(&condition.test, &mut hops));
        let mut tables = BTreeSet::from([expected.base.as_str()]);
        for Hop::ToOne(name) | Hop::ToMany(name) in hops {
            if let Some(relationship) = catalogue.relationships.get(name) {
                tables.extend([relationship.from.as_str(), relationship.to.as_str()]);
            }
        }
        let within = |r: &&Relationship| tables.contains(r.from.as_str()) && tables.contains(r.to.as_str());
        let relationships = catalogue.relationships.values().filter(within).collect();
        Self { tables, relationships }
    }
}

fn ways<'a>(test: &'a Test, hops: &mut BTreeSet<&'a Hop>) {
    match test {
        Test::Holds(_) | Test::HoldsNot(_) => {}
        Test::Field { path, .. } => hops.extend(path),
        Test::Related { path, tests, .. } => {
            hops.extend(path);
            tests.iter().for_each(|test| ways(test, hops));
        }
        Test::Any(tests) | Test::All(tests) => tests.iter().for_each(|test| ways(test, hops)),
    }
}

fn listed(text: &mut String, named: &Named<'_>, catalogue: &Catalogue) {
    let _ = writeln!(text, "\n# tables");
    for dataset in named.tables.iter().filter_map(|name| catalogue.datasets.get(*name)) {
        let open = |field: &&Field| field.access == Access::Open;
        let column = |field: &Field| format!("{} {}", field.name, field.datatype.name());
        let columns: Vec<String> = dataset.fields.values().filter(open).map(column).collect();
        let _ = writeln!(text, "{}: {}", dataset.name, columns.join(", "));
    }
    if named.relationships.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n# relationships, from many rows to one");
    for Relationship { name, from, to, from_columns, to_columns, .. } in &named.relationships {
        let pairs = from_columns.iter().zip(to_columns).map(|(a, b)| format!("{from}.{a} = {to}.{b}"));
        let _ = writeln!(text, "{name}: {}", pairs.collect::<Vec<_>>().join(" and "));
    }
}

/// A part of what is worked out, in words.
fn words(part: ColumnPart, expected: &Expected, catalogue: &Catalogue) -> String {
    match part {
        ColumnPart::Grouping(place) => match expected.groupings.get(place) {
            Some(ExpectedGrouping::Field { path, column }) => {
                let table = end(path, &expected.base, catalogue);
                format!("{table}.{column}{}, grouped by", along(path))
            }
            Some(ExpectedGrouping::Steps { column, starts }) => {
                format!("{}, grouped by", steps(column, starts))
            }
            Some(ExpectedGrouping::Bucket { column, unit }) => format!("the {unit} of {column}, grouped by"),
            Some(ExpectedGrouping::Expression(of)) => format!("{}, grouped by", of.text()),
            None => String::new(),
        },
        ColumnPart::Figure(place) => {
            expected.figures.get(place).map_or_else(String::new, |f| aggregate(&f.aggregate))
        }
    }
}

/// The number of a step of time, as our own statements number them.
fn steps(column: &str, starts: &[Value]) -> String {
    let when = starts
        .iter()
        .zip(-1..)
        .map(|(start, step)| format!("WHEN {column} < {} THEN {step}", literal(start)));
    let last = i64::try_from(starts.len()).unwrap_or(i64::MAX).saturating_sub(1);
    format!("CASE {} ELSE {last} END", when.collect::<Vec<_>>().join(" "))
}

fn aggregate(of: &ExpectedAggregate) -> String {
    use ExpectedAggregate as A;
    let call = |name: &str, of: &Fragment| format!("{name}({})", of.text());
    match of {
        A::CountRows => "count(*)".to_owned(),
        A::Count(of) => call("count", of),
        A::CountDistinct(of) => format!("count(distinct {})", of.text()),
        A::Sum(of) => call("sum", of),
        A::Average(of) => call("avg", of),
        A::Minimum(of) => call("min", of),
        A::Maximum(of) => call("max", of),
        A::Median(of) => call("median", of),
        A::Ratio(over, under) => format!("{} / {}", aggregate(over), aggregate(under)),
    }
}

fn end<'a>(path: &'a [Hop], base: &'a str, catalogue: &'a Catalogue) -> &'a str {
    let relationship = |name: &String| catalogue.relationships.get(name);
    match path.last() {
        None => base,
        Some(Hop::ToOne(name)) => relationship(name).map_or("", |r| r.to.as_str()),
        Some(Hop::ToMany(name)) => relationship(name).map_or("", |r| r.from.as_str()),
    }
}

fn along(path: &[Hop]) -> String {
    match path {
        [] => String::new(),
        path => format!(" along {}", hops(path).join(", then ")),
    }
}

fn hops(path: &[Hop]) -> Vec<String> {
    let name = |hop: &Hop| match hop {
        Hop::ToOne(name) => name.clone(),
        Hop::ToMany(name) => format!("{name} (from one to many)"),
    };
    path.iter().map(name).collect()
}

/// A condition, as data.
fn test(of: &Test) -> Json {
    let all = |tests: &[Test]| tests.iter().map(test).collect::<Vec<_>>();
    match of {
        Test::Holds(fragment) => json!({ "is true": fragment.text() }),
        Test::HoldsNot(fragment) => json!({ "is not true (false or NULL)": fragment.text() }),
        Test::Field { path, column, is } => json!({ "column": column, "along": hops(path), "is": field(is) }),
        Test::Related { path, presence, tests } => {
            let word = match presence {
                Presence::Exists => "exists a row",
                Presence::Absent => "exists no row",
            };
            json!({ word: { "along": hops(path), "that meets": all(tests) } })
        }
        Test::Any(tests) => json!({ "any of": all(tests) }),
        Test::All(tests) => json!({ "all of": all(tests) }),
    }
}

fn field(is: &FieldTest) -> Json {
    let all = |values: &[Value]| values.iter().map(literal).collect::<Vec<_>>();
    match is {
        FieldTest::OneOf(values) => json!({ "one of": all(values) }),
        FieldTest::NoneOf(values) => json!({ "NULL, or none of": all(values) }),
        FieldTest::Below(value) => json!({ "<": literal(value) }),
        FieldTest::AtMost(value) => json!({ "<=": literal(value) }),
        FieldTest::AtLeast(value) => json!({ ">=": literal(value) }),
        FieldTest::Above(value) => json!({ ">": literal(value) }),
        FieldTest::Within(start, end) => json!({ ">=": literal(start), "<": literal(end) }),
        FieldTest::Missing => json!("NULL"),
        FieldTest::Present => json!("NOT NULL"),
    }
}

/// A value as a statement writes it.
fn literal(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Boolean(_) | Value::Integer(_) | Value::Decimal(_) => value.to_string(),
        Value::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Value::Date(date) => format!("DATE '{date}'"),
        Value::DateTime(at) => format!("TIMESTAMP '{} {}'", at.date(), at.time()),
        Value::Instant(at) => format!("TIMESTAMPTZ '{at}'"),
    }
}
