#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What Ferry does, on this machine and this machine's files: scripts/demo.sh BUILD
# What is missing of the hosts is built first, while nothing is measured, as far as BUILD_SECONDS allow:
# the demo is to stay under six minutes on the first run of a fresh machine. The last lines name what was not measured.
set -euo pipefail
build=$1
bin=$build/bin report=$build/report
mkdir -p "$report"
#: So long may be spent on what the demo can do without.
BUILD_SECONDS=${FERRY_DEMO_BUILD_SECONDS:-180}
#: GHC is installed only if so much of that is left. Building with it took 59 s on two busy cores of an Intel Xeon VM,
#: and nothing may end apt half-way.
HASKELL_SECONDS=120

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
show() {
	printf '$ %s\n' "${*/#$bin\//}"
	"$@"
}

# optional WHAT FILE COMMAND…: run COMMAND for a FILE that is not there, in the time that is left; say WHAT without it
left_out=()
optional() {
	local what=$1 file=$2 left=$((BUILD_SECONDS - SECONDS))
	shift 2
	[ ! -e "$build/$file" ] || return 0
	if [ "$left" -gt 0 ] && timeout "$left" "$@" >"$report/optional.log" 2>&1 && [ -e "$build/$file" ]; then
		return 0
	fi
	left_out+=("$what")
}
made=(make --no-print-directory BUILD="$build")

SECONDS=0
optional 'Python' bench/ingress-python "${made[@]}" "$build/bench/ingress-python" "$build/bench/codec-python"
optional 'Nim' bench/ingress-python-nim "${made[@]}" nim-benches
[ -e "$build/bench/haskell" ] || [ $((BUILD_SECONDS - SECONDS)) -lt $HASKELL_SECONDS ] ||
	scripts/install/deps.sh haskell >"$report/optional.log" 2>&1 || true
optional 'Haskell' bench/haskell "${made[@]}" haskell-crossings
optional 'Rust' bench/codec-rust false

say "The tools, on this machine's own files"
# it ends with 1 where a user may not read all of it
status=0
show "$bin/mdu" -h -d 1 /usr || status=$?
[ $status -le 1 ] || exit $status
show "$bin/pathsearch" -e cc
printf '$ total /usr/include/*.h\n'
"$bin/total" /usr/include/*.h
printf '$ readmany (every readable file under /etc) | wc -c\n'
{ find /etc -type f -readable -print0 2>/dev/null || true; } | "$bin/readmany" --files0-from=- | wc -c

say 'What crossing each boundary costs here'
"$bin/ferry" measure --quick --json "$report/measure.json"
"$bin/ferry" report "$report/measure.json" -o "$report/index.html" >/dev/null
printf '\nThe picture: %s\n' "$(realpath "$report/index.html")"
if [ ${#left_out[@]} -gt 0 ]; then
	printf 'Left out: %s. This installs and builds what is needed, and measures that too: make demo-all\n' \
		"$(printf '%s, ' "${left_out[@]}" | sed 's/, $//')"
fi
