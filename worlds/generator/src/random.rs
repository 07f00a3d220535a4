//! Owns chance: a small generator of numbers that gives the same row of numbers for the same name, for ever.
//!
//! Deliberately absent: any source of chance from outside. SplitMix64 (Steele, Lea, Flood 2014) is used because it is
//! short, and good enough for data that only has to look lived in.

/// A row of numbers that depends on nothing but its name.
#[derive(Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The row of a name. Each table has its own, so that a change to one leaves the others as they were.
    #[must_use]
    pub fn of(name: &str) -> Self {
        // FNV-1a turns the name into a seed.
        let seed = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self { state: seed }
    }

    /// A number from 0 up to, not including, `bound`; 0 when the bound is not positive.
    pub fn below(&mut self, bound: i64) -> i64 {
        let Some(bound) = u64::try_from(bound).ok().filter(|bound| *bound > 0) else { return 0 };
        i64::try_from(self.next() % bound).unwrap_or(0)
    }

    /// A number from `low` to `high`, both inside.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below(high - low + 1)
    }

    /// True in about `percent` of a hundred calls.
    pub fn chance(&mut self, percent: i64) -> bool {
        self.below(100) < percent
    }

    /// One of the given things.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let at = self.below(i64::try_from(from.len()).unwrap_or(0));
        from.get(usize::try_from(at).unwrap_or(0))
    }

    /// One of the given words, each as likely as its weight; no word when there are none.
    pub fn weighted<'a>(&mut self, from: &[(&'a str, i64)]) -> &'a str {
        let mut at = self.below(from.iter().map(|(_, weight)| weight).sum());
        for (word, weight) in from {
            if at < *weight {
                return word;
            }
            at -= weight;
        }
        ""
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_name_gives_the_same_row() {
        let row = |name| {
            let mut random = Random::of(name);
            (0..4).map(|_| random.below(1_000)).collect::<Vec<_>>()
        };
        assert_eq!(row("a"), row("a"));
        assert_ne!(row("a"), row("b"));
    }

    #[test]
    fn bounds_are_kept() {
        let mut random = Random::of("bounds");
        for _ in 0..1_000 {
            assert!((3..=5).contains(&random.between(3, 5)));
        }
        assert_eq!(random.below(0), 0);
        assert_eq!(random.weighted(&[]), "");
    }
}
