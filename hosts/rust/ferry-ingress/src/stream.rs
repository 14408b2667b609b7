// SPDX-License-Identifier: BSD-3-Clause
//! Streams: the values that a method yields, in order (spec/interface.md, S1 to S6).
//!
//! One request is under way while the program uses the values of the answer before. Each brings credits, so of a program
//! that is slow at most two answers are in memory, and the library waits.
//!
//! Stream and callback share a flow, since either may end first:
//!
//! ```text
//!   the stream's task (drop)                 library thread (take)
//!   lock; mark as closed; unlock             answers the first request, with a handle
//!   cancel the request                       lock; closed, and no handle known? unlock, close this one
//! ```
//!
//! Invariant: under the lock, a handle that is open is known to the stream, or in a result that no task has taken, or its
//! reply is still to come. So what is dropped is closed, by one of the two.
//! Where the request that closes it finds no room, the request under way is cancelled, and its reply tries once more.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context as Task, Poll, Waker};
use std::time::{Duration, Instant};

use crate::block_on::block_until;
use crate::buffer::{self, Buffer};
use crate::call::{encode, keep_newest, read, Call, Decode, Ticket};
use crate::context::Context;
use crate::core::{self, Payload, TakeReply};
use crate::status::{Error, Fails, Result, Status};
use crate::wire::{self, Codec, Plain, Request, Wire, U32, U64};

/// How many values one answer of a stream should have at most: twice as many are in memory.
pub const STREAM_CREDITS: u32 = 256;

/// Some values of a stream, as a library sends them. Generated code implements it.
pub trait Part: Send + 'static {
    /// What the method yields.
    type Value: Send + 'static;
    /// The stream's handle, while that goes on, and the values.
    fn split(self) -> (Option<u64>, Vec<Self::Value>);
}

struct More<'a> {
    stream: Plain<'a, U64>,
    credits: Plain<'a, U32>,
}
crate::request! {
    More { stream, credits }
    sorted {
        stream = b"\x66stream",
        credits = b"\x67credits",
    }
}

struct Close<'a> {
    stream: Plain<'a, U64>,
}
crate::request! {
    Close { stream }
    sorted { stream = b"\x66stream" }
}

/// What a stream and the callback of its request have in common.
struct Flow<P, E> {
    context: u64,
    wire: Wire,
    /// The number of the method that opens it; the one that continues it comes next, and then the one that closes it.
    method: u32,
    decode: Decode<P>,
    state: Mutex<State<P, E>>,
}

struct State<P, E> {
    result: Option<std::result::Result<P, E>>,
    waker: Option<Waker>,
    handle: u64,
    is_closed: bool,
    /// The handle of a stream that was dropped, while it is not known whether its end found room.
    unended: u64,
}

impl<P: Part, E: Fails> Flow<P, E> {
    fn lock(&self) -> MutexGuard<'_, State<P, E>> {
        // Only cloning a waker can panic under the lock, and the state is whole even then: so poison is ignored.
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Have the library end the stream, without waiting. Returns whether there was room for that.
    fn end(&self, handle: u64) -> bool {
        let request = Close {
            stream: Plain::new(&handle),
        };
        let call = Call::<(), Error>::new::<wire::Unit>(
            Ok(self.context),
            self.method + 2,
            self.wire,
            &request,
        );
        // without a context there is no stream either
        !matches!(call.detach(), Err(error) if error.status() == Status::QueueFull)
    }
}

impl<P: Part, E: Fails> TakeReply for Flow<P, E> {
    fn still_running(&self) {}

    fn take(&self, reply: Payload<'_>) {
        let result = read(reply, self.decode);
        let mut state = self.lock();
        if !state.is_closed {
            state.result = Some(result);
            let waker = state.waker.take();
            drop(state);
            waker.into_iter().for_each(Waker::wake);
            return;
        }
        let is_known = state.handle != 0;
        let unended = std::mem::take(&mut state.unended);
        drop(state);
        if unended != 0 {
            self.end(unended);
        } else if let Some((Some(handle), _)) = result.ok().map(Part::split) {
            if !is_known {
                self.end(handle);
            }
        }
    }
}

/// The values that a method yields, in order. Nothing happens before the first is asked for, or it is
/// [opened](Stream::open). Dropping it closes it: the library hears that no more is wanted.
///
/// `futures::stream::poll_fn(move |task| lines.poll_next(task))` makes it a `Stream` of the futures crates. `for` waits for
/// the values on this thread, which may not be one of the library's.
#[must_use = "a stream does nothing unless its values are asked for"]
pub struct Stream<P: Part, E: Fails = Error> {
    flow: Arc<Flow<P, E>>,
    opening: Option<std::result::Result<Buffer, Error>>,
    credits: u32,
    values: std::vec::IntoIter<P::Value>,
    asked: Option<Ticket>,
    has_ended: bool,
    process: u32,
}

impl<P: Part, E: Fails> Unpin for Stream<P, E> {}

impl<P: Part, E: Fails> Stream<P, E> {
    /// A stream of the method with the number `method`; its parameters are encoded now, and its credits are the last.
    pub fn new<C: Codec<Value = P>>(
        context: &Context,
        method: u32,
        request: &impl Request,
        credits: u32,
    ) -> Stream<P, E> {
        let state = State {
            result: None,
            waker: None,
            handle: 0,
            is_closed: false,
            unended: 0,
        };
        Stream {
            flow: Arc::new(Flow {
                context: context.token(),
                wire: context.wire(),
                method,
                decode: wire::decode::<C>,
                state: Mutex::new(state),
            }),
            opening: Some(encode(context.wire(), request)),
            credits,
            values: Vec::new().into_iter(),
            asked: None,
            has_ended: false,
            process: std::process::id(),
        }
    }

    /// Open it now, so that the library begins. What the core refuses is tried again when a value is asked for.
    pub fn open(mut self) -> Self {
        if let Err(error) = self.ask() {
            // parameters that could not be encoded; those that were refused are still there
            self.opening.get_or_insert(Err(error));
        }
        self
    }

    /// The next value; `None` at the end.
    #[allow(clippy::should_implement_trait)] // a stream's `next`, as everywhere
    pub fn next(&mut self) -> NextValue<'_, P, E> {
        NextValue(self)
    }

    /// The next value if there is one; otherwise the task is woken as soon as there is one.
    pub fn poll_next(
        &mut self,
        task: &mut Task<'_>,
    ) -> Poll<Option<std::result::Result<P::Value, E>>> {
        loop {
            if let Some(value) = self.values.next() {
                return Poll::Ready(Some(Ok(value)));
            }
            if self.has_ended {
                return Poll::Ready(None);
            }
            // a reply to a request of the parent's never comes to a forked child
            if self.process != std::process::id() {
                self.has_ended = true;
                return Poll::Ready(Some(Err(Error::new(Status::Closed, "").into())));
            }
            if self.asked.is_none() {
                if let Err(error) = self.ask() {
                    self.has_ended = error.status() != Status::QueueFull;
                    return Poll::Ready(Some(Err(error.into())));
                }
            }
            let mut state = self.flow.lock();
            let result = match state.result.take() {
                Some(result) => result,
                None => {
                    let old = keep_newest(&mut state.waker, task);
                    // not under the lock, as in `Oneshot::poll`
                    drop(state);
                    drop(old);
                    return Poll::Pending;
                }
            };
            drop(state);
            self.asked = None;
            if let Err(error) = self.take(result) {
                return Poll::Ready(Some(Err(error)));
            }
        }
    }

    /// Block this thread until there is a value, for `timeout` at most. `None` at the end.
    ///
    /// # Errors
    /// [`Status::Timeout`] when none came in time, and then the stream goes on; what the library answers, and then it has
    /// ended.
    pub fn wait(&mut self, timeout: Duration) -> std::result::Result<Option<P::Value>, E> {
        let deadline = Instant::now().checked_add(timeout);
        match block_until(&mut self.next(), deadline) {
            Some(value) => value.transpose(),
            None => Err(Error::new(Status::Timeout, "").into()),
        }
    }

    fn ask(&mut self) -> Result<()> {
        let (method, mut payload) = match self.opening.take() {
            Some(opening) => (self.flow.method, opening?),
            None => {
                let handle = self.flow.lock().handle;
                let request = More {
                    stream: Plain::new(&handle),
                    credits: Plain::new(&self.credits),
                };
                (self.flow.method + 1, encode(self.flow.wire, &request)?)
            }
        };
        let ticket = Ticket::new(self.flow.context);
        let (flow, number) = (&self.flow, ticket.number());
        let is_opening = method == flow.method;
        // the core keeps a payload that it was lent, also where it refuses the request
        let copy = (is_opening && payload.len() >= core::LEND_BYTES_LEAST).then(|| payload.clone());
        let asked = core::submit(flow.context, method, flow.wire, &mut payload, flow, number);
        if asked.is_err() && is_opening {
            // it is tried again when the next value is asked for
            self.opening = Some(Ok(copy.unwrap_or(payload)));
        } else {
            buffer::give_back(payload);
        }
        asked?;
        self.asked = Some(ticket);
        Ok(())
    }

    /// Take an answer, after which another request is under way.
    fn take(&mut self, result: std::result::Result<P, E>) -> std::result::Result<(), E> {
        let (handle, values) = match result {
            Ok(part) => part.split(),
            Err(error) => {
                self.flow.lock().handle = 0;
                self.has_ended = true;
                return Err(error);
            }
        };
        self.flow.lock().handle = handle.unwrap_or(0);
        self.has_ended = handle.is_none();
        self.values = values.into_iter();
        if !self.has_ended {
            // it is tried again when these values are used up
            let _ = self.ask();
        }
        Ok(())
    }
}

impl<P: Part, E: Fails> Drop for Stream<P, E> {
    fn drop(&mut self) {
        if let Some(Ok(payload)) = self.opening.take() {
            buffer::give_back(payload);
        }
        if self.process != std::process::id() {
            return;
        }
        let mut state = self.flow.lock();
        state.is_closed = true;
        let dropped = (state.result.take(), state.waker.take());
        let known = state.handle;
        state.unended = known;
        drop(state);
        let handle = match dropped.0 {
            None => known,
            Some(result) => result
                .ok()
                .and_then(|part| part.split().0)
                .unwrap_or_default(),
        };
        let has_room = handle == 0 || self.flow.end(handle);
        if has_room {
            self.flow.lock().unended = 0;
        }
        match self.asked.take() {
            // the library ends the stream of a request that it sees cancelled; one that it does not see makes room
            Some(ticket) if !self.has_ended && (handle == 0 || !has_room) => ticket.cancel(),
            _ => {}
        }
    }
}

impl<P: Part, E: Fails> fmt::Debug for Stream<P, E> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Stream").finish_non_exhaustive()
    }
}

/// The next value of a stream.
#[must_use = "futures do nothing unless they are awaited"]
#[derive(Debug)]
pub struct NextValue<'a, P: Part, E: Fails>(&'a mut Stream<P, E>);

impl<P: Part, E: Fails> Future for NextValue<'_, P, E> {
    type Output = Option<std::result::Result<P::Value, E>>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Self::Output> {
        self.0.poll_next(task)
    }
}

/// The values of a stream, each of which its thread waits for.
#[derive(Debug)]
pub struct Values<P: Part, E: Fails>(Stream<P, E>);

impl<P: Part, E: Fails> Iterator for Values<P, E> {
    type Item = std::result::Result<P::Value, E>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(value) = self.0.values.next() {
            return Some(Ok(value));
        }
        block_until(&mut self.0.next(), None).flatten()
    }
}

impl<P: Part, E: Fails> IntoIterator for Stream<P, E> {
    type Item = std::result::Result<P::Value, E>;
    type IntoIter = Values<P, E>;

    fn into_iter(self) -> Values<P, E> {
        Values(self)
    }
}
