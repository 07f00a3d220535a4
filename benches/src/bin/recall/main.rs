//! How much of what a question needs is on the shortlist, by words alone, by meaning alone, and by both: over the made-up
//! catalogue of 3,080 entries, in its own words and in words that it does not have.
//!
//! `cargo run --release -p tieout-benches --bin recall -- [--url URL --model NAME] [--cassette FOLDER] [--kept FILE]
//! [--every N]`
//!
//! With a URL, any OpenAI-compatible endpoint is asked; with a folder, what it says is recorded there, or played when there
//! is no URL; vectors of the catalogue are kept in the file. Without either, words alone are measured. Every Nth question is asked (7 when nothing is said).

// The same catalogue and questions as the test of the shortlist.
#[path = "../../../../crates/tieout-agent/src/shortlist/wide.rs"]
#[allow(
    dead_code,
    missing_docs,
    clippy::panic,
    reason = "a test uses the rest, and stops where it cannot go on"
)]
mod wide;

use std::{collections::BTreeMap, error::Error, path::Path, sync::Arc, time::Instant};

use async_trait::async_trait;
use jiff::civil::Date;
use tieout_agent::shortlist::{Listed, Meanings, Nearness, Shortlist, WordIndex};
use tieout_core::{
    catalogue::Catalogue,
    model::{
        EmbedPurpose, Embedded, EmbeddingSettings, ModelFault, ModelIdentity, Plaintext, ProviderSettings,
    },
    ports::{Embedder, FieldValues},
};
use tieout_model::{EmbeddingHost, EmbeddingSource, Outside, budget::SpendInMemory, kept::Shelf};
use tokio::sync::OnceCell;
use wide::{Asked, Recall, Wording};

/// The longest that embedding the catalogue may take: a small model on a busy machine is slow.
const TIMEOUT_MS: u64 = 3_600_000;

/// Every how manieth question is asked when nothing is said. A number that 2, 3 and 5 do not divide meets every kind.
const EVERY: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let mut said: BTreeMap<String, String> = BTreeMap::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(key) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("`{key}` needs a value"))?;
        said.insert(key, value);
    }
    let every = said.get("--every").map_or(Ok(EVERY), |text| text.parse())?;
    let embedder = embedder(&said)?.map(|inner| Once { inner, catalogue: OnceCell::new() });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let catalogue = wide::catalogue();
    println!("| questions | nearness | metric | population | every table | all of it | listed |");
    println!("|---|---|--:|--:|--:|--:|--:|");
    for (words, questions) in [
        ("in words of the catalogue", wide::questions()),
        ("about one thing of it, in other words", wide::paraphrases(Wording::Half)),
        ("without a word of it", wide::paraphrases(Wording::None)),
    ] {
        let asked: Vec<Asked> = questions.into_iter().step_by(every).collect();
        for (nearness, recall) in runtime.block_on(measured(&catalogue, &asked, embedder.as_ref()))? {
            let Recall { asked, metrics, with_population, populations, tables, whole, listed } = recall;
            println!(
                "| {asked} {words} | {nearness} | {metrics} | {populations} of {with_population} | {tables} | {whole} | {} |",
                listed / asked.max(1)
            );
        }
    }
    Ok(())
}

fn embedder(said: &BTreeMap<String, String>) -> Result<Option<Arc<dyn Embedder>>, Box<dyn Error>> {
    let day = Date::constant(2026, 1, 1);
    let folder = said.get("--cassette").map(Path::new);
    let Some(url) = said.get("--url") else {
        let Some(folder) = folder else { return Ok(None) };
        return Ok(EmbeddingSource::played(folder)?.map(|source| source.for_question(day)));
    };
    let mut settings = EmbeddingSettings::of(ProviderSettings {
        provider: EmbeddingSettings::PROVIDER.to_owned(),
        url: Some(url.clone()),
        name: said.get("--model").cloned().unwrap_or_else(|| "local".to_owned()),
        key: None,
        key_header: None,
        plaintext: Plaintext::Refused,
    });
    settings.timeout_ms = TIMEOUT_MS;
    settings.question_prefix = said.get("--question-prefix").cloned();
    settings.entry_prefix = said.get("--entry-prefix").cloned();
    let variable = |name: &str| std::env::var(name).ok();
    let outside = Outside { variable: &variable, project: Path::new(".") };
    let host = EmbeddingHost::open(&settings, outside, Arc::new(SpendInMemory::default()))?;
    let shelf = Arc::new(said.get("--kept").map_or_else(Shelf::in_memory, Shelf::at));
    let source = match folder {
        Some(folder) => EmbeddingSource::recorded(host, shelf, folder)?,
        None => EmbeddingSource::Endpoint(host, shelf),
    };
    Ok(Some(source.for_question(day)))
}

async fn measured(
    catalogue: &Catalogue,
    questions: &[Asked],
    embedder: Option<&Once>,
) -> Result<Vec<(&'static str, Recall)>, Box<dyn Error>> {
    let (mut words, mut meaning, mut both) = (Recall::default(), Recall::default(), Recall::default());
    let begun = Instant::now();
    let values = FieldValues::default();
    let index = WordIndex::of(catalogue, &values);
    for asked in questions {
        count(&mut words, &index, asked, Nearness::Words);
        if let Some(embedder) = embedder {
            let (meanings, _) = Meanings::of(catalogue, &asked.text, embedder).await?;
            count(&mut meaning, &index, asked, Nearness::Meaning(&meanings));
            count(&mut both, &index, asked, Nearness::Both(&meanings));
        }
    }
    eprintln!("{} questions in {:?}", questions.len(), begun.elapsed());
    let mut all = vec![("words", words)];
    if embedder.is_some() {
        all.extend([("meaning", meaning), ("both", both)]);
    }
    Ok(all)
}

/// Keeps the catalogue's vectors as they came: nothing of them changes from one question to the next.
struct Once {
    inner: Arc<dyn Embedder>,
    catalogue: OnceCell<Embedded>,
}

#[async_trait]
impl Embedder for Once {
    async fn embed(&self, purpose: EmbedPurpose, texts: &[String]) -> Result<Embedded, ModelFault> {
        match purpose {
            EmbedPurpose::Catalogue => {
                self.catalogue.get_or_try_init(|| self.inner.embed(purpose, texts)).await.cloned()
            }
            EmbedPurpose::Question | EmbedPurpose::Probe => self.inner.embed(purpose, texts).await,
        }
    }

    fn identity(&self) -> &ModelIdentity {
        self.inner.identity()
    }
}

fn count(recall: &mut Recall, index: &WordIndex<'_>, asked: &Asked, nearness: Nearness<'_>) {
    let names = |all: &[Listed]| all.iter().map(|listed| listed.name.clone()).collect::<Vec<_>>();
    let found = Shortlist::of(index, &asked.text, nearness);
    recall.count(asked, &names(&found.metrics), &names(&found.populations), &names(&found.datasets));
}
