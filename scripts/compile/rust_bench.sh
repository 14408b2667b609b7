#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build the benchmarks in Rust, whose crates come from a registry: scripts/compile/rust_bench.sh BUILD
# FERRY_CARGO names another cargo than the first in PATH. Where there is none, or its crates cannot be had, a line says
# so, what was built before is removed, and the exit status is 0 all the same: `ferry measure` leaves out what is
# missing.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/../../bench/rust"
programs=(blobs-rust codec-rust ingress-rust skip-rust)

leave_out() {
	echo "Rust: skipped: ${programs[*]}: $1"
	rm -f "${programs[@]/#/$build/bench/}"
	exit 0
}
cargo=${FERRY_CARGO:-cargo}
command -v "$cargo" >/dev/null || leave_out "there is no cargo; run scripts/install/deps.sh hosts, or set FERRY_CARGO"

export FERRY_LIB_DIR=$build/lib ECHO_LIB_DIR=$build/lib/echo-cpp CARGO_TARGET_DIR=$build/rust-bench
# shellcheck disable=SC2016 # the loader's $ORIGIN
RUSTFLAGS='-C link-arg=-Wl,-rpath,$ORIGIN/../lib/echo-cpp:$ORIGIN/../lib'
export RUSTFLAGS
"$cargo" fetch --locked --quiet || leave_out 'the crates of bench/rust/Cargo.lock could not be fetched'
"$cargo" build --release --locked --offline --quiet
for program in "${programs[@]}"; do
	cp "$CARGO_TARGET_DIR/release/$program" "$build/bench/"
done
