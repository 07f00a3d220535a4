//! Makes what is built from this crate find DuckDB's library where it runs.
//!
//! The library is looked for, in order: beside an installed binary (`../lib/tieout`), beside the binary itself, and
//! where it was linked from. A copy in cargo's own folder for libraries lets tests and benches of every crate run.
//! With the `bundled` feature there is no library to find, and nothing is done.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=DUCKDB_LIB_DIR");
    if env::var_os("CARGO_FEATURE_BUNDLED").is_some() {
        return;
    }
    let Some(folder) = env::var_os("DUCKDB_LIB_DIR").map(PathBuf::from) else { return };
    let name = match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos") => "libduckdb.dylib",
        _ => "libduckdb.so",
    };
    let library = folder.join(name);
    println!("cargo:rerun-if-changed={}", library.display());
    if !library.exists() {
        println!(
            "cargo:warning=there is no {}; run `./x setup` first, or build with `--features bundled`",
            library.display()
        );
        return;
    }
    println!("cargo:rustc-link-arg=-Wl,-rpath,{}", folder.display());
    if let Some(libraries) = libraries_of_profile() {
        place(&library, &libraries.join(name));
    }
}

/// Cargo's folder for libraries of this profile, which it puts on the search path of what it runs.
fn libraries_of_profile() -> Option<PathBuf> {
    let out = PathBuf::from(env::var_os("OUT_DIR")?);
    Some(out.ancestors().nth(3)?.join("deps"))
}

/// Links the library there, or copies it across file systems; another build may do so at the same time.
fn place(library: &Path, target: &Path) {
    let length = |path: &Path| fs::metadata(path).ok().map(|meta| meta.len());
    if length(library) == length(target) {
        return;
    }
    let next = target.with_extension(format!("{}.new", std::process::id()));
    let placed = fs::hard_link(library, &next).or_else(|_| fs::copy(library, &next).map(drop));
    if placed.and_then(|()| fs::rename(&next, target)).is_err() {
        let _ = fs::remove_file(&next);
        println!("cargo:warning={} could not be placed in {}", library.display(), target.display());
    }
}
