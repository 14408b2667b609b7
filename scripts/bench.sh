#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Measure every boundary, then what the project promises, beside its peers: scripts/bench.sh BUILD [option of measure...]
# What is missed is said and is no failure here; `--strict` makes it one.
set -euo pipefail
build=$1
shift
mkdir -p "$build/report"

"$build/bin/ferry" measure --json "$build/report/measure.json"
"$build/bin/ferry" measure --check bench/targets.toml --json "$build/report/targets.json" "$@"
