// SPDX-License-Identifier: BSD-3-Clause
// Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
//! The library itself: all that is unsafe here.

use ferry_ingress::wire::Wire;
use ferry_ingress::{Library, RawLibrary, Result};

/// The hash of the interface that this was generated from.
const INTERFACE_HASH: u64 = 0xbd49e7c7bd8010b6;

/// The format of calls, unless the options say otherwise.
pub(crate) const WIRE: Wire = Wire::C;

extern "C" {
    fn ferry_library_notes() -> *const RawLibrary;
}

/// The library, checked against the interface.
pub(crate) fn library() -> Result<Library> {
    // SAFETY: the function may be called at any time and returns the library.
    unsafe { Library::from_raw(ferry_library_notes(), INTERFACE_HASH) }
}
