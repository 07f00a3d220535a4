//! Owns casts: which types are known, and when a value stays the same through one.
//!
//! Deliberately absent: coercions that nobody writes down.

use sqlparser::ast::{DataType, Expr, Ident, ObjectName, ObjectNamePart};

use super::value::Value;
use super::{Resolver, place_of_expr};
use crate::schema::SqlType;
use crate::types;

impl<'a> Resolver<'a> {
    /// The kind of value a type holds. A type that is not known is not judged: some look into the catalogue.
    pub(super) fn known_type(&mut self, data_type: &DataType, expr: &Expr) -> SqlType {
        let ty = match data_type {
            DataType::Custom(name, modifiers) if modifiers.is_empty() && self.is_labels(name) => {
                SqlType::Text
            }
            other => types::of(other),
        };
        if ty == SqlType::Unknown {
            self.unsupported(&format!("the type {data_type}"), place_of_expr(expr));
        }
        ty
    }

    /// Whether a type is one of labels that the schema makes, by its path or by its name alone.
    fn is_labels(&self, name: &ObjectName) -> bool {
        let idents: Vec<&Ident> = name.0.iter().filter_map(ObjectNamePart::as_ident).collect();
        idents.len() == name.0.len()
            && self.schema.labels.iter().any(|path| {
                let skipped = if idents.len() == 1 { path.len().saturating_sub(1) } else { 0 };
                path.len().saturating_sub(skipped) == idents.len()
                    && path
                        .iter()
                        .skip(skipped)
                        .zip(&idents)
                        .all(|(part, ident)| self.dialect.names(ident, part))
            })
    }

    pub(super) fn cast(&mut self, inner: &'a Expr, ty: SqlType) -> Value {
        let value = self.expr(inner);
        if ty == SqlType::Date {
            self.zoned(&value, inner);
        }
        let same = value.ty == ty || (value.ty == SqlType::Date && ty == SqlType::DateTime);
        let widened = matches!(
            (value.ty, ty),
            (SqlType::Integer, SqlType::Decimal | SqlType::Float | SqlType::Text)
                | (SqlType::Decimal, SqlType::Float)
        );
        let midnights = ty == SqlType::Date
            && value.pure.and_then(|attr| self.info(attr)).is_some_and(|info| info.whole_days);
        Value { ty, pure: value.pure.filter(|_| same || widened || midnights), text: None, ..value }
    }
}
