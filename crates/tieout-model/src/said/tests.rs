//! What is taken as a reply, and what is not.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"metric": {"enum": ["net_revenue", "orders"]}, "limit": {"type": "integer"}},
        "required": ["metric"],
        "additionalProperties": false,
    })
}

fn kind(text: &str) -> Option<UnfitKind> {
    match judge(text, &schema()) {
        Said::Fits(_) => None,
        Said::Unfit(unfit) => {
            assert!(!unfit.problems.is_empty(), "{text:?} gives no reason");
            Some(unfit.kind)
        }
    }
}

#[test]
fn one_object_is_taken_however_it_is_wrapped() {
    let fits = Said::Fits(json!({"metric": "orders"}));
    for text in [
        r#"{"metric": "orders"}"#,
        "\n  {\"metric\":\"orders\"}\n\n",
        "\u{feff}{\"metric\":\"orders\"}",
        "```json\n{\"metric\": \"orders\"}\n```",
        "```\n{\"metric\": \"orders\"}\n```\n",
        "<think>net_revenue? no, {orders}</think>\n{\"metric\": \"orders\"}",
        "<think>\n</think>\n```json\n{\"metric\": \"orders\"}\n```",
    ] {
        assert_eq!(judge(text, &schema()), fits, "{text:?}");
    }
}

#[test]
fn what_is_not_plainly_one_object_of_the_shape_is_not_taken() {
    use UnfitKind::{Cut, DuplicateKey, Empty, NotJson, Schema};
    for (text, expected) in [
        ("", Empty),
        (" \n\t", Empty),
        ("```json\n```", Empty),
        ("I am sorry, I cannot help with that.", NotJson),
        ("Here it is: {\"metric\": \"orders\"}", NotJson),
        ("{\"metric\": \"orders\"} I hope this helps", NotJson),
        ("{\"metric\": \"orders\"}{\"metric\": \"net_revenue\"}", NotJson),
        ("```json\n{\"metric\": \"orders\"}\n```\nor\n```json\n{\"metric\": \"net_revenue\"}\n```", NotJson),
        ("```json\n{\"metric\": \"orders\"}\n``` which is not quite right", NotJson),
        ("```sql\nselect 1\n```", NotJson),
        ("```json\n{\"metric\": \"orders\"}", Cut),
        ("<think>is it orders", Cut),
        ("<think>a</think>{\"metric\": \"orders\"}</think>{}", NotJson),
        ("{\"metric\": \"orders\"", NotJson),
        ("{\"metric\": 'orders'}", NotJson),
        ("{metric: \"orders\"}", NotJson),
        ("{\"metric\": \"orders\",}", NotJson),
        ("{\"metric\": \"orders\", \"limit\": 1e999}", NotJson),
        ("{\"metric\": \"orders\", \"limit\": NaN}", NotJson),
        ("\"orders\"", NotJson),
        ("null", NotJson),
        ("{\"metric\": \"orders\", \"metric\": \"net_revenue\"}", DuplicateKey),
        ("{\"metric\": \"orders\", \"\\u006detric\": \"orders\"}", DuplicateKey),
        ("[{\"metric\": \"orders\"}]", Schema),
        ("{}", Schema),
        ("{\"metric\": \"profit\"}", Schema),
        ("{\"metric\": \"orders\", \"limit\": \"5\"}", Schema),
        ("{\"metric\": \"orders\", \"tenant\": \"beta\"}", Schema),
    ] {
        assert_eq!(kind(text), Some(expected), "{text:?}");
    }
}

#[test]
fn a_key_that_stands_twice_deep_inside_is_found() {
    assert!(matches!(strict_json(r#"{"a": [{"b": {"c": 1, "c": 1}}]}"#), Err(NotStrict::DuplicateKey(_))));
    assert!(strict_json(r#"{"a": {"b": 1}, "b": {"b": 1}}"#).is_ok());
}

#[test]
fn what_is_nested_too_deep_is_not_read() {
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    assert!(strict_json(&nested(DEPTH_MAX)).is_ok());
    assert!(strict_json(&nested(DEPTH_MAX + 1)).is_err());
    assert!(strict_json(&nested(100_000)).is_err());
    assert!(strict_json(&"[".repeat(1_000_000)).is_err());
}

#[test]
fn problems_name_their_place_and_are_few() {
    let many = json!({"type": "array", "items": {"type": "integer"}});
    let text = format!("[{}]", vec!["\"x\""; 100].join(","));
    let Said::Unfit(unfit) = judge(&text, &many) else { panic!("strings are no integers") };
    assert_eq!(unfit.problems.len(), PROBLEMS_MAX);
    assert!(unfit.problems[0].starts_with("`/0`: "), "{}", unfit.problems[0]);
}

#[test]
fn a_schema_that_points_elsewhere_is_not_followed() {
    let elsewhere = json!({"$ref": "http://127.0.0.1:1/schema.json"});
    assert!(matches!(judge("{}", &elsewhere), Said::Unfit(unfit) if unfit.kind == UnfitKind::Schema));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,4}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn strict_reading_agrees_with_the_usual_one_where_no_key_stands_twice(value in any_json()) {
        prop_assert_eq!(strict_json(&value.to_string()), Ok(value));
    }

    #[test]
    fn no_text_makes_it_stumble(text in ".{0,200}") {
        let _ = judge(&text, &schema());
    }

    #[test]
    fn what_is_taken_fits(text in r#"(```json\n|<think>x</think>|)\{"(metric|limit)": ?("orders"|1)[,}]?.{0,6}"#) {
        if let Said::Fits(value) = judge(&text, &schema()) {
            prop_assert_eq!(&value, &json!({"metric": "orders"}));
        }
    }
}
