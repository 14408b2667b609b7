// SPDX-License-Identifier: BSD-3-Clause
//! A forked child uses contexts of its own. Safe Rust cannot fork, so this declares what it needs of libc.

use std::os::raw::{c_int, c_uint};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread;

use echo::{Options, Status};

use crate::{awaited, create, request, status, Case, PATIENCE};

pub const CASES: &[Case] = &[
    (
        "a_forked_child_uses_contexts_of_its_own",
        a_forked_child_uses_contexts_of_its_own,
    ),
    (
        "what_was_the_parents_can_be_dropped_in_a_child",
        what_was_the_parents_can_be_dropped_in_a_child,
    ),
];

const FORKS: usize = 50;
const HANG_S: c_uint = 120;

extern "C" {
    fn fork() -> c_int;
    fn waitpid(child: c_int, status: *mut c_int, options: c_int) -> c_int;
    fn alarm(seconds: c_uint) -> c_uint;
    fn _exit(status: c_int) -> !;
}

/// Run it in a child, which has to end well.
fn in_child(run: impl FnOnce()) {
    // SAFETY: the child uses what the core allows it, ends by `_exit`, and takes no lock that another thread may have.
    let child = unsafe { fork() };
    assert!(child >= 0);
    if child == 0 {
        // SAFETY: a child that hangs ends.
        unsafe { alarm(HANG_S) };
        let ended = catch_unwind(AssertUnwindSafe(run));
        // SAFETY: the child has no business with the rest of the program.
        unsafe { _exit(c_int::from(ended.is_err())) }
    }
    let mut ended: c_int = -1;
    // SAFETY: `ended` outlives the call.
    assert_eq!(unsafe { waitpid(child, &mut ended, 0) }, child);
    assert_eq!(ended, 0, "a child failed");
}

/// All that a program does with a context.
fn use_own() {
    let echo = create(&Options::new(), "own ");
    let mut events = echo.echoed_events().unwrap();
    let later = echo.echo(&request("later", 5)).submit();
    let now = echo.echo(&request("now", 0)).wait(PATIENCE).unwrap();
    assert_eq!(now.echoed, "own now");
    assert_eq!(awaited(later).unwrap().echoed, "own later");
    assert!(events.wait(PATIENCE).unwrap().is_some());
    assert_eq!(echo::version().wait(PATIENCE).unwrap(), "0.1.0");
    echo.destroy(PATIENCE).unwrap();
}

fn a_forked_child_uses_contexts_of_its_own() {
    let echo = Arc::new(create(&Options::new(), "p "));
    let over = Arc::new(AtomicBool::new(false));
    let busy: Vec<_> = (0..2)
        .map(|number| {
            let (echo, over) = (Arc::clone(&echo), Arc::clone(&over));
            thread::spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    let large = request(&"x".repeat(3000), 0);
                    echo.echo(&large).wait(PATIENCE).unwrap();
                    if number == 0 {
                        create(&Options::new(), "busy ");
                    }
                }
            })
        })
        .collect();
    for _ in 0..FORKS {
        in_child(|| {
            let refused = echo.echo(&request("parent's", 0)).wait(PATIENCE);
            assert_eq!(status(refused), Status::Closed);
            use_own();
            use_own();
        });
        let on = echo.echo(&request("on", 0)).wait(PATIENCE).unwrap();
        assert_eq!(on.echoed, "p on");
    }
    over.store(true, Ordering::Relaxed);
    for thread in busy {
        thread.join().unwrap();
    }
}

fn what_was_the_parents_can_be_dropped_in_a_child() {
    let echo = create(&Options::new(), "p ");
    let mut events = echo.echoed_events().unwrap();
    let subscription = echo.on_echoed(|_| {}).unwrap();
    let later = echo.echo(&request("later", 100)).submit();
    let mut things = Some((subscription, later));
    in_child(|| {
        drop(things.take());
        assert_eq!(status(echo.echoed_events()), Status::Closed);
        use_own();
    });
    // the child's were copies
    let (subscription, later) = things.take().expect("the parent's");
    assert_eq!(awaited(later).unwrap().echoed, "p later");
    drop(subscription);
    assert!(events.wait(PATIENCE).unwrap().is_some());
}
