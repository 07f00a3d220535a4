//! A copy of an example project in a folder of its own, and the built binary run in it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where it fails")]
#![allow(dead_code, reason = "each test file uses some of it")]

pub mod endpoint;

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

/// THE question.
pub const COMPARE: &str = "Compare September 2026 net revenue with August by channel";

/// The repository's root.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// A copy of worlds/commerce.
pub struct Shop {
    folder: tempfile::TempDir,
}

/// What a run gave.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(output: Output) -> Self {
        Self {
            code: output.status.code().expect("it ended by itself"),
            out: String::from_utf8(output.stdout).expect("what is printed is UTF-8"),
            err: String::from_utf8(output.stderr).expect("what is said is UTF-8"),
        }
    }

    /// What was printed, as JSON: one document and nothing else.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}\n{}\n{}", self.out, self.err))
    }

    /// Holds that it ended so, and gives it back.
    pub fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, code, "\n--- out\n{}\n--- err\n{}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }
}

impl Shop {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let world = repository().join("worlds/commerce");
        for part in ["catalogue", "data"] {
            fs::create_dir(folder.path().join(part)).unwrap();
            for file in fs::read_dir(world.join(part)).unwrap() {
                let file = file.unwrap();
                fs::copy(file.path(), folder.path().join(part).join(file.file_name())).unwrap();
            }
        }
        fs::copy(world.join("tieout.yml"), folder.path().join("tieout.yml")).unwrap();
        Self { folder }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The command, in the project's folder, with nothing of the surroundings that could change what it does.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tieout"));
        command.current_dir(self.path());
        for name in ["TIEOUT_TENANT", "TIEOUT_LEDGER", "TIEOUT_CORPORA", "COLUMNS", "NO_COLOR"] {
            command.env_remove(name);
        }
        command
    }

    pub fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Ran {
        Ran::of(self.command().args(arguments).output().unwrap())
    }

    /// Asks as tenant alpha on 7 October 2026.
    pub fn ask(&self, question: &str, more: &[&str]) -> Ran {
        let always = ["ask", question, "--tenant", "alpha", "--now", "2026-10-07"];
        self.run(always.iter().chain(more))
    }

    /// Asks, and gives the record.
    pub fn record(&self, question: &str, more: &[&str]) -> Value {
        self.ask(question, &[more, &["--json"]].concat()).json()
    }

    /// Changes a file of the project.
    pub fn change(&self, file: &str, from: &str, to: &str) {
        let path = self.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{file} does not say {from}");
        fs::write(path, text.replace(from, to)).unwrap();
    }
}

/// What holds a document against a schema that is checked in.
pub fn validator(schema: &str) -> jsonschema::Validator {
    let schema = fs::read_to_string(repository().join("schema").join(schema)).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap()
}

/// Holds that a record is what its schema says.
pub fn valid(record: &Value) {
    let validator = validator("record.schema.json");
    let errors: Vec<String> = validator
        .iter_errors(record)
        .map(|error| format!("{} at {}", error, error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{record:#}");
}
