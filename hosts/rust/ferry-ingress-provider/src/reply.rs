// SPDX-License-Identifier: BSD-3-Clause
//! What a method gives: a value, a failure, or an answer that comes later.

use std::cell::RefCell;
use std::fmt::{self, Display};
use std::future::Future;
use std::pin::Pin;

use ferry_ingress::wire::{self, Codec, TooLarge, Wire};

use crate::core::Call;

const FAILED: u32 = 1;
const BAD_PAYLOAD: u32 = 9;
const BAD_HANDLE: u32 = 11;

/// Why a call failed, for its host: anything that can be shown becomes one, also by `?`.
pub struct Failure {
    status: u32,
    message: String,
}

impl<E: Display> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure {
            status: FAILED,
            message: error.to_string(),
        }
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Failure({})", self.message)
    }
}

impl Failure {
    /// A parameter is a handle that is not open, or not of this kind.
    pub fn bad_handle(parameter: &str, kind: &str) -> Failure {
        Failure {
            status: BAD_HANDLE,
            message: format!("{parameter}: no open {kind} has this handle"),
        }
    }

    pub(crate) fn bad_payload(error: &wire::DecodeError) -> Failure {
        Failure {
            status: BAD_PAYLOAD,
            message: error.to_string(),
        }
    }

    pub(crate) fn status(&self) -> u32 {
        self.status
    }

    /// What the host is told.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// What a method returns: `Ok(value.into())`, `Err("why".into())`, or a [`Reply`] that comes later.
pub type Outcome<T> = Result<Reply<T>, Failure>;

/// A future that the library thread runs.
pub(crate) type Task<T> = Pin<Box<dyn Future<Output = Result<T, Failure>>>>;

/// A value, which becomes a reply by `into()`, or one that comes later.
pub struct Reply<T>(pub(crate) Kind<T>);

pub(crate) enum Kind<T> {
    Now(T),
    Later(Box<dyn FnOnce(Answer<T>)>),
    Future(Task<T>),
}

impl<T> From<T> for Reply<T> {
    fn from(value: T) -> Reply<T> {
        Reply(Kind::Now(value))
    }
}

impl<T> Reply<T> {
    /// Have any thread give the answer: `take` gets it, after the method has returned.
    pub fn later(take: impl FnOnce(Answer<T>) + 'static) -> Reply<T> {
        Reply(Kind::Later(Box::new(take)))
    }

    /// Answer with what a future gives. The library thread runs it, beside other calls; it may wait for whatever wakes it
    /// from any thread, whichever runtime that belongs to, and for [`Context::sleep`](crate::Context::sleep).
    pub fn future(future: impl Future<Output = Result<T, Failure>> + 'static) -> Reply<T> {
        Reply(Kind::Future(Box::pin(future)))
    }
}

/// Encodes values of one type.
pub(crate) type Encode<T> = fn(&T, Wire, &mut Vec<u8>) -> Result<(), TooLarge>;

/// As [`Encode`], for the values of a codec.
pub(crate) fn encode<C: Codec>(
    value: &C::Value,
    wire: Wire,
    out: &mut Vec<u8>,
) -> Result<(), TooLarge> {
    wire::encode::<C>(wire, std::borrow::Borrow::borrow(value), out)
}

/// A buffer whose memory was used often grows no further than this.
const KEPT_BYTES_MAX: usize = 64 << 10;

thread_local! {
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
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
pub struct Answer<T> {
    call: Call,
    encode: Encode<T>,
}

impl<T> Answer<T> {
    pub(crate) fn new(call: Call, encode: Encode<T>) -> Answer<T> {
        Answer { call, encode }
    }

    /// Answer.
    pub fn give(self, result: Result<T, Failure>) {
        let value = match result {
            Ok(value) => value,
            Err(failure) => return self.call.fail(&failure),
        };
        with_scratch(
            |buffer| match (self.encode)(&value, self.call.wire(), buffer) {
                Ok(()) => self.call.answer(buffer),
                Err(TooLarge) => self.call.fail(&Failure::from(
                    "the result cannot be sent: nested too deep, or 4 GiB or more",
                )),
            },
        );
    }
}
