//! One request to an endpoint, and everything that can go wrong with it.
//!
//! Owns the client, the bounds on what is read, and the judgement of statuses. Deliberately absent: what the bodies
//! mean (the providers'), trying again (the one loop's), and following anybody anywhere.

mod client;
mod retry_after;
mod said;
mod sse;

use std::time::Duration;

use tieout_core::model::{BadReply, ModelFaultKind};

pub(crate) use client::{Address, Client, Wiring};
pub(crate) use said::{Complaint, plain};
pub(crate) use sse::events;

/// The longest body that is read, in bytes.
pub const REPLY_BYTES_MAX: usize = 4 << 20;

/// What came with a good status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// One JSON text.
    Json(String),
    /// A stream of events, as text.
    Events(String),
}

/// Why there is no body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failed {
    /// What happened.
    pub kind: ModelFaultKind,
    /// Whether another attempt may succeed.
    pub again: Again,
    /// Whether the endpoint may have worked for it.
    pub worked: Worked,
    /// What the endpoint says; empty where it says nothing.
    pub complaint: Box<Complaint>,
}

/// Whether another attempt may succeed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Again {
    /// It would fail as well.
    Never,
    /// It may, after a while that we choose.
    Soon,
    /// It may, after what the endpoint says.
    After(Duration),
}

/// Whether the endpoint may have worked for a request that failed, and so counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worked {
    /// It turned the request down, or never saw it.
    No,
    /// It may have: what was put aside stays spent.
    Maybe,
}

impl Failed {
    /// Turned down, for good.
    pub(crate) fn turned_down(kind: ModelFaultKind) -> Self {
        Self { kind, again: Again::Never, worked: Worked::No, complaint: Box::default() }
    }

    /// What came is no reply.
    pub(crate) fn bad(bad: BadReply) -> Self {
        // A cut is the network's doing, which another attempt may be spared.
        let again = if bad == BadReply::Cut { Again::Soon } else { Again::Never };
        Self { kind: ModelFaultKind::BadReply(bad), again, worked: Worked::Maybe, complaint: Box::default() }
    }
}
