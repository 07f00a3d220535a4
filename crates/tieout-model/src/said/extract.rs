//! Finds the JSON in a reply where it is plain which it is: the whole reply, or all of it inside one code fence, after
//! the thinking that some models write out before they answer.

use tieout_core::model::{Unfit, UnfitKind};

use super::{short, unfit};

const FENCE: &str = "```";
const THINK: (&str, &str) = ("<think>", "</think>");

/// The one JSON text of a reply.
pub(super) fn only_json(text: &str) -> Result<&str, Unfit> {
    let told = without_thinking(text.trim().trim_start_matches('\u{feff}').trim())?;
    let inside = match told.strip_prefix(FENCE) {
        Some(fenced) => inside_fence(fenced)?,
        None => told,
    };
    if inside.is_empty() {
        return Err(unfit(UnfitKind::Empty, "the reply is empty"));
    }
    if inside.starts_with(['{', '[']) {
        return Ok(inside);
    }
    Err(unfit(
        UnfitKind::NotJson,
        format!(
            "the reply is to be one JSON object and nothing beside it, and begins with “{}”",
            short(inside)
        ),
    ))
}

/// What follows the thinking, where a reply begins with it and it ends once.
fn without_thinking(text: &str) -> Result<&str, Unfit> {
    let Some(rest) = text.strip_prefix(THINK.0) else { return Ok(text) };
    let mut parts = rest.split(THINK.1);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(_), Some(answer), None) => Ok(answer.trim()),
        (_, None, _) => Err(unfit(UnfitKind::Cut, "the reply ends within its thinking")),
        (_, Some(_), _) => {
            Err(unfit(UnfitKind::NotJson, "it is not plain where the thinking of the reply ends"))
        }
    }
}

/// The inside of a fence that is all there is.
fn inside_fence(fenced: &str) -> Result<&str, Unfit> {
    let (language, inside) = fenced.split_once('\n').unwrap_or(("", fenced));
    if !matches!(language.trim(), "" | "json" | "JSON") {
        return Err(unfit(
            UnfitKind::NotJson,
            format!("the reply is `{}`, not JSON", short(language.trim())),
        ));
    }
    let Some((inside, after)) = inside.split_once(FENCE) else {
        return Err(unfit(UnfitKind::Cut, "the reply opens a code fence and does not close it"));
    };
    if after.is_empty() {
        Ok(inside.trim())
    } else {
        Err(unfit(
            UnfitKind::NotJson,
            format!("more follows the JSON of the reply: “{}”", short(after.trim())),
        ))
    }
}
