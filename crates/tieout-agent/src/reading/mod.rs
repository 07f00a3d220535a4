//! Reads a question with a language model behind the built-in reader, and believes it in nothing.
//!
//! The model's typed request is put into words of the catalogue, and those words are read by the built-in reader, with
//! every check that a typed question meets. The question as asked is then held to that reading, word by word. What
//! stands is never an answer yet: the asker is shown the reading and the wording, and the wording is what is asked when
//! they take it. So a model may find the words, and a person says that they are right. Deliberately absent: dates and
//! sums of the model's making, and any way from a reply to the warehouse.

mod examples;
mod menu;
mod prompt;
mod read_back;
mod trimmed;
mod typed;
mod wording;

use std::{future::ready, sync::Arc};

use async_trait::async_trait;
use tieout_core::{
    attempt::{ATTEMPTS_MAX, Step, attempt},
    catalogue::{Catalogue, TermMeaning},
    halt::{Fault, Halt},
    model::{Prompt, ReadMode, Said},
    ports::{Embedder, Model, ReadContext, Reader},
    question::{Confirmation, Question},
    reading::{Choice, Doubtful, Problem, READING, Reading, ReasonCode, Request, Source, Use, WordUse},
};
use tieout_reader::{BuiltinReader, examine::Declared};

use crate::{
    journal::{Exchange, Journal, Judged},
    shortlist::shortlist,
};
use menu::Menu;
pub(crate) use menu::is_open;
use trimmed::trimmed;
use typed::{Reply, Unbound};

/// A reader with a model behind it.
pub struct ModelReader<'a> {
    /// Reads first, and judges the model.
    pub builtin: &'a BuiltinReader,
    /// The model.
    pub model: Arc<dyn Model>,
    /// Finds entries of a large catalogue by meaning, where it may.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Who reads.
    pub mode: ReadMode,
    /// Where every exchange is noted.
    pub journal: &'a Journal,
}

/// Reads a wording that the asker took where one was offered to them, and anything else as the other reader does.
pub struct TakenReader<'a> {
    /// Reads wordings; no model is asked again.
    pub builtin: &'a BuiltinReader,
    /// Reads everything else.
    pub otherwise: &'a dyn Reader,
}

#[async_trait]
impl Reader for TakenReader<'_> {
    async fn read(&self, question: &Question, context: ReadContext<'_>) -> Result<Reading, Halt> {
        match taken(question) {
            Some(worded) => read_wording(self.builtin, &worded, &question.text, context),
            None => self.otherwise.read(question, context).await,
        }
    }
}

/// The question in the words that its asker took, when they took others than their own.
fn taken(question: &Question) -> Option<Question> {
    let choice = &question.confirmed.iter().find(|choice| choice.subject == READING)?.choice;
    let own = AS_IT_STANDS.contains(&choice.as_str());
    (!own).then(|| Question { text: choice.clone(), ..question.clone() })
}

/// The choices that take a reading of the question's own words.
const AS_IT_STANDS: [&str; 2] = ["yes", "1"];

/// Reads a wording as a question of the asker's, whose parts they confirmed.
fn read_wording(
    builtin: &BuiltinReader,
    worded: &Question,
    asked: &str,
    context: ReadContext<'_>,
) -> Result<Reading, Halt> {
    let mut reading = builtin.read_now(worded, context)?;
    if reading.doubts.is_empty() {
        // Once the sources say `confirmed`, nobody would ask whether a word stands for each part.
        let problems = tieout_core::definitions::objections(&reading, &context.project.catalogue);
        if !problems.is_empty() {
            return Err(Halt::Refuse(problems));
        }
    }
    if worded.text != asked {
        as_confirmed(&mut reading.request);
    }
    Ok(reading)
}

/// A reading that was found by way of a model.
struct Found {
    wording: String,
    reading: Reading,
    left_out: Vec<String>,
    guessed: Vec<String>,
}

/// Why a request of a model's does not stand.
enum Fallen {
    /// It cannot be read at all.
    Unread(Unbound),
    /// It was read, and these of its parts and of the question's words have no counterpart.
    Unmatched(Vec<Problem>),
}

impl From<Fallen> for Unbound {
    fn from(fallen: Fallen) -> Self {
        match fallen {
            Fallen::Unread(unbound) => unbound,
            Fallen::Unmatched(problems) => Self::Problems(problems),
        }
    }
}

#[async_trait]
impl Reader for ModelReader<'_> {
    async fn read(&self, question: &Question, context: ReadContext<'_>) -> Result<Reading, Halt> {
        let own = self.builtin.read_now(question, context);
        match (self.mode, &own) {
            (ReadMode::Builtin, _) | (ReadMode::BuiltinThenModel, Ok(_)) => own,
            (ReadMode::BuiltinThenModel | ReadMode::Model, Err(halt)) if is_final(halt) => own,
            (ReadMode::BuiltinThenModel | ReadMode::Model, Err(_)) => {
                let refused = own.err();
                match self.ask(question, context).await {
                    Ok(Ok(found)) => Ok(offered(found, None)),
                    Ok(Err(problems)) => Err(declined(refused, problems)),
                    Err(halt) => Err(beside(halt, refused.as_ref())),
                }
            }
            (ReadMode::Model, Ok(_)) => {
                let reading = own?;
                match self.ask(question, context).await? {
                    Ok(found) if found.reading.request == reading.request => Ok(reading),
                    Ok(found) => Ok(offered(found, Some(reading))),
                    // A model that finds no reading says nothing against the one that there is.
                    Err(_) => Ok(reading),
                }
            }
        }
    }
}

impl ModelReader<'_> {
    /// Asks the model, at most [`ATTEMPTS_MAX`] times; why its last reading does not stand feeds the next.
    async fn ask(
        &self,
        question: &Question,
        context: ReadContext<'_>,
    ) -> Result<Result<Found, Vec<Problem>>, Halt> {
        let glossed = self.builtin.gloss(question, context);
        let embedder = self.embedder.as_deref();
        let listing = shortlist(context.catalogue(), context.values, &question.text, embedder).await;
        let menu = Menu::of(context, &listing.shortlist, &glossed);
        self.journal.listed(listing);
        let examples = examples::examples(&menu, self.builtin, question.now, context);
        let first = prompt::prompt(&question.text, &menu, &examples, context);
        let attempted = attempt(
            ATTEMPTS_MAX,
            |_| ready(()),
            |number, feedback: Option<Prompt>| {
                let prompt = feedback.unwrap_or_else(|| first.clone());
                self.try_once(
                    prompt,
                    ATTEMPTS_MAX.saturating_sub(number).saturating_add(1),
                    question,
                    &menu,
                    context,
                )
            },
        )
        .await;
        match attempted.end {
            Ok(found) => Ok(Ok(found)),
            Err(Ended::Rejected(problems)) => Ok(Err(problems)),
            Err(Ended::Fault(fault)) => Err(Halt::Fault(fault)),
        }
    }

    async fn try_once(
        &self,
        mut prompt: Prompt,
        left: u32,
        question: &Question,
        menu: &Menu,
        context: ReadContext<'_>,
    ) -> Step<Found, Ended, Prompt> {
        prompt.limits.attempts_max = left;
        let reply = match self.model.complete(&prompt).await {
            Ok(reply) => reply,
            Err(fault) => {
                self.journal.failed(&prompt, self.model.identity(), &fault);
                return Step::Stop(Ended::Fault(fault.into()));
            }
        };
        let judged = match &reply.said {
            Said::Fits(value) => {
                Reply::parse(value).and_then(|said| self.judge(&said, question, menu, context))
            }
            Said::Unfit(unfit) => Err(Unbound::Problems(vec![unbound(&unfit.to_string())])),
        };
        let exchange = |judged| Exchange::of(&prompt, self.model.identity(), &reply, judged);
        match judged {
            Ok((found, without)) => {
                self.journal.note(exchange(Judged::Accepted { without }));
                Step::Done(found)
            }
            Err(Unbound::Nothing) => {
                self.journal.note(exchange(Judged::Declined));
                Step::Stop(Ended::Rejected(Vec::new()))
            }
            Err(Unbound::Problems(problems)) => {
                let told = prompt::rejection(&problems);
                self.journal
                    .note(exchange(Judged::Rejected(problems.iter().map(|p| p.message.clone()).collect())));
                if matches!(reply.said, Said::Fits(_)) && prompt.was_said(&reply.text) {
                    // It was told why, and says the same again.
                    return Step::Stop(Ended::Rejected(problems));
                }
                Step::Again {
                    feedback: prompt.after(&reply.text, &told),
                    otherwise: Ended::Rejected(problems),
                    took: reply.attempts,
                    pause: std::time::Duration::ZERO,
                }
            }
        }
    }

    /// Holds the question to a reply, or to what is left of it when only what words ask for is kept; and says what it
    /// goes without.
    fn judge(
        &self,
        said: &Reply,
        question: &Question,
        menu: &Menu,
        context: ReadContext<'_>,
    ) -> Result<(Found, Vec<String>), Unbound> {
        let fallen = match self.held(said, question, menu, context) {
            Ok(found) => return Ok((found, Vec::new())),
            Err(Fallen::Unread(Unbound::Nothing)) => return Err(Unbound::Nothing),
            Err(fallen) => fallen,
        };
        let count = |fallen| match fallen {
            Fallen::Unmatched(problems) => Some(problems.len()),
            Fallen::Unread(_) => None,
        };
        trimmed(said, &menu.unknown, |less| self.held(less, question, menu, context).map_err(count))
            .ok_or_else(|| fallen.into())
    }

    /// Puts a reply into words, reads them, and holds the question to what was read.
    fn held(
        &self,
        said: &Reply,
        question: &Question,
        menu: &Menu,
        context: ReadContext<'_>,
    ) -> Result<Found, Fallen> {
        let unread = |problems| Fallen::Unread(Unbound::Problems(problems));
        let typed = said.bind(menu).map_err(Fallen::Unread)?;
        let wording = wording::wording(&typed);
        let confirmed = vec![Confirmation { subject: READING.to_owned(), choice: "yes".to_owned() }];
        let worded = Question { text: wording.clone(), now: question.now, confirmed };
        let reading = match self.builtin.read_now(&worded, context) {
            Ok(reading) => reading,
            Err(Halt::Refuse(problems)) => return Err(unread(problems)),
            Err(Halt::Doubt(_) | Halt::Fault(_)) => return Err(unread(Vec::new())),
        };
        let mut problems = read_back::differences(&typed, &reading);
        if reading.doubts.is_empty() {
            problems.extend(tieout_core::definitions::objections(&reading, &context.project.catalogue));
        }
        let is_readable = problems.is_empty();
        let examined = self.builtin.examine(question, &reading, &declared(said, menu), context);
        problems.extend(examined.problems);
        if !problems.is_empty() {
            return Err(if is_readable { Fallen::Unmatched(problems) } else { unread(problems) });
        }
        let is_left_out = |word: &&WordUse| word.used_as == Use::Wrapping;
        let left_out = examined.believed.iter().filter(is_left_out).map(|word| word.text.clone()).collect();
        let guessed = examined.believed.iter().filter(|word| !is_left_out(word));
        let guessed = guessed.map(|word| format!("“{}” as {}", word.text, word.used_as));
        let guessed = guessed.chain(settled_terms(&examined.words, context.catalogue())).collect();
        let reading = Reading { words: examined.words, ..reading };
        Ok(Found { wording, reading, left_out, guessed })
    }
}

/// Words that mean several things here, which the model settled for the asker.
fn settled_terms(words: &[WordUse], catalogue: &Catalogue) -> Vec<String> {
    let label = |name: &String| match (catalogue.metrics.get(name), catalogue.populations.get(name)) {
        (Some(metric), _) => metric.label.clone(),
        (None, Some(population)) => population.label.clone(),
        (None, None) => name.clone(),
    };
    let meanings = |word: &WordUse| {
        let term = catalogue.terms.values().find(|term| term.term.eq_ignore_ascii_case(&word.text))?;
        let TermMeaning::Ambiguous(readings) = &term.meaning else { return None };
        let all: Vec<String> = readings.iter().map(label).collect();
        Some(format!("“{}” as {}, where it can mean {}", word.text, word.used_as, all.join(" or ")))
    };
    words.iter().filter_map(meanings).collect()
}

/// How asking ended without a reading.
enum Ended {
    Rejected(Vec<Problem>),
    Fault(Fault),
}

/// What the model said of single words, as uses of a reading.
fn declared(said: &Reply, menu: &Menu) -> Vec<Declared> {
    said.words
        .iter()
        .filter_map(|(word, part)| Some(Declared { words: word.clone(), used_as: menu.use_of(part)? }))
        .collect()
}

/// What no other reading may set aside: the question itself is refused, whoever reads it.
fn is_final(halt: &Halt) -> bool {
    match halt {
        Halt::Refuse(problems) => problems.iter().any(|problem| match problem.code {
            ReasonCode::TenantInQuestion
            | ReasonCode::NotReading
            | ReasonCode::Hidden
            | ReasonCode::NotRecorded
            | ReasonCode::AbsentTerm
            | ReasonCode::DefinitionDiffers
            | ReasonCode::EmptyPeriod
            | ReasonCode::PeriodTooLong => true,
            ReasonCode::NothingAsked
            | ReasonCode::UnknownWord
            | ReasonCode::UnknownValue
            | ReasonCode::ForbiddenGrouping
            | ReasonCode::NoRelationship
            | ReasonCode::BeforeHistory
            | ReasonCode::NotLoaded
            | ReasonCode::Stale
            | ReasonCode::Thin
            | ReasonCode::CutShort
            | ReasonCode::NoTenant
            | ReasonCode::Unsupported
            | ReasonCode::Rejected
            | ReasonCode::Untethered
            | ReasonCode::NoDraft
            | ReasonCode::UnknownChoice
            | ReasonCode::NotAdditive
            | ReasonCode::NoRows
            | ReasonCode::KeyRepeats => false,
        }),
        Halt::Doubt(_) | Halt::Fault(_) => true,
    }
}

/// A fault of the model, with what the built-in reader says all the same.
fn beside(halt: Halt, refused: Option<&Halt>) -> Halt {
    match (halt, refused) {
        (Halt::Fault(fault), Some(Halt::Refuse(problems))) => {
            let first = problems.first().map_or("", |problem| problem.message.as_str());
            let hint = format!(
                "{}; without a model the question is declined: {first} (`--read builtin` says more)",
                fault.hint
            );
            Halt::Fault(Fault { hint, ..fault })
        }
        (halt, _) => halt,
    }
}

/// The refusal when no reading stands: the built-in reader's own reasons, then why the model's did not.
fn declined(refused: Option<Halt>, problems: Vec<Problem>) -> Halt {
    match refused {
        Some(Halt::Refuse(mut own)) => {
            own.extend(problems.into_iter().take(1).map(|problem| Problem {
                message: format!("a model was asked, and its reading does not stand: {}", problem.message),
                hint: "ask in words of the catalogue".to_owned(),
                start: None,
                ..problem
            }));
            Halt::Refuse(own)
        }
        Some(other) => other,
        None => Halt::Refuse(problems),
    }
}

/// A reading that the asker must take first, beside the built-in reader's own when there is one.
fn offered(found: Found, own: Option<Reading>) -> Reading {
    let mut message = "a language model put the question into other words".to_owned();
    if !found.guessed.is_empty() {
        message = format!("{message}, taking {}", found.guessed.join(", "));
    }
    if !found.left_out.is_empty() {
        let words: Vec<String> = found.left_out.iter().map(|word| format!("“{word}”")).collect();
        message = format!("{message}, and left out {}", words.join(", "));
    }
    let mut choices = vec![Choice { key: found.wording.clone(), text: found.wording }];
    if own.is_some() {
        message = format!("{message}; the built-in reader reads it otherwise");
        choices.push(Choice {
            key: "yes".to_owned(),
            text: "as the words of the question are read without a model".to_owned(),
        });
    }
    let doubt = Doubtful { subject: READING.to_owned(), message, choices };
    let mut reading = found.reading;
    as_assumed(&mut reading.request);
    reading.doubts.insert(0, doubt);
    reading
}

fn as_confirmed(request: &mut Request) {
    resource(request, Source::Confirmed);
}

fn as_assumed(request: &mut Request) {
    resource(request, Source::Assumed);
}

/// Gives everything that is said to come from the question another source.
fn resource(request: &mut Request, source: Source) {
    let change = |found: &mut Source| {
        if *found == Source::Question {
            *found = source;
        }
    };
    match request {
        Request::Figures(figures) => {
            figures.measures.iter_mut().for_each(|part| change(&mut part.source));
            figures.groupings.iter_mut().for_each(|part| change(&mut part.source));
            figures.conditions.iter_mut().for_each(|part| change(&mut part.source));
            change(&mut figures.period.source);
        }
        Request::Rows(rows) => {
            rows.columns.iter_mut().for_each(|part| change(&mut part.source));
            rows.conditions.iter_mut().for_each(|part| change(&mut part.source));
            change(&mut rows.period.source);
        }
        Request::About(_) => {}
    }
}

fn unbound(message: &str) -> Problem {
    Problem::new(ReasonCode::Unsupported, message, "keep to the names and the shape that are given")
}
