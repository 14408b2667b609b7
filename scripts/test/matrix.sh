#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Run the Haskell suite under a newer GHC, in a Debian of its own:
#   scripts/test/matrix.sh ROOT [ready WAY… | run WAY… | bench NAME OPTION… | packages]
#   ready WAY…  make ROOT, or bring it up to date, and build the suite there in each WAY; or in all of them, and the
#               benchmarks. The way `ingress` is the libraries in Haskell, on ferry-ingress, and the hosts in C and C++
#   run WAY…    run haskell-WAY there, as `ready` left it; hspec's own output, or TAP of the hosts
#   bench NAME OPTION…  run the benchmark NAME there, as `ready` left it
#   packages    build and test each package's archive alone there (scripts/release/packages_test.sh), as `ready` left it
# Without any: ready, then every way and the packages. ROOT is kept, so that later runs only build; it is about 2 GB.
# Needs root.
# Exit status 3 means that ROOT could not be made, as without a network; the suite has not been looked at then.
#
# /proc, /dev and a /tmp of its own are mounted in a namespace that ends with this script, however that ends. Nobody
# else sees them, and ROOT may be removed at any time without reaching the machine's own devices. A /tmp that was kept
# would keep what was interrupted: the next make, process 1 as the last one, would not share its jobs for a FIFO there.
set -euo pipefail
suite=${FERRY_MATRIX_SUITE:-forky}
mirror=${FERRY_MATRIX_MIRROR:-http://deb.debian.org/debian}
ways=(threaded nonthreaded pressed debug delayed profiled directory ingress)
hosts=(test_c_conformance test_c_conformance_cbor test_cpp_conformance)
source=$(realpath "$(dirname "$0")/../..")
marker=ferry-matrix

fail() {
	echo "make matrix: $2" >&2
	exit "$1"
}
[ $# -ge 1 ] || fail 2 'scripts/test/matrix.sh ROOT [ready WAY… | run WAY… | bench NAME OPTION… | packages]'
root=$(realpath -m "$1")
shift
[ "$(id -u)" -eq 0 ] || fail 3 'it makes a Debian root and enters it, which needs root; try: sudo make matrix'
command -v debootstrap >/dev/null || fail 3 'debootstrap is not installed; run scripts/install/deps.sh matrix'
unshare --mount true 2>/dev/null || fail 3 'this machine allows no mount namespace; a container needs CAP_SYS_ADMIN'

# apart COMMAND…: run it with mounts and processes of its own, which all end when this script does
apart() {
	local status=0
	setpriv --pdeathsig KILL unshare --mount --propagation private --pid --fork --kill-child "$@" &
	wait $! || status=$?
	return $status
}
# a signal is seen at once, since the shell waits for a background process
trap 'exit 130' INT
trap 'exit 143' TERM

# inside COMMAND…: run it in ROOT
inside() {
	# shellcheck disable=SC2016 # the inner shell expands it
	apart bash -c '
		set -e
		mount -t proc proc "$1/proc"
		mount --bind /dev "$1/dev"
		mount -t tmpfs -o mode=1777 tmp "$1/tmp"
		exec chroot "$@"
	' inside "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
		${FERRY_STRESS_SECONDS:+FERRY_STRESS_SECONDS="$FERRY_STRESS_SECONDS"} "$@"
}

# A root that was not finished is begun again. A folder that is not such a root is somebody's, and left alone.
make_root() {
	[ ! -e "$root/etc/$marker" ] || return 0
	if [ -e "$root" ] && [ -n "$(ls -A "$root")" ]; then
		[ -e "$root.$marker" ] ||
			fail 2 "$root is there and was not made by make matrix; give another MATRIX_ROOT"
		rm -rf --one-file-system "$root"
	fi
	touch "$root.$marker"
	# what is lost with the machine is made again: dpkg need not wait for the disk after each file
	mkdir -p "$root/etc/dpkg/dpkg.cfg.d"
	echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/90ferry"
	echo "Making a Debian $suite in $root"
	# every suite since sid's script can be made by it, also one that this debootstrap has not heard of
	apart debootstrap --variant=minbase "$suite" "$root" "$mirror" sid >"$root.log" 2>&1 ||
		{ tail -n 5 "$root.log" >&2 && fail 3 "debootstrap failed; $root.log has all it said"; }
	# a mirror that is a few weeks behind does; what it has is still signed
	echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/90ferry"
	mv "$root.$marker" "$root/etc/$marker"
}

# Only `profiled` needs the profiled packages, and a build of its own; `ingress` alone needs none of the suite.
ready() {
	local parts=()
	[ "$*" = ingress ] || parts+=(haskell-tests)
	[[ " ${*:-profiled} " != *' profiled '* ]] || parts+=(haskell-profiled)
	make_root
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	inside true || fail 3 'this machine does not allow the mounts; a container needs CAP_SYS_ADMIN'
	"$source/scripts/copy_source.sh" "$root/ferry/source"
	inside /ferry/source/scripts/install/deps.sh build haskell ingress "${parts[@]}" ||
		fail 3 "the packages could not be installed in $root"
	inside ghc --version
	[ ${#parts[@]} -eq 0 ] || inside /usr/bin/env FERRY_HASKELL_WAYS="$*" \
		make --no-print-directory -C /ferry/source -j"$(nproc)" BUILD=/ferry/build "${parts[@]}"
	[[ " ${*:-ingress} " != *' ingress '* ]] || ready_ingress
}

# What bindgen writes is the same everywhere, and is copied: ROOT has none of the Python packages that it needs, so a
# file that is there stands for their folder.
ready_ingress() {
	local kind
	make --no-print-directory -C "$source" echo-bindings build/notes/provider-haskell/.done
	mkdir -p "$root/ferry/source/build"
	for kind in echo notes; do
		cp --archive "$source/build/$kind" "$root/ferry/source/build"
	done
	# newer than the folders of the templates, which copy_source.sh has just made
	find "$root/ferry/source/build" -name .done -exec touch {} +
	inside make --no-print-directory -C /ferry/source -j"$(nproc)" BUILD=/ferry/build ECHO_VENV=Makefile \
		/ferry/build/lib/{echo-haskell/libecho,notes-haskell/libnotes}.so "${hosts[@]/#//ferry/build/tests/}"
}

# The hosts call the library echo in Haskell.
run_ingress() {
	local host status=0
	for host in "${hosts[@]}"; do
		inside /usr/bin/env LD_LIBRARY_PATH=/ferry/build/lib/echo-haskell:/ferry/build/lib \
			CMOCKA_MESSAGE_OUTPUT=TAP "/ferry/build/tests/$host" || status=1
	done
	return $status
}

run() {
	local way failed=()
	for way in "$@"; do
		printf '\n== %s: haskell-%s\n' "$suite" "$way"
		[ "$way" != ingress ] || { run_ingress || failed+=("$way") && continue; }
		inside /usr/bin/env -C /ferry/source/haskell "/ferry/build/tests/haskell-$way" \
			--format=checks --no-color || failed+=("$way")
	done
	[ ${#failed[@]} -eq 0 ] || fail 1 "failed: ${failed[*]}"
}

bench() {
	inside "/ferry/build/bench/$1" "${@:2}"
}

packages() {
	printf '\n== %s: packages\n' "$suite"
	inside rm -rf /ferry/packages
	inside /ferry/source/scripts/release/packages_test.sh /ferry/packages
}

mkdir -p "$(dirname "$root")"
exec {lock}>"$root.lock"
flock "$lock"
case ${1:-all} in
ready) ready "${@:2}" ;;
run) run "${@:2}" ;;
bench) bench "${@:2}" ;;
packages) packages ;;
all) ready && run "${ways[@]}" && packages ;;
*) fail 2 "unknown '$1': ready, run, bench or packages" ;;
esac
