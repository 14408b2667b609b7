#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Run the tests of the package directory against Ferry.Directory: scripts/test/directory_conformance.sh BUILD
# They are in the source package of Debian's ghc, which is fetched once into BUILD/directory (a few tens of megabytes),
# of the version that is installed. BUILD/directory/log has a line for each expectation; the exit status is 1 when one
# failed.
set -euo pipefail
build=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
to=$build/directory
compiler=$(ghc --numeric-version)
mkdir -p "$to"

# fetch: the source, checked as apt checks it, by lists of its own that leave the system's alone
fetch() {
	local suite version apt
	suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
	version=$(dpkg-query -W -f '${source:Version}' ghc)
	mkdir -p "$to/apt/lists/partial" "$to/apt/archives"
	echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
		"${FERRY_MATRIX_MIRROR:-http://deb.debian.org/debian} $suite main" >"$to/apt/sources.list"
	apt=(apt-get -qq -o "Dir::Etc::SourceList=$to/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
		-o "Dir::State::Lists=$to/apt/lists" -o APT::Sandbox::User=root)
	(cd "$to/apt" && "${apt[@]}" update && "${apt[@]}" source --download-only "ghc=$version")
	tar --extract --file "$(find "$to/apt" -name 'ghc_*.orig.tar.*' -not -name '*.asc')" --directory "$to" \
		--wildcards --strip-components=3 '*/libraries/directory/tests/*'
	rm -rf "$to/apt"
}
[ -f "$to/tests/Main.hs" ] || fetch

# the modules of the tests come first, and with them System.Directory, which is ours
GHC_ENVIRONMENT=- LD_LIBRARY_PATH=$build/lib ghc -v0 -threaded -hide-all-packages \
	-package-db "$build/haskell/packagedb/ghc-$compiler" \
	-package base -package directory -package filepath -package time -package unix -package ferry-directory \
	"-i$root/tests/haskell/conformance:$to/tests" "-I$to/tests" "-optl-Wl,-rpath,$build/lib" \
	-outputdir "$to/objects" "$to/tests/Main.hs" -o "$to/conformance"
# not as root, whom permissions do not stop
run=(env "HOME=$to/run")
[ "$(id -u)" -ne 0 ] || run+=(setpriv --reuid=65534 --regid=65534 --clear-groups)
rm -rf "$to/run"
mkdir -m 1777 "$to/run"
cd "$to/run"
"${run[@]}" "$to/conformance" >"$to/log" 2>&1 || { cat "$to/log" && exit 1; }
echo "$(wc -l <"$to/log") expectations of directory's own tests hold of Ferry.Directory"
