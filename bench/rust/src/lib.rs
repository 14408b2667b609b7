// SPDX-License-Identifier: BSD-3-Clause
//! A benchmark program in Rust, as bench/bench.h makes one in C: its options, and the lines of bench/README.md.

use std::env;
use std::fs;
use std::process::exit;
use std::time::Instant;

/// One way to do something; `run` does it n times.
pub struct Variant {
    pub name: String,
    pub run: Box<dyn FnMut(usize)>,
}

/// What a program measures.
pub struct Suite {
    pub program: &'static str,
    pub boundary: &'static str,
    pub question: &'static str,
    pub n: &'static [usize],
    pub repetitions: usize,
    pub quick_repetitions: usize,
    /// What is measured.
    pub variants: fn() -> Vec<Variant>,
    /// Whether variants are made anew for each repetition, which puts their buffers at other addresses.
    pub moves: bool,
}

struct Options {
    repetitions: usize,
    n: Vec<usize>,
    variants: Vec<String>,
    sample_ns: u128,
}

const HELP: &str = "  --quick           fewer repetitions
  --repetitions R   samples of each variant
  --n LIST          calls in one sample
  --variant LIST    only these
  --help, --version";

/// A sample is repeated until it takes as long as this, or as FERRY_SAMPLE_US says: the clock ticks in steps.
const SAMPLE_NS_LEAST: u128 = 20_000;
const SAMPLE_US_MAX: u128 = 1_000_000;

fn fail(suite: &Suite, message: &str) -> ! {
    eprintln!("{}: {message}; --help lists the options", suite.program);
    exit(2)
}

fn list<T: std::str::FromStr>(suite: &Suite, name: &str, text: Option<String>) -> Vec<T> {
    let text = text.unwrap_or_else(|| fail(suite, &format!("{name} needs a value")));
    let parse = |part: &str| {
        let value = part.parse();
        value.unwrap_or_else(|_| fail(suite, &format!("{name}: '{part}' is not allowed")))
    };
    text.split(',').map(parse).collect()
}

fn sample_ns(suite: &Suite) -> u128 {
    let text = match env::var_os("FERRY_SAMPLE_US") {
        Some(text) => text,
        None => return SAMPLE_NS_LEAST,
    };
    match text.to_str().and_then(|text| text.parse().ok()) {
        Some(us) if (1..=SAMPLE_US_MAX).contains(&us) => us * 1000,
        _ => fail(suite, &format!("FERRY_SAMPLE_US is {:?}, not a number of µs from 1 to {}", text, SAMPLE_US_MAX)),
    }
}

/// `--name=value` and `--name value` are the same, as in the benchmarks of all other languages.
fn words(argument: String) -> Vec<String> {
    match argument.split_once('=') {
        Some((name, value)) if name.starts_with("--") => vec![name.to_owned(), value.to_owned()],
        _ => vec![argument],
    }
}

fn options(suite: &Suite) -> Options {
    let mut options = Options {
        repetitions: suite.repetitions,
        n: suite.n.to_vec(),
        variants: Vec::new(),
        sample_ns: sample_ns(suite),
    };
    let mut arguments = env::args().skip(1).flat_map(words);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quick" => options.repetitions = suite.quick_repetitions,
            "--repetitions" => options.repetitions = list::<usize>(suite, &argument, arguments.next())[0],
            "--n" => options.n = list(suite, &argument, arguments.next()),
            "--variant" => options.variants = list(suite, &argument, arguments.next()),
            "--help" => {
                println!("Usage: {} [OPTIONS]\n{}\n{HELP}", suite.program, suite.question);
                exit(0)
            }
            "--version" => {
                println!("{} {}", suite.program, env!("CARGO_PKG_VERSION"));
                exit(0)
            }
            other => fail(suite, &format!("unknown option '{other}'")),
        }
    }
    if options.repetitions == 0 || options.n.contains(&0) {
        fail(suite, "--repetitions and --n are at least 1");
    }
    options
}

fn machine() -> String {
    let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let cpu = cpuinfo.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mitigations: Vec<String> = fs::read_dir("/sys/devices/system/cpu/vulnerabilities")
        .map(|entries| {
            entries
                .flatten()
                .filter_map(|entry| {
                    let state = fs::read_to_string(entry.path()).ok()?;
                    let name = entry.file_name().to_string_lossy().into_owned();
                    (state.trim() != "Not affected").then(|| format!("{name}: {}", state.trim()))
                })
                .collect()
        })
        .unwrap_or_default();
    format!(
        r#"{{"type":"machine","cpu":"{}","cores":{},"kernel":"Linux {} {}","compiler":"{}","mitigations":"{}"}}"#,
        cpu.unwrap_or("unknown"),
        std::thread::available_parallelism().map_or(1, usize::from),
        release.trim(),
        env::consts::ARCH,
        concat!("rustc ", env!("FERRY_RUSTC")),
        if mitigations.is_empty() { "not affected".to_owned() } else { mitigations.join("; ").replace('"', "'") },
    )
}

/// The least that two readings of the clock with nothing between take.
fn timer_ns() -> f64 {
    (0..2000).map(|_| Instant::now().elapsed().as_nanos()).min().unwrap_or(0) as f64
}

fn sample(variant: &mut Variant, n: usize, timer_ns: f64, least_ns: u128) -> f64 {
    // warm up: the caches and malloc are as the variant before has left them
    (variant.run)(1);
    let mut runs = 1;
    loop {
        let start = Instant::now();
        for _ in 0..runs {
            (variant.run)(n);
        }
        let took = start.elapsed().as_nanos();
        if took >= least_ns {
            return (took as f64 - timer_ns).max(0.0) / runs as f64;
        }
        runs *= 4;
    }
}

/// Make the variants that were chosen.
fn chosen(suite: &Suite, options: &Options) -> Vec<Variant> {
    let mut variants = (suite.variants)();
    for name in &options.variants {
        if !variants.iter().any(|variant| &variant.name == name) {
            let known: Vec<_> = variants.iter().map(|variant| variant.name.as_str()).collect();
            fail(suite, &format!("--variant: '{name}' is none of {}", known.join(", ")));
        }
    }
    if !options.variants.is_empty() {
        variants.retain(|variant| options.variants.contains(&variant.name));
    }
    variants
}

/// Measure as the command line says, and print the lines.
pub fn run(suite: &Suite) {
    let options = options(suite);
    let mut variants = chosen(suite, &options);
    println!("{}", machine());
    let timer_ns = timer_ns();
    println!(r#"{{"type":"calibration","name":"timer","ns":{timer_ns:.3}}}"#);
    let count = variants.len();
    for repetition in 0..options.repetitions {
        if suite.moves {
            drop(std::mem::take(&mut variants));
            variants = chosen(suite, &options);
        }
        for &n in &options.n {
            for place in 0..count {
                let variant = &mut variants[(place + repetition) % count];
                let ns = sample(variant, n, timer_ns, options.sample_ns);
                let (name, boundary) = (&variant.name, suite.boundary);
                println!(
                    r#"{{"type":"sample","boundary":"{boundary}","variant":"{name}","unit":"ns","n":{n},"repetition":{repetition},"ns":{ns:.3}}}"#
                );
            }
        }
    }
}
