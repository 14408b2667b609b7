// SPDX-License-Identifier: BSD-3-Clause
//! The errors of values that cannot be encoded, and of bytes that are not a value.

use std::fmt;

/// The error of encoding: why the value cannot travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// The value is over the limits of every message (W7).
    TooLarge,
    /// Its carrier cannot hold it.
    NotCarried(&'static str),
}

impl EncodeError {
    /// The error of a message that was refused for a reason, or is over the limits.
    #[cold]
    pub(super) fn because(why: Option<&'static str>) -> EncodeError {
        why.map_or(EncodeError::TooLarge, EncodeError::NotCarried)
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            EncodeError::TooLarge => "nested too deep, or 4 GiB or more",
            EncodeError::NotCarried(why) => why,
        })
    }
}

impl std::error::Error for EncodeError {}

/// What is wrong with the bytes (W8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The message ends inside a value, or a length says more than there is.
    EndsEarly,
    /// A value of another kind than the type needs.
    WrongType,
    /// An integer or a float that the type cannot hold.
    OutOfRange,
    /// A string, a key, or a chunk of one, is not UTF-8.
    InvalidUtf8,
    /// A number that is no value of the enum.
    UnknownEnumValue,
    /// Of a variant.
    UnknownCase,
    /// A field that is not an option is absent, or null stands where a value has to be.
    Missing,
    /// A key is there twice.
    GivenTwice,
    /// Bytes are left over after the message.
    LeftOver,
    /// Values nest deeper than [`DEPTH_MAX`](super::DEPTH_MAX).
    TooDeep,
    /// The bytes are not CBOR.
    Malformed,
    /// Format `c`: a reference that does not point to where its part has to be.
    WrongOffset,
    /// Format `c`: padding, the value of an absent option, or the byte after a string is not zero.
    PaddingNotZero,
    /// Format `c`: a bool that is neither 0 nor 1.
    NotABool,
    /// Format `c`: map keys that are out of order, or given twice.
    OutOfOrder,
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Reason::EndsEarly => "ends early",
            Reason::WrongType => "wrong type",
            Reason::OutOfRange => "out of range",
            Reason::InvalidUtf8 => "invalid UTF-8",
            Reason::UnknownEnumValue => "unknown enum value",
            Reason::UnknownCase => "unknown case",
            Reason::Missing => "missing",
            Reason::GivenTwice => "given twice",
            Reason::LeftOver => "bytes left over",
            Reason::TooDeep => "nested too deep",
            Reason::Malformed => "malformed",
            Reason::WrongOffset => "wrong offset",
            Reason::PaddingNotZero => "padding not zero",
            Reason::NotABool => "neither 0 nor 1",
            Reason::OutOfOrder => "keys out of order",
        })
    }
}

/// One step of the path to a bad field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A field of an object.
    Field(&'static str),
    /// An element of a sequence or a pair of a map, by its index in the message.
    Index(usize),
}

/// Why bytes are not a value: a reason, and the path to the bad field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    reason: Reason,
    /// The steps, the innermost first: each level adds its own on the way out.
    path: Vec<Segment>,
}

impl DecodeError {
    /// An error at the value that is being read.
    #[cold]
    pub fn new(reason: Reason) -> DecodeError {
        DecodeError(Box::new(Inner {
            reason,
            path: Vec::new(),
        }))
    }

    /// The reason: what is wrong.
    pub fn reason(&self) -> Reason {
        self.0.reason
    }

    /// The path to the bad field: `notes[3].title`; empty for the message itself.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for segment in self.0.path.iter().rev() {
            match segment {
                Segment::Field(name) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(name);
                }
                Segment::Index(index) => {
                    path.push('[');
                    path.push_str(&index.to_string());
                    path.push(']');
                }
            }
        }
        path
    }

    /// The same error, seen from outside the field.
    #[cold]
    pub fn in_field(self, name: &'static str) -> DecodeError {
        self.within(Segment::Field(name))
    }

    /// The same error, seen from outside the sequence or map.
    #[cold]
    pub fn in_index(self, index: usize) -> DecodeError {
        self.within(Segment::Index(index))
    }

    fn within(mut self, segment: Segment) -> DecodeError {
        self.0.path.push(segment);
        self
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        if path.is_empty() {
            self.0.reason.fmt(out)
        } else {
            write!(out, "{path}: {}", self.0.reason)
        }
    }
}

impl std::error::Error for DecodeError {}
