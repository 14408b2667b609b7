#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build everything the tests need and run them: scripts/test.sh BUILD PYTHON [pytest arguments]
# The last line printed is "N passed, N failed, N skipped".
set -euo pipefail
build=$1 python=$2
shift 2

make --no-print-directory -j"$(nproc)" BUILD="$build" PYTHON="$python" native "$build/bin/ferry" "$build/venv/.dev"
make --no-print-directory -j"$(nproc)" BUILD="$build" PYTHON="$python" all-tests
FERRY_BUILD=$(realpath "$build")
export FERRY_BUILD
pytest() {
	"$build/venv/bin/python" -m pytest "$@"
}
if [ $# -gt 0 ]; then
	pytest "$@"
	exit
fi

# Two sessions, since most tests keep one processor busy: beside all others, what runs in a Debian or a kernel of its own
# (which is made first), and the Haskell suite.
beside=(haskell/tests tests/haskell tests/kernel)
set -m # a process group of its own, so that nothing of it stays when this ends first
{
	scripts/matrix.sh "$build/forky" ready >"$build/forky-ready.log" 2>&1 || true
	pytest "${beside[@]}"
} >"$build/beside.log" 2>&1 </dev/null &
set +m
trap 'kill -- -$! 2>/dev/null || true' EXIT
status=0
pytest "${beside[@]/#/--ignore=}" | tee -i "$build/tests.log" || status=$?
[ $status -ne 2 ] || exit 2 # interrupted
echo "Beside them: ${beside[*]}"
wait $! || status=$?
cat "$build/beside.log"
awk '/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { last[FILENAME] = $0 }
	END {
		for (file in last) {
			split(last[file], count)
			passed += count[1]; failed += count[3]; skipped += count[5]
		}
		printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	}' "$build/tests.log" "$build/beside.log"
exit $status
