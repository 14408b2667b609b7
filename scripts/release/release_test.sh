#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What release.sh runs in a clean Debian, with what is published in /shared: release_test.sh PART VERSION SUITE
# It does what the documents say to somebody who has that part and nothing else.
set -euo pipefail
part=$1 version=$2 suite=$3

get() {
	apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# packages NAME…: Debian's packages of this release
packages() {
	local name files=()
	for name in "$@"; do
		files+=("$(echo "/shared/$suite/${name}_"*.deb)")
	done
	get "${files[@]}"
}

source_test() {
	get make xz-utils
	tar --extract --no-same-owner --file "/shared/source/ferry-$version.tar.xz"
	make -C "ferry-$version" -j2 install >/tmp/log 2>&1 || { tail -n 40 /tmp/log >&2 && exit 1; }
	[ "$(ferry --version)" = "ferry (Ferry) $version" ]
	[ "$(printf 'one\n' >a && readmany a)" = one ]
	make -C "ferry-$version" uninstall
	[ ! -e /usr/local/bin/ferry ]
}

python_test() {
	get python3-venv gcc
	python3 -m venv wheels
	wheels/bin/pip install -q /shared/pypi/{ferry,ferry_ingress}-"$version"-*.whl \
		/shared/pypi/ferry_openmp-"$version"-*manylinux*_x86_64.whl
	[ "$(wheels/bin/ferry --version)" = "ferry (Ferry) $version" ]
	wheels/bin/python -c 'import ferry_ingress, ferry_openmp; ferry_openmp.enable()'
	wheels/bin/ferry-openmp --help >/dev/null
	python3 -m venv sources
	sources/bin/pip install -q /shared/pypi/{ferry,ferry_ingress}-"$version.tar.gz"
	[ "$(sources/bin/ferry --version)" = "ferry (Ferry) $version" ]
	sources/bin/python -c 'import ferry_ingress'
}

haskell_test() {
	get ghc cabal-install libghc-primitive-dev libghc-vector-dev liburing-dev
	mkdir program
	cd program
	cat >Main.hs <<-'END'
		{-# LANGUAGE TemplateHaskell #-}
		import Control.Monad (unless)
		import Ferry.Foreign
		import Ferry.OpenMP ()

		foreignImport "hypot" [t|Double -> Double -> Double|]

		main :: IO ()
		main = unless (hypot 3 4 == 5) (fail "hypot")
	END
	cat >program.cabal <<-'END'
		cabal-version: 3.0
		name: program
		version: 1
		executable program
		  main-is: Main.hs
		  build-depends: base, ferry, ferry-openmp
		  default-language: Haskell2010
		  ghc-options: -threaded
	END
	echo packages: . /shared/hackage/ferry{,-openmp}-"$version".tar.gz >cabal.project
	mkdir -p ~/.cabal
	echo 'active-repositories: :none' >~/.cabal/config
	cabal v2-run --offline program >/tmp/log 2>&1 || { tail -n 40 /tmp/log >&2 && exit 1; }
}

rust_test() {
	get cargo
	packages libferryingress0 libferryingress-dev
	mkdir -p program/src
	for crate in /shared/crates/*-"$version.crate"; do
		tar --extract --file "$crate" --directory program
	done
	cd program
	cat >Cargo.toml <<-END
		[package]
		name = "program"
		version = "1.0.0"
		edition = "2021"
		[dependencies]
		ferry-ingress = "$version"
		ferry-ingress-provider = "$version"
		[patch.crates-io]
		ferry-ingress = { path = "ferry-ingress-$version" }
		ferry-ingress-macros = { path = "ferry-ingress-macros-$version" }
		ferry-ingress-provider = { path = "ferry-ingress-provider-$version" }
	END
	cat >src/main.rs <<-'END'
		fn half(number: u64) -> ferry_ingress_provider::Outcome<u64> {
		    Ok((number / 2).into())
		}

		fn main() {
		    println!("{:?}", ferry_ingress::Status::Closed);
		    assert!(half(4).is_ok());
		}
	END
	cargo run --quiet --offline
}

nim_test() {
	[ -n "$(apt-cache madison nim)" ] ||
		{ echo "Debian $suite has no Nim; the first of DEB_SUITES has to have one: bookworm" >&2 && exit 1; }
	get nim gcc libc6-dev ca-certificates
	packages libferryingress0 libferryingress-dev libferry0 libferry-dev libferryomp0 libferrynetwork0 ferry-tools \
		python3-ferry-ingress
	tar --extract --no-same-owner --file "/shared/nimble/ferry-nim-$version.tar.gz"
	(cd "ferry-nim-$version" && nimble install -y --offline >/tmp/log 2>&1) || { cat /tmp/log >&2 && exit 1; }
	cat >adder.nim <<-'END'
		import ferry

		type Sum = ref object
		  total: int64

		proc create(): Sum {.ferryConstructor.} =
		  ## Start with 0.
		  Sum()

		proc destroy(sum: Sum) {.ferryDestructor.} =
		  ## End.
		  sum.total = 0

		proc add(sum: Sum; value: int64): int64 {.ferryMethod.} =
		  ## Add, and give the sum.
		  sum.total += value
		  sum.total

		ferryLibrary adder, "1.0.0":
		  ## Adds up.
	END
	nim c --hints:off --mm:orc --app:lib --threads:on -d:noSignalHandler -d:ferryInterface="$PWD/adder.json" \
		-o:libadder.so --passL:-lferryingress adder.nim
	ferry bindgen adder.json --lang python --out python
	PYTHONPATH=python/src ADDER_LIBRARY=$PWD/libadder.so python3 -c '
from adder import Adder
with Adder.create() as made:
    made.add(40)
    assert made.add(2) == 42'
}

cd "$(mktemp -d)"
apt-get update -qq
"${part}_test"
