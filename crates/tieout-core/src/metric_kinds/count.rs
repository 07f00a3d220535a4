//! How many rows there are; where `of` is given, how many of them have a value there.

use super::kind::{
    Accepts, Additivity, MadeOf, MetricKind, Need, Part, RowsTaken, forbids_nothing, only_part,
};

pub(super) static KIND: MetricKind = MetricKind {
    name: "count",
    reads_as: |of| format!("number of {of}"),
    adds_up: Additivity::Additive,
    made_of: MadeOf::Rows,
    parts: &[Part::Count],
    combine: only_part,
    rows: RowsTaken::InPeriod,
    of: Need::Optional,
    accepts: Accepts::Anything,
    time: Need::Optional,
    per: Need::Unused,
    restart: Need::Unused,
    forbids: forbids_nothing,
};
