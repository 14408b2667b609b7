// SPDX-License-Identifier: BSD-3-Clause
//! One call: a future that any executor can await, and that a thread can wait for.
//!
//! The core's callback decodes a reply on the library thread, straight into the value. So the bytes are never copied,
//! and the task that awaits the reply finds the value. Callback and future share a oneshot, a channel for one value:
//!
//! ```text
//!   library thread (take)                       the future's task (poll, drop)
//!   decode                                      lock; result there? take it, ready
//!   lock; put result; take waker; unlock        else put waker; unlock, pending
//!   wake                                        drop: lock; mark as abandoned; unlock
//! ```
//!
//! Invariant: under the lock, a oneshot without a result holds the waker of the newest poll. So a task whose poll found
//! no result is woken. When the future is dropped first, the callback still fills the oneshot, to which it has a
//! reference of its own.

use std::cell::Cell;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context as Task, Poll, Waker};
use std::time::{Duration, Instant};

use crate::block_on::block_until;
use crate::buffer::{self, Buffer};
use crate::core::{self, Payload, Submission, TakeReply};
use crate::status::{Error, Fails, Status, OK, RAISED};
use crate::wire::{self, Codec, DecodeError, Request, Wire};

/// A function that makes a value of a payload.
pub(crate) type Decode<T> = fn(Wire, &[u8]) -> std::result::Result<T, DecodeError>;

/// The result that a reply carries.
pub(crate) fn read<T, E: Fails>(payload: Payload<'_>, decode: Decode<T>) -> Result<T, E> {
    if payload.status != OK && payload.status != RAISED {
        return Err(Error::answered(payload.status, payload.bytes).into());
    }
    let error = match Wire::from_number(payload.wire) {
        Some(wire) if payload.status == RAISED => return Err(E::raised(wire, payload.bytes)),
        Some(wire) => match decode(wire, payload.bytes) {
            Ok(value) => return Ok(value),
            Err(error) => Error::from(error),
        },
        None => Error::new(Status::BadPayload, "a reply in an unknown wire format"),
    };
    Err(error.into())
}

/// Keep the waker of the newest poll, and return the one before it: the caller drops that without the lock.
pub(crate) fn keep_newest(kept: &mut Option<Waker>, task: &Task<'_>) -> Option<Waker> {
    match kept {
        Some(waker) if waker.will_wake(task.waker()) => None,
        other => other.replace(task.waker().clone()),
    }
}

/// Carries one reply from the callback to the future.
pub(crate) struct Oneshot<T, E> {
    decode: Decode<T>,
    state: Mutex<State<T, E>>,
}

struct State<T, E> {
    result: Option<Result<T, E>>,
    waker: Option<Waker>,
    is_abandoned: bool,
    stale_count: u32,
}

impl<T, E> Oneshot<T, E> {
    pub fn new(decode: Decode<T>, waker: Option<Waker>) -> Arc<Oneshot<T, E>> {
        let state = State {
            result: None,
            waker,
            is_abandoned: false,
            stale_count: 0,
        };
        Arc::new(Oneshot {
            decode,
            state: Mutex::new(state),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State<T, E>> {
        // Only cloning a waker can panic under the lock, and the state is whole even then: so poison is ignored.
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub fn poll(&self, task: &mut Task<'_>) -> Poll<Result<T, E>> {
        let mut state = self.lock();
        if let Some(result) = state.result.take() {
            return Poll::Ready(result);
        }
        let old = keep_newest(&mut state.waker, task);
        // not under the lock: dropping a waker may run code that waits for the library thread, which waits for this
        // lock
        drop(state);
        drop(old);
        Poll::Pending
    }

    pub fn stale_count(&self) -> u32 {
        self.lock().stale_count
    }

    /// Note that the future is gone, so that the reply is dropped. Returns whether that is still to come.
    pub fn abandon(&self) -> bool {
        let mut state = self.lock();
        state.is_abandoned = true;
        let dropped = (state.result.take(), state.waker.take());
        drop(state);
        let is_to_come = dropped.0.is_none();
        drop(dropped);
        is_to_come
    }
}

impl<T: Send + 'static, E: Fails> TakeReply for Oneshot<T, E> {
    fn still_running(&self) {
        let mut state = self.lock();
        state.stale_count = state.stale_count.saturating_add(1);
    }

    fn take(&self, reply: Payload<'_>) {
        if self.lock().is_abandoned {
            return;
        }
        let result = read(reply, self.decode);
        let mut state = self.lock();
        if state.is_abandoned {
            return;
        }
        state.result = Some(result);
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// A call of a method: nothing happens before it is awaited, [waited for](Call::wait) or [submitted](Call::submit).
///
/// Its parameters are encoded already, so it borrows nothing, and may go to another thread or task. Calls reach their
/// handlers in the order in which a thread submits them; an awaited call is submitted at its first poll. A call that is
/// dropped before its reply is cancelled: if it still waits for its handler, that never runs; a handler that runs can see
/// it. Its reply is dropped. [`Call::detach`] lets it run. `E` is [`Error`], or
/// [`Failure`](crate::Failure) where the method declares an error of its own.
#[must_use = "a call does nothing unless it is awaited, waited for or submitted"]
pub struct Call<T, E = Error> {
    step: Step<T, E>,
    decode: Decode<T>,
}

enum Step<T, E> {
    Ready {
        context: u64,
        method: u32,
        wire: Wire,
        payload: Buffer,
    },
    Refused(Error),
    Submitted(Arc<Oneshot<T, E>>, Ticket),
    Done,
}

/// What it takes to cancel a request: its context and its number there.
#[derive(Clone, Copy)]
pub(crate) struct Ticket {
    context: u64,
    number: u64,
}

/// How many numbers a thread takes from the core at once.
const TICKETS: u64 = 1 << 16;

impl Ticket {
    pub fn new(context: u64) -> Ticket {
        thread_local! {
            static LEFT: Cell<(u64, u64)> = Cell::new((0, 0));
        }
        LEFT.with(|left| {
            let (mut next, mut end) = left.get();
            if next == end {
                next = core::tickets(TICKETS);
                end = next + TICKETS;
            }
            left.set((next + 1, end));
            Ticket {
                context,
                number: next,
            }
        })
    }

    pub fn number(self) -> u64 {
        self.number
    }

    pub fn cancel(self) {
        core::cancel(self.context, self.number);
    }
}

impl<T, E> Unpin for Call<T, E> {}

impl<T: Send + 'static, E: Fails> Call<T, E> {
    /// A call of the method with the number `method`; its parameters are encoded now.
    pub(crate) fn new<C: Codec<Value = T>>(
        context: Result<u64, Error>,
        method: u32,
        wire: Wire,
        request: &impl Request,
    ) -> Self {
        let step = match context.and_then(|context| Ok((context, encode(wire, request)?))) {
            Ok((context, payload)) => Step::Ready {
                context,
                method,
                wire,
                payload,
            },
            Err(error) => Step::Refused(error),
        };
        Call {
            step,
            decode: wire::decode::<C>,
        }
    }

    /// Submit the request now. The reply can be awaited or waited for later.
    ///
    /// When the core refuses the request, awaiting or waiting gives that error, as it gives any other.
    pub fn submit(mut self) -> Self {
        self.start(None);
        self
    }

    /// Submit the request now, and let it run: unlike a call that is dropped, it is not cancelled. Its reply is dropped.
    ///
    /// # Errors
    /// What the core refuses.
    pub fn detach(mut self) -> Result<(), Error> {
        self.start(None);
        match std::mem::replace(&mut self.step, Step::Done) {
            Step::Submitted(oneshot, _) => {
                oneshot.abandon();
                Ok(())
            }
            Step::Refused(error) => Err(error),
            Step::Ready { .. } | Step::Done => Ok(()),
        }
    }

    fn start(&mut self, waker: Option<Waker>) {
        let step = std::mem::replace(&mut self.step, Step::Done);
        self.step = match step {
            Step::Ready {
                context,
                method,
                wire,
                mut payload,
            } => {
                let oneshot = Oneshot::new(self.decode, waker);
                let ticket = Ticket::new(context);
                let number = ticket.number;
                let submitted = core::submit(context, method, wire, &mut payload, &oneshot, number);
                buffer::give_back(payload);
                match submitted {
                    Ok(()) => Step::Submitted(oneshot, ticket),
                    Err(error) => Step::Refused(error),
                }
            }
            other => other,
        };
    }

    /// Block this thread until the reply is there, for `timeout` at most.
    ///
    /// # Errors
    /// [`Status::Timeout`] when the reply did not come in time; [`Status::Reentrant`] in a handler or callback of the
    /// same context; whatever the handler or the core answers.
    pub fn wait(mut self, timeout: Duration) -> Result<T, E> {
        match std::mem::replace(&mut self.step, Step::Done) {
            Step::Ready {
                context,
                method,
                wire,
                mut payload,
            } => {
                let decode = self.decode;
                let result = core::ask(context, method, wire, &mut payload, timeout, |reply| {
                    read(reply, decode)
                });
                buffer::give_back(payload);
                result
            }
            step => {
                self.step = step;
                let deadline = Instant::now().checked_add(timeout);
                block_until(&mut self, deadline)
                    .unwrap_or_else(|| Err(Error::new(Status::Timeout, "").into()))
            }
        }
    }

    /// How many times the core has said that the handler is still running. It says so each time that the duration
    /// `stale` of the context's options has passed, counted from when the request was submitted.
    pub fn stale_count(&self) -> u32 {
        match &self.step {
            Step::Submitted(oneshot, _) => oneshot.stale_count(),
            _ => 0,
        }
    }
}

/// The payload of a request.
pub(crate) fn encode(wire: Wire, request: &impl Request) -> Result<Buffer, Error> {
    let mut payload = buffer::take(request.weight());
    match request.encode(wire, &mut payload) {
        Ok(()) => Ok(payload),
        Err(_) => {
            buffer::give_back(payload);
            Err(too_large())
        }
    }
}

#[cold]
pub(crate) fn too_large() -> Error {
    let message =
        "the parameters are over the limits of every message: 4 GiB, and 32 levels of nesting";
    Error::new(Status::TooLarge, message)
}

impl<T: Send + 'static, E: Fails> Future for Call<T, E> {
    type Output = Result<T, E>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Result<T, E>> {
        if let Step::Ready { .. } = self.step {
            self.start(Some(task.waker().clone()));
        }
        let done = match std::mem::replace(&mut self.step, Step::Done) {
            Step::Submitted(oneshot, ticket) => {
                let polled = oneshot.poll(task);
                if polled.is_pending() {
                    self.step = Step::Submitted(oneshot, ticket);
                }
                return polled;
            }
            Step::Refused(error) => Err(error.into()),
            Step::Done | Step::Ready { .. } => panic!("a call was polled after it was ready"),
        };
        Poll::Ready(done)
    }
}

impl<T, E> Drop for Call<T, E> {
    fn drop(&mut self) {
        match std::mem::replace(&mut self.step, Step::Done) {
            Step::Ready { payload, .. } => buffer::give_back(payload),
            Step::Submitted(oneshot, ticket) => {
                if oneshot.abandon() {
                    ticket.cancel();
                }
            }
            Step::Refused(_) | Step::Done => {}
        }
    }
}

impl<T, E> fmt::Debug for Call<T, E> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = match &self.step {
            Step::Ready { .. } => "ready",
            Step::Refused(_) => "refused",
            Step::Submitted(..) => "submitted",
            Step::Done => "done",
        };
        out.debug_struct("Call")
            .field("step", &step)
            .finish_non_exhaustive()
    }
}

/// Submit several calls of one context in order, waking the library's thread at most once.
///
/// Returns how many were accepted. The first call that was refused has the error as its result; those after it are not
/// changed. A call that was submitted before, or whose parameters could not be encoded, ends the series too.
pub fn submit_all<T: Send + 'static, E: Fails>(calls: &mut [Call<T, E>]) -> usize {
    let first = match calls.first() {
        Some(Call {
            step: Step::Ready { context, .. },
            ..
        }) => *context,
        _ => return 0,
    };
    let mut oneshots = Vec::with_capacity(calls.len());
    for call in calls.iter() {
        match &call.step {
            Step::Ready { context, .. } if *context == first => {
                oneshots.push((Oneshot::new(call.decode, None), Ticket::new(first)))
            }
            _ => break,
        }
    }
    let submissions = calls
        .iter_mut()
        .zip(&oneshots)
        .filter_map(|(call, (oneshot, ticket))| match &mut call.step {
            Step::Ready {
                method,
                wire,
                payload,
                ..
            } => Some(Submission {
                method: *method,
                wire: *wire,
                payload,
                oneshot,
                ticket: ticket.number,
            }),
            _ => None,
        });
    let (count, status) = core::submit_many(first, submissions.collect());
    let mut refused = status.err();
    for (index, (call, (oneshot, ticket))) in calls.iter_mut().zip(oneshots).enumerate() {
        if index < count {
            if let Step::Ready { payload, .. } =
                std::mem::replace(&mut call.step, Step::Submitted(oneshot, ticket))
            {
                buffer::give_back(payload);
            }
        } else if let Some(error) = refused.take() {
            call.step = Step::Refused(error);
        }
    }
    count
}
