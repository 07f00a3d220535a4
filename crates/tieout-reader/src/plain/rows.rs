//! Lists: orders of another date, and lists that nothing cuts.

use tieout_core::{
    catalogue::Datatype,
    reading::{Condition, RankBy, RowsRequest, Source},
};

use crate::{
    grammar::ast::Clause,
    language::{Caution, Class},
};

use super::Look;

impl Look<'_> {
    pub(super) fn rows(&self, rows: &RowsRequest) -> Option<String> {
        self.rows_together(rows)
            .or_else(|| self.column_or_condition(rows))
            .or_else(|| self.sum_or_rows(rows))
            .or_else(|| self.one_of_rows(rows))
            .or_else(|| self.top_by_unsaid(rows))
            .or_else(|| self.lasting_list(rows))
            .or_else(|| self.ranked(rows.ranking.as_ref(), None))
            .or_else(|| self.first_of_event(rows))
            .or_else(|| self.listed_by(rows))
            .or_else(|| self.uncut(rows))
    }

    /// `last loan closed in 2025`: in the order of another date than that of the event.
    pub(super) fn first_of_event(&self, rows: &RowsRequest) -> Option<String> {
        let ordered = rows.ranking.as_ref().is_some_and(|ranking| matches!(ranking.by, RankBy::Field(_)));
        let of_event = |condition: &&Condition| {
            matches!(condition, Condition::InPeriod { .. } | Condition::Related { .. })
        };
        let event = self.conditions().iter().any(of_event);
        (ordered && event)
            .then(|| "the order may be that of another date than the one that is asked about".to_owned())
    }

    /// `list orders by amount`: it may be meant as an order, as groups, or as a column.
    pub(super) fn listed_by(&self, rows: &RowsRequest) -> Option<String> {
        if !self.has(|clause| matches!(clause, Clause::By(_))) {
            return None;
        }
        if let Some(ranking) = &rows.ranking {
            let said = match &ranking.by {
                RankBy::Field(field) => self.names_field(&field.dataset, &field.field),
                RankBy::Measure(_) | RankBy::Change(_) => false,
            };
            return (!said).then(|| "“by” may ask for another order than the one that is taken".to_owned());
        }
        let measures =
            rows.columns.iter().filter(|column| column.source == Source::Question).find(|column| {
                let dataset = self.catalogue.datasets.get(&column.value.dataset);
                let field = dataset.and_then(|dataset| dataset.fields.get(&column.value.field));
                field.is_some_and(|field| match field.datatype {
                    Datatype::Integer | Datatype::Decimal | Datatype::Float => {
                        field.unit.is_some() && !field.identifier
                    }
                    Datatype::Boolean => true,
                    Datatype::String | Datatype::Date | Datatype::Timestamp | Datatype::Instant => {
                        self.states(&column.value.dataset, &column.value.field)
                    }
                })
            })?;
        let words = tieout_core::definitions::field_words(&measures.value, self.catalogue);
        Some(format!("“by” is taken to show the {words}, and could ask for an order or for groups"))
    }

    /// `which loan is the largest?`: all are listed.
    pub(super) fn uncut(&self, rows: &RowsRequest) -> Option<String> {
        let cut = rows.ranking.as_ref().is_some_and(|ranking| ranking.limit.is_some());
        let extremes = [Class::Top, Class::Bottom, Class::Newest, Class::Oldest];
        let extreme = self.warns(Caution::Size).is_some()
            || extremes.into_iter().any(|class| self.says(class).is_some());
        (extreme && !cut).then(|| "one is asked for, and all would be listed".to_owned())
    }
}
