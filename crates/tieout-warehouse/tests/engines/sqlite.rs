//! SQLite, through its command line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::engine::{Answer, Ask, Engine, written};
use super::server::{finished, folder, program};

/// A line of its own before the rows of each statement.
const MARK: &str = "\u{1d}";
const ROW: char = '\u{1e}';

pub struct Sqlite {
    home: tempfile::TempDir,
    client: PathBuf,
}

/// The command line, when it is installed.
pub fn client() -> Option<PathBuf> {
    let found = program("sqlite3", &[]);
    if found.is_none() {
        println!("skipped: there is no `sqlite3` here");
    }
    found
}

impl Sqlite {
    pub fn open(client: &Path) -> Sqlite {
        Sqlite { home: folder(), client: client.to_owned() }
    }

    fn sqlite3(&self) -> Command {
        let mut command = Command::new(&self.client);
        command.args(["-batch", "-init", "/dev/null", "-noheader", "-list", "-nullvalue", "(null)"]);
        command.args(["-separator", "\u{1f}"]).arg("-newline").arg(ROW.to_string());
        command
    }

    fn file(&self) -> PathBuf {
        self.home.path().join("shop.sqlite")
    }
}

impl Engine for Sqlite {
    fn load(&mut self, script: &str) {
        let (_, _, error) = finished(self.sqlite3().arg("-bail").arg(self.file()), script);
        assert!(error.trim().is_empty(), "{error}");
    }

    fn run(&mut self, asks: &[Ask]) -> Vec<Answer> {
        let mut script = String::new();
        // The line on which each statement begins: the client names the line of what failed.
        let mut begins = Vec::new();
        for Ask { sql, binds } in asks {
            script += ".parameter clear\n";
            for (index, value) in binds.iter().enumerate() {
                script += &format!(".parameter set ?{} {}\n", index + 1, written(value));
            }
            script += &format!("select '{MARK}';\n");
            begins.push(script.lines().count() + 1);
            script += &format!("{sql}\n;\n");
        }
        let (_, found, error) = finished(self.sqlite3().arg(self.file()), &script);
        let mut failed = BTreeMap::new();
        for line in error.lines() {
            let Some((_, rest)) = line.split_once(" near line ") else { continue };
            let Some((line, message)) = rest.split_once(": ") else { continue };
            let line: usize = line.parse().unwrap();
            let index = begins.iter().rposition(|begin| *begin <= line);
            failed.entry(index.unwrap_or_else(|| panic!("{error}"))).or_insert_with(|| message.to_owned());
        }
        let mut said: Vec<Vec<String>> = Vec::new();
        for row in found.split_terminator(ROW) {
            match (row == MARK, said.last_mut()) {
                (true, _) => said.push(Vec::new()),
                (false, Some(rows)) => rows.push(row.to_owned()),
                (false, None) => {}
            }
        }
        assert_eq!(said.len(), asks.len(), "{error}");
        said.into_iter()
            .enumerate()
            .map(|(index, rows)| failed.remove(&index).map_or(Ok(rows), Err))
            .collect()
    }

    fn raw(&mut self, text: &str) -> Answer {
        let (ok, found, error) = finished(self.sqlite3().arg("-readonly").arg(self.file()).arg(text), "");
        if ok { Ok(found.split(ROW).map(str::to_owned).collect()) } else { Err(error) }
    }
}
