//! How long reading a question takes against a catalogue of 200 metrics, 2,000 synonyms and 100,000 values: the
//! percentiles over 5,000 questions, how many were read and how many declined, and how long the lexicon took to build.
//!
//! `cargo run --release -p tieout-benches --bin read_percentiles [QUESTIONS]`

use std::{error::Error, time::Instant};

use tieout_benches::{Large, METRICS, SYNONYMS, VALUES, questions};
use tieout_core::{ports::ReadContext, question::Question};
use tieout_reader::{lexicon::Lexicon, read};

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).map_or(Ok(5_000), |count| count.parse())?;
    let large = Large::make().map_err(|problems| problems.to_string())?;
    let start = Instant::now();
    let lexicon = Lexicon::build(&large.project, &large.values);
    let built = start.elapsed();
    let context = ReadContext { project: &large.project, values: &large.values, previous: None };
    let now = "2026-10-07T15:00:00Z".parse()?;
    let asked = questions(count);
    // Languages and zones are loaded when they are first needed.
    let warm = Question { text: "what can I ask?".to_owned(), now, confirmed: Vec::new() };
    let _ = read(&warm, context, &lexicon);
    let mut took: Vec<(u128, usize)> = Vec::with_capacity(asked.len());
    let mut understood = 0_usize;
    for (index, text) in asked.iter().enumerate() {
        let question = Question { text: text.clone(), now, confirmed: Vec::new() };
        let start = Instant::now();
        let outcome = read(&question, context, &lexicon);
        took.push((start.elapsed().as_micros(), index));
        understood += usize::from(outcome.is_ok());
    }
    took.sort_unstable();
    println!("{METRICS} metrics, {SYNONYMS} synonyms, {VALUES} values; the lexicon was built in {built:?}");
    println!("{count} questions: {understood} read, {} declined", took.len() - understood);
    for (name, thousandth) in [("p50", 500), ("p90", 900), ("p99", 990), ("p99.9", 999), ("most", 1_000)] {
        let place = (took.len() * thousandth / 1_000).saturating_sub(1);
        if let Some((micros, index)) = took.get(place) {
            println!(
                "{name:>5} {:>4}.{:03} ms   {}",
                micros / 1_000,
                micros % 1_000,
                asked.get(*index).map_or("", |q| q)
            );
        }
    }
    Ok(())
}
