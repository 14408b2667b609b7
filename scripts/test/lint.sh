#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every mechanical check of the repository's files: scripts/test/lint.sh BUILD [quick]. quick is without clang-tidy,
# which takes minutes.
# Each finding is printed as file:line with what is wrong; a check that fails says how to fix it. All checks run, as
# many at a time as there are processors, and the exit status is 1 when one failed. The files are those that git knows
# or does not ignore.
set -uo pipefail
build=$1 quick=${2:-}
python=$build/venv/bin
said=$build/lint/said
rm -rf "$said"
mkdir -p "$said"
names=() hints=()

# check NAME HINT COMMAND…: begin one check, as soon as a processor is free for it.
check() {
	local number=${#names[@]}
	names+=("$1")
	hints+=("$2")
	shift 2
	while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do
		wait -n
	done
	{
		local begin=$SECONDS
		"$@" >"$said/$number.out" 2>&1
		echo "$? $((SECONDS - begin))" >"$said/$number.end"
	} &
}

# verdicts: wait for all checks, and say in their order what each found; fail when one did.
verdicts() {
	local number status seconds failed=()
	wait
	for number in "${!names[@]}"; do
		status=1 seconds=0
		[ ! -f "$said/$number.end" ] || read -r status seconds <"$said/$number.end"
		if [ "$status" -eq 0 ]; then
			printf '%-14s%-8s%4d s\n' "${names[number]}" ok "$seconds"
		else
			printf '%-14s%-8s%4d s\n' "${names[number]}" failed "$seconds"
			cat "$said/$number.out"
			echo "  -> ${hints[number]}"
			failed+=("${names[number]}")
		fi
	done
	[ ${#failed[@]} -eq 0 ] || echo "lint: failed: ${failed[*]}" >&2
	[ ${#failed[@]} -eq 0 ]
}

files() {
	git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
		[ -f "$file" ] && echo "$file"
	done | sort -u
}

# C that people wrote; what a generator wrote is checked where it is generated.
mapfile -t c_files < <(files '*.c' '*.h' '*.cpp' '*.hpp' | xargs grep -L 'Generated from .* by .*; edit that file')
# The real OpenMP programs include headers that only `make programs` installs.
mapfile -t analysed < <(files 'src/*.c' 'examples/*.c' 'bench/*.c' 'fuzz/*.c' 'tests/batch/conformance/*.c' \
	':!bench/openmp/programs')
# What C++ has in headers is analysed where it is used.
left_out=(':!bench/network/grpc.cpp') # needs headers that only `make bench` installs
! pkg-config --exists grpc++ || left_out=()
mapfile -t analysed_cpp < <(files 'bench/*.cpp' 'examples/*.cpp' "${left_out[@]}")
mapfile -t shell_files < <(files 'scripts/*.sh' 'scripts/*.in' .ci/run)
mapfile -t haskell_files < <(files '*.hs' | xargs grep -L 'Generated from .* by .*; edit that file')
mapfile -t python_files < <(files '*.py')

# The OpenMP runtime is for programs that GCC compiles; clang has an omp.h of its own, with other types.
mkdir -p "$build/lint"
rm -f "$build/lint/omp.h"
sed 's/__malloc__ (omp_free),*//' "$(cc -print-file-name=include/omp.h)" >"$build/lint/omp.h"
export lint_include=$build/lint

# What GHC's headers are needed for belongs to the Haskell package.
ghc_include=$(ghc --print-libdir)/include
export ghc_include

# What `ferry bindgen` writes for spec/wire/types.json, which a fuzz target includes, and for examples/echo and notes.
named=$(realpath --relative-to=. "$build") # as make names it, so that it knows the headers of what it built before
make --no-print-directory BUILD="$named" "$named/wire/include/roots.h" echo-bindings build/notes/provider-c/.done
wire_include=$build/wire/include
export wire_include

# One file each: clang-tidy 14 mistakes va_list when it is given several.
tidy_one() {
	if [[ $1 == *.cpp ]]; then
		clang-tidy --quiet "$1" -- -std=gnu++17 -D_GNU_SOURCE -Iinclude -Ibench \
			-Ibuild/echo/cpp/include -Iexamples/notes/cpp/binding/include 2>/dev/null
		return
	fi
	clang-tidy --quiet "$1" -- -std=gnu11 -D_GNU_SOURCE -Iinclude -Isrc -isystem "$lint_include" \
		-Itests/wire -Ibuild/echo/c/include -Ibuild/echo/provider-c -Ibuild/notes/provider-c -I"$wire_include" \
		-Ihaskell/cbits -Ihaskell/openmp/cbits -isystem "$ghc_include" 2>/dev/null
}
export -f tidy_one
clang_tidy() {
	# shellcheck disable=SC2016 # the inner shell expands it
	printf '%s\0' "${analysed[@]}" "${analysed_cpp[@]}" |
		xargs -0 -n 1 -P "$(nproc)" bash -c 'tidy_one "$1"' tidy
}

check clang-format 'run: clang-format -i FILE' clang-format --dry-run -Werror "${c_files[@]}"
[ "$quick" = quick ] || check clang-tidy 'correct the code; .clang-tidy says why some checks are off' clang_tidy
check ruff 'run: ruff check --fix, then correct what is left' "$python/ruff" check --output-format concise .
check ruff-format 'run: ruff format' "$python/ruff" format --check .
check mypy 'correct the types' "$python/mypy" --cache-dir "$build/mypy" "${python_files[@]}"
check ormolu 'run: ormolu --mode inplace FILE' ormolu --mode check "${haskell_files[@]}"
check hlint 'correct the code; .hlint.yaml says why some hints are off' \
	hlint --cpp-include=haskell/directory/template "${haskell_files[@]}"
check cabal 'correct the .cabal file' scripts/compile/haskell.sh "$build" check
# gofmt names the files that it would change, and ends with 0
gofmt_all() {
	local found
	found=$(gofmt -l hosts/go bench/go tests/ingress/go tests/wire/transcode.go) || return 1
	echo -n "$found"
	[ -z "$found" ]
}
# the host, and its conformance program and benchmark with the binding of echo
go_vet() {
	local folder
	for folder in hosts/go bench/go tests/ingress/go; do
		(script=$PWD/scripts/compile/go.sh && built=$(realpath "$build") && cd "$folder" &&
			"$script" "$built" vet ./...) || return 1
	done
}
check gofmt 'run: gofmt -w FILE' gofmt_all
check go-vet 'correct the code' go_vet
check rustfmt 'run: scripts/compile/rust.sh build fmt' scripts/compile/rust.sh "$build" fmt --all --check
check clippy 'correct the code' scripts/compile/rust.sh "$build" clippy --quiet --workspace --all-targets -- -D warnings
check rustdoc 'correct the comments' env RUSTDOCFLAGS='-D warnings' scripts/compile/rust.sh "$build" doc --quiet \
	--workspace --no-deps
check shellcheck 'correct the script' shellcheck -x "${shell_files[@]}"
check generated 'run: make generate, and commit what it wrote' "$python/python" spec/generate.py --check
check results 'run: make generate, and commit what it wrote' "$python/python" docs/results/tables.py --check
check pictures 'run: make generate, and commit what it wrote' "$python/python" docs/results/pictures.py --check
check version 'run: make generate, and commit what it wrote' "$python/python" scripts/release/version.py --check
check tidy 'tests/tidy.py says what to do' "$python/python" tests/tidy.py

verdicts
