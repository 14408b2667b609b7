// SPDX-License-Identifier: BSD-3-Clause
//! Both wire formats of `spec/interface.md`.
//!
//! A [`Codec`] stands for a type of the description: [`U32`], [`Seq<Text>`](Seq), or an object that a generated crate
//! made with [`object!`](crate::object). It writes its value and reads it back, in each format. Reading is total: any
//! bytes give a value or a [`DecodeError`] with the path to the bad field, and reading takes time and memory in
//! proportion to the bytes that are there.

mod carried;
mod cbor;
mod compound;
mod error;
mod flat;
mod float;
mod object;
mod request;
mod scalar;
mod short;
mod variant;

use std::borrow::Borrow;

pub use carried::{
    Array, ByteArray, Duration, HashedMap, HashedSet, InRange, SetItem, SystemTime, TreeSet,
};
pub use cbor::{CborReader, CborWriter, Items};
pub use compound::{Map, MapKey, Opt, Seq};
pub use error::{DecodeError, EncodeError, Reason, Segment};
pub use flat::{align_up, get, zeros, FlatReader, FlatWriter};
pub use object::{cbor_field, field_name, with_field};
pub use request::{Maybe, Param, Plain, Request};
pub use scalar::{
    Bool, Bytes, Enum, EnumValue, Handle, HandleValue, Text, F32, F64, I16, I32, I64, I8, U16, U32,
    U64, U8,
};

/// How deep values may nest (W7).
pub const DEPTH_MAX: u32 = 32;

/// How payloads are encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wire {
    /// RFC 8949, deterministic.
    Cbor,
    /// Flat structs in the machine's own layout: faster, and the default.
    #[default]
    C,
}

impl Wire {
    /// Its number in `enum ingress_wire`.
    pub fn number(self) -> u32 {
        match self {
            Wire::Cbor => 0,
            Wire::C => 1,
        }
    }

    /// The format of a number, or nothing.
    pub fn from_number(number: u32) -> Option<Wire> {
        match number {
            0 => Some(Wire::Cbor),
            1 => Some(Wire::C),
            _ => None,
        }
    }
}

/// Encodes and decodes the values of one type of the description.
pub trait Codec {
    /// The type of a decoded value.
    type Value: Borrow<Self::Ref>;
    /// The type as which a value is lent to be encoded.
    type Ref: ?Sized;

    /// How many bytes the value takes in its struct in format `c`.
    const SIZE: usize;
    /// The alignment of the value in format `c`.
    const ALIGN: usize;

    /// The fewest bytes that a value takes in format `cbor`.
    const CBOR_BYTES_LEAST: usize = 1;
    /// Whether a field of this type has to be there.
    const IS_REQUIRED: bool = true;

    /// Append the value.
    fn put_cbor(value: &Self::Ref, out: &mut CborWriter<'_>);
    /// Read the value.
    fn get_cbor(input: &mut CborReader<'_>) -> std::result::Result<Self::Value, DecodeError>;
    /// Write the value's struct at `at`, where SIZE zero bytes are, and append what it refers to.
    fn put_flat(value: &Self::Ref, out: &mut FlatWriter<'_>, at: usize);
    /// Read the value's struct, which is SIZE bytes, and what it refers to.
    fn get_flat(
        input: &mut FlatReader<'_>,
        block: &[u8],
    ) -> std::result::Result<Self::Value, DecodeError>;

    /// The value of a field whose key is missing or null; `None` when the field has to be there.
    #[inline]
    fn absent() -> Option<Self::Value> {
        None
    }

    /// Whether a field with this value travels; an absent option is left out of its object (W2).
    #[inline]
    fn is_present(_: &Self::Ref) -> bool {
        true
    }

    /// About how many bytes the value takes, if it takes many. A buffer is chosen by this.
    #[inline]
    fn weight(_: &Self::Ref) -> usize {
        0
    }

    /// Write structs side by side, from `at` on.
    #[inline(always)]
    fn put_flat_all(values: &[Self::Value], out: &mut FlatWriter<'_>, at: usize) {
        for (index, value) in values.iter().enumerate() {
            Self::put_flat(value.borrow(), out, at + index * Self::SIZE);
        }
    }

    /// Read structs that lie side by side.
    #[inline(always)]
    fn get_flat_all(
        input: &mut FlatReader<'_>,
        blocks: &[u8],
    ) -> std::result::Result<Vec<Self::Value>, DecodeError> {
        let mut values = Vec::with_capacity(blocks.len() / Self::SIZE);
        for block in blocks.chunks_exact(Self::SIZE) {
            match Self::get_flat(input, block) {
                Ok(value) => values.push(value),
                Err(error) => return Err(error.in_index(values.len())),
            }
        }
        Ok(values)
    }
}

/// Encode a value as a whole message: `out` holds nothing else afterwards.
///
/// # Errors
/// Why the value cannot travel.
pub fn encode<C: Codec>(
    wire: Wire,
    value: &C::Ref,
    out: &mut Vec<u8>,
) -> std::result::Result<(), EncodeError> {
    match wire {
        Wire::Cbor => encode_cbor::<C>(value, out),
        Wire::C => encode_c::<C>(value, out),
    }
}

/// Decode a whole message.
///
/// # Errors
/// What is wrong with the bytes, and where.
pub fn decode<C: Codec>(wire: Wire, bytes: &[u8]) -> std::result::Result<C::Value, DecodeError> {
    match wire {
        Wire::Cbor => decode_cbor::<C>(bytes),
        Wire::C => decode_c::<C>(bytes),
    }
}

// These functions are inlined where they are called. Otherwise the value would be returned through memory and read at
// once by loads that are wider than the stores that wrote it, for which the processor stalls. bench/rust measured 12 ns
// of 25 for a small blob.

/// As [`encode`], in format `cbor`.
///
/// # Errors
/// As [`encode`].
#[inline(always)]
pub fn encode_cbor<C: Codec>(
    value: &C::Ref,
    out: &mut Vec<u8>,
) -> std::result::Result<(), EncodeError> {
    let mut writer = CborWriter::new(out);
    C::put_cbor(value, &mut writer);
    writer.finish()
}

/// As [`encode`], in format `c`.
///
/// # Errors
/// As [`encode`].
#[inline(always)]
pub fn encode_c<C: Codec>(
    value: &C::Ref,
    out: &mut Vec<u8>,
) -> std::result::Result<(), EncodeError> {
    let mut writer = FlatWriter::new(out, C::SIZE);
    C::put_flat(value, &mut writer, 0);
    writer.finish()
}

/// As [`decode`], in format `cbor`.
///
/// # Errors
/// As [`decode`].
#[inline(always)]
pub fn decode_cbor<C: Codec>(bytes: &[u8]) -> std::result::Result<C::Value, DecodeError> {
    let mut reader = CborReader::new(bytes);
    let value = C::get_cbor(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

/// As [`decode`], in format `c`.
///
/// # Errors
/// As [`decode`].
#[inline(always)]
pub fn decode_c<C: Codec>(bytes: &[u8]) -> std::result::Result<C::Value, DecodeError> {
    let mut reader = FlatReader::new(bytes, C::SIZE)?;
    let value = C::get_flat(&mut reader, &bytes[..C::SIZE])?;
    reader.finish()?;
    Ok(value)
}

/// The value of a method that returns nothing.
pub struct Unit;

impl Codec for Unit {
    type Value = ();
    type Ref = ();
    const SIZE: usize = 0;
    const ALIGN: usize = 1;

    fn put_cbor(_: &(), out: &mut CborWriter<'_>) {
        out.null();
    }

    fn get_cbor(input: &mut CborReader<'_>) -> std::result::Result<(), DecodeError> {
        input.null()
    }

    fn put_flat(_: &(), _: &mut FlatWriter<'_>, _: usize) {}

    fn get_flat(_: &mut FlatReader<'_>, _: &[u8]) -> std::result::Result<(), DecodeError> {
        Ok(())
    }
}
