// SPDX-License-Identifier: BSD-3-Clause
//! Reading tokens one after another, and errors that stand where they are meant.

use std::iter::FromIterator;

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// What is wrong, and where.
pub struct Error {
    pub span: Span,
    pub message: String,
}

pub type Result<T> = std::result::Result<T, Error>;

/// Fail, at a place.
pub fn fail<T>(span: Span, message: impl Into<String>) -> Result<T> {
    let message = message.into();
    Err(Error { span, message })
}

impl Error {
    /// The error as the compiler shows it.
    pub fn written(&self) -> TokenStream {
        let text = TokenTree::from(Literal::string(&self.message));
        let punct = |char, spacing| TokenTree::from(Punct::new(char, spacing));
        let group = TokenTree::from(Group::new(Delimiter::Brace, text.into()));
        let tokens = [
            punct(':', Spacing::Joint),
            punct(':', Spacing::Alone),
            Ident::new("core", self.span).into(),
            punct(':', Spacing::Joint),
            punct(':', Spacing::Alone),
            Ident::new("compile_error", self.span).into(),
            punct('!', Spacing::Alone),
            group,
        ];
        tokens
            .into_iter()
            .map(|token| placed(token, self.span))
            .collect()
    }
}

/// The token, and all that is in it, at a place.
fn placed(token: TokenTree, span: Span) -> TokenTree {
    let mut token = match token {
        TokenTree::Group(group) => {
            let inner = group.stream().into_iter().map(|each| placed(each, span));
            Group::new(group.delimiter(), inner.collect()).into()
        }
        token => token,
    };
    token.set_span(span);
    token
}

/// Tokens of a text. What the compiler says of them stands at `span`; names mean what they mean where the macro stands.
pub fn code(text: &str, span: Span) -> TokenStream {
    let span = Span::call_site().located_at(span);
    match text.parse::<TokenStream>() {
        Ok(stream) => stream
            .into_iter()
            .map(|token| placed(token, span))
            .collect(),
        Err(error) => Error {
            span,
            message: format!("a mistake of #[ferry::library]: {error}: {text}"),
        }
        .written(),
    }
}

/// A name as it is written in Rust without `r#`.
pub fn plain(ident: &Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_owned)
}

pub fn is_punct(token: Option<&TokenTree>, char: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}

pub fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident.to_string() == word)
}

pub fn is_group(token: Option<&TokenTree>, delimiter: Delimiter) -> bool {
    matches!(token, Some(TokenTree::Group(group)) if group.delimiter() == delimiter)
}

/// The text of the tokens of a type, as people write it.
pub fn text_of(tokens: &[TokenTree]) -> String {
    let mut text = TokenStream::from_iter(tokens.iter().cloned()).to_string();
    for mark in ["<", ">", "::", "&"] {
        text = text.replace(&format!(" {mark}"), mark);
        text = text.replace(&format!("{mark} "), mark);
    }
    text.replace(" ;", ";")
        .replace(" ,", ",")
        .replace(",&", ", &")
}

/// Tokens, and how far they have been read.
pub struct Cursor {
    tokens: Vec<TokenTree>,
    at: usize,
    /// Where the tokens are, when there is none left.
    span: Span,
}

impl Cursor {
    pub fn new(tokens: impl IntoIterator<Item = TokenTree>, span: Span) -> Cursor {
        let mut flat = Vec::new();
        flatten(tokens, &mut flat);
        Cursor {
            tokens: flat,
            at: 0,
            span,
        }
    }

    pub fn of(group: &Group) -> Cursor {
        Cursor::new(group.stream(), group.span())
    }

    pub fn is_empty(&self) -> bool {
        self.at == self.tokens.len()
    }

    pub fn peek(&self) -> Option<&TokenTree> {
        self.tokens.get(self.at)
    }

    pub fn peek_at(&self, ahead: usize) -> Option<&TokenTree> {
        self.tokens.get(self.at + ahead)
    }

    pub fn next(&mut self) -> Option<TokenTree> {
        let token = self.tokens.get(self.at).cloned();
        self.at += usize::from(token.is_some());
        token
    }

    /// Where the next token is.
    pub fn span(&self) -> Span {
        self.peek().map_or(self.span, TokenTree::span)
    }

    pub fn rest(&mut self) -> Vec<TokenTree> {
        let rest = self.tokens[self.at..].to_vec();
        self.at = self.tokens.len();
        rest
    }

    pub fn take_punct(&mut self, char: char) -> bool {
        let is_there = is_punct(self.peek(), char);
        self.at += usize::from(is_there);
        is_there
    }

    pub fn take_word(&mut self, word: &str) -> bool {
        let is_there = is_word(self.peek(), word);
        self.at += usize::from(is_there);
        is_there
    }

    pub fn ident(&mut self, what: &str) -> Result<Ident> {
        match self.next() {
            Some(TokenTree::Ident(ident)) => Ok(ident),
            Some(other) => fail(other.span(), format!("expected {what}")),
            None => fail(self.span, format!("expected {what}")),
        }
    }

    pub fn group(&mut self, delimiter: Delimiter, what: &str) -> Result<Group> {
        match self.next() {
            Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Ok(group),
            Some(other) => fail(other.span(), format!("expected {what}")),
            None => fail(self.span, format!("expected {what}")),
        }
    }

    /// The tokens of an expression up to a comma, which is taken too.
    pub fn expression(&mut self) -> Vec<TokenTree> {
        let mut taken = Vec::new();
        while !self.is_empty() && !self.take_punct(',') {
            taken.extend(self.next());
        }
        taken
    }

    /// The tokens up to a comma outside angle brackets, which is taken too.
    pub fn until_comma(&mut self) -> Vec<TokenTree> {
        let mut taken = Vec::new();
        let mut deep = 0_u32;
        while let Some(token) = self.next() {
            if deep == 0 && is_punct(Some(&token), ',') {
                break;
            }
            if is_punct(Some(&token), '<') {
                deep += 1;
            } else if is_punct(Some(&token), '>') && !is_arrow(taken.last()) {
                deep = deep.saturating_sub(1);
            }
            taken.push(token);
        }
        taken
    }
}

/// Whether a `>` after this token ends an arrow.
fn is_arrow(before: Option<&TokenTree>) -> bool {
    matches!(before, Some(TokenTree::Punct(punct)) if punct.as_char() == '-' && punct.spacing() == Spacing::Joint)
}

/// Take tokens out of the groups without delimiters that another macro has put them into.
fn flatten(tokens: impl IntoIterator<Item = TokenTree>, out: &mut Vec<TokenTree>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                flatten(group.stream(), out);
            }
            token => out.push(token),
        }
    }
}
