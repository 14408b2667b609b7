#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build programs in Rust with AddressSanitizer: scripts/compile/rust_asan.sh BUILD [ARGUMENT…], with
# the arguments of `cargo build`. BUILD has the core and the echo library in C++ built with it. Rust's sanitizers are
# not stable: RUSTC_BOOTSTRAP lets any rustc have them. Programs lie in BUILD/rust/x86_64-unknown-linux-gnu/debug.
set -euo pipefail
build=$(realpath "$1")
shift
scripts=$(realpath "$(dirname "$0")/..")
target=x86_64-unknown-linux-gnu

export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address -Clinker=$scripts/compile/asan_cc.sh -Clinker-flavor=gcc"
RUSTFLAGS+=" -Clink-arg=-Wl,-rpath-link,$build/lib"
export ECHO_LIB_DIR=$build/lib/echo-cpp
# a target, so that build scripts are built without
exec "$scripts/compile/rust.sh" "$build" build --target "$target" "$@"
