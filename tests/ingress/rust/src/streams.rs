// SPDX-License-Identifier: BSD-3-Clause
//! Streams: every value, in order, for a host that is quick, slow, or gone.

use std::thread;
use std::time::Duration;

use echo::{
    CountError, CountPart, CountRequest, Counted, Counts, Echo, Failure, Status, Stream,
    STREAM_CREDITS,
};

use crate::{awaited, create, request, until, with, Case, PATIENCE, WIRES};

pub const CASES: &[Case] = &[
    ("streams_give_every_value", streams_give_every_value),
    ("a_stream_may_fail_midway", a_stream_may_fail_midway),
    (
        "a_stream_that_is_left_is_seen_by_the_library",
        a_stream_that_is_left_is_seen_by_the_library,
    ),
    (
        "a_slow_host_holds_a_stream_up",
        a_slow_host_holds_a_stream_up,
    ),
    ("streams_go_side_by_side", streams_go_side_by_side),
    (
        "a_stream_that_finds_no_room_opens_later",
        a_stream_that_finds_no_room_opens_later,
    ),
    (
        "a_stream_of_values_ends_with_its_context",
        a_stream_of_values_ends_with_its_context,
    ),
];

const MOMENT: Duration = Duration::from_millis(20);

type Numbers = Stream<CountPart, Failure<CountError>>;

fn up_to(count: u32) -> CountRequest {
    CountRequest::new(count)
}

/// A count without an end that a test would reach.
fn endless() -> CountRequest {
    up_to(1 << 31)
}

/// A count whose first number does not come while a test waits.
fn silent() -> CountRequest {
    CountRequest {
        delay_ms: 60_000,
        ..up_to(1)
    }
}

fn numbers(stream: Numbers) -> Vec<u32> {
    stream
        .into_iter()
        .map(|each| each.unwrap().number)
        .collect()
}

fn next(stream: &mut Numbers) -> Counted {
    stream.wait(PATIENCE).unwrap().expect("a number")
}

fn counts(echo: &Echo) -> Counts {
    echo.counting().wait(PATIENCE).unwrap()
}

/// The status of a stream that has to fail.
fn failed(stream: &mut Numbers) -> Status {
    match stream.wait(PATIENCE) {
        Err(Failure::Call(error)) => error.status(),
        other => panic!("{other:?}"),
    }
}

async fn all(mut stream: Numbers) -> Vec<u32> {
    let mut found = Vec::new();
    while let Some(each) = stream.next().await {
        found.push(each.unwrap().number);
    }
    found
}

fn streams_give_every_value() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        for count in [0, 1, 255, 256, 257, 1000] {
            let expected: Vec<u32> = (0..count).collect();
            let what = up_to(count);
            assert_eq!(numbers(echo.count(&what, STREAM_CREDITS)), expected);
            assert_eq!(
                awaited(all(echo.count(&what, STREAM_CREDITS).open())),
                expected
            );
        }
        let expected: Vec<u32> = (0..50).collect();
        assert_eq!(numbers(echo.count(&up_to(50), 1)), expected);
        let large = CountRequest {
            text_bytes: 10_000,
            ..up_to(50)
        };
        let texts: Vec<Counted> = echo
            .count(&large, STREAM_CREDITS)
            .into_iter()
            .collect::<Result<_, _>>()
            .unwrap();
        assert_eq!(texts.len(), 50);
        assert!(texts.iter().all(|each| each.text == "x".repeat(10_000)));
        let slow = CountRequest {
            delay_ms: 1,
            ..up_to(3)
        };
        assert_eq!(numbers(echo.count(&slow, STREAM_CREDITS)), [0, 1, 2]);
    }
}

fn a_stream_may_fail_midway() {
    for wire in WIRES {
        let echo = create(&with(wire), "hi ");
        for failing in [500, 0] {
            let what = CountRequest {
                fail_at: Some(failing),
                ..up_to(1000)
            };
            let mut stream = echo.count(&what, STREAM_CREDITS);
            for number in 0..failing {
                assert_eq!(next(&mut stream).number, number);
            }
            match stream.wait(PATIENCE) {
                Err(Failure::Raised(CountError::TooFar)) => {}
                other => panic!("{other:?}"),
            }
            assert!(stream.wait(PATIENCE).unwrap().is_none());
        }
        let wrong = CountRequest {
            delay_ms: -1,
            ..up_to(1)
        };
        assert_eq!(failed(&mut echo.count(&wrong, 1)), Status::Failed);
        assert_eq!(counts(&echo).running, 0);
        let you = echo.echo(&request("you", 0)).wait(PATIENCE).unwrap();
        assert_eq!(you.echoed, "hi you");
    }
}

fn a_stream_that_is_left_is_seen_by_the_library() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let mut stream = echo.count(&endless(), STREAM_CREDITS);
        for number in 0..20 {
            assert_eq!(next(&mut stream).number, number);
        }
        let mut waiting = echo.count(&silent(), STREAM_CREDITS);
        match waiting.wait(Duration::from_millis(10)) {
            Err(Failure::Call(error)) => assert_eq!(error.status(), Status::Timeout),
            other => panic!("{other:?}"),
        }
        assert_eq!(counts(&echo).running, 2);
        drop((stream, waiting));
        until("the counts end", || counts(&echo).running == 0);
        assert_eq!(counts(&echo).stopped, 2);
        // the library need not have begun these
        for _ in 0..100 {
            drop(echo.count(&endless(), STREAM_CREDITS).open());
        }
        until("the counts end", || counts(&echo).running == 0);
        assert!(counts(&echo).stopped <= 102);
    }
}

fn a_slow_host_holds_a_stream_up() {
    for wire in WIRES {
        let echo = create(&with(wire), "hi ");
        let mut stream = echo.count(&endless(), 16);
        assert_eq!(next(&mut stream).number, 0);
        thread::sleep(MOMENT);
        let given = counts(&echo).given;
        assert!(given <= 33, "{given}");
        let beside = echo.echo(&request("beside", 0)).wait(PATIENCE).unwrap();
        assert_eq!(beside.echoed, "hi beside");
        let large = CountRequest {
            text_bytes: 30_000,
            ..endless()
        };
        let mut texts = echo.count(&large, STREAM_CREDITS);
        assert_eq!(next(&mut texts).number, 0);
        thread::sleep(MOMENT);
        let more = counts(&echo).given - given;
        assert!(more <= 8, "{more}");
    }
}

fn streams_go_side_by_side() {
    for wire in WIRES {
        let echo = create(&with(wire), "hi ");
        let mut first = echo.count(&up_to(300), 7);
        let mut second = echo.count(&up_to(300), STREAM_CREDITS);
        for number in 0..300 {
            assert_eq!(next(&mut first).number, number);
            assert_eq!(next(&mut second).number, number);
            if number % 50 == 0 {
                let you = echo.echo(&request("you", 0)).wait(PATIENCE).unwrap();
                assert_eq!(you.echoed, "hi you");
            }
        }
        assert!(first.wait(PATIENCE).unwrap().is_none());
        assert!(second.wait(PATIENCE).unwrap().is_none());
        let expected: Vec<u32> = (0..1000).collect();
        thread::scope(|threads| {
            for _ in 0..4 {
                threads.spawn(|| {
                    assert_eq!(numbers(echo.count(&up_to(1000), 9)), expected);
                });
            }
        });
    }
}

fn a_stream_that_finds_no_room_opens_later() {
    for wire in WIRES {
        let echo = create(&with(wire).queue_depth(8), "");
        let held: Vec<_> = (0..8)
            .map(|_| echo.echo(&request("wait", 100)).submit())
            .collect();
        let mut stream = echo.count(&up_to(3), STREAM_CREDITS).open();
        assert_eq!(failed(&mut stream), Status::QueueFull);
        let opened = echo.count(&up_to(3), STREAM_CREDITS).open();
        for call in held {
            call.wait(PATIENCE).unwrap();
        }
        assert_eq!(numbers(stream), [0, 1, 2]);
        assert_eq!(numbers(opened), [0, 1, 2]);
    }
}

fn a_stream_of_values_ends_with_its_context() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let mut stream = echo.count(&endless(), 16);
        let mut waiting = echo.count(&silent(), 16).open();
        let mut late = echo.count(&endless(), 16);
        assert_eq!(next(&mut stream).number, 0);
        assert_eq!(counts(&echo).running, 2);
        let ended = echo.destroy(Duration::from_millis(50)).unwrap_err();
        assert_eq!(ended.status(), Status::Timeout);
        assert_eq!(failed(&mut waiting), Status::Closed);
        assert!(waiting.wait(PATIENCE).unwrap().is_none());
        let status = loop {
            match stream.wait(PATIENCE) {
                Ok(Some(_)) => {}
                Err(Failure::Call(error)) => break error.status(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(status, Status::Closed);
        assert_eq!(failed(&mut late), Status::Closed);
    }
}
