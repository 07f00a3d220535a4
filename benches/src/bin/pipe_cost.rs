//! What the pipe costs over the bare query, side by side in one run: questions over a table of ten million rows through
//! tieout, and the same figures by SQL written by hand on a connection of its own, planned anew each time as the question is
//! read anew. Also the cold `tieout ask`, when the binary's path is given.
//!
//! `cargo run --release -p tieout-benches --bin pipe_cost [ROWS] [PATH-OF-TIEOUT]`

use std::{
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use duckdb::Connection;
use tieout::session::{Ask, Workbench};
use tieout_core::{outcome::Outcome, scope::Session};

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ROUNDS: usize = 31;
/// What is asked, from the lightest on, and the same by hand. The join keeps sales of customers that are not there, as an
/// answer must; an inner join, which leaves them out, takes DuckDB half as long.
const QUESTIONS: [(&str, &str); 4] = [
    (
        "revenue by channel in 2025",
        "select channel, count(*), sum(amount_minor) from sales \
         where sold_on >= date '2025-01-01' and sold_on < date '2026-01-01' group by channel",
    ),
    ("revenue by channel", "select channel, count(*), sum(amount_minor) from sales group by channel"),
    (
        "revenue by month in 2025",
        "select strftime(sold_on, '%Y-%m'), count(*), sum(amount_minor) from sales \
         where sold_on >= date '2025-01-01' and sold_on < date '2026-01-01' group by 1",
    ),
    (
        "revenue by region",
        "select region, count(*), sum(amount_minor) from sales left join customers using (customer_id) group by region",
    ),
];
const PROJECT: &str = "tieout: 1\nname: big\nwarehouse: { engine: duckdb, path: big.duckdb }\n";
const CATALOGUE: &str = "datasets:
  - name: sales
    source: sales
    primary_key: [sale_id]
    time: sold_on
    fields:
      - { name: sale_id, datatype: integer }
      - { name: channel, datatype: string, values: [direct, marketplace, partner, shop] }
      - { name: amount_minor, datatype: integer, unit: { currency: USD, minor: true } }
      - { name: sold_on, datatype: date }
      - { name: customer_id, datatype: integer, nullable: false }
  - name: customers
    source: customers
    primary_key: [customer_id]
    fields:
      - { name: customer_id, datatype: integer }
      - { name: region, datatype: string, values: [North, East, South, West] }
relationships:
  - { name: sale_customer, from: sales, to: customers, from_columns: [customer_id], to_columns: [customer_id], required: true }
metrics:
  - { name: revenue, owner: bench, description: all sales, dataset: sales, kind: sum, of: amount_minor, unit: { currency: USD, scale: 2 } }
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let rows: u64 = arguments.next().map_or(Ok(10_000_000), |a| a.parse())?;
    let folder = tempfile::tempdir()?;
    make(folder.path(), rows)?;
    println!("{rows} rows, {ROUNDS} rounds, medians\n");
    println!("| question | bare query | through the pipe | the pipe's own | of the bare query |");
    println!("|---|--:|--:|--:|--:|");
    for (question, sql) in QUESTIONS {
        let (bare, asked) = side_by_side(folder.path(), question, sql)?;
        let (b, a) = (median(bare), median(asked));
        let over = 1000.0 * (a.as_secs_f64() - b.as_secs_f64());
        let part = over / (10.0 * b.as_secs_f64());
        println!("| {question} | {b:.2?} | {a:.2?} | {over:.2} ms | {part:.1} % |");
    }
    if let Some(binary) = arguments.next() {
        println!(
            "cold `tieout ask` on worlds/commerce, median of {ROUNDS}: {:.1?}",
            median(cold(Path::new(&binary))?)
        );
    }
    Ok(())
}

fn make(folder: &Path, rows: u64) -> Result<(), Box<dyn Error>> {
    let connection = Connection::open(folder.join("big.duckdb"))?;
    connection.execute_batch(&format!(
        "create table sales as select i as sale_id, ['direct', 'marketplace', 'partner', 'shop'][1 + i % 4] as channel,
           (hash(i) % 100000)::bigint as amount_minor, date '2024-01-01' + (hash(i + 1) % 1000)::integer as sold_on,
           (hash(i + 2) % 100000)::bigint as customer_id
         from range({rows}) r(i);
         create table customers as select i as customer_id, ['North', 'East', 'South', 'West'][1 + i % 4] as region
         from range(100000) r(i)"
    ))?;
    fs::create_dir(folder.join("catalogue"))?;
    fs::write(folder.join("tieout.yml"), PROJECT)?;
    fs::write(folder.join("catalogue/sales.yml"), CATALOGUE)?;
    Ok(())
}

/// Turn about, so that both meet the same machine.
fn side_by_side(
    folder: &Path,
    question: &str,
    sql: &str,
) -> Result<(Vec<Duration>, Vec<Duration>), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let bench = Workbench::open(folder, None).map_err(|e| format!("{e:?}"))?;
    let connection = Connection::open_in_memory()?;
    let file = folder.join("big.duckdb").display().to_string();
    connection.execute_batch(&format!("attach '{file}' as big (read_only); use big"))?;
    let session = Session { principal: "bench".to_owned(), tenant: None };
    let now = "2026-10-07T12:00:00Z".parse()?;
    let (mut bare, mut asked) = (Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let started = Instant::now();
        let mut statement = connection.prepare(sql)?;
        let counted = statement.query_map([], |row| row.get::<_, String>(0))?.count();
        let bare_took = started.elapsed();
        let ask = Ask {
            id: "bench".to_owned(),
            asked_at: now,
            now,
            question: question.to_owned(),
            confirmed: Vec::new(),
            after: None,
            edits: None,
        };
        let started = Instant::now();
        let answered = runtime.block_on(bench.answer_unrecorded(&session, ask));
        let took = started.elapsed();
        match answered.outcome {
            Ok(Outcome::Answer(answer)) if answer.figures.lines.len() == counted => {}
            other => return Err(format!("not answered: {other:?}").into()),
        }
        // The first round warms both.
        if round > 0 {
            bare.push(bare_took);
            asked.push(took);
        }
    }
    Ok((bare, asked))
}

fn cold(binary: &Path) -> Result<Vec<Duration>, Box<dyn Error>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let ledger = tempfile::tempdir()?;
    let mut took = Vec::new();
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let status = Command::new(binary)
            .args(["ask", "--tenant", "alpha", "--now", "2026-10-07", "--project"])
            .arg(root.join("worlds/commerce"))
            .arg("--ledger")
            .arg(ledger.path().join("ledger.sqlite"))
            .arg("Compare September 2026 net revenue with August by channel")
            .stdout(Stdio::null())
            .status()?;
        took.push(started.elapsed());
        if !status.success() {
            return Err(format!("tieout ended with {status}").into());
        }
    }
    Ok(took)
}

fn median(mut all: Vec<Duration>) -> Duration {
    all.sort_unstable();
    all.get(all.len() / 2).copied().unwrap_or_default()
}
