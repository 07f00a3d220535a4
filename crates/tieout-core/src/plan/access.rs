//! Which fields may be shown, grouped or filtered by.

use tieout_sql::Access;

use crate::{
    catalogue::Field,
    halt::Halt,
    reading::{Problem, ReasonCode},
};

/// Lets an open field through. A sensitive one may be counted, never shown, grouped or filtered by; a hidden one has
/// no part in any question.
///
/// # Errors
/// A refusal that names the field.
pub(super) fn shown(field: &Field, dataset: &str) -> Result<(), Halt> {
    let message = match field.access {
        Access::Open => return Ok(()),
        Access::Sensitive => {
            format!("{} of {dataset} may be counted, but not shown or split by", field.label)
        }
        Access::Hidden => format!("{} of {dataset} is not open to you", field.label),
    };
    Err(Halt::Refuse(vec![Problem::new(ReasonCode::Hidden, message, "ask without it")]))
}
