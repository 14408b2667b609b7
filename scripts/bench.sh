#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Measure every boundary, then what the project promises, beside its peers: scripts/bench.sh BUILD [OPTION…]
# Options are those of `ferry measure --check`: what is missed is said, and `--strict` makes it a failure.
set -euo pipefail
build=$1
shift
mkdir -p "$build/report"

"$build/bin/ferry" measure --json "$build/report/measure.json"
"$build/bin/ferry" measure --check bench/targets.toml --json "$build/report/targets.json" "$@"
