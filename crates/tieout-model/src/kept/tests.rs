//! What is kept is never asked for again, and what cannot be kept or read is made anew.

use std::{
    fs,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use proptest::prelude::*;
use tieout_core::model::{Plaintext, ProviderSettings};

use super::*;
use crate::scripted::ScriptedEmbedder;

fn texts(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("text {n}")).collect()
}

fn settings(texts_per_request: u32, timeout_ms: u64) -> EmbeddingSettings {
    let provider = ProviderSettings {
        provider: "openai".to_owned(),
        url: None,
        name: "m".to_owned(),
        key: None,
        key_header: None,
        plaintext: Plaintext::Refused,
    };
    EmbeddingSettings { texts_per_request, timeout_ms, ..EmbeddingSettings::of(provider) }
}

/// Gives vectors of so many numbers, the first of which tells the texts apart.
fn of_length(length: usize) -> Arc<ScriptedEmbedder> {
    Arc::new(ScriptedEmbedder::improvising(move |_, texts| {
        Ok(texts.iter().map(|text| numbered(text, length)).collect())
    }))
}

fn numbered(text: &str, length: usize) -> Vector {
    let first = text.bytes().fold(1.0, |sum, byte| sum + f32::from(byte));
    Vector::of([first].into_iter().chain(vec![1.0; length - 1]).collect::<Vec<f32>>()).unwrap()
}

fn kept(shelf: &Arc<Shelf>, inner: &Arc<ScriptedEmbedder>) -> KeptEmbedder {
    let inner: Arc<ScriptedEmbedder> = Arc::clone(inner);
    KeptEmbedder::new(Arc::clone(shelf), inner, &settings(2, 60_000))
}

fn sent(inner: &ScriptedEmbedder) -> Vec<String> {
    inner.asked().into_iter().flat_map(|(_, texts)| texts).collect()
}

#[tokio::test]
async fn only_what_is_new_is_asked_for_and_each_text_once() {
    let (shelf, inner) = (Arc::new(Shelf::in_memory()), of_length(3));
    let embedder = kept(&shelf, &inner);
    let asked = ["a", "b", "a", "c"].map(str::to_owned);
    let embedded = embedder.embed(EmbedPurpose::Catalogue, &asked).await.unwrap();
    assert_eq!(embedded.vectors, ["a", "b", "a", "c"].map(|text| numbered(text, 3)));
    assert_eq!((sent(&inner), embedded.took.sent), (vec!["a".to_owned(), "b".to_owned(), "c".to_owned()], 3));
    embedder.embed(EmbedPurpose::Catalogue, &["c".to_owned(), "d".to_owned()]).await.unwrap();
    assert_eq!(sent(&inner).last().unwrap(), "d");
    assert_eq!((sent(&inner).len(), shelf.len()), (4, 4));
}

#[tokio::test]
async fn what_came_before_a_fault_is_kept() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let inner = Arc::new(ScriptedEmbedder::improvising(move |_, texts| {
        match counted.fetch_add(1, Ordering::SeqCst) {
            2 => Err(ModelFaultKind::Down { why: "gone".to_owned() }),
            _ => Ok(texts.iter().map(|text| numbered(text, 3)).collect()),
        }
    }));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors");
    let fault = kept(&Arc::new(Shelf::at(&path)), &inner)
        .embed(EmbedPurpose::Catalogue, &texts(9))
        .await
        .unwrap_err();
    assert_eq!(fault.kind.code(), "down");
    assert!(fault.spend.tokens > 0, "what came was paid for");
    let again =
        kept(&Arc::new(Shelf::at(&path)), &inner).embed(EmbedPurpose::Catalogue, &texts(9)).await.unwrap();
    assert_eq!((again.took.sent, again.vectors.len()), (5, 9), "four of nine were kept");
}

#[tokio::test]
async fn a_slow_endpoint_is_gone_on_with_by_the_next_question() {
    let inner = Arc::new(ScriptedEmbedder::improvising(|_, texts| {
        thread::sleep(Duration::from_millis(30));
        Ok(texts.iter().map(|text| numbered(text, 3)).collect())
    }));
    let shelf = Arc::new(Shelf::in_memory());
    let mut ends = Vec::new();
    for _ in 0..20 {
        let inner: Arc<ScriptedEmbedder> = Arc::clone(&inner);
        let embedder = KeptEmbedder::new(Arc::clone(&shelf), inner, &settings(1, 50));
        match embedder.embed(EmbedPurpose::Catalogue, &texts(8)).await {
            Ok(embedded) => {
                ends.push(embedded.vectors.len());
                break;
            }
            Err(fault) => assert_eq!(fault.kind.code(), "timeout"),
        }
    }
    assert_eq!((ends, sent(&inner).len()), (vec![8], 8), "each text was asked for once in all");
}

#[tokio::test]
async fn another_model_under_the_same_name_has_everything_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors");
    let (old, new) = (of_length(3), of_length(5));
    kept(&Arc::new(Shelf::at(&path)), &old).embed(EmbedPurpose::Catalogue, &texts(4)).await.unwrap();
    // The question tells how long vectors are now.
    let embedder = kept(&Arc::new(Shelf::at(&path)), &new);
    embedder.embed(EmbedPurpose::Question, &texts(1)).await.unwrap();
    let embedded = embedder.embed(EmbedPurpose::Catalogue, &texts(4)).await.unwrap();
    assert_eq!(embedded.vectors, texts(4).iter().map(|text| numbered(text, 5)).collect::<Vec<_>>());
    assert_eq!(embedded.took.sent, 4);
    // Without a question, a text that is new tells it.
    let embedder = kept(&Arc::new(Shelf::at(&path)), &old);
    let embedded = embedder.embed(EmbedPurpose::Catalogue, &texts(5)).await.unwrap();
    assert_eq!(embedded.vectors, texts(5).iter().map(|text| numbered(text, 3)).collect::<Vec<_>>());
    // One that gives another length each time gives up.
    let count = Arc::new(AtomicUsize::new(1));
    let fickle = Arc::new(ScriptedEmbedder::improvising(move |_, texts| {
        let length = 1 + count.fetch_add(1, Ordering::SeqCst);
        Ok(texts.iter().map(|text| numbered(text, length)).collect())
    }));
    let fault = kept(&Arc::new(Shelf::in_memory()), &fickle).embed(EmbedPurpose::Catalogue, &texts(5)).await;
    assert_eq!(fault.unwrap_err().kind.code(), "vectors_dimension");
}

#[tokio::test]
async fn a_damaged_file_is_made_anew_and_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors");
    let inner = of_length(3);
    let embed =
        async || kept(&Arc::new(Shelf::at(&path)), &inner).embed(EmbedPurpose::Catalogue, &texts(3)).await;
    embed().await.unwrap();
    let sound = fs::read(&path).unwrap();
    let mut flipped = sound.clone();
    flipped[60] ^= 1;
    for damaged in [Vec::new(), b"hello".to_vec(), sound[..sound.len() - 1].to_vec(), flipped] {
        fs::write(&path, &damaged).unwrap();
        let embedded = embed().await.unwrap();
        assert_eq!((embedded.vectors.len(), embedded.took.sent), (3, 3));
        let notes = embedded.took.notes.join("; ");
        assert!(notes.contains("is not what this program writes; the vectors are made anew"), "{notes}");
        assert_eq!(fs::read(&path).unwrap(), sound, "and it is whole again");
    }
    assert_eq!(embed().await.unwrap().took, EmbedTook::default());
    // Where nothing can be kept, it costs the same again and again, and that is said.
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    let notes = embed().await.unwrap().took.notes.join("; ");
    assert!(notes.contains("cannot be kept"), "{notes}");
}

#[test]
fn many_processes_keep_what_each_of_them_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors");
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            // Each opens the file anew, as a process would.
            let path = path.clone();
            thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
                for step in 0..4 {
                    let embedder = kept(&Arc::new(Shelf::at(&path)), &of_length(3));
                    let text = [format!("{writer} {step}")];
                    runtime.block_on(embedder.embed(EmbedPurpose::Catalogue, &text)).unwrap();
                }
            })
        })
        .collect();
    writers.into_iter().for_each(|writer| writer.join().unwrap());
    assert_eq!(file::read(&path).unwrap().len(), 32);
}

#[test]
fn what_is_in_use_goes_before_what_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors");
    let key = |n: usize| -> Key { Sha256::digest(n.to_le_bytes()).into() };
    let vector = Vector::of([1.0]).unwrap();
    let of =
        |range: std::ops::Range<usize>| range.map(|n| (key(n), vector.clone())).collect::<BTreeMap<_, _>>();
    file::merge(&path, of(0..TEXTS_KEPT_MAX), &BTreeSet::new()).unwrap();
    let used: BTreeSet<Key> = of(TEXTS_KEPT_MAX..TEXTS_KEPT_MAX + 10).into_keys().collect();
    file::merge(&path, of(TEXTS_KEPT_MAX..TEXTS_KEPT_MAX + 10), &used).unwrap();
    let held = file::read(&path).unwrap();
    assert_eq!(held.len(), TEXTS_KEPT_MAX);
    assert!(used.iter().all(|key| held.contains_key(key)));
}

proptest! {
    #[test]
    fn what_is_written_is_read_and_nothing_else_is(
        vectors in prop::collection::vec(prop::collection::vec(-1e30_f32..1e30, 1..6), 0..6),
        at in any::<prop::sample::Index>(),
        flip in 1_u8..,
    ) {
        let key = |n: usize| -> Key { Sha256::digest(n.to_le_bytes()).into() };
        let vectors: BTreeMap<Key, Vector> = vectors
            .into_iter()
            .enumerate()
            .filter_map(|(n, numbers)| Some((key(n), Vector::of(numbers).ok()?)))
            .collect();
        let mut bytes = file::encoded(&vectors);
        prop_assert_eq!(file::decoded(&bytes), Some(vectors));
        let place = at.index(bytes.len());
        bytes[place] ^= flip;
        prop_assert_eq!(file::decoded(&bytes), None);
        prop_assert_eq!(file::decoded(&bytes[..place]), None);
    }
}
