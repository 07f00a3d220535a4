//! Owns what is known of an expression, and how that of a whole follows from its parts.
//!
//! Deliberately absent: syntax.

use super::grain::{Attr, Attrs, merge};
use crate::facts::Additivity;
use crate::schema::SqlType;

/// What is known of an expression.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub ty: SqlType,
    pub nullable: bool,
    /// The attribute it is, when it is one.
    pub pure: Option<Attr>,
    /// Every attribute it is a function of.
    pub inputs: Attrs,
    /// Those its value is made of; conditions of a CASE only pick among values.
    pub value: Attrs,
    /// The attributes it stands for in an equality: itself through casts, each part of a COALESCE.
    pub links: Attrs,
    /// Whether an aggregate stands in it.
    pub aggregated: bool,
    pub additivity: Additivity,
    pub is_null_literal: bool,
    /// Its text, when it is a text literal.
    pub text: Option<String>,
}

impl Value {
    pub(super) fn constant(ty: SqlType) -> Value {
        Value {
            ty,
            nullable: false,
            pure: None,
            inputs: Attrs::new(),
            value: Attrs::new(),
            links: Attrs::new(),
            aggregated: false,
            additivity: Additivity::Additive,
            is_null_literal: false,
            text: None,
        }
    }

    /// A value made of others.
    pub(super) fn of<'v>(ty: SqlType, parts: impl IntoIterator<Item = &'v Value>) -> Value {
        let mut whole = Value::constant(ty);
        for part in parts {
            whole.take(part);
            merge(&mut whole.value, &part.value);
        }
        whole
    }

    /// Takes another's inputs, but not its value.
    pub(super) fn take(&mut self, part: &Value) {
        merge(&mut self.inputs, &part.inputs);
        self.nullable |= part.nullable;
        self.aggregated |= part.aggregated;
        if part.additivity != Additivity::Additive {
            self.additivity = worse(&self.additivity, &part.additivity);
        }
    }
}

/// The one that forbids more.
pub(super) fn worse(a: &Additivity, b: &Additivity) -> Additivity {
    let weight = |additivity: &Additivity| match additivity {
        Additivity::Additive => 0,
        Additivity::Never(_) => 1,
        Additivity::Spread(_) => 2,
        Additivity::Repeated(_) => 3,
    };
    match weight(b) > weight(a) {
        true => b.clone(),
        false => a.clone(),
    }
}
