// SPDX-License-Identifier: BSD-3-Clause
//! Events: as a stream, or by a callback.
//!
//! A stream's events are decoded on the event thread into a queue of its own, so that the event thread never waits for
//! the stream's task; the queue has the depth and the overflow policy that the interface or the listener declares.

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

/// How many events wait in a stream whose interface and listener do not say.
pub const STREAM_DEPTH: usize = 1024;

/// What happens to a new event when as many as the depth wait for the listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Overflow {
    /// The oldest that waits is lost.
    DropOldest,
    /// The new one is lost.
    DropNewest,
    /// Only the newest is kept.
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
    /// What happens when as many as `depth` wait.
    pub overflow: Overflow,
    /// How many may wait; 0: [`STREAM_DEPTH`] in a stream, the context's `event_depth` for a callback.
    pub depth: u32,
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<T> {
    /// What it carries.
    pub value: T,
    /// How many this listener has lost since the one before.
    pub lost: u64,
}

/// The events of one kind, from when it was made on; it stops listening when dropped.
///
/// It ends when the context is closed. As a `Stream` of the futures crates:
/// `futures::stream::poll_fn(move |task| events.poll_next(task))`.
#[must_use = "events are lost unless they are taken"]
pub struct Events<T: Send + 'static> {
    queue: Arc<Queue<T>>,
    // the core has a count of `queue` of its own
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

    /// Queue an event, by the overflow policy. The caller drops the events that had to go, without the lock.
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
        // the events that were lost before those that are lost now
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
    /// What the core refuses: a context that is closed, or too many listeners.
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

    /// The next event; nothing once the context has been closed and all were taken.
    #[allow(clippy::should_implement_trait)] // a stream's `next`, as everywhere
    pub fn next(&mut self) -> Next<'_, T> {
        Next(self)
    }

    /// The next event if there is one; otherwise the task is woken when there is.
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

    /// Block this thread until there is an event, for `timeout` at most; nothing once the context has been closed and
    /// all were taken.
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
/// Dropping it waits until the callback is not running, and drops the callback. On a thread of the library's no code
/// may wait: in that callback itself, in any other callback, and where a reply wakes a task. Dropped there while the
/// callback is running, it returns at once, and the callback is dropped when it returns.
#[must_use = "the callback is removed when this is dropped"]
pub struct Subscription {
    _listening: Listening,
}

struct Callback<T, F> {
    decode: Decode<T>,
    // never contended: the core calls a listener once at a time
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
    /// Call `notify` on the event thread for each event of that kind. It may call the library and wait for it, and
    /// drop its own subscription; while it runs, no other listener of the context hears anything.
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
