//! One statement that somebody wrote, from its text to its rows: checked, scoped, run and sealed as evidence.
//!
//! Its rows are what the statement says. Deliberately absent: figures, claims and definitions, which only an answer has.

use std::collections::BTreeSet;

use jiff::Timestamp;
use tieout_core::{
    catalogue::Project,
    compile::{ReliedKey, compile_freshness, compile_integrity},
    evidence::{Caveat, EvidenceState, Label, Purpose, Writer, seal},
    freshness::{Loaded, judge},
    halt::{Fault, FaultKind, Halt},
    outcome::Trail,
    ports::Warehouse,
    reading::Problem,
    scope::Scope,
};
use tieout_sql::{
    CheckedQuery, Context, Expected, Explanation, Finding, Held, Rejected, Rejection, Select, check,
    check_text, explain_text, hold_text,
};

use crate::{
    answer::{datasets_of, latest, load_id, once, ran, refused_by},
    checking::context,
    relied::{integrity_label, repeated_keys},
};

/// The id of the statement's own query within its record.
pub const STATEMENT_QUERY: &str = "q1";

/// What stands above the rows of every statement.
const OWN_WORDS: &str =
    "no definition of the catalogue stands behind these rows: they are what the statement says";

/// What a statement needs beside its text.
pub struct QueryDesk<'a> {
    /// Settings and catalogue.
    pub project: &'a Project,
    /// Who asks.
    pub scope: &'a Scope,
    /// Runs queries.
    pub warehouse: &'a dyn Warehouse,
    /// The moment that freshness is judged at.
    pub now: Timestamp,
    /// What the statement claims to work out, and what that is called.
    pub against: Option<(&'a Expected, &'a str)>,
}

/// What became of a statement.
pub struct QueryRun {
    /// How it ended.
    pub end: QueryEnd,
    /// What was done, with the evidence.
    pub trail: Trail,
}

/// How a statement ends.
pub enum QueryEnd {
    /// Its rows are the evidence [`STATEMENT_QUERY`] of the trail.
    Rows {
        /// What it counts, as recovered from it.
        explanation: Explanation,
        /// What must be said beside the rows; the first says whose words they are.
        caveats: Vec<Caveat>,
    },
    /// The checker rejects it.
    Rejected {
        /// Why.
        rejected: Rejected,
        /// How it stands to every part of what it was held against, where it came so far.
        findings: Vec<Finding>,
    },
    /// It may run, but what it relies on does not hold in the data.
    Refused(Vec<Problem>),
    /// Something broke.
    Broken(Fault),
}

/// Runs a statement, or says why not.
pub async fn query(desk: &QueryDesk<'_>, sql: &str) -> QueryRun {
    let mut trail = Trail::default();
    let end = match walk(desk, sql, &mut trail).await {
        Ok(end) => end,
        Err(Halt::Refuse(problems)) => QueryEnd::Refused(problems),
        Err(Halt::Fault(fault)) => QueryEnd::Broken(fault),
        // No desk that a statement passes asks anything back.
        Err(Halt::Doubt(_)) => QueryEnd::Broken(Fault {
            kind: FaultKind::Internal,
            message: "a statement was asked back".to_owned(),
            hint: "nothing is shown; please report this".to_owned(),
        }),
    };
    QueryRun { end, trail }
}

async fn walk(desk: &QueryDesk<'_>, sql: &str, trail: &mut Trail) -> Result<QueryEnd, Halt> {
    let scope = desk.scope.warehouse();
    let context = context(desk.project, &scope);
    let checked = match judged(desk, sql, &context, trail) {
        Ok(checked) => checked,
        Err((rejected, findings)) => {
            trail.leave("check", rejected.to_string());
            return Ok(QueryEnd::Rejected { rejected, findings });
        }
    };
    trail.leave("check", format!("accepted: {}", checked.sql()));
    let explanation = match explain_text(sql, &[], &context) {
        Ok(explanation) => explanation,
        Err(rejected) => return Ok(QueryEnd::Rejected { rejected, findings: Vec::new() }),
    };
    trail.leave("explain", explanation.to_string());
    let mut caveats = vec![whose_words(desk)];
    caveats.extend(checked.warnings().iter().map(warned));
    let tables = checked.tables().to_vec();
    let keys = relied_keys(&checked, desk.project);
    let mut batch = vec![(statement_label(), checked)];
    for (label, select) in beside(&tables, &keys, desk.project) {
        let checked = check(select, &context).map_err(|rejected| refused_by(&rejected))?;
        batch.push((label, checked));
    }
    run(desk, batch, trail).await?;
    repeated_keys(&keys, &trail.evidence)?;
    for dataset in datasets_of(&tables, desk.project) {
        let loaded = Loaded { dataset, latest: latest(dataset, &trail.evidence) };
        caveats.extend(judge(&loaded, &[None], desk.now, desk.project)?);
    }
    caveats.extend(said_by_code(desk, &tables, trail));
    Ok(QueryEnd::Rows { explanation, caveats: once(caveats) })
}

/// The statement as the checker accepts it, held against what it claims to work out, if it claims anything.
fn judged(
    desk: &QueryDesk<'_>,
    sql: &str,
    context: &Context<'_>,
    trail: &mut Trail,
) -> Result<CheckedQuery, (Rejected, Vec<Finding>)> {
    let alone = |rejected| (rejected, Vec::new());
    let Some((expected, _)) = desk.against else {
        return check_text(sql, Vec::new(), context).map_err(alone);
    };
    let Held { findings, outcome } = hold_text(sql, Vec::new(), context, expected).map_err(alone)?;
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    trail.leave("against", lines.join("\n"));
    outcome.map_err(|rejected| (rejected, findings))
}

fn statement_label() -> Label {
    Label {
        id: STATEMENT_QUERY.to_owned(),
        purpose: Purpose::Statement,
        writer: Writer::Asker,
        text: "the rows of the statement".to_owned(),
        key_columns: 0,
    }
}

/// What is asked beside the statement, in the same snapshot: whether the keys hold that its joins rely on, and when rows
/// last arrived.
fn beside(tables: &[String], keys: &BTreeSet<ReliedKey>, project: &Project) -> Vec<(Label, Select)> {
    let keys = keys.iter().map(|key| (integrity_label(key), compile_integrity(key)));
    let loads = datasets_of(tables, project).into_iter().filter_map(|dataset| {
        let label = Label {
            id: load_id(dataset),
            purpose: Purpose::Freshness,
            writer: Writer::Compiler,
            text: format!("when {} last arrived", dataset.label),
            key_columns: 0,
        };
        Some((label, compile_freshness(dataset)?))
    });
    keys.chain(loads).collect()
}

/// The keys by which the checker judged that a join repeats no row: those of every table that is joined.
fn relied_keys(checked: &CheckedQuery, project: &Project) -> BTreeSet<ReliedKey> {
    let mut keys = BTreeSet::new();
    if checked.joins().is_empty() {
        return keys;
    }
    let catalogue = &project.catalogue;
    let mut add = |dataset: &str, fields: &[String]| {
        if !fields.is_empty() {
            keys.insert(ReliedKey { dataset: dataset.to_owned(), fields: fields.to_vec() });
        }
    };
    for dataset in datasets_of(checked.tables(), project) {
        add(&dataset.name, &dataset.primary_key);
    }
    for name in checked.joins().iter().filter_map(|join| join.relationship.as_ref()) {
        if let Some(link) = catalogue.relationships.get(name) {
            add(&link.to, &link.to_columns);
        }
    }
    keys
}

async fn run(desk: &QueryDesk<'_>, batch: Vec<(Label, CheckedQuery)>, trail: &mut Trail) -> Result<(), Halt> {
    let (labels, queries): (Vec<Label>, Vec<CheckedQuery>) = batch.into_iter().unzip();
    let rows = ran(desk.warehouse, &queries).await?;
    for ((label, query), rows) in labels.into_iter().zip(queries).zip(rows) {
        trail.leave("run", format!("{}: {} rows", label.id, rows.rows.len()));
        trail.evidence.push(seal(label, query, rows));
    }
    Ok(())
}

/// Whose words the rows are: the statement's own, which may hold against definitions.
fn whose_words(desk: &QueryDesk<'_>) -> Caveat {
    match desk.against {
        None => Caveat { code: "own_words", text: OWN_WORDS.to_owned() },
        Some((_, name)) => Caveat {
            code: "held_against",
            text: format!(
                "these rows are what the statement says, and it holds against {name}: every part of that is there, and \
                 nothing else narrows the rows"
            ),
        },
    }
}

fn warned(warning: &Rejection) -> Caveat {
    Caveat { code: warning.rule, text: format!("{}; {}", warning.message, warning.hint) }
}

/// What must be said of the rows, whatever the statement is.
fn said_by_code(desk: &QueryDesk<'_>, tables: &[String], trail: &Trail) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    let own = trail.evidence.iter().find(|evidence| evidence.id() == STATEMENT_QUERY);
    if own.is_some_and(|evidence| evidence.state() == EvidenceState::CutShort) {
        let text = format!("there are more than {} rows; the rest is not here", desk.project.policy.rows_max);
        caveats.push(Caveat { code: "cut_short", text });
    }
    let smallest = desk.project.policy.minimum_group;
    if smallest > 1 {
        let text = format!(
            "answers withhold groups of fewer than {smallest} rows; a statement's rows are not looked at"
        );
        caveats.push(Caveat { code: "small_groups", text });
    }
    let sources = datasets_of(tables, desk.project);
    for note in desk.warehouse.notes() {
        if sources.iter().any(|dataset| dataset.source == note.source) {
            caveats.push(Caveat { code: "data_note", text: note.message.clone() });
        }
    }
    caveats
}
