//! Runs the Markdown cases of `cases/reader`: each `##` is a case. Every line of the fence `question` must give the same
//! reading, and it must print as the fence `reading`. The fence `before` holds the question of the previous answer,
//! `confirm` what the asker chose. `TIEOUT_REWRITE=1` rewrites the readings for a person to review.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the helpers of a test may fail it"
)]

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use jiff::civil::date;
use tieout_core::{
    catalogue::{
        Project,
        load::{SourceText, load},
    },
    halt::Halt,
    ports::{FieldValues, ReadContext},
    question::{Confirmation, Question},
    reading::Request,
};
use tieout_reader::{account, lexicon::Lexicon, read};

/// The fewest questions that the cases must hold.
const QUESTIONS_MIN: usize = 150;

struct Shop {
    project: Project,
    values: FieldValues,
    lexicon: Lexicon,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases/reader")
}

fn source(path: &Path) -> SourceText {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    SourceText { path: name, text: fs::read_to_string(path).unwrap() }
}

impl Shop {
    fn open() -> Self {
        let folder = folder().join("shop");
        let catalogue = source(&folder.join("catalogue/shop.yml"));
        let loaded = load(&source(&folder.join("tieout.yml")), &[catalogue]).expect("the shop loads");
        let values: BTreeMap<String, BTreeMap<String, Vec<String>>> =
            serde_saphyr::from_str(&fs::read_to_string(folder.join("values.yml")).unwrap()).unwrap();
        let fields = values
            .into_iter()
            .flat_map(|(dataset, fields)| {
                fields.into_iter().map(move |(field, v)| (dataset.clone(), field, v))
            })
            .collect();
        let values = FieldValues { fields };
        let lexicon = Lexicon::build(&loaded.project, &values);
        Self { project: loaded.project, values, lexicon }
    }

    fn question(&self, text: &str, confirm: &str) -> Question {
        let zone = self.project.calendar.zone.clone();
        let now = date(2026, 10, 7).at(12, 0, 0, 0).to_zoned(zone).unwrap().timestamp();
        let confirmed = confirm
            .lines()
            .filter_map(|line| line.split_once('='))
            .map(|(subject, choice)| Confirmation { subject: subject.to_owned(), choice: choice.to_owned() })
            .collect();
        Question { text: text.to_owned(), now, confirmed }
    }

    fn context<'a>(&'a self, previous: Option<&'a Request>) -> ReadContext<'a> {
        ReadContext { project: &self.project, values: &self.values, previous }
    }

    fn printed(&self, text: &str, confirm: &str, previous: Option<&Request>) -> String {
        match read(&self.question(text, confirm), self.context(previous), &self.lexicon) {
            Ok(reading) => reading.to_string(),
            Err(Halt::Refuse(problems)) => problems.iter().map(ToString::to_string).collect(),
            Err(other) => format!("{other:?}\n"),
        }
    }

    fn request(&self, text: &str) -> Request {
        match read(&self.question(text, ""), self.context(None), &self.lexicon) {
            Ok(reading) => reading.request,
            Err(other) => panic!("`{text}` is not answered: {other:?}"),
        }
    }
}

/// A fence: its name, its body, and the lines that its body covers.
struct Fence {
    name: String,
    body: String,
    lines: std::ops::Range<usize>,
}

/// The cases of a file, as title and fences.
fn cases(text: &str) -> Vec<(String, Vec<Fence>)> {
    let mut cases: Vec<(String, Vec<Fence>)> = Vec::new();
    let mut open: Option<Fence> = None;
    for (number, line) in text.lines().enumerate() {
        if let Some(fence) = &mut open {
            if line == "```" {
                fence.lines.end = number;
                cases.last_mut().expect("a fence stands in a case").1.extend(open.take());
            } else {
                writeln!(fence.body, "{line}").unwrap();
            }
        } else if let Some(title) = line.strip_prefix("## ") {
            cases.push((title.to_owned(), Vec::new()));
        } else if let Some(name) = line.strip_prefix("```") {
            open = Some(Fence { name: name.to_owned(), body: String::new(), lines: number + 1..number + 1 });
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    cases
}

fn body<'f>(fences: &'f [Fence], name: &str) -> &'f str {
    fences.iter().find(|fence| fence.name == name).map_or("", |fence| fence.body.as_str())
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    files.sort();
    files
}

/// The file with the given readings in place of its own.
fn rewritten(text: &str, readings: &[(std::ops::Range<usize>, String)]) -> String {
    let mut out = String::new();
    for (number, line) in text.lines().enumerate() {
        if let Some((_, reading)) = readings.iter().find(|(lines, _)| lines.end == number) {
            out += reading;
        }
        if !readings.iter().any(|(lines, _)| lines.contains(&number)) {
            writeln!(out, "{line}").unwrap();
        }
    }
    out
}

#[test]
fn every_case_reads_as_written() {
    let shop = Shop::open();
    let rewrite = std::env::var_os("TIEOUT_REWRITE").is_some();
    let (mut failures, mut questions) = (String::new(), 0);
    for path in files() {
        let text = fs::read_to_string(&path).unwrap();
        let mut readings = Vec::new();
        for (title, fences) in cases(&text) {
            let before = body(&fences, "before").trim();
            let previous = (!before.is_empty()).then(|| shop.request(before));
            let confirm = body(&fences, "confirm");
            let wanted = fences.iter().find(|fence| fence.name == "reading").expect("a case has a reading");
            for (index, question) in body(&fences, "question").lines().enumerate() {
                questions += 1;
                let printed = shop.printed(question, confirm, previous.as_ref());
                if rewrite && index == 0 {
                    readings.push((wanted.lines.clone(), printed));
                } else if printed != wanted.body && !rewrite {
                    let name = path.file_name().unwrap().to_string_lossy();
                    writeln!(
                        failures,
                        "{name}: {title}: {question}\n-- wanted\n{}-- read\n{printed}",
                        wanted.body
                    )
                    .unwrap();
                }
            }
        }
        if rewrite {
            fs::write(&path, rewritten(&text, &readings)).unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(questions >= QUESTIONS_MIN, "only {questions} questions");
}

/// Every token that is not blank lies in exactly one run whose use is known, in the order of the question.
#[test]
fn every_word_of_every_case_is_accounted_for() {
    let shop = Shop::open();
    for path in files() {
        for (_, fences) in cases(&fs::read_to_string(path).unwrap()) {
            for text in body(&fences, "question").lines() {
                let question = shop.question(text, "");
                covers(text, &account(&question, shop.context(None), &shop.lexicon));
            }
        }
    }
}

/// Fails unless the uses cover every token once.
fn covers(text: &str, words: &[tieout_core::reading::WordUse]) {
    let mut at = 0;
    for word in words {
        assert!(word.start >= at, "`{text}`: {word} overlaps what is before it");
        let between = &text[at..word.start];
        assert!(
            between.chars().all(|c| c.is_whitespace() || "-_.‐‑".contains(c)),
            "`{text}`: `{between}` has no use"
        );
        assert_eq!(&text[word.start..word.start + word.text.len()], word.text, "`{text}`");
        at = word.start + word.text.len();
    }
    assert!(text[at..].chars().all(char::is_whitespace), "`{text}`: `{}` has no use", &text[at..]);
}

mod totality {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::{Shop, account, covers, read};

    static SHOP: LazyLock<Shop> = LazyLock::new(Shop::open);

    fn holds(text: &str) {
        let question = SHOP.question(text, "");
        let previous = SHOP.request("revenue by channel in September 2026");
        for previous in [None, Some(&previous)] {
            let _ = read(&question, SHOP.context(previous), &SHOP.lexicon);
        }
        covers(text, &account(&question, SHOP.context(None), &SHOP.lexicon));
    }

    /// Words that the grammar and the shop know, and some that nobody does.
    fn words() -> impl Strategy<Value = String> {
        let known = "revenue orders customers channel direct marketplace Berlin by per for each how many what which show list \
            the a not excluding without with no in of from top 5 highest average total share over 100 between and or september 2026 \
            last month vs compare growth where is = > never ordered who that have shipped paying regions name id number date city \
            sorted descending define mean why delete tenant profit email Status O'Hara \"x\" ( ) , ? ! ; - -- ' % $ 1,000.50 zzz";
        let words: Vec<String> = known.split_whitespace().map(str::to_owned).collect();
        prop::collection::vec(prop::sample::select(words), 0..24).prop_map(|words| words.join(" "))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

        #[test]
        fn any_text_is_read_or_declined(text in any::<String>()) {
            let text: String = text.chars().filter(|c| !c.is_control()).collect();
            holds(&text);
        }

        #[test]
        fn any_row_of_words_is_read_or_declined(text in words()) {
            holds(&text);
        }
    }
}
