#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Pack the tree as git has it, without debian/: scripts/release/source.sh FOLDER VERSION; print the archive's path.
# The same files give the same bytes: they are in order, nobody's, and of the time of the newest entry of
# debian/changelog.
set -euo pipefail
folder=$(realpath -m "$1") version=$2
root=$(realpath "$(dirname "$0")/../..")
date=$(sed -n 's/^ -- .*>  //p' "$root/debian/changelog" | head -n 1)
archive=$folder/ferry_$version.orig.tar.xz
mkdir -p "$folder"
cd "$root"
git ls-files -z --cached --others --exclude-standard -- ':!debian' |
	while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done | sort -z |
	tar --create --no-recursion --null --files-from=- --format=gnu --mtime="$date" --owner=0 --group=0 \
		--numeric-owner --mode=u=rwX,go=rX --transform="flags=r;s,^,ferry-$version/," |
	xz -6 --threads=1 >"$archive"
echo "$archive"
