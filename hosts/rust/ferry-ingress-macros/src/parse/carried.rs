// SPDX-License-Identifier: BSD-3-Clause
//! Types that travel as another type, where the module has to say something of them: tuples, ranges, and structs that
//! are transparent.

use super::*;

impl Parser {
    /// `#[ferry::object(x, y)] type Point = (f64, f64);`
    pub(super) fn tuple(&mut self, mark: &Mark, item: &Item, doc: String) -> Result<()> {
        let (ident, mut rest) = name_after(item, "type")?;
        rest.take_punct('=');
        let types = match (rest.next(), rest.peek_at(1)) {
            (Some(TokenTree::Group(group)), None)
                if group.delimiter() == Delimiter::Parenthesis =>
            {
                group
            }
            _ => {
                return fail(
                    ident.span(),
                    format!("`{ident}` is no tuple; #[ferry::object] stands before a struct with named fields, or a name of a tuple"),
                )
            }
        };
        let mut types = Cursor::of(&types);
        let mut names = Cursor::new(mark.arguments.clone(), mark.span);
        let mut fields = Vec::new();
        while !types.is_empty() {
            let found = attributes(&mut names)?;
            let name = match names.next() {
                Some(TokenTree::Ident(name)) => name,
                _ => {
                    return fail(
                        mark.span,
                        format!("`{ident}`: name each field of the tuple: `#[ferry::object(first, second)]`"),
                    )
                }
            };
            names.take_punct(',');
            let span = types.span();
            let place = format!("the field `{name}` of `{ident}`");
            let mut syntax = shape::parse(types.until_comma(), span);
            syntax.range = self.range_among(&found.marks, &place)?;
            fields.push(Field {
                syntax,
                doc: found.doc(),
                default: default_among(&found.marks, &place)?,
                name: value_name(name),
            });
        }
        if let Some(extra) = names.next() {
            return fail(
                extra.span(),
                format!("`{ident}` has {} fields, and more names", fields.len()),
            );
        }
        if fields.is_empty() {
            return fail(
                ident.span(),
                format!("`{ident}` has no fields; an object has at least one"),
            );
        }
        self.library.types.push(Declared {
            name: type_name(ident),
            is_tuple: true,
            kind: Kind::Object(fields),
            doc,
        });
        Ok(())
    }

    /// The range among marks, if there is one.
    pub(super) fn range_among(&self, marks: &[Mark], place: &str) -> Result<Option<Range>> {
        let found = marks.iter().find(|mark| mark.name == "range");
        found.map(|mark| self.range(mark, place)).transpose()
    }

    /// `#[ferry::range(1..=5)]`
    fn range(&self, mark: &Mark, place: &str) -> Result<Range> {
        let wrong = || Error {
            span: mark.span,
            message: format!("{place}: say from where to where: `#[ferry::range(0..=9)]`"),
        };
        let is_dots = |pair: &[TokenTree]| pair.iter().all(|one| is_punct(Some(one), '.'));
        let dots = match mark.arguments.windows(2).position(is_dots) {
            Some(dots) if dots > 0 => dots,
            _ => return Err(wrong()),
        };
        let (left, right) = mark.arguments.split_at(dots);
        let is_closed = is_punct(right.get(2), '=');
        let right = &right[2 + usize::from(is_closed)..];
        if right.is_empty() {
            return Err(wrong());
        }
        let bound = |tokens: &[TokenTree]| {
            let known = &self.constants;
            match (Reader { known }).read(tokens.to_vec(), tokens[0].span(), place)? {
                Value_::Integer(number) => Ok(number),
                _ => Err(wrong()),
            }
        };
        let least = bound(left)?;
        let most = bound(right)? - i128::from(!is_closed);
        if most < least {
            return fail(mark.span, format!("{place}: no integer is in this range"));
        }
        Ok(Range {
            least,
            most,
            span: mark.span,
        })
    }

    /// `#[ferry::range(1..=5)] type Stars = u8;`
    pub(super) fn range_of_name(&self, mark: &Mark, item: &Item) -> Result<()> {
        if item.keyword != "type" {
            return fail(
                item.span,
                "#[ferry::range] stands before a field, a parameter, or a name of an integer's type: `type Stars = u8;`",
            );
        }
        let (ident, _) = name_after(item, "type")?;
        let place = format!("the type `{ident}`");
        self.range(mark, &place)?;
        match self.names.aliases.get(&plain(&ident)) {
            Some(syntax) => shape::shape(syntax, &self.names, &place).map(|_| ()),
            None => Ok(()),
        }
    }

    /// `#[ferry::transparent] struct Seconds(i64);`: its name, what is in it, and its tokens without marks.
    pub(super) fn transparent_struct(
        &self,
        item: &Item,
    ) -> Result<(Ident, Syntax, Vec<TokenTree>)> {
        if item.keyword != "struct" {
            return fail(
                item.span,
                "#[ferry::transparent] stands before a struct with one value: `struct Seconds(i64);`",
            );
        }
        let (ident, mut rest) = name_after(item, "struct")?;
        let body = match rest.next() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => group,
            _ => {
                return fail(
                    ident.span(),
                    format!("`{ident}` has not just one value; write `struct {ident}(i64);`"),
                )
            }
        };
        let mut inside = Cursor::of(&body);
        let found = attributes(&mut inside)?;
        let span = inside.span();
        let part = inside.until_comma();
        if part.is_empty() || !inside.is_empty() {
            return fail(
                body.span(),
                format!("`{ident}` has not just one value; write `struct {ident}(i64);`"),
            );
        }
        let mut type_ = Cursor::new(part.clone(), span);
        visibility(&mut type_);
        let place = format!("the value of `{ident}`");
        if default_among(&found.marks, &place)?.is_some() {
            return fail(
                span,
                format!("{place}: it has no default of its own; a field of its type has one"),
            );
        }
        let mut syntax = shape::parse(type_.rest(), span);
        syntax.range = self.range_among(&found.marks, &place)?;
        let mut kept = found.kept;
        kept.extend(part);
        let mut group = Group::new(Delimiter::Parenthesis, kept.into_iter().collect());
        group.set_span(body.span());
        // the last parentheses: those before belong to `pub(crate)`
        let mut tokens = item.tokens.clone();
        let place = |token: &TokenTree| is_group(Some(token), Delimiter::Parenthesis);
        if let Some(last) = tokens.iter().rposition(place) {
            tokens[last] = group.into();
        }
        Ok((ident, syntax, tokens))
    }

    pub(super) fn transparent(&mut self, name: Name, syntax: Syntax) -> Result<()> {
        let place = format!("the value of `{}`", name.text);
        match shape::shape(&syntax, &self.names, &place)? {
            Shape::Scalar(_) | Shape::Range(..) => {}
            _ => {
                return fail(
                    syntax.span,
                    format!("{place}: what is transparent has a number, a `bool`, a `String` or a `Vec<u8>`; mark it #[ferry::object], with a field"),
                )
            }
        }
        self.library.transparent.push((name, syntax));
        Ok(())
    }
}
