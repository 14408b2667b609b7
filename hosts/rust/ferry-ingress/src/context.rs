// SPDX-License-Identifier: BSD-3-Clause
//! Contexts: running instances of a library.

use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::task::{Context as Task, Poll};
use std::thread;
use std::time::Duration;

use crate::buffer::{self, Buffer};
use crate::call::{encode, read, Call, Oneshot};
use crate::chain::Chain;
use crate::core::{self, Library, RawOptions};
use crate::status::{Error, Fails, Failure, Raisable, Result, Status};
use crate::wire::{decode, Codec, Request, Unit, Wire};

/// Limits and times of a context. For those that are not set the library's own values hold.
#[derive(Clone, Debug)]
#[must_use]
pub struct Options {
    queue_depth: u32,
    event_depth: u32,
    payload_bytes: u64,
    stale: Duration,
    stuck: Duration,
    spin: Option<Duration>,
    wire: Option<Wire>,
    destroy_timeout: Duration,
}

/// How long dropping a context waits for handlers that run, unless the options say otherwise.
const DESTROY_TIMEOUT: Duration = Duration::from_secs(5);

impl Default for Options {
    fn default() -> Options {
        Options {
            queue_depth: 0,
            event_depth: 0,
            payload_bytes: 0,
            stale: Duration::ZERO,
            stuck: Duration::ZERO,
            spin: None,
            wire: None,
            destroy_timeout: DESTROY_TIMEOUT,
        }
    }
}

impl Options {
    /// Options of which none is set: the library's own values hold.
    pub fn new() -> Options {
        Options::default()
    }

    /// How many requests may be unanswered; rounded up to a power of two.
    pub fn queue_depth(mut self, count: u32) -> Options {
        self.queue_depth = count;
        self
    }

    /// How many events may wait for one listener; rounded up to a power of two.
    pub fn event_depth(mut self, count: u32) -> Options {
        self.event_depth = count;
        self
    }

    /// How large the payload of a request may be, in bytes.
    pub fn payload_bytes(mut self, bytes: u64) -> Options {
        self.payload_bytes = bytes;
        self
    }

    /// How often a call is told that its handler is still running.
    pub fn stale(mut self, every: Duration) -> Options {
        self.stale = every;
        self
    }

    /// How long a listener's callback may take before it counts as stuck.
    pub fn stuck(mut self, most: Duration) -> Options {
        self.stuck = most;
        self
    }

    /// For how long at most a waiting thread of either side spins before it sleeps; with zero none spins.
    pub fn spin(mut self, most: Duration) -> Options {
        self.spin = Some(most);
        self
    }

    /// The format of requests, replies and events, instead of the one that the binding was generated for.
    pub fn wire(mut self, wire: Wire) -> Options {
        self.wire = Some(wire);
        self
    }

    /// How long dropping the context waits for handlers that run.
    pub fn destroy_timeout(mut self, timeout: Duration) -> Options {
        self.destroy_timeout = timeout;
        self
    }

    fn raw(&self) -> RawOptions {
        let nanoseconds = |time: Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        RawOptions {
            queue_depth: self.queue_depth,
            event_depth: self.event_depth,
            payload_bytes: self.payload_bytes,
            stale_ns: nanoseconds(self.stale),
            stuck_ns: nanoseconds(self.stuck),
            spin_ns: match self.spin {
                None => 0,
                Some(Duration::ZERO) => -1,
                Some(most) => nanoseconds(most),
            },
            reserved: [0; 4],
        }
    }
}

/// An object that has to be told when a context has ended.
pub(crate) trait Ends: Send + Sync {
    /// Called when the context has ended: no callback of it runs or will run.
    fn end(&self);
}

/// A running instance of a library. Any thread may use it at any time; it is destroyed when dropped.
///
/// Dropping waits for handlers that run, for [`Options::destroy_timeout`] at most. No code may wait within a callback
/// of the context, or where a reply wakes a task. A context that is dropped there is closed at once, and a new thread
/// waits in its place. If no thread can be had, the context ends when its handlers have returned.
#[derive(Debug)]
pub struct Context {
    /// The core's token; 0 once the context is destroyed.
    token: u64,
    wire: Wire,
    destroy_timeout: Duration,
    listeners: Listeners,
}

#[derive(Default)]
struct Listeners(Mutex<Vec<Weak<dyn Ends>>>);

impl std::fmt::Debug for Listeners {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Listeners")
    }
}

impl Listeners {
    /// Tell the objects that want to know that the context has ended, once each.
    fn end(&self) {
        let listeners = std::mem::take(&mut *self.lock());
        for listener in listeners.iter().filter_map(Weak::upgrade) {
            listener.end();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<dyn Ends>>> {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Context {
    fn new(token: u64, wire: Wire, options: &Options) -> Context {
        Context {
            token,
            wire,
            destroy_timeout: options.destroy_timeout,
            listeners: Listeners::default(),
        }
    }

    /// A call of the method with the number `method`.
    pub fn call<C: Codec>(&self, method: u32, request: &impl Request) -> Call<C::Value>
    where
        C::Value: Send + 'static,
    {
        Call::new::<C>(Ok(self.token), method, self.wire, request)
    }

    /// A call of the method with the number `method`, which declares `E` as its error.
    pub fn call_raising<C: Codec, E: Raisable>(
        &self,
        method: u32,
        request: &impl Request,
    ) -> Call<C::Value, Failure<E>>
    where
        C::Value: Send + 'static,
    {
        Call::new::<C>(Ok(self.token), method, self.wire, request)
    }

    /// A chain of calls that are submitted together, of which later ones take results of earlier ones.
    pub fn chain(&self) -> Chain {
        Chain::new(self.token)
    }

    /// The core's token for the context, for functions of the core that this crate does not wrap.
    pub fn token(&self) -> u64 {
        self.token
    }

    /// The format in which requests, replies and events travel.
    pub fn wire(&self) -> Wire {
        self.wire
    }

    /// Remember an object that has to be told of the end, and forget those that are gone.
    pub(crate) fn when_ended(&self, listener: Weak<dyn Ends>) {
        let mut listeners = self.listeners.lock();
        if listeners.len() == listeners.capacity() {
            listeners.retain(|listener| listener.strong_count() > 0);
        }
        listeners.push(listener);
    }

    /// Destroy the context. Later requests are refused, and those that wait are answered [`Status::Closed`]. Handlers
    /// that run are waited for, for `timeout` at most. When this returns, no callback of the context runs or will run.
    ///
    /// # Errors
    /// [`Status::Timeout`] when handlers were still running; [`Status::Reentrant`] within a callback, where no code may
    /// wait: the context ends then like one that is dropped there.
    pub fn close(mut self, timeout: Duration) -> Result<()> {
        self.destroy(timeout)
    }

    fn destroy(&mut self, timeout: Duration) -> Result<()> {
        let result = core::context_destroy(self.token, timeout);
        if matches!(&result, Err(error) if error.status() == Status::Reentrant) {
            return result;
        }
        self.token = 0;
        self.listeners.end();
        result
    }

    /// Within a callback, where no code may wait: close the context, so that it refuses requests, and let another
    /// thread wait for its end.
    fn leave(&mut self) {
        let (token, timeout) = (std::mem::take(&mut self.token), self.destroy_timeout);
        let listeners = Arc::new(std::mem::take(&mut self.listeners));
        let theirs = Arc::clone(&listeners);
        let _ = core::context_close(token);
        let waiting = thread::Builder::new()
            .name("ferry-destroy".to_owned())
            .spawn(move || {
                let _ = core::context_destroy(token, timeout);
                theirs.end();
            });
        if waiting.is_err() {
            // without a thread the context still ends, when its handlers have returned
            listeners.end();
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.token == 0 {
            return;
        }
        let timeout = self.destroy_timeout;
        if matches!(self.destroy(timeout), Err(error) if error.status() == Status::Reentrant) {
            self.leave();
        }
    }
}

/// A context that is to be started: nothing happens before it is awaited or [waited for](Creation::wait).
#[must_use = "a context is not started unless this is awaited or waited for"]
pub struct Creation<T, E = Error> {
    step: Step<E>,
    _context: PhantomData<fn() -> T>,
}

enum Step<E> {
    Ready {
        library: Library,
        options: Options,
        method: u32,
        wire: Wire,
        payload: Buffer,
    },
    Refused(Error),
    Started(Context, Arc<Oneshot<(), E>>),
    Done,
}

impl<T, E> Unpin for Creation<T, E> {}

impl<T: From<Context>, E: Fails> Creation<T, E> {
    /// A context of `library`, which the constructor with the number `method` makes. Its format is `wire`, unless the
    /// options have another.
    pub fn new(
        library: Result<Library>,
        options: &Options,
        wire: Wire,
        method: u32,
        request: &impl Request,
    ) -> Creation<T, E> {
        let wire = options.wire.unwrap_or(wire);
        let step = match library.and_then(|library| Ok((library, encode(wire, request)?))) {
            Ok((library, payload)) => Step::Ready {
                library,
                options: options.clone(),
                method,
                wire,
                payload,
            },
            Err(error) => Step::Refused(error),
        };
        Creation {
            step,
            _context: PhantomData,
        }
    }

    /// Start the context and block this thread until its constructor is done, for `timeout` at most.
    ///
    /// # Errors
    /// Whatever the constructor or the core answers; there is no context then.
    pub fn wait(mut self, timeout: Duration) -> std::result::Result<T, E> {
        match std::mem::replace(&mut self.step, Step::Done) {
            Step::Ready {
                library,
                options,
                method,
                wire,
                payload,
            } => {
                let made = core::context_create(
                    library,
                    &options.raw(),
                    method,
                    wire,
                    &payload,
                    timeout,
                    |reply| read(reply, decode::<Unit>),
                );
                buffer::give_back(payload);
                made.map(|token| T::from(Context::new(token, wire, &options)))
            }
            Step::Refused(error) => Err(error.into()),
            step => {
                self.step = step;
                let deadline = std::time::Instant::now().checked_add(timeout);
                let done = crate::block_on::block_until(&mut self, deadline);
                done.unwrap_or_else(|| Err(Error::new(Status::Timeout, "").into()))
            }
        }
    }

    fn start(&mut self, task: &mut Task<'_>) {
        self.step = match std::mem::replace(&mut self.step, Step::Done) {
            Step::Ready {
                library,
                options,
                method,
                wire,
                mut payload,
            } => {
                let oneshot = Oneshot::new(decode::<Unit>, Some(task.waker().clone()));
                let raw = options.raw();
                let started =
                    core::context_start(library, &raw, method, wire, &mut payload, &oneshot);
                buffer::give_back(payload);
                match started {
                    Ok(token) => Step::Started(Context::new(token, wire, &options), oneshot),
                    Err(error) => Step::Refused(error),
                }
            }
            step => step,
        };
    }
}

impl<T: From<Context>, E: Fails> Future for Creation<T, E> {
    type Output = std::result::Result<T, E>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Self::Output> {
        self.start(task);
        match std::mem::replace(&mut self.step, Step::Done) {
            Step::Started(context, oneshot) => match oneshot.poll(task) {
                Poll::Ready(Ok(())) => Poll::Ready(Ok(T::from(context))),
                Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
                Poll::Pending => {
                    self.step = Step::Started(context, oneshot);
                    Poll::Pending
                }
            },
            Step::Refused(error) => Poll::Ready(Err(error.into())),
            Step::Done | Step::Ready { .. } => panic!("a creation was polled after it was ready"),
        }
    }
}

impl<T, E> std::fmt::Debug for Creation<T, E> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Creation").finish_non_exhaustive()
    }
}

/// A call of a static method, which needs no context of its own, in the format `wire`.
pub fn call_static<C: Codec>(
    library: Result<Library>,
    wire: Wire,
    method: u32,
    request: &impl Request,
) -> Call<C::Value>
where
    C::Value: Send + 'static,
{
    let context = library.and_then(core::static_context);
    Call::new::<C>(context, method, wire, request)
}

/// A call of a static method that declares `E` as its error.
pub fn call_static_raising<C: Codec, E: Raisable>(
    library: Result<Library>,
    wire: Wire,
    method: u32,
    request: &impl Request,
) -> Call<C::Value, Failure<E>>
where
    C::Value: Send + 'static,
{
    let context = library.and_then(core::static_context);
    Call::new::<C>(context, method, wire, request)
}
