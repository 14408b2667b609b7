// SPDX-License-Identifier: BSD-3-Clause
//! The library echo in Rust: what `examples/echo/echo.nim` is in Nim. `ferry bindgen echo.json --provider rust` made the
//! first form of this file, and makes the module `generated`, which the build puts elsewhere.

#[path = "../../../../build/echo/provider-rust/src/generated/mod.rs"]
mod generated;

use std::cell::RefCell;
use std::time::Duration;

use ferry_ingress_provider::{Context, Failure, Held, Outcome, Reply};
use generated::*;

/// What the library keeps for one context.
pub struct Echo {
    prefix: String,
}

/// Reads a text in pieces.
pub struct ReaderObject {
    text: String,
    position: RefCell<usize>,
}

impl Echo {
    fn answer(&self, request: &EchoRequest) -> EchoResponse {
        EchoResponse {
            echoed: format!("{}{}", self.prefix, request.message),
            timer: format!("{} ms", request.delay_ms),
        }
    }
}

impl Library for Echo {
    type Reader = ReaderObject;

    fn create(_: &Context<Self>, prefix: String) -> Result<Self, Failure> {
        if prefix == "fail" {
            return Err("the prefix says to fail".into());
        }
        Ok(Echo { prefix })
    }

    fn echo(&mut self, context: &Context<Self>, request: EchoRequest) -> Outcome<EchoResponse> {
        let delay = match u64::try_from(request.delay_ms) {
            Ok(delay_ms) if delay_ms <= MAX_DELAY_MS.into() => Duration::from_millis(delay_ms),
            _ => return Err(format!("the delay has to be from 0 to {MAX_DELAY_MS} ms").into()),
        };
        let response = self.answer(&request);
        if delay.is_zero() {
            context.emit_echoed(&response);
            return Ok(response.into());
        }
        let context = context.clone();
        Ok(Reply::future(async move {
            context.sleep(delay).await;
            context.emit_echoed(&response);
            Ok(response)
        }))
    }

    fn complex(&mut self, _: &Context<Self>, request: ComplexRequest) -> Outcome<ComplexResponse> {
        let messages: Vec<&str> = request
            .messages
            .iter()
            .map(|each| each.message.as_str())
            .collect();
        Ok(ComplexResponse {
            summary: format!("{};{}", messages.join(","), request.tags.join(",")),
            item_count: u32::try_from(messages.len() + request.tags.len())?,
            has_note: request.note.is_some(),
            retries: request.retries.unwrap_or(-1),
        }
        .into())
    }

    fn bytes(&mut self, _: &Context<Self>, payload: Vec<u8>) -> Outcome<Vec<u8>> {
        Ok(payload.into())
    }

    fn fail(&mut self, _: &Context<Self>, message: String) -> Outcome<()> {
        Err(message.into())
    }

    fn all(&mut self, _: &Context<Self>, value: AllTypes) -> Outcome<AllTypes> {
        Ok(value.into())
    }

    fn tree(&mut self, _: &Context<Self>, root: Tree) -> Outcome<Tree> {
        Ok(root.into())
    }

    fn maybe(&mut self, _: &Context<Self>, value: Option<String>) -> Outcome<Option<String>> {
        Ok(value.into())
    }

    fn ticks(&mut self, context: &Context<Self>, count: u32) -> Outcome<()> {
        (0..count).for_each(|_| context.emit_tick());
        Ok(().into())
    }

    fn open(&mut self, context: &Context<Self>, text: String) -> Outcome<Reader> {
        let position = RefCell::new(0);
        Ok(context.open_reader(ReaderObject { text, position })?.into())
    }

    fn read(
        &mut self,
        _: &Context<Self>,
        reader: Held<ReaderObject>,
        bytes_max: u32,
    ) -> Outcome<Option<String>> {
        if bytes_max == 0 {
            return Err("bytes_max has to be 1 or more".into());
        }
        let mut position = reader.position.borrow_mut();
        let left = &reader.text.as_bytes()[*position..];
        if left.is_empty() {
            return Ok(None.into());
        }
        let piece = &left[..left.len().min(usize::try_from(bytes_max)?)];
        *position += piece.len();
        Ok(Some(String::from_utf8(piece.to_vec())?).into())
    }

    fn close(&mut self, context: &Context<Self>, reader: Held<ReaderObject>) -> Outcome<()> {
        context.close_reader(&reader);
        Ok(().into())
    }

    fn version(_: &Context<Self>) -> Outcome<String> {
        Ok(env!("CARGO_PKG_VERSION").to_owned().into())
    }

    fn sum(_: &Context<Self>, left: i64, right: i64) -> Outcome<i64> {
        Ok(left.wrapping_add(right).into())
    }
}
