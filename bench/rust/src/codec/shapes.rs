// SPDX-License-Identifier: BSD-3-Clause
//! The shapes that are measured, and every way to make a round trip of each.

use std::fmt::Debug;
use std::hint::black_box;
use std::mem::forget;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ferry_ingress::wire::{self, Bytes, Codec};
use serde::{de::DeserializeOwned, Deserialize, Serialize};

use ferry_bench::Variant;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, minicbor::Encode, minicbor::Decode)]
#[cbor(map)]
struct EchoRequest {
    #[n(0)]
    message: String,
    #[n(1)]
    delay_ms: i64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, minicbor::Encode, minicbor::Decode)]
#[cbor(map)]
struct EchoResponse {
    #[n(0)]
    echoed: String,
    #[n(1)]
    timer: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, minicbor::Encode, minicbor::Decode)]
#[cbor(map)]
struct ComplexRequest {
    #[n(0)]
    messages: Vec<EchoRequest>,
    #[n(1)]
    tags: Vec<String>,
    #[n(2)]
    note: Option<String>,
    #[n(3)]
    retries: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, minicbor::Encode, minicbor::Decode)]
#[cbor(map)]
struct ShapeLabel {
    #[n(0)]
    text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, minicbor::Encode, minicbor::Decode)]
#[serde(rename_all = "snake_case")]
enum Shape {
    #[n(0)]
    Label(#[n(0)] ShapeLabel),
    #[n(1)]
    Caption(#[n(0)] ShapeLabel),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, minicbor::Encode, minicbor::Decode)]
#[cbor(map)]
struct ShapeGroup {
    #[n(0)]
    parts: Vec<Shape>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, minicbor::Encode, minicbor::Decode)]
#[cbor(transparent)]
struct Blob(
    #[serde(with = "serde_bytes")]
    #[cbor(n(0), with = "minicbor::bytes")]
    Vec<u8>,
);

/// Room for a small message, in bytes.
const SMALL: usize = 512;

/// The same values as a program with a general library would declare them; serde writes field names.
trait General: Clone + Debug + PartialEq + Serialize + DeserializeOwned + 'static {}
impl<T: Clone + Debug + PartialEq + Serialize + DeserializeOwned + 'static> General for T {}

fn echo_request(message: &str, delay_ms: i64) -> EchoRequest {
    EchoRequest { message: message.to_owned(), delay_ms }
}

/// A copy of a value, and room for its message, at a random distance from each other in memory: at some distances a
/// copy takes half as long again as at others. The allocation between them stays.
fn placed<T: Clone>(value: &T, room: usize) -> (T, Vec<u8>) {
    static NEXT: AtomicUsize = AtomicUsize::new(1);
    let keep_apart = || {
        let next = NEXT.load(Relaxed).wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        NEXT.store(next, Relaxed);
        forget(vec![0_u8; 16 * (1 + (next >> 40) % 256)]);
    };
    keep_apart();
    let copy = value.clone();
    keep_apart();
    (copy, Vec::with_capacity(room))
}

/// A variant that makes a round trip n times; `trip` returns how many bytes travelled.
fn variant(way: &str, shape: &str, mut trip: impl FnMut() -> usize + 'static) -> Variant {
    let run = move |n| {
        for _ in 0..n {
            black_box(trip());
        }
    };
    Variant { name: format!("{way}:{shape}"), run: Box::new(run) }
}

fn ours_request(request: &EchoRequest) -> echo::EchoRequest {
    echo::EchoRequest { message: request.message.clone(), delay_ms: request.delay_ms }
}

fn label(text: &str) -> ShapeLabel {
    ShapeLabel { text: text.to_owned() }
}

fn ours_shape(shape: &Shape) -> echo::Shape {
    let ours = |label: &ShapeLabel| echo::ShapeLabel { text: label.text.clone() };
    match shape {
        Shape::Label(label) => echo::Shape::Label(ours(label)),
        Shape::Caption(label) => echo::Shape::Caption(ours(label)),
    }
}

/// A variant, and four of them, each beside objects whose message of ours in cbor is as long.
fn shapes(messages: &[EchoRequest]) -> Vec<Variant> {
    let one = Shape::Label(label("hello world"));
    let object = label("hello, wider world");
    let four = ShapeGroup {
        parts: vec![
            Shape::Label(label("alpha to beta")),
            Shape::Caption(label("to gamma")),
            Shape::Label(label("delta, epsilon")),
            Shape::Caption(label("zeta or theta")),
        ],
    };
    let objects = ComplexRequest { messages: messages.to_vec(), tags: Vec::new(), note: None, retries: None };
    let ours_objects = echo::ComplexRequest {
        messages: messages.iter().map(ours_request).collect(),
        tags: Vec::new(),
        note: None,
        retries: None,
    };
    let ours_four = echo::ShapeGroup { parts: four.parts.iter().map(ours_shape).collect() };
    let ours_object = echo::ShapeLabel { text: object.text.clone() };
    let mut all = ours::<echo::Shape>("variant", ours_shape(&one), SMALL);
    all.extend(ours::<echo::ShapeLabel>("variant_as_object", ours_object, SMALL));
    all.extend(ours::<echo::ShapeGroup>("variants", ours_four, SMALL));
    all.extend(ours::<echo::ComplexRequest>("variants_as_objects", ours_objects, SMALL));
    all.extend(general("variant", &one, SMALL));
    all.push(minicbor("variant", &one, SMALL));
    all.extend(general("variant_as_object", &object, SMALL));
    all.push(minicbor("variant_as_object", &object, SMALL));
    all.extend(general("variants", &four, SMALL));
    all.push(minicbor("variants", &four, SMALL));
    all.extend(general("variants_as_objects", &objects, SMALL));
    all.push(minicbor("variants_as_objects", &objects, SMALL));
    all
}

fn ours<C>(shape: &str, value: C::Value, room: usize) -> Vec<Variant>
where
    C: Codec + 'static,
    C::Value: Debug + PartialEq + Clone + 'static,
{
    use std::borrow::Borrow;
    let cbor = {
        let (value, mut bytes) = placed(&value, room);
        move || {
            wire::encode_cbor::<C>(black_box(&value).borrow(), &mut bytes).expect("encodes");
            black_box(&wire::decode_cbor::<C>(black_box(&bytes)).expect("decodes"));
            bytes.len()
        }
    };
    let c = {
        let (value, mut bytes) = placed(&value, room);
        move || {
            wire::encode_c::<C>(black_box(&value).borrow(), &mut bytes).expect("encodes");
            black_box(&wire::decode_c::<C>(black_box(&bytes)).expect("decodes"));
            bytes.len()
        }
    };
    vec![variant("rust-cbor", shape, cbor), variant("rust-c", shape, c)]
}

fn general<T: General>(shape: &str, value: &T, room: usize) -> Vec<Variant> {
    let ciborium = {
        let (value, mut bytes) = placed(value, room);
        move || {
            bytes.clear();
            ciborium::into_writer(black_box(&value), &mut bytes).expect("encodes");
            black_box(&ciborium::from_reader::<T, _>(black_box(&bytes[..])).expect("decodes"));
            bytes.len()
        }
    };
    let bincode = {
        let (value, mut bytes) = placed(value, room);
        move || {
            bytes.clear();
            bincode::serialize_into(&mut bytes, black_box(&value)).expect("encodes");
            black_box(&bincode::deserialize::<T>(black_box(&bytes)).expect("decodes"));
            bytes.len()
        }
    };
    vec![variant("ciborium", shape, ciborium), variant("bincode", shape, bincode)]
}

fn minicbor<T>(shape: &str, value: &T, room: usize) -> Variant
where
    T: Clone + 'static + minicbor::Encode<()>,
    for<'b> T: minicbor::Decode<'b, ()>,
{
    let (value, mut bytes) = placed(value, room);
    let run = move || {
        bytes.clear();
        minicbor::encode(black_box(&value), &mut bytes).expect("encodes");
        black_box(&minicbor::decode::<T>(black_box(&bytes)).expect("decodes"));
        bytes.len()
    };
    variant("minicbor", shape, run)
}

fn copy(shape: &str, bytes: &Vec<u8>, room: usize) -> Variant {
    let (bytes, mut buffer) = placed(bytes, room);
    let run = move || {
        buffer.clear();
        buffer.extend_from_slice(black_box(&bytes));
        black_box(&black_box(&buffer).to_vec());
        buffer.len()
    };
    variant("rust-copy", shape, run)
}

/// Every way to make a round trip of every shape.
pub fn variants() -> Vec<Variant> {
    let request = echo_request("hello world", 100);
    let response = EchoResponse { echoed: "hello world".to_owned(), timer: "bench-timer".to_owned() };
    let complex = ComplexRequest {
        messages: [("alpha", 1), ("beta", 2), ("gamma", 3), ("delta", 4)]
            .map(|(message, delay_ms)| echo_request(message, delay_ms))
            .to_vec(),
        tags: ["fast", "async", "bench"].map(str::to_owned).to_vec(),
        note: Some("a slightly longer note that survives the round-trip".to_owned()),
        retries: Some(7),
    };
    let mut all = ours::<echo::EchoRequest>("echo_request", ours_request(&request), SMALL);
    all.extend(ours::<echo::EchoResponse>(
        "echo_response",
        echo::EchoResponse { echoed: response.echoed.clone(), timer: response.timer.clone() },
        SMALL,
    ));
    all.extend(ours::<echo::ComplexRequest>(
        "complex_request",
        echo::ComplexRequest {
            messages: complex.messages.iter().map(ours_request).collect(),
            tags: complex.tags.clone(),
            note: complex.note.clone(),
            retries: complex.retries,
        },
        SMALL,
    ));
    all.extend(general("echo_request", &request, SMALL));
    all.push(minicbor("echo_request", &request, SMALL));
    all.extend(general("echo_response", &response, SMALL));
    all.push(minicbor("echo_response", &response, SMALL));
    all.extend(general("complex_request", &complex, SMALL));
    all.push(minicbor("complex_request", &complex, SMALL));
    all.extend(shapes(&complex.messages));
    for (shape, count) in [
        ("bytes_100", 100),
        ("bytes_1k", 1 << 10),
        ("bytes_10k", 10 << 10),
        ("bytes_64k", 64 << 10),
        ("bytes_150k", 150 << 10),
        ("bytes_1m", 1 << 20),
    ] {
        let blob: Vec<u8> = (0..count).map(|index| (index * 7) as u8).collect();
        let room = count + SMALL;
        all.extend(ours::<Bytes>(shape, blob.clone(), room));
        all.extend(general(shape, &Blob(blob.clone()), room));
        all.push(minicbor(shape, &Blob(blob.clone()), room));
        all.push(copy(shape, &blob, room));
    }
    all
}
