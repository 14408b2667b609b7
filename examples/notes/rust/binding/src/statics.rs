// SPDX-License-Identifier: BSD-3-Clause
// Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
//! Methods that need no context.

use ferry_ingress::{call_static, wire, Call};

use crate::library::{library, WIRE};
use crate::requests;

/// How a query is understood, in the words of SQLite's FTS5; a query that cannot be asked fails.
pub fn parse(text: &str) -> Call<String> {
    let request = requests::ParseParams {
        text: wire::Plain::new(text),
    };
    call_static::<wire::Text>(library(), WIRE, 13, &request)
}
