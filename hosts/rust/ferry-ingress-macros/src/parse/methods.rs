// SPDX-License-Identifier: BSD-3-Clause
//! The functions of `impl` blocks, and static ones.

use super::*;

impl Parser {
    /// An `impl` block, whose functions may be marked.
    pub(super) fn implementation(&mut self, item: Item) -> Result<()> {
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

    pub(super) fn method(
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
    pub(super) fn param(&self, param: RawParam, function: &str, is_method: bool) -> Result<Param> {
        let RawParam {
            name,
            mut syntax,
            doc,
            marks,
        } = param;
        let place = format!("the parameter `{}` of `{function}`", name.text);
        syntax.range = self.range_among(&marks, &place)?;
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
        // the range of what is lent is not that of the type behind the `&`
        let shape = match (shape, &syntax.form, &syntax.range) {
            (Some(whole), Form::Lent { .. }, Some(range)) => {
                Some(shape::limited(whole, range, &place)?)
            }
            (shape, ..) => shape,
        };
        Ok(Param {
            name,
            syntax,
            shape,
            given,
            doc,
        })
    }

    pub(super) fn value(&self, syntax: &Syntax, place: &str) -> Result<Option<Shape>> {
        match syntax.form {
            Form::Unit => Ok(None),
            _ => shape::shape(syntax, &self.names, place).map(Some),
        }
    }

    /// The name of a declared error, if the type is one.
    pub(super) fn declared_error(&self, syntax: &Syntax) -> Option<String> {
        let (name, _) = syntax.named(&self.names)?;
        matches!(
            self.names.marked.get(name),
            Some(MarkedKind::Enum | MarkedKind::Object | MarkedKind::Tuple | MarkedKind::Variant)
        )
        .then(|| name.to_owned())
    }

    /// How a function fails whose `Result` has this type.
    pub(super) fn fails(
        &self,
        syntax: Option<&Syntax>,
        place: &str,
    ) -> Result<(Fails, Option<String>)> {
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
                    format!("the error in {place}: `{}` is not marked #[ferry::enumeration], #[ferry::object] or #[ferry::variant]", error.text),
                ),
            },
            _ => Ok((Fails::Failure, None)),
        }
    }

    pub(super) fn returns(&self, syntax: &Option<Syntax>, place: &str) -> Result<MethodResult> {
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
    pub(super) fn given(&self, syntax: &Syntax, place: &str) -> Result<MethodResult> {
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
    pub(super) fn made(
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
}
