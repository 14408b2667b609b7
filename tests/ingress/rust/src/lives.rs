// SPDX-License-Identifier: BSD-3-Clause
//! How contexts, handles and calls begin and end.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use echo::{Echo, Options, Status};
use ferry_ingress::wire::Wire;

use crate::{awaited, create, request, status, with, Case, PATIENCE, WIRES};

pub const CASES: &[Case] = &[
    (
        "a_constructor_that_fails_leaves_nothing",
        a_constructor_that_fails_leaves_nothing,
    ),
    ("a_context_may_be_awaited", a_context_may_be_awaited),
    (
        "what_waits_when_a_context_ends_is_told",
        what_waits_when_a_context_ends_is_told,
    ),
    (
        "contexts_end_with_their_owner",
        contexts_end_with_their_owner,
    ),
    ("a_reader_is_an_id", a_reader_is_an_id),
    (
        "a_closed_reader_is_never_another",
        a_closed_reader_is_never_another,
    ),
    (
        "a_call_may_be_dropped_at_any_time",
        a_call_may_be_dropped_at_any_time,
    ),
    ("the_newest_waker_is_woken", the_newest_waker_is_woken),
    (
        "many_threads_get_their_own_replies",
        many_threads_get_their_own_replies,
    ),
    ("contexts_live_side_by_side", contexts_live_side_by_side),
];

fn a_constructor_that_fails_leaves_nothing() {
    for count in 0..200 {
        let options = with(WIRES[count % 2]);
        let error = Echo::create(&options, "fail").wait(PATIENCE).unwrap_err();
        assert_eq!(error.status(), Status::Failed);
        assert_eq!(error.message(), "the prefix says to fail");
        assert_eq!(
            status(awaited(Echo::create(&options, "fail"))),
            Status::Failed
        );
    }
    let fine = create(&Options::new(), "fine ");
    assert_eq!(
        fine.echo(&request("so", 0)).wait(PATIENCE).unwrap().echoed,
        "fine so"
    );
}

fn a_context_may_be_awaited() {
    for wire in WIRES {
        let echo = awaited(Echo::create(&with(wire), "a ")).unwrap();
        assert_eq!(awaited(echo.echo(&request("b", 0))).unwrap().echoed, "a b");
        echo.destroy(PATIENCE).unwrap();
    }
    // dropped before it is there
    for _ in 0..50 {
        let mut creation = Echo::create(&Options::new(), "never");
        let _ = Pin::new(&mut creation).poll(&mut Context::from_waker(&counting().1));
    }
}

fn what_waits_when_a_context_ends_is_told() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let held: Vec<_> = (0..20)
            .map(|_| echo.echo(&request("slow", 60_000)).submit())
            .collect();
        // in order, so those run when this is answered
        echo.echo(&request("quick", 0)).wait(PATIENCE).unwrap();
        let late = echo.echo(&request("gone", 0));
        assert_eq!(
            status(echo.destroy(Duration::from_millis(50))),
            Status::Timeout
        );
        for call in held {
            assert_eq!(status(call.wait(PATIENCE)), Status::Closed);
        }
        let after = status(late.wait(PATIENCE));
        assert!(
            after == Status::Closed || after == Status::BadToken,
            "{after:?}"
        );
    }
}

fn contexts_end_with_their_owner() {
    let outer = {
        let inner = create(&Options::new(), "moved ");
        Some(inner)
    };
    let call = outer.as_ref().unwrap().echo(&request("on", 0));
    let later = outer.as_ref().unwrap().echo(&request("on", 0));
    assert_eq!(call.wait(PATIENCE).unwrap().echoed, "moved on");
    drop(outer);
    assert!(matches!(
        status(later.wait(PATIENCE)),
        Status::Closed | Status::BadToken
    ));
    for _ in 0..300 {
        let echo = create(&Options::new(), "x");
        assert_eq!(
            echo.echo(&request("y", 0)).wait(PATIENCE).unwrap().echoed,
            "xy"
        );
    }
}

fn a_reader_is_an_id() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let reader = echo.open("abcdef").wait(PATIENCE).unwrap();
        let copy = reader;
        assert_eq!(
            echo.read(reader, 4).wait(PATIENCE).unwrap().as_deref(),
            Some("abcd")
        );
        assert_eq!(awaited(echo.read(copy, 4)).unwrap().as_deref(), Some("ef"));
        assert_eq!(echo.read(reader, 4).wait(PATIENCE).unwrap(), None);
        echo.close(reader).wait(PATIENCE).unwrap();
        assert_eq!(status(echo.read(copy, 1).wait(PATIENCE)), Status::BadHandle);
        assert_eq!(status(awaited(echo.close(copy))), Status::BadHandle);
    }
}

fn a_closed_reader_is_never_another() {
    let (echo, other) = (create(&Options::new(), ""), create(&Options::new(), ""));
    let first = awaited(echo.open("first")).unwrap();
    assert_eq!(
        status(other.read(first, 1).wait(PATIENCE)),
        Status::BadHandle
    );
    awaited(echo.close(first)).unwrap();
    let second = awaited(echo.open("second")).unwrap();
    assert_ne!(first, second);
    assert_eq!(
        status(echo.read(first, 1).wait(PATIENCE)),
        Status::BadHandle
    );
    assert_eq!(
        awaited(echo.read(second, 100)).unwrap().as_deref(),
        Some("second")
    );
}

struct Counting(AtomicUsize);

impl Wake for Counting {
    fn wake(self: Arc<Self>) {
        // read by a thread that then looks at nothing else
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

fn counting() -> (Arc<Counting>, Waker) {
    let counting = Arc::new(Counting(AtomicUsize::new(0)));
    (counting.clone(), Waker::from(counting))
}

/// Before it is submitted, while it waits, while it runs, when its reply is being written, and after.
fn a_call_may_be_dropped_at_any_time() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        drop(echo.echo(&request("never", 0)));
        let blob = vec![1; 20_000];
        for round in 0..2000 {
            let mut call = echo.bytes(if round % 2 == 0 { &blob } else { &blob[..50] });
            let (_, waker) = counting();
            let polled = Pin::new(&mut call).poll(&mut Context::from_waker(&waker));
            for _ in 0..round % 97 {
                std::hint::spin_loop();
            }
            if round % 5 == 0 {
                thread::yield_now();
            }
            assert!(!matches!(polled, Poll::Ready(Err(_))));
            drop(call);
        }
        drop(echo.echo(&request("running", 20)).submit());
        // all that were dropped have been answered before this one is
        assert_eq!(
            awaited(echo.echo(&request("last", 0))).unwrap().echoed,
            "last"
        );
    }
}

fn the_newest_waker_is_woken() {
    let echo = create(&with(Wire::C), "");
    let mut call = echo.echo(&request("soon", 50));
    let (old, old_waker) = counting();
    let (new, new_waker) = counting();
    assert!(Pin::new(&mut call)
        .poll(&mut Context::from_waker(&old_waker))
        .is_pending());
    assert!(Pin::new(&mut call)
        .poll(&mut Context::from_waker(&new_waker))
        .is_pending());
    crate::until("it is woken", || new.0.load(Ordering::Relaxed) > 0);
    assert_eq!(
        (old.0.load(Ordering::Relaxed), new.0.load(Ordering::Relaxed)),
        (0, 1)
    );
    assert_eq!(call.wait(PATIENCE).unwrap().echoed, "soon");
}

fn many_threads_get_their_own_replies() {
    const CALLS: usize = 2000;
    for wire in WIRES {
        let echo = create(&with(wire), "");
        thread::scope(|scope| {
            for thread in 0..8 {
                let echo = &echo;
                scope.spawn(move || one_thread(echo, thread * CALLS..(thread + 1) * CALLS));
            }
        });
    }
}

fn contexts_live_side_by_side() {
    thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for round in 0..20 {
                    let echo = create(&with(WIRES[(thread + round) % 2]), &format!("{thread} "));
                    let later = echo.echo(&request("later", 1)).submit();
                    let reader = echo.open("abc").wait(PATIENCE).unwrap();
                    let read = echo.read(reader, 10).wait(PATIENCE).unwrap();
                    assert_eq!(read.as_deref(), Some("abc"));
                    assert_eq!(
                        later.wait(PATIENCE).unwrap().echoed,
                        format!("{thread} later")
                    );
                }
            });
        }
    });
}

fn one_thread(echo: &Echo, numbers: std::ops::Range<usize>) {
    let mut under_way = std::collections::VecDeque::new();
    for number in numbers {
        let text = number.to_string();
        under_way.push_back((text.clone(), echo.echo(&request(&text, 0)).submit()));
        if under_way.len() < 20 {
            continue;
        }
        let (text, call) = under_way.pop_front().unwrap();
        match call.wait(PATIENCE) {
            Ok(response) => assert_eq!(response.echoed, text),
            Err(error) => assert_eq!(error.status(), Status::QueueFull),
        }
    }
    // the last that was accepted is answered after all before it
    for (text, call) in under_way.into_iter().rev() {
        let result = call.wait(PATIENCE);
        assert!(
            matches!(&result, Ok(response) if response.echoed == text)
                || status(result) == Status::QueueFull
        );
    }
}
