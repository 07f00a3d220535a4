//! Holds the rooms to their order: crates depend only downwards, and inside the core a module imports only from
//! those above it.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// The order of dependence between crates; those of one level are strangers to one another.
const LEVELS: &[&[&str]] = &[
    &["tieout-sql"],
    &["tieout-core"],
    &["tieout-reader", "tieout-warehouse", "tieout-model", "tieout-ledger"],
    &["tieout-agent"],
    &["tieout-oversight"],
    &["tieout"],
];

/// Crates of the core's own side, which do no IO and ask nobody for the time, the environment or luck.
const PURE: &[&str] = &["tieout-sql", "tieout-core", "tieout-reader"];

const IMPURE_WORDS: &[&str] = &[
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "SystemTime::now",
    "Instant::now",
    "Timestamp::now",
    "Zoned::now",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn crates_depend_only_downwards() {
    let level = |name: &str| LEVELS.iter().position(|l| l.contains(&name));
    let mut wrong = Vec::new();
    for name in LEVELS.iter().flat_map(|l| l.iter()) {
        let manifest = root().join("crates").join(name).join("Cargo.toml");
        let Ok(text) = fs::read_to_string(&manifest) else { continue };
        let dependencies = text.split("[dependencies]").nth(1).unwrap_or("");
        let dependencies = dependencies.split("\n[").next().unwrap_or("");
        for line in dependencies.lines() {
            let used = line.split(['.', '=', ' ']).next().unwrap_or("");
            let Some(used_level) = level(used) else { continue };
            if used_level >= level(name).unwrap() {
                wrong.push(format!("{name} depends on {used}, which is not below it"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Libraries that speak to a network as a client. Only the room of models may have one.
const NETWORK_CLIENTS: &[&str] =
    &["reqwest", "hyper", "hyper-util", "ureq", "curl", "rustls", "tokio-rustls"];

#[test]
fn only_models_are_reached_over_a_network() {
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join("crates")).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let text = fs::read_to_string(entry.path().join("Cargo.toml")).unwrap();
        let used = text.lines().filter_map(|line| line.split(['.', '=', ' ']).next());
        let used: Vec<_> = used.filter(|word| NETWORK_CLIENTS.contains(word)).map(str::to_owned).collect();
        if name == "tieout-model" {
            assert!(!used.is_empty(), "the room of models reaches nobody");
        } else if !used.is_empty() {
            found.push(format!("{name} has {}", used.join(", ")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn core_modules_import_only_from_those_above() {
    let source = root().join("crates/tieout-core/src");
    let lib = fs::read_to_string(source.join("lib.rs")).unwrap();
    let order: BTreeMap<String, usize> = lib
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .enumerate()
        .map(|(i, name)| (name.to_owned(), i))
        .collect();
    assert!(order.len() > 10, "the core's modules were not found");
    let mut wrong = Vec::new();
    for path in rust_files(&source) {
        let inside = path.strip_prefix(&source).unwrap();
        let module = inside.components().next().unwrap().as_os_str().to_string_lossy();
        let module = module.trim_end_matches(".rs").to_owned();
        let Some(own) = order.get(&module) else { continue };
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap_or("");
        for used in imported(text) {
            if order.get(&used).is_some_and(|place| place > own) {
                wrong.push(format!("{} imports crate::{used}, which stands below it", inside.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first names after `crate::`, also inside `use crate::{…}`.
fn imported(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut item = String::new();
            for c in group.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        names.push(first_name(&item));
                        item.clear();
                        continue;
                    }
                    _ => {}
                }
                item.push(c);
            }
            names.push(first_name(&item));
        } else {
            names.push(first_name(rest));
        }
    }
    names
}

fn first_name(text: &str) -> String {
    text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn pure_crates_do_no_io_and_ask_nobody_for_the_time() {
    let mut wrong = Vec::new();
    for name in PURE {
        for path in rust_files(&root().join("crates").join(name).join("src")) {
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap_or("");
            let code: String = text.lines().filter(|l| !l.trim_start().starts_with("//")).collect();
            for word in IMPURE_WORDS {
                let of_tests =
                    ["testing.rs", "tests.rs", "properties.rs"].iter().any(|name| path.ends_with(name));
                if code.contains(word) && !of_tests {
                    wrong.push(format!("{} uses {word}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_opens_with_what_it_owns() {
    let mut wrong = Vec::new();
    for crate_folder in fs::read_dir(root().join("crates")).unwrap().flatten() {
        for path in rust_files(&crate_folder.path().join("src")) {
            let text = fs::read_to_string(&path).unwrap();
            if !text.starts_with("//!") {
                wrong.push(path.display().to_string());
            }
        }
    }
    assert!(wrong.is_empty(), "these files do not say what they own:\n{}", wrong.join("\n"));
}
