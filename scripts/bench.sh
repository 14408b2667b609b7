#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Measure every boundary, then each bar beside its peers, interleaved: scripts/bench.sh BUILD
set -euo pipefail
build=$1
mkdir -p "$build/report"

"$build/bin/ferry" measure --json "$build/report/measure.json"
for bars in bench/*_bars.py; do
	printf '\n== %s\n' "$bars"
	"$build/venv/bin/python" "$bars" --build "$build"
done
