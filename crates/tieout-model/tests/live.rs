//! An optional trial with a real endpoint: `TIEOUT_MODEL_URL` names it, `TIEOUT_MODEL_NAME` its model, and
//! `TIEOUT_MODEL_PROVIDER` and `TIEOUT_MODEL_KEY` where they are needed. Steps aside, saying so, without them.
//!
//! What a model says is up to it; that it is judged, counted and timed is up to us, and is what is held here.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

mod support;

use std::{env, path::Path, sync::Arc, time::Instant};

use support::{DAY, prompt};
use tieout_core::{
    model::{KeySource, Mode, ModelSettings, Plaintext, ProviderSettings, Said},
    ports::Model,
};
use tieout_model::{
    ModelHost, ModelSource, Outside, Taping,
    budget::SpendInMemory,
    probe::{ModeFound, probe},
};

fn host(mode: Option<Mode>) -> Option<Arc<ModelHost>> {
    let of = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    let url = of("TIEOUT_MODEL_URL")?;
    let mut settings = ModelSettings::of(ProviderSettings {
        provider: of("TIEOUT_MODEL_PROVIDER").unwrap_or_else(|| "openai".to_owned()),
        url: Some(url),
        name: of("TIEOUT_MODEL_NAME").unwrap_or_else(|| "local".to_owned()),
        key: of("TIEOUT_MODEL_KEY").map(|_| KeySource::Env("TIEOUT_MODEL_KEY".to_owned())),
        key_header: None,
        plaintext: Plaintext::Refused,
    });
    settings.mode = mode;
    let outside = Outside { variable: &of, project: Path::new("/nowhere") };
    Some(ModelHost::open(&settings, outside, Arc::new(SpendInMemory::default())).unwrap())
}

#[tokio::test]
async fn a_real_endpoint_is_probed_and_asked() {
    let Some(host) = host(None) else {
        println!("skipped: TIEOUT_MODEL_URL names no endpoint");
        return;
    };
    let report = probe(&host, DAY).await;
    for found in &report.modes {
        let mode = found.mode.code();
        match &found.found {
            ModeFound::Works { latency, usage, .. } => {
                println!(
                    "{mode}: works, {latency:?}, {} + {} tokens",
                    usage.input_tokens, usage.output_tokens
                );
            }
            ModeFound::Ignored { unfit, latency } => println!("{mode}: ignored, {latency:?}: {unfit}"),
            ModeFound::NotTaken { fault } | ModeFound::Fault(fault) => println!("{mode}: {fault}"),
        }
    }
    assert!(report.best().is_some(), "no mode works");

    let folder = tempfile::tempdir().unwrap();
    let taped = ModelSource::taped(host, folder.path(), Taping::Fill).unwrap();
    for words in ["How many orders were there in May?", "What was net revenue?", "Anzahl der Bestellungen?"] {
        let begun = Instant::now();
        let asked = taped.for_question(DAY, None).complete(&prompt(words)).await.unwrap();
        println!("{words} {:?} in {:?} ({} tokens)", asked.said, begun.elapsed(), asked.usage.tokens());
        let streamed =
            taped.for_question(DAY, Some(Arc::new(|_| ()))).complete(&prompt(words)).await.unwrap();
        assert_eq!(streamed.said, asked.said, "the cassette plays what was said");
        let played = ModelSource::played(folder.path()).unwrap().for_question(DAY, None);
        assert_eq!(played.complete(&prompt(words)).await.unwrap().said, asked.said);
    }
}

#[tokio::test]
async fn a_real_endpoint_streams() {
    for mode in Mode::ALL {
        let Some(host) = host(Some(mode)) else {
            println!("skipped: TIEOUT_MODEL_URL names no endpoint");
            return;
        };
        let model = host.for_question(DAY).with_progress(Arc::new(|_| ()));
        match model.complete(&prompt("How many orders were there?")).await {
            Ok(reply) => {
                println!("{} as a stream: {:?}, {} tokens", mode.code(), reply.said, reply.usage.tokens());
                assert!(matches!(reply.said, Said::Fits(_)) || mode != Mode::Schema);
            }
            Err(fault) => println!("{} as a stream: {fault}", mode.code()),
        }
    }
}
