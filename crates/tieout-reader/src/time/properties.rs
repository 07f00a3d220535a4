//! What must hold for any tokens at all: no panic, spans in bounds and in order, periods that hold days, words from which
//! the days can be told, and time in proportion to the question.

use std::time::{Duration, Instant};

use jiff::{
    Timestamp,
    civil::{Date, Weekday, date},
    tz::TimeZone,
};
use proptest::prelude::*;
use tieout_core::time::{Calendar, Period};

use super::{TimeKind, TimeToken, spans};

/// Words that mean something to the grammar, and a few that do not.
const WORDS: &str = "january sept may march , . - – / ' ’s & 's monday fri first second 3rd third last previous past \
    rolling this next complete full fiscal calendar fy fy26 day days week weeks fortnight month months quarter quarters \
    half year years weekend hours one two a couple of twenty hundred 0 1 3 5 7 12 13 26 30 31 32 99 1,000 2024 2026 0000 \
    12026 9999 999999999 99999999999999999999 q1 q3 q5 h1 h2 2026q3 3q26 2026-09 2026-09-03 2026-13-40 2026-w36 3/9/2026 \
    13/13/13 9.3.26 '26 today yesterday tomorrow before after ago earlier so far to date ytd mtd since until till through \
    up from between and or vs with as at the end start in on during for by per each every monthly weekly same period time \
    utc + +2 gmt cet new york berlin pacific standard zone europe/berlin america new_york over month-over-month yoy \
    ending ended beginning onwards later than more revenue orders i we été 東京 \u{301} \u{0} \"";

fn any_word() -> impl Strategy<Value = String> {
    let words: Vec<String> = WORDS.split_whitespace().map(str::to_owned).collect();
    prop_oneof![
        12 => (0..words.len()).prop_map(move |i| words[i].clone()),
        1 => "\\PC{0,6}",
        1 => "[0-9]{1,24}",
    ]
}

fn any_calendar() -> impl Strategy<Value = Calendar> {
    let zones = ["UTC", "America/New_York", "Pacific/Apia", "Asia/Kolkata"];
    (0..zones.len(), any::<bool>(), 1..=12i8).prop_map(move |(zone, sunday, fiscal_start_month)| Calendar {
        zone: TimeZone::get(zones[zone]).unwrap(),
        week_start: if sunday { Weekday::Sunday } else { Weekday::Monday },
        fiscal_start_month,
    })
}

fn any_now() -> impl Strategy<Value = Timestamp> {
    prop_oneof![
        Just("2026-10-07T15:00:00Z".parse().unwrap()),
        Just("2024-02-29T23:59:59Z".parse().unwrap()),
        Just(Timestamp::MIN),
        Just(Timestamp::MAX),
        (-62_135_596_800..253_402_000_000i64).prop_map(|s| Timestamp::from_second(s).unwrap()),
    ]
}

/// Tokens with one blank or none between them.
fn cut(words: &[String], gaps: &[bool]) -> Vec<(String, usize, usize)> {
    let mut at = 0;
    let mut tokens = Vec::new();
    for (i, word) in words.iter().enumerate() {
        at += usize::from(gaps.get(i).copied().unwrap_or(true));
        tokens.push((word.clone(), at, at + word.len()));
        at += word.len();
    }
    tokens
}

fn given(tokens: &[(String, usize, usize)]) -> Vec<TimeToken<'_>> {
    tokens.iter().map(|(text, start, end)| TimeToken { text, start: *start, end: *end }).collect()
}

/// Whether the days can be told from the words: the first or last day is written out, or its month or year.
fn tells(words: &str, period: &Period) -> bool {
    let names =
        |day: Date| [day.to_string(), day.strftime("%B %Y").to_string(), format!("{:04}", day.year())];
    let ends = [period.start(), period.last_day(), period.end_exclusive()];
    ends.into_iter().flat_map(names).any(|name| words.contains(&name))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn total_and_sound(
        words in prop::collection::vec(any_word(), 0..12),
        gaps in prop::collection::vec(any::<bool>(), 12),
        calendar in any_calendar(),
        now in any_now(),
    ) {
        let tokens = cut(&words, &gaps);
        let tokens = given(&tokens);
        let found = spans(&tokens, &calendar, now);
        prop_assert_eq!(&found, &spans(&tokens, &calendar, now), "twice the same");
        for pair in found.windows(2) {
            let ordered = pair[0].first < pair[1].first || (pair[0].first == pair[1].first && pair[0].last >= pair[1].last);
            prop_assert!(ordered);
            prop_assert!(pair[0] != pair[1]);
        }
        for span in &found {
            prop_assert!(span.first <= span.last && span.last < tokens.len());
            prop_assert!(!span.reading.words.is_empty());
            prop_assert!(!span.reading.alternatives.contains(&span.reading.words));
            match &span.reading.kind {
                TimeKind::Period(period) => {
                    prop_assert!(period.start() < period.end_exclusive() && period.start() >= date(1, 1, 1));
                    prop_assert!(tells(&span.reading.words, period), "{} for {}", span.reading.words, period);
                }
                TimeKind::Previous { steps, .. } => prop_assert!(*steps > 0),
                TimeKind::Empty(reason) | TimeKind::TooLarge(reason) => prop_assert!(!reason.is_empty()),
                TimeKind::Zone(_) | TimeKind::Grain(_) | TimeKind::SameLastYear | TimeKind::StepByStep(_) => {}
            }
        }
    }
}

/// Tokens that make the most of lists, ranges and wholes stay far from the reader's limit of 50 ms at the longest
/// question, in an optimised build; an unoptimised one has ten times as long.
#[test]
fn long_questions_take_time_in_proportion() {
    let limit = Duration::from_millis(if cfg!(debug_assertions) { 500 } else { 50 });
    let calendar = Calendar { zone: TimeZone::UTC, week_start: Weekday::Monday, fiscal_start_month: 2 };
    let now = "2026-10-07T15:00:00Z".parse().unwrap();
    for phrase in [
        "may and ",
        "may ",
        "1 may to ",
        "2026 ",
        "q1 , ",
        "the first day of the ",
        "a year earlier ",
        "between may and ",
        "since ",
        "the end of ",
        "29 february and ",
        "same month last year ",
        "in utc ",
        "first full week of may ",
        "- ",
    ] {
        let text = phrase.repeat(2_000 / phrase.len());
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let tokens = cut(&words, &[]);
        let tokens = given(&tokens);
        let _ = spans(&tokens[..1], &calendar, now);
        let start = Instant::now();
        let found = spans(&tokens, &calendar, now);
        let took = start.elapsed();
        assert!(took < limit, "{phrase:?} × {}: {took:?} for {} spans", tokens.len(), found.len());
    }
}
