#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Fuzz with libFuzzer under ASan and UBSan: scripts/test/fuzz.sh BUILD TARGET…, FUZZ_SECONDS (60) for each target.
# A target is fuzz/TARGET.c; it starts from fuzz/corpus/, keeps what it learns in BUILD/fuzz/, and leaves an input that
# breaks it there too. Copy such an input into fuzz/corpus/ once the fault is fixed: `make test` replays it.
set -euo pipefail
build=$1
shift
seconds=${FUZZ_SECONDS:-60}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || {
	echo "FUZZ_SECONDS is '$seconds': give a whole number of seconds, as in make fuzz FUZZ_SECONDS=120" >&2
	exit 2
}
[ $# -gt 0 ] || {
	echo "scripts/test/fuzz.sh: no target: give names of fuzz/*.c without .c" >&2
	exit 2
}

flags=(-std=gnu11 -D_GNU_SOURCE -Iinclude -Isrc -g -O1 -fno-omit-frame-pointer -pthread -fno-sanitize-recover=undefined)
library=(src/batch/*.c src/batch/exec/*.c src/walk/*.c)
# The OpenMP runtime is written against omp.h of gcc, with an attribute that clang does not know; versions belong to
# shared libraries.
runtime=(-I"$build/fuzz/include" "-D__malloc__(...)=")
for source in src/openmp/*/*.c; do
	[[ $source =~ /(lock_compat|kmp/lock|kmp/version|kmp/version_gomp)\.c$ ]] || runtime+=("$source")
done
# The kernel's batch core, against the headers it has in user space.
core=(-Ikernel/hosttest/include -Ikernel/include -include kernel.h kernel/core/batch_core.c kernel/hosttest/kernel.c)
fuzzed=(tests/batch/conformance/{vector,cursor,names,functions}.c examples/c/mdu/{exclude,quote,times,units}.c)
interesting='INITED|pulse|stat::|ERROR|SUMMARY|unit written|runtime error|^ +#[0-9]'
mkdir -p "$build/fuzz/include"
ln -sf "$(gcc -print-file-name=include/omp.h)" "$build/fuzz/include/omp.h"

failed=()
for target in "$@"; do
	name=${target#fuzz_}
	echo "== $target: building"
	linked=("${fuzzed[@]}" "${library[@]}")
	[ "$name" != environment ] || linked=("${runtime[@]}")
	[ "$name" != core ] || linked=("${core[@]}")
	[ "$name" != network ] || linked=(src/network/message.c)
	[ "$name" != wire ] || linked=(-I"$build/wire/include" -Itests/wire)
	[ "$name" != provider ] || linked=(-Ibuild/echo/provider-c build/echo/provider-c/generated/echo_provider.c)
	clang "${flags[@]}" -fsanitize=fuzzer,address,undefined -o "$build/fuzz/$target" "fuzz/$target.c" \
		"${linked[@]}" -luring -ldl
	mkdir -p "$build/fuzz/corpus/$name"
	echo "== $target: $seconds s"
	status=0
	"$build/fuzz/$target" -max_total_time="$seconds" -timeout=10 -print_final_stats=1 -rss_limit_mb=2048 \
		-artifact_prefix="$build/fuzz/$name-" "$build/fuzz/corpus/$name" "fuzz/corpus/$name" \
		> >(grep --line-buffered -E "$interesting") 2>&1 || status=$?
	[ "$status" -eq 0 ] || failed+=("$target")
done
if [ ${#failed[@]} -gt 0 ]; then
	echo "Fuzzing found faults in: ${failed[*]}. The inputs are in $build/fuzz/" >&2
	exit 1
fi
