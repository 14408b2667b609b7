// SPDX-License-Identifier: BSD-3-Clause
//! Drafts: values of which parts are promised, as arguments of calls of a chain.
//!
//! What is put into a draft is encoded at once, in format `cbor`, each part by itself: the pairs of an object or of a
//! variant, the elements of a sequence. So parts can be replaced, and places in them stay what they are until the whole
//! is appended to a call.

use std::fmt;
use std::marker::PhantomData;

use crate::argument::{Argument, Taken};
use crate::chain::{Case, Field};
use crate::wire::{encode_cbor, CborReader, CborWriter, Codec, Map, MapKey, Opt, Seq};

/// A value of which parts are promised, which travels as `C`: an argument of calls of a chain, or a part of another draft.
///
/// ```ignore
/// chain.echo(Draft::of(&EchoRequest::new("")).put(EchoRequest::MESSAGE, &text));
/// ```
pub struct Draft<C> {
    is_sequence: bool,
    parts: Vec<Part>,
    /// Whether a part was over the format's limits.
    has_failed: bool,
    _value: PhantomData<fn() -> C>,
}

/// A pair, or an element, which has no key.
#[derive(Clone)]
struct Part {
    key: Vec<u8>,
    value: Vec<u8>,
    /// By their places in `value`.
    taken: Vec<Taken>,
}

impl<C> Draft<C> {
    fn new(is_sequence: bool) -> Draft<C> {
        Draft {
            is_sequence,
            parts: Vec::new(),
            has_failed: false,
            _value: PhantomData,
        }
    }

    fn part<F: Codec>(&mut self, key: Vec<u8>, value: &impl Argument<F>) -> Part {
        let mut part = Part {
            key,
            value: Vec::new(),
            taken: Vec::new(),
        };
        let mut out = CborWriter::new(&mut part.value);
        if value.is_present() {
            value.put_cbor(&mut out);
        } else {
            out.null();
        }
        self.has_failed |= out.finish().is_err();
        value.take(0, &mut part.taken);
        part
    }

    /// Put a pair where its key belongs, in the place of one with the same key.
    fn put_pair(&mut self, part: Part) {
        self.parts.retain(|other| other.key != part.key);
        let place = self.parts.partition_point(|other| other.key < part.key);
        self.parts.insert(place, part);
    }

    fn put_cbor(&self, out: &mut CborWriter<'_>) {
        if self.is_sequence {
            out.array(self.parts.len());
        } else {
            out.map(self.parts.len());
        }
        for part in &self.parts {
            out.raw(&part.key);
            out.raw(&part.value);
        }
        out.leave();
        if self.has_failed {
            out.fail();
        }
    }

    fn take(&self, at: usize, taken: &mut Vec<Taken>) {
        let mut head = Vec::new();
        CborWriter::new(&mut head).array(self.parts.len());
        let mut at = at + head.len();
        for part in &self.parts {
            at += part.key.len();
            taken.extend(part.taken.iter().map(|one| one.behind(at)));
            at += part.value.len();
        }
    }
}

impl<C: Codec<Value = C, Ref = C>> Draft<C> {
    /// A draft of an object, with all that it has until something is put there.
    pub fn of(object: &C) -> Draft<C> {
        let mut draft = Draft::new(false);
        let mut whole = Vec::new();
        draft.has_failed = encode_cbor::<C>(object, &mut whole).is_err();
        draft.parts = pairs(&whole).unwrap_or_default();
        draft
    }

    /// Put a promise, a draft or a value into a field.
    #[must_use = "this returns the draft"]
    pub fn put<F: Codec>(mut self, field: Field<C, F>, value: impl Argument<F>) -> Draft<C> {
        let part = self.part(named(field.name), &value);
        if value.is_present() {
            self.put_pair(part);
        } else {
            self.parts.retain(|other| other.key != part.key);
        }
        self
    }

    /// A draft of a variant of this case: `Draft::case(Place::SHELF, &shelf)`.
    pub fn case<F: Codec>(case: Case<C, F>, value: impl Argument<F>) -> Draft<C> {
        let mut draft = Draft::new(false);
        let part = draft.part(named(case.name), &value);
        draft.parts.push(part);
        draft
    }
}

impl<C: Codec> Draft<Seq<C>> {
    /// A draft of a sequence, which is empty.
    pub fn list() -> Draft<Seq<C>> {
        Draft::new(true)
    }

    /// Append a promise, a draft or a value to a sequence.
    #[must_use = "this returns the draft"]
    pub fn push(mut self, value: impl Argument<C>) -> Draft<Seq<C>> {
        let part = self.part(Vec::new(), &value);
        self.parts.push(part);
        self
    }
}

impl<K: MapKey, V: Codec> Draft<Map<K, V>>
where
    K::Value: Ord,
{
    /// A draft of a map, which is empty.
    pub fn map() -> Draft<Map<K, V>> {
        Draft::new(false)
    }

    /// Put a promise, a draft or a value into a map, in the place of what has the same key.
    #[must_use = "this returns the draft"]
    pub fn insert(mut self, key: &K::Ref, value: impl Argument<V>) -> Draft<Map<K, V>> {
        let mut encoded = Vec::new();
        K::put_cbor(key, &mut CborWriter::new(&mut encoded));
        let part = self.part(encoded, &value);
        self.put_pair(part);
        self
    }
}

/// The key of a field or a case.
fn named(name: &str) -> Vec<u8> {
    let mut key = Vec::new();
    CborWriter::new(&mut key).text(name);
    key
}

/// Take an object that was just encoded apart.
fn pairs(whole: &[u8]) -> Option<Vec<Part>> {
    let mut input = CborReader::new(whole);
    let mut items = input.map(2).ok()?;
    let mut parts = Vec::new();
    while input.next(&mut items).ok()? {
        let begin = whole.len() - input.remaining();
        input.skip().ok()?;
        let middle = whole.len() - input.remaining();
        input.skip().ok()?;
        let end = whole.len() - input.remaining();
        parts.push(Part {
            key: whole[begin..middle].to_vec(),
            value: whole[middle..end].to_vec(),
            taken: Vec::new(),
        });
    }
    Some(parts)
}

/// Drafts of what travels as `C`: for an argument that travels as that, and for an option of that.
macro_rules! drafted {
    ($($argument:ty, $draft:ty;)+) => {$(
        impl<C: Codec> Argument<$argument> for $draft {
            fn put_cbor(&self, out: &mut CborWriter<'_>) {
                Draft::put_cbor(self, out);
            }

            fn take(&self, at: usize, taken: &mut Vec<Taken>) {
                Draft::take(self, at, taken);
            }
        }
    )+};
}

drafted! {
    C, Draft<C>;
    C, &Draft<C>;
    Opt<C>, Draft<C>;
    Opt<C>, &Draft<C>;
}

impl<C> Clone for Draft<C> {
    fn clone(&self) -> Self {
        Draft {
            is_sequence: self.is_sequence,
            parts: self.parts.clone(),
            has_failed: self.has_failed,
            _value: PhantomData,
        }
    }
}

impl<C> fmt::Debug for Draft<C> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Draft")
            .field("parts", &self.parts.len())
            .finish_non_exhaustive()
    }
}
