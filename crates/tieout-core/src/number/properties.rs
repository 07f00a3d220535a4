//! What must hold for every number that is printed or divided, tried on many. The expected digits are worked out on
//! whole numbers, never by the code under test.

use std::str::FromStr;

use num_bigint::BigInt;
use proptest::prelude::*;

use super::*;

fn unit(scale: Option<u32>, rounding: Rounding) -> Unit {
    Unit { scale, rounding, ..Unit::none() }
}

/// The digits, without sign, point or commas, and whether the sign is there.
fn digits(shown: &str) -> (bool, String) {
    (shown.starts_with('-'), shown.chars().filter(char::is_ascii_digit).collect())
}

/// `units / 10^drop` rounded to a whole number, on whole numbers.
fn rounded(units: &BigInt, drop: u32, rounding: Rounding) -> BigInt {
    let by = BigInt::from(10).pow(drop);
    let (whole, rest) = (units / &by, units % &by);
    let away = if units < &BigInt::ZERO { -1 } else { 1 };
    let twice = BigInt::from(away) * &rest * 2;
    let up = match rounding {
        Rounding::Down => false,
        Rounding::HalfUp => twice >= by,
        Rounding::HalfEven => twice > by || (twice == by && &whole % 2 != BigInt::ZERO),
    };
    if up { whole + away } else { whole }
}

fn any_rounding() -> impl Strategy<Value = Rounding> {
    prop_oneof![Just(Rounding::HalfEven), Just(Rounding::HalfUp), Just(Rounding::Down)]
}

fn any_units() -> impl Strategy<Value = BigInt> {
    prop_oneof![
        any::<i128>().prop_map(BigInt::from),
        (-2_000..2_000i64).prop_map(BigInt::from),
        (any::<i128>(), any::<i64>()).prop_map(|(a, b)| BigInt::from(a) * BigInt::from(b)),
    ]
}

proptest! {
    #[test]
    fn rounds_as_whole_numbers_do(units in any_units(), has in 0..12u32, shows in 0..12u32, r in any_rounding()) {
        let shown = print_number(&Number::new(units.clone(), i64::from(has)), &unit(Some(shows), r));
        let expected = if shows >= has {
            &units * BigInt::from(10).pow(shows - has)
        } else {
            rounded(&units, has - shows, r)
        };
        let (negative, text) = digits(&shown);
        prop_assert_eq!(BigInt::from_str(&text).unwrap(), BigInt::from_biguint(num_bigint::Sign::Plus, expected.magnitude().clone()));
        prop_assert_eq!(negative, expected < BigInt::ZERO, "{}", shown);
        prop_assert_eq!(shown.split_once('.').map_or(0, |(_, f)| f.len()), shows as usize);
    }

    #[test]
    fn all_digits_are_shown_when_no_scale_is_set(units in any_units(), scale in -20..30i64) {
        let number = Number::new(units, scale);
        let shown = print_number(&number, &unit(None, Rounding::HalfEven));
        prop_assert_eq!(Number::from_str(&shown.replace(',', "")).unwrap(), number);
        prop_assert!(!shown.contains(['e', 'E', '+']));
        prop_assert!(!shown.contains('.') || !shown.ends_with('0'), "{} has a needless zero", shown);
    }

    #[test]
    fn groups_by_three(units in any_units(), scale in 0..6i64) {
        let shown = print_number(&Number::new(units, scale), &unit(None, Rounding::HalfEven));
        let whole = shown.trim_start_matches('-').split('.').next().unwrap().to_owned();
        for (i, group) in whole.split(',').enumerate() {
            prop_assert!(if i == 0 { (1..=3).contains(&group.len()) } else { group.len() == 3 }, "{}", shown);
            prop_assert!(group.chars().all(|c| c.is_ascii_digit()));
        }
        prop_assert!(whole == "0" || !whole.starts_with('0'));
    }

    #[test]
    fn a_quotient_is_as_near_as_its_digits(a in any_units(), b in any_units()) {
        let (a, b) = (Number::new(a, 2), Number::new(b, 3));
        let Some(q) = quotient(&a, &b) else {
            prop_assert_eq!(b, Number::from(0));
            return Ok(());
        };
        // |q·b − a| ≤ |a| · 10^-39: forty significant digits are right but for the last.
        let error = (&q * &b - &a).abs();
        prop_assert!(error <= a.abs() * Number::new(BigInt::from(1), 39), "{} / {} = {}", a, b, q);
        prop_assert_eq!(quotient(&-&a, &b).unwrap(), -&q);
        prop_assert_eq!(quotient(&a, &-&b).unwrap(), -&q);
    }

    #[test]
    fn a_quotient_that_ends_is_exact(q in -1_000_000_000..1_000_000_000i64, scale in 0..9i64, b in any_units()) {
        prop_assume!(b != BigInt::ZERO);
        let (q, b) = (Number::new(BigInt::from(q), scale), Number::new(b, 4));
        prop_assert_eq!(quotient(&(&q * &b), &b).unwrap(), q);
    }
}

#[test]
fn ties_go_to_the_even_neighbour_and_a_zero_has_no_sign() {
    let shown = |text: &str, r| print_number(&Number::from_str(text).unwrap(), &unit(Some(2), r));
    for (text, half_even, half_up, down) in [
        ("0.125", "0.12", "0.13", "0.12"),
        ("0.135", "0.14", "0.14", "0.13"),
        ("-0.125", "-0.12", "-0.13", "-0.12"),
        ("-0.005", "0.00", "-0.01", "0.00"),
        ("-0.001", "0.00", "0.00", "0.00"),
        ("999.995", "1,000.00", "1,000.00", "999.99"),
        ("1e-30", "0.00", "0.00", "0.00"),
        ("1e6", "1,000,000.00", "1,000,000.00", "1,000,000.00"),
    ] {
        assert_eq!(shown(text, Rounding::HalfEven), half_even, "{text}");
        assert_eq!(shown(text, Rounding::HalfUp), half_up, "{text}");
        assert_eq!(shown(text, Rounding::Down), down, "{text}");
    }
}

#[test]
fn published_integer_ratios() {
    let q = |a: i64, b: i64| quotient(&Number::from(a), &Number::from(b)).unwrap();
    let shown = |n: &Number, scale| print_number(n, &unit(Some(scale), Rounding::HalfEven));
    assert_eq!(shown(&q(8, 27), 4), "0.2963");
    assert_eq!(shown(&q(5, 3), 3), "1.667");
    assert_eq!(shown(&q(-5, 3), 3), "-1.667");
    assert_eq!(q(2, 3).to_plain_string(), format!("0.{}7", "6".repeat(39)));
    assert_eq!(quotient(&Number::from(5), &Number::from(0)), None);
    assert_eq!(quotient(&Number::from(0), &Number::from(0)), None);
}
