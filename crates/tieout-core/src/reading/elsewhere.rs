//! Which rows an asked period is about.

use super::Condition;
use crate::catalogue::Catalogue;

/// Whether the asked period is about related rows and not about the dataset's own: a population of it is asked for
/// whose members have, or lack, related rows in the period.
#[must_use]
pub fn period_elsewhere<'a>(
    catalogue: &Catalogue,
    dataset: &str,
    conditions: impl IntoIterator<Item = &'a Condition>,
) -> bool {
    conditions.into_iter().any(|condition| match condition {
        Condition::Member { population, .. } => catalogue.populations.get(population).is_some_and(|p| {
            p.dataset == dataset && p.membership.related.iter().any(|related| related.within_period)
        }),
        Condition::OneOf { .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Related { .. }
        | Condition::Any(_) => false,
    })
}
