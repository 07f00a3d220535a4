//! What `model:` of `tieout.yml` says, read from a tree that `walk` has checked.
//!
//! Deliberately absent: keys (only where one is found), and any asking.

use bigdecimal::{BigDecimal, Zero};

use super::{codes, node::Node, problem::Report, scalars};
use crate::model::{
    Budget, DraftMode, EmbeddingSettings, KeySource, Mode, ModelSettings, ModelUse, NarrateMode, Plaintext,
    Prices, ProviderSettings, ReadMode,
};

/// The longest that one exchange may take, in milliseconds: ten minutes.
const TIMEOUT_MS_MAX: u64 = 600_000;

/// The model that may be asked, if there is one.
pub(super) fn model(project: &Node, report: &mut Report<'_>) -> Option<ModelUse> {
    let node = project.get("model")?;
    let word = |key: &str| node.word_of(key).map(|word| word.text);
    let mut settings = ModelSettings::of(ProviderSettings {
        provider: node.text_of("provider")?,
        url: node.text_of("url"),
        name: node.text_of("name")?,
        key: key(node, report),
        key_header: node.text_of("key_header"),
        plaintext: plaintext(node),
    });
    settings.mode = word("mode").and_then(Mode::of_code);
    if let Some(timeout_ms) = timeout(node, report) {
        settings.timeout_ms = timeout_ms;
    }
    settings.reply_tokens_max = small(node, "reply_tokens_max").unwrap_or(settings.reply_tokens_max);
    settings.concurrency = small(node, "concurrency").unwrap_or(settings.concurrency);
    settings.prices = node.get("prices").and_then(|node| prices(node, report));
    settings.budget = spendable(node, settings.prices.as_ref(), report);
    Some(ModelUse {
        settings,
        read: word("read").and_then(ReadMode::of_code).unwrap_or_default(),
        narrate: word("narrate").and_then(NarrateMode::of_code).unwrap_or_default(),
        embeddings: node.get("embeddings").and_then(|node| embeddings(node, report)),
        drafts: word("drafts").and_then(DraftMode::of_code).unwrap_or_default(),
    })
}

/// The model that turns texts into vectors.
fn embeddings(node: &Node, report: &mut Report<'_>) -> Option<EmbeddingSettings> {
    let mut settings = EmbeddingSettings::of(ProviderSettings {
        provider: EmbeddingSettings::PROVIDER.to_owned(),
        url: Some(node.text_of("url")?),
        name: node.text_of("name")?,
        key: key(node, report),
        key_header: node.text_of("key_header"),
        plaintext: plaintext(node),
    });
    if let Some(timeout_ms) = timeout(node, report) {
        settings.timeout_ms = timeout_ms;
    }
    settings.concurrency = small(node, "concurrency").unwrap_or(settings.concurrency);
    settings.texts_per_request = small(node, "texts_per_request").unwrap_or(settings.texts_per_request);
    settings.question_prefix = node.text_of("question_prefix");
    settings.entry_prefix = node.text_of("entry_prefix");
    settings.prices = node.get("prices").and_then(|node| input_prices(node, report));
    settings.budget = spendable(node, settings.prices.as_ref(), report);
    Some(settings)
}

fn plaintext(node: &Node) -> Plaintext {
    match node.flag_of("plaintext") {
        Some(true) => Plaintext::Allowed,
        Some(false) | None => Plaintext::Refused,
    }
}

fn small(node: &Node, key: &str) -> Option<u32> {
    node.whole_of(key).and_then(|number| u32::try_from(number).ok())
}

fn key(node: &Node, report: &mut Report<'_>) -> Option<KeySource> {
    match (node.text_of("key_env"), node.text_of("key_file")) {
        (Some(_), Some(_)) => {
            let message = "the key is said to be in two places";
            report.error(codes::BAD_VALUE, node.at_of("key_file"), message, "give `key_env` or `key_file`");
            None
        }
        (Some(name), None) => Some(KeySource::Env(name)),
        (None, Some(path)) => Some(KeySource::File(path)),
        (None, None) => None,
    }
}

fn timeout(node: &Node, report: &mut Report<'_>) -> Option<u64> {
    let word = node.word_of("timeout")?;
    let timeout_ms = scalars::duration_ms(word.text)?;
    if timeout_ms > TIMEOUT_MS_MAX {
        let hint = "write a shorter time, such as 60s";
        report.error(codes::BAD_VALUE, word.at, "an exchange may take ten minutes at most", hint);
    }
    Some(timeout_ms)
}

/// What may be spent, held to the prices that it needs.
fn spendable(node: &Node, prices: Option<&Prices>, report: &mut Report<'_>) -> Budget {
    let budget = node.get("budget").map(|node| budget(node, report)).unwrap_or_default();
    let money = budget.money_per_question.is_some() || budget.money_per_day.is_some();
    if money && prices.is_none() {
        let message = "a budget in money needs prices";
        report.error(
            codes::MISSING_KEY,
            node.at_of("budget"),
            message,
            "say what tokens cost under `prices`",
        );
    }
    budget
}

fn budget(node: &Node, report: &mut Report<'_>) -> Budget {
    Budget {
        tokens_per_question: node.whole_of("tokens_per_question"),
        tokens_per_day: node.whole_of("tokens_per_day"),
        money_per_question: amount(node, "money_per_question", report),
        money_per_day: amount(node, "money_per_day", report),
    }
}

fn prices(node: &Node, report: &mut Report<'_>) -> Option<Prices> {
    let (input, output) = (amount(node, "input", report), amount(node, "output", report));
    Some(Prices { currency: node.text_of("currency")?, input: input?, output: output? })
}

/// Prices of what has no reply that costs.
fn input_prices(node: &Node, report: &mut Report<'_>) -> Option<Prices> {
    let input = amount(node, "input", report);
    Some(Prices { currency: node.text_of("currency")?, input: input?, output: BigDecimal::zero() })
}

/// An amount of money: a decimal that is not negative.
fn amount(node: &Node, key: &str, report: &mut Report<'_>) -> Option<BigDecimal> {
    let word = node.word_of(key)?;
    match word.text.trim().parse::<BigDecimal>() {
        Ok(amount) if amount >= BigDecimal::zero() => Some(amount),
        Ok(_) | Err(_) => {
            let message = format!("`{}` is no amount of money", word.text);
            report.error(codes::BAD_VALUE, word.at, message, "write a plain number, such as 0.15");
            None
        }
    }
}
