//! Drafted and compiled answers beside each other: aggregates of every number of the example projects, in groups, in steps
//! of time and in all. A drafter that knows nothing but its prompt writes each statement, in several styles; every answer
//! must be the same, to the last row, as that of our own statements.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a test may stop")]

use std::{collections::BTreeSet, path::Path, sync::Arc};

use serde_json::json;
use tieout::{
    session::{Answered, Ask, Modelled, Workbench},
    wire::WrittenBy,
};
use tieout_agent::Verdict;
use tieout_core::{
    catalogue::{Datatype, Project},
    model::{DraftMode, NarrateMode, Prompt, ReadMode},
    outcome::{Answer, Outcome},
    question::Confirmation,
    scope::Session,
};
use tieout_model::scripted::{Says, Scripted};

/// How a drafter writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// One SELECT.
    Plain,
    /// The rows of the period in a named query, joined afterwards.
    Named,
    /// The aggregates in a nested query.
    Nested,
    /// Columns under other names, the last first.
    Backwards,
}

const STYLES: [Style; 4] = [Style::Plain, Style::Named, Style::Nested, Style::Backwards];

/// What a prompt says, taken apart as a reader would.
struct Told<'p> {
    /// Names and what stands in each.
    columns: Vec<(&'p str, &'p str)>,
    base: &'p str,
    period: Option<&'p str>,
    /// Name and condition of each relationship.
    relationships: Vec<(&'p str, &'p str)>,
}

impl<'p> Told<'p> {
    fn by(prompt: &'p Prompt) -> Self {
        let text = prompt.turns[0].text.as_str();
        let section = |name: &str| {
            let found = text.split("# ").find(|part| part.starts_with(name)).unwrap_or_default();
            found.lines().skip(1).filter(|line| !line.is_empty()).collect::<Vec<&str>>()
        };
        let pair = |line: &'p str| line.split_once(": ").unwrap_or_else(|| panic!("{line}"));
        let rows = section("rows");
        assert!(rows.contains(&"<data>[]</data>"), "no question here has a condition:\n{text}");
        Self {
            columns: section("columns").into_iter().map(pair).collect(),
            base: rows[0].trim_start_matches("every row of ").split(' ').next().unwrap(),
            period: rows.iter().find_map(|line| line.strip_prefix("- ")),
            relationships: section("relationships").into_iter().map(pair).collect(),
        }
    }

    /// What stands in a column, over the rows of `from`.
    fn column(&self, said: &str, from: &str) -> String {
        match said.strip_suffix(", grouped by") {
            Some(case) if case.starts_with("CASE") => case.replace("WHEN ", &format!("WHEN {from}.")),
            Some(field) => {
                let (field, way) = field.split_once(" along ").unwrap_or((field, ""));
                let name = field.split_once('.').unwrap().1;
                match way.split(", then ").filter(|step| !step.is_empty()).count() {
                    0 => format!("{from}.{name}"),
                    steps => format!("j{steps}.{name}"),
                }
            }
            None if said == "count(*)" => said.to_owned(),
            None => said
                .replace("(\"", &format!("({from}.\""))
                .replace("distinct \"", &format!("distinct {from}.\"")),
        }
    }

    /// Each step by a name of its own, since a table may lead to itself. No question here has two ways.
    fn joins(&self, from: &str) -> String {
        let ways: BTreeSet<&str> = self
            .columns
            .iter()
            .filter_map(|(_, said)| said.strip_suffix(", grouped by")?.split_once(" along "))
            .map(|(_, way)| way)
            .collect();
        assert!(ways.len() < 2, "two ways: {ways:?}");
        let Some(way) = ways.first() else { return String::new() };
        let (mut joined, mut before) = (String::new(), from.to_owned());
        for (step, name) in way.split(", then ").enumerate() {
            let (_, on) = self.relationships.iter().find(|(known, _)| *known == name).unwrap();
            let here = format!("j{}", step + 1);
            let column = |side: &str| side.split_once('.').unwrap().1.to_owned();
            let pairs: Vec<String> = on
                .split(" and ")
                .map(|pair| {
                    let (many, one) = pair.split_once(" = ").unwrap();
                    format!("{before}.{} = {here}.{}", column(many), column(one))
                })
                .collect();
            let to = on.split(" = ").nth(1).unwrap().split('.').next().unwrap();
            joined.push_str(&format!(" left join {to} as {here} on {}", pairs.join(" and ")));
            before = here;
        }
        joined
    }

    fn groups(&self, from: &str) -> String {
        let groups = self.columns.iter().filter(|(_, said)| said.ends_with(", grouped by"));
        let groups: Vec<String> = groups.map(|(_, said)| self.column(said, from)).collect();
        if groups.is_empty() { String::new() } else { format!(" group by {}", groups.join(", ")) }
    }

    fn filter(&self, from: &str) -> String {
        let qualified = |period: &str| {
            let parts: Vec<String> = period.split(" and ").map(|part| format!("{from}.{part}")).collect();
            format!(" where {}", parts.join(" and "))
        };
        self.period.map_or_else(String::new, qualified)
    }

    fn draft(&self, style: Style) -> String {
        let base = self.base;
        let listed = |from: &str| -> Vec<String> {
            self.columns.iter().map(|(name, said)| format!("{} as {name}", self.column(said, from))).collect()
        };
        let plain = |columns: &[String]| {
            format!(
                "select {} from {base}{}{}{}",
                columns.join(", "),
                self.joins(base),
                self.filter(base),
                self.groups(base)
            )
        };
        match style {
            Style::Plain => plain(&listed(base)),
            Style::Named => format!(
                "with picked as (select * from {base}{}) select {} from picked{}{}",
                self.filter(base),
                listed("picked").join(", "),
                self.joins("picked"),
                self.groups("picked")
            ),
            Style::Nested => {
                let names: Vec<&str> = self.columns.iter().map(|(name, _)| *name).collect();
                format!("select {} from ({}) as t", names.join(", "), plain(&listed(base)))
            }
            Style::Backwards => {
                let named = self.columns.iter().enumerate().rev();
                let columns: Vec<String> =
                    named.map(|(at, (_, said))| format!("{} as c{at}", self.column(said, base))).collect();
                plain(&columns)
            }
        }
    }
}

/// Questions after aggregates of every number, with what confirms each.
fn questions(project: &Project) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let groupings: Vec<String> = project
        .catalogue
        .datasets
        .values()
        .flat_map(|dataset| dataset.fields.values())
        .filter(|field| field.datatype == Datatype::String && !field.values.is_empty())
        .map(|field| format!(" by {}", field.label))
        .chain([String::new(), " by month".to_owned()])
        .collect();
    for dataset in project.catalogue.datasets.values() {
        for field in dataset.fields.values().filter(|field| !field.identifier) {
            if !matches!(field.datatype, Datatype::Integer | Datatype::Decimal | Datatype::Float) {
                continue;
            }
            let period = if dataset.time.is_some() { " in 2026" } else { "" };
            for (kind, word) in
                [("average", "average"), ("sum", "total"), ("maximum", "highest"), ("minimum", "lowest")]
            {
                for by in &groupings {
                    let question = format!("{word} {}{by}{period}", field.label);
                    all.push((question, format!("{kind}:{}.{}", dataset.name, field.name)));
                }
            }
        }
    }
    all
}

fn ask(question: &str, confirmed: &str) -> Ask {
    let now = "2026-10-07T16:00:00Z".parse().unwrap();
    Ask {
        id: "drafts".to_owned(),
        asked_at: now,
        now,
        question: question.to_owned(),
        confirmed: vec![Confirmation { subject: "metric".to_owned(), choice: confirmed.to_owned() }],
        after: None,
        edits: None,
    }
}

fn answer(answered: &Answered) -> Option<&Answer> {
    match &answered.outcome {
        Ok(Outcome::Answer(answer)) => Some(answer),
        Ok(Outcome::Doubt { .. } | Outcome::Refusal { .. }) | Err(_) => None,
    }
}

/// The rows of every query, by its id.
fn rows(answer: &Answer) -> Vec<(String, Vec<String>, String)> {
    let row = |e: &tieout_core::evidence::Evidence| {
        (e.id().to_owned(), e.rows().columns.clone(), e.digest().to_owned())
    };
    let mut all: Vec<_> = answer.trail.evidence.iter().map(row).collect();
    // A draft may rely on further keys, which are then looked at too.
    all.retain(|(id, ..)| !id.starts_with("key:"));
    all.sort();
    all
}

async fn beside(
    bench: &Workbench,
    session: &Session,
    question: &str,
    confirmed: &str,
    style: Style,
) -> (usize, bool) {
    let own = bench.answer_unrecorded(session, ask(question, confirmed)).await;
    let Some(own) = answer(&own) else { return (0, false) };
    let model = Scripted::improvising(move |prompt| {
        Says::reply(json!({ "sql": Told::by(prompt).draft(style) }).to_string())
    });
    let modelled = Modelled {
        model: Arc::new(model),
        read: ReadMode::Builtin,
        narrate: NarrateMode::Builtin,
        embedder: None,
        drafts: DraftMode::AdHoc,
    };
    let drafted = bench.answer_unrecorded_with(session, ask(question, confirmed), None, modelled).await;
    let Some(theirs) = answer(&drafted) else {
        panic!("{question} ({style:?}): {:#?}\n{:#?}", drafted.record.ending, drafted.record.models)
    };
    assert_eq!(theirs.figures, own.figures, "{question} ({style:?})");
    assert_eq!(rows(theirs), rows(own), "{question} ({style:?})");
    let queries = drafted.record.queries.iter().filter(|query| query.written_by == WrittenBy::Model).count();
    let replayed = bench.replay(session, &drafted.record).await.unwrap_or_else(|_| panic!("{question}"));
    assert_eq!(replayed.verdict, Verdict::Same, "{question} ({style:?})");
    (queries, true)
}

fn run_world(world: &str) -> (usize, usize, usize) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("worlds").join(world);
    let bench = Workbench::open(&folder, None).unwrap_or_else(|e| panic!("{world}: {e:?}"));
    let session = Session { principal: "test".to_owned(), tenant: Some("alpha".to_owned()) };
    let (mut asked, mut answered, mut queries) = (0, 0, 0);
    for (question, confirmed) in questions(bench.project()) {
        // Every question in one style, and every style over each number.
        let style = STYLES[asked % STYLES.len()];
        let (drafted, is_answered) = runtime.block_on(beside(&bench, &session, &question, &confirmed, style));
        asked += 1;
        answered += usize::from(is_answered);
        queries += drafted;
    }
    println!("{world}: {asked} questions, {answered} answered, {queries} queries drafted, all as our own");
    (asked, answered, queries)
}

#[test]
fn drafts_of_commerce_give_what_our_own_statements_give() {
    let (_, answered, queries) = run_world("commerce");
    assert!(answered > 20 && queries > 20, "only {answered} answers, {queries} queries");
}

#[test]
fn drafts_of_lending_give_what_our_own_statements_give() {
    let (_, answered, queries) = run_world("lending");
    assert!(answered > 20 && queries > 20, "only {answered} answers, {queries} queries");
}

#[test]
fn drafts_of_support_give_what_our_own_statements_give() {
    let (_, answered, queries) = run_world("support");
    assert!(answered > 5 && queries > 5, "only {answered} answers, {queries} queries");
}
