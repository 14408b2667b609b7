// SPDX-License-Identifier: BSD-3-Clause
//! All unsafe code: `include/ferry/ingress.h` as Rust sees it, and a safe function around each function of it.
//!
//! Ownership. The core hands a pointer to callbacks, `user` or `owner`, which is a counted reference made raw. A
//! request's oneshot is referred to until the one terminal reply, a listener until its release, and a lent payload
//! until its release. The core promises that each of these comes exactly once. A refused request gets no reply, so
//! submitting takes the reference back at once; a refused payload or listener is released by the core. So nothing that
//! the core may still call belongs to a handle that safe code can drop: dropping a [`Listening`], on any thread, only
//! asks the core to end the listener.

use std::ffi::CStr;
use std::marker::PhantomData;
use std::os::raw::c_void;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::{null, null_mut, NonNull};
use std::slice;
use std::sync::Arc;
use std::time::Duration;

use crate::buffer::{self, Buffer};
use crate::status::{Error, Result, OK, STALE};
use crate::wire::Wire;

mod abi;
mod chain;
#[cfg(test)]
mod layouts;

pub use abi::Library as RawLibrary;
pub(crate) use abi::Options as RawOptions;
pub(crate) use chain::{ask_chain, submit_chain, ChainCall, ChainLink, LinkKind};

/// A loaded library that was checked against the interface of a binding.
#[derive(Clone, Copy, Debug)]
pub struct Library(NonNull<RawLibrary>);

// SAFETY: a library is immutable and never freed, and every function of the core may be called by any thread.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

impl Library {
    /// Take the library that a provider's own function returned, and check it against the hash of the interface.
    ///
    /// # Errors
    /// [`WrongInterface`](crate::Status::WrongInterface) when the library was built from another interface.
    ///
    /// # Safety
    /// `raw` is what the provider's function returned, or null.
    pub unsafe fn from_raw(raw: *const RawLibrary, interface_hash: u64) -> Result<Library> {
        // SAFETY: the caller's promise; the core refuses null.
        accepted(unsafe { abi::ingress_library_check(raw, interface_hash) })?;
        match NonNull::new(raw as *mut RawLibrary) {
            Some(library) => Ok(Library(library)),
            None => Err(Error::new(
                crate::Status::WrongInterface,
                "the library has no interface",
            )),
        }
    }
}

/// The sentence that the core has for a status.
pub(crate) fn status_text(status: u32) -> &'static str {
    // SAFETY: the core accepts any number and returns a string of static storage, never null.
    let text = unsafe { CStr::from_ptr(abi::ingress_status_text(status)) };
    text.to_str().unwrap_or("")
}

fn accepted(status: u32) -> Result<()> {
    if status == OK {
        Ok(())
    } else {
        Err(Error::refused(status))
    }
}

/// A duration in the core's form; one that is too long for that form becomes forever.
fn nanoseconds(timeout: Duration) -> i64 {
    i64::try_from(timeout.as_nanos()).unwrap_or(i64::MAX)
}

/// The bytes of a payload that the core lends.
///
/// # Safety
/// `data` and `bytes` are those of an answer, a reply or an event that outlives `'a`.
unsafe fn lent<'a>(data: *const c_void, bytes: usize) -> &'a [u8] {
    if bytes == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { slice::from_raw_parts(data.cast(), bytes) }
}

/// The payload of a terminal reply or of an event, which the core lends for that lifetime.
#[derive(Clone, Copy)]
pub(crate) struct Payload<'a> {
    pub status: u32,
    pub wire: u32,
    pub bytes: &'a [u8],
}

/// Takes the replies of one request, on any thread.
pub(crate) trait TakeReply: Send + Sync + 'static {
    /// Called while the handler is still running, each time that it has become stale.
    fn still_running(&self);
    /// Called with the terminal reply.
    fn take(&self, reply: Payload<'_>);
}

/// Dropping the payload of a panic may panic again, with another payload. At most so many are dropped, one after the
/// other; the last is leaked.
const CARRIED_MAX: usize = 4;

/// Run code of the program's, and let no panic reach the core's frames; the panic hook has reported it. The payload of
/// a panic may panic once more when it is dropped.
fn shielded(run: impl FnOnce()) {
    let mut done = catch_unwind(AssertUnwindSafe(run));
    for _ in 0..CARRIED_MAX {
        match done {
            Ok(()) => return,
            Err(carried) => done = catch_unwind(AssertUnwindSafe(|| drop(carried))),
        }
    }
    std::mem::forget(done);
}

unsafe extern "C" fn on_reply<S: TakeReply>(user: *mut c_void, reply: *const abi::Reply) {
    let oneshot = user.cast::<S>() as *const S;
    // SAFETY: the core passes a reply that is valid until this returns.
    let reply = unsafe { &*reply };
    if reply.status == STALE {
        // SAFETY: `user` is the reference that submitting made raw, and the terminal reply, which ends it, comes
        // later: never two callbacks of one request at once.
        let oneshot = unsafe { &*oneshot };
        return shielded(|| oneshot.still_running());
    }
    // SAFETY: as above, and this is the one terminal reply: the reference is taken back.
    let oneshot = unsafe { Arc::from_raw(oneshot) };
    // SAFETY: the payload is valid until this returns, and `take` cannot keep it.
    let bytes = unsafe { lent(reply.data, reply.bytes) };
    let (status, wire) = (reply.status, reply.wire);
    shielded(move || {
        oneshot.take(Payload {
            status,
            wire,
            bytes,
        });
        drop(oneshot);
    });
}

unsafe extern "C" fn on_release(owner: *mut c_void, _: *const c_void, _: usize) {
    // SAFETY: `owner` is the box that `RawCall::new` made raw, and its release comes once.
    let buffer = unsafe { Box::from_raw(owner.cast::<Buffer>()) };
    shielded(move || buffer::give_back(*buffer));
}

/// Payloads from this size on are lent to the core, with their ownership; smaller ones are copied into the request.
pub(crate) const LEND_BYTES_LEAST: usize = 4096;

/// A request in the core's form, and the payload to which it refers.
struct RawCall<'a> {
    call: abi::Call,
    _payload: PhantomData<&'a [u8]>,
}

impl<'a> RawCall<'a> {
    /// A request whose reply goes nowhere yet. A large payload is moved out of `payload`, and the core releases it
    /// whatever becomes of the request; so the call has to be submitted, exactly once.
    fn new(method: u32, wire: Wire, payload: &'a mut Buffer) -> RawCall<'a> {
        let mut call = abi::Call::new(method, wire, payload);
        let aligned = payload.as_ptr() as usize % 8 == 0;
        if payload.len() >= LEND_BYTES_LEAST && aligned {
            // moving a Vec does not move its bytes
            let owner = Box::new(std::mem::take(payload));
            call.release = Some(on_release);
            call.owner = Box::into_raw(owner).cast();
        }
        RawCall {
            call,
            _payload: PhantomData,
        }
    }

    /// The same request, which can be cancelled by its ticket.
    fn cancelled_by(mut self, ticket: u64) -> RawCall<'a> {
        self.call.ticket = ticket;
        self
    }

    /// The same request with a reference to the oneshot that takes its reply.
    fn replying_to<S: TakeReply>(mut self, oneshot: &Arc<S>) -> RawCall<'a> {
        self.call.reply = Some(on_reply::<S>);
        self.call.user = Arc::into_raw(Arc::clone(oneshot)) as *mut c_void;
        self
    }

    /// Take back the reference to the oneshot, for a request that was refused.
    ///
    /// # Safety
    /// The request was refused, or never submitted, and its oneshot is an `S`.
    unsafe fn refused<S: TakeReply>(self) {
        // SAFETY: no reply comes, so this reference is still the one that `replying_to` made.
        drop(unsafe { Arc::from_raw(self.call.user.cast::<S>() as *const S) });
    }
}

/// Submit a request. A large payload is empty afterwards.
pub(crate) fn submit<S: TakeReply>(
    context: u64,
    method: u32,
    wire: Wire,
    payload: &mut Buffer,
    oneshot: &Arc<S>,
    ticket: u64,
) -> Result<()> {
    let call = RawCall::new(method, wire, payload)
        .replying_to(oneshot)
        .cancelled_by(ticket);
    // SAFETY: the call and its payload are valid for as long as this takes, or the payload is lent with its release.
    let status = unsafe { abi::ingress_submit(context, &call.call) };
    if status != OK {
        // SAFETY: it was refused.
        unsafe { call.refused::<S>() };
    }
    accepted(status)
}

/// One of several requests that are submitted together.
pub(crate) struct Submission<'a, S> {
    pub method: u32,
    pub wire: Wire,
    pub payload: &'a mut Buffer,
    pub oneshot: &'a Arc<S>,
    pub ticket: u64,
}

/// Submit requests in order. Returns how many were accepted, and why the next one was refused; the requests after that
/// one still have their payloads.
pub(crate) fn submit_many<S: TakeReply>(
    context: u64,
    mut submissions: Vec<Submission<'_, S>>,
) -> (usize, Result<()>) {
    let calls: Vec<abi::Call> = submissions
        .iter_mut()
        .map(|each| {
            let call = RawCall::new(each.method, each.wire, each.payload);
            call.replying_to(each.oneshot)
                .cancelled_by(each.ticket)
                .call
        })
        .collect();
    let mut status = OK;
    // SAFETY: as in `submit`.
    let count =
        unsafe { abi::ingress_submit_many(context, calls.as_ptr(), calls.len(), &mut status) };
    let rest = calls.into_iter().zip(submissions).enumerate().skip(count);
    for (index, (call, submission)) in rest {
        // the core released the payload of the request that it refused, and did not look at those after it
        if index > count && call.release.is_some() {
            // SAFETY: the owner is the one made with this call, and the core did not release it.
            *submission.payload = *unsafe { Box::from_raw(call.owner.cast::<Buffer>()) };
        }
        let call = RawCall {
            call,
            _payload: PhantomData,
        };
        // SAFETY: it was not accepted.
        unsafe { call.refused::<S>() };
    }
    (count, accepted(status))
}

impl abi::Call {
    /// A call whose payload the core copies, and whose reply nobody takes yet.
    fn new(method: u32, wire: Wire, payload: &[u8]) -> abi::Call {
        abi::Call {
            method,
            wire: wire.number(),
            data: payload.as_ptr().cast(),
            bytes: payload.len(),
            release: None,
            owner: null_mut(),
            reply: None,
            user: null_mut(),
            inbox: null_mut(),
            tag: 0,
            ticket: 0,
        }
    }
}

impl abi::Answer {
    /// One that the core has not filled in.
    fn new() -> abi::Answer {
        abi::Answer {
            status: OK,
            wire: 0,
            data: null(),
            bytes: 0,
            private_block: null_mut(),
        }
    }
}

/// An answer that the core lends, given back when dropped.
struct Answer(abi::Answer);

impl Answer {
    fn payload(&self) -> Payload<'_> {
        // SAFETY: the answer's memory is valid until it is released, which its drop does.
        let bytes = unsafe { lent(self.0.data, self.0.bytes) };
        Payload {
            status: self.0.status,
            wire: self.0.wire,
            bytes,
        }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        // SAFETY: it was filled in by the core, or is all zeros; released once.
        unsafe { abi::ingress_answer_release(&mut self.0) };
    }
}

/// Submit a request, wait for its terminal reply, and hand that to `read`. A large payload is empty afterwards.
pub(crate) fn ask<T>(
    context: u64,
    method: u32,
    wire: Wire,
    payload: &mut Buffer,
    timeout: Duration,
    read: impl FnOnce(Payload<'_>) -> T,
) -> T {
    let call = RawCall::new(method, wire, payload);
    let mut answer = Answer(abi::Answer::new());
    // SAFETY: as in `submit`; the core copies whatever it still needs after this returns.
    let status =
        unsafe { abi::ingress_ask_call(context, &call.call, nanoseconds(timeout), &mut answer.0) };
    read(Payload {
        status,
        ..answer.payload()
    })
}

/// Start a context; its constructor's reply goes to the oneshot.
pub(crate) fn context_start<S: TakeReply>(
    library: Library,
    options: &RawOptions,
    method: u32,
    wire: Wire,
    payload: &mut Buffer,
    oneshot: &Arc<S>,
) -> Result<u64> {
    let call = RawCall::new(method, wire, payload).replying_to(oneshot);
    let mut token = 0;
    // SAFETY: as in `submit`; the options are read before this returns.
    let status =
        unsafe { abi::ingress_context_start(library.0.as_ptr(), options, &call.call, &mut token) };
    if status != OK {
        // SAFETY: it was refused.
        unsafe { call.refused::<S>() };
    }
    accepted(status).map(|()| token)
}

/// Start a context, wait for its constructor, and hand the terminal reply of that to `read`.
pub(crate) fn context_create<E>(
    library: Library,
    options: &RawOptions,
    method: u32,
    wire: Wire,
    payload: &[u8],
    timeout: Duration,
    read: impl FnOnce(Payload<'_>) -> std::result::Result<(), E>,
) -> std::result::Result<u64, E> {
    let mut answer = Answer(abi::Answer::new());
    let mut token = 0;
    // SAFETY: as in `ask`; the options are read before this returns.
    let status = unsafe {
        abi::ingress_context_create(
            library.0.as_ptr(),
            options,
            method,
            wire.number(),
            payload.as_ptr().cast(),
            payload.len(),
            nanoseconds(timeout),
            &mut token,
            &mut answer.0,
        )
    };
    read(Payload {
        status,
        ..answer.payload()
    })
    .map(|()| token)
}

/// Take `count` numbers for requests that may be cancelled; the first is returned.
pub(crate) fn tickets(count: u64) -> u64 {
    // SAFETY: it may be called at any time.
    unsafe { abi::ingress_tickets(count) }
}

/// Cancel the request with this ticket. When the context has ended, every request of it was answered.
pub(crate) fn cancel(context: u64, ticket: u64) {
    // SAFETY: any token and any ticket may be passed.
    unsafe { abi::ingress_cancel(context, ticket) };
}

/// Let a context end by itself, without waiting.
pub(crate) fn context_close(context: u64) -> Result<()> {
    // SAFETY: any token is allowed.
    accepted(unsafe { abi::ingress_context_close(context) })
}

/// End a context.
pub(crate) fn context_destroy(context: u64, timeout: Duration) -> Result<()> {
    // SAFETY: any token is allowed.
    accepted(unsafe { abi::ingress_context_destroy(context, nanoseconds(timeout)) })
}

/// The context of a library's static methods.
pub(crate) fn static_context(library: Library) -> Result<u64> {
    let mut token = 0;
    // SAFETY: the library is one.
    accepted(unsafe { abi::ingress_static_context(library.0.as_ptr(), &mut token) }).map(|()| token)
}

/// An event, which the core lends for that lifetime.
pub(crate) struct LentEvent<'a> {
    pub payload: Payload<'a>,
    pub lost: u64,
}

/// Takes the events of a listener. The event thread calls it, never twice at once.
pub(crate) trait TakeEvent: Send + Sync + 'static {
    /// One event.
    fn take(&self, event: LentEvent<'_>);
}

unsafe extern "C" fn on_event<S: TakeEvent>(user: *mut c_void, event: *const abi::Event) {
    // SAFETY: `user` is the reference that `Listening::start` made raw, which `on_end` takes back after this has
    // returned.
    let listener = unsafe { &*(user.cast::<S>() as *const S) };
    // SAFETY: the event and its payload are valid until this returns, and `take` cannot keep them.
    let (event, bytes) = unsafe { (&*event, lent((*event).data, (*event).bytes)) };
    let payload = Payload {
        status: OK,
        wire: event.wire,
        bytes,
    };
    let lost = event.lost;
    shielded(move || listener.take(LentEvent { payload, lost }));
}

unsafe extern "C" fn on_end<S: TakeEvent>(user: *mut c_void) {
    // SAFETY: `user` is the reference that `Listening::start` made raw; this comes once, when no `on_event` runs or
    // will.
    let listener = unsafe { Arc::from_raw(user.cast::<S>() as *const S) };
    shielded(move || drop(listener));
}

/// What a listener asks for.
#[derive(Clone, Copy)]
pub(crate) struct Interest {
    pub event: u32,
    pub wire: Wire,
    pub overflow: u32,
    pub depth: u32,
}

/// A listener of a context; it is removed when this is dropped. The object that takes its events belongs to the core
/// until the core calls `on_end`.
pub(crate) struct Listening {
    context: u64,
    id: u64,
}

impl Listening {
    /// Listen from now on.
    pub fn start<S: TakeEvent>(
        context: u64,
        interest: Interest,
        listener: Arc<S>,
    ) -> Result<Listening> {
        let raw = abi::Listener {
            event: interest.event,
            wire: interest.wire.number(),
            overflow: interest.overflow,
            depth: interest.depth,
            notify: Some(on_event::<S>),
            user: Arc::into_raw(listener) as *mut c_void,
            release: Some(on_end::<S>),
            inbox: null_mut(),
            tag: 0,
        };
        let mut id = 0;
        // SAFETY: `raw` is read before this returns; `user` lives until `on_end`, which comes also when this is
        // refused.
        accepted(unsafe { abi::ingress_listen(context, &raw, &mut id) })
            .map(|()| Listening { context, id })
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // SAFETY: any token and id are allowed, on any thread.
        unsafe { abi::ingress_unlisten(self.context, self.id) };
    }
}
