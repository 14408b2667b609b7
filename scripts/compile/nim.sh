#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Put the Nim compiler of a Debian suite into a folder, without installing it: scripts/compile/nim.sh SUITE ROOT
#   bookworm has 1.6.10, forky 2.2.12. ROOT/bin/nim is the compiler; it is downloaded once.
# Exit status 3 means that it could not be had, as without a network, or does not run on this machine.
set -euo pipefail
# shellcheck source=scripts/debian_archive.sh
. "$(dirname "$0")/../debian_archive.sh"

fail() {
	echo "scripts/compile/nim.sh: $2" >&2
	exit "$1"
}
[ $# -eq 2 ] || fail 2 'scripts/compile/nim.sh SUITE ROOT'
suite=$1
root=$(realpath -m "$2")
mkdir -p "$(dirname "$root")"
exec {lock}>"$root.lock"
flock "$lock"
[ ! -x "$root/bin/nim" ] || exit 0
command -v apt-get >/dev/null || fail 3 'Debian packages are fetched with apt-get, which is not here'

work=$root.download
rm -rf "$work"
mkdir -p "$work/files"
trap 'rm -rf "$work"' EXIT
archive deb "$suite" "$work"
{
	"${apt[@]}" update &&
		(cd "$work/cache" && "${apt[@]}" download nim) &&
		dpkg -x "$work"/cache/nim_*.deb "$work/files"
} >"$work.log" 2>&1 || fail 3 "Nim of Debian $suite could not be fetched: $(tail -n 1 "$work.log")"

# the compiler looks for its library and its settings beside the folder that it is in
mkdir -p "$work/root"
mv "$work/files/usr/bin" "$work/root/bin"
mv "$work/files/usr/lib/nim/lib" "$work/root/lib"
mv "$work/files/etc/nim" "$work/root/config"
"$work/root/bin/nim" --version >/dev/null 2>&1 || fail 3 "Nim of Debian $suite does not run on this machine"
rm -rf "$root" "$work.log"
mv "$work/root" "$root"
