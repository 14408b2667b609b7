// SPDX-License-Identifier: BSD-3-Clause
//! Both wire formats with values and bytes at random: whatever is encoded is decoded to the same, and whatever is
//! decoded is an error or a value. FERRY_SEED begins elsewhere; FERRY_STRESS_SECONDS goes on for longer.

#[path = "../src/random.rs"]
mod random;

use std::env;
use std::fmt::Debug;
use std::time::{Duration, Instant};

use echo::{AllTypes, EchoRequest, Tree};
use ferry_ingress::wire::{decode, encode, Codec, Reason, Wire};
use random::Random;

const WIRES: [Wire; 2] = [Wire::Cbor, Wire::C];

fn setting(name: &str, otherwise: u64) -> u64 {
    env::var(name).map_or(otherwise, |text| text.parse().expect(name))
}

/// Call `each` with random numbers from many seeds, naming the seed when it panics.
fn for_seeds(count: u64, each: impl Fn(&mut Random)) {
    let first = setting("FERRY_SEED", 1);
    let until = Instant::now() + Duration::from_secs(setting("FERRY_STRESS_SECONDS", 0));
    let mut seed = first;
    while seed < first + count || Instant::now() < until {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            each(&mut Random::new(seed))
        }));
        assert!(done.is_ok(), "FERRY_SEED={seed}");
        seed += 1;
    }
}

fn encoded<C: Codec>(wire: Wire, value: &C::Ref) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode::<C>(wire, value, &mut bytes).unwrap();
    bytes
}

fn round_trip<C>(wire: Wire, value: &C)
where
    C: Codec<Value = C, Ref = C> + Debug + PartialEq,
{
    let bytes = encoded::<C>(wire, value);
    assert_eq!(&decode::<C>(wire, &bytes).unwrap(), value, "{wire:?}");
    assert_eq!(
        decode::<C>(wire, &[&bytes[..], &[0]].concat())
            .unwrap_err()
            .reason(),
        Reason::LeftOver
    );
    // all short cuts of a small message, some of a large one
    let step = 1 + bytes.len() / 200;
    for length in (0..bytes.len()).step_by(step) {
        let error = decode::<C>(wire, &bytes[..length]).expect_err("cut short");
        let may_be = [Reason::EndsEarly, Reason::PaddingNotZero];
        assert!(
            may_be.contains(&error.reason()),
            "{wire:?}: {length} of {}: {error}",
            bytes.len()
        );
    }
}

#[test]
fn what_is_encoded_is_decoded_to_the_same() {
    for_seeds(300, |random| {
        for wire in WIRES {
            round_trip(wire, &random.all_types());
            round_trip(wire, &random.request());
            round_trip(wire, &random.tree(4));
        }
    });
}

/// Decode bytes that were damaged. In format `c`, what decodes anyway has one encoding: these bytes.
fn damaged<C>(wire: Wire, bytes: &[u8])
where
    C: Codec<Value = C, Ref = C> + Debug,
{
    match decode::<C>(wire, bytes) {
        Ok(value) if wire == Wire::C => assert_eq!(encoded::<C>(wire, &value), bytes),
        // what is decoded can be encoded, and comes out as one form of the value
        Ok(value) => {
            let once = encoded::<C>(wire, &value);
            let again = encoded::<C>(wire, &decode::<C>(wire, &once).unwrap());
            assert_eq!(once, again);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

#[test]
fn damaged_bytes_give_a_value_or_an_error() {
    for_seeds(300, |random| {
        for wire in WIRES {
            let whole = encoded::<AllTypes>(wire, &random.all_types());
            let request = encoded::<EchoRequest>(wire, &random.request());
            let tree = encoded::<Tree>(wire, &random.tree(4));
            for _ in 0..60 {
                for (bytes, check) in [
                    (&whole, damaged::<AllTypes> as fn(Wire, &[u8])),
                    (&request, damaged::<EchoRequest>),
                    (&tree, damaged::<Tree>),
                ] {
                    let mut bytes = bytes.clone();
                    for _ in 0..=random.below(3) {
                        let at = random.below(bytes.len());
                        bytes[at] = match random.below(3) {
                            0 => bytes[at] ^ 1 << random.below(8),
                            1 => random.bits() as u8,
                            _ => [0x00, 0x9f, 0xbf, 0xff, 0xf6, 0x5f, 0x7f, 0xc0][random.below(8)],
                        };
                    }
                    check(wire, &bytes);
                }
            }
        }
    });
}

#[test]
fn noise_gives_a_value_or_an_error() {
    for_seeds(300, |random| {
        let length = random.below(200);
        let bytes: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
        for wire in WIRES {
            damaged::<AllTypes>(wire, &bytes);
            damaged::<EchoRequest>(wire, &bytes);
            damaged::<Tree>(wire, &bytes);
        }
    });
}

fn levels(count: u32) -> Tree {
    let leaf = Tree {
        name: "leaf".to_owned(),
        children: Vec::new(),
    };
    (1..count).fold(leaf, |below, _| Tree {
        name: String::new(),
        children: vec![below],
    })
}

#[test]
fn nesting_is_bounded() {
    // each level is an object and a sequence
    for wire in WIRES {
        round_trip(wire, &levels(16));
        assert!(encode::<Tree>(wire, &levels(17), &mut Vec::new()).is_err());
    }
    let mut deep = Vec::new();
    for _ in 0..100_000 {
        deep.extend_from_slice(b"\xa1\x68children\x81");
    }
    assert_eq!(
        decode::<Tree>(Wire::Cbor, &deep).unwrap_err().reason(),
        Reason::TooDeep
    );
    // also where it is passed over
    let unknown = [b"\xa1\x61x".to_vec(), vec![0x81; 100_000]].concat();
    assert_eq!(
        decode::<Tree>(Wire::Cbor, &unknown).unwrap_err().reason(),
        Reason::TooDeep
    );
}

#[test]
fn a_length_is_believed_only_when_the_bytes_are_there() {
    let claims = [0xbb, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff];
    assert_eq!(
        decode::<Tree>(Wire::Cbor, &claims).unwrap_err().reason(),
        Reason::EndsEarly
    );
    let mut flat = encoded::<Tree>(Wire::C, &levels(1));
    flat[12..16].copy_from_slice(&u32::MAX.to_ne_bytes());
    let error = decode::<Tree>(Wire::C, &flat).unwrap_err();
    assert!(error.to_string().starts_with("children: "), "{error}");
}

/// Keys in another order at every level are read once each: otherwise every level would double the time.
#[test]
fn other_orders_take_no_longer_with_depth() {
    let leaf = [
        b"\xa2\x68children\x80\x64name\x79\x80\x00".to_vec(),
        vec![b'x'; 0x8000],
    ]
    .concat();
    let nested = (1..16).fold(leaf, |below, _| {
        [
            &b"\xa3\x68children\x81"[..],
            &below,
            b"\x64name\x60\x61z\x00",
        ]
        .concat()
    });
    let start = Instant::now();
    let tree = decode::<Tree>(Wire::Cbor, &nested).unwrap();
    assert!(start.elapsed() < Duration::from_secs(1));
    assert_eq!(tree.children.len(), 1);
}
