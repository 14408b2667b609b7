// SPDX-License-Identifier: BSD-3-Clause
//! All unsafe code: `include/ferry/ingress_provider.h` as Rust sees it, and a safe form of it.
//!
//! Ownership. A [`Call`] is the duty to answer one request, which is valid until then: it cannot be copied, and answers
//! when it is dropped. A [`Thread`] belongs to the core from `thread_begin` to `thread_end`, which calls one function of
//! the library at a time, on the library thread. A handle's object is a boxed `Rc`, which the core keeps until the handle
//! is closed; `Rc`s stay on the library thread, as all that the core hands out by these functions does.

use std::any::Any;
use std::os::raw::{c_char, c_int, c_void};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::{null, null_mut, NonNull};
use std::rc::Rc;
use std::slice;

use ferry_ingress::wire::Wire;

use crate::reply::Told;
use crate::thread::{Provide, Thread};

mod abi {
    use super::*;

    /// `struct ingress_request`.
    #[repr(C)]
    pub struct Request {
        pub method: u32,
        pub wire: u32,
        pub data: *const c_void,
        pub bytes: usize,
    }

    pub type ReleaseFn =
        unsafe extern "C" fn(owner: *mut c_void, data: *const c_void, bytes: usize);

    /// `struct ingress_library`.
    #[repr(C)]
    pub struct Library {
        pub abi: u32,
        pub contexts_max: u32,
        pub name: *const c_char,
        pub interface_hash: u64,
        pub method_count: u32,
        pub event_count: u32,
        pub methods: *const u8,
        pub events: *const EventKind,
        pub defaults: *const c_void,
        pub thread_begin: unsafe extern "C" fn(*mut c_void, *mut *mut c_void) -> c_int,
        pub requests: unsafe extern "C" fn(*mut c_void, *const *mut Request, usize),
        pub turn: unsafe extern "C" fn(*mut c_void) -> i64,
        pub descriptor: Option<unsafe extern "C" fn(*mut c_void) -> c_int>,
        pub context_end: unsafe extern "C" fn(*mut c_void),
        pub thread_end: unsafe extern "C" fn(*mut c_void),
    }

    extern "C" {
        pub fn ingress_answer_post(
            request: *mut Request,
            status: u32,
            data: *const c_void,
            bytes: usize,
            release: Option<ReleaseFn>,
            owner: *mut c_void,
        );
        pub fn ingress_provider_wake(provider: *mut c_void);
        pub fn ingress_request_cancelled(request: *mut Request) -> c_int;
        pub fn ingress_cancel_watch(
            provider: *mut c_void,
            cancelled: unsafe extern "C" fn(*mut c_void, *mut Request),
            user: *mut c_void,
        );
        pub fn ingress_event_wires(provider: *mut c_void, event: u32) -> u32;
        pub fn ingress_event_emit(
            provider: *mut c_void,
            event: u32,
            wire: u32,
            data: *const c_void,
            bytes: usize,
        );
        pub fn ingress_handle_open(provider: *mut c_void, kind: u32, object: *mut c_void) -> u64;
        pub fn ingress_handle_object(provider: *mut c_void, kind: u32, id: u64) -> *mut c_void;
        pub fn ingress_handle_close(provider: *mut c_void, kind: u32, id: u64) -> *mut c_void;
        pub fn ingress_handle_close_any(provider: *mut c_void, kind: *mut u32) -> *mut c_void;
    }
}

/// `INGRESS_ABI`.
const ABI: u32 = 1;
const OK: u32 = 0;
const RAISED: u32 = 18;
/// Answers from this size on are lent to the core, with their ownership; smaller ones are copied.
const LEND_BYTES_LEAST: usize = 4096;

/// `struct ingress_event_kind`: which events a listener loses, and how many may wait for it.
#[repr(C)]
pub struct EventKind {
    /// `enum ingress_overflow`.
    pub overflow: u32,
    /// 0: as many as the context says.
    pub depth: u32,
}

/// `struct ingress_library`, as a crate's exported function returns it.
#[repr(transparent)]
pub struct RawLibrary(abi::Library);

// SAFETY: it is never written, and refers to what is static.
unsafe impl Sync for RawLibrary {}

impl RawLibrary {
    /// The library of an author's type: its name, which ends with a zero byte, the hash of its interface, its methods and
    /// events by number.
    pub const fn new<L: Provide>(
        name: &'static str,
        interface_hash: u64,
        methods: &'static [u8],
        events: &'static [EventKind],
    ) -> RawLibrary {
        assert!(name.as_bytes()[name.len() - 1] == 0);
        RawLibrary(abi::Library {
            abi: ABI,
            contexts_max: 0,
            name: name.as_ptr().cast(),
            interface_hash,
            method_count: methods.len() as u32,
            event_count: events.len() as u32,
            methods: methods.as_ptr(),
            events: events.as_ptr(),
            defaults: null(),
            thread_begin: thread_begin::<L>,
            requests: requests::<L>,
            turn: turn::<L>,
            descriptor: None,
            context_end: context_end::<L>,
            thread_end: thread_end::<L>,
        })
    }
}

/// Dropping the payload of a panic may panic again, with another payload. At most so many are dropped, one after the
/// other; the last is leaked.
const CARRIED_MAX: usize = 4;

/// Run the author's code, and let no panic reach the core's frames; the panic hook has reported it.
pub(crate) fn shielded<T>(run: impl FnOnce() -> T) -> Option<T> {
    let mut carried = match catch_unwind(AssertUnwindSafe(run)) {
        Ok(value) => return Some(value),
        Err(carried) => carried,
    };
    for _ in 0..CARRIED_MAX {
        match catch_unwind(AssertUnwindSafe(|| drop(carried))) {
            Ok(()) => return None,
            Err(again) => carried = again,
        }
    }
    std::mem::forget(carried);
    None
}

// ---- what the core calls --------------------------------------------------------------------------------------------

unsafe extern "C" fn thread_begin<L: Provide>(
    provider: *mut c_void,
    state: *mut *mut c_void,
) -> c_int {
    match shielded(|| Box::new(Thread::<L>::new(Provider(provider)))) {
        Some(thread) => {
            let thread = Box::into_raw(thread).cast();
            // SAFETY: the core passes where the state is to be written, and calls `cancelled` on this thread until it
            // calls `thread_end`.
            unsafe {
                *state = thread;
                abi::ingress_cancel_watch(provider, cancelled::<L>, thread);
            }
            0
        }
        None => -1,
    }
}

unsafe extern "C" fn requests<L: Provide>(
    state: *mut c_void,
    requests: *const *mut abi::Request,
    count: usize,
) {
    // SAFETY: the state is the thread that `thread_begin` made, and one function of the library runs at a time.
    let thread = unsafe { &mut *state.cast::<Thread<L>>() };
    for index in 0..count {
        // SAFETY: the core passes that many requests, which are not null.
        let request = unsafe { NonNull::new_unchecked(*requests.add(index)) };
        shielded(|| L::serve(thread, Call { request }));
    }
}

unsafe extern "C" fn cancelled<L: Provide>(state: *mut c_void, request: *mut abi::Request) {
    // SAFETY: as in `requests`: this too is called between two calls of the library's functions.
    let thread = unsafe { &mut *state.cast::<Thread<L>>() };
    thread.cancelled(Id(request));
}

unsafe extern "C" fn turn<L: Provide>(state: *mut c_void) -> i64 {
    // SAFETY: as in `requests`.
    let thread = unsafe { &mut *state.cast::<Thread<L>>() };
    // tasks are shielded each: what panics here is a bug of this crate, after which nothing is left to do
    shielded(|| thread.turn()).unwrap_or(i64::MAX)
}

unsafe extern "C" fn context_end<L: Provide>(state: *mut c_void) {
    // SAFETY: as in `requests`.
    let thread = unsafe { &mut *state.cast::<Thread<L>>() };
    thread.end();
}

unsafe extern "C" fn thread_end<L: Provide>(state: *mut c_void) {
    // SAFETY: the state is the box that `thread_begin` made raw, and no function is called with it afterwards.
    let thread = unsafe { Box::from_raw(state.cast::<Thread<L>>()) };
    shielded(move || drop(thread));
}

unsafe extern "C" fn release(owner: *mut c_void, _: *const c_void, _: usize) {
    // SAFETY: `owner` is the box that `Call::post` made raw, and its release comes once.
    drop(unsafe { Box::from_raw(owner.cast::<Vec<u8>>()) });
}

// ---- a call ---------------------------------------------------------------------------------------------------------

/// Which call it is, as long as that is not answered.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Id(*mut abi::Request);

/// A request that is to be answered, once, by any thread. When it is dropped unanswered, its host is told so.
pub struct Call {
    request: NonNull<abi::Request>,
}

// SAFETY: a request stays as it is until it is answered, and any thread may answer.
unsafe impl Send for Call {}
// SAFETY: a shared call can only be read.
unsafe impl Sync for Call {}

impl Call {
    fn request(&self) -> &abi::Request {
        // SAFETY: the request is valid until it is answered, which takes the call.
        unsafe { self.request.as_ref() }
    }

    /// The number of the method.
    pub fn method(&self) -> u32 {
        self.request().method
    }

    /// The wire format of the request, which is that of the answer.
    pub fn wire(&self) -> Wire {
        // the core refuses other numbers
        Wire::from_number(self.request().wire).unwrap_or_default()
    }

    /// The encoded parameters.
    pub fn payload(&self) -> &[u8] {
        let request = self.request();
        if request.bytes == 0 {
            return &[];
        }
        // SAFETY: the core lends so many bytes until the request is answered.
        unsafe { slice::from_raw_parts(request.data.cast(), request.bytes) }
    }

    pub(crate) fn id(&self) -> Id {
        Id(self.request.as_ptr())
    }

    /// Answer with a result, or an error of the method's type, that is encoded already; a large one is moved out of
    /// `bytes`.
    pub(crate) fn answer(self, is_error: bool, bytes: &mut Vec<u8>) {
        let status = if is_error { RAISED } else { OK };
        if bytes.len() < LEND_BYTES_LEAST || bytes.as_ptr() as usize % 8 != 0 {
            return self.post(status, bytes);
        }
        let request = self.into_request();
        // moving a Vec does not move its bytes
        let owner = Box::new(std::mem::take(bytes));
        let (data, count) = (owner.as_ptr(), owner.len());
        // SAFETY: the request is not answered yet. The bytes live until `release` frees them.
        unsafe {
            abi::ingress_answer_post(
                request.as_ptr(),
                status,
                data.cast(),
                count,
                Some(release),
                Box::into_raw(owner).cast(),
            );
        }
    }

    /// Answer with a status and a message.
    pub(crate) fn fail(self, told: &Told) {
        self.post(told.status, told.message.as_bytes());
    }

    fn post(self, status: u32, bytes: &[u8]) {
        let request = self.into_request();
        // SAFETY: the request is not answered yet; the core copies the bytes.
        unsafe {
            abi::ingress_answer_post(
                request.as_ptr(),
                status,
                bytes.as_ptr().cast(),
                bytes.len(),
                None,
                null_mut(),
            );
        }
    }

    /// The request, whose answering is the caller's duty from now on.
    fn into_request(self) -> NonNull<abi::Request> {
        let request = self.request;
        std::mem::forget(self);
        request
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        let told = if std::thread::panicking() {
            Told::panicked()
        } else {
            Told::failed("the library dropped the call without an answer")
        };
        // the call is forgotten instead of dropped again
        let again = Call {
            request: self.request,
        };
        again.fail(&told);
    }
}

/// Whether nobody waits for the answer to a call any more, which is not answered yet: `task.rs` sees to that.
pub(crate) fn is_cancelled(call: Id) -> bool {
    // SAFETY: the request of a call that is not answered is valid.
    unsafe { abi::ingress_request_cancelled(call.0) != 0 }
}

// ---- the context ----------------------------------------------------------------------------------------------------

/// The context, as the core knows it. Its memory is never freed.
#[derive(Clone, Copy)]
pub(crate) struct Provider(*mut c_void);

/// What any thread may do with a context: have its library thread call `turn`.
pub(crate) struct Waker(Provider);

// SAFETY: any thread may wake a library thread, at any time, also when the context has ended.
unsafe impl Send for Waker {}
// SAFETY: as above.
unsafe impl Sync for Waker {}

impl Waker {
    pub(crate) fn new(provider: Provider) -> Waker {
        Waker(provider)
    }

    pub(crate) fn wake(&self) {
        // SAFETY: any thread may call this at any time.
        unsafe { abi::ingress_provider_wake(self.0 .0) }
    }
}

impl Provider {
    /// The formats in which an event is listened to.
    pub(crate) fn wires(self, event: u32) -> impl Iterator<Item = Wire> {
        // SAFETY: the provider is one that the core passed to `thread_begin`.
        let wires = unsafe { abi::ingress_event_wires(self.0, event) };
        [Wire::Cbor, Wire::C]
            .into_iter()
            .filter(move |wire| wires >> wire.number() & 1 != 0)
    }

    pub(crate) fn emit(self, event: u32, wire: Wire, bytes: &[u8]) {
        // SAFETY: as above; the core copies the bytes, and does nothing on another thread than the library thread.
        unsafe {
            abi::ingress_event_emit(
                self.0,
                event,
                wire.number(),
                bytes.as_ptr().cast(),
                bytes.len(),
            );
        }
    }

    /// Give hosts an object; the id is 0 when there is no memory.
    pub(crate) fn open(self, kind: u32, object: Rc<dyn Any>) -> u64 {
        let kept = Box::into_raw(Box::new(object));
        // SAFETY: as above.
        let id = unsafe { abi::ingress_handle_open(self.0, kind, kept.cast()) };
        if id == 0 {
            // SAFETY: the core has not kept the object.
            drop(unsafe { Box::from_raw(kept) });
        }
        id
    }

    /// The object of an open handle.
    pub(crate) fn object(self, kind: u32, id: u64) -> Option<Rc<dyn Any>> {
        // SAFETY: as above.
        let kept = unsafe { abi::ingress_handle_object(self.0, kind, id) };
        // SAFETY: it is null, or what `open` made raw, which lives while the handle is open.
        unsafe { kept.cast::<Rc<dyn Any>>().as_ref() }.map(Rc::clone)
    }

    /// Take the object of an open handle back.
    pub(crate) fn close(self, kind: u32, id: u64) -> Option<Rc<dyn Any>> {
        // SAFETY: as above.
        let kept = unsafe { abi::ingress_handle_close(self.0, kind, id) };
        // SAFETY: it is null, or what `open` made raw, and the core does not have it any more.
        NonNull::new(kept.cast()).map(|kept| *unsafe { Box::from_raw(kept.as_ptr()) })
    }

    /// Take back the object of any handle that is still open.
    pub(crate) fn close_any(self) -> Option<Rc<dyn Any>> {
        let mut kind = 0;
        // SAFETY: as above.
        let kept = unsafe { abi::ingress_handle_close_any(self.0, &mut kind) };
        // SAFETY: as in `close`.
        NonNull::new(kept.cast()).map(|kept| *unsafe { Box::from_raw(kept.as_ptr()) })
    }
}
