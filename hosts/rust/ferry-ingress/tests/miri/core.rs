// SPDX-License-Identifier: BSD-3-Clause
//! A stand-in for libferryingress: the same functions, with a thread for each request. They keep the promises of
//! include/ferry/ingress.h on which the host relies. Each reply, release and event comes exactly once, on another
//! thread, and none after the end of its context. Listeners begin and end as in src/ingress/events/listener.c. All of these
//! threads count as threads of the core: no code may wait on them.

use std::cell::Cell;
use std::collections::HashSet;
use std::os::raw::{c_char, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};

use crate::streams;

pub const OK: u32 = 0;
pub const FAILED: u32 = 1;
const STALE: u32 = 2;
const CLOSED: u32 = 3;
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
/// The handler is reported stale twice, then replies as `ECHO`.
pub const SLOW: u32 = 3;
/// The handler emits two events, then replies as `ECHO`.
pub const EMIT: u32 = 4;
/// The hash of the interface.
pub const HASH: u64 = 7;

/// A pointer that may go to another thread; the code that makes it promises that this is sound.
struct Sent<T>(*const T);
impl<T> Copy for Sent<T> {}
impl<T> Clone for Sent<T> {
    fn clone(&self) -> Self {
        *self
    }
}
unsafe impl<T> Send for Sent<T> {}

impl<T> Sent<T> {
    // this is a method, so that a closure captures the whole struct and not only the pointer
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
type EndFn = unsafe extern "C" fn(*mut c_void);

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
    ticket: u64,
}

#[repr(C)]
pub struct Listener {
    event: u32,
    wire: u32,
    overflow: u32,
    depth: u32,
    notify: Option<EventFn>,
    user: *mut c_void,
    release: Option<EndFn>,
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

/// A payload, either copied or lent.
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

struct Listening {
    context: u64,
    id: u64,
    notify: EventFn,
    user: Sent<c_void>,
    release: EndFn,
    removed: bool,
    running: bool,
}

impl Listening {
    /// What ends the listener. It is called without the lock, on the thread that removed the listener or on the one
    /// that ran its callback.
    fn end(&self) -> impl FnOnce() {
        let (release, user) = (self.release, self.user);
        move || unsafe { release(user.get()) }
    }
}

#[derive(Default)]
struct State {
    /// Contexts that were closed.
    closed: HashSet<u64>,
    /// The contexts of the threads that run.
    running: Vec<u64>,
    threads: Vec<JoinHandle<()>>,
    listeners: Vec<Listening>,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);
static CHANGED: Condvar = Condvar::new();
static NEXT: AtomicU64 = AtomicU64::new(2);
/// The context of static methods.
const STATICS: u64 = 1;

thread_local! {
    static IN_CALLBACK: Cell<bool> = const { Cell::new(false) };
}

type Locked = MutexGuard<'static, Option<State>>;

fn lock() -> Locked {
    let mut state = STATE.lock().unwrap();
    state.get_or_insert_with(State::default);
    state
}

fn wait_until(mut state: Locked, done: impl Fn(&State) -> bool) -> Locked {
    while !done(state.as_ref().unwrap()) {
        state = CHANGED.wait(state).unwrap();
    }
    state
}

/// Run a function on a thread of the context's; false when the context was closed.
fn spawn(context: u64, run: impl FnOnce() + Send + 'static) -> bool {
    let mut locked = lock();
    let state = locked.as_mut().unwrap();
    if state.closed.contains(&context) {
        return false;
    }
    state.running.push(context);
    state.threads.push(thread::spawn(move || {
        IN_CALLBACK.with(|inside| inside.set(true));
        run();
        let mut locked = lock();
        let running = &mut locked.as_mut().unwrap().running;
        let place = running.iter().position(|&other| other == context);
        running.swap_remove(place.unwrap());
        CHANGED.notify_all();
    }));
    true
}

/// Wait until no thread of the context runs.
pub fn join(context: u64) {
    drop(wait_until(lock(), |state| {
        !state.running.contains(&context)
    }));
}

/// Wait until no thread of any context runs, and all are gone.
pub fn join_all() {
    loop {
        let mut locked = wait_until(lock(), |state| state.running.is_empty());
        let threads = std::mem::take(&mut locked.as_mut().unwrap().threads);
        drop(locked);
        if threads.is_empty() {
            return;
        }
        for thread in threads {
            thread.join().unwrap();
        }
    }
}

/// Wait until no static method runs.
pub fn join_statics() {
    join(STATICS);
}

unsafe fn start(context: u64, call: &Call) -> bool {
    let payload = unsafe { Payload::of(call) };
    let (method, wire, reply, user) = (
        call.method,
        call.wire,
        call.reply.unwrap(),
        Sent(call.user as *const c_void),
    );
    spawn(context, move || {
        let say_with = |status, data: *const c_void, bytes| {
            let reply_of = Reply {
                status,
                wire,
                data,
                bytes,
            };
            unsafe { reply(user.get(), &reply_of) };
        };
        let say = |status| say_with(status, payload.data.get(), payload.bytes);
        let fresh = NEXT.fetch_add(1, Ordering::Relaxed);
        if let Some(part) = streams::answer(context, method, &payload.bytes(), fresh) {
            let status = if part.is_ok() { OK } else { FAILED };
            let part = part.unwrap_or_default();
            return say_with(status, part.as_ptr().cast(), part.len());
        }
        if method == SLOW {
            say(STALE);
            say(STALE);
        }
        if method == EMIT {
            emit_each(context);
            emit_each(context);
        }
        say(if method == FAIL { FAILED } else { OK });
        drop(payload);
    })
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
        // a loan ends even if the request is refused
        drop(unsafe { Payload::of(call) });
        return QUEUE_FULL;
    }
    if unsafe { start(context, call) } {
        OK
    } else {
        CLOSED
    }
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
    // a constructor returns nothing: null in format `cbor`, no bytes in format `c`
    let nothing = if wire == 0 { vec![0xf6] } else { Vec::new() };
    unsafe { answer_with(answer, OK, wire, nothing) }
}

#[no_mangle]
extern "C" fn ingress_tickets(count: u64) -> u64 {
    NEXT.fetch_add(count, Ordering::Relaxed)
}

/// This library does not look whether a request was cancelled.
#[no_mangle]
extern "C" fn ingress_cancel(_: u64, _: u64) -> u32 {
    OK
}

#[no_mangle]
extern "C" fn ingress_context_close(context: u64) -> u32 {
    if lock().as_mut().unwrap().closed.insert(context) {
        OK
    } else {
        CLOSED
    }
}

#[no_mangle]
extern "C" fn ingress_context_destroy(context: u64, _: i64) -> u32 {
    if IN_CALLBACK.with(Cell::get) {
        return REENTRANT;
    }
    let status = ingress_context_close(context);
    let mut locked = wait_until(lock(), |state| !state.running.contains(&context));
    let listeners = &mut locked.as_mut().unwrap().listeners;
    let mut ends = Vec::new();
    // no listener's callback runs, since those run on threads of the context, which have ended
    listeners.retain(|listener| {
        let gone = listener.context == context;
        if gone {
            ends.push(listener.end());
        }
        !gone
    });
    drop(locked);
    ends.into_iter().for_each(|end| end());
    status
}

#[no_mangle]
unsafe extern "C" fn ingress_static_context(_: *const c_void, context: *mut u64) -> u32 {
    unsafe { *context = STATICS };
    OK
}

#[no_mangle]
unsafe extern "C" fn ingress_listen(context: u64, listener: *const Listener, id: *mut u64) -> u32 {
    let listener = unsafe { &*listener };
    let listening = Listening {
        context,
        id: NEXT.fetch_add(1, Ordering::Relaxed),
        notify: listener.notify.unwrap(),
        user: Sent(listener.user as *const c_void),
        release: listener.release.unwrap(),
        removed: false,
        running: false,
    };
    let mut locked = lock();
    let state = locked.as_mut().unwrap();
    let status = match listener.event {
        0 if !state.closed.contains(&context) => OK,
        0 => CLOSED,
        _ => BAD_ARGUMENT,
    };
    if status == OK {
        unsafe { *id = listening.id };
        state.listeners.push(listening);
    } else {
        drop(locked);
        listening.end()();
    }
    status
}

#[no_mangle]
extern "C" fn ingress_unlisten(_: u64, id: u64) -> u32 {
    let mut locked = lock();
    let listeners = &mut locked.as_mut().unwrap().listeners;
    let Some(place) = listeners.iter().position(|listener| listener.id == id) else {
        return CLOSED;
    };
    if !listeners[place].running {
        let end = listeners.swap_remove(place).end();
        drop(locked);
        end();
        return OK;
    }
    listeners[place].removed = true;
    if !IN_CALLBACK.with(Cell::get) {
        drop(wait_until(locked, |state| {
            state.listeners.iter().all(|listener| listener.id != id)
        }));
    }
    OK
}

/// Call every listener of the context, one at a time, as its event thread would.
fn emit_each(context: u64) {
    let of_context = |listener: &Listening| listener.context == context;
    let ids: Vec<u64> = {
        let locked = lock();
        let listeners = locked.as_ref().unwrap().listeners.iter();
        let heard = listeners.filter(|listener| of_context(listener));
        heard.map(|listener| listener.id).collect()
    };
    for id in ids {
        let mut locked = wait_until(lock(), |state| {
            let mut listeners = state.listeners.iter();
            !listeners.any(|listener| of_context(listener) && listener.running)
        });
        let mut listeners = locked.as_mut().unwrap().listeners.iter_mut();
        let Some(listener) = listeners.find(|listener| listener.id == id) else {
            continue;
        };
        listener.running = true;
        let (notify, user) = (listener.notify, listener.user);
        drop(locked);
        let event = Event {
            number: 0,
            wire: 1,
            data: [0_u64; 0].as_ptr().cast(),
            bytes: 0,
            lost: 1,
        };
        unsafe { notify(user.get(), &event) };
        finish_callback(id);
    }
}

fn finish_callback(id: u64) {
    let mut locked = lock();
    let listeners = &mut locked.as_mut().unwrap().listeners;
    let place = listeners.iter().position(|listener| listener.id == id);
    let place = place.unwrap();
    if listeners[place].removed {
        let end = listeners[place].end();
        drop(locked);
        end();
        // only now is the callback over: a thread that waits for it waits for the listener's end too
        let mut locked = lock();
        locked
            .as_mut()
            .unwrap()
            .listeners
            .retain(|listener| listener.id != id);
    } else {
        listeners[place].running = false;
    }
    CHANGED.notify_all();
}

/// Emit `count` events without a value. They are delivered on another thread.
pub fn emit(context: u64, count: u64) {
    spawn(context, move || {
        for _ in 0..count {
            emit_each(context);
        }
    });
}
