#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build and test each Haskell package as Hackage would have it: scripts/release/packages_test.sh FOLDER
# Each archive of `cabal sdist` is unpacked into a folder of its own below FOLDER, and built there on the archives of
# the others, with nothing in the environment but PATH and HOME, and with no package source but what is installed. A
# line of cabal or GHC that says "error:" is an error.
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
[ $# -eq 1 ] || { echo 'scripts/release/packages_test.sh FOLDER' >&2 && exit 2; }
[ ! -e "$1" ] || [ -z "$(ls -A "$1")" ] || { echo "scripts/release/packages_test.sh: $1 is not empty" >&2 && exit 2; }
mkdir -p "$1"
folder=$(realpath "$1")
compiler=$(ghc --numeric-version)
libraries=(ferry ferry-openmp)
suites=(ferry-tests)
programs=(ferry-bench)
# it is for the compilers that it is tested with, whose directory and unix it follows
if grep -q "^tested-with:.*==$compiler\b" "$root/haskell/directory/ferry-directory.cabal"; then
	libraries+=(ferry-directory)
	suites+=(ferry-directory-tests)
	programs+=(ferry-directory-bench)
fi

# alone COMMAND…: in an environment that says nothing
alone() {
	env -i "PATH=$PATH" "HOME=$folder/home" LC_ALL=C.UTF-8 "$@"
}

# cabal_alone COMMAND…: cabal with a configuration that names no package source
cabal_alone() {
	alone cabal --config-file="$folder/home/config" "$@"
}

# try PACKAGE COMMAND…: in the folder of its own
try() {
	local package=$1 status=0
	shift
	echo "$package: cabal $*"
	(cd "$folder/$package" && cabal_alone "$@") >>"$folder/$package.log" 2>&1 || status=$?
	# cabal writes a log for each dependency too
	if [ $status -ne 0 ] ||
		find "$folder/home" "$folder/$package.log" -name '*.log' -exec grep -n 'error:' {} +; then
		cat "$folder/$package.log" >&2
		echo "scripts/release/packages_test.sh: cabal $* failed for $package" >&2
		exit 1
	fi
}

packages=("${libraries[@]}" "${suites[@]}" "${programs[@]}")
mkdir -p "$folder"/{home,archives}
echo 'active-repositories: :none' >"$folder/home/config"
(cd "$root/haskell" && cabal_alone v2-sdist --builddir="$folder/sdist" --output-directory="$folder/archives" \
	"${packages[@]/#/:pkg:}" >"$folder/sdist.log")
for package in "${packages[@]}"; do
	mkdir "$folder/$package"
	tar --extract --file "$(echo "$folder/archives/$package"-[0-9]*.tar.gz)" \
		--directory "$folder/$package" --strip-components=1
	{
		echo 'packages: .'
		for library in "${libraries[@]}"; do
			[ "$library" = "$package" ] || echo "  $(echo "$folder/archives/$library"-[0-9]*.tar.gz)"
		done
	} >"$folder/$package/cabal.project"
done
for package in "${libraries[@]}" "${programs[@]}"; do
	try "$package" v2-build --offline
done
for package in "${suites[@]}"; do
	try "$package" v2-test --offline --test-show-details=failures
done
echo "$(cabal --numeric-version), GHC $compiler: every package builds and passes its tests alone"
