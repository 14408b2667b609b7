// SPDX-License-Identifier: BSD-3-Clause
//! What the crate hands out, to be dropped by whoever finds it: a bag of things that all threads share.
//!
//! A thing may be the cargo of another: a callback or a waker drops its cargo when it goes itself, wherever that is.
//! Whatever is cargo is also known to the bag, so that emptying the bag at the end ends every cycle of owners, and all
//! that is left then was leaked.
#![forbid(unsafe_code)]

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Waker;
use std::time::Duration;

use ferry_ingress::{Call, Context, Creation, EventKind, Events, Options, Subscription};

/// A library to be tried, with an event that has no value.
pub trait World: Send + Sync + 'static {
    /// A context of it.
    type Made: AsRef<Context> + From<Context> + Send + Sync + 'static;
    /// What a call gives.
    type Answer: Send + 'static;
    /// The event.
    const TICK: EventKind;

    fn create(options: &Options, fails: bool) -> Creation<Self::Made>;
    fn close(made: Self::Made, timeout: Duration);
    /// A call with a small payload or a large one, which is lent.
    fn call(made: &Self::Made, is_large: bool) -> Call<Self::Answer>;
    /// One whose handler takes its time.
    fn slow(made: &Self::Made) -> Call<Self::Answer>;
    /// Have the event emitted so often.
    fn ticks(made: &Self::Made, count: u32) -> Call<()>;
}

/// A place for a thing that two owners may empty.
pub type Cargo<W> = Arc<Mutex<Option<Thing<W>>>>;

/// Something to drop.
pub enum Thing<W: World> {
    Made(Arc<W::Made>),
    Creation(Creation<W::Made>),
    Call(Call<W::Answer>),
    Ticks(Call<()>),
    Stream(Events<()>),
    Subscription(Subscription, Arc<Callback<W>>),
    Waker(Waker),
    Cargo(Cargo<W>),
}

thread_local! {
    /// Whether this thread is none of the library's: what it dropped is gone.
    static IS_HOST: Cell<bool> = Cell::new(false);
}

pub fn is_host() -> bool {
    IS_HOST.with(Cell::get)
}

pub fn be_host() {
    IS_HOST.with(|is_host| is_host.set(true));
}

/// What a listener's callback has.
pub struct Callback<W: World> {
    pub bag: Arc<Bag<W>>,
    pub cargo: Cargo<W>,
    /// The subscription was dropped by a thread that could wait.
    pub is_gone: AtomicBool,
    /// Callbacks of it that run.
    pub inside: AtomicI64,
    /// On the heap: a callback that runs after its end reads what was freed.
    pub canary: Vec<u64>,
}

pub const CANARY: u64 = 0x6665_7272_7963_616e;

/// All that the threads share.
pub struct Bag<W: World> {
    things: Mutex<Vec<Thing<W>>>,
    cargos: Mutex<Vec<Cargo<W>>>,
    /// How many more steps callbacks and wakers may take.
    budget: AtomicI64,
    state: AtomicU64,
    faults: Mutex<Vec<&'static str>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // a panic of a test is told where it happened
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl<W: World> Bag<W> {
    pub fn new(seed: u64, budget: i64) -> Arc<Bag<W>> {
        Arc::new(Bag {
            things: Mutex::new(Vec::new()),
            cargos: Mutex::new(Vec::new()),
            budget: AtomicI64::new(budget),
            state: AtomicU64::new(seed),
            faults: Mutex::new(Vec::new()),
        })
    }

    /// A number below `bound`; splitmix64 of a counter that all threads share.
    pub fn draw(&self, bound: usize) -> usize {
        // relaxed: only the numbers matter
        let mut z = self
            .state
            .fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    /// Whether a callback or a waker may take a step.
    pub fn may_step(&self) -> bool {
        self.budget.fetch_sub(1, Ordering::Relaxed) > 0
    }

    /// Something that must not be was seen; on threads of the library a panic would not end the test.
    pub fn fault(&self, what: &'static str) {
        lock(&self.faults).push(what);
    }

    pub fn faults(&self) -> Vec<&'static str> {
        lock(&self.faults).clone()
    }

    pub fn put(&self, thing: Thing<W>) {
        lock(&self.things).push(thing);
    }

    /// Any thing, which leaves the bag.
    pub fn take(&self) -> Option<Thing<W>> {
        let mut things = lock(&self.things);
        match things.len() {
            0 => None,
            count => Some(things.swap_remove(self.draw(count))),
        }
    }

    /// The first thing, from a random one on, of which `choose` makes something.
    pub fn find<T>(&self, choose: impl Fn(&Thing<W>) -> Option<T>) -> Option<T> {
        let things = lock(&self.things);
        let start = self.draw(things.len().max(1));
        things[start..]
            .iter()
            .chain(&things[..start])
            .find_map(choose)
    }

    pub fn made(&self) -> Option<Arc<W::Made>> {
        self.find(|thing| match thing {
            Thing::Made(made) => Some(made.clone()),
            _ => None,
        })
    }

    /// A thing of the bag, or nothing, as the cargo of a callback or a waker.
    pub fn load(&self) -> Cargo<W> {
        let cargo = Arc::new(Mutex::new(if self.draw(2) == 0 {
            self.take()
        } else {
            None
        }));
        lock(&self.cargos).push(cargo.clone());
        cargo
    }

    /// Drop all there is, until there is nothing more.
    pub fn empty(&self) {
        loop {
            let mut things = std::mem::take(&mut *lock(&self.things));
            let cargos = std::mem::take(&mut *lock(&self.cargos));
            if things.is_empty() && cargos.is_empty() {
                return;
            }
            while !things.is_empty() {
                finish(things.swap_remove(self.draw(things.len())));
            }
            for cargo in cargos {
                unload(&cargo);
            }
        }
    }
}

/// Drop what is in a place, without its lock.
pub fn unload<W: World>(cargo: &Cargo<W>) {
    let thing = lock(cargo).take();
    if let Some(thing) = thing {
        finish(thing);
    }
}

/// Drop a thing, and look whether the crate keeps what it promises of that.
pub fn finish<W: World>(thing: Thing<W>) {
    match thing {
        Thing::Subscription(subscription, callback) => {
            drop(subscription);
            if is_host() {
                callback.is_gone.store(true, Ordering::SeqCst);
                if callback.inside.load(Ordering::SeqCst) != 0 {
                    callback
                        .bag
                        .fault("a callback runs after its subscription was dropped");
                }
            }
        }
        Thing::Cargo(cargo) => unload(&cargo),
        other => drop(other),
    }
}
