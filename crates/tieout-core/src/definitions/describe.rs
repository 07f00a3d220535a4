//! The parts of a request in words, by the catalogue's labels.

use tieout_sql::Value;

use crate::{
    catalogue::{Catalogue, Presence},
    number::{Number, Unit, print_number},
    reading::{Comparison, Condition, FieldRef, MeasureRef, Polarity},
};

/// What a person calls a field: `channel`, or `region of customers` where another dataset holds it.
#[must_use]
pub fn field_words(field: &FieldRef, catalogue: &Catalogue) -> String {
    let Some(dataset) = catalogue.datasets.get(&field.dataset) else { return field.field.clone() };
    let label = dataset.fields.get(&field.field).map_or(field.field.as_str(), |f| f.label.as_str());
    let way = match &field.via {
        Some(via) if !via.is_empty() => format!(" by way of {}", via.join(", ")),
        Some(_) | None => String::new(),
    };
    format!("{label} of {}{way}", dataset.label)
}

/// What a person calls a measure.
#[must_use]
pub fn measure_words(measure: &MeasureRef, catalogue: &Catalogue) -> String {
    let dataset_label =
        |name: &str| catalogue.datasets.get(name).map_or(name.to_owned(), |d| d.label.clone());
    match measure {
        MeasureRef::Metric(name) => catalogue.metrics.get(name).map_or(name.clone(), |m| m.label.clone()),
        MeasureRef::Count { dataset } => format!("number of {}", dataset_label(dataset)),
        MeasureRef::AdHoc { kind, dataset, field } => {
            let field = FieldRef { dataset: dataset.clone(), field: field.clone(), via: None };
            format!("{kind} {}", field_words(&field, catalogue))
        }
    }
}

/// A condition in words.
#[must_use]
pub fn condition_words(condition: &Condition, catalogue: &Catalogue) -> String {
    let field = |f: &FieldRef| field_words(f, catalogue);
    match condition {
        Condition::OneOf { field: f, values, polarity } => {
            let list = values.iter().map(value_words).collect::<Vec<_>>().join(" or ");
            match polarity {
                Polarity::Is => format!("{} is {list}", field(f)),
                Polarity::IsNot => format!("{} is not {list} (rows without one are kept)", field(f)),
            }
        }
        Condition::Compare { field: f, comparison, value } => {
            format!("{} {} {}", field(f), comparison_words(*comparison), bound_words(f, value, catalogue))
        }
        Condition::Between { field: f, low, high } => {
            let (low, high) = (bound_words(f, low, catalogue), bound_words(f, high, catalogue));
            format!("{} from {low} to {high}, both included", field(f))
        }
        Condition::Missing { field: f, polarity: Polarity::Is } => format!("without {}", field(f)),
        Condition::Missing { field: f, polarity: Polarity::IsNot } => format!("with {}", field(f)),
        Condition::InPeriod { field: f, period } => format!("{} in {period}", field(f)),
        Condition::Member { population, polarity, .. } => {
            let label =
                catalogue.populations.get(population).map_or(population.as_str(), |p| p.label.as_str());
            match polarity {
                Polarity::Is => format!("only {label}"),
                Polarity::IsNot => format!("without {label}"),
            }
        }
        Condition::Related { dataset, presence, conditions, period, .. } => {
            related_words(dataset, *presence, conditions, period.as_ref().map(ToString::to_string), catalogue)
        }
        Condition::Any(any) => {
            // `either` holds the parts together: beside another condition, a bare `or` would read as if it joined that.
            let parts: Vec<String> = any.iter().map(|c| condition_words(c, catalogue)).collect();
            format!("either {}", parts.join(", or "))
        }
    }
}

fn related_words(
    dataset: &str,
    presence: Presence,
    conditions: &[Condition],
    period: Option<String>,
    catalogue: &Catalogue,
) -> String {
    let label = catalogue.datasets.get(dataset).map_or(dataset, |d| d.label.as_str());
    let mut text = match presence {
        Presence::Exists => format!("with at least one of {label}"),
        Presence::Absent => format!("without any of {label}"),
    };
    for condition in conditions {
        text.push_str(" where ");
        text.push_str(&condition_words(condition, catalogue));
    }
    if let Some(period) = period {
        text.push_str(" in ");
        text.push_str(&period);
    }
    text
}

/// How a comparison reads.
#[must_use]
pub fn comparison_words(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Below => "below",
        Comparison::AtMost => "at most",
        Comparison::Equal => "equal to",
        Comparison::NotEqual => "not equal to (rows without one are kept)",
        Comparison::AtLeast => "at least",
        Comparison::Above => "above",
    }
}

/// A bound as its field's amounts are shown: what is stored in cents is said in whole units, with the unit.
fn bound_words(field: &FieldRef, value: &Value, catalogue: &Catalogue) -> String {
    let found = catalogue.datasets.get(&field.dataset).and_then(|dataset| dataset.fields.get(&field.field));
    let number = match value {
        Value::Integer(n) => Some(Number::from(*n)),
        Value::Decimal(n) => Some(n.clone()),
        Value::Null
        | Value::Text(_)
        | Value::Boolean(_)
        | Value::Date(_)
        | Value::DateTime(_)
        | Value::Instant(_) => None,
    };
    let (Some(unit), Some(number)) = (found.and_then(|field| field.unit.as_ref()), number) else {
        return value_words(value);
    };
    let digits = if unit.minor { unit.minor_digits() } else { 0 };
    let shifted = (number * Number::new(1.into(), i64::from(digits))).normalized();
    let shown = print_number(&shifted, &Unit { scale: unit.scale.filter(|_| unit.minor), ..unit.clone() });
    match unit.suffix() {
        "" => shown,
        suffix => format!("{shown} {suffix}"),
    }
}

fn value_words(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        other @ (Value::Null
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Decimal(_)
        | Value::Date(_)
        | Value::DateTime(_)
        | Value::Instant(_)) => other.to_string(),
    }
}
