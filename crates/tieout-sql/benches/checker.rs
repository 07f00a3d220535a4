//! One check, by criterion: every lawful statement of a dialect (`cases/lawful`), each parsed, resolved, judged, scoped,
//! printed, read again and proved.

#![allow(clippy::unwrap_used, missing_docs, reason = "a measurement may stop")]

#[path = "../tests/case_files/mod.rs"]
mod case_files;

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tieout_sql::{Context, DIALECTS, Limits, Scope, Value, check_text};

fn checks(criterion: &mut Criterion) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/lawful");
    let schema = case_files::schema(&std::fs::read_to_string(folder.join("schema.txt")).unwrap());
    let scope = Scope::tenant(Value::Integer(7));
    let binds = vec![Value::Integer(1), Value::Integer(2), Value::Integer(3)];
    let mut group = criterion.benchmark_group("check");
    for dialect in DIALECTS {
        let Ok(text) = std::fs::read_to_string(folder.join(format!("{}.sql", dialect.name))) else {
            continue;
        };
        let plain: Vec<&str> = text.lines().filter(|line| !line.starts_with("--")).collect();
        let text = plain.join("\n");
        let statements: Vec<&str> = text.split(";\n").filter(|sql| !sql.trim().is_empty()).collect();
        let limits = Limits { rows_max: 1000, timeout: Duration::from_secs(1) };
        let cx = Context { dialect, schema: &schema, scope: &scope, limits };
        group.throughput(Throughput::Elements(statements.len() as u64));
        group.bench_function(dialect.name, |bencher| {
            bencher.iter(|| {
                statements.iter().filter(|sql| black_box(check_text(sql, binds.clone(), &cx)).is_ok()).count()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, checks);
criterion_main!(benches);
