//! What the warehouse gave: rows, sealed with the query that fetched them.
//!
//! [`Evidence`] is made only by [`seal`] and never changes; its digest is worked out from its rows. Deliberately
//! absent: any figure (the next stage's) and any judgement of the reading.

use std::fmt::Write as _;

use bigdecimal::BigDecimal;
use jiff::{Timestamp, civil::Date, civil::DateTime};
use sha2::{Digest, Sha256};
use tieout_sql::CheckedQuery;

/// One value that came back. A float is kept by its shortest exact decimal; what is not a finite number has a form of
/// its own, so that it can never be taken for a figure.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cell {
    /// No value.
    Null,
    /// True or false.
    Boolean(bool),
    /// An exact number.
    Number(BigDecimal),
    /// NaN or an infinity, as the engine writes it.
    NotFinite(String),
    /// Text.
    Text(String),
    /// A civil date.
    Date(Date),
    /// A civil date and time.
    DateTime(DateTime),
    /// A moment.
    Instant(Timestamp),
}

impl Cell {
    /// One unambiguous line: the kind, then the value. What digests are made of and what the ledger stores.
    #[must_use]
    pub fn canonical(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Boolean(b) => format!("boolean {b}"),
            Self::Number(n) => format!("number {}", n.normalized().to_plain_string()),
            Self::NotFinite(t) => format!("not_finite {t}"),
            Self::Text(t) => format!("text {t}"),
            Self::Date(d) => format!("date {d}"),
            Self::DateTime(d) => format!("datetime {d}"),
            Self::Instant(t) => format!("instant {t}"),
        }
    }

    /// Reads a canonical line back.
    #[must_use]
    pub fn from_canonical(line: &str) -> Option<Self> {
        if line == "null" {
            return Some(Self::Null);
        }
        let (kind, text) = line.split_once(' ')?;
        Some(match kind {
            "boolean" => Self::Boolean(text.parse().ok()?),
            "number" => Self::Number(text.parse().ok()?),
            "not_finite" => Self::NotFinite(text.to_owned()),
            "text" => Self::Text(text.to_owned()),
            "date" => Self::Date(text.parse().ok()?),
            "datetime" => Self::DateTime(text.parse().ok()?),
            "instant" => Self::Instant(text.parse().ok()?),
            _ => return None,
        })
    }

    /// How a person reads it. A missing value is written `(none)`, which no stored text is taken for on the wire.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Null => "(none)".to_owned(),
            Self::Boolean(b) => if *b { "yes" } else { "no" }.to_owned(),
            Self::Number(n) => n.normalized().to_plain_string(),
            Self::NotFinite(t) | Self::Text(t) => t.clone(),
            Self::Date(d) => d.to_string(),
            Self::DateTime(d) => d.to_string().replace('T', " "),
            Self::Instant(t) => t.to_string(),
        }
    }
}

/// Rows as they came back.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Rows {
    /// The columns' names, in order.
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
    /// Whether there were more rows than the limit; then the last are not here.
    pub cut: bool,
}

impl Rows {
    /// SHA-256 over the columns' names and the rows in a canonical order, in hexadecimal. The order in which an
    /// engine returned them does not matter.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut lines: Vec<String> = self.rows.iter().map(|row| canonical_row(row)).collect();
        lines.sort_unstable();
        let mut hash = Sha256::new();
        hash.update(self.columns.join("\u{1f}"));
        for line in lines {
            hash.update("\u{1e}");
            hash.update(line);
        }
        let mut text = String::with_capacity(64);
        for byte in hash.finalize() {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    /// A column's place.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c == name)
    }
}

fn canonical_row(row: &[Cell]) -> String {
    row.iter().map(Cell::canonical).collect::<Vec<_>>().join("\u{1f}")
}

/// Why a query was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Its cells become figures.
    Figures,
    /// Its rows are the list that was asked for.
    List,
    /// The rows that were counted, by key, so that a figure can be followed back to them.
    Support,
    /// When rows last arrived.
    Freshness,
    /// Whether a key that a join relies on names one row each.
    Integrity,
    /// Its rows are those of a statement that somebody wrote.
    Statement,
}

impl Purpose {
    /// The purpose as shown and as written in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Figures => "figures",
            Self::List => "list",
            Self::Support => "support",
            Self::Freshness => "freshness",
            Self::Integrity => "integrity",
            Self::Statement => "statement",
        }
    }
}

/// What rows a query found. Not loaded yet, before history and thin are found by `seal`'s callers, which know the
/// period and the policy, and stop the pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EvidenceState {
    /// Some.
    Rows,
    /// Some, and every figure in them is zero.
    Zero,
    /// None matched.
    None,
    /// More than the limit; the rest is not here.
    CutShort,
}

/// Who wrote a statement. Whoever it was, it met the same checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Writer {
    /// Our own code, from the plan.
    #[default]
    Compiler,
    /// A language model, from the settled definitions; it was held to what our own statement works out.
    Model,
    /// Whoever asked.
    Asker,
}

impl Writer {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Compiler, Self::Model, Self::Asker];

    /// As shown and as written in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Compiler => "compiler",
            Self::Model => "model",
            Self::Asker => "asker",
        }
    }
}

/// Rows, sealed with their query.
#[derive(Clone, Debug)]
pub struct Evidence {
    id: String,
    purpose: Purpose,
    writer: Writer,
    query: CheckedQuery,
    rows: Rows,
    digest: String,
    state: EvidenceState,
    label: String,
    key_columns: usize,
}

impl Evidence {
    /// How many columns at the start name a row of the result: the group's keys, or a list's primary key.
    #[must_use]
    pub fn key_columns(&self) -> usize {
        self.key_columns
    }
    /// The query's id within the answer: `q1`, `q2`, ….
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
    /// Why it was run.
    #[must_use]
    pub fn purpose(&self) -> Purpose {
        self.purpose
    }
    /// Who wrote its statement.
    #[must_use]
    pub fn writer(&self) -> Writer {
        self.writer
    }
    /// What it fetches, in words: `net revenue, September 2026, by channel`.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }
    /// What ran.
    #[must_use]
    pub fn query(&self) -> &CheckedQuery {
        &self.query
    }
    /// What came back.
    #[must_use]
    pub fn rows(&self) -> &Rows {
        &self.rows
    }
    /// SHA-256 of the rows at the time of sealing.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }
    /// Whether there are rows.
    #[must_use]
    pub fn state(&self) -> EvidenceState {
        self.state
    }

    /// Whether the rows still have the digest they were sealed with.
    #[must_use]
    pub fn intact(&self) -> bool {
        self.rows.digest() == self.digest
    }
}

/// Something that must be said beside an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caveat {
    /// A stable code, such as `incomplete_period`.
    pub code: &'static str,
    /// In a sentence.
    pub text: String,
}

/// What is known of rows before they come back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The query's id within the answer: `q1`, `q2`, ….
    pub id: String,
    /// Why it is run.
    pub purpose: Purpose,
    /// Who wrote its statement.
    pub writer: Writer,
    /// What it fetches, in words.
    pub text: String,
    /// How many columns at the start name a row of the result.
    pub key_columns: usize,
}

/// Seals rows with the query that fetched them.
#[must_use]
pub fn seal(label: Label, query: CheckedQuery, rows: Rows) -> Evidence {
    let digest = rows.digest();
    let state = state_of(&rows);
    let Label { id, purpose, writer, text, key_columns } = label;
    Evidence { id, purpose, writer, query, rows, digest, state, label: text, key_columns }
}

fn state_of(rows: &Rows) -> EvidenceState {
    use bigdecimal::Zero;
    if rows.cut {
        return EvidenceState::CutShort;
    }
    if rows.rows.is_empty() {
        return EvidenceState::None;
    }
    let mut numbers = rows.rows.iter().flatten().filter_map(|c| match c {
        Cell::Number(n) => Some(n),
        Cell::Null
        | Cell::Boolean(_)
        | Cell::NotFinite(_)
        | Cell::Text(_)
        | Cell::Date(_)
        | Cell::DateTime(_)
        | Cell::Instant(_) => None,
    });
    let any = numbers.clone().next().is_some();
    if any && numbers.all(BigDecimal::is_zero) { EvidenceState::Zero } else { EvidenceState::Rows }
}

/// The same evidence with other rows but the old digest, for the tests that must see it refused.
#[doc(hidden)]
#[must_use]
pub fn forged(evidence: &Evidence, rows: Rows) -> Evidence {
    Evidence { rows, ..evidence.clone() }
}
