// SPDX-License-Identifier: BSD-3-Clause
//! Buffers for payloads to send, which are used again: a new megabyte of memory would cost its page faults each time.
//!
//! A small buffer is kept by the thread that used it. A large one comes back on the library's thread, so it is kept
//! where every thread finds it.

use std::cell::RefCell;
use std::sync::Mutex;

/// The bytes of a payload.
pub(crate) type Buffer = Vec<u8>;

/// Buffers from this capacity on are shared between threads.
const LARGE_BYTES_LEAST: usize = 4096;
/// How many small buffers a thread keeps.
const SMALL_COUNT_MAX: usize = 32;
/// How many large buffers the process keeps.
const LARGE_COUNT_MAX: usize = 16;
/// How many bytes the large buffers that it keeps may have together.
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
        // while the thread ends it has no buffers any more
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

/// Keep a buffer that is no longer needed, or free it.
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
    // no code of this file panics while this is locked
    LARGE
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}
