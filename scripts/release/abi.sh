#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Compare the interfaces of the shared libraries with those of another commit: scripts/release/abi.sh BUILD COMMIT
# abidiff looks at what the installed headers declare. What was there may not go or change; a library may have more.
set -euo pipefail
build=$(realpath "$1") commit=$2
root=$(realpath "$(dirname "$0")/../..")
libraries=(libferry.so libferryingress.so libferryomp.so)
base=$build/abi/base

git -C "$root" rev-parse --quiet --verify "$commit^{commit}" >/dev/null ||
	{ echo "make abi: there is no commit '$commit'; name one: make abi BASE=v0.2.0" >&2 && exit 2; }
rm -rf "$base"
mkdir -p "$base"
git -C "$root" archive "$commit" | tar --extract --directory "$base"
make --no-print-directory -C "$base" BUILD=build "${libraries[@]/#/build/lib/}" >"$build/abi/log"
failed=0
for library in "${libraries[@]}"; do
	echo "$library"
	# a structure that a caller passes and that has grown is a change that abidiff does not call incompatible
	abidiff --headers-dir1 "$base/include/ferry" --headers-dir2 "$root/include/ferry" --drop-private-types \
		--no-added-syms "$base/build/lib/$library" "$build/lib/$library" || failed=1
done
exit $failed
