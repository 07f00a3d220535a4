//! One entry in full: how it is worked out in words, what it is called, what it may be split by, where it is used.

use tieout_sql::{Access, sqlparser::ast::Expr};

use super::Entry;
use crate::{
    catalogue::{
        Aggregate, Catalogue, Dataset, Field, Graph, JoinPath, Measure, Membership, Metric, PathSearch,
        Population, Presence, Related, Relationship, Status, Term, TermMeaning, load::spoken,
    },
    metric_kinds::{self, Additivity},
    number::{Rounding, Unit, UnitKind},
};

type Lines = Vec<(String, String)>;

/// An entry in full.
pub(super) fn entry(catalogue: &Catalogue, entry: Entry<'_>) -> String {
    let (title, lines) = match entry {
        Entry::Metric(metric) => (format!("metric {}", metric.name), metric_lines(catalogue, metric)),
        Entry::Population(population) => {
            (format!("population {}", population.name), population_lines(catalogue, population))
        }
        Entry::Dataset(dataset) => (format!("dataset {}", dataset.name), dataset_lines(catalogue, dataset)),
        Entry::Field(dataset, field) => {
            (format!("field {}.{}", dataset.name, field.name), field_lines(catalogue, dataset, field))
        }
        Entry::Relationship(link) => (format!("relationship {}", link.name), relationship_lines(link)),
        Entry::Term(term) => (format!("term {}", term.term), term_lines(term)),
    };
    let shown: Lines = lines.into_iter().filter(|(_, text)| !text.is_empty()).collect();
    format!("{title}\n{}", aligned(&shown))
}

/// Lines of two columns, the first as wide as its widest.
pub(super) fn aligned(lines: &[(String, String)]) -> String {
    let width = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    lines.iter().map(|(name, text)| format!("  {name:width$}  {text}\n")).collect()
}

fn line(name: &str, text: impl Into<String>) -> (String, String) {
    (name.to_owned(), text.into())
}

fn called(label: &str, synonyms: &[String]) -> (String, String) {
    let names: Vec<&str> = std::iter::once(label).chain(synonyms.iter().map(String::as_str)).collect();
    line("called", names.join("; "))
}

fn metric_lines(catalogue: &Catalogue, metric: &Metric) -> Lines {
    let status = match &metric.status {
        Status::Draft => "draft".to_owned(),
        Status::Approved => "approved".to_owned(),
        Status::Deprecated { superseded_by: Some(other) } => format!("deprecated, use {other}"),
        Status::Deprecated { superseded_by: None } => "deprecated".to_owned(),
    };
    let mut lines = vec![
        line("status", format!("{status}, version {}", metric.version)),
        line("owner", metric.owner.clone().unwrap_or_default()),
        called(&metric.label, &metric.synonyms),
        line("means", metric.description.clone().unwrap_or_default()),
        line("worked out", worked_out(catalogue, metric)),
    ];
    for exclusion in &metric.exclusions {
        let condition =
            exclusion.filter.as_ref().map(|filter| format!(" ({})", filter.text())).unwrap_or_default();
        lines.push(line("left out", format!("{}{condition}", exclusion.text)));
    }
    lines.push(line("one row", metric.grain.clone().unwrap_or_default()));
    lines.push(line("when", when(catalogue, metric)));
    lines.push(line("unit", format!("{}{}", unit(&metric.unit), stored(metric))));
    lines.push(line("adds up", adds_up(metric)));
    lines.push(line("split by", split_by(catalogue, metric)));
    if let Some(rows) = metric.minimum_group {
        lines.push(line("withheld", format!("groups of fewer than {rows} rows")));
    }
    lines.push(line("used by", metric_users(catalogue, &metric.name)));
    lines
}

/// How a metric is worked out, in words.
pub(super) fn worked_out(catalogue: &Catalogue, metric: &Metric) -> String {
    let label =
        |name: &str| catalogue.metrics.get(name).map_or_else(|| spoken(name), |metric| metric.label.clone());
    match &metric.measure {
        Measure::Aggregate(aggregate) => aggregate_words(catalogue, aggregate),
        Measure::Ratio { numerator, denominator } => {
            format!("{} divided by {}", label(numerator), label(denominator))
        }
        Measure::Derived { expression } => expression.to_string(),
    }
}

fn aggregate_words(catalogue: &Catalogue, aggregate: &Aggregate) -> String {
    let dataset = catalogue.datasets.get(&aggregate.dataset);
    let rows = dataset.map_or_else(|| spoken(&aggregate.dataset), |dataset| dataset.label.clone());
    let of = match &aggregate.of {
        None => rows.clone(),
        Some(of) => match (of.expr(), dataset) {
            (Expr::Identifier(name), Some(dataset)) => dataset
                .fields
                .get(&name.value)
                .map_or_else(|| of.text().to_owned(), |field| field.label.clone()),
            _ => of.text().to_owned(),
        },
    };
    let read = metric_kinds::kind(aggregate.kind).map_or_else(|| of.clone(), |kind| (kind.reads_as)(&of));
    let mut words = if aggregate.of.is_none() { read } else { format!("{read}, over {rows}") };
    if !aggregate.per.is_empty() {
        words += &format!(", for each {}", aggregate.per.join(" and "));
    }
    if let Some(restart) = aggregate.restart {
        words += &format!(", beginning again with each {restart}");
    }
    if let Some(population) = aggregate.population.as_ref().and_then(|name| catalogue.populations.get(name)) {
        words += &format!(", of {} only", population.label);
    }
    if let Some(filter) = &aggregate.filter {
        words += &format!(", where {}", filter.text());
    }
    if let Some(filter) = dataset.and_then(|dataset| dataset.filter.as_ref()) {
        words += &format!(" (of rows where {})", filter.text());
    }
    words
}

fn when(catalogue: &Catalogue, metric: &Metric) -> String {
    let mut places: Vec<String> = Vec::new();
    for (_, aggregate) in catalogue.aggregates_within(&metric.name) {
        let field = aggregate
            .time
            .as_ref()
            .and_then(|time| catalogue.datasets.get(&aggregate.dataset)?.fields.get(time));
        let place = field.map_or_else(
            || "no time".to_owned(),
            |field| format!("{} ({}.{})", field.label, aggregate.dataset, field.name),
        );
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places.join("; ")
}

fn unit(unit: &Unit) -> String {
    let what = match &unit.kind {
        UnitKind::Currency(code) => code.clone(),
        UnitKind::Percent => "percent".to_owned(),
        UnitKind::Ratio => "a ratio".to_owned(),
        UnitKind::Named(noun) => noun.clone(),
        UnitKind::None => return String::new(),
    };
    let scale = unit.scale.map(|scale| format!(", {scale} digits after the point")).unwrap_or_default();
    let rounding = match unit.rounding {
        Rounding::HalfEven => "",
        Rounding::HalfUp => ", halves rounded up",
        Rounding::Down => ", rounded towards zero",
    };
    let minor = if unit.minor { ", stored in the smallest unit" } else { "" };
    format!("{what}{scale}{rounding}{minor}")
}

/// How amounts are stored, where that is not how they are shown.
fn stored(metric: &Metric) -> String {
    match &metric.measure {
        Measure::Aggregate(Aggregate { minor_digits: digits @ 1.., .. }) => {
            format!(", stored in its smallest unit and divided by 1{}", "0".repeat(*digits as usize))
        }
        Measure::Aggregate(_) | Measure::Ratio { .. } | Measure::Derived { .. } => String::new(),
    }
}

fn adds_up(metric: &Metric) -> String {
    let additivity = match &metric.measure {
        Measure::Aggregate(aggregate) => metric_kinds::kind(aggregate.kind).map(|kind| kind.adds_up),
        Measure::Ratio { .. } | Measure::Derived { .. } => Some(Additivity::NonAdditive),
    };
    match additivity {
        Some(Additivity::Additive) => "over groups and over time".to_owned(),
        Some(Additivity::SemiAdditive) => "over groups, not over time".to_owned(),
        Some(Additivity::NonAdditive) => "not at all: a total is worked out by itself".to_owned(),
        None => String::new(),
    }
}

fn split_by(catalogue: &Catalogue, metric: &Metric) -> String {
    let Some(listed) = &metric.dimensions else { return reached(catalogue, metric) };
    let mut words = Vec::new();
    for dimension in listed {
        let way = dimension.via.as_ref().map(|via| format!(" via {}", via.join(", "))).unwrap_or_default();
        words.push(format!("{}.{}{way}", dimension.dataset, dimension.field));
    }
    if words.is_empty() { "nothing".to_owned() } else { format!("{}; nothing else", words.join(", ")) }
}

/// The datasets that the metric's own reach without repeating a row, and those for which a way must be chosen.
fn reached(catalogue: &Catalogue, metric: &Metric) -> String {
    let graph = Graph::of(catalogue);
    let homes: Vec<&str> =
        catalogue.aggregates_within(&metric.name).map(|(_, aggregate)| aggregate.dataset.as_str()).collect();
    let mut words = Vec::new();
    for dataset in catalogue.datasets.keys() {
        let searches: Vec<PathSearch> = homes.iter().map(|home| graph.search(home, dataset)).collect();
        let mut chosen = "";
        let all = searches.iter().all(|search| match search {
            PathSearch::One(path) => path.to_one(),
            PathSearch::Several(paths) => {
                chosen = " (by a way to choose)";
                paths.first().is_some_and(JoinPath::to_one)
            }
            PathSearch::None => false,
        });
        if all && !homes.is_empty() {
            words.push(format!("{dataset}{chosen}"));
        }
    }
    format!("any field of {}", words.join(", "))
}

fn metric_users(catalogue: &Catalogue, name: &str) -> String {
    let mut users: Vec<String> = catalogue
        .metrics
        .values()
        .filter(|other| match &other.measure {
            Measure::Aggregate(_) => false,
            Measure::Ratio { numerator, denominator } => numerator == name || denominator == name,
            Measure::Derived { expression } => expression.metrics().contains(&name),
        })
        .map(|other| format!("metric {}", other.name))
        .collect();
    users.extend(terms_naming(catalogue, name));
    users.join(", ")
}

fn terms_naming(catalogue: &Catalogue, name: &str) -> Vec<String> {
    let names = |term: &&Term| match &term.meaning {
        TermMeaning::Ambiguous(readings) => readings.iter().any(|reading| reading == name),
        TermMeaning::Absent(_) => false,
    };
    catalogue.terms.values().filter(names).map(|term| format!("term {}", term.term)).collect()
}

fn population_lines(catalogue: &Catalogue, population: &Population) -> Lines {
    let mut users: Vec<String> = catalogue
        .metrics
        .values()
        .filter(|metric| match &metric.measure {
            Measure::Aggregate(aggregate) => aggregate.population.as_ref() == Some(&population.name),
            Measure::Ratio { .. } | Measure::Derived { .. } => false,
        })
        .map(|metric| format!("metric {}", metric.name))
        .collect();
    users.extend(terms_naming(catalogue, &population.name));
    vec![
        called(&population.label, &population.synonyms),
        line("means", population.description.clone().unwrap_or_default()),
        line("members", members(catalogue, population)),
        line("used by", users.join(", ")),
    ]
}

/// Who belongs to a population, in words.
pub(super) fn members(catalogue: &Catalogue, population: &Population) -> String {
    let label = |name: &str| {
        catalogue.datasets.get(name).map_or_else(|| spoken(name), |dataset| dataset.label.clone())
    };
    let Membership { filter, related } = &population.membership;
    let mut conditions: Vec<String> =
        filter.iter().map(|filter| format!("where {}", filter.text())).collect();
    for Related { via, dataset, presence, filter, within_period } in related {
        let presence = match presence {
            Presence::Exists => "with",
            Presence::Absent => "without",
        };
        let condition = filter.as_ref().map(|filter| format!(" where {}", filter.text())).unwrap_or_default();
        let period = if *within_period { " in the asked period" } else { "" };
        conditions.push(format!("{presence} {}{condition}{period} (via {})", label(dataset), via.join(", ")));
    }
    format!("{} {}", label(&population.dataset), conditions.join(" and "))
}

fn dataset_lines(catalogue: &Catalogue, dataset: &Dataset) -> Lines {
    let freshness = dataset.freshness.as_ref();
    let mut lines = vec![
        called(&dataset.label, &dataset.synonyms),
        line("means", dataset.description.clone().unwrap_or_default()),
        line("source", dataset.source.clone()),
        line(
            "rows",
            dataset.filter.as_ref().map(|filter| format!("where {}", filter.text())).unwrap_or_default(),
        ),
        line("key", dataset.primary_key.join(", ")),
        line("tenant", dataset.tenant.clone().unwrap_or_default()),
        line("when", dataset.time.clone().unwrap_or_default()),
        line(
            "history",
            freshness.and_then(|f| f.history_start).map(|day| format!("since {day}")).unwrap_or_default(),
        ),
        line("named by", dataset.display.clone().unwrap_or_default()),
    ];
    for field in dataset.fields.values() {
        lines.push(line("field", format!("{}: {}", field.name, field_words(field))));
    }
    for link in catalogue.relationships.values() {
        if link.from == dataset.name {
            lines.push(line("leads to", format!("one of {} ({})", link.to, link.name)));
        }
        if link.to == dataset.name {
            lines.push(line("leads to", format!("many of {} ({})", link.from, link.name)));
        }
    }
    let metrics: Vec<String> = catalogue
        .metrics
        .values()
        .filter(|metric| match &metric.measure {
            Measure::Aggregate(aggregate) => aggregate.dataset == dataset.name,
            Measure::Ratio { .. } | Measure::Derived { .. } => false,
        })
        .map(|metric| metric.name.clone())
        .collect();
    lines.push(line("metrics", metrics.join(", ")));
    lines
}

fn field_words(field: &Field) -> String {
    let mut words = vec![field.datatype.name().to_owned()];
    words.extend(field.unit.as_ref().map(unit).filter(|unit| !unit.is_empty()));
    if field.identifier {
        words.push("names things".to_owned());
    }
    match field.access {
        Access::Open => {}
        Access::Sensitive => words.push("sensitive".to_owned()),
        Access::Hidden => words.push("hidden".to_owned()),
    }
    words.join(", ")
}

fn field_lines(catalogue: &Catalogue, dataset: &Dataset, field: &Field) -> Lines {
    let values: Vec<String> = field
        .values
        .iter()
        .map(|known| match known.synonyms.as_slice() {
            [] => known.value.clone(),
            synonyms => format!("{} ({})", known.value, synonyms.join(", ")),
        })
        .collect();
    let source = match &field.expression {
        Some(expression) => expression.text().to_owned(),
        None => format!("column {}", field.column.as_ref().unwrap_or(&field.name)),
    };
    let path = format!("{}.{}", dataset.name, field.name);
    let split: Vec<String> = catalogue
        .metrics
        .values()
        .filter(|metric| {
            let mut listed = metric.dimensions.iter().flatten();
            listed.any(|dimension| dimension.dataset == dataset.name && dimension.field == field.name)
        })
        .map(|metric| format!("metric {}", metric.name))
        .chain(terms_naming(catalogue, &path))
        .collect();
    vec![
        called(&field.label, &field.synonyms),
        line("means", field.description.clone().unwrap_or_default()),
        line("type", field_words(field)),
        line("source", source),
        line("values", values.join(", ")),
        line("used by", split.join(", ")),
    ]
}

fn relationship_lines(link: &Relationship) -> Lines {
    let pairs: Vec<String> = link
        .from_columns
        .iter()
        .zip(&link.to_columns)
        .map(|(from, to)| format!("{}.{from} = {}.{to}", link.from, link.to))
        .collect();
    let required = if link.required { "each row has its row" } else { "a row may be without" };
    vec![
        line("called", link.synonyms.join("; ")),
        line("leads", format!("from many of {} to one of {}, {required}", link.from, link.to)),
        line("pairs", pairs.join(" and ")),
    ]
}

fn term_lines(term: &Term) -> Lines {
    match &term.meaning {
        TermMeaning::Ambiguous(readings) => vec![line("may mean", readings.join(", "))],
        TermMeaning::Absent(why) => vec![line("absent", why.clone())],
    }
}
