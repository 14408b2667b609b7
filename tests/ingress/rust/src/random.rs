// SPDX-License-Identifier: BSD-3-Clause
//! Random values of the echo library's types, from a seed.

use std::collections::BTreeMap;

use echo::{AllTypes, Color, EchoRequest, Tree};

/// xorshift64*; Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled".
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() >> 33) as usize % limit
    }

    pub fn chance(&mut self) -> bool {
        self.bits() >> 63 == 1
    }

    /// An integer of any magnitude.
    fn integer(&mut self) -> i64 {
        let shift = self.below(64);
        self.bits() as i64 >> shift
    }

    fn float(&mut self) -> f64 {
        match self.below(5) {
            0 => f64::from_bits(self.bits()),
            1 => self.integer() as f64,
            2 => f64::from(f32::from_bits(self.bits() as u32)),
            3 => f64::INFINITY,
            _ => self.below(2048) as f64 / 1024.0,
        }
    }

    /// NaN is not equal to itself, so there is none here.
    fn number(&mut self) -> f64 {
        let value = self.float();
        if value.is_nan() {
            0.0
        } else {
            value
        }
    }

    pub fn text(&mut self) -> String {
        let length = [0, 1, 5, 23, 24, 40, 300][self.below(7)];
        let choices = ['a', 'z', '\0', 'ö', '€', '\u{1f600}', '"'];
        (0..length)
            .map(|_| choices[self.below(choices.len())])
            .collect()
    }

    fn bytes(&mut self) -> Vec<u8> {
        let length = [0, 1, 7, 8, 9, 255, 256][self.below(7)];
        (0..length).map(|_| self.bits() as u8).collect()
    }

    fn color(&mut self) -> Color {
        [Color::None, Color::Red, Color::Green, Color::Blue][self.below(4)]
    }

    fn some<T>(&mut self, make: impl FnOnce(&mut Random) -> T) -> Option<T> {
        self.chance().then(|| make(self))
    }

    fn seq<T>(&mut self, mut make: impl FnMut(&mut Random) -> T) -> Vec<T> {
        let count = self.below(5);
        (0..count).map(|_| make(self)).collect()
    }

    pub fn request(&mut self) -> EchoRequest {
        EchoRequest {
            message: self.text(),
            delay_ms: self.integer(),
        }
    }

    pub fn all_types(&mut self) -> AllTypes {
        AllTypes {
            a_bool: self.chance(),
            an_i8: self.integer() as i8,
            an_i16: self.integer() as i16,
            an_i32: self.integer() as i32,
            an_i64: self.integer(),
            a_u8: self.integer() as u8,
            a_u16: self.integer() as u16,
            a_u32: self.integer() as u32,
            a_u64: self.integer() as u64,
            an_f32: self.number() as f32,
            an_f64: self.number(),
            a_string: self.text(),
            some_bytes: self.bytes(),
            a_color: self.color(),
            an_object: self.request(),
            maybe_number: self.some(|random| random.integer() as i32),
            maybe_text: self.some(Random::text),
            maybe_object: self.some(Random::request),
            maybe_color: self.some(Random::color),
            numbers: self.seq(Random::number),
            flags: self.seq(Random::chance),
            colors: self.seq(Random::color),
            rows: self.seq(|random| random.seq(|random| random.integer() as i32)),
            maybe_words: self.seq(|random| random.some(Random::text)),
            blobs: self.seq(Random::bytes),
            text_by_number: self.map(|random| (random.integer() as i32, random.text())),
            number_by_text: self.map(|random| (random.text(), random.integer())),
            objects_by_text: self.map(|random| (random.text(), random.request())),
        }
    }

    fn map<K: Ord, V>(&mut self, make: impl FnMut(&mut Random) -> (K, V)) -> BTreeMap<K, V> {
        self.seq(make).into_iter().collect()
    }

    /// A tree of at most that many levels.
    pub fn tree(&mut self, levels: u32) -> Tree {
        let children = if levels > 1 {
            self.seq(|random| random.tree(levels - 1))
        } else {
            Vec::new()
        };
        Tree {
            name: self.text(),
            children,
        }
    }
}
