//! Reads a question with no model: tokens, a lexicon of the catalogue and its data, time expressions, and a grammar.
//!
//! A question passes through five steps, each a value of its own:
//!
//! 1. [`tokens`]: words, numbers, quotations and signs, each with its place in the text.
//! 2. [`lattice`]: every reading of every run of tokens: a metric, dataset, field, value, population, relationship or
//!    term of the [`lexicon`]; a class of words of the [`language`]; a time ([`time`]). Lookups by hash, no scans.
//! 3. [`grammar`]: clauses over the lattice, one file a kind, each giving every reading of a clause; a search keeps the
//!    best sequences of clauses that cover the whole question. A word that no clause covers costs more than any clause
//!    can win, so that it is skipped only when nothing reads it, and then it is reported.
//! 4. [`resolve`]: each sequence as a typed request. Here a phrase is bound to one field, metric or way along stated
//!    relationships, or becomes a doubt with numbered choices, or a problem with a reason.
//! 5. `scoring`: the best reading stands; readings that are as good and ask for something else are put to the asker.
//!
//! What keeps the reader honest: every token lies in exactly one [`WordUse`](tieout_core::reading::WordUse); data can only
//! ever be values; a near miss is offered, never bound; a tie is a doubt; nothing is read twice. It is total and
//! deterministic: no input makes it panic, and the same input gives the same reading.
//!
//! Deliberately absent: SQL, IO, clocks, and any decision whether a doubt may stand, which `settle` takes.

mod cache;
pub mod examine;
pub mod grammar;
pub mod language;
pub mod lattice;
pub mod lexicon;
mod objections;
mod plain;
pub mod resolve;
mod scoring;
pub mod time;
pub mod tokens;

use std::sync::Arc;

use async_trait::async_trait;
use tieout_core::{
    halt::Halt,
    ports::{ReadContext, Reader},
    question::{QUESTION_CHARS_MAX, Question},
    reading::{Problem, READING, Reading, ReasonCode, Use, WordUse},
};

use crate::{
    grammar::Sequence,
    lattice::Chart,
    lexicon::Lexicon,
    resolve::{Context, Resolved},
};

/// How many of the best sequences of clauses are resolved.
const SEQUENCES_RESOLVED_MAX: usize = 24;

/// What it costs a reading that one of its words or parts could not be settled.
const OBJECTION: i32 = 9;

/// The built-in reader. It keeps the lexicons of the last few catalogues and data that it read with.
#[derive(Debug, Default)]
pub struct BuiltinReader {
    lexicons: cache::Lexicons,
}

impl BuiltinReader {
    /// A reader with nothing kept yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads with a lexicon of the context's own catalogue and values, built now or kept from before.
    ///
    /// # Errors
    /// A refusal with every problem found, the first to be settled first.
    pub fn read_now(&self, question: &Question, context: ReadContext<'_>) -> Result<Reading, Halt> {
        let lexicon: Arc<Lexicon> = self.lexicons.of(context);
        read(question, context, &lexicon)
    }
}

#[async_trait]
impl Reader for BuiltinReader {
    async fn read(&self, question: &Question, context: ReadContext<'_>) -> Result<Reading, Halt> {
        self.read_now(question, context)
    }
}

/// Reads a question with a lexicon that was built from the context's own catalogue and values.
///
/// # Errors
/// A refusal with every problem found, the first to be settled first.
pub fn read(question: &Question, context: ReadContext<'_>, lexicon: &Lexicon) -> Result<Reading, Halt> {
    match outcome(question, context, lexicon) {
        Outcome::Read(reading) => Ok(*reading),
        Outcome::Declined { problems, .. } => Err(Halt::Refuse(problems)),
    }
}

/// What every word was used for, whether or not the question can be answered.
#[must_use]
pub fn account(question: &Question, context: ReadContext<'_>, lexicon: &Lexicon) -> Vec<WordUse> {
    match outcome(question, context, lexicon) {
        Outcome::Read(reading) => reading.words,
        Outcome::Declined { words, .. } => words,
    }
}

enum Outcome {
    Read(Box<Reading>),
    Declined { problems: Vec<Problem>, words: Vec<WordUse> },
}

fn outcome(question: &Question, context: ReadContext<'_>, lexicon: &Lexicon) -> Outcome {
    if question.text.chars().count() > QUESTION_CHARS_MAX {
        let message = format!("the question is longer than {QUESTION_CHARS_MAX} characters");
        return declined(message, "ask for one thing at a time", &question.text);
    }
    let tokens = tokens::tokens(&question.text);
    if tokens.iter().all(tokens::Token::is_punctuation) {
        return declined(
            "the question is empty".to_owned(),
            "ask for a metric, a count or a list",
            &question.text,
        );
    }
    let chosen = |term: &str, readings: &[String]| chosen_reading(question, term, readings);
    let calendar = &context.project.calendar;
    let chart = Chart::new(
        &question.text,
        &tokens,
        lexicon,
        &context.project.catalogue,
        calendar,
        question.now,
        &chosen,
    );
    let cx = Context::new(&chart, question, context.project, context.previous);
    let sequences = grammar::sequences(&chart);
    let resolved = candidates(&cx, &sequences, context);
    conclude(&cx, resolved)
}

/// The readings among which the best is, in the order of their sequences. One that cannot be worth as much as one that is
/// known is not looked at further.
fn candidates<'s>(
    cx: &Context<'_>,
    sequences: &'s [Sequence],
    context: ReadContext<'_>,
) -> Vec<Resolved<'s>> {
    let mut found = Vec::new();
    let mut most = i32::MIN;
    for sequence in sequences.iter().take(SEQUENCES_RESOLVED_MAX) {
        if sequence.score < most {
            break;
        }
        let resolved = scoring::simplest(resolve::resolve(cx, sequence));
        if scoring::worth(&resolved) < most {
            continue;
        }
        let resolved = held_to_its_words(resolved, context, !cx.question.confirmed.is_empty());
        most = most.max(scoring::worth(&resolved));
        found.push(resolved);
    }
    found
}

/// A reading whose parts and words do not answer to each other could not be settled: one that does is preferred.
fn held_to_its_words<'s>(
    mut resolved: Resolved<'s>,
    context: ReadContext<'_>,
    confirmed: bool,
) -> Resolved<'s> {
    let catalogue = &context.project.catalogue;
    let Some(request) = resolved.request.take() else { return resolved };
    let (words, doubts) = (std::mem::take(&mut resolved.words), std::mem::take(&mut resolved.doubts));
    let sound = resolved.problems.is_empty() && doubts.is_empty();
    let reading = Reading { request, words, doubts, alternatives: Vec::new() };
    let to_names = tieout_core::definitions::objections(&reading, catalogue).len();
    let Reading { request, words, doubts, .. } = reading;
    let to_grammar = {
        let ReadContext { values, previous, .. } = context;
        let beside = objections::Beside { catalogue, values, previous, confirmed, sound };
        objections::objections(&request, &words, beside)
    };
    let objections = to_names.saturating_add(to_grammar.len());
    resolved.problems.extend(to_grammar);
    let cost = OBJECTION.saturating_mul(i32::try_from(objections).unwrap_or(i32::MAX));
    let score = resolved.score.saturating_sub(cost);
    Resolved { request: Some(request), words, doubts, score, objections, ..resolved }
}

/// The place of the reading of an ambiguous term that the asker confirmed; the first when none is.
fn chosen_reading(question: &Question, term: &str, readings: &[String]) -> usize {
    let subject = format!("term:{term}");
    let confirmed = question.confirmed.iter().find(|confirmation| confirmation.subject == subject);
    let index = confirmed.and_then(|confirmation| {
        let by_key = readings.iter().position(|reading| *reading == confirmation.choice);
        by_key.or_else(|| confirmation.choice.parse::<usize>().ok()?.checked_sub(1))
    });
    index.filter(|index| *index < readings.len()).unwrap_or(0)
}

fn conclude(cx: &Context<'_>, resolved: Vec<Resolved<'_>>) -> Outcome {
    let question = cx.question;
    let Some(ranked) = scoring::rank(resolved) else {
        return declined(
            "nothing in the question is understood".to_owned(),
            "use words of the catalogue",
            &question.text,
        );
    };
    let mut all = vec![ranked.best];
    all.extend(ranked.tied);
    let mut index = 0;
    let mut doubt = None;
    if all.len() > 1 {
        let between = scoring::between(&all.iter().collect::<Vec<_>>());
        let confirmed =
            question.confirmed.iter().find(|confirmation| confirmation.subject == between.subject);
        let picked = confirmed.and_then(|confirmation| {
            let by_key = between.choices.iter().position(|choice| choice.key == confirmation.choice);
            by_key.or_else(|| confirmation.choice.parse::<usize>().ok()?.checked_sub(1))
        });
        match picked.filter(|picked| *picked < all.len()) {
            Some(picked) => index = picked,
            None => doubt = Some(between),
        }
    }
    let best = all.swap_remove(index);
    let unsure = if best.objections == 0 { plain::unsure(cx, &best) } else { None };
    let Resolved { request: Some(request), problems, mut doubts, alternatives, words, .. } = best else {
        return Outcome::Declined { problems: at_least_one(best.problems), words: best.words };
    };
    // What an ambiguous term means is settled first: what is wrong with one meaning may be right with another.
    let behind_a_term = doubts.iter().any(|doubt| doubt.subject.starts_with("term:"));
    let hangs_on_it = behind_a_term && problems.iter().all(scoring::hangs_on_meaning);
    if !problems.is_empty() && !hangs_on_it {
        return Outcome::Declined { problems, words };
    }
    doubts.extend(doubt);
    let looked_at = question.confirmed.iter().any(|choice| choice.subject == READING);
    if let (true, false, Some(why)) = (doubts.is_empty(), looked_at, unsure) {
        doubts.push(plain::doubt(&why));
    }
    Outcome::Read(Box::new(Reading { request, words, doubts, alternatives }))
}

/// A refusal never comes without a reason.
fn at_least_one(problems: Vec<Problem>) -> Vec<Problem> {
    if problems.is_empty() {
        let message = "nothing is named that can be measured or listed";
        let hint = "name a metric or something to count; `what can I ask?` lists them";
        return vec![Problem::new(ReasonCode::NothingAsked, message, hint)];
    }
    problems
}

fn declined(message: String, hint: &str, text: &str) -> Outcome {
    let problems = vec![Problem::new(ReasonCode::NothingAsked, message, hint)];
    let words = tokens::tokens(text)
        .into_iter()
        .map(|token| WordUse { text: token.raw, start: token.start, used_as: Use::Unknown })
        .collect();
    Outcome::Declined { problems, words }
}
