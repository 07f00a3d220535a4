//! The one loop in the product that tries again.
//!
//! A stage whose draft was rejected and an endpoint that was busy both come here. Deliberately absent: how waiting is
//! done, which is handed in, and what is worth another attempt, which the step says.

use std::{future::Future, time::Duration};

/// The most attempts of a stage, in all.
pub const ATTEMPTS_MAX: u32 = 3;

/// What an attempt came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<T, E, F> {
    /// It is done.
    Done(T),
    /// It failed, and another attempt would fail as well.
    Stop(E),
    /// Another attempt may succeed.
    Again {
        /// What the next attempt is told.
        feedback: F,
        /// How it ends when there is no next attempt.
        otherwise: E,
        /// How many attempts the step took: more than one where a loop within it tried again on its own, so that they
        /// are counted once in all.
        took: u32,
        /// How long is waited before the next.
        pause: Duration,
    },
}

/// How the attempts ended, and how many it were.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempted<T, E> {
    /// The end.
    pub end: Result<T, E>,
    /// How many attempts were made: at least one.
    pub attempts: u32,
}

/// Tries until it is done, at most `attempts_max` times (and at least once). Each step is given its number, from 1,
/// and the feedback of the step before.
pub async fn attempt<T, E, F, S, SF, P, PF>(attempts_max: u32, pause: P, mut step: S) -> Attempted<T, E>
where
    S: FnMut(u32, Option<F>) -> SF,
    SF: Future<Output = Step<T, E, F>>,
    P: Fn(Duration) -> PF,
    PF: Future<Output = ()>,
{
    let mut feedback = None;
    let mut used = 0_u32;
    loop {
        let number = used.saturating_add(1);
        match step(number, feedback.take()).await {
            Step::Done(done) => return Attempted { end: Ok(done), attempts: number },
            Step::Stop(error) => return Attempted { end: Err(error), attempts: number },
            Step::Again { feedback: told, otherwise, took, pause: length } => {
                used = used.saturating_add(took.max(1));
                if used >= attempts_max {
                    return Attempted { end: Err(otherwise), attempts: used };
                }
                if !length.is_zero() {
                    pause(length).await;
                }
                feedback = Some(told);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        cell::RefCell,
        future::ready,
        pin::pin,
        task::{Context, Poll, Waker},
    };

    use super::*;

    /// Every future here is ready at once.
    fn now<T>(future: impl Future<Output = T>) -> T {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(value) => value,
            Poll::Pending => panic!("it waits"),
        }
    }

    fn again(n: u32) -> Step<&'static str, String, u32> {
        Step::Again {
            feedback: n,
            otherwise: format!("failed {n}"),
            took: 1,
            pause: Duration::from_secs(u64::from(n)),
        }
    }

    #[test]
    fn it_is_tried_as_often_as_allowed_and_the_last_failure_is_told() {
        let waited = RefCell::new(Vec::new());
        let told = RefCell::new(Vec::new());
        let pause = |length| {
            waited.borrow_mut().push(length);
            ready(())
        };
        let end = now(attempt(3, pause, |n, feedback| {
            told.borrow_mut().push(feedback);
            ready(again(n))
        }));
        assert_eq!(end, Attempted { end: Err("failed 3".to_owned()), attempts: 3 });
        assert_eq!(*told.borrow(), [None, Some(1), Some(2)]);
        assert_eq!(*waited.borrow(), [Duration::from_secs(1), Duration::from_secs(2)]);
    }

    #[test]
    fn attempts_within_a_step_are_counted() {
        let step = |took| {
            move |n, _| {
                ready(match again(n) {
                    Step::Again { feedback, otherwise, pause, .. } => {
                        Step::Again { feedback, otherwise, took, pause }
                    }
                    ended => ended,
                })
            }
        };
        let end = now(attempt(3, |_| ready(()), step(2)));
        assert_eq!(
            end,
            Attempted { end: Err("failed 3".to_owned()), attempts: 4 },
            "the second is told it is the third"
        );
        let end = now(attempt(3, |_| ready(()), step(3)));
        assert_eq!(end, Attempted { end: Err("failed 1".to_owned()), attempts: 3 });
        assert_eq!(now(attempt(3, |_| ready(()), step(0))).attempts, 3, "no step takes nothing");
    }

    #[test]
    fn it_ends_when_it_is_done_or_hopeless() {
        let step = |n| if n == 2 { Step::Done("done") } else { again(n) };
        let end = now(attempt(3, |_| ready(()), |n, _| ready(step(n))));
        assert_eq!(end, Attempted { end: Ok("done"), attempts: 2 });
        let stop = |_, _: Option<u32>| ready(Step::<(), _, _>::Stop("no"));
        assert_eq!(now(attempt(3, |_| ready(()), stop)), Attempted { end: Err("no"), attempts: 1 });
        // Nobody is asked less than once.
        assert_eq!(now(attempt(0, |_| ready(()), |n, _| ready(again(n)))).attempts, 1);
    }
}
