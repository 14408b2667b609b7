// SPDX-License-Identifier: BSD-3-Clause
//! A library and its host in one program, on the core itself: every way in which a method may answer, and what becomes of
//! panics, of answers that are dropped, and of all that a context leaves behind.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll, Waker};
use std::thread;
use std::time::{Duration, Instant};

use ferry_ingress::wire::{Bytes, Codec, Opt, Plain, Seq, Unit, Wire, U32, U64};
use ferry_ingress::{Context as Host, Creation, Library, Options, Part, Status, Stream};
use ferry_ingress_provider::{
    Call, Context, NoError, NoParams, Outcome, Provide, RawLibrary, Reply, Thread, Yields,
};

const PATIENCE: Duration = Duration::from_secs(60);
const HASH: u64 = 7;

/// What methods take, as the library decodes it and as the host encodes it.
struct Number {
    number: u64,
}
ferry_ingress_provider::object! {
    Number { number: U64 = b"\x66number" }
    sorted { number: U64 = b"\x66number" }
}
struct Lent<'a> {
    number: Plain<'a, U64>,
}
ferry_ingress::request! {
    Lent { number }
    sorted { number = b"\x66number" }
}

/// Likewise, and it may be large.
struct Long {
    bytes: Vec<u8>,
}
ferry_ingress_provider::object! {
    Long { bytes: Bytes = b"\x65bytes" }
    sorted { bytes: Bytes = b"\x65bytes" }
}
struct LentLong<'a> {
    bytes: Plain<'a, Bytes>,
}
ferry_ingress::request! {
    LentLong { bytes }
    sorted { bytes = b"\x65bytes" }
}

/// A request for more of a stream, and the one that closes it.
struct More {
    stream: u64,
    credits: u32,
}
ferry_ingress_provider::object! {
    More { stream: U64 = b"\x66stream", credits: U32 = b"\x67credits" }
    sorted { stream: U64 = b"\x66stream", credits: U32 = b"\x67credits" }
}
struct Close {
    stream: u64,
}
ferry_ingress_provider::object! {
    Close { stream: U64 = b"\x66stream" }
    sorted { stream: U64 = b"\x66stream" }
}

/// What a stream sends at once.
struct Values {
    stream: Option<u64>,
    values: Vec<u64>,
}
ferry_ingress_provider::object! {
    Values { stream: Opt<U64> = b"\x66stream", values: Seq<U64> = b"\x66values" }
    sorted { stream: Opt<U64> = b"\x66stream", values: Seq<U64> = b"\x66values" }
}
impl Part for Values {
    type Value = u64;
    fn split(self) -> (Option<u64>, Vec<u64>) {
        (self.stream, self.values)
    }
}

/// How many values of the library, its objects and what its futures hold have been dropped.
static DROPPED: AtomicU32 = AtomicU32::new(0);

/// Held by each test, since they count the same.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::SeqCst);
    }
}

/// A future that another thread makes ready.
#[derive(Clone, Default)]
struct Signal(Arc<Mutex<(bool, Option<Waker>)>>);

impl Signal {
    fn give(&self) {
        let waker = {
            let mut state = self.0.lock().unwrap();
            state.0 = true;
            state.1.take()
        };
        waker.into_iter().for_each(Waker::wake);
    }
}

impl Future for Signal {
    type Output = ();

    fn poll(self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<()> {
        let mut state = self.0.lock().unwrap();
        if state.0 {
            return Poll::Ready(());
        }
        state.1 = Some(task.waker().clone());
        Poll::Pending
    }
}

/// It panics when it is dropped.
struct Loud;

impl Drop for Loud {
    fn drop(&mut self) {
        assert!(thread::panicking(), "a drop");
    }
}

struct Probe {
    calls: u64,
    _counted: Counted,
}

impl Probe {
    fn now(&mut self, _: &Context<Self>, number: u64) -> Outcome<u64> {
        self.calls += 1;
        Ok((number + 1).into())
    }

    fn elsewhere(&mut self, _: &Context<Self>, number: u64) -> Outcome<Vec<u8>> {
        Ok(Reply::later(move |answer| {
            thread::spawn(move || {
                if number == 13 {
                    return answer.give(Err("thirteen".into()));
                }
                answer.give(Ok(vec![number as u8; number as usize]));
            });
        }))
    }

    fn in_a_future(&mut self, context: &Context<Self>, number: u64) -> Outcome<u64> {
        let context = context.clone();
        Ok(Reply::future(async move {
            let _counted = Counted;
            for _ in 0..number {
                let signal = Signal::default();
                let other = signal.clone();
                thread::spawn(move || other.give());
                signal.await;
            }
            context.sleep(Duration::from_millis(number)).await;
            Ok(number * 2)
        }))
    }

    fn panic(&mut self, _: &Context<Self>, number: u64) -> Outcome<u64> {
        match number {
            0 => panic!("a method"),
            1 => Ok(Reply::future(async { panic!("a future") })),
            2 => Ok(Reply::later(drop)),
            _ => Ok(Reply::later(|_| panic!("what takes an answer"))),
        }
    }

    fn open(context: &Context<Self>) -> Outcome<u64> {
        Ok(context.open(0, Counted)?.into())
    }

    /// The length; after a length of 0 the next value never comes.
    fn measures(length: u64) -> Yields<u64> {
        Yields::unfold((false, Counted), move |(told, counted)| async move {
            match (told, length) {
                (false, _) => Ok(Some((length, (true, counted)))),
                (true, 0) => std::future::pending().await,
                (true, _) => Ok(None),
            }
        })
    }

    /// That many values; the next one never comes.
    fn yields(number: u64) -> Yields<u64> {
        Yields::unfold((number, Loud), |(left, loud)| async move {
            if left == 0 {
                std::future::pending::<()>().await;
            }
            Ok(Some((left, (left - 1, loud))))
        })
    }
}

/// A part of a stream for the host's own.
fn values(stream: Option<u64>, values: Vec<u64>) -> Values {
    Values { stream, values }
}

/// Hosts get the handle of the stream, and no value.
fn part(stream: Option<u64>, _: Vec<u64>) -> u64 {
    stream.unwrap_or(0)
}

impl Provide for Probe {
    fn serve(thread: &mut Thread<Self>, call: Call) {
        match call.method() {
            0 => thread.constructor::<Number, NoError>(call, |_, params| match params.number {
                0 => Err("nothing".into()),
                calls => Ok(Probe {
                    calls,
                    _counted: Counted,
                }),
            }),
            1 => thread.destructor(call, |library, _| assert!(library.calls > 0)),
            2 => thread.method::<Number, U64, NoError>(call, |library, context, params| {
                library.now(context, params.number)
            }),
            3 => thread.method::<Number, Bytes, NoError>(call, |library, context, params| {
                library.elsewhere(context, params.number)
            }),
            4 => thread.method::<Number, U64, NoError>(call, |library, context, params| {
                library.in_a_future(context, params.number)
            }),
            5 => thread.method::<Number, U64, NoError>(call, |library, context, params| {
                library.panic(context, params.number)
            }),
            7 => thread.opens::<Number, U64, U64, NoError>(call, 1, part, |_, _, params| {
                (Ok(Probe::yields(params.number)), 1)
            }),
            8 => {
                thread.continues::<Number, U64, U64, NoError>(call, 1, part, |params| {
                    (params.number, 1)
                });
            }
            9 => thread.closes::<Number, U64, NoError>(call, 1, |params| params.number),
            10 => thread.opens::<Long, U64, Values, NoError>(call, 2, values, |_, _, params| {
                (Ok(Probe::measures(params.bytes.len() as u64)), 1)
            }),
            11 => thread.continues::<More, U64, Values, NoError>(call, 2, values, |params| {
                (params.stream, params.credits)
            }),
            12 => thread.closes::<Close, U64, NoError>(call, 2, |params| params.stream),
            _ => {
                thread.method::<NoParams, U64, NoError>(call, |_, context, ()| Probe::open(context))
            }
        }
    }
}

static LIBRARY: RawLibrary = RawLibrary::new::<Probe>(
    "probe\0",
    HASH,
    &[1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    &[],
);

fn create(wire: Wire, calls: u64) -> ferry_ingress::Result<Host> {
    create_with(&Options::new(), wire, calls)
}

fn create_with(options: &Options, wire: Wire, calls: u64) -> ferry_ingress::Result<Host> {
    let raw: *const RawLibrary = &LIBRARY;
    // SAFETY: it is a library.
    let library = unsafe { Library::from_raw(raw.cast(), HASH) };
    let number = Plain::new(&calls);
    Creation::new(library, options, wire, 0, &Lent { number }).wait(PATIENCE)
}

fn ask<R: Codec>(host: &Host, method: u32, number: u64) -> Result<R::Value, (Status, String)>
where
    R::Value: Send + 'static,
{
    let number = Plain::new(&number);
    host.call::<R>(method, &Lent { number })
        .wait(PATIENCE)
        .map_err(|error| (error.status(), error.message().to_owned()))
}

fn failed<T>(message: &str) -> Result<T, (Status, String)> {
    Err((Status::Failed, message.to_owned()))
}

#[test]
fn a_library_answers_in_every_way_and_leaves_nothing() {
    let _alone = ONE_AT_A_TIME.lock();
    for wire in [Wire::Cbor, Wire::C] {
        let before = DROPPED.load(Ordering::SeqCst);
        let refused = create(wire, 0).unwrap_err();
        assert_eq!(
            (refused.status(), refused.message()),
            (Status::Failed, "nothing")
        );
        let host = create(wire, 1).unwrap();
        assert_eq!(ask::<U64>(&host, 2, 41), Ok(42));
        for bytes in [0, 1, 160, 161, 4095, 4096, 100_000] {
            let answer = ask::<Bytes>(&host, 3, bytes).unwrap();
            assert_eq!(answer, vec![bytes as u8; bytes as usize]);
        }
        assert_eq!(ask::<Bytes>(&host, 3, 13), failed("thirteen"));
        for number in [0, 1, 5] {
            assert_eq!(ask::<U64>(&host, 4, number), Ok(number * 2));
        }
        // what is woken from many threads at once
        let mut calls = Vec::new();
        for number in 0..50_u64 {
            let number = Plain::new(&number);
            calls.push(host.call::<U64>(4, &Lent { number }).submit());
        }
        for (number, call) in calls.into_iter().enumerate() {
            assert_eq!(call.wait(PATIENCE), Ok(number as u64 * 2));
        }
        for number in [0, 1, 3] {
            assert_eq!(ask::<U64>(&host, 5, number), failed("the library panicked"));
        }
        let dropped = failed("the library dropped the call without an answer");
        assert_eq!(ask::<U64>(&host, 5, 2), dropped);
        let first = host.call::<U64>(6, &()).wait(PATIENCE).unwrap();
        let second = host.call::<U64>(6, &()).wait(PATIENCE).unwrap();
        assert!(first != 0 && second != 0 && first != second);
        assert_eq!(ask::<U64>(&host, 2, 1), Ok(2));
        host.close(PATIENCE).unwrap();
        // the library, two objects, and what 53 futures held
        assert_eq!(DROPPED.load(Ordering::SeqCst), before + 1 + 2 + 53);
    }
}

#[test]
fn a_stream_ends_whose_values_panic_when_they_are_dropped() {
    let _alone = ONE_AT_A_TIME.lock();
    let host = create(Wire::Cbor, 1).unwrap();
    let stream = ask::<U64>(&host, 7, 1).unwrap();
    assert_ne!(stream, 0);
    let number = Plain::new(&stream);
    let waiting = host.call::<U64>(8, &Lent { number }).submit();
    assert_eq!(
        ask::<Unit>(&host, 9, stream),
        failed("the library panicked")
    );
    assert_eq!(
        waiting.wait(PATIENCE).unwrap_err().status(),
        Status::Cancelled
    );
    // its handle is closed
    let refused = ask::<Unit>(&host, 9, stream).unwrap_err();
    assert_eq!(refused.0, Status::BadHandle);
    host.close(PATIENCE).unwrap();
}

#[test]
fn a_stream_with_large_parameters_opens_later() {
    let _alone = ONE_AT_A_TIME.lock();
    for wire in [Wire::Cbor, Wire::C] {
        let host = create_with(&Options::new().queue_depth(1), wire, 1).unwrap();
        let number = Plain::new(&100);
        let held = host.call::<U64>(4, &Lent { number }).submit();
        let large = [7; 5000];
        let bytes = Plain::new(&large[..]);
        let mut stream = Stream::<Values>::new::<Values>(&host, 10, &LentLong { bytes }, 8).open();
        let refused = stream.wait(PATIENCE).unwrap_err();
        assert_eq!(refused.status(), Status::QueueFull);
        held.wait(PATIENCE).unwrap();
        assert_eq!(stream.wait(PATIENCE), Ok(Some(5000)));
        assert_eq!(stream.wait(PATIENCE), Ok(None));
        drop(stream);
        host.close(PATIENCE).unwrap();
    }
}

#[test]
fn a_stream_is_left_though_there_is_no_room_to_say_so() {
    let _alone = ONE_AT_A_TIME.lock();
    let host = create_with(&Options::new().queue_depth(2), Wire::Cbor, 1).unwrap();
    let bytes = Plain::new(&[][..]);
    let mut stream = Stream::<Values>::new::<Values>(&host, 10, &LentLong { bytes }, 1);
    assert_eq!(stream.wait(PATIENCE), Ok(Some(0)));
    // one request waits for the stream's next value, another for time
    let number = Plain::new(&100);
    let held = host.call::<U64>(4, &Lent { number }).submit();
    let before = DROPPED.load(Ordering::SeqCst);
    drop(stream);
    held.wait(PATIENCE).unwrap();
    let begun = Instant::now();
    // the stream's and that of the call
    while DROPPED.load(Ordering::SeqCst) < before + 2 {
        assert!(begun.elapsed() < PATIENCE, "the stream goes on");
        thread::sleep(Duration::from_millis(1));
    }
    host.close(PATIENCE).unwrap();
}

#[test]
fn bytes_that_are_no_parameters_are_refused() {
    let _alone = ONE_AT_A_TIME.lock();
    let host = create(Wire::C, 1).unwrap();
    let refused = host.call::<U64>(2, &()).wait(PATIENCE).unwrap_err();
    assert_eq!(
        (refused.status(), refused.message()),
        (Status::BadPayload, "ends early")
    );
    host.close(PATIENCE).unwrap();
}
