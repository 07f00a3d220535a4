//! One question, from the words to the outcome.

use std::collections::BTreeSet;

use tieout_core::{
    catalogue::{Dataset, Project},
    claim::{Claims, tether},
    compile::{ReliedKey, compile_freshness, compile_leg, compile_list, compile_list_count, compile_support},
    definitions::{Settled, settle, understood},
    evidence::{Caveat, Cell, Evidence, Label, Purpose, Rows, Writer, seal},
    figures::{Figures, assemble, assemble_list, caveats, rows_counted},
    freshness::{Loaded, judge},
    halt::{Fault, FaultKind, Halt},
    outcome::{Broken, Finished, Outcome, Trail, conclude},
    plan::{FiguresPlan, Plan, RowsPlan, draw},
    ports::{FieldValues, Narrator, ReadContext, Reader, Warehouse},
    question::Question,
    reading::{Problem, ReasonCode, Request},
    scope::Scope,
    time::Period,
};
use tieout_sql::{CheckedQuery, Rejected, Select, check};

use crate::{
    about::about,
    checking::context,
    drafting::{ModelDrafter, joined_keys, made_up},
    relied::Relied,
    remembered::{Key, Remembered},
};

/// The most rows that are copied beside a figure, so that it can be followed back to them.
pub const SUPPORT_ROWS_MAX: u64 = 200;

/// What the pipe needs beside the question.
pub struct Desk<'a> {
    /// Settings and catalogue.
    pub project: &'a Project,
    /// Who asks.
    pub scope: &'a Scope,
    /// Runs queries.
    pub warehouse: &'a dyn Warehouse,
    /// Reads questions.
    pub reader: &'a dyn Reader,
    /// Writes sentences.
    pub narrator: &'a dyn Narrator,
    /// Drafts the statements of measures that no metric covers, where the project turns that on.
    pub drafter: Option<&'a ModelDrafter<'a>>,
    /// The names that the data itself gives.
    pub values: &'a FieldValues,
    /// The request of the previous answer, for a follow-up.
    pub previous: Option<&'a Request>,
    /// What the data was found to be by the questions before, where it cannot change.
    pub remembered: &'a Remembered,
}

/// Answers a question, or says why not.
///
/// # Errors
/// A fault, with what was done before it.
pub async fn answer(desk: &Desk<'_>, question: Question) -> Result<Outcome, Box<Broken>> {
    let mut trail = Trail::default();
    let end = walk(desk, question, &mut trail).await;
    conclude(end, trail)
}

/// Reads and settles; what follows has no question to read again.
async fn walk(desk: &Desk<'_>, question: Question, trail: &mut Trail) -> Result<Finished, Halt> {
    let context = ReadContext { project: desk.project, values: desk.values, previous: desk.previous };
    let reading = desk.reader.read(&question, context).await?;
    trail.leave("read", reading.to_string());
    trail.words.clone_from(&reading.words);
    trail.block = understood(&reading, desk.project, desk.scope);
    let now = question.now;
    drop(question);
    let settled = settle(reading, desk.project, desk.scope, now)?;
    trail.block = settled.block().to_vec();
    trail.leave("settle", settled.to_string());
    onwards(desk, settled, now, trail).await
}

async fn onwards(
    desk: &Desk<'_>,
    settled: Settled,
    now: jiff::Timestamp,
    trail: &mut Trail,
) -> Result<Finished, Halt> {
    if let Request::About(request) = settled.request() {
        let claims = about(request, desk.project)?;
        return Ok(Finished { settled, figures: Figures::default(), claims, caveats: Vec::new() });
    }
    let plan = draw(&settled, desk.project)?;
    trail.leave("draw", plan.to_string());
    let datasets = datasets(&plan, desk.project);
    tenant_given(&datasets, desk.scope)?;
    let mut batch = Batch::default();
    let joined = compile_plan(&plan, &settled, desk, &mut batch, trail).await?;
    compile_loads(&datasets, desk, &mut batch)?;
    let today = settled.today();
    let mut relied = Relied::on(&plan, desk.project, today)?;
    relied.rely_on(joined);
    for (select, label) in relied.compile() {
        batch.add(desk, select, label)?;
    }
    run(desk, batch, trail).await?;
    relied.keys_hold(&trail.evidence)?;
    relied.nothing_lies_ahead(today, &trail.evidence, &desk.project.catalogue)?;
    relied.members_have_groups(&plan, &trail.evidence, &desk.project.catalogue)?;
    let periods = periods(&plan);
    let mut caveats = Vec::new();
    for dataset in &datasets {
        let loaded = Loaded { dataset, latest: latest(dataset, &trail.evidence) };
        caveats.extend(judge(&loaded, &periods, now, desk.project)?);
    }
    let figures = work_out(&plan, &settled, trail)?;
    if let Plan::Figures(plan) = &plan {
        fetch_support(plan, desk, trail).await?;
    }
    let claims = narrated(desk, &settled, &figures, trail).await?;
    caveats.extend(relied.caveats(&trail.evidence, &desk.project.catalogue));
    caveats.extend(said_by_code(&plan, &figures, &datasets, desk, &trail.evidence));
    Ok(Finished { settled, figures, claims, caveats: once(caveats) })
}

/// Queries that are checked and wait to be run together, each at its place.
#[derive(Default)]
struct Batch {
    waiting: Vec<Waiting>,
    queries: Vec<CheckedQuery>,
    /// What is known without running it again.
    known: Vec<(usize, Evidence)>,
}

struct Waiting {
    place: usize,
    label: Label,
    /// By what it is found again, where what comes back will hold for the next question too.
    key: Option<Key>,
}

impl Batch {
    fn add(&mut self, desk: &Desk<'_>, select: Select, label: Label) -> Result<(), Halt> {
        let place = self.len();
        let key = Key::of(label.purpose, &select, desk.scope).filter(|_| desk.warehouse.is_fixed());
        match key.as_ref().and_then(|key| desk.remembered.find(key)) {
            Some((query, rows)) => self.known.push((place, seal(label, query, rows))),
            None => {
                self.queries.push(checked(desk, select)?);
                self.waiting.push(Waiting { place, label, key });
            }
        }
        Ok(())
    }

    /// Adds a statement that somebody else wrote and that was accepted.
    fn add_drafted(&mut self, query: CheckedQuery, label: Label) {
        let (place, label) = (self.len(), Label { writer: Writer::Model, ..label });
        self.queries.push(query);
        self.waiting.push(Waiting { place, label, key: None });
    }

    fn len(&self) -> usize {
        self.waiting.len().saturating_add(self.known.len())
    }
}

/// The one way from a tree to a query that may run.
fn checked(desk: &Desk<'_>, select: Select) -> Result<CheckedQuery, Halt> {
    let scope = desk.scope.warehouse();
    check(select, &context(desk.project, &scope)).map_err(|rejected| refused_by(&rejected))
}

/// What the checker rejects is declined for its reasons.
pub(crate) fn refused_by(rejected: &Rejected) -> Halt {
    let problem = |r: &tieout_sql::Rejection| {
        Problem::new(ReasonCode::Rejected, format!("{}: {}", r.rule, r.message), r.hint.clone())
    };
    Halt::Refuse(rejected.rejections.iter().map(problem).collect())
}

/// Every query of a plan, by our own code or drafted; gives the keys that drafts join by.
async fn compile_plan(
    plan: &Plan,
    settled: &Settled,
    desk: &Desk<'_>,
    batch: &mut Batch,
    trail: &mut Trail,
) -> Result<BTreeSet<ReliedKey>, Halt> {
    let plan = match plan {
        Plan::Figures(plan) => plan,
        Plan::Rows(plan) => return compile_rows(plan, desk, batch, trail).map(|()| BTreeSet::new()),
    };
    let mut keys = BTreeSet::new();
    let made_up = made_up(settled, plan);
    for leg in &plan.legs {
        let label = Label {
            key_columns: plan.leg_keys(leg),
            ..label(&leg.id, Purpose::Figures, plan.leg_words(leg), 0)
        };
        if let Some(drafter) = desk.drafter.filter(|_| made_up.contains(&leg.atom)) {
            let scope = desk.scope.warehouse();
            let context = context(desk.project, &scope);
            if let Some(query) = drafter.leg(leg, plan, desk.project, &context, trail).await? {
                keys.extend(joined_keys(&query, &desk.project.catalogue));
                batch.add_drafted(query, label);
                continue;
            }
        }
        let select = compile_leg(leg, plan, desk.project)?;
        trail.leave("compile", format!("{}: {}", leg.id, select.query));
        batch.add(desk, select, label)?;
    }
    Ok(keys)
}

fn compile_rows(plan: &RowsPlan, desk: &Desk<'_>, batch: &mut Batch, trail: &mut Trail) -> Result<(), Halt> {
    let select = compile_list(plan, desk.project)?;
    trail.leave("compile", format!("q1: {}", select.query));
    let words = format!("the rows of {}", plan.dataset);
    batch.add(desk, select, label("q1", Purpose::List, words, plan.key.len()))?;
    let count = compile_list_count(plan, desk.project)?;
    trail.leave("compile", format!("q2: {}", count.query));
    batch.add(desk, count, label("q2", Purpose::Figures, format!("how many of {}", plan.dataset), 0))
}

fn compile_loads(datasets: &[&Dataset], desk: &Desk<'_>, batch: &mut Batch) -> Result<(), Halt> {
    for dataset in datasets {
        if let Some(select) = compile_freshness(dataset) {
            let id = load_id(dataset);
            batch.add(
                desk,
                select,
                label(&id, Purpose::Freshness, format!("when {} last arrived", dataset.label), 0),
            )?;
        }
    }
    Ok(())
}

pub(crate) fn load_id(dataset: &Dataset) -> String {
    format!("loaded:{}", dataset.name)
}

fn label(id: &str, purpose: Purpose, text: String, key_columns: usize) -> Label {
    Label { id: id.to_owned(), purpose, writer: Writer::Compiler, text, key_columns }
}

async fn run(desk: &Desk<'_>, batch: Batch, trail: &mut Trail) -> Result<(), Halt> {
    let Batch { waiting, queries, known: mut found } = batch;
    if !queries.is_empty() {
        let rows = ran(desk.warehouse, &queries).await?;
        for ((Waiting { place, label, key }, query), rows) in waiting.into_iter().zip(queries).zip(rows) {
            if let Some(key) = key {
                desk.remembered.keep(key, &query, &rows);
            }
            found.push((place, seal(label, query, rows)));
        }
        found.sort_by_key(|(place, _)| *place);
    }
    for (_, evidence) in found {
        trail.leave("run", format!("{}: {} rows", evidence.id(), evidence.rows().rows.len()));
        trail.evidence.push(evidence);
    }
    Ok(())
}

/// The rows of some queries, of one snapshot.
pub(crate) async fn ran(warehouse: &dyn Warehouse, queries: &[CheckedQuery]) -> Result<Vec<Rows>, Halt> {
    let rows = warehouse.run(queries).await.map_err(Halt::Fault)?;
    match rows.len() == queries.len() {
        true => Ok(rows),
        false => Err(Halt::Fault(Fault {
            kind: FaultKind::Internal,
            message: format!("{} queries were sent and {} results came back", queries.len(), rows.len()),
            hint: "nothing is shown; please report this".to_owned(),
        })),
    }
}

fn work_out(plan: &Plan, settled: &Settled, trail: &mut Trail) -> Result<Figures, Halt> {
    let names = names(plan, settled);
    let figures = match plan {
        Plan::Figures(plan) => assemble(plan, &trail.evidence, names)?,
        Plan::Rows(plan) => match trail.evidence.as_slice() {
            [list, count, ..] => assemble_list(plan, list, count, names)?,
            _ => return Err(internal("a list has no evidence")),
        },
    };
    trail.leave("work out", figures.to_string());
    Ok(figures)
}

/// The rows behind the figures, where they are few enough to be copied.
async fn fetch_support(plan: &FiguresPlan, desk: &Desk<'_>, trail: &mut Trail) -> Result<(), Halt> {
    let mut batch = Batch::default();
    let mut counted = Vec::new();
    for leg in plan.support_legs() {
        let Some(rows) = rows_counted(leg, &trail.evidence) else { continue };
        if rows == 0 || rows > SUPPORT_ROWS_MAX {
            continue;
        }
        let Ok(select) = compile_support(leg, plan, desk.project, SUPPORT_ROWS_MAX) else { continue };
        let keys = plan.key_len(leg, desk.project);
        let id = format!("s{}", batch.len() + 1);
        batch.add(
            desk,
            select,
            label(&id, Purpose::Support, format!("the rows of {}", plan.leg_words(leg)), keys),
        )?;
        counted.push((id, rows, plan.counts_rows_once(leg)));
    }
    run(desk, batch, trail).await?;
    for (id, rows, exact) in counted {
        let found = trail.evidence.iter().find(|e| e.id() == id).map_or(0, |e| e.rows().rows.len() as u64);
        if exact && found != rows {
            return Err(Halt::Fault(Fault {
                kind: FaultKind::Data,
                message: format!(
                    "the data changed while it was read: {rows} rows were counted, {found} found"
                ),
                hint: "ask again".to_owned(),
            }));
        }
    }
    Ok(())
}

/// Sentences that hold.
async fn narrated(
    desk: &Desk<'_>,
    settled: &Settled,
    figures: &Figures,
    trail: &mut Trail,
) -> Result<Claims, Halt> {
    let draft = desk.narrator.narrate(settled, figures).await?;
    trail.leave("narrate", format!("{} sentences", draft.sentences.len()));
    if draft.sentences.is_empty() {
        return Err(Halt::Refuse(vec![Problem::new(
            ReasonCode::NoDraft,
            "no sentence could be written over the figures",
            "nothing is shown without one; please report this",
        )]));
    }
    let claims = tether(&draft, figures, &trail.evidence).map_err(Halt::Refuse)?;
    trail.leave("tether", format!("{} claims hold", claims.list().len()));
    Ok(claims)
}

/// What must survive prose: attached after it, by code.
fn said_by_code(
    plan: &Plan,
    figures: &Figures,
    datasets: &[&Dataset],
    desk: &Desk<'_>,
    evidence: &[Evidence],
) -> Vec<Caveat> {
    let mut caveats = caveats(plan, figures, evidence);
    for note in desk.warehouse.notes() {
        if datasets.iter().any(|d| d.source == note.source) {
            caveats.push(Caveat { code: "data_note", text: note.message.clone() });
        }
    }
    caveats
}

pub(crate) fn once(caveats: Vec<Caveat>) -> Vec<Caveat> {
    let mut kept: Vec<Caveat> = Vec::new();
    for caveat in caveats {
        if !kept.contains(&caveat) {
            kept.push(caveat);
        }
    }
    kept
}

/// The datasets that a plan reads for its figures, each once.
fn datasets<'a>(plan: &Plan, project: &'a Project) -> Vec<&'a Dataset> {
    let mut names: Vec<&str> = match plan {
        Plan::Figures(plan) => plan.atoms.iter().map(|a| a.dataset.as_str()).collect(),
        Plan::Rows(RowsPlan { dataset, .. }) => vec![dataset.as_str()],
    };
    names.sort_unstable();
    names.dedup();
    datasets_of(&names, project)
}

/// The datasets of some names.
pub(crate) fn datasets_of<'a>(names: &[impl AsRef<str>], project: &'a Project) -> Vec<&'a Dataset> {
    names.iter().filter_map(|name| project.catalogue.datasets.get(name.as_ref())).collect()
}

fn tenant_given(datasets: &[&Dataset], scope: &Scope) -> Result<(), Halt> {
    let owned = datasets.iter().find(|d| d.tenant.is_some());
    match (owned, scope.tenant()) {
        (Some(dataset), None) => Err(Halt::Refuse(vec![Problem::new(
            ReasonCode::NoTenant,
            format!("{} belong to tenants, and this session has none", dataset.label),
            "open a session of a tenant (`--tenant NAME`)",
        )])),
        (Some(_) | None, _) => Ok(()),
    }
}

fn periods(plan: &Plan) -> Vec<Option<Period>> {
    match plan {
        Plan::Figures(plan) => plan.windows.iter().map(|w| w.period.clone()).collect(),
        Plan::Rows(plan) => vec![plan.period.as_ref().map(|(_, p)| p.clone())],
    }
}

pub(crate) fn latest(dataset: &Dataset, evidence: &[Evidence]) -> Option<Cell> {
    let id = load_id(dataset);
    let rows: &Rows = evidence.iter().find(|e| e.id() == id)?.rows();
    rows.rows.first()?.first().cloned()
}

/// Names that sentences may copy.
fn names(plan: &Plan, settled: &Settled) -> Vec<String> {
    let mut names: Vec<String> = match plan {
        Plan::Figures(plan) => plan.windows.iter().map(|w| w.words.clone()).collect(),
        Plan::Rows(plan) => vec![plan.dataset.clone()],
    };
    match settled.request() {
        Request::Figures(request) => names.push(request.period.words.clone()),
        Request::Rows(request) => names.push(request.period.words.clone()),
        Request::About(_) => {}
    }
    let narrowed = settled.narrowed();
    names.extend(narrowed.rows.iter().chain(&narrowed.part).cloned());
    names
}

fn internal(message: &str) -> Halt {
    Halt::Fault(Fault {
        kind: FaultKind::Internal,
        message: message.to_owned(),
        hint: "nothing is shown; please report this".to_owned(),
    })
}
