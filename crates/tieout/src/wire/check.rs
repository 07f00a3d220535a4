//! What the checker says of statements, as a program reads it: the report of `check` and of `explain`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Bind;

/// The version of both reports. It counts up when a reader of the old form would be misled.
pub const CHECK_VERSION: u32 = 1;

/// What the checker says of some statements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CheckReport {
    /// The version of this form.
    pub check: u32,
    /// The dialect that they were read in.
    pub dialect: String,
    /// What told of tables, keys and relationships: a project, or files.
    pub schema: String,
    /// The tenant that was bound on every table that has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    /// What they were held against: a record or a metric.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// How many were accepted.
    pub accepted: u64,
    /// How many were rejected.
    pub rejected: u64,
    /// How many warnings there are.
    pub warnings: u64,
    /// Each statement, in the order of the files and of their lines.
    pub statements: Vec<Judged>,
}

/// What the checker says of one statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    /// The file it stands in, `-` for the input; none for one of the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the file on which it begins, from 1.
    pub line: u64,
    /// The column in which it begins, in characters, from 1.
    pub column: u64,
    /// As it stands there.
    pub text: String,
    /// Whether it may run.
    pub verdict: VerdictName,
    /// What was found, rejections before warnings.
    pub findings: Vec<StatementFinding>,
    /// How it stands to every part of what it was held against; empty when it was held against nothing, or breaks a rule
    /// by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<HeldPart>,
    /// What it was understood as; none when it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted: Option<AcceptedStatement>,
}

/// How a statement stands to one part of what it was held against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HeldPart {
    /// Whether it is there.
    pub verdict: HeldVerdict,
    /// What it is there for: `table`, `metric`, `population`, `exclusion`, `filter`, `period`, `grouping`, `order`, `limit` or
    /// `unasked`.
    pub role: String,
    /// It in words.
    pub what: String,
}

/// Whether a part is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HeldVerdict {
    /// It is expected, and there on every branch.
    Present,
    /// It is expected, and cannot be shown to be there.
    Absent,
    /// It narrows rows or shows something, and nothing asks for it.
    Extra,
}

impl From<&tieout_sql::Finding> for HeldPart {
    fn from(found: &tieout_sql::Finding) -> Self {
        let verdict = match found.verdict {
            tieout_sql::Verdict::Present => HeldVerdict::Present,
            tieout_sql::Verdict::Absent => HeldVerdict::Absent,
            tieout_sql::Verdict::Extra => HeldVerdict::Extra,
        };
        Self { verdict, role: found.role.to_string(), what: found.what.clone() }
    }
}

/// Whether a statement may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerdictName {
    /// It may; there can be warnings.
    Accepted,
    /// It may not.
    Rejected,
}

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeverityName {
    /// The statement may run; a person should know.
    Warn,
    /// The statement does not run.
    Reject,
}

/// One finding of one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StatementFinding {
    /// The rule's name. Stable; programs may act on it.
    pub rule: String,
    /// How much it weighs.
    pub severity: SeverityName,
    /// What was found.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// Where in the file, when some place is to blame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<FindingPlace>,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FindingPlace {
    /// From 1.
    pub line: u64,
    /// From 1, in characters.
    pub column: u64,
    /// In characters, at least 1.
    pub length: u64,
}

/// What an accepted statement was understood as, and how it would run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AcceptedStatement {
    /// The tables it reads, each once.
    pub tables: Vec<String>,
    /// The columns of its result.
    pub columns: Vec<OutputColumn>,
    /// What it joins.
    pub joins: Vec<JoinOf>,
    /// What one row of its result is, in words; empty when that was not recovered.
    pub grain: Vec<String>,
    /// As it would run: over physical names, with the tenant bound and limited.
    pub sql: String,
    /// The values of its placeholders, in order.
    pub values: Vec<BoundValue>,
    /// Every reference to a table with a tenant, and the value that binds it.
    pub tenants: Vec<TenantBound>,
    /// The most rows that it may give, where the checker set the limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows_max: Option<u64>,
}

/// A column of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OutputColumn {
    /// Its name.
    pub name: String,
    /// What its values are, `unknown` where that could not be worked out.
    pub datatype: String,
    /// The columns of tables that its values are made of.
    pub lineage: Vec<SourceColumn>,
    /// The aggregates that they passed through, innermost first.
    pub aggregates: Vec<String>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SourceColumn {
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
}

/// Two sources that are joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JoinOf {
    /// One source, as the statement calls it.
    pub left: String,
    /// The other.
    pub right: String,
    /// The equalities between them.
    pub pairs: Vec<JoinedPair>,
    /// The stated relationship that they follow directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relationship: Option<String>,
}

/// An equality between two sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JoinedPair {
    /// `table.column` of one, or what is compared in its place.
    pub left: String,
    /// The same of the other.
    pub right: String,
}

/// The value of a placeholder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BoundValue {
    /// Whose it is.
    pub by: BoundBy,
    /// The value; none where the statement was judged without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Bind>,
}

/// Whose value a placeholder stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoundBy {
    /// One that the statement itself leaves open.
    Statement,
    /// The session's tenant.
    Tenant,
}

/// A reference to a table with a tenant, proved bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TenantBound {
    /// The table.
    pub table: String,
    /// Its column.
    pub column: String,
    /// The value, by its number among the values, from 1.
    pub value: u64,
}

/// What some statements count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExplainReport {
    /// The version of this form.
    pub explain: u32,
    /// The dialect that they were read in.
    pub dialect: String,
    /// What told of tables, keys and relationships: a project, or files.
    pub schema: String,
    /// Each statement, in the order of the files and of their lines.
    pub statements: Vec<Explained>,
}

/// What one statement counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Explained {
    /// The file it stands in, `-` for the input; none for one of the command line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the file on which it begins, from 1.
    pub line: u64,
    /// The column in which it begins, in characters, from 1.
    pub column: u64,
    /// As it stands there.
    pub text: String,
    /// The five lines; none when it cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Explanation>,
    /// Why it cannot be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<StatementFinding>,
}

/// What a statement counts, in five lines, each in parts. An empty period is all time; empty exclusions are none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// What each figure is, or the columns when rows are listed.
    pub metric: Vec<String>,
    /// Which rows are counted.
    pub population: Vec<String>,
    /// When.
    pub period: Vec<String>,
    /// What one row of the result is, and which of them are kept.
    pub grain: Vec<String>,
    /// What is left out.
    pub exclusions: Vec<String>,
}

impl From<&tieout_sql::Explanation> for Explanation {
    fn from(explained: &tieout_sql::Explanation) -> Self {
        let tieout_sql::Explanation { metric, population, period, grain, exclusions } = explained.clone();
        Self { metric, population, period, grain, exclusions }
    }
}

impl Explanation {
    /// The five lines: the field, and what it says in parts.
    #[must_use]
    pub fn lines(&self) -> [(&'static str, Vec<String>); 5] {
        let or = |parts: &[String], otherwise: &str| match parts.is_empty() {
            true => vec![otherwise.to_owned()],
            false => parts.to_vec(),
        };
        [
            ("metric", or(&self.metric, "not recovered")),
            ("population", or(&self.population, "not recovered")),
            ("period", or(&self.period, "all time")),
            ("grain", or(&self.grain, "not recovered")),
            ("exclusions", or(&self.exclusions, "none")),
        ]
    }
}
