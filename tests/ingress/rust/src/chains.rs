// SPDX-License-Identifier: BSD-3-Clause
//! Chains: calls that take results of earlier ones, whatever fails in the middle. Chains travel in format `cbor`,
//! whatever format the other calls of their context have.

use std::time::Duration;

use echo::{
    AllTypes, Color, ComplexRequest, DivideError, Draft, Drawing, DrawingByIsColored, DrawingTrue,
    EchoChain, EchoRequest, EchoResponse, Failure, Shape, ShapeGroup, ShapeLabel, Status, Tree,
};

use crate::random::Random;
use crate::{awaited, create, request, status, until, with, Case, PATIENCE, WIRES};

pub const CASES: &[Case] = &[
    (
        "a_handle_is_opened_read_and_closed_by_a_chain",
        a_handle_is_opened_read_and_closed_by_a_chain,
    ),
    ("parts_of_results_are_taken", parts_of_results_are_taken),
    (
        "promises_stand_inside_objects_that_are_passed",
        promises_stand_inside_objects_that_are_passed,
    ),
    ("promises_stand_in_maps", promises_stand_in_maps),
    (
        "a_chain_reaches_into_variants",
        a_chain_reaches_into_variants,
    ),
    (
        "a_chain_gives_what_calls_in_turn_give",
        a_chain_gives_what_calls_in_turn_give,
    ),
    (
        "what_needs_a_failed_call_is_skipped",
        what_needs_a_failed_call_is_skipped,
    ),
    (
        "of_a_refused_chain_nothing_has_run",
        of_a_refused_chain_nothing_has_run,
    ),
    ("a_deadline_ends_a_chain", a_deadline_ends_a_chain),
    (
        "a_chain_is_awaited_and_cancelled",
        a_chain_is_awaited_and_cancelled,
    ),
    (
        "of_a_chain_that_is_dropped_nothing_begins",
        of_a_chain_that_is_dropped_nothing_begins,
    ),
    (
        "a_chain_of_a_context_that_ends_is_answered",
        a_chain_of_a_context_that_ends_is_answered,
    ),
    ("chains_of_many_threads", chains_of_many_threads),
];

fn a_handle_is_opened_read_and_closed_by_a_chain() {
    for wire in WIRES {
        let echo = create(&with(wire), "hi ");
        let mut chain = echo.chain();
        let reader = chain.open("a text");
        let (start, rest) = (chain.read(&reader, 6), chain.read(&reader, 6));
        let closed = chain.close(&reader);
        let late = chain.read(&reader, 1);
        let results = chain.submit(PATIENCE).unwrap();
        assert_eq!(start.result(&results).unwrap().as_deref(), Some("a text"));
        assert_eq!(rest.result(&results).unwrap(), None);
        closed.result(&results).unwrap();
        assert_eq!(status(late.result(&results)), Status::BadHandle);
        // a promised handle is its number, which was closed
        let reader = reader.result(&results).unwrap();
        assert_eq!(
            status(echo.read(reader, 1).wait(PATIENCE)),
            Status::BadHandle
        );
    }
}

fn parts_of_results_are_taken() {
    let mut value = Random::new(3).all_types();
    value.blobs = vec![Vec::new(), b"12".to_vec()];
    value.maybe_words = vec![None, Some("word".to_owned())];
    value.maybe_object = Some(request("inner", 1));
    value.maybe_text = None;
    value.an_object = request("given", 0);
    let leaf = |name: &str, children| Tree {
        name: name.to_owned(),
        children,
    };
    let root = leaf(
        "root",
        vec![leaf("first", Vec::new()), leaf("second", Vec::new())],
    );
    for wire in WIRES {
        let echo = create(&with(wire), "hi ");
        let mut chain = echo.chain();
        let said = chain.echo(&request("x", 0));
        let maybe = chain.maybe(said.field(EchoResponse::ECHOED));
        let all = chain.all(&value);
        let inner = all.field(AllTypes::MAYBE_OBJECT);
        let text = chain.open(inner.field(EchoRequest::MESSAGE));
        let again = chain.echo(all.field(AllTypes::AN_OBJECT));
        let bytes = chain.bytes(all.field(AllTypes::BLOBS).at(1));
        let words = all.field(AllTypes::MAYBE_WORDS);
        let (none, some) = (chain.maybe(words.at(0)), chain.maybe(&words.at(1)));
        let absent = chain.maybe(all.field(AllTypes::MAYBE_TEXT));
        let tree = chain.tree(&root);
        let child = tree.field(Tree::CHILDREN).at(1);
        let (branch, name) = (chain.tree(&child), chain.open(child.field(Tree::NAME)));
        let read = chain.read(&name, 99);
        let beyond = chain.tree(tree.field(Tree::CHILDREN).at(2));
        let results = chain.submit(PATIENCE).unwrap();
        assert_eq!(maybe.result(&results).unwrap().as_deref(), Some("hi x"));
        assert_eq!(all.result(&results).unwrap(), value);
        text.result(&results).unwrap();
        let expected = echo.echo(&value.an_object).wait(PATIENCE).unwrap();
        assert_eq!(again.result(&results).unwrap().echoed, expected.echoed);
        assert_eq!(bytes.result(&results).unwrap(), b"12");
        assert_eq!(none.result(&results).unwrap(), None);
        assert_eq!(some.result(&results).unwrap().as_deref(), Some("word"));
        assert_eq!(absent.result(&results).unwrap(), None);
        assert_eq!(branch.result(&results).unwrap(), root.children[1]);
        assert_eq!(read.result(&results).unwrap().as_deref(), Some("second"));
        let error = beyond.result(&results).unwrap_err();
        assert_eq!(error.status(), Status::BadPayload);
        assert!(error.message().contains("children[2]"), "{error}");
    }
}

fn promises_stand_inside_objects_that_are_passed() {
    let last = request("last", 0);
    let whole = ComplexRequest {
        messages: vec![last.clone()],
        tags: vec!["t".to_owned()],
        note: Some("note".to_owned()),
        retries: None,
    };
    for wire in WIRES {
        let echo = create(&with(wire), "hi ");
        let mut chain = echo.chain();
        let text = chain.echo(&request("x", 0)).field(EchoResponse::ECHOED);
        let none = chain.maybe(None);
        let said = Draft::of(&request("not this", 1)).put(EchoRequest::MESSAGE, &text);
        let second = chain.echo(&said);
        // the same draft twice, elements, and options that are there and are not
        let whole = Draft::of(&whole)
            .put(
                ComplexRequest::MESSAGES,
                Draft::list().push(&said).push(&said).push(&last),
            )
            .put(ComplexRequest::TAGS, Draft::list().push("t").push(&text))
            .put(ComplexRequest::RETRIES, Some(3));
        let noted = chain.complex(whole.clone().put(ComplexRequest::NOTE, &text));
        let taken = chain.complex(whole.clone().put(ComplexRequest::NOTE, &none));
        let plain = chain.complex(&whole.put(ComplexRequest::NOTE, None));
        let results = chain.submit(PATIENCE).unwrap();
        assert_eq!(second.result(&results).unwrap().echoed, "hi hi x");
        let noted = noted.result(&results).unwrap();
        assert_eq!(noted.summary, "hi x,hi x,last;t,hi x");
        assert!(noted.has_note && noted.retries == 3);
        for promise in [taken, plain] {
            let found = promise.result(&results).unwrap();
            assert_eq!((found.has_note, &found.summary), (false, &noted.summary));
        }
        let mut other = echo.chain();
        other.echo(said);
        assert_eq!(status(other.submit(PATIENCE)), Status::BadArgument);
    }
}

fn promises_stand_in_maps() {
    let value = Random::new(5).all_types();
    for wire in WIRES {
        let echo = create(&with(wire), "hi ");
        let mut chain = echo.chain();
        let said = chain.echo(&request("x", 0)).field(EchoResponse::ECHOED);
        let (number, all) = (chain.sum(40, 2), chain.all(&value));
        // as they travel the keys are 5, 300, -1: what is promised stands between others
        let texts = Draft::map()
            .insert(&-1, "minus")
            .insert(&300, "not this")
            .insert(&5, "five")
            .insert(&300, &said);
        let object = Draft::of(&request("not this", 7)).put(EchoRequest::MESSAGE, &said);
        let objects = Draft::map()
            .insert("whole", all.field(AllTypes::AN_OBJECT))
            .insert("of", &object);
        let numbers = Draft::map().insert("longer", 1).insert("n", &number);
        let draft = Draft::of(&value)
            .put(AllTypes::TEXT_BY_NUMBER, texts)
            .put(AllTypes::NUMBER_BY_TEXT, numbers)
            .put(AllTypes::OBJECTS_BY_TEXT, objects);
        let given = chain.all(draft);
        let object = given.field(AllTypes::OBJECTS_BY_TEXT).key("of");
        let message = object.field(EchoRequest::MESSAGE);
        let again = chain.echo(Draft::of(&request("", 0)).put(EchoRequest::MESSAGE, message));
        let numbers = given.field(AllTypes::NUMBER_BY_TEXT);
        let more = chain.sum(numbers.key("n"), 1);
        let gone = chain.sum(numbers.key("gone"), 1);
        let results = chain.submit(PATIENCE).unwrap();
        assert_eq!(again.result(&results).unwrap().echoed, "hi hi x");
        assert_eq!(more.result(&results).unwrap(), 43);
        let error = gone.result(&results).unwrap_err();
        assert_eq!(error.status(), Status::BadPayload);
        assert!(
            error.message().ends_with("number_by_text.gone: missing"),
            "{error}"
        );
        for key in ["", "a.b", "a[0]", "]", "\0"] {
            let mut chain = echo.chain();
            let numbers = chain.all(&value).field(AllTypes::NUMBER_BY_TEXT);
            chain.sum(numbers.key(key), 1);
            let error = chain.submit(PATIENCE).unwrap_err();
            assert_eq!(error.status(), Status::BadArgument);
            assert!(error.message().contains("no key of a map"), "{error}");
        }
        let mut expected = value.clone();
        expected.text_by_number = [(-1, "minus"), (300, "hi x"), (5, "five")]
            .map(|(key, text)| (key, text.to_owned()))
            .into();
        expected.number_by_text = [("longer".to_owned(), 1), ("n".to_owned(), 42)].into();
        expected.objects_by_text = [
            ("whole".to_owned(), value.an_object.clone()),
            ("of".to_owned(), request("hi x", 7)),
        ]
        .into();
        assert_eq!(given.result(&results).unwrap(), expected);
    }
}

fn a_chain_reaches_into_variants() {
    let label = |text: &str| ShapeLabel {
        text: text.to_owned(),
    };
    let group = |parts| Shape::Group(ShapeGroup { parts });
    let drawing = |name: &str, shapes| Drawing {
        name: name.to_owned(),
        shapes,
        is_colored: DrawingByIsColored::True(DrawingTrue { color: Color::Blue }),
    };
    let x = Shape::Label(label("x"));
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let mut chain = echo.chain();
        let drawn = chain.draw(&drawing("d", vec![x.clone(), Shape::Nothing]), None);
        let parts = drawn.case(Shape::GROUP).field(ShapeGroup::PARTS);
        let caption = parts.at(0).case(Shape::CAPTION);
        let name = caption.field(ShapeLabel::TEXT);
        let named = Draft::of(&label("not this")).put(ShapeLabel::TEXT, &name);
        let inside = Draft::list()
            .push(Draft::case(Shape::CAPTION, named))
            .push(parts.at(1))
            .push(&drawn);
        let outer = Draft::of(&ShapeGroup { parts: Vec::new() }).put(ShapeGroup::PARTS, inside);
        let again = chain.draw(
            Draft::of(&drawing("", Vec::new()))
                .put(Drawing::NAME, &name)
                .put(
                    Drawing::SHAPES,
                    Draft::list().push(Draft::case(Shape::GROUP, outer)),
                ),
            parts.at(1),
        );
        let other = chain.draw(
            Draft::of(&drawing("", Vec::new())).put(Drawing::NAME, &name),
            Draft::case(Shape::LABEL, &caption),
        );
        let wrong = chain.open(parts.at(0).case(Shape::LABEL).field(ShapeLabel::TEXT));
        let beyond = chain.draw(
            &drawing("w", Vec::new()),
            Draft::case(Shape::CIRCLE, parts.at(2).case(Shape::CIRCLE)),
        );
        let skipped = chain.close(&wrong);
        let results = chain.submit(PATIENCE).unwrap();
        let (first, second) = (Shape::Caption(label("d 7")), Shape::Caption(label("d 7 7")));
        let drawn = drawn.result(&results).unwrap();
        assert_eq!(drawn, group(vec![first.clone(), x.clone(), Shape::Nothing]));
        let whole = group(vec![first, x.clone(), drawn]);
        assert_eq!(
            again.result(&results).unwrap(),
            group(vec![second.clone(), whole, x.clone()])
        );
        assert_eq!(
            other.result(&results).unwrap(),
            group(vec![second, Shape::Label(label("d 7"))])
        );
        let error = wrong.result(&results).unwrap_err();
        assert_eq!(
            (error.status(), error.message()),
            (
                Status::BadPayload,
                "request 0 of the chain, group.parts[0].label.text: missing"
            )
        );
        let error = beyond.result(&results).unwrap_err();
        assert_eq!(error.status(), Status::BadPayload);
        assert!(error.to_string().contains("group.parts[2].circle: missing"));
        assert_eq!(status(skipped.result(&results)), Status::Skipped);
    }
}

fn a_chain_gives_what_calls_in_turn_give() {
    let mut random = Random::new(17);
    let several = ComplexRequest {
        messages: vec![request("a", 1), request("b", 2)],
        tags: vec!["x".to_owned()],
        note: Some("note".to_owned()),
        retries: None,
    };
    for wire in WIRES {
        let echo = create(&with(wire), "");
        for _ in 0..40 {
            let (value, root, text) = (random.all_types(), random.tree(4), random.text());
            let mut chain = echo.chain();
            let all = chain.all(&value);
            let again = chain.all(&all);
            let tree = chain.tree(&root);
            let (none, some) = (chain.maybe(None), chain.maybe(Some(text.as_str())));
            let bytes = (chain.bytes(b"12"), chain.bytes(&value.some_bytes));
            let reader = chain.open(&text);
            let version = chain.version();
            let complex = chain.complex(&several);
            let first = chain.sum(1, -3);
            let sum = chain.sum(&first, first.clone());
            let results = chain.submit(PATIENCE).unwrap();
            assert_eq!(all.result(&results).unwrap(), value);
            assert_eq!(again.result(&results).unwrap(), value);
            assert_eq!(tree.result(&results).unwrap(), root);
            assert_eq!(none.result(&results).unwrap(), None);
            assert_eq!(some.result(&results).unwrap(), Some(text));
            assert_eq!(bytes.0.result(&results).unwrap(), b"12");
            assert_eq!(bytes.1.result(&results).unwrap(), value.some_bytes);
            reader.result(&results).unwrap();
            assert_eq!(version.result(&results).unwrap(), "0.1.0");
            let expected = echo.complex(&several).wait(PATIENCE).unwrap();
            assert_eq!(complex.result(&results).unwrap(), expected);
            assert_eq!(sum.result(&results).unwrap(), -4);
        }
    }
}

fn what_needs_a_failed_call_is_skipped() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let mut chain = echo.chain();
        let divided = chain.divide(1, 0);
        let skipped = chain.sum(&divided, 1);
        let failed = chain.fail("no");
        chain.after(&failed);
        let needs = chain.version();
        let alone = chain.sum(1, 2);
        chain.after(&alone);
        chain.after(&needs);
        let both = chain.version();
        chain.after(&alone);
        let runs = chain.version();
        let results = chain.submit(PATIENCE).unwrap();
        assert_eq!(
            divided.result(&results),
            Err(Failure::Raised(DivideError::ByZero))
        );
        for (promise, cause) in [(&needs, 2), (&both, 2)] {
            let error = promise.result(&results).unwrap_err();
            let message = format!("request {cause} of the chain failed, so this one did not run");
            assert_eq!(
                (error.status(), error.message()),
                (Status::Skipped, &*message)
            );
        }
        let error = skipped.result(&results).unwrap_err();
        assert_eq!(error.status(), Status::Skipped);
        assert!(error.message().starts_with("request 0 of the chain"));
        let error = failed.result(&results).unwrap_err();
        assert_eq!((error.status(), error.message()), (Status::Failed, "no"));
        assert_eq!(alone.result(&results).unwrap(), 3);
        assert_eq!(runs.result(&results).unwrap(), "0.1.0");
    }
}

/// What makes a chain one that is refused.
type Spoil<'a> = &'a dyn Fn(&mut EchoChain);

fn of_a_refused_chain_nothing_has_run() {
    let echo = create(&with(WIRES[0]), "");
    let mut ticks = echo.tick_events().unwrap();
    let mut other = echo.chain();
    let foreign = other.sum(1, 2);
    let takes = |chain: &mut EchoChain| {
        chain.sum(&foreign, 1);
    };
    let needs = |chain: &mut EchoChain| {
        chain.after(&foreign);
        chain.version();
    };
    let long = |chain: &mut EchoChain| {
        (0..64).for_each(|_| drop(chain.version()));
    };
    let linked = |chain: &mut EchoChain| {
        let first = chain.sum(1, 2);
        (0..257).for_each(|_| chain.after(&first));
        chain.version();
    };
    let deep = |chain: &mut EchoChain| {
        let tree = chain.tree(&Tree {
            name: String::new(),
            children: Vec::new(),
        });
        let mut below = tree.field(Tree::CHILDREN).at(0);
        for _ in 0..30 {
            below = below.field(Tree::CHILDREN).at(0);
        }
        chain.tree(&below);
    };
    let large = |chain: &mut EchoChain| {
        let tree = (0..17).fold(None, |below: Option<Tree>, _| {
            Some(Tree {
                name: "t".to_owned(),
                children: below.into_iter().collect(),
            })
        });
        chain.tree(&tree.unwrap());
    };
    let cases: [(Spoil<'_>, Status, &str); 6] = [
        (&takes, Status::BadArgument, "another chain"),
        (&needs, Status::BadArgument, "another chain"),
        (&long, Status::BadArgument, "1 to 64 requests"),
        (&linked, Status::BadArgument, "256"),
        (&deep, Status::BadArgument, "request 2, children[0]."),
        (&large, Status::TooLarge, "32 levels"),
    ];
    for (spoil, what, says) in cases {
        for is_awaited in [false, true] {
            let mut chain = echo.chain();
            chain.ticks(1);
            spoil(&mut chain);
            let refused = if is_awaited {
                awaited(chain.submit_async())
            } else {
                chain.submit(PATIENCE)
            };
            let error = refused.expect_err("a refusal");
            assert_eq!(error.status(), what, "{error}");
            assert!(error.message().contains(says), "{error}");
        }
    }
    assert_eq!(
        status(echo.chain().submit(PATIENCE)),
        Status::BadArgument,
        "empty"
    );
    assert_eq!(
        status(ticks.wait(Duration::from_millis(20))),
        Status::Timeout
    );
    // results are those of their own chain
    let mut chain = echo.chain();
    chain.sum(3, 4);
    let results = chain.submit(PATIENCE).unwrap();
    assert_eq!(status(foreign.result(&results)), Status::BadArgument);
}

fn a_deadline_ends_a_chain() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let mut chain = echo.chain();
        let slow = chain.spin(400);
        let late = chain.sum(1, 2);
        let needs = chain.sum(&late, 1);
        let results = chain.submit(Duration::from_millis(100)).unwrap();
        assert_eq!(status(slow.result(&results)), Status::Timeout);
        assert_eq!(status(late.result(&results)), Status::Timeout);
        let needs = status(needs.result(&results));
        assert!(matches!(needs, Status::Timeout | Status::Skipped));
        assert_eq!(echo.maybe(None).wait(PATIENCE).unwrap(), None);
    }
}

fn a_chain_is_awaited_and_cancelled() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let mut chain = echo.chain();
        let reader = chain.open("a text");
        let read = chain.read(&reader, 9);
        let fails = chain.divide(1, 0);
        chain.close(&reader);
        let submitted = chain.submit_async();
        // it goes to another thread, and so do its results
        let results = std::thread::spawn(move || awaited(submitted).unwrap());
        let results = results.join().unwrap();
        assert_eq!(read.result(&results).unwrap().as_deref(), Some("a text"));
        assert!(fails.result(&results).unwrap_err().raised().is_some());
        let counted = || echo.cancellations().wait(PATIENCE).unwrap();
        let mut ticks = echo.tick_events().unwrap();
        // one that is cancelled before it has begun never runs, which nobody counts
        until("a nap is cancelled", || {
            let mut chain = echo.chain();
            let nap = chain.nap(60_000);
            chain.after(&nap);
            chain.ticks(1);
            let submitted = chain.submit_async();
            std::thread::sleep(Duration::from_millis(20));
            drop(submitted);
            std::thread::sleep(Duration::from_millis(20));
            counted() > 0
        });
        assert_eq!(
            status(ticks.wait(Duration::from_millis(20))),
            Status::Timeout
        );
    }
}

fn of_a_chain_that_is_dropped_nothing_begins() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let mut ticks = echo.tick_events().unwrap();
        for _ in 0..20 {
            let mut chain = echo.chain();
            chain.spin(60_000);
            for _ in 0..40 {
                chain.ticks(1);
            }
            let submitted = chain.submit_async();
            std::thread::sleep(Duration::from_millis(5));
            drop(submitted);
            assert_eq!(echo.maybe(None).wait(PATIENCE).unwrap(), None);
        }
        assert_eq!(
            status(ticks.wait(Duration::from_millis(20))),
            Status::Timeout
        );
    }
}

fn a_chain_of_a_context_that_ends_is_answered() {
    for wire in WIRES {
        let echo = create(&with(wire).destroy_timeout(Duration::from_millis(50)), "");
        let mut gone = echo.chain();
        gone.version();
        let mut chain = echo.chain();
        let (slow, after) = (chain.nap(60_000), chain.sum(1, 2));
        let waiting = std::thread::spawn(move || {
            let results = chain.submit(PATIENCE).unwrap();
            (
                status(slow.result(&results)),
                status(after.result(&results)),
            )
        });
        std::thread::sleep(Duration::from_millis(50));
        drop(echo);
        let (slow, after) = waiting.join().unwrap();
        for told in [slow, after] {
            assert!(
                matches!(told, Status::Closed | Status::Cancelled),
                "{told:?}"
            );
        }
        let told = status(gone.submit(PATIENCE));
        assert!(matches!(told, Status::Closed | Status::BadToken));
    }
}

fn chains_of_many_threads() {
    let echo = create(&with(WIRES[1]), "");
    std::thread::scope(|scope| {
        for number in 0..4 {
            let echo = &echo;
            scope.spawn(move || {
                for round in 0..50 {
                    let text = format!("{number} {round}");
                    let mut chain = echo.chain();
                    let reader = chain.open(&text);
                    let read = chain.read(&reader, 99);
                    chain.close(&reader);
                    let results = if round % 2 == 0 {
                        chain.submit(PATIENCE)
                    } else {
                        awaited(chain.submit_async())
                    };
                    assert_eq!(read.result(&results.unwrap()).unwrap(), Some(text));
                }
            });
        }
    });
}
