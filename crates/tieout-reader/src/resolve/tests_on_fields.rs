//! Filters that compare a field with something typed: numbers, identifiers, dates, and the lack of a value.

use bigdecimal::BigDecimal;
use tieout_core::{
    catalogue::{Datatype, Field},
    number::UnitKind,
    reading::{Comparison, Condition, ReasonCode, Source},
};
use tieout_sql::Value;

use super::{
    Base, Resolver,
    conditions::Filtered,
    fields::{ChosenField, Purpose},
    reach::Reach,
};
use crate::{
    grammar::ast::{FieldPhrase, Filter, Literal},
    language::numbers::WrittenUnit,
    lattice::{FieldSense, Span, TimeItem},
    lexicon::{FieldId, NearKind, field_of},
    time::TimeKind,
};

/// The most values that a refusal lists.
const VALUES_LISTED_MAX: usize = 5;

impl Resolver<'_> {
    /// A field equal to something typed.
    pub(super) fn literal(
        &mut self,
        filter: &Filter,
        field: &FieldPhrase,
        literals: &[Literal],
        bases: &[Base],
    ) -> Filtered {
        let Some(chosen) = self.field(field, Purpose::Filter, bases, None) else {
            return Filtered::default();
        };
        self.equal(filter.negated, &chosen, literals)
    }

    /// `customer 42`: by the dataset's key, or by its display when that is known to hold it.
    pub(super) fn row(
        &mut self,
        filter: &Filter,
        dataset: usize,
        span: Span,
        literal: &Literal,
        bases: &[Base],
    ) -> Filtered {
        let name = self.dataset_name(dataset);
        self.note(span, tieout_core::reading::Use::Dataset(name));
        let Some(field) = self.naming_phrase(span, dataset) else { return Filtered::default() };
        let key = self.key_of(dataset).filter(|_| matches!(literal, Literal::Number { .. }));
        let senses = key.map(|field| vec![FieldSense { tier: crate::lexicon::Tier::Label, field }]);
        let field = FieldPhrase { senses: senses.unwrap_or(field.senses.clone()), ..field };
        let Some(chosen) = self.field(&field, Purpose::Filter, bases, None) else {
            return Filtered::default();
        };
        let filtered = self.equal(filter.negated, &chosen, std::slice::from_ref(literal));
        if filtered.conditions.is_empty() {
            self.unlikely(25);
        }
        filtered
    }

    /// The key of a dataset when it is one number.
    fn key_of(&self, dataset: usize) -> Option<FieldId> {
        let entry = self.dataset(dataset)?;
        let [only] = entry.primary_key.as_slice() else { return None };
        let (field, _, declared) = entry.fields.get_full(only)?;
        (declared.datatype == Datatype::Integer).then_some(FieldId { dataset, field })
    }

    fn equal(&mut self, negated: bool, chosen: &ChosenField, literals: &[Literal]) -> Filtered {
        let mut values = Vec::new();
        for literal in literals {
            let span = literal.span();
            let typed = match literal {
                Literal::Text(_, text) => text.clone(),
                Literal::Number { .. } => self.chart().typed(span),
                Literal::Time(_) => return Filtered::default(),
            };
            if let Some(stored) = self.known_value(chosen.id, &typed) {
                let name = format!("{}.{} = {stored}", chosen.reference.dataset, chosen.reference.field);
                self.note(span, tieout_core::reading::Use::Value(name));
                values.extend(self.typed_value(chosen.id, &stored, span));
                continue;
            }
            if self.chart().lexicon.lists_values_of(chosen.id) {
                self.no_such_value(chosen.id, span);
                return Filtered::default();
            }
            let value = match (literal, self.datatype(chosen.id)) {
                (
                    Literal::Number { value, unit, .. },
                    Some(Datatype::Integer | Datatype::Decimal | Datatype::Float),
                ) => self.stored_number(chosen.id, span, value, unit),
                _ => self.typed_value(chosen.id, &typed, span),
            };
            let Some(value) = value else { return Filtered::default() };
            let name = format!("{}.{} = {typed}", chosen.reference.dataset, chosen.reference.field);
            self.note(span, tieout_core::reading::Use::Value(name));
            values.push(value);
        }
        self.on_field(chosen, negated, |field, polarity| Condition::OneOf {
            field,
            values: values.clone(),
            polarity,
        })
    }

    /// The stored value of a field that is spelled so.
    fn known_value(&self, id: FieldId, typed: &str) -> Option<String> {
        let lexicon = self.chart().lexicon;
        let entry =
            lexicon.values(&crate::lexicon::value_key(typed)).iter().find(|entry| entry.field == id)?;
        Some(lexicon.stored(entry.value).to_owned())
    }

    fn datatype(&self, id: FieldId) -> Option<Datatype> {
        field_of(self.catalogue(), id).map(|(_, field)| field.datatype)
    }

    /// A value that does not exist among those that are all known.
    fn no_such_value(&mut self, id: FieldId, span: Span) {
        let Some((dataset, field)) = field_of(self.catalogue(), id) else { return };
        let near = self.chart().lexicon.near(&self.chart().typed(span));
        let mut nearest: Vec<String> =
            near.into_iter().filter(|near| near.kind == NearKind::Value(id)).map(|near| near.text).collect();
        if nearest.is_empty() {
            nearest = field.values.iter().take(VALUES_LISTED_MAX).map(|value| value.value.clone()).collect();
        }
        let message = format!("is not a value of {} ({dataset}.{})", field.label, field.name);
        self.blame_near(ReasonCode::UnknownValue, span, &message, "name a value that exists", nearest);
    }

    /// A number as the field stores it: whole units of a currency become cents where cents are stored.
    fn stored_number(
        &mut self,
        id: FieldId,
        span: Span,
        value: &BigDecimal,
        unit: &WrittenUnit,
    ) -> Option<Value> {
        let (_, field) = field_of(self.catalogue(), id)?;
        if !fits(field, unit) {
            let (message, hint) = match field.unit {
                Some(_) => (
                    format!("is in another unit than {}", field.label),
                    "give the number in the field's own unit",
                ),
                None => (
                    format!("has a unit, and the catalogue gives {} none", field.label),
                    "give the number alone, and name the unit as a condition where a field says it",
                ),
            };
            self.blame(ReasonCode::Unsupported, span, &message, hint);
            return None;
        }
        let minor = field.unit.as_ref().filter(|unit| unit.minor);
        let stored = match minor {
            Some(unit) => value * BigDecimal::from(10_u64.checked_pow(unit.scale.unwrap_or(2))?),
            None => value.clone(),
        };
        let whole = crate::lattice::whole(&stored).filter(|_| field.datatype == Datatype::Integer);
        Some(whole.map_or_else(|| Value::Decimal(stored.clone()), |whole| Value::Integer(i128::from(whole))))
    }

    /// A field compared with a bound.
    pub(super) fn compare(
        &mut self,
        filter: &Filter,
        field: Option<&FieldPhrase>,
        comparison: Comparison,
        literal: &Literal,
        bases: &[Base],
    ) -> Filtered {
        let Some(chosen) = field.and_then(|field| self.field(field, Purpose::Filter, bases, None)) else {
            return Filtered::default();
        };
        let comparison = if filter.negated { opposite(comparison) } else { comparison };
        let Some((comparison, value)) = self.bound(&chosen, comparison, literal) else {
            return Filtered::default();
        };
        self.on_field(&chosen, false, |field, _| Condition::Compare {
            field,
            comparison,
            value: value.clone(),
        })
    }

    /// The comparison with a bound: a date bounds by whole days, half-open.
    fn bound(
        &mut self,
        chosen: &ChosenField,
        comparison: Comparison,
        literal: &Literal,
    ) -> Option<(Comparison, Value)> {
        match literal {
            Literal::Number { span, value, unit } => {
                self.measurable(chosen.id, *span)?;
                let stored = self.stored_number(chosen.id, *span, value, unit)?;
                self.note(*span, tieout_core::reading::Use::Number(value.to_plain_string()));
                Some((comparison, stored))
            }
            Literal::Time(time) => self.date_bound(chosen.id, comparison, time),
            Literal::Text(span, _) => {
                self.blame(
                    ReasonCode::Unsupported,
                    *span,
                    "is neither a number nor a date",
                    "compare with a number",
                );
                None
            }
        }
    }

    /// Whether a field can be compared by size.
    fn measurable(&mut self, id: FieldId, span: Span) -> Option<()> {
        match self.datatype(id)? {
            Datatype::Integer | Datatype::Decimal | Datatype::Float => Some(()),
            Datatype::String
            | Datatype::Boolean
            | Datatype::Date
            | Datatype::Timestamp
            | Datatype::Instant => {
                let label =
                    field_of(self.catalogue(), id).map(|(_, field)| field.label.clone()).unwrap_or_default();
                let message = format!("is a number, and {label} is not");
                self.blame(ReasonCode::Unsupported, span, &message, "compare with a value of the same kind");
                None
            }
        }
    }

    fn date_bound(
        &mut self,
        id: FieldId,
        comparison: Comparison,
        time: &TimeItem,
    ) -> Option<(Comparison, Value)> {
        let TimeKind::Period(period) = &time.reading.kind else { return None };
        self.note_time(time);
        let datatype = self.datatype(id)?;
        if !matches!(datatype, Datatype::Date | Datatype::Timestamp) {
            self.blame(
                ReasonCode::Unsupported,
                time.span,
                "is a date, and the field is not",
                "compare with a number",
            );
            return None;
        }
        match comparison {
            Comparison::Above => Some((Comparison::AtLeast, Value::Date(period.end_exclusive()))),
            Comparison::AtLeast => Some((Comparison::AtLeast, Value::Date(period.start()))),
            Comparison::Below => Some((Comparison::Below, Value::Date(period.start()))),
            Comparison::AtMost => Some((Comparison::Below, Value::Date(period.end_exclusive()))),
            Comparison::Equal | Comparison::NotEqual => {
                self.blame(
                    ReasonCode::Unsupported,
                    time.span,
                    "is not compared so",
                    "say before, after, since or in",
                );
                None
            }
        }
    }

    /// A field between two numbers, both inside.
    pub(super) fn between(
        &mut self,
        filter: &Filter,
        field: Option<&FieldPhrase>,
        low: &Literal,
        high: &Literal,
        bases: &[Base],
    ) -> Filtered {
        let Some(chosen) = field.and_then(|field| self.field(field, Purpose::Filter, bases, None)) else {
            return Filtered::default();
        };
        let low = self.bound(&chosen, Comparison::AtLeast, low);
        let high = self.bound(&chosen, Comparison::AtMost, high);
        let (Some((_, low)), Some((_, high))) = (low, high) else { return Filtered::default() };
        if filter.negated {
            let field = chosen.reference.clone();
            let below =
                Condition::Compare { field: field.clone(), comparison: Comparison::Below, value: low };
            let above = Condition::Compare { field, comparison: Comparison::Above, value: high };
            return Filtered::one(Condition::Any(vec![below, above]), chosen.source);
        }
        self.on_field(&chosen, false, |field, _| Condition::Between {
            field,
            low: low.clone(),
            high: high.clone(),
        })
    }

    /// The field has no value, or has one.
    pub(super) fn missing(&mut self, filter: &Filter, field: &FieldPhrase, bases: &[Base]) -> Filtered {
        let Some(chosen) = self.field(field, Purpose::Filter, bases, None) else {
            return Filtered::default();
        };
        if chosen.reach == Reach::ToMany {
            self.blame(
                ReasonCode::Unsupported,
                filter.span,
                "asks for a missing value among many related rows",
                "ask for rows without any such related row",
            );
            return Filtered::default();
        }
        self.on_field(&chosen, filter.negated, |field, polarity| Condition::Missing { field, polarity })
    }

    /// A date field in a time. On the measure's own time field that is the period itself.
    pub(super) fn in_time(
        &mut self,
        filter: &Filter,
        span: Span,
        fields: &[FieldSense],
        time: &TimeItem,
        bases: &[Base],
    ) -> Filtered {
        let dated: Vec<FieldSense> = fields
            .iter()
            .filter(|sense| {
                matches!(
                    self.datatype(sense.field),
                    Some(Datatype::Date | Datatype::Timestamp | Datatype::Instant)
                )
            })
            .copied()
            .collect();
        if dated.is_empty() {
            self.unlikely(30);
            self.blame(ReasonCode::Unsupported, span, "is not a date", "name a date field");
            return Filtered::default();
        }
        let phrase = FieldPhrase { span, senses: dated, term: None, link: None };
        let Some(chosen) = self.field(&phrase, Purpose::Filter, bases, None) else {
            return Filtered::default();
        };
        let own = bases.iter().all(|base| {
            base.dataset == chosen.id.dataset && base.time.as_deref() == Some(chosen.reference.field.as_str())
        });
        if own && !filter.negated {
            return Filtered { conditions: Vec::new(), period: Some(time.clone()) };
        }
        let TimeKind::Period(period) = &time.reading.kind else { return Filtered::default() };
        self.note_time(time);
        if filter.negated {
            self.blame(
                ReasonCode::Unsupported,
                filter.span,
                "leaves out a period",
                "ask for the periods that are kept",
            );
            return Filtered::default();
        }
        let timed = self
            .dataset(chosen.id.dataset)
            .is_some_and(|entry| entry.time.as_deref() == Some(&chosen.reference.field));
        if chosen.reach == Reach::ToMany && timed {
            let related = Condition::Related {
                dataset: chosen.reference.dataset,
                via: chosen.reference.via,
                presence: tieout_core::catalogue::Presence::Exists,
                conditions: Vec::new(),
                period: Some(period.clone()),
            };
            return Filtered::one(related, chosen.source);
        }
        self.on_field(&chosen, false, |field, _| Condition::InPeriod { field, period: period.clone() })
    }

    /// Conditions on a field that no words named: the only one that a bound can be about.
    pub(super) fn bound_on(
        &mut self,
        phrase: &FieldPhrase,
        comparison: Comparison,
        low: &Literal,
        high: Option<&Literal>,
        base: &Base,
    ) -> Filtered {
        let bases = std::slice::from_ref(base);
        let filter =
            Filter { span: low.span(), negated: false, test: crate::grammar::ast::Test::Any(Vec::new()) };
        match high {
            Some(high) => self.between(&filter, Some(phrase), low, high, bases),
            None => self.compare(&filter, Some(phrase), comparison, low, bases),
        }
    }

    /// The numbers of a dataset's rows that have a size: not identifiers, not hidden.
    pub(super) fn sizes(&self, dataset: usize) -> Vec<FieldId> {
        let Some(entry) = self.dataset(dataset) else { return Vec::new() };
        let numeric = |field: &Field| {
            matches!(field.datatype, Datatype::Integer | Datatype::Decimal | Datatype::Float)
                && !field.identifier
                && field.access == tieout_sql::Access::Open
        };
        let fields = entry.fields.values().enumerate().filter(|(_, field)| numeric(field));
        fields.map(|(field, _)| FieldId { dataset, field }).collect()
    }

    /// A field that was not named, from the sizes of a dataset: the only one, or a doubt.
    pub(super) fn size_field(&mut self, span: Span, dataset: usize) -> Option<(FieldId, Source)> {
        let sizes = self.sizes(dataset);
        let label = self.dataset(dataset).map(|entry| entry.label.clone()).unwrap_or_default();
        if sizes.is_empty() {
            let message = format!("needs a number to go by, and {label} have none");
            self.blame(ReasonCode::Unsupported, span, &message, "say what is compared");
            return None;
        }
        if let [only] = sizes.as_slice() {
            return Some((*only, Source::Catalogue));
        }
        let choices: Vec<tieout_core::reading::Choice> = sizes
            .iter()
            .filter_map(|id| field_of(self.catalogue(), *id))
            .map(|(dataset, field)| self.field_choice(dataset, &field.name))
            .collect();
        let message =
            format!("{label} have {} numbers that `{}` could be about", choices.len(), self.words_of(span));
        let subject = format!("field:{}", self.words_of(span));
        let (index, source) = self.choose(&subject, message, choices);
        sizes.get(index).map(|id| (*id, source))
    }
}

/// Whether a unit written beside a number is the field's.
fn fits(field: &Field, unit: &WrittenUnit) -> bool {
    let kind = field.unit.as_ref().map(|unit| &unit.kind);
    match unit {
        WrittenUnit::None => true,
        WrittenUnit::Currency(code) => matches!(kind, Some(UnitKind::Currency(own)) if own == code),
        WrittenUnit::Percent => matches!(kind, Some(UnitKind::Percent)),
    }
}

/// What holds when a comparison does not.
fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Below => Comparison::AtLeast,
        Comparison::AtMost => Comparison::Above,
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::AtLeast => Comparison::Below,
        Comparison::Above => Comparison::AtMost,
    }
}
