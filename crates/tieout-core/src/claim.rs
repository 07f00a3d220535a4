//! Sentences that hold: drafts with slots, and the one notion of truth that lets them through.
//!
//! A [`Draft`] names figures; it holds no numeral. [`tether`] works every figure out again from the evidence, checks
//! the evidence's digest, and only then prints the sentence. Replay, evals, gates and generation all call it.

use crate::{
    evidence::{Cell, Evidence, Purpose},
    figures::{Book, FigureValue, Figures, Working, work_out},
    number::Unit,
    reading::{Problem, ReasonCode},
};

/// Sentences before they are checked.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Draft {
    /// In the order shown.
    pub sentences: Vec<Sentence>,
}

/// A sentence with slots.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    /// What kind of claim it makes.
    pub kind: ClaimKind,
    /// Text and slots, in order.
    pub pieces: Vec<Piece>,
    /// How the claim is known.
    pub confidence: Confidence,
    /// Who worded it.
    pub author: Author,
}

/// Who worded a sentence. Nobody but code fills its slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Author {
    /// One of our templates.
    Template,
    /// A language model, whose words were judged one by one.
    Model,
}

impl Author {
    /// The author as written in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Template => "template",
            Self::Model => "model",
        }
    }
}

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Words of the template. No numeral may stand in them.
    Words(String),
    /// A name from the reading or the data (a metric's label, a period, a group's key): copied, not written.
    Name(String),
    /// A figure, by id.
    Figure(String),
    /// How many rows an evidence holds, by its id.
    RowCount(String),
    /// A figure that an inference reasons from, by id. It prints nothing: an inference is never a figure.
    From(String),
}

/// Kinds of claim: an open set in the catalogue of templates, closed here because policies match on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClaimKind {
    /// A measure has a value.
    Value,
    /// A measure changed against another period.
    Change,
    /// A part has a share of a whole.
    Share,
    /// A group is first or last in an order.
    Rank,
    /// A list has so many rows.
    List,
    /// A definition, quoted from the catalogue.
    Definition,
    /// Reasoning beyond the data, which no row proves.
    Inference,
}

impl ClaimKind {
    /// Every kind, for the test that demands a case of each.
    pub const ALL: [Self; 7] =
        [Self::Value, Self::Change, Self::Share, Self::Rank, Self::List, Self::Definition, Self::Inference];

    /// The kind as shown and as written in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Change => "change",
            Self::Share => "share",
            Self::Rank => "rank",
            Self::List => "list",
            Self::Definition => "definition",
            Self::Inference => "inference",
        }
    }
}

/// How a claim is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Confidence {
    /// Worked out by our code from evidence.
    Computed,
    /// Copied from a cell or from the catalogue.
    Retrieved,
    /// Reasoned beyond the data. Never a figure.
    Inferred,
}

impl Confidence {
    /// The confidence as shown and as written in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Computed => "computed",
            Self::Retrieved => "retrieved",
            Self::Inferred => "inferred",
        }
    }
}

/// Where a claim comes from: something that resolves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClaimSource {
    /// A cell of a query's result.
    Cell {
        /// The query's id within the answer.
        query: String,
        /// The datasets it reads.
        tables: Vec<String>,
        /// The row's key in the result.
        row_key: Vec<Cell>,
        /// The column.
        column: String,
    },
    /// The rows of a query's result.
    Rows {
        /// The query's id within the answer.
        query: String,
        /// The datasets it reads.
        tables: Vec<String>,
    },
    /// An entry of the catalogue.
    Catalogue {
        /// Its kind and name.
        entry: String,
    },
}

/// A sentence that holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// `c1`, `c2`, … within the answer.
    pub id: String,
    /// What kind.
    pub kind: ClaimKind,
    /// The sentence, slots filled.
    pub text: String,
    /// The figures it names, each with its working, value and unit.
    pub values: Vec<ClaimValue>,
    /// How it is known.
    pub confidence: Confidence,
    /// Text copied letter by letter from the data or the catalogue, where the claim quotes.
    pub verbatim: Option<String>,
    /// Where it comes from, or for an inference what it reasons from; never empty.
    pub sources: Vec<ClaimSource>,
    /// Who worded it.
    pub author: Author,
}

/// A figure named by a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimValue {
    /// The figure's id.
    pub figure: String,
    /// How it is made.
    pub working: Working,
    /// What came of it.
    pub value: FigureValue,
    /// Its unit.
    pub unit: Unit,
    /// As printed in the sentence.
    pub shown: String,
}

/// Claims that were tethered. Made only by [`tether`] and [`tether_quotes`].
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Claims(Vec<Claim>);

impl Claims {
    /// The claims, in order.
    #[must_use]
    pub fn list(&self) -> &[Claim] {
        &self.0
    }
}

/// Checks every figure of the table and every sentence of the draft against the evidence.
///
/// # Errors
/// A problem for each figure, digest or sentence that does not hold; then nothing may be shown.
pub fn tether(draft: &Draft, figures: &Figures, evidence: &[Evidence]) -> Result<Claims, Vec<Problem>> {
    let mut problems = Vec::new();
    for e in evidence.iter().filter(|e| !e.intact()) {
        problems.push(untethered(format!("the rows of {} are not the rows that were sealed", e.id())));
    }
    let book = Book::open(evidence);
    for (_, figure) in figures.all() {
        match work_out(&figure.working, &book) {
            Ok(value) if value == figure.value => {}
            Ok(value) => problems.push(untethered(format!(
                "figure {} says {:?}, but its evidence gives {:?}",
                figure.id, figure.value, value
            ))),
            Err(e) => problems.push(untethered(format!("figure {} cannot be worked out: {e}", figure.id))),
        }
    }
    check_listing(figures, evidence, &mut problems);
    let mut claims = Vec::new();
    for sentence in &draft.sentences {
        match claim_of(sentence, claims.len() + 1, figures, evidence) {
            Ok(claim) => claims.push(claim),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() { Ok(Claims(claims)) } else { Err(problems) }
}

/// Text that is to be quoted, and where it is said to stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// The catalogue's entry, by kind and name: `metric net_revenue`.
    pub entry: String,
    /// The text.
    pub text: String,
}

/// Claims that quote: each text must stand letter by letter in its source.
///
/// # Errors
/// A problem for each text whose source is not there or says something else.
pub fn tether_quotes(
    quotes: &[Quote],
    source: &dyn Fn(&str) -> Option<String>,
) -> Result<Claims, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut claims = Vec::new();
    for quote in quotes {
        match source(&quote.entry) {
            Some(text) if text.contains(&quote.text) && !quote.text.is_empty() => claims.push(Claim {
                id: format!("c{}", claims.len() + 1),
                kind: ClaimKind::Definition,
                text: quote.text.clone(),
                values: Vec::new(),
                confidence: Confidence::Retrieved,
                verbatim: Some(quote.text.clone()),
                sources: vec![ClaimSource::Catalogue { entry: quote.entry.clone() }],
                author: Author::Template,
            }),
            Some(_) => problems.push(untethered(format!("{} does not say “{}”", quote.entry, quote.text))),
            None => problems.push(untethered(format!("there is no {} to quote", quote.entry))),
        }
    }
    if problems.is_empty() { Ok(Claims(claims)) } else { Err(problems) }
}

fn check_listing(figures: &Figures, evidence: &[Evidence], problems: &mut Vec<Problem>) {
    let Some(listing) = &figures.listing else { return };
    match evidence.iter().find(|e| e.id() == listing.evidence) {
        None => problems.push(untethered(format!("the list names {}, which was not run", listing.evidence))),
        Some(e) if listing.columns.iter().any(|c| c.place >= e.rows().columns.len()) => {
            problems.push(untethered(format!("the list shows a column that {} does not have", e.id())));
        }
        Some(_) => {}
    }
}

fn claim_of(
    sentence: &Sentence,
    number: usize,
    figures: &Figures,
    evidence: &[Evidence],
) -> Result<Claim, Problem> {
    let mut text = String::new();
    let mut values = Vec::new();
    let mut sources = Vec::new();
    let inferred = sentence.confidence == Confidence::Inferred;
    if inferred != (sentence.kind == ClaimKind::Inference) {
        return Err(untethered(
            "a sentence is inferred, or it is not: its kind must say the same".to_owned(),
        ));
    }
    for piece in &sentence.pieces {
        match piece {
            Piece::Figure(_) | Piece::RowCount(_) if inferred => {
                return Err(untethered("an inference states a figure".to_owned()));
            }
            Piece::From(id) if inferred => {
                let (_, figure) = figures.get(id).ok_or_else(|| not_there(id))?;
                sources_of(&figure.working, evidence, &mut sources)?;
            }
            Piece::From(id) => {
                return Err(untethered(format!("a sentence reasons from figure {id} and is not inferred")));
            }
            Piece::Words(words) if words.chars().any(char::is_numeric) => {
                return Err(untethered(format!("a numeral stands in the words “{words}”, outside any slot")));
            }
            Piece::Words(words) => text.push_str(words),
            Piece::Name(name) if !figures.may_name(name) => {
                return Err(untethered(format!("“{name}” is not a name of the reading or of the data")));
            }
            Piece::Name(name) => text.push_str(name),
            Piece::Figure(id) => {
                let value = slot(id, figures)?;
                text.push_str(&value.shown);
                sources_of(&value.working, evidence, &mut sources)?;
                values.push(value);
            }
            Piece::RowCount(id) => {
                let found = find(id, evidence)?;
                text.push_str(&found.rows().rows.len().to_string());
                sources
                    .push(ClaimSource::Rows { query: id.clone(), tables: found.query().tables().to_vec() });
            }
        }
    }
    if sources.is_empty() {
        return Err(untethered(format!("the sentence “{text}” names no source")));
    }
    Ok(Claim {
        id: format!("c{number}"),
        kind: sentence.kind,
        text,
        values,
        confidence: sentence.confidence,
        verbatim: None,
        sources,
        author: sentence.author,
    })
}

fn slot(id: &str, figures: &Figures) -> Result<ClaimValue, Problem> {
    let (_, figure) = figures.get(id).ok_or_else(|| not_there(id))?;
    let unit = figures.columns.get(figure.column).ok_or_else(|| not_there(id))?.unit.clone();
    Ok(ClaimValue {
        figure: figure.id.clone(),
        working: figure.working.clone(),
        value: figure.value.clone(),
        shown: figure.value.shown(&unit),
        unit,
    })
}

fn not_there(id: &str) -> Problem {
    untethered(format!("a sentence names figure {id}, which does not exist"))
}

fn sources_of(working: &Working, evidence: &[Evidence], into: &mut Vec<ClaimSource>) -> Result<(), Problem> {
    for cell in working.cells() {
        let found = find(&cell.evidence, evidence)?;
        let source = ClaimSource::Cell {
            query: cell.evidence.clone(),
            tables: found.query().tables().to_vec(),
            row_key: cell.key.clone(),
            column: cell.column.clone(),
        };
        if !into.contains(&source) {
            into.push(source);
        }
    }
    Ok(())
}

fn find<'a>(id: &str, evidence: &'a [Evidence]) -> Result<&'a Evidence, Problem> {
    let figures = |p| matches!(p, Purpose::Figures | Purpose::List | Purpose::Support);
    let wanted = |e: &&Evidence| e.id() == id && figures(e.purpose());
    evidence
        .iter()
        .find(wanted)
        .ok_or_else(|| untethered(format!("a sentence names {id}, which is not among the evidence")))
}

fn untethered(message: String) -> Problem {
    Problem {
        code: ReasonCode::Untethered,
        message,
        hint: "nothing is shown, because it cannot be tied to its rows; please report this".to_owned(),
        nearest: Vec::new(),
        start: None,
    }
}
