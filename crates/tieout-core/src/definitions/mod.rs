//! The settled definitions: what stands above the number on every surface.
//!
//! [`Settled`] is made only by [`settle`], which refuses to let an assumed metric or population, an unanswered
//! doubt or an unknown word through. The block is written here, from the request and the catalogue, so that it says
//! what will be worked out and not what a reader claims. Deliberately absent: the question.

mod accounted;
mod apart;
mod block;
mod describe;
mod guards;
mod print;
mod settle;

pub use block::{BlockLine, BlockPart};
pub use describe::{condition_words, field_words, measure_words};
pub use guards::participle;
pub use settle::{Narrowed, Settled, objections, settle, understood};
