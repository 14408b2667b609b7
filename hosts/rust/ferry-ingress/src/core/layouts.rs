// SPDX-License-Identifier: BSD-3-Clause
//! Prints what this crate assumes of `include/ferry/ingress.h`, in the form of tests/ingress/layouts.c.
//! tests/ingress/test_layouts.py compares the two.

use std::mem::size_of_val;
use std::ptr::{null, null_mut};

use super::abi;
use crate::wire::Wire;
use crate::{Overflow, Status};

/// The layout of a struct. It makes a value of the struct with all its fields, so that none can be left out here.
macro_rules! layout {
    ($as:literal, $name:ident { $($field:ident: $value:expr),* $(,)? }) => {{
        let made = abi::$name { $($field: $value),* };
        let start = std::ptr::addr_of!(made) as usize;
        println!("{} {}", $as, size_of_val(&made));
        $(
            let offset = std::ptr::addr_of!(made.$field) as usize - start;
            println!("{}.{} {} {}", $as, stringify!($field), offset, size_of_val(&made.$field));
        )*
    }};
}

fn sent() {
    layout!(
        "options",
        Options {
            queue_depth: 0,
            event_depth: 0,
            payload_bytes: 0,
            stale_ns: 0,
            stuck_ns: 0,
            spin_ns: 0,
            reserved: [0; 4],
        }
    );
    layout!(
        "call",
        Call {
            method: 0,
            wire: 0,
            data: null(),
            bytes: 0,
            release: None,
            owner: null_mut(),
            reply: None,
            user: null_mut(),
            inbox: null_mut(),
            tag: 0,
            ticket: 0,
        }
    );
    layout!(
        "listener",
        Listener {
            event: 0,
            wire: 0,
            overflow: 0,
            depth: 0,
            notify: None,
            user: null_mut(),
            release: None,
            inbox: null_mut(),
            tag: 0,
        }
    );
}

fn chained() {
    layout!(
        "link",
        Link {
            request: 0,
            source: 0,
            kind: 0,
            place: 0,
            path: null(),
            path_bytes: 0,
        }
    );
    layout!(
        "refusal",
        Refusal {
            request: 0,
            link: 0,
            text: null(),
        }
    );
}

fn received() {
    layout!(
        "answer",
        Answer {
            status: 0,
            wire: 0,
            data: null(),
            bytes: 0,
            private_block: null_mut(),
        }
    );
    layout!(
        "reply",
        Reply {
            status: 0,
            wire: 0,
            data: null(),
            bytes: 0,
        }
    );
    layout!(
        "event",
        Event {
            number: 0,
            wire: 0,
            data: null(),
            bytes: 0,
            lost: 0,
        }
    );
}

#[test]
fn layouts_are_printed() {
    println!();
    sent();
    chained();
    received();
    println!("status.Ok {}", super::OK);
    println!("status.Stale {}", super::STALE);
    for number in 0..100 {
        match Status::from_number(number) {
            Status::Unknown(_) => {}
            known => println!("status.{known:?} {number}"),
        }
    }
    println!("wire.WireCbor {}", Wire::Cbor.number());
    println!("wire.WireC {}", Wire::C.number());
    for overflow in [
        Overflow::DropOldest,
        Overflow::DropNewest,
        Overflow::Coalesce,
    ] {
        println!("overflow.{overflow:?} {}", overflow.number());
    }
}
