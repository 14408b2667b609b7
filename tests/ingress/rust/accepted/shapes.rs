// SPDX-License-Identifier: BSD-3-Clause
//! The library of nim/tests/shapes.nim, in Rust: tests/nim/test_shapes.py runs the same programs on both.
#![deny(warnings)]
#![allow(dead_code)]

#[ferry::library(version = "1.0.0")]
pub mod shapes {
    use std::collections::{BTreeSet, HashMap, HashSet};
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use ferry::Yields;

    const KEY_BYTES: usize = 2 * 2;

    #[ferry::object]
    pub struct ShapeCircle {
        radius: f64,
    }

    #[ferry::object]
    pub struct ShapeLabel {
        text: String,
    }

    #[ferry::variant]
    pub enum Shape {
        Nothing,
        Circle(ShapeCircle),
        Label(ShapeLabel),
    }

    /// What a shape is painted with.
    #[ferry::enumeration]
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Shade {
        Red = 0,
        Green = 1,
        Blue = 7,
    }

    #[ferry::transparent]
    pub struct Id(pub(crate) i64);

    #[ferry::transparent]
    struct Name(String);

    #[ferry::range(0..=100)]
    type Percent = i32;

    /// Where something is.
    #[ferry::object(
        /// From the left.
        x,
        y
    )]
    pub type Point = (f64, f64);

    /// What shapes are drawn on.
    #[ferry::object]
    pub struct Sheet {
        /// Its number.
        id: Id,
        name: Name,
        /// How much of it is taken.
        #[ferry::default(50)]
        percent: Percent,
        #[ferry::default(-1)]
        #[ferry::range(-5..10)]
        small: i8,
        corner: Point,
        corners: [Point; 2],
        key: [u8; KEY_BYTES],
        matrix: [[i32; 3]; 2],
        shades: BTreeSet<Shade>,
        at: SystemTime,
        took: Duration,
        ids: Vec<Id>,
        percents: Option<Vec<Percent>>,
        places: HashMap<String, Option<[Percent; 2]>>,
    }

    pub struct Shapes;

    impl Shapes {
        #[ferry::constructor]
        fn create() -> Shapes {
            Shapes
        }

        #[ferry::destructor]
        fn destroy(self) {}

        /// One shape after another, of each case by turns.
        #[ferry::method]
        fn draw(&self, count: u32) -> Yields<Shape> {
            Yields::each((0..count).map(|i| match i % 3 {
                0 => Shape::Nothing,
                1 => Shape::Circle(ShapeCircle { radius: i.into() }),
                _ => Shape::Label(ShapeLabel {
                    text: format!("shape {i}"),
                }),
            }))
        }

        /// The sheet.
        #[ferry::method]
        fn same(&self, sheet: Sheet) -> Sheet {
            sheet
        }

        /// All shades that are not among these.
        #[ferry::method]
        fn mixed(
            &self,
            shades: &HashSet<Shade>,
            #[ferry::range(0..=9)] _share: u16,
            _both: &[Percent; 2],
            _waited: Duration,
        ) -> HashSet<Shade> {
            let all = [Shade::Blue, Shade::Red, Shade::Green];
            all.into_iter().filter(|shade| !shades.contains(shade)).collect()
        }

        /// So many seconds after 1970.
        #[ferry::method]
        fn far(&self, seconds: i64) -> SystemTime {
            let distance = Duration::from_secs(seconds.unsigned_abs());
            if seconds < 0 {
                UNIX_EPOCH - distance
            } else {
                UNIX_EPOCH + distance
            }
        }

        /// One point after another.
        #[ferry::method]
        fn points(&self, count: u32) -> Yields<Point> {
            Yields::each((0..count).map(|i| (i.into(), -f64::from(i))))
        }
    }
}
