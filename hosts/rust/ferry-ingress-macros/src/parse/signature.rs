// SPDX-License-Identifier: BSD-3-Clause
//! What the head of a function says.

use super::*;

#[derive(Clone)]
pub(super) struct RawParam {
    pub(super) name: Name,
    pub(super) syntax: Syntax,
    pub(super) doc: String,
    pub(super) marks: Vec<Mark>,
}

pub(super) struct Signature {
    pub(super) name: Name,
    pub(super) is_async: bool,
    pub(super) receiver: Receiver,
    pub(super) params: Vec<RawParam>,
    pub(super) returns: Option<Syntax>,
    pub(super) body: Option<Group>,
    /// The function without the comments of its parameters, and without the semicolon that stands for a body.
    pub(super) tokens: Vec<TokenTree>,
}

pub(super) fn signature(item: &Item) -> Result<Signature> {
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
pub(super) fn parameters(
    group: &Group,
    function: &Ident,
) -> Result<(Receiver, Vec<RawParam>, Vec<TokenTree>)> {
    let mut receiver = Receiver::None;
    let mut params = Vec::new();
    let mut kept = Vec::new();
    let mut inside = Cursor::of(group);
    while !inside.is_empty() {
        let found = attributes(&mut inside)?;
        if let Some(mark) = found.marks.iter().find(|mark| mark.name != "range") {
            return fail(mark.span, "a parameter has no attribute of Ferry's but a range; put it into an object to give it a default");
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
            marks: found.marks,
        });
    }
    Ok((receiver, params, kept))
}

pub(super) fn receiver_of(part: &[TokenTree]) -> Option<Receiver> {
    let words: Vec<String> = part.iter().map(ToString::to_string).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["self"] | ["mut", "self"] => Some(Receiver::Owned),
        ["&", "self"] => Some(Receiver::Shared),
        ["&", "mut", "self"] => Some(Receiver::Mutable),
        _ => None,
    }
}
