// SPDX-License-Identifier: BSD-3-Clause
//! Codecs of variants, which a generated crate declares with [`variant!`](crate::variant).

/// Declare how a variant travels: its cases in their order, each with what it carries, if anything, its place, and its
/// name as an encoded key.
///
/// ```
/// use ferry_ingress::wire::{decode, encode, Wire, U8};
///
/// #[derive(Debug, PartialEq)]
/// struct Dot {
///     size: u8,
/// }
///
/// ferry_ingress::object! {
///     Dot { size: U8 = b"\x64size" }
///     sorted { size: U8 = b"\x64size" }
/// }
///
/// #[derive(Debug, PartialEq)]
/// enum Shape {
///     Nothing,
///     Dot(Dot),
/// }
///
/// ferry_ingress::variant! {
///     Shape { Nothing = 0 b"\x67nothing", Dot(Dot) = 1 b"\x63dot" }
/// }
///
/// let shape = Shape::Dot(Dot { size: 7 });
/// let mut bytes = Vec::new();
/// encode::<Shape>(Wire::Cbor, &shape, &mut bytes).unwrap();
/// assert_eq!(bytes, b"\xa1\x63dot\xa1\x64size\x07");
/// assert_eq!(decode::<Shape>(Wire::Cbor, &bytes).unwrap(), shape);
/// ```
#[macro_export]
macro_rules! variant {
    ($name:ident { $($case:ident $(($codec:ty))? = $number:literal $key:literal),+ $(,)? }) => {
        impl $crate::wire::Codec for $name {
            type Value = $name;
            type Ref = $name;
            const SIZE: usize = {
                #[allow(unused_mut)]
                let mut most = 0;
                $($(
                    if <$codec as $crate::wire::Codec>::SIZE > most {
                        most = <$codec as $crate::wire::Codec>::SIZE;
                    }
                )?)+
                let align = <$name as $crate::wire::Codec>::ALIGN;
                $crate::wire::align_up($crate::wire::align_up(4, align) + most, align)
            };
            const ALIGN: usize = {
                #[allow(unused_mut)]
                let mut most = 4;
                $($(
                    if <$codec as $crate::wire::Codec>::ALIGN > most {
                        most = <$codec as $crate::wire::Codec>::ALIGN;
                    }
                )?)+
                most
            };
            const CBOR_BYTES_LEAST: usize = {
                let mut least = usize::MAX;
                $(
                    let bytes = $key.len() + $crate::variant_case!(least $(, $codec)?);
                    if bytes < least {
                        least = bytes;
                    }
                )+
                1 + least
            };

            fn weight(value: &$name) -> usize {
                match value {
                    $(
                        $crate::variant_case!(pattern $name, $case, carried $(, $codec)?) =>
                            $crate::variant_case!(weight carried $(, $codec)?),
                    )+
                }
            }

            fn put_cbor(value: &$name, out: &mut $crate::wire::CborWriter<'_>) {
                out.map(1);
                match value {
                    $(
                        $crate::variant_case!(pattern $name, $case, carried $(, $codec)?) => {
                            out.raw($key);
                            $crate::variant_case!(put_cbor carried, out $(, $codec)?);
                        }
                    )+
                }
                out.leave();
            }

            fn get_cbor(
                input: &mut $crate::wire::CborReader<'_>,
            ) -> ::std::result::Result<$name, $crate::wire::DecodeError> {
                // the deterministic form: a short head, and the key as it is written here
                let mut items = match input.small_map()? {
                    ::std::option::Option::None => input.map(2)?,
                    ::std::option::Option::Some(1) => {
                        $(
                            if input.take($key) {
                                let value = $crate::variant_case!(get_cbor $name, $case, input, $key $(, $codec)?);
                                input.leave();
                                return ::std::result::Result::Ok(value);
                            }
                        )+
                        $crate::wire::Items::Definite(1)
                    }
                    ::std::option::Option::Some(left) => {
                        $crate::wire::Items::Definite(u64::from(left))
                    }
                };
                if !input.next(&mut items)? {
                    return ::std::result::Result::Err($crate::wire::DecodeError::new(
                        $crate::wire::Reason::Missing,
                    ));
                }
                let key = input.text()?;
                let value = match &*key {
                    $(
                        found if found == $crate::wire::field_name($key) =>
                            $crate::variant_case!(get_cbor $name, $case, input, $key $(, $codec)?),
                    )+
                    _ => {
                        return ::std::result::Result::Err($crate::wire::DecodeError::new(
                            $crate::wire::Reason::UnknownCase,
                        ))
                    }
                };
                if input.next(&mut items)? {
                    return ::std::result::Result::Err($crate::wire::DecodeError::new(
                        $crate::wire::Reason::GivenTwice,
                    ));
                }
                input.leave();
                ::std::result::Result::Ok(value)
            }

            fn put_flat(value: &$name, out: &mut $crate::wire::FlatWriter<'_>, at: usize) {
                out.enter();
                let from = at + $crate::wire::align_up(4, <$name as $crate::wire::Codec>::ALIGN);
                match value {
                    $(
                        $crate::variant_case!(pattern $name, $case, carried $(, $codec)?) => {
                            out.set(at, &i32::to_ne_bytes($number));
                            $crate::variant_case!(put_flat carried, out, from $(, $codec)?);
                        }
                    )+
                }
                out.leave();
            }

            fn get_flat(
                input: &mut $crate::wire::FlatReader<'_>,
                block: &[u8],
            ) -> ::std::result::Result<$name, $crate::wire::DecodeError> {
                input.enter()?;
                let from = $crate::wire::align_up(4, <$name as $crate::wire::Codec>::ALIGN);
                let number = i32::from_ne_bytes($crate::wire::get(block));
                #[allow(clippy::manual_range_patterns)]
                let is_known = ::std::matches!(number, $($number)|+);
                if !is_known {
                    return ::std::result::Result::Err($crate::wire::DecodeError::new(
                        $crate::wire::Reason::UnknownCase,
                    ));
                }
                $crate::wire::zeros(&block[4..from])?;
                let value = match number {
                    $(
                        $number => $crate::variant_case!(get_flat $name, $case, input, block, from, $key $(, $codec)?),
                    )+
                    _ => ::std::unreachable!(),
                };
                input.leave();
                ::std::result::Result::Ok(value)
            }
        }
    };
}

/// What [`variant!`](crate::variant) writes for one case: with a codec if it carries something.
#[doc(hidden)]
#[macro_export]
macro_rules! variant_case {
    (least) => {
        1
    };
    (least, $codec:ty) => {
        <$codec as $crate::wire::Codec>::CBOR_BYTES_LEAST
    };
    (pattern $name:ident, $case:ident, $carried:ident) => {
        $name::$case
    };
    (pattern $name:ident, $case:ident, $carried:ident, $codec:ty) => {
        $name::$case($carried)
    };
    (weight $carried:ident) => {
        0
    };
    (weight $carried:ident, $codec:ty) => {
        <$codec as $crate::wire::Codec>::weight($carried)
    };
    (put_cbor $carried:ident, $out:ident) => {
        $out.null()
    };
    (put_cbor $carried:ident, $out:ident, $codec:ty) => {
        <$codec as $crate::wire::Codec>::put_cbor($carried, $out)
    };
    (get_cbor $name:ident, $case:ident, $input:ident, $key:literal) => {{
        $crate::wire::with_field($input.null(), $key)?;
        $name::$case
    }};
    (get_cbor $name:ident, $case:ident, $input:ident, $key:literal, $codec:ty) => {
        $name::$case($crate::wire::with_field(
            <$codec as $crate::wire::Codec>::get_cbor($input),
            $key,
        )?)
    };
    (put_flat $carried:ident, $out:ident, $from:ident) => {
        let _ = $from;
    };
    (put_flat $carried:ident, $out:ident, $from:ident, $codec:ty) => {
        <$codec as $crate::wire::Codec>::put_flat($carried, $out, $from)
    };
    (get_flat $name:ident, $case:ident, $input:ident, $block:ident, $from:ident, $key:literal) => {{
        $crate::wire::zeros(&$block[$from..<$name as $crate::wire::Codec>::SIZE])?;
        $name::$case
    }};
    (get_flat $name:ident, $case:ident, $input:ident, $block:ident, $from:ident, $key:literal, $codec:ty) => {{
        let end = $from + <$codec as $crate::wire::Codec>::SIZE;
        let carried = $crate::wire::with_field(
            <$codec as $crate::wire::Codec>::get_flat($input, &$block[$from..end]),
            $key,
        )?;
        $crate::wire::zeros(&$block[end..<$name as $crate::wire::Codec>::SIZE])?;
        $name::$case(carried)
    }};
}
