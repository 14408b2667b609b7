// SPDX-License-Identifier: BSD-3-Clause
//! Format `c`: structs as a C compiler lays them out, then what they refer to in the order of a walk (W4, W5).
//!
//! Since every value has one encoding, the reader knows where each part has to begin: at `next`, aligned. An offset
//! that says anything else is wrong, so nothing is read twice and nothing overlaps (W6).

use super::error::{DecodeError, Reason};
use super::{TooLarge, DEPTH_MAX};

type Result<T> = std::result::Result<T, DecodeError>;

/// The next offset that the alignment, a power of two, allows.
#[inline]
pub const fn align_up(offset: usize, align: usize) -> usize {
    (offset + align - 1) & !(align - 1)
}

/// Writes a message.
pub struct FlatWriter<'a> {
    out: &'a mut Vec<u8>,
    depth: u32,
    refused: bool,
}

impl<'a> FlatWriter<'a> {
    /// Begin a message whose own struct takes `size` bytes; what was in `out` is gone.
    #[inline]
    pub fn new(out: &'a mut Vec<u8>, size: usize) -> FlatWriter<'a> {
        out.clear();
        out.resize(size, 0);
        FlatWriter {
            out,
            depth: 0,
            refused: false,
        }
    }

    /// The message is complete; an error when it is over the format's limits.
    #[inline]
    pub fn finish(self) -> std::result::Result<(), TooLarge> {
        if self.refused || self.out.len() > u32::MAX as usize {
            return Err(TooLarge);
        }
        Ok(())
    }

    /// The value does not travel in this format: `finish` will say so.
    pub fn refuse(&mut self) {
        self.refused = true;
    }

    /// Write bytes at an offset that is there already.
    #[inline]
    pub fn set(&mut self, at: usize, bytes: &[u8]) {
        self.out[at..at + bytes.len()].copy_from_slice(bytes);
    }

    #[inline]
    fn set_reference(&mut self, at: usize, offset: usize, count: usize) {
        let reference = offset as u64 as u32 as u64 | (count as u64) << 32;
        // both halves are in the machine's order, whichever half comes first
        let whole = if cfg!(target_endian = "little") {
            reference
        } else {
            reference.rotate_left(32)
        };
        self.set(at, &whole.to_ne_bytes());
    }

    /// Append bytes, and refer to them at `at`.
    #[inline]
    pub fn append(&mut self, at: usize, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.set_reference(at, self.out.len(), bytes.len());
            self.out.extend_from_slice(bytes);
        }
    }

    /// Append room for `count` structs of `size` bytes, and refer to it at `at`. Returns where the first is.
    #[inline]
    pub fn reserve(&mut self, at: usize, count: usize, size: usize) -> usize {
        if count == 0 {
            return 0;
        }
        let offset = align_up(self.out.len(), 8);
        self.set_reference(at, offset, count);
        self.out.resize(offset + count * size, 0);
        offset
    }

    /// What has been reserved, from an offset on.
    #[inline]
    pub fn tail(&mut self, at: usize) -> &mut [u8] {
        &mut self.out[at..]
    }

    /// Begin an object, a sequence or a map.
    #[inline]
    pub fn enter(&mut self) {
        self.depth += 1;
        self.refused |= self.depth > DEPTH_MAX;
    }

    /// The innermost one is complete.
    #[inline]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// Reads a message.
pub struct FlatReader<'a> {
    data: &'a [u8],
    /// Where the part that comes next begins, but for its alignment.
    next: usize,
    depth: u32,
}

impl<'a> FlatReader<'a> {
    /// Begin a message whose own struct takes `size` bytes.
    #[inline]
    pub fn new(data: &'a [u8], size: usize) -> Result<FlatReader<'a>> {
        if data.len() < size {
            return Err(DecodeError::new(Reason::Truncated));
        }
        Ok(FlatReader {
            data,
            next: size,
            depth: 0,
        })
    }

    /// The value has been read: nothing may be left.
    #[inline]
    pub fn finish(self) -> Result<()> {
        if self.next == self.data.len() {
            Ok(())
        } else {
            Err(DecodeError::new(Reason::LeftOver))
        }
    }

    /// The `N` bytes at an offset inside a struct that is there.
    #[inline]
    pub fn get<const N: usize>(&self, at: usize) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.copy_from_slice(&self.data[at..at + N]);
        bytes
    }

    /// The bytes from one offset to another, inside a struct that is there, have to be zero.
    #[inline]
    pub fn zeros(&self, from: usize, to: usize) -> Result<()> {
        if self.data[from..to].iter().all(|&byte| byte == 0) {
            Ok(())
        } else {
            Err(DecodeError::new(Reason::BadPadding))
        }
    }

    #[inline]
    fn reference(&self, at: usize) -> (usize, usize) {
        let offset = u32::from_ne_bytes(self.get(at));
        let count = u32::from_ne_bytes(self.get(at + 4));
        (offset as usize, count as usize)
    }

    /// The bytes that the reference at `at` means.
    #[inline]
    pub fn bytes(&mut self, at: usize) -> Result<&'a [u8]> {
        let (offset, count) = self.reference(at);
        let from = self.part(offset, count, 1, 1)?;
        Ok(&self.data[from..from + count])
    }

    /// The structs that the reference at `at` means: how many, and where the first is.
    #[inline]
    pub fn structs(&mut self, at: usize, size: usize) -> Result<(usize, usize)> {
        let (offset, count) = self.reference(at);
        let from = self.part(offset, count, size, 8)?;
        Ok((count, from))
    }

    /// Take the next part, which has to be where the reference says.
    #[inline]
    fn part(&mut self, offset: usize, count: usize, size: usize, align: usize) -> Result<usize> {
        if count == 0 {
            return if offset == 0 {
                Ok(0)
            } else {
                Err(DecodeError::new(Reason::BadOffset))
            };
        }
        let from = align_up(self.next, align);
        if offset != from {
            return Err(DecodeError::new(Reason::BadOffset));
        }
        // no product of two 32-bit numbers is over 64 bits, and a struct of no bytes has no elements
        let bytes = count as u64 * size.max(1) as u64;
        if from > self.data.len() || bytes > (self.data.len() - from) as u64 {
            return Err(DecodeError::new(Reason::Truncated));
        }
        self.zeros(self.next, from)?;
        self.next = from + bytes as usize;
        Ok(from)
    }

    /// The bytes of structs that [`structs`](FlatReader::structs) found.
    #[inline]
    pub fn block(&self, from: usize, bytes: usize) -> &'a [u8] {
        &self.data[from..from + bytes]
    }

    /// Begin an object, a sequence or a map.
    #[inline]
    pub fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(DecodeError::new(Reason::TooDeep));
        }
        Ok(())
    }

    /// The innermost one has been read.
    #[inline]
    pub fn leave(&mut self) {
        self.depth -= 1;
    }
}
