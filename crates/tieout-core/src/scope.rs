//! Who is asking, and what they may see.
//!
//! A [`Scope`] is made from a [`Session`] and from nothing else: no question, model, document or request body can
//! make or change one. Deliberately absent: authentication, which the surface does before it opens a session.

use tieout_sql::{Scope as WarehouseScope, Value};

/// An authenticated session, as the surface (command line, HTTP, MCP) knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Who asks, for the ledger; never used in a query.
    pub principal: String,
    /// The tenant whose rows the session may see. None means no tenant at all, never every tenant.
    pub tenant: Option<String>,
}

/// What a session may see. Made only by [`Scope::of`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    principal: String,
    tenant: Option<String>,
}

impl Scope {
    /// The scope of a session. The one door.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        Self { principal: session.principal.clone(), tenant: session.tenant.clone() }
    }

    /// Who asks.
    #[must_use]
    pub fn principal(&self) -> &str {
        &self.principal
    }

    /// The tenant, or none.
    #[must_use]
    pub fn tenant(&self) -> Option<&str> {
        self.tenant.as_deref()
    }

    /// The form the SQL checker binds on every table.
    #[must_use]
    pub fn warehouse(&self) -> WarehouseScope {
        match &self.tenant {
            Some(tenant) => WarehouseScope::tenant(Value::Text(tenant.clone())),
            None => WarehouseScope::none(),
        }
    }
}
