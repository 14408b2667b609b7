// SPDX-License-Identifier: BSD-3-Clause
//! A library whose methods wait for tokio: timers, channels and tasks. tests/ingress/test_rust_tokio.py calls it.

/// Waits in several ways.
#[ferry::library(enter = ferry_ingress_tokio::enter)]
pub mod waiter {
    use std::cell::{Cell, RefCell};
    use std::thread;
    use std::time::Duration;

    use ferry::{Context, Failure, Reply, Yields};
    use tokio::sync::{mpsc, Notify};

    /// What became of the waits of a context.
    #[ferry::object]
    #[derive(Clone, Copy, Default)]
    pub struct Waits {
        /// How many wait.
        pub running: u32,
        /// How many were dropped before they were over.
        pub dropped: u32,
    }

    pub struct Waiter {
        waits: Cell<Waits>,
        order: RefCell<Vec<u64>>,
        bell: Notify,
    }

    /// A wait, which counts how it ends.
    struct Wait<'a> {
        waits: &'a Cell<Waits>,
        is_over: bool,
    }

    impl<'a> Wait<'a> {
        fn new(waits: &'a Cell<Waits>) -> Wait<'a> {
            let mut now = waits.get();
            now.running += 1;
            waits.set(now);
            let is_over = false;
            Wait { waits, is_over }
        }
    }

    impl Drop for Wait<'_> {
        fn drop(&mut self) {
            let mut now = self.waits.get();
            now.running -= 1;
            now.dropped += u32::from(!self.is_over);
            self.waits.set(now);
        }
    }

    fn millis(delay_ms: u32) -> Duration {
        Duration::from_millis(delay_ms.into())
    }

    /// A wait has begun.
    #[ferry::event]
    fn begun(context: &Context<Waiter>, value: u64);

    impl Waiter {
        #[ferry::constructor]
        pub fn open() -> Self {
            Waiter {
                waits: Cell::default(),
                order: RefCell::default(),
                bell: Notify::new(),
            }
        }

        #[ferry::destructor]
        pub fn close(self) {}

        /// Wait for one of tokio's timers, and give the value back.
        #[ferry::method]
        pub async fn nap(&self, context: &Context<Self>, delay_ms: u32, value: u64) -> u64 {
            let mut wait = Wait::new(&self.waits);
            begun(context, value);
            tokio::time::sleep(millis(delay_ms)).await;
            self.order.borrow_mut().push(value);
            wait.is_over = true;
            value
        }

        /// In which order naps were over.
        #[ferry::method]
        pub fn order(&self) -> Vec<u64> {
            self.order.borrow().clone()
        }

        #[ferry::method]
        pub fn waits(&self) -> Waits {
            self.waits.get()
        }

        /// Wait until it rings.
        #[ferry::method]
        pub async fn listen(&self) {
            let mut wait = Wait::new(&self.waits);
            self.bell.notified().await;
            wait.is_over = true;
        }

        #[ferry::method]
        pub fn ring(&self) {
            self.bell.notify_waiters();
        }

        /// Compute on one of tokio's threads; gives its name.
        #[ferry::method]
        pub async fn compute(&self, fail: bool) -> Result<String, tokio::task::JoinError> {
            let work = async move {
                assert!(!fail, "it was asked to");
                thread::current().name().unwrap_or_default().to_owned()
            };
            tokio::spawn(work).await
        }

        /// Have a task of tokio's answer, on its own thread.
        #[ferry::method]
        pub fn elsewhere(&self, delay_ms: u32, value: u64) -> Reply<u64> {
            Reply::later(move |answer| {
                tokio::spawn(async move {
                    tokio::time::sleep(millis(delay_ms)).await;
                    answer.give(Ok(value));
                });
            })
        }

        /// Have a thread answer that is none of tokio's.
        #[ferry::method]
        pub fn threaded(&self, value: u64) -> Reply<u64> {
            Reply::later(move |answer| {
                thread::spawn(move || answer.give(Ok(value)));
            })
        }

        /// Drop the duty to answer.
        #[ferry::method]
        pub fn forget(&self) -> Reply<u64> {
            Reply::later(drop)
        }

        /// Panic, before or after a wait.
        #[ferry::method]
        pub async fn panic(&self, delay_ms: u32) {
            let _wait = Wait::new(&self.waits);
            if delay_ms > 0 {
                tokio::time::sleep(millis(delay_ms)).await;
            }
            panic!("it was asked to");
        }

        /// Numbers that a task of tokio's makes.
        #[ferry::method]
        pub fn numbers(&self, count: u32) -> Yields<u32> {
            let (sender, receiver) = mpsc::channel(4);
            tokio::spawn(async move {
                for number in 0..count {
                    if sender.send(number).await.is_err() {
                        break;
                    }
                }
            });
            Yields::unfold(receiver, |mut receiver| async move {
                Ok(receiver.recv().await.map(|number| (number, receiver)))
            })
        }

        /// Wait without a context.
        #[ferry::method]
        pub async fn greet(name: &str, delay_ms: u32) -> Result<String, Failure> {
            tokio::time::sleep(millis(delay_ms)).await;
            if name.is_empty() {
                return Err("there is no name".into());
            }
            Ok(format!("hello, {name}"))
        }
    }

}
