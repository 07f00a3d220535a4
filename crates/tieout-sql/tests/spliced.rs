//! Statements spliced from lawful ones, in every dialect: words are dropped, doubled, exchanged, taken from another
//! statement, and nested. The checker never panics; what it accepts has the tenant bound on every table of a tenant, shows
//! nothing hidden, and passes again as it was laid out, with the same text, columns and proof. `TIEOUT_FUZZ_SECONDS` says for
//! how long; `fuzz/` does the same with a fuzzer that watches the code.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may stop")]

mod case_files;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use tieout_sql::{CheckedQuery, Context, DIALECTS, Limits, Schema, Scope, Value, check_text};

const TENANT: Value = Value::Integer(7_000_007);

/// A small generator of luck with a seed (splitmix64).
struct Luck(u64);

impl Luck {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % below.max(1) as u64) as usize
    }
}

/// The lawful statements of every dialect, in words.
fn seeds() -> (Schema, Vec<Vec<String>>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/lawful");
    let schema = case_files::schema(&std::fs::read_to_string(folder.join("schema.txt")).unwrap());
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "sql")) {
        let text = std::fs::read_to_string(file).unwrap();
        let plain: Vec<&str> = text.lines().filter(|line| !line.starts_with("--")).collect();
        found.extend(plain.join("\n").split(";\n").map(words).filter(|words| words.len() > 3));
    }
    (schema, found)
}

/// A text in words, signs and blanks, quoted parts whole.
fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut quote = None;
    for c in text.trim().trim_end_matches(';').chars() {
        let last = found.last().and_then(|word| word.chars().last());
        let runs_on = last
            .is_some_and(|last| (last.is_alphanumeric() || last == '_') && (c.is_alphanumeric() || c == '_'));
        match (quote, found.last_mut()) {
            (Some(open), Some(word)) => {
                word.push(c);
                quote = (c != open).then_some(open);
            }
            (_, Some(word)) if runs_on => word.push(c),
            (_, _) => {
                quote = ['\'', '"', '`'].contains(&c).then_some(c);
                found.push(c.to_string());
            }
        }
    }
    found
}

/// What strangers try in the middle of a statement.
const ODD: &[&str] = &[
    " or true ",
    " union all select ",
    " -- ",
    "/*",
    "*/",
    ";",
    "''",
    "\"",
    "`",
    "(",
    ")",
    " lateral ",
    " over () ",
    "$1",
    "?",
    "::text",
    " as ",
    ".*",
    "*",
    " from ",
    " where ",
    " in (select ",
    " not ",
    " null ",
    "0x41",
    "e'\\''",
    "$$",
    " as orders ",
    " natural join ",
    " using (order_id) ",
    " with orders as (select 1) ",
    " tenant_id ",
    " card ",
    " distinct ",
    " limit 1 ",
    " is not distinct from ",
    " group by all ",
    " qualify ",
    " filter (where ",
    " end ",
    " case when ",
];

fn spliced(seeds: &[Vec<String>], luck: &mut Luck) -> String {
    let mut words = seeds[luck.next(seeds.len())].clone();
    for _ in 0..1 + luck.next(4) {
        let (at, other) = (luck.next(words.len()), luck.next(words.len()));
        match luck.next(7) {
            0 => {
                words.remove(at);
            }
            1 => words.insert(at, words[other].clone()),
            2 => words.swap(at, other),
            3 => words.insert(at, ODD[luck.next(ODD.len())].to_owned()),
            4 => {
                let donor = &seeds[luck.next(seeds.len())];
                let from = luck.next(donor.len());
                let until = (from + 1 + luck.next(12)).min(donor.len());
                words.splice(at..at, donor[from..until].iter().cloned());
            }
            5 => {
                let donor = seeds[luck.next(seeds.len())].concat();
                words[at] = format!("({donor})");
            }
            _ => {
                let until = (at + 1 + luck.next(6)).min(words.len());
                words.drain(at..until);
            }
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

/// What must hold of a statement that passed.
fn held(checked: &CheckedQuery, cx: &Context, binds: &[Value]) {
    for proof in checked.proof() {
        assert_eq!(checked.binds().get(proof.bind), Some(&TENANT), "bound to another value");
    }
    for table in checked.tables() {
        let of_tenants = cx.schema.tables[table].tenant.is_some();
        let proved = checked.proof().iter().any(|proof| proof.table == *table);
        assert!(proved || !of_tenants, "`{table}` is read without its tenant");
    }
    for column in checked.columns() {
        let hidden = column
            .lineage
            .iter()
            .any(|(table, name)| cx.schema.tables[table].columns[name].access == tieout_sql::Access::Hidden);
        assert!(!hidden, "`{}` shows what is hidden", column.name);
    }
    // Where signs have no numbers, the laid-out text numbers them.
    if cx.dialect.name == "mysql" && checked.written().contains('?') {
        return;
    }
    let second = check_text(checked.written(), binds.to_vec(), cx);
    let second = second.unwrap_or_else(|rejected| panic!("rejected as it was laid out: {rejected}"));
    assert_eq!(checked.sql(), second.sql(), "another text the second time");
    assert_eq!(checked.columns(), second.columns(), "other columns the second time");
    assert_eq!(checked.tables(), second.tables(), "other tables the second time");
    assert_eq!(checked.proof(), second.proof(), "another proof the second time");
}

/// A literal and a name of several lines among them: laid out, they must stay what they are.
#[test]
fn lawful_statements_hold_twice() {
    let (schema, seeds) = seeds();
    let (scope, mut passed) = (Scope::tenant(TENANT), 0);
    for dialect in DIALECTS {
        let limits = Limits { rows_max: 100, timeout: Duration::from_secs(1) };
        let cx = Context { dialect, schema: &schema, scope: &scope, limits };
        for text in seeds.iter().map(|words| words.concat()) {
            if let Ok(checked) = check_text(&text, Vec::new(), &cx) {
                held(&checked, &cx, &[]);
                passed += 1;
            }
        }
    }
    assert!(passed > 1_000, "{passed} passed");
}

#[test]
fn spliced_statements_are_rejected_or_hold_twice() {
    let asked = std::env::var("TIEOUT_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let until = Instant::now() + Duration::from_secs(asked.unwrap_or(10));
    let seed = std::env::var("TIEOUT_FUZZ_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let (schema, seeds) = seeds();
    let (mut luck, scope) = (Luck(seed), Scope::tenant(TENANT));
    let binds = vec![Value::Integer(1), Value::Text("a".to_owned()), Value::Integer(3)];
    let (mut tried, mut passed, mut wrong) = (0, 0, Vec::new());
    while Instant::now() < until && wrong.len() < 20 {
        let text = spliced(&seeds, &mut luck);
        for dialect in DIALECTS {
            let limits = Limits { rows_max: 100, timeout: Duration::from_secs(1) };
            let cx = Context { dialect, schema: &schema, scope: &scope, limits };
            tried += 1;
            let outcome = catch_unwind(AssertUnwindSafe(|| match check_text(&text, binds.clone(), &cx) {
                Ok(checked) => {
                    held(&checked, &cx, &binds);
                    true
                }
                Err(rejected) => {
                    assert!(!rejected.rejections.is_empty(), "rejected without a reason");
                    false
                }
            }));
            match outcome {
                Ok(accepted) => passed += usize::from(accepted),
                Err(_) => wrong.push(format!("{}: {text}", dialect.name)),
            }
        }
    }
    println!("{tried} judged, {passed} accepted, {} of which do not hold", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n---\n"));
}
