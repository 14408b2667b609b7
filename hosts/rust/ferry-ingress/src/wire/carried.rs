// SPDX-License-Identifier: BSD-3-Clause
//! Types of Rust that travel as another type, their carrier: an array and a set as a sequence, a hash map as a map, a
//! time and a duration as nanoseconds, and an integer that has to be in a range.
//!
//! A host sees the carrier alone. So a message may hold what the library's type cannot: that is an error of decoding at
//! the field. In turn the library may have a value that its carrier cannot hold, which the writer notes, so that the
//! message is not sent.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::Hash;
use std::marker::PhantomData;
use std::time;

use super::cbor::{CborReader, CborWriter};
use super::compound::{Map, MapKey, Seq};
use super::error::{DecodeError, Reason};
use super::flat::{FlatReader, FlatWriter};
use super::scalar::{Bytes, Enum, EnumValue, Text, I16, I32, I64, I8, U16, U32, U64, U8};
use super::Codec;

type Result<T> = std::result::Result<T, DecodeError>;

const TOO_FAR: &str = "a time or a duration of more than 292 years does not fit into nanoseconds";
const NOT_IN_RANGE: &str = "a number is not in the range that the library gives it";

/// What a codec has that writes and reads as its carrier does.
macro_rules! as_carrier {
    ($carrier:ty) => {
        const SIZE: usize = <$carrier as Codec>::SIZE;
        const ALIGN: usize = <$carrier as Codec>::ALIGN;
        const CBOR_BYTES_LEAST: usize = <$carrier as Codec>::CBOR_BYTES_LEAST;
    };
}

/// The elements of a sequence as an array, which has just as many.
fn counted<T, const N: usize>(values: Vec<T>) -> Result<[T; N]> {
    <[T; N]>::try_from(values).map_err(|_| DecodeError::new(Reason::OutOfRange))
}

/// `[T; N]`, as a sequence of `N` elements.
pub struct Array<C, const N: usize>(PhantomData<C>);

impl<C: Codec, const N: usize> Codec for Array<C, N> {
    type Value = [C::Value; N];
    type Ref = [C::Value; N];
    as_carrier!(Seq<C>);

    #[inline]
    fn put_cbor(values: &[C::Value; N], out: &mut CborWriter<'_>) {
        Seq::<C>::put_cbor(values, out);
    }

    fn get_cbor(input: &mut CborReader<'_>) -> Result<[C::Value; N]> {
        Seq::<C>::get_cbor(input).and_then(counted)
    }

    fn weight(values: &[C::Value; N]) -> usize {
        Seq::<C>::weight(values)
    }

    #[inline]
    fn put_flat(values: &[C::Value; N], out: &mut FlatWriter<'_>, at: usize) {
        Seq::<C>::put_flat(values, out, at);
    }

    fn get_flat(input: &mut FlatReader<'_>, block: &[u8]) -> Result<[C::Value; N]> {
        Seq::<C>::get_flat(input, block).and_then(counted)
    }
}

/// `[u8; N]`, as `N` bytes.
pub struct ByteArray<const N: usize>;

impl<const N: usize> Codec for ByteArray<N> {
    type Value = [u8; N];
    type Ref = [u8; N];
    as_carrier!(Bytes);

    #[inline]
    fn put_cbor(value: &[u8; N], out: &mut CborWriter<'_>) {
        Bytes::put_cbor(value, out);
    }

    fn get_cbor(input: &mut CborReader<'_>) -> Result<[u8; N]> {
        Bytes::get_cbor(input).and_then(counted)
    }

    fn weight(_: &[u8; N]) -> usize {
        N
    }

    #[inline]
    fn put_flat(value: &[u8; N], out: &mut FlatWriter<'_>, at: usize) {
        Bytes::put_flat(value, out, at);
    }

    fn get_flat(input: &mut FlatReader<'_>, block: &[u8]) -> Result<[u8; N]> {
        Bytes::get_flat(input, block).and_then(counted)
    }
}

/// A type that a set may be of.
pub trait SetItem: Codec {
    /// The order in which the values of a set travel.
    fn order(one: &Self::Value, other: &Self::Value) -> Ordering;
}

macro_rules! set_item {
    ($($codec:ident)*) => {$(
        impl SetItem for $codec {
            fn order(one: &Self::Value, other: &Self::Value) -> Ordering {
                one.cmp(other)
            }
        }
    )*};
}

set_item!(U8 U16 U32 U64 I8 I16 I32 I64 Text);

impl<E: EnumValue> SetItem for Enum<E> {
    /// By the numbers of the values, however the library orders these.
    fn order(one: &E, other: &E) -> Ordering {
        one.number().cmp(&other.number())
    }
}

fn sorted<'a, C: SetItem>(values: impl Iterator<Item = &'a C::Value>) -> Vec<&'a C::Value>
where
    C::Value: 'a,
{
    let mut values: Vec<&C::Value> = values.collect();
    values.sort_unstable_by(|one, other| C::order(one, other));
    values
}

fn put_set_cbor<C: Codec>(values: &[&C::Value], out: &mut CborWriter<'_>) {
    out.array(values.len());
    for &value in values {
        C::put_cbor(value.borrow(), out);
    }
    out.leave();
}

fn put_set_flat<C: Codec>(values: &[&C::Value], out: &mut FlatWriter<'_>, at: usize) {
    out.enter();
    let from = out.reserve(at, values.len(), C::SIZE);
    for (index, &value) in values.iter().enumerate() {
        C::put_flat(value.borrow(), out, from + index * C::SIZE);
    }
    out.leave();
}

/// The elements of a sequence as a set, in which each of them is new.
fn distinct<T, S: Default>(values: Vec<T>, insert: impl Fn(&mut S, T) -> bool) -> Result<S> {
    let mut set = S::default();
    for value in values {
        if !insert(&mut set, value) {
            return Err(DecodeError::new(Reason::GivenTwice));
        }
    }
    Ok(set)
}

macro_rules! set {
    ($(#[$doc:meta])* $codec:ident, $set:ident, $($bound:path),+) => {
        $(#[$doc])*
        pub struct $codec<C>(PhantomData<C>);

        impl<C: SetItem> Codec for $codec<C>
        where
            C::Value: $($bound +)+,
        {
            type Value = $set<C::Value>;
            type Ref = $set<C::Value>;
            as_carrier!(Seq<C>);

            fn put_cbor(values: &Self::Value, out: &mut CborWriter<'_>) {
                put_set_cbor::<C>(&sorted::<C>(values.iter()), out);
            }

            fn get_cbor(input: &mut CborReader<'_>) -> Result<Self::Value> {
                Seq::<C>::get_cbor(input).and_then(|values| distinct(values, $set::insert))
            }

            fn weight(values: &Self::Value) -> usize {
                values.len() * C::SIZE
            }

            fn put_flat(values: &Self::Value, out: &mut FlatWriter<'_>, at: usize) {
                put_set_flat::<C>(&sorted::<C>(values.iter()), out, at);
            }

            fn get_flat(input: &mut FlatReader<'_>, block: &[u8]) -> Result<Self::Value> {
                Seq::<C>::get_flat(input, block).and_then(|values| distinct(values, $set::insert))
            }
        }
    };
}

set!(
    /// `BTreeSet<T>`, as a sequence in which nothing is there twice.
    TreeSet,
    BTreeSet,
    Ord
);
set!(
    /// `HashSet<T>`, as a sequence in which nothing is there twice.
    HashedSet,
    HashSet,
    Eq,
    Hash
);

/// `HashMap<K, V>`, as a map.
pub struct HashedMap<K, V>(PhantomData<(K, V)>);

impl<K: MapKey, V: Codec> Codec for HashedMap<K, V>
where
    K::Value: Ord + Hash,
{
    type Value = HashMap<K::Value, V::Value>;
    type Ref = HashMap<K::Value, V::Value>;
    as_carrier!(Map<K, V>);

    fn put_cbor(map: &Self::Value, out: &mut CborWriter<'_>) {
        let mut pairs: Vec<_> = map.iter().collect();
        pairs.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        K::sort(&mut pairs);
        Map::<K, V>::put_pairs_cbor(&pairs, out);
    }

    fn get_cbor(input: &mut CborReader<'_>) -> Result<Self::Value> {
        Map::<K, V>::get_cbor(input).map(|map| map.into_iter().collect())
    }

    fn put_flat(map: &Self::Value, out: &mut FlatWriter<'_>, at: usize) {
        let mut pairs: Vec<_> = map.iter().collect();
        pairs.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        Map::<K, V>::put_pairs_flat(pairs.into_iter(), out, at);
    }

    fn get_flat(input: &mut FlatReader<'_>, block: &[u8]) -> Result<Self::Value> {
        Map::<K, V>::get_flat(input, block).map(|map| map.into_iter().collect())
    }
}

/// `std::time::Duration`, as nanoseconds.
pub struct Duration;

/// `std::time::SystemTime`, as nanoseconds since 1970.
pub struct SystemTime;

fn nanoseconds(duration: time::Duration) -> Option<i64> {
    i64::try_from(duration.as_nanos()).ok()
}

impl Duration {
    fn carrier(value: &time::Duration) -> Option<i64> {
        nanoseconds(*value)
    }

    fn restored(carrier: i64) -> Option<time::Duration> {
        u64::try_from(carrier).ok().map(time::Duration::from_nanos)
    }
}

impl SystemTime {
    fn carrier(value: &time::SystemTime) -> Option<i64> {
        match value.duration_since(time::UNIX_EPOCH) {
            Ok(since) => nanoseconds(since),
            Err(before) => nanoseconds(before.duration()).map(|before| -before),
        }
    }

    fn restored(carrier: i64) -> Option<time::SystemTime> {
        let distance = time::Duration::from_nanos(carrier.unsigned_abs());
        if carrier < 0 {
            time::UNIX_EPOCH.checked_sub(distance)
        } else {
            time::UNIX_EPOCH.checked_add(distance)
        }
    }
}

macro_rules! nanoseconds {
    ($codec:ident) => {
        impl Codec for $codec {
            type Value = time::$codec;
            type Ref = time::$codec;
            as_carrier!(I64);

            fn put_cbor(value: &time::$codec, out: &mut CborWriter<'_>) {
                match $codec::carrier(value) {
                    Some(carrier) => I64::put_cbor(&carrier, out),
                    None => out.refuse(TOO_FAR),
                }
            }

            fn get_cbor(input: &mut CborReader<'_>) -> Result<time::$codec> {
                $codec::restored(I64::get_cbor(input)?)
                    .ok_or_else(|| DecodeError::new(Reason::OutOfRange))
            }

            fn put_flat(value: &time::$codec, out: &mut FlatWriter<'_>, at: usize) {
                match $codec::carrier(value) {
                    Some(carrier) => I64::put_flat(&carrier, out, at),
                    None => out.refuse(TOO_FAR),
                }
            }

            fn get_flat(input: &mut FlatReader<'_>, block: &[u8]) -> Result<time::$codec> {
                $codec::restored(I64::get_flat(input, block)?)
                    .ok_or_else(|| DecodeError::new(Reason::OutOfRange))
            }
        }
    };
}

nanoseconds!(Duration);
nanoseconds!(SystemTime);

/// An integer from `LEAST` to `MOST`.
pub struct InRange<C, const LEAST: i128, const MOST: i128>(PhantomData<C>);

impl<C: Codec, const LEAST: i128, const MOST: i128> InRange<C, LEAST, MOST>
where
    C::Value: Copy + Into<i128>,
{
    fn is_in(value: C::Value) -> bool {
        (LEAST..=MOST).contains(&value.into())
    }

    fn checked(value: C::Value) -> Result<C::Value> {
        if Self::is_in(value) {
            Ok(value)
        } else {
            Err(DecodeError::new(Reason::OutOfRange))
        }
    }
}

impl<C, const LEAST: i128, const MOST: i128> Codec for InRange<C, LEAST, MOST>
where
    C: Codec<Ref = <C as Codec>::Value>,
    C::Value: Copy + Into<i128>,
{
    type Value = C::Value;
    type Ref = C::Value;
    as_carrier!(C);

    #[inline]
    fn put_cbor(value: &C::Value, out: &mut CborWriter<'_>) {
        if !Self::is_in(*value) {
            out.refuse(NOT_IN_RANGE);
        }
        C::put_cbor(value, out);
    }

    #[inline]
    fn get_cbor(input: &mut CborReader<'_>) -> Result<C::Value> {
        C::get_cbor(input).and_then(Self::checked)
    }

    #[inline]
    fn put_flat(value: &C::Value, out: &mut FlatWriter<'_>, at: usize) {
        if !Self::is_in(*value) {
            out.refuse(NOT_IN_RANGE);
        }
        C::put_flat(value, out, at);
    }

    #[inline]
    fn get_flat(input: &mut FlatReader<'_>, block: &[u8]) -> Result<C::Value> {
        C::get_flat(input, block).and_then(Self::checked)
    }
}

/// Declare that a struct with one value travels as that value: how the value does.
///
/// ```
/// use ferry_ingress::wire::{decode, encode, Wire, I64};
///
/// #[derive(Debug, PartialEq)]
/// struct Seconds(i64);
///
/// ferry_ingress::transparent! { Seconds(I64) }
///
/// let mut bytes = Vec::new();
/// encode::<Seconds>(Wire::Cbor, &Seconds(-1), &mut bytes).unwrap();
/// assert_eq!(bytes, b"\x20");
/// assert_eq!(decode::<Seconds>(Wire::Cbor, &bytes).unwrap(), Seconds(-1));
/// ```
#[macro_export]
macro_rules! transparent {
    ($name:ident($codec:ty)) => {
        impl $crate::wire::Codec for $name {
            type Value = $name;
            type Ref = $name;
            const SIZE: usize = <$codec as $crate::wire::Codec>::SIZE;
            const ALIGN: usize = <$codec as $crate::wire::Codec>::ALIGN;
            const CBOR_BYTES_LEAST: usize = <$codec as $crate::wire::Codec>::CBOR_BYTES_LEAST;

            fn weight(value: &$name) -> usize {
                <$codec as $crate::wire::Codec>::weight(::std::borrow::Borrow::borrow(&value.0))
            }

            #[inline]
            fn put_cbor(value: &$name, out: &mut $crate::wire::CborWriter<'_>) {
                <$codec as $crate::wire::Codec>::put_cbor(
                    ::std::borrow::Borrow::borrow(&value.0),
                    out,
                );
            }

            #[inline]
            fn get_cbor(
                input: &mut $crate::wire::CborReader<'_>,
            ) -> ::std::result::Result<$name, $crate::wire::DecodeError> {
                <$codec as $crate::wire::Codec>::get_cbor(input).map($name)
            }

            #[inline]
            fn put_flat(value: &$name, out: &mut $crate::wire::FlatWriter<'_>, at: usize) {
                <$codec as $crate::wire::Codec>::put_flat(
                    ::std::borrow::Borrow::borrow(&value.0),
                    out,
                    at,
                );
            }

            #[inline]
            fn get_flat(
                input: &mut $crate::wire::FlatReader<'_>,
                block: &[u8],
            ) -> ::std::result::Result<$name, $crate::wire::DecodeError> {
                <$codec as $crate::wire::Codec>::get_flat(input, block).map($name)
            }
        }
    };
}
