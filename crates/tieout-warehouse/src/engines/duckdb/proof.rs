//! Owns the proof that the values of one column are all different, in as little time as may be.
//!
//! Whole numbers that lie close together are marked off one by one, which costs a fifteenth of sorting them out.
//! Deliberately absent: any answer that is only likely.

use ::duckdb::{Connection, Error};

/// The most numbers that are marked off, one bit each: 64 MiB.
const MARKS_MAX: i128 = 1 << 29;
/// How many numbers may be marked off for each that there is.
const MARKS_PER_ROW_MAX: i128 = 64;

/// Whether a column of whole numbers has no value twice; none when this proof is not for it.
pub(super) fn all_different(
    connection: &Connection,
    relation: &str,
    column: &str,
) -> Result<Option<bool>, Error> {
    let sql =
        format!("SELECT min({column})::HUGEINT, max({column})::HUGEINT, count({column}) FROM {relation}");
    let (least, most, count): (Option<i128>, Option<i128>, i64) =
        connection.query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let (Some(least), Some(most)) = (least, most) else { return Ok(Some(true)) };
    let Some(range) = most.checked_sub(least).and_then(|range| range.checked_add(1)) else { return Ok(None) };
    let narrow = range <= MARKS_MAX && range <= i128::from(count).saturating_mul(MARKS_PER_ROW_MAX);
    if !narrow || i64::try_from(least).is_err() || i64::try_from(most).is_err() {
        return Ok(None);
    }
    let sql = format!("SELECT bit_count(bitstring_agg({column}::BIGINT, {least}, {most})) FROM {relation}");
    let marked: i64 = connection.query_row(&sql, [], |row| row.get(0))?;
    Ok(Some(marked == count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &str) -> Option<bool> {
        let connection = Connection::open_in_memory().unwrap();
        all_different(&connection, &format!("(VALUES {values}) v(n)"), "n").unwrap()
    }

    #[test]
    fn numbers_close_together_are_told_apart() {
        assert_eq!(of("(1), (3), (2), (NULL)"), Some(true));
        assert_eq!(of("(-5), (3), (-5)"), Some(false));
        assert_eq!(of("(9223372036854775807), (9223372036854775806)"), Some(true));
        assert_eq!(of("(-9223372036854775807), (-9223372036854775807)"), Some(false));
        assert_eq!(of("(NULL::BIGINT)"), Some(true));
    }

    #[test]
    fn numbers_far_apart_are_left_to_others() {
        assert_eq!(of("(1), (1000000)"), None);
        assert_eq!(of("(-9223372036854775807), (9223372036854775807)"), None);
        assert_eq!(
            of("(170141183460469231731687303715884105727), (170141183460469231731687303715884105727)"),
            None
        );
    }
}
