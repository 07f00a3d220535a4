//! Reasons to decline, with the words that are to blame, and their order.

use tieout_core::{
    catalogue::TermMeaning,
    reading::{Problem, ReasonCode},
};

use super::{Frame, Resolver};
use crate::{
    grammar::ast::Stopper,
    lattice::{Shut, Span},
    lexicon::{Near, NearKind, field_of, may_differ_in_one},
    tokens::TokenKind,
};

/// How many unknown words are compared with the lexicon; the rest are reported without near misses.
const NEAR_SEARCHES_MAX: usize = 6;
/// The most unknown words that are reported as one.
const RUN_MAX: usize = 3;

/// Puts what must be settled first in front; what is equally urgent stays in the order of the question.
pub(super) fn sort(problems: &mut [Problem]) {
    problems.sort_by_key(|problem| (urgency(problem.code), problem.start.unwrap_or(usize::MAX)));
}

/// The smaller the more urgent.
fn urgency(code: ReasonCode) -> u8 {
    match code {
        ReasonCode::NotReading => 0,
        ReasonCode::TenantInQuestion | ReasonCode::NoTenant => 1,
        ReasonCode::Hidden => 2,
        ReasonCode::UnknownChoice => 3,
        ReasonCode::NotRecorded => 4,
        ReasonCode::AbsentTerm => 5,
        ReasonCode::UnknownWord | ReasonCode::UnknownValue => 6,
        ReasonCode::NothingAsked => 7,
        ReasonCode::DefinitionDiffers => 8,
        ReasonCode::ForbiddenGrouping | ReasonCode::NoRelationship | ReasonCode::NotAdditive => 9,
        ReasonCode::EmptyPeriod
        | ReasonCode::PeriodTooLong
        | ReasonCode::BeforeHistory
        | ReasonCode::NotLoaded => 10,
        ReasonCode::Stale | ReasonCode::Thin | ReasonCode::CutShort | ReasonCode::Unsupported => 11,
        ReasonCode::NoRows
        | ReasonCode::KeyRepeats
        | ReasonCode::Rejected
        | ReasonCode::Untethered
        | ReasonCode::NoDraft => 12,
    }
}

impl Resolver<'_> {
    /// A problem that words are to blame for; the message follows the words.
    pub(super) fn blame(&mut self, code: ReasonCode, span: Span, message: &str, hint: &str) {
        self.blame_near(code, span, message, hint, Vec::new());
    }

    /// The same, with the nearest things that exist.
    pub(super) fn blame_near(
        &mut self,
        code: ReasonCode,
        span: Span,
        message: &str,
        hint: &str,
        nearest: Vec<String>,
    ) {
        let sign =
            |at: &usize| self.chart().tokens.get(*at).is_some_and(crate::tokens::Token::is_punctuation);
        let first = (span.first..span.last).find(|at| !sign(at)).unwrap_or(span.first);
        let span = Span { first, last: span.last };
        let start = self.chart().tokens.get(span.first).map(|token| token.start);
        let message = format!("`{}` {message}", self.chart().typed(span));
        let problem = Problem { start, ..Problem::new(code, message, hint).near(nearest) };
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// A problem without words of its own.
    pub(super) fn refuse(&mut self, code: ReasonCode, message: impl Into<String>, hint: &str) {
        let problem = Problem::new(code, message, hint);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Words that stop the question, and words that are not understood.
    pub(super) fn stop(&mut self, frame: &Frame<'_>) {
        for (span, stopper) in &frame.stoppers {
            self.stopped(*span, stopper);
        }
        let runs = runs(&frame.unknown);
        for (index, run) in runs.iter().enumerate() {
            let next = runs.get(index.saturating_add(1)).copied();
            let leads = self.is_function(*run) && next.is_some_and(|next| self.leads_to(*run, next));
            if !leads {
                let run = self.trimmed(*run);
                self.unknown(run);
            }
        }
    }

    /// Whether a run holds only words that shape a sentence.
    fn is_function(&self, run: Span) -> bool {
        (run.first..=run.last).all(|at| !self.chart().classes(at).is_empty())
    }

    /// Whether only articles stand between two runs, the second of which has content: then that one is to blame.
    fn leads_to(&self, run: Span, next: Span) -> bool {
        let mut between = run.last.saturating_add(1)..next.first;
        !self.is_function(next) && between.all(|at| crate::lexicon::is_article(self.chart().text(at)))
    }

    /// A run without the language's own words at its ends, unless it has no others.
    fn trimmed(&self, run: Span) -> Span {
        let own = |at: &usize| !self.chart().classes(*at).is_empty();
        let first = (run.first..=run.last).find(|at| !own(at));
        let last = (run.first..=run.last).rev().find(|at| !own(at));
        first.zip(last).map_or(run, |(first, last)| Span { first, last })
    }

    fn stopped(&mut self, span: Span, stopper: &Stopper) {
        match stopper {
            Stopper::Order => self.blame(
                ReasonCode::NotReading,
                span,
                "is an order, and a question can only read",
                "ask for figures or rows; nothing is changed, sent or set aside by a question",
            ),
            Stopper::Why => self.blame(
                ReasonCode::NotRecorded,
                span,
                "asks for a cause, and causes are not recorded",
                "ask for the figures, for a comparison, or for a breakdown that shows where the change lies",
            ),
            Stopper::Forecast => self.blame(
                ReasonCode::NotRecorded,
                span,
                "asks for what is to come, and only what has happened is recorded",
                "ask for a period that is over, or for a trend up to now",
            ),
            Stopper::Tenant => self.blame(
                ReasonCode::TenantInQuestion,
                span,
                "names a tenant, and whose rows are seen comes from the session alone",
                "ask without it; the answer covers the session's own tenant",
            ),
            Stopper::Shut(span, Shut::Absent(term)) => self.absent(*span, *term),
            Stopper::Shut(span, Shut::Hidden(_)) => {
                self.blame(
                    ReasonCode::Hidden,
                    *span,
                    "may not be seen",
                    "ask without it, or ask the owner of the catalogue",
                );
            }
        }
    }

    fn absent(&mut self, span: Span, term: usize) {
        let Some((_, term)) = self.catalogue().terms.get_index(term) else { return };
        let TermMeaning::Absent(reason) = &term.meaning else { return };
        let message = format!("is not recorded here: {reason}");
        self.blame(ReasonCode::AbsentTerm, span, &message, "ask without it");
    }

    fn unknown(&mut self, span: Span) {
        let chart = self.chart();
        let near = self.near(span);
        let is_value = near.iter().any(|near| matches!(near.kind, NearKind::Value(_)))
            || chart.tokens.get(span.first).is_some_and(|token| token.kind == TokenKind::Quoted);
        let nearest: Vec<String> = near
            .into_iter()
            .map(|near| match near.kind {
                NearKind::Value(field) => match field_of(self.catalogue(), field) {
                    Some((dataset, field)) => format!("{} ({dataset}.{})", near.text, field.name),
                    None => near.text,
                },
                NearKind::Metric
                | NearKind::Dataset
                | NearKind::Field
                | NearKind::Population
                | NearKind::Word => near.text,
            })
            .collect();
        let hint = if nearest.is_empty() {
            "leave it out, or use words of the catalogue; `what can I ask?` lists them"
        } else {
            "did you mean one of the nearest?"
        };
        if (span.first..=span.last).all(|at| !chart.classes(at).is_empty()) {
            let message = "leads to nothing that is understood here";
            self.blame(ReasonCode::UnknownWord, span, message, "leave it out, or say it in other words");
        } else if is_value {
            self.blame_near(ReasonCode::UnknownValue, span, "is not a value of any field", hint, nearest);
        } else {
            self.blame_near(ReasonCode::UnknownWord, span, "is not a word of this catalogue", hint, nearest);
        }
    }

    /// Near misses of a run, looked for once however many readings leave it unread.
    fn near(&self, span: Span) -> Vec<Near> {
        if let Some(known) = self.cx.near.borrow().get(&span) {
            return known.clone();
        }
        if self.cx.near.borrow().len() >= NEAR_SEARCHES_MAX {
            return Vec::new();
        }
        let found = self.near_misses(span);
        self.cx.near.borrow_mut().insert(span, found.clone());
        found
    }

    /// Near misses of the whole run and of its words; words of the language last.
    fn near_misses(&self, span: Span) -> Vec<Near> {
        let chart = self.chart();
        let mut found = chart.lexicon.near(&chart.typed(span));
        if found.is_empty() && span.first != span.last {
            found = (span.first..=span.last).flat_map(|at| chart.lexicon.near(chart.text(at))).collect();
        }
        if found.is_empty() && span.first == span.last {
            let word = chart.text(span.first);
            let mut words: Vec<&str> = chart
                .language()
                .words()
                .filter(|known| word.len() > 4 && may_differ_in_one(word, known))
                .filter(|known| strsim::osa_distance(word, known) == 1)
                .collect();
            words.sort_unstable();
            let near = |word: &str| Near { text: word.to_owned(), kind: NearKind::Word };
            found.extend(words.into_iter().take(3).map(near));
        }
        found.dedup();
        found
    }
}

/// Unknown words that stand side by side are one.
fn runs(unknown: &[Span]) -> Vec<Span> {
    let mut runs: Vec<Span> = Vec::new();
    for span in unknown {
        match runs.last_mut() {
            Some(run)
                if run.last.saturating_add(1) == span.first
                    && run.last.saturating_sub(run.first) < RUN_MAX - 1 =>
            {
                run.last = span.last;
            }
            _ => runs.push(*span),
        }
    }
    runs
}
