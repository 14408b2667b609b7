// SPDX-License-Identifier: BSD-3-Clause
//! The Rust program of docs/ingress.md.

use std::time::Duration;

use echo::{block_on, Echo, EchoRequest, Error, Options};

fn main() -> Result<(), Error> {
    let second = Duration::from_secs(1);
    let echo = Echo::create(&Options::new(), "hello, ").wait(second)?;
    let mut events = echo.echoed_events()?;
    let slowly = EchoRequest {
        delay_ms: 10,
        ..EchoRequest::new("again")
    };
    let later = echo.echo(&slowly).submit();
    let now = echo.echo(&EchoRequest::new("world")).wait(second)?;
    println!("{}", now.echoed);
    println!("{}", block_on(later)?.echoed);
    if let Some(event) = events.wait(second)? {
        eprintln!("heard {}", event.value.echoed);
    }
    echo.destroy(second)
}
