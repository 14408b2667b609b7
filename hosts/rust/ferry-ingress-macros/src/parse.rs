// SPDX-License-Identifier: BSD-3-Clause
//! Splits a module into items, and reads those that are marked.

use std::collections::HashMap;

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::library::*;
use crate::shape::{self, Form, MarkedKind, Names, Shape, Syntax};
use crate::tokens::*;
use crate::value::{self, Constant as Value_, Reader};

/// The marks of items.
const MARKS: [&str; 9] = [
    "constant",
    "object",
    "enumeration",
    "handle",
    "constructor",
    "destructor",
    "method",
    "event",
    "ask",
];

// ---- attributes -----------------------------------------------------------------------------------------------------

/// `#[ferry::NAME(…)]`.
struct Mark {
    name: String,
    span: Span,
    arguments: Vec<TokenTree>,
}

#[derive(Default)]
struct Attributes {
    doc: Vec<String>,
    marks: Vec<Mark>,
    /// Those that stay.
    kept: Vec<TokenTree>,
}

impl Attributes {
    fn doc(&self) -> String {
        joined(&self.doc)
    }
}

/// The lines of doc comments as one text.
fn joined(lines: &[String]) -> String {
    let all: Vec<&str> = lines.iter().flat_map(|doc| doc.split('\n')).collect();
    // a comment begins with a space as a rule, which is the same in all its lines
    let is_spaced = all
        .iter()
        .all(|line| line.is_empty() || line.starts_with(' '));
    let cut = |line: &&str| {
        line[usize::from(is_spaced && !line.is_empty())..]
            .trim_end()
            .to_owned()
    };
    let lines: Vec<String> = all.iter().map(cut).collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

fn attributes(cursor: &mut Cursor) -> Result<Attributes> {
    let mut found = Attributes::default();
    while is_punct(cursor.peek(), '#') && is_group(cursor.peek_at(1), Delimiter::Bracket) {
        let hash = cursor.next();
        let group = cursor.group(Delimiter::Bracket, "an attribute")?;
        if let Some(doc) = doc_of(&group) {
            found.doc.push(doc);
        } else if let Some(mark) = mark_of(&group)? {
            found.marks.push(mark);
            continue;
        }
        found.kept.extend(hash);
        found.kept.push(group.into());
    }
    Ok(found)
}

/// The text of `doc = "…"`.
fn doc_of(group: &Group) -> Option<String> {
    let mut cursor = Cursor::of(group);
    if !cursor.take_word("doc") || !cursor.take_punct('=') {
        return None;
    }
    match cursor.next()? {
        TokenTree::Literal(literal) => value::string(&literal.to_string()),
        _ => None,
    }
}

fn mark_of(group: &Group) -> Result<Option<Mark>> {
    let mut cursor = Cursor::of(group);
    if !cursor.take_word("ferry") || !cursor.take_punct(':') || !cursor.take_punct(':') {
        return Ok(None);
    }
    let ident = cursor.ident("the name of an attribute")?;
    let name = plain(&ident);
    if !MARKS.contains(&name.as_str()) && name != "default" {
        let all = MARKS.map(|mark| format!("`{mark}`")).join(", ");
        let message = format!("there is no `ferry::{name}`; there are {all} and `default`");
        return fail(ident.span(), message);
    }
    let arguments = match cursor.next() {
        None => Vec::new(),
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
            Cursor::of(&group).rest()
        }
        Some(other) => return fail(other.span(), "expected `(`"),
    };
    Ok(Some(Mark {
        name,
        span: ident.span(),
        arguments,
    }))
}

fn no_arguments(mark: &Mark) -> Result<()> {
    match mark.arguments.first() {
        None => Ok(()),
        Some(token) => fail(
            token.span(),
            format!("`ferry::{}` takes nothing", mark.name),
        ),
    }
}

// ---- items ----------------------------------------------------------------------------------------------------------

/// An item without its attributes.
struct Item {
    tokens: Vec<TokenTree>,
    /// `struct`, `fn`, …
    keyword: String,
    span: Span,
}

/// The tokens up to the end of an item.
fn item(cursor: &mut Cursor) -> Item {
    let span = cursor.span();
    let mut tokens: Vec<TokenTree> = Vec::new();
    let mut keyword = String::new();
    while let Some(token) = cursor.next() {
        let is_end = match &token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => {
                let ends = !matches!(
                    keyword.as_str(),
                    "use" | "const" | "static" | "type" | "extern crate"
                );
                group.delimiter() == Delimiter::Brace && ends && !keyword.is_empty()
            }
            TokenTree::Ident(ident) => {
                keyword = next_keyword(keyword, &ident.to_string(), cursor);
                false
            }
            TokenTree::Literal(_) => false,
        };
        tokens.push(token);
        if is_end {
            break;
        }
    }
    Item {
        tokens,
        keyword,
        span,
    }
}

fn next_keyword(before: String, word: &str, cursor: &Cursor) -> String {
    if !before.is_empty() {
        return before;
    }
    let is_before_fn = ["fn", "unsafe", "async", "extern"]
        .iter()
        .any(|next| is_word(cursor.peek(), next));
    match word {
        "pub" | "async" | "unsafe" | "default" | "crate" => String::new(),
        "const" if is_before_fn => String::new(),
        "extern" if is_word(cursor.peek(), "crate") => "extern crate".to_owned(),
        "extern" if !is_group(cursor.peek(), Delimiter::Brace) => String::new(),
        word => word.to_owned(),
    }
}

/// Reads a module.
struct Parser {
    names: Names,
    constants: HashMap<String, Value_>,
    library: Library,
    errors: Vec<Error>,
}

type Errors = Vec<Error>;

/// Read what `#[ferry::library]` stands before.
pub fn library(
    arguments: TokenStream,
    module: TokenStream,
) -> std::result::Result<Library, Errors> {
    let mut cursor = Cursor::new(module, Span::call_site());
    let read = |cursor: &mut Cursor| -> Result<(Library, Group)> {
        let outer = attributes(cursor)?;
        let item = item(cursor);
        let mut inside = Cursor::new(item.tokens.clone(), item.span);
        let (name, body) =
            match (item.keyword.as_str(), item.tokens.last()) {
                ("mod", Some(TokenTree::Group(body))) => {
                    while !inside.take_word("mod") {
                        inside.next();
                    }
                    (inside.ident("the name of the module")?, body.clone())
                }
                _ => return fail(
                    item.span,
                    "#[ferry::library] stands before a module with its items: `mod notes { … }`",
                ),
            };
        let mut head = outer.kept;
        head.extend_from_slice(&item.tokens[..item.tokens.len() - 1]);
        let library = Library {
            name: plain(&name),
            name_span: name.span(),
            version: std::env::var("CARGO_PKG_VERSION").unwrap_or_default(),
            doc: joined(&outer.doc),
            enter: None,
            head,
            pieces: Vec::new(),
            constants: Vec::new(),
            types: Vec::new(),
            aliases: HashMap::new(),
            methods: Vec::new(),
            events: Vec::new(),
            asks: Vec::new(),
            event_params: Vec::new(),
        };
        Ok((settings(library, arguments.clone())?, body))
    };
    let (library, body) = read(&mut cursor).map_err(|error| vec![error])?;
    let mut parser = Parser {
        names: Names::default(),
        constants: HashMap::new(),
        library,
        errors: Vec::new(),
    };
    parser.collect_names(&body);
    parser.module(&body);
    parser.library.aliases = parser.names.aliases;
    if parser.errors.is_empty() {
        Ok(parser.library)
    } else {
        Err(parser.errors)
    }
}

/// What stands in the parentheses of `#[ferry::library(…)]`.
fn settings(mut library: Library, arguments: TokenStream) -> Result<Library> {
    let mut cursor = Cursor::new(arguments, Span::call_site());
    while !cursor.is_empty() {
        let ident = cursor.ident("`name`, `version` or `enter`")?;
        if !cursor.take_punct('=') {
            return fail(cursor.span(), "expected `=`");
        }
        let span = cursor.span();
        let given = cursor.until_comma();
        let text = match given.as_slice() {
            [TokenTree::Literal(literal)] => value::string(&literal.to_string()),
            _ => None,
        };
        match (ident.to_string().as_str(), text) {
            ("name", Some(text)) => {
                library.name = text;
                library.name_span = span;
            }
            ("version", Some(text)) => library.version = text,
            ("name" | "version", None) => return fail(span, "expected a text"),
            ("enter", None) => library.enter = Some(given),
            _ => {
                return fail(
                    ident.span(),
                    "expected `name = \"…\"`, `version = \"…\"` or `enter = PATH`",
                )
            }
        }
    }
    Ok(library)
}

/// The name of a type item, and of what follows it.
fn name_after(item: &Item, keyword: &str) -> Result<(Ident, Cursor)> {
    let mut cursor = Cursor::new(item.tokens.clone(), item.span);
    while !cursor.take_word(keyword) {
        if cursor.next().is_none() {
            return fail(item.span, format!("expected `{keyword}`"));
        }
    }
    let ident = cursor.ident("a name")?;
    if is_punct(cursor.peek(), '<') {
        return fail(
            cursor.span(),
            format!(
                "`{}` is generic, and hosts know of no generics; write it out",
                ident
            ),
        );
    }
    Ok((ident, cursor))
}

impl Parser {
    fn note(&mut self, result: Result<()>) {
        if let Err(error) = result {
            self.errors.push(error);
        }
    }

    // ---- first, which names there are ----

    fn collect_names(&mut self, body: &Group) {
        let mut cursor = Cursor::of(body);
        while !cursor.is_empty() {
            if skip_inner(&mut cursor).is_some() {
                continue;
            }
            // what is wrong is said when the module is read
            let marks = attributes(&mut cursor)
                .map(|found| found.marks)
                .unwrap_or_default();
            let item = item(&mut cursor);
            if item.keyword == "type" {
                if let Ok((ident, mut rest)) = name_after(&item, "type") {
                    if rest.take_punct('=') {
                        let mut tokens = rest.rest();
                        tokens.pop();
                        let syntax = shape::parse(tokens, item.span);
                        self.names.aliases.insert(plain(&ident), syntax);
                    }
                }
            }
            for mark in marks {
                let (marked, keyword) = match mark.name.as_str() {
                    "object" => (MarkedKind::Object, "struct"),
                    "enumeration" => (MarkedKind::Enum, "enum"),
                    "handle" => (MarkedKind::Handle, item.keyword.as_str()),
                    _ => continue,
                };
                if let Ok((ident, _)) = name_after(&item, keyword) {
                    self.names.marked.insert(plain(&ident), marked);
                    self.names.aliases.remove(&plain(&ident));
                }
            }
        }
    }

    // ---- then the items ----

    fn keep(&mut self, tokens: impl IntoIterator<Item = TokenTree>) {
        self.library
            .pieces
            .extend(tokens.into_iter().map(BodyPart::Token));
    }

    fn module(&mut self, body: &Group) {
        let mut cursor = Cursor::of(body);
        let mut docs = Vec::new();
        while !cursor.is_empty() {
            if let Some(inner) = skip_inner(&mut cursor) {
                if let Some(TokenTree::Group(group)) = inner.last() {
                    docs.extend(doc_of(group));
                }
                self.keep(inner);
                continue;
            }
            let result = attributes(&mut cursor).and_then(|found| {
                let item = item(&mut cursor);
                self.item(found, item)
            });
            self.note(result);
        }
        if self.library.doc.is_empty() {
            self.library.doc = joined(&docs);
        }
    }

    fn item(&mut self, found: Attributes, item: Item) -> Result<()> {
        let mark = match found.marks.as_slice() {
            [] if item.keyword == "impl" => {
                self.keep(found.kept);
                return self.implementation(item);
            }
            [] => {
                self.keep(found.kept);
                self.keep(item.tokens);
                return Ok(());
            }
            [mark] => mark,
            [_, second, ..] => {
                return fail(second.span, "an item has one attribute of Ferry's");
            }
        };
        let doc = found.doc();
        match mark.name.as_str() {
            "constant" => {
                no_arguments(mark)?;
                self.constant(&item, doc)?;
                self.keep(found.kept);
                self.keep(item.tokens);
            }
            "object" => {
                no_arguments(mark)?;
                let tokens = self.object(&item, doc)?;
                self.keep(found.kept);
                self.keep(tokens);
            }
            "enumeration" => {
                no_arguments(mark)?;
                self.enumeration(&item, doc)?;
                self.keep(found.kept);
                self.keep(item.tokens);
            }
            "handle" => {
                no_arguments(mark)?;
                if !matches!(item.keyword.as_str(), "struct" | "enum") {
                    return fail(
                        item.span,
                        "#[ferry::handle] stands before a struct or an enum",
                    );
                }
                let (ident, _) = name_after(&item, &item.keyword)?;
                self.library.types.push(Declared {
                    name: type_name(ident),
                    kind: Kind::Handle,
                    doc,
                });
                self.keep(found.kept);
                self.keep(item.tokens);
            }
            "default" => return fail(mark.span, "`ferry::default` stands before a field"),
            "event" | "ask" => {
                let is_event = mark.name == "event";
                let signature = signature(&item)?;
                self.keep(found.kept);
                if is_event {
                    self.event(mark, signature, doc)?;
                } else {
                    no_arguments(mark)?;
                    self.ask(signature, doc)?;
                }
            }
            _ => {
                let signature = signature(&item)?;
                let tokens = signature.tokens.clone();
                self.method(mark, signature, doc, None)?;
                self.keep(found.kept);
                self.keep(tokens);
            }
        }
        Ok(())
    }

    fn constant(&mut self, item: &Item, doc: String) -> Result<()> {
        if item.keyword != "const" {
            return fail(item.span, "#[ferry::constant] stands before a `const`");
        }
        let (ident, mut cursor) = name_after(item, "const")?;
        cursor.take_punct(':');
        let mut tokens = Vec::new();
        while !cursor.is_empty() && !is_punct(cursor.peek(), '=') {
            tokens.extend(cursor.next());
        }
        cursor.next();
        let mut expression = cursor.rest();
        expression.pop();
        let syntax = shape::parse(tokens, item.span);
        let place = format!("the constant `{ident}`");
        let kind = match &syntax.form {
            Form::Lent { of, .. } if matches!(&of.form, Form::Path(name, _) if name == "str") => {
                "string"
            }
            _ => match shape::shape(&syntax, &self.names, &place)? {
                Shape::Scalar(kind) if kind != "bytes" && kind != "string" => kind,
                _ => {
                    return fail(
                        syntax.span,
                        format!("{place}: it is of a number's type, a `bool` or a `&str`"),
                    )
                }
            },
        };
        let span = expression.first().map_or(item.span, TokenTree::span);
        let is_computed = expression.len() > 1;
        let read = Reader {
            known: &self.constants,
        }
        .read(expression, span, &place)?;
        let json = match read.json(kind) {
            Some(json) => json,
            None => return fail(span, format!("{place}: its value is not of its type")),
        };
        let computed = match (&read, is_computed) {
            (Value_::Integer(number), true) => Some(format!("{number}")),
            _ => None,
        };
        self.constants.insert(plain(&ident), read);
        self.library.constants.push(Constant {
            name: Name {
                text: plain(&ident).to_lowercase(),
                ident,
            },
            kind,
            json,
            computed,
            doc,
        });
        Ok(())
    }

    fn object(&mut self, item: &Item, doc: String) -> Result<Vec<TokenTree>> {
        let (ident, mut cursor) = match item.keyword.as_str() {
            "struct" => name_after(item, "struct")?,
            _ => {
                return fail(
                    item.span,
                    "#[ferry::object] stands before a struct with named fields",
                )
            }
        };
        let body = match cursor.next() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => group,
            _ => {
                return fail(
                    ident.span(),
                    format!("`{ident}` has no named fields; write `struct {ident} {{ … }}`"),
                )
            }
        };
        let mut fields = Vec::new();
        let mut kept = Vec::new();
        let mut inside = Cursor::of(&body);
        while !inside.is_empty() {
            let mut found = attributes(&mut inside)?;
            kept.append(&mut found.kept);
            let part = inside.until_comma();
            kept.extend(part.iter().cloned());
            kept.push(TokenTree::from(proc_macro::Punct::new(
                ',',
                proc_macro::Spacing::Alone,
            )));
            fields.push(field(found, part, &ident)?);
        }
        let name = type_name(ident);
        if fields.is_empty() {
            return fail(
                name.span(),
                format!("`{}` has no fields; an object has at least one", name.text),
            );
        }
        self.library.types.push(Declared {
            name,
            kind: Kind::Object(fields),
            doc,
        });
        Ok(with_body(&item.tokens, &body, kept))
    }

    fn enumeration(&mut self, item: &Item, doc: String) -> Result<()> {
        let (ident, mut cursor) = match item.keyword.as_str() {
            "enum" => name_after(item, "enum")?,
            _ => return fail(item.span, "#[ferry::enumeration] stands before an enum"),
        };
        let mut inside = Cursor::of(&cursor.group(Delimiter::Brace, "the values")?);
        let mut values: Vec<Value> = Vec::new();
        let mut next = 0_i128;
        while !inside.is_empty() {
            let found = attributes(&mut inside)?;
            let name = inside.ident("the name of a value")?;
            let mut part = Cursor::new(inside.expression(), name.span());
            let place = format!("`{ident}::{name}`");
            if part.take_punct('=') {
                let span = part.span();
                let known = &self.constants;
                match (Reader { known }).read(part.rest(), span, &place)? {
                    Value_::Integer(number) => next = number,
                    _ => return fail(span, format!("{place}: expected an integer")),
                }
            } else if !part.is_empty() {
                return fail(
                    part.span(),
                    format!("{place} has fields; use an object with an `Option` for each"),
                );
            }
            let number = match i32::try_from(next) {
                Ok(number) => number,
                Err(_) => {
                    return fail(
                        name.span(),
                        format!("{place} is {next}; values are of 32 bits"),
                    )
                }
            };
            next += 1;
            values.push(Value {
                name: Name {
                    text: snake(&plain(&name)),
                    ident: name,
                },
                number,
                doc: found.doc(),
            });
        }
        if values.is_empty() {
            return fail(
                ident.span(),
                format!("`{ident}` has no values; an enum has at least one"),
            );
        }
        self.library.types.push(Declared {
            name: type_name(ident),
            kind: Kind::Enum(values),
            doc,
        });
        Ok(())
    }

    /// An `impl` block, whose functions may be marked.
    fn implementation(&mut self, item: Item) -> Result<()> {
        let body = match item.tokens.last() {
            Some(TokenTree::Group(group)) => group.clone(),
            _ => return fail(item.span, "expected the body of the `impl`"),
        };
        let mut kept = Vec::new();
        let mut owner = Vec::new();
        let mut head = Cursor::new(item.tokens[..item.tokens.len() - 1].to_vec(), item.span);
        while !head.take_word("impl") {
            head.next();
        }
        while let Some(token) = head.next() {
            owner.push(token);
        }
        let mut inside = Cursor::of(&body);
        while !inside.is_empty() {
            if let Some(inner) = skip_inner(&mut inside) {
                kept.extend(inner);
                continue;
            }
            let found = match attributes(&mut inside) {
                Ok(found) => found,
                Err(error) => {
                    self.errors.push(error);
                    continue;
                }
            };
            let function = self::item(&mut inside);
            kept.extend(found.kept.iter().cloned());
            let mark = match found.marks.first() {
                None => {
                    kept.extend(function.tokens);
                    continue;
                }
                Some(mark) => mark,
            };
            let is_plain = owner.len() == 1 && matches!(owner[0], TokenTree::Ident(_));
            if !is_plain {
                self.errors.push(Error {
                    span: mark.span,
                    message: "functions that are marked stand in `impl NAME { … }` or beside it, not in a trait's or a generic `impl`".to_owned(),
                });
                continue;
            }
            if !matches!(mark.name.as_str(), "method" | "constructor" | "destructor") {
                self.errors.push(Error {
                    span: mark.span,
                    message: format!(
                        "`ferry::{}` stands before an item of the module, not in an `impl`",
                        mark.name
                    ),
                });
                continue;
            }
            match signature(&function) {
                Err(error) => self.errors.push(error),
                Ok(signature) => {
                    kept.extend(signature.tokens.iter().cloned());
                    let result = self.method(mark, signature, found.doc(), Some(text_of(&owner)));
                    self.note(result);
                }
            }
        }
        let tokens = with_body(&item.tokens, &body, kept);
        self.keep(tokens);
        Ok(())
    }

    fn method(
        &mut self,
        mark: &Mark,
        signature: Signature,
        doc: String,
        owner: Option<String>,
    ) -> Result<()> {
        let Signature {
            name,
            is_async,
            params,
            receiver,
            returns,
            body,
            ..
        } = signature;
        let called = name.text.clone();
        if body.is_none() {
            return fail(
                name.span(),
                format!("`{called}` has no body; only events and questions have none"),
            );
        }
        let role = match (mark.name.as_str(), receiver) {
            ("constructor", _) => MethodKind::Constructor,
            ("destructor", _) => MethodKind::Destructor,
            (_, Receiver::None) => MethodKind::Static,
            _ => MethodKind::Method,
        };
        let mut is_idempotent = false;
        match mark.arguments.as_slice() {
            [] => {}
            [TokenTree::Ident(word)]
                if word.to_string() == "idempotent" && mark.name == "method" =>
            {
                is_idempotent = true;
            }
            [first, ..] => {
                return fail(
                    first.span(),
                    format!(
                        "`ferry::{}` takes {}",
                        mark.name,
                        if mark.name == "method" {
                            "`idempotent` or nothing"
                        } else {
                            "nothing"
                        }
                    ),
                );
            }
        }
        let params = params
            .into_iter()
            .map(|param| self.param(param, &called, true))
            .collect::<Result<Vec<Param>>>()?;
        let returns = match role {
            MethodKind::Constructor => self.made(&returns, &called, &owner, name.span())?,
            _ => self.returns(&returns, &format!("the result of `{called}`"))?,
        };
        self.library.methods.push(Method {
            name,
            role,
            receiver,
            is_async,
            is_idempotent,
            params,
            returns,
            doc,
            owner,
        });
        Ok(())
    }

    /// A parameter. Only methods may take what is lent, or the object of a handle.
    fn param(&self, param: RawParam, function: &str, is_method: bool) -> Result<Param> {
        let RawParam { name, syntax, doc } = param;
        let place = format!("the parameter `{}` of `{function}`", name.text);
        let marked = |syntax: &Syntax| {
            let (of, _) = syntax.named(&self.names)?;
            (self.names.marked.get(of) == Some(&MarkedKind::Handle))
                .then(|| Shape::Handle(of.to_owned()))
        };
        let (shape, given) = match &syntax.form {
            Form::Lent {
                is_mutable: true, ..
            } => {
                return fail(
                    syntax.span,
                    format!(
                        "{place}: `{}` cannot be changed for the host; return the value",
                        syntax.text
                    ),
                );
            }
            Form::Lent { of, .. } => match (&of.form, of.named(&self.names)) {
                (_, Some(("Context", _))) => (None, Given::Context),
                (_, Some(("str", _))) => (Some(Shape::Scalar("string")), Given::Lent),
                (Form::Slice(item), _) => match shape::shape(item, &self.names, &place)? {
                    Shape::Scalar("u8") => (Some(Shape::Scalar("bytes")), Given::Lent),
                    item => (Some(Shape::Seq(Box::new(item))), Given::Lent),
                },
                _ => match marked(of) {
                    Some(handle) if is_method => (Some(handle), Given::HeldLent),
                    _ => (Some(shape::shape(of, &self.names, &place)?), Given::Lent),
                },
            },
            _ => match syntax.named(&self.names) {
                Some(("Held", [of])) if is_method => match marked(of) {
                    Some(handle) => (Some(handle), Given::Held),
                    None => {
                        return fail(
                            of.span,
                            format!("{place}: `{}` is not marked #[ferry::handle]", of.text),
                        )
                    }
                },
                Some(("Context", _)) => {
                    return fail(
                        syntax.span,
                        format!("{place}: the context is lent: `&{}`", syntax.text),
                    );
                }
                _ => (
                    Some(shape::shape(&syntax, &self.names, &place)?),
                    Given::Owned,
                ),
            },
        };
        Ok(Param {
            name,
            syntax,
            shape,
            given,
            doc,
        })
    }

    fn value(&self, syntax: &Syntax, place: &str) -> Result<Option<Shape>> {
        match syntax.form {
            Form::Unit => Ok(None),
            _ => shape::shape(syntax, &self.names, place).map(Some),
        }
    }

    /// The name of a declared error, if the type is one.
    fn declared_error(&self, syntax: &Syntax) -> Option<String> {
        let (name, _) = syntax.named(&self.names)?;
        matches!(
            self.names.marked.get(name),
            Some(MarkedKind::Enum | MarkedKind::Object)
        )
        .then(|| name.to_owned())
    }

    /// How a function fails whose `Result` has this type.
    fn fails(&self, syntax: Option<&Syntax>, place: &str) -> Result<(Fails, Option<String>)> {
        let syntax = match syntax {
            None => return Ok((Fails::Failure, None)),
            Some(syntax) => syntax,
        };
        if let Some(name) = self.declared_error(syntax) {
            return Ok((Fails::Raised, Some(name)));
        }
        match syntax.named(&self.names) {
            Some(("Failure", [error])) => match self.declared_error(error) {
                Some(name) => Ok((Fails::Failure, Some(name))),
                None => fail(
                    error.span,
                    format!("the error in {place}: `{}` is not marked #[ferry::enumeration] or #[ferry::object]", error.text),
                ),
            },
            _ => Ok((Fails::Failure, None)),
        }
    }

    fn returns(&self, syntax: &Option<Syntax>, place: &str) -> Result<MethodResult> {
        let nothing = MethodResult {
            gives: Gives::Value,
            fails: Fails::Never,
            shape: None,
            error: None,
        };
        let syntax = match syntax {
            None => return Ok(nothing),
            Some(syntax) => syntax,
        };
        match syntax.named(&self.names) {
            Some(("Outcome", [value, rest @ ..])) => {
                let error = rest.first().and_then(|error| self.declared_error(error));
                Ok(MethodResult {
                    gives: Gives::Reply,
                    fails: Fails::Failure,
                    shape: self.value(value, place)?,
                    error,
                })
            }
            Some(("Result", [value, rest @ ..])) => {
                let inner = self.given(value, place)?;
                let (fails, error) = self.fails(rest.first(), place)?;
                let error = error.or_else(|| inner.error.clone());
                if inner.gives != Gives::Value && inner.error != error {
                    return fail(
                        value.span,
                        format!(
                            "{place}: the errors in `{}` differ; write the same in both",
                            syntax.text
                        ),
                    );
                }
                Ok(MethodResult {
                    fails,
                    error,
                    ..inner
                })
            }
            _ => self.given(syntax, place),
        }
    }

    /// A value, a `Reply` or `Yields`.
    fn given(&self, syntax: &Syntax, place: &str) -> Result<MethodResult> {
        let (gives, value, error) = match syntax.named(&self.names) {
            Some(("Reply", [value, rest @ ..])) => (Gives::Reply, value, rest.first()),
            Some(("Yields", [value, rest @ ..])) => (Gives::Values, value, rest.first()),
            _ => (Gives::Value, syntax, None),
        };
        if gives == Gives::Values && matches!(value.form, Form::Unit) {
            return fail(value.span, format!("{place}: it yields values of a type"));
        }
        Ok(MethodResult {
            gives,
            fails: Fails::Never,
            shape: self.value(value, place)?,
            error: error.and_then(|error| self.declared_error(error)),
        })
    }

    /// What a constructor returns.
    fn made(
        &self,
        syntax: &Option<Syntax>,
        called: &str,
        owner: &Option<String>,
        span: Span,
    ) -> Result<MethodResult> {
        let owner = match owner {
            Some(owner) => owner,
            None => {
                return fail(
                    span,
                    format!("the constructor `{called}` stands in the `impl` of what it makes"),
                )
            }
        };
        let is_made = |syntax: &Syntax| matches!(syntax.named(&self.names), Some((name, [])) if name == "Self" || name == owner);
        let wrong = || {
            fail(
                span,
                format!("the constructor `{called}` returns `Self` or a `Result` of it"),
            )
        };
        let syntax = match syntax {
            Some(syntax) => syntax,
            None => return wrong(),
        };
        let (fails, error) = match syntax.named(&self.names) {
            _ if is_made(syntax) => (Fails::Never, None),
            Some(("Result", [value, rest @ ..])) if is_made(value) => {
                self.fails(rest.first(), &format!("the result of `{called}`"))?
            }
            _ => return wrong(),
        };
        Ok(MethodResult {
            gives: Gives::Value,
            fails,
            shape: None,
            error,
        })
    }

    /// What events and questions have in common: a function without a body that takes the context.
    fn emitting(&mut self, signature: &Signature, what: &str) -> Result<Vec<Param>> {
        let called = &signature.name.text;
        let span = signature.name.span();
        if signature.body.is_some() {
            return fail(
                span,
                format!(
                    "{what} `{called}` has a body; end it with `;`, and the macro writes the body"
                ),
            );
        }
        if signature.is_async {
            return fail(
                span,
                format!("{what} `{called}` is `async`; leave that out"),
            );
        }
        if signature.receiver != Receiver::None {
            return fail(
                span,
                format!(
                    "{what} `{called}` takes `self`; it takes the context: `context: &Context<…>`"
                ),
            );
        }
        let params = signature
            .params
            .iter()
            .map(|param| self.param(param.clone(), called, false))
            .collect::<Result<Vec<Param>>>()?;
        match params.first() {
            Some(param) if param.given == Given::Context => Ok(params),
            _ => fail(
                span,
                format!("{what} `{called}` takes the context first: `context: &Context<…>`"),
            ),
        }
    }

    fn event(&mut self, mark: &Mark, signature: Signature, doc: String) -> Result<()> {
        let params = self.emitting(&signature, "the event")?;
        let called = signature.name.text.clone();
        if params.len() > 2 {
            return fail(
                signature.name.span(),
                format!("the event `{called}` carries one value at most; use an object"),
            );
        }
        if let Some(returns) = &signature.returns {
            return fail(returns.span, format!("the event `{called}` returns something; an event has no answer, `ferry::ask` asks"));
        }
        let (overflow, depth) = policy(mark)?;
        let number = self.library.events.len();
        self.library.events.push(Event {
            name: signature.name.clone(),
            shape: params.get(1).and_then(|param| param.shape.clone()),
            overflow,
            depth,
            doc,
        });
        self.library.event_params.push(params);
        self.keep(signature.tokens);
        self.library.pieces.push(BodyPart::Event(number));
        Ok(())
    }

    fn ask(&mut self, signature: Signature, doc: String) -> Result<()> {
        let params = self.emitting(&signature, "the question")?;
        let called = signature.name.text.clone();
        for param in &params[1..] {
            if param.given != Given::Owned {
                return fail(
                    param.syntax.span,
                    format!(
                        "the parameter `{}` of `{called}`: a question takes what it asks, owned",
                        param.name.text
                    ),
                );
            }
            if param.name.text == "question" {
                return fail(param.name.span(), format!("the parameter `question` of `{called}`: every question has one already; rename it"));
            }
        }
        let (shape, error) = match signature
            .returns
            .as_ref()
            .map(|syntax| syntax.named(&self.names))
        {
            Some(Some(("Question", [value, rest @ ..]))) => {
                let place = format!("the answer to `{called}`");
                let error = match rest.first() {
                    None => None,
                    Some(error) => match self.declared_error(error) {
                        Some(name) => Some(name),
                        None => return fail(error.span, format!("the error of `{called}`: `{}` is not marked #[ferry::enumeration] or #[ferry::object]", error.text)),
                    },
                };
                (self.value(value, &place)?, error)
            }
            _ => {
                return fail(
                    signature.name.span(),
                    format!("the question `{called}` returns a `Question`: `-> Question<bool>`"),
                )
            }
        };
        let number = self.library.asks.len();
        self.library.asks.push(Ask {
            name: signature.name.clone(),
            params,
            shape,
            error,
            doc,
        });
        self.keep(signature.tokens);
        self.library.pieces.push(BodyPart::Ask(number));
        Ok(())
    }
}

/// `drop_newest, depth = 16`.
fn policy(mark: &Mark) -> Result<(&'static str, u32)> {
    const DEPTH_MAX: u32 = 1 << 20;
    let mut overflow = "drop_oldest";
    let mut depth = 0;
    let mut cursor = Cursor::new(mark.arguments.clone(), mark.span);
    while !cursor.is_empty() {
        let span = cursor.span();
        let word = cursor.ident("`drop_oldest`, `drop_newest`, `coalesce` or `depth = N`")?;
        match word.to_string().as_str() {
            "drop_oldest" => overflow = "drop_oldest",
            "drop_newest" => overflow = "drop_newest",
            "coalesce" => overflow = "coalesce",
            "depth" if cursor.take_punct('=') => {
                let given = cursor
                    .next()
                    .map(|token| token.to_string().replace('_', ""));
                depth = match given.and_then(|text| text.parse().ok()) {
                    Some(depth) if depth <= DEPTH_MAX => depth,
                    _ => return fail(span, format!("`depth` is a number from 0 to {DEPTH_MAX}")),
                };
            }
            _ => {
                return fail(
                    span,
                    "expected `drop_oldest`, `drop_newest`, `coalesce` or `depth = N`",
                )
            }
        }
        if !cursor.take_punct(',') && !cursor.is_empty() {
            return fail(cursor.span(), "expected `,`");
        }
    }
    Ok((overflow, depth))
}

/// An inner attribute, `#![…]`.
fn skip_inner(cursor: &mut Cursor) -> Option<Vec<TokenTree>> {
    let is_inner = is_punct(cursor.peek(), '#')
        && is_punct(cursor.peek_at(1), '!')
        && is_group(cursor.peek_at(2), Delimiter::Bracket);
    is_inner.then(|| (0..3).filter_map(|_| cursor.next()).collect())
}

fn type_name(ident: Ident) -> Name {
    Name {
        text: plain(&ident),
        ident,
    }
}

fn value_name(ident: Ident) -> Name {
    type_name(ident)
}

/// The tokens of an item with other tokens in its body.
fn with_body(tokens: &[TokenTree], body: &Group, inside: Vec<TokenTree>) -> Vec<TokenTree> {
    let mut group = Group::new(body.delimiter(), inside.into_iter().collect());
    group.set_span(body.span());
    let mut all = tokens.to_vec();
    all.pop();
    all.push(group.into());
    all
}

fn field(found: Attributes, part: Vec<TokenTree>, object: &Ident) -> Result<Field> {
    let span = part.first().map_or_else(|| object.span(), TokenTree::span);
    let mut cursor = Cursor::new(part, span);
    visibility(&mut cursor);
    let ident = cursor.ident("the name of a field")?;
    if !cursor.take_punct(':') {
        return fail(cursor.span(), "expected `:`");
    }
    let mut default = None;
    for mark in &found.marks {
        if mark.name != "default" {
            return fail(
                mark.span,
                format!("`ferry::{}` does not stand before a field", mark.name),
            );
        }
        if mark.arguments.is_empty() {
            return fail(
                mark.span,
                format!(
                    "the field `{ident}` of `{object}`: say which default: `#[ferry::default(0)]`"
                ),
            );
        }
        default = Some((mark.arguments.clone(), mark.span));
    }
    let span = cursor.span();
    Ok(Field {
        syntax: shape::parse(cursor.rest(), span),
        doc: found.doc(),
        default,
        name: value_name(ident),
    })
}

fn visibility(cursor: &mut Cursor) {
    if cursor.take_word("pub") && is_group(cursor.peek(), Delimiter::Parenthesis) {
        cursor.next();
    }
}

// ---- functions ------------------------------------------------------------------------------------------------------

#[derive(Clone)]
struct RawParam {
    name: Name,
    syntax: Syntax,
    doc: String,
}

struct Signature {
    name: Name,
    is_async: bool,
    receiver: Receiver,
    params: Vec<RawParam>,
    returns: Option<Syntax>,
    body: Option<Group>,
    /// The function without the comments of its parameters, and without the semicolon that stands for a body.
    tokens: Vec<TokenTree>,
}

fn signature(item: &Item) -> Result<Signature> {
    if item.keyword != "fn" {
        return fail(item.span, "expected a function");
    }
    let mut cursor = Cursor::new(item.tokens.clone(), item.span);
    let mut tokens = Vec::new();
    let mut is_async = false;
    loop {
        let token = cursor.next();
        is_async |= is_word(token.as_ref(), "async");
        let is_fn = is_word(token.as_ref(), "fn");
        tokens.extend(token);
        if is_fn {
            break;
        }
    }
    let ident = cursor.ident("the name of the function")?;
    tokens.push(ident.clone().into());
    if is_punct(cursor.peek(), '<') {
        return fail(
            cursor.span(),
            format!("`{ident}` is generic, and hosts know of no generics; write the types"),
        );
    }
    let group = cursor.group(Delimiter::Parenthesis, "the parameters")?;
    let (receiver, params, kept) = parameters(&group, &ident)?;
    let mut parentheses = Group::new(Delimiter::Parenthesis, kept.into_iter().collect());
    parentheses.set_span(group.span());
    tokens.push(parentheses.into());
    let rest = cursor.rest();
    let body = match rest.last() {
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
            Some(group.clone())
        }
        _ => None,
    };
    // a body, or a semicolon
    let between = &rest[..rest.len().saturating_sub(1)];
    if let Some(place) = between.iter().find(|token| is_word(Some(token), "where")) {
        return fail(
            place.span(),
            format!("`{ident}` has a `where`, and hosts know of no generics; write the types"),
        );
    }
    let returns = match between {
        [] => None,
        [_, _, type_ @ ..] => Some(shape::parse(type_.to_vec(), ident.span())),
        [other] => return fail(other.span(), "expected `->`"),
    };
    tokens.extend_from_slice(between);
    if let Some(body) = &body {
        tokens.push(body.clone().into());
    }
    Ok(Signature {
        name: value_name(ident),
        is_async,
        receiver,
        params,
        returns,
        body,
        tokens,
    })
}

/// The receiver, the parameters, and the tokens of both without comments.
fn parameters(
    group: &Group,
    function: &Ident,
) -> Result<(Receiver, Vec<RawParam>, Vec<TokenTree>)> {
    let mut receiver = Receiver::None;
    let mut params = Vec::new();
    let mut kept = Vec::new();
    let mut inside = Cursor::of(group);
    while !inside.is_empty() {
        let found = attributes(&mut inside)?;
        if let Some(mark) = found.marks.first() {
            return fail(mark.span, "a parameter has no attribute of Ferry's; put it into an object to give it a default");
        }
        let span = inside.span();
        let part = inside.until_comma();
        kept.extend(part.iter().cloned());
        kept.push(proc_macro::Punct::new(',', proc_macro::Spacing::Alone).into());
        let mut cursor = Cursor::new(part.clone(), span);
        if let Some(found) = receiver_of(&part) {
            receiver = found;
            continue;
        }
        cursor.take_word("mut");
        let ident = match (cursor.next(), cursor.take_punct(':')) {
            (Some(TokenTree::Ident(ident)), true) => ident,
            _ => {
                return fail(
                    span,
                    format!(
                        "a parameter of `{function}` has no name of its own; write `name: Type`"
                    ),
                )
            }
        };
        let span = cursor.span();
        let mut name = value_name(ident);
        // a parameter that the function does not use
        if let Some(text) = name.text.strip_prefix('_') {
            name.text = text.to_owned();
        }
        params.push(RawParam {
            name,
            syntax: shape::parse(cursor.rest(), span),
            doc: found.doc(),
        });
    }
    Ok((receiver, params, kept))
}

fn receiver_of(part: &[TokenTree]) -> Option<Receiver> {
    let words: Vec<String> = part.iter().map(ToString::to_string).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["self"] | ["mut", "self"] => Some(Receiver::Owned),
        ["&", "self"] => Some(Receiver::Shared),
        ["&", "mut", "self"] => Some(Receiver::Mutable),
        _ => None,
    }
}
