//! What a word may warn of, whatever the grammar does with it. What belongs to each is data.

use serde::Deserialize;

/// What the plain check asks of a word. It is a kind of its own, apart from the grammar's classes: a word here asks for
/// nothing, so it must neither count as understood nor take away what another class of the same word asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "each caution is named after its commonest word and explained by the data file"
)]
pub enum Caution {
    Idle,
    IdleVerb,
    Size,
    Starting,
    Chooses,
    Judges,
    ByKey,
    Ahead,
    AsOf,
    FromToday,
    WithinTime,
    BeforeBound,
    BeforeNoun,
    BehindVerb,
    BetweenValues,
    Points,
    PointsBack,
    PointsThere,
    PointsTo,
    PointsApart,
}
