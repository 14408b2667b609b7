// SPDX-License-Identifier: BSD-3-Clause
//! The shapes that are measured, and every way to make a round trip of each.

use std::fmt::Debug;
use std::hint::black_box;
use std::rc::Rc;

use ferry_ingress::wire::{self, Bytes, Codec};
use serde::{de::DeserializeOwned, Deserialize, Serialize};

use crate::Variant;

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
#[cbor(transparent)]
struct Blob(
    #[serde(with = "serde_bytes")]
    #[cbor(n(0), with = "minicbor::bytes")]
    Vec<u8>,
);

/// What a program that uses a general library would write: the same values, with field names where serde writes them.
trait General: Clone + Debug + PartialEq + Serialize + DeserializeOwned + 'static {}
impl<T: Clone + Debug + PartialEq + Serialize + DeserializeOwned + 'static> General for T {}

fn echo_request(index: i64) -> EchoRequest {
    EchoRequest { message: format!("hello from request {index}"), delay_ms: 10 * index }
}

fn ours_request(request: &EchoRequest) -> echo::EchoRequest {
    echo::EchoRequest { message: request.message.clone(), delay_ms: request.delay_ms }
}

fn ours<C>(shape: &str, value: C::Value) -> Vec<Variant>
where
    C: Codec + 'static,
    C::Value: Debug + PartialEq + Clone + 'static,
{
    use std::borrow::Borrow;
    let cbor = {
        let (value, mut bytes) = (value.clone(), Vec::new());
        move || {
            wire::encode_cbor::<C>(black_box(&value).borrow(), &mut bytes).expect("encodes");
            black_box(&wire::decode_cbor::<C>(black_box(&bytes)).expect("decodes"));
            bytes.len()
        }
    };
    let c = {
        let mut bytes = Vec::new();
        move || {
            wire::encode_c::<C>(black_box(&value).borrow(), &mut bytes).expect("encodes");
            black_box(&wire::decode_c::<C>(black_box(&bytes)).expect("decodes"));
            bytes.len()
        }
    };
    vec![
        Variant { name: format!("rust-cbor:{shape}"), run: Box::new(cbor) },
        Variant { name: format!("rust-c:{shape}"), run: Box::new(c) },
    ]
}

fn general<T: General>(shape: &str, value: &T) -> Vec<Variant> {
    let ciborium = {
        let (value, mut bytes) = (value.clone(), Vec::new());
        move || {
            bytes.clear();
            ciborium::into_writer(black_box(&value), &mut bytes).expect("encodes");
            black_box(&ciborium::from_reader::<T, _>(black_box(&bytes[..])).expect("decodes"));
            bytes.len()
        }
    };
    let bincode = {
        let (value, mut bytes) = (value.clone(), Vec::new());
        move || {
            bytes.clear();
            bincode::serialize_into(&mut bytes, black_box(&value)).expect("encodes");
            black_box(&bincode::deserialize::<T>(black_box(&bytes)).expect("decodes"));
            bytes.len()
        }
    };
    vec![
        Variant { name: format!("ciborium:{shape}"), run: Box::new(ciborium) },
        Variant { name: format!("bincode:{shape}"), run: Box::new(bincode) },
    ]
}

fn minicbor<T>(shape: &str, value: &T) -> Variant
where
    T: Clone + 'static + minicbor::Encode<()>,
    for<'b> T: minicbor::Decode<'b, ()>,
{
    let (value, mut bytes) = (value.clone(), Vec::new());
    let run = move || {
        bytes.clear();
        minicbor::encode(black_box(&value), &mut bytes).expect("encodes");
        black_box(&minicbor::decode::<T>(black_box(&bytes)).expect("decodes"));
        bytes.len()
    };
    Variant { name: format!("minicbor:{shape}"), run: Box::new(run) }
}

fn memcpy(shape: &str, bytes: Rc<[u8]>) -> Variant {
    let mut buffer = Vec::new();
    let run = move || {
        buffer.clear();
        buffer.extend_from_slice(black_box(&bytes));
        black_box(&black_box(&buffer).to_vec());
        buffer.len()
    };
    Variant { name: format!("memcpy:{shape}"), run: Box::new(run) }
}

/// Every way to make a round trip of every shape.
pub fn variants() -> Vec<Variant> {
    let request = echo_request(1);
    let response = EchoResponse { echoed: "hello from request 1".to_owned(), timer: "10 ms".to_owned() };
    let complex = ComplexRequest {
        messages: (1..=3).map(echo_request).collect(),
        tags: ["one", "two", "three"].map(str::to_owned).to_vec(),
        note: Some("a remark".to_owned()),
        retries: Some(3),
    };
    let mut all = ours::<echo::EchoRequest>("EchoRequest", ours_request(&request));
    all.extend(ours::<echo::EchoResponse>(
        "EchoResponse",
        echo::EchoResponse { echoed: response.echoed.clone(), timer: response.timer.clone() },
    ));
    all.extend(ours::<echo::ComplexRequest>(
        "ComplexRequest",
        echo::ComplexRequest {
            messages: complex.messages.iter().map(ours_request).collect(),
            tags: complex.tags.clone(),
            note: complex.note.clone(),
            retries: complex.retries,
        },
    ));
    all.extend(general("EchoRequest", &request));
    all.push(minicbor("EchoRequest", &request));
    all.extend(general("EchoResponse", &response));
    all.push(minicbor("EchoResponse", &response));
    all.extend(general("ComplexRequest", &complex));
    all.push(minicbor("ComplexRequest", &complex));
    for (shape, count) in [("100B", 100), ("10KiB", 10 << 10), ("150KiB", 150 << 10), ("1MiB", 1 << 20)] {
        let blob: Vec<u8> = (0..count).map(|index| (index * 7) as u8).collect();
        all.extend(ours::<Bytes>(shape, blob.clone()));
        all.extend(general(shape, &Blob(blob.clone())));
        all.push(minicbor(shape, &Blob(blob.clone())));
        all.push(memcpy(shape, blob.into()));
    }
    all
}
