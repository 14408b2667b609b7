// SPDX-License-Identifier: BSD-3-Clause
// Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
//! Find libnotes: in the folder that NOTES_LIB_DIR names, or where pkg-config says.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=NOTES_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    for folder in folders() {
        println!("cargo:rustc-link-search=native={folder}");
    }
    println!("cargo:rustc-link-lib=dylib=notes");
}

/// Where to look first; none where the linker looks anyway.
fn folders() -> Vec<String> {
    if let Ok(folder) = env::var("NOTES_LIB_DIR") {
        return vec![folder];
    }
    let done = Command::new("pkg-config")
        .args(["--libs-only-L", "notes"])
        .output();
    match done {
        Ok(done) if done.status.success() => String::from_utf8_lossy(&done.stdout)
            .split_whitespace()
            .filter_map(|flag| flag.strip_prefix("-L").map(str::to_owned))
            .collect(),
        _ => {
            println!(
                "cargo:warning=pkg-config does not know notes: unless the linker finds libnotes.so anyway, \
                 set NOTES_LIB_DIR to the folder where it is"
            );
            Vec::new()
        }
    }
}
