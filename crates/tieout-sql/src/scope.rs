//! Owns the scope of a check: whose rows a statement may see.
//!
//! Deliberately absent: how an identity is established. A scope is handed in by the session and
//! never read from a question, a model or a document.

use crate::value::Value;

/// Whose rows may be seen. Without a tenant, every table that has a tenant column is out of reach.
#[derive(Clone, Debug, PartialEq)]
pub struct Scope {
    tenant: Option<Value>,
}

impl Scope {
    /// A scope that sees one tenant's rows. A NULL tenant is no tenant: it opens nothing.
    pub fn tenant(value: Value) -> Scope {
        match value {
            Value::Null => Scope { tenant: None },
            value => Scope { tenant: Some(value) },
        }
    }

    /// A scope without a tenant. Tables with a tenant column are then rejected, never opened.
    pub fn none() -> Scope {
        Scope { tenant: None }
    }

    /// The tenant's value, if there is one.
    pub fn tenant_value(&self) -> Option<&Value> {
        self.tenant.as_ref()
    }
}
