//! Figures that may be meant of other rows, of other groups, or of each.

use tieout_core::{
    catalogue::Datatype,
    reading::{FiguresRequest, RowsRequest, Source, Use, WordUse},
};

use crate::{language::Class, lattice::Meaning};

use super::{Look, lost::EVERY_ROW};

impl Look<'_> {
    /// `overdue amount of failed loans`: the words of a metric, none of which stands for it.
    pub(super) fn metric_passed_over(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            if matches!(word.used_as, Use::Metric(_) | Use::Dataset(_) | Use::Time(_) | Use::Definition(_)) {
                return None;
            }
            let at = self.chart.tokens.iter().position(|token| token.start == word.start)?;
            let item = self.chart.items(at).iter().find(|item| {
                matches!(item.meaning, Meaning::Metrics(_)) && item.span.last > item.span.first
            })?;
            let last = self.chart.tokens.get(item.span.last)?;
            let within = |other: &WordUse| other.start >= word.start && other.start <= last.start;
            let measured = |other: &&WordUse| matches!(other.used_as, Use::Metric(_)) && within(other);
            let covered = word.start.saturating_add(word.text.len()) > last.start;
            (!covered && !self.words.iter().any(|other| measured(&other))).then(|| {
                format!("“{}” names a metric, and is read word by word", self.chart.typed(item.span))
            })
        })
    }

    /// `amount due of loans paid out in 2024`: rows are listed by a name that a metric has too.
    pub(super) fn sum_or_rows(&self, rows: &RowsRequest) -> Option<String> {
        let lists = [Class::List, Class::Show, Class::What, Class::Which, Class::Who];
        if rows.columns.len() != 1 || lists.into_iter().any(|class| self.says(class).is_some()) {
            return None;
        }
        let shown = |name: &str| {
            let column = rows.columns.first().filter(|column| column.source == Source::Question);
            column.is_some_and(|column| format!("{}.{}", column.value.dataset, column.value.field) == name)
        };
        let names = |word: &&WordUse| match &word.used_as {
            Use::Field(name) => self.names_metric(&word.text) || (shown(name) && self.measures(name)),
            _ => false,
        };
        let word = self.words.iter().find(names)?;
        Some(format!("“{}” is a figure as well, and rows would be listed", word.text))
    }

    /// Whether a field, as `dataset.field`, holds amounts, of which a sum may be meant.
    fn measures(&self, name: &str) -> bool {
        let found = name.split_once('.').and_then(|(dataset, field)| {
            let dataset = self.catalogue.datasets.get(dataset)?;
            dataset.fields.get(field).filter(|field| !dataset.primary_key.contains(&field.name))
        });
        found.is_some_and(|field| field.datatype == Datatype::Decimal || field.unit.is_some())
    }

    fn names_metric(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.catalogue.metrics.values().any(|metric| {
            metric.label.to_lowercase() == text
                || metric.name.replace('_', " ") == text
                || metric.synonyms.iter().any(|synonym| synonym.to_lowercase() == text)
        })
    }

    /// `net revenue of September orders`: the time of the things, or of what is measured?
    pub(super) fn time_of_things(&self) -> Option<String> {
        self.words.windows(2).find_map(|run| {
            let [time, thing] = run else { return None };
            let between = self.chart.slice(time.start.saturating_add(time.text.len()), thing.start)?;
            let adjacent = between.chars().all(char::is_whitespace);
            let is_thing = match &thing.used_as {
                Use::Dataset(_) | Use::Population(_) | Use::Metric(_) => true,
                Use::Grammar(label) => label.ends_with(EVERY_ROW),
                _ => false,
            };
            let at = self.words.iter().position(|word| word.start == time.start)?;
            let named = |word: &WordUse| matches!(word.used_as, Use::Metric(_) | Use::Dataset(_));
            let measured = self.words.get(..at)?.iter().any(named);
            (adjacent && measured && matches!(time.used_as, Use::Time(_)) && is_thing).then(|| {
                format!("“{}” may be the time of the {}, and not of what is measured", time.text, thing.text)
            })
        })
    }

    /// `refunds of orders` read as two figures; `net revenue by channel and refunds by plan` as both by both.
    pub(super) fn measures_crossed(&self, figures: &FiguresRequest) -> Option<String> {
        if figures.measures.len() < 2 {
            return None;
        }
        let is_measure = |word: &&WordUse| matches!(word.used_as, Use::Metric(_));
        let splits = |word: &WordUse| {
            self.is_word(&word.text.to_lowercase(), Class::By)
                && matches!(word.used_as, Use::Grammar(_) | Use::Stop)
        };
        let first = self.words.iter().position(splits);
        let last = self.words.iter().rposition(splits);
        if let (Some(first), Some(last)) = (first, last)
            && let Some(later) = self.words.get(first..last).and_then(|words| words.iter().find(is_measure))
        {
            return Some(format!("“{}” stands behind groups that may not be meant for it", later.text));
        }
        let measures: Vec<&WordUse> = self.words.iter().filter(is_measure).collect();
        let joins = [Class::And, Class::Versus, Class::Or, Class::With, Class::Compare];
        measures.windows(2).find_map(|pair| {
            let [first, second] = pair else { return None };
            let between = self.chart.slice(first.start.saturating_add(first.text.len()), second.start)?;
            let between = between.to_lowercase();
            let is_joint = |part: &str| joins.into_iter().any(|class| self.is_word(part, class));
            let end = first.start.saturating_add(first.text.len());
            let next = self.chart.tokens.iter().position(|token| token.start >= end);
            let phrase = next.is_some_and(|at| self.chart.one_of(at, &joins).is_some());
            let joined =
                phrase || between.contains([',', '&', '/', ';']) || between.split_whitespace().any(is_joint);
            (!joined).then(|| {
                format!("“{}” and “{}” are taken for two figures side by side", first.text, second.text)
            })
        })
    }

    /// `maximum order value by customer`: the greatest of each, or the customers in order.
    pub(super) fn extreme_of_groups(&self, figures: &FiguresRequest) -> Option<String> {
        let ranked = figures.ranking.as_ref().is_some_and(|ranking| ranking.limit.is_none());
        let word = self.word_of(&[Class::Maximum, Class::Minimum])?;
        (ranked && !figures.groupings.is_empty()).then(|| {
            format!("“{}” may ask for that of each group, and the groups would be put in order", word.text)
        })
    }

    /// `sum of backlog over September`: what stood each day is not added up.
    pub(super) fn sum_of_a_stock(&self, figures: &FiguresRequest) -> Option<String> {
        let stock = figures
            .measures
            .iter()
            .any(|part| ["latest", "cumulative"].into_iter().any(|kind| self.is_of_kind(&part.value, kind)));
        let word = self.word_of(&[Class::Total])?;
        (stock && figures.period.period.is_some())
            .then(|| format!("“{}” may add up what stood at several times, and the last is shown", word.text))
    }

    /// A word of some classes that shapes the question and names nothing.
    fn word_of(&self, classes: &[Class]) -> Option<&WordUse> {
        self.words.iter().find(|word| {
            let text = word.text.to_lowercase();
            matches!(word.used_as, Use::Grammar(_) | Use::Stop)
                && classes.iter().any(|class| self.is_word(&text, *class))
        })
    }

    /// `one order`: all would be listed.
    pub(super) fn one_of_rows(&self, rows: &RowsRequest) -> Option<String> {
        let cut = rows.ranking.as_ref().is_some_and(|ranking| ranking.limit.is_some());
        let at = (0..self.chart.tokens_count()).find(|at| self.chart.text(*at) == "one")?;
        let word = self.word_at(at)?;
        let idle = matches!(word.used_as, Use::Grammar(_) | Use::Stop | Use::Dataset(_));
        (idle && !cut).then(|| "one is asked for, and all would be listed".to_owned())
    }
}
