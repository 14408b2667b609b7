// SPDX-License-Identifier: BSD-3-Clause
//! The Rust program of docs/ingress-chains.md.

use std::time::Duration;

use echo::{Echo, Error, Options};

fn main() -> Result<(), Error> {
    let seconds = Duration::from_secs(10);
    let echo = Echo::create(&Options::new(), "hello, ").wait(seconds)?;
    let mut chain = echo.chain();
    let reader = chain.open("a text");
    let start = chain.read(&reader, 6);

    chain.close(&reader);
    let results = chain.submit(seconds)?;
    println!("{}", start.result(&results)?.unwrap_or_default());
    Ok(())
}
