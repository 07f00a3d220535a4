//! Questions about the catalogue itself: answered by quoting it.

use tieout_core::{
    catalogue::{Catalogue, Measure, Project, TermMeaning},
    claim::{Claims, Quote, tether_quotes},
    halt::Halt,
    metric_kinds::kind,
    reading::{AboutRequest, EntryRef, Problem, ReasonCode},
};

/// Quotes what the catalogue says.
///
/// # Errors
/// A refusal when the entry is not there.
pub(crate) fn about(request: &AboutRequest, project: &Project) -> Result<Claims, Halt> {
    let quotes = quotes(request, project)?;
    tether_quotes(&quotes, &|entry| source_text(request, project, entry)).map_err(Halt::Refuse)
}

/// What would be quoted for a question about the catalogue.
///
/// # Errors
/// A refusal when the entry is not there.
pub fn quotes(request: &AboutRequest, project: &Project) -> Result<Vec<Quote>, Halt> {
    let catalogue = &project.catalogue;
    let quotes = match request {
        AboutRequest::Definition(entry) => vec![definition(entry, catalogue)?],
        AboutRequest::Everything => everything(catalogue),
        AboutRequest::Values { dataset, field } => vec![values(dataset, field, catalogue)?],
        AboutRequest::Dimensions { metric } => vec![dimensions(metric, catalogue)?],
    };
    if quotes.is_empty() {
        return Err(missing("the catalogue holds nothing that can be asked for"));
    }
    Ok(quotes)
}

/// What the catalogue itself says of an entry, for the check of a quotation.
#[must_use]
pub fn source_text(request: &AboutRequest, project: &Project, entry: &str) -> Option<String> {
    quotes(request, project).ok()?.into_iter().find(|q| q.entry == entry).map(|q| q.text)
}

fn definition(entry: &EntryRef, catalogue: &Catalogue) -> Result<Quote, Halt> {
    let found = match entry {
        EntryRef::Metric(name) => metric(name, catalogue),
        EntryRef::Population(name) => catalogue.populations.get(name).map(|p| {
            let filter =
                p.membership.filter.as_ref().map(|f| format!(" where {}", f.text())).unwrap_or_default();
            let related: Vec<_> = p.membership.related.iter().map(related_words).collect();
            let said = p.description.as_ref().map(|d| format!(": {d}")).unwrap_or_default();
            format!("{}{said}: rows of {}{filter}{}", p.label, p.dataset, related.concat())
        }),
        EntryRef::Dataset(name) => catalogue.datasets.get(name).map(|d| {
            let fields: Vec<_> = d
                .fields
                .values()
                .filter(|f| f.access != tieout_sql::Access::Hidden)
                .map(|f| f.label.as_str())
                .collect();
            let said = d.description.as_ref().map(|s| format!(": {s}")).unwrap_or_default();
            format!(
                "{}{said}; one row for each {}; fields: {}",
                d.label,
                d.primary_key.join(", "),
                fields.join(", ")
            )
        }),
        EntryRef::Field(dataset, field) => {
            catalogue.datasets.get(dataset).and_then(|d| Some((d, d.fields.get(field)?))).map(|(d, f)| {
                let said = f.description.as_ref().map(|s| format!(": {s}")).unwrap_or_default();
                format!("{} of {}{said}", f.label, d.label)
            })
        }
        EntryRef::Term(name) => catalogue.terms.get(name).map(|t| match &t.meaning {
            TermMeaning::Ambiguous(readings) => format!("“{}” may mean {}", t.term, readings.join(" or ")),
            TermMeaning::Absent(why) => format!("“{}” is not recorded: {why}", t.term),
        }),
    };
    let name = entry_name(entry);
    match found {
        Some(text) => Ok(Quote { entry: name, text }),
        None => Err(missing(&format!("the catalogue has no {name}"))),
    }
}

fn related_words(related: &tieout_core::catalogue::Related) -> String {
    use tieout_core::catalogue::Presence;
    let verb = match related.presence {
        Presence::Exists => "with at least one of",
        Presence::Absent => "without any of",
    };
    let filter = related.filter.as_ref().map(|f| format!(" where {}", f.text())).unwrap_or_default();
    let period = if related.within_period { " in the period" } else { "" };
    format!(", {verb} {}{filter}{period}", related.dataset)
}

fn metric(name: &str, catalogue: &Catalogue) -> Option<String> {
    let m = catalogue.metrics.get(name)?;
    let how = match &m.measure {
        Measure::Aggregate(a) => {
            let of = a.of.as_ref().map_or(a.dataset.as_str(), |f| f.text());
            let reads = kind(a.kind).map_or_else(|| of.to_owned(), |k| (k.reads_as)(of));
            let filter = a.filter.as_ref().map(|f| format!(" where {}", f.text())).unwrap_or_default();
            let population = a.population.as_ref().map(|p| format!(", only {p}")).unwrap_or_default();
            let time = a.time.as_ref().map(|t| format!(", dated by {t}")).unwrap_or_default();
            format!("{reads} over {}{filter}{population}{time}", a.dataset)
        }
        Measure::Ratio { numerator, denominator } => format!("{numerator} divided by {denominator}"),
        Measure::Derived { expression } => expression.to_string(),
    };
    let said = m.description.as_ref().map(|d| format!(": {d}")).unwrap_or_default();
    let owner = m.owner.as_ref().map(|o| format!("; owner {o}")).unwrap_or_default();
    let out: Vec<_> = m.exclusions.iter().map(|e| e.text.as_str()).collect();
    let out = if out.is_empty() { String::new() } else { format!("; leaves out {}", out.join(", ")) };
    Some(format!("{} (version {}){said}; {how}{out}{owner}", m.label, m.version))
}

fn everything(catalogue: &Catalogue) -> Vec<Quote> {
    let metrics = catalogue.metrics.values().map(|m| {
        let said = m.description.as_ref().map(|d| format!(": {d}")).unwrap_or_default();
        Quote { entry: format!("metric {}", m.name), text: format!("{}{said}", m.label) }
    });
    let datasets = catalogue.datasets.values().map(|d| Quote {
        entry: format!("dataset {}", d.name),
        text: format!("how many {}, and lists of them", d.label),
    });
    metrics.chain(datasets).collect()
}

fn values(dataset: &str, field: &str, catalogue: &Catalogue) -> Result<Quote, Halt> {
    let found = catalogue.datasets.get(dataset).and_then(|d| d.fields.get(field));
    let open = found.filter(|f| f.access == tieout_sql::Access::Open && !f.values.is_empty());
    let field_name = format!("field {dataset}.{field}");
    match open {
        Some(f) => {
            let list: Vec<_> = f.values.iter().map(|v| v.value.as_str()).collect();
            Ok(Quote { entry: field_name, text: format!("{} is one of {}", f.label, list.join(", ")) })
        }
        None => Err(missing(&format!("the catalogue lists no values of {dataset}.{field}"))),
    }
}

fn dimensions(metric: &str, catalogue: &Catalogue) -> Result<Quote, Halt> {
    let found =
        catalogue.metrics.get(metric).ok_or_else(|| missing(&format!("there is no metric {metric}")))?;
    let text = match &found.dimensions {
        Some(listed) => {
            let names: Vec<_> = listed.iter().map(|d| format!("{}.{}", d.dataset, d.field)).collect();
            format!("{} may be split by {}", found.label, names.join(", "))
        }
        None => format!("{} may be split by any field that a stated relationship reaches", found.label),
    };
    Ok(Quote { entry: format!("metric {metric}"), text })
}

fn entry_name(entry: &EntryRef) -> String {
    match entry {
        EntryRef::Metric(name) => format!("metric {name}"),
        EntryRef::Population(name) => format!("population {name}"),
        EntryRef::Dataset(name) => format!("dataset {name}"),
        EntryRef::Field(dataset, field) => format!("field {dataset}.{field}"),
        EntryRef::Term(name) => format!("term {name}"),
    }
}

fn missing(message: &str) -> Halt {
    Halt::Refuse(vec![Problem::new(
        ReasonCode::Unsupported,
        message,
        "see what there is with `tieout catalogue show`",
    )])
}
