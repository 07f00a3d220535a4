//! Values come back exactly as they are stored.

use bigdecimal::BigDecimal;
use tieout_core::catalogue::Datatype;
use tieout_sql::Value;

use super::{DuckDb, cell, over};
use crate::testing::{dataset, source, write};

fn engine() -> DuckDb {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "t.csv", "a\n1\n");
    over(folder.path(), source("t.csv"), dataset("t", &[("a", Datatype::Integer)])).unwrap()
}

fn check(cases: &[(&str, &str)]) {
    let engine = engine();
    for (expression, expected) in cases {
        assert_eq!(engine.printed(&format!("SELECT {expression}")), [*expected], "{expression}");
    }
}

#[test]
fn numbers() {
    check(&[
        ("9007199254740993::BIGINT", "9007199254740993"),
        ("170141183460469231731687303715884105727::HUGEINT", "170141183460469231731687303715884105727"),
        ("'-170141183460469231731687303715884105728'::HUGEINT", "-170141183460469231731687303715884105728"),
        ("340282366920938463463374607431768211455::UHUGEINT", "340282366920938463463374607431768211455"),
        ("18446744073709551615::UBIGINT", "18446744073709551615"),
        ("255::UTINYINT", "255"),
        ("(-32768)::SMALLINT", "-32768"),
        ("1234567890123456789012345678901234.5678::DECIMAL(38,4)", "1234567890123456789012345678901234.5678"),
        ("-0.01::DECIMAL(4,2)", "-0.01"),
        ("0.05::DECIMAL(9,2)", "0.05"),
        ("12345678.90::DECIMAL(18,2)", "12345678.90"),
        ("99999999999999999999999999999999999999::DECIMAL(38,0)", "99999999999999999999999999999999999999"),
        ("sum(x) FROM (VALUES (9223372036854775807::BIGINT), (1)) v(x)", "9223372036854775808"),
        ("0.1::DOUBLE", "0.1"),
        ("0.1::FLOAT", "0.1"),
        ("1e300::DOUBLE", &format!("1{}", "0".repeat(300))),
        ("5e-324::DOUBLE", &format!("0.{}5", "0".repeat(323))),
    ]);
}

#[test]
fn what_is_not_a_number_is_no_number() {
    check(&[
        ("'nan'::DOUBLE", "not finite NaN"),
        ("'inf'::DOUBLE", "not finite inf"),
        ("'-inf'::FLOAT", "not finite -inf"),
        ("'infinity'::DATE", "not finite infinity"),
        ("'-infinity'::TIMESTAMP", "not finite -infinity"),
        ("NULL", "null"),
        ("NULL::DOUBLE", "null"),
    ]);
}

#[test]
fn dates_and_moments() {
    check(&[
        ("DATE '2026-02-28'", "date 2026-02-28"),
        ("DATE '0001-01-01'", "date 0001-01-01"),
        ("DATE '1969-12-31'", "date 1969-12-31"),
        ("TIMESTAMP '2026-02-28 23:59:59.123456'", "civil 2026-02-28T23:59:59.123456"),
        ("TIMESTAMP '1969-12-31 23:59:59.5'", "civil 1969-12-31T23:59:59.5"),
        ("TIMESTAMP_S '2026-02-28 23:59:59'", "civil 2026-02-28T23:59:59"),
        ("TIMESTAMP_NS '2026-02-28 23:59:59.123456789'", "civil 2026-02-28T23:59:59.123456789"),
        ("TIMESTAMPTZ '2026-02-28 23:59:59+02:00'", "moment 2026-02-28T21:59:59Z"),
    ]);
}

#[test]
fn other_values_have_a_plain_form() {
    check(&[
        ("true", "true"),
        ("'o''clock'", "'o'clock'"),
        ("'b'::ENUM('a', 'b')", "'b'"),
        ("'5d2b7a0c-3a6e-4b5f-8a1d-0123456789ab'::UUID", "'5d2b7a0c-3a6e-4b5f-8a1d-0123456789ab'"),
        ("[1, 2]", "'[1, 2]'"),
        ("{'a': 1, 'b': 'x'}", "'{a: 1, b: x}'"),
        ("TIME '12:30:00'", "'12:30:00'"),
        ("'\\xAA'::BLOB", "'aa'"),
    ]);
}

#[test]
fn a_value_that_cannot_be_shown_names_its_column() {
    let fault = engine().raw("SELECT union_value(n := 1) AS either", &[]).unwrap_err();
    assert!(fault.message.contains("column `either`"), "{fault}");
}

#[test]
fn bound_values_arrive_as_they_are() {
    let engine = engine();
    let cases = [
        (Value::Integer(9_007_199_254_740_993), "9007199254740993"),
        (Value::Integer(i128::MAX), "170141183460469231731687303715884105727"),
        (
            Value::Decimal("1234567890123456789012345678901234.5678".parse().unwrap()),
            "1234567890123456789012345678901234.5678",
        ),
        (Value::Decimal("0.005".parse().unwrap()), "0.005"),
        (Value::Decimal("-0.5".parse().unwrap()), "-0.5"),
        (Value::Decimal(BigDecimal::new(5.into(), -3)), "5000"),
        (Value::Decimal("0".parse().unwrap()), "0"),
        (Value::Text("x' OR 1=1 --".into()), "'x' OR 1=1 --'"),
        (Value::Boolean(true), "true"),
        (Value::Null, "null"),
        (Value::Date(jiff::civil::date(2026, 2, 28)), "date 2026-02-28"),
        (Value::Date(jiff::civil::date(1900, 1, 1)), "date 1900-01-01"),
        (
            Value::DateTime(jiff::civil::datetime(1950, 2, 28, 23, 59, 59, 123_456_000)),
            "civil 1950-02-28T23:59:59.123456",
        ),
    ];
    for (value, expected) in cases {
        let rows = engine.raw("SELECT $1", std::slice::from_ref(&value)).unwrap();
        assert_eq!(cell(&rows.rows[0][0]), expected, "{value:?}");
    }
    let moment = Value::Instant("2026-02-28T21:59:59Z".parse().unwrap());
    let rows = engine.raw(
        "SELECT TIMESTAMPTZ '2026-02-28 22:59:59+01' = $1, TIMESTAMPTZ '2026-02-28 23:00:00+01' < $1",
        &[moment],
    );
    assert_eq!(rows.unwrap().rows[0].iter().map(cell).collect::<Vec<_>>(), ["true", "false"]);
}
