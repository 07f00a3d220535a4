//! The catalogue loader, on any two files: it gives a project or problems with places inside of the files, and never
//! panics. The project file ends at the first line `---8<---`; the catalogue file is what follows.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tieout_core::catalogue::load::{SourceText, folders, load};

const CUT: &str = "---8<---\n";

/// A project that is fine, for inputs that are a catalogue only.
const PROJECT: &str =
    "tieout: 1\nname: fuzzed\nwarehouse:\n  engine: duckdb\n  files: { ledger: ledger.csv }\n";

fuzz_target!(|text: &str| {
    let (project, catalogue) = text.split_once(CUT).unwrap_or((PROJECT, text));
    let project = SourceText { path: "tieout.yml".to_owned(), text: project.to_owned() };
    let catalogue = SourceText { path: "catalogue/all.yml".to_owned(), text: catalogue.to_owned() };
    let named = folders(&project);
    assert!(!named.catalogue.is_empty() && !named.golden.is_empty());
    let files = [catalogue];
    let again = load(&project, &files);
    match load(&project, &files) {
        Ok(loaded) => assert_eq!(
            loaded.project.catalogue.digest,
            again.map(|l| l.project.catalogue.digest).unwrap_or_default()
        ),
        Err(problems) => {
            assert!(!problems.0.is_empty(), "declined without a reason");
            assert!(!problems.to_string().is_empty());
        }
    }
});
