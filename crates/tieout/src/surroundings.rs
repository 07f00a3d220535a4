//! What the process is told from outside: the environment, the terminal, the moment.
//!
//! Read once in `main` and handed on. Deliberately absent: anything that is read later behind somebody's back.

use std::{env, ffi::OsString, io::IsTerminal, path::PathBuf};

/// The width of lines where there is no terminal, in columns.
const PIPED_COLUMNS: usize = 100;
/// The narrowest line that is laid out for, in columns.
const COLUMNS_MIN: usize = 40;
/// The widest line that is laid out for, in columns.
const COLUMNS_MAX: usize = 400;

/// What the process is told from outside.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The folder it was started in.
    pub folder: PathBuf,
    /// `TIEOUT_CORPORA`: what files of a project may begin with.
    pub corpora: Option<PathBuf>,
    /// `TIEOUT_TENANT`: the session's tenant.
    pub tenant: Option<String>,
    /// `TIEOUT_LEDGER`: where the ledger is.
    pub ledger: Option<PathBuf>,
    /// Who started it.
    pub principal: String,
    /// Whether what is printed may have colours.
    pub colour: Colour,
    /// How wide lines may be.
    pub columns: usize,
}

/// Whether colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Never,
    /// ANSI colours.
    Ansi,
}

impl Surroundings {
    /// Asks the process.
    ///
    /// # Errors
    /// When the folder it was started in is gone, or a variable is not text.
    pub fn of_process() -> Result<Self, String> {
        let folder =
            env::current_dir().map_err(|error| format!("the folder you are in cannot be read: {error}"))?;
        let terminal = std::io::stdout().is_terminal();
        Ok(Self {
            folder,
            corpora: env::var_os("TIEOUT_CORPORA").filter(|v| !v.is_empty()).map(PathBuf::from),
            tenant: text("TIEOUT_TENANT")?,
            ledger: env::var_os("TIEOUT_LEDGER").filter(|v| !v.is_empty()).map(PathBuf::from),
            principal: principal(),
            colour: if terminal && colour_wanted() { Colour::Ansi } else { Colour::Never },
            columns: columns(terminal),
        })
    }
}

/// See <https://no-color.org>.
fn colour_wanted() -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    !set("NO_COLOR") && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn columns(terminal: bool) -> usize {
    let told = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let size = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let found = if terminal { size().or(told) } else { told };
    found.unwrap_or(PIPED_COLUMNS).clamp(COLUMNS_MIN, COLUMNS_MAX)
}

fn principal() -> String {
    let named = |name: &str| env::var_os(name).map(OsString::into_string).and_then(Result::ok);
    named("USER")
        .or_else(|| named("USERNAME"))
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "somebody".to_owned())
}

fn text(name: &str) -> Result<Option<String>, String> {
    match env::var_os(name).map(OsString::into_string) {
        None => Ok(None),
        Some(Ok(text)) => Ok(Some(text).filter(|text| !text.is_empty())),
        Some(Err(_)) => Err(format!("the variable {name} is not text")),
    }
}
