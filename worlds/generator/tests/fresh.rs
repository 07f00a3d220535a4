//! Holds that the data that is checked in is what the generator writes, and that the promised example is in it.

use std::path::Path;

fn worlds() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

#[test]
fn the_checked_in_data_is_what_the_generator_writes() {
    assert_eq!(
        tieout_worlds::stale(worlds()),
        Vec::<&str>::new(),
        "run tieout-worlds and look at the difference"
    );
}

#[test]
fn the_example_of_the_readme_is_in_the_ledger() {
    let files = tieout_worlds::files();
    let ledger = files.iter().find(|file| file.path == "commerce/data/ledger.csv").unwrap();
    let text = String::from_utf8(ledger.bytes.clone()).unwrap();
    let net = |month: &str, channel: &str| -> i64 {
        text.lines()
            .map(|line| line.split(',').collect::<Vec<_>>())
            .filter(|cell| {
                cell[1] == "alpha" && matches!(cell[4], "sale" | "refund") && cell[7].starts_with(month)
            })
            .filter(|cell| cell[5] == channel)
            .map(|cell| cell[6].parse::<i64>().unwrap())
            .sum()
    };
    assert_eq!(
        (net("2026-09", "direct"), net("2026-09", "marketplace"), net("2026-09", "")),
        (13_000, 7_000, 0)
    );
    assert_eq!(
        (net("2026-08", "direct"), net("2026-08", "marketplace"), net("2026-08", "")),
        (6_000, 4_000, 0)
    );
}
