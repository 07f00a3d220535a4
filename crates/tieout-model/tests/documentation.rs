//! What the reference says of models is so: its example opens, and it names every fault, mode and kind of reply.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

mod support;

use std::{fs, path::Path, time::Duration};

use support::open;
use tieout_core::{
    catalogue::load::{SourceText, load},
    model::{
        BadReply, BadVectors, BudgetMeasure, BudgetSpan, BudgetSpent, KeySource, Mode, ModelFaultKind,
        UnfitKind,
    },
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap()
}

fn page() -> String {
    fs::read_to_string(root().join("docs/reference/models.md")).unwrap()
}

#[test]
fn the_example_is_a_project_that_opens() {
    let page = page();
    let example = page.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    let world = root().join("worlds/commerce");
    let text = |path: &Path| SourceText {
        path: path.strip_prefix(&world).unwrap().display().to_string(),
        text: fs::read_to_string(path).unwrap(),
    };
    let mut project = text(&world.join("tieout.yml"));
    project.text.push_str(example);
    let mut files: Vec<_> =
        fs::read_dir(world.join("catalogue")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let catalogue: Vec<_> = files.iter().map(|path| text(path)).collect();
    let loaded = load(&project, &catalogue).unwrap_or_else(|problems| panic!("{problems:?}"));
    let used = loaded.project.model.unwrap();
    let mut settings = used.settings;
    assert_eq!(settings.provider.key, Some(KeySource::Env("MODEL_KEY".to_owned())));
    assert_eq!(settings.budget.tokens_per_day, Some(2_000_000));
    settings.provider.key = Some(KeySource::Env("THE_KEY".to_owned()));
    assert!(open(&settings).is_ok());
    let mut embeddings = used.embeddings.unwrap();
    assert_eq!(embeddings.texts_per_request, 32);
    embeddings.provider.key = Some(KeySource::Env("THE_KEY".to_owned()));
    assert!(support::open_embeddings(&embeddings).is_ok());
}

/// One of each way in which what comes is no list of vectors.
fn bad_vectors() -> Vec<BadVectors> {
    let all = vec![
        BadVectors::NotJson { why: String::new() },
        BadVectors::Count { asked: 2, came: 1 },
        BadVectors::Order { place: 0, index: String::new() },
        BadVectors::Dimension { expected: 2, came: 1 },
        BadVectors::NotFinite { place: 0 },
        BadVectors::Empty { place: 0 },
        BadVectors::Zero { place: 0 },
        BadVectors::TooLong { dimensions_max: 1 },
    ];
    for bad in &all {
        match bad {
            BadVectors::NotJson { .. }
            | BadVectors::Count { .. }
            | BadVectors::Order { .. }
            | BadVectors::Dimension { .. }
            | BadVectors::NotFinite { .. }
            | BadVectors::Empty { .. }
            | BadVectors::Zero { .. }
            | BadVectors::TooLong { .. } => {}
        }
    }
    all
}

/// One of each kind of fault. The match below does not compile when a kind is added and this is not.
fn faults() -> Vec<ModelFaultKind> {
    let said = String::new;
    let spent = BudgetSpent {
        span: BudgetSpan::Day,
        measure: BudgetMeasure::Tokens,
        limit: said(),
        spent: said(),
        wanted: said(),
    };
    let all = vec![
        ModelFaultKind::Down { why: said() },
        ModelFaultKind::Timeout { after: Duration::ZERO },
        ModelFaultKind::NoKey { why: said() },
        ModelFaultKind::Unauthorised { status: 401, said: said() },
        ModelFaultKind::PaymentRequired { said: said() },
        ModelFaultKind::RateLimited { retry_after: None },
        ModelFaultKind::Server { status: 500, said: said() },
        ModelFaultKind::NotTaken { status: 400, said: said() },
        ModelFaultKind::BadReply(BadReply::ContentType { found: said() }),
        ModelFaultKind::BadReply(BadReply::Cut),
        ModelFaultKind::BadReply(BadReply::NotUtf8),
        ModelFaultKind::BadReply(BadReply::TooLarge { bytes_max: 1 }),
        ModelFaultKind::BadReply(BadReply::Shape { why: said() }),
        ModelFaultKind::BadReply(BadReply::Redirect { to: said() }),
        ModelFaultKind::Budget(Box::new(spent)),
        ModelFaultKind::BudgetUnknown { why: said() },
        ModelFaultKind::NotRecorded { digest: said(), version: said() },
        ModelFaultKind::Cassette { why: said() },
    ];
    for fault in &all {
        match fault {
            ModelFaultKind::Down { .. }
            | ModelFaultKind::Timeout { .. }
            | ModelFaultKind::NoKey { .. }
            | ModelFaultKind::Unauthorised { .. }
            | ModelFaultKind::PaymentRequired { .. }
            | ModelFaultKind::RateLimited { .. }
            | ModelFaultKind::Server { .. }
            | ModelFaultKind::NotTaken { .. }
            | ModelFaultKind::BadReply(
                BadReply::ContentType { .. }
                | BadReply::Cut
                | BadReply::NotUtf8
                | BadReply::TooLarge { .. }
                | BadReply::Shape { .. }
                | BadReply::Redirect { .. }
                | BadReply::Vectors(_),
            )
            | ModelFaultKind::Budget(_)
            | ModelFaultKind::BudgetUnknown { .. }
            | ModelFaultKind::NotRecorded { .. }
            | ModelFaultKind::Cassette { .. } => {}
            // Of tests, and of a project that cannot be: neither is met by who asks.
            ModelFaultKind::ScriptEnded { .. } | ModelFaultKind::Settings { .. } => {}
        }
    }
    all
}

#[test]
fn every_fault_mode_and_kind_of_reply_is_told() {
    let page = page();
    let mut faults: Vec<&str> = faults().iter().map(ModelFaultKind::code).collect();
    faults.extend(bad_vectors().iter().map(BadVectors::code));
    let modes = Mode::ALL.iter().map(|mode| mode.code());
    let kinds = UnfitKind::ALL.iter().map(|kind| kind.code());
    for code in faults.into_iter().chain(modes).chain(kinds) {
        assert!(page.contains(&format!("`{code}`")), "`{code}` is not told");
    }
}
