// SPDX-License-Identifier: BSD-3-Clause
//! Copies of texts and bytes. Most are short: they are copied and checked in registers, without a call of memcpy or of
//! the library's check for UTF-8. Long ones are copied in pieces: see [`PIECE`]. bench/rust/ measures both.

use super::error::{DecodeError, Reason};

/// Texts and bytes up to this size are short.
const SHORT_MAX: usize = 16;
const HIGH_BITS: u128 = 0x8080_8080_8080_8080_8080_8080_8080_8080;

/// How much of a long copy one call of memcpy is given, in bytes.
///
/// From a little above this on the C library may copy by `rep movsb`, wherever the processor says that it is quick (FSRM).
/// AMD's Zen 3 and 4 do that byte by byte when the destination lies a little behind the source modulo 4096 (glibc's bug
/// 30994). That happens here: a blob begins 8 bytes into the allocation that holds the message, its copy at the
/// beginning of another allocation, and allocations whose sizes are powers of two lie at multiples of 4096 from each
/// other. On an AMD EPYC VM a copy of 4 KiB took 3 to 6 µs; an Intel Xeon VM copies all sizes alike. On both, pieces of
/// this size are copied by vector instructions.
const PIECE: usize = 2048;
/// Above this size the C library has another way to copy, past the caches, and pieces would only cost time.
const PIECES_MAX: usize = 512 << 10;

/// At most [`SHORT_MAX`] bytes, with zeros behind them. They are loaded as two pieces, which may overlap.
#[inline(always)]
fn padded(bytes: &[u8]) -> [u8; SHORT_MAX] {
    let count = bytes.len();
    let mut whole = [0; SHORT_MAX];
    if count >= 8 {
        let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
        // bytes that are in both pieces are shifted out of the second
        let rest = match count {
            8 => 0,
            _ => long(count - 8) >> (8 * (16 - count)),
        };
        whole[..8].copy_from_slice(&long(0).to_le_bytes());
        whole[8..].copy_from_slice(&rest.to_le_bytes());
    } else if count >= 4 {
        let half = |at: usize| {
            let piece: [u8; 4] = bytes[at..at + 4].try_into().expect("4 bytes");
            u64::from(u32::from_le_bytes(piece))
        };
        let low = half(0) | half(count - 4) << (8 * (count - 4));
        whole[..8].copy_from_slice(&low.to_le_bytes());
    } else if count > 0 {
        let byte = |at: usize| u32::from(bytes[at]) << (8 * at);
        let low = byte(0) | byte(count / 2) | byte(count - 1);
        whole[..4].copy_from_slice(&low.to_le_bytes());
    }
    whole
}

/// Append bytes, of which there are at most [`SHORT_MAX`], and cut what was appended to `kept` bytes.
#[inline(always)]
fn append_short(out: &mut Vec<u8>, bytes: &[u8], kept: usize) {
    let begin = out.len();
    out.extend_from_slice(&padded(bytes));
    out.truncate(begin + kept);
}

/// Append bytes that are not short. The caller has made room for them.
#[inline]
fn append_long(out: &mut Vec<u8>, bytes: &[u8]) {
    if bytes.len() <= PIECE || bytes.len() > PIECES_MAX {
        return out.extend_from_slice(bytes);
    }
    for piece in bytes.chunks(PIECE) {
        out.extend_from_slice(piece);
    }
}

/// A copy of bytes.
#[inline]
pub(super) fn copied(bytes: &[u8]) -> Vec<u8> {
    let mut copy = Vec::with_capacity(bytes.len());
    append_long(&mut copy, bytes);
    copy
}

/// Append bytes.
#[inline(always)]
pub(super) fn append(out: &mut Vec<u8>, bytes: &[u8]) {
    if bytes.len() <= SHORT_MAX {
        append_short(out, bytes, bytes.len());
    } else {
        out.reserve(bytes.len());
        append_long(out, bytes);
    }
}

/// Append bytes and a zero byte.
#[inline(always)]
pub(super) fn append_terminated(out: &mut Vec<u8>, bytes: &[u8]) {
    if bytes.len() < SHORT_MAX {
        append_short(out, bytes, bytes.len() + 1);
    } else {
        out.reserve(bytes.len() + 1);
        append_long(out, bytes);
        out.push(0);
    }
}

/// Copy the first `count` bytes of `bytes`, which is longer, as a text; an error if they are not UTF-8.
#[inline(always)]
pub(super) fn string(bytes: &[u8], count: usize) -> Result<String, DecodeError> {
    if count == 0 {
        return Ok(String::new());
    }
    if count <= SHORT_MAX && bytes.len() >= SHORT_MAX {
        let whole: [u8; SHORT_MAX] = bytes[..SHORT_MAX].try_into().expect("16 bytes");
        let high = u128::from_le_bytes(whole) & HIGH_BITS;
        if high.trailing_zeros() as usize >= 8 * count {
            let mut copy = Vec::with_capacity(SHORT_MAX);
            copy.extend_from_slice(&whole);
            copy.truncate(count);
            return Ok(ascii(copy));
        }
    }
    long_string(&bytes[..count])
}

fn long_string(bytes: &[u8]) -> Result<String, DecodeError> {
    if bytes.is_ascii() {
        return Ok(ascii(copied(bytes)));
    }
    String::from_utf8(copied(bytes)).map_err(|_| DecodeError::new(Reason::InvalidUtf8))
}

/// Take bytes as a text. None of them has its high bit set.
#[inline(always)]
#[allow(unsafe_code)]
fn ascii(bytes: Vec<u8>) -> String {
    debug_assert!(bytes.is_ascii());
    // SAFETY: the caller has checked that they are ASCII, which is UTF-8.
    unsafe { String::from_utf8_unchecked(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_is_kept() {
        for count in 0..40_u8 {
            for first in [0_u8, 0x41, 0x7f] {
                let bytes: Vec<u8> = (0..count).map(|index| (first + index) & 0x7f).collect();
                let mut out = vec![1, 2, 3];
                append(&mut out, &bytes);
                assert_eq!(out, [&[1, 2, 3][..], &bytes].concat());
                append_terminated(&mut out, &bytes);
                assert_eq!(out, [&[1, 2, 3][..], &bytes, &bytes, &[0]].concat());
                for behind in [&b""[..], b"\xff", &[0xff; 20]] {
                    let message = [&bytes, behind].concat();
                    let text = string(&message, bytes.len()).unwrap();
                    assert_eq!(text.as_bytes(), bytes);
                }
            }
        }
    }

    #[test]
    fn long_ones_are_kept_whatever_their_pieces() {
        for size in [PIECE, 2 * PIECE, 64 << 10, PIECES_MAX, PIECES_MAX + PIECE] {
            for count in [size - 1, size, size + 1] {
                let bytes: Vec<u8> = (0..count).map(|index| (index * 7 % 127) as u8).collect();
                assert_eq!(copied(&bytes), bytes);
                let mut out = vec![1, 2, 3];
                append(&mut out, &bytes);
                append_terminated(&mut out, &bytes);
                assert_eq!(out, [&[1, 2, 3][..], &bytes, &bytes, &[0]].concat());
                assert_eq!(string(&bytes, count).unwrap().as_bytes(), bytes);
            }
        }
    }

    #[test]
    fn what_is_no_text_is_refused_wherever_it_is() {
        for count in 1..40 {
            for at in 0..count {
                for behind in [0, 20] {
                    let mut bytes = vec![b'x'; count + behind];
                    bytes[at] = 0xff;
                    let error = string(&bytes, count).unwrap_err();
                    assert_eq!(error.reason(), Reason::InvalidUtf8);
                    if at + 1 < count {
                        bytes[at..at + 2].copy_from_slice("é".as_bytes());
                        assert_eq!(string(&bytes, count).unwrap().as_bytes(), &bytes[..count]);
                    }
                }
            }
        }
    }
}
