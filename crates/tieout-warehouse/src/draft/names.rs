//! Owns what names give away: a plain name for anything, whether a column looks like it names things, and whether one
//! column could refer to another. A name proves nothing; the data must.
//!
//! Deliberately absent: the data.

/// The longest name, in bytes.
const NAME_BYTES_MAX: usize = 60;

/// Names, each given once.
#[derive(Debug, Default)]
pub(crate) struct Names(Vec<String>);

impl Names {
    /// A plain name made of a text, told apart from those before it by a number.
    pub(crate) fn give(&mut self, text: &str) -> String {
        let plain = plain_name(text);
        let mut name = plain.clone();
        let mut number = 2;
        while self.0.contains(&name) {
            name = format!("{plain}_{number}");
            number += 1;
        }
        self.0.push(name.clone());
        name
    }
}

/// A text as a name of the catalogue: lower case, digits and underscores, a letter first.
pub(crate) fn plain_name(text: &str) -> String {
    let mut name = String::new();
    let mut before = ' ';
    for c in text.chars() {
        let split = c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit());
        if (split || !c.is_ascii_alphanumeric()) && !name.is_empty() && !name.ends_with('_') {
            name.push('_');
        }
        if c.is_ascii_alphanumeric() {
            name.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    name.truncate(NAME_BYTES_MAX);
    let name = name.trim_matches('_');
    match name.chars().next() {
        None => "data".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{name}"),
        Some(_) => name.to_owned(),
    }
}

/// A dataset's name, from the name of its file or table.
pub(crate) fn dataset_of(path: &str) -> String {
    let stem = std::path::Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or(path);
    plain_name(stem)
}

/// Whether a field's name says that it names things.
pub(crate) fn identifying(field: &str) -> bool {
    let last = field.rsplit('_').next().unwrap_or(field);
    matches!(
        last,
        "id" | "key"
            | "code"
            | "no"
            | "nr"
            | "number"
            | "identifier"
            | "uuid"
            | "guid"
            | "sku"
            | "email"
            | "symbol"
            | "iban"
    )
}

/// Whether a field could refer to another dataset's key by its name: it has the key's name, or the dataset's name is
/// in it and the key's own name is nothing more than an identifier's.
pub(crate) fn refers(field: &str, dataset: &str, key: &str) -> bool {
    let one = singular(dataset);
    let bare = key.strip_prefix(&format!("{one}_")).unwrap_or(key);
    let same = field == key && !matches!(key, "id" | "key" | "code" | "number" | "name");
    same || field == format!("{one}_{bare}") || field.ends_with(&format!("_{one}_{bare}")) || field == one
}

/// A plural's singular, near enough to compare names.
fn singular(plural: &str) -> String {
    if let Some(stem) = plural.strip_suffix("ies") {
        return format!("{stem}y");
    }
    for ending in ["sses", "shes", "ches", "xes"] {
        if plural.ends_with(ending) {
            return plural.trim_end_matches("es").to_owned();
        }
    }
    match plural.strip_suffix('s') {
        Some(stem) if !stem.ends_with('s') => stem.to_owned(),
        _ => plural.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_names() {
        for (text, name) in [
            ("Policy_Number", "policy_number"),
            ("customerID", "customer_id"),
            ("Loss Ratio (%)", "loss_ratio"),
            ("Größe", "gr_e"),
            ("2024 sales", "n2024_sales"),
            ("", "data"),
            ("__", "data"),
            ("HTTPStatus", "httpstatus"),
        ] {
            assert_eq!(plain_name(text), name, "{text}");
        }
        let mut names = Names::default();
        assert_eq!(["a b", "A-B", "a_b"].map(|text| names.give(text)), ["a_b", "a_b_2", "a_b_3"]);
        assert_eq!(dataset_of("data/Order Lines.csv"), "order_lines");
    }

    #[test]
    fn what_refers_to_what() {
        assert!(refers("customer_id", "customers", "customer_id"));
        assert!(refers("customer_id", "customers", "id"));
        assert!(refers("customer", "customers", "id"));
        assert!(refers("billing_customer_id", "customers", "customer_id"));
        assert!(refers("category_id", "categories", "id"));
        assert!(!refers("id", "customers", "id"));
        assert!(!refers("amount", "customers", "customer_id"));
        assert!(!refers("order_id", "customers", "customer_id"));
    }
}
