//! Why a verb cannot go on, when that is no answer, doubt or refusal.

use std::fmt::Write as _;

use serde_json::json;
use tieout_core::{
    catalogue::load::{self, Problems, render},
    halt::{Fault, FaultKind},
};

use super::Exit;
use crate::{
    project::{NoProject, Texts},
    render::text::{Style, harmless, paint},
    session::{CannotOpen, NoRecord},
    surroundings::Colour,
};

/// Why a verb cannot go on.
#[derive(Debug)]
pub enum Stop {
    /// The command line makes no sense.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        hint: String,
    },
    /// Something broke.
    Fault(Fault),
    /// The project says something that cannot be.
    Invalid {
        /// Everything that is wrong.
        problems: Problems,
        /// The texts, to show the places in.
        texts: Box<Texts>,
    },
}

impl Stop {
    /// The command line makes no sense.
    #[must_use]
    pub fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), hint: hint.into() }
    }

    /// What is printed cannot be written.
    #[must_use]
    pub fn output(error: &std::io::Error) -> Self {
        Self::Fault(Fault {
            kind: FaultKind::Internal,
            message: format!("the output cannot be written: {error}"),
            hint: "check where it is sent to".to_owned(),
        })
    }

    /// As a fault, for whoever only lists what does not hold.
    #[must_use]
    pub fn into_fault(self) -> Fault {
        match self {
            Self::Usage { message, hint } => Fault { kind: FaultKind::Data, message, hint },
            Self::Fault(fault) => fault,
            Self::Invalid { problems, .. } => Fault {
                kind: FaultKind::Data,
                message: format!("the project has {} mistakes or warnings", problems.0.len()),
                hint: "see `tieout catalogue check`".to_owned(),
            },
        }
    }

    /// How the process ends.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::Usage { .. } => Exit::Usage,
            Self::Fault(_) | Self::Invalid { .. } => Exit::Fault,
        }
    }

    /// As a program reads it.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        match self {
            Self::Usage { message, hint } => json!({ "outcome": "usage", "message": message, "hint": hint }),
            Self::Fault(fault) => json!({
                "outcome": "fault",
                "fault": { "kind": fault.kind.code(), "message": fault.message, "hint": fault.hint },
            }),
            Self::Invalid { problems, .. } => json!({
                "outcome": "fault",
                "fault": {
                    "kind": "catalogue",
                    "message": "the project has mistakes and cannot be used",
                    "hint": "see `tieout catalogue check`",
                },
                "problems": problems_json(&problems.0),
            }),
        }
    }

    /// As a person reads it.
    #[must_use]
    pub fn words(&self, colour: Colour) -> String {
        let (head, message, hint) = match self {
            Self::Usage { message, hint } => ("usage", message.as_str(), hint.as_str()),
            Self::Fault(fault) => ("fault", fault.message.as_str(), fault.hint.as_str()),
            Self::Invalid { problems, texts } => return problems_words(&problems.0, texts, colour),
        };
        let mut text =
            format!("{} {}\n", paint(&format!("tieout: {head}:"), Style::Bad, colour), harmless(message));
        if !hint.is_empty() {
            let _ = writeln!(text, "  do: {}", harmless(hint));
        }
        text
    }
}

/// Problems of a project, drawn in their places.
#[must_use]
pub fn problems_words(problems: &[load::CatalogueProblem], texts: &Texts, colour: Colour) -> String {
    let drawn = match colour {
        Colour::Never => load::Colour::Never,
        Colour::Ansi => load::Colour::Ansi,
    };
    let mut text = String::new();
    for problem in problems {
        let _ = writeln!(text, "{}\n", render(problem, texts.of(&problem.file), drawn));
    }
    text
}

/// Problems of a project, as a program reads them.
#[must_use]
pub fn problems_json(problems: &[load::CatalogueProblem]) -> serde_json::Value {
    let one = |problem: &load::CatalogueProblem| {
        json!({
            "severity": problem.severity.name(),
            "code": problem.code,
            "file": problem.file,
            "line": problem.line,
            "column": problem.column,
            "length": problem.length,
            "message": problem.message,
            "hint": problem.hint,
        })
    };
    problems.iter().map(one).collect()
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<NoProject> for Stop {
    fn from(none: NoProject) -> Self {
        match none {
            NoProject::Missing { looked_in } => Self::usage(
                format!("there is no tieout.yml in {}", looked_in.display()),
                "name a project's folder with `--project`, or draft one with `tieout init`",
            ),
            NoProject::Unreadable(fault) => Self::Fault(fault),
            NoProject::Invalid { problems, texts } => Self::Invalid { problems, texts },
        }
    }
}

impl From<CannotOpen> for Stop {
    fn from(cannot: CannotOpen) -> Self {
        match cannot {
            CannotOpen::Project(none) => none.into(),
            CannotOpen::Data(fault) => Self::Fault(fault),
        }
    }
}

impl From<NoRecord> for Stop {
    fn from(none: NoRecord) -> Self {
        match none {
            NoRecord::Unknown(id) => Self::usage(
                format!("there is no record {id} that this session may see"),
                "see `tieout history`; a tenant sees its own records only (`--tenant`)",
            ),
            NoRecord::Unreadable(unreadable) => Self::Fault(Fault {
                kind: FaultKind::Ledger,
                message: unreadable.0,
                hint: "ask the question again".to_owned(),
            }),
            NoRecord::Fault(fault) => Self::Fault(fault),
        }
    }
}
