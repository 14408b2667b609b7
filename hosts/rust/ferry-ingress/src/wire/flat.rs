// SPDX-License-Identifier: BSD-3-Clause
//! Format `c`: structs as a C compiler lays them out, then the parts that they refer to, in a fixed order (W4, W5).
//!
//! Since every value has one encoding, the reader knows where each part has to begin: at `next`, aligned. Any other
//! offset is an error, so no byte is read twice and no parts overlap (W6).

use super::error::{DecodeError, EncodeError, Reason};
use super::{short, DEPTH_MAX};

type Result<T> = std::result::Result<T, DecodeError>;

/// The alignment of structs that are referred to.
const PART_ALIGN: usize = 8;

/// The next offset that the alignment allows, which is a power of two.
#[inline(always)]
pub const fn align_up(offset: usize, align: usize) -> usize {
    (offset + align - 1) & !(align - 1)
}

/// Writes a message.
pub struct FlatWriter<'a> {
    out: &'a mut Vec<u8>,
    depth: u32,
    refused: bool,
    why: Option<&'static str>,
}

impl<'a> FlatWriter<'a> {
    /// Begin a message whose own struct takes `size` bytes; the former content of `out` is gone.
    #[inline(always)]
    pub fn new(out: &'a mut Vec<u8>, size: usize) -> FlatWriter<'a> {
        out.clear();
        out.resize(size, 0);
        FlatWriter {
            out,
            depth: 0,
            refused: false,
            why: None,
        }
    }

    /// End the message; an error when it is over the format's limits, or was refused.
    #[inline(always)]
    pub fn finish(self) -> std::result::Result<(), EncodeError> {
        if self.refused || self.out.len() > u32::MAX as usize {
            return Err(EncodeError::because(self.why));
        }
        Ok(())
    }

    /// Note why the value cannot travel, so that `finish` returns an error.
    #[cold]
    pub fn refuse(&mut self, why: &'static str) {
        self.refused = true;
        self.why = Some(why);
    }

    /// Write bytes at an offset that lies in the part that is reserved already.
    #[inline(always)]
    pub fn set(&mut self, at: usize, bytes: &[u8]) {
        self.out[at..at + bytes.len()].copy_from_slice(bytes);
    }

    #[inline(always)]
    fn set_reference(&mut self, at: usize, offset: usize, count: usize) {
        let reference = offset as u64 as u32 as u64 | (count as u64) << 32;
        // offset and count are each in the machine's order, and the offset comes first in memory
        let whole = if cfg!(target_endian = "little") {
            reference
        } else {
            reference.rotate_left(32)
        };
        self.set(at, &whole.to_ne_bytes());
    }

    /// Append a text and a zero byte, and refer to it at `at`.
    #[inline(always)]
    pub fn append_text(&mut self, at: usize, text: &str) {
        if !text.is_empty() {
            self.set_reference(at, self.out.len(), text.len());
            short::append_terminated(self.out, text.as_bytes());
        }
    }

    /// Append bytes, and refer to them at `at`.
    #[inline(always)]
    pub fn append(&mut self, at: usize, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.set_reference(at, self.out.len(), bytes.len());
            short::append(self.out, bytes);
        }
    }

    /// Append room for `count` structs of `size` bytes, and refer to it at `at`. Returns where the first is.
    #[inline(always)]
    pub fn reserve(&mut self, at: usize, count: usize, size: usize) -> usize {
        if count == 0 {
            return 0;
        }
        let offset = align_up(self.out.len(), PART_ALIGN);
        self.set_reference(at, offset, count);
        self.out.resize(offset + count * size, 0);
        offset
    }

    /// The bytes that have been reserved, from an offset on.
    #[inline(always)]
    pub fn tail(&mut self, at: usize) -> &mut [u8] {
        &mut self.out[at..]
    }

    /// Begin an object, a sequence or a map.
    #[inline(always)]
    pub fn enter(&mut self) {
        self.depth += 1;
        self.refused |= self.depth > DEPTH_MAX;
    }

    /// End the innermost of these.
    #[inline(always)]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// The first `N` bytes of a struct.
#[inline(always)]
pub fn get<const N: usize>(block: &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&block[..N]);
    bytes
}

/// Check that padding is zero.
#[inline(always)]
pub fn zeros(padding: &[u8]) -> Result<()> {
    // all bytes are looked at, without an early exit: the length is mostly known when compiling
    if padding.iter().fold(0, |seen, &byte| seen | byte) == 0 {
        Ok(())
    } else {
        Err(DecodeError::new(Reason::PaddingNotZero))
    }
}

/// Read a reference: an offset and a count.
#[inline(always)]
fn read_reference(reference: &[u8]) -> (usize, usize) {
    let whole: [u8; 8] = get(reference);
    let offset = u32::from_ne_bytes(get(&whole));
    let count = u32::from_ne_bytes(get(&whole[4..]));
    (offset as usize, count as usize)
}

/// Reads a message. Each struct is read as a slice of exactly its size, so that no field is looked for beyond it.
pub struct FlatReader<'a> {
    data: &'a [u8],
    /// Where the next part begins, before it is aligned.
    next: usize,
    depth: u32,
}

impl<'a> FlatReader<'a> {
    /// Begin a message whose own struct takes `size` bytes.
    #[inline(always)]
    pub fn new(data: &'a [u8], size: usize) -> Result<FlatReader<'a>> {
        if data.len() < size {
            return Err(DecodeError::new(Reason::EndsEarly));
        }
        Ok(FlatReader {
            data,
            next: size,
            depth: 0,
        })
    }

    /// End the message: an error when bytes are left after its value.
    #[inline(always)]
    pub fn finish(self) -> Result<()> {
        if self.next == self.data.len() {
            Ok(())
        } else {
            Err(DecodeError::new(Reason::LeftOver))
        }
    }

    /// The bytes that a reference stands for.
    #[inline(always)]
    pub fn bytes(&mut self, reference: &[u8]) -> Result<&'a [u8]> {
        let count = self.part(reference)?;
        self.slice(count)
    }

    /// The text that a reference stands for; the zero byte after it is checked.
    #[inline(always)]
    pub fn text(&mut self, reference: &[u8]) -> Result<String> {
        let count = self.part(reference)?;
        if count == 0 {
            return Ok(String::new());
        }
        let rest = &self.data[self.next..];
        if count >= rest.len() {
            return Err(DecodeError::new(Reason::EndsEarly));
        }
        let text = short::string(rest, count)?;
        if rest[count] != 0 {
            return Err(DecodeError::new(Reason::PaddingNotZero));
        }
        self.next += count + 1;
        Ok(text)
    }

    /// The structs that a reference stands for, side by side.
    #[inline(always)]
    pub fn structs(&mut self, reference: &[u8], size: usize) -> Result<&'a [u8]> {
        let (_, count) = read_reference(reference);
        if count > 0 {
            let from = align_up(self.next, PART_ALIGN);
            if from > self.data.len() {
                return Err(DecodeError::new(Reason::EndsEarly));
            }
            zeros(&self.data[self.next..from])?;
            self.next = from;
        }
        let count = self.part(reference)?;
        if count > (self.data.len() - self.next) / size {
            return Err(DecodeError::new(Reason::EndsEarly));
        }
        self.slice(count * size)
    }

    /// The count of a reference, whose offset has to be where the next part begins.
    #[inline(always)]
    fn part(&self, reference: &[u8]) -> Result<usize> {
        let (offset, count) = read_reference(reference);
        if offset != if count == 0 { 0 } else { self.next } {
            return Err(DecodeError::new(Reason::WrongOffset));
        }
        Ok(count)
    }

    #[inline(always)]
    fn slice(&mut self, count: usize) -> Result<&'a [u8]> {
        let rest = &self.data[self.next..];
        if count > rest.len() {
            return Err(DecodeError::new(Reason::EndsEarly));
        }
        self.next += count;
        Ok(&rest[..count])
    }

    /// Begin an object, a sequence or a map.
    #[inline(always)]
    pub fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(DecodeError::new(Reason::TooDeep));
        }
        Ok(())
    }

    /// Leave the innermost of these, which has been read.
    #[inline(always)]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }
}
