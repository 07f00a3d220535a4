//! What may be spent, and what is spent: tokens, and money where prices are set.

use bigdecimal::BigDecimal;

use super::Usage;

/// How many tokens a price is for.
pub const TOKENS_PRICED: u32 = 1_000_000;

/// What a project allows. What is absent is not limited.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Budget {
    /// Tokens of one question, all its prompts and replies together.
    pub tokens_per_question: Option<u64>,
    /// Tokens of one day, all questions together.
    pub tokens_per_day: Option<u64>,
    /// Money of one question, in the currency of the prices.
    pub money_per_question: Option<BigDecimal>,
    /// Money of one day, in the currency of the prices.
    pub money_per_day: Option<BigDecimal>,
}

/// What a model's tokens cost, for each [`TOKENS_PRICED`] of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prices {
    /// The currency's name, such as `USD`.
    pub currency: String,
    /// Of tokens in prompts.
    pub input: BigDecimal,
    /// Of tokens in replies.
    pub output: BigDecimal,
}

impl Prices {
    /// What an exchange costs.
    #[must_use]
    pub fn cost(&self, usage: Usage) -> BigDecimal {
        let input = &self.input * BigDecimal::from(usage.input_tokens);
        let output = &self.output * BigDecimal::from(usage.output_tokens);
        // A shift of the decimal point, so exact.
        ((input + output) * BigDecimal::new(1.into(), 6)).normalized()
    }
}

/// An amount that is spent, or put aside.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Spend {
    /// Tokens.
    pub tokens: u64,
    /// Money; none where no prices are set.
    pub money: Option<BigDecimal>,
}

impl Spend {
    /// What an exchange takes.
    #[must_use]
    pub fn of(usage: Usage, prices: Option<&Prices>) -> Self {
        Self { tokens: usage.tokens(), money: prices.map(|prices| prices.cost(usage)) }
    }

    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let money = match (&self.money, &other.money) {
            (Some(a), Some(b)) => Some((a + b).normalized()),
            (one, None) | (None, one) => one.clone(),
        };
        Self { tokens: self.tokens.saturating_add(other.tokens), money }
    }
}

/// Whose budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BudgetSpan {
    /// Of one question.
    Question,
    /// Of one day.
    Day,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BudgetMeasure {
    /// Tokens.
    Tokens,
    /// Money.
    Money,
}

/// A budget that has no room for another prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetSpent {
    /// Whose.
    pub span: BudgetSpan,
    /// Of what.
    pub measure: BudgetMeasure,
    /// The most that may be spent, with its unit.
    pub limit: String,
    /// What is spent, or put aside for prompts that are under way, with its unit.
    pub spent: String,
    /// What the next prompt may take, with its unit.
    pub wanted: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UsageSource;

    fn decimal(text: &str) -> BigDecimal {
        text.parse().expect("a decimal")
    }

    #[test]
    fn costs_are_exact() {
        let prices = Prices { currency: "USD".to_owned(), input: decimal("0.15"), output: decimal("0.60") };
        let usage = Usage { input_tokens: 1_234, output_tokens: 7, source: UsageSource::Reported };
        // 1,234 × 0.15 + 7 × 0.60 = 185.1 + 4.2 = 189.3 millionths.
        assert_eq!(prices.cost(usage), decimal("0.0001893"));
        let spend = Spend::of(usage, Some(&prices));
        assert_eq!(spend.plus(&spend), Spend { tokens: 2_482, money: Some(decimal("0.0003786")) });
        assert_eq!(Spend::of(usage, None), Spend { tokens: 1_241, money: None });
    }
}
