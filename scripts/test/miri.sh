#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Run what is unsafe in the Rust host under Miri, which finds undefined behaviour, races and leaks: scripts/test/miri.sh
# BUILD [SEEDS]. Each seed is another interleaving [2], of about 20 s. Miri runs no C: a stand-in for the core is in
# hosts/rust/ferry-ingress/tests/miri/. Exit status 3, with the reason, where Miri cannot be had.
set -euo pipefail
build=$(realpath "$1")
seeds=${2:-2}
cd "$(dirname "$0")/../../hosts/rust/ferry-ingress"

unavailable() {
	echo "miri.sh: $1" >&2
	exit 3
}
command -v rustup >/dev/null || unavailable 'there is no rustup, from which alone Miri comes'
cargo=$(rustup which --toolchain nightly cargo 2>/dev/null) ||
	unavailable 'there is no nightly; run rustup toolchain install nightly --component miri,rust-src'
PATH=$(dirname "$cargo"):$PATH
cargo miri --version >/dev/null 2>&1 ||
	unavailable 'nightly has no Miri; run rustup component add miri rust-src --toolchain nightly'

export CARGO_TARGET_DIR=$build/miri FERRY_LIB_DIR=$build/lib
export MIRIFLAGS="-Zmiri-many-seeds=0..$seeds ${MIRIFLAGS:-}"
cargo miri test --quiet --test miri "${@:3}"
