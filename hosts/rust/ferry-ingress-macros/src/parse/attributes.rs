// SPDX-License-Identifier: BSD-3-Clause
//! The attributes of an item: doc comments, marks, and what stays.

use super::*;

/// `#[ferry::NAME(…)]`.
#[derive(Clone)]
pub(super) struct Mark {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) arguments: Vec<TokenTree>,
}

#[derive(Default)]
pub(super) struct Attributes {
    pub(super) doc: Vec<String>,
    pub(super) marks: Vec<Mark>,
    /// Those that stay.
    pub(super) kept: Vec<TokenTree>,
}

impl Attributes {
    pub(super) fn doc(&self) -> String {
        joined(&self.doc)
    }
}

/// The lines of doc comments as one text.
pub(super) fn joined(lines: &[String]) -> String {
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

pub(super) fn attributes(cursor: &mut Cursor) -> Result<Attributes> {
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
pub(super) fn doc_of(group: &Group) -> Option<String> {
    let mut cursor = Cursor::of(group);
    if !cursor.take_word("doc") || !cursor.take_punct('=') {
        return None;
    }
    match cursor.next()? {
        TokenTree::Literal(literal) => value::string(&literal.to_string()),
        _ => None,
    }
}

pub(super) fn mark_of(group: &Group) -> Result<Option<Mark>> {
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

pub(super) fn no_arguments(mark: &Mark) -> Result<()> {
    match mark.arguments.first() {
        None => Ok(()),
        Some(token) => fail(
            token.span(),
            format!("`ferry::{}` takes nothing", mark.name),
        ),
    }
}
