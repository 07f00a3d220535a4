//! A typed request in words that the built-in reader knows: labels of the catalogue, values in quotation marks, times
//! as they stand in the question.

use tieout_core::reading::Sort;

use super::typed::{By, Members, Order, OrderBy, Related, Test, Typed, TypedCondition, What};

/// Puts a typed request into words.
pub(super) fn wording(typed: &Typed) -> String {
    let mut words = Vec::new();
    match &typed.what {
        What::Figures { measures, by, against, of_total } => {
            if *of_total {
                words.push("share of".to_owned());
            }
            words.push(joined(measures.iter().map(|measure| measure.words.clone())));
            rows(typed, &mut words);
            if !by.is_empty() {
                words.push(format!("by {}", joined(by.iter().map(grouping))));
            }
            words.extend(typed.period.iter().map(|time| time.text.clone()));
            words.extend(against.iter().map(|time| format!("compared with {}", time.text)));
        }
        What::Rows { words: dataset, columns, .. } => {
            words.push(format!("list {dataset}"));
            if !columns.is_empty() {
                words.push(format!("with {}", joined(columns.iter().map(|field| field.words.clone()))));
            }
            rows(typed, &mut words);
            words.extend(typed.period.iter().map(|time| time.text.clone()));
        }
    }
    let mut text = words.join(" ");
    if let Some(order) = &typed.order {
        text.push_str(&ordered(order));
    }
    text
}

/// What narrows the rows.
fn rows(typed: &Typed, words: &mut Vec<String>) {
    for (_, label, members) in &typed.populations {
        words.push(match members {
            Members::In => format!("for {label}"),
            Members::Out => format!("excluding {label}"),
        });
    }
    for (_, label, related) in &typed.related {
        words.push(match related {
            Related::Some => format!("with {label}"),
            Related::None => format!("without {label}"),
        });
    }
    for (place, condition) in typed.conditions.iter().enumerate() {
        words.push(format!("{} {}", if place == 0 { "where" } else { "and" }, tested(condition)));
    }
}

fn tested(condition: &TypedCondition) -> String {
    let field = &condition.field.words;
    let quoted = condition.values.iter().map(|value| format!("\"{value}\"")).collect::<Vec<_>>().join(" or ");
    let bound = condition.values.first().map_or("", String::as_str);
    match condition.test {
        Test::Is => format!("{field} is {quoted}"),
        Test::IsNot => format!("{field} is not {quoted}"),
        Test::Above => format!("{field} is above {bound}"),
        Test::AtLeast => format!("{field} is at least {bound}"),
        Test::Below => format!("{field} is below {bound}"),
        Test::AtMost => format!("{field} is at most {bound}"),
        Test::Missing => format!("{field} is missing"),
        Test::Present => format!("{field} is not missing"),
    }
}

fn grouping(by: &By) -> String {
    match by {
        By::Field(field) => field.words.clone(),
        By::Time(grain) => grain.to_string(),
    }
}

fn ordered(order: &Order) -> String {
    let by = match &order.by {
        OrderBy::Measure(measure) => &measure.words,
        OrderBy::Field(field) => &field.words,
    };
    match (order.limit, order.sort) {
        (Some(limit), Sort::Descending) => format!(", top {limit} by {by}"),
        (Some(limit), Sort::Ascending) => format!(", bottom {limit} by {by}"),
        (None, Sort::Descending) => format!(", sorted by {by} descending"),
        (None, Sort::Ascending) => format!(", sorted by {by} ascending"),
    }
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(" and ")
}
