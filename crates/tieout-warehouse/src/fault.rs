//! Owns how this crate words its faults. Deliberately absent: refusals, which are never an engine's to give.

use tieout_core::halt::{Fault, FaultKind};

/// The data cannot be read.
pub(crate) fn data(message: impl Into<String>, hint: impl Into<String>) -> Fault {
    Fault { kind: FaultKind::Data, message: message.into(), hint: hint.into() }
}

/// The engine cannot be reached.
pub(crate) fn unreachable(message: impl Into<String>, hint: impl Into<String>) -> Fault {
    Fault { kind: FaultKind::Unreachable, message: message.into(), hint: hint.into() }
}

/// The product itself is wrong.
pub(crate) fn internal(message: impl Into<String>) -> Fault {
    Fault {
        kind: FaultKind::Internal,
        message: message.into(),
        hint: "this is a mistake in tieout; please report it with the message above".to_owned(),
    }
}
