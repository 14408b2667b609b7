// SPDX-License-Identifier: BSD-3-Clause
//! Values that stand in the module: literals, and small sums of integers.

use std::collections::HashMap;
use std::fmt::Write;

use proc_macro::{Delimiter, Span, TokenTree};

use crate::tokens::{fail, is_punct, plain, Cursor, Result};

/// A value that was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(String),
}

impl Constant {
    /// Whether it is an integer from the least to the largest.
    pub fn is_within(&self, least: i128, most: i128) -> bool {
        matches!(self, Constant::Integer(value) if (least..=most).contains(value))
    }

    /// As the description has it, if it is of this type.
    pub fn json(&self, kind: &str) -> Option<String> {
        match (self, kind) {
            (Constant::Bool(value), "bool") => Some(value.to_string()),
            (Constant::Text(text), "string") => Some(json_text(text)),
            (Constant::Float(value), "f32" | "f64") => Some(json_text(&float(*value, kind))),
            // `2` for 2.0
            (Constant::Integer(value), "f32" | "f64") => {
                Some(json_text(&float(*value as f64, kind)))
            }
            (Constant::Integer(value), _) => {
                let (least, most) = bounds(kind)?;
                (least..=most).contains(value).then(|| value.to_string())
            }
            _ => None,
        }
    }
}

/// The least and the largest integer of a type.
pub fn bounds(kind: &str) -> Option<(i128, i128)> {
    let bits: u32 = kind.get(1..)?.parse().ok()?;
    match kind.get(..1)? {
        "i" => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
        "u" => Some((0, (1 << bits) - 1)),
        _ => None,
    }
}

fn float(value: f64, kind: &str) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    if kind == "f32" {
        // the shortest text that is the same number in 32 bits
        return format!("{:?}", value as f32);
    }
    format!("{value:?}")
}

/// A string of JSON, with the escapes of I5.
pub fn json_text(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            char if u32::from(char) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", u32::from(char));
            }
            char => out.push(char),
        }
    }
    out.push('"');
    out
}

/// The text of a string literal.
pub fn string(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        return raw
            .get(hashes + 1..raw.len().checked_sub(hashes + 1)?)
            .map(str::to_owned);
    }
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::new();
    let mut chars = inner.chars().peekable();
    while let Some(char) = chars.next() {
        if char != '\\' {
            out.push(char);
            continue;
        }
        match chars.next()? {
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            '0' => out.push('\0'),
            'x' => {
                let digits: String = [chars.next()?, chars.next()?].iter().collect();
                out.push(char::from(u8::from_str_radix(&digits, 16).ok()?));
            }
            'u' => {
                let digits: String = chars
                    .by_ref()
                    .take_while(|char| *char != '}')
                    .filter(|char| *char != '{' && *char != '_')
                    .collect();
                out.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
            }
            '\n' => {
                while chars.peek().map_or(false, |char| char.is_whitespace()) {
                    chars.next();
                }
            }
            escaped => out.push(escaped),
        }
    }
    Some(out)
}

/// A number literal: an integer, or a float.
fn number(literal: &str) -> Option<Constant> {
    let plain: String = literal.chars().filter(|char| *char != '_').collect();
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = plain.strip_prefix(prefix) {
            let end = digits.find(['i', 'u']).unwrap_or(digits.len());
            return i128::from_str_radix(&digits[..end], radix)
                .ok()
                .map(Constant::Integer);
        }
    }
    let suffix = plain.find(['i', 'u', 'f']);
    let digits = &plain[..suffix.unwrap_or(plain.len())];
    let is_float = suffix.map_or(false, |at| plain[at..].starts_with('f'));
    if is_float || digits.contains(['.', 'e', 'E']) {
        return digits.parse().ok().map(Constant::Float);
    }
    digits.parse().ok().map(Constant::Integer)
}

/// Computes what tokens say.
pub struct Reader<'a> {
    /// The constants before, by their names in Rust.
    pub known: &'a HashMap<String, Constant>,
}

impl Reader<'_> {
    /// The value of an expression.
    pub fn read(&self, tokens: Vec<TokenTree>, span: Span, place: &str) -> Result<Constant> {
        let mut cursor = Cursor::new(tokens, span);
        match self.sum(&mut cursor) {
            Some(value) if cursor.is_empty() => Ok(value),
            _ => fail(
                span,
                format!(
                    "{place}: write a literal, a constant of this module, `T::MAX`, `T::MIN`, or a sum or product of these"
                ),
            ),
        }
    }

    fn sum(&self, cursor: &mut Cursor) -> Option<Constant> {
        let mut left = self.product(cursor)?;
        loop {
            let sign = if cursor.take_punct('+') {
                1
            } else if cursor.take_punct('-') {
                -1
            } else {
                return Some(left);
            };
            left = match (left, self.product(cursor)?) {
                (Constant::Integer(left), Constant::Integer(right)) => {
                    Constant::Integer(left.checked_add(right.checked_mul(sign)?)?)
                }
                _ => return None,
            };
        }
    }

    fn product(&self, cursor: &mut Cursor) -> Option<Constant> {
        let mut left = self.term(cursor)?;
        loop {
            let is_shift = is_punct(cursor.peek(), '<') && is_punct(cursor.peek_at(1), '<');
            if is_shift {
                cursor.next();
                cursor.next();
            } else if !cursor.take_punct('*') {
                return Some(left);
            }
            left = match (left, self.term(cursor)?) {
                (Constant::Integer(left), Constant::Integer(right)) if is_shift => {
                    Constant::Integer(
                        left.checked_mul(1_i128.checked_shl(u32::try_from(right).ok()?)?)?,
                    )
                }
                (Constant::Integer(left), Constant::Integer(right)) => {
                    Constant::Integer(left.checked_mul(right)?)
                }
                _ => return None,
            };
        }
    }

    fn term(&self, cursor: &mut Cursor) -> Option<Constant> {
        let value = self.plain_term(cursor)?;
        // the type does not change what the compiler checks the value against
        while cursor.take_word("as") {
            cursor.next()?;
        }
        Some(value)
    }

    fn plain_term(&self, cursor: &mut Cursor) -> Option<Constant> {
        if cursor.take_punct('-') {
            return match self.term(cursor)? {
                Constant::Integer(value) => Some(Constant::Integer(-value)),
                Constant::Float(value) => Some(Constant::Float(-value)),
                _ => None,
            };
        }
        match cursor.next()? {
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if text.starts_with(['"', 'r']) {
                    return string(&text).map(Constant::Text);
                }
                number(&text)
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                let mut inner = Cursor::of(&group);
                let value = self.sum(&mut inner)?;
                inner.is_empty().then_some(value)
            }
            TokenTree::Ident(ident) => self.named(&plain(&ident), cursor),
            _ => None,
        }
    }

    fn named(&self, name: &str, cursor: &mut Cursor) -> Option<Constant> {
        let mut parts = vec![name.to_owned()];
        while is_punct(cursor.peek(), ':') && is_punct(cursor.peek_at(1), ':') {
            cursor.next();
            cursor.next();
            match cursor.next()? {
                TokenTree::Ident(ident) => parts.push(plain(&ident)),
                _ => return None,
            }
        }
        let last = parts.pop()?;
        match (parts.last().map(String::as_str), last.as_str()) {
            (_, "true") => Some(Constant::Bool(true)),
            (_, "false") => Some(Constant::Bool(false)),
            (Some("f32" | "f64"), "NAN") => Some(Constant::Float(f64::NAN)),
            (Some("f32" | "f64"), "INFINITY") => Some(Constant::Float(f64::INFINITY)),
            (Some("f32" | "f64"), "NEG_INFINITY") => Some(Constant::Float(f64::NEG_INFINITY)),
            (Some(kind), "MIN") => bounds(kind).map(|(least, _)| Constant::Integer(least)),
            (Some(kind), "MAX") => bounds(kind).map(|(_, most)| Constant::Integer(most)),
            _ => self.known.get(&last).cloned(),
        }
    }
}
