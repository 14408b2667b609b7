#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Run cargo on the Rust of hosts/rust: scripts/compile/rust.sh BUILD [cargo's arguments]
# Debian's toolchain is taken where there is one, so that every machine formats and checks alike; FERRY_CARGO names
# another cargo. Nothing is fetched. What it builds lies in BUILD/rust, and is linked with the libraries of BUILD.
set -euo pipefail
build=$(realpath "$1")
shift
root=$(realpath "$(dirname "$0")/../..")

cargo=${FERRY_CARGO:-}
if [ -z "$cargo" ] && [ -x /usr/bin/cargo ]; then
	cargo=/usr/bin/cargo
	# its subcommands and rustc too
	PATH=/usr/bin:$PATH
fi
export FERRY_LIB_DIR=$build/lib ECHO_LIB_DIR=${ECHO_LIB_DIR:-$build/nim/lib} NOTES_LIB_DIR=$build/nim/lib
export CARGO_TARGET_DIR=$build/rust CARGO_NET_OFFLINE=true
# What a debugger needs takes a quarter of the time of each build; a backtrace names functions without it.
export CARGO_PROFILE_DEV_DEBUG=${CARGO_PROFILE_DEV_DEBUG:-0} CARGO_PROFILE_TEST_DEBUG=${CARGO_PROFILE_TEST_DEBUG:-0}
export LD_LIBRARY_PATH=$build/lib:$build/nim/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
cd "$root/hosts/rust"
exec "${cargo:-cargo}" "$@"
