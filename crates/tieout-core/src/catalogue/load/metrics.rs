//! Metrics: what each kind needs and has no use for, what it is taken of, and what it is made of.
//!
//! The table in `metric_kinds/` says what differs from kind to kind. Deliberately absent: the words that metrics claim,
//! and the ways to their dimensions.

use indexmap::IndexMap;
use tieout_sql::Fragment;

use super::{
    Context, codes, datasets, dimensions,
    expressions::{Gives, Runs, expression, type_words, word_inside},
    made,
    node::{Node, Word},
    problem::Report,
    relationships, spoken, typing, units,
};
use crate::{
    catalogue::{Aggregate, Catalogue, Dataset, Exclusion, Measure, Metric, Status},
    metric_kinds::{self, Accepts, Arithmetic, MadeOf, MetricKind, Need},
    number::{Unit, UnitKind},
    time::Grain,
};

/// Every metric that has a name and a known kind, by it.
pub(super) fn read(
    context: &Context<'_>,
    catalogue: &Catalogue,
    report: &mut Report<'_>,
) -> IndexMap<String, Metric> {
    let mut metrics = IndexMap::new();
    for (name, node) in &context.entries.metrics {
        let Some(kind) = node.word_of("kind").and_then(|word| metric_kinds::kind(word.text)) else {
            continue;
        };
        check_needs(node, kind, report);
        let Some((measure, unit)) = measure(node, kind, context, catalogue, report) else { continue };
        let metric = Metric {
            name: name.clone(),
            label: node.text_of("label").unwrap_or_else(|| spoken(name)),
            version: node.whole_of("version").and_then(|version| u32::try_from(version).ok()).unwrap_or(1),
            status: status(node, name, context, report),
            owner: node.text_of("owner"),
            description: node.text_of("description"),
            synonyms: node.texts_of("synonyms"),
            exclusions: exclusions(node, &measure, catalogue, report),
            grain: node.text_of("grain"),
            unit,
            dimensions: None,
            minimum_group: node.whole_of("minimum_group"),
            measure,
        };
        metrics.insert(name.clone(), metric);
    }
    made::check_and_fill(context, &mut metrics, report);
    dimensions::fill(context, catalogue, &mut metrics, report);
    metrics
}

/// Keys that a kind needs, and keys that it has no use for.
fn check_needs(node: &Node, kind: &MetricKind, report: &mut Report<'_>) {
    let only = |made_of: MadeOf| if kind.made_of == made_of { Need::Required } else { Need::Unused };
    let rows = |need: Need| if kind.of_metrics() { Need::Unused } else { need };
    let needs = [
        ("dataset", only(MadeOf::Rows)),
        ("of", kind.of),
        ("where", rows(Need::Optional)),
        ("population", rows(Need::Optional)),
        ("time", rows(Need::Optional)),
        ("per", kind.per),
        ("restart", kind.restart),
        ("numerator", only(MadeOf::TwoMetrics)),
        ("denominator", only(MadeOf::TwoMetrics)),
        ("expression", only(MadeOf::Expression)),
    ];
    for (key, need) in needs {
        match (need, node.get(key)) {
            (Need::Required, None) => {
                let message = format!("a metric of kind `{}` needs `{key}`", kind.name);
                report.error(codes::KIND_NEEDS, node.at_of("kind"), message, format!("add `{key}`"));
            }
            (Need::Unused, Some(value)) => {
                let message = format!("a metric of kind `{}` has no use for `{key}`", kind.name);
                report.error(
                    codes::KIND_UNUSED,
                    value.at,
                    message,
                    format!("remove `{key}`, or choose another kind"),
                );
            }
            (Need::Required | Need::Optional, Some(_)) | (Need::Optional | Need::Unused, None) => {}
        }
    }
}

fn measure(
    node: &Node,
    kind: &'static MetricKind,
    context: &Context<'_>,
    catalogue: &Catalogue,
    report: &mut Report<'_>,
) -> Option<(Measure, Unit)> {
    match kind.made_of {
        MadeOf::Rows => aggregate(node, kind, catalogue, report),
        MadeOf::TwoMetrics => {
            let part = |key: &str, report: &mut Report<'_>| {
                let word = node.word_of(key)?;
                known_metric(word, context, report).then(|| word.owned())
            };
            let (numerator, denominator) = (part("numerator", report), part("denominator", report));
            let unit = units::declared(node, report).unwrap_or_else(Unit::none);
            Some((Measure::Ratio { numerator: numerator?, denominator: denominator? }, unit))
        }
        MadeOf::Expression => {
            let unit = units::declared(node, report).unwrap_or_else(Unit::none);
            Some((Measure::Derived { expression: derived(node, context, report)? }, unit))
        }
    }
}

fn derived(node: &Node, context: &Context<'_>, report: &mut Report<'_>) -> Option<Arithmetic> {
    let value = node.get("expression")?;
    let expression = match Arithmetic::parse(value.scalar()?) {
        Ok(expression) => expression,
        Err(error) => {
            let at = super::expressions::inside(value, error.offset, 1, report);
            report.error(codes::BAD_EXPRESSION, at, error.message, error.hint);
            return None;
        }
    };
    let names: Vec<String> = expression.metrics().into_iter().map(str::to_owned).collect();
    if names.is_empty() {
        let message = "the expression names no metric, so it would be the same figure always";
        report.error(codes::BAD_EXPRESSION, value.at, message, "name at least one metric");
    }
    let mut all = true;
    for name in names {
        let at = word_inside(value, &name, report);
        all &= known_metric(Word { text: &name, at }, context, report);
    }
    all.then_some(expression)
}

fn known_metric(word: Word<'_>, context: &Context<'_>, report: &mut Report<'_>) -> bool {
    let known = context.entries.metrics.contains_key(word.text);
    if !known {
        let message = format!("there is no metric `{}`", word.text);
        report.unknown(
            codes::UNKNOWN_METRIC,
            word,
            message,
            context.entries.metrics.keys().map(String::as_str),
        );
    }
    known
}

fn aggregate(
    node: &Node,
    kind: &'static MetricKind,
    catalogue: &Catalogue,
    report: &mut Report<'_>,
) -> Option<(Measure, Unit)> {
    let dataset = relationships::dataset(node.word_of("dataset")?, &catalogue.datasets, report)?;
    let dialect = catalogue.dialect;
    let of = expression(node, "of", dataset, dialect, (Runs::InQuery, Gives::Value), report);
    if let Some(of) = &of {
        check_of(node, of, kind, (dataset, catalogue), report);
    }
    let (unit, minor_digits) = unit(node, of.as_ref(), kind, (dataset, catalogue), report);
    for word in node.words_of("per") {
        if datasets::check_field(word, dataset, report) && datasets::is_hidden(dataset, word.text) {
            let message = format!("`{}` is hidden, so no query may use it", word.text);
            report.error(
                codes::HIDDEN_FIELD,
                word.at,
                message,
                "make the field `sensitive`, or choose another",
            );
        }
    }
    let aggregate = Aggregate {
        kind: kind.name,
        dataset: dataset.name.clone(),
        of,
        filter: expression(node, "where", dataset, dialect, (Runs::InQuery, Gives::Condition), report),
        population: population(node, dataset, catalogue, report),
        time: time(node, kind, dataset, report),
        minor_digits,
        per: node.texts_of("per"),
        restart: restart(node),
    };
    Some((Measure::Aggregate(aggregate), unit))
}

/// What a kind is taken of must be numbers that measure, where it works numbers out.
fn check_of(
    node: &Node,
    of: &Fragment,
    kind: &MetricKind,
    (dataset, catalogue): (&Dataset, &Catalogue),
    report: &mut Report<'_>,
) {
    let Some(value) = node.get("of").filter(|_| kind.accepts == Accepts::Measures) else { return };
    for name in typing::value_fields(of.expr(), catalogue.dialect) {
        if typing::field(dataset, &name).is_some_and(|field| field.identifier) {
            let message = format!("`{name}` names things, so its {} means nothing", kind.name);
            let at = word_inside(value, &name, report);
            report.error(
                codes::SUM_OF_IDENTIFIER,
                at,
                message,
                "count it instead, or mark the field `identifier: false`",
            );
        }
    }
    let ty = typing::type_of(of.expr(), dataset, catalogue.dialect);
    if !typing::is_number(ty) && ty != tieout_sql::SqlType::Unknown {
        let message =
            format!("a metric of kind `{}` needs numbers, and this is {}", kind.name, type_words(ty));
        let hint = "take it of a number, or count rows with a `where`";
        report.error(codes::NOT_A_NUMBER, value.at, message, hint);
    }
}

/// The unit of its figures, and by which power of ten what is fetched is divided.
fn unit(
    node: &Node,
    of: Option<&Fragment>,
    kind: &MetricKind,
    (dataset, catalogue): (&Dataset, &Catalogue),
    report: &mut Report<'_>,
) -> (Unit, u32) {
    let counts = kind.accepts == Accepts::Anything;
    let taken = match (counts, of) {
        (false, Some(of)) => units::of_expression(node, of, (dataset, catalogue.dialect), report),
        (true, _) | (false, None) => units::Taken { unit: units::declared(node, report), minor_digits: 0 },
    };
    let Some(unit) = taken.unit else {
        let plain = kind.name == "count" && of.is_none();
        return (
            if plain { Unit::count(&dataset.label) } else { Unit { scale: whole(counts), ..Unit::none() } },
            0,
        );
    };
    if counts && matches!(unit.kind, UnitKind::Currency(_) | UnitKind::Percent | UnitKind::Ratio) {
        let message = "a count is a number of things, not money or a share";
        report.error(
            codes::UNCLEAR_UNIT,
            node.at_of("unit"),
            message,
            "write the things, such as `unit: { name: orders }`",
        );
    }
    let says_scale = node.get("unit").is_some_and(|unit| unit.get("scale").is_some());
    let unit = match (says_scale, kind.parts.len()) {
        (false, 2..) => units::of_quotient(unit),
        _ if counts && unit.scale.is_none() => Unit { scale: Some(0), ..unit },
        _ => unit,
    };
    (unit, taken.minor_digits)
}

fn whole(counts: bool) -> Option<u32> {
    counts.then_some(0)
}

fn population(
    node: &Node,
    dataset: &Dataset,
    catalogue: &Catalogue,
    report: &mut Report<'_>,
) -> Option<String> {
    let word = node.word_of("population")?;
    let Some(population) = catalogue.populations.get(word.text) else {
        let message = format!("there is no population `{}`", word.text);
        report.unknown(
            codes::UNKNOWN_POPULATION,
            word,
            message,
            catalogue.populations.keys().map(String::as_str),
        );
        return None;
    };
    if population.dataset != dataset.name {
        let message =
            format!("`{}` is a population of `{}`, not of `{}`", word.text, population.dataset, dataset.name);
        report.error(
            codes::OTHER_DATASET,
            word.at,
            message,
            "choose a population of the metric's own dataset",
        );
    }
    Some(word.owned())
}

/// The field that says when: as declared, else the dataset's; `none` for no time at all.
fn time(node: &Node, kind: &MetricKind, dataset: &Dataset, report: &mut Report<'_>) -> Option<String> {
    let time = match node.word_of("time") {
        Some(word) if word.text == "none" => None,
        Some(word) => {
            datasets::check_time(word, dataset, report);
            Some(word.owned())
        }
        None => dataset.time.clone(),
    };
    if time.is_none() && kind.time == Need::Required {
        let message = format!("a metric of kind `{}` needs a field that says when", kind.name);
        let hint = format!("give it a `time`, or give one to the dataset `{}`", dataset.name);
        let at = node.get("time").map_or_else(|| node.at_of("kind"), |time| time.at);
        report.error(codes::NO_TIME, at, message, hint);
    }
    time
}

fn restart(node: &Node) -> Option<Grain> {
    match node.word_of("restart")?.text {
        "year" => Some(Grain::Year),
        "fiscal_year" => Some(Grain::FiscalYear),
        "quarter" => Some(Grain::Quarter),
        "month" => Some(Grain::Month),
        _ => None,
    }
}

fn status(node: &Node, name: &str, context: &Context<'_>, report: &mut Report<'_>) -> Status {
    let successor = node.word_of("superseded_by");
    if let Some(word) = successor {
        known_metric(word, context, report);
    }
    match (node.word_of("status").map(|word| word.text), successor) {
        (Some("deprecated"), None) => {
            let message = format!("`{name}` is deprecated, and nothing says what to use instead");
            report.warn(codes::NOT_SUPERSEDED, node.at_of("status"), message, "add `superseded_by`");
            Status::Deprecated { superseded_by: None }
        }
        (Some("deprecated"), Some(word)) => Status::Deprecated { superseded_by: Some(word.owned()) },
        (status, Some(word)) => {
            let message = format!("`{name}` has a successor but is not deprecated");
            report.warn(
                codes::NOT_SUPERSEDED,
                word.at,
                message,
                "add `status: deprecated`, or remove `superseded_by`",
            );
            plain_status(status)
        }
        (status, None) => plain_status(status),
    }
}

fn plain_status(status: Option<&str>) -> Status {
    if status == Some("draft") { Status::Draft } else { Status::Approved }
}

fn exclusions(
    node: &Node,
    measure: &Measure,
    catalogue: &Catalogue,
    report: &mut Report<'_>,
) -> Vec<Exclusion> {
    let dataset = match measure {
        Measure::Aggregate(aggregate) => catalogue.datasets.get(&aggregate.dataset),
        Measure::Ratio { .. } | Measure::Derived { .. } => None,
    };
    let mut exclusions = Vec::new();
    for item in node.items_of("exclusions") {
        let Some(text) = item.text_of("text") else { continue };
        let filter = match (dataset, item.get("where")) {
            (Some(dataset), _) => expression(
                item,
                "where",
                dataset,
                catalogue.dialect,
                (Runs::InQuery, Gives::Condition),
                report,
            ),
            (None, Some(condition)) => {
                let message = "a metric made of other metrics has no rows of its own to leave out";
                report.error(
                    codes::KIND_UNUSED,
                    condition.at,
                    message,
                    "leave them out of the metrics it is made of",
                );
                None
            }
            (None, None) => None,
        };
        exclusions.push(Exclusion { text, filter });
    }
    exclusions
}
