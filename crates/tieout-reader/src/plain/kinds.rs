//! Single words and constructions that people mean in more than one way, whatever stands beside them.

use tieout_core::reading::{
    Condition, Derivation, FiguresRequest, Grouping, MeasureRef, RankBy, Request, RowsRequest, Use, WordUse,
};

use crate::{
    grammar::ast::{Clause, Joined},
    language::{Caution, Class},
    lattice::{Item, Meaning},
};

use super::Look;

impl Look<'_> {
    /// `best`, `worst`: neither the most nor the least.
    pub(super) fn judged(&self) -> Option<String> {
        let at = self.warns(Caution::Judges)?;
        Some(format!("“{}” does not say whether the most or the least is meant", self.chart.text(at)))
    }

    /// `latest first`, `alphabetically`: an order by what the groups are called.
    pub(super) fn ordered_by_key(&self, figures: &FiguresRequest) -> Option<String> {
        let by_key = figures.ranking.as_ref().is_some_and(|ranking| matches!(ranking.by, RankBy::Field(_)));
        let at = self.warns(Caution::ByKey)?;
        (!by_key).then(|| format!("“{}” may be an order of the groups by name or time", self.chart.text(at)))
    }

    /// `compared to`, where one figure is shown.
    pub(super) fn compared_without(&self, figures: &FiguresRequest) -> Option<String> {
        let shown_apart = self.conditions().iter().any(|condition| match condition {
            Condition::OneOf { field, .. } => self.grouped_by(&format!("{}.{}", field.dataset, field.field)),
            _ => false,
        });
        if shown_apart
            || figures.derivation != Derivation::Plain
            || self.has(|c| matches!(c, Clause::Where(_, Joined::AsContrast)))
        {
            return None;
        }
        let says = |class| {
            (0..self.chart.tokens_count())
                .find(|at| self.chart.one_of(*at, &[class]).is_some() && self.chart.text(*at) != "over")
        };
        let at =
            says(Class::Versus).or_else(|| says(Class::Compare).filter(|_| !self.conditions().is_empty()))?;
        Some(format!(
            "“{}” asks for two figures side by side, and they are taken together",
            self.chart.text(at)
        ))
    }

    /// Whether a measure is, or is made of, a metric of a kind.
    pub(super) fn is_of_kind(&self, measure: &MeasureRef, kind: &str) -> bool {
        match measure {
            MeasureRef::Metric(name) => {
                self.catalogue.aggregates_within(name).any(|(_, aggregate)| aggregate.kind == kind)
            }
            MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => false,
        }
    }

    /// `by team`, where `team` is a value: groups, or that one alone?
    pub(super) fn by_a_value(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            if !matches!(word.used_as, Use::Value(_)) {
                return None;
            }
            let at = self.chart.tokens.iter().position(|token| token.start >= word.start)?;
            let before = at.checked_sub(1)?;
            let groups = self.chart.one_of(before, &[Class::By, Class::Each]).is_some_and(|next| next == at);
            // `opened by phone`: what happens by something.
            let happens = before.checked_sub(1).is_some_and(|verb| {
                let text = self.chart.text(verb);
                tieout_core::definitions::participle(text) || self.warns_at(verb, Caution::IdleVerb)
            });
            (groups && !happens).then(|| {
                format!("“{}” is taken for {}, and stands where groups are named", word.text, word.used_as)
            })
        })
    }

    /// Whether the figures are split by a field, as `dataset.field`.
    fn grouped_by(&self, name: &str) -> bool {
        let Request::Figures(figures) = self.request else { return false };
        figures.groupings.iter().any(|grouping| match &grouping.value {
            Grouping::Field(field) => format!("{}.{}", field.dataset, field.field) == name,
            Grouping::Time(_) => false,
        })
    }

    /// `to farms and to retail`: one figure for both, or one for each?
    pub(super) fn values_apart(&self) -> Option<String> {
        let values: Vec<(&WordUse, &str)> = self
            .words
            .iter()
            .filter_map(|word| match &word.used_as {
                Use::Value(value) => Some((word, value.split(" = ").next()?)),
                _ => None,
            })
            .collect();
        values.windows(2).find_map(|pair| {
            let [(first, field), (second, other)] = pair else { return None };
            if self.grouped_by(field) {
                return None;
            }
            let between = self.chart.slice(first.start.saturating_add(first.text.len()), second.start)?;
            let joined = between.to_lowercase();
            let plain = joined
                .split(|c: char| c.is_whitespace() || c == ',')
                .all(|word| matches!(word, "" | "/") || self.is_caution(word, Caution::BetweenValues));
            (field == other && !plain).then(|| {
                format!("“{}” and “{}” may each ask for a figure of its own", first.text, second.text)
            })
        })
    }

    /// `customers live in York`: a name of members that stands where a verb stands.
    pub(super) fn members_or_verb(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            if !matches!(word.used_as, Use::Population(_)) || word.text.split_whitespace().count() != 1 {
                return None;
            }
            let at = self.chart.tokens.iter().position(|token| token.start >= word.start)?;
            let next = self.chart.text(at.saturating_add(1));
            let before = at.checked_sub(1).map(|before| self.chart.text(before)).unwrap_or_default();
            if self.is_caution(before, Caution::BeforeNoun) {
                return None;
            }
            let followed = self.is_caution(next, Caution::BehindVerb);
            followed.then(|| format!("“{}” is taken for {}, and could be a verb", word.text, word.used_as))
        })
    }

    /// `new customers with a ticket`, where `new` is a value of the tickets.
    pub(super) fn adjective_of_another(&self) -> Option<String> {
        self.words.windows(2).find_map(|pair| {
            let [adjective, noun] = pair else { return None };
            let Use::Value(value) = &adjective.used_as else { return None };
            let of = value.split('.').next().unwrap_or_default();
            let another = match &noun.used_as {
                Use::Dataset(dataset) => of != dataset,
                // A metric may begin with the name of a thing: `customers with a ticket`.
                Use::Metric(_) => {
                    let at = self.chart.tokens.iter().position(|token| token.start >= noun.start)?;
                    let named = |item: &Item| match &item.meaning {
                        Meaning::Datasets(datasets) => datasets.clone(),
                        _ => Vec::new(),
                    };
                    let datasets: Vec<usize> = self.chart.items(at).iter().flat_map(named).collect();
                    let name = |index: &usize| {
                        self.catalogue.datasets.get_index(*index).map(|(name, _)| name.as_str())
                    };
                    !datasets.is_empty() && datasets.iter().all(|index| name(index) != Some(of))
                }
                _ => false,
            };
            another.then(|| {
                format!("“{}” is taken for {value}, and stands before “{}”", adjective.text, noun.text)
            })
        })
    }

    /// `average loans per officer`: the size of one, or how many.
    pub(super) fn average_of_many(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            let Use::Metric(name) = &word.used_as else { return None };
            let metric = self.catalogue.metrics.get(name)?;
            let text = word.text.to_lowercase();
            let called = |known: &str| known.to_lowercase() == text;
            let exact = called(&metric.label)
                || called(&metric.name.replace('_', " "))
                || metric.synonyms.iter().any(|synonym| called(synonym));
            let first = text.split_whitespace().next()?;
            let averages = self.chart.language().classes(first).contains(&Class::Average);
            (averages && !exact && text.ends_with('s')).then(|| {
                format!("“{}” is taken for {}, and could ask how many there are", word.text, metric.label)
            })
        })
    }

    /// `top 3 products`: by a field that no word names.
    pub(super) fn top_by_unsaid(&self, rows: &RowsRequest) -> Option<String> {
        let ranking = rows.ranking.as_ref()?;
        let RankBy::Field(field) = &ranking.by else { return None };
        let said = self.names_field(&field.dataset, &field.field);
        let sized = self.warns(Caution::Size).is_some()
            || self.says(Class::Newest).or_else(|| self.says(Class::Oldest)).is_some();
        let words = tieout_core::definitions::field_words(field, self.catalogue);
        (!said && !sized).then(|| format!("the order is taken to be that of the {words}, which no word says"))
    }
}
