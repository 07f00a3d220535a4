//! Reading a question against a catalogue of 200 metrics, 2,000 synonyms and 100,000 values; building the lexicon for it;
//! and finding time expressions alone. Percentiles are in the `read_percentiles` binary.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use tieout_benches::{Large, questions};
use tieout_core::{ports::ReadContext, question::Question};
use tieout_reader::{
    lexicon::Lexicon,
    read,
    time::{TimeToken, spans},
    tokens::tokens,
};

const QUESTIONS: usize = 240;

fn reading(criterion: &mut Criterion) {
    let Ok(large) = Large::make() else { return };
    let Ok(now) = "2026-10-07T15:00:00Z".parse() else { return };
    let lexicon = Lexicon::build(&large.project, &large.values);
    let context = ReadContext { project: &large.project, values: &large.values, previous: None };
    let asked: Vec<Question> =
        questions(QUESTIONS).into_iter().map(|text| Question { text, now, confirmed: Vec::new() }).collect();
    let mut next = asked.iter().cycle();
    criterion.bench_function("read a question", |bencher| {
        bencher.iter(|| next.next().map(|question| black_box(read(question, context, &lexicon).is_ok())));
    });
    let mut next = asked.iter().cycle();
    criterion.bench_function("find time expressions", |bencher| {
        bencher.iter(|| {
            let Some(question) = next.next() else { return 0 };
            let cut = tokens(&question.text);
            let given: Vec<TimeToken<'_>> =
                cut.iter().map(|t| TimeToken { text: &t.text, start: t.start, end: t.end }).collect();
            black_box(spans(&given, &large.project.calendar, now).len())
        });
    });
    criterion.bench_function("build the lexicon", |bencher| {
        bencher.iter(|| black_box(Lexicon::build(&large.project, &large.values)));
    });
}

criterion_group! { name = benches; config = Criterion::default().sample_size(20); targets = reading }
criterion_main!(benches);
