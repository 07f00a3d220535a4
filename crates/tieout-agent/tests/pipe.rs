//! The walk itself, over a warehouse, a reader and a narrator that do as they are told: what stops the pipe, as what.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

use std::sync::Mutex;

use async_trait::async_trait;
use jiff::civil::date;
use tieout_agent::{Desk, Remembered, Templates, answer};
use tieout_core::{
    catalogue::{Project, load},
    claim::{Author, ClaimKind, Confidence, Draft, Piece, Sentence},
    definitions::Settled,
    evidence::{Cell, Evidence, Rows},
    figures::Figures,
    halt::{Fault, FaultKind, Halt},
    outcome::{Broken, Outcome},
    ports::{DataNote, FieldValues, Narrator, ReadContext, Reader, Warehouse},
    question::Question,
    reading::{
        AskedPeriod, Derivation, FieldRef, FiguresRequest, Grouping, MeasureRef, Reading, Request, Source,
        Sourced, Use, WordUse,
    },
    scope::{Scope, Session},
};
use tieout_sql::CheckedQuery;

const PROJECT: &str = "tieout: 1
name: tiny
warehouse: { engine: duckdb, files: { sales: sales.csv, shops: shops.csv } }
";

const CATALOGUE: &str = "datasets:
  - name: sales
    source: sales
    primary_key: [sale_id]
    tenant: tenant_id
    time: sold_on
    freshness: { column: sold_on, max_lag: 26h, history_start: 2024-01-01 }
    fields:
      - { name: sale_id, datatype: integer }
      - { name: shop_id, datatype: integer }
      - { name: sold_on, datatype: date }
      - { name: amount, datatype: decimal, unit: { currency: USD, scale: 2 } }
      - { name: wage, datatype: decimal, access: sensitive }
  - name: shops
    source: shops
    primary_key: [shop_id]
    fields:
      - { name: shop_id, datatype: integer }
      - { name: town, datatype: string, lookup: false }
relationships:
  - { name: sale_shop, from: sales, to: shops, from_columns: [shop_id], to_columns: [shop_id] }
metrics:
  - { name: revenue, owner: finance, description: all sales, dataset: sales, kind: sum, of: amount, unit: { currency: USD, scale: 2 } }
";

fn project() -> Project {
    let text = |path: &str, text: &str| load::SourceText { path: path.to_owned(), text: text.to_owned() };
    match load::load(&text("tieout.yml", PROJECT), &[text("catalogue.yml", CATALOGUE)]) {
        Ok(loaded) => loaded.project,
        Err(problems) => panic!("{problems:?}"),
    }
}

/// Reads every question as one request.
struct Fixed(Request, Vec<WordUse>);

#[async_trait]
impl Reader for Fixed {
    async fn read(&self, _: &Question, _: ReadContext<'_>) -> Result<Reading, Halt> {
        let words = self.1.clone();
        Ok(Reading { request: self.0.clone(), words, doubts: Vec::new(), alternatives: Vec::new() })
    }
}

/// Gives one row for each query, by the names of its columns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    Rows,
    CutRows,
    RepeatedKeys,
    NoRows,
    OldRows,
    Fault,
    TooFewResults,
}

#[async_trait]
impl Warehouse for Gives {
    async fn run(&self, queries: &[CheckedQuery]) -> Result<Vec<Rows>, Fault> {
        match self {
            Self::Fault => Err(Fault {
                kind: FaultKind::Timeout,
                message: "the engine did not answer within 30s".to_owned(),
                hint: "ask again".to_owned(),
            }),
            Self::TooFewResults => Ok(Vec::new()),
            Self::Rows | Self::CutRows | Self::RepeatedKeys | Self::NoRows | Self::OldRows => {
                Ok(queries.iter().map(|q| self.rows(q)).collect())
            }
        }
    }

    fn notes(&self) -> &[DataNote] {
        &[]
    }

    fn is_fixed(&self) -> bool {
        false
    }
}

impl Gives {
    fn rows(self, query: &CheckedQuery) -> Rows {
        let columns: Vec<String> = query.columns().iter().map(|c| c.name.clone()).collect();
        let support = columns.iter().any(|c| c == "sale_id");
        let cell = |name: &String| match (name.as_str(), self) {
            ("repeated", Self::RepeatedKeys) => Cell::Number(2.into()),
            ("repeated", _) | ("n", Self::NoRows) => Cell::Number(0.into()),
            ("p1", Self::NoRows) => Cell::Null,
            ("n", _) => Cell::Number(1.into()),
            ("loaded" | "sold_on", Self::OldRows) => Cell::Date(date(2026, 5, 1)),
            ("loaded" | "sold_on", _) => Cell::Date(date(2026, 10, 6)),
            ("g1", _) => Cell::Text("Leeds".to_owned()),
            _ => Cell::Number(70.into()),
        };
        let rows = if support && self == Self::NoRows {
            Vec::new()
        } else {
            vec![columns.iter().map(cell).collect()]
        };
        Rows { columns, rows, cut: self == Self::CutRows }
    }
}

/// Data that may or may not change, and the statements that ran over it.
struct Counting {
    is_fixed: bool,
    ran: Mutex<Vec<String>>,
}

#[async_trait]
impl Warehouse for Counting {
    async fn run(&self, queries: &[CheckedQuery]) -> Result<Vec<Rows>, Fault> {
        self.ran.lock().unwrap().extend(queries.iter().map(|query| query.sql().to_owned()));
        Gives::Rows.run(queries).await
    }

    fn notes(&self) -> &[DataNote] {
        &[]
    }

    fn is_fixed(&self) -> bool {
        self.is_fixed
    }
}

/// Says what it is told to.
struct Says(Vec<Piece>);

#[async_trait]
impl Narrator for Says {
    async fn narrate(&self, _: &Settled, _: &Figures) -> Result<Draft, Halt> {
        let sentence = Sentence {
            kind: ClaimKind::Value,
            pieces: self.0.clone(),
            confidence: Confidence::Computed,
            author: Author::Template,
        };
        Ok(Draft { sentences: if self.0.is_empty() { Vec::new() } else { vec![sentence] } })
    }
}

fn sourced<T>(value: T) -> Sourced<T> {
    Sourced { value, source: Source::Question }
}

fn request(measure: MeasureRef, grouped: bool) -> FiguresRequest {
    let project = project();
    let town = FieldRef { dataset: "shops".to_owned(), field: "town".to_owned(), via: None };
    FiguresRequest {
        measures: vec![sourced(measure)],
        groupings: if grouped { vec![sourced(Grouping::Field(town))] } else { Vec::new() },
        conditions: Vec::new(),
        period: AskedPeriod {
            period: project.calendar.period(date(2026, 9, 1), date(2026, 10, 1)),
            words: "September 2026".to_owned(),
            source: Source::Question,
        },
        derivation: Derivation::Plain,
        having: Vec::new(),
        ranking: None,
    }
}

fn revenue() -> MeasureRef {
    MeasureRef::Metric("revenue".to_owned())
}

async fn walk(
    reader: &Fixed,
    warehouse: Gives,
    narrator: &dyn Narrator,
    tenant: Option<&str>,
) -> Result<Outcome, Box<Broken>> {
    walk_over(reader, &warehouse, narrator, tenant, &Remembered::default()).await
}

async fn walk_over(
    reader: &Fixed,
    warehouse: &dyn Warehouse,
    narrator: &dyn Narrator,
    tenant: Option<&str>,
    remembered: &Remembered,
) -> Result<Outcome, Box<Broken>> {
    let project = project();
    let session = Session { principal: "test".to_owned(), tenant: tenant.map(str::to_owned) };
    let desk = Desk {
        project: &project,
        scope: &Scope::of(&session),
        warehouse,
        reader,
        narrator,
        drafter: None,
        values: &FieldValues::default(),
        previous: None,
        remembered,
    };
    let now = "2026-10-07T12:00:00Z".parse().unwrap();
    answer(&desk, Question { text: String::new(), now, confirmed: Vec::new() }).await
}

async fn asked(request: FiguresRequest, warehouse: Gives) -> String {
    let town = WordUse { text: "town".to_owned(), start: 0, used_as: Use::Field("shops.town".to_owned()) };
    let words = request.groupings.iter().map(|_| town.clone()).collect();
    name(walk(&Fixed(Request::Figures(request), words), warehouse, &Templates, Some("alpha")).await)
}

fn name(end: Result<Outcome, Box<Broken>>) -> String {
    match end {
        Ok(Outcome::Answer(answer)) => {
            assert!(!answer.claims.list().is_empty(), "an answer without claims");
            "answer".to_owned()
        }
        Ok(Outcome::Doubt { doubts, .. }) => format!("doubt {}", doubts[0].subject),
        Ok(Outcome::Refusal { problems, .. }) => format!("refusal {}", problems[0].code.code()),
        Err(broken) => format!("fault {}", broken.fault.kind.code()),
    }
}

#[tokio::test]
async fn each_end_has_its_name() {
    assert_eq!(asked(request(revenue(), false), Gives::Rows).await, "answer");
    assert_eq!(asked(request(revenue(), true), Gives::Rows).await, "answer");
    assert_eq!(asked(request(revenue(), true), Gives::CutRows).await, "refusal cut_short");
    assert_eq!(asked(request(revenue(), true), Gives::RepeatedKeys).await, "refusal key_repeats");
    assert_eq!(asked(request(revenue(), false), Gives::NoRows).await, "refusal no_rows");
    assert_eq!(asked(request(revenue(), false), Gives::OldRows).await, "refusal not_loaded");
}

#[tokio::test]
async fn a_fault_is_never_a_refusal() {
    assert_eq!(asked(request(revenue(), false), Gives::Fault).await, "fault timeout");
    assert_eq!(asked(request(revenue(), false), Gives::TooFewResults).await, "fault internal");
}

#[tokio::test]
async fn a_count_of_nothing_is_zero_and_a_sum_of_nothing_is_none() {
    let count = MeasureRef::Count { dataset: "sales".to_owned() };
    assert_eq!(asked(request(count, false), Gives::NoRows).await, "answer");
}

#[tokio::test]
async fn a_session_without_a_tenant_sees_no_tenants_rows() {
    let reader = Fixed(Request::Figures(request(revenue(), false)), Vec::new());
    assert_eq!(name(walk(&reader, Gives::Rows, &Templates, None).await), "refusal no_tenant");
}

#[tokio::test]
async fn a_word_that_was_not_understood_stops_the_pipe() {
    let word = WordUse { text: "gross".to_owned(), start: 0, used_as: Use::Unknown };
    let reader = Fixed(Request::Figures(request(revenue(), false)), vec![word]);
    assert_eq!(name(walk(&reader, Gives::Rows, &Templates, Some("alpha")).await), "refusal unknown_word");
}

#[tokio::test]
async fn a_word_without_a_part_in_the_request_stops_the_pipe() {
    let uses = [
        Use::Dataset("shops".to_owned()),
        Use::Field("shops.town".to_owned()),
        Use::Value("shops.town = Leeds".to_owned()),
        Use::Metric("profit".to_owned()),
        Use::Population("regulars".to_owned()),
    ];
    for used_as in uses {
        let word = vec![WordUse { text: "some word".to_owned(), start: 0, used_as }];
        let without = Fixed(Request::Figures(request(revenue(), false)), word.clone());
        let end = walk(&without, Gives::Rows, &Templates, Some("alpha")).await;
        assert_eq!(name(end), "refusal unsupported", "{word:?}");
    }
    let town =
        vec![WordUse { text: "town".to_owned(), start: 0, used_as: Use::Field("shops.town".to_owned()) }];
    let with = Fixed(Request::Figures(request(revenue(), true)), town);
    assert_eq!(name(walk(&with, Gives::Rows, &Templates, Some("alpha")).await), "answer");
}

#[tokio::test]
async fn a_grouping_that_no_word_asked_for_stops_the_pipe() {
    let reader = Fixed(Request::Figures(request(revenue(), true)), Vec::new());
    assert_eq!(name(walk(&reader, Gives::Rows, &Templates, Some("alpha")).await), "refusal unsupported");
}

#[tokio::test]
async fn an_assumed_measure_stops_for_confirmation() {
    let made_up =
        MeasureRef::AdHoc { kind: "average", dataset: "sales".to_owned(), field: "amount".to_owned() };
    let mut assumed = request(made_up, false);
    assumed.measures[0].source = Source::Assumed;
    assert_eq!(asked(assumed.clone(), Gives::Rows).await, "doubt metric");
    assumed.measures[0].source = Source::Confirmed;
    assert_eq!(asked(assumed, Gives::Rows).await, "answer");
}

#[tokio::test]
async fn what_the_checker_rejects_is_refused() {
    let wages = MeasureRef::AdHoc { kind: "average", dataset: "sales".to_owned(), field: "wage".to_owned() };
    assert_eq!(asked(request(wages, false), Gives::Rows).await, "refusal rejected");
}

#[tokio::test]
async fn names_of_things_are_not_averaged() {
    let ids = MeasureRef::AdHoc { kind: "average", dataset: "sales".to_owned(), field: "shop_id".to_owned() };
    assert_eq!(asked(request(ids, false), Gives::Rows).await, "refusal not_additive");
}

#[tokio::test]
async fn a_narrator_is_not_believed() {
    let words = |text: &str| Piece::Words(text.to_owned());
    let lies = [
        vec![words("revenue was 70 USD")],
        vec![words("revenue was "), Piece::Figure("f9".to_owned())],
        vec![Piece::Name("profit".to_owned()), words(" is "), Piece::Figure("f1".to_owned())],
        vec![words("all is well")],
        vec![words("there are "), Piece::RowCount("q9".to_owned())],
    ];
    let reader = Fixed(Request::Figures(request(revenue(), false)), Vec::new());
    for lie in lies {
        let end = walk(&reader, Gives::Rows, &Says(lie.clone()), Some("alpha")).await;
        assert_eq!(name(end), "refusal untethered", "{lie:?}");
    }
    let silent = walk(&reader, Gives::Rows, &Says(Vec::new()), Some("alpha")).await;
    assert_eq!(name(silent), "refusal no_draft");
    let truth = Says(vec![words("it is "), Piece::Figure("f1".to_owned())]);
    assert_eq!(name(walk(&reader, Gives::Rows, &truth, Some("alpha")).await), "answer");
}

/// How many statements ran for each of three askings: alpha, alpha again, beta; and whether all had the same evidence.
async fn ran_for(is_fixed: bool) -> ([usize; 3], bool) {
    let town = WordUse { text: "town".to_owned(), start: 0, used_as: Use::Field("shops.town".to_owned()) };
    let reader = Fixed(Request::Figures(request(revenue(), true)), vec![town]);
    let warehouse = Counting { is_fixed, ran: Mutex::default() };
    let remembered = Remembered::default();
    let (mut counts, mut evidence) = ([0; 3], Vec::new());
    for (count, tenant) in counts.iter_mut().zip(["alpha", "alpha", "beta"]) {
        let end = walk_over(&reader, &warehouse, &Templates, Some(tenant), &remembered).await;
        let Ok(Outcome::Answer(answer)) = end else { panic!("no answer") };
        let sealed = |e: &Evidence| (e.id().to_owned(), e.query().sql().to_owned(), e.digest().to_owned());
        evidence.push(answer.trail.evidence.iter().map(sealed).collect::<Vec<_>>());
        *count = std::mem::take(&mut *warehouse.ran.lock().unwrap()).len();
    }
    (counts, evidence.windows(2).all(|pair| pair[0] == pair[1]))
}

#[tokio::test]
async fn what_holds_of_data_that_cannot_change_is_asked_once_for_each_tenant() {
    let ([first, again, other], same) = ran_for(true).await;
    assert!(same, "what is remembered stands in the evidence as what was fetched");
    assert!(again < first, "{again} of {first}: whether keys are keys was asked again");
    // Shops belong to no tenant, but a query that was checked for another session is never taken over.
    assert_eq!(other, first);
    let ([first, again, other], same) = ran_for(false).await;
    assert!(same);
    assert_eq!([first, again], [again, other], "what may change is asked each time");
}
