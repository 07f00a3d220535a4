//! Runs the Markdown cases of `cases/catalogue`: each `##` is a case, its fences named after files are loaded, and the
//! fences `problems`, `lint` and `show …` are compared with what came out. `TIEOUT_REWRITE=1` rewrites them for review.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "the helpers of a test may fail it")]

use std::{collections::BTreeSet, fs, path::PathBuf};

use tieout_core::catalogue::{
    describe,
    lint::lint,
    load::{CODES, CatalogueProblem, Colour, Loaded, Problems, SourceText, load, render},
};

/// The project file of a case that brings none.
const PROJECT: &str = "tieout: 1\nname: case\nwarehouse: { engine: duckdb, path: case.duckdb }\n";

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// A fence: its name, its body, and the lines it covers in the file, fences left out.
struct Fence {
    name: String,
    body: String,
    lines: std::ops::Range<usize>,
}

/// The cases of a file, as title and fences.
fn cases(text: &str) -> Vec<(String, Vec<Fence>)> {
    let mut cases: Vec<(String, Vec<Fence>)> = Vec::new();
    let mut open: Option<Fence> = None;
    for (number, line) in text.lines().enumerate() {
        if let Some(fence) = &mut open {
            if line == "```" {
                fence.lines.end = number;
                cases.last_mut().expect("a fence stands in a case").1.extend(open.take());
            } else {
                fence.body += &format!("{line}\n");
            }
        } else if let Some(title) = line.strip_prefix("## ") {
            cases.push((title.to_owned(), Vec::new()));
        } else if let Some(name) = line.strip_prefix("```") {
            open = Some(Fence { name: name.to_owned(), body: String::new(), lines: number + 1..number + 1 });
        }
    }
    assert!(open.is_none(), "a fence is not closed");
    cases
}

/// A line `# repeat 3: - x{n}` stands for three lines, `{n}` being 1, 2 and 3.
fn repeated(body: &str) -> String {
    let mut text = String::new();
    for line in body.lines() {
        match line.strip_prefix("# repeat ").and_then(|rest| rest.split_once(": ")) {
            Some((count, line)) => {
                (1..=count.parse().unwrap())
                    .for_each(|n: usize| text += &(line.replace("{n}", &n.to_string()) + "\n"));
            }
            None => text += &(line.to_owned() + "\n"),
        }
    }
    text
}

fn loaded(fences: &[Fence]) -> Result<Loaded, Problems> {
    let file = |fence: &Fence| SourceText { path: fence.name.clone(), text: repeated(&fence.body) };
    let files = || fences.iter().filter(|fence| fence.name.ends_with(".yml"));
    let project = files().find(|fence| fence.name == "tieout.yml").map(file);
    let catalogue: Vec<_> = files().filter(|fence| fence.name != "tieout.yml").map(file).collect();
    load(&project.unwrap_or(SourceText { path: "tieout.yml".into(), text: PROJECT.into() }), &catalogue)
}

fn lines(problems: &[CatalogueProblem]) -> String {
    problems.iter().map(|problem| format!("{problem}\n")).collect()
}

/// What a fence should say, or none when it is an input.
fn outcome(fence: &Fence, fences: &[Fence], loaded: &Result<Loaded, Problems>) -> Option<String> {
    let project = || loaded.as_ref().map(|loaded| &loaded.project);
    let failed = |problems: &Problems| lines(&problems.0);
    match fence.name.split_once(' ').map_or((fence.name.as_str(), None), |(word, rest)| (word, Some(rest))) {
        ("problems", Some("last")) => Some(
            loaded
                .as_ref()
                .map_or_else(failed, |_| String::new())
                .lines()
                .last()
                .map_or_else(String::new, |line| line.to_owned() + "\n"),
        ),
        ("problems", _) => Some(loaded.as_ref().map_or_else(failed, |loaded| lines(&loaded.warnings))),
        ("lint", _) => Some(loaded.as_ref().map_or_else(failed, |loaded| lines(&lint(loaded)))),
        ("show", name) => Some(match project() {
            Ok(project) => describe::show(project, name).unwrap_or_else(|error| format!("{error}\n")),
            Err(problems) => failed(problems),
        }),
        ("drawn", _) => {
            let problems = loaded.as_ref().map_or_else(|p| &p.0, |loaded| &loaded.warnings);
            let text = |file: &str| fences.iter().find(|f| f.name == file).map_or("", |f| f.body.as_str());
            Some(problems.iter().map(|p| render(p, text(&p.file), Colour::Never) + "\n").collect())
        }
        (name, _) => {
            assert!(name.ends_with(".yml"), "no such fence: {name}");
            None
        }
    }
}

#[test]
fn every_case_holds_and_every_code_has_one() {
    let rewrite = std::env::var_os("TIEOUT_REWRITE").is_some();
    let (mut count, mut seen, mut failures) = (0, BTreeSet::new(), Vec::new());
    let mut paths: Vec<_> =
        fs::read_dir(folder("cases/catalogue")).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let mut rewritten: Vec<String> = text.lines().map(str::to_owned).collect();
        for (title, fences) in cases(&text).into_iter().rev() {
            let loaded = loaded(&fences);
            count += 1;
            for fence in fences.iter().rev() {
                let Some(found) = outcome(fence, &fences, &loaded) else { continue };
                seen.extend(found.lines().filter_map(|line| line.split(' ').nth(1)).map(str::to_owned));
                if found != fence.body {
                    let file = path.file_name().unwrap().to_string_lossy().into_owned();
                    failures
                        .push(format!("{file}: {title}: {}\n{found}instead of\n{}", fence.name, fence.body));
                    rewritten.splice(fence.lines.clone(), found.lines().map(str::to_owned));
                }
            }
        }
        if rewrite {
            fs::write(&path, rewritten.join("\n") + "\n").unwrap();
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let missing: Vec<_> = CODES.iter().map(|(code, _)| *code).filter(|code| !seen.contains(*code)).collect();
    assert!(missing.is_empty(), "no case shows {missing:?}");
    println!("{count} cases");
}
