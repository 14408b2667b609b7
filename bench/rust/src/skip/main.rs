// SPDX-License-Identifier: BSD-3-Clause
//! What does it cost in Rust to skip an unknown item, for each kind of item?
//!
//! Prints the lines that bench/README.md describes, of the boundary `skip`; one of the `n` calls is one item of an
//! unknown sequence, or one unknown key, of a message that is decoded. bench/ingress/skip.h has the same messages.

use std::hint::black_box;

use echo::EchoRequest;
use ferry_bench::{run, Suite, Variant};
use ferry_ingress::wire;

/// The item that an unknown sequence repeats.
const ITEMS: [(&str, &[u8]); 11] = [
    ("zeros", b"\0"),
    ("u8", b"\x18\x40"),
    ("texts", b"\x63xyz"),
    ("texts_utf8", b"\x62\xc3\xa9"),
    ("floats", b"\xfb\x40\x09\x21\xfb\x54\x44\x2d\x18"),
    ("empty", b"\x80"),
    ("pairs", b"\x82\x01\x61z"),
    ("objects", b"\xa2\x61x\x01\x61y\x02"),
    ("nested", b"\x81\x81\0"),
    ("tagged", b"\xd8\x2a\0"),
    (KEYS, b"\x63key\x18\x40"),
];
const KEYS: &str = "keys";

fn head(major: u8, count: usize) -> Vec<u8> {
    let count = u32::try_from(count).expect("a count that fits");
    [&[major << 5 | 26], &count.to_be_bytes()[..]].concat()
}

fn message(name: &str, item: &[u8], n: usize) -> Vec<u8> {
    let has_keys = name == KEYS;
    let mut made = head(5, if has_keys { n + 2 } else { 3 });
    made.extend(b"\x67message\x61x\x68delay_ms\x01");
    if !has_keys {
        made.extend(b"\x67unknown");
        made.extend(head(4, n));
    }
    made.extend(item.repeat(n));
    made
}

fn variants() -> Vec<Variant> {
    ITEMS
        .into_iter()
        .map(|(name, item)| {
            let mut made = Vec::new();
            let mut made_for = 0;
            let run = move |n| {
                if made_for != n {
                    made = message(name, item, n);
                    made_for = n;
                }
                let request = wire::decode_cbor::<EchoRequest>(black_box(&made)).expect("decodes");
                assert_eq!(request.delay_ms, 1);
            };
            Variant { name: format!("rust-cbor:{name}"), run: Box::new(run) }
        })
        .collect()
}

fn main() {
    run(&Suite {
        program: "skip-rust",
        boundary: "skip",
        question: "What does going past an unknown item cost in Rust?",
        n: &[100, 10_000, 1_000_000],
        repetitions: 10,
        quick_repetitions: 3,
        variants,
        moves: false,
    });
}
