//! A sheet of paraphrases: each question as somebody writes it, and what is right under it.
//!
//! Deliberately absent: anything of tieout's own reading. What is right is SQL that a person wrote over the raw files.

use std::{collections::BTreeMap, error::Error, fs, path::Path};

use crate::tables::Order;

/// A sheet, as its file says it.
#[derive(Debug, Default)]
pub struct Sheet {
    /// The world's folder, from the root of the repository.
    pub project: String,
    /// The tenant of the session.
    pub tenant: Option<String>,
    /// The day on which it is asked.
    pub today: String,
    /// Questions with their SQL, for the prompt of a model that writes SQL; none of them is asked.
    pub examples: Vec<(String, String)>,
    /// The questions.
    pub questions: Vec<Asked>,
}

/// A question, and what is right.
#[derive(Debug)]
pub struct Asked {
    /// As written.
    pub text: String,
    /// What is right.
    pub right: Right,
}

/// What is right.
#[derive(Debug)]
pub enum Right {
    /// The rows of any of these.
    Rows(Vec<Witness>),
    /// No answer; the sheet says why.
    Declined,
}

/// A statement whose rows are right.
#[derive(Debug)]
pub struct Witness {
    /// The statement.
    pub sql: String,
    /// Whether the question asks for an order.
    pub order: Order,
}

impl Sheet {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or a question says nothing of what is right.
    pub fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let text = fs::read_to_string(path)?;
        let mut parts = text.split("\n## ");
        let mut sheet = Self::default();
        let head = fences(parts.next().unwrap_or_default());
        let settings: BTreeMap<&str, &str> = head
            .iter()
            .flat_map(|(_, body)| body.lines())
            .filter_map(|line| line.split_once(':').map(|(key, value)| (key.trim(), value.trim())))
            .collect();
        let setting = |key: &str| settings.get(key).map(|value| (*value).to_owned());
        sheet.project = setting("project").ok_or("the sheet names no project")?;
        sheet.today = setting("now").ok_or("the sheet names no day")?;
        sheet.tenant = setting("tenant");
        for part in parts {
            let (title, body) = part.split_once('\n').ok_or("a question without anything under it")?;
            sheet.add(title.trim(), &fences(body))?;
        }
        Ok(sheet)
    }

    fn add(&mut self, title: &str, fences: &[(String, String)]) -> Result<(), String> {
        if let (Some(question), [(_, sql)]) = (title.strip_prefix("example: "), fences) {
            self.examples.push((question.to_owned(), sql.clone()));
            return Ok(());
        }
        let right = match fences {
            [(kind, _)] if kind == "decline" => Right::Declined,
            all if !all.is_empty() && all.iter().all(|(kind, _)| kind.starts_with("sql")) => {
                let witness = |(kind, sql): &(String, String)| Witness {
                    sql: sql.clone(),
                    order: if kind == "sql ordered" { Order::Counts } else { Order::IsFree },
                };
                Right::Rows(all.iter().map(witness).collect())
            }
            _ => return Err(format!("“{title}” says nothing of what is right")),
        };
        self.questions.push(Asked { text: title.to_owned(), right });
        Ok(())
    }
}

/// The fences of a text: the word behind the opening one, and what is within.
fn fences(text: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut open: Option<(String, Vec<&str>)> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some((kind, lines))) => all.push((kind, lines.join("\n"))),
            (Some(kind), None) => open = Some((kind.trim().to_owned(), Vec::new())),
            (None, Some((kind, mut lines))) => {
                lines.push(line);
                open = Some((kind, lines));
            }
            (None, None) => {}
        }
    }
    all
}
