// SPDX-License-Identifier: BSD-3-Clause
//! Safe Rust stays safe: contexts, subscriptions, streams, calls, creations and wakers are dropped in every order, from
//! host threads, from the library thread (a waker) and from the event thread (a listener), with the echo library.
//!
//! `echo-drops [SEEDS]` tries so many seeds (40 without it); FERRY_SEED is the first, which a failure names, and with
//! FERRY_STRESS_SECONDS it goes on that long. Run with AddressSanitizer by tests/ingress/test_drops.py; the same steps
//! run under Miri in hosts/rust/ferry-ingress/tests/miri.
#![forbid(unsafe_code)]

mod directed;
mod steps;
mod things;

use std::env;
use std::io::Write;
use std::process::exit;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use echo::{Call, Creation, Echo, EchoRequest, EchoResponse, Options};
use ferry_ingress::{EventKind, Overflow};

use things::{be_host, is_host, Bag, World};

const THREADS: usize = 3;
const STEPS: usize = 60;
const BUDGET: i64 = 150;
const PATIENCE: Duration = Duration::from_secs(60);

/// The echo library.
pub struct Echoes;

impl World for Echoes {
    type Made = Echo;
    type Answer = EchoResponse;
    const TICK: EventKind = EventKind {
        number: 0,
        overflow: Overflow::DropNewest,
        depth: 0,
    };

    fn create(options: &Options, fails: bool) -> Creation<Echo> {
        Echo::create(options, if fails { "fail" } else { "" })
    }

    fn close(made: Echo, timeout: Duration) {
        let _ = made.destroy(timeout);
    }

    fn call(made: &Echo, is_large: bool) -> Call<EchoResponse> {
        made.echo(&request("x".repeat(if is_large { 9000 } else { 9 }), 0))
    }

    fn slow(made: &Echo) -> Call<EchoResponse> {
        made.echo(&request("slow".to_owned(), 3))
    }

    fn ticks(made: &Echo, count: u32) -> Call<()> {
        made.ticks(count)
    }
}

fn request(message: String, delay_ms: i64) -> EchoRequest {
    EchoRequest { message, delay_ms }
}

/// Wait until nobody but this thread has the bag: everything that was handed out came to its end.
fn until_all_is_gone(bag: &Arc<Bag<Echoes>>) -> bool {
    let deadline = Instant::now() + PATIENCE;
    while Arc::strong_count(bag) > 1 {
        if Instant::now() > deadline {
            return false;
        }
        bag.empty();
        thread::sleep(Duration::from_micros(200));
    }
    true
}

fn storm(seed: u64) -> Result<(), String> {
    let bag: Arc<Bag<Echoes>> = Bag::new(seed, BUDGET);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                be_host();
                for _ in 0..STEPS {
                    steps::step(&bag);
                }
            });
        }
    });
    bag.empty();
    if !until_all_is_gone(&bag) {
        return Err("something that was dropped is still referred to".to_owned());
    }
    match bag.faults().first() {
        Some(fault) => Err((*fault).to_owned()),
        None => Ok(()),
    }
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

fn now_ns() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |now| now.as_nanos() as u64)
}

fn main() {
    be_host();
    // panics in callbacks are part of it
    std::panic::set_hook(Box::new(|panic| {
        if is_host() {
            eprintln!("{panic}");
        }
    }));
    for (name, run) in directed::CASES {
        run();
        println!("ok {name}");
    }
    let seeds = env::args().nth(1).and_then(|seeds| seeds.parse().ok());
    let first = number("FERRY_SEED").unwrap_or_else(now_ns);
    let until = Instant::now() + Duration::from_secs(number("FERRY_STRESS_SECONDS").unwrap_or(0));
    let mut seed = first;
    while seed - first < seeds.unwrap_or(40) || Instant::now() < until {
        // said before, since what goes wrong may end the process
        println!("# FERRY_SEED={seed}");
        let _ = std::io::stdout().flush();
        if let Err(fault) = storm(seed) {
            println!("not ok: {fault}; run again with FERRY_SEED={seed}");
            exit(1);
        }
        seed += 1;
    }
    println!("ok {} seeds", seed - first);
}
