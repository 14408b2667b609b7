// SPDX-License-Identifier: BSD-3-Clause
//! Waiting for a future without an executor.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Instant;

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.unpark();
    }
}

/// Run a future on this thread until it is ready.
///
/// ```
/// assert_eq!(ferry_ingress::block_on(async { 6 * 7 }), 42);
/// ```
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = Box::pin(future);
    loop {
        if let Some(output) = block_until(&mut future, None) {
            return output;
        }
    }
}

/// Run a future on this thread until it is ready or the deadline, if any, has passed.
pub(crate) fn block_until<F: Future + Unpin>(
    future: &mut F,
    deadline: Option<Instant>,
) -> Option<F::Output> {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut task = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = Pin::new(&mut *future).poll(&mut task) {
            return Some(output);
        }
        // an unpark that comes between the poll and this line is not lost: park returns at once
        match deadline {
            None => thread::park(),
            Some(deadline) => {
                let left = deadline.checked_duration_since(Instant::now());
                thread::park_timeout(left.filter(|left| !left.is_zero())?);
            }
        }
    }
}
