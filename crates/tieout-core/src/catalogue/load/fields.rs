//! Fields: types, values, who may see them, and the expressions of computed ones.
//!
//! Deliberately absent: what a metric makes of them.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;
use tieout_sql::{Access, Dialect, SqlType};

use super::{
    codes,
    expressions::{Gives, Runs, expression, type_words},
    node::{Content, Node},
    problem::Report,
    scalars, spoken, typing, units,
    words::normal,
};
use crate::catalogue::{Dataset, Datatype, Field, FieldValue};

/// The most values that one field may declare.
pub const VALUES_PER_FIELD_MAX: usize = 10_000;

/// Every data type.
const DATATYPES: [Datatype; 8] = [
    Datatype::String,
    Datatype::Integer,
    Datatype::Decimal,
    Datatype::Float,
    Datatype::Boolean,
    Datatype::Date,
    Datatype::Timestamp,
    Datatype::Instant,
];

/// Every field that has a name, without its expression, which needs the others.
pub(super) fn read(
    dataset: &Node,
    primary_key: &[String],
    in_key: &dyn Fn(&str) -> bool,
    report: &mut Report<'_>,
) -> IndexMap<String, Field> {
    let mut fields: IndexMap<String, Field> = IndexMap::new();
    for node in dataset.items_of("fields") {
        let Some(name) = node.word_of("name") else { continue };
        if fields.contains_key(name.text) {
            let message = format!("the field `{}` is there twice", name.text);
            report.error(
                codes::DUPLICATE_NAME,
                name.at,
                message,
                "give one of them another name, or remove it",
            );
            continue;
        }
        let roles = Roles {
            primary: primary_key.iter().any(|one| one == name.text),
            in_key: in_key(name.text),
            names: dataset.word_of("display").is_some_and(|display| display.text == name.text),
        };
        fields.insert(name.owned(), field(node, name.text, roles, report));
    }
    if dataset
        .get("fields")
        .is_some_and(|list| matches!(&list.content, Content::List(items) if items.is_empty()))
    {
        report.error(
            codes::BAD_VALUE,
            dataset.at_of("fields"),
            "the dataset has no field",
            "list at least one field",
        );
    }
    fields
}

/// What a field is to its dataset.
#[derive(Clone, Copy)]
struct Roles {
    /// Part of the primary key.
    primary: bool,
    /// Part of any key.
    in_key: bool,
    /// What names a row to a person.
    names: bool,
}

fn field(node: &Node, name: &str, roles: Roles, report: &mut Report<'_>) -> Field {
    let word = |key: &str| node.word_of(key).map(|word| word.text);
    let datatype =
        DATATYPES.into_iter().find(|one| Some(one.name()) == word("datatype")).unwrap_or(Datatype::String);
    let access = match word("access") {
        Some("hidden") => Access::Hidden,
        Some("sensitive") => Access::Sensitive,
        Some(_) | None => Access::Open,
    };
    let values = values(node, datatype, report);
    let identifier = node.flag_of("identifier").unwrap_or(roles.in_key);
    // A name that tells things apart is looked up; a number of a key is not.
    let may_be_named = !identifier || roles.names;
    let by_itself =
        may_be_named && datatype == Datatype::String && access == Access::Open && values.is_empty();
    let lookup = node.flag_of("lookup").unwrap_or(by_itself);
    check_together(node, (lookup, access), report);
    let unit = units::of_field(node, report);
    if let (Some(unit), false) = (node.get("unit"), typing::is_number(datatype.sql())) {
        let message = format!("a field of type {} has no unit", datatype.name());
        report.error(codes::BAD_VALUE, unit.at, message, "leave `unit` out, or give a type of number");
    }
    Field {
        name: name.to_owned(),
        label: node.text_of("label").unwrap_or_else(|| spoken(name)),
        synonyms: node.texts_of("synonyms"),
        description: node.text_of("description"),
        datatype,
        column: node.text_of("column"),
        expression: None,
        unit,
        values,
        lookup,
        identifier,
        nullable: node.flag_of("nullable").unwrap_or(!roles.primary),
        access,
    }
}

fn check_together(node: &Node, (lookup, access): (bool, Access), report: &mut Report<'_>) {
    if lookup && access != Access::Open {
        let message = "the values of a field that is not open are not looked up";
        report.error(
            codes::HIDDEN_FIELD,
            node.at_of("lookup"),
            message,
            "leave `lookup` out, or open the field",
        );
    }
    if node.get("column").is_some() && node.get("expression").is_some() {
        let message = "a field is either a column or an expression, not both";
        report.error(
            codes::BAD_VALUE,
            node.at_of("expression"),
            message,
            "keep one of `column` and `expression`",
        );
    }
}

fn values(node: &Node, datatype: Datatype, report: &mut Report<'_>) -> Vec<FieldValue> {
    let items = node.items_of("values");
    if items.len() > VALUES_PER_FIELD_MAX {
        let message =
            format!("the field declares {} values; at most {VALUES_PER_FIELD_MAX} are read", items.len());
        report.error(
            codes::TOO_MANY_ENTRIES,
            node.at_of("values"),
            message,
            "leave `values` out; they are looked up in the data",
        );
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let mut values = Vec::new();
    for item in items {
        let stored = item.get("value").unwrap_or(item);
        let Some(text) = stored.scalar() else { continue };
        if !seen.insert(text) {
            report.error(
                codes::REPEATED,
                stored.at,
                format!("the value `{text}` is listed twice"),
                "keep one of them",
            );
            continue;
        }
        if !fits(text, datatype) {
            let message = format!("`{text}` is not a value of type {}", datatype.name());
            report.error(codes::BAD_VALUE, stored.at, message, "write values of the field's own type");
        }
        values.push(FieldValue { value: text.to_owned(), synonyms: item.texts_of("synonyms") });
    }
    check_value_words(items, report);
    values
}

/// Two values of a field may not be called the same: a question that names one would mean either.
fn check_value_words(items: &[Node], report: &mut Report<'_>) {
    let mut claimed: HashMap<String, &str> = HashMap::new();
    for item in items {
        let Some(value) = item.get("value").unwrap_or(item).word() else { continue };
        for word in std::iter::once(value).chain(item.words_of("synonyms")) {
            match claimed.get(&normal(word.text)) {
                Some(other) if *other != value.text => {
                    let message = format!("\"{}\" is what the value `{other}` is called too", word.text);
                    report.warn(codes::CLAIMED_BY_KINDS, word.at, message, "leave the words to one of them");
                }
                Some(_) => {}
                None => {
                    claimed.insert(normal(word.text), value.text);
                }
            }
        }
    }
}

/// Whether a text can be a value of a type.
fn fits(text: &str, datatype: Datatype) -> bool {
    match datatype {
        Datatype::String => true,
        Datatype::Integer => text.parse::<i128>().is_ok(),
        Datatype::Decimal | Datatype::Float => text.parse::<bigdecimal::BigDecimal>().is_ok(),
        Datatype::Boolean => matches!(text, "true" | "false"),
        Datatype::Date => scalars::date(text).is_some(),
        Datatype::Timestamp => text.parse::<jiff::civil::DateTime>().is_ok(),
        Datatype::Instant => text.parse::<jiff::Timestamp>().is_ok(),
    }
}

/// Fills in the expressions of computed fields.
pub(super) fn read_expressions(
    node: &Node,
    dataset: &mut Dataset,
    dialect: &Dialect,
    report: &mut Report<'_>,
) {
    let computed: Vec<(&Node, String)> = node
        .items_of("fields")
        .iter()
        .filter(|field| field.get("expression").is_some())
        .filter_map(|field| Some((field, field.text_of("name")?)))
        .collect();
    // Which fields are computed must be known before any of their expressions is resolved.
    let plain = dataset.clone();
    for (field, name) in &computed {
        let wanted = (Runs::InSource, Gives::Value);
        let Some(fragment) = expression(field, "expression", &plain, dialect, wanted, report) else {
            continue;
        };
        for (other, at) in computed_named(&fragment, &computed, field, report) {
            let message = format!(
                "`{other}` is itself worked out by an expression, and this one runs inside the source"
            );
            report.error(
                codes::COMPUTED_OVER_COMPUTED,
                at,
                message,
                "repeat its expression here in brackets",
            );
        }
        let ty = typing::type_of(fragment.expr(), &plain, dialect);
        let Some(target) = dataset.fields.get_mut(name) else { continue };
        if !same_family(ty, target.datatype.sql()) {
            let message = format!(
                "the expression gives {}, but the field is of type {}",
                type_words(ty),
                target.datatype.name()
            );
            report.error(
                codes::WRONG_TYPE,
                field.at_of("expression"),
                message,
                "mend the expression or the datatype",
            );
        }
        target.expression = Some(fragment);
    }
}

fn computed_named(
    fragment: &tieout_sql::Fragment,
    computed: &[(&Node, String)],
    field: &Node,
    report: &Report<'_>,
) -> Vec<(String, super::problem::At)> {
    let Some(node) = field.get("expression") else { return Vec::new() };
    fragment
        .columns()
        .iter()
        .filter(|column| computed.iter().any(|(_, name)| name.eq_ignore_ascii_case(column)))
        .map(|column| (column.clone(), super::expressions::word_inside(node, column, report)))
        .collect()
}

/// Whether a value of one type can stand where another is declared, without becoming something else.
fn same_family(found: SqlType, declared: SqlType) -> bool {
    let family = |ty: SqlType| match ty {
        SqlType::Integer | SqlType::Decimal | SqlType::Float => 1,
        SqlType::Text => 2,
        SqlType::Boolean => 3,
        SqlType::Date | SqlType::DateTime | SqlType::Instant => 4,
        SqlType::Time => 5,
        SqlType::Blob | SqlType::Interval | SqlType::Other | SqlType::Unknown => 0,
    };
    let (found, declared) = (family(found), family(declared));
    found == 0 || declared == 0 || found == declared
}
