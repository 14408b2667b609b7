// SPDX-License-Identifier: BSD-3-Clause
//! Writes what lies between the author's module and the core: decoding, dispatch, replies, events and handles, in a
//! module inside the author's, since fields of an object may be private.

use std::fmt::Write;

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

use crate::describe::{describe, TypedField};
use crate::library::*;
use crate::shape::{tuple_codec, Shape};
use crate::tokens::code;

mod dispatch;

use dispatch::*;

/// Where the author's types are, seen from the module that is written.
const UP: &str = "super::";
/// The handles of streams and questions have no type of the author's.
const DERIVED_HANDLE: &str = "::ferry::wire::Handle<::ferry::Handle<()>>";

/// One field of an object that is written: its name in Rust, its name for hosts, its type and its codec.
struct Member {
    rust: String,
    name: String,
    type_: String,
    codec: String,
}

impl Member {
    fn new(rust: impl Into<String>, name: &str, shape: &Shape) -> Member {
        Member {
            rust: rust.into(),
            name: name.to_owned(),
            type_: shape.rust(),
            codec: shape.codec(UP),
        }
    }

    fn derived(name: &str, type_: &str, codec: &str) -> Member {
        Member {
            rust: name.to_owned(),
            name: name.to_owned(),
            type_: type_.to_owned(),
            codec: codec.to_owned(),
        }
    }

    fn key(&self) -> Vec<u8> {
        key(&self.name)
    }
}

/// A name as an encoded key: a head with the length, and the name.
fn key(name: &str) -> Vec<u8> {
    let count = name.len() as u8;
    let mut key = if count < 24 {
        vec![0x60 + count]
    } else {
        vec![0x78, count]
    };
    key.extend(name.bytes());
    key
}

fn bytes(of: &[u8]) -> String {
    let mut text = String::from("b\"");
    for byte in of {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(*byte)]),
            b'\n' => text.push_str("\\n"),
            b' '..=b'~' => text.push(char::from(*byte)),
            _ => {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
    }
    text.push('"');
    text
}

/// The fields as they are declared, and in the order of their encoded keys.
fn codec_fields(members: &[Member]) -> (String, String) {
    let list = |members: &[&Member]| -> String {
        members
            .iter()
            .map(|member| {
                format!(
                    "{}: {} = {},",
                    member.rust,
                    member.codec,
                    bytes(&member.key())
                )
            })
            .collect()
    };
    let plain: Vec<&Member> = members.iter().collect();
    let mut sorted = plain.clone();
    sorted.sort_by_key(|member| member.key());
    (list(&plain), list(&sorted))
}

fn codec(name: &str, members: &[Member]) -> String {
    let (fields, sorted) = codec_fields(members);
    format!("::ferry::object! {{ {name} {{ {fields} }} sorted {{ {sorted} }} }}")
}

fn structure(name: &str, members: &[Member]) -> String {
    let fields: String = members
        .iter()
        .map(|member| format!("pub {}: {},", member.rust, member.type_))
        .collect();
    format!("pub struct {name} {{ {fields} }} {}", codec(name, members))
}

/// The name of a parameter in Rust, as a field.
fn field_name(param: &Param) -> String {
    let text = param.name.ident.to_string();
    text.strip_prefix('_').map_or(text.clone(), str::to_owned)
}

fn param_members<'a>(params: impl Iterator<Item = &'a Param>) -> Vec<Member> {
    params
        .filter_map(|param| {
            let shape = param.shape.as_ref()?;
            Some(Member::new(field_name(param), &param.name.text, shape))
        })
        .collect()
}

fn or_unit(shape: &Option<Shape>, up: &str) -> String {
    shape
        .as_ref()
        .map_or_else(|| "::ferry::wire::Unit".to_owned(), |shape| shape.codec(up))
}

impl Library {
    /// How an error travels.
    fn error_codec(&self, error: &Option<String>) -> String {
        let name = match error {
            None => return "::ferry::NoError".to_owned(),
            Some(name) => name,
        };
        match self.find(name).map(|declared| &declared.kind) {
            Some(Kind::Enum(_)) => format!("::ferry::wire::Enum<super::{name}>"),
            Some(Kind::Object(_)) if self.is_tuple(name) => tuple_codec(name),
            _ => format!("super::{name}"),
        }
    }

    fn is_tuple(&self, name: &str) -> bool {
        self.find(name).map_or(false, |declared| declared.is_tuple)
    }

    fn handle_count(&self) -> usize {
        let is_handle = |declared: &&Declared| matches!(declared.kind, Kind::Handle);
        self.types.iter().filter(is_handle).count()
    }

    fn stream_count(&self) -> usize {
        self.methods.iter().filter(|method| method.yields()).count()
    }

    /// The type that the core's functions are made for.
    fn provided(&self) -> String {
        self.owner()
            .map_or_else(|| "Statics_".to_owned(), |owner| format!("super::{owner}"))
    }
}

fn error_type(error: &Option<String>, up: &str) -> String {
    error.as_ref().map_or_else(
        || "::std::convert::Infallible".to_owned(),
        |name| format!("{up}{name}"),
    )
}

/// The module with what was written.
pub fn write(library: &Library) -> TokenStream {
    let mut inside = TokenStream::new();
    for piece in &library.pieces {
        match piece {
            BodyPart::Token(token) => inside.extend([token.clone()]),
            BodyPart::Event(number) => inside.extend(event_body(library, *number)),
            BodyPart::Ask(number) => inside.extend(ask_body(library, *number)),
        }
    }
    inside.extend(generated(library));
    let mut out: TokenStream = library.head.iter().cloned().collect();
    out.extend([TokenTree::from(Group::new(Delimiter::Brace, inside))]);
    if let Some(enter) = &library.enter {
        let path: TokenStream = enter.iter().cloned().collect();
        let text = format!(
            "#[doc(hidden)] pub(crate) fn ferry_enter_{}() -> ::std::boxed::Box<dyn ::std::any::Any> {{ ::std::boxed::Box::new({path}()) }}",
            library.name
        );
        out.extend(code(&text, enter[0].span()));
    }
    out
}

fn event_body(library: &Library, number: usize) -> TokenStream {
    let event = &library.events[number];
    let params = &library.event_params[number];
    let codec = or_unit(&event.shape, "self::");
    let context = &params[0].name.ident;
    let value = params.get(1).map_or_else(
        || "&()".to_owned(),
        |param| match param.given {
            Given::Lent => param.name.ident.to_string(),
            _ => format!("::std::borrow::Borrow::borrow(&{})", param.name.ident),
        },
    );
    code(
        &format!("{{ {context}.emit::<{codec}>({number}, {value}) }}"),
        event.name.span(),
    )
}

fn ask_body(library: &Library, number: usize) -> TokenStream {
    let ask = &library.asks[number];
    let asked = format!("ferry_generated::{}Asked", pascal(&ask.name.text));
    let event = library.events.len() + number;
    let kind = library.handle_count() + library.stream_count() + number;
    let fields: String = ask.params[1..]
        .iter()
        .map(|param| format!("{}: {},", field_name(param), param.name.ident))
        .collect();
    let context = &ask.params[0].name.ident;
    let text = format!(
        "{{ {context}.ask::<{asked}, _, _>({event}, {kind}, |question| {asked} {{ question: ::ferry::wire::HandleValue::from_id(question), {fields} }}) }}"
    );
    code(&text, ask.name.span())
}

fn generated(library: &Library) -> TokenStream {
    let mut inside = code("use super::*;", Span::call_site());
    for constant in &library.constants {
        if let Some(computed) = &constant.computed {
            let text = format!(
                "const _: () = assert!(super::{} == {computed});",
                constant.name.ident
            );
            inside.extend(code(&text, constant.name.span()));
        }
    }
    for (name, _) in &library.transparent {
        inside.extend(code(&transparent(library, &name.text), name.span()));
    }
    let mut handles = 0;
    for declared in &library.types {
        let text = match &declared.kind {
            Kind::Object(_) => object(library, declared),
            Kind::Enum(values) => enumeration(declared, values),
            Kind::Variant(_) => variant(library, declared),
            Kind::Handle => {
                handles += 1;
                format!(
                    "impl ::ferry::Kept for super::{} {{ const NUMBER: u32 = {}; }}",
                    declared.name.ident,
                    handles - 1
                )
            }
        };
        inside.extend(code(&text, declared.name.span()));
    }
    for method in &library.methods {
        inside.extend(code(&messages(method), method.name.span()));
    }
    for ask in &library.asks {
        inside.extend(code(&question_messages(ask), ask.name.span()));
    }
    if library.owner().is_none() {
        inside.extend(code("pub struct Statics_;", Span::call_site()));
    }
    inside.extend(dispatch(library));
    inside.extend(code(&exported(library), Span::call_site()));
    let lints = "#[doc(hidden)] #[allow(unused_imports, unused_variables, unused_mut, dead_code, missing_docs, non_upper_case_globals, non_camel_case_types, \
                 unreachable_pub, unused_qualifications, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)] pub mod ferry_generated";
    let mut out = code(lints, Span::call_site());
    out.extend([TokenTree::from(Group::new(Delimiter::Brace, inside))]);
    out
}

fn object(library: &Library, declared: &Declared) -> String {
    let name = declared.name.ident.to_string();
    let member = |(place, checked): (usize, &TypedField<'_>)| {
        let mut rust = checked.field.name.ident.to_string();
        if declared.is_tuple {
            let _ = write!(rust, " {place}");
        }
        Member::new(rust, &checked.field.name.text, &checked.shape)
    };
    let fields = library.fields(&declared.name.text);
    let members: Vec<Member> = fields.iter().enumerate().map(member).collect();
    if !declared.is_tuple {
        return codec(&name, &members);
    }
    let (fields, sorted) = codec_fields(&members);
    let codec = tuple_codec(&declared.name.text);
    format!(
        "pub struct {codec};
        ::ferry::object! {{ tuple {codec} = super::{name}; {{ {fields} }} sorted {{ {sorted} }} }}"
    )
}

fn transparent(library: &Library, name: &str) -> String {
    match library.inside(name) {
        Some(inside) => format!("::ferry::transparent! {{ {name}({}) }}", inside.codec(UP)),
        None => String::new(),
    }
}

fn variant(library: &Library, declared: &Declared) -> String {
    let cases: String = library
        .cases(&declared.name.text)
        .iter()
        .enumerate()
        .map(|(number, (case, carried))| {
            let codec = carried
                .as_ref()
                .map_or_else(String::new, |shape| format!("({})", shape.codec(UP)));
            let key = bytes(&key(&case.name.text));
            format!("{}{codec} = {number} {key},", case.name.ident)
        })
        .collect();
    format!(
        "::ferry::variant! {{ {} {{ {cases} }} }}",
        declared.name.ident
    )
}

fn enumeration(declared: &Declared, values: &[Value]) -> String {
    let name = &declared.name.ident;
    let numbers: String = values
        .iter()
        .map(|value| format!("super::{name}::{} => {},", value.name.ident, value.number))
        .collect();
    let named: String = values
        .iter()
        .map(|value| {
            format!(
                "{} => ::std::option::Option::Some(super::{name}::{}),",
                value.number, value.name.ident
            )
        })
        .collect();
    let checks: Vec<String> = values
        .iter()
        .map(|value| {
            format!(
                "super::{name}::{} as i64 == {}",
                value.name.ident, value.number
            )
        })
        .collect();
    let checks = checks.join(" && ");
    format!(
        "const _: () = assert!({checks});
        impl ::ferry::wire::EnumValue for super::{name} {{
            fn number(self) -> i32 {{ match self {{ {numbers} }} }}
            fn from_number(number: i32) -> ::std::option::Option<Self> {{ match number {{ {named} _ => ::std::option::Option::None }} }}
        }}"
    )
}

/// What a method is called in the types that are written for it.
fn stem(method: &Method) -> String {
    pascal(&method.name.text)
}

/// The structs of a method's messages.
fn messages(method: &Method) -> String {
    let mut members = param_members(method.travelling());
    let stem = stem(method);
    let mut out = String::new();
    if method.yields() {
        members.push(Member::derived("credits", "u32", "::ferry::wire::U32"));
        let next = [
            Member::derived("stream", "::ferry::Handle<()>", DERIVED_HANDLE),
            Member::derived("credits", "u32", "::ferry::wire::U32"),
        ];
        out += &structure(&format!("{stem}NextParams"), &next);
        out += &structure(&format!("{stem}CloseParams"), &next[..1]);
        if let Some(shape) = &method.returns.shape {
            let values = Shape::Seq(Box::new(shape.clone()));
            let part = [
                Member::derived(
                    "stream",
                    "::std::option::Option<::ferry::Handle<()>>",
                    &format!("::ferry::wire::Opt<{DERIVED_HANDLE}>"),
                ),
                Member::new("values", "values", &values),
            ];
            out += &structure(&format!("{stem}Part"), &part);
        }
    }
    if !members.is_empty() {
        out += &structure(&format!("{stem}Params"), &members);
    }
    out
}

fn question_messages(ask: &Ask) -> String {
    let stem = pascal(&ask.name.text);
    let question = || Member::derived("question", "::ferry::Handle<()>", DERIVED_HANDLE);
    let mut asked = vec![question()];
    asked.extend(param_members(ask.params[1..].iter()));
    let mut out = structure(&format!("{stem}Asked"), &asked);
    let mut answer = vec![question()];
    answer.extend(
        ask.shape
            .as_ref()
            .map(|shape| Member::new("value", "value", shape)),
    );
    out += &structure(&format!("{stem}ReturnParams"), &answer);
    if let Some(error) = &ask.error {
        // which of both it is matters to the codec alone, so the type of the library decides there
        let members = [
            question(),
            Member::derived(
                "error",
                &format!("super::{error}"),
                &format!("Raised_{stem}"),
            ),
        ];
        out += &structure(&format!("{stem}RaiseParams"), &members);
    }
    let text = Shape::Scalar("string");
    out += &structure(
        &format!("{stem}FailParams"),
        &[question(), Member::new("message", "message", &text)],
    );
    out
}
