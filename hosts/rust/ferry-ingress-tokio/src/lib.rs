// SPDX-License-Identifier: BSD-3-Clause
//! Methods of a library that wait for what tokio has: its timers, sockets and tasks.
//!
//! ```ignore
//! #[ferry::library(enter = ferry_ingress_tokio::enter)]
//! pub mod notes {
//!     // …
//!     #[ferry::method]
//!     pub async fn wait(&self, delay_ms: u32) -> u64 {
//!         tokio::time::sleep(Duration::from_millis(delay_ms.into())).await;
//!         let sum = tokio::spawn(async { (1..=1_000_000).sum::<u64>() });
//!         sum.await.unwrap_or_default()
//!     }
//! }
//! ```
//!
//! The library thread polls a method's future itself, so that may borrow the library. One runtime of the process drives
//! the timers and sockets for which it waits, and runs what it spawns, on threads of its own.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

use std::process;
use std::sync::Mutex;

use tokio::runtime::{Builder, EnterGuard, Runtime};

/// The runtime, and the process that began it.
static RUNTIME: Mutex<Option<(u32, &'static Runtime)>> = Mutex::new(None);

/// Enter the runtime for as long as the guard lives, which stays on its thread. The first call begins the runtime, which
/// stays until the process ends. A forked child begins one of its own, since the threads of the first are its parent's.
///
/// # Panics
/// When the runtime cannot begin, as when no thread can; the context is not created then.
pub fn enter() -> EnterGuard<'static> {
    // a panic while it is locked leaves it as it was
    let mut begun = RUNTIME
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    let process = process::id();
    let runtime = match *begun {
        Some((owner, runtime)) if owner == process => runtime,
        _ => {
            let runtime = Builder::new_multi_thread()
                .thread_name("ferry-tokio")
                .enable_all()
                .build()
                .expect("tokio's runtime cannot begin");
            let runtime: &'static Runtime = Box::leak(Box::new(runtime));
            *begun = Some((process, runtime));
            runtime
        }
    };
    runtime.enter()
}
