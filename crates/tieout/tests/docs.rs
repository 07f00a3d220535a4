//! The commands in `docs/` are run and their output compared. `TIEOUT_REWRITE=1` writes what they print.
//!
//! A fence named `console` holds commands after `$ ` and what they print; a page's commands run in order in one folder, in
//! which `worlds/` lies. `# exit 3` at a command's end says how it ends. A line `…` stands for any lines. Ids, moments and
//! durations compare as such.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where it fails")]

mod support;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use support::{Ran, repository};

fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    let mut folders = vec![repository().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// A folder with the worlds and with `tieout` on its path.
fn playground() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("bin")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tieout"), folder.path().join("bin/tieout")).unwrap();
    copy(&repository().join("worlds/commerce"), &folder.path().join("worlds/commerce"));
    folder
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_name() == ".tieout" {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn run(folder: &Path, command: &str) -> (i32, String) {
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{{ {command}\n}} 2>&1")]).current_dir(folder).env("PATH", path);
    for name in ["TIEOUT_TENANT", "TIEOUT_LEDGER", "TIEOUT_CORPORA", "COLUMNS", "NO_COLOR"] {
        shell.env_remove(name);
    }
    let ran = Ran::of(shell.env("USER", "ada").output().unwrap());
    (ran.code, ran.out)
}

/// A command, how it is to end, and what it is to print.
struct Step {
    command: String,
    exit: i32,
    expected: Vec<String>,
}

fn steps(fence: &[&str]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut continued = false;
    for line in fence {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => {
                steps.push(Step { command: command.to_owned(), exit: 0, expected: Vec::new() });
            }
            (None, Some(step)) if continued => {
                step.command.push('\n');
                step.command.push_str(line);
            }
            (None, Some(step)) => step.expected.push((*line).to_owned()),
            (None, None) => panic!("a console fence begins with a command: {line}"),
        }
        continued = line.ends_with('\\');
    }
    for step in &mut steps {
        if let Some((_, code)) = step.command.rsplit_once("# exit ") {
            step.exit = code.trim().parse().expect("an exit code");
        }
    }
    steps
}

/// What differs from run to run, made the same.
fn stable(line: &str) -> String {
    let word = |word: &str| {
        let id = word.len() == tieout::ids::ID_CHARS
            && word.starts_with("06")
            && word.chars().all(|c| c.is_ascii_digit() || c.is_ascii_lowercase());
        let moment = word.len() > 20 && word.ends_with('Z') && word.contains('T') && word.contains('.');
        if id {
            "ID".to_owned()
        } else if moment {
            "MOMENT".to_owned()
        } else {
            word.to_owned()
        }
    };
    let line: Vec<String> = line.trim_end().split(' ').map(word).collect();
    let line = line.join(" ");
    if line.trim_start().starts_with("took ") { "took".to_owned() } else { line }
}

fn matches(expected: &[String], actual: &[String]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((first, rest)) if first.trim() == "…" => {
            (0..=actual.len()).any(|skip| matches(rest, &actual[skip..]))
        }
        Some((first, rest)) => actual
            .split_first()
            .is_some_and(|(line, more)| stable(first) == stable(line) && matches(rest, more)),
    }
}

fn lines(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text.lines().map(|line| line.trim_end().to_owned()).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

#[test]
fn commands_in_the_docs_do_what_they_say() {
    let rewrite = std::env::var_os("TIEOUT_REWRITE").is_some();
    let mut ran = 0;
    let mut failed = Vec::new();
    for page in pages() {
        let folder = playground();
        let text = fs::read_to_string(&page).unwrap();
        let mut written: Vec<String> = Vec::new();
        let mut source = text.lines();
        while let Some(line) = source.next() {
            written.push(line.to_owned());
            if line != "```console" {
                continue;
            }
            let fence: Vec<&str> = source.by_ref().take_while(|line| *line != "```").collect();
            for step in steps(&fence) {
                ran += 1;
                let (code, out) = run(folder.path(), &step.command);
                let actual = lines(&out);
                let mut expected = step.expected.clone();
                while expected.last().is_some_and(String::is_empty) {
                    expected.pop();
                }
                // A command without output in the page is run for its exit code alone.
                let held = expected.is_empty() || matches(&expected, &actual);
                written.extend(format!("$ {}", step.command).lines().map(str::to_owned));
                written.extend(if held || code != step.exit { expected } else { actual.clone() });
                if code != step.exit || (!held && !rewrite) {
                    failed.push(format!(
                        "{}: $ {}\nexit {code}, expected {}\n{}",
                        page.display(),
                        step.command,
                        step.exit,
                        actual.join("\n")
                    ));
                }
            }
            written.push("```".to_owned());
        }
        if rewrite {
            fs::write(&page, written.join("\n") + "\n").unwrap();
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    println!("{ran} commands ran");
    assert!(ran >= 20, "{ran} commands ran");
}
