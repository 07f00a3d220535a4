//! A model that says anything at all, for questions made from each world's own catalogue: whatever it says, the end is a
//! refusal, a fault, or a reading that the asker must take first and that asks for just what the question asks for. What is
//! taken is answered with the figures that the built-in reader gives for the same request, and each of its conditions
//! stands in the block.
//!
//! `TIEOUT_CHAOS_CASES` asks so many questions of each world instead of the usual number.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

mod questions;
mod replies;

use std::{
    cell::RefCell,
    collections::BTreeMap,
    path::Path,
    sync::{Arc, Mutex},
};

use jiff::civil::date;
use proptest::{
    collection::vec,
    prelude::any,
    test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner},
};
use questions::{Asked, Plain, Truth};
use tieout::session::{Answered, Ask, Modelled, Workbench};
use tieout_core::{
    definitions::BlockLine,
    figures::Figures,
    model::{DraftMode, NarrateMode, ReadMode},
    outcome::{Answer, Outcome},
    ports::Model,
    question::Confirmation,
    reading::{Condition, READING, Request, Source, Sourced},
    scope::Session,
};
use tieout_model::scripted::{Says, Scripted};

/// How many questions each world is asked when nothing else is said.
const CASES: u32 = 700;
/// How many questions are made up until one is plain.
const PLAIN_TRIED: usize = 6;
/// How many numbers a question and its replies are made from.
const TAPE: usize = 192;

/// Numbers at random, taken one after the other.
pub struct Tape {
    numbers: Vec<u16>,
    at: usize,
}

impl Tape {
    fn new(numbers: Vec<u16>) -> Self {
        Self { numbers, at: 0 }
    }

    /// A number below a bound; the smallest when the tape is at its end.
    pub fn below(&mut self, bound: usize) -> usize {
        let number = self.numbers.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        if bound == 0 { 0 } else { usize::from(number) % bound }
    }

    /// Whether something that happens once in so many times happens now.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// One of several.
    pub fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// A world, open.
pub struct World {
    bench: Workbench,
    session: Session,
    now: jiff::Timestamp,
    runtime: tokio::runtime::Runtime,
    truths: RefCell<BTreeMap<String, Option<Truth>>>,
    counts: RefCell<BTreeMap<&'static str, usize>>,
}

impl World {
    fn open(name: &str, tenant: Option<&str>) -> Self {
        let root =
            Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("worlds").join(name);
        let bench = Workbench::open(&root, None).unwrap_or_else(|error| panic!("{error:?}"));
        let zone = bench.project().calendar.zone.clone();
        let now = date(2026, 10, 7).at(12, 0, 0, 0).to_zoned(zone).unwrap().timestamp();
        Self {
            bench,
            session: Session { principal: "chaos".to_owned(), tenant: tenant.map(str::to_owned) },
            now,
            runtime: tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap(),
            truths: RefCell::default(),
            counts: RefCell::default(),
        }
    }

    fn ask(&self, question: &str, confirmed: Option<&str>, model: Option<Arc<dyn Model>>) -> Answered {
        let take = |choice: &str| Confirmation { subject: READING.to_owned(), choice: choice.to_owned() };
        let ask = Ask {
            id: "chaos".to_owned(),
            asked_at: self.now,
            now: self.now,
            question: question.to_owned(),
            confirmed: confirmed.map(take).into_iter().collect(),
            after: None,
            edits: None,
        };
        self.runtime.block_on(async {
            match model {
                Some(model) => {
                    let read = ReadMode::BuiltinThenModel;
                    let modelled = Modelled {
                        model,
                        read,
                        narrate: NarrateMode::Builtin,
                        embedder: None,
                        drafts: DraftMode::Never,
                    };
                    self.bench.answer_unrecorded_with(&self.session, ask, None, modelled).await
                }
                None => self.bench.answer_unrecorded(&self.session, ask).await,
            }
        })
    }

    /// What a plain question asks for and is answered with; none where it is not answered at once.
    fn truth(&self, plain: &Plain) -> Option<Truth> {
        let text = plain.text(plain.measure_words());
        if let Some(known) = self.truths.borrow().get(&text) {
            return known.clone();
        }
        let truth = match self.ask(&text, None, None).outcome {
            Ok(Outcome::Answer(answer)) => {
                Some(Truth { request: said(answer.settled.request()), figures: values(&answer.figures) })
            }
            Ok(Outcome::Doubt { .. } | Outcome::Refusal { .. }) | Err(_) => None,
        };
        self.truths.borrow_mut().insert(text, truth.clone());
        truth
    }

    fn count(&self, what: &'static str) {
        *self.counts.borrow_mut().entry(what).or_default() += 1;
    }

    /// One question, to its end.
    fn try_once(&self, tape: &mut Tape) -> Result<(), String> {
        let mut plain = (0..PLAIN_TRIED).map(|_| Plain::random(tape, self.bench.project()));
        let Some((plain, truth)) = plain.find_map(|p| self.truth(&p).map(|truth| (p, truth))) else {
            self.count("no plain question");
            return Ok(());
        };
        let asked = Asked::random(tape, plain);
        let replies: Vec<Says> =
            (0..3).map(|_| replies::random(tape, &asked, self.bench.project())).collect();
        let faulty = replies.iter().any(|says| matches!(says, Says::Fault(_)));
        let waiting = Mutex::new(replies.clone().into_iter());
        // A prompt that asks for more than three replies is answered by the last one for ever.
        let last = replies[2].clone();
        let says = move |_: &_| waiting.lock().unwrap().next().unwrap_or_else(|| last.clone());
        let model = Arc::new(Scripted::improvising(says));
        let outcome = self.ask(&asked.text, None, Some(Arc::<Scripted>::clone(&model))).outcome;
        let told = || format!("“{}” {replies:#?}", asked.text);
        if model.asked().len() > 3 {
            return Err(format!("asked {} times: {}", model.asked().len(), told()));
        }
        match outcome {
            Err(broken) if faulty => {
                self.count("fault");
                let is_model = broken.fault.message.contains("the script");
                is_model.then_some(()).ok_or_else(|| format!("{}: {}", broken.fault.message, told()))
            }
            Err(broken) => Err(format!("broke: {}: {}", broken.fault.message, told())),
            Ok(Outcome::Answer(_)) => Err(format!("answered before anybody took the reading: {}", told())),
            Ok(Outcome::Refusal { .. }) => {
                self.count("refusal");
                Ok(())
            }
            Ok(Outcome::Doubt { doubts, .. }) => {
                let Some(choice) = doubts[0].choices.first().filter(|_| doubts[0].subject == READING) else {
                    return Err(format!("another doubt: {doubts:?}: {}", told()));
                };
                self.taken(&asked, &truth, &choice.key)
                    .map_err(|why| format!("{why}: “{}” {}", choice.key, told()))
            }
        }
    }

    /// The asker takes what is offered.
    fn taken(&self, asked: &Asked, truth: &Truth, wording: &str) -> Result<(), String> {
        let answer = match self.ask(&asked.text, Some(wording), None).outcome {
            Ok(Outcome::Answer(answer)) => answer,
            Ok(Outcome::Refusal { .. }) => {
                self.count("offered, then declined");
                return Ok(());
            }
            Ok(Outcome::Doubt { .. }) => {
                self.count("offered, then asked back once more");
                return Ok(());
            }
            Err(broken) => return Err(format!("broke: {}", broken.fault.message)),
        };
        stands_in_the_block(&answer)?;
        self.as_the_builtin_reader_answers(&answer, wording)?;
        let request = said(answer.settled.request());
        if measures(&request) == measures(&truth.request) {
            if request != truth.request {
                return Err(format!("another request: {request:#?} is not {:#?}", truth.request));
            }
            if values(&answer.figures) != truth.figures {
                return Err("other figures".to_owned());
            }
            self.count("offered and right");
            return Ok(());
        }
        // A word that nobody knows stands for what the model says and the asker takes; everything else is the question's.
        if asked.slang.is_none() {
            return Err(format!("another measure, and no unknown word for it: {request:?}"));
        }
        if apart_from_measures(&request) != apart_from_measures(&truth.request) {
            return Err(format!("more differs than the measure: {request:#?} is not {:#?}", truth.request));
        }
        self.count("offered, the unknown word as another measure");
        Ok(())
    }

    /// The same wording, asked as a question of its own without any model.
    fn as_the_builtin_reader_answers(&self, answer: &Answer, wording: &str) -> Result<(), String> {
        match self.ask(wording, Some("yes"), None).outcome {
            Ok(Outcome::Answer(own)) if values(&own.figures) == values(&answer.figures) => Ok(()),
            Ok(Outcome::Answer(_)) => Err("the built-in reader gives other figures".to_owned()),
            other => Err(format!(
                "the built-in reader does not answer it: {}",
                other.map_or("fault", |o| o.name())
            )),
        }
    }
}

/// Every value, bound, population and date of a request stands in the block above the figures.
fn stands_in_the_block(answer: &Answer) -> Result<(), String> {
    let line =
        |line: &BlockLine| line.parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(" ");
    let block = answer.settled.block().iter().map(line).collect::<Vec<_>>().join("\n").to_lowercase();
    let (conditions, period) = match answer.settled.request() {
        Request::Figures(figures) => (&figures.conditions, &figures.period),
        Request::Rows(rows) => (&rows.conditions, &rows.period),
        Request::About(_) => return Ok(()),
    };
    let mut wanted = Vec::new();
    conditions.iter().for_each(|condition| words_of(&condition.value, &mut wanted));
    if let Some(period) = &period.period {
        wanted.extend([period.start().to_string(), period.last_day().to_string()]);
    }
    let missing = wanted.iter().find(|words| !block.contains(&words.to_lowercase()));
    missing.map_or(Ok(()), |words| Err(format!("`{words}` does not stand in the block\n{block}")))
}

/// What of a condition must be read in the block.
fn words_of(condition: &Condition, wanted: &mut Vec<String>) {
    let plain = |value: &tieout_sql::Value| match value {
        tieout_sql::Value::Text(text) => text.clone(),
        other => format!("{other}"),
    };
    match condition {
        Condition::OneOf { values, .. } => wanted.extend(values.iter().map(plain)),
        Condition::Compare { value, .. } => wanted.push(plain(value)),
        Condition::Between { low, high, .. } => wanted.extend([plain(low), plain(high)]),
        Condition::Missing { .. } | Condition::InPeriod { .. } | Condition::Member { .. } => {}
        Condition::Related { conditions, .. } => conditions.iter().for_each(|c| words_of(c, wanted)),
        Condition::Any(any) => any.iter().for_each(|c| words_of(c, wanted)),
    }
}

/// A request without who said what, and with its conditions in one order.
pub fn said(request: &Request) -> Request {
    fn bare<T>(parts: &mut [Sourced<T>]) {
        parts.iter_mut().for_each(|part| part.source = Source::Question);
    }
    let mut request = request.clone();
    let conditions = match &mut request {
        Request::Figures(figures) => {
            bare(&mut figures.measures);
            bare(&mut figures.groupings);
            figures.period.source = Source::Question;
            figures.period.words.clear();
            &mut figures.conditions
        }
        Request::Rows(rows) => {
            bare(&mut rows.columns);
            rows.period.source = Source::Question;
            rows.period.words.clear();
            &mut rows.conditions
        }
        Request::About(_) => return request,
    };
    bare(conditions);
    conditions.sort_by_key(|condition| format!("{condition:?}"));
    request
}

fn measures(request: &Request) -> String {
    match request {
        Request::Figures(figures) => format!("{:?}", figures.measures),
        Request::Rows(_) | Request::About(_) => String::new(),
    }
}

fn apart_from_measures(request: &Request) -> String {
    match request {
        Request::Figures(figures) => {
            let mut figures = figures.clone();
            figures.measures.clear();
            format!("{figures:?}")
        }
        Request::Rows(_) | Request::About(_) => format!("{request:?}"),
    }
}

/// Every figure with its keys, in order.
pub fn values(figures: &Figures) -> Vec<String> {
    let line = |(line, figure): (&tieout_core::figures::Line, &tieout_core::figures::Figure)| {
        let keys: Vec<&str> = line.keys.iter().map(|key| key.shown.as_str()).collect();
        format!("{} {:?}", keys.join("|"), figure.value)
    };
    figures.all().map(line).collect()
}

fn chaos(world: &str, tenant: Option<&str>) {
    let world = World::open(world, tenant);
    let cases = std::env::var("TIEOUT_CHAOS_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(CASES);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 300, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let found = runner.run(&vec(any::<u16>(), TAPE), |numbers| {
        world.try_once(&mut Tape::new(numbers)).map_err(TestCaseError::fail)
    });
    println!("{}: {:?}", world.bench.project().name, world.counts.borrow());
    found.unwrap_or_else(|error| panic!("{error}"));
    let counts = world.counts.borrow();
    let seen = |what| counts.get(what).copied().unwrap_or_default();
    let right = seen("offered and right");
    assert!(right * 50 > cases as usize, "too little is offered to say anything: {counts:?}");
    // Most lies add something, and what is left without them is offered: only the others are refused.
    assert!(seen("refusal") * 10 > right, "too few lies were told: {counts:?}");
}

#[test]
fn commerce() {
    chaos("commerce", Some("alpha"));
}

#[test]
fn lending() {
    chaos("lending", None);
}

#[test]
fn support() {
    chaos("support", None);
}
