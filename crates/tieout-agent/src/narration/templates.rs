//! The built-in narrator: sentences from templates, a slot for every figure.
//!
//! Deliberately absent: numerals (slots hold them), causes, and any figure that the table does not have.

use async_trait::async_trait;
use tieout_core::{
    claim::{Author, ClaimKind, Confidence, Draft, Piece, Sentence},
    definitions::{Narrowed, Settled},
    figures::{Figure, FigureColumn, FigureValue, Figures, Line, Role},
    halt::Halt,
    ports::Narrator,
    reading::{RankBy, Ranking, Request, Sort},
};

/// The most groups that get a sentence of their own; the table holds them all.
pub const GROUP_SENTENCES_MAX: usize = 12;

/// Writes sentences from templates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Templates;

#[async_trait]
impl Narrator for Templates {
    async fn narrate(&self, settled: &Settled, figures: &Figures) -> Result<Draft, Halt> {
        Ok(Draft { sentences: sentences(settled, figures) })
    }
}

fn sentences(settled: &Settled, figures: &Figures) -> Vec<Sentence> {
    let narrowed = settled.narrowed();
    if let Some(listing) = &figures.listing {
        let mut pieces =
            vec![words("the list shows "), Piece::RowCount(listing.evidence.clone()), words(" lines")];
        pieces.extend(conditions(" where ", &narrowed.rows));
        return vec![sentence(ClaimKind::List, Confidence::Retrieved, pieces)];
    }
    let (period, ranking) = match settled.request() {
        Request::Figures(request) => (request.period.words.as_str(), request.ranking.as_ref()),
        Request::Rows(request) => (request.period.words.as_str(), request.ranking.as_ref()),
        Request::About(_) => ("", None),
    };
    let writer = Writer { figures, period, narrowed };
    let mut all = Vec::new();
    if let Some(line) = &figures.total {
        all.extend(writer.line(line));
    }
    if let (Some(ranking), Some(first)) = (ranking, figures.lines.first()) {
        all.extend(writer.rank(ranking, first));
    }
    for line in figures.lines.iter().take(GROUP_SENTENCES_MAX) {
        all.extend(writer.line(line));
    }
    all
}

struct Writer<'a> {
    figures: &'a Figures,
    period: &'a str,
    narrowed: &'a Narrowed,
}

impl Writer<'_> {
    /// One sentence for each measure of a line.
    fn line(&self, line: &Line) -> Vec<Sentence> {
        let mut all = Vec::new();
        let mut at = 0;
        while at < line.figures.len() {
            let measure = self.column(&line.figures[at]).map(|c| c.measure.as_str());
            let same = |f: &&Figure| self.column(f).map(|c| c.measure.as_str()) == measure;
            let width = line.figures[at..].iter().take_while(same).count().max(1);
            // Two measures of the same name stand side by side in one table only when a question names one twice.
            let width = width.min(self.width());
            all.extend(self.measure(line, &line.figures[at..at + width]));
            at += width;
        }
        all
    }

    /// How many columns one measure has.
    fn width(&self) -> usize {
        let first = self.figures.columns.first().map(|c| c.role);
        let again = self.figures.columns.iter().skip(1).position(|c| Some(c.role) == first);
        again.map_or(self.figures.columns.len(), |p| p + 1)
    }

    fn measure(&self, line: &Line, figures: &[Figure]) -> Option<Sentence> {
        let first = figures.first()?;
        let column = self.column(first)?;
        let mut pieces = self.subject(line, column);
        let by_role = |role| figures.iter().find(|f| self.column(f).is_some_and(|c| c.role == role));
        let kind = match column.role {
            Role::Value => {
                match (by_role(Role::Baseline), by_role(Role::Difference), by_role(Role::Change)) {
                    (Some(baseline), Some(difference), Some(change)) => {
                        self.change(&mut pieces, first, baseline, difference, change);
                        ClaimKind::Change
                    }
                    _ => {
                        pieces.extend([words(" is "), slot(first)]);
                        if let Some(share) = by_role(Role::Share) {
                            pieces.extend([words(", "), slot(share), words(" of the total")]);
                        }
                        ClaimKind::Value
                    }
                }
            }
            Role::Part => {
                let (whole, share) = (by_role(Role::Whole)?, by_role(Role::Share)?);
                pieces.extend([
                    words(" is "),
                    slot(first),
                    words(" of "),
                    slot(whole),
                    words(": "),
                    slot(share),
                ]);
                pieces.extend(conditions(" where ", &self.narrowed.part));
                ClaimKind::Share
            }
            Role::Baseline | Role::Difference | Role::Change | Role::Whole | Role::Share => {
                pieces.extend([words(" is "), slot(first)]);
                ClaimKind::Value
            }
        };
        let retrieved = figures.len() == 1 && first.working.as_cell().is_some();
        let confidence = if retrieved { Confidence::Retrieved } else { Confidence::Computed };
        Some(sentence(kind, confidence, pieces))
    }

    fn change(
        &self,
        pieces: &mut Vec<Piece>,
        value: &Figure,
        baseline: &Figure,
        difference: &Figure,
        change: &Figure,
    ) {
        pieces.extend([words(" is "), slot(value)]);
        if baseline.value.number().is_none() && change.value.number().is_none() {
            pieces.extend([words("; the change is "), slot(change)]);
            return;
        }
        pieces.extend([words(" against "), slot(baseline)]);
        if let Some(period) = self.column(baseline).and_then(|c| c.period.clone()) {
            pieces.extend([words(" in "), Piece::Name(period)]);
        } else {
            pieces.push(words(" one step before"));
        }
        pieces.extend([words("; difference "), slot(difference), words(", change "), slot(change)]);
    }

    fn subject(&self, line: &Line, column: &FigureColumn) -> Vec<Piece> {
        let mut pieces = vec![Piece::Name(column.label.clone())];
        pieces.extend(conditions(" where ", &self.narrowed.rows));
        for (i, key) in line.keys.iter().enumerate() {
            pieces.push(words(", "));
            if let Some(grouping) = self.figures.groupings.get(i) {
                pieces.extend([Piece::Name(grouping.clone()), words(" ")]);
            }
            pieces.push(Piece::Name(key.shown.clone()));
        }
        let period = column.period.as_deref().unwrap_or(self.period);
        if !period.is_empty() {
            pieces.extend([words(", "), Piece::Name(period.to_owned())]);
        }
        pieces
    }

    /// The first group of an order by a figure.
    fn rank(&self, ranking: &Ranking, first: &Line) -> Option<Sentence> {
        let measure = match &ranking.by {
            RankBy::Measure(m) | RankBy::Change(m) => *m,
            RankBy::Field(_) => return None,
        };
        let offset = match (&ranking.by, self.figures.columns.first().map(|c| c.role)) {
            (RankBy::Change(_), _) => 3,
            (RankBy::Measure(_) | RankBy::Field(_), Some(Role::Part)) => 2,
            (RankBy::Measure(_) | RankBy::Field(_), _) => 0,
        };
        let figure = first.figures.get(measure * self.width() + offset)?;
        let FigureValue::Number(_) = figure.value else { return None };
        let column = self.column(figure)?;
        let most = match ranking.sort {
            Sort::Descending => " has the highest ",
            Sort::Ascending => " has the lowest ",
        };
        let tied = self.figures.lines.get(1).and_then(|l| l.figures.get(measure * self.width() + offset));
        if tied.is_some_and(|t| t.value == figure.value) {
            return None;
        }
        let mut pieces = Vec::new();
        for (i, key) in first.keys.iter().enumerate() {
            if i > 0 {
                pieces.push(words(", "));
            }
            pieces.push(Piece::Name(key.shown.clone()));
        }
        pieces.extend([words(most), Piece::Name(column.label.clone())]);
        pieces.extend(conditions(" where ", &self.narrowed.rows));
        if !self.period.is_empty() {
            pieces.extend([words(", "), Piece::Name(self.period.to_owned())]);
        }
        pieces.extend([words(": "), slot(figure)]);
        Some(sentence(ClaimKind::Rank, Confidence::Computed, pieces))
    }

    fn column(&self, figure: &Figure) -> Option<&FigureColumn> {
        self.figures.columns.get(figure.column)
    }
}

/// What narrows the rows, said in the sentence itself.
fn conditions(opening: &str, narrowed: &[String]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (i, condition) in narrowed.iter().enumerate() {
        pieces.extend([words(if i == 0 { opening } else { " and " }), Piece::Name(condition.clone())]);
    }
    pieces
}

fn sentence(kind: ClaimKind, confidence: Confidence, pieces: Vec<Piece>) -> Sentence {
    Sentence { kind, pieces, confidence, author: Author::Template }
}

fn words(text: &str) -> Piece {
    Piece::Words(text.to_owned())
}

fn slot(figure: &Figure) -> Piece {
    Piece::Figure(figure.id.clone())
}
