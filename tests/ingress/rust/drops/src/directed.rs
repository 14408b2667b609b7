// SPDX-License-Identifier: BSD-3-Clause
//! The orders that once used what was freed, each by itself.
#![forbid(unsafe_code)]

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Wake, Waker};
use std::thread;
use std::time::{Duration, Instant};

use echo::{Echo, Options, Subscription};

use super::{request, PATIENCE};

pub type Case = (&'static str, fn());

pub const CASES: &[Case] = &[
    (
        "a_context_and_its_subscription_end_at_once",
        a_context_and_its_subscription_end_at_once,
    ),
    (
        "a_waker_drops_a_subscription_whose_callback_runs",
        a_waker_drops_a_subscription_whose_callback_runs,
    ),
    (
        "a_waker_drops_the_context_it_was_woken_by",
        a_waker_drops_the_context_it_was_woken_by,
    ),
    (
        "a_stream_drops_the_context_with_its_old_waker",
        a_stream_drops_the_context_with_its_old_waker,
    ),
    (
        "a_panic_that_carries_a_panic_stays_there",
        a_panic_that_carries_a_panic_stays_there,
    ),
];

fn create() -> Echo {
    Echo::create(&Options::new(), "")
        .wait(PATIENCE)
        .expect("a context")
}

fn until(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "{what} did not come");
        thread::sleep(Duration::from_micros(100));
    }
}

/// What a callback that takes its time shares with the test.
#[derive(Default)]
struct Slow {
    inside: AtomicBool,
    count: AtomicU64,
}

/// Listen with a callback that holds memory of its own, and looks at it after a while.
fn listen_slowly(echo: &Echo, slow: &Arc<Slow>) -> Subscription {
    let (slow, own) = (slow.clone(), vec![7_u8; 64]);
    echo.on_tick(move |_| {
        slow.inside.store(true, Ordering::SeqCst);
        thread::sleep(Duration::from_millis(20));
        slow.count.fetch_add(
            own.iter().map(|&byte| u64::from(byte)).sum(),
            Ordering::SeqCst,
        );
        slow.inside.store(false, Ordering::SeqCst);
    })
    .expect("a subscription")
}

fn a_context_and_its_subscription_end_at_once() {
    for _ in 0..10 {
        let (echo, slow) = (create(), Arc::new(Slow::default()));
        let subscription = listen_slowly(&echo, &slow);
        echo.ticks(1).wait(PATIENCE).expect("a tick");
        until("the callback", || slow.inside.load(Ordering::SeqCst));
        let other = thread::spawn(move || drop(echo));
        // the end of the context has taken the listener away, and waits for the callback
        thread::sleep(Duration::from_millis(5));
        drop(subscription);
        assert!(!slow.inside.load(Ordering::SeqCst));
        assert_eq!(slow.count.load(Ordering::SeqCst), 7 * 64);
        other.join().expect("a destroyer");
    }
}

/// Drops what it holds when it wakes.
struct Holder<T>(Mutex<Option<T>>);

impl<T: Send + 'static> Wake for Holder<T> {
    fn wake(self: Arc<Self>) {
        let held = self.0.lock().expect("no panic").take();
        drop(held);
    }
}

fn holding<T: Send + 'static>(held: T) -> Waker {
    Waker::from(Arc::new(Holder(Mutex::new(Some(held)))))
}

fn a_waker_drops_a_subscription_whose_callback_runs() {
    for _ in 0..10 {
        let (echo, slow) = (create(), Arc::new(Slow::default()));
        let waker = holding(listen_slowly(&echo, &slow));
        // more are waiting when the subscription goes
        echo.ticks(5).wait(PATIENCE).expect("ticks");
        until("the callback", || slow.inside.load(Ordering::SeqCst));
        let mut call = echo.echo(&request("now".to_owned(), 0));
        // the reply wakes it, also one that comes before this returns
        drop(Pin::new(&mut call).poll(&mut Context::from_waker(&waker)));
        drop(waker);
        // the callback and what it holds go when it returns
        until("its end", || Arc::strong_count(&slow) == 1);
        assert_eq!(slow.count.load(Ordering::SeqCst), 7 * 64);
    }
}

fn a_waker_drops_the_context_it_was_woken_by() {
    for _ in 0..10 {
        let (echo, slow) = (create(), Arc::new(Slow::default()));
        let subscription = listen_slowly(&echo, &slow);
        echo.ticks(5).wait(PATIENCE).expect("ticks");
        let mut call = echo.echo(&request("now".to_owned(), 1));
        let waker = holding((echo, subscription));
        // the reply wakes it, also one that comes before this returns
        drop(Pin::new(&mut call).poll(&mut Context::from_waker(&waker)));
        drop(waker);
        until("its end", || Arc::strong_count(&slow) == 1);
    }
}

/// The old waker goes at a poll. What it drops waits for a thread that may be waiting for the stream.
fn a_stream_drops_the_context_with_its_old_waker() {
    for _ in 0..20 {
        let echo = create();
        let mut ticks = echo.tick_events().expect("a stream");
        let running = echo.ticks(2000).submit();
        let first = holding(echo);
        let began = Instant::now();
        let mut polls = 0;
        while ticks.poll_next(&mut Context::from_waker(&first)).is_ready() {
            polls += 1;
        }
        drop(first);
        let second = Waker::from(Arc::new(Holder::<()>(Mutex::new(None))));
        while ticks
            .poll_next(&mut Context::from_waker(&second))
            .is_ready()
            && polls < 10_000
        {
            polls += 1;
        }
        drop((running, ticks));
        assert!(began.elapsed() < PATIENCE);
    }
}

/// Panics once more when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        std::panic::panic_any("the second");
    }
}

fn a_panic_that_carries_a_panic_stays_there() {
    let (echo, heard) = (create(), Arc::new(AtomicU64::new(0)));
    let count = heard.clone();
    let bomb = echo.on_tick(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        std::panic::panic_any(Bomb);
    });
    let bomb = bomb.expect("a subscription");
    echo.ticks(3).wait(PATIENCE).expect("ticks");
    until("three callbacks", || heard.load(Ordering::SeqCst) == 3);
    drop(bomb);
    echo.destroy(PATIENCE).expect("an end");
}
