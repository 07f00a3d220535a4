//! Runs the case files: every case earns every pass that applies.
//!
//! walk (the outcome and each stage that has a fence, as printed) · witness (hand-written SQL over the raw files) ·
//! replay (the record, run and tethered again) · surfaces (the block stands above the first figure) · other tenant
//! (nothing of the first appears) · lie (each lie is refused). Passes that cannot run here are counted as skipped.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

mod drafts;
mod lies;
mod parse;
mod sentences;
#[allow(dead_code, reason = "another test reads whole folders with it")]
mod witness;

use std::{
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::Arc,
};

use parse::Case;
use tieout::{
    render::terminal::{self, Layout},
    session::{Answered, Ask, Modelled, Workbench},
};
use tieout_agent::Verdict;
use tieout_core::{
    evidence::{Cell, Purpose},
    model::{DraftMode, NarrateMode, ReadMode},
    outcome::{Answer, Outcome},
    ports::Model,
    scope::Session,
};
use tieout_model::scripted::{Scripted, script};
use witness::Witness;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

#[derive(Default)]
struct Tally {
    passes: BTreeMap<&'static str, usize>,
    lies: usize,
    skipped: usize,
    failures: Vec<String>,
}

impl Tally {
    fn judge(&mut self, pass: &'static str, case: &Case, verdict: Result<(), String>) {
        *self.passes.entry(pass).or_default() += 1;
        if let Err(why) = verdict {
            self.failures.push(format!("{} [{pass}]\n    {}", case.name, why.replace('\n', "\n    ")));
        }
    }
}

struct Runner<'a> {
    bench: &'a Workbench,
    witness: &'a Witness,
    cases: &'a HashMap<String, Case>,
}

impl Runner<'_> {
    async fn ask(&self, case: &Case, tenant: Option<&str>) -> (Session, Answered) {
        let model = case.fences.get("model").map(|text| {
            let lines = script(text).unwrap_or_else(|e| panic!("{}: {e}", case.name));
            let model: Arc<dyn Model> = Arc::new(Scripted::lines(lines));
            Modelled {
                model,
                read: case.setting("read").and_then(ReadMode::of_code).unwrap_or_default(),
                narrate: case.setting("narrate").and_then(NarrateMode::of_code).unwrap_or_default(),
                embedder: None,
                drafts: case.setting("drafts").and_then(DraftMode::of_code).unwrap_or_default(),
            }
        });
        self.ask_with(case, tenant, model).await
    }

    async fn ask_with(
        &self,
        case: &Case,
        tenant: Option<&str>,
        model: Option<Modelled>,
    ) -> (Session, Answered) {
        let session = Session { principal: "cases".to_owned(), tenant: tenant.map(str::to_owned) };
        let after = case.setting("after").filter(|a| !a.is_empty());
        let mut previous = None;
        if let Some(name) = after {
            let stem = case.name.split(": ").next().unwrap_or("");
            let earlier = self
                .cases
                .get(&format!("{stem}: {name}"))
                .unwrap_or_else(|| panic!("{}: no case {name}", case.name));
            let earlier = Box::pin(self.ask(earlier, tenant)).await.1;
            if let Ok(Outcome::Answer(answer)) = &earlier.outcome {
                previous = Some(answer.settled.request().clone());
            }
        }
        let now = case.now(&self.bench.project().calendar.zone);
        let ask = Ask {
            id: "case".to_owned(),
            asked_at: now,
            now,
            question: case.fences.get("question").cloned().unwrap_or_default(),
            confirmed: case.confirmed(),
            after: None,
            edits: None,
        };
        let answered = match model {
            Some(model) => self.bench.answer_unrecorded_with(&session, ask, previous, model).await,
            None => self.bench.answer_unrecorded_after(&session, ask, previous).await,
        };
        (session, answered)
    }

    async fn run(&self, case: &Case, tally: &mut Tally) {
        let tenant = case.setting("tenant").filter(|t| !t.is_empty());
        let (session, answered) = self.ask(case, tenant).await;
        tally.judge("walk", case, walk(case, &answered));
        tally.skipped += 2; // The engines and web surfaces that are not built yet.
        tally.judge("surfaces", case, surfaces(&answered));
        let Ok(Outcome::Answer(answer)) = &answered.outcome else { return };
        if let Some(sql) = case.fences.get("witness") {
            tally.judge("witness", case, self.agrees(case, answer, sql));
        }
        if let Some(said) = case.fences.get("sentences") {
            let judged = sentences::judged(case, answer, said).await;
            tally.lies += judged.lies;
            tally.judge("sentences", case, judged.verdict);
        }
        if let Some(said) = case.fences.get("drafts") {
            let judged = drafts::judged(self, case, answer, said).await;
            tally.lies += judged.lies;
            tally.judge("drafts", case, judged.verdict);
        }
        tally.judge("replay", case, self.replays(&session, &answered).await);
        let told = lies::tell(answer, self.bench.project()).await;
        tally.lies += told.told;
        let caught = if told.believed.is_empty() { Ok(()) } else { Err(told.believed.join("; ")) };
        tally.judge("lie", case, caught);
        if tenant.is_some() {
            let (_, other) = self.ask(case, Some("nobody")).await;
            tally.judge("other tenant", case, nothing_seen(&other, self.bench));
        }
    }

    fn agrees(&self, case: &Case, answer: &Answer, sql: &str) -> Result<(), String> {
        let theirs = self.witness.rows(sql)?;
        let ours = witness::table(&answer.figures, &answer.trail.evidence);
        let ordered = case.fences.get("outcome").is_some_and(|o| o.lines().any(|l| l.trim() == "ordered"));
        if witness::agree(&ours, &theirs, ordered) {
            return Ok(());
        }
        let show = |rows: &[Vec<String>]| {
            rows.iter().take(6).map(|r| r.join(" | ")).collect::<Vec<_>>().join("\n  ")
        };
        Err(format!(
            "ours ({} rows)\n  {}\ntheirs ({} rows)\n  {}",
            ours.len(),
            show(&ours),
            theirs.len(),
            show(&theirs)
        ))
    }

    async fn replays(&self, session: &Session, answered: &Answered) -> Result<(), String> {
        let replayed = self.bench.replay(session, &answered.record).await.map_err(|e| format!("{e:?}"))?;
        match replayed.verdict {
            Verdict::Same => Ok(()),
            Verdict::Changed | Verdict::Broken => Err(format!("{replayed:?}")),
        }
    }
}

/// The outcome, and the printed form of every stage that has a fence.
fn walk(case: &Case, answered: &Answered) -> Result<(), String> {
    let wanted =
        case.fences.get("outcome").and_then(|o| o.lines().next()).unwrap_or("answer").trim().to_owned();
    let (got, detail) = match &answered.outcome {
        Ok(Outcome::Answer(_)) => ("answer".to_owned(), String::new()),
        Ok(Outcome::Doubt { doubts, .. }) => {
            (format!("doubt {}", doubts.first().map_or("", |d| &d.subject)), format!("{doubts:?}"))
        }
        Ok(Outcome::Refusal { problems, .. }) => {
            (format!("refusal {}", problems.first().map_or("", |p| p.code.code())), format!("{problems:?}"))
        }
        Err(broken) => (format!("fault {}", broken.fault.kind.code()), broken.fault.message.clone()),
    };
    // A doubt's subject may name what it is about after a colon, which a case need not.
    let agrees = got == wanted || got.split_once(':').is_some_and(|(subject, _)| subject == wanted);
    if !agrees {
        let question = case.fences.get("question").map_or("", String::as_str);
        return Err(format!("“{question}”\nwanted {wanted}, got {got} {detail}"));
    }
    let offered = match &answered.outcome {
        Ok(Outcome::Doubt { doubts, .. }) => doubts.first().and_then(|d| d.choices.first()),
        Ok(Outcome::Answer(_) | Outcome::Refusal { .. }) | Err(_) => None,
    };
    let offered = offered.map_or("", |choice| choice.key.as_str());
    if let Some(wording) = case.fences.get("wording").filter(|wording| wording.trim() != offered) {
        return Err(format!("wording: wanted\n{wording}\ngot\n{offered}"));
    }
    let trail = match &answered.outcome {
        Ok(outcome) => outcome.trail(),
        Err(broken) => &broken.trail,
    };
    for (fence, stage) in
        [("reading", "read"), ("settled", "settle"), ("plan", "draw"), ("figures", "work out")]
    {
        let Some(wanted) = case.fences.get(fence) else { continue };
        let got = trail.entries.iter().find(|e| e.stage == stage).map_or("", |e| e.text.trim());
        if wanted.trim() != got {
            return Err(format!("{fence}: wanted\n{wanted}\ngot\n{got}"));
        }
    }
    Ok(())
}

/// The block stands above the first figure on the terminal, and in the JSON.
fn surfaces(answered: &Answered) -> Result<(), String> {
    let shown = terminal::record(
        &answered.record,
        &[],
        &Layout { colour: tieout::surroundings::Colour::Never, columns: 100, options: Vec::new() },
    );
    let json = tieout::render::json::print(&answered.record);
    serde_json::from_str::<serde_json::Value>(&json).map_err(|e| e.to_string())?;
    let Ok(Outcome::Answer(answer)) = &answered.outcome else { return Ok(()) };
    let Some(line) = answer.figures.total.as_ref().or(answer.figures.lines.first()) else { return Ok(()) };
    let Some(figure) = line.figures.first() else { return Ok(()) };
    let unit = &answer.figures.columns[figure.column].unit;
    let value = figure.value.shown(unit);
    let number = value.split(' ').next().unwrap_or("");
    for field in ["metric", "population", "period", "grain", "exclusions"] {
        let Some(at) = shown.lines().position(|l| l.trim_start_matches([' ', '!']).starts_with(field)) else {
            return Err(format!("the terminal does not show the {field}\n{shown}"));
        };
        let headline = shown.lines().position(|l| l.trim_start().starts_with(number));
        if headline.is_some_and(|h| h < at) {
            return Err(format!("the number stands above the {field}\n{shown}"));
        }
    }
    Ok(())
}

/// A tenant that does not exist sees no row of a dataset that belongs to tenants.
fn nothing_seen(other: &Answered, bench: &Workbench) -> Result<(), String> {
    let trail = match &other.outcome {
        Ok(outcome) => outcome.trail(),
        Err(broken) => return Err(broken.fault.message.clone()),
    };
    let owned =
        |table: &String| bench.project().catalogue.datasets.get(table).is_some_and(|d| d.tenant.is_some());
    for evidence in trail.evidence.iter().filter(|e| e.query().tables().iter().any(owned)) {
        let counts = matches!(evidence.purpose(), Purpose::Figures);
        let seen = evidence.rows().rows.iter().any(|row| match (counts, evidence.rows().column("n")) {
            (true, Some(n)) => row.get(n).is_some_and(|c| *c != Cell::Number(0.into()) && *c != Cell::Null),
            _ => row.iter().any(|c| !matches!(c, Cell::Null | Cell::Number(_))),
        });
        let base_is_shared = evidence.query().proof().is_empty();
        if seen && !base_is_shared && evidence.query().tables().iter().all(owned) {
            return Err(format!("{} shows rows to a tenant that does not exist", evidence.id()));
        }
    }
    Ok(())
}

fn run_world(world: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let cases = parse::folder(&root().join("cases").join(world));
    assert!(!cases.is_empty(), "no cases of {world}");
    let folder = root().join("worlds").join(world);
    let bench =
        Workbench::open(&folder, None).unwrap_or_else(|e| panic!("worlds/{world} does not open: {e:?}"));
    let witness = Witness::open(&folder);
    let index = cases.iter().map(|c| (c.name.clone(), c.clone())).collect();
    let runner = Runner { bench: &bench, witness: &witness, cases: &index };
    let mut tally = Tally::default();
    for case in cases.iter().chain(&metrics(&folder)) {
        runtime.block_on(runner.run(case, &mut tally));
    }
    let passes: Vec<_> = tally.passes.iter().map(|(p, n)| format!("{p} {n}")).collect();
    println!(
        "{world}: {} cases; passes: {}; lies told {}; skipped {}",
        cases.len(),
        passes.join(", "),
        tally.lies,
        tally.skipped
    );
    assert!(
        tally.failures.is_empty(),
        "{} failures in {world}:\n{}",
        tally.failures.len(),
        tally.failures.join("\n")
    );
}

/// One case for each metric, from its witness: the comment says what to ask.
fn metrics(folder: &Path) -> Vec<Case> {
    let mut files: Vec<_> =
        std::fs::read_dir(folder.join("witness")).unwrap().flatten().map(|e| e.path()).collect();
    files.sort();
    files.retain(|p| p.file_name().is_some_and(|n| n != "_tables.sql"));
    let case = |path: &PathBuf| {
        let sql = std::fs::read_to_string(path).unwrap();
        let said = |key: &str| {
            sql.lines().find_map(|l| l.strip_prefix(&format!("-- {key}:"))).map(|v| v.trim().to_owned())
        };
        let session =
            ["tenant", "now", "confirm"].into_iter().filter_map(|k| Some((k.to_owned(), said(k)?))).collect();
        let question = said("question").unwrap_or_else(|| panic!("{} names no question", path.display()));
        let query: Vec<_> = sql.lines().filter(|l| !l.trim_start().starts_with("--")).collect();
        let fences =
            [("question", question), ("outcome", "answer".to_owned()), ("witness", query.join("\n"))];
        let fences = fences.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
        Case { name: format!("witness: {}", path.file_stem().unwrap().to_string_lossy()), session, fences }
    };
    files.iter().map(case).collect()
}

#[test]
fn commerce() {
    run_world("commerce");
}

#[test]
fn lending() {
    run_world("lending");
}

#[test]
fn support() {
    run_world("support");
}

/// Every reason to decline, kind of metric and kind of claim has a case that names it.
#[test]
fn nothing_lacks_a_case() {
    let mut said = std::fs::read_to_string(root().join("crates/tieout-agent/tests/pipe.rs")).unwrap();
    let mut catalogues = String::new();
    for world in ["commerce", "lending", "support"] {
        for case in parse::folder(&root().join("cases").join(world)) {
            said.push_str(case.fences.get("outcome").map_or("", String::as_str));
        }
        for file in std::fs::read_dir(root().join("worlds").join(world).join("catalogue")).unwrap().flatten()
        {
            catalogues.push_str(&std::fs::read_to_string(file.path()).unwrap());
        }
    }
    let reasons = tieout_core::reading::ReasonCode::ALL.iter().map(|r| format!("refusal {}", r.code()));
    let missing: Vec<_> = reasons.filter(|r| !said.contains(r)).collect();
    let kinds = tieout_core::metric_kinds::KINDS.iter().map(|k| format!("kind: {}", k.name));
    let unused: Vec<_> = kinds.filter(|k| !catalogues.contains(k)).collect();
    assert!(missing.is_empty() && unused.is_empty(), "no case has {missing:?}; no world has {unused:?}");
}
