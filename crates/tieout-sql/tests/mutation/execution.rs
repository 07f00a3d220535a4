//! Whether two statements mean the same, as far as execution shows: both are run over many small sets of generated
//! rows. Done by a script in Python with DuckDB, which knows nothing of the checker.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;
use tieout_sql::{Schema, SqlType};

use super::Survivor;

/// What is said when there is no Python to ask.
pub const ABSENT: &str = "no witness here: `./x witness` installs it; no survivor is told to mean the same";

/// What execution shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Some rows tell them apart.
    Differs,
    /// No rows did, and the original had something to show.
    Same,
    /// The original showed nothing over any rows, or one of them did not run.
    Unknown(String),
}

/// The Python of the witnesses: named by `TIEOUT_WITNESS`, or where `./x witness` puts it.
pub fn python() -> Option<PathBuf> {
    let named = std::env::var_os("TIEOUT_WITNESS").map(PathBuf::from);
    let usual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/witness/bin/python");
    named.into_iter().chain([usual]).find(|path| path.is_file())
}

/// A script beside these tests, fed some lines; its lines.
pub fn script(name: &str, input: &str) -> Option<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tieout-sql/tests/witness").join(name);
    let mut child = Command::new(python()?)
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the witness starts");
    let mut stdin = child.stdin.take().expect("the witness listens");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the witness answers");
    writer.join().expect("the writer ends").expect("the witness reads");
    assert!(output.status.success(), "the witness {name} stopped");
    let text = String::from_utf8(output.stdout).expect("the witness writes text");
    Some(text.lines().map(str::to_owned).collect())
}

/// A verdict for each survivor; nothing when there is no Python.
pub fn verdicts(survivors: &[Survivor]) -> Option<Vec<Verdict>> {
    python()?;
    let lines: Vec<String> = survivors
        .iter()
        .map(|survivor| {
            json!({
                "schema": described(&survivor.schema),
                "original": survivor.original,
                "mutant": survivor.mutant,
            })
            .to_string()
        })
        .collect();
    let answers = script("execute.py", &(lines.join("\n") + "\n"))?;
    assert_eq!(answers.len(), survivors.len(), "one answer for each survivor");
    let verdict = |line: &String| match line.as_str() {
        "differs" => Verdict::Differs,
        "same" => Verdict::Same,
        other => Verdict::Unknown(other.to_owned()),
    };
    Some(answers.iter().map(verdict).collect())
}

/// A schema, as the scripts read it.
pub fn described(schema: &Schema) -> serde_json::Value {
    let ty = |ty: SqlType| match ty {
        SqlType::Boolean => "BOOLEAN",
        SqlType::Integer => "BIGINT",
        SqlType::Decimal => "DECIMAL(18,2)",
        SqlType::Float => "DOUBLE",
        SqlType::Date => "DATE",
        SqlType::Time => "TIME",
        SqlType::DateTime => "TIMESTAMP",
        SqlType::Instant => "TIMESTAMPTZ",
        SqlType::Blob => "BLOB",
        SqlType::Interval => "INTERVAL",
        SqlType::Text | SqlType::Other | SqlType::Unknown => "VARCHAR",
    };
    let tables: Vec<serde_json::Value> = schema
        .tables
        .values()
        .map(|table| {
            let columns: Vec<serde_json::Value> = table
                .columns
                .values()
                .map(|column| {
                    json!({ "name": column.name, "type": ty(column.ty), "nullable": column.nullable, "values": column.values })
                })
                .collect();
            let keys: Vec<&Vec<String>> = table.keys().collect();
            json!({ "name": table.name, "path": table.relation, "columns": columns, "keys": keys })
        })
        .collect();
    let relationships: Vec<serde_json::Value> = schema
        .relationships
        .iter()
        .map(|r| {
            json!({ "from": r.from, "to": r.to, "from_columns": r.from_columns, "to_columns": r.to_columns, "required": r.required })
        })
        .collect();
    json!({ "tables": tables, "relationships": relationships })
}
