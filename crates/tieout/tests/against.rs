//! `--against`: statements held against what an answer was settled to mean, or against a metric.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where it fails")]

mod support;

use serde_json::Value;
use support::{Shop, valid, validator};

const BY_CHANNEL: &str = "net revenue by channel in September 2026";
const SEPTEMBER: &str = "posted_on >= date '2026-09-01' and posted_on < date '2026-10-01'";

fn asked(shop: &Shop, question: &str) -> String {
    let record = shop.record(question, &[]);
    assert_eq!(record["outcome"], "answer", "{record:#}");
    record["id"].as_str().unwrap().to_owned()
}

/// The report, and its parts as `verdict role`.
fn held(shop: &Shop, named: &str, sql: &str) -> (Value, Vec<String>) {
    let report = shop.run(["check", "--tenant", "alpha", "--against", named, "--sql", sql, "--json"]).json();
    let errors: Vec<String> =
        validator("check.schema.json").iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{report:#}");
    let parts = report["statements"][0]["against"].as_array().cloned().unwrap_or_default();
    let word = |part: &Value, key: &str| part[key].as_str().unwrap().to_owned();
    let parts =
        parts.iter().map(|part| format!("{} {}", word(part, "verdict"), word(part, "role"))).collect();
    (report, parts)
}

#[test]
fn a_statement_that_implements_an_answer_holds_in_several_spellings() {
    let shop = Shop::new();
    let id = asked(&shop, BY_CHANNEL);
    for sql in [
        format!(
            "select channel, sum(amount_minor) as cents from ledger where kind in ('sale', 'refund') and {SEPTEMBER} group by channel"
        ),
        format!(
            "select l.channel as c, sum(l.amount_minor) from ledger l where (kind = 'sale' or kind = 'refund') and l.{} group by 1",
            SEPTEMBER.replace("and posted", "and l.posted")
        ),
        format!(
            "with september as (select * from ledger where {SEPTEMBER}) select channel, sum(amount_minor) as n from september where kind in ('refund', 'sale') group by channel order by channel"
        ),
    ] {
        let (report, parts) = held(&shop, &id, &sql);
        assert_eq!(report["statements"][0]["verdict"], "accepted", "{sql}\n{report:#}");
        assert_eq!(report["against"], id.as_str());
        assert!(parts.len() >= 6 && parts.iter().all(|part| part.starts_with("present ")), "{parts:?}");
    }
}

#[test]
fn each_mistake_that_cannot_be_seen_is_seen() {
    let shop = Shop::new();
    let id = asked(&shop, BY_CHANNEL);
    let of = |select: &str, condition: &str, group: &str| {
        format!("select {select} from ledger where {condition} group by {group}")
    };
    let sum = "channel, sum(amount_minor) as cents";
    let kinds = "kind in ('sale', 'refund')";
    for (sql, wanted) in [
        (of(sum, SEPTEMBER, "channel"), "absent metric"),
        (of(sum, kinds, "channel"), "absent period"),
        (
            of(
                sum,
                &format!("{kinds} and posted_on between date '2026-09-01' and date '2026-10-01'"),
                "channel",
            ),
            "absent period",
        ),
        (of(sum, &format!("{kinds} and {SEPTEMBER} and channel <> 'direct'"), "channel"), "extra unasked"),
        (of("channel, count(*) as cents", &format!("{kinds} and {SEPTEMBER}"), "channel"), "absent metric"),
        (
            of("kind, sum(amount_minor) as cents", &format!("{kinds} and {SEPTEMBER}"), "kind"),
            "absent grouping",
        ),
        (format!("{} limit 1", of(sum, &format!("{kinds} and {SEPTEMBER}"), "channel")), "extra unasked"),
    ] {
        let (report, parts) = held(&shop, &id, &sql);
        assert_eq!(report["statements"][0]["verdict"], "rejected", "{sql}\n{report:#}");
        assert!(parts.iter().any(|part| part == wanted), "{sql}\n{parts:?}");
        let ran = shop.run(["query", "--tenant", "alpha", "--against", &id, "--sql", &sql]).ends(3);
        assert!(ran.out.contains("held against") && ran.out.contains("x rejected"), "{}", ran.out);
    }
}

#[test]
fn a_query_that_holds_says_so_and_gives_the_answers_own_figures() {
    let shop = Shop::new();
    let id = asked(&shop, "net revenue in September 2026");
    let sql = format!(
        "select sum(amount_minor) as cents from ledger where kind in ('sale', 'refund') and {SEPTEMBER}"
    );
    let record =
        shop.run(["query", "--tenant", "alpha", "--against", &id, "--sql", &sql, "--json"]).ends(0).json();
    valid(&record);
    assert_eq!(record["caveats"][0]["code"], "held_against");
    assert!(record["caveats"][0]["text"].as_str().unwrap().contains(&id));
    let answer = shop.run(["show", &id, "--tenant", "alpha", "--json"]).ends(0).json();
    let figure = answer["figures"]["total"]["figures"][0]["value"].as_str().unwrap().to_owned();
    let cents = record["queries"][0]["rows"][0][0]["value"].as_str().unwrap();
    assert_eq!(cents, format!("{figure}00"), "the statement gives the cents of the answer's figure");
}

#[test]
fn a_metric_is_held_by_its_name_over_all_its_rows() {
    let shop = Shop::new();
    let all = "select sum(amount_minor) as cents from ledger where kind in ('sale', 'refund')";
    let (report, parts) = held(&shop, "net_revenue", all);
    assert_eq!(report["statements"][0]["verdict"], "accepted", "{report:#}");
    assert!(parts.iter().all(|part| part.starts_with("present ")), "{parts:?}");
    let (_, parts) = held(&shop, "net_revenue", &format!("{all} and {SEPTEMBER}"));
    assert!(parts.iter().any(|part| part.starts_with("extra ")), "{parts:?}");
}

#[test]
fn what_cannot_be_held_against_is_declined_with_the_reason() {
    let shop = Shop::new();
    let compared = asked(&shop, support::COMPARE);
    let one = "select 1 as one";
    let check =
        |named: &str| shop.run(["check", "--tenant", "alpha", "--against", named, "--sql", one]).ends(2).err;
    assert!(check(&compared).contains("compares two periods"), "{}", check(&compared));
    assert!(check("nett").contains("neither a metric of the catalogue nor a record"));
    let query = shop.run(["query", "--tenant", "alpha", "--json", "--sql", one]).ends(0).json();
    assert!(check(query["id"].as_str().unwrap()).contains("is a statement"));
    let other = shop.run(["check", "--tenant", "beta", "--against", &compared, "--sql", one]).ends(2);
    assert!(other.err.contains("neither a metric"), "{}", other.err);
    shop.run(["check", "--schema", "x.sql", "--against", &compared, "--sql", one]).ends(2);
}
