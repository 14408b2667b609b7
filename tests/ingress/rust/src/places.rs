// SPDX-License-Identifier: BSD-3-Clause
//! The cells of docs/ingress-life-cycle.md that Rust's types let a program write: each function that takes no context
//! by value, at each place that the core calls a program's code at, besides a host thread.

use std::future::Future;
use std::os::raw::{c_int, c_ulong};
use std::os::unix::thread::JoinHandleExt;
use std::pin::Pin;
use std::ptr;
use std::sync::atomic::{AtomicI64, AtomicPtr, Ordering};
use std::sync::mpsc::{channel, Receiver};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use echo::{Call, Echo, EchoResponse, Options, Status};
use ferry_ingress::Result;

use crate::{awaited, create, request, status, Case, PATIENCE};

pub const CASES: &[Case] = &[
    ("a_host_thread_may_do_all", a_host_thread_may_do_all),
    (
        "what_takes_a_reply_may_submit_and_may_not_wait",
        what_takes_a_reply_may_submit_and_may_not_wait,
    ),
    (
        "what_takes_a_constructors_reply_may_submit_and_may_not_wait",
        what_takes_a_constructors_reply_may_submit_and_may_not_wait,
    ),
    (
        "what_hears_that_its_context_ends_is_a_callback_of_it",
        what_hears_that_its_context_ends_is_a_callback_of_it,
    ),
    ("a_listener_may_do_all", a_listener_may_do_all),
    (
        "what_a_listener_held_ends_where_all_is_allowed",
        what_a_listener_held_ends_where_all_is_allowed,
    ),
    (
        "no_context_is_destroyed_in_its_callbacks",
        no_context_is_destroyed_in_its_callbacks,
    ),
    (
        "while_a_context_is_destroyed_it_is_closed",
        while_a_context_is_destroyed_it_is_closed,
    ),
    (
        "a_signal_handler_in_the_middle_of_a_call_is_refused",
        a_signal_handler_in_the_middle_of_a_call_is_refused,
    ),
];

/// What each function gave, in the order of [`EVERYTHING`].
type Outcomes = Vec<String>;

/// The functions that are called at each place.
const EVERYTHING: [&str; 9] = [
    "Call::wait",
    "Call::submit",
    "Call::poll",
    "Creation::wait",
    "Creation::poll",
    "Call::wait, of a static method",
    "listen, and drop what it gave",
    "listen, and drop the stream",
    "Events::wait, of nothing",
];

/// What was begun and is waited for elsewhere.
type Begun = [Option<Call<EchoResponse>>; 2];

fn outcome<T>(result: Result<T>) -> String {
    match result {
        Ok(_) => "Ok".to_owned(),
        Err(error) => format!("{:?}", error.status()),
    }
}

/// Call every function. What was submitted is given out, since nobody may wait for it everywhere.
fn everything(echo: &Echo) -> (Outcomes, Begun) {
    let waker = Once::waker(|| {});
    let mut task = Context::from_waker(&waker);
    let submitted = echo.echo(&request("submitted", 0)).submit();
    let mut polled = echo.echo(&request("polled", 0));
    let (refused, polled) = match Pin::new(&mut polled).poll(&mut task) {
        Poll::Ready(Err(error)) => (Some(error.status()), None),
        // another thread has been quick
        Poll::Ready(Ok(_)) => (None, None),
        Poll::Pending => (None, Some(polled)),
    };
    let mut creation = Echo::create(&Options::new(), "polled");
    let started = match Pin::new(&mut creation).poll(&mut task) {
        Poll::Ready(Err(error)) => Some(error.status()),
        _ => None,
    };
    let said = |refused: Option<Status>| refused.map_or("Ok".to_owned(), |one| format!("{one:?}"));
    let mut stream = echo.echoed_events();
    let nothing = stream
        .as_mut()
        .map(|stream| outcome(stream.wait(Duration::ZERO)));
    let outcomes = vec![
        outcome(echo.echo(&request("waited for", 0)).wait(PATIENCE)),
        "Ok".to_owned(),
        said(refused),
        outcome(Echo::create(&Options::new(), "waited for").wait(PATIENCE)),
        said(started),
        outcome(echo::version().wait(PATIENCE)),
        outcome(echo.on_echoed(|_| {}).map(drop)),
        outcome(echo.tick_events().map(drop)),
        nothing.unwrap_or_else(|error| format!("{:?}", error.status())),
    ];
    drop(stream);
    (outcomes, [Some(submitted), polled])
}

/// Check what each function gave, and that what was begun has its reply.
fn expect((outcomes, begun): (Outcomes, Begun), expected: [&str; 9]) {
    for ((name, outcome), expected) in EVERYTHING.iter().zip(&outcomes).zip(expected) {
        assert_eq!(outcome, expected, "{name}");
    }
    for (call, text) in begun.into_iter().zip(["submitted", "polled"]) {
        if let Some(call) = call {
            assert_eq!(call.wait(PATIENCE).unwrap().echoed, text);
        }
    }
}

const ALL: [&str; 9] = ["Ok", "Ok", "Ok", "Ok", "Ok", "Ok", "Ok", "Ok", "Timeout"];
const NO_WAITING: [&str; 9] = [
    "Reentrant",
    "Ok",
    "Ok",
    "Reentrant",
    "Ok",
    "Reentrant",
    "Ok",
    "Ok",
    "Timeout",
];

fn a_host_thread_may_do_all() {
    expect(everything(&create(&Options::new(), "")), ALL);
}

/// A waker that runs something, once, on the thread that wakes.
struct Once(Mutex<Option<Box<dyn FnOnce() + Send>>>);

impl Once {
    fn waker(run: impl FnOnce() + Send + 'static) -> Waker {
        Waker::from(Arc::new(Once(Mutex::new(Some(Box::new(run))))))
    }
}

impl Wake for Once {
    fn wake(self: Arc<Self>) {
        let run = self.0.lock().unwrap().take();
        if let Some(run) = run {
            run();
        }
    }
}

/// What is run there and where it says what came of it.
fn telling(echo: &Arc<Echo>) -> (impl FnOnce() + Send, Receiver<(Outcomes, Begun)>) {
    let (tell, told) = channel();
    let echo = Arc::clone(echo);
    (move || tell.send(everything(&echo)).unwrap(), told)
}

fn what_takes_a_reply_may_submit_and_may_not_wait() {
    let echo = Arc::new(create(&Options::new(), ""));
    let (run, told) = telling(&echo);
    let mut call = echo.echo(&request("first", 20));
    let waker = Once::waker(run);
    assert!(Pin::new(&mut call)
        .poll(&mut Context::from_waker(&waker))
        .is_pending());
    expect(told.recv_timeout(PATIENCE).unwrap(), NO_WAITING);
    assert_eq!(call.wait(PATIENCE).unwrap().echoed, "first");
}

fn what_takes_a_constructors_reply_may_submit_and_may_not_wait() {
    let echo = Arc::new(create(&Options::new(), ""));
    let (run, told) = telling(&echo);
    let mut creation = Echo::create(&Options::new(), "c ");
    let waker = Once::waker(run);
    let polled = Pin::new(&mut creation).poll(&mut Context::from_waker(&waker));
    // it is another context's thread: nobody waits for any where a reply is delivered
    expect(told.recv_timeout(PATIENCE).unwrap(), NO_WAITING);
    let made = match polled {
        Poll::Ready(made) => made.unwrap(),
        Poll::Pending => creation.wait(PATIENCE).unwrap(),
    };
    let on = made.echo(&request("on", 0)).wait(PATIENCE).unwrap();
    assert_eq!(on.echoed, "c on");
}

fn what_hears_that_its_context_ends_is_a_callback_of_it() {
    let echo = Arc::new(create(&Options::new(), ""));
    let ending = create(&Options::new(), "");
    let (run, told) = telling(&echo);
    let waker = Once::waker(run);
    let mut late = ending.echo(&request("late", 60_000));
    assert!(Pin::new(&mut late)
        .poll(&mut Context::from_waker(&waker))
        .is_pending());
    ending.echo(&request("after it", 0)).wait(PATIENCE).unwrap();
    let _ = ending.destroy(Duration::from_millis(20));
    expect(told.recv_timeout(PATIENCE).unwrap(), NO_WAITING);
    assert_eq!(status(late.wait(PATIENCE)), Status::Closed);
}

fn a_listener_may_do_all() {
    let echo = Arc::new(create(&Options::new(), ""));
    let (run, told) = telling(&echo);
    let run = Mutex::new(Some(run));
    let subscription = echo
        .on_tick(move |_| {
            if let Some(run) = run.lock().unwrap().take() {
                run();
            }
        })
        .unwrap();
    echo.ticks(1).wait(PATIENCE).unwrap();
    expect(told.recv_timeout(PATIENCE).unwrap(), ALL);
    drop(subscription);
}

/// Runs something when it is dropped.
struct AtEnd<F: FnOnce()>(Option<F>);

impl<F: FnOnce()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        if let Some(run) = self.0.take() {
            run();
        }
    }
}

fn what_a_listener_held_ends_where_all_is_allowed() {
    let echo = Arc::new(create(&Options::new(), ""));
    // by the thread that ends it
    let (run, told) = telling(&echo);
    let held = AtEnd(Some(run));
    drop(echo.on_tick(move |_| _ = &held).unwrap());
    expect(told.try_recv().unwrap(), ALL);
    // in its own callback: by the event thread, when that returns
    let (run, told) = telling(&echo);
    let held = AtEnd(Some(run));
    let own = Arc::new(Mutex::new(None));
    let theirs = Arc::clone(&own);
    let listens = echo.on_tick(move |_| {
        let _held = &held;
        drop(theirs.lock().unwrap().take());
    });
    *own.lock().unwrap() = Some(listens.unwrap());
    echo.ticks(1).wait(PATIENCE).unwrap();
    expect(told.recv_timeout(PATIENCE).unwrap(), NO_WAITING);
}

fn no_context_is_destroyed_in_its_callbacks() {
    // by a reply's waker, and by a listener
    for in_listener in [false, true] {
        let echo = create(&Options::new(), "");
        let (tell, told) = channel();
        let later = echo.echo(&request("after", 0));
        let own = Arc::new(Mutex::new(None));
        let theirs = Arc::clone(&own);
        let destroy = move || {
            let echo: Echo = theirs.lock().unwrap().take().unwrap();
            tell.send(status(echo.destroy(PATIENCE))).unwrap();
        };
        let mut call = echo.echo(&request("first", 20));
        if in_listener {
            let destroy = Mutex::new(Some(destroy));
            let listens = echo.on_tick(move |_| {
                if let Some(destroy) = destroy.lock().unwrap().take() {
                    destroy();
                }
            });
            let tick = echo.ticks(1);
            *own.lock().unwrap() = Some(echo);
            let _ = tick.wait(PATIENCE);
            assert_eq!(told.recv_timeout(PATIENCE).unwrap(), Status::Reentrant);
            drop(listens);
        } else {
            *own.lock().unwrap() = Some(echo);
            let waker = Once::waker(destroy);
            assert!(Pin::new(&mut call)
                .poll(&mut Context::from_waker(&waker))
                .is_pending());
            assert_eq!(told.recv_timeout(PATIENCE).unwrap(), Status::Reentrant);
        }
        // another thread waits for its end
        assert!(matches!(
            status(later.wait(PATIENCE)),
            Status::Closed | Status::BadToken
        ));
    }
}

/// What is left of a context that another thread destroys: calls that were made, listeners, streams.
fn while_a_context_is_destroyed_it_is_closed() {
    for longer in [1, 5, 20] {
        let echo = create(&Options::new(), "");
        let mut late: Vec<_> = (0..3).map(|_| echo.echo(&request("late", 0))).collect();
        let subscription = echo.on_echoed(|_| {}).unwrap();
        let mut events = echo.echoed_events().unwrap();
        // until this one is answered the other thread waits
        let running = echo.echo(&request("running", 200 * longer)).submit();
        echo.echo(&request("before", 0)).wait(PATIENCE).unwrap();
        assert!(events.wait(PATIENCE).unwrap().is_some());
        let destroying = thread::spawn(move || outcome(echo.destroy(PATIENCE)));
        let probe = loop {
            match late.pop() {
                Some(call) if late.is_empty() => break status(call.wait(PATIENCE)),
                Some(call) => {
                    // until the other thread has begun
                    let _ = call.wait(PATIENCE);
                    thread::sleep(Duration::from_millis(20));
                }
                None => unreachable!(),
            }
        };
        drop(subscription);
        assert_eq!(echo::version().wait(PATIENCE).unwrap(), "0.1.0");
        let own = create(&Options::new(), "");
        drop(own);
        let was_under_way = !destroying.is_finished();
        assert_eq!(destroying.join().unwrap(), "Ok");
        let answered = running.wait(PATIENCE).map(|response| response.echoed);
        assert!(matches!(answered.as_deref(), Ok("running")) || status(answered) == Status::Closed);
        // what was heard before the end is heard, and then nothing
        while let Some(event) = awaited(events.next()) {
            event.unwrap();
        }
        if was_under_way {
            assert_eq!(probe, Status::Closed);
            return;
        }
    }
    panic!("no probe was made before the other thread had destroyed its context");
}

// ---- signal handlers, which safe Rust cannot have ----

extern "C" {
    fn signal(number: c_int, handler: extern "C" fn(c_int)) -> *const u8;
    fn pthread_kill(thread: c_ulong, number: c_int) -> c_int;
}

const SIGUSR1: c_int = 10;
static INTERRUPTED: AtomicPtr<Echo> = AtomicPtr::new(ptr::null_mut());
/// What the handler was told: -1 until it is called, 0 for a reply.
static TOLD: AtomicI64 = AtomicI64::new(-1);

extern "C" fn call_in_handler(_: c_int) {
    // SAFETY: the context outlives the thread that is signalled.
    let echo = unsafe { &*INTERRUPTED.load(Ordering::SeqCst) };
    let refused = echo.close(unopened()).wait(PATIENCE);
    let told = refused.map_or_else(|error| i64::from(error.status().number()), |()| 0);
    TOLD.store(told, Ordering::SeqCst);
}

/// A reader's id of no context.
fn unopened() -> echo::Reader {
    use ferry_ingress::wire::HandleValue;
    echo::Reader::from_id(7)
}

fn a_signal_handler_in_the_middle_of_a_call_is_refused() {
    let echo = Arc::new(create(&Options::new(), "s "));
    let theirs = Arc::clone(&echo);
    INTERRUPTED.store(Arc::as_ptr(&echo) as *mut Echo, Ordering::SeqCst);
    // SAFETY: the handler is a function of C's kind; it interrupts a thread that waits in the core.
    unsafe { signal(SIGUSR1, call_in_handler) };
    let waiting = thread::spawn(move || {
        let slow = theirs.echo(&request("slow", 1000)).wait(PATIENCE);
        slow.unwrap().echoed
    });
    let reentrant = i64::from(Status::Reentrant.number());
    // it waits for a second; before and after that the handler interrupts nothing
    while TOLD.load(Ordering::SeqCst) != reentrant && !waiting.is_finished() {
        // SAFETY: the thread has not been joined.
        unsafe { pthread_kill(waiting.as_pthread_t() as c_ulong, SIGUSR1) };
        thread::sleep(Duration::from_millis(2));
    }
    assert_eq!(waiting.join().unwrap(), "s slow");
    assert_eq!(TOLD.load(Ordering::SeqCst), reentrant);
    let on = echo.echo(&request("on", 0)).wait(PATIENCE).unwrap();
    assert_eq!(on.echoed, "s on");
}
