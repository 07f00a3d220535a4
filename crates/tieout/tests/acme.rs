//! Asks the published questions of acme, on the published rows and on a perturbed copy, and prints the five numbers.
//!
//! Steps aside, saying so, where the corpora are not there (`TIEOUT_CORPORA`).

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

#[path = "cases/witness.rs"]
#[allow(dead_code)]
mod witness;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde::Deserialize;
use tieout::session::{Ask, Workbench};
use tieout_core::{outcome::Outcome, scope::Session};
use witness::Witness;

#[derive(Deserialize)]
struct Expectations {
    questions: BTreeMap<String, Expected>,
}

#[derive(Deserialize)]
struct Expected {
    expect: String,
    #[serde(default)]
    if_answered: Option<String>,
    #[serde(default)]
    null_group: Option<String>,
    #[serde(default)]
    duplicates: Option<String>,
    #[serde(default)]
    also_right: Vec<String>,
}

#[derive(Deserialize)]
struct Published {
    id: String,
    question: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Right,
    SilentlyWrong,
    RightlyDeclined,
    WronglyDeclined,
    Broken,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

fn corpora() -> Option<PathBuf> {
    let named = std::env::var_os("TIEOUT_CORPORA").map(PathBuf::from);
    let beside = root().parent().map(|p| p.join("shared/corpora"));
    named.into_iter().chain(beside).find(|p| p.join("acme/questions.jsonl").is_file())
}

#[test]
fn the_five_numbers() {
    let Some(corpora) = corpora() else {
        println!("acme: skipped, the corpora are not here (set TIEOUT_CORPORA)");
        return;
    };
    let copy = tempfile::tempdir().unwrap();
    let made = Command::new("sh")
        .arg(root().join("worlds/acme/perturb/perturb.sh"))
        .args([&corpora.join("acme/data"), copy.path()])
        .status()
        .unwrap();
    assert!(made.success(), "the perturbed copy was not made");
    let published = run(&corpora, &corpora, "published");
    let perturbed = run(&corpora, copy.path(), "perturbed");
    for (name, verdicts) in [("published", &published), ("perturbed", &perturbed)] {
        let count = |v| verdicts.values().filter(|x| **x == v).count();
        println!(
            "acme, {name:<9} right {} · silently wrong {} · rightly declined {} · wrongly declined {} · broken {}",
            count(Verdict::Right),
            count(Verdict::SilentlyWrong),
            count(Verdict::RightlyDeclined),
            count(Verdict::WronglyDeclined),
            count(Verdict::Broken)
        );
        assert_eq!(count(Verdict::SilentlyWrong), 0, "{name}: {verdicts:?}");
        assert_eq!(count(Verdict::Broken), 0, "{name}: {verdicts:?}");
    }
    let right = published.values().filter(|v| **v == Verdict::Right).count();
    assert!(right >= 38, "only {right} of {} are right", published.len());
}

fn run(corpora: &Path, data: &Path, name: &str) -> BTreeMap<String, Verdict> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let world = root().join("worlds/acme");
    let expectations: Expectations =
        serde_saphyr::from_str(&fs::read_to_string(world.join("expectations.yml")).unwrap()).unwrap();
    let bench = Workbench::open(&world, Some(data)).unwrap_or_else(|e| panic!("acme does not open: {e:?}"));
    let witness = Witness::of_folder(&data.join("acme/data"));
    let questions = fs::read_to_string(corpora.join("acme/questions.jsonl")).unwrap();
    let mut verdicts = BTreeMap::new();
    for line in questions.lines().filter(|l| !l.trim().is_empty()) {
        let Published { id, question } = serde_json::from_str(line).unwrap();
        let expected =
            expectations.questions.get(&id).unwrap_or_else(|| panic!("nothing is expected of {id}"));
        let now = "2026-10-07T12:00:00Z".parse().unwrap();
        let ask = Ask {
            id: id.clone(),
            asked_at: now,
            now,
            question: question.clone(),
            confirmed: Vec::new(),
            after: None,
            edits: None,
        };
        let session = Session { principal: "acme".to_owned(), tenant: None };
        let answered = runtime.block_on(bench.answer_unrecorded(&session, ask));
        let declines = expected.expect == "declined";
        let (verdict, why) = match &answered.outcome {
            Err(broken) => (Verdict::Broken, broken.fault.message.clone()),
            Ok(Outcome::Doubt { doubts, .. }) => {
                let verdict = if declines { Verdict::RightlyDeclined } else { Verdict::WronglyDeclined };
                (verdict, format!("doubt: {}", doubts[0].message))
            }
            Ok(Outcome::Refusal { problems, .. }) => {
                let verdict = if declines { Verdict::RightlyDeclined } else { Verdict::WronglyDeclined };
                (verdict, format!("{}: {}", problems[0].code.code(), problems[0].message))
            }
            Ok(Outcome::Answer(answer)) => {
                let ours = witness::table(&answer.figures, &answer.trail.evidence);
                let names = std::iter::once(&id).chain(&expected.also_right);
                let right = names
                    .map(|n| fs::read_to_string(world.join(format!("witness/{n}.sql"))).unwrap())
                    .any(|sql| {
                        let theirs = witness.rows(&sql).unwrap_or_else(|e| panic!("{id}: {e}"));
                        same(&ours, &theirs, expected)
                    });
                let allowed = !declines || expected.if_answered.is_some();
                if right && allowed {
                    (Verdict::Right, String::new())
                } else {
                    (Verdict::SilentlyWrong, format!("{ours:?}"))
                }
            }
        };
        if !matches!(verdict, Verdict::Right | Verdict::RightlyDeclined) {
            println!(
                "  {name} {id} {verdict:?}: {question}\n      {}",
                why.chars().take(400).collect::<String>()
            );
        }
        verdicts.insert(id, verdict);
    }
    verdicts
}

/// Whether two tables hold the same rows, whatever the order of their columns.
fn same(ours: &[Vec<String>], theirs: &[Vec<String>], expected: &Expected) -> bool {
    let optional = |said: &Option<String>| said.as_deref() == Some("optional");
    let prepare = |rows: &[Vec<String>]| {
        let mut rows = rows.to_vec();
        if optional(&expected.null_group) {
            rows.retain(|r| !r.iter().any(|c| c == "(none)"));
        }
        rows.sort();
        if optional(&expected.duplicates) {
            rows.dedup();
        }
        rows
    };
    let (ours, theirs) = (prepare(ours), prepare(theirs));
    let width = ours.first().map_or(0, Vec::len);
    if ours.len() != theirs.len() || theirs.first().map_or(0, Vec::len) != width {
        return ours.is_empty() && theirs.is_empty();
    }
    arrange(&ours, &theirs, width, &mut Vec::new())
}

/// Looks for an order of their columns in which the rows are ours.
fn arrange(ours: &[Vec<String>], theirs: &[Vec<String>], width: usize, chosen: &mut Vec<usize>) -> bool {
    let project = |rows: &[Vec<String>], columns: &[usize]| {
        let mut rows: Vec<Vec<String>> =
            rows.iter().map(|r| columns.iter().map(|c| r[*c].clone()).collect()).collect();
        rows.sort();
        rows
    };
    let at = chosen.len();
    let left: Vec<usize> = (0..at).collect();
    if project(ours, &left) != project(theirs, chosen) {
        return false;
    }
    if at == width {
        return true;
    }
    let used: BTreeSet<usize> = chosen.iter().copied().collect();
    for column in (0..width).filter(|c| !used.contains(c)) {
        chosen.push(column);
        if arrange(ours, theirs, width, chosen) {
            return true;
        }
        chosen.pop();
    }
    false
}
