// SPDX-License-Identifier: BSD-3-Clause
//! Calls: values of every type there and back, in every form; errors; limits.

use std::time::Duration;

use echo::{
    parse, sing, Call, Chorus, Color, ComplexRequest, DivideError, DrawError, DrawErrorTooMany,
    Drawing, DrawingByIsColored, DrawingTrue, EchoRequest, Error, Failure, ParseError, Shape,
    ShapeCircle, ShapeGroup, ShapeLabel, ShapeSquare, Status, Tree, LOWEST,
};
use ferry_ingress::wire::Wire;
use ferry_ingress::{Library, RawLibrary};

use crate::random::Random;
use crate::{awaited, create, request, status, with, Case, PATIENCE, WIRES};

pub const CASES: &[Case] = &[
    ("constants", constants),
    ("statics_need_no_context", statics_need_no_context),
    ("another_interface_is_refused", another_interface_is_refused),
    ("echo_in_every_form", echo_in_every_form),
    ("values_of_every_type", values_of_every_type),
    ("trees_are_bounded", trees_are_bounded),
    ("complex", complex),
    ("bytes_of_every_size", bytes_of_every_size),
    (
        "failures_have_their_status_and_message",
        failures_have_their_status_and_message,
    ),
    ("errors_have_their_type", errors_have_their_type),
    (
        "a_variant_has_one_of_its_cases",
        a_variant_has_one_of_its_cases,
    ),
    (
        "what_is_left_out_has_its_default",
        what_is_left_out_has_its_default,
    ),
    (
        "a_payload_that_is_no_value_is_refused_with_its_path",
        a_payload_that_is_no_value_is_refused_with_its_path,
    ),
    ("deadlines", deadlines),
    (
        "a_cancelled_call_is_seen_by_the_library",
        a_cancelled_call_is_seen_by_the_library,
    ),
    ("a_running_request_says_so", a_running_request_says_so),
    ("a_full_queue_is_refused", a_full_queue_is_refused),
    (
        "a_payload_over_the_limit_is_refused",
        a_payload_over_the_limit_is_refused,
    ),
    ("many_are_submitted_together", many_are_submitted_together),
];

fn constants() {
    assert_eq!(echo::MAX_DELAY_MS, 60_000_u32);
    assert_eq!(echo::GREETING, "hello, \"wörld\"");
    assert_eq!(echo::LOWEST, i64::MIN);
    let (half, debug): (f64, bool) = (echo::HALF, echo::DEBUG);
    assert_eq!((half, debug), (0.5, false));
}

fn statics_need_no_context() {
    assert_eq!(echo::version().wait(PATIENCE).unwrap(), "0.1.0");
    assert_eq!(awaited(echo::version()).unwrap(), "0.1.0");
    assert_eq!(echo::sum(-5, 47).wait(PATIENCE).unwrap(), 42);
    assert_eq!(awaited(echo::sum(echo::LOWEST, -1)).unwrap(), i64::MAX);
}

extern "C" {
    fn ferry_library_echo() -> *const RawLibrary;
}

fn another_interface_is_refused() {
    // SAFETY: the function may be called at any time and returns the library.
    let other = unsafe { Library::from_raw(ferry_library_echo(), 1) };
    assert_eq!(status(other), Status::WrongInterface);
}

fn echo_in_every_form() {
    for wire in WIRES {
        let echo = create(&with(wire), "hi ");
        let you = request("you", 0);
        assert_eq!(echo.echo(&you).wait(PATIENCE).unwrap().echoed, "hi you");
        assert_eq!(awaited(echo.echo(&you)).unwrap().echoed, "hi you");
        let ahead = [
            echo.echo(&you).submit(),
            echo.echo(&request("me", 0)).submit(),
        ];
        let [first, second] = ahead;
        assert_eq!(second.wait(PATIENCE).unwrap().echoed, "hi me");
        assert_eq!(awaited(first).unwrap().echoed, "hi you");
        assert_eq!(
            awaited(echo.echo(&request("later", 30))).unwrap().echoed,
            "hi later"
        );
        assert_eq!(
            echo.echo(&request("later", 30))
                .wait(PATIENCE)
                .unwrap()
                .timer,
            "30 ms"
        );
    }
}

fn values_of_every_type() {
    let mut random = Random::new(11);
    for wire in WIRES {
        let echo = create(&with(wire), "");
        for _ in 0..100 {
            let (value, root) = (random.all_types(), random.tree(4));
            assert_eq!(echo.all(&value).wait(PATIENCE).unwrap(), value);
            assert_eq!(awaited(echo.tree(&root)).unwrap(), root);
        }
        assert_eq!(echo.maybe(None).wait(PATIENCE).unwrap(), None);
        assert_eq!(
            echo.maybe(Some("")).wait(PATIENCE).unwrap().as_deref(),
            Some("")
        );
        assert_eq!(
            awaited(echo.maybe(Some("some"))).unwrap().as_deref(),
            Some("some")
        );
    }
}

fn trees_are_bounded() {
    // a tree and the sequence in it are two levels, the parameters are one
    let levels = |count: u32| {
        (0..count).fold(None, |below: Option<Tree>, _| {
            Some(Tree {
                name: "t".to_owned(),
                children: below.into_iter().collect(),
            })
        })
    };
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let deepest = levels(15).unwrap();
        assert_eq!(echo.tree(&deepest).wait(PATIENCE).unwrap(), deepest);
        let deeper = levels(17).unwrap();
        assert_eq!(status(echo.tree(&deeper).wait(PATIENCE)), Status::TooLarge);
        assert_eq!(awaited(echo.tree(&deepest)).unwrap(), deepest);
    }
}

fn complex() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let several = ComplexRequest {
            messages: vec![request("a", 1), request("b", 2)],
            tags: vec!["x".to_owned(), "y".to_owned()],
            note: Some("note".to_owned()),
            retries: None,
        };
        let response = echo.complex(&several).wait(PATIENCE).unwrap();
        assert_eq!(response.summary, "a,b;x,y");
        assert_eq!(
            (response.item_count, response.has_note, response.retries),
            (4, true, -1)
        );
        let none = ComplexRequest {
            messages: Vec::new(),
            tags: Vec::new(),
            note: None,
            retries: Some(7),
        };
        let response = awaited(echo.complex(&none)).unwrap();
        assert_eq!(
            (
                response.summary.as_str(),
                response.has_note,
                response.retries
            ),
            (";", false, 7)
        );
    }
}

fn bytes_of_every_size() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        for size in [0_usize, 1, 100, 511, 512, 513, 4095, 4096, 65_536, 1 << 20] {
            let bytes: Vec<u8> = (0..size).map(|index| (index * 7) as u8).collect();
            assert!(
                echo.bytes(&bytes).wait(PATIENCE).unwrap() == bytes,
                "{size}"
            );
            assert!(awaited(echo.bytes(&bytes)).unwrap() == bytes, "{size}");
        }
    }
}

fn failures_have_their_status_and_message() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        for error in
            [echo.fail("wöy").wait(PATIENCE), awaited(echo.fail("wöy"))].map(Result::unwrap_err)
        {
            assert_eq!((error.status(), error.message()), (Status::Failed, "wöy"));
            assert_eq!(error.to_string(), "wöy");
        }
        let refused = echo.echo(&request("never", -1)).wait(PATIENCE).unwrap_err();
        assert_eq!(refused.status(), Status::Failed);
        let _: &dyn std::error::Error = &refused;
    }
    assert!(Status::QueueFull.to_string().len() > 10);
}

fn errors_have_their_type() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        for failure in [
            echo.divide(7, 0).wait(PATIENCE),
            awaited(echo.divide(7, 0)),
            awaited(echo.divide(7, 0).submit()),
        ]
        .map(Result::unwrap_err)
        {
            assert_eq!(failure, Failure::Raised(DivideError::ByZero));
            assert_eq!(failure.status(), Status::Raised);
            assert_eq!(failure.to_string(), "the handler failed with ByZero");
        }
        let overflow = echo.divide(LOWEST, -1).wait(PATIENCE).unwrap_err();
        assert_eq!(overflow.raised(), Some(&DivideError::Overflow));
        assert_eq!(echo.divide(7, -2).wait(PATIENCE), Ok(-3));
    }
    let failure = parse("12x").wait(PATIENCE).unwrap_err();
    let expected = ParseError {
        reason: "no digit".to_owned(),
        position: 2,
    };
    assert_eq!(failure.raised(), Some(&expected));
    assert_eq!(Error::from(failure).status(), Status::Raised);
    let failure = parse("").wait(PATIENCE).unwrap_err();
    assert_eq!(failure.to_string(), "there is no text");
    assert_eq!(failure.raised(), None);
    assert_eq!(parse("12").wait(PATIENCE), Ok(12));
}

fn a_variant_has_one_of_its_cases() {
    let label = |text: &str| ShapeLabel {
        text: text.to_owned(),
    };
    let shapes = vec![
        Shape::Circle(ShapeCircle { radius: 1.5 }),
        Shape::Square(ShapeSquare {
            side: 2.0,
            angle: 45.0,
        }),
        Shape::Nothing,
        Shape::Caption(label("c")),
        Shape::Group(ShapeGroup {
            parts: vec![
                Shape::Label(label("l")),
                Shape::Group(ShapeGroup { parts: Vec::new() }),
            ],
        }),
    ];
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let mut events = echo.drawn_events().unwrap();
        let color = Color::Blue;
        let mut drawing = Drawing {
            name: "d".to_owned(),
            shapes: shapes.clone(),
            is_colored: DrawingByIsColored::True(DrawingTrue { color }),
        };
        let extra = Shape::Label(label("x"));
        let mut parts = vec![Shape::Caption(label("d 7"))];
        parts.extend(shapes.iter().cloned().chain([extra.clone()]));
        let whole = Shape::Group(ShapeGroup { parts });
        assert_eq!(
            echo.draw(&drawing, Some(&extra)).wait(PATIENCE),
            Ok(whole.clone())
        );
        let drawn = events.wait(PATIENCE).unwrap().unwrap();
        assert_eq!(drawn.value, whole);
        drawing.is_colored = DrawingByIsColored::False;
        match echo.draw(&drawing, None).wait(PATIENCE) {
            Ok(Shape::Group(group)) => assert_eq!(group.parts[0], Shape::Label(label("d"))),
            other => panic!("draw gave {other:?}"),
        }
        drawing.shapes.clear();
        let failure = echo.draw(&drawing, None).wait(PATIENCE).unwrap_err();
        assert_eq!(failure.raised(), Some(&DrawError::Empty));
        drawing.shapes = vec![Shape::Nothing; 101];
        let failure = echo.draw(&drawing, None).wait(PATIENCE).unwrap_err();
        let many = DrawError::TooMany(DrawErrorTooMany { count: 101 });
        assert_eq!(failure.raised(), Some(&many));
    }
}

fn what_is_left_out_has_its_default() {
    let chorus = Chorus {
        times: 4,
        ..Chorus::new("ho")
    };
    let whole = Chorus {
        times: 1,
        text: "a".to_owned(),
        factor: 2.0,
        separator: "-".to_owned(),
        loud: false,
        color: Color::None,
        remark: Some("so: ".to_owned()),
    };
    for (chorus, expected) in [
        (Chorus::new("ho"), "ho, ho, ho! 7"),
        (chorus, "ho, ho, ho, ho, ho, ho! 7"),
        (whole, "so: a-a -1"),
    ] {
        assert_eq!(sing(&chorus).wait(PATIENCE).unwrap(), expected);
    }
    assert_eq!(EchoRequest::new("you"), request("you", 0));
}

/// What a binding cannot encode: a call whose payload was made for another method.
fn a_payload_that_is_no_value_is_refused_with_its_path() {
    struct Raw(&'static [u8]);
    impl ferry_ingress::wire::Request for Raw {
        fn weight(&self) -> usize {
            0
        }
        fn encode(
            &self,
            _: Wire,
            out: &mut Vec<u8>,
        ) -> Result<(), ferry_ingress::wire::EncodeError> {
            out.clear();
            out.extend_from_slice(self.0);
            Ok(())
        }
    }
    let echo = create(&with(Wire::Cbor), "");
    let ask = |bytes| -> Error {
        let call: Call<()> = echo
            .as_ref()
            .call::<ferry_ingress::wire::Unit>(2, &Raw(bytes));
        call.wait(PATIENCE).unwrap_err()
    };
    let bad = ask(b"\xa1\x67request\xa2\x67message\x61\xff\x68delay_ms\x00");
    assert_eq!(
        (bad.status(), bad.message()),
        (Status::BadPayload, "request.message: invalid UTF-8")
    );
    let short = ask(b"\xa1\x67request");
    assert_eq!(short.status(), Status::BadPayload);
}

fn deadlines() {
    let echo = create(&with(Wire::C), "");
    assert_eq!(
        status(
            echo.echo(&request("late", 500))
                .wait(Duration::from_millis(20))
        ),
        Status::Timeout
    );
    let ahead = echo.echo(&request("late", 500)).submit();
    assert_eq!(
        status(ahead.wait(Duration::from_millis(20))),
        Status::Timeout
    );
    assert_eq!(
        awaited(echo.echo(&request("still here", 0)))
            .unwrap()
            .echoed,
        "still here"
    );
}

fn a_cancelled_call_is_seen_by_the_library() {
    for wire in WIRES {
        let echo = create(&with(wire), "hi ");
        let mut events = echo.echoed_events().unwrap();
        let counted = || echo.cancellations().wait(PATIENCE).unwrap();
        let nap = echo.nap(60_000).submit();
        let spin = echo.spin(60_000).submit();
        std::thread::sleep(Duration::from_millis(20));
        let waiting = echo.echo(&request("never", 0)).submit();
        drop((waiting, nap, spin));
        crate::until("both are cancelled", || counted() == 2);
        // a call whose deadline passes is dropped, and so cancelled; a handler that asks sees the other kind too
        let late = Duration::from_millis(20);
        assert_eq!(
            status(echo.nap(60_000).submit().wait(late)),
            Status::Timeout
        );
        assert_eq!(status(echo.spin(60_000).wait(late)), Status::Timeout);
        crate::until("four are", || counted() == 4);
        echo.nap(1).detach().unwrap();
        assert_eq!(
            echo.echo(&request("you", 0)).wait(PATIENCE).unwrap().echoed,
            "hi you"
        );
        let event = events.wait(PATIENCE).unwrap().unwrap();
        assert_eq!(event.value.echoed, "hi you");
        assert_eq!(counted(), 4);
    }
}

fn a_running_request_says_so() {
    let echo = create(&with(Wire::C).stale(Duration::from_millis(20)), "");
    let slow = echo.echo(&request("slow", 60_000)).submit();
    crate::until("it says so", || slow.stale_count() >= 2);
    assert_eq!(
        status(echo.destroy(Duration::from_millis(1))),
        Status::Timeout
    );
    assert_eq!(status(slow.wait(PATIENCE)), Status::Closed);
}

fn a_full_queue_is_refused() {
    let echo = create(&with(Wire::C).queue_depth(8), "");
    let held: Vec<_> = (0..8)
        .map(|_| echo.echo(&request("wait", 200)).submit())
        .collect();
    assert_eq!(
        status(echo.echo(&request("more", 0)).wait(PATIENCE)),
        Status::QueueFull
    );
    assert_eq!(
        status(awaited(echo.echo(&request("more", 0)))),
        Status::QueueFull
    );
    assert_eq!(
        status(awaited(echo.echo(&request("more", 0)).submit())),
        Status::QueueFull
    );
    for call in held {
        assert_eq!(call.wait(PATIENCE).unwrap().echoed, "wait");
    }
    assert_eq!(
        echo.echo(&request("again", 0))
            .wait(PATIENCE)
            .unwrap()
            .echoed,
        "again"
    );
}

fn a_payload_over_the_limit_is_refused() {
    for wire in WIRES {
        let echo = create(&with(wire).payload_bytes(6000), "");
        for size in [7000, 60_000] {
            let large = vec![0; size];
            assert_eq!(status(echo.bytes(&large).wait(PATIENCE)), Status::TooLarge);
            assert_eq!(status(awaited(echo.bytes(&large))), Status::TooLarge);
        }
        assert_eq!(echo.bytes(&[0; 5000]).wait(PATIENCE).unwrap().len(), 5000);
    }
}

fn many_are_submitted_together() {
    for wire in WIRES {
        let echo = create(&with(wire).queue_depth(16), "");
        let mut calls: Vec<_> = (0..10)
            .map(|index| echo.echo(&request(&index.to_string(), 0)))
            .collect();
        assert_eq!(echo::submit_all(&mut calls), 10);
        for (index, call) in calls.into_iter().enumerate() {
            assert_eq!(awaited(call).unwrap().echoed, index.to_string());
        }
        // small and large payloads, of which one is refused and the rest is left as it was
        let blob = vec![7; 10_000];
        let held: Vec<_> = (0..10)
            .map(|_| echo.echo(&request("hold", 200)).submit())
            .collect();
        let mut calls: Vec<_> = (0..10).map(|_| echo.bytes(&blob)).collect();
        assert_eq!(echo::submit_all(&mut calls), 6);
        let mut calls = calls.into_iter();
        for call in calls.by_ref().take(6) {
            assert_eq!(call.wait(PATIENCE).unwrap(), blob);
        }
        assert_eq!(status(awaited(calls.next().unwrap())), Status::QueueFull);
        for call in held {
            call.wait(PATIENCE).unwrap();
        }
        for call in calls {
            assert_eq!(awaited(call).unwrap(), blob);
        }
    }
}
