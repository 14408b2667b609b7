// SPDX-License-Identifier: BSD-3-Clause
//! Format `cbor`. The writer writes its deterministic form (W1), and the reader reads every well-formed form (W3).
//!
//! The reader's quick paths expect the deterministic form; any other form goes through a `slow` function that knows all
//! of RFC 8949.

use std::borrow::Cow;

use super::error::{DecodeError, EncodeError, Reason};
use super::float::{from_half, to_half};
use super::{short, DEPTH_MAX};

type Result<T> = std::result::Result<T, DecodeError>;

const UNSIGNED: u8 = 0;
const NEGATIVE: u8 = 1;
const BYTES: u8 = 2;
const TEXT: u8 = 3;
const ARRAY: u8 = 4;
const MAP: u8 = 5;
const TAG: u8 = 6;
const OTHER: u8 = 7;
const INDEFINITE: u8 = 31;
const NULL: u8 = 0xf6;
const BREAK: u8 = 0xff;

/// Writes a message by appending to it.
pub struct CborWriter<'a> {
    out: &'a mut Vec<u8>,
    depth: u32,
    refused: bool,
    why: Option<&'static str>,
}

impl<'a> CborWriter<'a> {
    /// Begin a message; the former content of `out` is gone.
    pub fn new(out: &'a mut Vec<u8>) -> CborWriter<'a> {
        out.clear();
        CborWriter {
            out,
            depth: 0,
            refused: false,
            why: None,
        }
    }

    /// End the message; an error when it is over the format's limits, or was refused.
    pub fn finish(self) -> std::result::Result<(), EncodeError> {
        if self.refused || self.out.len() > u32::MAX as usize {
            return Err(EncodeError::because(self.why));
        }
        Ok(())
    }

    /// Note why the value cannot travel, so that [`finish`](CborWriter::finish) returns an error.
    #[cold]
    pub fn refuse(&mut self, why: &'static str) {
        self.refused = true;
        self.why = Some(why);
    }

    /// How many bytes the message has so far.
    pub fn at(&self) -> usize {
        self.out.len()
    }

    /// Append bytes that are encoded already.
    #[inline]
    pub fn raw(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    #[inline]
    fn head(&mut self, major: u8, value: u64) {
        if value < 24 {
            self.out.push(major << 5 | value as u8);
        } else {
            self.long_head(major, value);
        }
    }

    fn long_head(&mut self, major: u8, value: u64) {
        let major = major << 5;
        if value <= 0xff {
            self.raw(&[major | 24, value as u8]);
        } else if value <= 0xffff {
            let bytes = (value as u16).to_be_bytes();
            self.raw(&[major | 25, bytes[0], bytes[1]]);
        } else if value <= 0xffff_ffff {
            let bytes = (value as u32).to_be_bytes();
            self.raw(&[major | 26, bytes[0], bytes[1], bytes[2], bytes[3]]);
        } else {
            let mut whole = [major | 27; 9];
            whole[1..].copy_from_slice(&value.to_be_bytes());
            self.raw(&whole);
        }
    }

    /// Append an unsigned integer.
    #[inline]
    pub fn unsigned(&mut self, value: u64) {
        self.head(UNSIGNED, value);
    }

    /// Append an integer.
    #[inline]
    pub fn signed(&mut self, value: i64) {
        if value < 0 {
            self.head(NEGATIVE, !value as u64);
        } else {
            self.head(UNSIGNED, value as u64);
        }
    }

    /// Append false or true.
    #[inline]
    pub fn bool(&mut self, value: bool) {
        self.out.push(0xf4 | u8::from(value));
    }

    /// Append null.
    #[inline]
    pub fn null(&mut self) {
        self.out.push(NULL);
    }

    /// Append the shortest float that keeps the value.
    pub fn float(&mut self, value: f64) {
        if value.is_nan() {
            return self.raw(&[0xf9, 0x7e, 0x00]);
        }
        let single = value as f32;
        if f64::from(single) != value {
            let mut whole = [0xfb; 9];
            whole[1..].copy_from_slice(&value.to_be_bytes());
            return self.raw(&whole);
        }
        if let Some(half) = to_half(single) {
            let bytes = half.to_be_bytes();
            return self.raw(&[0xf9, bytes[0], bytes[1]]);
        }
        let bytes = single.to_be_bytes();
        self.raw(&[0xfa, bytes[0], bytes[1], bytes[2], bytes[3]]);
    }

    /// Have the message fail, since a part that was encoded before is over the limits.
    pub(crate) fn fail(&mut self) {
        self.refused = true;
    }

    /// Append a text.
    #[inline]
    pub fn text(&mut self, value: &str) {
        self.head(TEXT, value.len() as u64);
        short::append(self.out, value.as_bytes());
    }

    /// Append bytes.
    #[inline]
    pub fn bytes(&mut self, value: &[u8]) {
        self.head(BYTES, value.len() as u64);
        short::append(self.out, value);
    }

    /// Begin a sequence of `count` values; [`leave`](CborWriter::leave) ends it.
    #[inline]
    pub fn array(&mut self, count: usize) {
        self.enter();
        self.head(ARRAY, count as u64);
    }

    /// Begin a map, or an object, of `count` pairs; [`leave`](CborWriter::leave) ends it.
    #[inline]
    pub fn map(&mut self, count: usize) {
        self.enter();
        self.head(MAP, count as u64);
    }

    #[inline]
    fn enter(&mut self) {
        self.depth += 1;
        self.refused |= self.depth > DEPTH_MAX;
    }

    /// End the innermost sequence, map or object.
    #[inline]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// How many items of an array or a map are still to come.
#[derive(Clone, Copy, Debug)]
pub enum Items {
    /// That many.
    Definite(u64),
    /// As many as there are before a break.
    Indefinite,
}

#[derive(Clone, Copy)]
struct Head {
    major: u8,
    info: u8,
    value: u64,
}

impl Head {
    /// The error of an item whose kind is not the one that the type needs.
    #[cold]
    fn wrong(self) -> DecodeError {
        DecodeError::new(if self.is_null() {
            Reason::Missing
        } else {
            Reason::WrongType
        })
    }

    #[cold]
    fn wrong_integer(self) -> DecodeError {
        match self.major {
            UNSIGNED | NEGATIVE => DecodeError::new(Reason::OutOfRange),
            _ => self.wrong(),
        }
    }

    #[inline]
    fn is_null(self) -> bool {
        (self.major, self.info) == (OTHER, 22)
    }
}

/// Reads a message.
pub struct CborReader<'a> {
    data: &'a [u8],
    at: usize,
    depth: u32,
}

impl<'a> CborReader<'a> {
    /// Begin a message.
    pub fn new(data: &'a [u8]) -> CborReader<'a> {
        CborReader {
            data,
            at: 0,
            depth: 0,
        }
    }

    /// End the message: an error when bytes are left after its value.
    pub fn finish(self) -> Result<()> {
        if self.at == self.data.len() {
            Ok(())
        } else {
            Err(DecodeError::new(Reason::LeftOver))
        }
    }

    /// How many bytes are left: an upper bound for the items of what is being read.
    #[inline]
    pub fn remaining(&self) -> usize {
        self.data.len() - self.at
    }

    #[inline]
    fn peek(&self) -> Result<u8> {
        match self.data.get(self.at) {
            Some(&byte) => Ok(byte),
            None => Err(DecodeError::new(Reason::EndsEarly)),
        }
    }

    #[inline]
    fn slice(&mut self, count: u64) -> Result<&'a [u8]> {
        if count > self.remaining() as u64 {
            return Err(DecodeError::new(Reason::EndsEarly));
        }
        let from = self.at;
        self.at += count as usize;
        Ok(&self.data[from..self.at])
    }

    /// Go past these bytes if they are the next.
    #[inline]
    pub fn take(&mut self, bytes: &[u8]) -> bool {
        let found = self.data[self.at..].starts_with(bytes);
        if found {
            self.at += bytes.len();
        }
        found
    }

    /// The next item's head, after any tags.
    #[inline]
    fn head(&mut self) -> Result<Head> {
        let first = self.peek()?;
        let (major, info) = (first >> 5, first & 31);
        if info < 24 && major != TAG {
            self.at += 1;
            let value = u64::from(info);
            return Ok(Head { major, info, value });
        }
        self.slow_head()
    }

    fn slow_head(&mut self) -> Result<Head> {
        loop {
            let head = self.one_head()?;
            if head.major != TAG {
                return Ok(head);
            }
        }
    }

    fn one_head(&mut self) -> Result<Head> {
        let first = self.peek()?;
        self.at += 1;
        let (major, info) = (first >> 5, first & 31);
        let value = match info {
            0..=23 => u64::from(info),
            24..=27 => {
                let bytes = self.slice(1 << (info - 24))?;
                bytes
                    .iter()
                    .fold(0, |value, &byte| value << 8 | u64::from(byte))
            }
            INDEFINITE if (BYTES..=MAP).contains(&major) => 0,
            // 28 to 30 are reserved; 31 is here a break that ends nothing, or an indefinite integer or tag
            _ => return Err(DecodeError::new(Reason::Malformed)),
        };
        if major == OTHER && info == 24 && value < 32 {
            return Err(DecodeError::new(Reason::Malformed));
        }
        Ok(Head { major, info, value })
    }

    /// Read an unsigned integer of at most `most`.
    #[inline]
    pub fn unsigned(&mut self, most: u64) -> Result<u64> {
        let head = self.head()?;
        if head.major == UNSIGNED && head.value <= most {
            return Ok(head.value);
        }
        Err(head.wrong_integer())
    }

    /// Read an integer from `least` to `most`.
    #[inline]
    pub fn signed(&mut self, least: i64, most: i64) -> Result<i64> {
        let head = self.head()?;
        if head.major <= NEGATIVE && head.value <= i64::MAX as u64 {
            let value = if head.major == UNSIGNED {
                head.value as i64
            } else {
                !(head.value as i64)
            };
            if (least..=most).contains(&value) {
                return Ok(value);
            }
        }
        Err(head.wrong_integer())
    }

    /// Read false or true.
    #[inline]
    pub fn bool(&mut self) -> Result<bool> {
        let head = self.head()?;
        match (head.major, head.info) {
            (OTHER, 20) => Ok(false),
            (OTHER, 21) => Ok(true),
            _ => Err(head.wrong()),
        }
    }

    /// Read a float of any width.
    pub fn float(&mut self) -> Result<f64> {
        let head = self.head()?;
        let value = match (head.major, head.info) {
            (OTHER, 25) => from_half(head.value as u16),
            (OTHER, 26) => f64::from(f32::from_bits(head.value as u32)),
            (OTHER, 27) => f64::from_bits(head.value),
            _ => return Err(head.wrong()),
        };
        // one NaN stands for all of them, whatever their bits
        Ok(if value.is_nan() { f64::NAN } else { value })
    }

    /// Go past a null, if it is next.
    #[inline]
    pub fn take_null(&mut self) -> bool {
        match self.data.get(self.at) {
            Some(&NULL) => {
                self.at += 1;
                true
            }
            Some(&byte) if byte >> 5 == TAG => self.slow_null(),
            _ => false,
        }
    }

    fn slow_null(&mut self) -> bool {
        let start = self.at;
        if let Ok(head) = self.slow_head() {
            if head.is_null() {
                return true;
            }
        }
        self.at = start;
        false
    }

    /// Read a text, and return a copy of it.
    #[inline]
    pub fn string(&mut self) -> Result<String> {
        let head = self.head()?;
        if head.major != TEXT {
            return Err(head.wrong());
        }
        if head.info == INDEFINITE {
            return self.chunked_text();
        }
        let rest = &self.data[self.at..];
        let bytes = self.slice(head.value)?;
        short::string(rest, bytes.len())
    }

    /// Read a text.
    #[inline]
    pub fn text(&mut self) -> Result<Cow<'a, str>> {
        let head = self.head()?;
        if head.major != TEXT {
            return Err(head.wrong());
        }
        if head.info == INDEFINITE {
            return self.chunked_text().map(Cow::Owned);
        }
        let bytes = self.slice(head.value)?;
        utf8(bytes).map(Cow::Borrowed)
    }

    /// Read bytes.
    #[inline]
    pub fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        let head = self.head()?;
        if head.major != BYTES {
            return Err(head.wrong());
        }
        if head.info == INDEFINITE {
            return self.chunks(BYTES, |_| Ok(())).map(Cow::Owned);
        }
        self.slice(head.value).map(Cow::Borrowed)
    }

    /// Read bytes, and return a copy of them.
    #[inline]
    pub fn bytes_copied(&mut self) -> Result<Vec<u8>> {
        Ok(match self.bytes()? {
            Cow::Borrowed(bytes) => short::copied(bytes),
            Cow::Owned(bytes) => bytes,
        })
    }

    fn chunked_text(&mut self) -> Result<String> {
        let whole = self.chunks(TEXT, |chunk| utf8(chunk).map(|_| ()))?;
        String::from_utf8(whole).map_err(|_| DecodeError::new(Reason::InvalidUtf8))
    }

    /// Read the chunks of an indefinite text or bytes. Each chunk is definite and of the same major type.
    fn chunks(&mut self, major: u8, check: impl Fn(&[u8]) -> Result<()>) -> Result<Vec<u8>> {
        let mut whole = Vec::new();
        loop {
            if self.peek()? == BREAK {
                self.at += 1;
                return Ok(whole);
            }
            let head = self.one_head()?;
            if head.major != major || head.info == INDEFINITE {
                return Err(DecodeError::new(Reason::Malformed));
            }
            let chunk = self.slice(head.value)?;
            check(chunk)?;
            whole.extend_from_slice(chunk);
        }
    }

    #[inline]
    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(DecodeError::new(Reason::TooDeep));
        }
        Ok(())
    }

    /// Leave the innermost array or map, which has been read.
    #[inline]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Read null, where nothing else may stand.
    pub fn null(&mut self) -> Result<()> {
        let head = self.head()?;
        if head.is_null() {
            Ok(())
        } else {
            Err(DecodeError::new(Reason::WrongType))
        }
    }

    /// Begin an array whose items take at least `item_bytes_least` bytes each; [`leave`](CborReader::leave) ends it.
    #[inline]
    pub fn array(&mut self, item_bytes_least: usize) -> Result<Items> {
        self.items(ARRAY, item_bytes_least)
    }

    /// Begin a map whose pairs take at least `pair_bytes_least` bytes each; [`leave`](CborReader::leave) ends it.
    #[inline]
    pub fn map(&mut self, pair_bytes_least: usize) -> Result<Items> {
        self.items(MAP, pair_bytes_least)
    }

    fn items(&mut self, major: u8, bytes_least: usize) -> Result<Items> {
        let head = self.head()?;
        if head.major != major {
            return Err(head.wrong());
        }
        self.enter()?;
        if head.info == INDEFINITE {
            return Ok(Items::Indefinite);
        }
        if head.value > (self.remaining() / bytes_least) as u64 {
            return Err(DecodeError::new(Reason::EndsEarly));
        }
        Ok(Items::Definite(head.value))
    }

    /// Begin a map if one with fewer than 24 pairs is next; otherwise the reader does not move.
    #[inline]
    pub fn small_map(&mut self) -> Result<Option<u8>> {
        match self.data.get(self.at) {
            Some(&byte) if byte >> 5 == MAP && byte & 31 < 24 => {
                self.at += 1;
                self.enter()?;
                Ok(Some(byte & 31))
            }
            _ => Ok(None),
        }
    }

    /// Whether another item follows. If one does, it counts as read from here on.
    #[inline]
    pub fn next(&mut self, items: &mut Items) -> Result<bool> {
        match items {
            Items::Definite(0) => Ok(false),
            Items::Definite(left) => {
                *left -= 1;
                Ok(true)
            }
            Items::Indefinite => {
                let ends = self.peek()? == BREAK;
                self.at += usize::from(ends);
                Ok(!ends)
            }
        }
    }

    /// Read the key of an object's entry. A key that is not text is skipped, and gives `None`.
    pub fn key(&mut self) -> Result<Option<Cow<'a, str>>> {
        let start = self.at;
        if self.head()?.major == TEXT {
            self.at = start;
            return self.text().map(Some);
        }
        self.at = start;
        self.skip()?;
        Ok(None)
    }

    /// Go past one item of any kind.
    pub fn skip(&mut self) -> Result<()> {
        let head = self.head()?;
        match head.major {
            BYTES | TEXT if head.info == INDEFINITE => {
                let is_text = head.major == TEXT;
                self.chunks(head.major, |chunk| {
                    if is_text {
                        utf8(chunk).map(|_| ())
                    } else {
                        Ok(())
                    }
                })?;
            }
            BYTES => {
                self.slice(head.value)?;
            }
            TEXT => {
                let bytes = self.slice(head.value)?;
                utf8(bytes)?;
            }
            ARRAY | MAP => {
                let pairs = head.major == MAP;
                self.enter()?;
                let mut items = match head.info {
                    INDEFINITE => Items::Indefinite,
                    _ if head.value > (self.remaining() / (1 + usize::from(pairs))) as u64 => {
                        return Err(DecodeError::new(Reason::EndsEarly));
                    }
                    _ => Items::Definite(head.value),
                };
                while self.next(&mut items)? {
                    self.skip()?;
                    if pairs {
                        self.skip()?;
                    }
                }
                self.leave();
            }
            _ => {}
        }
        Ok(())
    }
}

#[inline]
fn utf8(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|_| DecodeError::new(Reason::InvalidUtf8))
}
