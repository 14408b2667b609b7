// SPDX-License-Identifier: BSD-3-Clause
//! Types that travel as another, wherever a type may stand.
#![deny(warnings)]

#[ferry::library(version = "1.0.0")]
pub mod carried {
    use std::collections::{BTreeSet, HashMap, HashSet};
    use std::time::Duration;

    use ferry::{Context, Failure, Question, Yields};

    #[ferry::range(LEAST..=LEAST + 4)]
    pub type Stars = u8;
    type Rating = Stars;

    #[ferry::range(-1..1)]
    type Tilt = Option<i64>;

    // a constant may come after what is made of it
    #[ferry::constant]
    pub const LEAST: u8 = 1;

    #[ferry::transparent]
    #[derive(Clone, Copy, Debug)]
    pub struct Share(#[ferry::range(0..=100)] u8);

    #[ferry::transparent]
    #[derive(Clone)]
    pub(crate) struct Key(pub(crate) Vec<u8>);

    #[ferry::object(r#type, share)]
    pub type Why = (Stars, Share);

    #[ferry::object]
    pub struct Page {
        #[ferry::default(7)]
        share: Share,
        #[ferry::default(3)]
        stars: Rating,
        tilt: Tilt,
        key: Key,
        words: BTreeSet<String>,
        numbers: HashSet<i16>,
        counts: HashMap<i32, Duration>,
    }

    #[ferry::variant]
    pub enum Place {
        Nowhere,
        At(Why),
    }

    pub struct Carried;

    #[ferry::event]
    fn rated(context: &Context<Carried>, stars: Stars);

    #[ferry::event]
    fn moved(context: &Context<Carried>, place: Why);

    #[ferry::ask]
    fn pick(context: &Context<Carried>, among: HashSet<u8>) -> Question<Rating, Why>;

    impl Carried {
        #[ferry::constructor]
        pub fn open(#[ferry::range(0..=9)] digit: Option<u8>) -> Result<Carried, Why> {
            match digit {
                Some(digit) => Err((digit, Share(digit))),
                None => Ok(Carried),
            }
        }

        #[ferry::destructor]
        pub fn close(self) {}

        #[ferry::method]
        pub fn same(&self, context: &Context<Self>, page: Page) -> Page {
            rated(context, page.stars);
            moved(context, (page.stars, page.share));
            page
        }

        /// As many stars as are wanted, of which five exist.
        #[ferry::method]
        pub fn rate(&self, stars: u8) -> Stars {
            stars
        }

        #[ferry::method]
        pub fn climb(&self, most: u8) -> Yields<Stars> {
            Yields::each(1..=most)
        }

        #[ferry::method]
        pub fn place(&self, at: Why) -> Result<Place, Failure<Why>> {
            match at {
                (1, _) => Ok(Place::Nowhere),
                (5, share) => Err(Failure::raised((5, share))),
                at => Ok(Place::At(at)),
            }
        }

        #[ferry::method]
        pub async fn choose(&self, context: &Context<Self>) -> Result<Stars, Failure> {
            Ok(pick(context, [3, 1, 2].into_iter().collect()).await?)
        }
    }
}
