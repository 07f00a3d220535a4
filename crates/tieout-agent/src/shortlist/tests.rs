//! How much of what a question needs is on the shortlist, over a made-up catalogue of three thousand entries.

use std::{
    collections::BTreeSet,
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};

use bm25::Tokenizer as _;
use tieout_core::model::{EmbedPurpose, ModelFaultKind, Vector};
use tieout_model::scripted::ScriptedEmbedder;

use super::{
    bridges::bridges,
    wide::{Recall, Wording, catalogue, paraphrases, questions},
    words::Words,
    *,
};

fn names(listed: &[Listed]) -> Vec<String> {
    listed.iter().map(|listed| listed.name.clone()).collect()
}

/// What nothing that waits for somebody else comes to.
fn now<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("nobody is waited for"),
    }
}

#[test]
#[ignore = "a minute or more: run it with `--run-ignored all --no-capture` to see the recall"]
fn what_a_question_needs_is_on_the_shortlist_of_three_thousand_entries() {
    let catalogue = catalogue();
    let fields: usize = catalogue.datasets.values().map(|dataset| dataset.fields.len()).sum();
    let entries =
        catalogue.metrics.len() + catalogue.populations.len() + fields + catalogue.relationships.len();
    assert!(entries >= 3_000, "{entries} entries");
    let values = FieldValues::default();
    let index = WordIndex::of(&catalogue, &values);
    let mut recall = Recall::default();
    for asked in questions().iter().step_by(7) {
        let found = Shortlist::of(&index, &asked.text, Nearness::Words);
        recall.count(asked, &names(&found.metrics), &names(&found.populations), &names(&found.datasets));
    }
    let Recall { asked: count, metrics, with_population: with, populations, tables, whole, listed } = recall;
    println!(
        "{entries} entries, {count} questions: the metric among {METRICS_MAX} {metrics}, the population among {POPULATIONS_MAX} \
         {populations} of {with}, every table {tables}, all of it {whole}; listed on average {}",
        listed / count
    );
    assert!(
        metrics * 100 >= count * 97 && populations * 100 >= with * 97,
        "{metrics} and {populations} of {with}"
    );
    assert!(tables * 100 >= count * 97 && whole * 100 >= count * 95, "{tables} and {whole} of {count}");
}

#[test]
fn a_table_that_leads_from_one_to_another_is_never_missing() {
    let catalogue = catalogue();
    let values = FieldValues::default();
    let index = WordIndex::of(&catalogue, &values);
    let chosen = BTreeSet::from(["retail_invoice".to_owned(), "far_retail_invoice".to_owned()]);
    let between = bridges(&catalogue, &chosen);
    assert!(between.contains("x_retail_invoice"), "{between:?}");
    for found in
        questions().iter().step_by(197).map(|asked| Shortlist::of(&index, &asked.text, Nearness::Words))
    {
        let datasets = names(&found.datasets);
        let has = |name: &String| datasets.contains(name);
        for far in datasets.iter().filter(|name| name.starts_with("far_")) {
            let near = far.trim_start_matches("far_").to_owned();
            assert!(
                !has(&near) || has(&format!("x_{near}")),
                "{near} and {far} without what leads between them"
            );
        }
    }
}

#[test]
fn a_paraphrase_shares_no_word_with_what_it_means() {
    let catalogue = catalogue();
    let words = |text: &str| Words.tokenize(text).into_iter().collect::<BTreeSet<String>>();
    let asked = paraphrases(Wording::None);
    assert_eq!((asked.len(), paraphrases(Wording::Half).len()), (questions().len(), asked.len()));
    for asked in &asked {
        let metric = &catalogue.metrics[&asked.metric];
        let mut known = words(&format!("{} {} {}", metric.name, metric.label, metric.synonyms.join(" ")));
        known.extend(words(metric.description.as_deref().unwrap_or("")));
        if let Some(population) = &asked.population {
            known.extend(words(&format!("{population} {}", catalogue.populations[population].label)));
        }
        let shared: Vec<String> = words(&asked.text).intersection(&known).cloned().collect();
        assert!(shared.is_empty(), "{}: {shared:?}", asked.text);
    }
}

#[test]
fn the_same_question_has_the_same_shortlist() {
    // Each search has hash tables of its own, so that an order taken from them would differ from one to the next.
    let catalogue = catalogue();
    // Forty metrics have the same words as this.
    let values = FieldValues::default();
    let of = || Shortlist::of(&WordIndex::of(&catalogue, &values), "late tax", Nearness::Words);
    let first = of();
    (0..3).for_each(|_| assert_eq!(of(), first));
}

/// Knows that some words mean the same.
fn thesaurus() -> ScriptedEmbedder {
    ScriptedEmbedder::of_meanings([
        &["late", "overdue"],
        &["tax", "levy"],
        &["supplier", "vendor"],
        &["retail", "consumer"],
        &["colour", "paint"],
    ])
}

#[test]
fn what_words_do_not_find_meaning_does() {
    let catalogue = catalogue();
    let values = FieldValues::default();
    let index = WordIndex::of(&catalogue, &values);
    let question = "overdue levy for consumer vendors by paint";
    let words = Shortlist::of(&index, question, Nearness::Words);
    assert!(!names(&words.metrics).contains(&"late_tax_retail_supplier".to_owned()));
    let embedder = thesaurus();
    let listing = now(shortlist(&catalogue, &values, question, Some(&embedder)));
    let found = listing.shortlist.metrics.iter().find(|listed| listed.name == "late_tax_retail_supplier");
    assert_eq!(found.unwrap().by, ListedBy::Meaning);
    let asked = listing.meaning.unwrap();
    assert_eq!((asked.failed, asked.identity.provider.as_str()), (None, "scripted"));
    assert!(asked.took.sent > 3_000, "{}", asked.took.sent);
    // And what both find is said to be found by both.
    let listing = now(shortlist(&catalogue, &values, "late tax of retail suppliers", Some(&embedder)));
    let found = listing.shortlist.metrics.iter().find(|listed| listed.name == "late_tax_retail_supplier");
    assert_eq!(found.unwrap().by, ListedBy::Both);
}

#[test]
fn a_wide_table_is_found_by_any_of_its_fields() {
    let embedder =
        ScriptedEmbedder::of_meanings([&["voltage", "electric tension"], &["wholesale meter", "bulk gauge"]]);
    let question = "electric tension at each bulk gauge";
    let listing = now(shortlist(&catalogue(), &FieldValues::default(), question, Some(&embedder)));
    let found = listing.shortlist.datasets.iter().find(|listed| listed.name == "far_wholesale_meter");
    assert_eq!(found.unwrap().by, ListedBy::Meaning);
}

#[test]
fn an_endpoint_that_fails_leaves_the_list_that_words_make() {
    let catalogue = catalogue();
    let values = FieldValues::default();
    let index = WordIndex::of(&catalogue, &values);
    let question = "late tax of retail suppliers by colour";
    let words = Shortlist::of(&index, question, Nearness::Words);
    let two_lengths = ScriptedEmbedder::improvising(|purpose, texts| {
        let length = if purpose == EmbedPurpose::Question { 3 } else { 4 };
        Ok(texts.iter().filter_map(|_| Vector::of(vec![1.0; length]).ok()).collect())
    });
    let too_few = ScriptedEmbedder::improvising(|_, texts| {
        Ok(texts.iter().skip(1).filter_map(|_| Vector::of([1.0]).ok()).collect())
    });
    let down =
        ScriptedEmbedder::failing(ModelFaultKind::Down { why: "the connection was refused".to_owned() });
    for (embedder, why) in [
        (down, "cannot be reached"),
        (two_lengths, "a vector of 4 numbers beside vectors of 3"),
        (too_few, "sent 0 vectors for 1 texts"),
    ] {
        let listing = now(shortlist(&catalogue, &values, question, Some(&embedder)));
        assert_eq!(listing.shortlist, words);
        let failed = listing.meaning.unwrap().failed.unwrap();
        assert!(failed.contains(why), "{failed}");
    }
    let off = now(shortlist(&catalogue, &values, question, None));
    assert_eq!((off.shortlist, off.meaning), (words, None));
}

#[test]
fn only_what_the_catalogue_says_is_sent_and_of_a_small_one_nothing() {
    let text = "datasets:\n  - name: orders\n    primary_key: [id]\n    synonyms: [purchases]\n    fields:\n      - { name: id, \
                datatype: integer }\n      - { name: state, datatype: string, synonyms: [condition], values: [open, \
                { value: secretly_gone, synonyms: [vanished] }] }\n      - { name: email, datatype: string, access: hidden }\n      \
                - { name: income, datatype: decimal, access: sensitive }\n";
    let small = wide::loaded(text);
    let values = FieldValues {
        fields: vec![("orders".to_owned(), "state".to_owned(), vec!["found in a row".to_owned()])],
    };
    let embedder = thesaurus();
    let listing = now(shortlist(&small, &values, "orders?", Some(&embedder)));
    assert_eq!((embedder.asked().len(), listing.meaning), (0, None));
    now(Meanings::of(&small, "orders?", &embedder)).unwrap();
    let asked = embedder.asked();
    assert_eq!(asked[0], (EmbedPurpose::Question, vec!["orders?".to_owned()]));
    let (purpose, sent) = &asked[1];
    assert_eq!(*purpose, EmbedPurpose::Catalogue);
    assert_eq!(sent, &["orders; purchases", "orders: id", "orders: state; condition"]);
}

#[test]
fn rankings_are_fused_by_their_ranks() {
    let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let (words, meaning) = (list(&["a", "b", "c"]), list(&["c", "d", "a"]));
    // a: 1/61 + 1/63 = 0.03227; c: 1/63 + 1/61, the same, so words decide; b and d: 1/62, and words decide again.
    let order = |most| fusion::nearest(&words, &meaning, most).into_keys().collect::<Vec<_>>();
    assert_eq!(order(1), ["a"]);
    assert_eq!(order(2), ["a", "c"]);
    assert_eq!(order(3), ["a", "b", "c"]);
    let by = fusion::nearest(&words, &meaning, 4);
    let by: Vec<_> = by.values().map(|by| by.code()).collect();
    assert_eq!(by, ["both", "words", "both", "meaning"]);
    let alone = fusion::nearest(&[], &meaning, 2).into_keys().collect::<Vec<_>>();
    assert_eq!(alone, ["c", "d"], "one ranking alone stays as it was");
}
