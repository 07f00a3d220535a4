//! Owns holding a statement against settled definitions: what it claims to work out, in terms of SQL.
//!
//! From the same reading a statement can be explained, whatever it claims. Each expected thing is *present* or *absent* (the mistake that cannot be seen), and whatever else narrows rows is
//! *extra*. Deliberately absent: metrics; whoever has them makes an [`Expected`] of them.

mod canon;
mod columns;
mod expected;
mod explain;
mod figures;
mod formula;
mod judge;
mod matching;
mod paths;
mod rows;
mod say;
mod spans;
mod truth;
mod wanted;

use crate::check::Context;
use crate::flow::Flow;
use crate::rejection::{Place, Rejection, Severity};
use crate::value::Value;

pub use columns::ColumnPart;
pub(crate) use columns::RESULT_COLUMNS;
pub use expected::{
    Expected, ExpectedAggregate, ExpectedCondition, ExpectedFigure, ExpectedGrouping, ExpectedOrder,
    ExpectedOrderBy, ExpectedPeriod, FieldTest, Hop, Presence, Role, Test,
};
pub use explain::Explanation;
pub(crate) use explain::explained;

/// How a statement stands to one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It is expected, and there on every branch.
    Present,
    /// It is expected, and cannot be shown to be there.
    Absent,
    /// It is there, narrows rows, and nothing asks for it.
    Extra,
}

/// One thing that was expected, or that narrows rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How the statement stands to it.
    pub verdict: Verdict,
    /// What it is there for.
    pub role: Role,
    /// It in words.
    pub what: String,
    /// What to do; empty when it is present.
    pub hint: String,
    /// Where, when some place in the text is to blame.
    pub place: Option<Place>,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let verdict = match self.verdict {
            Verdict::Present => "present",
            Verdict::Absent => "absent",
            Verdict::Extra => "extra",
        };
        write!(f, "{verdict} · {} · {}", self.role, self.what)
    }
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Role::Base => "table",
            Role::Metric => "metric",
            Role::Population => "population",
            Role::Exclusion => "exclusion",
            Role::Filter => "filter",
            Role::Period => "period",
            Role::Grouping => "grouping",
            Role::Order => "order",
            Role::Limit => "limit",
            Role::Unasked => "unasked",
        })
    }
}

/// Holds the flow of a statement against what is expected.
pub(crate) fn findings(flow: &Flow, binds: &[Value], cx: &Context, expected: &Expected) -> Vec<Finding> {
    judge::judge(&mut rows::Reader::new(cx, binds, flow), expected)
}

/// Holds the flow of a statement against what is expected as it is defined, and says what each of its columns is.
pub(crate) fn laid_out(
    flow: &Flow,
    cx: &Context,
    expected: &Expected,
) -> (Vec<Finding>, Result<Vec<ColumnPart>, Vec<Rejection>>) {
    let reader = || rows::Reader::new(cx, &[], flow).closely();
    (judge::judge(&mut reader(), expected), columns::columns(&mut reader(), expected))
}

/// The rejections among findings.
pub(crate) fn rejections(findings: &[Finding]) -> Vec<Rejection> {
    let rejection = |rule, message, finding: &Finding| Rejection {
        rule,
        severity: Severity::Reject,
        message,
        hint: finding.hint.clone(),
        place: finding.place,
    };
    findings
        .iter()
        .filter_map(|finding| {
            let Finding { verdict, role, what, .. } = finding;
            match verdict {
                Verdict::Present => None,
                Verdict::Absent => {
                    let message = format!("the {role} is not there as it is defined: {what}");
                    Some(rejection("definition_absent", message, finding))
                }
                Verdict::Extra if *role == Role::Metric => {
                    let message = format!("a column shows what no definition asks for: {what}");
                    Some(rejection("definition_extra", message, finding))
                }
                Verdict::Extra => {
                    let message = format!("something narrows the rows that no definition asks for: {what}");
                    Some(rejection("definition_extra", message, finding))
                }
            }
        })
        .collect()
}
