//! Budgets hold, whoever spends at the same time.

use std::{fs, sync::Arc, thread};

use bigdecimal::BigDecimal;
use jiff::civil::date;
use proptest::prelude::*;

use super::*;

const DAY: Date = date(2026, 11, 30);

fn tokens(tokens: u64) -> Spend {
    Spend { tokens, money: None }
}

fn allows(tokens: u64) -> Allowance {
    Allowance { tokens: Some(tokens), ..Allowance::default() }
}

fn money(text: &str) -> Option<BigDecimal> {
    Some(text.parse().unwrap())
}

#[test]
fn what_has_no_room_says_how_much_is_left_of_what() {
    let spent = Spend { tokens: 1_200, money: money("0.90") };
    let wanted = Spend { tokens: 100, money: money("0.20") };
    let both = Allowance { tokens: Some(1_300), money: money("1"), currency: "USD".to_owned() };
    let found = both.room(BudgetSpan::Day, &spent, &wanted).unwrap_err();
    assert_eq!((found.measure, found.limit.as_str()), (BudgetMeasure::Money, "1 USD"));
    assert_eq!((found.spent.as_str(), found.wanted.as_str()), ("0.9 USD", "0.2 USD"));
    let found = allows(1_299).room(BudgetSpan::Question, &spent, &wanted).unwrap_err();
    assert_eq!((found.limit.as_str(), found.spent.as_str()), ("1,299 tokens", "1,200 tokens"));
    assert!(allows(1_300).room(BudgetSpan::Question, &spent, &wanted).is_ok());
    assert!(Allowance::default().room(BudgetSpan::Day, &spent, &wanted).is_ok(), "nothing is limited");
}

#[test]
fn many_who_spend_at_once_stay_within_the_day() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/spent.json");
    let spenders: Vec<_> = (0..8)
        .map(|_| {
            // Each opens the file anew, as a process would.
            let store = SpendFile::at(&path);
            thread::spawn(move || {
                (0..10).filter(|_| store.put_aside(DAY, &tokens(7), &allows(100)).is_ok()).count()
            })
        })
        .collect();
    let taken: usize = spenders.into_iter().map(|spender| spender.join().unwrap()).sum();
    assert_eq!(taken, 14, "14 × 7 = 98, and the next would be too much");
    assert_eq!(SpendFile::at(&path).spent(DAY), Ok(tokens(98)));
}

#[test]
fn days_are_counted_apart_and_old_ones_are_let_go() {
    let folder = tempfile::tempdir().unwrap();
    let store = SpendFile::at(folder.path().join("spent.json"));
    store.put_aside(DAY, &tokens(100), &allows(100)).unwrap();
    assert!(matches!(store.put_aside(DAY, &tokens(1), &allows(100)), Err(NoRoom::Spent(_))));
    let tomorrow = DAY.tomorrow().unwrap();
    store.put_aside(tomorrow, &tokens(1), &allows(100)).unwrap();
    assert_eq!((store.spent(DAY), store.spent(tomorrow)), (Ok(tokens(100)), Ok(tokens(1))));
    let days: Vec<_> = tomorrow.series(jiff::Span::new().days(1)).skip(1).take(DAYS_KEPT_MAX).collect();
    for day in &days {
        store.put_aside(*day, &tokens(2), &allows(100)).unwrap();
    }
    assert_eq!(store.spent(DAY), Ok(tokens(0)));
    assert_eq!(store.spent(*days.last().unwrap()), Ok(tokens(2)));
}

#[test]
fn what_is_not_known_is_not_spent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("spent.json");
    let store = SpendFile::at(&path);
    for broken in [
        "",
        "{",
        "[]",
        r#"{"days": {"2026-11-30": {"tokens": -1}}}"#,
        r#"{"days": {"yesterday": {"tokens": 1}}}"#,
    ] {
        fs::write(&path, broken).unwrap();
        let found = store.put_aside(DAY, &tokens(1), &allows(100));
        assert!(matches!(&found, Err(NoRoom::Unknown(why)) if why.contains("spent.json")), "{found:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), broken, "it was left as it is");
    }
}

#[tokio::test]
async fn a_purse_counts_for_the_question_and_the_day() {
    let store: Arc<dyn SpendStore> = Arc::new(SpendInMemory::default());
    let purse = |question| Purse::new(DAY, allows(question), allows(100), Arc::clone(&store));
    let first = purse(50);
    let aside = first.put_aside(tokens(40)).await.unwrap();
    let no_room = first.put_aside(tokens(11)).await.unwrap_err();
    assert!(matches!(no_room, NoRoom::Spent(spent) if spent.span == BudgetSpan::Question));
    first.settle(aside, &tokens(5)).await.unwrap();
    assert_eq!((first.spent(), store.spent(DAY)), (tokens(5), Ok(tokens(5))));
    let second = purse(1_000);
    let no_room = second.put_aside(tokens(96)).await.unwrap_err();
    assert!(matches!(no_room, NoRoom::Spent(spent) if spent.span == BudgetSpan::Day));
    assert_eq!(second.spent(), tokens(0), "nothing is put aside for the question when the day has no room");
    let left = second.put_aside(tokens(95)).await.unwrap();
    drop(left);
    assert_eq!(store.spent(DAY), Ok(tokens(100)), "what is not settled stays spent");
}

proptest! {
    #[test]
    fn what_is_settled_adds_up(amounts in prop::collection::vec((0_u64..1_000, 0_u64..1_000), 1..20)) {
        let store = SpendInMemory::default();
        let spend = |n: u64| Spend { tokens: n, money: Some(BigDecimal::new(n.into(), 4)) };
        for (aside, _) in &amounts {
            store.put_aside(DAY, &spend(*aside), &Allowance::default()).unwrap();
        }
        for (aside, taken) in &amounts {
            store.settle(DAY, &spend(*aside), &spend(*taken)).unwrap();
        }
        let total: u64 = amounts.iter().map(|(_, taken)| taken).sum();
        let found = store.spent(DAY).unwrap();
        prop_assert_eq!(found.tokens, total);
        prop_assert_eq!(found.money.unwrap(), BigDecimal::new(total.into(), 4));
    }
}
