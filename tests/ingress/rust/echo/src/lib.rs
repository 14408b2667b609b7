// SPDX-License-Identifier: BSD-3-Clause
// Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
//! A library that gives back what it is given, sometimes later. It has something of every kind, so that one
//! conformance program can be written in every language.
//!
//! Each function returns a call, which is awaited in any executor, waited for with a timeout, or submitted now and
//! either of those later: see [`Call`].

#![deny(missing_docs)]
#![deny(unsafe_code)]
// names and parameters are the library's
#![allow(
    clippy::too_many_arguments,
    clippy::should_implement_trait,
    clippy::wrong_self_convention
)]
#![allow(
    clippy::enum_variant_names,
    clippy::approx_constant,
    clippy::excessive_precision
)]

mod context;
#[allow(unsafe_code)]
mod library;
mod requests;
mod statics;
mod types;

pub use context::Echo;
pub use ferry_ingress::{
    block_on, submit_all, Call, Creation, Error, Event, Events, Options, Result, Status,
    Subscription, STREAM_DEPTH,
};
pub use statics::*;
pub use types::*;

/// The longest delay an echo may ask for, in milliseconds.
pub const MAX_DELAY_MS: u32 = 60000;

/// What a polite host sends first.
pub const GREETING: &str = "hello, \"wörld\"";

/// One half.
pub const HALF: f64 = 0.5;

/// Whether the library was built for debugging.
pub const DEBUG: bool = false;

/// The lowest number there is.
pub const LOWEST: i64 = -9223372036854775808;
