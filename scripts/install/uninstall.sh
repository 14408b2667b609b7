#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Remove what scripts/install/install.sh has listed in PREFIX/share/ferry/installed: scripts/install/uninstall.sh PREFIX
# A folder that the installation made goes too, unless something else is in it.
set -euo pipefail
prefix=${1%/}
list=$prefix/share/ferry/installed

fail() {
	echo "make uninstall: $1" >&2
	exit 2
}
[[ -z $prefix || $prefix == /* ]] ||
	fail "PREFIX='$1' is not an absolute path; pass the one that Ferry was installed with"
[ -f "$list" ] ||
	fail "there is no $list; pass the PREFIX that Ferry was installed with: make uninstall PREFIX=/usr/local"
[ -w "$list" ] || fail "$list cannot be removed by you; run it as root"

mapfile -t paths < <(sort --reverse "$list")
for path in "${paths[@]}"; do
	# nothing outside PREFIX, whatever the list says
	[[ -n $path && /$path/ != */../* ]] || fail "$list names '$path', which make install did not"
	if [[ $path == */ ]]; then
		rmdir --ignore-fail-on-non-empty "$prefix/$path" 2>/dev/null || true
	else
		rm -f "$prefix/$path"
	fi
done
echo "Removed Ferry from ${prefix:-/}"
