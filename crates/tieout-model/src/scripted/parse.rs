//! Reads a script: what a `model` fence of a case holds.
//!
//! Replies stand one after the other, with a line `---` between. A reply may begin with a line of stage directions,
//! `> `, which say, with commas between: a purpose (`read`), `containing "words of the prompt"`, `always`, how it ends
//! (`cut`, `declined`, `no call`), or that asking fails (`fault down`). The rest is said word for word.

use std::{fmt, time::Duration};

use tieout_core::model::{BadReply, BudgetMeasure, BudgetSpan, BudgetSpent, ModelFaultKind, Purpose};

use super::{Line, Says, Uses};
use crate::said::Ending;

const BETWEEN: &str = "---";
const DIRECTION: &str = "> ";

/// A script that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAScript {
    /// Which reply, from 1.
    pub reply: usize,
    /// What is wrong with its directions.
    pub why: String,
}

impl fmt::Display for NotAScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reply {} of the script: {}", self.reply, self.why)
    }
}

impl std::error::Error for NotAScript {}

/// Reads a script.
///
/// # Errors
/// When directions say something that is none.
pub fn script(text: &str) -> Result<Vec<Line>, NotAScript> {
    let mut parts = vec![Vec::new()];
    for line in text.lines() {
        if line == BETWEEN {
            parts.push(Vec::new());
        } else if let Some(part) = parts.last_mut() {
            part.push(line);
        }
    }
    let read = |(at, part): (usize, &Vec<&str>)| line(part).map_err(|why| NotAScript { reply: at + 1, why });
    parts.iter().enumerate().map(read).collect()
}

fn line(part: &[&str]) -> Result<Line, String> {
    let (told, words) = match part.split_first() {
        Some((first, rest)) if first.starts_with(DIRECTION) => (&first[DIRECTION.len()..], rest),
        Some(_) | None => ("", part),
    };
    let reply = Says::Reply { text: words.join("\n"), ending: Ending::Complete };
    let mut line = Line { purpose: None, containing: None, says: reply, uses: Uses::Once };
    for direction in directions(told)? {
        apply(direction, &mut line)?;
    }
    Ok(line)
}

/// Splits at commas that stand outside quotation marks.
fn directions(told: &str) -> Result<Vec<&str>, String> {
    let mut found = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, c) in told.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                found.push(told[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if quoted {
        return Err("a quotation mark is not closed".to_owned());
    }
    found.push(told[start..].trim());
    found.retain(|direction| !direction.is_empty());
    Ok(found)
}

fn apply(direction: &str, line: &mut Line) -> Result<(), String> {
    let mut ends = |how| {
        if let Says::Reply { ending, .. } = &mut line.says {
            *ending = how;
        }
    };
    match direction {
        "always" => line.uses = Uses::Always,
        "cut" => ends(Ending::Cut),
        "declined" => ends(Ending::Declined),
        "no call" => ends(Ending::NoCall),
        _ => {
            if let Some(words) = direction.strip_prefix("containing ") {
                line.containing = Some(words.trim().trim_matches('"').to_owned());
            } else if let Some(code) = direction.strip_prefix("fault ") {
                let fault =
                    fault(code.trim()).ok_or_else(|| format!("`{code}` is no fault that can be played"))?;
                line.says = Says::Fault(fault);
            } else if let Some(purpose) = Purpose::of_code(direction) {
                line.purpose = Some(purpose);
            } else {
                return Err(format!("`{direction}` is no direction"));
            }
        }
    }
    Ok(())
}

/// A fault of a code, with plain details.
fn fault(code: &str) -> Option<ModelFaultKind> {
    let said = String::new;
    Some(match code {
        "down" => ModelFaultKind::Down { why: "connection refused".to_owned() },
        "timeout" => ModelFaultKind::Timeout { after: Duration::from_secs(60) },
        "unauthorised" => ModelFaultKind::Unauthorised { status: 401, said: said() },
        "payment_required" => ModelFaultKind::PaymentRequired { said: said() },
        "rate_limited" => ModelFaultKind::RateLimited { retry_after: None },
        "server" => ModelFaultKind::Server { status: 500, said: said() },
        "not_taken" => ModelFaultKind::NotTaken { status: 400, said: said() },
        "cut" => ModelFaultKind::BadReply(BadReply::Cut),
        "not_utf8" => ModelFaultKind::BadReply(BadReply::NotUtf8),
        "content_type" => ModelFaultKind::BadReply(BadReply::ContentType { found: "text/html".to_owned() }),
        "budget" => ModelFaultKind::Budget(Box::new(BudgetSpent {
            span: BudgetSpan::Question,
            measure: BudgetMeasure::Tokens,
            limit: "1 token".to_owned(),
            spent: "0 tokens".to_owned(),
            wanted: "2 tokens".to_owned(),
        })),
        "too_large" => ModelFaultKind::BadReply(BadReply::TooLarge { bytes_max: 1 << 20 }),
        _ => return None,
    })
}
