// SPDX-License-Identifier: BSD-3-Clause
//! Questions that the library asks, and a host that answers, refuses, fails, is late or is gone.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use echo::{Consultation, Consulted, Echo, Event, PickAsked, PickError, Refusal, Result, Status};

use crate::{create, request, status, until, with, Case, PATIENCE, WIRES};

pub const CASES: &[Case] = &[
    ("questions_are_answered", questions_are_answered),
    (
        "questions_that_nobody_answers_end",
        questions_that_nobody_answers_end,
    ),
    ("a_question_is_answered_once", a_question_is_answered_once),
    (
        "a_question_ends_with_its_call",
        a_question_ends_with_its_call,
    ),
    ("questions_are_bounded", questions_are_bounded),
    (
        "a_function_that_answers_may_call",
        a_function_that_answers_may_call,
    ),
    (
        "a_context_ends_amid_a_question",
        a_context_ends_amid_a_question,
    ),
];

const WAIT_MS: u32 = 60_000;

fn choices() -> Vec<String> {
    vec!["tea".to_owned(), "coffee".to_owned()]
}

fn consult(echo: &Echo, title: &str, wait_ms: u32) -> Consulted {
    echo.consult(title, &choices(), wait_ms)
        .wait(PATIENCE)
        .unwrap()
}

/// What the host's function does: it answers, refuses or fails, as the title says.
fn picked(asked: &PickAsked) -> std::result::Result<u32, Refusal<PickError>> {
    match asked.title.as_str() {
        "refuse" => Err(Refusal::raised(PickError::NoneFits)),
        "fail" => Err("no idea".into()),
        "panic" => panic!("a panic that a test wants"),
        title => match asked.choices.iter().position(|each| each == title) {
            Some(place) => Ok(u32::try_from(place)?),
            None => Err("no such choice".into()),
        },
    }
}

fn returned(echo: &Echo, asked: &PickAsked) -> Status {
    status(echo.pick_return(asked.question, 0).wait(PATIENCE))
}

fn questions_are_answered() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let answering = echo.answer_pick(|asked| picked(&asked)).unwrap();
        for _ in 0..3 {
            let answered = consult(&echo, "coffee", WAIT_MS);
            assert_eq!(answered.outcome, Consultation::Answered);
            assert_eq!(answered.text, "coffee");
            let refused = consult(&echo, "refuse", WAIT_MS);
            assert_eq!(refused.outcome, Consultation::Refused);
            let failed = consult(&echo, "fail", WAIT_MS);
            assert_eq!(failed.outcome, Consultation::Failed);
            assert_eq!(failed.text, "no idea");
            let panicked = consult(&echo, "panic", WAIT_MS);
            assert_eq!(panicked.outcome, Consultation::Failed);
        }
        assert_eq!(echo.asking().wait(PATIENCE).unwrap(), 0);
        drop(answering);
    }
}

fn questions_that_nobody_answers_end() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let unheard = consult(&echo, "tea", WAIT_MS);
        assert_eq!(unheard.outcome, Consultation::Unheard);
        let mut questions = echo.pick_events().unwrap();
        let late = consult(&echo, "tea", 20);
        assert_eq!(late.outcome, Consultation::TooLate);
        let asked = questions.wait(PATIENCE).unwrap().unwrap().value;
        assert_eq!(returned(&echo, &asked), Status::BadHandle);
        let left = echo.consult("tea", &choices(), WAIT_MS).submit();
        questions.wait(PATIENCE).unwrap().unwrap();
        drop(questions);
        let left = left.wait(PATIENCE).unwrap();
        assert_eq!(left.outcome, Consultation::Unheard);
        assert_eq!(echo.asking().wait(PATIENCE).unwrap(), 0);
    }
}

fn a_question_is_answered_once() {
    for wire in WIRES {
        let (echo, other) = (create(&with(wire), ""), create(&with(wire), ""));
        let (heard, hear) = channel();
        let listening = echo
            .on_pick(move |asked: Result<Event<PickAsked>>| {
                heard.send(asked.unwrap().value).unwrap()
            })
            .unwrap();
        let calls = ["tea", "coffee"].map(|title| {
            let call = echo.consult(title, &choices(), WAIT_MS).submit();
            (title, call)
        });
        let asked = [hear.recv().unwrap(), hear.recv().unwrap()];
        assert_eq!(returned(&other, &asked[0]), Status::BadHandle);
        thread::scope(|scope| {
            scope.spawn(|| {
                for each in asked.iter().rev() {
                    let place = picked(each).unwrap();
                    echo.pick_return(each.question, place)
                        .wait(PATIENCE)
                        .unwrap();
                    assert_eq!(returned(&echo, each), Status::BadHandle);
                    let refused = echo.pick_raise(each.question, PickError::NoneFits);
                    assert_eq!(status(refused.wait(PATIENCE)), Status::BadHandle);
                    let failed = echo.pick_fail(each.question, "again");
                    assert_eq!(status(failed.wait(PATIENCE)), Status::BadHandle);
                }
            });
        });
        for (title, call) in calls {
            assert_eq!(call.wait(PATIENCE).unwrap().text, title);
        }
        drop(listening);
    }
}

fn a_question_ends_with_its_call() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let mut questions = echo.pick_events().unwrap();
        let call = echo.consult("tea", &choices(), WAIT_MS).submit();
        let cancelled = questions.wait(PATIENCE).unwrap().unwrap().value;
        assert_eq!(echo.asking().wait(PATIENCE).unwrap(), 1);
        drop(call);
        let late = echo.consult("tea", &choices(), 300);
        assert_eq!(
            status(late.wait(Duration::from_millis(20))),
            Status::Timeout
        );
        let left = questions.wait(PATIENCE).unwrap().unwrap().value;
        until("the questions have ended", || {
            echo.asking().wait(PATIENCE).unwrap() == 0
        });
        assert_eq!(returned(&echo, &cancelled), Status::BadHandle);
        assert_eq!(returned(&echo, &left), Status::BadHandle);
    }
}

fn questions_are_bounded() {
    const MOST: usize = 64;
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let mut questions = echo.pick_events().unwrap();
        let mut calls: Vec<_> = (0..=MOST)
            .map(|_| echo.consult("tea", &choices(), WAIT_MS).submit())
            .collect();
        let refused = calls.pop().unwrap().wait(PATIENCE).unwrap();
        assert_eq!(refused.outcome, Consultation::TooMany);
        for _ in 0..MOST {
            let asked = questions.wait(PATIENCE).unwrap().unwrap().value;
            echo.pick_return(asked.question, 0).wait(PATIENCE).unwrap();
        }
        for call in calls {
            assert_eq!(call.wait(PATIENCE).unwrap().text, "tea");
        }
        drop(questions);
        let answering = echo.answer_pick(|asked| picked(&asked)).unwrap();
        assert_eq!(consult(&echo, "tea", WAIT_MS).text, "tea");
        drop(answering);
    }
}

fn a_function_that_answers_may_call() {
    for wire in WIRES {
        let echo = Arc::new(create(&with(wire), ""));
        let theirs = Arc::clone(&echo);
        let answering = echo
            .answer_pick(move |asked| {
                let reply = theirs.echo(&request("inside", 1)).wait(PATIENCE)?;
                assert_eq!(reply.echoed, "inside");
                picked(&asked)
            })
            .unwrap();
        assert_eq!(consult(&echo, "coffee", WAIT_MS).text, "coffee");
        drop(answering);
    }
}

fn a_context_ends_amid_a_question() {
    for wire in WIRES {
        let echo = create(&with(wire), "");
        let (heard, hear) = channel();
        let heard = Mutex::new(heard);
        // what listens and does not answer goes first, so the call is not waited for until its deadline
        let listening = echo
            .on_pick(move |_| heard.lock().unwrap().send(()).unwrap())
            .unwrap();
        let call = echo.consult("tea", &choices(), WAIT_MS).submit();
        hear.recv().unwrap();
        drop(listening);
        echo.destroy(PATIENCE).unwrap();
        match call.wait(PATIENCE) {
            Ok(consulted) => assert_eq!(consulted.outcome, Consultation::Unheard),
            Err(error) => assert_eq!(error.status(), Status::Closed),
        }
    }
}
