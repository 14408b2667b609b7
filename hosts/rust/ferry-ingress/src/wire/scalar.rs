// SPDX-License-Identifier: BSD-3-Clause
//! Types without parts: bool, integers, floats, text, bytes, enums and handles.

use std::marker::PhantomData;

use super::cbor::{CborReader, CborWriter};
use super::error::{DecodeError, Reason};
use super::flat::{get, FlatReader, FlatWriter};
use super::{short, Codec};

type Result<T> = std::result::Result<T, DecodeError>;

macro_rules! number {
    ($(#[$doc:meta])* $codec:ident, $value:ty, $bytes:literal, |$put:ident, $out:ident| $write:expr,
     |$input:ident| $read:expr) => {
        $(#[$doc])*
        pub struct $codec;

        impl Codec for $codec {
            type Value = $value;
            type Ref = $value;
            const SIZE: usize = $bytes;
            const ALIGN: usize = $bytes;

            #[inline]
            fn put_cbor($put: &$value, $out: &mut CborWriter<'_>) {
                $write
            }

            #[inline]
            fn get_cbor($input: &mut CborReader<'_>) -> Result<$value> {
                $read
            }

            #[inline(always)]
            fn put_flat(value: &$value, out: &mut FlatWriter<'_>, at: usize) {
                out.set(at, &value.to_ne_bytes());
            }

            #[inline(always)]
            fn get_flat(_: &mut FlatReader<'_>, block: &[u8]) -> Result<$value> {
                Ok(<$value>::from_ne_bytes(get(block)))
            }

            #[inline(always)]
            fn put_flat_all(values: &[$value], out: &mut FlatWriter<'_>, at: usize) {
                for (to, value) in out.tail(at).chunks_exact_mut($bytes).zip(values) {
                    to.copy_from_slice(&value.to_ne_bytes());
                }
            }

            #[inline(always)]
            fn get_flat_all(_: &mut FlatReader<'_>, blocks: &[u8]) -> Result<Vec<$value>> {
                let convert = |bytes: &[u8]| {
                    let mut whole = [0; $bytes];
                    whole.copy_from_slice(bytes);
                    <$value>::from_ne_bytes(whole)
                };
                Ok(blocks.chunks_exact($bytes).map(convert).collect())
            }
        }
    };
}

macro_rules! unsigned {
    ($codec:ident, $value:ty, $bytes:literal) => {
        number!(
            #[doc = concat!("`", stringify!($value), "`.")]
            $codec,
            $value,
            $bytes,
            |value, out| out.unsigned(u64::from(*value)),
            |input| input
                .unsigned(u64::from(<$value>::MAX))
                .map(|value| value as $value)
        );
    };
}

macro_rules! signed {
    ($codec:ident, $value:ty, $bytes:literal) => {
        number!(
            #[doc = concat!("`", stringify!($value), "`.")]
            $codec,
            $value,
            $bytes,
            |value, out| out.signed(i64::from(*value)),
            |input| input
                .signed(i64::from(<$value>::MIN), i64::from(<$value>::MAX))
                .map(|value| value as $value)
        );
    };
}

unsigned!(U8, u8, 1);
unsigned!(U16, u16, 2);
unsigned!(U32, u32, 4);
unsigned!(U64, u64, 8);
signed!(I8, i8, 1);
signed!(I16, i16, 2);
signed!(I32, i32, 4);
signed!(I64, i64, 8);

number!(
    /// `f32`. In format `cbor` a float of 64 bits is accepted too, if 32 bits keep its value.
    F32,
    f32,
    4,
    |value, out| out.float(f64::from(*value)),
    |input| input.float().and_then(|value| {
        let single = value as f32;
        if f64::from(single) == value || value.is_nan() {
            Ok(single)
        } else {
            Err(DecodeError::new(Reason::OutOfRange))
        }
    })
);
number!(
    /// `f64`.
    F64,
    f64,
    8,
    |value, out| out.float(*value),
    |input| input.float()
);

/// `bool`.
pub struct Bool;

impl Codec for Bool {
    type Value = bool;
    type Ref = bool;
    const SIZE: usize = 1;
    const ALIGN: usize = 1;

    #[inline]
    fn put_cbor(value: &bool, out: &mut CborWriter<'_>) {
        out.bool(*value);
    }

    #[inline]
    fn get_cbor(input: &mut CborReader<'_>) -> Result<bool> {
        input.bool()
    }

    #[inline(always)]
    fn put_flat(value: &bool, out: &mut FlatWriter<'_>, at: usize) {
        out.set(at, &[u8::from(*value)]);
    }

    #[inline(always)]
    fn get_flat(_: &mut FlatReader<'_>, block: &[u8]) -> Result<bool> {
        match get(block) {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(DecodeError::new(Reason::NotABool)),
        }
    }
}

/// `string`.
pub struct Text;

impl Codec for Text {
    type Value = String;
    type Ref = str;
    const SIZE: usize = 8;
    const ALIGN: usize = 4;

    #[inline]
    fn put_cbor(value: &str, out: &mut CborWriter<'_>) {
        out.text(value);
    }

    #[inline]
    fn get_cbor(input: &mut CborReader<'_>) -> Result<String> {
        input.string()
    }

    #[inline(always)]
    fn weight(value: &str) -> usize {
        value.len()
    }

    #[inline(always)]
    fn put_flat(value: &str, out: &mut FlatWriter<'_>, at: usize) {
        out.append_text(at, value);
    }

    #[inline(always)]
    fn get_flat(input: &mut FlatReader<'_>, block: &[u8]) -> Result<String> {
        input.text(block)
    }
}

/// `bytes`.
pub struct Bytes;

impl Codec for Bytes {
    type Value = Vec<u8>;
    type Ref = [u8];
    const SIZE: usize = 8;
    const ALIGN: usize = 4;

    #[inline]
    fn put_cbor(value: &[u8], out: &mut CborWriter<'_>) {
        out.bytes(value);
    }

    #[inline]
    fn get_cbor(input: &mut CborReader<'_>) -> Result<Vec<u8>> {
        input.bytes_copied()
    }

    #[inline(always)]
    fn weight(value: &[u8]) -> usize {
        value.len()
    }

    #[inline(always)]
    fn put_flat(value: &[u8], out: &mut FlatWriter<'_>, at: usize) {
        out.append(at, value);
    }

    #[inline(always)]
    fn get_flat(input: &mut FlatReader<'_>, block: &[u8]) -> Result<Vec<u8>> {
        input.bytes(block).map(short::copied)
    }
}

/// An enum of the description.
pub trait EnumValue: Copy {
    /// The number of a value.
    fn number(self) -> i32;
    /// The value that has the number, if there is one.
    fn from_number(number: i32) -> Option<Self>;
}

/// `{"enum": …}`.
pub struct Enum<E>(PhantomData<E>);

impl<E: EnumValue> Codec for Enum<E> {
    type Value = E;
    type Ref = E;
    const SIZE: usize = 4;
    const ALIGN: usize = 4;

    #[inline]
    fn put_cbor(value: &E, out: &mut CborWriter<'_>) {
        out.signed(i64::from(value.number()));
    }

    #[inline]
    fn get_cbor(input: &mut CborReader<'_>) -> Result<E> {
        let number = input.signed(i64::from(i32::MIN), i64::from(i32::MAX))?;
        E::from_number(number as i32).ok_or_else(|| DecodeError::new(Reason::UnknownEnumValue))
    }

    #[inline(always)]
    fn put_flat(value: &E, out: &mut FlatWriter<'_>, at: usize) {
        out.set(at, &value.number().to_ne_bytes());
    }

    #[inline(always)]
    fn get_flat(_: &mut FlatReader<'_>, block: &[u8]) -> Result<E> {
        let number = i32::from_ne_bytes(get(block));
        E::from_number(number).ok_or_else(|| DecodeError::new(Reason::UnknownEnumValue))
    }
}

/// A handle type of the description.
pub trait HandleValue: Copy {
    /// The handle that has the id.
    fn from_id(id: u64) -> Self;
    /// Its id.
    fn id(self) -> u64;
}

/// `{"handle": …}`.
pub struct Handle<H>(PhantomData<H>);

impl<H: HandleValue> Codec for Handle<H> {
    type Value = H;
    type Ref = H;
    const SIZE: usize = 8;
    const ALIGN: usize = 8;

    #[inline]
    fn put_cbor(value: &H, out: &mut CborWriter<'_>) {
        out.unsigned(value.id());
    }

    #[inline]
    fn get_cbor(input: &mut CborReader<'_>) -> Result<H> {
        input.unsigned(u64::MAX).map(H::from_id)
    }

    #[inline(always)]
    fn put_flat(value: &H, out: &mut FlatWriter<'_>, at: usize) {
        out.set(at, &value.id().to_ne_bytes());
    }

    #[inline(always)]
    fn get_flat(_: &mut FlatReader<'_>, block: &[u8]) -> Result<H> {
        Ok(H::from_id(u64::from_ne_bytes(get(block))))
    }
}
