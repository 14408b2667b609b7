// SPDX-License-Identifier: BSD-3-Clause
//! What stands in for libferryingress: the same functions, with a thread for each request, which keep the promises of
//! include/ferry/ingress.h that the host counts on. Each reply, release and event comes exactly once, by another thread.

use std::cell::Cell;
use std::collections::HashMap;
use std::os::raw::{c_char, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::thread::{self, JoinHandle};

pub const OK: u32 = 0;
pub const FAILED: u32 = 1;
const STALE: u32 = 2;
const QUEUE_FULL: u32 = 5;
const BAD_ARGUMENT: u32 = 10;
const REENTRANT: u32 = 12;
const WRONG_INTERFACE: u32 = 16;

/// Methods: the payload comes back as it is.
pub const ECHO: u32 = 0;
/// The handler fails.
pub const FAIL: u32 = 1;
/// The request is refused.
pub const REFUSE: u32 = 2;
/// Twice `STALE`, then as `ECHO`.
pub const SLOW: u32 = 3;
/// The hash of the interface.
pub const HASH: u64 = 7;

/// A pointer that another thread may have: who made it promises so.
struct Sent<T>(*const T);
impl<T> Copy for Sent<T> {}
impl<T> Clone for Sent<T> {
    fn clone(&self) -> Self {
        *self
    }
}
unsafe impl<T> Send for Sent<T> {}

impl<T> Sent<T> {
    // as a method, so that a closure takes the whole
    fn get(self) -> *mut T {
        self.0 as *mut T
    }
}

#[repr(C)]
pub struct Reply {
    status: u32,
    wire: u32,
    data: *const c_void,
    bytes: usize,
}

#[repr(C)]
pub struct Event {
    number: u32,
    wire: u32,
    data: *const c_void,
    bytes: usize,
    lost: u64,
}

type ReplyFn = unsafe extern "C" fn(*mut c_void, *const Reply);
type ReleaseFn = unsafe extern "C" fn(*mut c_void, *const c_void, usize);
type EventFn = unsafe extern "C" fn(*mut c_void, *const Event);

#[repr(C)]
pub struct Call {
    method: u32,
    wire: u32,
    data: *const c_void,
    bytes: usize,
    release: Option<ReleaseFn>,
    owner: *mut c_void,
    reply: Option<ReplyFn>,
    user: *mut c_void,
    inbox: *mut c_void,
    tag: u64,
}

#[repr(C)]
pub struct Listener {
    event: u32,
    wire: u32,
    overflow: u32,
    depth: u32,
    notify: Option<EventFn>,
    user: *mut c_void,
    inbox: *mut c_void,
    tag: u64,
}

#[repr(C)]
pub struct Answer {
    status: u32,
    wire: u32,
    data: *const c_void,
    bytes: usize,
    private_block: *mut c_void,
}

/// A payload: a copy, or the loan of one.
struct Payload {
    data: Sent<c_void>,
    bytes: usize,
    release: Option<(ReleaseFn, Sent<c_void>)>,
    _copy: Vec<u8>,
}

impl Payload {
    unsafe fn of(call: &Call) -> Payload {
        let bytes = call.bytes;
        if let Some(release) = call.release {
            let release = Some((release, Sent(call.owner as *const c_void)));
            return Payload {
                data: Sent(call.data),
                bytes,
                release,
                _copy: Vec::new(),
            };
        }
        let copy = match bytes {
            0 => Vec::new(),
            _ => unsafe { std::slice::from_raw_parts(call.data.cast::<u8>(), bytes) }.to_vec(),
        };
        Payload {
            data: Sent(copy.as_ptr().cast()),
            bytes,
            release: None,
            _copy: copy,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self.bytes {
            0 => Vec::new(),
            _ => unsafe { std::slice::from_raw_parts(self.data.get().cast::<u8>(), self.bytes) }
                .to_vec(),
        }
    }
}

impl Drop for Payload {
    fn drop(&mut self) {
        if let Some((release, owner)) = self.release {
            unsafe { release(owner.get(), self.data.get(), self.bytes) };
        }
    }
}

/// The threads of each context.
static THREADS: Mutex<Option<HashMap<u64, Vec<JoinHandle<()>>>>> = Mutex::new(None);
static NEXT: AtomicU64 = AtomicU64::new(2);
/// The context of static methods.
const STATICS: u64 = 1;

thread_local! {
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

fn spawn(context: u64, run: impl FnOnce() + Send + 'static) {
    let thread = thread::spawn(move || {
        IN_CALLBACK.with(|inside| inside.set(true));
        run();
    });
    let mut threads = THREADS.lock().unwrap();
    threads
        .get_or_insert_with(HashMap::new)
        .entry(context)
        .or_default()
        .push(thread);
}

/// Wait until nothing of the context runs.
pub fn join(context: u64) {
    loop {
        let threads = THREADS
            .lock()
            .unwrap()
            .as_mut()
            .and_then(|all| all.remove(&context));
        match threads {
            Some(threads) => threads
                .into_iter()
                .for_each(|thread| thread.join().unwrap()),
            None => return,
        }
    }
}

/// Wait for what static methods have under way.
pub fn join_statics() {
    join(STATICS);
}

unsafe fn start(context: u64, call: &Call) {
    let payload = unsafe { Payload::of(call) };
    let (method, wire, reply, user) = (
        call.method,
        call.wire,
        call.reply.unwrap(),
        Sent(call.user as *const c_void),
    );
    spawn(context, move || {
        let say = |status| {
            let reply_of = Reply {
                status,
                wire,
                data: payload.data.get(),
                bytes: payload.bytes,
            };
            unsafe { reply(user.get(), &reply_of) };
        };
        if method == SLOW {
            say(STALE);
            say(STALE);
        }
        say(if method == FAIL { FAILED } else { OK });
        drop(payload);
    });
}

#[no_mangle]
extern "C" fn ingress_status_text(_: u32) -> *const c_char {
    b"a sentence\0".as_ptr().cast()
}

#[no_mangle]
extern "C" fn ingress_library_check(_: *const c_void, interface_hash: u64) -> u32 {
    if interface_hash == HASH {
        OK
    } else {
        WRONG_INTERFACE
    }
}

#[no_mangle]
unsafe extern "C" fn ingress_answer_release(answer: *mut Answer) {
    let answer = unsafe { &mut *answer };
    if !answer.private_block.is_null() {
        drop(unsafe { Box::from_raw(answer.private_block.cast::<Vec<u8>>()) });
        answer.private_block = null_mut();
    }
}

#[no_mangle]
unsafe extern "C" fn ingress_submit(context: u64, call: *const Call) -> u32 {
    let call = unsafe { &*call };
    if call.method == REFUSE {
        // a loan ends also where the request is refused
        drop(unsafe { Payload::of(call) });
        return QUEUE_FULL;
    }
    unsafe { start(context, call) };
    OK
}

#[no_mangle]
unsafe extern "C" fn ingress_submit_many(
    context: u64,
    calls: *const Call,
    count: usize,
    status: *mut u32,
) -> usize {
    for index in 0..count {
        let refused = unsafe { ingress_submit(context, calls.add(index)) };
        if refused != OK {
            unsafe { *status = refused };
            return index;
        }
    }
    count
}

unsafe fn answer_with(answer: *mut Answer, status: u32, wire: u32, bytes: Vec<u8>) -> u32 {
    let whole = Box::new(bytes);
    let (data, bytes) = (whole.as_ptr().cast(), whole.len());
    let private_block = Box::into_raw(whole).cast();
    unsafe {
        *answer = Answer {
            status,
            wire,
            data,
            bytes,
            private_block,
        }
    };
    status
}

#[no_mangle]
unsafe extern "C" fn ingress_ask_call(
    _: u64,
    call: *const Call,
    _: i64,
    answer: *mut Answer,
) -> u32 {
    let call = unsafe { &*call };
    let payload = unsafe { Payload::of(call) };
    let status = match call.method {
        REFUSE => QUEUE_FULL,
        FAIL => FAILED,
        _ => OK,
    };
    unsafe { answer_with(answer, status, call.wire, payload.bytes()) }
}

#[no_mangle]
unsafe extern "C" fn ingress_context_start(
    _: *const c_void,
    _: *const c_void,
    constructor: *const Call,
    context: *mut u64,
) -> u32 {
    let token = NEXT.fetch_add(1, Ordering::Relaxed);
    unsafe { *context = token };
    unsafe { ingress_submit(token, constructor) }
}

#[no_mangle]
unsafe extern "C" fn ingress_context_create(
    _: *const c_void,
    _: *const c_void,
    method: u32,
    wire: u32,
    _: *const c_void,
    _: usize,
    _: i64,
    context: *mut u64,
    answer: *mut Answer,
) -> u32 {
    if method == FAIL {
        return unsafe { answer_with(answer, FAILED, wire, b"no".to_vec()) };
    }
    unsafe { *context = NEXT.fetch_add(1, Ordering::Relaxed) };
    OK
}

#[no_mangle]
extern "C" fn ingress_context_destroy(context: u64, _: i64) -> u32 {
    if IN_CALLBACK.with(Cell::get) {
        return REENTRANT;
    }
    join(context);
    LISTENERS
        .lock()
        .unwrap()
        .retain(|listener| listener.context != context);
    OK
}

#[no_mangle]
unsafe extern "C" fn ingress_static_context(_: *const c_void, context: *mut u64) -> u32 {
    unsafe { *context = STATICS };
    OK
}

struct Listening {
    context: u64,
    id: u64,
    notify: EventFn,
    user: Sent<c_void>,
}

static LISTENERS: Mutex<Vec<Listening>> = Mutex::new(Vec::new());
/// Held while a listener's callback runs.
static RUNNING: Mutex<()> = Mutex::new(());

#[no_mangle]
unsafe extern "C" fn ingress_listen(context: u64, listener: *const Listener, id: *mut u64) -> u32 {
    let listener = unsafe { &*listener };
    if listener.event != 0 {
        return BAD_ARGUMENT;
    }
    let (notify, user) = (
        listener.notify.unwrap(),
        Sent(listener.user as *const c_void),
    );
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    unsafe { *id = number };
    LISTENERS.lock().unwrap().push(Listening {
        context,
        id: number,
        notify,
        user,
    });
    OK
}

#[no_mangle]
extern "C" fn ingress_unlisten(_: u64, id: u64) -> u32 {
    LISTENERS
        .lock()
        .unwrap()
        .retain(|listener| listener.id != id);
    if !IN_CALLBACK.with(Cell::get) {
        drop(RUNNING.lock().unwrap());
    }
    OK
}

/// Emit so many events without a value; the event thread goes on by itself.
pub fn emit(context: u64, count: u64) {
    spawn(context, move || {
        for _ in 0..count {
            let ids: Vec<u64> = LISTENERS
                .lock()
                .unwrap()
                .iter()
                .map(|listener| listener.id)
                .collect();
            for id in ids {
                let _running = RUNNING.lock().unwrap();
                let found = LISTENERS
                    .lock()
                    .unwrap()
                    .iter()
                    .find(|listener| listener.id == id && listener.context == context)
                    .map(|listener| (listener.notify, listener.user));
                if let Some((notify, user)) = found {
                    let event = Event {
                        number: 0,
                        wire: 1,
                        data: [0_u64; 0].as_ptr().cast(),
                        bytes: 0,
                        lost: 1,
                    };
                    unsafe { notify(user.get(), &event) };
                }
            }
        }
    });
}
