// SPDX-License-Identifier: BSD-3-Clause
//! Splits a module into items, and reads those that are marked.

use std::collections::HashMap;

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::library::*;
use crate::shape::{self, Form, MarkedKind, Names, Range, Shape, Syntax};
use crate::tokens::*;
use crate::value::{self, Constant as Value_, Reader};

mod attributes;
mod carried;
mod events;
mod methods;
mod signature;
mod types;

use attributes::*;
use signature::*;
use types::default_among;

/// The marks of items.
const MARKS: [&str; 12] = [
    "constant",
    "object",
    "enumeration",
    "variant",
    "handle",
    "range",
    "transparent",
    "constructor",
    "destructor",
    "method",
    "event",
    "ask",
];

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
            transparent: Vec::new(),
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
    parser.collect_constants(&body);
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

/// The items of a module, each with its marks. A mistake in these is reported when the module is read.
fn marked_items(body: &Group) -> Vec<(Vec<Mark>, Item)> {
    let mut cursor = Cursor::of(body);
    let mut found = Vec::new();
    while !cursor.is_empty() {
        if skip_inner(&mut cursor).is_none() {
            let marks = attributes(&mut cursor)
                .map(|found| found.marks)
                .unwrap_or_default();
            found.push((marks, item(&mut cursor)));
        }
    }
    found
}

impl Parser {
    fn note(&mut self, result: Result<()>) {
        if let Err(error) = result {
            self.errors.push(error);
        }
    }

    // ---- first, which names there are ----

    /// A constant that is made of a later one is not known yet; it is read with the module.
    fn collect_constants(&mut self, body: &Group) {
        for (marks, item) in marked_items(body) {
            let is_constant = marks.iter().any(|mark| mark.name == "constant");
            if !is_constant || item.keyword != "const" {
                continue;
            }
            if let Ok((ident, mut rest)) = name_after(&item, "const") {
                while !rest.is_empty() && !rest.take_punct('=') {
                    rest.next();
                }
                let mut expression = rest.rest();
                expression.pop();
                let known = &self.constants;
                if let Ok(value) = (Reader { known }).read(expression, item.span, "") {
                    self.constants.insert(plain(&ident), value);
                }
            }
        }
    }

    fn collect_names(&mut self, body: &Group) {
        for (marks, item) in marked_items(body) {
            if item.keyword == "type" {
                if let Ok((ident, mut rest)) = name_after(&item, "type") {
                    if rest.take_punct('=') {
                        let mut tokens = rest.rest();
                        tokens.pop();
                        let mut syntax = shape::parse(tokens, item.span);
                        syntax.range = self.range_among(&marks, "").unwrap_or_default();
                        self.names.aliases.insert(plain(&ident), syntax);
                    }
                }
            }
            for mark in marks {
                let (marked, keyword) = match mark.name.as_str() {
                    "object" if item.keyword == "type" => (MarkedKind::Tuple, "type"),
                    "object" => (MarkedKind::Object, "struct"),
                    "enumeration" => (MarkedKind::Enum, "enum"),
                    "variant" => (MarkedKind::Variant, "enum"),
                    "handle" => (MarkedKind::Handle, item.keyword.as_str()),
                    "transparent" => {
                        if let Ok((ident, syntax, _)) = self.transparent_struct(&item) {
                            self.names.transparent.insert(plain(&ident), syntax);
                        }
                        (MarkedKind::Transparent, "struct")
                    }
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
            "object" if item.keyword == "type" => {
                self.tuple(mark, &item, doc)?;
                self.keep(found.kept);
                self.keep(item.tokens);
            }
            "range" => {
                self.range_of_name(mark, &item)?;
                self.keep(found.kept);
                self.keep(item.tokens);
            }
            "transparent" => {
                no_arguments(mark)?;
                let (ident, syntax, tokens) = self.transparent_struct(&item)?;
                self.transparent(type_name(ident), syntax)?;
                self.keep(found.kept);
                self.keep(tokens);
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
            "variant" => {
                no_arguments(mark)?;
                self.variant(&item, doc)?;
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
                    is_tuple: false,
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

fn visibility(cursor: &mut Cursor) {
    if cursor.take_word("pub") && is_group(cursor.peek(), Delimiter::Parenthesis) {
        cursor.next();
    }
}
