//! What a file states beside bare DDL: relationships, keys, tenants, access and values, added to a schema.
//!
//! A relationship may be written from either side, since only one of them can be the many side. Deliberately absent:
//! everything that needs a catalogue.

use tieout_sql::{Access, Relationship, Schema, Table};

use super::{
    SourceText, codes, keys,
    node::{Content, Node, Word},
    parse,
    problem::{Problems, Report},
    walk,
};

/// Adds what a file states to a schema read from DDL.
///
/// # Errors
/// Everything that is wrong with the file.
pub fn state(file: &SourceText, schema: &mut Schema) -> Result<(), Problems> {
    let files = [file];
    let mut report = Report::new(&files);
    if let Some(node) = parse::parse(0, &mut report) {
        if matches!(node.content, Content::Nothing) {
            let hint = "write `relationships:` and one a line beneath";
            report.error(codes::EMPTY_FILE, node.at, "the file states nothing", hint);
        } else {
            walk::check(&node, &keys::STATED, &mut report);
            for dataset in node.items_of("datasets") {
                state_dataset(dataset, schema, &mut report);
            }
            for relationship in node.items_of("relationships") {
                state_relationship(relationship, schema, &mut report);
            }
        }
    }
    match report.has_errors() {
        true => Err(Problems(report.finish())),
        false => Ok(()),
    }
}

/// The place of the table of a name, however its case is written.
fn table(schema: &Schema, word: Option<Word<'_>>, report: &mut Report<'_>) -> Option<usize> {
    let word = word?;
    let found = schema.tables.keys().position(|name| name.eq_ignore_ascii_case(word.text));
    if found.is_none() {
        let message = format!("there is no table `{}` in the schema", word.text);
        report.unknown(codes::UNKNOWN_DATASET, word, message, schema.tables.keys().map(String::as_str));
    }
    found
}

/// The name of a column as its table spells it.
fn column(table: &Table, word: Word<'_>, report: &mut Report<'_>) -> Option<String> {
    let found = table.columns.keys().find(|name| name.eq_ignore_ascii_case(word.text));
    if found.is_none() {
        let message = format!("`{}` has no column `{}`", table.name, word.text);
        report.unknown(codes::UNKNOWN_FIELD, word, message, table.columns.keys().map(String::as_str));
    }
    found.cloned()
}

fn columns(table: &Table, words: &[Word<'_>], report: &mut Report<'_>) -> Option<Vec<String>> {
    let found: Vec<Option<String>> = words.iter().map(|word| column(table, *word, report)).collect();
    found.into_iter().collect::<Option<Vec<_>>>().filter(|names| !names.is_empty())
}

fn state_dataset(node: &Node, schema: &mut Schema, report: &mut Report<'_>) {
    let Some(place) = table(schema, node.word_of("name"), report) else { return };
    let Some((_, table)) = schema.tables.get_index_mut(place) else { return };
    if let Some(key) = columns(table, &node.words_of("primary_key"), report) {
        for name in &key {
            if let Some(column) = table.columns.get_mut(name) {
                column.nullable = false;
                column.identifier |= key.len() == 1;
            }
        }
        table.primary_key = key;
    }
    for key in node.items_of("unique_keys") {
        let words: Vec<Word<'_>> = key.items().iter().filter_map(Node::word).collect();
        let key = columns(table, &words, report);
        table.unique_keys.extend(key);
    }
    if let Some(word) = node.word_of("tenant") {
        table.tenant = column(table, word, report);
    }
    if let Some(word) = node.word_of("time") {
        table.time = column(table, word, report);
    }
    for field in node.items_of("fields") {
        state_field(field, table, report);
    }
}

fn state_field(node: &Node, table: &mut Table, report: &mut Report<'_>) {
    let Some(name) = node.word_of("name").and_then(|word| column(table, word, report)) else { return };
    let Some(column) = table.columns.get_mut(&name) else { return };
    column.access = match node.text_of("access").as_deref() {
        Some("hidden") => Access::Hidden,
        Some("sensitive") => Access::Sensitive,
        Some("open") => Access::Open,
        // What is none of them was reported.
        Some(_) | None => column.access,
    };
    column.identifier = node.flag_of("identifier").unwrap_or(column.identifier);
    let values: Vec<String> =
        node.items_of("values").iter().filter_map(Node::scalar).map(str::to_owned).collect();
    if !values.is_empty() {
        column.values = Some(values);
    }
}

fn state_relationship(node: &Node, schema: &mut Schema, report: &mut Report<'_>) {
    let from = table(schema, node.word_of("from"), report);
    let to = table(schema, node.word_of("to"), report);
    let (Some(from), Some(to)) = (from, to) else { return };
    let side = |place: usize, key: &str, report: &mut Report<'_>| {
        let (_, table) = schema.tables.get_index(place)?;
        Some((table, columns(table, &node.words_of(key), report)?))
    };
    let one = side(from, "from_columns", report);
    let other = side(to, "to_columns", report);
    let (Some((from, from_columns)), Some((to, to_columns))) = (one, other) else { return };
    if from_columns.len() != to_columns.len() {
        let message = format!("{} columns are paired with {}", from_columns.len(), to_columns.len());
        let hint = "list the columns of both sides in the same order, one for one";
        report.error(codes::KEY_LENGTH, node.at_of("to_columns"), message, hint);
        return;
    }
    let flipped = is_key(from, &from_columns) && !is_key(to, &to_columns);
    let ((from, from_columns), (to, to_columns)) = match flipped {
        false => ((from, from_columns), (to, to_columns)),
        true => ((to, to_columns), (from, from_columns)),
    };
    let name = node.text_of("name").unwrap_or_else(|| format!("{}_{}", from.name, from_columns.join("_")));
    let (from, to) = (from.name.clone(), to.name.clone());
    let required = node.flag_of("required").unwrap_or(false) && !flipped;
    if let Some(table) = schema.tables.get_mut(&from) {
        for name in &from_columns {
            if let Some(column) = table.columns.get_mut(name) {
                column.identifier = true;
            }
        }
    }
    schema.relationships.push(Relationship { name, from, to, from_columns, to_columns, required });
}

fn is_key(table: &Table, columns: &[String]) -> bool {
    let same =
        |key: &Vec<String>| key.len() == columns.len() && key.iter().all(|name| columns.contains(name));
    table.keys().any(same)
}

#[cfg(test)]
mod tests {
    use tieout_sql::{POSTGRES, ddl};

    use super::*;

    const DDL: &str = "create table Orders (id int primary key, customer_id int, email text, org int);
                       create table customers (id int primary key, kind text);";

    // The engine knows `Orders` as `orders`, since nobody quoted it.
    fn stated(text: &str) -> Result<Schema, String> {
        let mut schema = ddl::schema(DDL, &POSTGRES).map_err(|error| error.to_string())?;
        let file = SourceText { path: "r.yml".to_owned(), text: text.to_owned() };
        state(&file, &mut schema).map(|()| schema).map_err(|problems| problems.to_string())
    }

    #[test]
    fn either_side_may_be_written_first() {
        for text in [
            "relationships: [{ from: orders, to: customers, from_columns: [CUSTOMER_ID], to_columns: [id] }]",
            "relationships: [{ from: customers, to: orders, from_columns: [id], to_columns: [customer_id] }]",
        ] {
            let schema = stated(text).unwrap();
            let link = &schema.relationships[0];
            assert_eq!((link.from.as_str(), link.to.as_str()), ("orders", "customers"));
            assert_eq!((link.from_columns[0].as_str(), link.to_columns[0].as_str()), ("customer_id", "id"));
            assert!(schema.tables["orders"].columns["customer_id"].identifier);
        }
    }

    #[test]
    fn tenants_keys_access_and_values_are_added() {
        let schema = stated(
            "datasets:
  - { name: orders, tenant: org, unique_keys: [[customer_id, email]], fields: [{ name: email, access: hidden }] }
  - { name: customers, fields: [{ name: kind, values: [paid, free] }] }",
        )
        .unwrap();
        let orders = &schema.tables["orders"];
        assert_eq!(orders.tenant.as_deref(), Some("org"));
        assert_eq!(orders.unique_keys, [["customer_id", "email"]]);
        assert_eq!(orders.columns["email"].access, Access::Hidden);
        let values = schema.tables["customers"].columns["kind"].values.clone().unwrap();
        assert_eq!(values, ["paid", "free"]);
    }

    #[test]
    fn what_is_not_known_is_named_with_its_place() {
        let link = "from: orders, to: customers, from_columns: [customer_id], to_columns: [id]";
        for (text, said) in [
            (format!("relationship: [{{ {link} }}]"), "r.yml:1:1 a file of relationships has no key `relationship`"),
            (format!("relationships: [{{ {link}, kind: one }}]"), "a relationship has no key `kind`"),
            ("relationships: [{ from: order, to: customers, from_columns: [a], to_columns: [id] }]".to_owned(),
             "there is no table `order` in the schema | did you mean `orders`?"),
            ("datasets: [{ name: orders, tenant: organisation }]".to_owned(), "`orders` has no column `organisation`"),
            ("relationships: [{ from: orders, to: customers, from_columns: [customer_id], to_columns: [id, kind] }]".to_owned(),
             "1 columns are paired with 2"),
            ("datasets: [{ name: orders, fields: [{ name: email, access: secret }] }]".to_owned(), "`access` should be one of"),
            (String::new(), "the file states nothing"),
            ("- a: [".to_owned(), "this is not YAML"),
        ] {
            let problems = stated(&text).unwrap_err();
            assert!(problems.contains(said), "{text}\n{problems}");
        }
    }
}
