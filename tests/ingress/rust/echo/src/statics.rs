// SPDX-License-Identifier: BSD-3-Clause
// Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
//! Methods that need no context.

use ferry_ingress::{call_static, wire, Call};

use crate::library::{library, WIRE};
use crate::requests;

/// The version of the library.
pub fn version() -> Call<String> {
    call_static::<wire::Text>(library(), WIRE, 13, &())
}

/// Add two numbers, wrapping around.
///
/// * `left`: A number.
/// * `right`: Another.
pub fn sum(left: i64, right: i64) -> Call<i64> {
    let request = requests::SumParams {
        left: wire::Plain::new(&left),
        right: wire::Plain::new(&right),
    };
    call_static::<wire::I64>(library(), WIRE, 14, &request)
}
