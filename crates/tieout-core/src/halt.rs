//! How a stage stops the pipe: a doubt, a refusal or a fault. The three never share a type or a status code.

use crate::{
    model::{ModelFault, ModelFaultKind},
    reading::{Doubtful, Problem},
};

/// A stage's end before the answer.
#[derive(Clone, Debug)]
pub enum Halt {
    /// The asker must choose something first.
    Doubt(Vec<Doubtful>),
    /// There is a reason not to answer; the first is the one to settle first.
    Refuse(Vec<Problem>),
    /// Something broke: a time-out, an outage, a full disk. Never a refusal.
    Fault(Fault),
}

/// Something broke that no other question or choice would mend.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// Which kind.
    pub kind: FaultKind,
    /// What happened, naming the place.
    pub message: String,
    /// What to do.
    pub hint: String,
}

/// Kinds of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The warehouse or a model did not answer in time.
    Timeout,
    /// The warehouse, the ledger or a model cannot be reached.
    Unreachable,
    /// The data cannot be read: a file is gone, broken or of another shape.
    Data,
    /// The ledger cannot be written or read.
    Ledger,
    /// More is asked than an endpoint takes.
    Quota,
    /// A provider asks for payment.
    Payment,
    /// The budget that the project sets is used up.
    Budget,
    /// A key is missing, or is not accepted.
    Key,
    /// A model sent what cannot be read, or was not recorded.
    Model,
    /// The product itself is wrong.
    Internal,
}

impl FaultKind {
    /// The kind as shown and as written in files.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Unreachable => "unreachable",
            Self::Data => "data",
            Self::Ledger => "ledger",
            Self::Quota => "quota",
            Self::Payment => "payment",
            Self::Budget => "budget",
            Self::Key => "key",
            Self::Model => "model",
            Self::Internal => "internal",
        }
    }
}

impl From<&ModelFaultKind> for FaultKind {
    fn from(kind: &ModelFaultKind) -> Self {
        match kind {
            ModelFaultKind::Down { .. } | ModelFaultKind::Server { .. } => Self::Unreachable,
            ModelFaultKind::Timeout { .. } => Self::Timeout,
            ModelFaultKind::NoKey { .. } | ModelFaultKind::Unauthorised { .. } => Self::Key,
            ModelFaultKind::PaymentRequired { .. } => Self::Payment,
            ModelFaultKind::RateLimited { .. } => Self::Quota,
            ModelFaultKind::Budget(_) | ModelFaultKind::BudgetUnknown { .. } => Self::Budget,
            ModelFaultKind::NotTaken { .. }
            | ModelFaultKind::BadReply(_)
            | ModelFaultKind::NotRecorded { .. }
            | ModelFaultKind::Cassette { .. }
            | ModelFaultKind::ScriptEnded { .. }
            | ModelFaultKind::Settings { .. } => Self::Model,
        }
    }
}

impl From<ModelFault> for Fault {
    fn from(fault: ModelFault) -> Self {
        Self { kind: FaultKind::from(&fault.kind), message: fault.to_string(), hint: fault.hint() }
    }
}
