#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Install the Debian packages that the named purposes need: scripts/install/deps.sh PURPOSE…
# Purposes: build, haskell, ingress (what the tests of hosts in C are written in), haskell-tests, haskell-profiled,
# examples (for examples/haskell), test, matrix, conformance (the source of libgomp's testsuite), demo (a peer of what
# it measures), bench (all the peers), programs (real OpenMP programs), kernel (QEMU, and what builds kernels and
# modules), hosts (the languages of hosts/ and of their providers), compiler (GCC's headers for plugins), suites (what
# builds and tests real programs), network (libraries behind a NATS server), nix (the packages of Nix), packages (what
# checks libraries and source packages).
# Without root, print the command that installs what is missing and fail.
set -euo pipefail

packages_for() {
	case $1 in
	build) echo gcc g++ libc6-dev make pkg-config liburing-dev python3 python3-venv strace ;;
	compiler) echo "gcc-$(gcc -dumpversion 2>/dev/null || echo 12)-plugin-dev" ;;
	suites) echo autoconf automake autopoint gettext dpkg-dev perl debootstrap ;;
	network) echo libnats-dev nats-server ;;
	hosts) echo rustc cargo rustfmt rust-clippy golang-go valgrind ;;
	haskell)
		echo ghc cabal-install libghc-primitive-dev libghc-vector-dev
		echo libopenblas-openmp-dev libsqlite3-dev zlib1g-dev
		;;
	ingress) echo libcmocka-dev ;;
	haskell-tests) echo libghc-hspec-dev libghc-quickcheck2-dev ;;
	examples) echo libghc-conduit-dev libghc-pipes-dev libghc-warp-dev libghc-wai-dev libghc-http-types-dev ;;
	haskell-profiled)
		echo ghc-prof libghc-primitive-prof libghc-vector-prof libghc-hspec-prof libghc-quickcheck2-prof
		;;
	test)
		echo git libcmocka-dev clang clang-format clang-tidy libclang-rt-14-dev cmake shellcheck chromium
		echo libomp-dev man-db ghc-doc libghc-primitive-doc libghc-vector-doc hlint ormolu spin tcc valgrind
		echo gcc-aarch64-linux-gnu libc6-dev-arm64-cross
		;;
	matrix) echo debootstrap util-linux git ;;
	conformance) echo gcc-12-source gfortran xz-utils ;;
	demo) echo libomp-dev libcbor-dev ;;
	bench) echo libomp-dev llvm libcbor-dev libnats-dev nats-server libgrpc++-dev ;;
	kernel)
		echo qemu-system-x86 busybox-static bc bison e2fsprogs flex libcap-dev libelf-dev patch sparse
		echo xz-utils
		;;
	aarch64) echo debootstrap cpio qemu-system-arm g++-aarch64-linux-gnu libc6-dev-arm64-cross ;;
	wheels) echo debootstrap qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross musl-tools ;;
	nix) echo nix-bin ;;
	packages) echo abigail-tools debhelper dpkg-dev ;;
	programs)
		echo libopenblas0-openmp python3-numpy libfftw3-dev imagemagick openmpi-bin libopenmpi-dev
		echo python3-torch r-base-core r-cran-data.table
		;;
	*)
		echo "scripts/install/deps.sh: unknown purpose '$1': build, haskell, ingress, haskell-tests," \
			"haskell-profiled, examples, test, matrix, conformance, demo, bench, kernel, hosts, compiler," \
			"suites, network, aarch64, wheels, nix, packages or programs" >&2
		return 2
		;;
	esac
}

missing=()
for purpose in "$@"; do
	packages=$(packages_for "$purpose")
	for package in $packages; do
		dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
			missing+=("$package")
	done
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -ne 0 ]; then
	echo "Ferry needs packages that are not installed. Install them, then try again:" >&2
	echo "  sudo apt-get install --no-install-recommends ${missing[*]}" >&2
	exit 1
fi
echo "Installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
