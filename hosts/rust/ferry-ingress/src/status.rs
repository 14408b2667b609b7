// SPDX-License-Identifier: BSD-3-Clause
//! What became of a request, and the error that says so.

use std::fmt;

use crate::core;
use crate::wire::{decode, Codec, DecodeError, Wire};

/// What became of a request, or why it was refused: `enum ingress_status` without the two statuses that are no errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// The handler failed; the message is its own.
    Failed,
    /// The context was destroyed, or is being destroyed.
    Closed,
    /// The deadline passed. A handler that runs is left alone; its reply is dropped.
    Timeout,
    /// The queue is full: as many requests as it holds are unanswered. Submit again later.
    QueueFull,
    /// The payload is over the limit of the context or of its wire format.
    TooLarge,
    /// There is no such context: it has ended, or belongs to another library.
    BadToken,
    /// The library has no such method.
    BadMethod,
    /// A payload could not be decoded; the message has the path to the bad field.
    BadPayload,
    /// The core refuses an argument.
    BadArgument,
    /// A handle is not known: it was closed, or belongs to another kind or context.
    BadHandle,
    /// A handler called its own context, or a callback waited for its own context.
    Reentrant,
    /// A listener's callback has not returned for too long.
    EventsStuck,
    /// Every context that the limit allows is in use.
    NoContext,
    /// Memory, a thread or a descriptor could not be had.
    NoMemory,
    /// The library was built from another interface than this binding: generate it again.
    WrongInterface,
    /// The connection to the library's process was lost. Nobody knows whether the handler ran.
    Lost,
    /// The handler failed with the error that its method declares: see [`Failure`].
    Raised,
    /// The host cancelled the request, and the library did not do it, or not all of it.
    Cancelled,
    /// An earlier request of the chain failed, so this one did not run; the message has its number.
    Skipped,
    /// A status that only a newer core than this crate knows.
    Unknown(u32),
}

/// The number of `INGRESS_OK`, which is no error.
pub(crate) const OK: u32 = 0;
/// The number of `INGRESS_STALE`, which is no error either.
pub(crate) const STALE: u32 = 2;
/// The number of `INGRESS_RAISED`, whose payload is no message.
pub(crate) const RAISED: u32 = 18;

/// Every error that has a name, in the order of the numbers.
const NAMED: [(u32, Status); 19] = [
    (1, Status::Failed),
    (3, Status::Closed),
    (4, Status::Timeout),
    (5, Status::QueueFull),
    (6, Status::TooLarge),
    (7, Status::BadToken),
    (8, Status::BadMethod),
    (9, Status::BadPayload),
    (10, Status::BadArgument),
    (11, Status::BadHandle),
    (12, Status::Reentrant),
    (13, Status::EventsStuck),
    (14, Status::NoContext),
    (15, Status::NoMemory),
    (16, Status::WrongInterface),
    (17, Status::Lost),
    (RAISED, Status::Raised),
    (19, Status::Cancelled),
    (20, Status::Skipped),
];

impl Status {
    /// The status with that number of the core's, which is not that of success.
    pub(crate) fn from_number(number: u32) -> Status {
        NAMED
            .iter()
            .find(|named| named.0 == number)
            .map_or(Status::Unknown(number), |named| named.1)
    }

    /// Its number in `enum ingress_status`.
    pub fn number(self) -> u32 {
        match self {
            Status::Unknown(number) => number,
            _ => NAMED
                .iter()
                .find(|named| named.1 == self)
                .map_or(0, |named| named.0),
        }
    }

    /// A sentence that says what is wrong and what to do.
    pub fn text(self) -> &'static str {
        core::status_text(self.number())
    }
}

impl fmt::Display for Status {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.text())
    }
}

/// Why a call has no result: the status, and the message that came with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    status: Status,
    message: Box<str>,
}

/// The result of a call.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error with a message. If `message` is empty, the sentence of the status stands for it.
    pub(crate) fn new(status: Status, message: impl Into<Box<str>>) -> Error {
        Error {
            status,
            message: message.into(),
        }
    }

    #[cold]
    pub(crate) fn refused(status: u32) -> Error {
        Error::new(Status::from_number(status), "")
    }

    #[cold]
    pub(crate) fn answered(status: u32, message: &[u8]) -> Error {
        if status == RAISED {
            return Error::refused(status);
        }
        Error::new(
            Status::from_number(status),
            String::from_utf8_lossy(message),
        )
    }

    /// The status: what went wrong.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The handler's message, the path to a field that could not be decoded, or the sentence of the status.
    pub fn message(&self) -> &str {
        if self.message.is_empty() {
            self.status.text()
        } else {
            &self.message
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.message())
    }
}

impl std::error::Error for Error {}

/// Why a call of a method that declares `E` as its error has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure<E> {
    /// What the handler failed with.
    Raised(E),
    /// Any other reason.
    Call(Error),
}

impl<E> Failure<E> {
    /// The status: [`Status::Raised`] for the method's own error.
    pub fn status(&self) -> Status {
        match self {
            Failure::Raised(_) => Status::Raised,
            Failure::Call(error) => error.status(),
        }
    }

    /// What the handler failed with, if it did.
    pub fn raised(&self) -> Option<&E> {
        match self {
            Failure::Raised(raised) => Some(raised),
            Failure::Call(_) => None,
        }
    }
}

impl<E: fmt::Debug> fmt::Display for Failure<E> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Raised(raised) => write!(out, "the handler failed with {raised:?}"),
            Failure::Call(error) => error.fmt(out),
        }
    }
}

impl<E: fmt::Debug> std::error::Error for Failure<E> {}

impl<E> From<Error> for Failure<E> {
    fn from(error: Error) -> Failure<E> {
        Failure::Call(error)
    }
}

/// The method's own error becomes [`Status::Raised`], with its text.
impl<E: fmt::Debug> From<Failure<E>> for Error {
    fn from(failure: Failure<E>) -> Error {
        match failure {
            Failure::Call(error) => error,
            raised @ Failure::Raised(_) => Error::new(Status::Raised, raised.to_string()),
        }
    }
}

/// An error that calls end with: [`Error`], or [`Failure`] where the method declares one.
pub trait Fails: From<Error> + Send + 'static {
    /// Make it of the payload of a reply with [`Status::Raised`].
    fn raised(wire: Wire, payload: &[u8]) -> Self;
}

impl Fails for Error {
    fn raised(_: Wire, _: &[u8]) -> Error {
        Error::refused(RAISED)
    }
}

/// A type that methods declare as their error; generated code says how it travels.
pub trait Raisable: Sized + Send + 'static {
    /// How it travels.
    type Codec: Codec<Value = Self>;
}

impl<E: Raisable> Fails for Failure<E> {
    fn raised(wire: Wire, payload: &[u8]) -> Failure<E> {
        match decode::<E::Codec>(wire, payload) {
            Ok(raised) => Failure::Raised(raised),
            Err(error) => Failure::Call(Error::from(error)),
        }
    }
}

impl From<DecodeError> for Error {
    #[cold]
    fn from(error: DecodeError) -> Error {
        Error::new(Status::BadPayload, error.to_string())
    }
}
