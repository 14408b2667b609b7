// SPDX-License-Identifier: BSD-3-Clause
//! What any thread may do next, at random: make something, use it, drop it. Callbacks and wakers do the same, on the
//! library's threads.
#![forbid(unsafe_code)]

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Wake, Waker};
use std::time::Duration;

use ferry_ingress::wire::Unit;
use ferry_ingress::{Events, Options, Subscription};

use super::things::{finish, is_host, unload, Bag, Callback, Cargo, Thing, World, CANARY};

const MOMENT: Duration = Duration::from_millis(1);
const PATIENCE: Duration = Duration::from_secs(60);

/// A waker that does something when it wakes, and drops its cargo when it goes.
struct Hostile<W: World> {
    bag: Arc<Bag<W>>,
    cargo: Cargo<W>,
}

impl<W: World> Wake for Hostile<W> {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.bag.may_step() {
            step(&self.bag);
        }
    }
}

impl<W: World> Drop for Hostile<W> {
    fn drop(&mut self) {
        unload(&self.cargo);
        if self.bag.may_step() {
            step(&self.bag);
        }
    }
}

fn waker<W: World>(bag: &Arc<Bag<W>>) -> Waker {
    Waker::from(Arc::new(Hostile {
        bag: bag.clone(),
        cargo: bag.load(),
    }))
}

/// What the crate owns of a callback: dropped once it is over.
struct Owned<W: World>(Arc<Callback<W>>);

impl<W: World> Drop for Owned<W> {
    fn drop(&mut self) {
        if self.0.inside.load(Ordering::SeqCst) != 0 {
            self.0.bag.fault("a callback was dropped while it ran");
        }
        unload(&self.0.cargo);
    }
}

fn notified<W: World>(callback: &Arc<Callback<W>>) {
    if callback.is_gone.load(Ordering::SeqCst) {
        callback
            .bag
            .fault("a callback began after its subscription was dropped");
    }
    callback.inside.fetch_add(1, Ordering::SeqCst);
    if callback.bag.may_step() {
        match callback.bag.draw(4) {
            // a listener that ends what it holds: itself, when it was loaded with its own subscription
            0 => unload(&callback.cargo),
            1 => panic!("a callback's panic stays there"),
            _ => step(&callback.bag),
        }
    }
    if callback.canary.iter().any(|&word| word != CANARY) {
        callback.bag.fault("what a callback holds was overwritten");
    }
}

/// Ends with the callback, also by a panic.
struct Inside<'a, W: World>(&'a Arc<Callback<W>>);

impl<W: World> Drop for Inside<'_, W> {
    fn drop(&mut self) {
        self.0.inside.store(0, Ordering::SeqCst);
    }
}

fn create<W: World>(bag: &Arc<Bag<W>>) {
    let times = [0, 1, 20];
    let options = Options::new()
        .queue_depth(1 << bag.draw(7))
        .destroy_timeout(Duration::from_millis(times[bag.draw(3)]))
        .stuck(Duration::from_millis(20))
        .stale(MOMENT);
    let mut creation = W::create(&options, bag.draw(8) == 0);
    if is_host() && bag.draw(2) == 0 {
        if let Ok(made) = creation.wait(PATIENCE) {
            bag.put(Thing::Made(Arc::new(made)));
        }
        return;
    }
    let waker = waker(bag);
    let polled = Pin::new(&mut creation).poll(&mut Task::from_waker(&waker));
    match polled {
        std::task::Poll::Ready(Ok(made)) => bag.put(Thing::Made(Arc::new(made))),
        std::task::Poll::Ready(Err(_)) => {}
        std::task::Poll::Pending => bag.put(Thing::Creation(creation)),
    }
}

fn subscribe<W: World>(bag: &Arc<Bag<W>>, made: &W::Made) {
    let callback = Arc::new(Callback {
        bag: bag.clone(),
        cargo: bag.load(),
        is_gone: AtomicBool::new(false),
        inside: AtomicI64::new(0),
        canary: vec![CANARY; 8],
    });
    let owned = Owned(callback.clone());
    let listened = Subscription::listen::<Unit>(made.as_ref(), W::TICK, move |_| {
        let inside = Inside(&owned.0);
        notified(inside.0);
    });
    if let Ok(subscription) = listened {
        let thing = Thing::Subscription(subscription, callback.clone());
        if bag.draw(3) == 0 {
            let before = callback.cargo.lock().map(|mut cargo| cargo.replace(thing));
            if let Ok(Some(before)) = before {
                finish(before);
            }
        } else {
            bag.put(thing);
        }
    }
}

fn stream<W: World>(bag: &Arc<Bag<W>>, made: &W::Made) {
    if let Ok(mut events) = Events::listen::<Unit>(made.as_ref(), W::TICK) {
        let waker = waker(bag);
        drop(events.poll_next(&mut Task::from_waker(&waker)));
        bag.put(Thing::Stream(events));
    }
}

fn call<W: World>(bag: &Arc<Bag<W>>, made: &W::Made) {
    let mut call = match bag.draw(8) {
        0 => W::slow(made),
        size => W::call(made, size == 1),
    };
    match bag.draw(3) {
        0 => call = call.submit(),
        1 => {
            let waker = waker(bag);
            if Pin::new(&mut call)
                .poll(&mut Task::from_waker(&waker))
                .is_ready()
            {
                return;
            }
        }
        _ => {}
    }
    bag.put(Thing::Call(call));
}

/// Go on with something that was begun.
fn continue_one<W: World>(bag: &Arc<Bag<W>>) {
    let waker = waker(bag);
    let mut task = Task::from_waker(&waker);
    match bag.take() {
        Some(Thing::Call(mut call)) => match bag.draw(2) {
            0 => drop(call.wait(MOMENT)),
            _ if Pin::new(&mut call).poll(&mut task).is_pending() => bag.put(Thing::Call(call)),
            _ => {}
        },
        Some(Thing::Creation(mut creation)) => match Pin::new(&mut creation).poll(&mut task) {
            std::task::Poll::Ready(Ok(made)) => bag.put(Thing::Made(Arc::new(made))),
            std::task::Poll::Ready(Err(_)) => {}
            std::task::Poll::Pending => bag.put(Thing::Creation(creation)),
        },
        Some(Thing::Stream(mut events)) => {
            match bag.draw(2) {
                0 => drop(events.wait(MOMENT)),
                _ => drop(events.poll_next(&mut task)),
            }
            bag.put(Thing::Stream(events));
        }
        Some(Thing::Ticks(ticks)) => drop(ticks.wait(MOMENT)),
        Some(Thing::Waker(waker)) => waker.wake(),
        Some(Thing::Made(made)) => match Arc::try_unwrap(made) {
            Ok(made) if bag.draw(2) == 0 => W::close(made, MOMENT),
            Ok(made) => bag.put(Thing::Made(Arc::new(made))),
            Err(made) => bag.put(Thing::Made(made)),
        },
        Some(other) => finish(other),
        None => {}
    }
}

/// One step.
pub fn step<W: World>(bag: &Arc<Bag<W>>) {
    let what = bag.draw(16);
    match what {
        0 | 1 => {
            if let Some(thing) = bag.take() {
                finish(thing);
            }
        }
        // two, the later one first
        2 => {
            let things = [bag.take(), bag.take()];
            things.into_iter().rev().flatten().for_each(finish);
        }
        3 => bag.put(Thing::Waker(waker(bag))),
        4 => bag.put(Thing::Cargo(Arc::new(Mutex::new(bag.take())))),
        5 | 6 => continue_one(bag),
        _ => match bag.made() {
            None => create(bag),
            Some(made) => match what {
                7 => create(bag),
                8 | 9 => subscribe(bag, &made),
                10 => stream(bag, &made),
                11 | 12 => bag.put(Thing::Ticks(
                    W::ticks(&made, 1 + bag.draw(20) as u32).submit(),
                )),
                _ => call(bag, &made),
            },
        },
    }
}
