// SPDX-License-Identifier: BSD-3-Clause
//! Writes which function of the author's answers which request, and what the shared object exports.

use super::*;

pub(super) fn dispatch(library: &Library) -> TokenStream {
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
pub(super) fn exported(library: &Library) -> String {
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
