// SPDX-License-Identifier: BSD-3-Clause
//! Types: what the module writes, and what that is in the description.
//!
//! A type is known by the last part of its path, so `std::string::String` is a `String`. Where the module means another
//! type by that name, the compiler says so, since the codec's type then differs.

use std::collections::HashMap;

use proc_macro::{Delimiter, Span, TokenTree};

use crate::tokens::{fail, is_punct, plain, text_of, Cursor, Result};

/// A type as it is written.
#[derive(Clone)]
pub struct Syntax {
    pub span: Span,
    pub text: String,
    pub form: Form,
}

#[derive(Clone)]
pub enum Form {
    Unit,
    /// The last part of a path, with what stands in its angle brackets.
    Path(String, Vec<Syntax>),
    Lent {
        is_mutable: bool,
        of: Box<Syntax>,
    },
    Slice(Box<Syntax>),
    Array,
    Tuple,
    Other,
}

/// A type of the description.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    Scalar(&'static str),
    Enum(String),
    Object(String),
    Variant(String),
    Handle(String),
    Option(Box<Shape>),
    Seq(Box<Shape>),
    Map(Box<Shape>, Box<Shape>),
}

/// Which kind of type a name is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MarkedKind {
    Enum,
    Object,
    Variant,
    Handle,
}

/// What the names of the module stand for.
#[derive(Default)]
pub struct Names {
    pub marked: HashMap<String, MarkedKind>,
    pub aliases: HashMap<String, Syntax>,
}

const NUMBERS: [&str; 10] = [
    "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64",
];

/// Read a type.
pub fn parse(tokens: Vec<TokenTree>, span: Span) -> Syntax {
    let span = tokens.first().map_or(span, TokenTree::span);
    Syntax {
        span,
        text: text_of(&tokens),
        form: form(tokens, span),
    }
}

fn form(tokens: Vec<TokenTree>, span: Span) -> Form {
    let mut cursor = Cursor::new(tokens, span);
    if cursor.take_punct('&') {
        if is_punct(cursor.peek(), '\'') {
            cursor.next();
            cursor.next();
        }
        let is_mutable = cursor.take_word("mut");
        let of = Box::new(parse(cursor.rest(), span));
        return Form::Lent { is_mutable, of };
    }
    if let (Some(TokenTree::Group(group)), None) = (cursor.peek(), cursor.peek_at(1)) {
        let inner = Cursor::of(group).rest();
        return match group.delimiter() {
            Delimiter::Parenthesis if inner.is_empty() => Form::Unit,
            Delimiter::Parenthesis => Form::Tuple,
            Delimiter::Bracket if inner.iter().any(|token| is_punct(Some(token), ';')) => {
                Form::Array
            }
            Delimiter::Bracket => Form::Slice(Box::new(parse(inner, span))),
            _ => Form::Other,
        };
    }
    path(&mut cursor).unwrap_or(Form::Other)
}

fn path(cursor: &mut Cursor) -> Option<Form> {
    let mut last;
    let mut arguments = Vec::new();
    loop {
        while cursor.take_punct(':') {}
        match cursor.next() {
            Some(TokenTree::Ident(ident)) => last = plain(&ident),
            _ => return None,
        }
        if matches!(
            last.as_str(),
            "impl" | "dyn" | "fn" | "unsafe" | "extern" | "for"
        ) {
            return None;
        }
        if cursor.take_punct('<') {
            arguments = angles(cursor)?;
        }
        if cursor.is_empty() {
            return Some(Form::Path(last, arguments));
        }
        if !is_punct(cursor.peek(), ':') {
            return None;
        }
    }
}

/// The types up to the `>` that belongs to a `<` that was taken.
fn angles(cursor: &mut Cursor) -> Option<Vec<Syntax>> {
    let mut deep = 1;
    let mut inside = Vec::new();
    loop {
        let token = cursor.next()?;
        if is_punct(Some(&token), '<') {
            deep += 1;
        } else if is_punct(Some(&token), '>') {
            deep -= 1;
            if deep == 0 {
                break;
            }
        }
        inside.push(token);
    }
    let mut inside = Cursor::new(inside, Span::call_site());
    let mut found = Vec::new();
    while !inside.is_empty() {
        let span = inside.span();
        let part = inside.until_comma();
        if !is_punct(part.first(), '\'') {
            found.push(parse(part, span));
        }
    }
    Some(found)
}

impl Syntax {
    /// The last part of the path and its arguments, aliases of the module resolved.
    pub fn named<'a>(&'a self, names: &'a Names) -> Option<(&'a str, &'a [Syntax])> {
        let mut syntax = self;
        // more aliases than there are names would be a circle, which the compiler refuses
        for _ in 0..=names.aliases.len() {
            match &syntax.form {
                Form::Path(name, arguments) => match names.aliases.get(name) {
                    Some(other) if arguments.is_empty() => syntax = other,
                    _ => return Some((name, arguments)),
                },
                _ => return None,
            }
        }
        None
    }
}

/// What a type is in the description. `place` says for people where it stands.
pub fn shape(syntax: &Syntax, names: &Names, place: &str) -> Result<Shape> {
    let refuse = |why: &str| {
        let message = format!("{place}: `{}` cannot cross; {why}", syntax.text);
        fail(syntax.span, message)
    };
    let (name, arguments) = match &syntax.form {
        Form::Unit => return refuse("leave it out"),
        Form::Lent { .. } | Form::Slice(_) => {
            return refuse("values are owned: use `String` or `Vec`")
        }
        Form::Array => return refuse("use a `Vec`"),
        Form::Tuple => return refuse("use a struct that is marked #[ferry::object]"),
        Form::Other => return refuse("use a type of the table in docs/ingress-rust.md"),
        Form::Path(..) => match syntax.named(names) {
            Some(named) => named,
            None => return refuse("use another type"),
        },
    };
    let inner = |index: usize| match arguments.get(index) {
        Some(argument) => shape(argument, names, place),
        None => fail(
            syntax.span,
            format!("{place}: `{}` lacks what it is made of", syntax.text),
        ),
    };
    if let Some(marked) = names.marked.get(name) {
        let name = name.to_owned();
        return match marked {
            MarkedKind::Enum => Ok(Shape::Enum(name)),
            MarkedKind::Object => Ok(Shape::Object(name)),
            MarkedKind::Variant => Ok(Shape::Variant(name)),
            MarkedKind::Handle => refuse(&format!("its objects stay here: use `Handle<{name}>`")),
        };
    }
    if let Some(number) = NUMBERS.iter().find(|number| **number == name) {
        return Ok(Shape::Scalar(number));
    }
    match name {
        "bool" => Ok(Shape::Scalar("bool")),
        "String" => Ok(Shape::Scalar("string")),
        "Option" => match inner(0)? {
            Shape::Option(_) => refuse("one `Option` is enough"),
            item => Ok(Shape::Option(Box::new(item))),
        },
        "Vec" => Ok(match inner(0)? {
            Shape::Scalar("u8") => Shape::Scalar("bytes"),
            item => Shape::Seq(Box::new(item)),
        }),
        "BTreeMap" => match inner(0)? {
            Shape::Scalar("bool" | "f32" | "f64" | "bytes") => {
                refuse("keys are integers or a `String`")
            }
            key @ Shape::Scalar(_) => Ok(Shape::Map(Box::new(key), Box::new(inner(1)?))),
            _ => refuse("keys are integers or a `String`"),
        },
        "Handle" => match arguments.first().and_then(|of| of.named(names)) {
            Some((of, _)) if names.marked.get(of) == Some(&MarkedKind::Handle) => {
                Ok(Shape::Handle(of.to_owned()))
            }
            _ => refuse("the type of the object is to be marked #[ferry::handle]"),
        },
        "Held" => refuse("only a parameter is `Held`; use `Handle` here"),
        _ => refuse(advice(name)),
    }
}

fn advice(name: &str) -> &'static str {
    match name {
        "usize" | "u128" => "use `u64`",
        "isize" | "i128" => "use `i64`",
        "char" => "use `u32` or `String`",
        "str" | "PathBuf" | "OsString" | "CString" => "use `String`",
        "HashMap" => "use `BTreeMap`",
        "HashSet" | "BTreeSet" | "VecDeque" => "use `Vec`",
        "Box" | "Rc" | "Arc" | "Cell" | "RefCell" | "Mutex" | "Cow" => "use the value itself",
        "Duration" | "SystemTime" | "Instant" => {
            "use an `i64`, with the unit in the name: `delay_ms`"
        }
        "Result" | "Outcome" | "Reply" | "Yields" => "only a method returns it",
        "Self" => "write its name",
        _ => "mark its declaration in this module with #[ferry::object], #[ferry::enumeration], #[ferry::variant] or #[ferry::handle]",
    }
}

impl Shape {
    /// The type that decodes to it, as Rust writes it in the module that the macro makes.
    pub fn rust(&self) -> String {
        match self {
            Shape::Scalar("string") => "::std::string::String".to_owned(),
            Shape::Scalar("bytes") => "::std::vec::Vec<u8>".to_owned(),
            Shape::Scalar(name) => (*name).to_owned(),
            Shape::Enum(name) | Shape::Object(name) | Shape::Variant(name) => {
                format!("super::{name}")
            }
            Shape::Handle(name) => format!("::ferry::Handle<super::{name}>"),
            Shape::Option(item) => format!("::std::option::Option<{}>", item.rust()),
            Shape::Seq(item) => format!("::std::vec::Vec<{}>", item.rust()),
            Shape::Map(key, value) => {
                format!(
                    "::std::collections::BTreeMap<{}, {}>",
                    key.rust(),
                    value.rust()
                )
            }
        }
    }

    /// How it travels, seen from the module with this path to the author's.
    pub fn codec(&self, up: &str) -> String {
        match self {
            Shape::Scalar("string") => "::ferry::wire::Text".to_owned(),
            Shape::Scalar(name) => {
                let (first, rest) = name.split_at(1);
                format!("::ferry::wire::{}{rest}", first.to_uppercase())
            }
            Shape::Enum(name) => format!("::ferry::wire::Enum<{up}{name}>"),
            Shape::Object(name) | Shape::Variant(name) => format!("{up}{name}"),
            Shape::Handle(name) => format!("::ferry::wire::Handle<::ferry::Handle<{up}{name}>>"),
            Shape::Option(item) => format!("::ferry::wire::Opt<{}>", item.codec(up)),
            Shape::Seq(item) => format!("::ferry::wire::Seq<{}>", item.codec(up)),
            Shape::Map(key, value) => {
                format!("::ferry::wire::Map<{}, {}>", key.codec(up), value.codec(up))
            }
        }
    }
}
