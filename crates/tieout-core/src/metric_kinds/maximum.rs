//! The greatest value. Figures of two groups are compared, not added.

use super::kind::{
    Accepts, Additivity, MadeOf, MetricKind, Need, Part, RowsTaken, forbids_nothing, only_part,
};

pub(super) static KIND: MetricKind = MetricKind {
    name: "maximum",
    reads_as: |of| format!("greatest {of}"),
    adds_up: Additivity::NonAdditive,
    made_of: MadeOf::Rows,
    parts: &[Part::Maximum],
    combine: only_part,
    rows: RowsTaken::InPeriod,
    of: Need::Required,
    accepts: Accepts::Measures,
    time: Need::Optional,
    per: Need::Unused,
    restart: Need::Unused,
    forbids: forbids_nothing,
};
