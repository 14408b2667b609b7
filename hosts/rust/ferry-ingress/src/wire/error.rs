// SPDX-License-Identifier: BSD-3-Clause
//! Why bytes are no value, and where.

use std::fmt;

/// What is wrong with the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The bytes end inside a value.
    Truncated,
    /// Bytes are left over after the value.
    LeftOver,
    /// What is there is not CBOR.
    Malformed,
    /// A value of another type than the one named here.
    NotA(&'static str),
    /// Something where null stands for a method that returns nothing.
    NotNull,
    /// An integer or a float that the type cannot hold.
    OutOfRange,
    /// A number that is no value of the enum.
    UnknownValue,
    /// A text that is not UTF-8.
    InvalidUtf8,
    /// A required field that is not there.
    Missing,
    /// A key that is there twice.
    Duplicate,
    /// Values nest deeper than [`DEPTH_MAX`](super::DEPTH_MAX).
    TooDeep,
    /// An offset of format `c` that does not point to where its part has to be.
    BadOffset,
    /// Padding of format `c`, or the bytes of an absent value, that are not zero.
    BadPadding,
    /// A bool of format `c` that is neither 0 nor 1.
    BadBool,
    /// Map keys of format `c` that are not in order.
    BadOrder,
    /// A type that does not travel in format `c`: it contains itself through an option.
    NotInC,
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Reason::Truncated => "the bytes end inside a value",
            Reason::LeftOver => "bytes left over after the value",
            Reason::Malformed => "malformed CBOR",
            Reason::NotA(name) => return write!(out, "not a value of type {name}"),
            Reason::NotNull => "not null, though nothing is returned",
            Reason::OutOfRange => "out of the type's range",
            Reason::UnknownValue => "not a value of the enum",
            Reason::InvalidUtf8 => "invalid UTF-8",
            Reason::Missing => "missing",
            Reason::Duplicate => "there twice",
            Reason::TooDeep => "nested too deep",
            Reason::BadOffset => "an offset that is not where its part has to be",
            Reason::BadPadding => "padding that is not zero",
            Reason::BadBool => "neither 0 nor 1",
            Reason::BadOrder => "map keys out of order",
            Reason::NotInC => "a type that does not travel in format c",
        };
        out.write_str(text)
    }
}

/// One step of the path to a bad field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A field of an object.
    Field(&'static str),
    /// An element of a sequence, or the place of a pair in a map.
    Index(usize),
    /// The value of a map's key, as text.
    Key(Box<str>),
}

/// Why bytes are no value: a reason and the path to the bad field, innermost step last when displayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError(Box<Inner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    reason: Reason,
    /// Innermost first: steps are added on the way out.
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

    /// What is wrong.
    pub fn reason(&self) -> Reason {
        self.0.reason
    }

    /// The path to the bad field, outermost step first: `notes[3].title`; empty for the message itself.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for segment in self.0.path.iter().rev() {
            match segment {
                Segment::Field(name) if path.is_empty() => path.push_str(name),
                Segment::Field(name) => {
                    path.push('.');
                    path.push_str(name);
                }
                Segment::Index(index) => path.push_str(&format!("[{index}]")),
                Segment::Key(key) => path.push_str(&format!("[{key}]")),
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

    /// The same error, seen from outside the map.
    #[cold]
    pub fn in_key(self, key: String) -> DecodeError {
        self.within(Segment::Key(key.into_boxed_str()))
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
