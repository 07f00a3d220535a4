//! Writes sentences over figures: from templates, or with a language model whose every word is judged.
//!
//! A model words a sentence, and code decides whether it may stand: figures only as slots, names only of the answer,
//! words only of a list, and all of it in agreement with the numbers. What it leaves out our templates say, and where it
//! fails, or cannot be asked, they say everything. Deliberately absent: any way for a model to change a figure, and the
//! question, which is not there any more.

mod beside;
mod direction;
mod form;
mod inference;
mod part_played;
mod prompt;
mod sense;
mod templates;
mod wording;

use std::{collections::HashSet, future::ready, sync::Arc};

use async_trait::async_trait;
use tieout_core::{
    attempt::{ATTEMPTS_MAX, Step, attempt},
    claim::{Draft, Piece, Sentence},
    definitions::Settled,
    figures::Figures,
    halt::Halt,
    model::{NarrateMode, Prompt, Said},
    ports::{Model, Narrator},
    reading::Request,
};

use crate::journal::{Exchange, Journal, Judged};
use prompt::Reply;
pub use templates::Templates;
use wording::Matter;

/// The most reasons that a model is told at once.
const REASONS_TOLD_MAX: usize = 6;

/// Writes sentences with a model, and with templates where it does not do.
pub struct ModelNarrator<'a> {
    /// The model.
    pub model: Arc<dyn Model>,
    /// What it may write.
    pub mode: NarrateMode,
    /// Where every exchange is noted.
    pub journal: &'a Journal,
}

#[async_trait]
impl Narrator for ModelNarrator<'_> {
    async fn narrate(&self, settled: &Settled, figures: &Figures) -> Result<Draft, Halt> {
        let own = Templates.narrate(settled, figures).await?;
        let period = match settled.request() {
            Request::Figures(request) => request.period.words.as_str(),
            // A list has no figure of its own, and a definition is quoted.
            Request::Rows(_) | Request::About(_) => return Ok(own),
        };
        let narrowed = settled.narrowed();
        let asks = match self.mode {
            NarrateMode::Builtin => false,
            NarrateMode::Model | NarrateMode::ModelInferring => narrowed.part.is_empty(),
        };
        match Matter::of(figures, period, &narrowed.rows).filter(|_| asks) {
            Some(matter) => Ok(completed(self.ask(settled, &matter).await, own)),
            None => Ok(own),
        }
    }
}

/// Sentences that hold, and why others do not.
#[derive(Default)]
struct Sifted {
    held: Vec<Sentence>,
    problems: Vec<String>,
}

impl ModelNarrator<'_> {
    /// The sentences of a model that hold; none when it cannot be asked: an answer does not wait for its style.
    async fn ask(&self, settled: &Settled, matter: &Matter<'_>) -> Vec<Sentence> {
        let first = prompt::prompt(settled, matter, self.mode);
        let attempted = attempt(
            ATTEMPTS_MAX,
            |_| ready(()),
            |number, feedback: Option<Prompt>| {
                let prompt = feedback.unwrap_or_else(|| first.clone());
                let left = ATTEMPTS_MAX.saturating_sub(number).saturating_add(1);
                self.try_once(prompt, left, matter)
            },
        )
        .await;
        match attempted.end {
            Ok(held) | Err(held) => held,
        }
    }

    async fn try_once(
        &self,
        mut prompt: Prompt,
        left: u32,
        matter: &Matter<'_>,
    ) -> Step<Vec<Sentence>, Vec<Sentence>, Prompt> {
        prompt.limits.attempts_max = left;
        let reply = match self.model.complete(&prompt).await {
            Ok(reply) => reply,
            Err(fault) => {
                self.journal.failed(&prompt, self.model.identity(), &fault);
                return Step::Stop(Vec::new());
            }
        };
        let sifted = match &reply.said {
            Said::Fits(value) => match Reply::parse(value) {
                Ok(said) => sift(&said, matter, self.mode),
                Err(why) => Sifted { problems: vec![why], ..Sifted::default() },
            },
            Said::Unfit(unfit) => Sifted { problems: vec![unfit.to_string()], ..Sifted::default() },
        };
        let exchange = |judged| Exchange::of(&prompt, self.model.identity(), &reply, judged);
        if sifted.problems.is_empty() {
            self.journal.note(exchange(Judged::Accepted { without: Vec::new() }));
            return Step::Done(sifted.held);
        }
        self.journal.note(exchange(Judged::Rejected(sifted.problems.clone())));
        let told = sifted.problems.get(..REASONS_TOLD_MAX).unwrap_or(&sifted.problems);
        Step::Again {
            feedback: prompt.after(&reply.text, &prompt::rejection(told)),
            otherwise: sifted.held,
            took: reply.attempts,
            pause: std::time::Duration::ZERO,
        }
    }
}

/// Judges each sentence of a reply by itself.
fn sift(reply: &Reply, matter: &Matter<'_>, mode: NarrateMode) -> Sifted {
    let mut sifted = Sifted::default();
    for said in &reply.sentences {
        let judged = match (said.inferred, mode) {
            (false, _) => sense::stated(&said.text, matter),
            (true, NarrateMode::ModelInferring) => inference::inferred(&said.text, &said.from, matter),
            (true, NarrateMode::Builtin | NarrateMode::Model) => {
                Err("the project shows no inference".to_owned())
            }
        };
        match judged {
            Ok(sentence) => sifted.held.push(sentence),
            Err(why) => sifted.problems.push(format!("“{}”: {why}", said.text)),
        }
    }
    sifted
}

/// The model's sentences, then ours for every figure that it left out, then what it infers.
fn completed(held: Vec<Sentence>, own: Draft) -> Draft {
    let (inferred, mut sentences): (Vec<_>, Vec<_>) =
        held.into_iter().partition(|s| s.pieces.iter().any(|p| matches!(p, Piece::From(_))));
    let named: HashSet<String> = sentences.iter().flat_map(figures_of).map(str::to_owned).collect();
    let is_left_out = |sentence: &Sentence| figures_of(sentence).any(|id| !named.contains(id));
    sentences.extend(own.sentences.into_iter().filter(is_left_out));
    sentences.extend(inferred);
    Draft { sentences }
}

fn figures_of(sentence: &Sentence) -> impl Iterator<Item = &str> {
    sentence.pieces.iter().filter_map(|piece| match piece {
        Piece::Figure(id) => Some(id.as_str()),
        Piece::Words(_) | Piece::Name(_) | Piece::RowCount(_) | Piece::From(_) => None,
    })
}
