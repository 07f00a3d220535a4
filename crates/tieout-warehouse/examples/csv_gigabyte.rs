//! How long a large CSV takes beside bare DuckDB, and how much memory.
//!
//! `cargo run --release -p tieout-warehouse --example csv_gigabyte [MEBIBYTES] [ROUNDS]` makes a file in a temporary
//! folder and reads it in four ways, each in a process of its own so that its peak memory can be told: bare DuckDB
//! making a table of it, `open` for questions, `data check`, and `init`. Rounds are interleaved; the median counts.
//! On a busy machine the processor's seconds say more than the clock's.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use duckdb::Connection;
use tieout_core::catalogue::load::{SourceText, load};
use tieout_warehouse::{Attachment, check, draft, open};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const WAYS: [&str; 4] = ["bare", "open", "check", "draft"];
/// About how many bytes a row has.
const ROW_BYTES: u64 = 93;

const CATALOGUE: &str = "datasets:
  - name: ledger
    primary_key: [entry_id]
    tenant: tenant_id
    fields:
      - { name: entry_id, datatype: integer }
      - { name: posted_on, datatype: date }
      - { name: channel, datatype: string }
      - { name: kind, datatype: string }
      - { name: amount_minor, datatype: integer }
      - { name: price, datatype: decimal }
      - { name: loaded_at, datatype: timestamp }
      - { name: is_internal, datatype: boolean }
      - { name: customer_name, datatype: string }
";

fn main() -> Outcome<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [way, path] = args.as_slice()
        && WAYS.contains(&way.as_str())
    {
        return measure(way, Path::new(path));
    }
    let mebibytes: u64 = args.first().map_or(Ok(1024), |text| text.parse())?;
    let rounds: usize = args.get(1).map_or(Ok(3), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("ledger.csv");
    generate(&path, mebibytes * 1024 * 1024 / ROW_BYTES)?;
    println!("{} bytes, {rounds} rounds", std::fs::metadata(&path)?.len());
    let mut runs: Vec<Vec<[f64; 3]>> = vec![Vec::new(); WAYS.len()];
    for _ in 0..rounds {
        for (runs, way) in runs.iter_mut().zip(WAYS) {
            let child = Command::new(std::env::current_exe()?).arg(way).arg(&path).output()?;
            let told = String::from_utf8(child.stdout)?;
            let numbers: Vec<f64> = told.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
            runs.push(<[f64; 3]>::try_from(numbers).map_err(|_| format!("{way} said: {told}"))?);
        }
    }
    println!("{:<6} {:>8} {:>6} {:>8} {:>6} {:>9}", "way", "seconds", "ratio", "cpu", "ratio", "peak MiB");
    let [bare_seconds, bare_cpu, _] = medians(&runs[0]);
    for (way, runs) in WAYS.iter().zip(&runs) {
        let [seconds, cpu, peak] = medians(runs);
        let (ratio, cpu_ratio) = (seconds / bare_seconds, cpu / bare_cpu);
        println!("{way:<6} {seconds:>8.2} {ratio:>6.2} {cpu:>8.2} {cpu_ratio:>6.2} {peak:>9.0}");
    }
    Ok(())
}

fn medians(runs: &[[f64; 3]]) -> [f64; 3] {
    [0, 1, 2].map(|at| {
        let mut numbers: Vec<f64> = runs.iter().map(|run| run[at]).collect();
        numbers.sort_by(f64::total_cmp);
        numbers[numbers.len() / 2]
    })
}

fn generate(path: &Path, rows: u64) -> Outcome<()> {
    let sql = format!(
        "COPY (SELECT i AS entry_id, 't' || (i % 7) AS tenant_id, DATE '2022-01-01' + (i * 7919 % 1500)::INT AS posted_on,
           ['direct', 'marketplace', 'partner', 'reseller'][1 + (i * 31 % 4)::INT] AS channel,
           ['sale', 'refund', 'tax', 'shipping'][1 + (i * 17 % 4)::INT] AS kind,
           (hash(i) % 200000)::BIGINT - 50000 AS amount_minor,
           ((hash(i + 5) % 10000000) / 100.0)::DECIMAL(18,2) AS price,
           TIMESTAMP '2022-01-01' + to_seconds((hash(i + 9) % 100000000)::BIGINT) AS loaded_at,
           i % 3 = 0 AS is_internal, 'customer ' || (hash(i + 3) % 100000) AS customer_name
         FROM range({rows}) r(i)) TO '{}' (HEADER)",
        path.display()
    );
    Connection::open_in_memory()?.execute_batch(&sql)?;
    Ok(())
}

fn measure(way: &str, path: &Path) -> Outcome<()> {
    let project = SourceText {
        path: "tieout.yml".to_owned(),
        text: format!(
            "tieout: 1\nname: bench\nwarehouse:\n  engine: duckdb\n  files: {{ ledger: {:?} }}\n",
            path.display().to_string()
        ),
    };
    let catalogue = SourceText { path: "catalogue/datasets.yml".to_owned(), text: CATALOGUE.to_owned() };
    let loaded = load(&project, &[catalogue]).map_err(|problems| format!("{:?}", problems.0))?;
    let at = Attachment { project: &loaded.project, root: Path::new("/"), corpora: None };
    let started = Instant::now();
    match way {
        "bare" => {
            let connection = Connection::open_in_memory()?;
            connection
                .execute_batch(&format!("CREATE TABLE ledger AS FROM read_csv('{}')", path.display()))?;
        }
        "open" => drop(open(at)?),
        "check" => drop(check(at)?),
        _ => drop(draft(&[PathBuf::from(path)])?),
    }
    let seconds = started.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no VmHWM")?;
    let peak: f64 = peak.trim().trim_end_matches(" kB").trim().parse()?;
    println!("{seconds} {} {}", cpu_seconds()?, peak / 1024.0);
    Ok(())
}

/// The processor's time that this process has taken, in seconds: fields 14 and 15 of `/proc/self/stat`, in hundredths.
fn cpu_seconds() -> Outcome<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks: Vec<f64> =
        fields.split_whitespace().skip(11).take(2).map(str::parse).collect::<Result<_, _>>()?;
    Ok(ticks.iter().sum::<f64>() / 100.0)
}
