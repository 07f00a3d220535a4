//! What is a value of which type, and what is not.

use super::*;

fn told(judge: &Judge, text: &str) -> String {
    match judge.judge(text) {
        Verdict::Null => "null".to_owned(),
        Verdict::Same(shape) => format!("same {}.{}", shape.whole, shape.fraction),
        Verdict::Rewritten(plain, _) => format!("-> {plain}"),
        Verdict::Refused(reason) => reason.to_owned(),
    }
}

fn check(judge: &Judge, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(&told(judge, text), expected, "{:?} of {text:?}", judge.datatype);
    }
}

#[test]
fn whole_numbers() {
    check(
        &Judge::plain(Datatype::Integer),
        &[
            ("", "null"),
            ("  ", "-> "),
            ("NULL", "-> "),
            ("0", "same 1.0"),
            ("-12", "same 2.0"),
            ("007", "same 3.0"),
            ("9007199254740993", "same 16.0"),
            ("+4", "-> 4"),
            (" 2 ", "-> 2"),
            ("1.0", "-> 1"),
            ("1e3", "-> 1000"),
            ("1.5", "is not a whole number"),
            ("1,000", "is not a whole number"),
            ("0x10", "is not a whole number"),
            ("1_000", "is not a whole number"),
            ("--1", "is not a whole number"),
            ("n/a", "is not a whole number"),
            ("inf", "is not a finite number"),
            ("NaN", "is not a finite number"),
            ("1e99", "is too large"),
            ("1e999999999", "is not a whole number"),
        ],
    );
}

#[test]
fn decimals() {
    check(
        &Judge::plain(Datatype::Decimal),
        &[
            ("1.50", "same 1.2"),
            (".5", "-> 0.5"),
            ("5.", "-> 5"),
            ("1e-7", "-> 0.0000001"),
            ("$5", "is not a number"),
            ("(5)", "is not a number"),
            ("12%", "is not a number"),
            ("1,000.50", "is not a number"),
            ("Infinity", "is not a finite number"),
            ("12345678901234567890123456789012345678.9", "has more than 38 digits"),
        ],
    );
}

#[test]
fn separators_of_ones_own() {
    let english = Judge { thousands: Some(','), ..Judge::plain(Datatype::Decimal) };
    check(
        &english,
        &[
            ("1,000.50", "-> 1000.5"),
            ("-1,234,567", "-> -1234567"),
            ("12", "-> 12"),
            ("1,00", "is not a number"),
            ("1,0000", "is not a number"),
            ("1.5,000", "is not a number"),
            (",500", "is not a number"),
        ],
    );
    let german = Judge { thousands: Some('.'), decimal: Some(','), ..Judge::plain(Datatype::Decimal) };
    check(&german, &[("1.234,50", "-> 1234.5"), ("1,5", "-> 1.5"), ("1.5", "is not a number")]);
    let comma = Judge { decimal: Some(','), ..Judge::plain(Datatype::Decimal) };
    check(&comma, &[("1,5", "-> 1.5"), ("1.5", "is not a number"), ("1.000,5", "is not a number")]);
}

#[test]
fn floats_and_booleans() {
    check(
        &Judge::plain(Datatype::Float),
        &[
            ("0.1", "same 0.0"),
            ("-1e5", "same 0.0"),
            (".5", "-> 5e-1"),
            ("nan", "is not a finite number"),
            ("-Infinity", "is not a finite number"),
            ("1e400", "is not a finite number"),
            ("x", "is not a number"),
        ],
    );
    check(
        &Judge::plain(Datatype::Boolean),
        &[
            ("true", "same 0.0"),
            ("F", "same 0.0"),
            ("yes", "-> true"),
            ("No", "-> false"),
            ("2", "is neither true nor false"),
        ],
    );
}

#[test]
fn dates() {
    check(
        &Judge::plain(Datatype::Date),
        &[
            ("2024-02-29", "same 0.0"),
            ("2023-02-29", "is not a date"),
            ("2024-1-5", "-> 2024-01-05"),
            ("2024/01/31", "-> 2024-01-31"),
            ("2024-01-31 00:00:00", "-> 2024-01-31"),
            ("2024-01-31T00:00:00.000", "-> 2024-01-31"),
            ("2024-01-31 12:00:00", "has a time of day, which a date has not"),
            ("2024-01-31T00:00:00Z", "has an offset from UTC, which a date has not"),
            ("31/01/2024", "is not a date"),
            ("24-01-31", "is not a date"),
            ("20240131", "is not a date"),
            ("infinity", "is not a date"),
            ("0000-01-01", "is not a date"),
        ],
    );
    let british = Judge { date_format: Some("%d/%m/%Y".into()), ..Judge::plain(Datatype::Date) };
    check(
        &british,
        &[
            ("31/01/2024", "-> 2024-01-31"),
            ("1/2/2024", "-> 2024-02-01"),
            ("31/01/24", "has a year of fewer than four digits"),
            ("01/31/2024", "is not a date"),
            ("2024-01-31", "same 0.0"),
        ],
    );
}

#[test]
fn moments() {
    check(
        &Judge::plain(Datatype::Timestamp),
        &[
            ("2024-02-28 12:00:00", "same 0.0"),
            ("2024-02-28T12:00:00.123456", "same 0.0"),
            ("2024-02-28 12:00", "-> 2024-02-28T12:00:00"),
            ("2024-02-28", "-> 2024-02-28T00:00:00"),
            ("2024-02-28 12:00:00Z", "has an offset from UTC; its field is a timestamp without one"),
            ("2024-02-28 12:00+02", "has an offset from UTC; its field is a timestamp without one"),
            ("2024-02-28 25:00:00", "is not a date and time"),
            ("2024-02-28 23:59:60", "is not a date and time"),
            ("2024-02-28 12:00:00.123456789", "is finer than a microsecond"),
        ],
    );
    check(
        &Judge::plain(Datatype::Instant),
        &[
            ("2024-02-28T12:00:00Z", "same 0.0"),
            ("2024-02-28 12:00:00+02:00", "-> 2024-02-28T10:00:00Z"),
            ("2024-02-28 12:00:00 UTC", "-> 2024-02-28T12:00:00Z"),
            ("2024-02-28 12:00:00", "has no offset from UTC, so it is no moment"),
            ("noon", "is not a moment"),
        ],
    );
    let british = Judge { date_format: Some("%d/%m/%Y".into()), ..Judge::plain(Datatype::Timestamp) };
    check(
        &british,
        &[("31/01/2024 14:05", "-> 2024-01-31T14:05:00"), ("31/01/2024", "-> 2024-01-31T00:00:00")],
    );
}

#[test]
fn a_refused_text_is_shown_in_one_line() {
    assert_eq!(shown("a\nb"), "`a b`");
    assert_eq!(shown(&"x".repeat(100)).chars().count(), 63);
}
