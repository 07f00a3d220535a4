//! The built binary from outside: what it prints, how it ends, what it keeps, and what it makes of nonsense.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where it fails")]

mod support;

use std::{fs, io::Read, process::Stdio};

use support::{COMPARE, Ran, Shop, repository};

#[test]
fn the_example_ties_out_replays_and_names_the_row_that_changed() {
    let shop = Shop::new();
    let record = shop.record(COMPARE, &[]);
    assert_eq!(record["outcome"], "answer");
    let shown = |line: &serde_json::Value| -> Vec<String> {
        line["figures"].as_array().unwrap().iter().map(|f| f["shown"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(shown(&record["figures"]["total"]), ["200.00 USD", "100.00 USD", "100.00 USD", "100.00 %"]);
    let lines = record["figures"]["lines"].as_array().unwrap();
    let groups: Vec<_> =
        lines.iter().map(|l| (l["keys"][0]["shown"].as_str().unwrap(), shown(l)[0].clone())).collect();
    assert_eq!(groups, [("direct", "130.00 USD".to_owned()), ("marketplace", "70.00 USD".to_owned())]);
    resolves(&record, &shop);

    let id = record["id"].as_str().unwrap().to_owned();
    let replay = || shop.run(["replay", id.as_str(), "--tenant", "alpha", "--json"]);
    assert_eq!(replay().ends(0).json()["verdict"], "same");

    shop.change(
        "data/ledger.csv",
        "1374,alpha,11008,1004,sale,direct,7000,",
        "1374,alpha,11008,1004,sale,direct,7001,",
    );
    let changed = replay().ends(5).json();
    assert_eq!(changed["verdict"], "changed");
    let first = &changed["changes"][0];
    assert_eq!(first["tables"][0], "ledger");
    assert_eq!(
        (&first["key"][0]["column"], &first["key"][0]["cell"]["value"]),
        (&"entry_id".into(), &"1374".into())
    );
    assert_eq!((&first["was"]["value"], &first["is"]["value"]), (&"7000".into(), &"7001".into()));
    let words = shop.run(["replay", id.as_str(), "--tenant", "alpha"]).ends(5).out;
    assert!(words.contains("entry_id 1374") && words.contains("was 7000, is 7001"), "{words}");
    assert_eq!(
        shop.run(["replay", "--all", "--tenant", "alpha", "--json"]).ends(5).json()[0]["verdict"],
        "changed"
    );

    fs::write(shop.path().join("data/ledger.csv"), "entry_id\n").unwrap();
    let broken = shop.run(["replay", id.as_str(), "--tenant", "alpha"]).ends(5);
    assert!(broken.out.contains("# broken") && broken.out.contains("ledger.csv"), "{}", broken.out);
    assert_eq!(replay().ends(5).json()["verdict"], "broken");
}

/// Every claim's pointers lead to a cell of a query that is in the record, with a row that was kept.
fn resolves(record: &serde_json::Value, shop: &Shop) {
    let id = record["id"].as_str().unwrap();
    let shown = shop.run(["show", id, "--tenant", "alpha", "--json"]).ends(0).json();
    let mut cells = 0;
    for claim in record["claims"].as_array().unwrap() {
        for source in claim["sources"].as_array().unwrap() {
            let query = shown["queries"]
                .as_array()
                .unwrap()
                .iter()
                .find(|q| q["id"] == source["query"])
                .expect("the query ran");
            let key = source["row_key"].as_array().unwrap();
            let row =
                query["rows"].as_array().unwrap().iter().find(|row| row.as_array().unwrap().starts_with(key));
            assert!(row.is_some(), "{source} leads to no row");
            let columns = query["columns"].as_array().unwrap();
            assert!(columns.contains(&source["column"]), "{source} leads to no column");
            cells += 1;
        }
    }
    assert!(cells >= 4, "{cells} pointers");
}

#[test]
fn exit_codes_say_how_it_ended() {
    let shop = Shop::new();
    shop.ask(COMPARE, &[]).ends(0);
    shop.ask("net revenue by flavour in September 2026", &[]).ends(3);
    shop.ask("sales in September 2026", &[]).ends(4);
    shop.run(["ask"]).ends(2);
    shop.run(["frobnicate"]).ends(2);
    shop.run(["--help"]).ends(0);
    fs::remove_file(shop.path().join("data/ledger.csv")).unwrap();
    let fault = shop.ask(COMPARE, &[]).ends(1);
    assert!(fault.out.is_empty() && fault.err.contains("ledger.csv"), "a fault is no answer: {}", fault.err);
}

#[test]
fn a_doubt_prints_the_command_that_answers_it() {
    let shop = Shop::new();
    let doubt = shop.ask("sales in September 2026", &[]).ends(4);
    assert!(doubt.out.contains("? choose") && doubt.out.contains("1. "), "{}", doubt.out);
    let command = doubt.out.lines().find_map(|line| line.trim().strip_prefix("tieout ")).expect("a command");
    let words = ["-c".to_owned(), format!("exec \"$0\" {command}"), env!("CARGO_BIN_EXE_tieout").to_owned()];
    let output = std::process::Command::new("sh").args(words).current_dir(shop.path()).output().unwrap();
    let answer = Ran::of(output).ends(0);
    assert!(answer.out.contains("gross sales"), "{}", answer.out);
}

/// A day that stands for "never" lies ahead like any other: no end is put to what is looked at.
#[test]
fn rows_that_are_still_to_come_never_count_unasked() {
    let row = "1374,alpha,11008,1004,sale,direct,7000,";
    let ledger = fs::read_to_string(repository().join("worlds/commerce/data/ledger.csv")).unwrap();
    let line = ledger.lines().find(|line| line.starts_with(row)).unwrap();
    let day = line.split(',').find(|cell| cell.starts_with("2026-")).unwrap();
    Shop::new().run(["ask", "net revenue", "--tenant", "alpha", "--now", "2026-10-07"]).ends(0);
    for never in ["2026-10-08", "9999-12-31"] {
        let shop = Shop::new();
        shop.change("data/ledger.csv", line, &line.replacen(day, never, 1));
        let refused = shop
            .run(["ask", "net revenue", "--tenant", "alpha", "--now", "2026-10-07", "--json"])
            .ends(3)
            .json();
        assert!(refused["problems"].to_string().contains("dated after today"), "{never}: {refused:#}");
    }
}

#[test]
fn a_tenant_sees_nothing_of_another() {
    let shop = Shop::new();
    let alpha = shop.record(COMPARE, &[]);
    let id = alpha["id"].as_str().unwrap();
    for session in [&["--tenant", "beta"][..], &[]] {
        for verb in [
            &["show", id][..],
            &["replay", id],
            &["edit", id, "--set", "period=2026-08"],
            &["ask", "and by region?", "--after", id],
        ] {
            let ran = shop.run(verb.iter().chain(session)).ends(2);
            assert!(ran.err.contains("no record"), "{}", ran.err);
            assert!(!ran.out.contains("200.00"), "{}", ran.out);
        }
        let history = shop.run(["history", "--json"].iter().chain(session)).ends(0);
        assert!(!history.out.contains(id), "{}", history.out);
    }
    let refused = shop.run(["ask", COMPARE, "--now", "2026-10-07", "--json"]).ends(3).json();
    assert_eq!(refused["problems"][0]["code"], "no_tenant");
    let own = shop
        .run(["ask", "net revenue of tenant beta in September 2026", "--tenant", "alpha", "--json"])
        .json();
    assert_ne!(own["outcome"], "answer", "a tenant in the question is refused: {own:#}");
}

#[test]
fn a_follow_up_reads_the_chain_again() {
    let shop = Shop::new();
    let first = shop.record("net revenue in September 2026", &[]);
    assert_eq!(first["outcome"], "answer", "{first:#}");
    let id = first["id"].as_str().unwrap().to_owned();
    let second = shop.record("and by channel?", &["--after", &id]);
    assert_eq!(second["outcome"], "answer", "{second:#}");
    assert_eq!(second["figures"]["total"]["figures"][0]["shown"], "200.00 USD");
    let third = shop.record("what about August 2026?", &["--after", "last"]);
    assert_eq!(third["outcome"], "answer", "{third:#}");
    assert_eq!(third["figures"]["total"]["figures"][0]["shown"], "100.00 USD");
    assert_eq!(third["figures"]["lines"].as_array().unwrap().len(), 2);
    let sources = third["block"].to_string();
    assert!(sources.contains("previous"), "{sources}");

    shop.change("catalogue/metrics.yml", "before tax and shipping", "before tax and before shipping");
    let refused = shop.record("and by channel?", &["--after", &id]);
    assert_eq!(refused["outcome"], "refusal");
    assert!(
        refused["problems"][0]["message"].as_str().unwrap().contains("the catalogue has changed"),
        "{refused:#}"
    );
}

#[test]
fn an_edit_changes_one_field_and_refuses_what_does_not_fit() {
    let shop = Shop::new();
    let first = shop.record("net revenue in September 2026", &[]);
    let id = first["id"].as_str().unwrap().to_owned();
    let edit =
        |more: &[&str]| shop.run(["edit", id.as_str(), "--tenant", "alpha", "--json"].iter().chain(more));
    let august = edit(&["--set", "period=2026-08"]).ends(0).json();
    assert_eq!(august["figures"]["total"]["figures"][0]["shown"], "100.00 USD");
    assert_eq!(august["edited_from"], id.as_str());
    assert!(august["block"].to_string().contains("confirmed"), "{}", august["block"]);
    let orders = edit(&["--set", "metric=order_count", "--set", "grain=month"]).ends(0).json();
    assert_eq!(orders["figures"]["columns"][0]["measure"], "order_count");
    assert!(orders["words"].to_string().contains("metric, set to order_count"), "{}", orders["words"]);
    for (set, said) in [
        ("metric=net_revenu", "net_revenue"),
        ("metric=turnover", "no longer used"),
        ("metric=contribution", "draft"),
        ("population=nobody", "no population"),
        ("period=soon", "no period"),
        ("period=2026-02-30", ""),
        ("baseline=2026-07", "compares no two periods"),
        ("grain=ledger.nothing", "no field"),
        ("grain=customers.email", "no field"),
    ] {
        let refused = edit(&["--set", set]).ends(3).json();
        assert!(refused["problems"].to_string().contains(said), "{set}: {refused:#}");
    }
    for set in ["exclusions=none", "tenant=beta", "period", "period="] {
        edit(&["--set", set]).ends(2);
    }
    let compared = shop.record(COMPARE, &[])["id"].as_str().unwrap().to_owned();
    let half = shop.run(["edit", &compared, "--set", "period=2026-08", "--tenant", "alpha"]).ends(3);
    assert!(half.out.contains("baseline"), "{}", half.out);
    let both = [
        "edit",
        &compared,
        "--set",
        "period=2026-08",
        "--set",
        "baseline=2026-07",
        "--tenant",
        "alpha",
        "--json",
    ];
    assert_eq!(shop.run(both).ends(0).json()["figures"]["total"]["figures"][0]["shown"], "100.00 USD");
    // Members are those of now: with a period they would be chosen by another date.
    let paying = shop.record("how many paying customers are there", &[]);
    let paying = paying["id"].as_str().unwrap();
    let dated = shop.run(["edit", paying, "--set", "period=2026-08", "--tenant", "alpha"]).ends(3);
    assert!(dated.out.contains("how rows stand"), "{}", dated.out);
}

#[test]
fn piped_output_is_plain_and_fits_the_width() {
    let shop = Shop::new();
    for columns in ["60", "100", "200"] {
        let output = shop
            .command()
            .args(["ask", COMPARE, "--tenant", "alpha", "--now", "2026-10-07"])
            .env("COLUMNS", columns)
            .output();
        let ran = Ran::of(output.unwrap()).ends(0);
        assert!(!ran.out.contains('\u{1b}'), "no colours in a pipe");
        assert!(ran.err.is_empty(), "{}", ran.err);
        let width: usize = columns.parse().unwrap();
        for line in ran.out.lines().filter(|line| !line.contains("tieout ")) {
            assert!(line.chars().count() <= width, "{columns}: {line}");
        }
        let (block, number) = (ran.out.find("exclusions").unwrap(), ran.out.find("200.00 USD").unwrap());
        assert!(block < number, "the reading comes before the number");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let shop = Shop::new();
    shop.ask(COMPARE, &[]).ends(0);
    let mut child = shop
        .command()
        .args(["show", "last", "--tenant", "alpha", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    let code = child.wait().unwrap().code();
    assert_eq!((code, said.as_str()), (Some(0), ""));
}

#[test]
fn hostile_rows_do_not_steer_the_terminal() {
    let shop = Shop::new();
    let name = "Evil\u{1b}]0;owned\u{7}\u{1b}[31m\u{202e}Ltd";
    let path = shop.path().join("data/customers.csv");
    let text = fs::read_to_string(&path).unwrap();
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let mut row: Vec<String> = text.lines().nth(1).unwrap().split(',').map(str::to_owned).collect();
    let place = |column: &str| header.iter().position(|c| *c == column).unwrap();
    let (id, at, tenant) = (place("customer_id"), place("name"), place("tenant_id"));
    (row[id], row[at], row[tenant]) = ("999999".to_owned(), name.to_owned(), "alpha".to_owned());
    fs::write(&path, format!("{text}{}\n", row.join(","))).unwrap();
    for more in [&[][..], &["--json"], &["--trace", "--sql"]] {
        let ran = shop.ask("list all customers", more).ends(0);
        assert!(ran.out.contains("Ltd"), "{}", ran.out);
        for c in ['\u{1b}', '\u{7}', '\u{202e}'] {
            assert!(!ran.out.contains(c), "{more:?}: {c:?} came through");
        }
    }
    let record = shop.record("list all customers", &[]);
    assert!(record.to_string().contains("owned"), "the JSON form keeps every character, escaped");
    let kept: String = serde_json::from_value(
        record["rows"]["rows"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|r| r.as_array().unwrap())
            .find(|c| {
                c["value"].as_str().is_some_and(|v| v.contains("Ltd"))
                    && c["value"].as_str().is_some_and(|v| v.contains("owned"))
            })
            .unwrap()["value"]
            .clone(),
    )
    .unwrap();
    assert_eq!(kept, name);
}

#[test]
fn nonsense_on_the_command_line_is_a_usage_error() {
    let shop = Shop::new();
    for arguments in [
        &["ask", "net revenue", "--now", "yesterday"][..],
        &["ask", "net revenue", "--now", "2026-02-30"],
        &["ask", "net revenue", "--now", "2026-10-07T25:00:00"],
        &["ask", "net revenue", "--confirm", "metric"],
        &["ask", "net revenue", "--confirm", "=1"],
        &["ask", "net revenue", "--tenant", ""],
        &["ask", "net revenue", "--project", "nowhere"],
        &["ask", "net revenue", "--after", "nothing", "--tenant", "alpha"],
        &["replay"],
        &["replay", "x", "--all"],
        &["edit", "last"],
        &["catalogue", "show", "nothing of the kind"],
        &["show", "0000000000000000"],
    ] {
        let ran = shop.run(arguments).ends(2);
        assert!(ran.out.is_empty() && !ran.err.is_empty(), "{arguments:?}: {} {}", ran.out, ran.err);
    }
    let json = shop.run(["ask", "net revenue", "--now", "yesterday", "--json"]).ends(2).json();
    assert_eq!(json["outcome"], "usage");
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_a_usage_error() {
    use std::os::unix::ffi::OsStrExt;
    let shop = Shop::new();
    shop.run([std::ffi::OsStr::new("ask"), std::ffi::OsStr::from_bytes(b"net \xff revenue")]).ends(2);
}

#[test]
fn a_huge_question_is_declined_and_recorded() {
    let shop = Shop::new();
    let record = shop.record(&"net revenue ".repeat(5_000), &[]);
    assert_eq!(record["outcome"], "refusal");
    assert_eq!(record["problems"][0]["code"], "nothing_asked", "{}", record["problems"]);
    shop.run(["show", "last", "--tenant", "alpha"]).ends(0);
    for empty in ["", "   ", "?", "\u{1b}[2J"] {
        let ran = shop.ask(empty, &[]);
        assert!([3, 4].contains(&ran.code), "{empty:?}: {} {}", ran.out, ran.err);
        assert!(!ran.out.contains('\u{1b}'));
    }
}

#[test]
fn a_choice_that_answers_no_doubt_is_declined() {
    let shop = Shop::new();
    for choice in ["term:sales=9", "term:sales=nothing"] {
        let ran = shop.record("sales in September 2026", &["--confirm", choice]);
        assert_ne!(ran["outcome"], "answer", "{choice}: {ran:#}");
    }
}

#[test]
fn a_broken_project_is_drawn_with_its_places() {
    let shop = Shop::new();
    shop.change("catalogue/metrics.yml", "of: amount_minor", "of: amount_minro");
    let ran = shop.ask(COMPARE, &[]).ends(1);
    assert!(ran.err.contains("catalogue/metrics.yml:") && ran.err.contains("^"), "{}", ran.err);
    let checked = shop.run(["catalogue", "check", "--json"]).ends(5).json();
    assert!(
        checked["problems"].as_array().unwrap().iter().any(|p| p["file"] == "catalogue/metrics.yml"),
        "{checked:#}"
    );
    assert_eq!(shop.ask(COMPARE, &["--json"]).ends(1).json()["outcome"], "fault");

    let shop = Shop::new();
    fs::write(shop.path().join("tieout.yml"), "tieout: [1\n").unwrap();
    shop.ask(COMPARE, &[]).ends(1);
    fs::write(shop.path().join("tieout.yml"), b"tieout: 1\nname: \xff\n").unwrap();
    let ran = shop.ask(COMPARE, &[]).ends(1);
    assert!(ran.err.contains("line 2"), "{}", ran.err);
}

#[test]
fn a_ledger_that_cannot_be_used_is_a_fault_and_no_answer() {
    let shop = Shop::new();
    fs::write(shop.path().join("file"), "").unwrap();
    let ran = shop.ask(COMPARE, &["--ledger", "file/ledger.sqlite"]).ends(1);
    assert!(ran.out.is_empty() && ran.err.contains("ledger"), "{} {}", ran.out, ran.err);
    fs::write(shop.path().join("notes"), "somebody's notes ".repeat(100)).unwrap();
    let ran = shop.ask(COMPARE, &["--ledger", "notes", "--json"]).ends(1);
    assert_eq!(ran.json()["fault"]["kind"], "ledger");
    assert_eq!(fs::read_to_string(shop.path().join("notes")).unwrap(), "somebody's notes ".repeat(100));
    shop.run(["history", "--tenant", "alpha"]).ends(2);
}

#[test]
fn the_ledger_is_where_it_was_put_and_out_of_git() {
    let shop = Shop::new();
    shop.ask(COMPARE, &[]).ends(0);
    assert_eq!(fs::read_to_string(shop.path().join(".tieout/.gitignore")).unwrap(), "*\n");
    let elsewhere = shop.path().join("elsewhere.sqlite");
    let output =
        shop.command().args(["ask", COMPARE, "--tenant", "alpha"]).env("TIEOUT_LEDGER", &elsewhere).output();
    Ran::of(output.unwrap()).ends(0);
    assert!(elsewhere.exists());
    assert_eq!(
        shop.run(["history", "--tenant", "alpha", "--json"]).ends(0).json().as_array().unwrap().len(),
        1
    );
}

#[test]
fn the_nearest_project_above_is_found() {
    let shop = Shop::new();
    let inner = shop.path().join("data");
    let output = shop.command().current_dir(&inner).args(["ask", COMPARE, "--tenant", "alpha"]).output();
    Ran::of(output.unwrap()).ends(0);
    let outside = tempfile::tempdir().unwrap();
    let output = shop.command().current_dir(outside.path()).args(["ask", COMPARE]).output();
    let ran = Ran::of(output.unwrap()).ends(2);
    assert!(ran.err.contains("tieout init"), "{}", ran.err);
}

#[test]
fn the_data_and_the_installation_are_looked_over() {
    let shop = Shop::new();
    let checked = shop.run(["data", "check", "--json"]).ends(0).json();
    assert_eq!(checked["findings"], 0, "{checked:#}");
    shop.run(["doctor"]).ends(0);
    let path = shop.path().join("data/orders.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}not a number,alpha\n")).unwrap();
    let checked = shop.run(["data", "check"]).ends(5);
    assert!(checked.out.contains("refused"), "{}", checked.out);
    let ran = shop.ask("how many orders in September 2026", &[]).ends(0);
    assert!(
        ran.out.contains("! mind") && ran.out.contains("refused"),
        "answers over it carry the caveat: {}",
        ran.out
    );
    fs::remove_file(&path).unwrap();
    let looked = shop.run(["doctor", "--json"]).ends(5).json();
    assert!(looked.as_array().unwrap().iter().any(|f| f["holds"] == false), "{looked:#}");
}

#[test]
fn what_cannot_be_written_ends_as_a_fault() {
    if !std::path::Path::new("/dev/full").exists() {
        println!("skipped: there is no /dev/full here");
        return;
    }
    let shop = Shop::new();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = shop.command().args(["ask", COMPARE, "--tenant", "alpha"]).stdout(full).output();
    assert_eq!(output.unwrap().status.code(), Some(1));
}

#[test]
fn the_example_world_is_as_it_is_asked_in_the_readme() {
    let text = fs::read_to_string(repository().join("README.md")).unwrap();
    assert!(text.contains(COMPARE), "the README asks the example question");
}

#[test]
fn a_draft_overwrites_nothing_and_finds_its_files_from_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("inner/place")).unwrap();
    fs::write(
        folder.path().join("sales.csv"),
        "sale_id,sold_on,city\n1,2026-09-01,Berlin\n2,2026-09-02,Paris\n",
    )
    .unwrap();
    let run = |arguments: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_tieout"))
            .current_dir(folder.path())
            .args(arguments)
            .output();
        Ran::of(output.unwrap())
    };
    let drafted = run(&["init", "sales.csv", "--into", "inner/place/shop", "--json"]).ends(0).json();
    assert_eq!(drafted["written"][0], "tieout.yml");
    run(&["catalogue", "check", "--project", "inner/place/shop"]).ends(0);
    let answer = run(&["ask", "how many sales?", "--project", "inner/place/shop", "--json"]).ends(0).json();
    assert_eq!(answer["figures"]["total"]["figures"][0]["value"], "2", "{answer:#}");
    let before = fs::read(folder.path().join("inner/place/shop/tieout.yml")).unwrap();
    run(&["init", "sales.csv", "--into", "inner/place/shop"]).ends(2);
    assert_eq!(fs::read(folder.path().join("inner/place/shop/tieout.yml")).unwrap(), before);
    run(&["init", "nothing.csv", "--into", "other"]).ends(1);
    assert!(!folder.path().join("other/tieout.yml").exists(), "a failed draft leaves no project");
    run(&["init", "--into", "empty"]).ends(2);
    let secret = run(&["init", "postgres://ada:secret@host/db"]).ends(2);
    assert!(!secret.err.contains("secret"), "{}", secret.err);
    let url = format!("file://{}", folder.path().canonicalize().unwrap().join("sales.csv").display());
    run(&["init", &url, "--into", "by-url"]).ends(0);
    let answer = run(&["ask", "how many sales?", "--project", "by-url", "--json"]).ends(0).json();
    assert_eq!(answer["figures"]["total"]["figures"][0]["value"], "2", "{answer:#}");
    run(&["init", "file://elsewhere/sales.csv", "--into", "no"]).ends(2);
    run(&["init", "file:///nowhere/sales.csv", "--into", "no"]).ends(1);
}

#[test]
fn the_block_says_what_was_left_out_of_the_groups_and_in_which_order_they_stand() {
    let shop = Shop::new();
    for (question, said) in [
        (
            "top 3 customers by net revenue in September 2026",
            "in the order of net revenue, greatest first, the first 3",
        ),
        (
            "channels with net revenue above 100 in September 2026",
            "only groups with net revenue above 100 USD",
        ),
        ("show the three largest orders in September 2026", "greatest first, the first 3"),
    ] {
        let record = shop.record(question, &[]);
        assert_eq!(record["outcome"], "answer", "{question}: {record:#}");
        assert!(record["block"].to_string().contains(said), "{question}: {}", record["block"]);
    }
}
