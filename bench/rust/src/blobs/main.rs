// SPDX-License-Identifier: BSD-3-Clause
//! What does decoding a blob cost in Rust, beside a copy of it into a fresh Vec, at powers of two and their neighbours?
//!
//! Prints the lines that bench/README.md describes, of the boundary `blob`; one of the `n` calls decodes a message that
//! is there and frees what came out of it. WAY is `rust-c` or `rust-cbor`, ours; `minicbor` and `bincode`; or
//! `rust-copy`, the blob alone. The program makes new buffers for each repetition, so that the distance between them in
//! memory is random, as with messages that arrive. If the time of a copy depends on that distance, the samples of one
//! variant are of two kinds. Then look at all samples, on a machine with nothing else running, and not only at their
//! median.

use std::hint::black_box;

use ferry_bench::{run, Suite, Variant};
use ferry_ingress::wire::{self, Bytes};

fn variant(way: &str, size: usize, mut decode: impl FnMut() + 'static) -> Variant {
    let run = move |n| (0..n).for_each(|_| decode());
    Variant { name: format!("{way}:{size}"), run: Box::new(run) }
}

fn of_size(size: usize, all: &mut Vec<Variant>) {
    let blob: Vec<u8> = (0..size).map(|index| (index * 7) as u8).collect();
    let (mut flat, mut cbor) = (Vec::new(), Vec::new());
    wire::encode_c::<Bytes>(&blob, &mut flat).expect("encodes");
    wire::encode_cbor::<Bytes>(&blob, &mut cbor).expect("encodes");
    let mini = cbor.clone();
    let bin = bincode::serialize(serde_bytes::Bytes::new(&blob)).expect("encodes");

    all.push(variant("rust-copy", size, move || {
        black_box(black_box(&blob).to_vec());
    }));
    all.push(variant("rust-c", size, move || {
        black_box(wire::decode_c::<Bytes>(black_box(&flat)).expect("decodes"));
    }));
    all.push(variant("rust-cbor", size, move || {
        black_box(wire::decode_cbor::<Bytes>(black_box(&cbor)).expect("decodes"));
    }));
    all.push(variant("minicbor", size, move || {
        black_box(minicbor::decode::<minicbor::bytes::ByteVec>(black_box(&mini)).expect("decodes"));
    }));
    all.push(variant("bincode", size, move || {
        black_box(bincode::deserialize::<serde_bytes::ByteBuf>(black_box(&bin)).expect("decodes"));
    }));
}

fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for bits in 10..=20 {
        let size = 1_usize << bits;
        for size in [size - 8, size, size + 8] {
            of_size(size, &mut all);
        }
    }
    all
}

fn main() {
    run(&Suite {
        program: "blobs-rust",
        boundary: "blob",
        question: "What does decoding a blob cost in Rust, beside a copy of it?",
        n: &[20],
        repetitions: 40,
        quick_repetitions: 3,
        variants,
        moves: true,
    });
}
