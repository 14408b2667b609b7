#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Test the plugin for GCC with several versions of GCC: scripts/test/compiler_matrix.sh ROOTS SUITE VERSION…
# In a layer on a clean Debian SUITE, which has them, the plugin is built for all versions, with no warning of
# ours; then tests/compiler runs with each, and PROGRAM_COUNT (2000) random programs are compared with and without it.
# ROOTS keeps the Debian and the layer (2 GB). Needs root. Exit status 3 means that the Debian could not be made.
set -euo pipefail
scripts=$(realpath "$(dirname "$0")/..")
# shellcheck source=scripts/debian_root.sh
. "$scripts/debian_root.sh"
[ $# -ge 3 ] || fail 2 'scripts/test/compiler_matrix.sh ROOTS SUITE VERSION…'
roots=$(realpath -m "$1") suite=$2
shift 2
layer=$roots/$suite.compiler shared=$roots/$suite.compiler.shared

# in_layer COMMAND…: run it in the Debian, in the tree's copy
in_layer() {
	inside "$roots/$suite" "$layer" "$shared" /usr/bin/env -C /shared/source FERRY_BUILD=/shared/build "$@"
}

clean_root "$roots" "$suite"
"$scripts/copy_source.sh" "$shared/source"
# shellcheck disable=SC2016 # the inner shell expands it
in_layer bash -euc '
	packages=(make pkg-config liburing-dev strace python3-click python3-pytest g++)
	for version in "$@"; do packages+=("g++-$version" "gcc-$version-plugin-dev"); done
	dpkg --status "${packages[@]}" >/dev/null 2>&1 && exit
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
' install "$@" || fail 3 "the compilers could not be installed in $layer"
in_layer make --no-print-directory -j"$(nproc)" BUILD=/shared/build compiler /shared/build/lib/libferry.so \
	/shared/build/lib/libferry.a 2>&1 | tee "$shared/build.log"
! grep -E '^compiler/.*warning:' "$shared/build.log" || fail 1 'the plugin is not built without a warning'
failed=()
for version in "$@"; do
	printf '\n== gcc %s\n' "$version"
	# shellcheck disable=SC2016 # the inner shell expands it
	in_layer env FERRY_CC="gcc-$version" PYTHONPATH=tests bash -ec '
		"$FERRY_CC" --version | head -n 1
		python3 -m pytest --noconftest tests/compiler
		python3 tests/compiler/differential.py --build /shared/build --programs "$1"
	' test "${PROGRAM_COUNT:-2000}" || failed+=("$version")
done
[ ${#failed[@]} -eq 0 ] || fail 1 "failed with gcc: ${failed[*]}"
