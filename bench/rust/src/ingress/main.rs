// SPDX-License-Identifier: BSD-3-Clause
//! What does a typed call from Rust to a library on a thread of its own cost?
//!
//! As bench/ingress/host_cpp.cpp asks in C++: values are encoded, cross, are decoded by the library, answered and
//! decoded again. Which library that is, the loader decides. @ is the number of threads. With --latency the program prints
//! percentiles of single calls instead.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use echo::{block_on, Echo, EchoRequest, EchoResponse, Options};
use ferry_bench::{run, Suite, Variant};
use ferry_ingress::wire::Wire;
use ferry_ingress::Call;

/// Requests under way in the lanes that do not wait.
const WINDOW: usize = 64;
/// Bytes of a large payload.
const LARGE: usize = 65536;
const LATENCY_CALLS: usize = 20_000;
const PATIENCE: Duration = Duration::from_secs(60);

fn open(wire: Wire) -> Arc<Echo> {
    // no event of a run is lost
    let options = Options::new().wire(wire).queue_depth(1 << 12).event_depth(1 << 17);
    Arc::new(Echo::create(&options, "").wait(PATIENCE).expect("a context"))
}

fn request() -> EchoRequest {
    EchoRequest { message: "hello world".to_owned(), delay_ms: 0 }
}

/// Run `work` on that many threads, each with its share of n.
fn together(threads: usize, n: usize, work: impl Fn(usize) + Sync) {
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(|| work(n / threads));
        }
        work(n / threads);
    });
}

fn ask(echo: &Echo, n: usize) {
    let request = request();
    for _ in 0..n {
        echo.echo(&request).wait(PATIENCE).expect("an echo");
    }
}

fn ask_large(echo: &Echo, payload: &[u8], n: usize) {
    for _ in 0..n {
        assert_eq!(echo.bytes(payload).wait(PATIENCE).expect("bytes").len(), LARGE);
    }
}

/// Futures that are submitted at once and awaited in their order.
fn later(echo: &Echo, n: usize) {
    let request = request();
    let mut sent: VecDeque<Call<EchoResponse>> = VecDeque::with_capacity(WINDOW);
    for _ in 0..n {
        if sent.len() == WINDOW {
            block_on(sent.pop_front().expect("one")).expect("an echo");
        }
        sent.push_back(echo.echo(&request).submit());
    }
    for call in sent {
        block_on(call).expect("an echo");
    }
}

fn events(echo: &Echo, n: usize) {
    let noticed = Arc::new(AtomicUsize::new(0));
    let mine = noticed.clone();
    let _listener = echo
        .on_tick(move |event| {
            let lost = event.map_or(usize::MAX / 4, |event| event.lost as usize);
            assert_eq!(lost, 0, "an event was lost");
            mine.fetch_add(1, Ordering::Release);
        })
        .expect("a listener");
    echo.ticks(u32::try_from(n).expect("few")).wait(PATIENCE).expect("ticks");
    while noticed.load(Ordering::Acquire) < n {
        thread::yield_now();
    }
}

fn variants() -> Vec<Variant> {
    let mut all = Vec::new();
    for (name, wire) in [("cbor", Wire::Cbor), ("c", Wire::C)] {
        let echo = open(wire);
        let mut add = |lane: &str, call: &str, run: Box<dyn FnMut(usize)>| {
            all.push(Variant { name: format!("{lane}-{name}:{call}"), run });
        };
        for (call, threads) in [("call", 1), ("call@2", 2), ("call@8", 8)] {
            let echo = echo.clone();
            add("rust", call, Box::new(move |n| together(threads, n, |part| ask(&echo, part))));
        }
        let (one, other) = (echo.clone(), echo.clone());
        add("rust-async", "call", Box::new(move |n| later(&one, n)));
        let payload = vec![0x5a; LARGE];
        add("rust", "large", Box::new(move |n| ask_large(&other, &payload, n)));
        add("rust", "tick", Box::new(move |n| events(&echo, n)));
    }
    all
}

fn latency(lane: &str, wire: (&str, Wire), threads: usize, call: impl Fn(&Echo) + Sync) {
    let echo = open(wire.1);
    let began = Instant::now();
    let mut all: Vec<u128> = thread::scope(|scope| {
        let one = || {
            let timed = |_| {
                let start = Instant::now();
                call(&echo);
                start.elapsed().as_nanos()
            };
            (0..LATENCY_CALLS).map(timed).collect::<Vec<_>>()
        };
        let others: Vec<_> = (0..threads).map(|_| scope.spawn(one)).collect();
        others.into_iter().flat_map(|other| other.join().expect("its calls")).collect()
    });
    let rate = all.len() as f64 / began.elapsed().as_secs_f64();
    all.sort_unstable();
    println!(
        r#"{{"type":"latency","lane":"{lane}:{}","threads":{threads},"calls":{},"p50_ns":{},"p99_ns":{},"calls_per_s":{rate:.0}}}"#,
        wire.0,
        all.len(),
        all[all.len() / 2],
        all[all.len() * 99 / 100],
    );
}

fn latencies() {
    let (request, payload) = (request(), vec![0x5a; LARGE]);
    for wire in [("cbor", Wire::Cbor), ("c", Wire::C)] {
        for threads in [1, 2, 4, 8] {
            latency("ask", wire, threads, |echo| {
                echo.echo(&request).wait(PATIENCE).expect("an echo");
            });
        }
        latency("ask_large", wire, 1, |echo| ask_large(echo, &payload, 1));
        latency("future", wire, 1, |echo| {
            block_on(echo.echo(&request)).expect("an echo");
        });
    }
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("--latency") {
        return latencies();
    }
    run(&Suite {
        program: "ingress-rust",
        boundary: "ingress",
        question: "What does a typed call from Rust to a library on a thread of its own cost?",
        n: &[1000, 10_000],
        repetitions: 20,
        quick_repetitions: 5,
        variants,
        moves: false,
    });
}
