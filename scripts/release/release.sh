#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build and verify all that is published: scripts/release/release.sh BUILD ROOTS VERSION SUITE…
# Each part of a release is put into a folder of BUILD/dist and then installed and used in a Debian that has nothing
# else, by release_test.sh: the source, Debian's packages of each SUITE, and the packages of Python, Haskell, Rust and
# Nim. At the end are the bills of materials and SHA256SUMS. FERRY_RELEASE_PARTS names some of the parts alone.
set -euo pipefail
scripts=$(realpath "$(dirname "$0")/..")
# shellcheck source=scripts/debian_root.sh
. "$scripts/debian_root.sh"
[ $# -ge 4 ] || fail 2 'scripts/release/release.sh BUILD ROOTS VERSION SUITE…'
build=$(realpath -m "$1") roots=$(realpath -m "$2") version=$3
shift 3
suites=("$@")
dist=$build/dist
root=$(dirname "$scripts")
python=$build/release/venv/bin

source_part() {
	mv "$("$scripts/release/source.sh" "$dist/source" "$version")" "$dist/source/ferry-$version.tar.xz"
}

debian_part() {
	"$scripts/release/deb.sh" "$roots" "$dist" "$version" build "${suites[@]}"
	"$scripts/release/deb.sh" "$roots" "$dist" "$version" test "${suites[@]}"
}

# What setuptools packs, and the wheels with the OpenMP runtime.
python_part() {
	local folder
	make --no-print-directory -C "$root" BUILD="$build" wheels
	cp "$build"/wheels/dist/ferry_openmp-"$version"-*.whl "$dist/pypi/"
	for folder in hosts/python tools/ferry; do
		rm -rf "$build/release/pack"
		cp -r "$root/$folder" "$build/release/pack"
		find "$build/release/pack" -name __pycache__ -prune -exec rm -r {} +
		SOURCE_DATE_EPOCH=$epoch "$python/python" -m build --no-isolation --outdir "$dist/pypi" \
			"$build/release/pack" >"$build/release/build.log" 2>&1 ||
			{ cat "$build/release/build.log" >&2 && return 1; }
	done
}

haskell_part() {
	(cd "$root/haskell" && cabal --config-file=/dev/null v2-sdist --builddir="$build/release/cabal" \
		--output-directory="$dist/hackage" :pkg:ferry :pkg:ferry-openmp :pkg:ferry-directory) \
		>"$build/release/sdist.log"
	(cd "$root/haskell/ingress" && cabal --config-file=/dev/null v2-sdist \
		--builddir="$build/release/cabal-ingress" --output-directory="$dist/hackage" \
		:pkg:ferry-ingress) >>"$build/release/sdist.log"
}

# outside of the workspace, which has bindings that are generated
rust_part() {
	local crate
	rm -rf "$build/release/crates"
	mkdir -p "$build/release/crates"
	cp -r "$root"/hosts/rust/ferry-ingress{,-macros,-provider} "$build/release/crates/"
	for crate in ferry-ingress ferry-ingress-macros ferry-ingress-provider; do
		(cd "$build/release/crates/$crate" &&
			PATH=/usr/bin:$PATH cargo package --quiet --offline --no-verify --allow-dirty)
		cp "$build/release/crates/$crate/target/package/$crate-$version.crate" "$dist/crates/"
	done
}

# nimble packs nothing: it installs from a folder, which this is
nim_part() {
	tar --create --sort=name --mtime="@$epoch" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
		--directory "$root/nim" --transform="s,^,ferry-nim-$version/," ferry.nimble src |
		gzip -9n >"$dist/nimble/ferry-nim-$version.tar.gz"
}

# try PART SUITE: as a stranger would, in a Debian with nothing else
try() {
	local layer=$roots/$2.release
	clean_root "$roots" "$2"
	throw_away "$layer"
	inside "$roots/$2" "$layer" "$dist" bash -euc "$(cat "$scripts/release/release_test.sh")" \
		release_test "$1" "$version" "$2" ||
		fail 1 "$1 cannot be installed and used in a fresh $2"
	throw_away "$layer"
	echo "$1: installed and used in a fresh $2"
}

# SPDX of the source, each file with its licence, and CycloneDX of an installation of Debian's packages. Their times and
# numbers are those of the source.
bills_of_materials() {
	local suite hash at
	hash=$(sha256sum "$dist/source/ferry-$version.tar.xz" | cut -c 1-32)
	at=$(date --utc --date="@$epoch" +%Y-%m-%dT%H:%M:%SZ)
	rm -rf "$build/release/source"
	mkdir -p "$build/release/source"
	tar --extract --file "$dist/source/ferry-$version.tar.xz" --directory "$build/release/source"
	(cd "$build/release/source/ferry-$version" &&
		"$python/reuse" --root . spdx --creator-organization 'The Ferry authors') |
		sed -e "s|^Created: .*|Created: $at|" -e "s|^\(DocumentNamespace: .*/spdx-v[0-9.]*-\).*|\1$hash|" \
			>"$dist/ferry-$version.spdx"
	for suite in "${suites[@]}"; do
		[ -e "$roots/$suite.installed" ] || continue
		# it writes sets in the order of their hashes
		PYTHONHASHSEED=0 "$python/debsbom" generate --root "$roots/$suite.installed" --distro-arch amd64 \
			--distro-name "ferry-$suite" --distro-version "$version" --timestamp "$at" \
			--sbom-type cdx --out "$dist/ferry-$version-$suite" \
			--cdx-serialnumber "${hash:0:8}-${hash:8:4}-${hash:12:4}-${hash:16:4}-${hash:20:12}"
	done
}

epoch=$(date --date="$(sed -n 's/^ -- .*>  //p' "$root/debian/changelog" | head -n 1)" +%s)
mkdir -p "$dist"/{source,pypi,hackage,crates,nimble} "$build/release"
"$scripts/install/venv.sh" "$build/release" "${PYTHON:-/usr/bin/python3}" "$root/packaging/requirements.txt"
for part in ${FERRY_RELEASE_PARTS:-source debian python haskell rust nim}; do
	echo "== $part"
	"${part}_part"
	case $part in
	debian) ;;
	source) for suite in "${suites[@]}"; do try source "$suite"; done ;;
	*) try "$part" "${suites[0]}" ;;
	esac
done
bills_of_materials
rm -f "$dist/SHA256SUMS"
sums=$(cd "$dist" && find . -type f -printf '%P\n' | sort | xargs sha256sum)
echo "$sums" >"$dist/SHA256SUMS"
cat "$dist/SHA256SUMS"
