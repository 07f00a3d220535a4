//! The options that every verb over a project shares: which project, whose session, which ledger.

use std::path::{Path, PathBuf};

use clap::Args;
use tieout_core::scope::Session;
use tieout_ledger::Ledger;

use super::Stop;
use crate::{
    models::{self, Wanted},
    project,
    render::terminal::Layout,
    session::Workbench,
    surroundings::Surroundings,
};

/// Where a project keeps what happened, within its folder.
pub const LEDGER_PATH: &str = ".tieout/ledger.sqlite";

/// Which project, whose session, which ledger.
#[derive(Args, Clone, Debug)]
pub struct Place {
    /// The project's folder [default: the nearest one above that has a tieout.yml]
    #[arg(long, value_name = "FOLDER", help_heading = "Place")]
    pub project: Option<PathBuf>,
    /// The tenant whose rows this session may see [default: TIEOUT_TENANT; none sees no tenant's rows]
    #[arg(long, value_name = "TENANT", help_heading = "Place")]
    pub tenant: Option<String>,
    /// The ledger's file [default: TIEOUT_LEDGER, or .tieout/ledger.sqlite in the project]
    #[arg(long, value_name = "FILE", help_heading = "Place")]
    pub ledger: Option<PathBuf>,
    /// Print one JSON document instead of text
    #[arg(long, help_heading = "Place")]
    pub json: bool,
}

impl Place {
    /// The project's folder.
    ///
    /// # Errors
    /// When there is none.
    pub fn root(&self, surroundings: &Surroundings) -> Result<PathBuf, Stop> {
        match &self.project {
            // A relative path is one from where the process is, and stays relative in what is said of it.
            Some(folder) => Ok(folder.clone()),
            None => Ok(project::nearest(&surroundings.folder)?),
        }
    }

    /// The project, open.
    ///
    /// # Errors
    /// When it is missing or invalid, or its data cannot be read.
    pub fn open(&self, surroundings: &Surroundings) -> Result<Workbench, Stop> {
        let root = self.root(surroundings)?;
        Ok(Workbench::open(&root, surroundings.corpora.as_deref())?)
    }

    /// The project, open, with its language model.
    ///
    /// # Errors
    /// As [`Place::open`], and when the model cannot be opened.
    pub fn open_with(&self, surroundings: &Surroundings, wanted: &Wanted) -> Result<Workbench, Stop> {
        let bench = self.open(surroundings)?;
        let model = models::open(bench.project(), bench.root(), wanted)?;
        Ok(match model {
            Some(model) => bench.with_model(model),
            None => bench,
        })
    }

    /// The session of this command line.
    ///
    /// # Errors
    /// When the tenant is an empty word.
    pub fn session(&self, surroundings: &Surroundings) -> Result<Session, Stop> {
        let tenant = self.tenant.clone().or_else(|| surroundings.tenant.clone());
        if tenant.as_deref().is_some_and(|tenant| tenant.trim().is_empty()) {
            return Err(Stop::usage("the tenant has no name", "name one after `--tenant`, or leave it out"));
        }
        Ok(Session { principal: surroundings.principal.clone(), tenant })
    }

    /// Where the ledger is.
    #[must_use]
    pub fn ledger_path(&self, root: &Path, surroundings: &Surroundings) -> PathBuf {
        let named = self.ledger.as_ref().or(surroundings.ledger.as_ref());
        named.map_or_else(|| root.join(LEDGER_PATH), Clone::clone)
    }

    /// The ledger, made when it is not there.
    ///
    /// # Errors
    /// A fault when it cannot be written.
    pub async fn ledger(&self, root: &Path, surroundings: &Surroundings) -> Result<Ledger, Stop> {
        let path = self.ledger_path(root, surroundings);
        let ledger = Ledger::open(&path).await?;
        if path == root.join(LEDGER_PATH) {
            keep_out_of_git(&path);
        }
        Ok(ledger)
    }

    /// The ledger, which must be there.
    ///
    /// # Errors
    /// When nothing was ever recorded, or it cannot be read.
    pub async fn existing_ledger(&self, root: &Path, surroundings: &Surroundings) -> Result<Ledger, Stop> {
        let path = self.ledger_path(root, surroundings);
        Ledger::open_existing(&path).await?.ok_or_else(|| {
            Stop::usage(format!("nothing has been recorded in {}", path.display()), "ask something first")
        })
    }

    /// How pages are laid out here.
    #[must_use]
    pub fn layout(&self, surroundings: &Surroundings) -> Layout {
        let path = |path: &PathBuf| path.to_string_lossy().into_owned();
        let mut options = Vec::new();
        options.extend(self.project.as_ref().map(|folder| ("--project", path(folder))));
        options.extend(self.tenant.clone().map(|tenant| ("--tenant", tenant)));
        options.extend(self.ledger.as_ref().map(|file| ("--ledger", path(file))));
        Layout { colour: surroundings.colour, columns: surroundings.columns, options }
    }
}

/// The ledger holds copies of rows, which do not belong in git. A project whose folder cannot be written to keeps no
/// ledger there either, so a failure here says nothing new.
fn keep_out_of_git(ledger: &Path) {
    let Some(folder) = ledger.parent() else { return };
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        let _ = std::fs::write(ignore, "*\n");
    }
}
