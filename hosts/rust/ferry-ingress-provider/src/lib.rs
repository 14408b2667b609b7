// SPDX-License-Identifier: BSD-3-Clause
//! Write a library that runs on a thread of its own, for hosts in any language, on Ferry's ingress core.
//!
//! Attributes on ordinary Rust make a module a library, [`library`](macro@library) first; `docs/ingress-rust.md` is a
//! guide. The crate is called `ferry` in `Cargo.toml` for that: `ferry = { package = "ferry-ingress-provider", … }`. For a
//! description that is there already, `ferry bindgen --provider rust` writes a crate's first form and a trait; the author
//! implements the trait for a type, whose values are what the library keeps for one context. All of a context runs on its
//! library thread, one call at a time, so the author's type need not be `Send`. A method returns a value, a [`Reply`] that
//! comes later, from a future that the library thread runs, or from any thread, which has the [`Answer`], or an
//! [`Outcome`], which may be a failure.
//!
//! ```
//! use ferry_ingress_provider::{Outcome, Reply};
//!
//! fn half(number: u64) -> Outcome<u64> {
//!     if number % 2 != 0 {
//!         return Err("an odd number has no half".into());
//!     }
//!     Ok((number / 2).into())
//! }
//!
//! fn slowly(number: u64) -> Outcome<u64> {
//!     Ok(Reply::later(move |answer| {
//!         std::thread::spawn(move || answer.give(Ok(number + 1)));
//!     }))
//! }
//! # let _ = (half(4), slowly(1));
//! ```
//!
//! A panic in a method is the failure of its call. All unsafe code is in one private module, `core`.

#![deny(missing_docs)]
#![deny(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn)]

mod ask;
#[allow(unsafe_code)]
mod core;
mod reply;
mod stream;
mod task;
mod thread;

/// Export a library, for code that is written: by which function hosts find it, and its description, which
/// `ferry bindgen` finds in the shared object.
#[doc(hidden)]
#[macro_export]
macro_rules! export {
    ($function:ident, $interface:ident, $library:expr, $count:literal, $text:literal) => {
        /// The library, as hosts find it.
        #[no_mangle]
        pub extern "C" fn $function() -> *const $crate::RawLibrary {
            static LIBRARY: $crate::RawLibrary = $library;
            &LIBRARY
        }

        /// Its description.
        #[no_mangle]
        #[link_section = ".ferry_interface"]
        pub static $interface: [u8; $count] = *$text;
    };
}

pub use crate::ask::{Question, Unanswered};
pub use crate::core::{Call, EventKind, RawLibrary};
pub use crate::reply::{Answer, Failure, Outcome, Reply};
pub use crate::stream::{MakePart, Yields};
pub use crate::task::Sleep;
pub use crate::thread::{
    Context, Handle, Held, Kept, NoError, NoHandle, NoParams, Provide, Thread,
};
pub use ferry_ingress::{object, transparent, variant, wire};
pub use ferry_ingress_macros::*;
