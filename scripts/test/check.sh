#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build what one test needs, and run it: scripts/test/check.sh BUILD PYTHON TEST [SANITIZE] [DELAYS]
#   TEST is COMPONENT/NAME (openmp/team, ferry/advise_parser), COMPONENT alone (walk), or the path of a test's file;
#   SANITIZE is address or thread, and DELAYS 1: both for tests in C and C++, in a build of their own.
set -euo pipefail
build=$1 python=$2 asked=$3 sanitize=${4:-} delays=${5:-}

fail() {
	echo "make check: $*" >&2
	exit 2
}

# every file that is a test by itself
tests() {
	find tests fuzz kernel/hosttest \( -path 'tests/*/unit/test_*.c' -o -path 'tests/*/c*/test_*.c*' \
		-o -path 'tests/*/test_*.py' -o -path 'fuzz/fuzz_*.c' \
		-o -path 'kernel/hosttest/test_*.c' \) -print | sort
	printf '%s\n' haskell/tests/Main.hs tests/batch/conformance/runner.c
}

# the files that COMPONENT/NAME, COMPONENT or a path names
named() {
	local component=${asked%%/*} name=${asked#*/}
	[ "$name" != "$asked" ] || name='[^/]*'
	local file="(tests/)?$component/([^/]+/)?(test_|fuzz_)?(${component}_)?$name\.[a-z]+"
	tests | grep -E "^($asked|$file)$" ||
		[ "$component" != haskell ] || echo haskell/tests/Main.hs
}

[ -n "$asked" ] || fail 'T= names the test, as in: make check T=openmp/team; tests are'"
$(tests | sed 's/^/  /')"
mapfile -t files < <(named)
if [ ${#files[@]} -eq 0 ]; then
	near=$(tests | grep -F "${asked%%/*}" | sed 's/^/  /') ||
		fail "there is no test '$asked', and none of a name like it; 'make check' lists all"
	fail "there is no test '$asked'; near it are
$near"
fi
case "$sanitize,$delays" in
,) folder=$build way=plain ;;
address,) folder=$build/address way=address sanitize=address,undefined ;;
thread,) folder=$build/thread way=thread ;;
,1) folder=$build/delays way=delays ;;
*) fail "SANITIZE is address or thread, and DELAYS is 1, one of them: not SANITIZE='$sanitize' DELAYS='$delays'" ;;
esac

make=(make --no-print-directory "-j$(nproc)" PYTHON="$python")
# what tests in Python run besides programs of their own
needs() {
	case $1 in
	tests/ingress/* | tests/bindgen/*) echo native ingress-tests echo-bindings nim rust-tests ;;
	tests/nim/*) echo native echo-bindings nim ;;
	tests/haskell/*) echo native haskell-tests ;;
	tests/stress/*) echo native with-delays ;;
	tests/openmp/test_openmp_conformance.py) echo native with-hosts ;;
	tests/batch/test_vectors.py) echo native "$build"/tests/conformance{,-core} ;;
	*) echo native ;;
	esac
}
# whether a program has no build with ThreadSanitizer (the Makefile says why)
left_out() {
	local pattern words
	[ "$way" = thread ] || return 1
	words=$(sed -n '/^NO_THREAD_BUILD := /,/[^\\]$/{s/^.*:=//;s/\\$//;p}' Makefile)
	for pattern in $words; do
		# shellcheck disable=SC2053 # it is a pattern
		[[ $1 != ${pattern//%/*} ]] || return 0
	done
	return 1
}
goals=() programs=() items=()
for file in "${files[@]}"; do
	program=$(basename "${file%.*}")
	[ "$program" != runner ] || program=conformance
	case $file in
	*.py)
		[ "$way" = plain ] || continue
		read -ra more < <(needs "$file")
		goals+=("${more[@]}" "$build/bin/ferry")
		items+=("$file")
		;;
	*.hs)
		[ "$way" = plain ] || continue
		goals+=(haskell-tests)
		items+=("$file")
		;;
	*)
		! left_out "$program" || continue
		programs+=("$folder/tests/$program")
		if [ "$way" = delays ]; then
			items+=("tests/stress/test_delays.py::test_delays_change_no_result[$program]")
		else
			items+=("$file::$way")
		fi
		;;
	esac
done
[[ " ${items[*]}" != *' tests/compiler/'* ]] || scripts/install/deps.sh compiler
[ ${#items[@]} -gt 0 ] || fail "'$asked' has no such build: only tests in C and C++ have," \
	'and not all of them with thread (NO_THREAD_BUILD in the Makefile)'

"${make[@]}" BUILD="$build" "$build/venv/.dev" "${goals[@]}"
[ ${#programs[@]} -eq 0 ] ||
	"${make[@]}" BUILD="$folder" SANITIZE="$sanitize" DELAYS="$delays" "${programs[@]}"
FERRY_BUILD=$(realpath "$build") exec "$build/venv/bin/python" -m pytest "${items[@]}"
