//! Lexicons that were built before, found again only by the very catalogue and values that they were built from.
//!
//! Values belong to a tenant: a lexicon is never shared on the strength of a name, a place in memory or a hash.

use std::sync::{Arc, Mutex, PoisonError};

use tieout_core::ports::{FieldValues, ReadContext};

use crate::lexicon::Lexicon;

/// How many lexicons are kept.
const LEXICONS_KEPT_MAX: usize = 8;

#[derive(Debug)]
struct Kept {
    digest: String,
    values: FieldValues,
    lexicon: Arc<Lexicon>,
}

/// The lexicons that are kept, the one used last in front.
#[derive(Debug, Default)]
pub(crate) struct Lexicons {
    kept: Mutex<Vec<Kept>>,
}

impl Lexicons {
    /// The lexicon of a context, built if it is not kept.
    pub(crate) fn of(&self, context: ReadContext<'_>) -> Arc<Lexicon> {
        let digest = &context.project.catalogue.digest;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().position(|one| one.digest == *digest && one.values == *context.values);
        if let Some(index) = known {
            let found = kept.remove(index);
            let lexicon = Arc::clone(&found.lexicon);
            kept.insert(0, found);
            return lexicon;
        }
        drop(kept);
        let lexicon = Arc::new(Lexicon::build(context.project, context.values));
        let new =
            Kept { digest: digest.clone(), values: context.values.clone(), lexicon: Arc::clone(&lexicon) };
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(0, new);
        kept.truncate(LEXICONS_KEPT_MAX);
        lexicon
    }
}
