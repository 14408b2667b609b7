// SPDX-License-Identifier: BSD-3-Clause
//! The library's side of a stream, for the stand-in: it counts up to a number, and answers as the rules of
//! spec/interface.md say (S2 to S6). The host's side is what the tests look at.

use std::collections::HashMap;
use std::sync::Mutex;

use ferry_ingress::wire::{decode, encode, Codec, Opt, Plain, Seq, Wire, U32, U64};
use ferry_ingress::Part;

/// Opens a stream; the two methods after it continue and close it.
pub const OPEN: u32 = 5;
const NEXT: u32 = OPEN + 1;
const CLOSE: u32 = OPEN + 2;
/// A stream fails instead of giving this number.
pub const UNLUCKY: u32 = 13;

pub struct Counting<'a> {
    pub up_to: Plain<'a, U32>,
    pub credits: Plain<'a, U32>,
}
ferry_ingress::request! {
    Counting { up_to, credits }
    sorted { up_to = b"\x65up_to", credits = b"\x67credits" }
}

/// What a request of a stream may hold, as the library reads it.
struct Opening {
    up_to: u32,
    credits: u32,
}
ferry_ingress::object! {
    Opening { up_to: U32 = b"\x65up_to", credits: U32 = b"\x67credits" }
    sorted { up_to: U32 = b"\x65up_to", credits: U32 = b"\x67credits" }
}
struct More {
    stream: u64,
    credits: u32,
}
ferry_ingress::object! {
    More { stream: U64 = b"\x66stream", credits: U32 = b"\x67credits" }
    sorted { stream: U64 = b"\x66stream", credits: U32 = b"\x67credits" }
}
struct Closing {
    stream: u64,
}
ferry_ingress::object! {
    Closing { stream: U64 = b"\x66stream" }
    sorted { stream: U64 = b"\x66stream" }
}

pub struct Numbers {
    stream: Option<u64>,
    values: Vec<u32>,
}
ferry_ingress::object! {
    Numbers { stream: Opt<U64> = b"\x66stream", values: Seq<U32> = b"\x66values" }
    sorted { stream: Opt<U64> = b"\x66stream", values: Seq<U32> = b"\x66values" }
}
impl Part for Numbers {
    type Value = u32;
    fn split(self) -> (Option<u64>, Vec<u32>) {
        (self.stream, self.values)
    }
}

/// A stream that is open.
struct Open {
    context: u64,
    number: u32,
    up_to: u32,
}

static STREAMS: Mutex<Option<HashMap<u64, Open>>> = Mutex::new(None);

/// How many streams of a context are open.
pub fn open_count(context: u64) -> usize {
    let mut streams = STREAMS.lock().unwrap();
    let all = streams.get_or_insert_with(HashMap::new).values();
    all.filter(|stream| stream.context == context).count()
}

fn read<C: Codec>(payload: &[u8]) -> C::Value {
    decode::<C>(Wire::C, payload).unwrap()
}

/// The answer to a request of a stream: nothing to any other, and `Err` when the request fails.
pub fn answer(
    context: u64,
    method: u32,
    payload: &[u8],
    fresh: u64,
) -> Option<Result<Vec<u8>, ()>> {
    let mut streams = STREAMS.lock().unwrap();
    let streams = streams.get_or_insert_with(HashMap::new);
    let (handle, credits) = match method {
        OPEN => {
            let Opening { up_to, credits } = read::<Opening>(payload);
            let number = 0;
            streams.insert(
                fresh,
                Open {
                    context,
                    number,
                    up_to,
                },
            );
            (fresh, credits)
        }
        NEXT => {
            let More { stream, credits } = read::<More>(payload);
            (stream, credits)
        }
        CLOSE => {
            let Closing { stream } = read::<Closing>(payload);
            return Some(streams.remove(&stream).map(|_| Vec::new()).ok_or(()));
        }
        _ => return None,
    };
    let open = match streams.get_mut(&handle) {
        Some(open) => open,
        None => return Some(Err(())),
    };
    let end = open.up_to.min(open.number.saturating_add(credits));
    let values: Vec<u32> = (open.number..end)
        .take_while(|&number| number != UNLUCKY)
        .collect();
    open.number += values.len() as u32;
    let is_over = open.number == open.up_to;
    if is_over || values.is_empty() {
        streams.remove(&handle);
    }
    if values.is_empty() && !is_over {
        return Some(Err(()));
    }
    let part = Numbers {
        stream: (!is_over).then_some(handle),
        values,
    };
    let mut bytes = Vec::new();
    encode::<Numbers>(Wire::C, &part, &mut bytes).unwrap();
    Some(Ok(bytes))
}
