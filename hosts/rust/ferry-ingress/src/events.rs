// SPDX-License-Identifier: BSD-3-Clause
//! Events, as a stream or by a callback.
//!
//! The event thread decodes a stream's events into a queue that belongs to the stream, so it never waits for the
//! stream's task. The queue has the depth and the overflow policy that the interface or the listener declares.

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context as Task, Poll, Waker};
use std::time::{Duration, Instant};

use crate::block_on::block_until;
use crate::call::{keep_newest, read, Decode};
use crate::context::{Context, Ends};
use crate::core::{Interest, LentEvent, Listening, TakeEvent};
use crate::status::{Error, Result, Status};
use crate::wire::{decode, Codec};

/// How many events may wait in a stream when neither the interface nor the listener says so.
pub const STREAM_DEPTH: usize = 1024;

/// What happens to a new event when as many events as the depth allows wait for the listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// The oldest waiting event is lost.
    DropOldest,
    /// The new event is lost.
    DropNewest,
    /// Only the newest event is kept.
    Coalesce,
}

impl Overflow {
    /// Its number in `enum ingress_overflow`.
    pub(crate) fn number(self) -> u32 {
        match self {
            Overflow::DropOldest => 1,
            Overflow::DropNewest => 2,
            Overflow::Coalesce => 3,
        }
    }
}

/// An event that a library declares.
#[derive(Clone, Copy, Debug)]
pub struct EventKind {
    /// Its number in the interface.
    pub number: u32,
    /// What happens to a new event when `depth` events wait.
    pub overflow: Overflow,
    /// How many events may wait. 0 means [`STREAM_DEPTH`] in a stream, and the context's `event_depth` for a callback.
    pub depth: u32,
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<T> {
    /// The value that it carries.
    pub value: T,
    /// How many events this listener has lost between the one before and this one.
    pub lost: u64,
}

/// The events of one kind from now on; dropping the stream ends the listening.
///
/// The stream ends when the context is closed. `futures::stream::poll_fn(move |task| events.poll_next(task))` makes it
/// a `Stream` of the futures crates.
#[must_use = "events are lost unless they are taken"]
pub struct Events<T: Send + 'static> {
    queue: Arc<Queue<T>>,
    // the core has its own counted reference to `queue`
    _listening: Listening,
}

struct Queue<T> {
    decode: Decode<T>,
    overflow: Overflow,
    depth: usize,
    state: Mutex<Waiting<T>>,
}

struct Waiting<T> {
    events: VecDeque<Result<Event<T>>>,
    lost: u64,
    waker: Option<Waker>,
    has_ended: bool,
}

impl<T> Queue<T> {
    fn lock(&self) -> MutexGuard<'_, Waiting<T>> {
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Queue an event as the overflow policy says. Returns the events that had to go: the caller drops them without the
    /// lock.
    fn push(
        &self,
        waiting: &mut Waiting<T>,
        mut event: Result<Event<T>>,
    ) -> VecDeque<Result<Event<T>>> {
        let mut gone = VecDeque::new();
        if let Ok(event) = &mut event {
            waiting.lost += std::mem::take(&mut event.lost);
        }
        if self.overflow == Overflow::Coalesce && !waiting.events.is_empty() {
            std::mem::swap(&mut gone, &mut waiting.events);
        } else if waiting.events.len() >= self.depth {
            if self.overflow == Overflow::DropNewest {
                waiting.lost += 1;
                gone.push_back(event);
                return gone;
            }
            gone.extend(waiting.events.pop_front());
        }
        // an event that goes now carries the number of those lost before it, which must not be forgotten
        waiting.lost += gone.len() as u64;
        waiting.lost += gone.iter().flatten().map(|event| event.lost).sum::<u64>();
        waiting.events.push_back(event);
        gone
    }
}

impl<T: Send + 'static> TakeEvent for Queue<T> {
    fn take(&self, event: LentEvent<'_>) {
        let lost = event.lost;
        let decoded = read(event.payload, self.decode).map(|value| Event { value, lost });
        let mut waiting = self.lock();
        let gone = self.push(&mut waiting, decoded);
        let waker = waiting.waker.take();
        drop(waiting);
        drop(gone);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T: Send> Ends for Queue<T> {
    fn end(&self) {
        let mut waiting = self.lock();
        waiting.has_ended = true;
        let waker = waiting.waker.take();
        drop(waiting);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T: Send + 'static> Events<T> {
    /// Listen to an event of a context.
    ///
    /// # Errors
    /// The core's status when it refuses: the context is closed, or has too many listeners.
    pub fn listen<C: Codec<Value = T>>(context: &Context, kind: EventKind) -> Result<Events<T>> {
        let depth = match kind.depth {
            0 => STREAM_DEPTH,
            depth => depth as usize,
        };
        let waiting = Waiting {
            events: VecDeque::new(),
            lost: 0,
            waker: None,
            has_ended: false,
        };
        let queue = Arc::new(Queue {
            decode: decode::<C>,
            overflow: kind.overflow,
            depth,
            state: Mutex::new(waiting),
        });
        let interest = interest(context, kind);
        let listening = Listening::start(context.token(), interest, Arc::clone(&queue))?;
        let weak = Arc::downgrade(&queue);
        context.when_ended(weak);
        Ok(Events {
            queue,
            _listening: listening,
        })
    }

    /// The next event; `None` once the context has been closed and all events were taken.
    #[allow(clippy::should_implement_trait)] // a stream's `next`, as everywhere
    pub fn next(&mut self) -> Next<'_, T> {
        Next(self)
    }

    /// The next event if there is one; otherwise the task is woken as soon as there is one.
    pub fn poll_next(&mut self, task: &mut Task<'_>) -> Poll<Option<Result<Event<T>>>> {
        let mut waiting = self.queue.lock();
        if let Some(mut event) = waiting.events.pop_front() {
            if let Ok(event) = &mut event {
                event.lost += std::mem::take(&mut waiting.lost);
            }
            return Poll::Ready(Some(event));
        }
        if waiting.has_ended {
            return Poll::Ready(None);
        }
        let old = keep_newest(&mut waiting.waker, task);
        // not under the lock: dropping a waker may run code that waits for the event thread, which waits for this lock
        drop(waiting);
        drop(old);
        Poll::Pending
    }

    /// Block this thread until there is an event, for `timeout` at most. The result is `None` once the context has been
    /// closed and all events were taken.
    ///
    /// # Errors
    /// [`Status::Timeout`] when none came in time, [`Status::BadPayload`] when one could not be decoded.
    pub fn wait(&mut self, timeout: Duration) -> Result<Option<Event<T>>> {
        let deadline = Instant::now().checked_add(timeout);
        match block_until(&mut self.next(), deadline) {
            Some(event) => event.transpose(),
            None => Err(Error::new(Status::Timeout, "")),
        }
    }
}

impl<T: Send + 'static> fmt::Debug for Events<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Events").finish_non_exhaustive()
    }
}

/// The next event of a stream.
#[must_use = "futures do nothing unless they are awaited"]
#[derive(Debug)]
pub struct Next<'a, T: Send + 'static>(&'a mut Events<T>);

impl<T: Send + 'static> Future for Next<'_, T> {
    type Output = Option<Result<Event<T>>>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Self::Output> {
        self.0.poll_next(task)
    }
}

/// A callback that is called for each event; it is removed when this is dropped.
///
/// Dropping the subscription waits until the callback is not running, and drops the callback. No code may wait on a
/// thread of the library's: in this callback or any other, or where a reply wakes a task. A drop there while the
/// callback is running does not wait; the callback is dropped when it returns.
#[must_use = "the callback is removed when this is dropped"]
pub struct Subscription {
    _listening: Listening,
}

struct Callback<T, F> {
    decode: Decode<T>,
    // never contended: the core does not call a listener twice at once
    notify: Mutex<F>,
}

impl<T: 'static, F: FnMut(Result<Event<T>>) + Send + 'static> TakeEvent for Callback<T, F> {
    fn take(&self, event: LentEvent<'_>) {
        let lost = event.lost;
        let decoded = read(event.payload, self.decode).map(|value| Event { value, lost });
        let mut notify = self
            .notify
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        notify(decoded);
    }
}

impl Subscription {
    /// Call `notify` on the event thread for each event of that kind. `notify` may call the library and wait for it,
    /// and may drop its own subscription. While it runs, no other listener of the context is called.
    ///
    /// # Errors
    /// As [`Events::listen`].
    pub fn listen<C: Codec>(
        context: &Context,
        kind: EventKind,
        notify: impl FnMut(Result<Event<C::Value>>) + Send + 'static,
    ) -> Result<Subscription>
    where
        C::Value: 'static,
    {
        let callback = Arc::new(Callback {
            decode: decode::<C>,
            notify: Mutex::new(notify),
        });
        let listening = Listening::start(context.token(), interest(context, kind), callback)?;
        Ok(Subscription {
            _listening: listening,
        })
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Subscription").finish_non_exhaustive()
    }
}

fn interest(context: &Context, kind: EventKind) -> Interest {
    Interest {
        event: kind.number,
        wire: context.wire(),
        overflow: kind.overflow.number(),
        depth: kind.depth,
    }
}
