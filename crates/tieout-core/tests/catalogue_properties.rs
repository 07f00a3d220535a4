//! Loading is total: no text makes it panic, every problem points into its file, and every problem can be drawn.

#![allow(clippy::unwrap_used, reason = "the helpers of a test may fail it")]

use std::{fs, path::Path};

use proptest::{prelude::*, sample};
use tieout_core::catalogue::{
    describe,
    lint::lint,
    load::{CatalogueProblem, Colour, Problems, SourceText, load, render},
};

fn source(path: &str, text: &str) -> SourceText {
    SourceText { path: path.to_owned(), text: text.to_owned() }
}

/// The commerce world, as project file and catalogue in one text each.
fn world() -> (String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/commerce");
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let parts = ["catalogue/datasets.yml", "catalogue/metrics.yml", "catalogue/words.yml"].map(read);
    (read("tieout.yml"), parts.join("\n"))
}

/// Loads, lints, describes and draws; what comes out must point into the texts.
fn exercise(project: &str, catalogue: &str) {
    let (project, catalogue) = (source("tieout.yml", project), source("catalogue.yml", catalogue));
    let problems = match load(&project, std::slice::from_ref(&catalogue)) {
        Ok(loaded) => {
            describe::show(&loaded.project, None).unwrap();
            loaded.warnings.iter().cloned().chain(lint(&loaded)).collect()
        }
        Err(Problems(problems)) => {
            assert!(!problems.is_empty());
            problems
        }
    };
    for problem in problems.iter().take(20) {
        let file = if problem.file == project.path { &project } else { &catalogue };
        check_place(problem, &file.text);
        assert!(render(problem, &file.text, Colour::Never).contains(problem.code));
    }
}

fn check_place(problem: &CatalogueProblem, text: &str) {
    assert!(problem.line >= 1 && problem.column >= 1, "{problem}");
    let lines = text.split('\n').count();
    assert!(problem.line <= lines + 1, "{problem} of {lines} lines");
    assert!(!problem.message.is_empty() && !problem.message.contains('\n'), "{problem}");
}

/// One change to a text: what a slip of the hand, or of a tool, might do.
#[derive(Clone, Debug)]
enum Change {
    Cut(sample::Index, usize),
    Insert(sample::Index, String),
    Repeat(sample::Index),
    Swap(sample::Index, sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    let piece = prop_oneof![
        "[\\[\\]{}:,&*!|>'\"#%@`?~ \t\n-]{1,4}",
        sample::select(vec![
            "null",
            "name",
            "amount_minor",
            "- ",
            "<<: ",
            "\u{feff}",
            "é",
            "\u{0}",
            "9999999999999999999999"
        ])
        .prop_map(str::to_owned),
    ];
    prop_oneof![
        (any::<sample::Index>(), 1_usize..40).prop_map(|(at, length)| Change::Cut(at, length)),
        (any::<sample::Index>(), piece).prop_map(|(at, text)| Change::Insert(at, text)),
        any::<sample::Index>().prop_map(Change::Repeat),
        (any::<sample::Index>(), any::<sample::Index>()).prop_map(|(a, b)| Change::Swap(a, b)),
    ]
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut text = text.to_owned();
    for change in changes {
        let boundary = |index: &sample::Index, text: &str| {
            let mut at = index.index(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        match change {
            Change::Cut(at, length) => {
                let at = boundary(at, &text);
                let end =
                    text[at..].char_indices().nth(*length).map_or(text.len(), |(offset, _)| at + offset);
                text.replace_range(at..end, "");
            }
            Change::Insert(at, piece) => text.insert_str(boundary(at, &text), piece),
            Change::Repeat(at) => {
                let lines: Vec<&str> = text.lines().collect();
                if let Some(line) = lines.get(at.index(lines.len().max(1))) {
                    text = text.replacen(line, &format!("{line}\n{line}"), 1);
                }
            }
            Change::Swap(a, b) => {
                let mut lines: Vec<&str> = text.lines().collect();
                if !lines.is_empty() {
                    let (a, b) = (a.index(lines.len()), b.index(lines.len()));
                    lines.swap(a, b);
                    text = lines.join("\n");
                }
            }
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_text_never_panics(project in "\\PC{0,200}", catalogue in "[ -~\n\t]{0,400}") {
        exercise(&project, &catalogue);
    }

    #[test]
    fn yaml_of_the_right_words_never_panics(
        words in prop::collection::vec(sample::select(vec![
            "datasets:\n", "metrics:\n", "terms:\n", "- ", "  ", "    ", "\n", "name: ", "a\n", "fields:\n", "kind: sum\n",
            "of: a\n", "dataset: a\n", "datatype: integer\n", "{ ", " }", "[", "]", ", ", "via: [a]\n", "where: \"a = 1\"\n",
            "primary_key: [a]\n", "relationships:\n", "from: a\n", "to: a\n", "from_columns: [a]\n", "to_columns: [a]\n",
        ]), 0..60)
    ) {
        exercise("tieout: 1\nname: case\nwarehouse: { engine: duckdb, path: a.duckdb }\n", &words.concat());
    }

    #[test]
    fn changed_projects_never_panic(
        changes in prop::collection::vec(change(), 1..5),
        project_changes in prop::collection::vec(change(), 0..2),
    ) {
        let (project, catalogue) = world();
        exercise(&changed(&project, &project_changes), &changed(&catalogue, &changes));
    }
}

#[test]
fn the_digest_follows_the_meaning_and_not_the_spelling() {
    let (project, catalogue) = world();
    let digest =
        |files: &[SourceText]| load(&source("tieout.yml", &project), files).unwrap().project.catalogue.digest;
    let whole = digest(&[source("a.yml", &catalogue)]);
    let cut = catalogue.find("\nmetrics:").unwrap();
    let (first, second) = (source("a.yml", &catalogue[..cut]), source("b.yml", &catalogue[cut..]));
    assert_eq!(whole, digest(&[first.clone(), second.clone()]), "split into files");
    assert_eq!(whole, digest(&[second, first]), "in another order");
    let commented = format!("# a comment\n{}", catalogue.replace("metrics:\n", "metrics: # here they are\n"));
    assert_eq!(whole, digest(&[source("a.yml", &commented)]), "with comments");
    let swapped =
        catalogue.replace("datatype: integer, identifier: true", "identifier: true, datatype: integer");
    assert_ne!(swapped, catalogue);
    assert_eq!(whole, digest(&[source("a.yml", &swapped)]), "with keys in another order");
    let quoted = catalogue.replace("owner: finance", "owner: \"finance\"");
    assert_eq!(whole, digest(&[source("a.yml", &quoted)]), "with quotes that change nothing");
    let changed = catalogue.replace("kind in ('sale', 'refund')", "kind in ('sale')");
    assert_ne!(whole, digest(&[source("a.yml", &changed)]), "with another meaning");
}
