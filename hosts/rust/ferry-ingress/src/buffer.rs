// SPDX-License-Identifier: BSD-3-Clause
//! Payloads to send, used again: a fresh megabyte costs its page faults each time.
//!
//! Small ones wait in the thread that used them; large ones come back from the library's thread, so they wait where
//! every thread finds them.

use std::cell::RefCell;
use std::sync::Mutex;

/// The bytes of a payload.
pub(crate) type Buffer = Vec<u8>;

/// Buffers from this capacity on are shared between threads.
const LARGE_BYTES_LEAST: usize = 4096;
/// How many small buffers a thread keeps.
const SMALL_COUNT_MAX: usize = 32;
/// How many large buffers the process keeps …
const LARGE_COUNT_MAX: usize = 16;
/// … and how much memory in all, in bytes.
const LARGE_BYTES_MAX: usize = 16 << 20;

struct Shared {
    buffers: Vec<Buffer>,
    bytes: usize,
}

static LARGE: Mutex<Shared> = Mutex::new(Shared {
    buffers: Vec::new(),
    bytes: 0,
});

thread_local! {
    static SMALL: RefCell<Vec<Buffer>> = RefCell::new(Vec::new());
}

/// An empty buffer for a payload of about this many bytes.
pub(crate) fn take(bytes: usize) -> Buffer {
    if bytes < LARGE_BYTES_LEAST {
        // none while the thread ends
        let small = SMALL.try_with(|small| small.borrow_mut().pop());
        return small.ok().flatten().unwrap_or_default();
    }
    let mut shared = lock();
    match shared.buffers.pop() {
        Some(buffer) => {
            shared.bytes -= buffer.capacity();
            buffer
        }
        None => Buffer::new(),
    }
}

/// A buffer that is no longer needed.
pub(crate) fn give_back(mut buffer: Buffer) {
    buffer.clear();
    let bytes = buffer.capacity();
    if bytes == 0 {
        return;
    }
    if bytes < LARGE_BYTES_LEAST {
        let _ = SMALL.try_with(|small| {
            let mut small = small.borrow_mut();
            if small.len() < SMALL_COUNT_MAX {
                small.push(buffer);
            }
        });
        return;
    }
    let mut shared = lock();
    if shared.buffers.len() < LARGE_COUNT_MAX && shared.bytes + bytes <= LARGE_BYTES_MAX {
        shared.bytes += bytes;
        shared.buffers.push(buffer);
    }
}

fn lock() -> std::sync::MutexGuard<'static, Shared> {
    // nothing in here panics while it is locked
    LARGE
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}
