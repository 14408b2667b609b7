// SPDX-License-Identifier: BSD-3-Clause
// Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
//! The parameters of each method, lent to be encoded.

use ferry_ingress::wire;

use crate::types::{AllTypes, ComplexRequest, EchoRequest, Reader, Tree};

/// `create`.
pub(crate) struct CreateParams<'a> {
    pub prefix: wire::Plain<'a, wire::Text>,
}

ferry_ingress::request! {
    CreateParams { prefix }
    sorted {
        prefix = b"\x66prefix",
    }
}

/// `echo`.
pub(crate) struct EchoParams<'a> {
    pub request: wire::Plain<'a, EchoRequest>,
}

ferry_ingress::request! {
    EchoParams { request }
    sorted {
        request = b"\x67request",
    }
}

/// `complex`.
pub(crate) struct ComplexParams<'a> {
    pub request: wire::Plain<'a, ComplexRequest>,
}

ferry_ingress::request! {
    ComplexParams { request }
    sorted {
        request = b"\x67request",
    }
}

/// `bytes`.
pub(crate) struct BytesParams<'a> {
    pub payload: wire::Plain<'a, wire::Bytes>,
}

ferry_ingress::request! {
    BytesParams { payload }
    sorted {
        payload = b"\x67payload",
    }
}

/// `fail`.
pub(crate) struct FailParams<'a> {
    pub message: wire::Plain<'a, wire::Text>,
}

ferry_ingress::request! {
    FailParams { message }
    sorted {
        message = b"\x67message",
    }
}

/// `all`.
pub(crate) struct AllParams<'a> {
    pub value: wire::Plain<'a, AllTypes>,
}

ferry_ingress::request! {
    AllParams { value }
    sorted {
        value = b"\x65value",
    }
}

/// `tree`.
pub(crate) struct TreeParams<'a> {
    pub root: wire::Plain<'a, Tree>,
}

ferry_ingress::request! {
    TreeParams { root }
    sorted {
        root = b"\x64root",
    }
}

/// `maybe`.
pub(crate) struct MaybeParams<'a> {
    pub value: wire::Maybe<'a, wire::Text>,
}

ferry_ingress::request! {
    MaybeParams { value }
    sorted {
        value = b"\x65value",
    }
}

/// `ticks`.
pub(crate) struct TicksParams<'a> {
    pub count: wire::Plain<'a, wire::U32>,
}

ferry_ingress::request! {
    TicksParams { count }
    sorted {
        count = b"\x65count",
    }
}

/// `open`.
pub(crate) struct OpenParams<'a> {
    pub text: wire::Plain<'a, wire::Text>,
}

ferry_ingress::request! {
    OpenParams { text }
    sorted {
        text = b"\x64text",
    }
}

/// `read`.
pub(crate) struct ReadParams<'a> {
    pub reader: wire::Plain<'a, wire::Handle<Reader>>,
    pub bytes_max: wire::Plain<'a, wire::U32>,
}

ferry_ingress::request! {
    ReadParams { reader, bytes_max }
    sorted {
        reader = b"\x66reader",
        bytes_max = b"\x69bytes_max",
    }
}

/// `close`.
pub(crate) struct CloseParams<'a> {
    pub reader: wire::Plain<'a, wire::Handle<Reader>>,
}

ferry_ingress::request! {
    CloseParams { reader }
    sorted {
        reader = b"\x66reader",
    }
}

/// `sum`.
pub(crate) struct SumParams<'a> {
    pub left: wire::Plain<'a, wire::I64>,
    pub right: wire::Plain<'a, wire::I64>,
}

ferry_ingress::request! {
    SumParams { left, right }
    sorted {
        left = b"\x64left",
        right = b"\x65right",
    }
}
