//! Names for records: short, unique, and sorted as time goes.
//!
//! An id is the time and the counter of a UUID version 7 in Crockford's base 32: 48 bits of milliseconds, then the low 32 bits
//! of the counter, which starts at random in every millisecond and counts up within it. Deliberately absent: any meaning
//! beyond the order.

use uuid::Uuid;

/// Crockford's alphabet: no letter is taken for a digit (<https://www.crockford.com/base32.html>).
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// How many characters an id has.
pub const ID_CHARS: usize = 16;

/// A new id.
#[must_use]
pub fn fresh() -> String {
    encode(Uuid::now_v7().as_u128())
}

fn encode(uuid: u128) -> String {
    // The layout is 48 bits of time, 4 of version, 12 of the counter, 2 of variant, 30 of the counter, 32 of luck.
    let time = uuid >> 80;
    let counter = ((uuid >> 64) & 0x3) << 30 | (uuid >> 32) & 0x3fff_ffff;
    let bits = (time << 32) | counter;
    let letter = |place: usize| ALPHABET[((bits >> (5 * (ID_CHARS - 1 - place))) & 31) as usize];
    (0..ID_CHARS).map(|place| char::from(letter(place))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn ids_sort_as_time_goes_and_do_not_repeat() {
        let ids: Vec<String> = (0..20_000).map(|_| fresh()).collect();
        assert!(ids.iter().all(|id| id.len() == ID_CHARS));
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        let early = encode(0x0190_0000_0000_7000_8000_0000_0000_0000);
        let late = encode(0x0190_0000_0001_7000_8000_0000_0000_0000);
        assert!(early < late, "{early} {late}");
        assert_eq!(encode(0), "0".repeat(ID_CHARS));
        assert_eq!(encode(u128::MAX), "z".repeat(ID_CHARS));
    }
}
