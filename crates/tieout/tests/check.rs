//! `check` and `explain` as a stranger meets them: bare DDL, folders of SQL, a project, hostile statements and broken input.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where it fails")]

mod support;

use std::{fs, path::Path, process::Command};

use serde_json::Value;
use support::{Ran, Shop, repository, validator};

const DDL: &str = "
CREATE TABLE public.customers (
  id bigint PRIMARY KEY,
  email text UNIQUE NOT NULL,
  region text NOT NULL
);
CREATE TABLE public.orders (
  id bigint PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES public.customers(id),
  org text NOT NULL,
  status text NOT NULL,
  amount numeric(12,2) NOT NULL,
  ordered_on date NOT NULL
);
CREATE TABLE public.order_lines (
  order_id bigint NOT NULL REFERENCES public.orders(id),
  line_no int NOT NULL,
  qty int NOT NULL,
  PRIMARY KEY (order_id, line_no)
);
CREATE TABLE public.events (at timestamptz, customer_id bigint, what text);
";

/// A folder with a schema, and the built binary run in it.
struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        let desk = Self(tempfile::tempdir().unwrap());
        desk.write("schema.sql", DDL);
        desk
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tieout"));
        command.current_dir(self.path()).args(arguments);
        for name in ["TIEOUT_TENANT", "TIEOUT_LEDGER", "TIEOUT_CORPORA", "COLUMNS", "NO_COLOR"] {
            command.env_remove(name);
        }
        Ran::of(command.output().unwrap())
    }

    /// Checks against the schema, as Postgres.
    fn check(&self, more: &[&str]) -> Ran {
        self.run(&[&["check", "--schema", "schema.sql", "--dialect", "postgres"], more].concat())
    }

    fn report(&self, more: &[&str]) -> Value {
        let report = self.check(&[more, &["--json"]].concat()).json();
        holds(&report, "check.schema.json");
        report
    }
}

fn holds(report: &Value, schema: &str) {
    let validator = validator(schema);
    let errors: Vec<String> = validator.iter_errors(report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{report:#}");
}

fn rules(judged: &Value, severity: &str) -> Vec<String> {
    let found = judged["findings"].as_array().unwrap().iter();
    found
        .filter(|one| one["severity"] == severity)
        .map(|one| one["rule"].as_str().unwrap().to_owned())
        .collect()
}

const REVENUE: &str = "select c.region, sum(o.amount) as revenue from orders o join customers c on c.id = o.customer_id \
                       where o.ordered_on >= date '2026-09-01' and o.ordered_on < date '2026-10-01' group by c.region";

#[test]
fn an_accepted_statement_says_what_it_was_understood_as() {
    let desk = Desk::new();
    let report = desk.report(&["--sql", REVENUE]);
    assert_eq!((&report["accepted"], &report["rejected"]), (&1.into(), &0.into()));
    let accepted = &report["statements"][0]["accepted"];
    assert_eq!(accepted["columns"][1]["lineage"][0]["table"], "orders");
    assert_eq!(accepted["columns"][1]["aggregates"][0], "sum");
    assert_eq!(accepted["joins"][0]["relationship"], "orders_customer_id");
    assert_eq!(accepted["joins"][0]["pairs"][0]["left"], "orders.customer_id");
    assert_eq!(accepted["grain"][0], "one row for each customers.region");
    let text = desk.check(&["--sql", REVENUE]).ends(0).out;
    for said in
        ["accepted", "orders.customer_id = customers.id", "one row for each customers.region", "LIMIT 10001"]
    {
        assert!(text.contains(said), "{said}\n{text}");
    }
}

#[test]
fn a_fan_out_is_rejected_under_its_place() {
    let desk = Desk::new();
    let fanned = "select c.region,\n       sum(o.amount) from orders o\njoin order_lines l on l.order_id = o.id\n\
                  join customers c on c.id = o.customer_id group by 1";
    let ran = desk.check(&["--sql", fanned]).ends(5);
    assert!(
        ran.out.contains("error[fan_out]") && ran.out.contains("2 |        sum(o.amount)"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("aggregate before joining"), "{}", ran.out);
    let place = &desk.report(&["--sql", fanned])["statements"][0]["findings"][0]["place"];
    assert_eq!((&place["line"], &place["column"]), (&2.into(), &8.into()));
}

#[test]
fn where_uniqueness_is_not_known_a_fan_out_is_a_warning() {
    let desk = Desk::new();
    desk.write(
        "r.yml",
        "relationships:\n  - { from: orders, to: events, from_columns: [customer_id], to_columns: [customer_id] }\n",
    );
    let sql = "select sum(o.amount) from orders o join events e on e.customer_id = o.customer_id";
    let report = desk.report(&["--relationships", "r.yml", "--sql", sql]);
    let judged = &report["statements"][0];
    assert_eq!(judged["verdict"], "accepted", "{report:#}");
    assert_eq!(rules(judged, "warn"), ["fan_out"]);
    assert!(judged["findings"][0]["hint"].as_str().unwrap().contains("uniqueness is not known"));
    desk.write(
        "keyed.sql",
        DDL.replace("at timestamptz, customer_id bigint", "id int PRIMARY KEY, customer_id bigint"),
    );
    let keyed = desk.run(&[
        "check",
        "--schema",
        "keyed.sql",
        "--dialect",
        "postgres",
        "--relationships",
        "r.yml",
        "--sql",
        sql,
        "--json",
    ]);
    assert_eq!(rules(&keyed.ends(5).json()["statements"][0], "reject"), ["fan_out"]);
}

#[test]
fn a_file_is_judged_statement_by_statement_with_its_own_lines() {
    let desk = Desk::new();
    desk.write(
        "q/a.sql",
        format!(
            "-- the revenue; by region\n{REVENUE};\n\nselect nothing from orders;\n  delete from orders;\n"
        ),
    );
    let report = desk.report(&["q/a.sql"]);
    let places: Vec<(u64, u64, &str)> = report["statements"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (one["line"].as_u64().unwrap(), one["column"].as_u64().unwrap(), one["verdict"].as_str().unwrap())
        })
        .collect();
    assert_eq!(places, [(2, 1, "accepted"), (4, 1, "rejected"), (5, 3, "rejected")]);
    let unknown = &report["statements"][1]["findings"][0];
    assert_eq!(
        (&unknown["rule"], &unknown["place"]["line"], &unknown["place"]["column"]),
        (&"known_names".into(), &4.into(), &8.into())
    );
    let text = desk.check(&["q/a.sql"]).ends(5).out;
    assert!(text.contains("q/a.sql:4:8") && text.contains("4 | select nothing from orders"), "{text}");
    assert!(text.contains("3 statements: 1 accepted, 2 rejected"), "{text}");
    assert_eq!(desk.check(&["-"]).code, 2, "an empty input holds no statement");
}

/// Holds a log against the schema that OASIS publishes, where `./x witness` has fetched it.
fn official(log: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/witness/sarif-2.1.0.json");
    let Ok(text) = fs::read_to_string(&path) else {
        println!("skipped: the schema of SARIF is not here; `./x witness` fetches it");
        return;
    };
    // Its pattern of a language, which we do not write, is no pattern: a bracket in it is closed that was never opened.
    let text = text.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&text).unwrap();
    assert!(schema["title"].as_str().unwrap().contains("(SARIF) Version 2.1.0"), "another schema");
    let validator = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> =
        validator.iter_errors(log).map(|error| format!("{} at {}", error, error.instance_path())).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The schema is held to, not passed over.
    let mut broken = log.clone();
    broken["runs"][0]["columnKind"] = "letters".into();
    assert!(!validator.is_valid(&broken));
}

#[test]
fn a_folder_is_linted_for_ci() {
    let desk = Desk::new();
    desk.write("models/staging/good.sql", REVENUE);
    desk.write(
        "models/marts/bad.sql",
        "select 1 as one;\nselect sum(o.amount) from orders o, order_lines l\nwhere l.order_id = o.id",
    );
    desk.write("models/marts/{{x}} & y.sql", "select * from {{ ref('orders') }}");
    desk.write("models/notes.md", "no SQL");
    desk.write("models/.git/x.sql", "nonsense");
    let sarif = desk.check(&["models", "--sarif"]).ends(5).json();
    assert_eq!(sarif["version"], "2.1.0");
    official(&sarif);
    let run = &sarif["runs"][0];
    let known = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 2, "{results:#?}");
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(known[index]["id"], result["ruleId"]);
        assert!(["error", "warning"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let physical = &result["locations"][0]["physicalLocation"];
        let uri = physical["artifactLocation"]["uri"].as_str().unwrap();
        assert!(!uri.contains(' ') && !uri.contains('{'), "{uri}");
        let region = &physical["region"];
        assert!(region["startLine"].as_u64().unwrap() >= 1 && region["startColumn"].as_u64().unwrap() >= 1);
    }
    let fan_out = results.iter().find(|one| one["ruleId"] == "fan_out").expect("the fan-out");
    let physical = &fan_out["locations"][0]["physicalLocation"];
    assert_eq!(physical["artifactLocation"]["uri"], "models/marts/bad.sql");
    assert_eq!(
        (&physical["region"]["startLine"], &physical["region"]["startColumn"]),
        (&2.into(), &8.into())
    );
    let template = results.iter().find(|one| one["ruleId"] == "syntax").expect("the template");
    assert!(template["message"]["text"].as_str().unwrap().contains("dbt compile"), "{template:#}");

    let xml = desk.check(&["models", "--junit"]).ends(5).out;
    assert!(xml.contains("<testsuites name=\"tieout check\" tests=\"4\" failures=\"2\""), "{xml}");
    assert_eq!(xml.matches("<testcase ").count(), 4);
    assert_eq!(xml.matches("<failure ").count(), 2);
    assert!(xml.contains("models/marts/{{x}} &amp; y.sql"), "{xml}");
}

#[test]
fn without_a_catalogue_tenants_and_hidden_columns_can_be_stated() {
    let desk = Desk::new();
    desk.write(
        "r.yml",
        "datasets:\n  - { name: orders, tenant: org }\n  - { name: customers, fields: [{ name: email, access: hidden }] }\n",
    );
    let with = ["--relationships", "r.yml", "--tenant", "alpha"];
    let report = desk.report(
        &[&with[..], &["--sql", "select status, count(*) as n from orders group by status"]].concat(),
    );
    let accepted = &report["statements"][0]["accepted"];
    assert_eq!(accepted["tenants"][0]["column"], "org");
    assert_eq!(accepted["values"][0]["by"], "tenant");
    assert_eq!(accepted["values"][0]["value"]["value"], "alpha");
    assert!(accepted["sql"].as_str().unwrap().contains("$1"), "{accepted:#}");
    let hidden = desk.report(&[&with[..], &["--sql", "select email from customers"]].concat());
    assert_eq!(rules(&hidden["statements"][0], "reject"), ["hidden_columns"]);
    let nobody = desk.report(&["--relationships", "r.yml", "--sql", "select status from orders"]);
    assert_eq!(rules(&nobody["statements"][0], "reject"), ["tenant"]);
}

#[test]
fn a_project_judges_by_its_catalogue() {
    let shop = Shop::new();
    let sql = "select channel, sum(amount_minor) as amount from ledger group by channel";
    let report = shop.run(["check", "--tenant", "alpha", "--json", "--sql", sql]).ends(0).json();
    holds(&report, "check.schema.json");
    assert_eq!((&report["schema"], &report["dialect"]), (&"project commerce".into(), &"duckdb".into()));
    assert_eq!(report["statements"][0]["accepted"]["tenants"][0]["table"], "ledger");
    let open = shop.run(["check", "--sql", sql]).ends(5).out;
    assert!(open.contains("error[tenant]"), "{open}");
    let both = shop.run(["check", "--project", ".", "--schema", "x.sql", "--sql", "select 1"]).ends(2);
    assert!(both.err.contains("--schema"), "{}", both.err);
}

#[test]
fn a_statement_with_placeholders_is_judged_without_their_values() {
    let desk = Desk::new();
    let report = desk.report(&["--sql", "select id from orders where status = $1 order by id limit $2"]);
    let values = report["statements"][0]["accepted"]["values"].as_array().unwrap();
    assert_eq!(values.len(), 2, "{report:#}");
    assert!(values.iter().all(|value| value["by"] == "statement" && value.get("value").is_none()));
}

#[test]
fn hostile_statements_are_rejected_one_and_all() {
    let desk = Desk::new();
    for sql in [
        "select 1; drop table orders",
        "drop table orders",
        "select * into outfile '/tmp/x' from orders",
        "select * into stolen from orders",
        "with w as (delete from orders returning *) select * from w",
        "select pg_read_file('/etc/passwd')",
        "select pg_sleep(100)",
        "select * from pg_catalog.pg_user",
        "select * from information_schema.tables",
        "select lo_import('/etc/passwd')",
        "select * from orders for update",
        "copy orders to program 'sh'",
        "explain analyze delete from orders",
        "select query_to_xml('select 1', true, true, '')",
        "select set_config('role', 'postgres', false)",
        "select * from orders, customers",
        "/* select 1 */",
        "select 1 --\n; delete from orders",
        "select '",
        ";",
    ] {
        let judged = &desk.report(&["--sql", sql])["statements"][0];
        assert_eq!(judged["verdict"], "rejected", "{sql}\n{judged:#}");
    }
    let steering = desk.check(&["--sql", "select \"\u{1b}[2J\u{202e}\" from orders"]).ends(5).out;
    assert!(!steering.contains('\u{1b}') && !steering.contains('\u{202e}'), "{steering:?}");
}

/// Broken input gets one clear sentence: how it ends, and what it says.
#[test]
fn broken_input_is_named_with_its_place_and_a_remedy() {
    let desk = Desk::new();
    desk.write("broken.sql", "create table a (\n  x int,,\n);");
    desk.write("none.sql", "select 1;");
    desk.write("latin1.sql", b"select 1;\nselect 'caf\xe9';");
    desk.write("large.sql", "select 1;\n".repeat(1_000_000));
    desk.write("unknown.yml", "relationships:\n  - { from: orders, too: customers }\n");
    desk.write("shop.sqlite", b"SQLite format 3\0 and so on");
    fs::create_dir(desk.path().join("empty")).unwrap();
    let one = ["--sql", "select 1 as one"];
    let schema = |file: &'static str| [&["check", "--schema", file][..], &one].concat();
    let sql = |file: &'static str| vec!["check", "--schema", "schema.sql", file];
    for (arguments, code, said, hint) in [
        (schema("broken.sql"), 1, "broken.sql:2:9: the table definition does not parse", "--dialect"),
        (schema("none.sql"), 1, "`none.sql` makes no table", "CREATE TABLE"),
        (schema("missing.sql"), 2, "`missing.sql` is not there", "check the name"),
        (schema("empty"), 2, "`empty` is a folder", "name a file"),
        (
            schema("postgres://ada:secret@db/shop"),
            2,
            "`postgres://…@db/shop` is a database",
            "pg_dump --schema-only",
        ),
        (schema("shop.sqlite"), 2, "`shop.sqlite` is a database", "sqlite3 shop.sqlite .schema"),
        (
            [schema("schema.sql"), vec!["--dialect", "oracle"]].concat(),
            2,
            "there is no dialect `oracle`",
            "postgres",
        ),
        (
            [schema("schema.sql"), vec!["--relationships", "unknown.yml"]].concat(),
            1,
            "a relationship has no key `too`",
            "did you mean `to`?",
        ),
        (sql("latin1.sql"), 1, "`latin1.sql` is not UTF-8 text in line 2", "save it as UTF-8"),
        (sql("large.sql"), 1, "`large.sql` has 10000000 bytes; at most 4194304 are read", "split it"),
        (sql("empty"), 2, "`empty` holds no file that ends in .sql", "name a folder that does"),
        (sql("missing.sql"), 2, "`missing.sql` is not there", "check the name"),
        (vec!["check", "--schema", "schema.sql"], 2, "required", "--sql"),
        (vec!["check", "--schema", "schema.sql", "--sql", " "], 2, "the statement is empty", "--sql"),
        (vec!["check", "--sql", "select 1"], 2, "there is no tieout.yml", "--schema FILE.sql"),
        (vec!["check", "--dialect", "mysql", "--sql", "select 1"], 2, "--schema", "required"),
    ] {
        let ran = desk.run(&arguments).ends(code);
        assert!(ran.out.is_empty(), "{arguments:?}\n{}", ran.out);
        assert!(ran.err.contains(said) && ran.err.contains(hint), "{arguments:?}\n{}", ran.err);
        assert!(!ran.err.contains("secret"), "{}", ran.err);
    }
    let json = desk.run(&["check", "--schema", "missing.sql", "--sql", "select 1", "--json"]).ends(2).json();
    assert_eq!(json["outcome"], "usage");
}

#[test]
fn explain_says_in_five_lines_what_is_counted() {
    let desk = Desk::new();
    let sql = "select c.region, sum(o.amount) as revenue from orders o join customers c on c.id = o.customer_id \
               where o.status <> 'test' and o.ordered_on >= date '2026-09-01' and o.ordered_on < date '2026-10-01' \
               group by c.region";
    let always = ["explain", "--schema", "schema.sql", "--dialect", "postgres", "--sql"];
    let text = desk.run(&[&always[..], &[sql]].concat()).ends(0).out;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "metric      revenue: sum of amount",
            "population  rows of orders; there is a row of customers",
            "period      ordered_on from 2026-09-01 until before 2026-10-01",
            "grain       one row for each customers.region",
            "exclusions  status is 'test'",
        ]
    );
    let report = desk.run(&[&always[..], &[sql, "--json"]].concat()).ends(0).json();
    holds(&report, "explain.schema.json");
    assert_eq!(report["statements"][0]["lines"]["exclusions"][0], "status is 'test'");
    let unreadable = desk.run(&[&always[..], &["delete from orders", "--json"]].concat()).ends(5).json();
    holds(&unreadable, "explain.schema.json");
    assert_eq!(rules(&unreadable["statements"][0], "reject"), ["read_only"]);
    let fanned = "select sum(o.amount) from orders o join order_lines l on l.order_id = o.id";
    let told = desk.run(&[&always[..], &[fanned]].concat()).ends(0).out;
    assert!(told.contains("rows of order_lines") && told.contains("sum of orders.amount"), "{told}");
}

#[test]
fn the_published_schemas_can_be_checked_as_they_are() {
    let Some(corpora) = std::env::var_os("TIEOUT_CORPORA")
        .map(std::path::PathBuf::from)
        .into_iter()
        .chain([repository().join("../shared/corpora")])
        .find(|path| path.is_dir())
    else {
        println!("the corpora are not there; not run");
        return;
    };
    let desk = Desk::new();
    let mut schemas = 0;
    for entry in fs::read_dir(corpora.join("defog/schemas")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "sql") {
            continue;
        }
        let stated = path.with_extension("relationships.yml");
        let (path, stated) = (path.to_str().unwrap(), stated.to_str().unwrap());
        let sql = ["--dialect", "postgres", "--relationships", stated, "--sql", "select 1 as one"];
        let ran = desk.run(&[&["check", "--schema", path][..], &sql].concat());
        // One of the published files names a column that its schema does not have.
        if path.ends_with("geography.sql") {
            assert!(ran.err.contains("`mountain` has no column `state_nem`"), "{}", ran.err);
            continue;
        }
        ran.ends(0);
        schemas += 1;
    }
    assert!(schemas >= 10, "{schemas} schemas");
}
