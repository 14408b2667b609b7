// SPDX-License-Identifier: BSD-3-Clause
//! Finds libferryingress: in the folder that FERRY_LIB_DIR names, or where pkg-config says.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=FERRY_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    let folders = match env::var("FERRY_LIB_DIR") {
        Ok(folder) => vec![folder],
        Err(_) => pkg_config_folders(),
    };
    for folder in &folders {
        println!("cargo:rustc-link-search=native={folder}");
    }
    println!("cargo:rustc-link-lib=dylib=ferryingress");
    println!("cargo:folders={}", folders.join(":"));
}

/// The folders of pkg-config's `-L` flags. There are none when the library lies where the linker looks anyway.
fn pkg_config_folders() -> Vec<String> {
    let done = Command::new("pkg-config")
        .args(["--libs-only-L", "ferryingress"])
        .output();
    match done {
        Ok(done) if done.status.success() => String::from_utf8_lossy(&done.stdout)
            .split_whitespace()
            .filter_map(|flag| flag.strip_prefix("-L").map(str::to_owned))
            .collect(),
        _ => {
            println!(
                "cargo:warning=pkg-config does not know ferryingress: set PKG_CONFIG_PATH to where \
                 ferryingress.pc is, or FERRY_LIB_DIR to where libferryingress.so is"
            );
            Vec::new()
        }
    }
}
