//! How a list of vectors can be none. A vector beside the wrong text is an error that nobody would see, so nothing is sorted,
//! cut or filled up.

/// Why what came is no list of vectors, one for each text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadVectors {
    /// It is no JSON.
    NotJson {
        /// What is wrong, with line and column.
        why: String,
    },
    /// There are more or fewer than texts.
    Count {
        /// How many texts were sent.
        asked: usize,
        /// How many vectors came.
        came: usize,
    },
    /// A vector does not stand in the place that it says it has.
    Order {
        /// Its place, from 0.
        place: usize,
        /// What it says.
        index: String,
    },
    /// One has another length than those before it.
    Dimension {
        /// Of those before it.
        expected: usize,
        /// Its own.
        came: usize,
    },
    /// A number in it is infinite or none.
    NotFinite {
        /// The vector's place, from 0.
        place: usize,
    },
    /// One holds no numbers.
    Empty {
        /// The vector's place, from 0.
        place: usize,
    },
    /// All numbers of one are zero, so it is like nothing.
    Zero {
        /// The vector's place, from 0.
        place: usize,
    },
    /// One has more numbers than are read.
    TooLong {
        /// The most that are read.
        dimensions_max: usize,
    },
}

impl BadVectors {
    /// As shown and as written in files.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotJson { .. } => "vectors_not_json",
            Self::Count { .. } => "vectors_count",
            Self::Order { .. } => "vectors_order",
            Self::Dimension { .. } => "vectors_dimension",
            Self::NotFinite { .. } => "vectors_not_finite",
            Self::Empty { .. } => "vectors_empty",
            Self::Zero { .. } => "vectors_zero",
            Self::TooLong { .. } => "vectors_too_long",
        }
    }

    pub(super) fn sentence(&self, place: &str) -> String {
        let nth = |place: &usize| place.saturating_add(1);
        match self {
            Self::NotJson { why } => format!("the reply of {place} is no JSON: {why}"),
            Self::Count { asked, came } => format!("{place} sent {came} vectors for {asked} texts"),
            Self::Order { place: at, index } => {
                format!("vector {} of {place} says that its index is {index}", nth(at))
            }
            Self::Dimension { expected, came } => {
                format!("{place} sent a vector of {came} numbers beside vectors of {expected}")
            }
            Self::NotFinite { place: at } => {
                format!("vector {} of {place} holds what is no finite number", nth(at))
            }
            Self::Empty { place: at } => format!("vector {} of {place} holds no numbers", nth(at)),
            Self::Zero { place: at } => format!("vector {} of {place} holds only zeros", nth(at)),
            Self::TooLong { dimensions_max } => {
                format!("a vector of {place} has more than the {dimensions_max} numbers that are read")
            }
        }
    }
}
