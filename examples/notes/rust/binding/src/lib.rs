// SPDX-License-Identifier: BSD-3-Clause
// Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
//! Full-text search over a folder of notes, with changes as they happen.
//!
//! Each function returns a call, which is awaited in any executor, waited for with a timeout, or submitted now and
//! either of those later: see [`Call`]. Those of [`NotesChain`] return promises, and run together.

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

mod chain;
mod context;
#[allow(unsafe_code)]
mod library;
mod requests;
mod statics;
mod types;

pub use chain::NotesChain;
pub use context::Notes;
pub use ferry_ingress::{
    block_on, submit_all, Call, Creation, Draft, Error, Event, Events, Options, Promise, Promised,
    Result, Results, Status, Submitted, Subscription, STREAM_DEPTH,
};
pub use statics::*;
pub use types::*;

/// Matches in one answer, at most.
pub const MAX_RESULTS: u32 = 1000;
