// SPDX-License-Identifier: BSD-3-Clause
//! Types: what the module writes, and what that is in the description.
//!
//! A type is known by the last part of its path, so `std::string::String` is a `String`. Where the module means another
//! type by that name, the compiler says so, since the codec's type then differs.

use std::collections::HashMap;

use proc_macro::{Delimiter, Span, TokenTree};

use crate::tokens::{fail, is_punct, plain, text_of, Cursor, Result};
use crate::value::bounds;

/// A type as it is written.
#[derive(Clone)]
pub struct Syntax {
    pub span: Span,
    pub text: String,
    pub form: Form,
    /// Which of its integers are meant.
    pub range: Option<Range>,
}

/// The integers from `least` to `most`.
#[derive(Clone, Copy)]
pub struct Range {
    pub least: i128,
    pub most: i128,
    /// Where it stands.
    pub span: Span,
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
    /// The type of the elements, and how many there are, as it is written.
    Array(Box<Syntax>, String),
    Tuple,
    Other,
}

/// A type of the description, or one that travels as such a type, its carrier.
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
    /// An object that is a tuple in Rust.
    Tuple(String),
    /// A sequence, or bytes; the number of elements as it is written.
    Array(Box<Shape>, String),
    /// A sequence, by the name of the set.
    Set(&'static str, Box<Shape>),
    /// A map.
    HashMap(Box<Shape>, Box<Shape>),
    /// Nanoseconds, by the name of the type.
    Time(&'static str),
    /// An integer of that type, from the least to the largest.
    Range(&'static str, i128, i128),
    /// What the struct of that name has in it.
    Transparent(String, Box<Shape>),
}

/// Which kind of type a name is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MarkedKind {
    Enum,
    Object,
    Variant,
    Handle,
    Tuple,
    Transparent,
}

/// What the names of the module stand for.
#[derive(Default)]
pub struct Names {
    pub marked: HashMap<String, MarkedKind>,
    pub aliases: HashMap<String, Syntax>,
    /// What structs that are transparent have in them.
    pub transparent: HashMap<String, Syntax>,
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
        range: None,
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
            Delimiter::Bracket => slice_or_array(inner, span),
            _ => Form::Other,
        };
    }
    path(&mut cursor).unwrap_or(Form::Other)
}

/// What stands in brackets: the type of the elements, and how many there are, if that is said.
fn slice_or_array(mut inner: Vec<TokenTree>, span: Span) -> Form {
    match inner.iter().position(|token| is_punct(Some(token), ';')) {
        None => Form::Slice(Box::new(parse(inner, span))),
        Some(place) => {
            let count = text_of(&inner.split_off(place)[1..]);
            Form::Array(Box::new(parse(inner, span)), count)
        }
    }
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

impl Syntax {
    /// The ranges that the type and the aliases on its way are given.
    pub fn ranges(&self, names: &Names) -> Vec<Range> {
        let mut syntax = self;
        let mut found = Vec::new();
        for _ in 0..=names.aliases.len() {
            found.extend(syntax.range);
            match &syntax.form {
                Form::Path(name, arguments) if arguments.is_empty() => {
                    match names.aliases.get(name) {
                        Some(other) => syntax = other,
                        None => break,
                    }
                }
                _ => break,
            }
        }
        found
    }
}

/// What a type is in the description. `place` says for people where it stands.
pub fn shape(syntax: &Syntax, names: &Names, place: &str) -> Result<Shape> {
    let whole = unlimited(syntax, names, place)?;
    match syntax.ranges(names).as_slice() {
        [] => Ok(whole),
        [range] => limited(whole, range, place),
        [range, ..] => fail(
            range.span,
            format!("{place}: `{}` has a range already", syntax.text),
        ),
    }
}

/// The integers of a type that are in a range.
pub fn limited(whole: Shape, range: &Range, place: &str) -> Result<Shape> {
    let kind = match whole {
        Shape::Option(item) => {
            return limited(*item, range, place).map(|item| Shape::Option(Box::new(item)))
        }
        Shape::Scalar(kind) => kind,
        _ => "",
    };
    match bounds(kind) {
        None => fail(
            range.span,
            format!("{place}: an integer has a range, or an `Option` of one; where it is inside of another type, give it a name: `#[ferry::range(0..=9)] type Digit = u8;`"),
        ),
        Some((least, most)) if range.least < least || range.most > most => fail(
            range.span,
            format!("{place}: `{kind}` has the integers from {least} to {most}"),
        ),
        Some(_) => Ok(Shape::Range(kind, range.least, range.most)),
    }
}

/// What a type is, whichever of its integers are meant.
fn unlimited(syntax: &Syntax, names: &Names, place: &str) -> Result<Shape> {
    let refuse = |why: &str| {
        let message = format!("{place}: `{}` cannot cross; {why}", syntax.text);
        fail(syntax.span, message)
    };
    let (name, arguments) = match &syntax.form {
        Form::Unit => return refuse("leave it out"),
        Form::Lent { .. } | Form::Slice(_) => {
            return refuse("values are owned: use `String` or `Vec`")
        }
        Form::Array(item, count) => {
            let item = Box::new(shape(item, names, place)?);
            return Ok(Shape::Array(item, count.clone()));
        }
        Form::Tuple => {
            return refuse("give it a name, and its fields: `#[ferry::object(first, second)] type Pair = (u32, u32);`")
        }
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
            MarkedKind::Tuple => Ok(Shape::Tuple(name)),
            MarkedKind::Transparent => match names.transparent.get(&name) {
                Some(inside) => {
                    let inside = shape(inside, names, place)?;
                    Ok(Shape::Transparent(name, Box::new(inside)))
                }
                None => refuse("use another type"),
            },
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
        "BTreeMap" | "HashMap" => match inner(0)? {
            key if !key.is_key() => refuse("keys are integers or a `String`"),
            key => {
                let (key, value) = (Box::new(key), Box::new(inner(1)?));
                Ok(match name {
                    "BTreeMap" => Shape::Map(key, value),
                    _ => Shape::HashMap(key, value),
                })
            }
        },
        "BTreeSet" | "HashSet" => {
            let set = if name == "BTreeSet" {
                "TreeSet"
            } else {
                "HashedSet"
            };
            match inner(0)? {
                item @ Shape::Enum(_) => Ok(Shape::Set(set, Box::new(item))),
                item if item.is_key() => Ok(Shape::Set(set, Box::new(item))),
                _ => refuse("sets are of an enum that is marked #[ferry::enumeration], of integers or of `String`"),
            }
        }
        "Duration" => Ok(Shape::Time("Duration")),
        "SystemTime" => Ok(Shape::Time("SystemTime")),
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
        "VecDeque" | "LinkedList" | "BinaryHeap" => "use `Vec`",
        "Box" | "Rc" | "Arc" | "Cell" | "RefCell" | "Mutex" | "Cow" => "use the value itself",
        "Instant" => "use a `SystemTime`, or the `Duration` since then",
        "Result" | "Outcome" | "Reply" | "Yields" => "only a method returns it",
        "Self" => "write its name",
        _ => "mark its declaration in this module with #[ferry::object], #[ferry::enumeration], #[ferry::variant] or #[ferry::handle]",
    }
}

/// The type that stands for how a tuple travels, which has no type of its own.
pub fn tuple_codec(name: &str) -> String {
    format!("{name}Tuple_")
}

impl Shape {
    /// Whether a map may have it as its key.
    fn is_key(&self) -> bool {
        matches!(self, Shape::Scalar(kind) if !matches!(*kind, "bool" | "f32" | "f64" | "bytes"))
    }

    /// The type of the description as which it travels.
    pub fn carrier(&self) -> Shape {
        let boxed = |inner: &Shape| Box::new(inner.carrier());
        match self {
            Shape::Option(item) => Shape::Option(boxed(item)),
            Shape::Array(item, _) if **item == Shape::Scalar("u8") => Shape::Scalar("bytes"),
            Shape::Seq(item) | Shape::Array(item, _) | Shape::Set(_, item) => {
                Shape::Seq(boxed(item))
            }
            Shape::Map(key, value) | Shape::HashMap(key, value) => {
                Shape::Map(boxed(key), boxed(value))
            }
            Shape::Tuple(name) => Shape::Object(name.clone()),
            Shape::Time(_) => Shape::Scalar("i64"),
            Shape::Range(kind, ..) => Shape::Scalar(kind),
            Shape::Transparent(_, inside) => inside.carrier(),
            Shape::Scalar(_)
            | Shape::Enum(_)
            | Shape::Object(_)
            | Shape::Variant(_)
            | Shape::Handle(_) => self.clone(),
        }
    }

    /// The type that decodes to it, as Rust writes it in the module that the macro makes.
    pub fn rust(&self) -> String {
        match self {
            Shape::Scalar("string") => "::std::string::String".to_owned(),
            Shape::Scalar("bytes") => "::std::vec::Vec<u8>".to_owned(),
            Shape::Scalar(name) => (*name).to_owned(),
            Shape::Enum(name)
            | Shape::Object(name)
            | Shape::Variant(name)
            | Shape::Tuple(name)
            | Shape::Transparent(name, _) => format!("super::{name}"),
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
            Shape::Array(item, count) => format!("[{}; {count}]", item.rust()),
            Shape::Set("TreeSet", item) => {
                format!("::std::collections::BTreeSet<{}>", item.rust())
            }
            Shape::Set(_, item) => format!("::std::collections::HashSet<{}>", item.rust()),
            Shape::HashMap(key, value) => {
                format!(
                    "::std::collections::HashMap<{}, {}>",
                    key.rust(),
                    value.rust()
                )
            }
            Shape::Time(name) => format!("::std::time::{name}"),
            Shape::Range(kind, ..) => (*kind).to_owned(),
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
            Shape::Object(name) | Shape::Variant(name) | Shape::Transparent(name, _) => {
                format!("{up}{name}")
            }
            Shape::Tuple(name) => format!("{up}ferry_generated::{}", tuple_codec(name)),
            Shape::Handle(name) => format!("::ferry::wire::Handle<::ferry::Handle<{up}{name}>>"),
            Shape::Option(item) => format!("::ferry::wire::Opt<{}>", item.codec(up)),
            Shape::Seq(item) => format!("::ferry::wire::Seq<{}>", item.codec(up)),
            Shape::Map(key, value) => {
                format!("::ferry::wire::Map<{}, {}>", key.codec(up), value.codec(up))
            }
            Shape::Array(item, count) if **item == Shape::Scalar("u8") => {
                format!("::ferry::wire::ByteArray<{{ {count} }}>")
            }
            Shape::Array(item, count) => {
                format!("::ferry::wire::Array<{}, {{ {count} }}>", item.codec(up))
            }
            Shape::Set(set, item) => format!("::ferry::wire::{set}<{}>", item.codec(up)),
            Shape::HashMap(key, value) => {
                format!(
                    "::ferry::wire::HashedMap<{}, {}>",
                    key.codec(up),
                    value.codec(up)
                )
            }
            Shape::Time(name) => format!("::ferry::wire::{name}"),
            Shape::Range(kind, least, most) => {
                let whole = Shape::Scalar(kind).codec(up);
                format!("::ferry::wire::InRange<{whole}, {{ {least} }}, {{ {most} }}>")
            }
        }
    }
}
