//! The one place of a process from which a model is asked, for words or for vectors.
//!
//! Owns what all questions share: the client, how many exchanges run at once, what was found out about the endpoint,
//! and the day's budget. Each question gets a [`QuestionModel`] with a purse of its own. Deliberately absent: the day,
//! which is handed in, and every meaning.

mod abilities;
mod attempts;
mod embedding;
mod question;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use jiff::civil::Date;
use tieout_core::model::{
    BudgetSpan, Mode, ModelFault, ModelFaultKind, ModelIdentity, ModelSettings, ProviderSettings, Said,
};
use tokio::sync::Semaphore;

use crate::{
    budget::{Allowance, Purse, SpendStore},
    http::{Address, Client, Failed, Wiring},
    key::{Key, Outside},
    locked,
    providers::{Abilities, Endpoint, LengthWord, PROVIDERS, Provider, Taken, provider_names},
};

pub use embedding::{EmbeddingHost, QuestionEmbedder};
pub use question::{Progress, QuestionModel, Received};

/// How long is waited between attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Before the second attempt; twice as long before each further one.
    pub backoff_first: Duration,
    /// The longest that an endpoint's `Retry-After` is followed. When it wants more, the fault says so at once.
    pub retry_after_max: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { backoff_first: Duration::from_millis(500), retry_after_max: Duration::from_secs(20) }
    }
}

/// The one place of a process from which a model is asked.
pub struct ModelHost {
    settings: ModelSettings,
    provider: &'static Provider,
    client: Client,
    identity: ModelIdentity,
    slots: Semaphore,
    found: Mutex<Found>,
    store: Arc<dyn SpendStore>,
    patience: Patience,
}

/// What was found out about the endpoint.
#[derive(Clone, Copy, Debug)]
struct Found {
    abilities: Abilities,
    /// Whether a reply came that fitted, so that one that does not is the model's slip and not the endpoint's.
    proven: bool,
}

impl ModelHost {
    /// Opens one: finds the key, and checks what the settings say. The endpoint is not asked.
    ///
    /// # Errors
    /// A fault when a key is missing, or the settings say something that cannot be.
    pub fn open(
        settings: &ModelSettings,
        outside: Outside<'_>,
        store: Arc<dyn SpendStore>,
    ) -> Result<Arc<Self>, ModelFault> {
        Self::open_with(settings, outside, store, Patience::default())
    }

    /// As [`ModelHost::open`], with other waits between attempts.
    ///
    /// # Errors
    /// As [`ModelHost::open`].
    pub fn open_with(
        settings: &ModelSettings,
        outside: Outside<'_>,
        store: Arc<dyn SpendStore>,
        patience: Patience,
    ) -> Result<Arc<Self>, ModelFault> {
        let endpoint = &settings.provider;
        let fault = |kind| ModelFault::unasked(kind, endpoint.name.clone());
        let unsettled =
            |(why, hint): (String, &str)| fault(ModelFaultKind::Settings { why, hint: hint.to_owned() });
        let provider = checked(settings).map_err(unsettled)?;
        let (client, place) = connected(endpoint, &provider.endpoint, outside).map_err(fault)?;
        Ok(Arc::new(Self {
            identity: identity(settings, place),
            slots: Semaphore::new(settings.concurrency as usize),
            found: Mutex::new(Found { abilities: first_abilities(settings, provider), proven: false }),
            settings: settings.clone(),
            provider,
            client,
            store,
            patience,
        }))
    }

    /// A model for one question. The day is the one whose budget is used: the real one, whatever moment the question
    /// counts from.
    #[must_use]
    pub fn for_question(self: &Arc<Self>, day: Date) -> QuestionModel {
        let (budget, prices) = (&self.settings.budget, self.settings.prices.as_ref());
        let allowance = |span| Allowance::of(budget, prices, span);
        let purse = Purse::new(
            day,
            allowance(BudgetSpan::Question),
            allowance(BudgetSpan::Day),
            Arc::clone(&self.store),
        );
        QuestionModel::new(Arc::clone(self), purse)
    }

    /// Who answers.
    #[must_use]
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// How the shape of a reply may be asked for, the strongest first.
    #[must_use]
    pub fn modes(&self) -> &'static [Mode] {
        self.provider.modes
    }

    fn place(&self) -> String {
        format!("{} at {}", self.identity.model, self.identity.place)
    }

    fn abilities(&self) -> Abilities {
        locked(&self.found).abilities
    }

    /// Learns from a request that was turned down; whether there is something that was not tried yet.
    fn learn(&self, tried: Abilities, failed: &Failed, fixed: Option<Mode>) -> Option<Abilities> {
        let modes = if fixed.or(self.settings.mode).is_some() { &[] } else { self.provider.modes };
        let weaker = abilities::learned(tried, failed, modes)?;
        let mut found = locked(&self.found);
        if found.abilities == tried || fixed.is_some() {
            // A mode that only this prompt is held to stays out of what others are asked with.
            let mode = if fixed.is_some() { found.abilities.mode } else { weaker.mode };
            found.abilities = Abilities { mode, ..weaker };
        }
        Some(weaker)
    }

    /// Learns from a reply: a mode that was never seen to hold, and does not, is none.
    fn learn_from(&self, tried: Abilities, said: &Said, fixed: Option<Mode>) {
        if fixed.or(self.settings.mode).is_some() {
            return;
        }
        let mut found = locked(&self.found);
        if found.abilities.mode != tried.mode {
            return;
        }
        match said {
            Said::Fits(_) => found.proven = true,
            Said::Unfit(unfit) if !found.proven && abilities::tells_of_the_mode(unfit.kind) => {
                if let Some(mode) = abilities::weaker(tried.mode, self.provider.modes) {
                    found.abilities.mode = mode;
                }
            }
            Said::Unfit(_) => {}
        }
    }
}

/// A client of a place, with its key, and the place as it is shown.
fn connected(
    settings: &ProviderSettings,
    endpoint: &'static Endpoint,
    outside: Outside<'_>,
) -> Result<(Client, String), ModelFaultKind> {
    let unsettled = |(why, hint): (String, String)| ModelFaultKind::Settings { why, hint };
    let address = Address::of(settings, endpoint).map_err(|(why, hint)| unsettled((why, hint.to_owned())))?;
    let key = settings.key.as_ref().map(|source| Key::find(source, outside)).transpose();
    let key = key.map_err(|why| ModelFaultKind::NoKey { why })?;
    let (header, scheme) = endpoint.key_header;
    let carried = |key| match &settings.key_header {
        Some(named) => (named.clone(), "", key),
        None => (header.to_owned(), scheme, key),
    };
    let place = address.shown.clone();
    let wiring = Wiring { address, endpoint, key: key.map(carried) };
    let client = Client::new(wiring, outside).map_err(|why| {
        unsettled((why, format!("check `{}` in tieout.yml, and this machine", endpoint.section)))
    })?;
    Ok((client, place))
}

/// What settings say that cannot be.
fn checked(settings: &ModelSettings) -> Result<&'static Provider, (String, &'static str)> {
    let named = settings.provider.provider.as_str();
    let Some(provider) = PROVIDERS.iter().copied().find(|provider| provider.name == named) else {
        let names = provider_names().join(", ");
        return Err((
            format!("`provider` under `model:` is `{named}`; there are {names}"),
            "name one of them",
        ));
    };
    if let Some(mode) = settings.mode.filter(|mode| !provider.modes.contains(mode)) {
        let why = format!("`mode` under `model:` is `{}`, which {named} has not", mode.code());
        return Err((why, "leave it out, and it is found out"));
    }
    let money = settings.budget.money_per_question.is_some() || settings.budget.money_per_day.is_some();
    if money && settings.prices.is_none() {
        let why = "the budget under `model:` is in money, and no prices are set".to_owned();
        return Err((why, "set `prices` under `model:`, or a budget in tokens"));
    }
    if settings.concurrency == 0 || settings.timeout_ms == 0 || settings.reply_tokens_max == 0 {
        let why = "a limit under `model:` is 0, so nothing could ever be asked".to_owned();
        return Err((why, "set it to 1 or more, or leave `model:` out"));
    }
    Ok(provider)
}

fn first_abilities(settings: &ModelSettings, provider: &Provider) -> Abilities {
    let strongest = provider.modes.first().copied().unwrap_or(Mode::Plain);
    Abilities {
        mode: settings.mode.unwrap_or(strongest),
        temperature: Taken::Yes,
        stream_usage: Taken::Yes,
        length: LengthWord::MaxTokens,
    }
}

fn identity(settings: &ModelSettings, place: String) -> ModelIdentity {
    let mode = settings.mode.map_or("found out", Mode::code);
    let parameters = [
        ("mode", mode.to_owned()),
        ("temperature", "0".to_owned()),
        ("reply_tokens_max", settings.reply_tokens_max.to_string()),
    ];
    ModelIdentity {
        provider: settings.provider.provider.clone(),
        model: settings.provider.name.clone(),
        place,
        parameters: parameters.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
    }
}
