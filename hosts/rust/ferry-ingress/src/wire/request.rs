// SPDX-License-Identifier: BSD-3-Clause
//! Requests: the parameters of a method, which are lent to be encoded.

use std::borrow::Borrow;
use std::marker::PhantomData;

use super::cbor::CborWriter;
use super::compound::Opt;
use super::flat::FlatWriter;
use super::{Codec, EncodeError, Wire};

/// A parameter with its value.
pub trait Param {
    /// As [`Codec::SIZE`].
    const SIZE: usize;
    /// As [`Codec::ALIGN`].
    const ALIGN: usize;
    /// As [`Codec::is_present`].
    fn is_present(&self) -> bool;
    /// As [`Codec::weight`].
    fn weight(&self) -> usize;
    /// As [`Codec::put_cbor`], of a value that is present.
    fn put_cbor(&self, out: &mut CborWriter<'_>);
    /// As [`Codec::put_flat`].
    fn put_flat(&self, out: &mut FlatWriter<'_>, at: usize);
}

/// A parameter that has to be there.
pub struct Plain<'a, C: Codec>(&'a C::Ref, PhantomData<C>);

impl<'a, C: Codec> Plain<'a, C> {
    /// Lend a value.
    #[inline]
    pub fn new(value: &'a C::Ref) -> Self {
        Plain(value, PhantomData)
    }
}

impl<C: Codec> Param for Plain<'_, C> {
    const SIZE: usize = C::SIZE;
    const ALIGN: usize = C::ALIGN;

    #[inline]
    fn is_present(&self) -> bool {
        true
    }

    #[inline]
    fn weight(&self) -> usize {
        C::weight(self.0)
    }

    #[inline]
    fn put_cbor(&self, out: &mut CborWriter<'_>) {
        C::put_cbor(self.0, out);
    }

    #[inline]
    fn put_flat(&self, out: &mut FlatWriter<'_>, at: usize) {
        C::put_flat(self.0, out, at);
    }
}

/// A parameter that may be absent.
pub struct Maybe<'a, C: Codec>(Option<&'a C::Ref>, PhantomData<C>);

impl<'a, C: Codec> Maybe<'a, C> {
    /// Lend a value, if there is one.
    #[inline]
    pub fn new<B: Borrow<C::Ref> + ?Sized>(value: Option<&'a B>) -> Self {
        Maybe(value.map(Borrow::borrow), PhantomData)
    }
}

impl<C: Codec> Param for Maybe<'_, C> {
    const SIZE: usize = <Opt<C> as Codec>::SIZE;
    const ALIGN: usize = <Opt<C> as Codec>::ALIGN;

    #[inline]
    fn is_present(&self) -> bool {
        self.0.is_some()
    }

    #[inline]
    fn weight(&self) -> usize {
        self.0.map_or(0, C::weight)
    }

    #[inline]
    fn put_cbor(&self, out: &mut CborWriter<'_>) {
        if let Some(value) = self.0 {
            C::put_cbor(value, out);
        }
    }

    #[inline]
    fn put_flat(&self, out: &mut FlatWriter<'_>, at: usize) {
        Opt::<C>::put_flat_lent(self.0, out, at);
    }
}

/// The parameters of a method: an object that is only ever written.
pub trait Request {
    /// About how many bytes the parameters take, if they take many. A buffer is chosen by this.
    fn weight(&self) -> usize;
    /// Encode them as a whole message: `out` holds nothing else afterwards.
    fn encode(&self, wire: Wire, out: &mut Vec<u8>) -> Result<(), EncodeError>;
}

/// A request without parameters.
impl Request for () {
    #[inline]
    fn weight(&self) -> usize {
        0
    }

    #[inline]
    fn encode(&self, wire: Wire, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        out.clear();
        if wire == Wire::Cbor {
            out.push(0xa0);
        }
        Ok(())
    }
}

/// Declare a method's parameters: in their order, then in the order of their encoded keys.
///
/// ```
/// use ferry_ingress::wire::{Param, Plain, Request, Text, Wire, U32};
///
/// struct Greet<'a> {
///     text: Plain<'a, Text>,
///     times: Plain<'a, U32>,
/// }
/// ferry_ingress::request! {
///     Greet { text, times }
///     sorted { text = b"\x64text", times = b"\x65times" }
/// }
/// let mut bytes = Vec::new();
/// let request = Greet { text: Plain::new("hi"), times: Plain::new(&2) };
/// request.encode(Wire::Cbor, &mut bytes).unwrap();
/// assert_eq!(bytes, b"\xa2\x64text\x62hi\x65times\x02");
/// ```
#[macro_export]
macro_rules! request {
    (
        $name:ident { $($field:ident),+ $(,)? }
        sorted { $($sorted:ident = $key:literal),+ $(,)? }
    ) => {
        impl $crate::wire::Request for $name<'_> {
            fn weight(&self) -> usize {
                use $crate::wire::Param;
                0 $(+ self.$field.weight())+
            }

            fn encode(
                &self,
                wire: $crate::wire::Wire,
                out: &mut ::std::vec::Vec<u8>,
            ) -> ::std::result::Result<(), $crate::wire::EncodeError> {
                use $crate::wire::Param;
                fn size_of<P: Param>(_: &P) -> usize {
                    P::SIZE
                }
                fn align_of<P: Param>(_: &P) -> usize {
                    P::ALIGN
                }
                if wire == $crate::wire::Wire::Cbor {
                    let mut writer = $crate::wire::CborWriter::new(out);
                    writer.map(0 $(+ usize::from(self.$sorted.is_present()))+);
                    $(
                        if self.$sorted.is_present() {
                            writer.raw($key);
                            self.$sorted.put_cbor(&mut writer);
                        }
                    )+
                    writer.leave();
                    return writer.finish();
                }
                let mut end = 0;
                let mut most = 1;
                $(
                    most = usize::max(most, align_of(&self.$field));
                    end = $crate::wire::align_up(end, align_of(&self.$field)) + size_of(&self.$field);
                )+
                let mut writer = $crate::wire::FlatWriter::new(out, $crate::wire::align_up(end, most));
                writer.enter();
                end = 0;
                $(
                    end = $crate::wire::align_up(end, align_of(&self.$field));
                    self.$field.put_flat(&mut writer, end);
                    end += size_of(&self.$field);
                )+
                let _ = end;
                writer.leave();
                writer.finish()
            }
        }
    };
}
