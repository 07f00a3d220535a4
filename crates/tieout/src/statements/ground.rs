//! By what statements are judged: a project's schema, or bare DDL with what a file states beside it.
//!
//! Deliberately absent: opening a database. A schema is read from text, so that a check in CI needs no server.

use std::{fs, path::Path, time::Duration};

use clap::Args;
use tieout_agent::context;
use tieout_core::{
    catalogue::Project,
    catalogue::load::{Problems, SourceText, state},
    halt::{Fault, FaultKind},
    scope::Scope,
};
use tieout_sql::{ANSI, Context, DIALECTS, Dialect, Limits, Schema, ddl};

use crate::{
    project::{self, Texts},
    statements::sources,
    surroundings::Surroundings,
    verbs::{Place, Stop},
};

/// The most rows that a statement judged without a project is limited to.
const ROWS_MAX: u64 = 10_000;
/// How long a statement judged without a project might run.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Where the schema comes from, as typed.
#[derive(Args, Clone, Debug)]
pub struct Grounds {
    /// A file of CREATE TABLE statements, instead of a project
    #[arg(long, value_name = "FILE.sql", help_heading = "Without a project", conflicts_with = "project")]
    pub schema: Option<String>,
    /// Relationships, keys, tenants and hidden columns that the DDL does not state
    #[arg(long, value_name = "FILE.yml", help_heading = "Without a project", requires = "schema")]
    pub relationships: Option<String>,
    /// How the SQL is written: duckdb, postgres, mysql, sqlite or ansi [default: ansi]
    #[arg(long, help_heading = "Without a project", requires = "schema")]
    pub dialect: Option<String>,
}

/// What statements are judged by.
#[derive(Debug)]
pub struct Ground {
    /// The engine's SQL.
    pub dialect: &'static Dialect,
    /// What may be named.
    pub schema: Schema,
    /// Where that was read, for people.
    pub told_by: String,
    /// The session's tenant.
    pub tenant: Option<String>,
    scope: tieout_sql::Scope,
    limits: Limits,
}

impl Ground {
    /// The ground that a command line names.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn of(grounds: &Grounds, place: &Place, surroundings: &Surroundings) -> Result<Self, Stop> {
        let session = place.session(surroundings)?;
        let scope = Scope::of(&session).warehouse();
        let tenant = session.tenant;
        if let Some(schema) = &grounds.schema {
            let (dialect, schema, told_by) = bare(schema, grounds, &surroundings.folder)?;
            let limits = Limits { rows_max: ROWS_MAX, timeout: TIMEOUT };
            return Ok(Self { dialect, schema, told_by, tenant, scope, limits });
        }
        let root = place.root(surroundings).map_err(neither)?;
        let (loaded, _) = project::open(&root)?;
        let limits = context(&loaded.project, &scope).limits;
        let dialect = loaded.project.catalogue.dialect;
        let told_by = told_by(&loaded.project);
        Ok(Self { dialect, schema: loaded.project.catalogue.schema, told_by, tenant, scope, limits })
    }

    /// What the checker takes.
    #[must_use]
    pub fn context(&self) -> Context<'_> {
        Context { dialect: self.dialect, schema: &self.schema, scope: &self.scope, limits: self.limits }
    }
}

/// A project as what told of tables.
pub(super) fn told_by(project: &Project) -> String {
    format!("project {}", project.name)
}

/// Without a project, a schema can be given.
fn neither(stop: Stop) -> Stop {
    match stop {
        Stop::Usage { message, .. } => Stop::usage(
            message,
            "name a project's folder with `--project`, or the tables with `--schema FILE.sql`",
        ),
        other => other,
    }
}

fn bare(named: &str, grounds: &Grounds, folder: &Path) -> Result<(&'static Dialect, Schema, String), Stop> {
    let dialect = match &grounds.dialect {
        None => &ANSI,
        Some(name) => Dialect::by_name(name).ok_or_else(|| {
            let known: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.name).collect();
            Stop::usage(format!("there is no dialect `{name}`"), format!("name one of {}", known.join(", ")))
        })?,
    };
    if let Some(command) = written_out(named) {
        return Err(Stop::usage(
            format!("`{}` is a database, and a check opens none", without_password(named)),
            format!("write its tables out, such as with `{command}`, and name that file"),
        ));
    }
    let path = folder.join(named);
    database_file(&path, named)?;
    let text = sources::text(&path, named)?;
    let mut schema = ddl::schema(&text, dialect).map_err(|error| {
        data(
            format!("{named}:{}:{}: {}", error.line, error.column, error.message),
            &format!("{}{}", error.hint, if grounds.dialect.is_none() { " with `--dialect`" } else { "" }),
        )
    })?;
    if schema.tables.is_empty() {
        return Err(data(
            format!("`{named}` makes no table"),
            "name a file with CREATE TABLE statements, such as `pg_dump --schema-only` writes",
        ));
    }
    let mut told_by = named.to_owned();
    if let Some(named) = &grounds.relationships {
        beside(folder, named, &mut schema)?;
        told_by = format!("{told_by} and {named}");
    }
    Ok((dialect, schema, told_by))
}

/// Adds what a file states beside the DDL.
fn beside(folder: &Path, named: &str, schema: &mut Schema) -> Result<(), Stop> {
    let text = sources::text(&folder.join(named), named)?;
    let file = SourceText { path: named.to_owned(), text };
    state(&file, schema).map_err(|problems: Problems| Stop::Invalid {
        problems,
        texts: Box::new(Texts { project: file, catalogue: Vec::new() }),
    })
}

/// The command that writes a database's tables out as DDL; none for what is a file.
fn written_out(named: &str) -> Option<&'static str> {
    let (scheme, _) = named.split_once("://")?;
    Some(match scheme.to_ascii_lowercase().as_str() {
        "postgres" | "postgresql" => "pg_dump --schema-only DATABASE > schema.sql",
        "mysql" | "mariadb" => "mysqldump --no-data DATABASE > schema.sql",
        "sqlite" => "sqlite3 FILE .schema > schema.sql",
        _ => "the database's own tool for its schema",
    })
}

/// A file that is a database and no text is told by its first bytes.
fn database_file(path: &Path, named: &str) -> Result<(), Stop> {
    use std::io::Read as _;
    let mut start = Vec::new();
    // A file that cannot be opened is reported by whoever reads it next.
    if let Ok(file) = fs::File::open(path) {
        let _ = file.take(16).read_to_end(&mut start);
    }
    let command = if start.starts_with(b"SQLite format 3") {
        format!("sqlite3 {named} .schema > schema.sql")
    } else if start.get(8..12) == Some(b"DUCK") {
        format!("duckdb {named} .schema > schema.sql")
    } else {
        return Ok(());
    };
    Err(Stop::usage(
        format!("`{named}` is a database, and a check opens none"),
        format!("write its tables out, such as with `{command}`, and name that file"),
    ))
}

/// A URL as it may be shown.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    match rest.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://…@{host}"),
        None => url.to_owned(),
    }
}

fn data(message: String, hint: &str) -> Stop {
    Stop::Fault(Fault { kind: FaultKind::Data, message, hint: hint.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_repeated() {
        assert_eq!(without_password("postgres://ada:se@cret@db/shop"), "postgres://…@db/shop");
        assert_eq!(without_password("mysql://db/shop"), "mysql://db/shop");
    }
}
