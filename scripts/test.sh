#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build everything the tests need and run them: scripts/test.sh BUILD PYTHON [pytest arguments]
# The last line printed is "N passed, N failed, N skipped".
set -euo pipefail
build=$1 python=$2
shift 2

make --no-print-directory -j"$(nproc)" BUILD="$build" PYTHON="$python" build "$build/venv/.dev" unit-tests
make --no-print-directory -j"$(nproc)" BUILD="$build" nim rust-tests
# after the programs, whose library they link
make --no-print-directory -j"$(nproc)" BUILD="$build" haskell-tests haskell-hosts haskell-profiled
for sanitizer in address,undefined thread; do
	make --no-print-directory -j"$(nproc)" BUILD="$build/${sanitizer%%,*}" SANITIZE="$sanitizer" native unit-tests
done
make --no-print-directory -j"$(nproc)" BUILD="$build/delays" DELAYS=1 openmp-tests ingress-tests
# all tests: a worker for each processor; the few that were asked for: in this process, where a debugger reaches them
[ $# -gt 0 ] || set -- --numprocesses="$(nproc)"
FERRY_BUILD=$(realpath "$build") exec "$build/venv/bin/python" -m pytest "$@"
