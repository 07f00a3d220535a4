//! Runs `cases/time/*.md`: each question's outermost time expressions, against days that were worked out by hand.
//!
//! A case is a `##` heading, a `time` fence with the moment and the calendar, and a `spans` fence: a question a line, and
//! below it, indented, what it holds: `text = value · words`, and deeper, `or` and another reading. Words and other
//! readings are compared where they are given. Deliberately absent: a flag that rewrites them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

use std::{fmt::Write as _, fs, path::Path};

use jiff::{Timestamp, civil::Weekday, tz::TimeZone};
use tieout_core::time::{Calendar, zone_name};
use tieout_reader::{
    time::{TimeKind, TimeSpan, TimeToken, spans},
    tokens::tokens,
};

/// Fewer than this, and files were not found.
const QUESTIONS_MIN: usize = 400;

struct Case {
    title: String,
    now: Timestamp,
    calendar: Calendar,
    questions: Vec<Question>,
}

struct Question {
    text: String,
    expected: Vec<Expected>,
}

struct Expected {
    value: String,
    words: Option<String>,
    alternatives: Vec<String>,
}

#[test]
fn every_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/time");
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (mut asked, mut wrong) = (0, String::new());
    for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "md")) {
        for case in cases(&fs::read_to_string(file).unwrap()) {
            for question in &case.questions {
                asked += 1;
                let mut report = String::new();
                compare(question, &found(&question.text, &case), &mut report);
                if !report.is_empty() {
                    writeln!(wrong, "{} · {} · `{}`\n{report}", file.display(), case.title, question.text)
                        .unwrap();
                }
            }
        }
    }
    println!("{asked} questions about time");
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(asked >= QUESTIONS_MIN, "only {asked} questions were found");
}

fn cases(text: &str) -> Vec<Case> {
    text.split("\n## ").skip(1).map(case).collect()
}

fn case(text: &str) -> Case {
    let title = text.lines().next().unwrap().to_owned();
    let setting = fence(text, "time");
    let value = |key: &str| {
        let line = setting
            .lines()
            .find_map(|line| line.strip_prefix(key))
            .unwrap_or_else(|| panic!("{title}: no `{key}`"));
        line.trim_start_matches(':').trim().to_owned()
    };
    let week_start = match value("week starts").as_str() {
        "monday" => Weekday::Monday,
        "sunday" => Weekday::Sunday,
        other => panic!("{title}: weeks cannot start on {other}"),
    };
    let fiscal_start_month = match value("fiscal year starts").as_str() {
        "january" => 1,
        "february" => 2,
        other => panic!("{title}: no fiscal year starts in {other}"),
    };
    let zone = TimeZone::get(&value("zone")).unwrap();
    let now = value("now").parse().unwrap();
    let questions = questions(fence(text, "spans"));
    Case { calendar: Calendar { zone, week_start, fiscal_start_month }, title, now, questions }
}

fn fence<'t>(text: &'t str, name: &str) -> &'t str {
    let from = text.find(&format!("```{name}\n")).unwrap_or_else(|| panic!("no `{name}` fence in {text}"));
    let body = &text[from + 4 + name.len()..];
    &body[..body.find("```").unwrap()]
}

fn questions(text: &str) -> Vec<Question> {
    let mut questions: Vec<Question> = Vec::new();
    for line in text.lines() {
        if let Some(other) = line.strip_prefix("    or ") {
            let expected = questions.last_mut().unwrap().expected.last_mut().unwrap();
            expected.alternatives.push(other.to_owned());
        } else if let Some(span) = line.strip_prefix("  ") {
            let (value, words) =
                span.split_once(" · ").map_or((span, None), |(v, w)| (v, Some(w.to_owned())));
            let expected = Expected { value: value.to_owned(), words, alternatives: Vec::new() };
            questions.last_mut().unwrap().expected.push(expected);
        } else {
            questions.push(Question { text: line.to_owned(), expected: Vec::new() });
        }
    }
    questions
}

/// The spans that lie in no longer one, as `text = value`.
fn found(question: &str, case: &Case) -> Vec<(String, TimeSpan)> {
    let tokens = tokens(question);
    let given: Vec<TimeToken<'_>> =
        tokens.iter().map(|t| TimeToken { text: &t.text, start: t.start, end: t.end }).collect();
    let all = spans(&given, &case.calendar, case.now);
    let inside = |a: &TimeSpan, b: &TimeSpan| {
        b.first <= a.first && a.last <= b.last && (b.first, b.last) != (a.first, a.last)
    };
    let outermost = all.iter().filter(|span| !all.iter().any(|other| inside(span, other)));
    outermost
        .map(|span| {
            let text = &question[tokens[span.first].start..tokens[span.last].end];
            (format!("{text} = {}", value(&span.reading.kind)), span.clone())
        })
        .collect()
}

fn value(kind: &TimeKind) -> String {
    match kind {
        TimeKind::Period(period) => format!("[{}, {})", period.start(), period.end_exclusive()),
        TimeKind::Zone(zone) => format!("zone {}", zone_name(zone)),
        TimeKind::Grain(grain) => format!("grain {grain}"),
        TimeKind::Previous { steps, grain: Some(grain) } => format!("previous {steps} {grain}"),
        TimeKind::Previous { steps, grain: None } => format!("previous {steps}"),
        TimeKind::SameLastYear => "same last year".to_owned(),
        TimeKind::StepByStep(grain) => format!("step {grain}"),
        TimeKind::Empty(_) => "empty".to_owned(),
        TimeKind::TooLarge(_) => "too large".to_owned(),
    }
}

fn compare(question: &Question, found: &[(String, TimeSpan)], report: &mut String) {
    for i in 0..question.expected.len().max(found.len()) {
        match (question.expected.get(i), found.get(i)) {
            (Some(expected), Some((value, span))) => {
                let words = expected.words.as_ref().is_none_or(|words| *words == span.reading.words);
                let others =
                    expected.alternatives.is_empty() || expected.alternatives == span.reading.alternatives;
                if *value != expected.value || !words || !others {
                    let wanted = expected.words.as_deref().unwrap_or_default();
                    let (said, or) = (&span.reading.words, &span.reading.alternatives);
                    writeln!(
                        report,
                        "  expected {} · {wanted} or {:?}",
                        expected.value, expected.alternatives
                    )
                    .unwrap();
                    writeln!(report, "     found {value} · {said} or {or:?}").unwrap();
                }
            }
            (Some(expected), None) => writeln!(report, "  not found: {}", expected.value).unwrap(),
            (None, Some((value, span))) => {
                writeln!(report, "  not expected: {value} · {}", span.reading.words).unwrap();
            }
            (None, None) => {}
        }
    }
}
