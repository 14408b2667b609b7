#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Copy the tree as git has it, with changes that are not committed: scripts/copy_source.sh FOLDER
# FOLDER is emptied first. Files keep their times, so that make and cabal build what has changed.
set -euo pipefail
rm -rf --one-file-system "$1"
mkdir -p "$1"
to=$(realpath "$1")
cd "$(dirname "$0")/.."
git ls-files -z --cached --others --exclude-standard |
	while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
	tar --create --null --files-from=- | tar --extract --no-same-owner --directory "$to"
