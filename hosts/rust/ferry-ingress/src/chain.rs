// SPDX-License-Identifier: BSD-3-Clause
//! Chains: calls that run one after another, of which later ones take results of earlier ones (C1 to C9 of
//! spec/interface.md). One crossing, or one round trip, for all.
//!
//! A call of a chain is encoded at once, in format `cbor`, with null where a promise stands; the null's offset and the
//! promise's path are a link of the core's. Replies are kept as they came, and decoded when a promise is asked.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context as Task, Poll, Waker};
use std::time::Duration;

use crate::argument::Given;
use crate::call::{keep_newest, read, too_large, Ticket};
use crate::core::{self, ChainCall, ChainLink, LinkKind, Payload, TakeReply};
use crate::status::{Error, Fails, Result, Status};
use crate::wire::{self, CborWriter, Codec, Map, Opt, Seq, Text};

/// Where a promised value comes from.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    chain: u64,
    call: u32,
    path: String,
}

/// A value that a call of a chain will have, which travels as `C`: the call's result, or a part of it.
///
/// It is an argument of later calls of the same chain. A handle is promised as its number, which nothing closes by
/// itself. A promise may be copied, and may go to another thread.
pub struct Promised<C> {
    source: Source,
    _value: PhantomData<fn() -> C>,
}

impl<C> Promised<C> {
    fn new(source: Source) -> Promised<C> {
        Promised {
            source,
            _value: PhantomData,
        }
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    fn part<P>(&self, path: String) -> Promised<P> {
        Promised::new(Source {
            path,
            ..self.source
        })
    }

    fn named<P>(&self, name: &str) -> Promised<P> {
        let path = &self.source.path;
        let dot = if path.is_empty() { "" } else { "." };
        self.part(format!("{path}{dot}{name}"))
    }

    /// A field of an object, or of one that is an option: `promise.field(Note::TITLE)`.
    pub fn field<O, F>(&self, field: Field<O, F>) -> Promised<F>
    where
        C: Holds<O>,
    {
        self.named(field.name)
    }

    /// What a case of a variant carries, or of one that is an option: `promise.case(Place::SHELF)`. If the result has
    /// another case, the call that takes it fails with [`Status::BadPayload`].
    pub fn case<O, F>(&self, case: Case<O, F>) -> Promised<F>
    where
        C: Holds<O>,
    {
        self.named(case.name)
    }

    /// An element of a sequence, or of one that is an option. If it is not there, the call that takes it fails with
    /// [`Status::BadPayload`].
    pub fn at<P>(&self, index: usize) -> Promised<P>
    where
        C: Holds<Seq<P>>,
    {
        self.part(format!("{}[{index}]", self.source.path))
    }

    /// The value of a key in a map of texts, or in one that is an option. If it is not there, the call that takes it
    /// fails with [`Status::BadPayload`]. No promise leads to a key that is empty or has one of `.[]` or a zero in it:
    /// the chain is refused.
    pub fn key<P>(&self, key: &str) -> Promised<P>
    where
        C: Holds<Map<Text, P>>,
    {
        if key.is_empty() || key.contains(['.', '[', ']', '\0']) {
            return self.part(NOWHERE.to_owned());
        }
        self.named(key)
    }
}

/// The path of what no path leads to.
const NOWHERE: &str = ".";

impl<C> Clone for Promised<C> {
    fn clone(&self) -> Self {
        Promised::new(self.source.clone())
    }
}

impl<C> fmt::Debug for Promised<C> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Promised")
            .field("call", &self.source.call)
            .field("path", &self.source.path)
            .finish_non_exhaustive()
    }
}

/// What travels as `Self` is an `O`, or an option of one.
pub trait Holds<O> {}

impl<O> Holds<O> for O {}
impl<O> Holds<O> for Opt<O> {}

/// Names of parts, with the types as which the whole and the part travel.
macro_rules! named {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        pub struct $name<O, F> {
            pub(crate) name: &'static str,
            _types: PhantomData<fn(O) -> F>,
        }

        impl<O, F> $name<O, F> {
            /// The one of that name.
            pub const fn new(name: &'static str) -> $name<O, F> {
                $name {
                    name,
                    _types: PhantomData,
                }
            }
        }
    )+};
}

named! {
    /// A field of the object `O`, which travels as `F`. Generated crates have one for each field.
    Field;
    /// A case of the variant `O`, which carries what travels as `F`. Generated crates have one for each that carries something.
    Case;
}

/// The result of a call of a chain, which travels as `C`. `E` is [`Error`], or [`Failure`](crate::Failure) where the
/// method declares an error of its own.
pub struct Promise<C, E = Error> {
    promised: Promised<C>,
    _error: PhantomData<fn() -> E>,
}

impl<C: Codec, E: Fails> Promise<C, E> {
    /// The value; it is decoded each time.
    ///
    /// # Errors
    /// What the call failed with: whatever it would have failed with outside a chain, and [`Status::Skipped`] when it
    /// needs one that failed, whose number the message has. [`Status::BadArgument`] when the results are another
    /// chain's.
    pub fn result(&self, results: &Results) -> std::result::Result<C::Value, E> {
        let source = &self.promised.source;
        match results.replies.get(source.call as usize) {
            Some(reply) if results.chain == source.chain => {
                read(reply.payload(), wire::decode::<C>)
            }
            _ => Err(foreign().into()),
        }
    }
}

impl<C, E> Deref for Promise<C, E> {
    type Target = Promised<C>;

    fn deref(&self) -> &Promised<C> {
        &self.promised
    }
}

impl<C, E> Clone for Promise<C, E> {
    fn clone(&self) -> Self {
        Promise {
            promised: self.promised.clone(),
            _error: PhantomData,
        }
    }
}

impl<C, E> fmt::Debug for Promise<C, E> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.promised.fmt(out)
    }
}

#[cold]
fn foreign() -> Error {
    Error::new(Status::BadArgument, "the promise is of another chain")
}

#[cold]
fn no_key() -> Error {
    let message = "a promise leads to no key of a map that is empty or has one of .[] or a zero";
    Error::new(Status::BadArgument, message)
}

/// Calls of one context that run one after another. Generated crates have a struct around it, with a function for each
/// method. It borrows nothing, and may go to another thread.
#[derive(Debug)]
pub struct Chain {
    context: u64,
    /// No other chain of the process has this number.
    number: u64,
    calls: Vec<ChainCall>,
    links: Vec<ChainLink>,
    /// The calls that the next one needs.
    after: Vec<Source>,
    /// What went wrong first while the chain was made.
    failure: Option<Error>,
}

impl Chain {
    pub(crate) fn new(context: u64) -> Chain {
        static MADE: AtomicU64 = AtomicU64::new(0);
        Chain {
            context,
            number: MADE.fetch_add(1, Ordering::Relaxed),
            calls: Vec::new(),
            links: Vec::new(),
            after: Vec::new(),
            failure: None,
        }
    }

    /// Append a call of the method with the number `method`; `arguments` are in the order of their keys. What is wrong
    /// with them is told when the chain is submitted.
    pub fn call<C: Codec, E: Fails>(
        &mut self,
        method: u32,
        arguments: &[Given<'_>],
    ) -> Promise<C, E> {
        let request = self.calls.len() as u32;
        let mut payload = Vec::new();
        let mut out = CborWriter::new(&mut payload);
        out.map(arguments.iter().filter(|one| one.is_present).count());
        for argument in arguments.iter().filter(|one| one.is_present) {
            out.raw(argument.key);
            let place = out.at();
            (argument.put_cbor)(&mut out);
            for taken in &argument.taken {
                let place = (place + taken.place) as u32;
                self.need(request, &taken.source, taken.kind, place);
            }
        }
        out.leave();
        if out.finish().is_err() {
            self.failure.get_or_insert_with(too_large);
        }
        for source in std::mem::take(&mut self.after) {
            self.need(request, &source, LinkKind::After, 0);
        }
        self.calls.push(ChainCall { method, payload });
        Promise {
            promised: Promised::new(Source {
                chain: self.number,
                call: request,
                path: String::new(),
            }),
            _error: PhantomData,
        }
    }

    /// The call that is appended next also needs this one to have succeeded, though it takes nothing from it.
    pub fn after<C>(&mut self, promise: &Promised<C>) {
        let source = Source {
            path: String::new(),
            ..promise.source
        };
        self.after.push(source);
    }

    fn need(&mut self, request: u32, source: &Source, kind: LinkKind, place: u32) {
        if source.chain != self.number {
            self.failure.get_or_insert_with(foreign);
        }
        if source.path.starts_with(NOWHERE) {
            self.failure.get_or_insert_with(no_key);
        }
        self.links.push(ChainLink {
            request,
            source: source.call,
            kind,
            place,
            path: source.path.clone(),
        });
    }

    /// Submit the calls, and block this thread until each has its result or its failure: [`Promise::result`].
    ///
    /// A call to which the library comes after `timeout` does not run; one that runs then is left alone. Both fail with
    /// [`Status::Timeout`].
    ///
    /// # Errors
    /// Why the chain was refused as a whole; no call has run then. [`Status::BadArgument`]: a promise of another chain,
    /// no call, more than 64 or more than 256 uses of promises. [`Status::QueueFull`]: the queue has not enough
    /// credits for all. [`Status::Reentrant`]: a handler or a callback of the same context submits it.
    pub fn submit(self, timeout: Duration) -> Result<Results> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        let replies = core::ask_chain(self.context, &self.calls, &self.links, timeout, Reply::of)?;
        Ok(Results {
            chain: self.number,
            replies,
        })
    }

    /// Submit the calls now. Any executor awaits the future that this returns; when that is dropped before it is ready,
    /// the calls are cancelled.
    pub fn submit_async(self) -> Submitted {
        let gathered = Arc::new(Gathered {
            state: Mutex::new(State {
                replies: self.calls.iter().map(|_| None).collect(),
                missing: self.calls.len(),
                waker: None,
            }),
        });
        let tickets: Vec<Ticket> = self
            .calls
            .iter()
            .map(|_| Ticket::new(self.context))
            .collect();
        let repliers = tickets.iter().enumerate().map(|(place, ticket)| {
            let gathered = Arc::clone(&gathered);
            (Arc::new(Replier { gathered, place }), ticket.number())
        });
        let submitted = match self.failure {
            Some(error) => Err(error),
            None => core::submit_chain(self.context, &self.calls, &self.links, repliers.collect()),
        };
        Submitted {
            chain: self.number,
            step: match submitted {
                Ok(()) => Step::Waiting(gathered, tickets),
                Err(error) => Step::Refused(error),
            },
        }
    }
}

/// What became of the calls of a chain: see [`Promise::result`].
#[derive(Debug)]
pub struct Results {
    chain: u64,
    replies: Vec<Reply>,
}

/// A reply as it came.
#[derive(Debug)]
struct Reply {
    status: u32,
    wire: u32,
    bytes: Vec<u8>,
}

impl Reply {
    fn of(payload: Payload<'_>) -> Reply {
        Reply {
            status: payload.status,
            wire: payload.wire,
            bytes: payload.bytes.to_owned(),
        }
    }

    fn payload(&self) -> Payload<'_> {
        Payload {
            status: self.status,
            wire: self.wire,
            bytes: &self.bytes,
        }
    }
}

/// The replies of a chain, as they come.
struct Gathered {
    state: Mutex<State>,
}

struct State {
    replies: Vec<Option<Reply>>,
    missing: usize,
    waker: Option<Waker>,
}

impl Gathered {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Only cloning a waker can panic under the lock, and the state is whole even then: so poison is ignored.
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Takes the reply to one call of a chain.
struct Replier {
    gathered: Arc<Gathered>,
    place: usize,
}

impl TakeReply for Replier {
    fn still_running(&self) {}

    fn take(&self, reply: Payload<'_>) {
        let reply = Reply::of(reply);
        let mut state = self.gathered.lock();
        state.replies[self.place] = Some(reply);
        state.missing -= 1;
        let waker = if state.missing == 0 {
            state.waker.take()
        } else {
            None
        };
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

/// The calls of a chain that was submitted: a future of their results.
///
/// Awaiting it gives why the chain was refused, as [`Chain::submit`] does, or the results. When it is dropped before, its
/// calls are cancelled: those that wait do not run, and a handler that runs can see it.
#[must_use = "the calls are cancelled when this is dropped"]
pub struct Submitted {
    chain: u64,
    step: Step,
}

enum Step {
    Waiting(Arc<Gathered>, Vec<Ticket>),
    Refused(Error),
    Done,
}

impl Future for Submitted {
    type Output = Result<Results>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Result<Results>> {
        let replies = match std::mem::replace(&mut self.step, Step::Done) {
            Step::Waiting(gathered, tickets) => {
                let mut state = gathered.lock();
                if state.missing > 0 {
                    let old = keep_newest(&mut state.waker, task);
                    // not under the lock: dropping a waker may run code that waits for the library thread
                    drop(state);
                    drop(old);
                    self.step = Step::Waiting(gathered, tickets);
                    return Poll::Pending;
                }
                std::mem::take(&mut state.replies)
            }
            Step::Refused(error) => return Poll::Ready(Err(error)),
            Step::Done => panic!("a chain was polled after it was ready"),
        };
        Poll::Ready(Ok(Results {
            chain: self.chain,
            replies: replies.into_iter().flatten().collect(),
        }))
    }
}

impl Drop for Submitted {
    fn drop(&mut self) {
        if let Step::Waiting(gathered, tickets) = &self.step {
            let waker = gathered.lock().waker.take();
            drop(waker);
            // the last one first, so that none begins when an earlier one ends
            for ticket in tickets.iter().rev() {
                ticket.cancel();
            }
        }
    }
}

impl fmt::Debug for Submitted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let step = match &self.step {
            Step::Waiting(..) => "waiting",
            Step::Refused(_) => "refused",
            Step::Done => "done",
        };
        out.debug_struct("Submitted")
            .field("step", &step)
            .finish_non_exhaustive()
    }
}
