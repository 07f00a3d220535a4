//! The built-in reader, on any question: it reads or declines with a reason, accounts for the words in order, gives the
//! same twice, and never panics. A first line that ends in `>>` is the question before, so that follow-ups are tried.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tieout_core::{
    catalogue::{
        Project,
        load::{SourceText, load},
    },
    halt::Halt,
    ports::{FieldValues, ReadContext},
    question::Question,
    reading::Request,
};
use tieout_reader::{account, lexicon::Lexicon, read, tokens::tokens};

static PROJECT: LazyLock<Project> = LazyLock::new(|| {
    let file = |path: &str, text: &str| SourceText { path: path.to_owned(), text: text.to_owned() };
    let project = file("tieout.yml", include_str!("../../worlds/commerce/tieout.yml"));
    let catalogue = [
        file("datasets.yml", include_str!("../../worlds/commerce/catalogue/datasets.yml")),
        file("metrics.yml", include_str!("../../worlds/commerce/catalogue/metrics.yml")),
        file("words.yml", include_str!("../../worlds/commerce/catalogue/words.yml")),
    ];
    load(&project, &catalogue).expect("the world loads").project
});

static VALUES: LazyLock<FieldValues> = LazyLock::new(|| {
    let mut fields = Vec::new();
    for dataset in PROJECT.catalogue.datasets.values() {
        for (name, field) in &dataset.fields {
            if field.lookup {
                let values = ["Berlin", "New York", "May", "2026", "Crème & Söhne", "the", "x' OR 1=1 --"];
                fields.push((dataset.name.clone(), name.clone(), values.map(str::to_owned).to_vec()));
            }
        }
    }
    FieldValues { fields }
});

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::build(&PROJECT, &VALUES));

fn asked(text: &str) -> Question {
    let now = "2026-10-07T15:00:00Z".parse().expect("a moment");
    Question { text: text.to_owned(), now, confirmed: Vec::new() }
}

fn context(previous: Option<&Request>) -> ReadContext<'_> {
    ReadContext { project: &PROJECT, values: &VALUES, previous }
}

fuzz_target!(|text: &str| {
    let (before, text) = text.split_once(">>\n").map_or((None, text), |(before, text)| (Some(before), text));
    let before = before.and_then(|before| read(&asked(before), context(None), &LEXICON).ok());
    let previous = before.as_ref().map(|reading| &reading.request);
    let question = asked(text);
    let outcome = read(&question, context(previous), &LEXICON);
    let again = read(&question, context(previous), &LEXICON);
    match (&outcome, &again) {
        (Ok(a), Ok(b)) => {
            assert_eq!(a.request, b.request);
            assert_eq!(a.doubts, b.doubts);
        }
        (Err(Halt::Refuse(a)), Err(Halt::Refuse(b))) => {
            assert_eq!(a, b);
            assert!(!a.is_empty(), "declined without a reason");
        }
        (a, b) => panic!("read twice, told apart: {} {}", a.is_ok(), b.is_ok()),
    }
    let words = account(&question, context(previous), &LEXICON);
    let mut reached = 0;
    for (i, word) in words.iter().enumerate() {
        assert!(text.is_char_boundary(word.start), "`{}` starts inside of a letter", word.text);
        assert!(i == 0 || word.start > reached, "`{}` is out of order", word.text);
        reached = word.start;
    }
    if let Some(first) = tokens(text).first() {
        assert_eq!(
            words.first().map(|word| word.start),
            Some(first.start),
            "the first word is not accounted for"
        );
    }
});
