// SPDX-License-Identifier: BSD-3-Clause
//! Types that cannot cross.

#[ferry::library(version = "1")]
mod of_fields {
    #[ferry::object]
    struct Note {
        when: Instant, //~ the field `when` of `Note`: `Instant` cannot cross; use a `SystemTime`, or the `Duration` since then
    }
    #[ferry::object]
    struct Word {
        count: usize, //~ the field `count` of `Word`: `usize` cannot cross; use `u64`
    }
    #[ferry::object]
    struct Pair {
        both: (u32, u32), //~ the field `both` of `Pair`: `(u32, u32)` cannot cross; give it a name, and its fields: `#[ferry::object(first, second)] type Pair = (u32, u32);`
    }
    #[ferry::object]
    struct Row {
        cells: [usize; 4], //~ the field `cells` of `Row`: `usize` cannot cross; use `u64`
    }
    #[ferry::object]
    struct Words {
        counts: std::collections::HashMap<f64, u64>, //~ `std::collections::HashMap<f64, u64>` cannot cross; keys are integers or a `String`
    }
    #[ferry::object]
    struct Flags {
        named: BTreeMap<bool, u64>, //~ the field `named` of `Flags`: `BTreeMap<bool, u64>` cannot cross; keys are integers or a `String`
    }
    #[ferry::object]
    struct Doubt {
        text: Option<Option<String>>, //~ cannot cross; one `Option` is enough
    }
    #[ferry::object]
    struct Page {
        note: Vec<Note2>, //~ the field `note` of `Page`: `Note2` cannot cross; mark its declaration in this module with #[ferry::object], #[ferry::enumeration], #[ferry::variant] or #[ferry::handle]
    }
    #[ferry::handle]
    struct Reader;
    #[ferry::object]
    struct Shelf {
        reader: Reader, //~ the field `reader` of `Shelf`: `Reader` cannot cross; its objects stay here: use `Handle<Reader>`
    }
    #[ferry::method]
    fn version() -> u32 {
        1
    }
}

#[ferry::library(version = "1")]
mod of_functions {
    #[ferry::method]
    fn one(letter: char) {} //~ the parameter `letter` of `one`: `char` cannot cross; use `u32` or `String`
    #[ferry::method]
    fn two(words: &mut Vec<String>) {} //~ the parameter `words` of `two`: `&mut Vec<String>` cannot be changed for the host; return the value
    #[ferry::method]
    fn three() -> Result<usize, String> {} //~ the result of `three`: `usize` cannot cross; use `u64`
    #[ferry::method]
    fn four() -> &'static str {} //~ the result of `four`: `&'static str` cannot cross; values are owned: use `String` or `Vec`
    #[ferry::method]
    fn five() -> Result<u32, Failure<String>> {} //~ the error in the result of `five`: `String` is not marked #[ferry::enumeration], #[ferry::object] or #[ferry::variant]
    #[ferry::method]
    fn six<T>(value: T) {} //~ `six` is generic, and hosts know of no generics; write the types
    #[ferry::method]
    fn seven((left, right): (u32, u32)) {} //~ a parameter of `seven` has no name of its own; write `name: Type`
    #[ferry::method]
    fn eight(#[ferry::default(1)] times: u32) {} //~ a parameter has no attribute of Ferry's but a range; put it into an object to give it a default
    #[ferry::method]
    fn nine(value: impl Into<String>) {} //~ the parameter `value` of `nine`: `impl Into<String>` cannot cross; use a type of the table in docs/ingress-rust.md
}
