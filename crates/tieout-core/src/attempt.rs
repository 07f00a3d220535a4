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
    let mut attempts = 1;
    loop {
        match step(attempts, feedback.take()).await {
            Step::Done(done) => return Attempted { end: Ok(done), attempts },
            Step::Stop(error) => return Attempted { end: Err(error), attempts },
            Step::Again { otherwise, .. } if attempts >= attempts_max => {
                return Attempted { end: Err(otherwise), attempts };
            }
            Step::Again { feedback: told, pause: length, .. } => {
                if !length.is_zero() {
                    pause(length).await;
                }
                feedback = Some(told);
                attempts += 1;
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
