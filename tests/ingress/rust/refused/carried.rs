// SPDX-License-Identifier: BSD-3-Clause
//! Ranges, tuples, sets and structs that are transparent, where they cannot work.

#[ferry::library(version = "1")]
mod ranges {
    #[ferry::range(0..=9)] //~ the type `Text`: an integer has a range, or an `Option` of one; where it is inside of another type, give it a name: `#[ferry::range(0..=9)] type Digit = u8;`
    type Text = String;
}

#[ferry::library(version = "1")]
mod ranges_of_types {
    #[ferry::range()] //~ the type `Empty`: say from where to where: `#[ferry::range(0..=9)]`
    type Empty = u8;
    #[ferry::range(..=9)] //~ the type `Open`: say from where to where: `#[ferry::range(0..=9)]`
    type Open = u8;
    #[ferry::range(0..)] //~ the type `Endless`: say from where to where: `#[ferry::range(0..=9)]`
    type Endless = u8;
    #[ferry::range(0.5..=9)] //~ the type `Half`: say from where to where: `#[ferry::range(0..=9)]`
    type Half = u8;
    #[ferry::range(5..5)] //~ the type `None`: no integer is in this range
    type None = u8;
    #[ferry::range(0..=LATER)] //~ the type `Unknown`: write a literal, a constant of this module, `T::MAX`, `T::MIN`, or a sum or product of these
    type Unknown = u8;
    #[ferry::range(-1..=256)] //~ the type `Wide`: `u8` has the integers from 0 to 255
    type Wide = u8;
    #[ferry::range(0..=9)] //~ the type `Share`: an integer has a range, or an `Option` of one; where it is inside of another type, give it a name: `#[ferry::range(0..=9)] type Digit = u8;`
    type Share = f64;
    #[ferry::range(0..=9)]
    type Digit = u8;
    #[ferry::range(1..=9)] //~ the type `Second`: `Digit` has a range already
    type Second = Digit;
    #[ferry::range(0..=9)]
    struct Number(u8); //~ #[ferry::range] stands before a field, a parameter, or a name of an integer's type: `type Stars = u8;`
    #[ferry::method]
    fn one(#[ferry::range(1..=2)] word: &str) {} //~ the parameter `word` of `one`: an integer has a range, or an `Option` of one; where it is inside of another type, give it a name: `#[ferry::range(0..=9)] type Digit = u8;`
    #[ferry::method]
    fn two(#[ferry::range(-1..=2)] word: &u8) {} //~ the parameter `word` of `two`: `u8` has the integers from 0 to 255
}

#[ferry::library(version = "1")]
mod ranges_of_fields {
    #[ferry::range(0..=9)]
    type Digit = u8;
    #[ferry::object]
    struct Row {
        #[ferry::range(0..=9)] //~ the field `cells` of `Row`: an integer has a range, or an `Option` of one; where it is inside of another type, give it a name: `#[ferry::range(0..=9)] type Digit = u8;`
        cells: Vec<u8>,
    }
    #[ferry::object]
    struct Again {
        #[ferry::range(1..=2)] //~ the field `again` of `Again`: `Digit` has a range already
        again: Digit,
    }
    #[ferry::object]
    struct Number {
        #[ferry::default(10)] //~ the field `digit` of `Number`: its default is not from 0 to 9
        digit: Digit,
    }
    #[ferry::method]
    fn one() {}
}

#[ferry::library(version = "1")]
mod tuples {
    #[ferry::object] //~ `Point`: name each field of the tuple: `#[ferry::object(first, second)]`
    type Point = (f64, f64);
    #[ferry::object(x)] //~ `Line`: name each field of the tuple: `#[ferry::object(first, second)]`
    type Line = (f64, f64);
    #[ferry::object(x, y, z)] //~ `Plane` has 2 fields, and more names
    type Plane = (f64, f64);
    #[ferry::object(x)]
    type Length = f64; //~ `Length` is no tuple; #[ferry::object] stands before a struct with named fields, or a name of a tuple
    #[ferry::object]
    type Nothing = (); //~ `Nothing` has no fields; an object has at least one
    #[ferry::object(x, y)] //~ `ferry::object` takes nothing
    struct Place {
        x: f64,
    }
}

#[ferry::library(version = "1")]
mod tuples_of_what_cannot_cross {
    #[ferry::object(x, y)]
    type Point = (f64, usize); //~ the field `y` of `Point`: `usize` cannot cross; use `u64`
    #[ferry::object(x, X)] //~ hosts would see `X`, and names are snake_case of ASCII letters and digits; rename it
    type Other = (f64, f64);
    #[ferry::method]
    fn one() {}
}

#[ferry::library(version = "1")]
mod sets {
    #[ferry::object]
    struct Row {
        floats: BTreeSet<f64>, //~ the field `floats` of `Row`: `BTreeSet<f64>` cannot cross; sets are of an enum that is marked #[ferry::enumeration], of integers or of `String`
    }
    #[ferry::object]
    struct Rows {
        rows: HashSet<Vec<u8>>, //~ the field `rows` of `Rows`: `HashSet<Vec<u8>>` cannot cross; sets are of an enum that is marked #[ferry::enumeration], of integers or of `String`
    }
    #[ferry::method]
    fn one() {}
}

#[ferry::library(version = "1")]
mod transparent {
    #[ferry::transparent]
    enum Way { //~ #[ferry::transparent] stands before a struct with one value: `struct Seconds(i64);`
        Up,
    }
    #[ferry::transparent]
    struct Pair(u8, u8); //~ `Pair` has not just one value; write `struct Pair(i64);`
    #[ferry::transparent]
    struct Named { //~ `Named` has not just one value; write `struct Named(i64);`
        value: u8,
    }
    #[ferry::transparent]
    struct Words(Vec<String>); //~ the value of `Words`: what is transparent has a number, a `bool`, a `String` or a `Vec<u8>`; mark it #[ferry::object], with a field
    #[ferry::transparent]
    struct Seven(#[ferry::default(7)] u8); //~ the value of `Seven`: it has no default of its own; a field of its type has one
    #[ferry::transparent(1)] //~ `ferry::transparent` takes nothing
    struct Much(u8);
}
