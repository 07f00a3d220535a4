//! The model alone: it is told the tables and the catalogue in words, writes SQL, and what its SQL gives is the answer.
//!
//! Nothing stands between: no reader, no checker, no evidence. Its statement can only read, and one that the engine does
//! not take is broken. It may decline by one word.

use std::{error::Error, fmt::Write as _, fs, path::Path};

use serde_json::json;
use tieout_core::{
    catalogue::{Project, TermMeaning},
    model::{ModelFault, Prompt, PromptLimits, Purpose, Said, Speaker, Turn},
    ports::Model,
};

use crate::{
    sheet::Sheet,
    tables::{Raw, Table},
};

/// The word by which it declines.
const DECLINES: &str = "DECLINE";
/// The longest reply, in tokens.
const REPLY_TOKENS_MAX: u32 = 400;
/// The version of its prompt.
const VERSION: &str = "alone-1";

const SYSTEM: &str = "You answer questions about a company's data by writing one DuckDB SQL query. Its rows are shown to the \
asker as the answer.

- Give JSON: {\"sql\": \"…\"}.
- Use only the tables and columns that are listed, and the definitions of metrics as they stand.
- Show money in whole units of its currency (dollars, not cents) and rates in percent.
- A relative period such as last month means the last complete one.
- If the data cannot answer the question, if it asks for a cause or a forecast, if it asks for a tenant other than your \
own, or if a word in it means several things and nothing says which, give {\"sql\": \"DECLINE\"}.";

/// What came of asking it.
#[derive(Debug)]
pub enum Told {
    /// It declined.
    Declined,
    /// Rows, and the statement that gave them.
    Rows(String, Table),
    /// No rows, and why.
    Broken(String),
}

/// What the model is told of a world, whatever is asked.
///
/// # Errors
/// When the catalogue's files cannot be read.
pub fn told(project: &Project, root: &Path, sheet: &Sheet, raw: &Raw) -> Result<String, Box<dyn Error>> {
    let mut text = format!("Today is {}.", sheet.today);
    if let Some(tenant) = &sheet.tenant {
        let _ = write!(
            text,
            " You answer for tenant '{tenant}' alone: every table with a tenant_id is limited to it."
        );
    }
    text.push_str("\n\n# tables\n");
    tables(&mut text, project, raw)?;
    text.push_str("\n# foreign keys\n");
    for link in project.catalogue.relationships.values() {
        let (from, to) = (link.from_columns.join(", "), link.to_columns.join(", "));
        let _ = writeln!(text, "{}({from}) -> {}({to})", link.from, link.to);
    }
    let _ = write!(
        text,
        "\n# metrics\n{}",
        definitions(&fs::read_to_string(root.join("catalogue/metrics.yml"))?)
    );
    let words = fs::read_to_string(root.join("catalogue/words.yml"))?;
    let populations = words.split("\nterms:").next().unwrap_or_default();
    let _ = write!(text, "\n# named groups of rows\n{}", definitions(populations));
    text.push_str("\n# words that mean several things, or nothing here\n");
    for term in project.catalogue.terms.values() {
        let _ = match &term.meaning {
            TermMeaning::Ambiguous(readings) => writeln!(text, "{}: {}", term.term, readings.join(" or ")),
            TermMeaning::Absent(why) => writeln!(text, "{}: {DECLINES} ({why})", term.term),
        };
    }
    text.push_str("\n# examples\n");
    for (question, sql) in &sheet.examples {
        let _ = writeln!(text, "{}\n{}", json!(question), json!({ "sql": sql }));
    }
    Ok(text)
}

/// The tables as they are in the files, with what the catalogue says of their columns; hidden ones are left out.
fn tables(text: &mut String, project: &Project, raw: &Raw) -> Result<(), String> {
    for dataset in project.catalogue.datasets.values() {
        let said = dataset.description.as_deref().unwrap_or_default();
        let _ = writeln!(text, "{}: {said}", dataset.source);
        let list = format!(
            "select column_name, data_type from information_schema.columns where table_name = '{}' order by ordinal_position",
            dataset.source
        );
        for row in raw.rows(&list)?.rows {
            let [name, datatype] = row.as_slice() else { continue };
            let field = dataset.fields.values().find(|f| f.column.as_deref().unwrap_or(&f.name) == name);
            let Some(field) = field else {
                if dataset.tenant.as_ref() == Some(name) {
                    let _ = writeln!(text, "- {name} {datatype}");
                }
                continue;
            };
            if field.access == tieout_sql::Access::Hidden {
                continue;
            }
            let _ = write!(text, "- {name} {datatype}: {}", field.label);
            if name.ends_with("_minor") {
                text.push_str(", in cents");
            }
            let values: Vec<_> = field.values.iter().map(|v| v.value.as_str()).collect();
            if !values.is_empty() {
                let _ = write!(text, "; one of {}", json!(values));
            }
            text.push('\n');
        }
    }
    Ok(())
}

/// A file of the catalogue without what says nothing about meaning.
fn definitions(yaml: &str) -> String {
    const LEFT_OUT: [&str; 9] = [
        "version:",
        "status:",
        "owner:",
        "grain:",
        "dimensions:",
        "minimum_group:",
        "unit:",
        "exclusions:",
        "#",
    ];
    let is_said = |line: &&str| {
        let bare = line.trim_start().trim_start_matches("- ");
        !bare.is_empty() && !LEFT_OUT.iter().any(|key| bare.starts_with(key)) && !bare.starts_with("{ field:")
    };
    yaml.lines().filter(is_said).flat_map(|line| [line, "\n"]).collect()
}

/// Asks it one question.
///
/// # Errors
/// A fault of the endpoint, which says nothing about the model.
pub async fn ask(model: &dyn Model, told: &str, question: &str, raw: &Raw) -> Result<Told, ModelFault> {
    let prompt = Prompt {
        purpose: Purpose::Draft,
        version: VERSION.to_owned(),
        system: SYSTEM.to_owned(),
        turns: vec![Turn {
            speaker: Speaker::User,
            text: format!("{told}\n# question\n{}\n", json!(question)),
        }],
        schema: json!({
            "type": "object", "properties": { "sql": { "type": "string" } }, "required": ["sql"],
            "additionalProperties": false,
        }),
        limits: PromptLimits { attempts_max: 1, reply_tokens_max: REPLY_TOKENS_MAX },
    };
    let reply = model.complete(&prompt).await?;
    let value = match &reply.said {
        Said::Fits(value) => value,
        Said::Unfit(unfit) => return Ok(Told::Broken(unfit.to_string())),
    };
    let sql = value.get("sql").and_then(|sql| sql.as_str()).unwrap_or_default();
    if sql.trim().trim_matches(|c: char| !c.is_alphabetic()).eq_ignore_ascii_case(DECLINES) {
        return Ok(Told::Declined);
    }
    Ok(match raw.rows(sql) {
        Ok(table) => Told::Rows(sql.to_owned(), table),
        Err(error) => Told::Broken(format!("{sql}: {}", error.lines().next().unwrap_or_default())),
    })
}
