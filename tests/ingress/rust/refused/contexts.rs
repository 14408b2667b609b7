// SPDX-License-Identifier: BSD-3-Clause
//! Functions of a context: how they take it, and what has to be there besides.

#[ferry::library(version = "1")]
mod without_constructor {
    impl Notes {
        #[ferry::method]
        fn add(&mut self) {} //~ `add` is a method, and there is no constructor; add one, `#[ferry::constructor]`
    }
}

#[ferry::library(version = "1")]
mod without_destructor {
    impl Notes {
        #[ferry::constructor]
        fn open() -> Notes {} //~ a library with a constructor has a destructor; add `#[ferry::destructor] fn close(self) {}`
    }
}

#[ferry::library(version = "1")]
mod two {
    impl Notes {
        #[ferry::constructor]
        fn open() -> Notes {}
        #[ferry::constructor]
        fn make() -> Notes {} //~ `make` is a second constructor; there is one at most
        #[ferry::destructor]
        fn close(self) {}
    }
}

#[ferry::library(version = "1")]
mod nothing {} //~ the library has no methods; mark functions with #[ferry::method]

#[ferry::library(version = "1")]
mod notes {
    impl Notes {
        #[ferry::constructor]
        async fn open() -> Notes {} //~ the constructor `open` is `async`, and cannot answer later; let a method do what takes long
        #[ferry::destructor]
        fn close(self, why: u32) {} //~ the destructor `close` takes nothing but `self` and the context
        #[ferry::method]
        fn end(self) {} //~ `end` takes `self`, and the context goes on; take `&self` or `&mut self`
    }
}

#[ferry::library(version = "1")]
mod parameters {
    #[ferry::enumeration]
    enum Why {
        Not,
    }
    impl Notes {
        #[ferry::method]
        fn look(&self, context: Context<Self>) {} //~ the parameter `context` of `look`: the context is lent: `&Context<Self>`
        #[ferry::method]
        fn some(&self) -> Result<Yields<u32>, Why> {} //~ the result of `some`: the errors in `Result<Yields<u32>, Why>` differ; write the same in both
        #[ferry::method]
        fn read(&self, reader: Held<Other>) {} //~ the parameter `reader` of `read`: `Other` is not marked #[ferry::handle]
    }
}

#[ferry::library(version = "1")]
mod waiting {
    impl Notes {
        #[ferry::constructor]
        fn open() -> Notes {}
        #[ferry::destructor]
        fn close(self) {}
        #[ferry::method]
        async fn wait(&mut self) {} //~ `wait` is `async` and takes `&mut self`, and other calls are served while it waits; take `&self`, and keep what changes in a `Cell` or a `RefCell`
        #[ferry::method]
        async fn reply(&self) -> Reply<u32> {} //~ `reply` is `async` and returns a `Reply`; return the value
        #[ferry::method]
        async fn titles(&self) -> Yields<String> {} //~ `titles` is `async` and yields; leave `async` out, `Yields::unfold` takes futures
        #[ferry::method]
        fn all() -> Yields<String> {} //~ `all` yields, and takes no `self`; only methods of a context yield
        #[ferry::method(idempotent)]
        fn some(&self) -> Yields<String> {} //~ `some` yields, so it is not `idempotent`: its values come once
        #[ferry::method]
        fn few(&self, credits: u32) -> Yields<String> {} //~ `few` yields, so it has `credits` already; rename the parameter
    }
    impl Others {
        #[ferry::method]
        fn elsewhere(&self) {} //~ `elsewhere` is a function of `Others`, and the constructor makes `Notes`; move it there
    }
}

#[ferry::library(version = "1")]
mod locking {
    impl Notes {
        #[ferry::constructor]
        fn open() -> Notes {}
        #[ferry::destructor]
        fn close(self) {}
        #[ferry::method]
        async fn wait(&self) {}
        #[ferry::method]
        fn add(&mut self) {} //~ `add` takes `&mut self`, and may be called while `wait`, which is `async`, waits; take `&self`, and keep what changes in a `Cell` or a `RefCell`
    }
}

#[ferry::library(version = "1")]
mod events {
    #[ferry::event]
    fn one(context: &Context<Notes>) {} //~ the event `one` has a body; end it with `;`, and the macro writes the body
    #[ferry::event]
    fn two(note: u32); //~ the event `two` takes the context first: `context: &Context<…>`
    #[ferry::event]
    fn three(context: &Context<Notes>, a: u32, b: u32); //~ the event `three` carries one value at most; use an object
    #[ferry::event]
    fn four(context: &Context<Notes>) -> u32; //~ the event `four` returns something; an event has no answer, `ferry::ask` asks
    #[ferry::event(drop_all)] //~ expected `drop_oldest`, `drop_newest`, `coalesce` or `depth = N`
    fn five(context: &Context<Notes>);
    #[ferry::event(depth = 9999999)] //~ `depth` is a number from 0 to 1048576
    fn six(context: &Context<Notes>);
    #[ferry::ask]
    fn seven(context: &Context<Notes>) -> bool; //~ the question `seven` returns a `Question`: `-> Question<bool>`
    #[ferry::ask]
    fn eight(context: &Context<Notes>, title: &str) -> Question<bool>; //~ the parameter `title` of `eight`: a question takes what it asks, owned
    #[ferry::ask]
    fn nine(context: &Context<Notes>, question: String) -> Question<bool>; //~ the parameter `question` of `nine`: every question has one already; rename it
    #[ferry::ask]
    fn ten(context: &Context<Notes>) -> Question<bool, String>; //~ the error of `ten`: `String` is not marked #[ferry::enumeration], #[ferry::object] or #[ferry::variant]
}

#[ferry::library(version = "1")]
mod asking {
    #[ferry::ask]
    fn confirm(context: &Context<Notes>) -> Question<bool>; //~ `confirm` is a question, and there is no constructor; a context asks it
    #[ferry::method]
    fn version() {}
}
