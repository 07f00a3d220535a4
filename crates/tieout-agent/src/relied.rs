//! What an answer relies on in the data beyond its own queries: keys that must be keys, names that should tell things
//! apart, states that should agree with their dates. Each is one more query of the same batch.
//!
//! Deliberately absent: deciding what is relied on, which the compiler knows from the plan.

use std::collections::BTreeSet;

use jiff::civil::Date;
use tieout_core::{
    catalogue::{Catalogue, Project},
    compile::{
        ReliedKey, ReliedMembers, ReliedState, compile_agreement, compile_ahead, compile_integrity,
        compile_members, compile_recorded, compile_undated, relied_keys, relied_members, relied_names,
        relied_states,
    },
    evidence::{Caveat, Cell, Evidence, Label, Purpose, Writer},
    halt::Halt,
    plan::{Level, Plan},
    reading::{Problem, ReasonCode},
};
use tieout_sql::Select;

/// Everything that one plan relies on.
pub(crate) struct Relied {
    keys: BTreeSet<ReliedKey>,
    names: BTreeSet<ReliedKey>,
    states: BTreeSet<ReliedState>,
    members: BTreeSet<ReliedMembers>,
    undated: Vec<Undated>,
    recorded: Vec<InPeriod>,
    ahead: Vec<Ahead>,
}

/// Rows of a stock that lie in the asked period.
struct InPeriod {
    id: String,
    dataset: String,
    words: String,
    select: Select,
}

/// Rows that are dated after today.
struct Ahead {
    id: String,
    dataset: String,
    to_come: ToCome,
    select: Select,
}

/// Whether rows that are still to come may belong to a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ToCome {
    /// They are counted, or the period that was asked for holds them: it is told.
    Told,
    /// Nobody said up to when, and what is made of them holds only once they are there.
    Open,
}

/// Rows that lie in no period, because their time is not known.
struct Undated {
    id: String,
    dataset: String,
    field: String,
    select: Select,
}

impl Relied {
    /// What a plan relies on.
    ///
    /// # Errors
    /// A refusal when the plan names what the catalogue does not have.
    pub(crate) fn on(plan: &Plan, project: &Project, today: Date) -> Result<Self, Halt> {
        let catalogue = &project.catalogue;
        let keys = relied_keys(plan, catalogue);
        let names = relied_names(plan, catalogue).difference(&keys).cloned().collect();
        let (states, members) = (relied_states(plan, catalogue), relied_members(plan));
        let (undated, recorded) = (undated(plan, project)?, recorded(plan, project)?);
        let ahead = ahead(plan, project, today)?;
        Ok(Self { keys, names, states, members, undated, recorded, ahead })
    }

    /// Relies on more keys: those by which somebody else's statement joins.
    pub(crate) fn rely_on(&mut self, keys: BTreeSet<ReliedKey>) {
        self.names.retain(|name| !keys.contains(name));
        self.keys.extend(keys);
    }

    /// One query for each.
    pub(crate) fn compile(&self) -> Vec<(Select, Label)> {
        let named =
            self.keys.iter().chain(&self.names).map(|key| (compile_integrity(key), integrity_label(key)));
        let agreed = self.states.iter().map(|state| {
            let ReliedState { dataset, field, state: value, date } = state;
            let words = format!("whether {field} {value} and {date} of {dataset} agree");
            (compile_agreement(state), label(state_id(state), words))
        });
        let counted = self.members.iter().map(|members| {
            let words = format!("how many {} of {} there are", members.field, members.dataset);
            (compile_members(members), label(members_id(members), words))
        });
        let undated = self.undated.iter().map(|undated| {
            let words = format!("how many of {} have no {}", undated.dataset, undated.field);
            (undated.select.clone(), label(undated.id.clone(), words))
        });
        let recorded = self.recorded.iter().map(|stock| {
            let words = format!("how many of {} were recorded in {}", stock.dataset, stock.words);
            (stock.select.clone(), label(stock.id.clone(), words))
        });
        let ahead = self.ahead.iter().map(|rows| {
            let words = format!("how many of {} are dated after today", rows.dataset);
            (rows.select.clone(), label(rows.id.clone(), words))
        });
        named.chain(agreed).chain(counted).chain(undated).chain(recorded).chain(ahead).collect()
    }

    /// Refuses where a key repeats in the data: the joins along it would repeat rows.
    pub(crate) fn keys_hold(&self, evidence: &[Evidence]) -> Result<(), Halt> {
        repeated_keys(&self.keys, evidence)
    }

    /// Refuses where rows that are still to come would count as if they were there already, and nobody said up to when.
    pub(crate) fn nothing_lies_ahead(
        &self,
        today: Date,
        evidence: &[Evidence],
        catalogue: &Catalogue,
    ) -> Result<(), Halt> {
        let open = |rows: &&Ahead| rows.to_come == ToCome::Open && !is_zero(&rows.id, evidence);
        let Some(rows) = self.ahead.iter().find(open) else { return Ok(()) };
        let label = catalogue.datasets.get(&rows.dataset).map_or(&rows.dataset, |found| &found.label);
        Err(Halt::Refuse(vec![Problem::new(
            ReasonCode::Unsupported,
            format!("some {label} are dated after today ({today}), and no period says whether they count"),
            format!("say up to when, such as “until {today}”"),
        )]))
    }

    /// Refuses where the least are asked for and some things have no group at all: they would be the least.
    pub(crate) fn members_have_groups(
        &self,
        plan: &Plan,
        evidence: &[Evidence],
        catalogue: &Catalogue,
    ) -> Result<(), Halt> {
        let Plan::Figures(plan) = plan else { return Ok(()) };
        let grouped = plan.legs.iter().filter(|l| l.level == Level::Grouped);
        let groups: Vec<&Evidence> =
            grouped.filter_map(|l| evidence.iter().find(|e| e.id() == l.id)).collect();
        let lacking = |members: &&ReliedMembers| {
            let cells = groups.iter().flat_map(|e| &e.rows().rows).filter_map(|row| row.get(members.place));
            let found: BTreeSet<&Cell> = cells.filter(|cell| **cell != Cell::Null).collect();
            first(&members_id(members), evidence) != Some(&Cell::Number(count(found.len())))
        };
        let problems: Vec<Problem> = self
            .members
            .iter()
            .filter(lacking)
            .map(|members| {
                let label =
                    catalogue.datasets.get(&members.dataset).map_or(&members.dataset, |found| &found.label);
                Problem::new(
                    ReasonCode::Unsupported,
                    format!("some {label} have no rows at all, and would come first with nothing"),
                    format!("ask for the highest, or for {label} without any"),
                )
            })
            .take(1)
            .collect();
        if problems.is_empty() { Ok(()) } else { Err(Halt::Refuse(problems)) }
    }

    /// What must be said where a name is shared, or a state and its date disagree.
    pub(crate) fn caveats(&self, evidence: &[Evidence], catalogue: &Catalogue) -> Vec<Caveat> {
        let label = |dataset: &String| {
            catalogue.datasets.get(dataset).map_or(dataset.clone(), |found| found.label.clone())
        };
        let shared = self.names.iter().filter(|name| !is_zero(&key_id(name), evidence)).map(|name| {
            let fields = name.fields.join(", ");
            let label = label(&name.dataset);
            let text = format!("some {label} share the same {fields}, and these stand together under it");
            Caveat { code: "shared_names", text }
        });
        let apart = self.states.iter().filter(|state| !is_zero(&state_id(state), evidence)).map(|relied| {
            let ReliedState { dataset, field, state, date } = relied;
            let text = format!(
                "{} were chosen by {field} `{state}`, which does not agree with {date}: some have the one without the other",
                label(dataset)
            );
            Caveat { code: "state_and_date", text }
        });
        let undated = self.undated.iter().filter(|undated| !is_zero(&undated.id, evidence)).map(|undated| {
            let text =
                format!("some {} have no {}, and are in no period", label(&undated.dataset), undated.field);
            Caveat { code: "undated_rows", text }
        });
        let earlier = self.recorded.iter().filter(|stock| is_zero(&stock.id, evidence)).map(|stock| {
            let text = format!(
                "nothing of {} was recorded in {}: what is shown was recorded before it",
                label(&stock.dataset),
                stock.words
            );
            Caveat { code: "earlier_record", text }
        });
        let ahead = self.ahead.iter().filter(|rows| !is_zero(&rows.id, evidence)).map(|rows| {
            let text = format!("some of the {} counted are dated after today", label(&rows.dataset));
            Caveat { code: "rows_ahead", text }
        });
        shared.chain(apart).chain(undated).chain(earlier).chain(ahead).collect()
    }
}

/// Refuses where one of some keys repeats in the data.
///
/// # Errors
/// A refusal that names each of them.
pub(crate) fn repeated_keys(keys: &BTreeSet<ReliedKey>, evidence: &[Evidence]) -> Result<(), Halt> {
    let broken = keys.iter().filter(|key| !is_zero(&key_id(key), evidence));
    let problems: Vec<Problem> = broken.map(repeated).collect();
    if problems.is_empty() { Ok(()) } else { Err(Halt::Refuse(problems)) }
}

/// What the query is for that asks whether a key is one.
pub(crate) fn integrity_label(key: &ReliedKey) -> Label {
    label(key_id(key), format!("whether {} names one of {}", key.fields.join(", "), key.dataset))
}

fn undated(plan: &Plan, project: &Project) -> Result<Vec<Undated>, Halt> {
    let Plan::Figures(plan) = plan else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for (i, atom) in plan.atoms.iter().enumerate() {
        if let (Some(select), Some(time)) = (compile_undated(atom, plan, project)?, &atom.time) {
            all.push(Undated {
                id: format!("undated:a{}", i.saturating_add(1)),
                dataset: atom.dataset.clone(),
                field: time.field.clone(),
                select,
            });
        }
    }
    Ok(all)
}

fn ahead(plan: &Plan, project: &Project, today: Date) -> Result<Vec<Ahead>, Halt> {
    let Plan::Figures(plan) = plan else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for (i, atom) in plan.atoms.iter().enumerate() {
        if let Some(select) = compile_ahead(atom, plan, project, today)? {
            let said = plan.windows.iter().all(|window| window.period.is_some());
            let told = said || atom.of.is_none();
            let to_come = if told { ToCome::Told } else { ToCome::Open };
            let (id, dataset) = (format!("ahead:a{}", i.saturating_add(1)), atom.dataset.clone());
            all.push(Ahead { id, dataset, to_come, select });
        }
    }
    Ok(all)
}

fn recorded(plan: &Plan, project: &Project) -> Result<Vec<InPeriod>, Halt> {
    let Plan::Figures(plan) = plan else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for (i, atom) in plan.atoms.iter().enumerate() {
        let (Some(select), Some(window)) = (compile_recorded(atom, plan, project)?, plan.windows.first())
        else {
            continue;
        };
        all.push(InPeriod {
            id: format!("recorded:a{}", i.saturating_add(1)),
            dataset: atom.dataset.clone(),
            words: window.words.clone(),
            select,
        });
    }
    Ok(all)
}

fn label(id: String, text: String) -> Label {
    Label { id, purpose: Purpose::Integrity, writer: Writer::Compiler, text, key_columns: 0 }
}

fn key_id(key: &ReliedKey) -> String {
    format!("key:{}.{}", key.dataset, key.fields.join("+"))
}

fn state_id(state: &ReliedState) -> String {
    format!("state:{}.{}={}", state.dataset, state.field, state.state)
}

fn members_id(members: &ReliedMembers) -> String {
    format!("members:{}.{}", members.dataset, members.field)
}

fn count(n: usize) -> tieout_core::number::Number {
    u64::try_from(n).unwrap_or(u64::MAX).into()
}

/// The one cell of a query that counts.
fn first<'e>(id: &str, evidence: &'e [Evidence]) -> Option<&'e Cell> {
    evidence.iter().find(|e| e.id() == id).and_then(|e| e.rows().rows.first()?.first())
}

/// Whether a count came back as none; a count that is not there is not known to be.
fn is_zero(id: &str, evidence: &[Evidence]) -> bool {
    first(id, evidence) == Some(&Cell::Number(0.into()))
}

fn repeated(key: &ReliedKey) -> Problem {
    let ReliedKey { dataset, fields } = key;
    Problem::new(
        ReasonCode::KeyRepeats,
        format!(
            "{} does not name one row of {dataset}: some values stand in several rows",
            fields.join(", ")
        ),
        "mend the data or the key in the catalogue (`tieout data check` lists them); joined as it is, rows would be counted twice",
    )
}
