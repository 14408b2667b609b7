// SPDX-License-Identifier: BSD-3-Clause
//! What the library echo has none of: forms of types, parameters and results.
#![deny(warnings)]
#![allow(dead_code)]

/** Has many forms.

 And a second paragraph. */
#[ferry::library(name = "forms", version = "2.1")]
pub mod anything {
    #![allow(clippy::unused_self)]
    use std::collections::BTreeMap;
    use std::fmt;

    use ferry::{Context, Failure, Handle, Held, Outcome, Question, Reply, Yields};

    pub type Seconds = i64;
    type Names = Vec<String>;

    #[ferry::constant]
    pub const KIB: u32 = 1 << 10;
    #[ferry::constant]
    pub const LARGE: u32 = 4 * KIB + (0x10 - 1_5);
    #[ferry::constant]
    pub const SMALL: f32 = 0.1;
    #[ferry::constant]
    pub const NEVER: f64 = f64::NEG_INFINITY;
    #[ferry::constant]
    pub const QUOTED: &'static str = r#"a "raw" text"#;

    #[ferry::object]
    pub struct Word {
        pub r#type: String,
        at: Seconds,
        names: Names,
        pub(crate) counts: BTreeMap<std::string::String, ::std::vec::Vec<u8>>,
        reader: Option<Handle<Reader>>,
        #[ferry::default(2)]
        share: f64,
        #[ferry::default("\u{e9}\n")]
        mark: String,
        // a comment that is none of the description's
        #[ferry::default(-1)]
        rank: i8,
    }

    /// How.
    #[ferry::enumeration]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Way {
        ByHTTPCall,
        Plain2 = KIB as isize,
    }

    #[ferry::handle]
    pub enum Reader {
        Open(u32),
        Closed,
    }

    pub struct Forms {
        calls: u32,
    }

    #[ferry::event(coalesce, depth = 16)]
    fn moved(context: &Context<Forms>, way: Way);

    #[ferry::event(drop_newest)]
    fn said(context: &Context<Forms>, text: &str);

    #[ferry::event]
    fn listed(context: &Context<Forms>, bytes: Vec<u8>);

    #[ferry::ask]
    fn hurry(context: &Context<Forms>) -> Question<()>;

    /// An error of the author's own.
    #[derive(Debug)]
    pub struct Trouble;

    impl fmt::Display for Trouble {
        fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("trouble")
        }
    }

    #[ferry::method(idempotent)]
    pub fn add(left: u32, _right: u32) -> u32 {
        left
    }

    impl Forms {
        #[ferry::constructor]
        pub fn open(context: &Context<Self>, way: Option<Way>) -> Result<Self, Failure<Way>> {
            drop(hurry(context));
            match way {
                Some(way) => Err(Failure::raised(way)),
                None => Ok(Forms { calls: 0 }),
            }
        }

        #[ferry::destructor]
        pub fn close(&mut self, _context: &Context<Self>) {
            self.calls = 0;
        }

        #[ferry::method]
        pub fn reply(&mut self, context: &Context<Self>, _words: &[Word], raw: &[u8]) -> Outcome<Seconds, Way> {
            self.calls += 1;
            said(context, "x");
            listed(context, raw.to_vec());
            moved(context, Way::ByHTTPCall);
            Ok(Reply::later(|answer| answer.give(Ok(1))))
        }

        #[ferry::method]
        pub fn fails(&mut self, held: Held<Reader>, also: &Reader) -> std::result::Result<(), Trouble> {
            drop((held, also));
            Err(Trouble)
        }

        #[ferry::method]
        pub fn later(&mut self, mut word: Word) -> Result<Reply<Word>, String> {
            word.rank += 1;
            Ok(word.into())
        }

        #[ferry::method]
        pub fn many(&mut self, r#type: u8) -> Result<Yields<u8, Way>, String> {
            Ok(Yields::each(0..r#type))
        }

        fn not_for_hosts(&self) {}
    }

    impl Default for Forms {
        fn default() -> Self {
            Forms { calls: 1 }
        }
    }
}
