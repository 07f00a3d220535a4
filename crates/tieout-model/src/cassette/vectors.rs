//! Vectors that were recorded, and can be played without a network.
//!
//! They lie in a folder of their own within the cassette, some texts in each file, each text found again by its digest,
//! however the texts were put together when they were asked for. A file whose text does not have its digest is refused.
//! Deliberately absent: keys and headers, which no file ever holds, and faults, which are not recorded.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use tieout_core::{
    model::{
        EmbedPurpose, EmbedTook, Embedded, ModelFault, ModelFaultKind, ModelIdentity, Vector, canonical_json,
    },
    ports::Embedder,
};

use super::{EXCHANGES_MAX, FILE_BYTES_MAX, damaged, fault, made};
use crate::locked;

/// Where vectors lie within a cassette.
pub const VECTORS_FOLDER: &str = "embeddings";

/// The most texts of one file.
const TEXTS_PER_FILE_MAX: usize = 64;

/// The version of the files that this program writes.
const VERSION: u32 = 1;

/// An embedder that plays what was recorded, or records what another says.
pub struct EmbeddingCassette {
    tape: Arc<Tape>,
    identity: ModelIdentity,
    inner: Inner,
}

struct Tape {
    folder: PathBuf,
    vectors: Mutex<BTreeMap<String, Vector>>,
}

/// What is done with a text.
enum Inner {
    /// It is played, or it is a fault.
    Play,
    /// It is asked for, and what comes replaces what was recorded.
    Record(Arc<dyn Embedder>),
}

/// Some texts with their vectors, as written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Recorded {
    embeddings: u32,
    provider: String,
    model: String,
    place: String,
    parameters: Vec<(String, String)>,
    purpose: String,
    texts: Vec<RecordedText>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedText {
    digest: String,
    text: String,
    vector: Vec<f32>,
}

impl EmbeddingCassette {
    /// Plays what is recorded in a cassette's folder, if vectors are.
    ///
    /// # Errors
    /// A fault when a file cannot be read.
    pub fn play(cassette: &Path) -> Result<Option<Self>, ModelFault> {
        let folder = cassette.join(VECTORS_FOLDER);
        if !folder.is_dir() {
            return Ok(None);
        }
        let (vectors, identity) = load(&folder).map_err(|why| damaged(&folder, why))?;
        let tape = Arc::new(Tape { folder, vectors: Mutex::new(vectors) });
        Ok(Some(Self { tape, identity, inner: Inner::Play }))
    }

    /// Asks an embedder and records what comes in a cassette's folder.
    ///
    /// # Errors
    /// A fault when the folder cannot be made.
    pub fn record(cassette: &Path, embedder: Arc<dyn Embedder>) -> Result<Self, ModelFault> {
        let folder = cassette.join(VECTORS_FOLDER);
        made(&folder)?;
        let identity = embedder.identity().clone();
        let tape = Arc::new(Tape { folder, vectors: Mutex::default() });
        Ok(Self { tape, identity, inner: Inner::Record(embedder) })
    }

    /// The same cassette in the hands of another embedder, such as that of the next question.
    #[must_use]
    pub fn through(&self, embedder: Arc<dyn Embedder>) -> Self {
        let (identity, inner) = match &self.inner {
            Inner::Play => (self.identity.clone(), Inner::Play),
            Inner::Record(_) => (embedder.identity().clone(), Inner::Record(embedder)),
        };
        Self { tape: Arc::clone(&self.tape), identity, inner }
    }
}

#[async_trait]
impl Embedder for EmbeddingCassette {
    async fn embed(&self, purpose: EmbedPurpose, texts: &[String]) -> Result<Embedded, ModelFault> {
        match &self.inner {
            Inner::Record(embedder) => {
                let came = embedder.embed(purpose, texts).await?;
                self.tape.record(purpose, texts, &came.vectors, &self.identity)?;
                Ok(came)
            }
            Inner::Play => {
                let vectors = texts.iter().map(|text| self.tape.played(purpose, text));
                let vectors = vectors.collect::<Result<Vec<_>, _>>()?;
                // Nothing was sent, and nothing was spent.
                Ok(Embedded { vectors, took: EmbedTook::default() })
            }
        }
    }

    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }
}

impl Tape {
    fn played(&self, purpose: EmbedPurpose, text: &str) -> Result<Vector, ModelFault> {
        let digest = digest(purpose, text);
        let found = locked(&self.vectors).get(&digest).cloned();
        found.ok_or_else(|| {
            let version = format!("{} to embed", purpose.code());
            fault(&self.folder, ModelFaultKind::NotRecorded { digest, version })
        })
    }

    /// Writes what is not written yet.
    fn record(
        &self,
        purpose: EmbedPurpose,
        texts: &[String],
        vectors: &[Vector],
        identity: &ModelIdentity,
    ) -> Result<(), ModelFault> {
        let mut fresh = Vec::new();
        {
            let mut held = locked(&self.vectors);
            for (text, vector) in texts.iter().zip(vectors) {
                let digest = digest(purpose, text);
                if held.insert(digest.clone(), vector.clone()).as_ref() != Some(vector) {
                    let vector = vector.numbers().to_vec();
                    fresh.push(RecordedText { digest, text: text.clone(), vector });
                }
            }
        }
        for texts in fresh.chunks(TEXTS_PER_FILE_MAX) {
            let recorded = Recorded {
                embeddings: VERSION,
                provider: identity.provider.clone(),
                model: identity.model.clone(),
                place: identity.place.clone(),
                parameters: identity.parameters.clone(),
                purpose: purpose.code().to_owned(),
                texts: texts.to_vec(),
            };
            recorded.write(&self.folder).map_err(|why| damaged(&self.folder, why))?;
        }
        Ok(())
    }
}

impl Recorded {
    /// Writes the file whole or not at all. Its name is made of its texts, so that the same ones replace it.
    fn write(&self, folder: &Path) -> Result<(), String> {
        let digests = self.texts.iter().fold(String::new(), |all, text| all + &text.digest);
        let name = hex(&Sha256::digest(digests.as_bytes())).chars().take(16).collect::<String>();
        let path = folder.join(format!("{}-{name}.json", self.purpose));
        let failed = |error: String| format!("{} cannot be written: {error}", path.display());
        let mut text = serde_json::to_string(self).map_err(|error| failed(error.to_string()))?;
        text.push('\n');
        let beside = path.with_extension(format!("{}.tmp", std::process::id()));
        fs::write(&beside, text).map_err(|error| failed(error.to_string()))?;
        fs::rename(&beside, &path).map_err(|error| failed(error.to_string()))
    }

    fn read(path: &Path) -> Result<Self, String> {
        let name = path.display();
        let length = fs::metadata(path).map_err(|error| format!("{name} cannot be read: {error}"))?.len();
        if length > FILE_BYTES_MAX {
            return Err(format!("{name} has {length} bytes; at most {FILE_BYTES_MAX} are read"));
        }
        let text = fs::read_to_string(path).map_err(|error| format!("{name} cannot be read: {error}"))?;
        let recorded: Self = serde_json::from_str(&text)
            .map_err(|error| format!("{name} holds no recorded vectors: {error}"))?;
        if recorded.embeddings != VERSION {
            return Err(format!("{name} has version {}, and {VERSION} is read", recorded.embeddings));
        }
        Ok(recorded)
    }

    fn identity(&self, folder: &Path) -> ModelIdentity {
        ModelIdentity {
            provider: self.provider.clone(),
            model: self.model.clone(),
            place: format!("the cassette {}", folder.display()),
            parameters: self.parameters.clone(),
        }
    }
}

type Loaded = (BTreeMap<String, Vector>, ModelIdentity);

/// Everything in a folder, each text held to its digest and each vector judged anew.
fn load(folder: &Path) -> Result<Loaded, String> {
    let unreadable =
        |error: std::io::Error| format!("the cassette {} cannot be read: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    let mut paths: Vec<_> =
        paths.into_iter().filter(|p| p.extension().is_some_and(|e| e == "json")).collect();
    if paths.len() > EXCHANGES_MAX {
        let found = paths.len();
        return Err(format!("{} holds {found} files; at most {EXCHANGES_MAX} are read", folder.display()));
    }
    paths.sort();
    let (mut vectors, mut identity) = (BTreeMap::new(), None::<ModelIdentity>);
    for path in paths {
        let recorded = Recorded::read(&path)?;
        let name = path.display();
        let of = recorded.identity(folder);
        if identity.get_or_insert_with(|| of.clone()).model != of.model {
            return Err(format!("{name} holds vectors of another model than the files before it"));
        }
        let purpose = EmbedPurpose::of_code(&recorded.purpose)
            .ok_or_else(|| format!("{name}: `{}` is no purpose", recorded.purpose))?;
        for text in recorded.texts {
            let digest = digest(purpose, &text.text);
            if digest != text.digest {
                return Err(format!("{name} was changed: a text of it does not have its digest"));
            }
            let vector = Vector::of(text.vector).map_err(|_| format!("{name} holds what is no vector"))?;
            vectors.insert(digest, vector);
        }
    }
    let none = || ModelIdentity {
        provider: String::new(),
        model: String::new(),
        place: format!("the cassette {}", folder.display()),
        parameters: Vec::new(),
    };
    Ok((vectors, identity.unwrap_or_else(none)))
}

/// How a text is found again: by what it is for and itself, whichever model was asked.
fn digest(purpose: EmbedPurpose, text: &str) -> String {
    let asked = json!({"purpose": purpose.code(), "text": text});
    hex(&Sha256::digest(canonical_json(&asked).as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(64), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
