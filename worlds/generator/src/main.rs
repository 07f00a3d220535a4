//! `tieout-worlds [--check] [FOLDER]`: writes the example projects' data, or says which files are not what it writes.

use std::{env, path::PathBuf, process::ExitCode};

/// The exit code of a failed check, as for every verb of tieout.
const CHECK_FAILED: u8 = 5;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let check = arguments.iter().any(|argument| argument == "--check");
    let folder = arguments.iter().find(|argument| !argument.starts_with("--"));
    let root = folder.map_or_else(|| PathBuf::from("worlds"), PathBuf::from);
    if let Some(unknown) =
        arguments.iter().find(|argument| argument.starts_with("--") && *argument != "--check")
    {
        eprintln!("unknown option {unknown}; use: tieout-worlds [--check] [FOLDER]");
        return ExitCode::from(2);
    }
    if check {
        let stale = tieout_worlds::stale(&root);
        for path in &stale {
            eprintln!(
                "{} is not what the generator writes; run tieout-worlds to write it again",
                root.join(path).display()
            );
        }
        return if stale.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(CHECK_FAILED) };
    }
    match tieout_worlds::write(&root) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!(
                "the data could not be written below {}: {error}; check the folder and the disk",
                root.display()
            );
            ExitCode::FAILURE
        }
    }
}
