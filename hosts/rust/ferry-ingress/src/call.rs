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

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context as Task, Poll, Waker};
use std::time::{Duration, Instant};

use crate::block_on::block_until;
use crate::buffer::{self, Buffer};
use crate::core::{self, Payload, Submission, TakeReply};
use crate::status::{Error, Result, Status, OK};
use crate::wire::{self, Codec, DecodeError, Request, Wire};

/// A function that makes a value of a payload.
pub(crate) type Decode<T> = fn(Wire, &[u8]) -> std::result::Result<T, DecodeError>;

/// The result that a reply carries.
pub(crate) fn read<T>(payload: Payload<'_>, decode: Decode<T>) -> Result<T> {
    if payload.status != OK {
        return Err(Error::answered(payload.status, payload.bytes));
    }
    match Wire::from_number(payload.wire) {
        Some(wire) => decode(wire, payload.bytes).map_err(Error::from),
        None => Err(Error::new(
            Status::BadPayload,
            "a reply in an unknown wire format",
        )),
    }
}

/// Keep the waker of the newest poll, and return the one before it: the caller drops that without the lock.
pub(crate) fn keep_newest(kept: &mut Option<Waker>, task: &Task<'_>) -> Option<Waker> {
    match kept {
        Some(waker) if waker.will_wake(task.waker()) => None,
        other => other.replace(task.waker().clone()),
    }
}

/// Carries one reply from the callback to the future.
pub(crate) struct Oneshot<T> {
    decode: Decode<T>,
    state: Mutex<State<T>>,
}

struct State<T> {
    result: Option<Result<T>>,
    waker: Option<Waker>,
    is_abandoned: bool,
    stale_count: u32,
}

impl<T> Oneshot<T> {
    pub fn new(decode: Decode<T>, waker: Option<Waker>) -> Arc<Oneshot<T>> {
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

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Only cloning a waker can panic under the lock, and the state is whole even then: so poison is ignored.
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub fn poll(&self, task: &mut Task<'_>) -> Poll<Result<T>> {
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

    /// Note that the future is gone, so that the reply is dropped.
    pub fn abandon(&self) {
        let mut state = self.lock();
        state.is_abandoned = true;
        let dropped = (state.result.take(), state.waker.take());
        drop(state);
        drop(dropped);
    }
}

impl<T: Send + 'static> TakeReply for Oneshot<T> {
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
/// handlers in the order in which a thread submits them; an awaited call is submitted at its first poll. A call may be
/// dropped at any time before its reply: the handler runs on, and the reply is dropped.
#[must_use = "a call does nothing unless it is awaited, waited for or submitted"]
pub struct Call<T> {
    step: Step<T>,
    decode: Decode<T>,
}

enum Step<T> {
    Ready {
        context: u64,
        method: u32,
        wire: Wire,
        payload: Buffer,
    },
    Refused(Error),
    Submitted(Arc<Oneshot<T>>),
    Done,
}

impl<T> Unpin for Call<T> {}

impl<T: Send + 'static> Call<T> {
    /// A call of the method with the number `method`; its parameters are encoded now.
    pub(crate) fn new<C: Codec<Value = T>>(
        context: Result<u64>,
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
                let submitted = core::submit(context, method, wire, &mut payload, &oneshot);
                buffer::give_back(payload);
                match submitted {
                    Ok(()) => Step::Submitted(oneshot),
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
    pub fn wait(mut self, timeout: Duration) -> Result<T> {
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
                    .unwrap_or_else(|| Err(Error::new(Status::Timeout, "")))
            }
        }
    }

    /// How many times the core has said that the handler is still running. It says so each time that the duration
    /// `stale` of the context's options has passed, counted from when the request was submitted.
    pub fn stale_count(&self) -> u32 {
        match &self.step {
            Step::Submitted(oneshot) => oneshot.stale_count(),
            _ => 0,
        }
    }
}

/// The payload of a request.
pub(crate) fn encode(wire: Wire, request: &impl Request) -> Result<Buffer> {
    let mut payload = buffer::take(request.weight());
    match request.encode(wire, &mut payload) {
        Ok(()) => Ok(payload),
        Err(wire::TooLarge) => {
            buffer::give_back(payload);
            let message =
                "the parameters are over the limits of every message: 4 GiB, and 32 levels of nesting";
            Err(Error::new(Status::TooLarge, message))
        }
    }
}

impl<T: Send + 'static> Future for Call<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Result<T>> {
        if let Step::Ready { .. } = self.step {
            self.start(Some(task.waker().clone()));
        }
        let done = match std::mem::replace(&mut self.step, Step::Done) {
            Step::Submitted(oneshot) => {
                let polled = oneshot.poll(task);
                if polled.is_pending() {
                    self.step = Step::Submitted(oneshot);
                }
                return polled;
            }
            Step::Refused(error) => Err(error),
            Step::Done | Step::Ready { .. } => panic!("a call was polled after it was ready"),
        };
        Poll::Ready(done)
    }
}

impl<T> Drop for Call<T> {
    fn drop(&mut self) {
        match std::mem::replace(&mut self.step, Step::Done) {
            Step::Ready { payload, .. } => buffer::give_back(payload),
            Step::Submitted(oneshot) => oneshot.abandon(),
            Step::Refused(_) | Step::Done => {}
        }
    }
}

impl<T> fmt::Debug for Call<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = match &self.step {
            Step::Ready { .. } => "ready",
            Step::Refused(_) => "refused",
            Step::Submitted(_) => "submitted",
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
pub fn submit_all<T: Send + 'static>(calls: &mut [Call<T>]) -> usize {
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
                oneshots.push(Oneshot::new(call.decode, None))
            }
            _ => break,
        }
    }
    let submissions = calls
        .iter_mut()
        .zip(&oneshots)
        .filter_map(|(call, oneshot)| match &mut call.step {
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
            }),
            _ => None,
        });
    let (count, status) = core::submit_many(first, submissions.collect());
    let mut refused = status.err();
    for (index, (call, oneshot)) in calls.iter_mut().zip(oneshots).enumerate() {
        if index < count {
            if let Step::Ready { payload, .. } =
                std::mem::replace(&mut call.step, Step::Submitted(oneshot))
            {
                buffer::give_back(payload);
            }
        } else if let Some(error) = refused.take() {
            call.step = Step::Refused(error);
        }
    }
    count
}
