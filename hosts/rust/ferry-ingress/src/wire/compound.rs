// SPDX-License-Identifier: BSD-3-Clause
//! Options, sequences and maps.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::mem::size_of;

use super::cbor::{CborReader, CborWriter, Items};
use super::error::{DecodeError, Reason};
use super::flat::{align_up, get, zeros, FlatReader, FlatWriter};
use super::scalar::{Text, I16, I32, I64, I8, U16, U32, U64, U8};
use super::Codec;
use std::borrow::Borrow;

type Result<T> = std::result::Result<T, DecodeError>;

/// How many bytes of memory are reserved at most because of a length that a message claims. The data that
/// follows may take more.
const RESERVE_BYTES_MAX: usize = 64 << 10;

/// `{"option": …}`.
pub struct Opt<C>(PhantomData<C>);

impl<C: Codec> Opt<C> {
    /// Write an option's struct in format `c`, of a value that is lent.
    #[inline]
    pub fn put_flat_lent(value: Option<&C::Ref>, out: &mut FlatWriter<'_>, at: usize) {
        if let Some(value) = value {
            out.set(at, &[1]);
            C::put_flat(value, out, at + C::ALIGN);
        }
    }
}

impl<C: Codec> Codec for Opt<C> {
    type Value = Option<C::Value>;
    type Ref = Option<C::Value>;
    const SIZE: usize = align_up(C::ALIGN + C::SIZE, C::ALIGN);
    const ALIGN: usize = C::ALIGN;
    const IS_REQUIRED: bool = false;

    #[inline]
    fn put_cbor(value: &Option<C::Value>, out: &mut CborWriter<'_>) {
        match value {
            Some(value) => C::put_cbor(value.borrow(), out),
            None => out.null(),
        }
    }

    #[inline]
    fn get_cbor(input: &mut CborReader<'_>) -> Result<Option<C::Value>> {
        if input.take_null() {
            return Ok(None);
        }
        C::get_cbor(input).map(Some)
    }

    #[inline(always)]
    fn put_flat(value: &Option<C::Value>, out: &mut FlatWriter<'_>, at: usize) {
        Self::put_flat_lent(value.as_ref().map(Borrow::borrow), out, at);
    }

    #[inline(always)]
    fn get_flat(input: &mut FlatReader<'_>, block: &[u8]) -> Result<Option<C::Value>> {
        match get(block) {
            [0] => zeros(&block[..Self::SIZE]).map(|()| None),
            [1] => {
                let end = C::ALIGN + C::SIZE;
                zeros(&block[1..C::ALIGN])?;
                let value = C::get_flat(input, &block[C::ALIGN..end])?;
                zeros(&block[end..Self::SIZE])?;
                Ok(Some(value))
            }
            _ => Err(DecodeError::new(Reason::NotABool)),
        }
    }

    #[inline(always)]
    fn absent() -> Option<Option<C::Value>> {
        Some(None)
    }

    #[inline(always)]
    fn is_present(value: &Option<C::Value>) -> bool {
        value.is_some()
    }
}

/// `{"seq": …}`.
pub struct Seq<C>(PhantomData<C>);

impl<C: Codec> Codec for Seq<C> {
    type Value = Vec<C::Value>;
    type Ref = [C::Value];
    const SIZE: usize = 8;
    const ALIGN: usize = 4;

    #[inline(always)]
    fn put_cbor(values: &[C::Value], out: &mut CborWriter<'_>) {
        out.array(values.len());
        for value in values {
            C::put_cbor(value.borrow(), out);
        }
        out.leave();
    }

    fn get_cbor(input: &mut CborReader<'_>) -> Result<Vec<C::Value>> {
        let mut items = input.array(C::CBOR_BYTES_LEAST)?;
        let mut values = Vec::new();
        if let Items::Definite(count) = items {
            let most = RESERVE_BYTES_MAX / size_of::<C::Value>().max(1);
            values.reserve_exact((count as usize).min(most));
        }
        while input.next(&mut items)? {
            match C::get_cbor(input) {
                Ok(value) => values.push(value),
                Err(error) => return Err(error.in_index(values.len())),
            }
        }
        input.leave();
        Ok(values)
    }

    fn weight(values: &[C::Value]) -> usize {
        values.len() * C::SIZE
    }

    #[inline(always)]
    fn put_flat(values: &[C::Value], out: &mut FlatWriter<'_>, at: usize) {
        out.enter();
        let from = out.reserve(at, values.len(), C::SIZE);
        C::put_flat_all(values, out, from);
        out.leave();
    }

    #[inline(always)]
    fn get_flat(input: &mut FlatReader<'_>, block: &[u8]) -> Result<Vec<C::Value>> {
        input.enter()?;
        let blocks = input.structs(block, C::SIZE)?;
        let values = C::get_flat_all(input, blocks)?;
        input.leave();
        Ok(values)
    }
}

/// A type that may be the key of a map.
pub trait MapKey: Codec
where
    Self::Value: Ord,
{
    /// Whether the pairs, which are in the order of their keys, are also in the order of their encoded keys in `cbor`.
    fn is_sorted<V>(map: &BTreeMap<Self::Value, V>) -> bool;

    /// Bring pairs into the order of their encoded keys.
    fn sort<V>(pairs: &mut [(&Self::Value, &V)]);
}

macro_rules! unsigned_key {
    ($($codec:ident)*) => {$(
        impl MapKey for $codec {
            #[inline]
            fn is_sorted<V>(_: &BTreeMap<Self::Value, V>) -> bool {
                true
            }

            fn sort<V>(_: &mut [(&Self::Value, &V)]) {}
        }
    )*};
}

macro_rules! signed_key {
    ($($codec:ident)*) => {$(
        impl MapKey for $codec {
            fn is_sorted<V>(map: &BTreeMap<Self::Value, V>) -> bool {
                map.keys().next().map_or(true, |least| *least >= 0)
            }

            /// First 0, 1, 2 and on, then -1, -2 and on.
            fn sort<V>(pairs: &mut [(&Self::Value, &V)]) {
                pairs.sort_unstable_by_key(|(key, _)| (**key < 0, if **key < 0 { !**key } else { **key }));
            }
        }
    )*};
}

unsigned_key!(U8 U16 U32 U64);
signed_key!(I8 I16 I32 I64);

impl MapKey for Text {
    fn is_sorted<V>(map: &BTreeMap<String, V>) -> bool {
        map.len() < 2
    }

    /// The shorter key comes first, since an encoded key begins with its length.
    fn sort<V>(pairs: &mut [(&String, &V)]) {
        pairs.sort_unstable_by(|(one, _), (other, _)| {
            one.len().cmp(&other.len()).then_with(|| one.cmp(other))
        });
    }
}

/// `{"map": […]}`.
pub struct Map<K, V>(PhantomData<(K, V)>);

impl<K: MapKey, V: Codec> Map<K, V>
where
    K::Value: Ord,
{
    const VALUE_AT: usize = align_up(K::SIZE, V::ALIGN);
    const PAIR_ALIGN: usize = if K::ALIGN > V::ALIGN {
        K::ALIGN
    } else {
        V::ALIGN
    };
    const PAIR_END: usize = Self::VALUE_AT + V::SIZE;
    const PAIR_SIZE: usize = align_up(Self::PAIR_END, Self::PAIR_ALIGN);

    fn put_pair_cbor(key: &K::Value, value: &V::Value, out: &mut CborWriter<'_>) {
        K::put_cbor(key.borrow(), out);
        V::put_cbor(value.borrow(), out);
    }

    /// Write pairs that are in the order of their encoded keys.
    pub(super) fn put_pairs_cbor(pairs: &[(&K::Value, &V::Value)], out: &mut CborWriter<'_>) {
        out.map(pairs.len());
        for &(key, value) in pairs {
            Self::put_pair_cbor(key, value, out);
        }
        out.leave();
    }

    /// Write pairs that are in the order of their keys.
    pub(super) fn put_pairs_flat<'a>(
        pairs: impl ExactSizeIterator<Item = (&'a K::Value, &'a V::Value)>,
        out: &mut FlatWriter<'_>,
        at: usize,
    ) where
        K::Value: 'a,
        V::Value: 'a,
    {
        out.enter();
        let from = out.reserve(at, pairs.len(), Self::PAIR_SIZE);
        for (index, (key, value)) in pairs.enumerate() {
            let pair = from + index * Self::PAIR_SIZE;
            K::put_flat(key.borrow(), out, pair);
            V::put_flat(value.borrow(), out, pair + Self::VALUE_AT);
        }
        out.leave();
    }

    fn get_pair_flat(input: &mut FlatReader<'_>, pair: &[u8]) -> Result<(K::Value, V::Value)> {
        let key = K::get_flat(input, &pair[..K::SIZE]).map_err(|error| error.in_field("key"))?;
        zeros(&pair[K::SIZE..Self::VALUE_AT])?;
        let value = V::get_flat(input, &pair[Self::VALUE_AT..Self::PAIR_END])
            .map_err(|error| error.in_field("value"))?;
        zeros(&pair[Self::PAIR_END..Self::PAIR_SIZE])?;
        Ok((key, value))
    }
}

impl<K: MapKey, V: Codec> Codec for Map<K, V>
where
    K::Value: Ord,
{
    type Value = BTreeMap<K::Value, V::Value>;
    type Ref = BTreeMap<K::Value, V::Value>;
    const SIZE: usize = 8;
    const ALIGN: usize = 4;

    fn put_cbor(map: &Self::Value, out: &mut CborWriter<'_>) {
        if K::is_sorted(map) {
            out.map(map.len());
            for (key, value) in map {
                Self::put_pair_cbor(key, value, out);
            }
            out.leave();
        } else {
            let mut pairs: Vec<_> = map.iter().collect();
            K::sort(&mut pairs);
            Self::put_pairs_cbor(&pairs, out);
        }
    }

    fn get_cbor(input: &mut CborReader<'_>) -> Result<Self::Value> {
        let mut items = input.map(K::CBOR_BYTES_LEAST + V::CBOR_BYTES_LEAST)?;
        let mut map = BTreeMap::new();
        let mut index = 0;
        while input.next(&mut items)? {
            let key = K::get_cbor(input).map_err(|error| error.in_field("key").in_index(index))?;
            if map.contains_key(&key) {
                return Err(DecodeError::new(Reason::GivenTwice));
            }
            let value =
                V::get_cbor(input).map_err(|error| error.in_field("value").in_index(index))?;
            map.insert(key, value);
            index += 1;
        }
        input.leave();
        Ok(map)
    }

    fn put_flat(map: &Self::Value, out: &mut FlatWriter<'_>, at: usize) {
        Self::put_pairs_flat(map.iter(), out, at);
    }

    fn get_flat(input: &mut FlatReader<'_>, block: &[u8]) -> Result<Self::Value> {
        input.enter()?;
        let blocks = input.structs(block, Self::PAIR_SIZE)?;
        let mut pairs: Vec<(K::Value, V::Value)> =
            Vec::with_capacity(blocks.len() / Self::PAIR_SIZE);
        for (index, block) in blocks.chunks_exact(Self::PAIR_SIZE).enumerate() {
            let pair = Self::get_pair_flat(input, block).map_err(|error| error.in_index(index))?;
            if pairs.last().map_or(false, |last| last.0 >= pair.0) {
                return Err(DecodeError::new(Reason::OutOfOrder));
            }
            pairs.push(pair);
        }
        input.leave();
        Ok(pairs.into_iter().collect())
    }
}
