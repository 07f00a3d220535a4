//! The block: five fields, one line each, each part with its source.

use super::describe::{comparison_words, condition_words, field_words, measure_words};
use crate::{
    catalogue::{BlockField, Catalogue, Graph, Measure, Metric, PathSearch, Project},
    metric_kinds::kind,
    number::{Unit, print_number},
    reading::{
        AskedPeriod, Condition, Derivation, FigureCondition, FiguresRequest, Grouping, MeasureRef, RankBy,
        Ranking, Request, RowsRequest, Sort, Source, Sourced, period_elsewhere,
    },
    scope::Scope,
};

/// One line of the block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockLine {
    /// Which of the five fields.
    pub field: BlockField,
    /// What it says, in parts, each with who said so.
    pub parts: Vec<BlockPart>,
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockPart {
    /// In words.
    pub text: String,
    /// Who said so.
    pub source: Source,
}

/// The block of a request. Empty for a question about the catalogue, which has no figures.
#[must_use]
pub(super) fn block(request: &Request, project: &Project, scope: &Scope) -> Vec<BlockLine> {
    let writer = Writer { project, catalogue: &project.catalogue, scope };
    let parts_of = |field| match request {
        Request::Figures(figures) => writer.figures_part(field, figures),
        Request::Rows(rows) => writer.rows_part(field, rows),
        Request::About(_) => Vec::new(),
    };
    let lines = BlockField::ALL.map(|field| BlockLine { field, parts: parts_of(field) });
    match request {
        Request::About(_) => Vec::new(),
        Request::Figures(_) | Request::Rows(_) => lines.into(),
    }
}

struct Writer<'a> {
    project: &'a Project,
    catalogue: &'a Catalogue,
    scope: &'a Scope,
}

impl Writer<'_> {
    fn figures_part(&self, field: BlockField, request: &FiguresRequest) -> Vec<BlockPart> {
        match field {
            BlockField::Metric => self.metric(request),
            BlockField::Population => {
                let datasets = self.datasets_of(&request.measures);
                self.population(&datasets, &request.conditions)
            }
            BlockField::Period => self.figures_period(request),
            BlockField::Grain => self.grain(request),
            BlockField::Exclusions => self.exclusions(request),
        }
    }

    fn rows_part(&self, field: BlockField, request: &RowsRequest) -> Vec<BlockPart> {
        let label = self.label(&request.dataset);
        match field {
            BlockField::Metric => {
                let columns: Vec<_> =
                    request.columns.iter().map(|c| field_words(&c.value, self.catalogue)).collect();
                vec![part(format!("a list of {label}, showing {}", columns.join(", ")), Source::Question)]
            }
            BlockField::Population => {
                self.population(std::slice::from_ref(&request.dataset), &request.conditions)
            }
            BlockField::Period => vec![self.period(&request.period)],
            BlockField::Grain => {
                let many = self.many_to_one_row(request);
                let related = if many.is_empty() {
                    String::new()
                } else {
                    format!(" and each related row of {}", many.join(" and "))
                };
                let mut parts =
                    vec![part(format!("one line for each of {label}{related}"), Source::Catalogue)];
                parts.extend(request.ranking.iter().map(|ranking| self.order(ranking, &[])));
                parts
            }
            BlockField::Exclusions => vec![part("none".to_owned(), Source::Catalogue)],
        }
    }

    /// What stands many to one row of a list, by its columns: such a row has as many lines.
    fn many_to_one_row(&self, request: &RowsRequest) -> Vec<String> {
        let graph = Graph::of(self.catalogue);
        let mut many = Vec::new();
        for column in &request.columns {
            let to = &column.value.dataset;
            let spelled =
                column.value.via.as_deref().and_then(|names| graph.spelled(&request.dataset, names));
            let way = spelled.or_else(|| match graph.search(&request.dataset, to) {
                PathSearch::One(way) => Some(way),
                PathSearch::None | PathSearch::Several(_) => None,
            });
            let label = self.label(to);
            if way.is_some_and(|way| !way.to_one()) && !many.contains(&label) {
                many.push(label);
            }
        }
        many
    }

    fn metric(&self, request: &FiguresRequest) -> Vec<BlockPart> {
        let mut parts = Vec::new();
        for measure in &request.measures {
            let source = match measure.source {
                Source::Question => Source::Catalogue,
                other @ (Source::Catalogue
                | Source::Session
                | Source::Previous
                | Source::Confirmed
                | Source::Assumed) => other,
            };
            parts.push(part(self.measure(&measure.value), source));
        }
        let beside = match &request.derivation {
            Derivation::Plain => None,
            Derivation::Against(contrast) => Some(format!(
                "and the change against {}",
                with_dates(&contrast.words, &contrast.baseline.to_string())
            )),
            Derivation::StepByStep => Some("and the change from each step to the next".to_owned()),
            Derivation::ShareOf { part } => {
                let tests: Vec<_> = part.iter().map(|c| condition_words(c, self.catalogue)).collect();
                Some(format!("as the share where {}", tests.join(" and ")))
            }
            Derivation::ShareOfTotal => Some("and each group's share of the total".to_owned()),
        };
        parts.extend(beside.map(|text| part(text, Source::Question)));
        parts
    }

    fn measure(&self, measure: &MeasureRef) -> String {
        match measure {
            MeasureRef::Metric(name) => match self.catalogue.metrics.get(name) {
                Some(metric) => self.metric_words(metric),
                None => name.clone(),
            },
            MeasureRef::Count { dataset } => {
                let key = self.catalogue.datasets.get(dataset).map(|d| d.primary_key.join(", "));
                format!("number of {}, one for each {}", self.label(dataset), key.unwrap_or_default())
            }
            MeasureRef::AdHoc { kind: name, dataset, field } => {
                let of = format!("{field} of {}", self.label(dataset));
                kind(name).map_or_else(|| format!("{name} of {of}"), |k| (k.reads_as)(&of))
            }
        }
    }

    fn metric_words(&self, metric: &Metric) -> String {
        let how = match &metric.measure {
            Measure::Aggregate(a) => {
                let of = a.of.as_ref().map_or_else(|| self.label(&a.dataset), |f| f.text().to_owned());
                let reads = kind(a.kind).map_or_else(|| of.clone(), |k| (k.reads_as)(&of));
                match &a.filter {
                    Some(filter) => format!("{reads} where {}", filter.text()),
                    None => reads,
                }
            }
            Measure::Ratio { numerator, denominator } => format!("{numerator} divided by {denominator}"),
            Measure::Derived { expression } => expression.to_string(),
        };
        let owner = metric.owner.as_ref().map(|o| format!(", {o}")).unwrap_or_default();
        let description = metric.description.as_ref().map(|d| format!(": {d}")).unwrap_or_default();
        format!("{} v{}{owner}{description} ({how})", metric.label, metric.version)
    }

    fn population(&self, datasets: &[String], conditions: &[Sourced<Condition>]) -> Vec<BlockPart> {
        let labels: Vec<_> = datasets.iter().map(|d| self.label(d)).collect();
        let mut parts = vec![part(format!("all {}", labels.join(" and ")), Source::Catalogue)];
        for name in datasets {
            let Some(filter) = self.catalogue.datasets.get(name).and_then(|d| d.filter.as_ref()) else {
                continue;
            };
            parts.push(part(
                format!("{} are rows where {}", self.label(name), filter.text()),
                Source::Catalogue,
            ));
        }
        for condition in conditions {
            parts.push(part(condition_words(&condition.value, self.catalogue), condition.source));
        }
        let scoped =
            datasets.iter().any(|d| self.catalogue.datasets.get(d).is_some_and(|d| d.tenant.is_some()));
        if let (true, Some(tenant)) = (scoped, self.scope.tenant()) {
            parts.push(part(format!("tenant {tenant}"), Source::Session));
        }
        parts
    }

    fn figures_period(&self, request: &FiguresRequest) -> Vec<BlockPart> {
        let mut parts = vec![self.period(&request.period)];
        if let Derivation::Against(contrast) = &request.derivation {
            let text = format!("against {}", with_dates(&contrast.words, &contrast.baseline.to_string()));
            parts.push(part(text, Source::Question));
        }
        for name in self.times_of(request) {
            parts.push(part(format!("by {name}"), Source::Catalogue));
        }
        parts
    }

    fn period(&self, asked: &AskedPeriod) -> BlockPart {
        let text = match &asked.period {
            None => asked.words.clone(),
            Some(period) => {
                let zone = period.zone().iana_name().unwrap_or("UTC");
                format!("{}, {zone}", with_dates(&asked.words, &period.to_string()))
            }
        };
        part(text, asked.source)
    }

    fn grain(&self, request: &FiguresRequest) -> Vec<BlockPart> {
        let mut parts = Vec::new();
        for measure in &request.measures {
            let text = match &measure.value {
                MeasureRef::Metric(name) => self.catalogue.metrics.get(name).and_then(|m| m.grain.clone()),
                MeasureRef::Count { dataset } | MeasureRef::AdHoc { dataset, .. } => {
                    Some(format!("one row of {}", self.label(dataset)))
                }
            };
            let text = text.unwrap_or_else(|| {
                let datasets = self.datasets_of(std::slice::from_ref(measure));
                let labels: Vec<_> = datasets.iter().map(|d| self.label(d)).collect();
                format!("one row of {}", labels.join(" and of "))
            });
            let line = part(text, Source::Catalogue);
            if !parts.contains(&line) {
                parts.push(line);
            }
        }
        if request.groupings.is_empty() {
            parts.push(part("one figure in all".to_owned(), Source::Question));
        }
        for grouping in &request.groupings {
            let text = match &grouping.value {
                Grouping::Field(field) if grouping.source == Source::Catalogue => {
                    format!("told apart by {}", field_words(field, self.catalogue))
                }
                Grouping::Field(field) => format!("by {}", field_words(field, self.catalogue)),
                Grouping::Time(grain) => format!("by {grain}"),
            };
            parts.push(part(text, grouping.source));
        }
        parts.extend(request.having.iter().map(|having| self.having(having, request)));
        parts.extend(request.ranking.iter().map(|ranking| self.order(ranking, &request.measures)));
        parts
    }

    /// Which groups are left after a condition on their figures.
    fn having(&self, having: &FigureCondition, request: &FiguresRequest) -> BlockPart {
        let measure = request.measures.get(having.measure).map(|m| &m.value);
        let words = measure.map(|m| measure_words(m, self.catalogue)).unwrap_or_default();
        let unit = match measure {
            Some(MeasureRef::Metric(name)) => self.catalogue.metrics.get(name).map(|m| m.unit.clone()),
            Some(MeasureRef::Count { .. } | MeasureRef::AdHoc { .. }) | None => None,
        };
        let unit = unit.unwrap_or_else(Unit::none);
        // The bound is shown with all its digits: rounded, it would not be the bound.
        let value = print_number(&having.value, &Unit { scale: None, ..unit.clone() });
        let bound = format!("{value} {}", unit.suffix());
        let text =
            format!("only groups with {words} {} {}", comparison_words(having.comparison), bound.trim_end());
        part(text, Source::Question)
    }

    /// The order, and how many are kept.
    fn order(&self, ranking: &Ranking, measures: &[Sourced<MeasureRef>]) -> BlockPart {
        let measure =
            |i: &usize| measures.get(*i).map(|m| measure_words(&m.value, self.catalogue)).unwrap_or_default();
        let by = match &ranking.by {
            RankBy::Measure(i) => measure(i),
            RankBy::Change(i) => format!("the change of {}", measure(i)),
            RankBy::Field(field) => field_words(field, self.catalogue),
        };
        let first = match ranking.sort {
            Sort::Ascending => "smallest first",
            Sort::Descending => "greatest first",
        };
        let kept = ranking.limit.map(|limit| format!(", the first {limit}")).unwrap_or_default();
        part(format!("in the order of {by}, {first}{kept}"), Source::Question)
    }

    fn exclusions(&self, request: &FiguresRequest) -> Vec<BlockPart> {
        let mut parts: Vec<BlockPart> = Vec::new();
        for name in request.measures.iter().flat_map(|m| self.metrics_in(&m.value)) {
            let Some(metric) = self.catalogue.metrics.get(&name) else { continue };
            for exclusion in &metric.exclusions {
                let line = part(exclusion.text.clone(), Source::Catalogue);
                if !parts.contains(&line) {
                    parts.push(line);
                }
            }
        }
        if parts.is_empty() { vec![part("none".to_owned(), Source::Catalogue)] } else { parts }
    }

    /// The metric and, for a ratio or a derived one, every metric that it is made of.
    fn metrics_in(&self, measure: &MeasureRef) -> Vec<String> {
        match measure {
            MeasureRef::Metric(name) => self.catalogue.metrics_within(name),
            MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => Vec::new(),
        }
    }

    fn datasets_of(&self, measures: &[Sourced<MeasureRef>]) -> Vec<String> {
        let mut names = Vec::new();
        for measure in measures {
            match &measure.value {
                MeasureRef::Metric(name) => {
                    names.extend(self.catalogue.aggregates_within(name).map(|(_, a)| a.dataset.clone()));
                }
                MeasureRef::Count { dataset } | MeasureRef::AdHoc { dataset, .. } => {
                    names.push(dataset.clone())
                }
            }
        }
        dedup(names)
    }

    /// The fields that place rows in time, as far as the asked period is about those rows.
    fn times_of(&self, request: &FiguresRequest) -> Vec<String> {
        let mut times: Vec<(String, String)> = Vec::new();
        for measure in &request.measures {
            match &measure.value {
                MeasureRef::Metric(name) => {
                    let timed = self.catalogue.aggregates_within(name);
                    times.extend(timed.filter_map(|(_, a)| Some((a.dataset.clone(), a.time.clone()?))));
                }
                MeasureRef::Count { dataset } | MeasureRef::AdHoc { dataset, .. } => {
                    let time = self.catalogue.datasets.get(dataset).and_then(|d| d.time.clone());
                    times.extend(time.map(|t| (dataset.clone(), t)));
                }
            }
        }
        let conditions = || request.conditions.iter().map(|c| &c.value);
        times.retain(|(dataset, _)| !period_elsewhere(self.catalogue, dataset, conditions()));
        dedup(times.into_iter().map(|(dataset, time)| format!("{time} of {dataset}")).collect())
    }

    fn label(&self, dataset: &str) -> String {
        self.project.catalogue.datasets.get(dataset).map_or(dataset.to_owned(), |d| d.label.clone())
    }
}

fn with_dates(words: &str, dates: &str) -> String {
    if words.contains(dates) || words == dates { words.to_owned() } else { format!("{words}: {dates}") }
}

fn dedup(names: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    for name in names {
        if !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}

fn part(text: String, source: Source) -> BlockPart {
    BlockPart { text, source }
}
