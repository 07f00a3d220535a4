//! From texts to a checked project, or to everything that is wrong with them, in one go.
//!
//! Owns the project format: its table of keys, the checks across entries, the schema for the SQL checker, the digest,
//! and the JSON Schemas for editors. Deliberately absent: reading files and folders; texts are handed in, as UTF-8.

mod codes;
mod datasets;
mod digest;
mod dimensions;
mod expressions;
mod fields;
mod json_schema;
mod keys;
mod made;
mod metrics;
mod minor;
mod models;
mod near;
mod node;
mod parse;
mod places;
mod populations;
mod problem;
mod project;
mod relationships;
mod render;
mod scalars;
mod schema;
mod stated;
mod terms;
mod typing;
mod units;
mod walk;
mod words;

use indexmap::IndexMap;
use tieout_sql::{DUCKDB, Dialect, Schema};

pub use codes::CODES;
pub(super) use codes::lint as lint_codes;
pub use fields::VALUES_PER_FIELD_MAX;
pub use json_schema::{catalogue_schema, project_schema};
pub(super) use near::hint as near_hint;
pub use parse::FILE_BYTES_MAX;
pub use places::{EntryKind, Places};
pub use problem::{CatalogueProblem, PROBLEMS_MAX, Problems, Severity};
pub use render::{Colour, Drawing, draw, render};
pub use stated::state;
pub(super) use words::normal;

use super::{Catalogue, Project};
use node::{Content, Node};
use problem::{At, Report};

/// The most entries that a catalogue may have, fields among them.
pub const ENTRIES_MAX: usize = 100_000;

/// A file's text, and its path as it is shown to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// As shown.
    pub path: String,
    /// All of it.
    pub text: String,
}

/// A project that may be used.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// Settings and catalogue.
    pub project: Project,
    /// What somebody should look at.
    pub warnings: Vec<CatalogueProblem>,
    /// Where the entries stand, for lint and for whoever points at one.
    pub places: Places,
}

/// The folders that a project file names, relative to its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folders {
    /// Of the catalogue's files.
    pub catalogue: String,
    /// Of the golden cases.
    pub golden: String,
}

/// Loads a project.
///
/// # Errors
/// Every problem of every file, when at least one of them is an error.
pub fn load(project_file: &SourceText, catalogue_files: &[SourceText]) -> Result<Loaded, Problems> {
    let files: Vec<&SourceText> = std::iter::once(project_file).chain(catalogue_files).collect();
    let mut report = Report::new(&files);
    let trees: Vec<Option<Node>> = (0..files.len()).map(|file| tree(file, &mut report)).collect();
    let mut trees = trees.iter();
    let project = trees.next().and_then(Option::as_ref);
    let catalogue: Vec<&Node> = trees.flatten().collect();
    let project = build(project, &catalogue, &mut report);
    let failed = report.has_errors();
    let problems = report.finish();
    match project {
        Some((project, places)) if !failed => Ok(Loaded { project, warnings: problems, places }),
        Some(_) | None => Err(Problems(problems)),
    }
}

/// The folders of a project. A file that cannot be read names none, and [`load`] says what is wrong with it.
#[must_use]
pub fn folders(project_file: &SourceText) -> Folders {
    let files = [project_file];
    let tree = parse::parse(0, &mut Report::new(&files));
    let [catalogue, golden] = keys::FOLDERS.map(|(key, otherwise)| {
        let named =
            tree.as_ref().and_then(|tree| tree.word_of(key)).filter(|word| scalars::is_path(word.text));
        named.map_or_else(|| otherwise.to_owned(), node::Word::owned)
    });
    Folders { catalogue, golden }
}

/// The checked tree of one file; the first file is the project's own.
fn tree(file: usize, report: &mut Report<'_>) -> Option<Node> {
    let node = parse::parse(file, report)?;
    let section = if file == 0 { &keys::PROJECT } else { &keys::CATALOGUE };
    if matches!(node.content, Content::Nothing) {
        let at = At { line: 1, column: 1, start: 0, length: 0, ..node.at };
        match file {
            0 => report.error(
                codes::EMPTY_FILE,
                at,
                "the project file is empty",
                "write at least `tieout`, `name` and `warehouse`",
            ),
            _ => report.warn(codes::EMPTY_FILE, at, "the file holds no entry", "remove it, or write entries"),
        }
        return None;
    }
    walk::check(&node, section, report);
    Some(node)
}

/// What every step needs beside the entry that it reads.
struct Context<'n> {
    dialect: &'static Dialect,
    entries: Entries<'n>,
}

/// The entries of all files, by name, the first where there are two.
#[derive(Default)]
struct Entries<'n> {
    datasets: IndexMap<String, &'n Node>,
    relationships: IndexMap<String, &'n Node>,
    populations: IndexMap<String, &'n Node>,
    metrics: IndexMap<String, &'n Node>,
    terms: IndexMap<String, &'n Node>,
}

/// The project, or none when there is no project file. It may be used only if no error was noted.
fn build(project: Option<&Node>, files: &[&Node], report: &mut Report<'_>) -> Option<(Project, Places)> {
    let nothing = Node { at: At::default(), content: Content::Nothing };
    let settings = project.unwrap_or(&nothing);
    let warehouse = project::warehouse(settings, report);
    let policy = project::policy(settings, report);
    let model = models::model(settings, report);
    let dialect = Dialect::by_name(&warehouse.engine).unwrap_or(&DUCKDB);
    let context = Context { dialect, entries: gather(files, report)? };
    let mut catalogue = Catalogue {
        datasets: datasets::read(&context, &warehouse, report),
        relationships: IndexMap::new(),
        populations: IndexMap::new(),
        metrics: IndexMap::new(),
        terms: IndexMap::new(),
        schema: Schema::default(),
        dialect,
        digest: digest::digest(&context.entries),
    };
    catalogue.relationships = relationships::read(&context, &catalogue.datasets, report);
    catalogue.populations = populations::read(&context, &catalogue, report);
    catalogue.metrics = metrics::read(&context, &catalogue, report);
    catalogue.terms = terms::read(&context, &catalogue, report);
    words::check(&context, &catalogue, report);
    catalogue.schema = schema::schema(&catalogue, &warehouse);
    let name = settings.text_of("name").unwrap_or_default();
    let calendar = project::calendar(project?);
    let places = Places::of(&context.entries, report);
    Some((Project { name, warehouse, calendar, policy, model, catalogue }, places))
}

/// The entries of all files, or none when there are too many to read.
fn gather<'n>(files: &[&'n Node], report: &mut Report<'_>) -> Option<Entries<'n>> {
    let lists = ["datasets", "relationships", "populations", "metrics", "terms"];
    let all = || files.iter().flat_map(|file| lists.iter().flat_map(|list| file.items_of(list)));
    let count: usize = all().map(|entry| 1 + entry.items_of("fields").len()).sum();
    if count > ENTRIES_MAX {
        let at = files.first().map(|file| file.at).unwrap_or_default();
        let message =
            format!("the catalogue has {count} entries, fields among them; at most {ENTRIES_MAX} are read");
        report.error(codes::TOO_MANY_ENTRIES, at, message, "split it into several projects");
        return None;
    }
    Some(Entries {
        datasets: named(files, ("datasets", "name", "dataset"), report),
        relationships: named(files, ("relationships", "name", "relationship"), report),
        populations: named(files, ("populations", "name", "population"), report),
        metrics: named(files, ("metrics", "name", "metric"), report),
        terms: named(files, ("terms", "term", "term"), report),
    })
}

fn named<'n>(
    files: &[&'n Node],
    (list, key, kind): (&str, &str, &str),
    report: &mut Report<'_>,
) -> IndexMap<String, &'n Node> {
    let mut entries: IndexMap<String, &'n Node> = IndexMap::new();
    for entry in files.iter().flat_map(|file| file.items_of(list)) {
        let Some(name) = entry.word_of(key) else { continue };
        if let Some(first) = entries.get(name.text) {
            let message =
                format!("the {kind} `{}` is there already ({})", name.text, report.place(first.at_of(key)));
            report.error(
                codes::DUPLICATE_NAME,
                name.at,
                message,
                "give one of them another name, or remove it",
            );
            continue;
        }
        entries.insert(name.owned(), entry);
    }
    entries
}

/// A name as a person says it.
pub(super) fn spoken(name: &str) -> String {
    name.replace('_', " ")
}
