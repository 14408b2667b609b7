// SPDX-License-Identifier: BSD-3-Clause
//! The attributes by which an ordinary module becomes a library; `ferry-ingress-provider` has them too, and says how
//! they are used.
//!
//! `#[ferry::library]` sees the whole module, so all that a description holds is known when the module is compiled:
//! its tokens are split into items (`tokens`, `parse`), the marked ones become a model (`library`, `shape`, `value`),
//! which is checked (`check`), described and hashed (`describe`), and then written as Rust (`write`). The other
//! attributes are marks that it takes away again; where it has not, each of them says that.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod check;
mod describe;
mod library;
mod parse;
mod shape;
mod tokens;
mod value;
mod write;

use proc_macro::TokenStream;

/// Make a module a library: `#[ferry::library] mod notes { … }`. Its name is the module's, and its version the crate's,
/// unless `name = "…"` and `version = "…"` say otherwise. `enter = PATH` names a function that each library thread calls
/// when it begins, and whose value it keeps until it ends, such as the guard of an executor.
#[proc_macro_attribute]
pub fn library(arguments: TokenStream, module: TokenStream) -> TokenStream {
    let made = parse::library(arguments, module)
        .and_then(|library| check::check(&library).map(|()| library))
        .map(|library| write::write(&library));
    made.unwrap_or_else(|errors| errors.iter().map(tokens::Error::written).collect())
}

fn misplaced(name: &str, item: TokenStream) -> TokenStream {
    let message = format!(
        "#[ferry::{name}] stands in a module that is marked #[ferry::library]; this item stands in none"
    );
    let span = item
        .into_iter()
        .next()
        .map_or_else(proc_macro::Span::call_site, |token| token.span());
    tokens::Error { span, message }.written()
}

macro_rules! mark {
    ($($name:ident: $doc:literal;)*) => {$(
        #[doc = $doc]
        ///
        /// It stands in a module that is marked `#[ferry::library]`.
        #[proc_macro_attribute]
        pub fn $name(_: TokenStream, item: TokenStream) -> TokenStream {
            misplaced(stringify!($name), item)
        }
    )*};
}

mark! {
    constant: "A `const` of a number, a `bool` or a `&str`, which hosts see.";
    object: "A struct with named fields, or a name of a tuple, whose values cross.";
    enumeration: "An enum without fields, whose values cross.";
    variant: "An enum whose values cross, each of which carries a value or nothing.";
    handle: "A type whose objects stay with the library; hosts hold handles of them.";
    range: "Which integers a field, a parameter or a named type may have.";
    transparent: "A struct with one value, which crosses as that value.";
    constructor: "A function that makes what the library keeps for one context.";
    destructor: "A method that runs after all calls.";
    method: "A method; without `self`, a static one. `idempotent` says that a call may be made again.";
    event: "A function without a body, which emits an event. `drop_newest` and `coalesce` say what a slow listener loses, `depth = N` how many wait for it.";
    ask: "A function without a body that returns a `Question`, which asks the host.";
    default: "The value that a field has which hosts leave out.";
}
