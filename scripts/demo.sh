#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What Ferry does, on this machine and this machine's files: scripts/demo.sh BUILD
set -euo pipefail
build=$1
bin=$build/bin report=$build/report
mkdir -p "$report"

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
show() {
	printf '$ %s\n' "${*/#$bin\//}"
	"$@"
}

say "The tools, on this machine's own files"
show "$bin/mdu" -h -d 1 /usr
show "$bin/pathsearch" -e cc
printf '$ total /usr/include/*.h\n'
"$bin/total" /usr/include/*.h
printf '$ readmany (every readable file under /etc) | wc -c\n'
find /etc -type f -readable -print0 | "$bin/readmany" --files0-from=- | wc -c

say 'What crossing each boundary costs here'
"$bin/ferry" measure --quick --json "$report/measure.json"
"$bin/ferry" report "$report/measure.json" -o "$report/index.html"
printf '\nThe picture: %s\n' "$(realpath "$report/index.html")"
