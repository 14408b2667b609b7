// SPDX-License-Identifier: BSD-3-Clause
//! Events and questions: functions without a body.

use super::*;

impl Parser {
    /// What events and questions have in common: a function without a body that takes the context.
    pub(super) fn emitting(&mut self, signature: &Signature, what: &str) -> Result<Vec<Param>> {
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

    pub(super) fn event(&mut self, mark: &Mark, signature: Signature, doc: String) -> Result<()> {
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

    pub(super) fn ask(&mut self, signature: Signature, doc: String) -> Result<()> {
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
                        None => return fail(error.span, format!("the error of `{called}`: `{}` is not marked #[ferry::enumeration], #[ferry::object] or #[ferry::variant]", error.text)),
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
pub(super) fn policy(mark: &Mark) -> Result<(&'static str, u32)> {
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
