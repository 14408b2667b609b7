// SPDX-License-Identifier: BSD-3-Clause
//! Questions that a library asks its host, and the answers that it waits for (spec/interface.md, A1 to A8).
//!
//! A question is a handle and a future. The handle is closed when the question has its outcome, and when the future is
//! dropped: so an answer that comes later, or twice, is refused. While the future is waited for, it looks now and then
//! whether anybody still listens.

use std::borrow::Borrow;
use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context as TaskContext, Poll, Waker};
use std::time::{Duration, Instant};

use ferry_ingress::wire::{self, Codec, EncodeError};

use crate::core::Provider;
use crate::reply::with_scratch;
use crate::task::{Sleep, Tasks};

/// How many questions of one context may be open (A4).
const QUESTIONS_MAX: u32 = 64;
/// How long an answer is waited for, unless the library says otherwise.
const QUESTION_TIME: Duration = Duration::from_secs(60);
/// The longest time that may be said: a day.
const QUESTION_TIME_MAX: Duration = Duration::from_secs(86400);
/// How often a question looks whether anybody listens.
const LOOK: Duration = Duration::from_millis(100);

/// Why a question has no answer. `E` is the error that the question declares, if it declares one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unanswered<E = Infallible> {
    /// The host does not listen, or has stopped.
    Nobody,
    /// As many questions are open as may be, or there is no memory for another.
    TooMany,
    /// No answer came in time.
    TooLate,
    /// The host's function failed, with this message.
    Failed(String),
    /// Nobody waits any more for the call in whose course it was asked.
    Cancelled,
    /// The host refused, with the error that the question declares.
    Refused(E),
}

impl<E: fmt::Debug> fmt::Display for Unanswered<E> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unanswered::Nobody => {
                out.write_str("nobody answers: the host does not listen to the question")
            }
            Unanswered::TooMany => write!(
                out,
                "too many questions are open: {QUESTIONS_MAX} of one context may be"
            ),
            Unanswered::TooLate => out.write_str("no answer came in time"),
            Unanswered::Cancelled => out.write_str("nobody waits for the call any more"),
            Unanswered::Failed(message) => out.write_str(message),
            Unanswered::Refused(error) => write!(out, "{error:?}"),
        }
    }
}

type Outcome<T, E> = Result<T, Unanswered<E>>;

/// A question as the methods that bring its answer find it: the object behind its handle.
pub(crate) struct Open<T, E> {
    outcome: RefCell<Option<Outcome<T, E>>>,
    waker: RefCell<Option<Waker>>,
}

impl<T, E> Open<T, E> {
    /// Give the question its outcome, unless it has one.
    pub(crate) fn settle(&self, outcome: Outcome<T, E>) -> bool {
        if self.outcome.borrow().is_some() {
            return false;
        }
        *self.outcome.borrow_mut() = Some(outcome);
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
        true
    }
}

/// A question to the host, which was asked: a future of the answer, for [`Reply::future`](crate::Reply::future). To drop
/// it is to want no answer any more, so a question ends with the call in whose course it was asked.
pub struct Question<T, E = Infallible> {
    open: Rc<Open<T, E>>,
    provider: Provider,
    tasks: Rc<Tasks>,
    count: Rc<Cell<u32>>,
    event: u32,
    kind: u32,
    /// 0: hosts do not know the question, or no longer.
    id: u64,
    due: Instant,
    look: Option<Pin<Box<Sleep>>>,
}

/// What a context asks with.
pub(crate) struct Asker<'a> {
    pub provider: Provider,
    pub tasks: &'a Rc<Tasks>,
    pub count: &'a Rc<Cell<u32>>,
}

impl<T: 'static, E: 'static> Question<T, E> {
    /// Ask, by the numbers of the event and of the kind of handles. `asked` makes what is asked.
    pub(crate) fn new<C: Codec>(
        asker: &Asker<'_>,
        event: u32,
        kind: u32,
        asked: impl FnOnce(u64) -> C::Value,
    ) -> Question<T, E> {
        let mut question = Question {
            open: Rc::new(Open {
                outcome: RefCell::new(None),
                waker: RefCell::new(None),
            }),
            provider: asker.provider,
            tasks: Rc::clone(asker.tasks),
            count: Rc::clone(asker.count),
            event,
            kind,
            id: 0,
            due: Instant::now() + QUESTION_TIME,
            look: None,
        };
        if question.count.get() >= QUESTIONS_MAX {
            question.open.settle(Err(Unanswered::TooMany));
        } else if !question.is_heard() {
            question.open.settle(Err(Unanswered::Nobody));
        } else {
            question.send::<C>(asked);
        }
        question
    }

    fn send<C: Codec>(&mut self, asked: impl FnOnce(u64) -> C::Value) {
        self.id = self
            .provider
            .open(self.kind, Rc::new(Rc::clone(&self.open)));
        if self.id == 0 {
            self.open.settle(Err(Unanswered::TooMany));
            return;
        }
        self.count.set(self.count.get() + 1);
        let value = asked(self.id);
        for wire in self.provider.wires(self.event) {
            let sent = with_scratch(|buffer| {
                wire::encode::<C>(wire, value.borrow(), buffer)?;
                self.provider.emit(self.event, wire, buffer);
                Ok::<(), EncodeError>(())
            });
            if let Err(error) = sent {
                let why = format!("the question cannot be sent: {error}");
                self.open.settle(Err(Unanswered::Failed(why)));
            }
        }
    }

    /// Wait for the answer for that long from now on, a day at most, and not for a minute.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Question<T, E> {
        self.due = Instant::now() + time.min(QUESTION_TIME_MAX);
        self.look = None;
        self
    }

    fn is_heard(&self) -> bool {
        self.provider.wires(self.event).next().is_some()
    }

    /// Why no answer will come, if that is known.
    fn hopeless(&self) -> Option<Unanswered<E>> {
        if self.tasks.is_left() {
            Some(Unanswered::Cancelled)
        } else if Instant::now() >= self.due {
            Some(Unanswered::TooLate)
        } else if !self.is_heard() {
            Some(Unanswered::Nobody)
        } else {
            None
        }
    }
}

impl<T, E> Question<T, E> {
    /// Hosts know it no longer.
    fn close(&mut self) {
        if self.id != 0 {
            drop(self.provider.close(self.kind, self.id));
            self.id = 0;
            self.count.set(self.count.get() - 1);
        }
    }
}

impl<T: 'static, E: 'static> Future for Question<T, E> {
    type Output = Outcome<T, E>;

    fn poll(mut self: Pin<&mut Self>, task: &mut TaskContext<'_>) -> Poll<Outcome<T, E>> {
        let this = &mut *self;
        loop {
            let settled = this.open.outcome.take();
            if let Some(outcome) = settled.or_else(|| this.hopeless().map(Err)) {
                this.close();
                return Poll::Ready(outcome);
            }
            *this.open.waker.borrow_mut() = Some(task.waker().clone());
            let (due, tasks) = (this.due, &this.tasks);
            let look = this.look.get_or_insert_with(|| {
                Box::pin(Sleep::new(Rc::clone(tasks), due.min(Instant::now() + LOOK)))
            });
            if look.as_mut().poll(task).is_pending() {
                return Poll::Pending;
            }
            this.look = None;
        }
    }
}

impl<T, E> Drop for Question<T, E> {
    fn drop(&mut self) {
        self.close();
    }
}
