// SPDX-License-Identifier: BSD-3-Clause
//! Tell the program which compiler built it.

use std::env;
use std::process::Command;

fn main() {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let done = Command::new(rustc).arg("--version").output();
    let text = done.map(|done| String::from_utf8_lossy(&done.stdout).into_owned());
    let version = text.unwrap_or_default();
    println!("cargo:rustc-env=FERRY_RUSTC={}", version.split_whitespace().nth(1).unwrap_or("unknown"));
}
