// SPDX-License-Identifier: BSD-3-Clause
//! What stands before the wrong item, and what an item lacks.

#[ferry::library]
struct NoModule; //~ #[ferry::library] stands before a module with its items: `mod notes { … }`

#[ferry::method]
fn outside() {} //~ #[ferry::method] stands in a module that is marked #[ferry::library]; this item stands in none

#[ferry::library(version = "1")]
mod marks {
    #[ferry::metod] //~ there is no `ferry::metod`; there are `constant`, `object`, `enumeration`, `variant`, `handle`, `range`, `transparent`, `constructor`, `destructor`, `method`, `event`, `ask` and `default`
    fn one() {}
    #[ferry::object]
    enum Two {} //~ #[ferry::object] stands before a struct with named fields
    #[ferry::object]
    struct Three(u32); //~ `Three` has no named fields; write `struct Three { … }`
    #[ferry::object]
    struct Four {} //~ `Four` has no fields; an object has at least one
    #[ferry::enumeration]
    struct Five; //~ #[ferry::enumeration] stands before an enum
    #[ferry::enumeration]
    enum Six {
        Circle(f64), //~ `Six::Circle` carries a value; mark the enum #[ferry::variant]
    }
    #[ferry::enumeration]
    enum Seven {} //~ `Seven` has no values; an enum has at least one
    #[ferry::enumeration]
    enum Eight {
        Large = 1 << 40, //~ `Eight::Large` is 1099511627776; values are of 32 bits
    }
    #[ferry::object]
    struct Nine<T> { //~ `Nine` is generic, and hosts know of no generics; write it out
        value: T,
    }
    #[ferry::method(again)] //~ `ferry::method` takes `idempotent` or nothing
    fn ten() {}
    #[ferry::method]
    fn eleven(); //~ `eleven` has no body; only events and questions have none
    #[ferry::constant]
    #[ferry::method] //~ an item has one attribute of Ferry's
    fn twelve() {}
    #[ferry::constructor]
    fn thirteen() -> Self {} //~ the constructor `thirteen` stands in the `impl` of what it makes
    impl Fourteen {
        #[ferry::constructor]
        fn fourteen() -> u32 {} //~ the constructor `fourteen` returns `Self` or a `Result` of it
        #[ferry::event] //~ `ferry::event` stands before an item of the module, not in an `impl`
        fn fifteen(context: &Context<Self>);
    }
    impl Display for Sixteen {
        #[ferry::method] //~ functions that are marked stand in `impl NAME { … }` or beside it, not in a trait's or a generic `impl`
        fn sixteen(&self) {}
    }
}

#[ferry::library(version = "1")]
mod constants {
    #[ferry::constant]
    const ONE: u8 = 256; //~ the constant `ONE`: its value is not of its type
    #[ferry::constant]
    const TWO: Vec<u8> = Vec::new(); //~ the constant `TWO`: it is of a number's type, a `bool` or a `&str`
    #[ferry::constant]
    const THREE: u32 = compute(); //~ the constant `THREE`: write a literal, a constant of this module, `T::MAX`, `T::MIN`, or a sum or product of these
    #[ferry::constant]
    static FOUR: u32 = 4; //~ #[ferry::constant] stands before a `const`
}

#[ferry::library(name = "m", version = "1")] //~ libm.so is another library; choose another name: `#[ferry::library(name = "…")]`
mod names {
    #[ferry::object]
    struct a_note { //~ hosts would see `a_note`, and names are CamelCase of ASCII letters and digits; rename it
        text: String,
    }
    #[ferry::object]
    struct Style {
        theText: String, //~ hosts would see `theText`, and names are snake_case of ASCII letters and digits; rename it
    }
    #[ferry::object]
    struct Twice {
        a_b: u32,
        ab: u32, //~ `ab` and `a_b` differ only in case and `_`, which hosts may not see; rename one
    }
    #[ferry::object]
    struct OneParams {
        text: String,
    }
    #[ferry::method]
    fn one() {} //~ there are two types called `OneParams`; rename one
    mod inner {}
    impl Other {
        #[ferry::method]
        fn one() {} //~ there are two methods called `one`; rename one
    }
}

#[ferry::library(version = "1")]
mod defaults {
    #[ferry::enumeration]
    #[derive(Clone, Copy)]
    enum Color {
        Red,
        Green = 0, //~ `green` is 0 as `red` is; give each value its own
    }
    #[ferry::object]
    struct One {
        #[ferry::default("three")] //~ the field `stars` of `One`: its default is not of its type
        stars: u8,
    }
    #[ferry::object]
    struct Two {
        #[ferry::default(Color::Blue)] //~ the field `color` of `Two`: `Color` has no value `Blue`
        color: Color,
    }
    #[ferry::object]
    struct Three {
        #[ferry::default(None)] //~ the field `text` of `Three`: an `Option` may be left out already, and is `None` then
        text: Option<String>,
    }
    #[ferry::object]
    struct Four {
        #[ferry::default(0)] //~ the field `words` of `Four`: numbers, `bool`, `String` and enums have defaults; leave it out
        words: Vec<String>,
    }
    #[ferry::method]
    fn version() {}
}
#[ferry::library(version = "1")]
mod variants {
    #[ferry::variant]
    struct One; //~ #[ferry::variant] stands before an enum
    #[ferry::variant]
    enum Two { //~ no case of `Two` carries anything; mark it #[ferry::enumeration]
        Full,
    }
    #[ferry::variant]
    enum Three {
        Full { text: String }, //~ `Three::Full` has named fields; put them into a struct that is marked #[ferry::object], and write `Full(THAT)`
    }
    #[ferry::variant]
    enum Four {
        Full(u32, u32), //~ `Four::Full` carries not just one value; put several into a struct that is marked #[ferry::object], and leave the parentheses out where it carries nothing
    }
    #[ferry::variant]
    enum Five {
        Full = 1, //~ `Five::Full` has a number; cases are numbered by their places
    }
}
