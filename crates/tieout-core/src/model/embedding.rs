//! Texts as vectors: what an embedding model is asked, what came, and how near two vectors are.
//!
//! A vector says which texts are like which, and nothing else: it orders a list, and no answer rests on it. Floats are
//! right here for that reason, and nowhere else. Deliberately absent: the network, and keeping vectors.

use std::{sync::Arc, time::Duration};

use super::{Spend, Usage};

/// The longest vector, in numbers.
pub const DIMENSIONS_MAX: usize = 8_192;

/// Whose texts are embedded. Some models want to be told, and only a catalogue's vectors are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EmbedPurpose {
    /// Names, labels, synonyms and descriptions of a catalogue.
    Catalogue,
    /// The words of a question.
    Question,
    /// A word of ours, to show what an endpoint does.
    Probe,
}

impl EmbedPurpose {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Catalogue, Self::Question, Self::Probe];

    /// As shown and as written in files.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Catalogue => "catalogue",
            Self::Question => "question",
            Self::Probe => "probe",
        }
    }

    /// The purpose of a code.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.code() == code)
    }
}

/// A vector that can be compared: not empty, not too long, every number finite, and not all of them zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    numbers: Arc<[f32]>,
    length: f64,
}

/// Why numbers are no vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoVector {
    /// There are none.
    Empty,
    /// There are more than [`DIMENSIONS_MAX`].
    TooLong,
    /// One of them is infinite or no number.
    NotFinite,
    /// All of them are zero, so it points nowhere.
    Zero,
}

impl Vector {
    /// The one way to make one.
    ///
    /// # Errors
    /// Says why the numbers are no vector.
    pub fn of(numbers: impl Into<Arc<[f32]>>) -> Result<Self, NoVector> {
        let numbers: Arc<[f32]> = numbers.into();
        if numbers.is_empty() {
            return Err(NoVector::Empty);
        }
        if numbers.len() > DIMENSIONS_MAX {
            return Err(NoVector::TooLong);
        }
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err(NoVector::NotFinite);
        }
        // In doubles the square of the largest single is finite, and that of the smallest is not zero.
        let length = numbers.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt();
        if length == 0.0 {
            return Err(NoVector::Zero);
        }
        Ok(Self { numbers, length })
    }

    /// Its numbers, as they came.
    #[must_use]
    pub fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    /// How many numbers it has.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.numbers.len()
    }

    /// The cosine of the angle between two, from -1 to 1; none where one has more numbers than the other. The sum runs
    /// in one order, so that the same vectors always give the same number.
    #[must_use]
    pub fn cosine(&self, other: &Self) -> Option<f64> {
        let pairs = self.numbers.iter().zip(other.numbers.iter());
        let same = self.dimensions() == other.dimensions();
        let product = || pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        same.then(|| product() / (self.length * other.length))
    }
}

/// What came of embedding texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedded {
    /// One for each text, in order, all of one length.
    pub vectors: Vec<Vector>,
    /// What getting them took.
    pub took: EmbedTook,
}

/// What embedding took.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct EmbedTook {
    /// How many texts were sent to the endpoint; the others were kept from before.
    pub sent: usize,
    /// Tokens of what was sent; none where nothing was.
    pub usage: Option<Usage>,
    /// What it cost, with all attempts.
    pub spend: Spend,
    /// How long it took.
    pub latency: Duration,
    /// What should be known of it, such as that vectors could not be kept.
    pub notes: Vec<String>,
}

impl EmbedTook {
    /// Both, one after the other.
    #[must_use]
    pub fn plus(mut self, other: Self) -> Self {
        self.usage = match (self.usage, other.usage) {
            (Some(a), Some(b)) => Some(a.plus(b)),
            (one, None) | (None, one) => one,
        };
        self.sent = self.sent.saturating_add(other.sent);
        self.spend = self.spend.plus(&other.spend);
        self.latency = self.latency.saturating_add(other.latency);
        self.notes.extend(other.notes);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(numbers: &[f32]) -> Vector {
        Vector::of(numbers).expect("a vector")
    }

    #[test]
    fn nearness_is_the_cosine() {
        let (east, north) = (vector(&[2.0, 0.0]), vector(&[0.0, 3.0]));
        assert_eq!(east.cosine(&north), Some(0.0));
        assert_eq!(east.cosine(&east), Some(1.0));
        assert_eq!(east.cosine(&vector(&[-1.0, 0.0])), Some(-1.0));
        // 3-4-5: the cosine of (3, 4) with the first axis is 3/5, however long either is.
        assert_eq!(vector(&[30.0, 40.0]).cosine(&east), Some(0.6));
        assert_eq!(east.cosine(&vector(&[1.0])), None, "vectors of two models are not compared");
    }

    #[test]
    fn numbers_of_any_size_are_compared_and_others_are_no_vector() {
        let (huge, tiny) = (vector(&[f32::MAX, f32::MAX]), vector(&[f32::MIN_POSITIVE, f32::MIN_POSITIVE]));
        let near = huge.cosine(&tiny).expect("a cosine");
        assert!((near - 1.0).abs() < 1e-9, "{near}");
        assert_eq!(Vector::of([]), Err(NoVector::Empty));
        assert_eq!(Vector::of([0.0, -0.0]), Err(NoVector::Zero));
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(Vector::of([1.0, bad]), Err(NoVector::NotFinite));
        }
        assert_eq!(Vector::of(vec![1.0; DIMENSIONS_MAX + 1]), Err(NoVector::TooLong));
        assert_eq!(vector(&vec![1.0; DIMENSIONS_MAX]).dimensions(), DIMENSIONS_MAX);
    }
}
