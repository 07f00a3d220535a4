//! Figures: measures side by side, groups and orders that nobody asked for, bases that nobody named.

use tieout_core::{
    catalogue::Measure,
    number::UnitKind,
    reading::{Derivation, FiguresRequest, MeasureRef, RankBy, Ranking, Source, Use},
};

use crate::{
    grammar::ast::{Ask, Clause, Joined},
    language::{Caution, Class},
    lattice::Meaning,
    time::TimeKind,
};

use super::Look;

impl Look<'_> {
    pub(super) fn figures(&self, figures: &FiguresRequest) -> Option<String> {
        self.figures_together(figures)
            .or_else(|| self.filter_between(figures))
            .or_else(|| self.ordered_by_key(figures))
            .or_else(|| self.compared_without(figures))
            .or_else(|| self.as_of(figures))
            .or_else(|| self.running_since(figures))
            .or_else(|| self.least_steps(figures))
            .or_else(|| self.split_by_another_date(figures))
            .or_else(|| self.which(figures))
            .or_else(|| self.listed_as_one(figures))
            .or_else(|| self.shifted_by_another_unit(figures))
            .or_else(|| self.aggregate_of_a_metric(figures))
            .or_else(|| self.narrows_nothing(figures))
            .or_else(|| self.measures_crossed(figures))
            .or_else(|| self.extreme_of_groups(figures))
            .or_else(|| self.sum_of_a_stock(figures))
            .or_else(|| self.several_measures(figures))
            .or_else(|| self.split_unasked(figures))
            .or_else(|| self.counted_in_money(figures))
            .or_else(|| self.base_unsaid(figures))
            .or_else(|| self.backwards(figures))
            .or_else(|| self.part_of_a_percent(figures))
            .or_else(|| self.largest_of_several())
            .or_else(|| self.between_snapshots(figures))
            .or_else(|| self.ranked(figures.ranking.as_ref(), Some(figures)))
    }

    /// `which customer has the largest loan?`: all of them are shown.
    pub(super) fn which(&self, figures: &FiguresRequest) -> Option<String> {
        let chooses = self.sequence.clauses.iter().any(|placed| {
            matches!(*placed.clause, Clause::Ask(_)) && self.warns_at(placed.span.first, Caution::Chooses)
        });
        let chosen = figures.ranking.is_some() || !figures.having.is_empty();
        (chooses && !chosen).then(|| "some are asked for, and nothing chooses among them".to_owned())
    }

    /// `list orders placed in May`: rows are asked for, and how many there are would be shown.
    pub(super) fn listed_as_one(&self, figures: &FiguresRequest) -> Option<String> {
        if !figures.groupings.is_empty() || self.says(Class::HowMany).is_some() {
            return None;
        }
        let (listed, shown) = (self.says(Class::List).is_some(), self.says(Class::Show).is_some());
        let counted = figures.measures.iter().any(|part| self.counts(&part.value));
        (listed || (shown && counted && self.names_rows()))
            .then(|| "rows may be asked for, and one figure would be shown".to_owned())
    }

    /// Whether a metric is named by words that rows have as well: `orders placed`, and not `order count`.
    fn names_rows(&self) -> bool {
        self.words.iter().filter(|word| matches!(word.used_as, Use::Metric(_))).any(|word| {
            let at = self.chart.tokens.iter().position(|token| token.start == word.start);
            at.is_some_and(|at| {
                let heads =
                    self.chart.items(at).iter().any(|item| matches!(item.meaning, Meaning::Datasets(_)));
                let plural = self.chart.tokens.get(at).is_some_and(|token| token.text.ends_with('s'));
                heads && plural
            })
        })
    }

    /// A count beside another measure may have been a condition on it.
    pub(super) fn several_measures(&self, figures: &FiguresRequest) -> Option<String> {
        let counts =
            |measure: &MeasureRef| matches!(measure, MeasureRef::Count { .. } | MeasureRef::AdHoc { .. });
        let several = figures.measures.len() > 1;
        let beside = several && figures.measures.iter().any(|part| counts(&part.value));
        // `orders that have tax`: a condition, and not two figures.
        let had = several && self.says(Class::Have).is_some();
        (beside || had)
            .then(|| "a count stands beside another measure, and could narrow it instead".to_owned())
    }

    /// Groups that no word of grouping asks for.
    pub(super) fn split_unasked(&self, figures: &FiguresRequest) -> Option<String> {
        let asked = figures.groupings.iter().any(|grouping| grouping.source == Source::Question);
        let split = self.has(|clause| {
            matches!(
                clause,
                Clause::By(_) | Clause::Each(_) | Clause::Trend | Clause::Rank(_) | Clause::Sort(_)
                    | Clause::Ask(Ask::Which) | Clause::Having(_) | Clause::Bound(..)
                    | Clause::Where(_, Joined::AsContrast)
            ) || matches!(clause, Clause::When(time) if matches!(time.reading.kind, TimeKind::Grain(_) | TimeKind::StepByStep(_)))
        });
        (asked && !split && self.says(Class::By).is_none())
            .then(|| "nothing asks for the groups that it is split into".to_owned())
    }

    /// `missed repayments in pounds`: the currency narrows what is counted, and an amount of it may have been meant.
    pub(super) fn counted_in_money(&self, figures: &FiguresRequest) -> Option<String> {
        if self.says(Class::HowMany).is_some()
            || figures.measures.iter().any(|part| self.is_money(&part.value))
        {
            return None;
        }
        let currency = self.words.iter().find(|word| match &word.used_as {
            Use::Value(value) => {
                value.split_once(" = ").is_some_and(|(field, _)| self.holds_currencies(field))
            }
            _ => false,
        })?;
        Some(format!(
            "“{}” narrows what is counted, and could ask for an amount of money instead",
            currency.text
        ))
    }

    fn is_money(&self, measure: &MeasureRef) -> bool {
        let unit = match measure {
            MeasureRef::Metric(name) => self.catalogue.metrics.get(name).map(|metric| &metric.unit),
            MeasureRef::AdHoc { dataset, field, .. } => self
                .catalogue
                .datasets
                .get(dataset)
                .and_then(|dataset| dataset.fields.get(field))
                .and_then(|field| field.unit.as_ref()),
            MeasureRef::Count { .. } => None,
        };
        unit.is_some_and(|unit| matches!(unit.kind, UnitKind::Currency(_)))
    }

    /// Whether a field, by its dataset and name, says of which currency an amount is: one of its values is a unit here.
    fn holds_currencies(&self, name: &str) -> bool {
        let field = name
            .split_once('.')
            .and_then(|(dataset, field)| self.catalogue.datasets.get(dataset)?.fields.get(field));
        let units = self.catalogue.metrics.values().map(|metric| &metric.unit);
        let is_unit = |value: &str| {
            units.clone().any(|unit| matches!(&unit.kind, UnitKind::Currency(code) if code == value))
        };
        field.is_some_and(|field| field.values.iter().any(|value| is_unit(&value.value)))
    }

    /// `growth by month`: against what is not said.
    pub(super) fn base_unsaid(&self, figures: &FiguresRequest) -> Option<String> {
        let Derivation::Against(contrast) = &figures.derivation else { return None };
        let said = self.has(|clause| match clause {
            Clause::Versus(..) | Clause::Contrast(..) => true,
            Clause::When(time) => {
                matches!(time.reading.kind, TimeKind::Previous { .. } | TimeKind::SameLastYear)
            }
            _ => false,
        });
        let periods = self.has_two_periods();
        (!said && !periods).then(|| format!("no word says that it is compared with {}", contrast.words))
    }

    /// `2025 vs 2026`: the later one stands as the base.
    pub(super) fn backwards(&self, figures: &FiguresRequest) -> Option<String> {
        let Derivation::Against(contrast) = &figures.derivation else { return None };
        let period = figures.period.period.as_ref()?;
        (contrast.baseline.start() > period.start())
            .then(|| format!("the change is worked out from {} on, which is the later one", contrast.words))
    }

    /// `above 0.7` of a percentage: as it stands, or seventy of a hundred.
    pub(super) fn part_of_a_percent(&self, figures: &FiguresRequest) -> Option<String> {
        let bound = figures.having.iter().find(|having| {
            let unit = figures.measures.get(having.measure).and_then(|measure| match &measure.value {
                MeasureRef::Metric(name) => self.catalogue.metrics.get(name).map(|metric| &metric.unit.kind),
                MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => None,
            });
            let value: Option<f64> = having.value.to_plain_string().parse().ok();
            unit == Some(&UnitKind::Percent) && value.is_some_and(|value| value > 0.0 && value < 1.0)
        })?;
        let shown = bound.value.to_plain_string();
        Some(format!("{shown} is taken for {shown} %, and could be that part of a whole"))
    }

    /// `largest orders`: the metric is of one.
    pub(super) fn largest_of_several(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            let text = word.text.to_lowercase();
            let first = text.split_whitespace().next()?;
            let sized = self.is_caution(first, Caution::Size);
            let several = text.ends_with('s') && text.contains(' ');
            (matches!(word.used_as, Use::Metric(_)) && sized && several)
                .then(|| format!("“{}” names several, and one figure would be shown", word.text))
        })
    }

    /// What there was on a day, where the last snapshot may be an older one.
    pub(super) fn between_snapshots(&self, figures: &FiguresRequest) -> Option<String> {
        let stock = figures.measures.iter().any(|measure| self.is_of_kind(&measure.value, "latest"));
        let period = figures.period.period.as_ref()?;
        let ends_a_month = period.end_exclusive().day() == 1;
        (stock && period.days() <= 1 && !ends_a_month)
            .then(|| "the last snapshot up to that day is shown, which may be an older one".to_owned())
    }

    pub(super) fn has_two_periods(&self) -> bool {
        let period = |clause: &Clause| matches!(clause, Clause::When(time) if matches!(time.reading.kind, TimeKind::Period(_)));
        self.sequence.clauses.iter().filter(|placed| period(placed.clause.as_ref())).count() > 1
    }

    /// An order by a key, or by how many there are where the size of one is asked for.
    pub(super) fn ranked(
        &self,
        ranking: Option<&Ranking>,
        figures: Option<&FiguresRequest>,
    ) -> Option<String> {
        let ranking = ranking?;
        match &ranking.by {
            RankBy::Field(field) => {
                let dataset = self.catalogue.datasets.get(&field.dataset)?;
                let is_key = dataset.primary_key.contains(&field.field)
                    || dataset.fields.get(&field.field).is_some_and(|field| field.identifier);
                let said = self.names_field(&field.dataset, &field.field);
                (is_key && !said).then(|| "the order is that of a number that only names things".to_owned())
            }
            RankBy::Measure(index) | RankBy::Change(index) => {
                let measure = &figures?.measures.get(*index)?.value;
                let sized = self.warns(Caution::Size).is_some();
                (sized && self.counts(measure))
                    .then(|| "the size of one is asked for, and how many there are would decide".to_owned())
            }
        }
    }

    pub(super) fn counts(&self, measure: &MeasureRef) -> bool {
        match measure {
            MeasureRef::Count { .. } => true,
            MeasureRef::AdHoc { .. } => false,
            MeasureRef::Metric(name) => {
                match self.catalogue.metrics.get(name).map(|metric| &metric.measure) {
                    Some(Measure::Aggregate(aggregate)) => {
                        matches!(aggregate.kind, "count" | "count_distinct")
                    }
                    Some(Measure::Ratio { .. } | Measure::Derived { .. }) | None => false,
                }
            }
        }
    }
}
