// SPDX-License-Identifier: BSD-3-Clause
//! Codecs of objects, which a generated crate declares with [`object!`](crate::object).

use super::cbor::CborReader;
use super::error::DecodeError;
use super::Codec;

/// The name that an encoded key holds. Keys are shorter than 256 bytes, so the head has one byte or two.
pub const fn field_name(key: &'static [u8]) -> &'static str {
    let skip = if key[0] == 0x78 { 2 } else { 1 };
    let mut name = key;
    let mut left = skip;
    while left > 0 {
        name = match name {
            [_, rest @ ..] => rest,
            [] => name,
        };
        left -= 1;
    }
    match std::str::from_utf8(name) {
        Ok(name) => name,
        Err(_) => "?",
    }
}

/// Read a field's value: `None` for a null that stands for an absent one.
#[inline]
pub fn cbor_field<C: Codec>(
    input: &mut CborReader<'_>,
    key: &'static [u8],
) -> Result<Option<C::Value>, DecodeError> {
    if input.take_null() {
        return Ok(None);
    }
    with_field(C::get_cbor(input), key).map(Some)
}

/// Add the field's name to the path, if the result is an error.
#[inline(always)]
pub fn with_field<T>(result: Result<T, DecodeError>, key: &'static [u8]) -> Result<T, DecodeError> {
    match result {
        Ok(value) => Ok(value),
        Err(error) => Err(error.in_field(field_name(key))),
    }
}

/// Declare how an object travels: its fields in their order, then in the order of their encoded keys.
///
/// ```
/// use ferry_ingress::wire::{decode, encode, Opt, Text, Wire, U32};
///
/// #[derive(Debug, PartialEq)]
/// struct Greeting {
///     text: String,
///     times: Option<u32>,
/// }
///
/// ferry_ingress::object! {
///     Greeting { text: Text = b"\x64text", times: Opt<U32> = b"\x65times" }
///     sorted { text: Text = b"\x64text", times: Opt<U32> = b"\x65times" }
/// }
///
/// let greeting = Greeting { text: "hello".to_owned(), times: None };
/// let mut bytes = Vec::new();
/// encode::<Greeting>(Wire::Cbor, &greeting, &mut bytes).unwrap();
/// assert_eq!(bytes, b"\xa1\x64text\x65hello");
/// assert_eq!(decode::<Greeting>(Wire::Cbor, &bytes).unwrap(), greeting);
/// ```
#[macro_export]
macro_rules! object {
    (
        $name:ident { $($field:ident: $codec:ty = $key:literal),+ $(,)? }
        sorted { $($sorted:ident: $sorted_codec:ty = $sorted_key:literal),+ $(,)? }
    ) => {
        $crate::object! {
            @codec $name, $name, $name { $($field),+ };
            { $($field $field: $codec = $key),+ }
            sorted { $($sorted $sorted: $sorted_codec = $sorted_key),+ }
        }
    };
    // a tuple whose fields have names for hosts, and places in Rust: `$name` stands for how it travels
    (
        tuple $name:ident = $value:ty;
        { $($field:ident $place:tt: $codec:ty = $key:literal),+ $(,)? }
        sorted { $($sorted:ident $sorted_place:tt: $sorted_codec:ty = $sorted_key:literal),+ $(,)? }
    ) => {
        $crate::object! {
            @codec $name, $value, ($($field,)+);
            { $($field $place: $codec = $key),+ }
            sorted { $($sorted $sorted_place: $sorted_codec = $sorted_key),+ }
        }
    };
    (
        @codec $name:ident, $value:ty, $made:expr;
        { $($field:ident $place:tt: $codec:ty = $key:literal),+ }
        sorted { $($sorted:ident $sorted_place:tt: $sorted_codec:ty = $sorted_key:literal),+ }
    ) => {
        impl $crate::wire::Codec for $name {
            type Value = $value;
            type Ref = $value;
            const SIZE: usize = {
                let mut end = 0;
                $(
                    end = $crate::wire::align_up(end, <$codec as $crate::wire::Codec>::ALIGN)
                        + <$codec as $crate::wire::Codec>::SIZE;
                )+
                $crate::wire::align_up(end, <$name as $crate::wire::Codec>::ALIGN)
            };
            const ALIGN: usize = {
                let mut most = 1;
                $(
                    if <$codec as $crate::wire::Codec>::ALIGN > most {
                        most = <$codec as $crate::wire::Codec>::ALIGN;
                    }
                )+
                most
            };
            const CBOR_BYTES_LEAST: usize = 1 $(
                + if <$codec as $crate::wire::Codec>::IS_REQUIRED {
                    $key.len() + <$codec as $crate::wire::Codec>::CBOR_BYTES_LEAST
                } else {
                    0
                }
            )+;

            fn weight(value: &$value) -> usize {
                0 $(+ <$codec as $crate::wire::Codec>::weight(::std::borrow::Borrow::borrow(&value.$place)))+
            }

            #[inline(always)]
            fn put_cbor(value: &$value, out: &mut $crate::wire::CborWriter<'_>) {
                let mut count = 0;
                $(
                    count += usize::from(<$sorted_codec as $crate::wire::Codec>::is_present(
                        ::std::borrow::Borrow::borrow(&value.$sorted_place),
                    ));
                )+
                out.map(count);
                $(
                    let field = ::std::borrow::Borrow::borrow(&value.$sorted_place);
                    if <$sorted_codec as $crate::wire::Codec>::is_present(field) {
                        out.raw($sorted_key);
                        <$sorted_codec as $crate::wire::Codec>::put_cbor(field, out);
                    }
                )+
                out.leave();
            }

            fn get_cbor(
                input: &mut $crate::wire::CborReader<'_>,
            ) -> ::std::result::Result<$value, $crate::wire::DecodeError> {
                $(
                    let mut $sorted: ::std::option::Option<<$sorted_codec as $crate::wire::Codec>::Value> =
                        ::std::option::Option::None;
                )+
                // no type of a library has such a name
                #[allow(non_camel_case_types)]
                struct Fields_ {
                    $($sorted: bool,)+
                }
                let mut seen = Fields_ { $($sorted: false,)+ };
                // the deterministic form: a short head, and keys in their order
                let mut items = match input.small_map()? {
                    ::std::option::Option::None => input.map(2)?,
                    ::std::option::Option::Some(mut left) => {
                        $(
                            if left > 0 && input.take($sorted_key) {
                                left -= 1;
                                seen.$sorted = true;
                                $sorted = $crate::wire::cbor_field::<$sorted_codec>(input, $sorted_key)?;
                            }
                        )+
                        $crate::wire::Items::Definite(u64::from(left))
                    }
                };
                // a message in any other form is read on from where it differs: so nothing is read twice, however deep
                // objects nest
                while input.next(&mut items)? {
                    let key = match input.key()? {
                        ::std::option::Option::Some(key) => key,
                        ::std::option::Option::None => {
                            input.skip()?;
                            continue;
                        }
                    };
                    $(
                        if key == $crate::wire::field_name($sorted_key) {
                            if ::std::mem::replace(&mut seen.$sorted, true) {
                                return $crate::wire::with_field(
                                    ::std::result::Result::Err($crate::wire::DecodeError::new(
                                        $crate::wire::Reason::GivenTwice,
                                    )),
                                    $sorted_key,
                                );
                            }
                            $sorted = $crate::wire::cbor_field::<$sorted_codec>(input, $sorted_key)?;
                            continue;
                        }
                    )+
                    input.skip()?;
                }
                input.leave();
                $(
                    let $field = match $field.or_else(<$codec as $crate::wire::Codec>::absent) {
                        ::std::option::Option::Some(value) => value,
                        ::std::option::Option::None => {
                            return $crate::wire::with_field(
                                ::std::result::Result::Err($crate::wire::DecodeError::new(
                                    $crate::wire::Reason::Missing,
                                )),
                                $key,
                            );
                        }
                    };
                )+
                ::std::result::Result::Ok($made)
            }

            #[inline(always)]
            fn put_flat(value: &$value, out: &mut $crate::wire::FlatWriter<'_>, at: usize) {
                out.enter();
                let mut end = 0;
                $(
                    end = $crate::wire::align_up(end, <$codec as $crate::wire::Codec>::ALIGN);
                    <$codec as $crate::wire::Codec>::put_flat(
                        ::std::borrow::Borrow::borrow(&value.$place),
                        out,
                        at + end,
                    );
                    end += <$codec as $crate::wire::Codec>::SIZE;
                )+
                let _ = end;
                out.leave();
            }

            // inlined, so that the value is not returned through memory: see mod.rs on stalls
            #[inline(always)]
            fn get_flat(
                input: &mut $crate::wire::FlatReader<'_>,
                block: &[u8],
            ) -> ::std::result::Result<$value, $crate::wire::DecodeError> {
                input.enter()?;
                let mut end = 0;
                $(
                    let from = $crate::wire::align_up(end, <$codec as $crate::wire::Codec>::ALIGN);
                    $crate::wire::zeros(&block[end..from])?;
                    end = from + <$codec as $crate::wire::Codec>::SIZE;
                    let $field = $crate::wire::with_field(
                        <$codec as $crate::wire::Codec>::get_flat(input, &block[from..end]),
                        $key,
                    )?;
                )+
                $crate::wire::zeros(&block[end..<$name as $crate::wire::Codec>::SIZE])?;
                input.leave();
                ::std::result::Result::Ok($made)
            }
        }
    };
}
