#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Run what may find more in a longer run: scripts/stress.sh BUILD, FERRY_STRESS_SECONDS (60) for each test that
# reads it.
#   - the Haskell suite's long tests, in every way it is linked
#   - the OpenMP runtime and the ingress with random delays, random programs, their memory, and their larger models
# STRESS=haskell or openmp runs one of them. Everything runs, and the exit status is 1 when something failed.
set -euo pipefail
build=$(realpath "$1")
export FERRY_STRESS_SECONDS=${FERRY_STRESS_SECONDS:-60} LC_ALL=C.UTF-8
[[ $FERRY_STRESS_SECONDS =~ ^[1-9][0-9]*$ ]] || {
	echo "FERRY_STRESS_SECONDS is '$FERRY_STRESS_SECONDS': give a whole number of seconds," \
		"as in make stress FERRY_STRESS_SECONDS=300" >&2
	exit 2
}

stress=${STRESS:-haskell openmp}
failed=()
cd "$(dirname "$0")/.."

run_haskell() {
	local suite
	for suite in "$build"/tests/haskell-*; do
		printf '\n== %s\n' "$(basename "$suite")"
		(cd haskell && "$suite" --format=checks --times) || failed+=("$(basename "$suite")")
	done
}

run_openmp() {
	printf '\n== openmp\n'
	make --no-print-directory -j"$(nproc)" BUILD="$build" openmp-tests ingress-tests
	make --no-print-directory -j"$(nproc)" BUILD="$build/delays" DELAYS=1 openmp-tests ingress-tests
	for sanitizer in address,undefined thread; do
		make --no-print-directory -j"$(nproc)" BUILD="$build/${sanitizer%%,*}" SANITIZE="$sanitizer" \
			openmp-tests ingress-tests
	done
	FERRY_BUILD=$build "$build/venv/bin/python" -m pytest -v tests/test_delays.py \
		tests/model/test_spin_models.py || failed+=(openmp)
}

for part in $stress; do
	case $part in
	haskell | openmp) "run_$part" ;;
	*)
		echo "STRESS is '$stress': give haskell, openmp, or both" >&2
		exit 2
		;;
	esac
done
if [ ${#failed[@]} -gt 0 ]; then
	echo "stress: failed: ${failed[*]}" >&2
	exit 1
fi
