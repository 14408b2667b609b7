// SPDX-License-Identifier: BSD-3-Clause
//! The library echo in Rust: what `examples/echo/echo.nim` is in Nim. `ferry bindgen echo.json --provider rust` made the
//! first form of this file, and makes the module `generated`, which the build puts elsewhere.

#[path = "../../../../build/echo/provider-rust/src/generated/mod.rs"]
mod generated;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use ferry_ingress_provider::{Context, Failure, Held, Outcome, Reply, Unanswered, Yields};
use generated::*;

/// What the library keeps for one context.
pub struct Echo {
    prefix: String,
    cancellations: Rc<Cell<u32>>,
    counts: Rc<RefCell<Counts>>,
}

/// A count that is not over: it counts that itself when it is dropped.
struct Counter {
    counts: Rc<RefCell<Counts>>,
    is_over: bool,
}

impl Drop for Counter {
    fn drop(&mut self) {
        let mut counts = self.counts.borrow_mut();
        counts.running -= 1;
        counts.stopped += u32::from(!self.is_over);
    }
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

/// A delay that may be asked for.
fn delay(delay_ms: i64) -> Result<Duration, String> {
    match u64::try_from(delay_ms) {
        Ok(delay_ms) if delay_ms <= MAX_DELAY_MS.into() => Ok(Duration::from_millis(delay_ms)),
        _ => Err(format!("the delay has to be from 0 to {MAX_DELAY_MS} ms")),
    }
}

/// Counts a cancellation when it is dropped, unless its nap is over then: a future is dropped when its call is cancelled.
struct Nap {
    cancellations: Rc<Cell<u32>>,
    is_over: bool,
}

impl Drop for Nap {
    fn drop(&mut self) {
        let count = u32::from(!self.is_over);
        self.cancellations.set(self.cancellations.get() + count);
    }
}

impl Library for Echo {
    type Reader = ReaderObject;

    fn create(_: &Context<Self>, prefix: String) -> Result<Self, Failure> {
        if prefix == "fail" {
            return Err("the prefix says to fail".into());
        }
        Ok(Echo {
            prefix,
            cancellations: Rc::default(),
            counts: Rc::new(RefCell::new(Counts {
                running: 0,
                stopped: 0,
                given: 0,
            })),
        })
    }

    fn echo(&mut self, context: &Context<Self>, request: EchoRequest) -> Outcome<EchoResponse> {
        let delay = delay(request.delay_ms)?;
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

    fn divide(
        &mut self,
        _: &Context<Self>,
        dividend: i64,
        divisor: i64,
    ) -> Outcome<i64, DivideError> {
        if divisor == 0 {
            return Err(Failure::raised(DivideError::ByZero));
        }
        match dividend.checked_div(divisor) {
            Some(quotient) => Ok(quotient.into()),
            None => Err(Failure::raised(DivideError::Overflow)),
        }
    }

    fn parse(_: &Context<Self>, text: String) -> Outcome<i64, ParseError> {
        const DIGITS_MAX: usize = 18;
        if text.is_empty() {
            return Err("there is no text".into());
        }
        for (index, byte) in text.bytes().enumerate() {
            let reason = match byte {
                _ if index == DIGITS_MAX => "too long",
                b'0'..=b'9' => continue,
                _ => "no digit",
            };
            return Err(Failure::raised(ParseError {
                reason: reason.to_owned(),
                position: u32::try_from(index)?,
            }));
        }
        Ok(text.parse::<i64>()?.into())
    }

    fn sing(_: &Context<Self>, chorus: Chorus) -> Outcome<String> {
        let times = f64::from(chorus.times) * chorus.factor;
        if !(0.0..=100.0).contains(&times) {
            return Err("a text is said at most 100 times".into());
        }
        // a number from 0 to 100, rounded down
        let said = vec![chorus.text; times as usize].join(&chorus.separator);
        let remark = chorus.remark.unwrap_or_default();
        let end = if chorus.loud { "!" } else { "" };
        Ok(format!("{remark}{said}{end} {}", chorus.color as i32).into())
    }

    fn nap(&mut self, context: &Context<Self>, delay_ms: i64) -> Outcome<()> {
        let sleep = context.sleep(delay(delay_ms)?);
        let cancellations = Rc::clone(&self.cancellations);
        Ok(Reply::future(async move {
            let mut nap = Nap {
                cancellations,
                is_over: false,
            };
            sleep.await;
            nap.is_over = true;
            Ok(())
        }))
    }

    fn spin(&mut self, context: &Context<Self>, delay_ms: i64) -> Outcome<()> {
        let over = Instant::now() + delay(delay_ms)?;
        while Instant::now() < over {
            if context.is_cancelled() {
                self.cancellations.set(self.cancellations.get() + 1);
                return Err(Failure::cancelled());
            }
        }
        Ok(().into())
    }

    fn cancellations(&mut self, _: &Context<Self>) -> Outcome<u32> {
        Ok(self.cancellations.get().into())
    }

    fn count(
        &mut self,
        context: &Context<Self>,
        request: CountRequest,
    ) -> Result<Yields<Counted, CountError>, Failure<CountError>> {
        let delay = delay(request.delay_ms)?;
        let context = context.clone();
        let counts = Rc::clone(&self.counts);
        counts.borrow_mut().running += 1;
        let counter = Counter {
            counts,
            is_over: false,
        };
        Ok(Yields::unfold(
            (counter, 0),
            move |(mut counter, number)| {
                let sleep = context.sleep(delay);
                let text = "x".repeat(request.text_bytes as usize);
                let (up_to, fail_at) = (request.up_to, request.fail_at);
                async move {
                    if number == up_to {
                        counter.is_over = true;
                        return Ok(None);
                    }
                    sleep.await;
                    if fail_at == Some(number) {
                        counter.is_over = true;
                        return Err(Failure::raised(CountError::TooFar));
                    }
                    counter.counts.borrow_mut().given += 1;
                    Ok(Some((Counted { number, text }, (counter, number + 1))))
                }
            },
        ))
    }

    fn counting(&mut self, _: &Context<Self>) -> Outcome<Counts> {
        Ok(self.counts.borrow().clone().into())
    }

    fn consult(
        &mut self,
        context: &Context<Self>,
        title: String,
        choices: Vec<String>,
        wait_ms: u32,
    ) -> Outcome<Consulted> {
        let time = Duration::from_millis(wait_ms.into());
        let question = context.ask_pick(title, choices.clone()).within(time);
        Ok(Reply::future(async move {
            let (outcome, text) = match question.await {
                Ok(place) => match choices.into_iter().nth(place as usize) {
                    Some(choice) => (Consultation::Answered, choice),
                    None => return Err(format!("there is no choice {place}").into()),
                },
                Err(Unanswered::Cancelled) => return Err(Failure::cancelled()),
                Err(why) => (outcome(&why), why.to_string()),
            };
            Ok(Consulted { outcome, text })
        }))
    }

    fn asking(&mut self, context: &Context<Self>) -> Outcome<u32> {
        Ok(context.open_questions().into())
    }

    fn draw(
        &mut self,
        context: &Context<Self>,
        drawing: Drawing,
        extra: Option<Shape>,
    ) -> Outcome<Shape, DrawError> {
        const SHAPES_MAX: usize = 100;
        let name = match drawing.is_colored {
            DrawingByIsColored::False => Shape::Label(ShapeLabel { text: drawing.name }),
            DrawingByIsColored::True(DrawingTrue { color }) => Shape::Caption(ShapeLabel {
                text: format!("{} {}", drawing.name, color as i32),
            }),
        };
        let parts: Vec<Shape> = std::iter::once(name)
            .chain(drawing.shapes)
            .chain(extra)
            .collect();
        let count = parts.len() - 1;
        if count == 0 {
            return Err(Failure::raised(DrawError::Empty));
        }
        if count > SHAPES_MAX {
            return Err(Failure::raised(DrawError::TooMany(DrawErrorTooMany {
                count: u32::try_from(count)?,
            })));
        }
        let whole = Shape::Group(ShapeGroup { parts });
        context.emit_drawn(&whole);
        Ok(whole.into())
    }
}

/// What became of a question that has no answer.
fn outcome(why: &Unanswered<PickError>) -> Consultation {
    match why {
        Unanswered::Nobody => Consultation::Unheard,
        Unanswered::TooMany => Consultation::TooMany,
        Unanswered::TooLate => Consultation::TooLate,
        Unanswered::Failed(_) | Unanswered::Cancelled => Consultation::Failed,
        Unanswered::Refused(_) => Consultation::Refused,
    }
}
