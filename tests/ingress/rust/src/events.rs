// SPDX-License-Identifier: BSD-3-Clause
//! Events: streams and callbacks.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use echo::{Echo, Options, Status, Subscription};

use crate::{awaited, create, request, status, until, with, Case, PATIENCE, WIRES};

pub const CASES: &[Case] = &[
    ("events_reach_their_listeners", events_reach_their_listeners),
    ("events_are_a_stream", events_are_a_stream),
    (
        "a_stream_ends_with_its_context",
        a_stream_ends_with_its_context,
    ),
    (
        "a_stream_that_overflows_counts_what_it_lost",
        a_stream_that_overflows_counts_what_it_lost,
    ),
    (
        "an_overflowing_listener_counts_what_it_lost_and_recovers",
        an_overflowing_listener_counts_what_it_lost_and_recovers,
    ),
    (
        "a_listener_may_end_itself_and_call",
        a_listener_may_end_itself_and_call,
    ),
    (
        "the_last_owner_may_be_a_callback",
        the_last_owner_may_be_a_callback,
    ),
    (
        "a_panic_in_a_callback_stays_there",
        a_panic_in_a_callback_stays_there,
    ),
];

/// A count that the event thread adds to. Nothing else is read because of it, so its order does not matter.
#[derive(Clone, Default)]
struct Count(Arc<AtomicU64>);

impl Count {
    fn add(&self, more: u64) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

fn ticking(echo: &Echo, count: &Count) -> Subscription {
    let count = count.clone();
    echo.on_tick(move |tick| count.add(1 + tick.unwrap().lost))
        .unwrap()
}

fn events_reach_their_listeners() {
    for wire in WIRES {
        let (echo, other) = (create(&with(wire), "e "), create(&Options::new(), "o "));
        let (ticks, others) = (Count::default(), Count::default());
        let tick = ticking(&echo, &ticks);
        let _elsewhere = ticking(&other, &others);
        let last = Arc::new(Mutex::new(String::new()));
        let seen = last.clone();
        let _echoed = echo
            .on_echoed(move |event| *seen.lock().unwrap() = event.unwrap().value.echoed)
            .unwrap();
        echo.ticks(100).wait(PATIENCE).unwrap();
        until("100 ticks", || ticks.get() == 100);
        assert_eq!(
            awaited(echo.echo(&request("heard", 0))).unwrap().echoed,
            "e heard"
        );
        until("an echo", || *last.lock().unwrap() == "e heard");
        drop(tick);
        echo.ticks(10).wait(PATIENCE).unwrap();
        echo.echo(&request("again", 0)).wait(PATIENCE).unwrap();
        until("another echo", || *last.lock().unwrap() == "e again");
        assert_eq!((ticks.get(), others.get()), (100, 0));
    }
}

fn events_are_a_stream() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let mut echoes = echo.echoed_events().unwrap();
        assert_eq!(
            status(echoes.wait(Duration::from_millis(5))),
            Status::Timeout
        );
        let calls: Vec<_> = (0..50)
            .map(|index| echo.echo(&request(&index.to_string(), 0)).submit())
            .collect();
        awaited(async {
            for index in 0..50 {
                let event = echoes.next().await.expect("an event").unwrap();
                assert_eq!((event.value.echoed, event.lost), (index.to_string(), 0));
            }
        });
        drop(calls);
        echo.echo(&request("more", 0)).wait(PATIENCE).unwrap();
        assert_eq!(echoes.wait(PATIENCE).unwrap().unwrap().value.echoed, "more");
    }
}

fn a_stream_ends_with_its_context() {
    let echo = create(&Options::new(), "");
    let mut echoes = echo.echoed_events().unwrap();
    let mut ticks = echo.tick_events().unwrap();
    let waiting = std::thread::spawn(move || awaited(ticks.next()).is_none());
    echo.echo(&request("last", 0)).wait(PATIENCE).unwrap();
    // the event thread has it by the time that the context is destroyed, or drops it
    let first = echoes.wait(PATIENCE).unwrap();
    assert_eq!(first.unwrap().value.echoed, "last");
    echo.destroy(PATIENCE).unwrap();
    assert!(awaited(echoes.next()).is_none());
    assert!(echoes.wait(PATIENCE).unwrap().is_none());
    assert!(waiting.join().unwrap());
}

fn a_stream_that_overflows_counts_what_it_lost() {
    let depth = echo::STREAM_DEPTH as u64;
    let echo = create(&Options::new().event_depth(1 << 14), "");
    // ticks: the new one goes
    let mut ticks = echo.tick_events().unwrap();
    let all = Count::default();
    let _count = ticking(&echo, &all);
    echo.ticks(5000).wait(PATIENCE).unwrap();
    until("all were emitted", || all.get() == 5000);
    echo.ticks(1).wait(PATIENCE).unwrap();
    until("one more", || all.get() == 5001);
    let mut sum = 0;
    for _ in 0..depth {
        sum += 1 + ticks.wait(PATIENCE).unwrap().unwrap().lost;
    }
    // it recovers, and the next says what was lost
    while sum < 5001 {
        echo.ticks(1).wait(PATIENCE).unwrap();
        sum += ticks.wait(PATIENCE).unwrap().unwrap().lost + 1;
    }
    assert!(sum <= 5003, "{sum}");
    // echoes: the oldest goes
    let mut echoes = echo.echoed_events().unwrap();
    for index in 0..2000 {
        echo.echo(&request(&index.to_string(), 0))
            .wait(PATIENCE)
            .unwrap();
    }
    echo.ticks(1).wait(PATIENCE).unwrap();
    ticks.wait(PATIENCE).unwrap();
    let first = echoes.wait(PATIENCE).unwrap().unwrap();
    assert!(first.lost >= 2000 - depth - 1, "{}", first.lost);
    assert_eq!(first.value.echoed, first.lost.to_string());
}

fn an_overflowing_listener_counts_what_it_lost_and_recovers() {
    let echo = create(&Options::new().event_depth(4), "");
    let gate = Arc::new(Mutex::new(()));
    let shut = gate.lock().unwrap();
    let (seen, sum) = (Count::default(), Count::default());
    let _slow = {
        let (gate, seen, sum) = (gate.clone(), seen.clone(), sum.clone());
        echo.on_tick(move |tick| {
            drop(gate.lock().unwrap());
            sum.add(1 + tick.unwrap().lost);
            seen.add(1);
        })
        .unwrap()
    };
    echo.ticks(1000).wait(PATIENCE).unwrap();
    drop(shut);
    until("some", || seen.get() >= 4);
    while sum.get() < 1000 {
        let before = seen.get();
        echo.ticks(1).wait(PATIENCE).unwrap();
        until("one more", || seen.get() > before);
    }
    assert!(seen.get() < 900);
}

fn a_listener_may_end_itself_and_call() {
    let echo = Arc::new(create(&Options::new(), ""));
    let seen = Count::default();
    let own: Arc<Mutex<Option<Subscription>>> = Arc::default();
    let mut place = own.lock().unwrap();
    let subscription = {
        let (own, seen, echo) = (own.clone(), seen.clone(), Arc::downgrade(&echo));
        let big = "x".repeat(100);
        echo.upgrade().unwrap().on_tick(move |_| {
            drop(own.lock().unwrap().take());
            // what the callback holds is there until it returns
            assert_eq!(big.len(), 100);
            let echo = echo.upgrade().unwrap();
            assert_eq!(
                echo.echo(&request("from here", 0))
                    .wait(PATIENCE)
                    .unwrap()
                    .echoed,
                "from here"
            );
            seen.add(1);
        })
    };
    *place = Some(subscription.unwrap());
    drop(place);
    echo.ticks(5).wait(PATIENCE).unwrap();
    until("it was called", || seen.get() == 1);
    echo.echo(&request("", 0)).wait(PATIENCE).unwrap();
    assert_eq!(seen.get(), 1);
}

fn the_last_owner_may_be_a_callback() {
    let echo = create(&Options::new(), "");
    let mut late: Vec<_> = (0..60_000).map(|_| echo.fail("late")).collect();
    let owned: Arc<Mutex<Option<Echo>>> = Arc::default();
    let done = Count::default();
    let mut place = owned.lock().unwrap();
    let subscription = {
        let (owned, done) = (owned.clone(), done.clone());
        echo.on_tick(move |_| {
            drop(owned.lock().unwrap().take());
            done.add(1);
        })
    };
    let ticks = echo.ticks(1);
    *place = Some(echo);
    drop(place);
    let ticked = ticks.wait(PATIENCE);
    assert!(ticked.is_ok() || status(ticked) == Status::Closed);
    until("it was dropped", || done.get() == 1);
    until("it is gone", || {
        let late = late.pop().expect("one more");
        matches!(
            status(late.wait(PATIENCE)),
            Status::Closed | Status::BadToken
        )
    });
    drop(subscription);
}

fn a_panic_in_a_callback_stays_there() {
    let echo = create(&Options::new(), "");
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let count = Count::default();
    let seen = count.clone();
    let panics = echo.on_tick(move |_| {
        seen.add(1);
        panic!("on purpose");
    });
    echo.ticks(3).wait(PATIENCE).unwrap();
    until("three", || count.get() == 3);
    std::panic::set_hook(hook);
    drop(panics);
    assert_eq!(
        echo.echo(&request("fine", 0))
            .wait(PATIENCE)
            .unwrap()
            .echoed,
        "fine"
    );
}
