#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Run what may find more in a longer run: scripts/test/stress.sh BUILD, FERRY_STRESS_SECONDS (60) for each test that
# reads it.
#   - the Haskell suite's long tests, in every way it is linked
#   - the OpenMP runtime with random delays, random programs, its memory, its larger models, and one thread suspended
#     for a second at each point in turn
#   - the ingress with random delays, a storm of requests, its larger models, one thread suspended likewise, the
#     conformance programs with sanitizers and valgrind against the library in Nim, Go's with its race detector, what
#     the Rust host hands out dropped in every order, Nim's tests in all eight ways with optimization, a fuzz of what
#     decodes payloads, and the Rust host under Miri where there is one
#   - a million requests over the network while servers, providers and lines fail
#   - bindings of interfaces with adversarial names, compiled in every language: one for each 10 s
# STRESS=haskell, openmp, ingress, network or bindgen runs one of them. Everything runs, and the exit status is 1 when
# something failed.
set -euo pipefail
build=$(realpath "$1")
export FERRY_STRESS_SECONDS=${FERRY_STRESS_SECONDS:-60} LC_ALL=C.UTF-8
[[ $FERRY_STRESS_SECONDS =~ ^[1-9][0-9]*$ ]] || {
	echo "FERRY_STRESS_SECONDS is '$FERRY_STRESS_SECONDS': give a whole number of seconds," \
		"as in make stress FERRY_STRESS_SECONDS=300" >&2
	exit 2
}

stress=${STRESS:-haskell openmp ingress network bindgen}
failed=()
cd "$(dirname "$0")/../.."
# as make names it, so that it knows the headers of what it built before
named=$(realpath --relative-to=. "$build")

run_haskell() {
	local suite
	for suite in "$build"/tests/haskell-*; do
		printf '\n== %s\n' "$(basename "$suite")"
		(cd haskell && "$suite" --format=checks --times) || failed+=("$(basename "$suite")")
	done
}

# in every build
make_each() {
	make --no-print-directory -j"$(nproc)" BUILD="$named" "$@"
	make --no-print-directory -j"$(nproc)" BUILD="$named/delays" DELAYS=1 "$@"
	for sanitizer in address,undefined thread; do
		make --no-print-directory -j"$(nproc)" BUILD="$named/${sanitizer%%,*}" SANITIZE="$sanitizer" "$@"
	done
}

run_openmp() {
	printf '\n== openmp\n'
	make_each openmp-tests
	FERRY_BUILD=$build "$build/venv/bin/python" -m pytest -v -k 'openmp or deque' tests/stress/test_delays.py \
		tests/stress/test_freeze.py tests/house/test_spin_models.py || failed+=(openmp)
}

run_ingress() {
	printf '\n== ingress\n'
	make_each ingress-tests
	FERRY_BUILD=$build "$build/venv/bin/python" -m pytest -v -k 'ingress or sanitized or drops or echo_go' \
		tests/stress/test_delays.py tests/stress/test_freeze.py tests/house/test_spin_models.py \
		tests/ingress/test_sanitized.py tests/ingress/test_drops.py tests/ingress/test_echo_go.py ||
		failed+=(ingress)
	FERRY_NIM_WAYS=all FERRY_BUILD=$build "$build/venv/bin/python" -m pytest -v tests/nim/test_nim.py \
		tests/ingress/test_containers.py || failed+=(nim)
	make --no-print-directory BUILD="$named" "$named/wire/include/roots.h" build/echo/provider-c/.done
	FUZZ_SECONDS=$FERRY_STRESS_SECONDS scripts/test/fuzz.sh "$build" fuzz_wire fuzz_provider || failed+=(fuzz)
	local status=0
	# a seed takes about 20 s
	scripts/test/miri.sh "$build" "$((FERRY_STRESS_SECONDS / 20 + 1))" || status=$?
	if [ "$status" -ne 0 ] && [ "$status" -ne 3 ]; then
		failed+=(miri)
	fi
}

run_network() {
	printf '\n== network\n'
	make --no-print-directory -j"$(nproc)" BUILD="$named" native unit-tests
	FERRY_BUILD=$build "$build/venv/bin/python" -m pytest -v -s \
		tests/network/test_at_most_once.py || failed+=(network)
}

run_bindgen() {
	printf '\n== bindgen\n'
	FERRY_BUILD=$build FERRY_ADVERSARIAL=$((FERRY_STRESS_SECONDS / 10 + 1)) "$build/venv/bin/python" -m pytest -v \
		tests/bindgen/test_adversarial.py || failed+=(bindgen)
}

for part in $stress; do
	case $part in
	haskell | openmp | ingress | network | bindgen) "run_$part" ;;
	*)
		echo "STRESS is '$stress': give haskell, openmp, ingress, network, bindgen, or several of them" >&2
		exit 2
		;;
	esac
done
if [ ${#failed[@]} -gt 0 ]; then
	echo "stress: failed: ${failed[*]}" >&2
	exit 1
fi
