//! Reads questions against a project folder and prints what they were understood to ask.
//!
//! `cargo run -p tieout-reader --example read -- worlds/commerce 2026-10-07 "how many orders?"`; without a question, one
//! is read from each line of the input. Values of the data are not looked up here: only declared ones are known.

use std::{error::Error, fs, io::BufRead, path::Path, time::Instant};

use jiff::civil::Date;
use tieout_core::{
    catalogue::load::{SourceText, folders, load},
    halt::Halt,
    ports::{FieldValues, ReadContext},
    question::Question,
};
use tieout_reader::{account, lexicon::Lexicon, read};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| "worlds/commerce".to_owned());
    let now: Date = arguments.next().unwrap_or_else(|| "2026-10-07".to_owned()).parse()?;
    let project_file = source(&Path::new(&folder).join("tieout.yml"))?;
    let catalogue = Path::new(&folder).join(folders(&project_file).catalogue);
    let mut paths: Vec<_> =
        fs::read_dir(catalogue)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    let files = paths.iter().map(|path| source(path)).collect::<Result<Vec<_>, _>>()?;
    let loaded = load(&project_file, &files).map_err(|problems| format!("{problems:?}"))?;
    let values = FieldValues::default();
    let lexicon = Lexicon::build(&loaded.project, &values);
    let now = now.at(12, 0, 0, 0).to_zoned(loaded.project.calendar.zone.clone())?.timestamp();
    let given: Vec<String> = arguments.collect();
    let questions = if given.is_empty() {
        std::io::stdin().lock().lines().collect::<Result<Vec<_>, _>>()?
    } else {
        given
    };
    for text in questions {
        let question = Question { text, now, confirmed: Vec::new() };
        let context = ReadContext { project: &loaded.project, values: &values, previous: None };
        let before = Instant::now();
        let outcome = read(&question, context, &lexicon);
        println!("Q {} [{:?}]", question.text, before.elapsed());
        match outcome {
            Ok(reading) => print!("{reading}"),
            Err(Halt::Refuse(problems)) => problems.iter().for_each(|problem| print!("{problem}")),
            Err(other) => println!("{other:?}"),
        }
        let uses: Vec<String> =
            account(&question, context, &lexicon).iter().map(ToString::to_string).collect();
        println!("  words: {}\n", uses.join(" | "));
    }
    Ok(())
}

fn source(path: &Path) -> std::io::Result<SourceText> {
    Ok(SourceText { path: path.display().to_string(), text: fs::read_to_string(path)? })
}
