//! Which model a project uses. Where its key is, never the key.

use super::{Budget, Prices};

/// What `model:` in `tieout.yml` says: a model, and what it is used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelUse {
    /// The model.
    pub settings: ModelSettings,
    /// Who reads.
    pub read: ReadMode,
    /// Who words the sentences.
    pub narrate: NarrateMode,
    /// Which model finds texts that are alike, where one may.
    pub embeddings: Option<EmbeddingSettings>,
    /// What the model drafts statements for.
    pub drafts: DraftMode,
}

/// What a model drafts statements for. Each draft is held to what our own statement would work out, and runs in its place
/// only where it is that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum DraftMode {
    /// For nothing: every statement is our own code's.
    #[default]
    Never,
    /// For measures that no metric covers, once the asker confirmed them.
    AdHoc,
}

impl DraftMode {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Never, Self::AdHoc];

    /// As shown and as written in files.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::AdHoc => "ad_hoc",
        }
    }

    /// The mode of a code.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.code() == code)
    }
}

/// Who words the sentences over the figures. The figures in them are filled in by code, whoever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum NarrateMode {
    /// Our templates alone.
    #[default]
    Builtin,
    /// The model, each word judged; our templates for what it leaves out.
    Model,
    /// The same, and it may reason beyond the data, which is shown as such.
    ModelInferring,
}

impl NarrateMode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Builtin, Self::Model, Self::ModelInferring];

    /// As shown and as written in files.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Model => "model",
            Self::ModelInferring => "model-inferring",
        }
    }

    /// The mode of a code.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.code() == code)
    }
}

/// Who reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ReadMode {
    /// The built-in reader alone.
    Builtin,
    /// Both; where they differ, the asker chooses.
    Model,
    /// The model only where the built-in reader declines.
    #[default]
    BuiltinThenModel,
}

impl ReadMode {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Builtin, Self::Model, Self::BuiltinThenModel];

    /// As shown and as written in files.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
            Self::Model => "model",
            Self::BuiltinThenModel => "builtin-then-model",
        }
    }

    /// The mode of a code.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.code() == code)
    }
}

/// Which endpoint, and how much of it may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelSettings {
    /// Which endpoint, and how it is spoken to.
    pub provider: ProviderSettings,
    /// How the shape of a reply is asked for; found out when absent.
    pub mode: Option<Mode>,
    /// The longest that one exchange may take, in milliseconds, waiting for a free place included.
    pub timeout_ms: u64,
    /// The longest reply, in tokens.
    pub reply_tokens_max: u32,
    /// How many exchanges may run at once in this process.
    pub concurrency: u32,
    /// What may be spent.
    pub budget: Budget,
    /// What tokens cost. A budget in money needs them.
    pub prices: Option<Prices>,
}

impl ModelSettings {
    /// The longest that one exchange may take when nothing is said, in milliseconds.
    pub const TIMEOUT_MS: u64 = 60_000;
    /// The longest reply when nothing is said, in tokens.
    pub const REPLY_TOKENS_MAX: u32 = 2_000;
    /// How many exchanges may run at once when nothing is said.
    pub const CONCURRENCY: u32 = 4;

    /// Settings where nothing more is said than which endpoint it is.
    #[must_use]
    pub fn of(provider: ProviderSettings) -> Self {
        Self {
            provider,
            mode: None,
            timeout_ms: Self::TIMEOUT_MS,
            reply_tokens_max: Self::REPLY_TOKENS_MAX,
            concurrency: Self::CONCURRENCY,
            budget: Budget::default(),
            prices: None,
        }
    }
}

/// Which endpoint turns texts into vectors, and how much of it may be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddingSettings {
    /// Which endpoint. Its words are those of OpenAI's embeddings.
    pub provider: ProviderSettings,
    /// The longest that one exchange may take, and that one question waits for exchanges to begin, in milliseconds.
    pub timeout_ms: u64,
    /// How many exchanges may run at once in this process.
    pub concurrency: u32,
    /// The most texts of one exchange.
    pub texts_per_request: u32,
    /// The words before a question, for models that want to be told.
    pub question_prefix: Option<String>,
    /// The words before an entry of the catalogue.
    pub entry_prefix: Option<String>,
    /// What may be spent in a day.
    pub budget: Budget,
    /// What tokens cost. A budget in money needs them.
    pub prices: Option<Prices>,
}

impl EmbeddingSettings {
    /// Whose words are spoken. Every usual server of embeddings speaks them.
    pub const PROVIDER: &str = "openai";
    /// The longest that one exchange may take when nothing is said, in milliseconds.
    pub const TIMEOUT_MS: u64 = 20_000;
    /// How many exchanges may run at once when nothing is said.
    pub const CONCURRENCY: u32 = 4;
    /// The most texts of one exchange when nothing is said: what the strictest of the usual servers take.
    pub const TEXTS_PER_REQUEST: u32 = 32;
    /// The most texts of one exchange that may be set, so that the vectors fit into a reply that is read.
    pub const TEXTS_PER_REQUEST_MAX: u32 = 256;

    /// Settings where nothing more is said than which endpoint it is.
    #[must_use]
    pub fn of(provider: ProviderSettings) -> Self {
        Self {
            provider,
            timeout_ms: Self::TIMEOUT_MS,
            concurrency: Self::CONCURRENCY,
            texts_per_request: Self::TEXTS_PER_REQUEST,
            question_prefix: None,
            entry_prefix: None,
            budget: Budget::default(),
            prices: None,
        }
    }
}

/// The names that `provider:` may be. The room of models has a file for each, and a test that these are the same.
pub const PROVIDER_NAMES: [&str; 2] = ["openai", "anthropic"];

/// Which endpoint, and how it is spoken to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderSettings {
    /// The provider's name, such as `openai`: which words are spoken, not who runs it.
    pub provider: String,
    /// Where it is; the provider's own place when absent.
    pub url: Option<String>,
    /// The model's name, as the endpoint knows it.
    pub name: String,
    /// Where the key is. Endpoints on one's own machine often need none.
    pub key: Option<KeySource>,
    /// The header that carries the key, where it is not the provider's usual one.
    pub key_header: Option<String>,
    /// Whether a key may be sent to another machine without encryption.
    pub plaintext: Plaintext,
}

/// Where a key is found. It never stands in a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// In this variable of the environment.
    Env(String),
    /// In this file, which holds nothing else.
    File(String),
}

/// Whether a key may be sent to another machine without encryption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Plaintext {
    /// It may not.
    #[default]
    Refused,
    /// It may: the network between is one's own.
    Allowed,
}

/// How the shape of a reply is asked for, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// The endpoint holds the reply to a JSON Schema.
    Schema,
    /// The endpoint makes the model call one tool, whose parameters are the reply.
    Tool,
    /// The endpoint holds the reply to JSON; the schema is told in words.
    Json,
    /// The schema is told in words.
    Plain,
}

impl Mode {
    /// All of them, the strongest first.
    pub const ALL: [Self; 4] = [Self::Schema, Self::Tool, Self::Json, Self::Plain];

    /// As shown and as written in files.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Tool => "tool",
            Self::Json => "json",
            Self::Plain => "plain",
        }
    }

    /// The mode of a code.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.code() == code)
    }
}
