// SPDX-License-Identifier: BSD-3-Clause
//! Writes what lies between the author's module and the core: decoding, dispatch, replies, events and handles, in a
//! module inside the author's, since fields of an object may be private.

use std::fmt::Write;

use proc_macro::{Delimiter, Group, Span, TokenStream, TokenTree};

use crate::describe::describe;
use crate::library::*;
use crate::shape::Shape;
use crate::tokens::code;

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

    /// The encoded key: a head with the length, and the name.
    fn key(&self) -> Vec<u8> {
        let count = self.name.len() as u8;
        let mut key = if count < 24 {
            vec![0x60 + count]
        } else {
            vec![0x78, count]
        };
        key.extend(self.name.bytes());
        key
    }
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

fn codec(name: &str, members: &[Member]) -> String {
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
    format!(
        "::ferry::object! {{ {name} {{ {} }} sorted {{ {} }} }}",
        list(&plain),
        list(&sorted)
    )
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
            _ => format!("super::{name}"),
        }
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
    let mut handles = 0;
    for declared in &library.types {
        let text = match &declared.kind {
            Kind::Object(_) => object(library, declared),
            Kind::Enum(values) => enumeration(declared, values),
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
    let members: Vec<Member> = library
        .fields(&declared.name.text)
        .iter()
        .map(|checked| {
            Member::new(
                checked.field.name.ident.to_string(),
                &checked.field.name.text,
                &checked.shape,
            )
        })
        .collect();
    codec(&declared.name.ident.to_string(), &members)
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

// ---- dispatch -------------------------------------------------------------------------------------------------------

fn dispatch(library: &Library) -> TokenStream {
    let provided = library.provided();
    let mut arms = TokenStream::new();
    let mut number = 0;
    let mut streams = library.handle_count();
    for ask in &library.asks {
        if let Some(error) = &ask.error {
            let text = format!(
                "type Raised_{} = {};",
                pascal(&ask.name.text),
                library.error_codec(&Some(error.clone()))
            );
            arms.extend(code(&text, ask.name.span()));
        }
    }
    let mut inside = TokenStream::new();
    for method in &library.methods {
        let written = if method.yields() {
            let kind = streams;
            streams += 1;
            stream_arms(library, method, number, kind)
        } else {
            format!("{number} => {},", arm(library, method))
        };
        number += if method.yields() { 3 } else { 1 };
        inside.extend(code(&written, method.name.span()));
    }
    for (place, ask) in library.asks.iter().enumerate() {
        let kind = library.handle_count() + library.stream_count() + place;
        for text in answer_arms(ask, kind) {
            inside.extend(code(&format!("{number} => {text},"), ask.name.span()));
            number += 1;
        }
    }
    // the core hands over no other number
    inside.extend(code("_ => ::std::mem::drop(call),", Span::call_site()));
    let mut body = code("match call.method()", Span::call_site());
    body.extend([TokenTree::from(Group::new(Delimiter::Brace, inside))]);
    let mut members = code(
        "fn serve(thread: &mut ::ferry::Thread<Self>, call: ::ferry::Call)",
        Span::call_site(),
    );
    members.extend([TokenTree::from(Group::new(Delimiter::Brace, body))]);
    if library.enter.is_some() {
        let text = format!(
            "fn enter() -> ::std::boxed::Box<dyn ::std::any::Any> {{ super::super::ferry_enter_{}() }}",
            library.name
        );
        members.extend(code(&text, Span::call_site()));
    }
    arms.extend(code(
        &format!("impl ::ferry::Provide for {provided}"),
        Span::call_site(),
    ));
    arms.extend([TokenTree::from(Group::new(Delimiter::Brace, members))]);
    arms
}

/// How the author's function is called, and what has to stand before that.
struct AuthorCall {
    before: String,
    call: String,
}

fn called(method: &Method, receiver: &str) -> AuthorCall {
    let mut before = String::new();
    let mut arguments = Vec::new();
    if method.receiver != Receiver::None {
        arguments.push(receiver.to_owned());
    }
    for param in &method.params {
        let field = field_name(param);
        let held = format!("held_{}", param.name.text);
        if let (Given::Held | Given::HeldLent, Some(Shape::Handle(kind))) =
            (param.given, &param.shape)
        {
            let _ = write!(
                before,
                "let {held} = context.kept(params.{field}).ok_or_else(|| ::ferry::Failure::bad_handle(\"{}\", \"{kind}\"))?;",
                param.name.text
            );
        }
        arguments.push(match param.given {
            Given::Context if method.is_async => "&context".to_owned(),
            Given::Context => "context".to_owned(),
            Given::Owned => format!("params.{field}"),
            Given::Lent => format!("&params.{field}"),
            Given::Held => held,
            Given::HeldLent => format!("&{held}"),
        });
    }
    let path = match &method.owner {
        Some(owner) => format!("super::{owner}::{}", method.name.ident),
        None => format!("super::{}", method.name.ident),
    };
    let call = format!("{path}({})", arguments.join(", "));
    AuthorCall { before, call }
}

/// The result of a call as a `Result` with a `Failure`.
fn failing(call: &str, fails: Fails) -> String {
    match fails {
        Fails::Never => format!("::std::result::Result::Ok({call})"),
        Fails::Failure => format!("({call}).map_err(::std::convert::Into::into)"),
        Fails::Raised => format!("({call}).map_err(::ferry::Failure::raised)"),
    }
}

fn params_codec(method: &Method) -> (String, &'static str) {
    if method.travelling().next().is_none() {
        return ("::ferry::NoParams".to_owned(), "()");
    }
    (format!("{}Params", stem(method)), "params")
}

/// The call of the author's function in a closure that returns an `Outcome`.
fn outcome(method: &Method, receiver: &str) -> String {
    let AuthorCall { before, call } = called(method, receiver);
    let returns = &method.returns;
    if method.is_async {
        let result = failing(&format!("{call}.await"), returns.fails);
        let kept = if method.role == MethodKind::Method {
            "let library = ::std::rc::Rc::clone(library);"
        } else {
            ""
        };
        return format!(
            "{{ {before} {kept} let context = context.clone(); \
             ::std::result::Result::Ok(::ferry::Reply::future(async move {{ {result} }})) }}"
        );
    }
    let result = failing(&call, returns.fails);
    match returns.gives {
        Gives::Value => format!("{{ {before} ({result}).map(::ferry::Reply::from) }}"),
        _ => format!("{{ {before} {result} }}"),
    }
}

fn arm(library: &Library, method: &Method) -> String {
    let (params, pattern) = params_codec(method);
    let error = library.error_codec(&method.returns.error);
    let returns = or_unit(&method.returns.shape, UP);
    match method.role {
        MethodKind::Constructor => {
            let AuthorCall { before, call } = called(method, "");
            let result = failing(&call, method.returns.fails);
            format!("thread.constructor::<{params}, {error}>(call, |context, {pattern}| {{ {before} {result} }})")
        }
        MethodKind::Destructor => {
            let receiver = match method.receiver {
                Receiver::Mutable => "&mut library",
                Receiver::Shared => "&library",
                _ => "library",
            };
            let AuthorCall { call, .. } = called(method, receiver);
            format!("thread.destructor(call, |mut library, context| {{ {call}; }})")
        }
        MethodKind::Static => {
            let outcome = outcome(method, "");
            format!("thread.static_method::<{params}, {returns}, {error}>(call, |context, {pattern}| {outcome})")
        }
        MethodKind::Method => {
            let (function, receiver) = match (method.receiver, method.is_async) {
                (Receiver::Mutable, _) => ("method", "library"),
                (_, true) => ("shared_method", "&library"),
                (_, false) => ("shared_method", "library"),
            };
            let outcome = outcome(method, receiver);
            format!("thread.{function}::<{params}, {returns}, {error}>(call, |library, context, {pattern}| {outcome})")
        }
    }
}

fn stream_arms(library: &Library, method: &Method, number: u32, kind: usize) -> String {
    let stem = stem(method);
    let yields = or_unit(&method.returns.shape, UP);
    let error = library.error_codec(&method.returns.error);
    let part = format!("|stream, values| {stem}Part {{ stream: stream.map(::ferry::wire::HandleValue::from_id), values }}");
    let flow = format!("{yields}, {stem}Part, {error}");
    let (function, receiver) = match method.receiver {
        Receiver::Mutable => ("opens", "library"),
        _ => ("shared_opens", "library"),
    };
    let AuthorCall { before, call } = called(method, receiver);
    let result = failing(&call, method.returns.fails);
    let of_error = error_type(&method.returns.error, UP);
    let values = method
        .returns
        .shape
        .as_ref()
        .map(Shape::rust)
        .unwrap_or_default();
    format!(
        "{number} => thread.{function}::<{stem}Params, {flow}>(call, {kind}, {part}, |library, context, params| {{
            let credits = params.credits;
            let mut open = || -> ::std::result::Result<::ferry::Yields<{values}, {of_error}>, ::ferry::Failure<{of_error}>> {{ {before} {result} }};
            (open(), credits)
        }}),
        {} => thread.continues::<{stem}NextParams, {flow}>(call, {kind}, {part}, |params| (::ferry::wire::HandleValue::id(params.stream), params.credits)),
        {} => thread.closes::<{stem}CloseParams, {yields}, {error}>(call, {kind}, |params| ::ferry::wire::HandleValue::id(params.stream)),",
        number + 1,
        number + 2
    )
}

fn answer_arms(ask: &Ask, kind: usize) -> Vec<String> {
    let stem = pascal(&ask.name.text);
    let value = ask
        .shape
        .as_ref()
        .map_or_else(|| "()".to_owned(), Shape::rust);
    let error = error_type(&ask.error, UP);
    let one = |way: &str, outcome: &str| {
        format!(
            "thread.answers::<{stem}{way}Params, {value}, {error}>(call, {kind}, |params| (::ferry::wire::HandleValue::id(params.question), {outcome}))"
        )
    };
    let given = if ask.shape.is_some() {
        "params.value"
    } else {
        "()"
    };
    let mut arms = vec![one(
        "Return",
        &format!("::std::result::Result::Ok({given})"),
    )];
    if ask.error.is_some() {
        arms.push(one(
            "Raise",
            "::std::result::Result::Err(::ferry::Unanswered::Refused(params.error))",
        ));
    }
    arms.push(one(
        "Fail",
        "::std::result::Result::Err(::ferry::Unanswered::Failed(params.message))",
    ));
    arms
}

/// What hosts and `ferry bindgen` find in the shared object.
fn exported(library: &Library) -> String {
    let described = describe(library);
    let mut methods = String::new();
    for method in &library.methods {
        let kind = match method.role {
            MethodKind::Method => 0,
            MethodKind::Constructor => 1,
            MethodKind::Destructor => 2,
            MethodKind::Static => 3,
        };
        let times = if method.yields() { 3 } else { 1 };
        methods += &format!("{kind}, ").repeat(times);
    }
    for ask in &library.asks {
        methods += &"0, ".repeat(if ask.error.is_some() { 3 } else { 2 });
    }
    let mut events = String::new();
    for event in &library.events {
        let overflow = match event.overflow {
            "drop_oldest" => 1,
            "drop_newest" => 2,
            _ => 3,
        };
        let _ = write!(
            events,
            "::ferry::EventKind {{ overflow: {overflow}, depth: {} }},",
            event.depth
        );
    }
    // a question is kept for a listener as long as questions may be open (A1)
    events += &"::ferry::EventKind { overflow: 1, depth: 64 },".repeat(library.asks.len());
    format!(
        "::ferry::export! {{
            ferry_library_{name}, ferry_interface_{name},
            ::ferry::RawLibrary::new::<{}>(\"{name}\\0\", {:#x}, &[{methods}], &[{events}]),
            {}, {}
        }}",
        library.provided(),
        described.hash,
        described.text.len(),
        bytes(described.text.as_bytes()),
        name = library.name,
    )
}
