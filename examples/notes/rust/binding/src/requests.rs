// SPDX-License-Identifier: BSD-3-Clause
// Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
//! The parameters of each method, lent to be encoded.

use ferry_ingress::wire;

use crate::types::{Cursor, Order};

/// `open`.
pub(crate) struct OpenParams<'a> {
    pub path: wire::Plain<'a, wire::Text>,
    pub database: wire::Maybe<'a, wire::Text>,
    pub watch: wire::Plain<'a, wire::Bool>,
}

ferry_ingress::request! {
    OpenParams { path, database, watch }
    sorted {
        path = b"\x64path",
        watch = b"\x65watch",
        database = b"\x68database",
    }
}

/// `find`.
pub(crate) struct FindParams<'a> {
    pub text: wire::Plain<'a, wire::Text>,
    pub order: wire::Plain<'a, wire::Enum<Order>>,
    pub limit: wire::Plain<'a, wire::U32>,
}

ferry_ingress::request! {
    FindParams { text, order, limit }
    sorted {
        text = b"\x64text",
        limit = b"\x65limit",
        order = b"\x65order",
    }
}

/// `search`.
pub(crate) struct SearchParams<'a> {
    pub text: wire::Plain<'a, wire::Text>,
    pub order: wire::Plain<'a, wire::Enum<Order>>,
}

ferry_ingress::request! {
    SearchParams { text, order }
    sorted {
        text = b"\x64text",
        order = b"\x65order",
    }
}

/// `fetch`.
pub(crate) struct FetchParams<'a> {
    pub cursor: wire::Plain<'a, wire::Handle<Cursor>>,
    pub count: wire::Plain<'a, wire::U32>,
}

ferry_ingress::request! {
    FetchParams { cursor, count }
    sorted {
        count = b"\x65count",
        cursor = b"\x66cursor",
    }
}

/// `end_search`.
pub(crate) struct EndSearchParams<'a> {
    pub cursor: wire::Plain<'a, wire::Handle<Cursor>>,
}

ferry_ingress::request! {
    EndSearchParams { cursor }
    sorted {
        cursor = b"\x66cursor",
    }
}

/// `read`.
pub(crate) struct ReadParams<'a> {
    pub path: wire::Plain<'a, wire::Text>,
}

ferry_ingress::request! {
    ReadParams { path }
    sorted {
        path = b"\x64path",
    }
}

/// `write`.
pub(crate) struct WriteParams<'a> {
    pub path: wire::Plain<'a, wire::Text>,
    pub text: wire::Plain<'a, wire::Text>,
}

ferry_ingress::request! {
    WriteParams { path, text }
    sorted {
        path = b"\x64path",
        text = b"\x64text",
    }
}

/// `remove`.
pub(crate) struct RemoveParams<'a> {
    pub path: wire::Plain<'a, wire::Text>,
}

ferry_ingress::request! {
    RemoveParams { path }
    sorted {
        path = b"\x64path",
    }
}

/// `parse`.
pub(crate) struct ParseParams<'a> {
    pub text: wire::Plain<'a, wire::Text>,
}

ferry_ingress::request! {
    ParseParams { text }
    sorted {
        text = b"\x64text",
    }
}
