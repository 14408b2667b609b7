// SPDX-License-Identifier: BSD-3-Clause
//! Prints the shapes of a stream, and how many another has (test_shapes_hosts.py), in the format that its argument names.

#![deny(warnings)]

use std::time::Duration;

use ferry_ingress::wire::Wire;
use shapes::{Error, Options, Shape, Shapes, STREAM_CREDITS};

fn main() -> Result<(), Error> {
    let is_c = std::env::args().nth(1).as_deref() == Some("C");
    let options = Options::new().wire(if is_c { Wire::C } else { Wire::Cbor });
    let shapes = Shapes::create(&options).wait(Duration::from_secs(60))?;
    for shape in shapes.draw(4, STREAM_CREDITS) {
        match shape? {
            Shape::Nothing => println!("nothing"),
            Shape::Circle(circle) => println!("circle {:.1}", circle.radius),
            Shape::Label(label) => println!("label {}", label.text),
        }
    }
    let all = shapes
        .draw(1000, 1)
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    println!("{}", all.len());
    Ok(())
}
