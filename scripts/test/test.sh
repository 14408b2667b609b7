#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build everything the tests need and run them: scripts/test/test.sh BUILD PYTHON [pytest arguments]
# The last line printed is "N passed, N failed, N skipped".
set -euo pipefail
build=$1 python=$2
shift 2

# part NAME COMMAND…: run a part of it, and say how long it took
part() {
	local name=$1 begin=$SECONDS
	shift
	"$@"
	printf '  TIME %s: %d s\n' "$name" $((SECONDS - begin))
}
make=(make --no-print-directory -j"$(nproc)" BUILD="$build" PYTHON="$python")

# what is generated for every build is there before the builds with sanitizers begin beside each other
part 'libraries and programs' "${make[@]}" native echo-bindings "$build/bin/ferry" "$build/venv/.dev"
part 'tests and their sanitized builds' "${make[@]}" all-tests
# All tests: two workers for each processor and one more, since tests wait for children, clocks and each other for half
# of their time; the few that were asked for: in this process, where a debugger reaches them.
[ $# -gt 0 ] || set -- --numprocesses=$((2 * $(nproc) + 1))
# make has looked at every program just now: it is not asked again before each of them is run
FERRY_STALE=run FERRY_BUILD=$(realpath "$build") exec "$build/venv/bin/python" -m pytest "$@"
