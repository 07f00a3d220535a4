//! The `tieout` command.

use std::process::ExitCode;

use tieout::{
    render::json,
    surroundings::{Colour, Surroundings},
    verbs::{self, Exit, Stop},
};

/// Many small values are made for every question.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // A usage error ends here with code 2, and `--help` with 0.
    let matches = verbs::command().get_matches();
    let surroundings = match Surroundings::of_process() {
        Ok(surroundings) => surroundings,
        Err(message) => {
            return stopped(&Stop::usage(message, ""), Colour::Never, verbs::wants_json(&matches));
        }
    };
    let ended = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(verbs::run(&matches, &surroundings)),
        Err(error) => Err(Stop::output(&error)),
    };
    match ended {
        Ok(exit) => code(exit),
        Err(stop) => stopped(&stop, surroundings.colour, verbs::wants_json(&matches)),
    }
}

/// Says why the verb could not go on: as one JSON document where JSON was asked for, else beside the output.
fn stopped(stop: &Stop, colour: Colour, json: bool) -> ExitCode {
    use std::io::Write;
    // Where nothing can be written, the exit code still tells.
    if json {
        let _ = verbs::print(&json::print(&stop.json()));
    } else {
        let _ = std::io::stderr().write_all(stop.words(colour).as_bytes());
    }
    code(stop.exit())
}

fn code(exit: Exit) -> ExitCode {
    ExitCode::from(exit.code())
}
