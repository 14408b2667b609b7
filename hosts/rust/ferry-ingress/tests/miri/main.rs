// SPDX-License-Identifier: BSD-3-Clause
//! Tests of this crate's unsafe code under Miri: `scripts/test/miri.sh`. Miri runs no C, so `core` here stands in for the
//! core.
//!
//! The tests are small, since Miri is slow and tries many interleavings. They look at how references, loans and
//! payloads begin and end, whichever side comes first.
#![cfg(miri)]

mod core;
#[path = "../../../../../tests/ingress/rust/drops/src/steps.rs"]
mod steps;
mod streams;
#[path = "../../../../../tests/ingress/rust/drops/src/things.rs"]
mod things;

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll, Wake, Waker};
use std::time::Duration;

use ferry_ingress::wire::{Bytes, Codec, Plain, Text, Unit, Wire};
use ferry_ingress::{
    block_on, call_static, submit_all, Call, Context, Creation, EventKind, Events, Library,
    Options, Overflow, Result, Status, Stream, Subscription,
};

const PATIENCE: Duration = Duration::from_secs(60);
const TICK: EventKind = EventKind {
    number: 0,
    overflow: Overflow::DropOldest,
    depth: 4,
};
/// Sizes of payloads: none, some that are copied into the request, some that are lent. Only buffers at multiples of 8
/// are lent; under Miri one in eight is.
const SIZES: [usize; 12] = [
    0, 100, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000,
];

#[derive(Debug, PartialEq)]
struct Blob {
    data: Vec<u8>,
}
ferry_ingress::object! {
    Blob { data: Bytes = b"\x64data" }
    sorted { data: Bytes = b"\x64data" }
}

struct Params<'a> {
    data: Plain<'a, Bytes>,
}
ferry_ingress::request! {
    Params { data }
    sorted { data = b"\x64data" }
}

static LIBRARY: u64 = 0;

fn library() -> Result<Library> {
    unsafe { Library::from_raw((&LIBRARY as *const u64).cast(), core::HASH) }
}

fn context() -> Context {
    let creation: Creation<Context> =
        Creation::new(library(), &Options::new(), Wire::C, core::ECHO, &());
    creation.wait(PATIENCE).unwrap()
}

fn call(context: &Context, method: u32, size: usize) -> Call<Blob> {
    context.call::<Blob>(
        method,
        &Params {
            data: Plain::new(&vec![7; size][..]),
        },
    )
}

fn poll_once<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    Pin::new(future).poll(&mut Task::from_waker(Waker::noop()))
}

#[test]
fn replies_come_in_every_form() {
    let context = context();
    for size in SIZES {
        let expected = Blob {
            data: vec![7; size],
        };
        assert_eq!(
            call(&context, core::ECHO, size).wait(PATIENCE).unwrap(),
            expected
        );
        assert_eq!(
            block_on(call(&context, core::ECHO, size)).unwrap(),
            expected
        );
        assert_eq!(
            block_on(call(&context, core::SLOW, size).submit()).unwrap(),
            expected
        );
        let failed = block_on(call(&context, core::FAIL, size)).unwrap_err();
        assert_eq!(failed.status(), Status::Failed);
        let refused = call(&context, core::REFUSE, size);
        assert_eq!(block_on(refused).unwrap_err().status(), Status::QueueFull);
        let refused = call(&context, core::REFUSE, size).wait(PATIENCE);
        assert_eq!(refused.unwrap_err().status(), Status::QueueFull);
    }
    let short = call_static::<Text>(library(), Wire::Cbor, core::ECHO, &());
    assert_eq!(block_on(short).unwrap_err().status(), Status::BadPayload);
    core::join_statics();
    let other = unsafe { Library::from_raw((&LIBRARY as *const u64).cast(), core::HASH + 1) };
    assert_eq!(other.unwrap_err().status(), Status::WrongInterface);
}

#[test]
fn a_call_may_be_dropped_at_any_time() {
    let context = context();
    for size in SIZES {
        drop(call(&context, core::ECHO, size));
        drop(call(&context, core::SLOW, size).submit());
        let mut polled = call(&context, core::ECHO, size);
        let _ = poll_once(&mut polled);
        drop(polled);
    }
}

#[test]
fn of_many_some_are_refused() {
    let context = context();
    for size in SIZES {
        let mut calls: Vec<Call<Blob>> = [core::ECHO, core::ECHO, core::REFUSE, core::ECHO]
            .map(|method| call(&context, method, size))
            .into();
        assert_eq!(submit_all(&mut calls), 2);
        let results: Vec<Result<Blob>> = calls.into_iter().map(block_on).collect();
        let refused = results[2].as_ref().unwrap_err();
        assert_eq!(refused.status(), Status::QueueFull);
        // a request that the core did not look at still has its payload
        for index in [0, 1, 3] {
            assert_eq!(results[index].as_ref().unwrap().data.len(), size);
        }
    }
}

#[test]
fn contexts_begin_and_end() {
    let failing: Creation<Context> =
        Creation::new(library(), &Options::new(), Wire::C, core::FAIL, &());
    assert_eq!(failing.wait(PATIENCE).unwrap_err().status(), Status::Failed);
    let awaited: Creation<Context> =
        Creation::new(library(), &Options::new(), Wire::C, core::ECHO, &());
    let context = block_on(awaited).unwrap();
    let held = call(&context, core::SLOW, 10).submit();
    context.close(PATIENCE).unwrap();
    assert_eq!(block_on(held).unwrap().data.len(), 10);
    let mut polled: Creation<Context> =
        Creation::new(library(), &Options::new(), Wire::C, core::ECHO, &());
    let _ = poll_once(&mut polled);
    drop(polled);
}

#[test]
fn events_come_while_listeners_go() {
    let context = context();
    let mut stream: Events<()> = Events::listen::<Unit>(&context, TICK).unwrap();
    let heard = Arc::new(AtomicU64::new(0));
    let other = {
        let heard = heard.clone();
        Subscription::listen::<Unit>(&context, TICK, move |_| {
            heard.fetch_add(1, Ordering::Relaxed);
        })
        .unwrap()
    };
    let panics = Subscription::listen::<Unit>(&context, TICK, |_| panic!("stays there")).unwrap();
    core::emit(context.token(), 3);
    assert_eq!(stream.wait(PATIENCE).unwrap().unwrap().lost, 1);
    // these two end while events may come
    drop(other);
    let seen = heard.load(Ordering::Relaxed);
    drop(panics);
    core::join(context.token());
    assert_eq!(heard.load(Ordering::Relaxed), seen);
    assert!(
        Subscription::listen::<Unit>(&context, EventKind { number: 1, ..TICK }, |_| ()).is_err()
    );
    drop(context);
    while let Some(event) = block_on(stream.next()) {
        event.unwrap();
    }
}

#[test]
fn a_listener_ends_itself() {
    let context = context();
    let own: Arc<Mutex<Option<Subscription>>> = Arc::default();
    let mut place = own.lock().unwrap();
    let (inner, big) = (own.clone(), vec![1_u8; 100]);
    *place = Some(
        Subscription::listen::<Unit>(&context, TICK, move |_| {
            drop(inner.lock().unwrap().take());
            // the memory that the callback holds is there until the callback returns
            assert_eq!(big.len(), 100);
        })
        .unwrap(),
    );
    drop(place);
    core::emit(context.token(), 2);
    core::join(context.token());
    assert!(own.lock().unwrap().is_none());
}

/// Wait for what another thread does.
fn until(condition: impl Fn() -> bool) {
    while !condition() {
        std::thread::yield_now();
    }
}

/// A callback that holds memory, and reads it when it is told to go on.
#[derive(Default)]
struct Held {
    inside: AtomicBool,
    goes_on: AtomicBool,
}

fn listen_held(context: &Context, held: &Arc<Held>) -> Subscription {
    let (held, own) = (held.clone(), vec![7_u8; 100]);
    let notify = move |_| {
        held.inside.store(true, Ordering::SeqCst);
        until(|| held.goes_on.load(Ordering::SeqCst));
        assert!(own.iter().all(|&byte| byte == 7));
        held.inside.store(false, Ordering::SeqCst);
    };
    Subscription::listen::<Unit>(context, TICK, notify).unwrap()
}

/// A waker that drops the subscription that it holds when it is woken.
struct Holder(Mutex<Option<Subscription>>);

impl Wake for Holder {
    fn wake(self: Arc<Self>) {
        drop(self.0.lock().unwrap().take());
    }
}

#[test]
fn drops_of_a_subscription_by_a_waker_while_its_callback_runs() {
    let (context, held) = (context(), Arc::new(Held::default()));
    let holder = Arc::new(Holder(Mutex::new(Some(listen_held(&context, &held)))));
    core::emit(context.token(), 2);
    until(|| held.inside.load(Ordering::SeqCst));
    let mut call = call(&context, core::ECHO, 10);
    let waker = Waker::from(holder.clone());
    drop(Pin::new(&mut call).poll(&mut Task::from_waker(&waker)));
    until(|| holder.0.lock().unwrap().is_none());
    held.goes_on.store(true, Ordering::SeqCst);
    // the callback, with what it holds, is dropped when it returns
    until(|| Arc::strong_count(&held) == 1);
    drop(call);
    drop(context);
}

#[test]
fn drops_of_a_subscription_while_its_context_ends() {
    let (context, held) = (context(), Arc::new(Held::default()));
    let subscription = listen_held(&context, &held);
    core::emit(context.token(), 2);
    until(|| held.inside.load(Ordering::SeqCst));
    let destroyer = std::thread::spawn(move || drop(context));
    let other = held.clone();
    let helper = std::thread::spawn(move || other.goes_on.store(true, Ordering::SeqCst));
    drop(subscription);
    assert!(!held.inside.load(Ordering::SeqCst));
    destroyer.join().unwrap();
    helper.join().unwrap();
    assert_eq!(Arc::strong_count(&held), 1);
}

fn stream(context: &Context, up_to: u32, credits: u32) -> Stream<streams::Numbers> {
    let request = streams::Counting {
        up_to: Plain::new(&up_to),
        credits: Plain::new(&credits),
    };
    Stream::new::<streams::Numbers>(context, streams::OPEN, &request, credits)
}

/// The numbers of a stream, each awaited in one of both ways.
fn numbers(mut stream: Stream<streams::Numbers>) -> Vec<Result<u32>> {
    let mut found = Vec::new();
    loop {
        let next = if found.len() % 2 == 0 {
            block_on(stream.next())
        } else {
            stream.wait(PATIENCE).transpose()
        };
        match next {
            Some(value) => found.push(value),
            None => return found,
        }
    }
}

#[test]
fn streams_give_every_value() {
    let context = context();
    for (up_to, credits) in [(0, 1), (1, 1), (5, 2), (6, 3), (7, 100)] {
        let found: Result<Vec<u32>> = numbers(stream(&context, up_to, credits))
            .into_iter()
            .collect();
        assert_eq!(found.unwrap(), (0..up_to).collect::<Vec<u32>>());
        let found: Result<Vec<u32>> = stream(&context, up_to, credits)
            .open()
            .into_iter()
            .collect();
        assert_eq!(found.unwrap().len() as u32, up_to);
    }
    // it fails after all values that come before, and has ended then
    let mut found = numbers(stream(&context, streams::UNLUCKY + 7, 5));
    let failure = found.pop().unwrap().unwrap_err();
    assert_eq!(failure.status(), Status::Failed);
    assert_eq!(found.len() as u32, streams::UNLUCKY);
    core::join(context.token());
    assert_eq!(streams::open_count(context.token()), 0);
}

/// Whichever comes first, the drop of a stream or the answer to its request: the library's stream is closed.
#[test]
fn a_stream_may_be_dropped_at_any_time() {
    let context = context();
    for taken in 0..6 {
        let mut left = stream(&context, 100, 2);
        for _ in 0..taken {
            left.wait(PATIENCE).unwrap();
        }
        // the next request is under way, or its answer has come and was not taken
        let _ = poll_once(&mut left.next());
        if taken % 2 == 0 {
            core::join(context.token());
        }
        drop(left);
        drop(stream(&context, 100, 2).open());
    }
    drop(stream(&context, 100, 2));
    // an answer that comes too late closes its stream before its thread ends
    core::join(context.token());
    assert_eq!(streams::open_count(context.token()), 0);
}

/// A task goes to another thread between two values, and wakers change meanwhile.
#[test]
fn a_stream_goes_from_thread_to_thread() {
    let context = context();
    let mut given = stream(&context, 9, 2);
    let mut count = 0;
    for _ in 0..6 {
        if let Poll::Ready(Some(value)) = poll_once(&mut given.next()) {
            assert_eq!(value.unwrap(), count);
            count += 1;
        }
        given = std::thread::spawn(move || given).join().unwrap();
    }
    let other = std::thread::spawn(move || numbers(given));
    for value in other.join().unwrap() {
        assert_eq!(value.unwrap(), count);
        count += 1;
    }
    assert_eq!(count, 9);
    drop(context);
}

#[test]
fn a_stream_ends_with_its_context() {
    let context = context();
    let mut left = stream(&context, 100, 2);
    assert_eq!(left.wait(PATIENCE).unwrap(), Some(0));
    let mut never = stream(&context, 100, 2);
    drop(context);
    let found: Vec<Result<u32>> = numbers(left);
    assert_eq!(
        found.last().unwrap().as_ref().unwrap_err().status(),
        Status::Closed
    );
    let refused = never.wait(PATIENCE).unwrap_err();
    assert_eq!(refused.status(), Status::Closed);
}

#[test]
fn texts_are_what_they_were() {
    for count in 0..20 {
        let text: String = "abcdefghijklmnopqrstuvwxyz".chars().take(count).collect();
        for wire in [Wire::Cbor, Wire::C] {
            let mut bytes = Vec::new();
            ferry_ingress::wire::encode::<Text>(wire, &text, &mut bytes).unwrap();
            let read: <Text as Codec>::Value =
                ferry_ingress::wire::decode::<Text>(wire, &bytes).unwrap();
            assert_eq!(read, text);
        }
    }
}

/// The stand-in, for the steps that tests/ingress/rust/drops takes with the echo library.
struct StandIn;

impl things::World for StandIn {
    type Made = Own;
    type Answer = Blob;
    const TICK: EventKind = TICK;

    fn create(options: &Options, fails: bool) -> Creation<Own> {
        let method = if fails { core::FAIL } else { core::ECHO };
        Creation::new(library(), options, Wire::C, method, &())
    }

    fn close(made: Own, timeout: Duration) {
        let _ = made.0.close(timeout);
    }

    fn call(made: &Own, is_large: bool) -> Call<Blob> {
        call(&made.0, core::ECHO, if is_large { 5000 } else { 10 })
    }

    fn slow(made: &Own) -> Call<Blob> {
        call(&made.0, core::SLOW, 10)
    }

    fn ticks(made: &Own, _: u32) -> Call<()> {
        made.0.call::<Unit>(core::EMIT, &())
    }
}

/// A context as generated crates have it.
struct Own(Context);

impl From<Context> for Own {
    fn from(context: Context) -> Own {
        Own(context)
    }
}

impl AsRef<Context> for Own {
    fn as_ref(&self) -> &Context {
        &self.0
    }
}

#[test]
fn drops_in_every_order_from_every_thread() {
    const THREADS: u64 = 2;
    const STEPS: usize = 20;
    const BUDGET: i64 = 30;
    for seed in 0..4 {
        println!("seed {seed}");
        let bag: Arc<things::Bag<StandIn>> = things::Bag::new(seed, BUDGET);
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    things::be_host();
                    for _ in 0..STEPS {
                        steps::step(&bag);
                    }
                });
            }
        });
        things::be_host();
        while Arc::strong_count(&bag) > 1 {
            bag.empty();
            // meanwhile the threads that wait for the end of a context finish
            std::thread::sleep(Duration::from_millis(1));
        }
        core::join_all();
        assert_eq!(bag.faults(), Vec::<&str>::new());
    }
}
