//! A scripted model says what its script tells it to, and is judged like any other.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

mod support;

use support::{orders, prompt, unfit};
use tieout_core::{
    halt::{Fault, FaultKind},
    model::{ModelFaultKind, Prompt, Purpose, UnfitKind},
    ports::Model,
};
use tieout_model::scripted::{Says, Scripted, script};

#[tokio::test]
async fn lines_are_said_to_the_prompts_they_are_for() {
    let text = r#"> narrate
{"sentences": []}
---
> read, containing "by region, please", always
{"metric": "orders"}
---
{"metric": "net_revenue"}
---
> cut
{"metric": "net_rev
---
> declined
I cannot help with that.
---
> no call
---
> fault payment_required"#;
    let model = Scripted::lines(script(text).unwrap());
    assert_eq!(model.left(), 6);
    let regions = prompt("orders by region, please");
    for _ in 0..2 {
        assert_eq!(model.complete(&regions).await.unwrap().said, orders());
    }
    let other = prompt("revenue?");
    assert_eq!(model.complete(&other).await.unwrap().text, r#"{"metric": "net_revenue"}"#);
    for kind in [UnfitKind::Cut, UnfitKind::Declined, UnfitKind::NoCall] {
        assert_eq!(unfit(&model.complete(&other).await.unwrap().said), Some(kind));
    }
    let fault = model.complete(&other).await.unwrap_err();
    assert!(matches!(fault.kind, ModelFaultKind::PaymentRequired { .. }));
    assert_eq!(Fault::from(fault).kind, FaultKind::Payment);
    let ended = model.complete(&other).await.unwrap_err();
    assert_eq!(ended.kind, ModelFaultKind::ScriptEnded { purpose: "read" });
    assert_eq!(model.left(), 1, "the line for narration was not asked for");
    assert_eq!(model.asked().len(), 8);
    let narrate = Prompt { purpose: Purpose::Narrate, ..other };
    assert_eq!(model.complete(&narrate).await.unwrap().text, r#"{"sentences": []}"#);
    assert_eq!(model.left(), 0);
}

#[tokio::test]
async fn a_model_may_make_up_what_it_says() {
    let model = Scripted::improvising(|prompt| match prompt.turns.len() {
        1 => Says::reply("orders, I think"),
        _ => Says::reply(r#"{"metric": "orders"}"#),
    });
    let first = prompt("how many?");
    let reply = model.complete(&first).await.unwrap();
    assert_eq!(unfit(&reply.said), Some(UnfitKind::NotJson));
    let second = first.after(&reply.text, "one JSON object, please");
    assert_eq!(model.complete(&second).await.unwrap().said, orders());
}

#[test]
fn directions_that_are_none_are_told_with_their_place() {
    for (text, reply, part) in [
        ("> reed\n{}", 1, "`reed` is no direction"),
        ("{}\n---\n> fault lines\n", 2, "`lines` is no fault that can be played"),
        ("> containing \"x", 1, "not closed"),
    ] {
        let error = script(text).unwrap_err();
        assert_eq!(error.reply, reply);
        assert!(error.to_string().contains(part), "{error}");
    }
}
