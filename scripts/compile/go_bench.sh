#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build the benchmark in Go: scripts/compile/go_bench.sh BUILD
# FERRY_GO names another go than the first in PATH. Where there is none, a line says so, what was built before is
# removed, and the exit status is 0 all the same: `ferry measure` leaves out what is missing.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/../../bench/go"
go=${FERRY_GO:-go}
if ! command -v "$go" >/dev/null; then
	echo "Go: skipped: ingress-go: there is no go; run scripts/install/deps.sh hosts, or set FERRY_GO"
	rm -f "$build/bench/ingress-go"
	exit 0
fi
../../scripts/compile/go.sh "$build" build -ldflags="-r $build/lib" -o "$build/bench/ingress-go" ./ingress
