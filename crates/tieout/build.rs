//! Makes the binary find DuckDB's library: beside an installed binary, beside the binary itself, or where it was
//! linked from. With the `bundled` feature there is no library to find, and nothing is done.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=DUCKDB_LIB_DIR");
    if env::var_os("CARGO_FEATURE_BUNDLED").is_some() {
        return;
    }
    let here = match env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("macos") => "@executable_path",
        Ok("linux") => "$ORIGIN",
        _ => return,
    };
    for place in [format!("{here}/../lib/tieout"), here.to_owned()] {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{place}");
    }
    if let Ok(folder) = env::var("DUCKDB_LIB_DIR") {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{folder}");
    }
}
