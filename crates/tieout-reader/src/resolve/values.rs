//! Filters by values that exist: which field has them, and what is done where several do.

use tieout_core::{
    catalogue::{Datatype, Presence},
    reading::{Choice, Condition, Polarity, ReasonCode, Source, Use},
};
use tieout_sql::Value;

use super::{
    Base, Resolver,
    conditions::{Filtered, polarity},
    fields::{ChosenField, Purpose},
    reach::Reach,
};
use crate::{
    grammar::ast::{FieldPhrase, Filter, ValuePhrase},
    lattice::{FieldSense, Span},
    lexicon::{FieldId, Tier, field_of},
};

impl Resolver<'_> {
    /// One of these values, of the named field or of the one field that has them all.
    pub(super) fn values(
        &mut self,
        filter: &Filter,
        field: Option<&FieldPhrase>,
        values: &[ValuePhrase],
        bases: &[Base],
    ) -> Filtered {
        let Some(chosen) = self.field_of_values(field, values, bases) else { return Filtered::default() };
        let mut stored = Vec::new();
        for value in values {
            let Some(entry) = value.senses.iter().find(|sense| sense.field == chosen.id) else { continue };
            let text = self.chart().lexicon.stored(entry.value).to_owned();
            let name = format!("{}.{} = {text}", chosen.reference.dataset, chosen.reference.field);
            self.note(value.span, Use::Value(name));
            if let Some(typed) = self.typed_value(chosen.id, &text, value.span) {
                stored.push(typed);
            }
        }
        stored.dedup();
        if stored.is_empty() {
            return Filtered::default();
        }
        self.on_field(&chosen, filter.negated, |field, polarity| Condition::OneOf {
            field,
            values: stored.clone(),
            polarity,
        })
    }

    /// The field of a list of values.
    fn field_of_values(
        &mut self,
        field: Option<&FieldPhrase>,
        values: &[ValuePhrase],
        bases: &[Base],
    ) -> Option<ChosenField> {
        let first = values.first()?;
        let has_all =
            |id: FieldId| values.iter().all(|value| value.senses.iter().any(|sense| sense.field == id));
        if let Some(phrase) = field {
            let senses = phrase.senses.iter().filter(|sense| has_all(sense.field)).copied().collect();
            return self.field(&FieldPhrase { senses, ..phrase.clone() }, Purpose::Filter, bases, None);
        }
        let mut fields: Vec<FieldId> =
            first.senses.iter().map(|sense| sense.field).filter(|id| has_all(*id)).collect();
        fields.sort_unstable();
        fields.dedup();
        let reached: Vec<(FieldId, Reach)> = fields
            .into_iter()
            .map(|id| (id, self.reach_all(bases, id.dataset)))
            .filter(|(_, reach)| *reach != Reach::Nowhere)
            .collect();
        let span = Span {
            first: first.span.first,
            last: values.last().map_or(first.span.last, |value| value.span.last),
        };
        if reached.is_empty() {
            self.unlinked(span, bases);
            return None;
        }
        let best = self.likeliest(&reached, bases);
        let (id, reach) = self.one_of_fields(span, &best)?;
        self.reached(id, reach, Source::Question, bases, Purpose::Filter)
    }

    /// What is told of the row itself before another's; what a metric lists as a grouping before what it does not; a single row's
    /// before many rows'. What is left is equally good.
    fn likeliest(&self, reached: &[(FieldId, Reach)], bases: &[Base]) -> Vec<(FieldId, Reach)> {
        let listed = |id: FieldId| {
            bases.iter().any(|base| {
                base.allowed.as_ref().is_some_and(|(_, list)| {
                    field_of(self.catalogue(), id)
                        .is_some_and(|(d, f)| list.iter().any(|one| one.dataset == d && one.field == f.name))
                })
            })
        };
        let any_listed = bases.iter().any(|base| base.allowed.is_some());
        // An adjective tells of the row itself: `open tickets`. Elsewhere a row's own field is no likelier than one that
        // the metric is split by.
        let adjectival = self.adjectival;
        let rank = |(id, reach): &(FieldId, Reach)| {
            let own = *reach == Reach::Own;
            (*reach == Reach::ToMany, adjectival && !own, !own && !listed(*id) && any_listed)
        };
        let Some(best) = reached.iter().map(rank).min() else { return Vec::new() };
        reached.iter().filter(|one| rank(one) == best).copied().collect()
    }

    fn one_of_fields(&mut self, span: Span, fields: &[(FieldId, Reach)]) -> Option<(FieldId, Reach)> {
        if let [only] = fields {
            return Some(*only);
        }
        let choices: Vec<Choice> = fields
            .iter()
            .filter_map(|(id, _)| field_of(self.catalogue(), *id))
            .map(|(dataset, field)| self.field_choice(dataset, &field.name))
            .collect();
        let words = self.words_of(span);
        let message = format!("`{words}` is a value of {} fields", choices.len());
        let (index, _) = self.choose(&format!("value:{words}"), message, choices);
        fields.get(index).copied()
    }

    /// The condition on a field; over a to-many link, that a related row meets it.
    pub(super) fn on_field(
        &mut self,
        chosen: &ChosenField,
        negated: bool,
        condition: impl Fn(tieout_core::reading::FieldRef, Polarity) -> Condition,
    ) -> Filtered {
        if chosen.reach != Reach::ToMany {
            return Filtered::one(condition(chosen.reference.clone(), polarity(negated)), chosen.source);
        }
        let own = tieout_core::reading::FieldRef { via: None, ..chosen.reference.clone() };
        let related = Condition::Related {
            dataset: chosen.reference.dataset.clone(),
            via: chosen.reference.via.clone(),
            presence: if negated { Presence::Absent } else { Presence::Exists },
            conditions: vec![condition(own, Polarity::Is)],
            period: None,
        };
        Filtered::one(related, chosen.source)
    }

    /// A text as a value of the field's type.
    pub(super) fn typed_value(&mut self, id: FieldId, text: &str, span: Span) -> Option<Value> {
        let (_, field) = field_of(self.catalogue(), id)?;
        let (label, datatype) = (field.label.clone(), field.datatype);
        let wrong = |resolver: &mut Self, what: &str| {
            let message = format!("is not {what}, which {label} is");
            resolver.blame(ReasonCode::UnknownValue, span, &message, "give a value of that kind");
            None
        };
        match datatype {
            Datatype::String => Some(Value::Text(text.to_owned())),
            Datatype::Integer => match text.replace(',', "").parse() {
                Ok(number) => Some(Value::Integer(number)),
                Err(_) => wrong(self, "a whole number"),
            },
            Datatype::Decimal | Datatype::Float => match text.replace(',', "").parse() {
                Ok(number) => Some(Value::Decimal(number)),
                Err(_) => wrong(self, "a number"),
            },
            Datatype::Boolean => match text.to_lowercase().as_str() {
                "true" => Some(Value::Boolean(true)),
                "false" => Some(Value::Boolean(false)),
                _ => wrong(self, "true or false"),
            },
            Datatype::Date | Datatype::Timestamp | Datatype::Instant => wrong(self, "a date"),
        }
    }

    /// A true boolean field.
    pub(super) fn flag(
        &mut self,
        filter: &Filter,
        span: Span,
        fields: &[FieldId],
        bases: &[Base],
    ) -> Filtered {
        let senses = fields.iter().map(|field| FieldSense { tier: Tier::Label, field: *field }).collect();
        let phrase = FieldPhrase { span, senses, term: None, link: None };
        let Some(chosen) = self.field(&phrase, Purpose::Filter, bases, None) else {
            return Filtered::default();
        };
        self.on_field(&chosen, filter.negated, |field, polarity| Condition::OneOf {
            field,
            values: vec![Value::Boolean(true)],
            polarity,
        })
    }
}
