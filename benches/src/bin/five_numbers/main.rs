//! The five numbers, side by side, over questions as people write them: the built-in reader, a language model alone that
//! is given the tables and the catalogue and writes SQL, and the same model inside tieout.
//!
//! `cargo run --release -p tieout-benches --bin five_numbers -- --cassettes FOLDER [--url URL --model NAME]
//! [--arms builtin,alone,inside] [--worlds commerce,lending,support] [--log FILE]`
//!
//! With a URL, what the cassettes do not hold is asked there and recorded (any OpenAI-compatible endpoint); without one,
//! nothing is asked, and only questions that were put to every arm are counted. Nothing of it runs by itself: what a model
//! says is up to it.

mod alone;
mod inside;
mod score;
mod sheet;
mod tables;

use std::{
    collections::BTreeMap,
    error::Error,
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use async_trait::async_trait;
use inside::Inside;
use jiff::civil::Date;
use score::{Back, Scored, Tally, Verdict};
use sheet::{Asked, Sheet};
use tables::Raw;
use tieout::session::Workbench;
use tieout_core::{
    model::{
        Mode, ModelFault, ModelFaultKind, ModelIdentity, ModelSettings, Plaintext, Prompt, ProviderSettings,
        ReadMode, Reply,
    },
    ports::Model,
    scope::Session,
};
use tieout_model::{ModelHost, ModelSource, Outside, Taping, budget::SpendInMemory};

/// The longest that one exchange may take: a small model on a busy machine is slow.
const TIMEOUT_MS: u64 = 1_200_000;

/// Who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Arm {
    Builtin,
    Alone,
    Inside,
}

impl Arm {
    const ALL: [Self; 3] = [Self::Builtin, Self::Alone, Self::Inside];

    fn name(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Alone => "alone",
            Self::Inside => "inside",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Builtin => "the built-in reader",
            Self::Alone => "the model alone",
            Self::Inside => "the same model inside tieout",
        }
    }
}

/// What the command line says.
struct Wanted {
    cassettes: PathBuf,
    endpoint: Option<(String, String)>,
    arms: Vec<Arm>,
    worlds: Vec<String>,
    log: Option<PathBuf>,
}

fn wanted() -> Result<Wanted, Box<dyn Error>> {
    let mut said: BTreeMap<String, String> = BTreeMap::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(key) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("`{key}` needs a value"))?;
        said.insert(key, value);
    }
    let list = |key: &str, all: &str| {
        let text = said.get(key).map_or(all, String::as_str);
        text.split(',').map(str::to_owned).collect::<Vec<_>>()
    };
    let arm =
        |name: String| Arm::ALL.into_iter().find(|arm| arm.name() == name).ok_or(format!("no arm `{name}`"));
    Ok(Wanted {
        cassettes: said.get("--cassettes").ok_or("name a folder with `--cassettes`")?.into(),
        endpoint: said
            .get("--url")
            .map(|url| (url.clone(), said.get("--model").cloned().unwrap_or_else(|| "local".to_owned()))),
        arms: list("--arms", "builtin,alone,inside").into_iter().map(arm).collect::<Result<_, _>>()?,
        worlds: list("--worlds", "commerce,lending,support"),
        log: said.get("--log").map(PathBuf::from),
    })
}

/// What came of each question, by world and words.
type Results = BTreeMap<(String, String), BTreeMap<Arm, Scored>>;

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = wanted()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut log: Box<dyn Write> = match &wanted.log {
        Some(path) => Box::new(fs::File::create(path)?),
        None => Box::new(std::io::sink()),
    };
    let mut results = Results::new();
    for arm in &wanted.arms {
        for world in &wanted.worlds {
            runtime.block_on(run(*arm, world, &wanted, &mut |asked, scored| {
                let back = scored.back.map_or("", Back::name);
                let said = scored.said.replace(['\n', '\t'], " ");
                let verdict = scored.verdict.name();
                writeln!(log, "{}\t{world}\t{}\t{verdict}\t{back}\t{said}", arm.name(), asked.text)?;
                results.entry((world.clone(), asked.text.clone())).or_default().insert(*arm, scored);
                log.flush()
            }))?;
        }
    }
    report(&wanted.arms, &results);
    Ok(())
}

/// Where the model of an arm comes from.
fn source(wanted: &Wanted, arm: Arm) -> Result<ModelSource, Box<dyn Error>> {
    let folder = wanted.cassettes.join(arm.name());
    let Some((url, name)) = &wanted.endpoint else { return Ok(ModelSource::played(&folder)?) };
    let mut settings = ModelSettings::of(ProviderSettings {
        provider: "openai".to_owned(),
        url: Some(url.clone()),
        name: name.clone(),
        key: None,
        key_header: None,
        plaintext: Plaintext::Refused,
    });
    settings.timeout_ms = TIMEOUT_MS;
    settings.mode = Some(Mode::Schema);
    let nothing = |_: &str| None;
    let outside = Outside { variable: &nothing, project: Path::new(".") };
    let host = ModelHost::open(&settings, outside, Arc::new(SpendInMemory::default()))?;
    Ok(ModelSource::taped(host, &folder, Taping::Fill)?)
}

type Note<'a> = &'a mut dyn FnMut(&Asked, Scored) -> std::io::Result<()>;

async fn run(arm: Arm, world: &str, wanted: &Wanted, note: Note<'_>) -> Result<(), Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sheet = Sheet::read(&here.join("paraphrases").join(format!("{world}.md")))?;
    let root = here.join("..").join(&sheet.project);
    let bench = Workbench::open(&root, None).map_err(|error| format!("{error:?}"))?;
    let raw = Raw::open(&root)?;
    let day: Date = sheet.today.parse()?;
    let now = day.at(12, 0, 0, 0).to_zoned(bench.project().calendar.zone.clone())?.timestamp();
    let session = Session { principal: "five-numbers".to_owned(), tenant: sheet.tenant.clone() };
    match arm {
        Arm::Alone => {
            let source = source(wanted, arm)?;
            let told = alone::told(bench.project(), &root, &sheet, &raw)?;
            for asked in &sheet.questions {
                let model = Watched::of(source.for_question(day, None));
                match alone::ask(model.as_ref(), &told, &asked.text, &raw).await {
                    Err(_) if model.is_missing() => {}
                    answer => note(asked, score::alone(asked, answer?, &raw)?)?,
                }
            }
        }
        Arm::Builtin | Arm::Inside => {
            let source = if arm == Arm::Inside { Some(source(wanted, arm)?) } else { None };
            for asked in &sheet.questions {
                let model = source.as_ref().map(|source| Watched::of(source.for_question(day, None)));
                let asks =
                    model.clone().map(|model| -> (Arc<dyn Model>, _) { (model, ReadMode::BuiltinThenModel) });
                let inside = Inside { bench: &bench, session: &session, now, model: asks };
                let told = inside.ask(&asked.text).await;
                if !model.is_some_and(|model| model.is_missing()) {
                    note(asked, score::inside(asked, told, &raw)?)?;
                }
            }
        }
    }
    Ok(())
}

/// A model of which it is known whether a cassette lacked what it was asked.
struct Watched {
    inner: Arc<dyn Model>,
    missing: AtomicBool,
}

impl Watched {
    fn of(inner: Arc<dyn Model>) -> Arc<Self> {
        Arc::new(Self { inner, missing: AtomicBool::new(false) })
    }

    fn is_missing(&self) -> bool {
        self.missing.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl Model for Watched {
    async fn complete(&self, prompt: &Prompt) -> Result<Reply, ModelFault> {
        let reply = self.inner.complete(prompt).await;
        if reply.as_ref().is_err_and(|fault| matches!(fault.kind, ModelFaultKind::NotRecorded { .. })) {
            self.missing.store(true, Ordering::Relaxed);
        }
        reply
    }

    fn identity(&self) -> &ModelIdentity {
        self.inner.identity()
    }
}

fn report(arms: &[Arm], results: &Results) {
    let mut tallies: BTreeMap<Arm, Tally> = BTreeMap::new();
    let whole = results.values().filter(|of| arms.iter().all(|arm| of.contains_key(arm)));
    let mut counted = 0;
    for of in whole {
        counted += 1;
        of.iter().for_each(|(arm, scored)| tallies.entry(*arm).or_default().count(scored));
    }
    println!("{counted} of {} questions were put to every arm\n", results.len());
    println!("| | {} |", Verdict::ALL.map(Verdict::name).join(" | "));
    println!("|---|--:|--:|--:|--:|--:|");
    let line =
        |who: &str, five: [usize; 5]| println!("| {who} | {} |", five.map(|n| n.to_string()).join(" | "));
    for (arm, tally) in &tallies {
        line(arm.words(), tally.five());
        if *arm != Arm::Alone {
            line(
                &format!("{}, when the right reading is taken where it is offered", arm.words()),
                tally.five_after_asking_back(),
            );
        }
    }
    for (arm, tally) in tallies.iter().filter(|(arm, _)| **arm != Arm::Alone) {
        println!("\n| {} | an answer exists | none exists |\n|---|--:|--:|", arm.words());
        for back in Back::ALL {
            let (exists, none) =
                (tally.back(Verdict::WronglyDeclined, back), tally.back(Verdict::RightlyDeclined, back));
            println!("| {} | {exists} | {none} |", back.name());
        }
    }
}
