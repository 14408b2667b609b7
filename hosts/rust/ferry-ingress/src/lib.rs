// SPDX-License-Identifier: BSD-3-Clause
//! Call a library that runs on a thread of its own, through Ferry's ingress core (`libferryingress`).
//!
//! Programs use a crate that `ferry bindgen --lang rust` wrote for their library, and that crate uses this one. It has
//! a struct for the library's context, with a function for each method, and each of these returns a [`Call`]:
//!
//! * `notes.find("ferry").await?` in any executor, or in [`block_on()`]: no runtime is needed, none is started;
//! * `notes.find("ferry").wait(Duration::from_secs(1))?` on a thread that may block;
//! * `let call = notes.find("ferry").submit();` now, and either of those later. [`submit_all`] submits many at once.
//!
//! Calls that need each other's results go together, as a [`Chain`], in which a [`Promise`] of an earlier call is an argument
//! of a later one, or stands in one, a [`Draft`].
//!
//! A method that yields returns a [`Stream`], whose values come while the program uses those before.
//!
//! Events come as [`Events`], a stream, or by a callback, a [`Subscription`]. An [`Error`] has a [`Status`] and a
//! message; a method that declares an error of its own fails with a [`Failure`], which may be that. Contexts and calls are `Send` and `Sync`. Dropping a context destroys it; a call may be dropped at any time
//! before its reply. Handles are plain ids: the library checks each one, and refuses one that was closed
//! ([`Status::BadHandle`]), so copies do no harm. Dropping a handle does nothing: closing it is a method of the library
//! like any other, which takes time and may fail.
//!
//! All unsafe code is in one private module, `core`, except for one line of `wire`, which takes ASCII bytes for a text.

#![deny(missing_docs)]
#![deny(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn)]

mod answer;
mod argument;
mod block_on;
mod buffer;
mod call;
mod chain;
mod context;
#[allow(unsafe_code)]
mod core;
mod draft;
mod events;
mod status;
mod stream;
pub mod wire;

pub use crate::answer::{answered, Answers, Refusal};
pub use crate::argument::{Argument, Given, Taken};
pub use crate::block_on::block_on;
pub use crate::call::{submit_all, Call};
pub use crate::chain::{Case, Chain, Field, Holds, Promise, Promised, Results, Submitted};
pub use crate::context::{call_static, call_static_raising, Context, Creation, Options};
pub use crate::core::{Library, RawLibrary};
pub use crate::draft::Draft;
pub use crate::events::{Event, EventKind, Events, Next, Overflow, Subscription, STREAM_DEPTH};
pub use crate::status::{Error, Fails, Failure, Raisable, Result, Status};
pub use crate::stream::{NextValue, Part, Stream, Values, STREAM_CREDITS};
