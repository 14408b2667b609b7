#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Debian packages: scripts/release/deb.sh ROOTS DIST VERSION build|test SUITE…
#   build  build source and binary packages in a Debian of each suite, twice; both have to have the same bytes, and
#          lintian nothing to say; they are put into DIST/SUITE
#   test   in a clean Debian of each suite install an earlier revision, upgrade to the packages of DIST/SUITE, run the
#          tests of debian/tests, and remove everything
# ROOTS keeps the Debians (1 GB each). Needs root. Exit status 3 means that a Debian could not be made.
set -euo pipefail
scripts=$(realpath "$(dirname "$0")/..")
# shellcheck source=scripts/debian_root.sh
. "$scripts/debian_root.sh"
[ $# -ge 5 ] || fail 2 'scripts/release/deb.sh ROOTS DIST VERSION build|test SUITE…'
roots=$(realpath -m "$1") dist=$(realpath -m "$2") version=$3 what=$4
shift 4
root=$(dirname "$scripts")

# revision SUITE: unstable's is the plain one, and newer than those of releases
revision() {
	case $1 in
	bookworm) echo "~deb12" ;;
	trixie) echo "~deb13" ;;
	forky | sid | unstable) ;;
	*) fail 2 "no revision for the suite '$1': bookworm, trixie or forky" ;;
	esac
}

# lay_out SUITE SHARED: the source package's files, as dpkg-source wants them
lay_out() {
	local suffix
	suffix=$(revision "$1")
	rm -rf "$2"
	mkdir -p "$2/ferry-$version"
	tar --extract --no-same-owner --file "$("$scripts/release/source.sh" "$2" "$version")" --directory "$2"
	cp -r "$root/debian" "$2/ferry-$version/"
	[ -z "$suffix" ] || sed -i "1s/(\(.*\)) unstable/(\1$suffix) $1/" "$2/ferry-$version/debian/changelog"
}

# build_once ROOT UPPER SHARED FOLDER ZONE: in a layer of its own; no byte may depend on the path or on the time zone
build_once() {
	# shellcheck disable=SC2016 # the inner shell expands it
	inside "$1" "$2" "$3" env TZ="$5" bash -euc '
		mkdir -p "$1"
		cp -r /shared/ferry* "$1"
		cd "$1"/ferry-[0-9]*/
		dpkg-buildpackage --no-sign --jobs=auto >/shared/build.log 2>&1 ||
			{ tail -n 40 /shared/build.log >&2 && exit 1; }
		rm -rf /shared/ferry*
		find "$1" -maxdepth 1 -type f -exec cp {} /shared/ \;
	' build_once "$4"
}

# They are not for Debian's archive, where a first upload closes a request; an older lintian does not know the newest
# policy, which debian/control follows; and lintian will not run as root.
lint() {
	inside "$1" "$2" "$3" bash -euc '
		useradd -m lint
		chmod -R a+rX /shared
		cp -r /shared /home/lint/packages && cd /home/lint/packages
		setpriv --reuid=lint --regid=lint --clear-groups env HOME=/home/lint \
			lintian --fail-on error,warning --info \
			--suppress-tags initial-upload-closes-no-bugs,newer-standards-version ./*.changes
	'
}

build() {
	local suite=$1 shared=$roots/$1.shared kept=$roots/$1.build number
	local folders=([1]=/build [2]=/srv/again/build) zones=([1]=UTC0 [2]=FAR-14)
	clean_root "$roots" "$suite"
	lay_out "$suite" "$shared"
	# what it takes to build, kept; build-dep reads debian/control
	inside "$roots/$suite" "$kept.lower" "$shared" bash -euc '
		apt-get update -qq
		apt-get install -y -qq --no-install-recommends dpkg-dev lintian >/dev/null
		apt-get build-dep -y -qq --no-install-recommends /shared/ferry-[0-9]*/ >/dev/null
	'
	# packed twice before the first build, so that a file that is edited during the builds makes no difference
	for number in 1 2; do lay_out "$suite" "$shared.$number"; done
	for number in 1 2; do
		echo "Building for $suite, $number of 2"
		throw_away "$kept"
		build_once "$roots/$suite" "$kept" "$shared.$number" "${folders[number]}" "${zones[number]}"
	done
	same "$shared.1" "$shared.2"
	throw_away "$kept"
	lint "$roots/$suite" "$kept" "$shared.1"
	throw_away "$kept"
	rm -rf "${dist:?}/$suite"
	mkdir -p "$dist/$suite"
	find "$shared.1" -maxdepth 1 -type f ! -name build.log -exec cp {} "$dist/$suite/" \;
	rm -rf "$shared" "$shared.2"
	ls "$dist/$suite"
}

# same ONE OTHER: packages and source have the same bytes; .buildinfo and .changes have the time of the build
same() {
	local file
	for file in "$1"/*.deb "$1"/*.dsc "$1"/*.tar.*; do
		cmp "$file" "$2/${file##*/}" || fail 1 "${file##*/} is not the same when it is built again: $1 and $2"
	done
	echo "both builds have the same bytes"
}

test_suite() {
	local suite=$1 upper=$roots/$1.test
	clean_root "$roots" "$suite"
	[ -d "$dist/$suite" ] || fail 2 "there are no packages in $dist/$suite; run make deb"
	throw_away "$upper"
	inside "$roots/$suite" "$upper" "$dist/$suite" bash -euc \
		"$(cat "$scripts/release/deb_test.sh")" deb_test "$version"
	# what was installed then, for a bill of materials
	mkdir -p "$roots/$suite.installed/var/lib/dpkg"
	mv "$dist/$suite/dpkg-status" "$roots/$suite.installed/var/lib/dpkg/status"
	throw_away "$upper"
	echo "$suite: installed, upgraded, used and removed"
}

case $what in
build) for suite in "$@"; do build "$suite"; done ;;
test) for suite in "$@"; do test_suite "$suite"; done ;;
*) fail 2 "unknown '$what': build or test" ;;
esac
