//! Reads a file of cases: one `##` a case, fences named after what they hold.

use std::{collections::BTreeMap, fs, path::Path};

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use tieout_core::question::Confirmation;

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file and the case's heading.
    pub name: String,
    /// Project, tenant, now, and what was confirmed: the file's, overridden by the case's own.
    pub session: Vec<(String, String)>,
    /// The fences, by name; the first of each name counts.
    pub fences: BTreeMap<String, String>,
}

impl Case {
    /// A setting of the session, the last one given.
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.session.iter().rev().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// What was confirmed.
    pub fn confirmed(&self) -> Vec<Confirmation> {
        let given = self.session.iter().filter(|(k, _)| k == "confirm");
        let split = given.filter_map(|(_, v)| v.split_once('='));
        split
            .map(|(s, c)| Confirmation { subject: s.trim().to_owned(), choice: c.trim().to_owned() })
            .collect()
    }

    /// The moment that relative words count from: noon in the zone where only a day is given.
    pub fn now(&self, zone: &TimeZone) -> Timestamp {
        let text = self.setting("now").unwrap_or("2026-10-07");
        match text.parse::<Date>() {
            Ok(day) => day.at(12, 0, 0, 0).to_zoned(zone.clone()).unwrap().timestamp(),
            Err(_) => text.parse().unwrap(),
        }
    }
}

/// The cases of every file of a folder, in order.
pub fn folder(path: &Path) -> Vec<Case> {
    let mut files: Vec<_> = fs::read_dir(path).into_iter().flatten().flatten().map(|e| e.path()).collect();
    files.retain(|p| {
        p.extension().is_some_and(|e| e == "md") && p.file_name().is_some_and(|n| n != "README.md")
    });
    files.sort();
    files.iter().flat_map(|p| file(p)).collect()
}

fn file(path: &Path) -> Vec<Case> {
    let text = fs::read_to_string(path).unwrap();
    let stem = path.file_stem().unwrap().to_string_lossy();
    let mut cases: Vec<Case> = Vec::new();
    let mut common = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("## ") {
            let name = format!("{stem}: {}", name.trim());
            cases.push(Case { name, session: common.clone(), fences: BTreeMap::new() });
        } else if let Some(kind) = line.strip_prefix("```") {
            let body: Vec<_> = lines.by_ref().take_while(|l| !l.starts_with("```")).collect();
            let settings = || {
                let pairs = body.iter().filter_map(|l| l.split_once(':'));
                pairs.map(|(k, v)| (k.trim().to_owned(), v.trim().to_owned())).collect::<Vec<_>>()
            };
            match (kind.trim(), cases.last_mut()) {
                ("session", None) => common = settings(),
                ("session", Some(case)) => case.session.extend(settings()),
                (kind, Some(case)) => {
                    case.fences.entry(kind.to_owned()).or_insert_with(|| body.join("\n"));
                }
                (_, None) => {}
            }
        }
    }
    cases
}
