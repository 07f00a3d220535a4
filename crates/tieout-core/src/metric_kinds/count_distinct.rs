//! How many different values there are. Two groups may share values, so their figures are not added.

use super::kind::{
    Accepts, Additivity, MadeOf, MetricKind, Need, Part, RowsTaken, forbids_nothing, only_part,
};

pub(super) static KIND: MetricKind = MetricKind {
    name: "count_distinct",
    reads_as: |of| format!("number of different {of}"),
    adds_up: Additivity::NonAdditive,
    made_of: MadeOf::Rows,
    parts: &[Part::CountDistinct],
    combine: only_part,
    rows: RowsTaken::InPeriod,
    of: Need::Required,
    accepts: Accepts::Anything,
    time: Need::Optional,
    per: Need::Unused,
    restart: Need::Unused,
    forbids: forbids_nothing,
};
