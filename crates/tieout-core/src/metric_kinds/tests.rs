//! What holds of every kind, and what each kind does with its parts.

use std::str::FromStr;

use super::*;
use crate::{number::Number, time::Grain};

fn number(text: &str) -> Number {
    Number::from_str(text).unwrap()
}

fn combined(name: &str, parts: &[Option<&str>]) -> Combined {
    let parts: Vec<_> = parts.iter().map(|part| part.map(number)).collect();
    (kind(name).unwrap().combine)(&parts)
}

fn value(text: &str) -> Combined {
    Combined::Value(number(text))
}

#[test]
fn names_are_one_word_and_unique() {
    for (index, one) in KINDS.iter().enumerate() {
        assert!(one.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{}", one.name);
        assert!(!KINDS[..index].contains(one), "{} twice", one.name);
        assert_eq!(kind(one.name), Some(*one));
        assert!((one.reads_as)("amount").contains("amount"));
        assert_eq!(one.of_metrics(), one.parts.is_empty(), "{}", one.name);
    }
    assert_eq!(kind("total"), None);
}

#[test]
fn no_value_is_no_figure_for_any_kind() {
    for one in KINDS {
        let nothing = vec![None; one.parts.len().max(2)];
        assert_eq!((one.combine)(&nothing), Combined::None, "{}", one.name);
        assert_eq!((one.combine)(&[]), Combined::None, "{}", one.name);
    }
}

#[test]
fn single_parts_pass_through_unchanged() {
    for name in ["sum", "count", "count_distinct", "minimum", "maximum", "latest", "cumulative", "derived"] {
        assert_eq!(combined(name, &[Some("9007199254740993.01")]), value("9007199254740993.01"), "{name}");
    }
    assert_eq!(combined("count", &[Some("0")]), value("0"));
}

#[test]
fn quotients_are_exact_and_never_over_zero() {
    assert_eq!(combined("average", &[Some("5"), Some("2")]), value("2.5"));
    assert_eq!(combined("average", &[None, Some("0")]), Combined::None);
    assert_eq!(combined("average", &[Some("0"), Some("0")]), Combined::None);
    assert_eq!(combined("ratio", &[Some("5"), Some("4")]), value("1.25"));
    assert!(matches!(combined("ratio", &[Some("0"), Some("0")]), Combined::Undefined(_)));
    assert_eq!(combined("ratio", &[Some("1"), None]), Combined::None);
    assert_eq!(
        combined("ratio", &[Some("8"), Some("27")]),
        value("0.2962962962962962962962962962962962962963")
    );
}

#[test]
fn a_median_is_the_middle_or_the_mean_of_both() {
    assert_eq!(combined("median", &[Some("3"), Some("3")]), value("3"));
    assert_eq!(combined("median", &[Some("2"), Some("3")]), value("2.5"));
    assert_eq!(combined("median", &[Some("0.1"), Some("0.2")]), value("0.15"));
}

#[test]
fn a_state_is_not_split_by_its_own_time_field() {
    let split = |by| Split { by, time: Some("as_of"), restart: None };
    for name in ["latest", "cumulative"] {
        let forbids = kind(name).unwrap().forbids;
        assert!(forbids(&split(SplitBy::OwnField("as_of"))).is_some(), "{name}");
        assert!(forbids(&split(SplitBy::OwnField("plan"))).is_none(), "{name}");
        assert!(forbids(&split(SplitBy::RelatedField("as_of"))).is_none(), "{name}");
        assert!(forbids(&split(SplitBy::Steps(Grain::Month))).is_none(), "{name}");
    }
}

#[test]
fn a_running_total_is_not_split_by_steps_longer_than_it_runs() {
    let forbids = kind("cumulative").unwrap().forbids;
    let split = |step| Split { by: SplitBy::Steps(step), time: Some("day"), restart: Some(Grain::Month) };
    assert!(forbids(&split(Grain::Day)).is_none());
    assert!(forbids(&split(Grain::Month)).is_none());
    assert!(forbids(&split(Grain::Quarter)).is_some());
}

#[test]
fn expressions_are_worked_out_exactly() {
    let figure = |name: &str| match name {
        "a" => value("0.1"),
        "b" => value("0.2"),
        "zero" => value("0"),
        "odd" => Combined::Undefined("because"),
        _ => Combined::None,
    };
    let worked = |text: &str| Arithmetic::parse(text).unwrap().evaluate(&figure);
    assert_eq!(worked("a + b"), value("0.3"));
    assert_eq!(worked("a + b * 2"), value("0.5"));
    assert_eq!(worked("(a + b) * 2 - 1"), value("-0.4"));
    assert_eq!(worked("-a - -b"), value("0.1"));
    assert_eq!(worked("a / b"), value("0.5"));
    assert!(matches!(worked("a / zero"), Combined::Undefined(_)));
    assert!(matches!(worked("a + odd"), Combined::Undefined("because")));
    assert_eq!(worked("a + missing"), Combined::None);
}

#[test]
fn what_is_no_expression_is_refused_with_its_place() {
    let refused = |text: &str| Arithmetic::parse(text).unwrap_err().offset;
    assert_eq!(refused(""), 0);
    assert_eq!(refused("a +"), 3);
    assert_eq!(refused("a b"), 2);
    assert_eq!(refused("(a"), 2);
    assert_eq!(refused("a + 1.2.3"), 4);
    assert_eq!(refused("1e999999999"), 0);
    refused(&"(".repeat(100));
    refused(&"-".repeat(100));
    refused(&"a+".repeat(100_000));
}
