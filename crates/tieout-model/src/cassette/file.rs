//! One exchange as a file: the prompt in full, so that it can be reviewed and its digest checked, and the reply.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use bigdecimal::BigDecimal;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tieout_core::model::{
    Mode, ModelIdentity, Prompt, PromptLimits, Purpose, Reply, Said, Speaker, Spend, Turn, Unfit, UnfitKind,
    Usage, UsageSource,
};

use super::FILE_BYTES_MAX;
use crate::said::judge;

/// The version of the files that this program writes.
const VERSION: u32 = 1;

/// How many characters of the digest stand in a file's name.
const NAME_DIGEST_CHARS: usize = 16;

/// One exchange, as written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Exchange {
    cassette: u32,
    digest: String,
    provider: String,
    model: String,
    place: String,
    parameters: Vec<(String, String)>,
    prompt: PromptText,
    reply: ReplyText,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PromptText {
    purpose: String,
    version: String,
    system: String,
    turns: Vec<TurnText>,
    schema: Value,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnText {
    speaker: String,
    text: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplyText {
    text: String,
    /// Why it could not be used, where the words alone do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unfit: Option<UnfitText>,
    model: String,
    mode: String,
    input_tokens: u64,
    output_tokens: u64,
    usage: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    money: Option<String>,
    latency_ms: u64,
    attempts: u32,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UnfitText {
    kind: String,
    problems: Vec<String>,
}

impl Exchange {
    pub(super) fn of(prompt: &Prompt, reply: &Reply, identity: &ModelIdentity) -> Self {
        let turn = |t: &Turn| TurnText { speaker: t.speaker.code().to_owned(), text: t.text.clone() };
        Self {
            cassette: VERSION,
            digest: reply.prompt_digest.clone(),
            provider: identity.provider.clone(),
            model: identity.model.clone(),
            place: identity.place.clone(),
            parameters: identity.parameters.clone(),
            prompt: PromptText {
                purpose: prompt.purpose.code().to_owned(),
                version: prompt.version.clone(),
                system: prompt.system.clone(),
                turns: prompt.turns.iter().map(turn).collect(),
                schema: prompt.schema.clone(),
            },
            reply: ReplyText {
                text: reply.text.clone(),
                unfit: ended_unfit(&reply.said),
                model: reply.model.clone(),
                mode: reply.mode.code().to_owned(),
                input_tokens: reply.usage.input_tokens,
                output_tokens: reply.usage.output_tokens,
                usage: reply.usage.source.code().to_owned(),
                money: reply.spend.money.as_ref().map(BigDecimal::to_plain_string),
                latency_ms: u64::try_from(reply.latency.as_millis()).unwrap_or(u64::MAX),
                attempts: reply.attempts,
            },
        }
    }

    /// Who said it.
    pub(super) fn identity(&self) -> ModelIdentity {
        ModelIdentity {
            provider: self.provider.clone(),
            model: self.model.clone(),
            place: self.place.clone(),
            parameters: self.parameters.clone(),
        }
    }

    /// The reply, judged anew: a recording is no better than what was said.
    pub(super) fn reply(self, prompt: &Prompt, digest: String) -> Reply {
        let told = self.reply;
        let said = match told.unfit.as_ref().and_then(UnfitText::read) {
            Some(unfit) => Said::Unfit(unfit),
            None => judge(&told.text, &prompt.schema),
        };
        let usage = Usage {
            input_tokens: told.input_tokens,
            output_tokens: told.output_tokens,
            source: if told.usage == UsageSource::Reported.code() {
                UsageSource::Reported
            } else {
                UsageSource::Estimated
            },
        };
        Reply {
            said,
            text: told.text,
            prompt_digest: digest,
            model: told.model,
            mode: Mode::of_code(&told.mode).unwrap_or(Mode::Plain),
            usage,
            spend: Spend { tokens: usage.tokens(), money: told.money.and_then(|text| text.parse().ok()) },
            latency: Duration::from_millis(told.latency_ms),
            attempts: told.attempts,
        }
    }

    /// Reads a file, and holds its digest to its prompt.
    pub(super) fn read(path: &Path) -> Result<(String, Self), String> {
        let name = path.display();
        let length = fs::metadata(path).map_err(|error| format!("{name} cannot be read: {error}"))?.len();
        if length > FILE_BYTES_MAX {
            return Err(format!("{name} has {length} bytes; at most {FILE_BYTES_MAX} are read"));
        }
        let text = fs::read_to_string(path).map_err(|error| format!("{name} cannot be read: {error}"))?;
        let exchange: Self = serde_json::from_str(&text)
            .map_err(|error| format!("{name} is no recorded exchange: {error}"))?;
        if exchange.cassette != VERSION {
            return Err(format!("{name} has version {}, and {VERSION} is read", exchange.cassette));
        }
        let prompt = exchange.prompt.read().map_err(|why| format!("{name}: {why}"))?;
        exchange.reply.check().map_err(|why| format!("{name}: {why}"))?;
        let digest = prompt.digest();
        if digest == exchange.digest {
            Ok((digest, exchange))
        } else {
            Err(format!(
                "{name} was changed: its prompt has the digest {digest}, and it says {}",
                exchange.digest
            ))
        }
    }

    /// Writes the file whole or not at all, and removes what an earlier recording of the same prompt held beyond it.
    pub(super) fn write(&self, folder: &Path, number: usize) -> Result<(), String> {
        let path = self.place(folder, number);
        let failed = |error: String| format!("{} cannot be written: {error}", path.display());
        let mut text = serde_json::to_string_pretty(self).map_err(|error| failed(error.to_string()))?;
        text.push('\n');
        let beside = path.with_extension(format!("{}.tmp", std::process::id()));
        fs::write(&beside, text).map_err(|error| failed(error.to_string()))?;
        fs::rename(&beside, &path).map_err(|error| failed(error.to_string()))?;
        let mut later = number + 1;
        while fs::remove_file(self.place(folder, later)).is_ok() {
            later += 1;
        }
        Ok(())
    }

    fn place(&self, folder: &Path, number: usize) -> PathBuf {
        let short = self.digest.get(..NAME_DIGEST_CHARS).unwrap_or(&self.digest);
        folder.join(format!("{}-{short}-{number}.json", self.prompt.purpose))
    }
}

/// The name without its number, and the number, of a file that holds an exchange.
pub(super) fn numbered(path: &Path) -> Option<(String, usize)> {
    if path.extension()? != "json" {
        return None;
    }
    let name = path.file_stem()?.to_string_lossy().into_owned();
    let number = name.rsplit_once('-').and_then(|(_, number)| number.parse().ok());
    Some(match (name.rsplit_once('-'), number) {
        (Some((stem, _)), Some(number)) => (stem.to_owned(), number),
        (_, None) | (None, _) => (name, 0),
    })
}

/// What cannot be told from the words again: that the reply was cut, declined, or no call.
fn ended_unfit(said: &Said) -> Option<UnfitText> {
    match said {
        Said::Fits(_) => None,
        Said::Unfit(unfit) => match unfit.kind {
            UnfitKind::Declined | UnfitKind::Cut | UnfitKind::NoCall => {
                Some(UnfitText { kind: unfit.kind.code().to_owned(), problems: unfit.problems.clone() })
            }
            UnfitKind::Empty | UnfitKind::NotJson | UnfitKind::DuplicateKey | UnfitKind::Schema => None,
        },
    }
}

impl UnfitText {
    fn read(&self) -> Option<Unfit> {
        let kind = UnfitKind::ALL.into_iter().find(|kind| kind.code() == self.kind)?;
        Some(Unfit { kind, problems: self.problems.clone() })
    }
}

impl ReplyText {
    fn check(&self) -> Result<(), String> {
        if let Some(unfit) = &self.unfit
            && (unfit.read().is_none() || unfit.problems.is_empty())
        {
            return Err(format!("`{}` is no kind of reply", unfit.kind));
        }
        if Mode::of_code(&self.mode).is_none() {
            return Err(format!("`{}` is no mode", self.mode));
        }
        match self.money.as_ref().map(|text| text.parse::<BigDecimal>()) {
            Some(Err(_)) => Err("its money is no number".to_owned()),
            Some(Ok(_)) | None => Ok(()),
        }
    }
}

impl PromptText {
    fn read(&self) -> Result<Prompt, String> {
        let purpose =
            Purpose::of_code(&self.purpose).ok_or_else(|| format!("`{}` is no purpose", self.purpose))?;
        let turn = |t: &TurnText| {
            let speaker =
                Speaker::of_code(&t.speaker).ok_or_else(|| format!("`{}` is no speaker", t.speaker))?;
            Ok(Turn { speaker, text: t.text.clone() })
        };
        let turns = self.turns.iter().map(turn).collect::<Result<Vec<_>, String>>()?;
        Ok(Prompt {
            purpose,
            version: self.version.clone(),
            system: self.system.clone(),
            turns,
            schema: self.schema.clone(),
            // Not part of what was asked, so not recorded.
            limits: PromptLimits { attempts_max: 1, reply_tokens_max: 0 },
        })
    }
}
