//! What the checker says of each statement, as the report that is printed and written.
//!
//! Deliberately absent: any verdict of our own.

use tieout_core::{catalogue::Project, scope::Session};
use tieout_sql::{
    CheckedQuery, Expected, Finding, Held, Part, Rejected, Rejection, RowLimit, Severity, SqlType, Value,
    check_text, explain_text, hold_text, placeholders,
};

use super::{Ground, Source, ground::told_by};
use crate::wire::{
    AcceptedStatement, Bind, BoundBy, BoundValue, CHECK_VERSION, CheckReport, Explained, FindingPlace,
    HeldPart, JoinOf, JoinedPair, Judged, OutputColumn, SeverityName, SourceColumn, StatementFinding,
    TenantBound, VerdictName,
};

/// What stands for the value of a placeholder in a statement that is judged without its values. It is a number, so that
/// it may stand for a limit; it is never shown.
const STAND_IN: Value = Value::Integer(1);

/// What statements are held against, and what that is called.
#[derive(Clone, Copy, Debug)]
pub struct Against<'a> {
    /// What they claim to work out.
    pub expected: &'a Expected,
    /// A record's id or a metric's name.
    pub name: &'a str,
}

/// Judges every statement of some texts.
#[must_use]
pub fn report(ground: &Ground, sources: &[Source], against: Option<Against<'_>>) -> CheckReport {
    let mut statements = Vec::new();
    for source in sources {
        for part in source.statements(ground.dialect) {
            statements.push(judged(ground, source, &part, against));
        }
    }
    let count = |verdict| statements.iter().filter(|one| one.verdict == verdict).count() as u64;
    let warnings = statements.iter().flat_map(|one| &one.findings);
    CheckReport {
        check: CHECK_VERSION,
        dialect: ground.dialect.name.to_owned(),
        schema: ground.told_by.clone(),
        tenant: ground.tenant.clone(),
        against: against.map(|against| against.name.to_owned()),
        accepted: count(VerdictName::Accepted),
        rejected: count(VerdictName::Rejected),
        warnings: warnings.filter(|one| one.severity == SeverityName::Warn).count() as u64,
        statements,
    }
}

fn judged(ground: &Ground, source: &Source, part: &Part<'_>, against: Option<Against<'_>>) -> Judged {
    let values = vec![STAND_IN; placeholders(part.text, ground.dialect)];
    let (parts, outcome) = match against {
        None => (Vec::new(), check_text(part.text, values, &ground.context())),
        // A value that is not given is not known to be the one that was settled.
        Some(Against { expected, .. }) => match hold_text(part.text, Vec::new(), &ground.context(), expected)
        {
            Ok(Held { findings, outcome }) => (findings.iter().map(HeldPart::from).collect(), outcome),
            Err(rejected) => (Vec::new(), Err(rejected)),
        },
    };
    let (verdict, findings, accepted) = match outcome {
        Ok(checked) => {
            let findings = checked.warnings().to_vec();
            (VerdictName::Accepted, findings, Some(accepted(&checked, ground, part)))
        }
        Err(rejected) => (VerdictName::Rejected, templated(rejected, part).rejections, None),
    };
    Judged {
        file: source.file.clone(),
        line: part.line,
        column: part.column,
        text: part.text.to_owned(),
        verdict,
        findings: findings.iter().map(|found| finding(found, part)).collect(),
        against: parts,
        accepted,
    }
}

/// The report of one statement of the command line that the checker rejected.
#[must_use]
pub fn rejection(
    (project, session): (&Project, &Session),
    sql: &str,
    rejected: &Rejected,
    against: Option<(&str, &[Finding])>,
) -> CheckReport {
    let part = Part { text: sql.trim_end(), line: 1, column: 1 };
    let findings = templated(rejected.clone(), &part).rejections;
    CheckReport {
        check: CHECK_VERSION,
        dialect: project.catalogue.dialect.name.to_owned(),
        schema: told_by(project),
        tenant: session.tenant.clone(),
        against: against.map(|(name, _)| name.to_owned()),
        accepted: 0,
        rejected: 1,
        warnings: findings.iter().filter(|found| found.severity == Severity::Warn).count() as u64,
        statements: vec![Judged {
            file: None,
            line: part.line,
            column: part.column,
            text: part.text.to_owned(),
            verdict: VerdictName::Rejected,
            findings: findings.iter().map(|found| finding(found, &part)).collect(),
            against: against.into_iter().flat_map(|(_, parts)| parts).map(HeldPart::from).collect(),
            accepted: None,
        }],
    }
}

/// A template is no SQL before it is filled in; the parser's own words would not say so.
fn templated(mut rejected: Rejected, part: &Part<'_>) -> Rejected {
    let template = ["{{", "{%"].into_iter().find(|mark| part.text.contains(mark));
    if let (Some(mark), [only]) = (template, rejected.rejections.as_mut_slice())
        && only.rule == "syntax"
    {
        only.message = format!("this is a template (`{mark}`) and not yet SQL");
        "check what it becomes, such as the files that `dbt compile` writes to target/compiled"
            .clone_into(&mut only.hint);
    }
    rejected
}

fn finding(found: &Rejection, part: &Part<'_>) -> StatementFinding {
    StatementFinding {
        rule: found.rule.to_owned(),
        severity: match found.severity {
            Severity::Reject => SeverityName::Reject,
            Severity::Warn => SeverityName::Warn,
        },
        message: found.message.clone(),
        hint: found.hint.clone(),
        place: found.place.map(|place| {
            let (line, column) = part.place(place.line, place.column);
            FindingPlace { line, column, length: place.length }
        }),
    }
}

fn accepted(checked: &CheckedQuery, ground: &Ground, part: &Part<'_>) -> AcceptedStatement {
    let explained = explain_text(part.text, &[], &ground.context());
    AcceptedStatement {
        tables: checked.tables().to_vec(),
        columns: checked.columns().iter().map(output).collect(),
        joins: checked.joins().iter().map(joined).collect(),
        grain: explained.map(|explained| explained.grain).unwrap_or_default(),
        sql: checked.sql().to_owned(),
        values: checked.binds().iter().map(bound).collect(),
        tenants: checked
            .proof()
            .iter()
            .map(|proof| TenantBound {
                table: proof.table.clone(),
                column: proof.column.clone(),
                value: proof.bind as u64 + 1,
            })
            .collect(),
        rows_max: match checked.row_limit() {
            RowLimit::AsWritten => None,
            RowLimit::Attached => Some(checked.limits().rows_max),
        },
    }
}

fn output(column: &tieout_sql::OutputColumn) -> OutputColumn {
    let of =
        |(table, column): &(String, String)| SourceColumn { table: table.clone(), column: column.clone() };
    OutputColumn {
        name: column.name.clone(),
        datatype: datatype(column.ty).to_owned(),
        lineage: column.lineage.iter().map(of).collect(),
        aggregates: column.aggregates.clone(),
    }
}

fn datatype(ty: SqlType) -> &'static str {
    match ty {
        SqlType::Boolean => "boolean",
        SqlType::Integer => "integer",
        SqlType::Decimal => "decimal",
        SqlType::Float => "float",
        SqlType::Text => "string",
        SqlType::Date => "date",
        SqlType::Time => "time",
        SqlType::DateTime => "timestamp",
        SqlType::Instant => "instant",
        SqlType::Blob => "bytes",
        SqlType::Interval => "interval",
        SqlType::Other => "other",
        SqlType::Unknown => "unknown",
    }
}

fn joined(join: &tieout_sql::Join) -> JoinOf {
    let pair = |(left, right): &(String, String)| JoinedPair { left: left.clone(), right: right.clone() };
    JoinOf {
        left: join.sources.0.clone(),
        right: join.sources.1.clone(),
        pairs: join.pairs.iter().map(pair).collect(),
        relationship: join.relationship.clone(),
    }
}

fn bound(value: &Value) -> BoundValue {
    match *value == STAND_IN {
        true => BoundValue { by: BoundBy::Statement, value: None },
        false => BoundValue { by: BoundBy::Tenant, value: Some(Bind::from(value)) },
    }
}

/// What a statement counts, or why that cannot be said.
#[must_use]
pub fn explanation(ground: &Ground, source: &Source, part: &Part<'_>) -> Explained {
    let said = explain_text(part.text, &[], &ground.context());
    let (lines, findings) = match said {
        Ok(explained) => (Some((&explained).into()), Vec::new()),
        Err(rejected) => (None, templated(rejected, part).rejections),
    };
    Explained {
        file: source.file.clone(),
        line: part.line,
        column: part.column,
        text: part.text.to_owned(),
        lines,
        findings: findings.iter().map(|found| finding(found, part)).collect(),
    }
}
