// SPDX-License-Identifier: BSD-3-Clause
//! Constants, objects and enums.

use super::*;

impl Parser {
    pub(super) fn constant(&mut self, item: &Item, doc: String) -> Result<()> {
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

    pub(super) fn object(&mut self, item: &Item, doc: String) -> Result<Vec<TokenTree>> {
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
            fields.push(self.field(&found, part, &ident)?);
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
            is_tuple: false,
            kind: Kind::Object(fields),
            doc,
        });
        Ok(with_body(&item.tokens, &body, kept))
    }

    pub(super) fn enumeration(&mut self, item: &Item, doc: String) -> Result<()> {
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
                    format!("{place} carries a value; mark the enum #[ferry::variant]"),
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
            is_tuple: false,
            kind: Kind::Enum(values),
            doc,
        });
        Ok(())
    }
}

impl Parser {
    pub(super) fn variant(&mut self, item: &Item, doc: String) -> Result<()> {
        let (ident, mut cursor) = match item.keyword.as_str() {
            "enum" => name_after(item, "enum")?,
            _ => return fail(item.span, "#[ferry::variant] stands before an enum"),
        };
        let mut inside = Cursor::of(&cursor.group(Delimiter::Brace, "the cases")?);
        let mut cases: Vec<Case> = Vec::new();
        while !inside.is_empty() {
            let found = attributes(&mut inside)?;
            let name = inside.ident("the name of a case")?;
            let mut part = Cursor::new(inside.until_comma(), name.span());
            let place = format!("`{ident}::{name}`");
            let syntax = match part.next() {
                None => None,
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                    let mut carried = Cursor::of(&group);
                    let span = carried.span();
                    let type_ = carried.until_comma();
                    if type_.is_empty() || !carried.is_empty() {
                        return fail(
                            group.span(),
                            format!("{place} carries not just one value; put several into a struct that is marked #[ferry::object], and leave the parentheses out where it carries nothing"),
                        );
                    }
                    Some(shape::parse(type_, span))
                }
                Some(TokenTree::Group(group)) => {
                    return fail(
                        group.span(),
                        format!("{place} has named fields; put them into a struct that is marked #[ferry::object], and write `{name}(THAT)`"),
                    )
                }
                Some(other) => {
                    return fail(
                        other.span(),
                        format!("{place} has a number; cases are numbered by their places"),
                    )
                }
            };
            cases.push(Case {
                name: Name {
                    text: snake(&plain(&name)),
                    ident: name,
                },
                syntax,
                doc: found.doc(),
            });
        }
        if cases.iter().all(|case| case.syntax.is_none()) {
            return fail(
                ident.span(),
                format!("no case of `{ident}` carries anything; mark it #[ferry::enumeration]"),
            );
        }
        self.library.types.push(Declared {
            name: type_name(ident),
            is_tuple: false,
            kind: Kind::Variant(cases),
            doc,
        });
        Ok(())
    }
}

impl Parser {
    pub(super) fn field(
        &self,
        found: &Attributes,
        part: Vec<TokenTree>,
        object: &Ident,
    ) -> Result<Field> {
        let span = part.first().map_or_else(|| object.span(), TokenTree::span);
        let mut cursor = Cursor::new(part, span);
        visibility(&mut cursor);
        let ident = cursor.ident("the name of a field")?;
        if !cursor.take_punct(':') {
            return fail(cursor.span(), "expected `:`");
        }
        let place = format!("the field `{ident}` of `{object}`");
        let default = default_among(&found.marks, &place)?;
        let span = cursor.span();
        let mut syntax = shape::parse(cursor.rest(), span);
        syntax.range = self.range_among(&found.marks, &place)?;
        Ok(Field {
            syntax,
            doc: found.doc(),
            default,
            name: value_name(ident),
        })
    }
}

/// The tokens of a field's default, if it has one, and where it stands. No other mark but a range stands before a field.
pub(super) fn default_among(marks: &[Mark], place: &str) -> Result<Option<(Vec<TokenTree>, Span)>> {
    let mut default = None;
    for mark in marks {
        match mark.name.as_str() {
            "default" if mark.arguments.is_empty() => {
                return fail(
                    mark.span,
                    format!("{place}: say which default: `#[ferry::default(0)]`"),
                )
            }
            "default" => default = Some((mark.arguments.clone(), mark.span)),
            "range" => {}
            other => {
                return fail(
                    mark.span,
                    format!("`ferry::{other}` does not stand before a field"),
                )
            }
        }
    }
    Ok(default)
}
