//! One project, open: asked by every surface and by the test runner.
//!
//! Owns the choice of adapters and the way from a question to its record. What is costly to open (the data, the names in
//! it) is kept for the next question. Deliberately absent: who the asker is (the surface opens the session), words for
//! people (the renderers), and the pipe itself.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use jiff::Timestamp;
use tieout_agent::{
    Desk, Journal, ModelDrafter, ModelNarrator, ModelReader, QueryDesk, QueryRun, Remembered, Replayed,
    TakenReader, Templates, Verdict, answer, field_values, query, replay,
};
use tieout_core::{
    catalogue::Project,
    catalogue::load::Loaded,
    evidence::Purpose,
    halt::{Fault, FaultKind, Halt},
    model::{DraftMode, NarrateMode, ReadMode},
    outcome::{Broken, Outcome, Trail, conclude},
    ports::{Embedder, FieldValues, Model, Narrator, Reader, Warehouse},
    question::{Confirmation, Question},
    reading::Request,
    scope::{Scope, Session},
};
use tieout_ledger::{Ledger, Viewer};
use tieout_model::{EmbeddingSource, ModelSource};
use tieout_reader::BuiltinReader;
use tieout_sql::Expected;
use tokio::sync::Mutex;

use crate::{
    edit::EditedReader,
    project::{self, NoProject, Texts},
    wire::{self, Edit, Record, Timings, Unreadable},
};

/// The most tenants whose names are kept in memory at once.
const TENANTS_KEPT_MAX: usize = 64;

/// A project, open.
pub struct Workbench {
    root: PathBuf,
    texts: Texts,
    loaded: Loaded,
    warehouse: Box<dyn Warehouse>,
    reader: BuiltinReader,
    model: Option<ModelAtHand>,
    names: Mutex<HashMap<Option<String>, Arc<FieldValues>>>,
    remembered: Remembered,
    open_us: u64,
}

/// A language model that may be asked, and who reads with it.
#[derive(Clone)]
pub struct ModelAtHand {
    /// Where it comes from.
    pub source: ModelSource,
    /// Who reads.
    pub read: ReadMode,
    /// Who words the sentences.
    pub narrate: NarrateMode,
    /// Finds entries of a large catalogue by meaning, where it may.
    pub embeddings: Option<EmbeddingSource>,
    /// What it drafts statements for.
    pub drafts: DraftMode,
}

/// The model of one question.
pub struct Modelled {
    /// The model.
    pub model: Arc<dyn Model>,
    /// Who reads.
    pub read: ReadMode,
    /// Who words the sentences.
    pub narrate: NarrateMode,
    /// Finds entries of a large catalogue by meaning, where it may.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// What it drafts statements for.
    pub drafts: DraftMode,
}

/// Why a project cannot be opened.
#[derive(Debug)]
pub enum CannotOpen {
    /// The project itself.
    Project(NoProject),
    /// Its data.
    Data(Fault),
}

/// A question, as a surface hands it in.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The id of the record to be.
    pub id: String,
    /// When it is asked.
    pub asked_at: Timestamp,
    /// The moment that relative periods count from.
    pub now: Timestamp,
    /// As typed: words, or SQL for a statement.
    pub question: String,
    /// What the asker chose.
    pub confirmed: Vec<Confirmation>,
    /// The record that it follows up.
    pub after: Option<String>,
    /// The record of which fields are changed, and which.
    pub edits: Option<(String, Vec<Edit>)>,
}

/// A question's end: as the pipe knows it, and as it is kept and shown.
pub struct Answered {
    /// As the pipe knows it.
    pub outcome: Result<Outcome, Box<Broken>>,
    /// As it is kept and shown.
    pub record: Record,
}

/// A statement's end: as it was run, and as it is kept and shown.
pub struct Queried {
    /// As it was run.
    pub run: QueryRun,
    /// As it is kept, with the rows, which the ledger keeps apart.
    pub record: Record,
}

/// Why a record that was named cannot be used.
#[derive(Debug)]
pub enum NoRecord {
    /// There is none of this id that the session may see.
    Unknown(String),
    /// It does not read back.
    Unreadable(Unreadable),
    /// The ledger cannot be read.
    Fault(Fault),
}

impl From<Fault> for NoRecord {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl Workbench {
    /// Opens a project and its data.
    ///
    /// # Errors
    /// When the project is missing or invalid, or its data cannot be read.
    pub fn open(root: &Path, corpora: Option<&Path>) -> Result<Self, CannotOpen> {
        let started = Instant::now();
        let (loaded, texts) = project::open(root).map_err(CannotOpen::Project)?;
        let at = tieout_warehouse::Attachment { project: &loaded.project, root, corpora };
        let warehouse = tieout_warehouse::open(at).map_err(CannotOpen::Data)?;
        Ok(Self {
            root: root.to_owned(),
            texts,
            loaded,
            warehouse,
            reader: BuiltinReader::default(),
            model: None,
            names: Mutex::default(),
            remembered: Remembered::default(),
            open_us: elapsed_us(started),
        })
    }

    /// The same, with a language model at hand.
    #[must_use]
    pub fn with_model(mut self, model: ModelAtHand) -> Self {
        self.model = Some(model);
        self
    }

    /// Its folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Settings and catalogue.
    #[must_use]
    pub fn project(&self) -> &Project {
        &self.loaded.project
    }

    /// The checked catalogue with its warnings.
    #[must_use]
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// The texts that it was loaded from.
    #[must_use]
    pub fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Its data.
    #[must_use]
    pub fn warehouse(&self) -> &dyn Warehouse {
        &*self.warehouse
    }

    /// Reads questions.
    pub(crate) fn reader(&self) -> &BuiltinReader {
        &self.reader
    }

    /// Whose records a session may see.
    #[must_use]
    pub fn viewer(&self, session: &Session) -> Viewer {
        Viewer { project: self.project().name.clone(), tenant: session.tenant.clone() }
    }

    /// Answers a question, writes its record, and only then gives it.
    ///
    /// # Errors
    /// When the record to follow up is not there, or the record cannot be written.
    pub async fn ask(&self, session: &Session, ledger: &Ledger, ask: Ask) -> Result<Answered, NoRecord> {
        let started = Instant::now();
        let previous = match &ask.after {
            Some(id) => self.previous(session, ledger, id).await?,
            None => Ok(None),
        };
        let answered = {
            let model = self.model_for(&ask);
            self.answer(session, ask, previous, started, model).await
        };
        let trail = match &answered.outcome {
            Ok(outcome) => outcome.trail(),
            Err(broken) => &broken.trail,
        };
        ledger.append(&wire::ledger_entry(&answered.record, trail)?).await?;
        Ok(answered)
    }

    /// Runs a statement that somebody wrote, held against what it claims to work out if it claims anything, writes its
    /// record, and only then gives it, with its rows.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub async fn query(
        &self,
        session: &Session,
        ledger: &Ledger,
        ask: Ask,
        against: Option<(&Expected, &str)>,
    ) -> Result<Queried, NoRecord> {
        let started = Instant::now();
        let scope = Scope::of(session);
        let desk = QueryDesk {
            project: self.project(),
            scope: &scope,
            warehouse: self.warehouse(),
            now: ask.now,
            against,
        };
        let run = query(&desk, &ask.question).await;
        let took = elapsed_us(started);
        let timings = Timings {
            open_us: self.open_us,
            names_us: 0,
            answer_us: took,
            total_us: took.saturating_add(self.open_us),
        };
        let mut record = wire::query_record(&asked(ask), &run, session, self.project(), timings);
        ledger.append(&wire::ledger_entry(&record, &run.trail)?).await?;
        for (query, evidence) in record.queries.iter_mut().zip(&run.trail.evidence) {
            if evidence.purpose() == Purpose::Statement {
                query.rows = Some(wire::rows_of(evidence));
            }
        }
        Ok(Queried { run, record })
    }

    /// Answers a question that follows up no other, without recording it: for tests and benchmarks.
    pub async fn answer_unrecorded(&self, session: &Session, ask: Ask) -> Answered {
        let model = self.model_for(&ask);
        self.answer(session, ask, Ok(None), Instant::now(), model).await
    }

    /// The same for a follow-up, the previous request being handed in.
    pub async fn answer_unrecorded_after(
        &self,
        session: &Session,
        ask: Ask,
        previous: Option<Request>,
    ) -> Answered {
        let model = self.model_for(&ask);
        self.answer(session, ask, Ok(previous), Instant::now(), model).await
    }

    /// The same with a model of its own, whatever the project names.
    pub async fn answer_unrecorded_with(
        &self,
        session: &Session,
        ask: Ask,
        previous: Option<Request>,
        model: Modelled,
    ) -> Answered {
        self.answer(session, ask, Ok(previous), Instant::now(), Some(model)).await
    }

    /// The model of one question. Its budget is that of the real day, whatever moment the question counts from.
    fn model_for(&self, ask: &Ask) -> Option<Modelled> {
        let day = ask.asked_at.to_zoned(self.project().calendar.zone.clone()).date();
        self.model.as_ref().map(|at_hand| Modelled {
            model: at_hand.source.for_question(day, None),
            read: at_hand.read,
            narrate: at_hand.narrate,
            embedder: at_hand.embeddings.as_ref().map(|source| source.for_question(day)),
            drafts: at_hand.drafts,
        })
    }

    async fn answer(
        &self,
        session: &Session,
        ask: Ask,
        previous: Result<Option<Request>, Halt>,
        started: Instant,
        model: Option<Modelled>,
    ) -> Answered {
        let scope = Scope::of(session);
        let names_started = Instant::now();
        let names = self.names(&scope).await;
        let names_us = elapsed_us(names_started);
        let journal = Journal::default();
        let outcome = match (previous, &names) {
            (Err(halt), _) => conclude(Err(halt), Trail::default()),
            (_, Err(fault)) => conclude(Err(Halt::Fault(fault.clone())), Trail::default()),
            (Ok(previous), Ok(names)) => {
                self.walk(&scope, &ask, names, previous.as_ref(), model, &journal).await
            }
        };
        let total = elapsed_us(started);
        let timings = Timings {
            open_us: self.open_us,
            names_us,
            answer_us: total.saturating_sub(names_us),
            total_us: total.saturating_add(self.open_us),
        };
        let record = wire::record(&asked(ask), &outcome, session, self.project(), timings, &journal);
        Answered { outcome, record }
    }

    async fn walk(
        &self,
        scope: &Scope,
        ask: &Ask,
        names: &FieldValues,
        previous: Option<&Request>,
        model: Option<Modelled>,
        journal: &Journal,
    ) -> Result<Outcome, Box<Broken>> {
        let edits = ask.edits.as_ref().map_or(&[][..], |(_, edits)| edits);
        let narrator =
            model.as_ref().map(|m| ModelNarrator { model: Arc::clone(&m.model), mode: m.narrate, journal });
        let narrator: &dyn Narrator = match &narrator {
            Some(narrator) => narrator,
            None => &Templates,
        };
        let drafts = |m: &&Modelled| match m.drafts {
            DraftMode::Never => false,
            DraftMode::AdHoc => true,
        };
        let drafter =
            model.as_ref().filter(drafts).map(|m| ModelDrafter { model: Arc::clone(&m.model), journal });
        let modelled = model.map(|m| ModelReader {
            builtin: &self.reader,
            model: m.model,
            embedder: m.embedder,
            mode: m.read,
            journal,
        });
        let otherwise: &dyn Reader = match &modelled {
            Some(modelled) => modelled,
            None => &self.reader,
        };
        let taken = TakenReader { builtin: &self.reader, otherwise };
        let reader = EditedReader { reader: &taken, edits };
        let desk = Desk {
            project: self.project(),
            scope,
            warehouse: self.warehouse(),
            reader: &reader,
            narrator,
            drafter: drafter.as_ref(),
            values: names,
            previous,
            remembered: &self.remembered,
        };
        let question =
            Question { text: ask.question.clone(), now: ask.now, confirmed: ask.confirmed.clone() };
        answer(&desk, question).await
    }

    /// The names that the data gives, as a session may see them.
    pub(crate) async fn names(&self, scope: &Scope) -> Result<Arc<FieldValues>, Fault> {
        let tenant = scope.tenant().map(str::to_owned);
        let mut kept = self.names.lock().await;
        if let Some(names) = kept.get(&tenant) {
            return Ok(Arc::clone(names));
        }
        let names = Arc::new(field_values(self.project(), scope, self.warehouse()).await?);
        if kept.len() >= TENANTS_KEPT_MAX {
            kept.clear();
        }
        kept.insert(tenant, Arc::clone(&names));
        Ok(names)
    }

    /// A record, with the copies of its rows.
    ///
    /// # Errors
    /// When there is none that the session may see, or it cannot be read.
    pub async fn record(&self, session: &Session, ledger: &Ledger, id: &str) -> Result<Record, NoRecord> {
        find(ledger, &self.viewer(session), id).await
    }

    /// Runs a recorded answer again and compares. Data that can no longer be read is a broken replay, not a fault.
    ///
    /// # Errors
    /// When the record does not read back, or the warehouse fails in a way that says nothing about the answer.
    pub async fn replay(&self, session: &Session, record: &Record) -> Result<Replayed, NoRecord> {
        let recorded = wire::recorded(record).map_err(NoRecord::Unreadable)?;
        match replay(&recorded, self.project(), &Scope::of(session), self.warehouse()).await {
            Ok(replayed) => Ok(replayed),
            Err(fault) if fault.kind == FaultKind::Data => {
                Ok(broken(record, &fault, self.project().catalogue.digest != recorded.catalogue_digest))
            }
            Err(fault) => Err(fault.into()),
        }
    }
}

fn asked(ask: Ask) -> wire::Asked {
    wire::Asked {
        id: ask.id,
        asked_at: ask.asked_at,
        now: ask.now,
        question: ask.question,
        after: ask.after,
        confirmed: ask.confirmed,
        edits: ask.edits,
    }
}

/// A record by its id, or the last one for `last`.
///
/// # Errors
/// When there is none that the viewer may see, or it cannot be read.
pub async fn find(ledger: &Ledger, viewer: &Viewer, id: &str) -> Result<Record, NoRecord> {
    let id = match id {
        LAST => ledger.latest(viewer, 1).await?.into_iter().next().map(|summary| summary.id),
        id => Some(id.to_lowercase()),
    };
    let unknown = || NoRecord::Unknown(id.clone().unwrap_or_else(|| LAST.to_owned()));
    let stored = match &id {
        Some(id) => ledger.find(viewer, id).await?,
        None => None,
    };
    wire::with_rows(&stored.ok_or_else(unknown)?).map_err(NoRecord::Unreadable)
}

/// The replay of a record whose data cannot be read.
#[must_use]
pub fn broken(record: &Record, fault: &Fault, catalogue_changed: bool) -> Replayed {
    Replayed {
        id: record.id.clone(),
        verdict: Verdict::Broken,
        changes: Vec::new(),
        changes_left_out: 0,
        claims: Vec::new(),
        broken: vec![format!("{}; {}", fault.message, fault.hint)],
        catalogue_changed,
    }
}

/// What stands for the id of the last record.
pub const LAST: &str = "last";

fn elapsed_us(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}
