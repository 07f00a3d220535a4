//! Nearness by meaning: the cosine of the question's vector with those of the catalogue's texts.
//!
//! What is sent to be embedded are names, labels, synonyms and descriptions, and the question. Deliberately absent: values,
//! whether declared or found in rows, and fields that are not open; neither leaves this machine this way.

use std::collections::BTreeMap;

use tieout_core::{
    catalogue::{Catalogue, Dataset},
    model::{BadReply, BadVectors, EmbedPurpose, EmbedTook, Embedded, ModelFault, ModelFaultKind, Vector},
    ports::Embedder,
};

use super::Kind;
use crate::reading::is_open;

/// The longest text of one entry, in characters. Small models read no further.
const TEXT_CHARS_MAX: usize = 1_000;

/// The entries of a catalogue by nearness to a question, the nearest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meanings {
    ranked: BTreeMap<Kind, Vec<String>>,
}

/// A text of an entry. A dataset has one of its own and one for each field, so that a wide table is found by any of them.
struct Text<'a> {
    kind: Kind,
    name: &'a String,
    text: String,
}

impl Meanings {
    /// Embeds the question and the catalogue, and ranks. The question comes first: it is one text, and where the endpoint
    /// is away that is soon known.
    ///
    /// # Errors
    /// A fault when either cannot be embedded.
    pub async fn of(
        catalogue: &Catalogue,
        question: &str,
        embedder: &dyn Embedder,
    ) -> Result<(Self, EmbedTook), ModelFault> {
        let asked = embedder.embed(EmbedPurpose::Question, &[question.to_owned()]).await?;
        let texts = texts(catalogue);
        let sent: Vec<String> = texts.iter().map(|text| text.text.clone()).collect();
        let known = embedder.embed(EmbedPurpose::Catalogue, &sent).await.map_err(|fault| ModelFault {
            spend: Box::new(asked.took.spend.plus(&fault.spend)),
            took: asked.took.latency.saturating_add(fault.took),
            ..fault
        })?;
        let fault = |bad| {
            let identity = embedder.identity();
            let place = format!("{} at {}", identity.model, identity.place);
            ModelFault::unasked(ModelFaultKind::BadReply(BadReply::Vectors(bad)), place)
        };
        let ranked = ranked(&texts, &asked, &known).map_err(fault)?;
        Ok((Self { ranked }, asked.took.plus(known.took)))
    }

    pub(super) fn ranked(&self, kind: Kind) -> &[String] {
        self.ranked.get(&kind).map_or(&[], Vec::as_slice)
    }
}

/// Each entry is as near as its nearest text. Of two that are as near as each other, the one that stands first in the
/// catalogue comes first.
fn ranked(
    texts: &[Text<'_>],
    asked: &Embedded,
    known: &Embedded,
) -> Result<BTreeMap<Kind, Vec<String>>, BadVectors> {
    let count = |asked, came| BadVectors::Count { asked, came };
    let [question] = asked.vectors.as_slice() else { return Err(count(1, asked.vectors.len())) };
    if known.vectors.len() != texts.len() {
        return Err(count(texts.len(), known.vectors.len()));
    }
    let other = |vector: &Vector| BadVectors::Dimension {
        expected: question.dimensions(),
        came: vector.dimensions(),
    };
    let mut near: BTreeMap<Kind, Vec<(f64, &String)>> = BTreeMap::new();
    for (text, vector) in texts.iter().zip(&known.vectors) {
        let nearness = question.cosine(vector).ok_or_else(|| other(vector))?;
        let entries = near.entry(text.kind).or_default();
        match entries.last_mut().filter(|(_, name)| *name == text.name) {
            Some(same) => same.0 = same.0.max(nearness),
            None => entries.push((nearness, text.name)),
        }
    }
    let names = |mut entries: Vec<(f64, &String)>| {
        // A stable sort, so that the order of the catalogue holds among those that are as near as each other.
        entries.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        entries.into_iter().map(|(_, name)| name.clone()).collect()
    };
    Ok(near.into_iter().map(|(kind, entries)| (kind, names(entries))).collect())
}

/// Every text of a catalogue, those of one entry beside each other.
fn texts(catalogue: &Catalogue) -> Vec<Text<'_>> {
    Kind::ALL.into_iter().flat_map(|kind| of_kind(kind, catalogue)).collect()
}

fn of_kind(kind: Kind, catalogue: &Catalogue) -> Vec<Text<'_>> {
    match kind {
        Kind::Metric => catalogue
            .metrics
            .iter()
            .map(|(name, m)| (name, said(name, &m.label, &m.synonyms, m.description.as_ref())))
            .map(|(name, text)| Text { kind, name, text })
            .collect(),
        Kind::Population => catalogue
            .populations
            .iter()
            .map(|(name, p)| (name, said(name, &p.label, &p.synonyms, p.description.as_ref())))
            .map(|(name, text)| Text { kind, name, text })
            .collect(),
        Kind::Dataset => {
            let all = catalogue.datasets.iter();
            let texts =
                all.flat_map(|(name, d)| of_dataset(name, d).into_iter().map(move |text| (name, text)));
            texts.map(|(name, text)| Text { kind, name, text }).collect()
        }
    }
}

fn of_dataset(name: &str, dataset: &Dataset) -> Vec<String> {
    let own = said(name, &dataset.label, &dataset.synonyms, dataset.description.as_ref());
    let fields = dataset.fields.values().filter(|field| is_open(field)).map(|field| {
        let field = said(&field.name, &field.label, &field.synonyms, field.description.as_ref());
        cut(&format!("{}: {field}", dataset.label))
    });
    std::iter::once(own).chain(fields).collect()
}

/// What a catalogue says of an entry, nothing twice.
fn said(name: &str, label: &str, synonyms: &[String], description: Option<&String>) -> String {
    let name = name.replace('_', " ");
    let all = [label, &name].into_iter().chain(synonyms.iter().map(String::as_str));
    let mut parts: Vec<&str> = Vec::new();
    for part in all.chain(description.map(String::as_str)) {
        if !part.is_empty() && !parts.iter().any(|said| said.eq_ignore_ascii_case(part)) {
            parts.push(part);
        }
    }
    cut(&parts.join("; "))
}

fn cut(text: &str) -> String {
    text.chars().take(TEXT_CHARS_MAX).collect()
}
