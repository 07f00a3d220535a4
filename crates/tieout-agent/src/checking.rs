//! By what every query of a project is judged: its schema, the session's scope, its limits. One place, so that what is
//! asked, replayed and written by hand meets the same checker in the same way.

use std::time::Duration;

use tieout_core::catalogue::Project;
use tieout_sql::{Context, Limits};

/// What the checker takes, for a project and the scope of a session.
pub fn context<'a>(project: &'a Project, scope: &'a tieout_sql::Scope) -> Context<'a> {
    let policy = &project.policy;
    Context {
        dialect: project.catalogue.dialect,
        schema: &project.catalogue.schema,
        scope,
        limits: Limits { rows_max: policy.rows_max, timeout: Duration::from_millis(policy.timeout_ms) },
    }
}
