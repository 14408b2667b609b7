// SPDX-License-Identifier: BSD-3-Clause
//! A library as its module declares it.

use std::collections::HashMap;

use proc_macro::{Ident, Span, TokenTree};

use crate::shape::{Shape, Syntax};

/// A name of the description, and where it was declared.
#[derive(Clone)]
pub struct Name {
    /// As hosts know it.
    pub text: String,
    /// As the module has it.
    pub ident: Ident,
}

impl Name {
    pub fn span(&self) -> Span {
        self.ident.span()
    }
}

pub struct Constant {
    pub name: Name,
    /// The type in the description.
    pub kind: &'static str,
    /// The value as the description has it.
    pub json: String,
    /// What the compiler checks that `json` was made of, if that was computed.
    pub computed: Option<String>,
    pub doc: String,
}

pub struct Field {
    pub name: Name,
    pub syntax: Syntax,
    pub doc: String,
    /// The tokens of the default.
    pub default: Option<(Vec<TokenTree>, Span)>,
}

pub struct Value {
    pub name: Name,
    pub number: i32,
    pub doc: String,
}

/// A case of a variant.
pub struct Case {
    pub name: Name,
    /// The type of what it carries.
    pub syntax: Option<Syntax>,
    pub doc: String,
}

pub enum Kind {
    Object(Vec<Field>),
    Enum(Vec<Value>),
    Variant(Vec<Case>),
    Handle,
}

pub struct Declared {
    pub name: Name,
    pub kind: Kind,
    /// Whether it is a tuple in Rust, whose fields have places there.
    pub is_tuple: bool,
    pub doc: String,
}

/// How a function takes what the library keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Receiver {
    None,
    Shared,
    Mutable,
    Owned,
}

/// How a parameter is handed over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// It is the context, which does not travel.
    Context,
    Owned,
    Lent,
    /// The object behind a handle.
    Held,
    HeldLent,
}

pub struct Param {
    pub name: Name,
    pub syntax: Syntax,
    pub shape: Option<Shape>,
    pub given: Given,
    pub doc: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MethodKind {
    Constructor,
    Destructor,
    Method,
    Static,
}

/// What a function gives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    Value,
    /// A `Reply`, which may come later.
    Reply,
    /// `Yields`.
    Values,
}

/// How a function fails.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fails {
    Never,
    /// With what becomes a `Failure`.
    Failure,
    /// With the declared error itself.
    Raised,
}

pub struct MethodResult {
    pub gives: Gives,
    pub fails: Fails,
    /// The type of the value, or of the values.
    pub shape: Option<Shape>,
    /// The name of the declared error.
    pub error: Option<String>,
}

pub struct Method {
    pub name: Name,
    pub role: MethodKind,
    pub receiver: Receiver,
    pub is_async: bool,
    pub is_idempotent: bool,
    pub params: Vec<Param>,
    pub returns: MethodResult,
    pub doc: String,
    /// The type whose `impl` it stands in.
    pub owner: Option<String>,
}

impl Method {
    /// The parameters that travel.
    pub fn travelling(&self) -> impl Iterator<Item = &Param> {
        self.params
            .iter()
            .filter(|param| param.given != Given::Context)
    }

    pub fn yields(&self) -> bool {
        self.returns.gives == Gives::Values
    }
}

pub struct Event {
    pub name: Name,
    pub shape: Option<Shape>,
    pub overflow: &'static str,
    pub depth: u32,
    pub doc: String,
}

pub struct Ask {
    pub name: Name,
    pub params: Vec<Param>,
    pub shape: Option<Shape>,
    pub error: Option<String>,
    pub doc: String,
}

/// A token of the module, or the place of a body that the macro writes.
pub enum BodyPart {
    Token(TokenTree),
    /// The body of the event of this number.
    Event(usize),
    /// The body of the question of this number.
    Ask(usize),
}

pub struct Library {
    pub name: String,
    pub name_span: Span,
    pub version: String,
    pub doc: String,
    /// The function that a library thread calls when it begins.
    pub enter: Option<Vec<TokenTree>>,
    /// What stands before the module's braces.
    pub head: Vec<TokenTree>,
    pub pieces: Vec<BodyPart>,
    pub constants: Vec<Constant>,
    pub types: Vec<Declared>,
    /// Other names of types.
    pub aliases: HashMap<String, Syntax>,
    /// Structs that travel as what they have in them.
    pub transparent: Vec<(Name, Syntax)>,
    pub methods: Vec<Method>,
    pub events: Vec<Event>,
    pub asks: Vec<Ask>,
    /// What the parameters of events are, by number: an event has one beside the context at most.
    pub event_params: Vec<Vec<Param>>,
}

impl Library {
    pub fn of_role(&self, role: MethodKind) -> Option<&Method> {
        self.methods.iter().find(|method| method.role == role)
    }

    pub fn find(&self, name: &str) -> Option<&Declared> {
        self.types
            .iter()
            .find(|declared| declared.name.text == name)
    }

    /// The type of which a value is kept for each context.
    pub fn owner(&self) -> Option<&str> {
        self.of_role(MethodKind::Constructor)
            .and_then(|method| method.owner.as_deref())
    }
}

/// `titleBytes`, `TitleBytes` or `TITLE_BYTES` as `title_bytes`.
pub fn snake(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::new();
    for (index, char) in chars.iter().enumerate() {
        if char.is_uppercase() && index > 0 && chars[index - 1] != '_' {
            let before = chars[index - 1];
            let is_next_lower = chars
                .get(index + 1)
                .map_or(false, |next| next.is_lowercase());
            if !before.is_uppercase() || is_next_lower {
                out.push('_');
            }
        }
        out.extend(char.to_lowercase());
    }
    out
}

/// `title_bytes` as `TitleBytes`.
pub fn pascal(name: &str) -> String {
    name.split('_')
        .map(|word| {
            let mut chars = word.chars();
            chars
                .next()
                .map(|first| first.to_uppercase().chain(chars).collect::<String>())
                .unwrap_or_default()
        })
        .collect()
}
