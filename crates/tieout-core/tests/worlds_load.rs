//! Every world under `worlds/` loads without a problem, and so does each with its catalogue put into one file.

#![allow(clippy::unwrap_used, clippy::panic, reason = "the helpers of a test may fail it")]

use std::{
    fs,
    path::{Path, PathBuf},
};

use tieout_core::catalogue::load::{SourceText, folders, load};

fn worlds() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut worlds: Vec<_> =
        entries.map(|entry| entry.unwrap().path()).filter(|path| path.join("tieout.yml").exists()).collect();
    worlds.sort();
    worlds
}

fn source(path: &Path) -> SourceText {
    SourceText {
        path: path.file_name().unwrap().to_string_lossy().into_owned(),
        text: fs::read_to_string(path).unwrap(),
    }
}

fn read(world: &Path) -> (SourceText, Vec<SourceText>) {
    let project = source(&world.join("tieout.yml"));
    let mut files: Vec<_> =
        fs::read_dir(world.join(folders(&project).catalogue)).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "yml"));
    files.sort();
    (project, files.iter().map(|path| source(path)).collect())
}

#[test]
fn worlds_load() {
    for world in worlds() {
        let (project, files) = read(&world);
        match load(&project, &files) {
            Ok(loaded) => {
                for warning in &loaded.warnings {
                    println!("{}: {warning}", world.display());
                }
            }
            Err(problems) => panic!("{}\n{problems}", world.display()),
        }
    }
}
