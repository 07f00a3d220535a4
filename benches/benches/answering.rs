//! What honesty costs an answer: holding a reading that somebody else made to the words of its question, judging the shape
//! of a model's reply, and tethering the sentences of an answer. Over the catalogue of the example shop, and over one of
//! 200 metrics, 2,000 synonyms and 100,000 values.

use std::{error::Error, hint::black_box, path::Path, sync::Arc};

use criterion::{Criterion, criterion_group, criterion_main};
use tieout::session::{Ask, Modelled, Workbench};
use tieout_agent::Templates;
use tieout_benches::{Large, synonym};
use tieout_core::{
    catalogue::Project,
    claim::tether,
    model::{DraftMode, NarrateMode, ReadMode},
    outcome::{Answer, Outcome},
    ports::{FieldValues, Narrator, ReadContext},
    question::Question,
    reading::{Reading, Use},
    scope::Session,
};
use tieout_model::{said::judge, scripted::Scripted};
use tieout_reader::{BuiltinReader, examine::Declared};

const NOW: &str = "2026-10-07T15:00:00Z";

/// Holds a reading to a question in which one word is unknown.
fn examined(
    criterion: &mut Criterion,
    name: &str,
    project: &Project,
    values: &FieldValues,
    (asked, worded, metric): (&str, &str, &str),
) -> Result<(), Box<dyn Error>> {
    let reader = BuiltinReader::default();
    let context = ReadContext { project, values, previous: None };
    let question = |text: &str| -> Result<Question, Box<dyn Error>> {
        Ok(Question { text: text.to_owned(), now: NOW.parse()?, confirmed: Vec::new() })
    };
    let (asked, worded) = (question(asked)?, question(worded)?);
    let reading: Reading = reader.read_now(&worded, context).map_err(|halt| format!("{halt:?}"))?;
    let declared = [Declared { words: "takings".to_owned(), used_as: Use::Metric(metric.to_owned()) }];
    let found = reader.examine(&asked, &reading, &declared, context);
    if !found.problems.is_empty() {
        return Err(format!("{:?}", found.problems).into());
    }
    criterion.bench_function(&format!("examine a reading, {name}"), |bencher| {
        bencher.iter(|| black_box(reader.examine(&asked, &reading, &declared, context).problems.len()));
    });
    criterion.bench_function(&format!("read the wording back, {name}"), |bencher| {
        bencher.iter(|| black_box(reader.read_now(&worded, context).is_ok()));
    });
    Ok(())
}

fn shop() -> Result<Workbench, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../worlds/commerce");
    Workbench::open(&root, None).map_err(|error| format!("{error:?}").into())
}

fn ask(question: &str) -> Result<Ask, Box<dyn Error>> {
    let now = NOW.parse()?;
    Ok(Ask {
        id: "bench".to_owned(),
        asked_at: now,
        now,
        question: question.to_owned(),
        confirmed: Vec::new(),
        after: None,
        edits: None,
    })
}

fn alpha() -> Session {
    Session { principal: "bench".to_owned(), tenant: Some("alpha".to_owned()) }
}

/// Judges the shape of a reply against the schema of a real prompt.
fn judged(criterion: &mut Criterion, bench: &Workbench) -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let reply = r#"{"words": {"takings": "net_revenue"}, "ask": "figures", "measures": ["net_revenue"], "by": ["ledger.channel"], "conditions": [], "period": "t1"}"#;
    let model = Arc::new(Scripted::replies([reply, reply, reply]));
    let asked = ask("takings by channel in September 2026")?;
    let modelled = Modelled {
        model: Arc::<Scripted>::clone(&model),
        read: ReadMode::BuiltinThenModel,
        narrate: NarrateMode::Builtin,
        embedder: None,
        drafts: DraftMode::Never,
    };
    let session = alpha();
    let done = bench.answer_unrecorded_with(&session, asked, None, modelled);
    if !matches!(runtime.block_on(done).outcome, Ok(Outcome::Doubt { .. })) {
        return Err("the reply does not stand".into());
    }
    let prompt = model.asked().into_iter().next().ok_or("nothing was asked")?;
    criterion.bench_function("judge the shape of a reply, the shop", |bencher| {
        bencher.iter(|| black_box(judge(reply, &prompt.schema)));
    });
    Ok(())
}

/// Tethers the sentences of an answer over so many figures.
fn tethered(criterion: &mut Criterion, bench: &Workbench, question: &str) -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let outcome = runtime.block_on(bench.answer_unrecorded(&alpha(), ask(question)?)).outcome;
    let Ok(Outcome::Answer(answer)) = outcome else {
        return Err(format!("“{question}” has no answer").into());
    };
    let answer: &Answer = &answer;
    let draft = runtime
        .block_on(Templates.narrate(&answer.settled, &answer.figures))
        .map_err(|halt| format!("{halt:?}"))?;
    let figures = answer.figures.all().count();
    let name = format!("tether an answer of {figures} figures in {} sentences", draft.sentences.len());
    criterion.bench_function(&name, |bencher| {
        bencher.iter(|| black_box(tether(&draft, &answer.figures, &answer.trail.evidence).is_ok()));
    });
    Ok(())
}

fn all(criterion: &mut Criterion) -> Result<(), Box<dyn Error>> {
    let bench = shop()?;
    let nothing = FieldValues::default();
    let shop =
        ("takings by channel in September 2026", "net revenue by channel in September 2026", "net_revenue");
    examined(criterion, "the shop", bench.project(), &nothing, shop)?;
    let large = Large::make().map_err(|problems| problems.to_string())?;
    let worded = format!("{} by channel in September 2026", synonym(0));
    let made_up = ("takings by channel in September 2026", worded.as_str(), "metric_0");
    examined(criterion, "the large catalogue", &large.project, &large.values, made_up)?;
    judged(criterion, &bench)?;
    tethered(criterion, &bench, "Compare September 2026 net revenue with August by channel")?;
    tethered(criterion, &bench, "net revenue by customer name and month in 2025")
}

fn answering(criterion: &mut Criterion) {
    if let Err(error) = all(criterion) {
        eprintln!("nothing is measured: {error}");
        std::process::exit(1);
    }
}

criterion_group! { name = benches; config = Criterion::default().sample_size(30); targets = answering }
criterion_main!(benches);
