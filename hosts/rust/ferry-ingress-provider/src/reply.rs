// SPDX-License-Identifier: BSD-3-Clause
//! What a method gives: a value, a failure, or an answer that comes later.

use std::cell::RefCell;
use std::convert::Infallible;
use std::fmt::{self, Display};
use std::future::Future;
use std::pin::Pin;

use ferry_ingress::wire::{self, Codec, EncodeError, Wire};

use crate::core::Call;

const FAILED: u32 = 1;
const BAD_PAYLOAD: u32 = 9;
const BAD_HANDLE: u32 = 11;
const CANCELLED: u32 = 19;

/// What a host is told that gets no value.
pub(crate) struct Told {
    pub status: u32,
    pub message: String,
}

impl Told {
    fn new(status: u32, message: impl Into<String>) -> Told {
        let message = message.into();
        Told { status, message }
    }

    pub(crate) fn failed(message: impl Into<String>) -> Told {
        Told::new(FAILED, message)
    }

    pub(crate) fn bad_payload(error: &wire::DecodeError) -> Told {
        Told::new(BAD_PAYLOAD, error.to_string())
    }

    pub(crate) fn panicked() -> Told {
        Told::failed("the library panicked")
    }

    pub(crate) fn cancelled() -> Told {
        Told::new(CANCELLED, "cancelled")
    }
}

/// Why a call failed, for its host: anything that can be shown becomes one, also by `?`. `E` is the error that the method
/// declares, if it declares one.
pub struct Failure<E = Infallible>(Why<E>);

enum Why<E> {
    Raised(E),
    Told(Told),
}

impl<T: Display, E> From<T> for Failure<E> {
    fn from(error: T) -> Failure<E> {
        Failure(Why::Told(Told::failed(error.to_string())))
    }
}

impl<E: fmt::Debug> fmt::Debug for Failure<E> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Why::Raised(error) => write!(out, "Failure({error:?})"),
            Why::Told(told) => write!(out, "Failure({})", told.message),
        }
    }
}

impl<E> Failure<E> {
    /// Fail with the error that the method declares: hosts get it as a value.
    pub fn raised(error: E) -> Failure<E> {
        Failure(Why::Raised(error))
    }

    /// The call was cancelled, and the method has ended early.
    pub fn cancelled() -> Failure<E> {
        Failure(Why::Told(Told::cancelled()))
    }

    /// A parameter is a handle that is not open, or not of this kind.
    pub fn bad_handle(parameter: &str, kind: &str) -> Failure<E> {
        let message = format!("{parameter}: no open {kind} has this handle");
        Failure(Why::Told(Told::new(BAD_HANDLE, message)))
    }
}

/// What a method returns: `Ok(value.into())`, `Err("why".into())`, or a [`Reply`] that comes later.
pub type Outcome<T, E = Infallible> = Result<Reply<T, E>, Failure<E>>;

/// A future that the library thread runs.
pub(crate) type Task<T, E> = Pin<Box<dyn Future<Output = Result<T, Failure<E>>>>>;

/// A value, which becomes a reply by `into()`, or one that comes later.
pub struct Reply<T, E = Infallible>(pub(crate) Kind<T, E>);

pub(crate) enum Kind<T, E> {
    Now(T),
    Later(Box<dyn FnOnce(Answer<T, E>)>),
    Future(Task<T, E>),
}

impl<T, E> From<T> for Reply<T, E> {
    fn from(value: T) -> Reply<T, E> {
        Reply(Kind::Now(value))
    }
}

impl<T, E> Reply<T, E> {
    /// Have any thread give the answer: `take` gets it, after the method has returned.
    pub fn later(take: impl FnOnce(Answer<T, E>) + 'static) -> Reply<T, E> {
        Reply(Kind::Later(Box::new(take)))
    }

    /// Answer with what a future gives. The library thread runs it, beside other calls; it may wait for whatever wakes it
    /// from any thread, whichever runtime that belongs to, and for [`Context::sleep`](crate::Context::sleep). It is
    /// dropped when the host cancels the call.
    pub fn future(future: impl Future<Output = Result<T, Failure<E>>> + 'static) -> Reply<T, E> {
        Reply(Kind::Future(Box::pin(future)))
    }
}

/// Encodes values of one type.
pub(crate) type Encode<T> = fn(&T, Wire, &mut Vec<u8>) -> Result<(), EncodeError>;

/// As [`Encode`], for the values of a codec.
pub(crate) fn encode<C: Codec>(
    value: &C::Value,
    wire: Wire,
    out: &mut Vec<u8>,
) -> Result<(), EncodeError> {
    wire::encode::<C>(wire, std::borrow::Borrow::borrow(value), out)
}

/// A buffer whose memory was used often grows no further than this.
const KEPT_BYTES_MAX: usize = 64 << 10;

thread_local! {
    static SCRATCH: RefCell<Vec<u8>> = RefCell::new(Vec::new());
}

/// Lend this thread's buffer to `run`.
pub(crate) fn with_scratch<T>(run: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    // while the thread ends it has no buffer any more
    let mut buffer = SCRATCH
        .try_with(|scratch| std::mem::take(&mut *scratch.borrow_mut()))
        .unwrap_or_default();
    let result = run(&mut buffer);
    if buffer.capacity() <= KEPT_BYTES_MAX {
        let _ = SCRATCH.try_with(|scratch| *scratch.borrow_mut() = buffer);
    }
    result
}

/// The duty to answer a call, which any thread may have. A call whose answer is dropped fails.
pub struct Answer<T, E = Infallible> {
    call: Call,
    encode: Encode<T>,
    encode_error: Encode<E>,
}

impl<T, E> Answer<T, E> {
    pub(crate) fn new(call: Call, encode: Encode<T>, encode_error: Encode<E>) -> Answer<T, E> {
        Answer {
            call,
            encode,
            encode_error,
        }
    }

    pub(crate) fn call(&self) -> &Call {
        &self.call
    }

    /// Answer.
    pub fn give(self, result: Result<T, Failure<E>>) {
        match result {
            Ok(value) => send(self.call, false, &value, self.encode),
            Err(Failure(Why::Raised(error))) => send(self.call, true, &error, self.encode_error),
            Err(Failure(Why::Told(told))) => self.call.fail(&told),
        }
    }

    /// Answer without a value.
    pub(crate) fn tell(self, told: &Told) {
        self.call.fail(told);
    }
}

fn send<T>(call: Call, is_error: bool, value: &T, encode: Encode<T>) {
    with_scratch(|buffer| match encode(value, call.wire(), buffer) {
        Ok(()) => call.answer(is_error, buffer),
        Err(error) => call.fail(&Told::failed(format!("the result cannot be sent: {error}"))),
    });
}
