#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Run the Haskell suite's long tests in every way it is linked: scripts/stress.sh BUILD, FERRY_STRESS_SECONDS (60) for
# each test that reads it. All ways run, and the exit status is 1 when one failed.
set -euo pipefail
build=$(realpath "$1")
export FERRY_STRESS_SECONDS=${FERRY_STRESS_SECONDS:-60} LC_ALL=C.UTF-8
[[ $FERRY_STRESS_SECONDS =~ ^[1-9][0-9]*$ ]] || {
	echo "FERRY_STRESS_SECONDS is '$FERRY_STRESS_SECONDS': give a whole number of seconds," \
		"as in make stress FERRY_STRESS_SECONDS=300" >&2
	exit 2
}

failed=()
cd "$(dirname "$0")/../haskell"
for suite in "$build"/tests/haskell-*; do
	printf '\n== %s\n' "$(basename "$suite")"
	"$suite" --format=checks --times || failed+=("$(basename "$suite")")
done
if [ ${#failed[@]} -gt 0 ]; then
	echo "stress: failed: ${failed[*]}" >&2
	exit 1
fi
