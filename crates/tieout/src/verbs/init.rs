//! `init`: drafts a project from data files: what the data proves, marked as a draft, and no metric.
//!
//! Nothing that is there already is overwritten. Deliberately absent: looking at the data, which the engine does.

use std::{
    fs,
    io::Write,
    path::{Component, Path, PathBuf},
};

use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde_json::json;
use tieout_core::halt::{Fault, FaultKind};
use tieout_warehouse::DraftProject;
use url::Url;

use super::{Exit, Running, Stop, Verb, print, progress::Progress};
use crate::{
    project::{self, PROJECT_FILE},
    render::{json, text::harmless},
    surroundings::Surroundings,
};

/// Where the drafted catalogue is written, within the project's folder.
const CATALOGUE_FILE: &str = "catalogue/datasets.yml";

/// How the names of data files end.
const ENDINGS: [&str; 9] = ["csv", "tsv", "psv", "parquet", "json", "jsonl", "ndjson", "duckdb", "db"];

pub(super) const VERB: Verb = Verb {
    name: "init",
    command: || Arguments::augment_args(Command::new("init")).about("drafts a project from data files"),
    run,
};

#[derive(Args, Debug)]
struct Arguments {
    /// Data files (CSV, TSV, Parquet, JSON lines) or one DuckDB database, as paths or as `file:///` and `duckdb:///` URLs
    /// [default: those in the project's folder]
    files: Vec<PathBuf>,
    /// The project's folder, made when it is not there [default: the folder you are in]
    #[arg(long, value_name = "FOLDER")]
    into: Option<PathBuf>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

fn run<'a>(matches: &'a ArgMatches, _: &'a Surroundings) -> Running<'a> {
    Box::pin(async move {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Stop::usage(e.to_string(), ""))?;
        let named = arguments.into.clone().unwrap_or_else(|| PathBuf::from("."));
        let into = named.clone();
        let files = files(&arguments.files, &into)?;
        for file in [PROJECT_FILE, CATALOGUE_FILE] {
            if into.join(file).exists() {
                return Err(Stop::usage(
                    format!("`{}` is there already", into.join(file).display()),
                    "move it away first, or name another folder with `--into`",
                ));
            }
        }
        fs::create_dir_all(&into).map_err(|error| cannot_write(&into, &error))?;
        let into = into.canonicalize().map_err(|error| cannot_write(&into, &error))?;
        let files = files.iter().map(|file| seen_from(&into, file)).collect::<Result<Vec<_>, _>>()?;
        // Paths in the draft are those from the project's folder, and the engine reads them from where it is.
        std::env::set_current_dir(&into).map_err(|error| cannot_write(&into, &error))?;
        let progress = Progress::start("looking at the data");
        let draft = tieout_warehouse::draft(&files)?;
        drop(progress);
        write(&into, &draft)?;
        // A draft that does not load would be a mistake of ours, and is told as one.
        project::open(&into)?;
        tell(&arguments, &named, &draft)
    })
}

/// The files that were named, or those that lie in the folder.
fn files(named: &[PathBuf], into: &Path) -> Result<Vec<PathBuf>, Stop> {
    if !named.is_empty() {
        return named.iter().map(|file| at_url(file)).collect();
    }
    let mut found: Vec<PathBuf> = [into.to_owned(), into.join("data")]
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.is_file()
                && path.extension().is_some_and(|e| ENDINGS.iter().any(|known| e.eq_ignore_ascii_case(known)))
        })
        .collect();
    found.sort();
    if found.is_empty() {
        return Err(Stop::usage(
            format!("there are no data files in {}", into.display()),
            "name some: `tieout init sales.csv customers.parquet`",
        ));
    }
    Ok(found)
}

/// The schemes of URLs that name a file on this machine: a data file, and a DuckDB database.
const SCHEMES: [&str; 2] = ["file", "duckdb"];

/// The file that a URL names; what is no URL is a path. The rest of a URL may hold a password, so only its scheme is told.
fn at_url(named: &Path) -> Result<PathBuf, Stop> {
    let Some((scheme, rest)) = named.to_str().and_then(|text| text.split_once("://")) else {
        return Ok(named.to_owned());
    };
    if !SCHEMES.contains(&scheme) {
        return Err(Stop::usage(
            format!("no engine here opens `{scheme}://…`"),
            "name data files, a DuckDB database file, or one of them as `file:///…` or `duckdb:///…`",
        ));
    }
    let path = Url::parse(&format!("file://{rest}")).ok().and_then(|url| url.to_file_path().ok());
    path.ok_or_else(|| {
        Stop::usage(
            format!("a `{scheme}://` URL names a file on this machine, and this one does not"),
            "write three slashes and the whole path: `file:///data/sales.csv`",
        )
    })
}

/// The path of a file as it is seen from a folder; both without links, so that `..` means what it says.
fn seen_from(folder: &Path, file: &Path) -> Result<PathBuf, Stop> {
    let full = file.canonicalize().map_err(|error| {
        Stop::Fault(Fault {
            kind: FaultKind::Data,
            message: format!("`{}` cannot be read: {error}", file.display()),
            hint: "check the path".to_owned(),
        })
    })?;
    let (folder, target): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (folder.components().collect(), full.components().collect());
    let shared = folder.iter().zip(&target).take_while(|(a, b)| a == b).count();
    let up = folder.iter().skip(shared).map(|_| Component::ParentDir);
    let down = target.iter().skip(shared).copied();
    Ok(up.chain(down).collect())
}

fn write(into: &Path, draft: &DraftProject) -> Result<(), Stop> {
    let catalogue = into.join(CATALOGUE_FILE);
    if let Some(folder) = catalogue.parent() {
        fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    }
    // The catalogue first: a folder is a project only once it has its own file.
    for (path, text) in [(catalogue, &draft.catalogue), (into.join(PROJECT_FILE), &draft.project)] {
        let file = fs::OpenOptions::new().write(true).create_new(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| cannot_write(&path, &error))?;
    }
    Ok(())
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Stop {
    Stop::Fault(Fault {
        kind: FaultKind::Data,
        message: format!("`{}` cannot be written: {error}", path.display()),
        hint: "name another folder with `--into`".to_owned(),
    })
}

fn tell(arguments: &Arguments, into: &Path, draft: &DraftProject) -> Result<Exit, Stop> {
    let written = [PROJECT_FILE, CATALOGUE_FILE];
    if arguments.json {
        print(&json::print(
            &json!({ "folder": into.to_string_lossy(), "written": written, "notes": draft.notes }),
        ))?;
        return Ok(Exit::Done);
    }
    let mut text = format!("drafted {}:\n", harmless(&into.to_string_lossy()));
    for file in written {
        text.push_str(&format!("  {file}\n"));
    }
    if !draft.notes.is_empty() {
        text.push_str("\nmind:\n");
    }
    for note in &draft.notes {
        text.push_str(&format!("  {}\n", harmless(note)));
    }
    text.push_str("\nnext:\n  read both files and correct them; they are drafts\n");
    text.push_str("  tieout data check        # how the files were read\n");
    text.push_str("  tieout catalogue check   # whether the words hold together\n");
    text.push_str("  tieout ask \"what can I ask?\"\n");
    print(&text)?;
    Ok(Exit::Done)
}
