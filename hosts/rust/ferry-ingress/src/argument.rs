// SPDX-License-Identifier: BSD-3-Clause
//! Arguments of calls of a chain: values, and what is promised.

use std::collections::BTreeMap;

use crate::chain::{Promise, Promised, Source};
use crate::core::LinkKind;
use crate::status::Fails;
use crate::wire::{
    Bool, Bytes, CborWriter, Codec, Enum, EnumValue, Handle, HandleValue, Map, MapKey, Opt, Seq,
    Text, F32, F64, I16, I32, I64, I8, U16, U32, U64, U8,
};

/// An argument that travels as `C`: a value, as the same method of the context takes it, a [`Promise`] of one, or a
/// [`Draft`](crate::Draft), of which parts are promised.
///
/// Of an option it is also the promise or the draft of the value inside. Generated crates use it; no program implements it.
pub trait Argument<C: Codec> {
    /// Whether it travels; an absent option is left out.
    fn is_present(&self) -> bool {
        true
    }

    /// Append the value, or null where one is promised.
    fn put_cbor(&self, out: &mut CborWriter<'_>);

    /// Append what is promised in it, in the order of the places, where the argument's own is `at`.
    fn take(&self, _at: usize, _taken: &mut Vec<Taken>) {}
}

/// What an argument takes from an earlier call, and where the null is that stands for it.
#[derive(Clone)]
pub struct Taken {
    pub(crate) source: Source,
    pub(crate) kind: LinkKind,
    pub(crate) place: usize,
}

impl Taken {
    /// The same in a message that has this one from `at` on.
    pub(crate) fn behind(&self, at: usize) -> Taken {
        Taken {
            place: at + self.place,
            ..self.clone()
        }
    }
}

/// An argument, and the name that it travels by.
pub struct Given<'a> {
    pub(crate) key: &'static [u8],
    pub(crate) is_present: bool,
    pub(crate) taken: Vec<Taken>,
    pub(crate) put_cbor: Box<dyn Fn(&mut CborWriter<'_>) + 'a>,
}

impl<'a> Given<'a> {
    /// An argument; `key` is its name as `cbor` has it.
    pub fn new<C: Codec, A: Argument<C>>(key: &'static [u8], argument: &'a A) -> Given<'a> {
        let mut taken = Vec::new();
        argument.take(0, &mut taken);
        Given {
            key,
            is_present: argument.is_present(),
            taken,
            put_cbor: Box::new(move |out| argument.put_cbor(out)),
        }
    }
}

/// Types as which values are lent: what travels as the codec, and as an option of it.
macro_rules! lent {
    ($([$($generic:tt)*] $codec:ty, $lent:ty $(where $key:ty: $bound:path)?;)+) => {$(
        impl<$($generic)*> Argument<$codec> for $lent
        $(where $key: $bound)?
        {
            fn put_cbor(&self, out: &mut CborWriter<'_>) {
                <$codec as Codec>::put_cbor(self, out);
            }
        }

        impl<$($generic)*> Argument<Opt<$codec>> for Option<$lent>
        $(where $key: $bound)?
        {
            fn is_present(&self) -> bool {
                self.is_some()
            }

            fn put_cbor(&self, out: &mut CborWriter<'_>) {
                if let Some(value) = self {
                    <$codec as Codec>::put_cbor(value, out);
                }
            }
        }
    )+};
}

lent! {
    [] Bool, bool;
    [] U8, u8;
    [] U16, u16;
    [] U32, u32;
    [] U64, u64;
    [] I8, i8;
    [] I16, i16;
    [] I32, i32;
    [] I64, i64;
    [] F32, f32;
    [] F64, f64;
    [] Text, &str;
    [] Bytes, &[u8];
    [E: EnumValue] Enum<E>, E;
    [H: HandleValue] Handle<H>, H;
    [C: Codec] Seq<C>, &[C::Value];
    [K: MapKey, V: Codec] Map<K, V>, &BTreeMap<K::Value, V::Value> where K::Value: Ord;
    [C: Codec<Value = C, Ref = C>] C, &C;
}

/// Types that a call of the context would turn into those that it takes.
macro_rules! coerced {
    ($([$($generic:tt)*] $codec:ty, $given:ty;)+) => {$(
        impl<$($generic)*> Argument<$codec> for $given {
            fn put_cbor(&self, out: &mut CborWriter<'_>) {
                <$codec as Codec>::put_cbor(&self[..], out);
            }
        }
    )+};
}

coerced! {
    [] Text, &String;
    [] Bytes, &Vec<u8>;
    [const N: usize] Bytes, &[u8; N];
    [C: Codec] Seq<C>, &Vec<C::Value>;
    [C: Codec, const N: usize] Seq<C>, &[C::Value; N];
}

/// Promises of what travels as `C`: for an argument that travels as that, and for an option of that.
macro_rules! promised {
    ($([$($generic:tt)*] $promise:ty;)+) => {$(
        impl<C: Codec $($generic)*> Argument<C> for $promise {
            fn put_cbor(&self, out: &mut CborWriter<'_>) {
                out.null();
            }

            fn take(&self, place: usize, taken: &mut Vec<Taken>) {
                let kind = if C::IS_REQUIRED {
                    LinkKind::Field
                } else {
                    LinkKind::Option
                };
                taken.push(Taken { source: self.source().clone(), kind, place });
            }
        }

        impl<C: Codec $($generic)*> Argument<Opt<C>> for $promise {
            fn put_cbor(&self, out: &mut CborWriter<'_>) {
                out.null();
            }

            fn take(&self, place: usize, taken: &mut Vec<Taken>) {
                taken.push(Taken { source: self.source().clone(), kind: LinkKind::Field, place });
            }
        }
    )+};
}

promised! {
    [] Promised<C>;
    [] &Promised<C>;
    [, E: Fails] Promise<C, E>;
    [, E: Fails] &Promise<C, E>;
}
