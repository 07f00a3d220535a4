//! What was recorded is played word for word, without a network, and judged anew.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

mod support;

use std::{fs, path::Path, sync::Arc};

use serde_json::json;
use support::{orders, prompt, unfit};
use tieout_core::{
    model::{ModelFaultKind, Prompt, PromptLimits, Said, UnfitKind},
    ports::Model,
};
use tieout_model::{
    cassette::Cassette,
    scripted::{Scripted, script},
};

fn model(text: &str) -> Arc<Scripted> {
    Arc::new(Scripted::lines(script(text).unwrap()))
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

const FOUR: &str =
    "{\"metric\": \"orders\"}\n---\n{\"metric\": \"profit\"}\n---\n> cut\n{\"metr\n---\n> declined\nno";

#[tokio::test]
async fn what_was_recorded_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let recording = Cassette::record(folder.path(), model(FOUR)).unwrap();
    let words = ["one", "two", "three", "four"];
    let mut said = Vec::new();
    for word in words {
        said.push(recording.complete(&prompt(word)).await.unwrap());
    }
    assert_eq!(files(folder.path()).len(), 4);
    let playing = Cassette::play(folder.path()).unwrap();
    assert_eq!(playing.exchanges(), 4);
    assert_eq!(playing.identity().provider, "scripted");
    for (word, reply) in words.into_iter().zip(&said) {
        assert_eq!(&playing.complete(&prompt(word)).await.unwrap(), reply);
    }
    let kinds: Vec<_> = said.iter().map(|reply| unfit(&reply.said)).collect();
    assert_eq!(kinds, [None, Some(UnfitKind::Schema), Some(UnfitKind::Cut), Some(UnfitKind::Declined)]);
}

#[tokio::test]
async fn a_prompt_that_is_not_on_it_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let recording = Cassette::record(folder.path(), model(FOUR)).unwrap();
    recording.complete(&prompt("one")).await.unwrap();
    let playing = Cassette::play(folder.path()).unwrap();
    let other = Prompt { version: "read-2".to_owned(), ..prompt("one") };
    let fault = playing.complete(&other).await.unwrap_err();
    assert!(matches!(&fault.kind, ModelFaultKind::NotRecorded { digest, .. } if *digest == other.digest()));
    assert!(fault.to_string().contains("has no reply to the prompt"), "{fault}");
    let limits = PromptLimits { attempts_max: 1, reply_tokens_max: 9 };
    assert!(playing.complete(&Prompt { limits, ..prompt("one") }).await.is_ok(), "limits are not asked");
}

#[tokio::test]
async fn the_same_prompt_is_played_in_turn_and_then_stays() {
    let folder = tempfile::tempdir().unwrap();
    let recording = Cassette::record(
        folder.path(),
        model("{\"metric\": \"net_revenue\"}\n---\n{\"metric\": \"orders\"}"),
    );
    let recording = recording.unwrap();
    for _ in 0..2 {
        recording.complete(&prompt("one")).await.unwrap();
    }
    let playing = Cassette::play(folder.path()).unwrap();
    let mut said = Vec::new();
    for _ in 0..3 {
        said.push(playing.complete(&prompt("one")).await.unwrap().said);
    }
    assert_eq!(said, [Said::Fits(json!({"metric": "net_revenue"})), orders(), orders()]);
    // Recorded anew with one reply, the second of the old recording is gone.
    let again = Cassette::record(folder.path(), model("{\"metric\": \"orders\"}")).unwrap();
    again.complete(&prompt("one")).await.unwrap();
    assert_eq!(Cassette::play(folder.path()).unwrap().exchanges(), 1);
}

#[tokio::test]
async fn what_is_missing_is_asked_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let first = model("{\"metric\": \"net_revenue\"}");
    Cassette::record(folder.path(), first).unwrap().complete(&prompt("one")).await.unwrap();
    let second = model("{\"metric\": \"orders\"}");
    let filling = Cassette::fill(folder.path(), second.clone()).unwrap();
    let played = filling.complete(&prompt("one")).await.unwrap().said;
    assert_eq!(played, Said::Fits(json!({"metric": "net_revenue"})));
    for _ in 0..2 {
        assert_eq!(filling.complete(&prompt("two")).await.unwrap().said, orders());
    }
    assert_eq!(second.asked().len(), 1);
    assert_eq!(Cassette::play(folder.path()).unwrap().exchanges(), 2);
}

#[tokio::test]
async fn a_file_that_was_changed_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let recording = Cassette::record(folder.path(), model(FOUR)).unwrap();
    recording.complete(&prompt("one")).await.unwrap();
    let path = folder.path().join(files(folder.path()).remove(0));
    let sound = fs::read_to_string(&path).unwrap();
    for (from, to, part) in [
        ("\"one\"", "\"two\"", "was changed"),
        ("read-1", "read-2", "was changed"),
        ("\"cassette\": 1", "\"cassette\": 2", "version 2"),
        ("\"cassette\": 1", "\"cassette\": 1, \"key\": \"x\"", "no recorded exchange"),
        ("\"plain\"", "\"loud\"", "no mode"),
        ("\"prompt\"", "\"promt\"", "no recorded exchange"),
    ] {
        assert!(sound.contains(from), "{from} is not in the file");
        fs::write(&path, sound.replacen(from, to, 1)).unwrap();
        let Err(fault) = Cassette::play(folder.path()) else { panic!("{from} → {to} was not noticed") };
        assert!(fault.to_string().contains(part), "{fault}");
    }
    fs::write(&path, &sound).unwrap();
    assert!(Cassette::play(folder.path()).is_ok());
    // The words of a reply may be edited by hand to see what would become of them: they are judged as they stand.
    fs::write(&path, sound.replace(r#"{\"metric\": \"orders\"}"#, r#"{\"metric\": \"profit\"}"#)).unwrap();
    let reply = Cassette::play(folder.path()).unwrap().complete(&prompt("one")).await.unwrap();
    assert_eq!(unfit(&reply.said), Some(UnfitKind::Schema));
}

#[test]
fn a_folder_that_is_not_there_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let Err(fault) = Cassette::play(&folder.path().join("none")) else { panic!("nothing was played") };
    assert!(matches!(fault.kind, ModelFaultKind::Cassette { .. }));
}
