// SPDX-License-Identifier: BSD-3-Clause
//! Answers to questions that a library asks: a function of the program's runs on the event thread, and what it returns goes
//! back as a request, which nobody waits for.

use std::convert::Infallible;
use std::fmt::{self, Display};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::thread;
use std::time::Duration;

use crate::call::Call;
use crate::context::Context;
use crate::events::{Event, EventKind, Subscription};
use crate::status::{Error, Result, Status};
use crate::wire::{Codec, Request, Unit, Wire};

/// How often an answer is tried again for which the queue of requests has no room, and how long that is each time.
const TRIES_MAX: u32 = 1000;
const TRY_AGAIN: Duration = Duration::from_millis(1);

/// Why a program gives no answer. Anything that can be shown becomes one, also by `?`.
#[derive(Clone, PartialEq, Eq)]
pub enum Refusal<E = Infallible> {
    /// The error that the question declares, which the library gets as a value.
    Raised(E),
    /// A text.
    Failed(String),
}

impl<E> Refusal<E> {
    /// Refuse with the error that the question declares.
    pub fn raised(error: E) -> Refusal<E> {
        Refusal::Raised(error)
    }
}

impl<T: Display, E> From<T> for Refusal<E> {
    fn from(why: T) -> Refusal<E> {
        Refusal::Failed(why.to_string())
    }
}

impl<E: fmt::Debug> fmt::Debug for Refusal<E> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Raised(error) => write!(out, "Refusal({error:?})"),
            Refusal::Failed(why) => write!(out, "Refusal({why})"),
        }
    }
}

/// What brings the answers of one context. Generated code uses it.
#[derive(Clone, Copy, Debug)]
pub struct Answers {
    token: u64,
    wire: Wire,
}

impl Answers {
    /// Bring an answer, by the method of that number. One to a question that is not open any more is dropped.
    ///
    /// # Errors
    /// Why it cannot travel, for the library.
    pub fn give(&self, method: u32, request: &impl Request) -> std::result::Result<(), String> {
        for _ in 0..TRIES_MAX {
            let call = Call::<(), Error>::new::<Unit>(Ok(self.token), method, self.wire, request);
            match call.detach() {
                Err(error) if error.status() == Status::QueueFull => thread::sleep(TRY_AGAIN),
                Err(error) if error.status() == Status::TooLarge => {
                    return Err(format!("the answer cannot be sent: {error}"))
                }
                Ok(()) | Err(_) => return Ok(()),
            }
        }
        Ok(())
    }
}

/// Call the function of a program: a panic is a refusal.
///
/// # Errors
/// What the function returns, or that it panicked.
pub fn answered<T, E>(
    function: impl FnOnce() -> std::result::Result<T, Refusal<E>>,
) -> std::result::Result<T, Refusal<E>> {
    catch_unwind(AssertUnwindSafe(function))
        .unwrap_or_else(|_| Err(Refusal::Failed("the host's function panicked".to_owned())))
}

impl Subscription {
    /// Call `each` on the event thread with each question that the library asks.
    ///
    /// # Errors
    /// As [`Subscription::listen`].
    pub fn answer<C: Codec>(
        context: &Context,
        kind: EventKind,
        mut each: impl FnMut(Answers, C::Value) + Send + 'static,
    ) -> Result<Subscription>
    where
        C::Value: 'static,
    {
        let answers = Answers {
            token: context.token(),
            wire: context.wire(),
        };
        Subscription::listen::<C>(context, kind, move |asked: Result<Event<C::Value>>| {
            // one that cannot be decoded has no number to answer to, and the library hears of that at its deadline
            if let Ok(asked) = asked {
                each(answers, asked.value);
            }
        })
    }
}
