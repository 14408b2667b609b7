// SPDX-License-Identifier: BSD-3-Clause
//! Futures that a library thread runs, and its timers.
//!
//! A waker, on any thread, puts the number of its task into a list and has the core call `turn`, which runs the tasks of
//! that list once. What a task wakes while it is polled runs when `turn` is called again, so requests come in between.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

use crate::core::{self, shielded, Id, Provider};
use crate::reply::Told;

/// A call that is served by a future.
pub(crate) trait Serving {
    /// Run it on. When it is ready, it has answered.
    fn run(&mut self, task: &mut Context<'_>) -> Poll<()>;
    /// Which call it is.
    fn id(&self) -> Id;
    /// Drop the future, and tell the host why.
    fn give_up(self: Box<Self>, told: Told);
}

type Boxed = Box<dyn Serving>;

/// The tasks that have been woken.
struct Ready {
    numbers: Mutex<Vec<u64>>,
    library_thread: core::Waker,
}

struct TaskWaker {
    number: u64,
    ready: Arc<Ready>,
}

impl Wake for TaskWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        lock(&self.ready.numbers).push(self.number);
        self.ready.library_thread.wake();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // nothing panics while it is locked
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The tasks and timers of one library thread.
pub(crate) struct Tasks {
    ready: Arc<Ready>,
    waiting: RefCell<HashMap<u64, Boxed>>,
    /// Tasks by the calls that they serve.
    calls: RefCell<HashMap<Id, u64>>,
    timers: RefCell<BTreeMap<(Instant, u64), Waker>>,
    next: Cell<u64>,
    /// The call that a method is serving now, which is not answered before the method has returned.
    serving: Cell<Option<Id>>,
    /// The call whose future is polled now, which is not answered before that has returned.
    polling: Cell<Option<Id>>,
}

/// While this lives, the future of a call is polled.
pub(crate) struct Polling<'a>(&'a Tasks, Option<Id>);

impl Drop for Polling<'_> {
    fn drop(&mut self) {
        self.0.polling.set(self.1);
    }
}

impl Tasks {
    pub(crate) fn new(provider: Provider) -> Tasks {
        Tasks {
            ready: Arc::new(Ready {
                numbers: Mutex::new(Vec::new()),
                library_thread: core::Waker::new(provider),
            }),
            waiting: RefCell::default(),
            calls: RefCell::default(),
            timers: RefCell::default(),
            next: Cell::new(0),
            serving: Cell::new(None),
            polling: Cell::new(None),
        }
    }

    /// A method begins to serve a call, or has returned.
    pub(crate) fn serve(&self, call: Option<Id>) {
        self.serving.set(call);
    }

    /// Whether the call that is being served was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.serving.get().map_or(false, core::is_cancelled)
    }

    /// The future of a call, which is not answered, is polled as long as what this returns lives.
    pub(crate) fn poll(&self, call: Id) -> Polling<'_> {
        Polling(self, self.polling.replace(Some(call)))
    }

    /// Whether nobody waits any more for the call whose future is polled.
    pub(crate) fn is_left(&self) -> bool {
        self.polling.get().map_or(false, core::is_cancelled)
    }

    fn number(&self) -> u64 {
        let number = self.next.get();
        self.next.set(number + 1);
        number
    }

    /// Run a task until it waits.
    pub(crate) fn spawn(&self, task: Boxed) {
        self.run(self.number(), task);
    }

    fn run(&self, number: u64, mut task: Boxed) {
        let waker = Waker::from(Arc::new(TaskWaker {
            number,
            ready: Arc::clone(&self.ready),
        }));
        let id = task.id();
        let polled = shielded(|| task.run(&mut Context::from_waker(&waker)));
        match polled {
            Some(Poll::Pending) => {
                self.waiting.borrow_mut().insert(number, task);
                self.calls.borrow_mut().insert(id, number);
            }
            Some(Poll::Ready(())) => {
                shielded(move || drop(task));
            }
            None => {
                shielded(move || task.give_up(Told::panicked()));
            }
        }
    }

    /// A host has cancelled a call: end the task that serves it, if one does.
    pub(crate) fn cancel(&self, id: Id) {
        let number = self.calls.borrow_mut().remove(&id);
        let task = number.and_then(|number| self.waiting.borrow_mut().remove(&number));
        if let Some(task) = task {
            shielded(move || task.give_up(Told::cancelled()));
        }
    }

    /// Run what is ready. Returns nanoseconds until the next timer.
    pub(crate) fn turn(&self) -> i64 {
        if !self.timers.borrow().is_empty() {
            self.wake_sleepers();
        }
        let woken = std::mem::take(&mut *lock(&self.ready.numbers));
        for number in woken {
            let task = self.waiting.borrow_mut().remove(&number);
            // a task that was woken twice, or has ended, is not there
            if let Some(task) = task {
                self.calls.borrow_mut().remove(&task.id());
                self.run(number, task);
            }
        }
        if !lock(&self.ready.numbers).is_empty() {
            return 0;
        }
        match self.timers.borrow().keys().next() {
            None => i64::MAX,
            Some((due, _)) => {
                let left = due.saturating_duration_since(Instant::now());
                i64::try_from(left.as_nanos()).unwrap_or(i64::MAX)
            }
        }
    }

    fn wake_sleepers(&self) {
        let now = Instant::now();
        loop {
            let first = self.timers.borrow().keys().next().copied();
            match first {
                Some(key) if key.0 <= now => {
                    let waker = self.timers.borrow_mut().remove(&key);
                    waker.into_iter().for_each(Waker::wake);
                }
                _ => break,
            }
        }
    }

    /// Drop all of it.
    pub(crate) fn clear(&self) {
        let tasks = std::mem::take(&mut *self.waiting.borrow_mut());
        for (_, task) in tasks {
            shielded(move || drop(task));
        }
        self.calls.borrow_mut().clear();
        self.timers.borrow_mut().clear();
        lock(&self.ready.numbers).clear();
    }
}

/// A future that is ready at a time: [`Context::sleep`](crate::Context::sleep).
pub struct Sleep {
    tasks: Rc<Tasks>,
    due: Instant,
    timer: Option<u64>,
}

impl Sleep {
    pub(crate) fn new(tasks: Rc<Tasks>, due: Instant) -> Sleep {
        Sleep {
            tasks,
            due,
            timer: None,
        }
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<()> {
        if Instant::now() >= self.due {
            return Poll::Ready(());
        }
        let number = self.timer.unwrap_or_else(|| self.tasks.number());
        self.timer = Some(number);
        let key = (self.due, number);
        self.tasks
            .timers
            .borrow_mut()
            .insert(key, task.waker().clone());
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(number) = self.timer {
            self.tasks.timers.borrow_mut().remove(&(self.due, number));
        }
    }
}
