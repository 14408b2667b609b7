#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build the test library on tokio, which comes from a registry: scripts/compile/rust_tokio.sh BUILD [cargo's arguments]
# FERRY_CARGO names another cargo than the first in PATH. Exit status 3, with the reason, where there is none, or its
# crates cannot be had.
set -euo pipefail
build=$(realpath "$1")
shift
root=$(realpath "$(dirname "$0")/../..")
cargo=${FERRY_CARGO:-cargo}

unavailable() {
	echo "rust_tokio.sh: $1" >&2
	exit 3
}
command -v "$cargo" >/dev/null || unavailable 'there is no cargo; run scripts/install/deps.sh hosts, or set FERRY_CARGO'
cd "$root/tests/ingress/rust/tokio"
"$cargo" fetch --locked --quiet || unavailable 'the crates of tests/ingress/rust/tokio/Cargo.lock could not be fetched'
export FERRY_LIB_DIR=$build/lib CARGO_TARGET_DIR=$build/rust-tokio
export CARGO_PROFILE_DEV_DEBUG=${CARGO_PROFILE_DEV_DEBUG:-0}
[ $# -gt 0 ] || set -- build --quiet
exec "$cargo" "$@" --locked --offline
