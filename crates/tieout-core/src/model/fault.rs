//! How asking a model can fail. Each is a fault: it says that something broke, and nothing about the question.

use std::{fmt, time::Duration};

use super::{BadVectors, BudgetMeasure, BudgetSpan, BudgetSpent, Spend};

/// A model could not be asked, or what came cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFault {
    /// Which kind.
    pub kind: ModelFaultKind,
    /// Which model, where: `gpt-x at api.example.com`. Nothing secret.
    pub place: String,
    /// How many attempts were made; none where no endpoint was asked.
    pub attempts: u32,
    /// What it may have cost all the same.
    pub spend: Box<Spend>,
    /// How long it took, with all attempts and waits.
    pub took: Duration,
}

/// Kinds of fault of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelFaultKind {
    /// There is no connection.
    Down {
        /// What the network says.
        why: String,
    },
    /// No answer in time.
    Timeout {
        /// How long was waited.
        after: Duration,
    },
    /// The key is not where it should be, or is none.
    NoKey {
        /// What is wrong, naming the place.
        why: String,
    },
    /// The endpoint does not know the key, or does not allow it this.
    Unauthorised {
        /// 401 or 403.
        status: u16,
        /// What it says.
        said: String,
    },
    /// The provider's account has nothing left.
    PaymentRequired {
        /// What it says.
        said: String,
    },
    /// Too many requests.
    RateLimited {
        /// When the endpoint would be asked again, from now; none when it does not say.
        retry_after: Option<Duration>,
    },
    /// The endpoint broke.
    Server {
        /// Its status.
        status: u16,
        /// What it says.
        said: String,
    },
    /// The endpoint does not take the request.
    NotTaken {
        /// Its status.
        status: u16,
        /// What it says.
        said: String,
    },
    /// What came is no reply.
    BadReply(BadReply),
    /// The budget has no room.
    Budget(Box<BudgetSpent>),
    /// What was spent cannot be read or written, so nothing is spent.
    BudgetUnknown {
        /// What is wrong, naming the file.
        why: String,
    },
    /// A cassette is played, and the prompt is not on it.
    NotRecorded {
        /// The prompt's digest.
        digest: String,
        /// The version of its text.
        version: String,
    },
    /// A cassette cannot be read or written.
    Cassette {
        /// What is wrong, naming the file.
        why: String,
    },
    /// A script has no reply for the prompt.
    ScriptEnded {
        /// What was asked for.
        purpose: &'static str,
    },
    /// The settings say something that cannot be.
    Settings {
        /// What, naming the key.
        why: String,
        /// What to do.
        hint: String,
    },
}

/// Why what came is no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadReply {
    /// It says that it is something else.
    ContentType {
        /// What.
        found: String,
    },
    /// It ended in the middle.
    Cut,
    /// It is not UTF-8.
    NotUtf8,
    /// It is longer than any reply.
    TooLarge {
        /// The most that is read, in bytes.
        bytes_max: usize,
    },
    /// It is JSON, but not what this provider sends.
    Shape {
        /// What is wrong.
        why: String,
    },
    /// It sends us elsewhere. A key follows nobody.
    Redirect {
        /// Where to.
        to: String,
    },
    /// It is no list of vectors, one for each text.
    Vectors(BadVectors),
}

impl ModelFaultKind {
    /// As shown and as written in files.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Down { .. } => "down",
            Self::Timeout { .. } => "timeout",
            Self::NoKey { .. } => "no_key",
            Self::Unauthorised { .. } => "unauthorised",
            Self::PaymentRequired { .. } => "payment_required",
            Self::RateLimited { .. } => "rate_limited",
            Self::Server { .. } => "server",
            Self::NotTaken { .. } => "not_taken",
            Self::BadReply(bad) => bad.code(),
            Self::Budget(_) => "budget",
            Self::BudgetUnknown { .. } => "budget_unknown",
            Self::NotRecorded { .. } => "not_recorded",
            Self::Cassette { .. } => "cassette",
            Self::ScriptEnded { .. } => "script_ended",
            Self::Settings { .. } => "settings",
        }
    }
}

impl BadReply {
    /// As shown and as written in files.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::ContentType { .. } => "content_type",
            Self::Cut => "cut",
            Self::NotUtf8 => "not_utf8",
            Self::TooLarge { .. } => "too_large",
            Self::Shape { .. } => "shape",
            Self::Redirect { .. } => "redirect",
            Self::Vectors(bad) => bad.code(),
        }
    }

    fn sentence(&self, place: &str) -> String {
        match self {
            Self::ContentType { found } => format!("{place} sent `{found}`, which is no reply of a model"),
            Self::Cut => format!("the reply of {place} ended in the middle"),
            Self::NotUtf8 => format!("the reply of {place} is not UTF-8 text"),
            Self::TooLarge { bytes_max } => {
                format!("the reply of {place} is longer than the {bytes_max} bytes that are read")
            }
            Self::Shape { why } => {
                format!("the reply of {place} has another shape than its provider's: {why}")
            }
            Self::Redirect { to } => format!("{place} sends on to {to}, where the key is not taken"),
            Self::Vectors(bad) => bad.sentence(place),
        }
    }

    fn hint(&self) -> &'static str {
        match self {
            Self::ContentType { .. } | Self::Shape { .. } => {
                "check `url` and `provider` under `model:`; `tieout models check` shows what the endpoint can do"
            }
            Self::Cut => "ask again; if it lasts, look at the endpoint's log and at what stands between",
            Self::NotUtf8 => "look at the endpoint's log; a model's words are text in UTF-8",
            Self::TooLarge { .. } => "check that `url` under `model:` names a model's endpoint",
            Self::Redirect { .. } => "set `url` under `model:` to the place itself",
            Self::Vectors(_) => "check `url` and `name` under `embeddings:`; `tieout models check` asks it",
        }
    }
}

impl ModelFault {
    /// A fault for which no endpoint was asked.
    #[must_use]
    pub fn unasked(kind: ModelFaultKind, place: impl Into<String>) -> Self {
        Self { kind, place: place.into(), attempts: 0, spend: Box::default(), took: Duration::ZERO }
    }

    /// What to do.
    #[must_use]
    pub fn hint(&self) -> String {
        let text = match &self.kind {
            ModelFaultKind::Down { .. } => {
                "check that it runs and that `url` under `model:` is right; `tieout models check` asks it"
            }
            ModelFaultKind::Timeout { .. } => "ask again, or raise `timeout` under `model:`",
            ModelFaultKind::NoKey { .. } => {
                "put the key there, or name another place with `key_env` or `key_file`"
            }
            ModelFaultKind::Unauthorised { .. } => {
                "give it a key that it knows, in the place that `model:` names"
            }
            ModelFaultKind::PaymentRequired { .. } => {
                "settle the account with the provider, or name another model"
            }
            ModelFaultKind::RateLimited { retry_after: Some(after) } => {
                return format!("ask again in {} s", after.as_secs_f64().ceil());
            }
            ModelFaultKind::RateLimited { retry_after: None } => {
                "ask again later, or lower `concurrency` under `model:`"
            }
            ModelFaultKind::Server { .. } => "ask again; if it lasts, look at the endpoint's log",
            ModelFaultKind::NotTaken { .. } => {
                "check `name` and `mode` under `model:`; `tieout models check` shows what the endpoint can do"
            }
            ModelFaultKind::BadReply(bad) => bad.hint(),
            ModelFaultKind::Budget(spent) => match spent.span {
                BudgetSpan::Question => {
                    "ask for less at once, or raise the budget of a question under `model:`"
                }
                BudgetSpan::Day => "ask tomorrow, or raise the budget of a day under `model:`",
            },
            ModelFaultKind::BudgetUnknown { .. } => {
                "mend or remove the file; nothing is spent while it is unknown"
            }
            ModelFaultKind::NotRecorded { .. } => "record it again, with the endpoint at hand",
            ModelFaultKind::Cassette { .. } => "mend or remove the file, and record it again",
            ModelFaultKind::ScriptEnded { .. } => "give the script a reply for it",
            ModelFaultKind::Settings { hint, .. } => hint,
        };
        text.to_owned()
    }
}

impl fmt::Display for ModelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = &self.place;
        match &self.kind {
            ModelFaultKind::Down { why } => write!(f, "{place} cannot be reached: {why}")?,
            ModelFaultKind::Timeout { after } => {
                write!(f, "{place} did not answer within {} s", after.as_secs_f64())?;
            }
            ModelFaultKind::NoKey { why } | ModelFaultKind::Settings { why, .. } => f.write_str(why)?,
            ModelFaultKind::Unauthorised { status, said } => {
                write!(f, "{place} does not accept the key ({status}){}", quoted(said))?;
            }
            ModelFaultKind::PaymentRequired { said } => {
                write!(f, "{place} asks for payment before it answers{}", quoted(said))?;
            }
            ModelFaultKind::RateLimited { .. } => write!(f, "{place} takes no more requests at the moment")?,
            ModelFaultKind::Server { status, said } => write!(f, "{place} broke ({status}){}", quoted(said))?,
            ModelFaultKind::NotTaken { status, said } => {
                write!(f, "{place} does not take the request ({status}){}", quoted(said))?;
            }
            ModelFaultKind::BadReply(bad) => f.write_str(&bad.sentence(place))?,
            ModelFaultKind::Budget(spent) => return f.write_str(&spent_sentence(spent)),
            ModelFaultKind::BudgetUnknown { why } | ModelFaultKind::Cassette { why } => f.write_str(why)?,
            ModelFaultKind::NotRecorded { digest, version } => {
                let short = digest.get(..12).unwrap_or(digest);
                write!(f, "{place} has no reply to the prompt {short} ({version})")?;
            }
            ModelFaultKind::ScriptEnded { purpose } => {
                write!(f, "the script has no reply left to {purpose} with")?
            }
        }
        if self.attempts > 1 { write!(f, ", asked {} times", self.attempts) } else { Ok(()) }
    }
}

impl std::error::Error for ModelFault {}

/// What an endpoint says, as a quotation; nothing when it says nothing.
fn quoted(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(": “{said}”") }
}

fn spent_sentence(spent: &BudgetSpent) -> String {
    let whose = match spent.span {
        BudgetSpan::Question => "this question's",
        BudgetSpan::Day => "today's",
    };
    let what = match spent.measure {
        BudgetMeasure::Tokens => "tokens",
        BudgetMeasure::Money => "money",
    };
    format!(
        "{whose} budget of {what} for the model has no room: of {} are {} used or put aside, and the next prompt \
         may take {}",
        spent.limit, spent.spent, spent.wanted
    )
}
