// SPDX-License-Identifier: BSD-3-Clause
//! What does a round trip of a codec cost in Rust: encode into a buffer that is there, decode into values, free those?
//!
//! Prints the lines that bench/README.md describes, of the boundary `codec`; one of the `n` calls is one round trip.
//! The values are those of bench/codec.c. WAY is `rust-cbor` or `rust-c`, ours; `minicbor`, `ciborium`, `bincode`:
//! general libraries; or `rust-copy`: two copies and a malloc of as many bytes as the message has.

mod shapes;

use ferry_bench::{run, Suite};

fn main() {
    run(&Suite {
        program: "codec-rust",
        boundary: "codec",
        question: "What does a round trip of a codec cost in Rust?",
        n: &[1, 10, 100],
        repetitions: 40,
        quick_repetitions: 5,
        variants: shapes::variants,
        moves: true,
    });
}
