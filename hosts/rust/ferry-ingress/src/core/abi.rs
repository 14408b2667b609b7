// SPDX-License-Identifier: BSD-3-Clause
//! `include/ferry/ingress.h`, declared for Rust. Layouts and numbers are checked against it by
//! tests/ingress/test_layouts.py.

use std::os::raw::{c_char, c_void};

/// `struct ingress_library`.
#[repr(C)]
pub struct Library {
    _opaque: [u8; 0],
}

#[repr(C)]
pub struct Options {
    pub queue_depth: u32,
    pub event_depth: u32,
    pub payload_bytes: u64,
    pub stale_ns: i64,
    pub stuck_ns: i64,
    pub spin_ns: i64,
    pub reserved: [u64; 4],
}

#[repr(C)]
pub struct Answer {
    pub status: u32,
    pub wire: u32,
    pub data: *const c_void,
    pub bytes: usize,
    pub private_block: *mut c_void,
}

#[repr(C)]
pub struct Reply {
    pub status: u32,
    pub wire: u32,
    pub data: *const c_void,
    pub bytes: usize,
}

#[repr(C)]
pub struct Event {
    pub number: u32,
    pub wire: u32,
    pub data: *const c_void,
    pub bytes: usize,
    pub lost: u64,
}

pub type ReplyFn = unsafe extern "C" fn(user: *mut c_void, reply: *const Reply);
pub type ReleaseFn = unsafe extern "C" fn(owner: *mut c_void, data: *const c_void, bytes: usize);
pub type EventFn = unsafe extern "C" fn(user: *mut c_void, event: *const Event);
pub type EndFn = unsafe extern "C" fn(user: *mut c_void);

#[repr(C)]
pub struct Call {
    pub method: u32,
    pub wire: u32,
    pub data: *const c_void,
    pub bytes: usize,
    pub release: Option<ReleaseFn>,
    pub owner: *mut c_void,
    pub reply: Option<ReplyFn>,
    pub user: *mut c_void,
    pub inbox: *mut c_void,
    pub tag: u64,
    pub ticket: u64,
}

#[repr(C)]
pub struct Link {
    pub request: u32,
    pub source: u32,
    pub kind: u32,
    pub place: u32,
    pub path: *const c_char,
    pub path_bytes: u32,
}

#[repr(C)]
pub struct Refusal {
    pub request: u32,
    pub link: u32,
    pub text: *const c_char,
}

#[repr(C)]
pub struct Listener {
    pub event: u32,
    pub wire: u32,
    pub overflow: u32,
    pub depth: u32,
    pub notify: Option<EventFn>,
    pub user: *mut c_void,
    pub release: Option<EndFn>,
    pub inbox: *mut c_void,
    pub tag: u64,
}

extern "C" {
    pub fn ingress_status_text(status: u32) -> *const c_char;
    pub fn ingress_library_check(library: *const Library, interface_hash: u64) -> u32;
    pub fn ingress_answer_release(answer: *mut Answer);
    pub fn ingress_submit(context: u64, call: *const Call) -> u32;
    pub fn ingress_submit_many(
        context: u64,
        calls: *const Call,
        count: usize,
        status: *mut u32,
    ) -> usize;
    pub fn ingress_ask_call(
        context: u64,
        call: *const Call,
        timeout_ns: i64,
        answer: *mut Answer,
    ) -> u32;
    pub fn ingress_context_start(
        library: *const Library,
        options: *const Options,
        constructor: *const Call,
        context: *mut u64,
    ) -> u32;
    pub fn ingress_context_create(
        library: *const Library,
        options: *const Options,
        method: u32,
        wire: u32,
        data: *const c_void,
        bytes: usize,
        timeout_ns: i64,
        context: *mut u64,
        answer: *mut Answer,
    ) -> u32;
    pub fn ingress_context_destroy(context: u64, timeout_ns: i64) -> u32;
    pub fn ingress_context_close(context: u64) -> u32;
    pub fn ingress_static_context(library: *const Library, context: *mut u64) -> u32;
    pub fn ingress_listen(context: u64, listener: *const Listener, id: *mut u64) -> u32;
    pub fn ingress_unlisten(context: u64, id: u64) -> u32;
    pub fn ingress_tickets(count: u64) -> u64;
    pub fn ingress_cancel(context: u64, ticket: u64) -> u32;
    pub fn ingress_submit_chain(
        context: u64,
        calls: *const Call,
        count: usize,
        links: *const Link,
        link_count: usize,
        timeout_ns: i64,
        refusal: *mut Refusal,
    ) -> u32;
    pub fn ingress_ask_chain(
        context: u64,
        calls: *const Call,
        count: usize,
        links: *const Link,
        link_count: usize,
        timeout_ns: i64,
        answers: *mut Answer,
        refusal: *mut Refusal,
    ) -> u32;
}
