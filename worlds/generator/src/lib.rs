//! Owns the data of the example projects: made, not collected, and the same bytes every time.
//!
//! The data is checked in beside the projects, small enough to check by hand; a test holds that it is what this package
//! writes. Deliberately absent: the catalogues, the cases and their witnesses, which people write.

pub mod commerce;
pub mod days;
pub mod lending;
pub mod random;
pub mod support;
pub mod table;

use std::{fs, io, path::Path};

use table::File;

/// Every file of every world.
#[must_use]
pub fn files() -> Vec<File> {
    let worlds = [commerce::files(), lending::files(), support::files()];
    worlds.into_iter().flatten().collect()
}

/// Writes every file below `root`, making folders as needed.
///
/// # Errors
/// When a file or folder cannot be written.
pub fn write(root: &Path) -> io::Result<()> {
    for file in files() {
        let path = root.join(file.path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, file.bytes)?;
    }
    Ok(())
}

/// The files below `root` that are missing or hold something else.
#[must_use]
pub fn stale(root: &Path) -> Vec<&'static str> {
    let differs = |file: &File| fs::read(root.join(file.path)).ok().as_ref() != Some(&file.bytes);
    files().into_iter().filter(differs).map(|file| file.path).collect()
}
