// SPDX-License-Identifier: BSD-3-Clause
//! What a module may declare (spec/interface.md, I2 to I4, S1, A1). `ferry bindgen` checks the description again, and
//! besides how deep its types nest and how large they are.

use std::collections::HashMap;

use proc_macro::{Span, TokenTree};

use crate::describe::TypedField;
use crate::library::*;
use crate::shape::{self, MarkedKind, Names, Shape};
use crate::tokens::{fail, plain, Error, Result};
use crate::value::Reader;

/// How long a name is at most, in bytes.
const NAME_BYTES_MAX: usize = 64;
/// Shared objects of these names exist already (I3).
const LIBRARIES: [&str; 14] = [
    "c",
    "crypt",
    "dl",
    "ferry",
    "ferry_ingress",
    "ferryingress",
    "ferryomp",
    "gcc",
    "ingress",
    "m",
    "pthread",
    "rt",
    "stdc",
    "util",
];

/// Names of one list, without case and `_`.
#[derive(Default)]
struct Taken(HashMap<String, String>);

impl Taken {
    fn take(&mut self, text: &str, span: Span, what: &str) -> Result<()> {
        let key: String = text
            .chars()
            .filter(|char| *char != '_')
            .collect::<String>()
            .to_lowercase();
        match self.0.insert(key, text.to_owned()) {
            Some(other) if other == text => fail(span, format!("there are two {what} called `{text}`; rename one")),
            Some(other) => fail(
                span,
                format!("`{text}` and `{other}` differ only in case and `_`, which hosts may not see; rename one"),
            ),
            None => Ok(()),
        }
    }
}

fn is_snake(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'))
    };
    text.starts_with(|first: char| first.is_ascii_lowercase()) && text.split('_').all(is_word)
}

fn is_camel(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_uppercase())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn named(text: &str, span: Span, is_type: bool) -> Result<()> {
    let (is_good, style) = if is_type {
        (is_camel(text), "CamelCase")
    } else {
        (is_snake(text), "snake_case")
    };
    if !is_good {
        return fail(span, format!("hosts would see `{text}`, and names are {style} of ASCII letters and digits; rename it"));
    }
    if text.len() > NAME_BYTES_MAX {
        return fail(
            span,
            format!("`{text}` is longer than {NAME_BYTES_MAX} bytes; rename it"),
        );
    }
    Ok(())
}

impl Library {
    fn names(&self) -> Names {
        let mut names = Names::default();
        for declared in &self.types {
            let marked = match declared.kind {
                Kind::Object(_) if declared.is_tuple => MarkedKind::Tuple,
                Kind::Object(_) => MarkedKind::Object,
                Kind::Enum(_) => MarkedKind::Enum,
                Kind::Variant(_) => MarkedKind::Variant,
                Kind::Handle => MarkedKind::Handle,
            };
            names.marked.insert(declared.name.text.clone(), marked);
        }
        for (name, syntax) in &self.transparent {
            let text = name.text.clone();
            names.marked.insert(text.clone(), MarkedKind::Transparent);
            names.transparent.insert(text, syntax.clone());
        }
        names.aliases = self.aliases.clone();
        names
    }

    fn checked<'a>(&self, object: &str, field: &'a Field, names: &Names) -> Result<TypedField<'a>> {
        let place = format!("the field `{}` of `{object}`", field.name.text);
        let shape = shape::shape(&field.syntax, names, &place)?;
        let default = match &field.default {
            None => None,
            Some((tokens, span)) => Some(self.default(&shape, tokens, *span, &place)?),
        };
        Ok(TypedField {
            field,
            shape,
            default,
        })
    }

    /// A default as the description has it.
    fn default(
        &self,
        shape: &Shape,
        tokens: &[TokenTree],
        span: Span,
        place: &str,
    ) -> Result<String> {
        match shape {
            Shape::Enum(name) => {
                let last = match tokens.last() {
                    Some(TokenTree::Ident(ident)) => plain(ident),
                    _ => return fail(span, format!("{place}: its default is a value of `{name}`")),
                };
                let values = match self.find(name).map(|declared| &declared.kind) {
                    Some(Kind::Enum(values)) => values.as_slice(),
                    _ => &[],
                };
                match values.iter().find(|value| plain(&value.name.ident) == last) {
                    Some(value) => Ok(crate::value::json_text(&value.name.text)),
                    None => fail(span, format!("{place}: `{name}` has no value `{last}`")),
                }
            }
            Shape::Scalar(kind) if *kind != "bytes" => {
                let known = HashMap::new();
                let read = Reader { known: &known }.read(tokens.to_vec(), span, place)?;
                match read.json(kind) {
                    Some(json) => Ok(json),
                    None => fail(span, format!("{place}: its default is not of its type")),
                }
            }
            Shape::Range(kind, least, most) => {
                let known = HashMap::new();
                let read = Reader { known: &known }.read(tokens.to_vec(), span, place)?;
                match read.json(kind) {
                    Some(json) if read.is_within(*least, *most) => Ok(json),
                    _ => fail(
                        span,
                        format!("{place}: its default is not from {least} to {most}"),
                    ),
                }
            }
            Shape::Transparent(_, inside) => self.default(inside, tokens, span, place),
            Shape::Option(_) => fail(
                span,
                format!("{place}: an `Option` may be left out already, and is `None` then"),
            ),
            _ => fail(
                span,
                format!("{place}: numbers, `bool`, `String` and enums have defaults; leave it out"),
            ),
        }
    }

    /// What a case of a variant carries.
    fn carried(&self, variant: &str, case: &Case, names: &Names) -> Result<Option<Shape>> {
        let syntax = match &case.syntax {
            None => return Ok(None),
            Some(syntax) => syntax,
        };
        let place = format!("`{variant}::{}`", case.name.ident);
        match shape::shape(syntax, names, &place)? {
            found @ (Shape::Object(_) | Shape::Tuple(_) | Shape::Variant(_)) => Ok(Some(found)),
            _ => fail(
                syntax.span,
                format!("{place}: a case carries a type that is marked #[ferry::object] or #[ferry::variant]"),
            ),
        }
    }

    /// What a struct that is transparent has in it, in a library that has been checked.
    pub fn inside(&self, name: &str) -> Option<Shape> {
        let is_it = |(other, _): &&(Name, shape::Syntax)| other.text == name;
        let (_, syntax) = self.transparent.iter().find(is_it)?;
        shape::shape(syntax, &self.names(), name).ok()
    }

    /// The cases of a variant of a library that has been checked.
    pub fn cases(&self, variant: &str) -> Vec<(&Case, Option<Shape>)> {
        let names = self.names();
        match self.find(variant).map(|declared| &declared.kind) {
            Some(Kind::Variant(cases)) => cases
                .iter()
                .filter_map(|case| Some((case, self.carried(variant, case, &names).ok()?)))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The fields of an object of a library that has been checked.
    pub fn fields(&self, object: &str) -> Vec<TypedField<'_>> {
        let names = self.names();
        match self.find(object).map(|declared| &declared.kind) {
            Some(Kind::Object(fields)) => fields
                .iter()
                .filter_map(|field| self.checked(object, field, &names).ok())
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// Say what is wrong with a library.
pub fn check(library: &Library) -> std::result::Result<(), Vec<Error>> {
    let mut errors = Vec::new();
    let mut note = |result: Result<()>| errors.extend(result.err());
    note(library_name(library));
    let mut constants = Taken::default();
    for constant in &library.constants {
        let name = &constant.name;
        note(
            named(&name.text, name.span(), false)
                .and_then(|()| constants.take(&name.text, name.span(), "constants")),
        );
    }
    let mut types = Taken::default();
    let names = library.names();
    for declared in &library.types {
        let name = &declared.name;
        note(
            named(&name.text, name.span(), true)
                .and_then(|()| types.take(&name.text, name.span(), "types")),
        );
        note(inside(library, declared, &names));
    }
    let mut methods = Taken::default();
    for method in &library.methods {
        let name = &method.name;
        let result = named(&name.text, name.span(), false)
            .and_then(|()| methods.take(&name.text, name.span(), "methods"))
            .and_then(|()| {
                types.take(
                    &format!("{}Params", pascal(&name.text)),
                    name.span(),
                    "types",
                )
            });
        note(result);
        note(params(method.travelling()));
        note(one_method(library, method));
    }
    for method in library.methods.iter().filter(|method| method.yields()) {
        note(stream(method, &mut methods, &mut types));
    }
    let mut events = Taken::default();
    for event in &library.events {
        let name = &event.name;
        note(
            named(&name.text, name.span(), false)
                .and_then(|()| events.take(&name.text, name.span(), "events")),
        );
    }
    for ask in &library.asks {
        note(question(
            library,
            ask,
            &mut methods,
            &mut types,
            &mut events,
        ));
    }
    note(whole(library));
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

fn library_name(library: &Library) -> Result<()> {
    let (name, span) = (library.name.as_str(), library.name_span);
    if LIBRARIES.contains(&name) {
        return fail(span, format!("lib{name}.so is another library; choose another name: `#[ferry::library(name = \"…\")]`"));
    }
    if library.version.is_empty() {
        return fail(
            span,
            "say which version: `#[ferry::library(version = \"0.1.0\")]`",
        );
    }
    named(name, span, false)
}

fn inside(library: &Library, declared: &Declared, names: &Names) -> Result<()> {
    let mut taken = Taken::default();
    match &declared.kind {
        Kind::Handle => {}
        Kind::Enum(values) => {
            let mut numbers = HashMap::new();
            for value in values {
                let name = &value.name;
                named(&name.text, name.span(), false)?;
                taken.take(&name.text, name.span(), "values")?;
                if let Some(other) = numbers.insert(value.number, &name.text) {
                    return fail(
                        name.span(),
                        format!(
                            "`{}` is {} as `{other}` is; give each value its own",
                            name.text, value.number
                        ),
                    );
                }
            }
        }
        Kind::Variant(cases) => {
            for case in cases {
                let name = &case.name;
                named(&name.text, name.span(), false)?;
                taken.take(&name.text, name.span(), "cases")?;
                library.carried(&declared.name.text, case, names)?;
            }
        }
        Kind::Object(fields) => {
            for field in fields {
                let name = &field.name;
                named(&name.text, name.span(), false)?;
                taken.take(&name.text, name.span(), "fields")?;
                library.checked(&declared.name.text, field, names)?;
            }
        }
    }
    Ok(())
}

fn params<'a>(all: impl Iterator<Item = &'a Param>) -> Result<()> {
    let mut taken = Taken::default();
    for param in all {
        named(&param.name.text, param.name.span(), false)?;
        taken.take(&param.name.text, param.name.span(), "parameters")?;
    }
    Ok(())
}

fn one_method(library: &Library, method: &Method) -> Result<()> {
    let (called, span) = (&method.name.text, method.name.span());
    let returns = &method.returns;
    match method.role {
        MethodKind::Constructor => {
            if method.receiver != Receiver::None {
                return fail(span, format!("the constructor `{called}` takes `self`, and there is none yet; leave it out"));
            }
            if method.is_async {
                return fail(span, format!("the constructor `{called}` is `async`, and cannot answer later; let a method do what takes long"));
            }
        }
        MethodKind::Destructor => {
            if method.receiver == Receiver::None {
                return fail(span, format!("the destructor `{called}` takes `self`"));
            }
            if method.is_async {
                return fail(span, format!("the destructor `{called}` is `async`, and cannot wait; let a method do what takes long"));
            }
            if method.travelling().next().is_some() {
                return fail(
                    span,
                    format!("the destructor `{called}` takes nothing but `self` and the context"),
                );
            }
            if returns.shape.is_some()
                || returns.fails != Fails::Never
                || returns.gives != Gives::Value
            {
                return fail(
                    span,
                    format!("the destructor `{called}` returns nothing, and does not fail"),
                );
            }
        }
        MethodKind::Method | MethodKind::Static => {
            if method.receiver == Receiver::Owned {
                return fail(span, format!("`{called}` takes `self`, and the context goes on; take `&self` or `&mut self`"));
            }
        }
    }
    if method.is_async && method.receiver == Receiver::Mutable {
        return fail(
            span,
            format!("`{called}` is `async` and takes `&mut self`, and other calls are served while it waits; take `&self`, and keep what changes in a `Cell` or a `RefCell`"),
        );
    }
    if method.is_async && returns.gives == Gives::Reply {
        return fail(
            span,
            format!("`{called}` is `async` and returns a `Reply`; return the value"),
        );
    }
    if method.yields() {
        if method.is_async {
            return fail(span, format!("`{called}` is `async` and yields; leave `async` out, `Yields::unfold` takes futures"));
        }
        if method.role != MethodKind::Method {
            return fail(
                span,
                format!("`{called}` yields, and takes no `self`; only methods of a context yield"),
            );
        }
        if method.is_idempotent {
            return fail(
                span,
                format!("`{called}` yields, so it is not `idempotent`: its values come once"),
            );
        }
    }
    let is_of_context = matches!(
        method.role,
        MethodKind::Method | MethodKind::Destructor | MethodKind::Constructor
    );
    match (library.owner(), method.owner.as_deref()) {
        (Some(owner), Some(other)) if is_of_context && owner != other => {
            fail(span, format!("`{called}` is a function of `{other}`, and the constructor makes `{owner}`; move it there"))
        }
        (None, _) if method.params.iter().any(|param| param.given == Given::Context) => {
            fail(span, format!("`{called}` takes the context, and there is no constructor; leave it out"))
        }
        _ => Ok(()),
    }
}

fn stream(method: &Method, methods: &mut Taken, types: &mut Taken) -> Result<()> {
    let (called, span) = (&method.name.text, method.name.span());
    if let Some(param) = method
        .travelling()
        .find(|param| param.name.text == "credits")
    {
        return fail(
            param.name.span(),
            format!("`{called}` yields, so it has `credits` already; rename the parameter"),
        );
    }
    for suffix in ["next", "close"] {
        methods.take(&format!("{called}_{suffix}"), span, "methods")?;
    }
    for suffix in ["Stream", "Part"] {
        types.take(&format!("{}{suffix}", pascal(called)), span, "types")?;
    }
    Ok(())
}

fn question(
    library: &Library,
    ask: &Ask,
    methods: &mut Taken,
    types: &mut Taken,
    events: &mut Taken,
) -> Result<()> {
    let (called, span) = (&ask.name.text, ask.name.span());
    named(called, span, false)?;
    if library.owner().is_none() {
        return fail(
            span,
            format!("`{called}` is a question, and there is no constructor; a context asks it"),
        );
    }
    params(ask.params[1..].iter())?;
    events.take(called, span, "events")?;
    for suffix in ["return", "raise", "fail"] {
        if suffix != "raise" || ask.error.is_some() {
            methods.take(&format!("{called}_{suffix}"), span, "methods")?;
        }
    }
    for suffix in ["Question", "Asked"] {
        types.take(&format!("{}{suffix}", pascal(called)), span, "types")?;
    }
    Ok(())
}

/// What concerns several methods.
fn whole(library: &Library) -> Result<()> {
    for role in [MethodKind::Constructor, MethodKind::Destructor] {
        if let Some(second) = library
            .methods
            .iter()
            .filter(|method| method.role == role)
            .nth(1)
        {
            let what = if role == MethodKind::Constructor {
                "constructor"
            } else {
                "destructor"
            };
            return fail(
                second.name.span(),
                format!(
                    "`{}` is a second {what}; there is one at most",
                    second.name.text
                ),
            );
        }
    }
    match (library.of_role(MethodKind::Constructor), library.of_role(MethodKind::Destructor)) {
        (Some(constructor), None) => {
            return fail(
                constructor.name.span(),
                "a library with a constructor has a destructor; add `#[ferry::destructor] fn close(self) {}`",
            )
        }
        (None, Some(destructor)) => {
            return fail(destructor.name.span(), "a library with a destructor has a constructor; add one, `#[ferry::constructor]`")
        }
        (None, None) => {
            if let Some(method) = library.of_role(MethodKind::Method) {
                return fail(method.name.span(), format!("`{}` is a method, and there is no constructor; add one, `#[ferry::constructor]`", method.name.text));
            }
            if let Some(event) = library.events.first() {
                return fail(event.name.span(), format!("`{}` is an event, and there is no constructor; a context emits it", event.name.text));
            }
        }
        _ => {}
    }
    if library.methods.is_empty() {
        return fail(
            library.name_span,
            "the library has no methods; mark functions with #[ferry::method]",
        );
    }
    let waiting = library
        .methods
        .iter()
        .find(|method| method.is_async && method.role == MethodKind::Method);
    let locking = library.methods.iter().find(|method| {
        !method.is_async
            && method.role == MethodKind::Method
            && method.receiver == Receiver::Mutable
    });
    match (waiting, locking) {
        (Some(waiting), Some(locking)) => fail(
            locking.name.span(),
            format!(
                "`{}` takes `&mut self`, and may be called while `{}`, which is `async`, waits; take `&self`, and keep what changes in a `Cell` or a `RefCell`",
                locking.name.text, waiting.name.text
            ),
        ),
        _ => Ok(()),
    }
}
