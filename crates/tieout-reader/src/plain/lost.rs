//! Words that are understood, and whose part in the reading is less than what they say.

use tieout_core::reading::{
    Condition, FiguresRequest, MeasureRef, Request, RowsRequest, Source, Use, WordUse,
};

use tieout_sql::Value;

use crate::{language::Class, lattice::Meaning, lexicon::field_of};

use super::Look;

/// How a word ends that says that a condition holds of every row.
pub(super) const EVERY_ROW: &str = "every row has one";

impl Look<'_> {
    /// `average collection rate across branches`: a mean of figures that are means themselves.
    pub(super) fn aggregate_of_a_metric(&self, figures: &FiguresRequest) -> Option<String> {
        if figures.measures.iter().any(|part| matches!(part.value, MeasureRef::AdHoc { .. })) {
            return None;
        }
        let word = self.words.iter().find(|word| {
            let text = word.text.to_lowercase();
            let aggregates =
                [Class::Average, Class::Median].into_iter().any(|class| self.is_word(&text, class));
            aggregates && matches!(word.used_as, Use::Grammar(_) | Use::Stop)
        })?;
        Some(format!("“{}” may ask for that of the figures that are shown", word.text))
    }

    /// `default rate for officers`, where each loan has one: groups may be meant.
    pub(super) fn narrows_nothing(&self, figures: &FiguresRequest) -> Option<String> {
        if !figures.groupings.is_empty() {
            return None;
        }
        let word = self.words.iter().find(|word| {
            let nothing = matches!(&word.used_as, Use::Grammar(label) if label.ends_with(EVERY_ROW));
            let of =
                self.before(word).is_some_and(|before| self.is_word(self.chart.text(before), Class::OfWord));
            let end = word.start.saturating_add(word.text.len());
            let next = self.chart.tokens.iter().position(|token| token.start >= end);
            let goes_on =
                next.is_some_and(|at| self.chart.one_of(at, &[Class::Relative, Class::With]).is_some());
            nothing && !of && !goes_on
        })?;
        Some(format!("“{}” narrows nothing, and may ask for groups", word.text))
    }

    /// The token before a word, articles and the like apart.
    fn before(&self, word: &WordUse) -> Option<usize> {
        let at = self.chart.tokens.iter().position(|token| token.start >= word.start)?;
        let skipped = [Class::Definite, Class::All, Class::Possessive];
        (0..at).rev().find(|before| self.chart.one_of(*before, &skipped).is_none())
    }

    /// `were paid`, where one date is called so and another, which only begins so, is taken.
    pub(super) fn begins_like_another(&self) -> Option<String> {
        self.words.iter().find_map(|word| {
            let Use::Field(name) = &word.used_as else { return None };
            let text = word.text.to_lowercase();
            let (dataset, field) = name.split_once('.')?;
            let taken = self.catalogue.datasets.get(dataset)?.fields.get(field)?;
            if called(taken).any(|known| known == text) {
                return None;
            }
            // `tickets open in September`, where `open` is how tickets stand as well.
            if let Some(other) = self.value_at(word).or_else(|| self.members_called(dataset, &text)) {
                return Some(format!(
                    "“{}” is taken for the {}, and could be {other}",
                    word.text, taken.label
                ));
            }
            let others = self.catalogue.datasets.values().flat_map(|set| set.fields.values());
            let other = others
                .into_iter()
                .find(|other| other.datatype == taken.datatype && called(other).any(|known| known == text))?;
            Some(format!(
                "“{}” is taken for the {}, and could be the {}",
                word.text, taken.label, other.label
            ))
        })
    }

    /// A value that just these words name, whatever they were taken for.
    fn value_at(&self, word: &WordUse) -> Option<String> {
        let at = self.chart.tokens.iter().position(|token| token.start >= word.start)?;
        let end = word.start.saturating_add(word.text.len());
        self.chart.items(at).iter().find_map(|item| {
            let next = self.chart.tokens.get(item.span.last.saturating_add(1));
            let whole = next.is_none_or(|next| next.start >= end);
            let Meaning::Values(values) = &item.meaning else { return None };
            let (dataset, field) = field_of(self.catalogue, values.first().filter(|_| whole)?.field)?;
            Some(format!("a {} of {dataset}", field.label))
        })
    }

    /// The population of a dataset that has a word in its name.
    fn members_called(&self, dataset: &str, text: &str) -> Option<String> {
        let called = |name: &String| name.to_lowercase().split(' ').any(|part| part == text);
        let mut all = self.catalogue.populations.values().filter(|population| population.dataset == dataset);
        let found =
            all.find(|population| called(&population.label) || population.synonyms.iter().any(called))?;
        Some(found.label.clone())
    }

    /// `orders with status placed in September`: a value behind its field that was taken for something else.
    pub(super) fn value_behind_its_field(&self) -> Option<String> {
        self.words.windows(2).find_map(|pair| {
            let [first, second] = pair else { return None };
            let Use::Field(name) = &first.used_as else { return None };
            if matches!(second.used_as, Use::Value(_)) {
                return None;
            }
            let (dataset, field) = name.split_once('.')?;
            let field = self.catalogue.datasets.get(dataset)?.fields.get(field)?;
            let text = second.text.to_lowercase();
            let is_said = |name: &String| {
                let name = name.to_lowercase();
                text == name || text.starts_with(&format!("{name} "))
            };
            let holds = field
                .values
                .iter()
                .any(|value| std::iter::once(&value.value).chain(&value.synonyms).any(is_said));
            holds.then(|| format!("“{}” is a {}, and is not taken for one", second.text, field.label))
        })
    }

    /// `customers were paid`, where it is they who pay: somebody else's date behind a passive.
    pub(super) fn done_to_them(&self) -> Option<String> {
        let own = match self.request {
            Request::Rows(rows) => rows.dataset.as_str(),
            Request::Figures(figures) => figures.measures.iter().find_map(|part| match &part.value {
                MeasureRef::Count { dataset } | MeasureRef::AdHoc { dataset, .. } => Some(dataset.as_str()),
                MeasureRef::Metric(name) => {
                    let (_, aggregate) = self.catalogue.aggregates_within(name).next()?;
                    Some(aggregate.dataset.as_str())
                }
            })?,
            Request::About(_) => return None,
        };
        let related = |other: &str| {
            self.catalogue
                .relationships
                .values()
                .any(|link| (link.from == own && link.to == other) || (link.from == other && link.to == own))
        };
        let word = self.words.iter().find(|word| {
            let Use::Field(name) = &word.used_as else { return false };
            let Some((dataset, _)) = name.split_once('.') else { return false };
            let passive =
                self.before(word).is_some_and(|at| self.chart.one_of(at, &[Class::Copula]).is_some());
            passive && dataset != own && !related(dataset)
        })?;
        Some(format!("“{}” is taken for what they did, and may be what was done to them", word.text))
    }

    /// `applied for`: a preposition that leads to nothing belongs to the verb before it.
    pub(super) fn dangling(&self) -> Option<String> {
        let word = self.words.iter().enumerate().find(|(place, word)| {
            let last = word.text.to_lowercase();
            let preposition = last.split_whitespace().last().is_some_and(|last| {
                self.is_word(last, Class::Preposition) || self.is_word(last, Class::OfWord)
            });
            let behind = place.checked_sub(1).and_then(|before| self.words.get(before));
            let verb = behind.is_some_and(|word| matches!(word.used_as, Use::Value(_) | Use::Field(_)));
            let next = self.words.get(place.saturating_add(1));
            let ends = next.is_none_or(|next| matches!(next.used_as, Use::Time(_)) || next.text == "?");
            matches!(word.used_as, Use::Stop) && preposition && verb && ends
        })?;
        Some(format!("“{}” leads to nothing, and may change what the word before it says", word.1.text))
    }

    /// `between 5k and 2k`: no number is.
    pub(super) fn bounds_turned(&self) -> Option<String> {
        let turned = |condition: &&Condition| match condition {
            Condition::Between { low, high, .. } => exceeds(low, high),
            _ => false,
        };
        self.conditions()
            .iter()
            .any(turned)
            .then(|| "the first bound lies above the second, and nothing is between them".to_owned())
    }

    /// `outstanding loans`, `customers who have an amount due`: a field that stands where something is narrowed.
    pub(super) fn column_or_condition(&self, rows: &RowsRequest) -> Option<String> {
        if rows.columns.iter().all(|column| column.source != Source::Question) {
            return None;
        }
        let adjective = self.words.windows(2).find_map(|pair| {
            let [field, thing] = pair else { return None };
            let between = self.chart.slice(field.start.saturating_add(field.text.len()), thing.start)?;
            let adjacent = between.chars().all(char::is_whitespace);
            let narrows = matches!(field.used_as, Use::Field(_)) && matches!(thing.used_as, Use::Dataset(_));
            (narrows && adjacent).then_some(field)
        });
        let had = self.words.iter().zip(self.words.iter().skip(1)).find_map(|(have, field)| {
            let owns =
                have.text.to_lowercase().split_whitespace().any(|part| self.is_word(part, Class::Have));
            let column = matches!(field.used_as, Use::Field(_));
            (owns && column && matches!(have.used_as, Use::Stop | Use::Grammar(_))).then_some(field)
        });
        let field = adjective.or(had)?;
        Some(format!("“{}” is shown of each, and may choose among them instead", field.text))
    }

    /// `customers having overdue amount`, where the overdue amount is a metric, and rows are listed by its words.
    pub(super) fn metric_taken_apart(&self) -> Option<String> {
        self.words.windows(2).find_map(|pair| {
            let [first, second] = pair else { return None };
            let named =
                |word: &WordUse| matches!(word.used_as, Use::Field(_) | Use::Value(_) | Use::Population(_));
            if !named(first) || !named(second) {
                return None;
            }
            let (one, two) = (first.text.to_lowercase(), second.text.to_lowercase());
            let metric = self.catalogue.metrics.values().find(|metric| {
                let names = [metric.label.to_lowercase(), metric.name.replace('_', " ")];
                let synonyms = metric.synonyms.iter().map(|name| name.to_lowercase());
                names
                    .into_iter()
                    .chain(synonyms)
                    .any(|name| name == format!("{one} {two}") || name == format!("{two} {one}"))
            })?;
            Some(format!(
                "“{} {}” may be the {}, and is read word by word",
                first.text, second.text, metric.label
            ))
        })
    }
}

/// Whether one bound lies above another.
fn exceeds(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Decimal(one), Value::Decimal(other)) => one > other,
        (Value::Integer(one), Value::Integer(other)) => one > other,
        (Value::Date(one), Value::Date(other)) => one > other,
        (Value::DateTime(one), Value::DateTime(other)) => one > other,
        (Value::Instant(one), Value::Instant(other)) => one > other,
        (_, _) => false,
    }
}

/// What a field is called, with and without the word for its date.
fn called(field: &tieout_core::catalogue::Field) -> impl Iterator<Item = String> + '_ {
    let bare = |name: String| {
        let name = name.strip_prefix("date ").map(str::to_owned).unwrap_or(name);
        let name = name.strip_suffix(" date").map(str::to_owned).unwrap_or(name);
        let name = name.strip_suffix(" on").map(str::to_owned).unwrap_or(name);
        name.strip_suffix(" at").map(str::to_owned).unwrap_or(name)
    };
    let names = [field.label.to_lowercase(), field.name.replace('_', " ").to_lowercase()];
    let synonyms = field.synonyms.iter().map(|name| name.to_lowercase());
    names.into_iter().chain(synonyms).flat_map(move |name| [bare(name.clone()), name])
}
