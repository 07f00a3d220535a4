//! A model's reply as a typed request: keys of the menu, resolved.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tieout_core::{
    catalogue::Datatype,
    reading::{Comparison, Problem, ReasonCode, Sort},
    time::Grain,
};

use super::menu::{IRRELEVANT, Menu, OfferedField, OfferedMeasure, SHAPES};
use tieout_reader::examine::TimeSaid;

/// The most entries of one list of a reply.
const ENTRIES_MAX: usize = 8;
/// The longest value of a condition, in characters.
const VALUE_CHARS_MAX: usize = 200;

/// A reply as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reply {
    pub(super) ask: Ask,
    #[serde(default)]
    pub(super) measures: Vec<String>,
    #[serde(default)]
    pub(super) rows_of: Option<String>,
    #[serde(default)]
    pub(super) columns: Vec<String>,
    #[serde(default)]
    pub(super) by: Vec<String>,
    #[serde(default)]
    pub(super) conditions: Vec<SaidCondition>,
    #[serde(default)]
    pub(super) populations: Vec<SaidPopulation>,
    #[serde(default)]
    pub(super) related: Vec<SaidRelated>,
    #[serde(default)]
    pub(super) period: Option<String>,
    #[serde(default)]
    pub(super) against: Option<String>,
    #[serde(default)]
    pub(super) share: Option<Share>,
    #[serde(default)]
    pub(super) order: Option<SaidOrder>,
    /// What each unknown word stands for.
    #[serde(default)]
    pub(super) words: std::collections::BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ask {
    Figures,
    Rows,
    Nothing,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SaidCondition {
    pub(super) field: String,
    test: Test,
    #[serde(default)]
    values: Vec<String>,
}

/// How a field is tested.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Test {
    Is,
    IsNot,
    Above,
    AtLeast,
    Below,
    AtMost,
    Missing,
    Present,
}

impl Test {
    const ALL: [&str; 8] = ["is", "is_not", "above", "at_least", "below", "at_most", "missing", "present"];

    /// As it is written.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Is => "is",
            Self::IsNot => "is_not",
            Self::Above => "above",
            Self::AtLeast => "at_least",
            Self::Below => "below",
            Self::AtMost => "at_most",
            Self::Missing => "missing",
            Self::Present => "present",
        }
    }

    /// The comparison with a bound, where it is one.
    pub(super) fn comparison(self) -> Option<Comparison> {
        match self {
            Self::Above => Some(Comparison::Above),
            Self::AtLeast => Some(Comparison::AtLeast),
            Self::Below => Some(Comparison::Below),
            Self::AtMost => Some(Comparison::AtMost),
            Self::Is | Self::IsNot | Self::Missing | Self::Present => None,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SaidPopulation {
    pub(super) name: String,
    members: Members,
}

/// Whether members are asked for or left out.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Members {
    In,
    Out,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SaidRelated {
    pub(super) dataset: String,
    rows: Related,
}

/// Whether related rows must exist.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Related {
    Some,
    None,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Share {
    None,
    OfTotal,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SaidOrder {
    by: String,
    first: First,
    #[serde(default)]
    limit: Option<u32>,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum First {
    Greatest,
    Least,
}

/// A reply with every key resolved.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) what: What,
    pub(super) conditions: Vec<TypedCondition>,
    /// Populations by name, with their words.
    pub(super) populations: Vec<(String, String, Members)>,
    /// Datasets by name, with their words.
    pub(super) related: Vec<(String, String, Related)>,
    pub(super) period: Option<TimeSaid>,
    pub(super) order: Option<Order>,
}

/// Figures or rows.
#[derive(Clone, Debug)]
pub(super) enum What {
    Figures { measures: Vec<OfferedMeasure>, by: Vec<By>, against: Option<TimeSaid>, of_total: bool },
    Rows { dataset: String, words: String, columns: Vec<OfferedField> },
}

/// One grouping.
#[derive(Clone, Debug)]
pub(super) enum By {
    Field(OfferedField),
    Time(Grain),
}

/// A condition on a field.
#[derive(Clone, Debug)]
pub(super) struct TypedCondition {
    pub(super) field: OfferedField,
    pub(super) test: Test,
    pub(super) values: Vec<String>,
}

/// An order.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) by: OrderBy,
    pub(super) sort: Sort,
    pub(super) limit: Option<u32>,
}

/// What an order is by.
#[derive(Clone, Debug)]
pub(super) enum OrderBy {
    Measure(OfferedMeasure),
    Field(OfferedField),
}

/// Why a reply is no typed request.
#[derive(Clone, Debug)]
pub(super) enum Unbound {
    /// The model says that the question cannot be expressed.
    Nothing,
    /// What is wrong with it.
    Problems(Vec<Problem>),
}

fn wrong(message: impl Into<String>) -> Unbound {
    let hint = "use only the names that are given, and only what the question says";
    Unbound::Problems(vec![Problem::new(ReasonCode::Unsupported, message, hint)])
}

impl Reply {
    pub(super) fn parse(value: &Value) -> Result<Self, Unbound> {
        Self::deserialize(value).map_err(|error| wrong(error.to_string()))
    }

    /// Resolves every key.
    pub(super) fn bind(&self, menu: &Menu) -> Result<Typed, Unbound> {
        let lists = [self.measures.len(), self.columns.len(), self.by.len(), self.conditions.len()];
        if lists.into_iter().chain([self.populations.len(), self.related.len()]).any(|n| n > ENTRIES_MAX) {
            return Err(wrong(format!("a list has more than {ENTRIES_MAX} entries")));
        }
        let conditions = self.conditions.iter().map(|c| condition(c, menu)).collect::<Result<_, _>>()?;
        let named = |map: &indexmap::IndexMap<String, String>, name: &str, what: &str| {
            map.get(name).cloned().ok_or_else(|| wrong(format!("there is no {what} `{name}`")))
        };
        let populations = self
            .populations
            .iter()
            .map(|p| Ok((p.name.clone(), named(&menu.populations, &p.name, "population")?, p.members)));
        let related = self
            .related
            .iter()
            .map(|r| Ok((r.dataset.clone(), named(&menu.datasets, &r.dataset, "thing")?, r.rows)));
        Ok(Typed {
            what: self.what(menu)?,
            conditions,
            populations: populations.collect::<Result<_, Unbound>>()?,
            related: related.collect::<Result<_, Unbound>>()?,
            period: time(self.period.as_deref(), "all", menu)?,
            order: self.order.as_ref().map(|order| self.ordered(order, menu)).transpose()?,
        })
    }

    fn what(&self, menu: &Menu) -> Result<What, Unbound> {
        match self.ask {
            Ask::Nothing => Err(Unbound::Nothing),
            Ask::Figures if self.rows_of.is_some() || !self.columns.is_empty() => {
                Err(wrong("figures have no rows and no columns"))
            }
            Ask::Figures => {
                let measures: Vec<_> =
                    self.measures.iter().map(|key| measure(key, menu)).collect::<Result<_, _>>()?;
                if measures.is_empty() {
                    return Err(wrong("nothing is measured"));
                }
                let by = self.by.iter().map(|key| match Menu::grain(key) {
                    Some(grain) => Ok(By::Time(grain)),
                    None => field(key, menu).map(By::Field),
                });
                Ok(What::Figures {
                    measures,
                    by: by.collect::<Result<_, _>>()?,
                    against: time(self.against.as_deref(), "none", menu)?,
                    of_total: self.share == Some(Share::OfTotal),
                })
            }
            Ask::Rows => {
                let figures = !self.measures.is_empty()
                    || !self.by.is_empty()
                    || self.share == Some(Share::OfTotal)
                    || self.against.as_deref().is_some_and(|key| key != "none");
                if figures {
                    return Err(wrong("a list has no measures, groups, shares or comparisons"));
                }
                let name = self.rows_of.as_deref().ok_or_else(|| wrong("rows of what is not said"))?;
                let words =
                    menu.datasets.get(name).ok_or_else(|| wrong(format!("there is no thing `{name}`")))?;
                let columns = self.columns.iter().map(|key| field(key, menu)).collect::<Result<_, _>>()?;
                Ok(What::Rows { dataset: name.to_owned(), words: words.clone(), columns })
            }
        }
    }

    fn ordered(&self, order: &SaidOrder, menu: &Menu) -> Result<Order, Unbound> {
        let by = match menu.measures.get(&order.by) {
            Some(found) => OrderBy::Measure(found.clone()),
            None => OrderBy::Field(field(&order.by, menu)?),
        };
        let sort = match order.first {
            First::Greatest => Sort::Descending,
            First::Least => Sort::Ascending,
        };
        if order.limit == Some(0) {
            return Err(wrong("an order that keeps nothing"));
        }
        Ok(Order { by, sort, limit: order.limit })
    }
}

fn measure(key: &str, menu: &Menu) -> Result<OfferedMeasure, Unbound> {
    menu.measures.get(key).cloned().ok_or_else(|| wrong(format!("there is no measure `{key}`")))
}

fn field(key: &str, menu: &Menu) -> Result<OfferedField, Unbound> {
    menu.fields.get(key).cloned().ok_or_else(|| wrong(format!("there is no field `{key}`")))
}

fn time(key: Option<&str>, nothing: &str, menu: &Menu) -> Result<Option<TimeSaid>, Unbound> {
    match key {
        None => Ok(None),
        Some(key) if key == nothing => Ok(None),
        Some(key) => {
            let found = menu.times.get(key);
            found.cloned().map(Some).ok_or_else(|| wrong(format!("the question names no time `{key}`")))
        }
    }
}

fn condition(said: &SaidCondition, menu: &Menu) -> Result<TypedCondition, Unbound> {
    let field = field(&said.field, menu)?;
    let (least, most) = match said.test {
        Test::Is | Test::IsNot => (1, ENTRIES_MAX),
        Test::Above | Test::AtLeast | Test::Below | Test::AtMost => (1, 1),
        Test::Missing | Test::Present => (0, 0),
    };
    if !(least..=most).contains(&said.values.len()) {
        return Err(wrong(format!("a condition on {} has {} values", said.field, said.values.len())));
    }
    let numeric = match field.datatype {
        Datatype::Integer | Datatype::Decimal | Datatype::Float => true,
        Datatype::String | Datatype::Boolean | Datatype::Date | Datatype::Timestamp | Datatype::Instant => {
            false
        }
    };
    if said.test.comparison().is_some() && !numeric {
        return Err(wrong(format!("{} is no number, and cannot be compared with a bound", said.field)));
    }
    for value in &said.values {
        // A quotation mark would end the quotation in which the value is handed to the reader.
        let quotes = |c: char| c.is_control() || matches!(c, '"' | '“' | '”' | '„' | '«' | '»');
        if value.is_empty() || value.chars().count() > VALUE_CHARS_MAX || value.contains(quotes) {
            return Err(wrong(format!("a value of {} cannot be quoted", said.field)));
        }
        let is_number = value.parse::<bigdecimal::BigDecimal>().is_ok();
        if said.test.comparison().is_some() && !is_number {
            return Err(wrong(format!("{} is compared with `{value}`, which is no number", said.field)));
        }
    }
    Ok(TypedCondition { field, test: said.test, values: said.values.clone() })
}

/// The JSON Schema of a reply over a menu.
pub(super) fn schema(menu: &Menu) -> Value {
    let keys = |keys: &mut dyn Iterator<Item = String>| json!({ "type": "string", "enum": keys.collect::<Vec<_>>() });
    let list = |of: Value| json!({ "type": "array", "items": of, "maxItems": ENTRIES_MAX });
    let measures = || keys(&mut menu.measures.keys().cloned());
    let fields = || keys(&mut menu.fields.keys().cloned());
    let datasets = || keys(&mut menu.datasets.keys().cloned());
    let times =
        |nothing: &str| keys(&mut std::iter::once(nothing.to_owned()).chain(menu.times.keys().cloned()));
    let splits = keys(&mut menu.fields.keys().cloned().chain(Menu::grains()));
    let ordered = keys(&mut menu.measures.keys().chain(menu.fields.keys()).cloned());
    let condition = object(&[
        ("field", fields()),
        ("test", json!({ "type": "string", "enum": Test::ALL })),
        ("values", list(json!({ "type": "string", "maxLength": VALUE_CHARS_MAX }))),
    ]);
    let mut properties = Vec::new();
    // What each unknown word stands for comes first: the request is then made of the same parts.
    if !menu.unknown.is_empty() {
        properties.push(("words", words(menu)));
    }
    properties.extend([
        ("ask", json!({ "type": "string", "enum": ["figures", "rows", "nothing"] })),
        ("measures", list(measures())),
        ("rows_of", json!({ "anyOf": [datasets(), { "type": "null" }] })),
        ("columns", list(fields())),
        ("by", list(splits)),
        ("conditions", list(condition)),
        ("period", times("all")),
        ("against", times("none")),
        ("share", json!({ "type": "string", "enum": ["none", "of_total"] })),
        ("order", json!({ "anyOf": [order(ordered), { "type": "null" }] })),
        (
            "related",
            list(object(&[
                ("dataset", datasets()),
                ("rows", json!({ "type": "string", "enum": ["some", "none"] })),
            ])),
        ),
    ]);
    if !menu.populations.is_empty() {
        properties.push((
            "populations",
            list(object(&[
                ("name", keys(&mut menu.populations.keys().cloned())),
                ("members", json!({ "type": "string", "enum": ["in", "out"] })),
            ])),
        ));
    }
    // What is left out is not asked for. A time of the question must be given its part, though, and so must a word, and
    // what nearly every request has is better said to be none than forgotten.
    let said = |name: &&str| match *name {
        "ask" | "words" | "measures" | "by" | "conditions" => true,
        "period" => !menu.times.is_empty(),
        _ => false,
    };
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).filter(said).collect();
    let mut schema = object(&properties);
    schema["required"] = json!(required);
    schema
}

fn order(by: Value) -> Value {
    object(&[
        ("by", by),
        ("first", json!({ "type": "string", "enum": ["greatest", "least"] })),
        (
            "limit",
            json!({ "anyOf": [{ "type": "integer", "minimum": 1, "maximum": 1000 }, { "type": "null" }] }),
        ),
    ])
}

/// Each unknown word must be given a part, or be called irrelevant.
fn words(menu: &Menu) -> Value {
    let parts = menu.measures.keys().chain(menu.fields.keys()).chain(menu.populations.keys());
    let parts = parts.chain(menu.datasets.keys()).map(String::as_str).chain(SHAPES).chain([IRRELEVANT]);
    let part = json!({ "type": "string", "enum": parts.collect::<Vec<_>>() });
    let properties: Map<String, Value> =
        menu.unknown.iter().map(|word| (word.clone(), part.clone())).collect();
    json!({
        "type": "object", "properties": properties, "required": menu.unknown, "additionalProperties": false,
    })
}

fn object(properties: &[(&str, Value)]) -> Value {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: Map<String, Value> =
        properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false,
    })
}
