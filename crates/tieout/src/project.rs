//! Finds a project's folder and reads its texts.
//!
//! Deliberately absent: what the texts mean, which the catalogue's loader says.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tieout_core::{
    catalogue::load::{FILE_BYTES_MAX, Loaded, Problems, SourceText, folders, load},
    halt::{Fault, FaultKind},
};

/// The file at a project's root.
pub const PROJECT_FILE: &str = "tieout.yml";

/// A project's texts: its own file and its catalogue's, in the order of their names.
#[derive(Clone, Debug)]
pub struct Texts {
    /// `tieout.yml`.
    pub project: SourceText,
    /// `*.yml` of the catalogue's folder.
    pub catalogue: Vec<SourceText>,
}

/// Why there is no project to work with.
#[derive(Debug)]
pub enum NoProject {
    /// There is none there.
    Missing {
        /// Where was looked.
        looked_in: PathBuf,
    },
    /// A file of it cannot be read.
    Unreadable(Fault),
    /// Its texts say something that cannot be.
    Invalid {
        /// Everything that is wrong.
        problems: Problems,
        /// The texts, to show the places in.
        texts: Box<Texts>,
    },
}

impl Texts {
    /// The text of a file, by the path it is shown with.
    #[must_use]
    pub fn of(&self, path: &str) -> &str {
        let all = std::iter::once(&self.project).chain(&self.catalogue);
        all.into_iter().find(|text| text.path == path).map_or("", |text| text.text.as_str())
    }
}

/// The nearest folder with a project, from `start` upwards.
///
/// # Errors
/// When none of the folders above has one.
pub fn nearest(start: &Path) -> Result<PathBuf, NoProject> {
    let found = start.ancestors().find(|folder| folder.join(PROJECT_FILE).is_file());
    found.map(Path::to_owned).ok_or_else(|| NoProject::Missing { looked_in: start.to_owned() })
}

/// Reads a project's texts.
///
/// # Errors
/// When a file is not there, is too long, or is not text.
pub fn read(root: &Path) -> Result<Texts, NoProject> {
    if !root.join(PROJECT_FILE).is_file() {
        return Err(NoProject::Missing { looked_in: root.to_owned() });
    }
    let project = text(root, Path::new(PROJECT_FILE)).map_err(NoProject::Unreadable)?;
    let folder = folders(&project).catalogue;
    let catalogue = catalogue_files(root, Path::new(&folder)).map_err(NoProject::Unreadable)?;
    Ok(Texts { project, catalogue })
}

/// Reads and checks a project.
///
/// # Errors
/// As [`read`], and with everything that is wrong in the texts.
pub fn open(root: &Path) -> Result<(Loaded, Texts), NoProject> {
    let texts = read(root)?;
    match load(&texts.project, &texts.catalogue) {
        Ok(loaded) => Ok((loaded, texts)),
        Err(problems) => Err(NoProject::Invalid { problems, texts: Box::new(texts) }),
    }
}

fn catalogue_files(root: &Path, folder: &Path) -> Result<Vec<SourceText>, Fault> {
    let shown = folder.display();
    let entries = match fs::read_dir(root.join(folder)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(fault(
                format!("the catalogue's folder `{shown}` is not there"),
                "make it, or name another after `catalogue:` in tieout.yml",
            ));
        }
        Err(error) => return Err(unreadable(folder, &error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let path = PathBuf::from(entry.map_err(|error| unreadable(folder, &error))?.file_name());
        if path.extension().is_some_and(|ending| ending == "yml" || ending == "yaml") {
            names.push(path);
        }
    }
    names.sort();
    names.iter().map(|name| text(root, &folder.join(name))).collect()
}

fn text(root: &Path, path: &Path) -> Result<SourceText, Fault> {
    let full = root.join(path);
    let length = fs::metadata(&full).map_err(|error| unreadable(path, &error))?.len();
    if length > FILE_BYTES_MAX as u64 {
        return Err(fault(
            format!("`{}` has {length} bytes; at most {FILE_BYTES_MAX} are read", path.display()),
            "split it into several files",
        ));
    }
    let bytes = fs::read(&full).map_err(|error| unreadable(path, &error))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(SourceText { path: path.to_string_lossy().into_owned(), text }),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let line = error.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
            Err(fault(format!("`{}` is not UTF-8 text in line {line}", path.display()), "save it as UTF-8"))
        }
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Fault {
    fault(format!("`{}` cannot be read: {error}", path.display()), "check that it is there and may be read")
}

fn fault(message: String, hint: &str) -> Fault {
    Fault { kind: FaultKind::Data, message, hint: hint.to_owned() }
}
