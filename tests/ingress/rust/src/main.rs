// SPDX-License-Identifier: BSD-3-Clause
//! The conformance program in Rust: everything that examples/echo/echo.json offers, awaited, waited for and submitted
//! ahead, in both wire formats. What C, C++ and Python check, this does. It prints TAP; arguments choose cases by name.

mod answers;
mod calls;
mod chains;
mod drafts;
mod events;
mod forks;
mod lives;
mod places;
mod random;
mod streams;

use std::future::Future;
use std::panic::{catch_unwind, UnwindSafe};
use std::process::exit;
use std::time::{Duration, Instant};

use echo::{Echo, EchoRequest, Options};
use ferry_ingress::wire::Wire;
use ferry_ingress::{block_on, Result, Status};

/// Waits for what other threads do are bounded, so that a fault is a failure and not a hang.
pub const PATIENCE: Duration = Duration::from_secs(60);
pub const WIRES: [Wire; 2] = [Wire::Cbor, Wire::C];

/// A case by its name.
pub type Case = (&'static str, fn());

pub fn with(wire: Wire) -> Options {
    Options::new().wire(wire)
}

pub fn create(options: &Options, prefix: &str) -> Echo {
    Echo::create(options, prefix)
        .wait(PATIENCE)
        .expect("a context")
}

pub fn request(message: &str, delay_ms: i64) -> EchoRequest {
    EchoRequest {
        message: message.to_owned(),
        delay_ms,
    }
}

/// The status of what has to fail.
pub fn status<T>(result: Result<T>) -> Status {
    result.err().expect("an error").status()
}

/// Wait until it is so.
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Await without an executor.
pub fn awaited<F: Future>(future: F) -> F::Output {
    block_on(future)
}

fn passes(case: impl FnOnce() + UnwindSafe) -> bool {
    catch_unwind(case).is_ok()
}

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    let all: Vec<Case> = [
        answers::CASES,
        calls::CASES,
        chains::CASES,
        drafts::CASES,
        lives::CASES,
        events::CASES,
        forks::CASES,
        places::CASES,
        streams::CASES,
    ]
    .concat();
    let cases: Vec<Case> = all
        .into_iter()
        .filter(|(name, _)| chosen.is_empty() || chosen.iter().any(|one| one == name))
        .collect();
    println!("1..{}", cases.len());
    let mut failed = cases.is_empty();
    for (index, (name, case)) in cases.into_iter().enumerate() {
        let ok = passes(case);
        failed |= !ok;
        println!(
            "{} {} - {name}",
            if ok { "ok" } else { "not ok" },
            index + 1
        );
    }
    exit(i32::from(failed))
}
