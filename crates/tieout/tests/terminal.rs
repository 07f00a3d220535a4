//! What a record looks like on a terminal, laid out from records made by hand: nothing here was worked out by us.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where it fails")]

use serde_json::{Value, json};
use tieout::{
    render::terminal::{self, Layout},
    surroundings::Colour,
    wire::Record,
};

fn layout(columns: usize) -> Layout {
    Layout { colour: Colour::Never, columns, options: vec![("--tenant", "it's us".to_owned())] }
}

fn figure(shown: &str, state: &str) -> Value {
    let working = json!({ "op": "cell", "query": "q1", "key": [], "column": "p1" });
    match state {
        "number" => json!({ "id": "f1", "state": state, "value": "1", "shown": shown, "working": working }),
        "undefined" => {
            json!({ "id": "f1", "state": state, "reason": "the base is zero", "shown": shown, "working": working })
        }
        _ => json!({ "id": "f1", "state": state, "shown": shown, "working": working }),
    }
}

fn record(ending: Value) -> Record {
    let mut record = json!({
        "record": 1,
        "id": "06h2m0qc21602az7",
        "asked_at": "2026-10-07T16:00:00Z",
        "now": "2026-10-07T16:00:00Z",
        "question": "what's up?",
        "session": { "principal": "ada", "tenant": "it's us" },
        "project": { "name": "shop", "catalogue_digest": "d", "zone": "UTC" },
        "block": [
            { "field": "metric", "parts": [{ "text": "net revenue v2", "source": "catalogue" }] },
            { "field": "period", "parts": [{ "text": "all dates", "source": "ASSUMED" }] },
        ],
        "alternatives": ["since the first of January"],
        "words": [],
        "queries": [],
        "trail": [],
        "timings": { "open_us": 0, "names_us": 0, "answer_us": 0, "total_us": 0 },
    });
    record.as_object_mut().unwrap().extend(ending.as_object().unwrap().clone());
    serde_json::from_value(record).unwrap()
}

fn groups() -> Record {
    let unit = json!({ "kind": "currency", "name": "USD", "scale": 2, "rounding": "half_even" });
    let column = |role: &str, period: Option<&str>| json!({ "measure": "net_revenue", "label": "net revenue", "role": role, "unit": unit, "period": period });
    let line = |cell: Value, shown: &str, figures: [(&str, &str); 3]| {
        json!({
            "keys": [{ "cell": cell, "shown": shown }],
            "figures": figures.iter().map(|(shown, state)| figure(shown, state)).collect::<Vec<_>>(),
        })
    };
    let huge = "90,071,992,547,409.93 USD";
    record(json!({
        "outcome": "answer",
        "figures": {
            "groupings": ["channel"],
            "columns": [column("value", Some("September 2026")), column("baseline", Some("August 2026")), column("change", None)],
            "total": { "keys": [], "figures": [figure(huge, "number"), figure("0.00 USD", "number"), figure("undefined (the base is zero)", "undefined")] },
            "lines": [
                line(json!({ "type": "null" }), "(none)", [(huge, "number"), ("0.00 USD", "number"), ("undefined (the base is zero)", "undefined")]),
                line(json!({ "type": "text", "value": "(none)" }), "(none)", [("1.00 USD", "number"), ("no rows", "no_rows"), ("withheld (too few rows)", "withheld")]),
                line(json!({ "type": "text", "value": "東京 direct" }), "東京 direct", [("-2.50 USD", "number"), ("1.00 USD", "number"), ("-350.00 %", "number")]),
            ],
        },
        "claims": [],
        "caveats": [{ "code": "data_note", "text": "ledger: 1 of 9 rows was refused; see `tieout data check`" }],
    }))
}

#[test]
fn groups_side_by_side() {
    let expected = r#"
  metric      net revenue v2 [catalogue]
! period      all dates [ASSUMED]
              (not taken: since the first of January)

  net revenue, all groups
    90,071,992,547,409.93 USD  September 2026
                     0.00 USD  August 2026
    undefined (the base is zero)  change

  channel                 September 2026  August 2026                        change
  ─────────────────────────────────────────────────────────────────────────────────
  (none)       90,071,992,547,409.93 USD     0.00 USD  undefined (the base is zero)
  "(none)"                      1.00 USD      no rows       withheld (too few rows)
  東京 direct                  -2.50 USD     1.00 USD                     -350.00 %

! mind        ledger: 1 of 9 rows was refused; see `tieout data check`

  id          06h2m0qc21602az7
              tieout show 06h2m0qc21602az7 --tenant 'it'\''s us'  # its rows, SQL and digests
              tieout replay 06h2m0qc21602az7 --tenant 'it'\''s us'  # runs it again and compares
"#;
    let text = terminal::record(&groups(), &[], &layout(110));
    assert_eq!(text.trim_end(), expected.trim_matches('\n'), "\n{text}");
}

#[test]
fn no_figure_is_cut_at_any_width() {
    for columns in 40..130 {
        let text = terminal::record(&groups(), &[], &layout(columns));
        for figure in ["90,071,992,547,409.93 USD", "-350.00 %", "-2.50 USD", "no rows"] {
            assert!(text.contains(figure), "{columns}: {figure}\n{text}");
        }
        // A figure stands whole even where the line is too narrow for it; everything else is wrapped.
        let wide = text
            .lines()
            .filter(|line| !line.contains("tieout ") && !line.contains("USD") && !line.contains("undefined"));
        for line in wide {
            assert!(line.chars().count() <= columns, "{columns}: {line}\n{text}");
        }
    }
}

#[test]
fn the_marks_stand_without_colour_and_colours_only_paint() {
    let doubt = record(json!({
        "outcome": "doubt",
        "doubts": [{ "subject": "term:sales", "message": "`sales` can mean 2 things here", "choices": [
            { "number": 1, "key": "gross_sales", "text": "gross sales" }, { "number": 2, "key": "net_revenue", "text": "net revenue" },
        ] }],
    }));
    let refusal = record(json!({
        "outcome": "refusal",
        "problems": [
            { "code": "unknown_word", "message": "`flavour` is not known", "hint": "leave it out", "nearest": ["favour"] },
            { "code": "unknown_value", "message": "no city is called `Berln`", "hint": "", "nearest": [] },
        ],
        "looked_at": ["q1: figures over ledger: no rows"],
    }));
    let fault = record(json!({
        "outcome": "fault",
        "fault": { "kind": "timeout", "message": "the query took longer than 30 s", "hint": "ask for a shorter period" },
    }));
    for (record, marks) in [
        (
            &doubt,
            &["? choose", "1. gross sales", "2. net revenue", "--confirm term:sales=1", "'what'\\''s up?'"][..],
        ),
        (
            &refusal,
            &[
                "x declined",
                "[unknown_word]",
                "[unknown_value]",
                "nearest     favour",
                "do          leave it out",
                "looked at",
            ],
        ),
        (&fault, &["# FAULT", "[timeout]", "something broke"]),
        (&groups(), &["! period", "! mind", "[ASSUMED]"]),
    ] {
        let plain = terminal::record(record, &[], &layout(100));
        for mark in marks {
            assert!(plain.contains(mark), "{mark}\n{plain}");
        }
        let painted = terminal::record(record, &[], &Layout { colour: Colour::Ansi, ..layout(100) });
        assert!(painted.contains("\u{1b}[1;"), "{painted:?}");
        let mut bare = String::new();
        let mut rest = painted.as_str();
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            bare.push_str(before);
            rest = after.split_once('m').unwrap().1;
        }
        bare.push_str(rest);
        let trimmed = |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        assert_eq!(trimmed(&bare), trimmed(&plain), "colours change nothing but colour");
    }
}

#[test]
fn hostile_words_are_shown_as_signs_everywhere() {
    let evil = "a\u{1b}[2Jb\u{9b}31mc\u{202e}d\u{7}e\nf\u{200b}g";
    let mut record = groups();
    record.question = evil.to_owned();
    record.block[0].parts[0].text = evil.to_owned();
    record.alternatives = vec![evil.to_owned()];
    let mut value = serde_json::to_value(&record).unwrap();
    value["figures"]["lines"][0]["keys"][0] =
        json!({ "cell": { "type": "text", "value": evil }, "shown": evil });
    value["figures"]["groupings"][0] = json!(evil);
    value["figures"]["columns"][0]["label"] = json!(evil);
    value["caveats"][0]["text"] = json!(evil);
    value["claims"] = json!([{ "id": "c1", "kind": "value", "text": evil, "values": [], "confidence": "computed", "verbatim": evil,
        "sources": [{ "kind": "cell", "query": evil, "tables": [evil], "row_key": [{ "type": "text", "value": evil }], "column": evil }] }]);
    value["words"] = json!([{ "text": evil, "start": 0, "used_as": evil }]);
    value["trail"] = json!([{ "stage": "read", "text": evil }]);
    value["queries"] = json!([{ "id": "q1", "purpose": "figures", "label": evil, "tables": [evil], "written": evil,
        "written_binds": [{ "type": "text", "value": evil }], "sql": evil, "binds": [], "digest": "d", "row_count": 1, "state": "rows",
        "key_columns": 1, "columns": [evil], "rows": [[{ "type": "text", "value": evil }]] }]);
    let record: Record = serde_json::from_value(value).unwrap();
    let extras = [terminal::Extra::Trace, terminal::Extra::Sql];
    for text in [terminal::record(&record, &extras, &layout(100)), terminal::show(&record, &layout(60))] {
        for c in ['\u{1b}', '\u{9b}', '\u{202e}', '\u{7}', '\u{200b}', '\r'] {
            assert!(!text.contains(c), "{c:?} came through:\n{text}");
        }
        assert!(text.contains("⟨U+202E⟩"), "{text}");
    }
}
