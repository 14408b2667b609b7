// SPDX-License-Identifier: BSD-3-Clause
//! The Rust program of docs/ingress.md.

use std::time::Duration;

use echo::{block_on, Echo, EchoRequest, Error, Options};

fn request(message: &str, delay_ms: i64) -> EchoRequest {
    EchoRequest {
        message: message.to_owned(),
        delay_ms,
    }
}

fn main() -> Result<(), Error> {
    let second = Duration::from_secs(1);
    let echo = Echo::create(&Options::new(), "hello, ").wait(second)?;
    let mut events = echo.echoed_events()?;
    let later = echo.echo(&request("again", 10)).submit();
    println!("{}", echo.echo(&request("world", 0)).wait(second)?.echoed);
    println!("{}", block_on(later)?.echoed);
    if let Some(event) = events.wait(second)? {
        eprintln!("heard {}", event.value.echoed);
    }
    echo.destroy(second)
}
