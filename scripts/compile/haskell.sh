#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build the Haskell packages, without Hackage and on the OpenMP runtime in BUILD: scripts/compile/haskell.sh BUILD WHAT
# WHAT is one of
#   programs  the libraries and every executable: bench-NAME becomes BUILD/bench/NAME, example-NAME BUILD/examples/NAME,
#             which is not installed, any other NAME BUILD/bin/NAME
#   crossings the libraries and the two benchmarks that `make demo` runs
#   tests     the suite, linked once for each way it is run, as BUILD/tests/haskell-WAY
#   hosts     Haskell programs that run a C program's main: BUILD/tests/openmp-host-ferry, with ferry-openmp and so with
#             our OpenMP runtime, and -plain, without it
#   libraries the package ferry-ingress, and on it the libraries named after it, echo without any: the library NAME
#             becomes BUILD/lib/NAME-haskell/libNAME.so
#   profiled  the suite once more, profiled, with the profiled library it needs
#   doc       Haddock's pages, of all packages for Hackage or of those named after it; what they warn of, and what has
#             no comment, is an error
#   check     what Hackage would refuse
# Everything is written into BUILD; cabal's own log is shown when something fails, or with V=1.
set -euo pipefail
build=$(realpath "$1") what=$2
shift 2
root=$(realpath "$(dirname "$0")/../..")
compiler=$(ghc --numeric-version)
# found from BUILD/bin, BUILD/bench and BUILD/tests, and once installed from bin and from lib/ferry/bench
# shellcheck disable=SC2016 # the loader expands it
runpath='-Wl,-rpath,$ORIGIN/../lib:$ORIGIN/../..'
options=(--offline "--ghc-options=-optl$runpath")
# the compiler's own heap: with larger new memory than its default it collects its garbage more seldom
options+=('--ghc-options=+RTS -A64m -RTS')
# a compiler that the package is tested with warns of nothing; what others warn of is no reason to stop
grep -q "^tested-with:.*==$compiler\b" "$root/haskell/ferry.cabal" && options+=(--ghc-options=-Werror)
# those that are for Hackage, each with a folder below haskell/
libraries=(ferry ferry-openmp ferry-directory)
# the folder of the project that cabal works on
project=haskell

# is_wanted WAY: FERRY_HASKELL_WAYS, where it is set, has the ways in which suites are tested, and nothing else is
# built; `directory` is ferry-directory's
is_wanted() {
	[[ " ${FERRY_HASKELL_WAYS:-$1} " == *" $1 "* ]]
}

# ferry-directory is built by the compilers that it is tested with, whose directory and unix it follows
targets=(all) tests=()
{ is_wanted directory && grep -q "^tested-with:.*==$compiler\b" "$root/haskell/directory/ferry-directory.cabal"; } ||
	targets=(ferry:libs ferry-openmp:libs ferry-bench:exes ferry-examples:exes) tests=(ferry-tests:tests)
is_wanted programs || [ "${targets[0]}" = all ] || targets=(ferry:libs ferry-openmp:libs)

# alone FOLDER: one at a time writes there
alone() {
	exec {lock}>"$build/$1.lock"
	flock "$lock"
}

# pkg_config: a folder with the libraries that packages name, the OpenMP runtime of this tree among them. Cabal asks
# pkg-config for the version of every library that it finds, which takes seconds where all of the system's are found.
pkg_config() {
	local name
	mkdir -p "$build/cabal/pkgconfig"
	for name in openblas sqlite3 zlib; do
		! pkg-config --exists "$name" ||
			ln -sf "$(pkg-config --variable=pcfiledir "$name")/$name.pc" "$build/cabal/pkgconfig"
	done
	for name in ferryomp ferryingress; do
		[ ! -e "$build/lib/pkgconfig/$name.pc" ] ||
			ln -sf "$build/lib/pkgconfig/$name.pc" "$build/cabal/pkgconfig"
	done
}

# run_cabal FOLDER COMMAND…: with BUILD/FOLDER for what it makes, and no package source but the installed ones.
# Each FOLDER has a store of its own: two cabals that make one store at the same time trip over each other.
run_cabal() {
	local folder=$1 log=$build/$1.log home=$build/cabal/$1 status=0
	shift
	pkg_config
	mkdir -p "$home"
	echo 'active-repositories: :none' >"$home/config"
	[ -z "${V:-}" ] || log=/dev/stdout
	(
		cd "$root/$project"
		export PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=$build/cabal/pkgconfig
		export CABAL_DIR=$home GHC_ENVIRONMENT=- LC_ALL=C.UTF-8
		# GHC loads the packages, and so the runtime, where a module of the tests uses their Template Haskell
		export LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
		cabal --config-file="$CABAL_DIR/config" "$1" --builddir="$build/$folder" "${options[@]}" "${@:2}"
	) >"$log" 2>&1 || status=$?
	[ $status -eq 0 ] || { [ -n "${V:-}" ] || cat "$log" >&2; }
	return $status
}

# Cabal does not know that C and Cmm depend on headers, nor GHC that modules depend on the text that they include: what
# was made of these is made again when one has changed.
forget_stale() {
	forget "$1.headers" "$1" include src bench haskell -name '*.h'
	forget "$1.template" "$1/build/*/*/ferry-directory-[0-9]*" haskell/directory/template -name '*.hs'
}

# forget NOTE MADE FIND…: remove MADE, a pattern, when the files that find finds are not those that NOTE tells of
forget() {
	local note=$build/$1 made=$2 now
	shift 2
	now=$(cd "$root" && find "$@" -exec sha256sum {} + | sort)
	[ "$now" = "$(cat "$note" 2>/dev/null)" ] && return
	# shellcheck disable=SC2086 # the pattern
	rm -rf "${build:?}/"$made
	echo "$now" >"$note"
}

say() {
	[ -n "${V:-}" ] || printf '  %-4s %s\n' HS "$1"
}

# planned FOLDER: what cabal has planned, a line for each part of the package: its name, its program, package ids
planned() {
	python3 - "$build/$1/cache/plan.json" <<-'PYTHON'
		import json, sys
		for unit in json.load(open(sys.argv[1]))["install-plan"]:
		    if unit.get("style") == "local" and "bin-file" in unit:
		        print(unit["component-name"], unit["bin-file"], *unit["depends"])
	PYTHON
}

# put FILE AT: copy what has been linked since, without GHC's note of how, which names this tree; what is planned for
# another compiler is not there
put() {
	[ -e "$1" ] || return 0
	[ "$2" -nt "$1" ] && return
	mkdir -p "$(dirname "$2")"
	objcopy --remove-section=.debug-ghc-link-info "$1" "$2"
}

# build_programs TARGET…: build and put where they belong
build_programs() {
	local part file
	say haskell
	alone haskell
	forget_stale haskell
	run_cabal haskell v2-build "$@"
	while read -r part file _; do
		case $part in
		exe:bench-*) put "$file" "$build/bench/${part#exe:bench-}" ;;
		exe:example-*) put "$file" "$build/examples/${part#exe:example-}" ;;
		exe:*) put "$file" "$build/bin/${part#exe:}" ;;
		esac
	done < <(planned haskell)
}

programs() {
	build_programs "${targets[@]}"
}

crossings() {
	build_programs ferry-bench:exe:bench-haskell ferry-bench:exe:bench-openmp-haskell
}

# is_linked WAY FILE: the suite is newer than its objects and what links it
is_linked() {
	local part
	for part in "$2" "$root"/scripts/compile/haskell.sh "$root"/tests/stress/delays.*; do
		[ "$build/tests/haskell-$1" -nt "$part" ] || return
	done
}

# link_suite WAY FILE PACKAGES OPTION…: the objects of the suite, with another runtime system
link_suite() {
	local way=$1 file=$2 packages=$3 to
	shift 3
	is_wanted "$way" || return 0
	to=$build/tests/haskell-$way
	! is_linked "$way" "$file" || return 0
	say "${to#"$root"/}"
	local objects arguments=()
	mapfile -t objects < <(find "$file-tmp" -name '*.o')
	for package in $packages; do
		arguments+=(-package-id "$package")
	done
	mkdir -p "$build/tests"
	GHC_ENVIRONMENT=- ghc -v0 -hide-all-packages -package-db "$build/haskell/packagedb/ghc-$compiler" \
		"${arguments[@]}" "-optl$runpath" -optl-Wl,--wrap=resumeThread -optl-Wl,--wrap=suspendThread \
		-rtsopts "$@" "${objects[@]}" -o "$to"
}

# delays FOLDER: compile the C that holds, retakes and gives up Capabilities, with a random delay before each atomic
# operation and lock of it (tests/stress/delays.h). The linker takes these objects in place of the package's own.
delays() {
	local here=$root/haskell source
	local how=("-I$here/cbits" "-I$here/core" "-I$here/include" -optc-std=gnu11 -optc-D_GNU_SOURCE)
	how+=(-optc-include -optcRts.h -optc-include "-optc$root/tests/stress/delays.h")
	rm -rf "$1"
	mkdir -p "$1"
	for source in "$here"/cbits/{batch/{adaptive,owner},{capability,collector,coscheduler,held,time_slice}/*}.c \
		"$root/tests/stress/delays.c"; do
		ghc -v0 -c -O "$source" -o "$1/$(basename "$source" .c).o" "${how[@]}"
	done
}

# pressed: more Capabilities than cores, and a garbage collection every few microseconds. -DS checks the heap at each.
tests() {
	local part file packages checked='-N2 -DS'
	# Two threads of the parallel collector may copy the same Haskell thread at once. The copy that loses is
	# garbage with a stale global_link. The check of the heap of GHC 9.0 and 9.6 follows that link and now and then
	# crashes, in programs of plain safe calls too (GHC issue 19146). GHC 9.10's does not: there the parallel
	# collector is used.
	[[ $compiler != 9.[06].* ]] || checked+=' -qg'
	say 'haskell tests'
	alone haskell
	forget_stale haskell
	run_cabal haskell v2-build --enable-tests "${targets[@]}" "${tests[@]}"
	while read -r part file packages; do
		[ "$part" != test:directory-spec ] || put "$file" "$build/tests/haskell-directory"
		[ "$part" = test:spec ] || continue
		link_suite threaded "$file" "$packages" -threaded -with-rtsopts=-N2
		link_suite nonthreaded "$file" "$packages"
		link_suite pressed "$file" "$packages" -threaded '-with-rtsopts=-N4 -A64k'
		link_suite debug "$file" "$packages" -threaded -debug "-with-rtsopts=$checked"
		! is_wanted delayed || is_linked delayed "$file" || delays "$build/obj/haskell-delays"
		link_suite delayed "$file" "$packages" -threaded -with-rtsopts=-N2 "$build"/obj/haskell-delays/*.o
	done < <(planned haskell)
}

# Only shared libraries are made: nothing here is linked into a program.
libraries() {
	local made name
	[ $# -gt 0 ] || set -- echo
	say "haskell libraries: $*"
	alone haskell-libraries
	project=haskell/ingress
	forget haskell-libraries.headers haskell-libraries include/ferry haskell/ingress -name '*.h'
	run_cabal haskell-libraries v2-build --disable-library-vanilla --enable-shared "${@/#/flib:}"
	for name in "$@"; do
		made=$(find "$build/haskell-libraries" -path "*/f/$name/build/$name/lib$name.so")
		put "$made" "$build/lib/$name-haskell/lib$name.so"
	done
}

profiled() {
	local part file
	say 'haskell tests, profiled'
	alone haskell-profiled
	forget_stale haskell-profiled
	run_cabal haskell-profiled v2-build --enable-tests --enable-profiling --disable-library-vanilla \
		--disable-shared test:spec
	while read -r part file _; do
		[ "$part" != test:spec ] || put "$file" "$build/tests/haskell-profiled"
	done < <(planned haskell-profiled)
}

hosts() {
	local source=$root/tests/openmp/conformance/host/Main.hs object=$build/obj/openmp-host/Main.o
	local how=(-hide-all-packages -package base "-optl$runpath" -threaded -rtsopts -with-rtsopts=-N2)
	say 'haskell hosts'
	alone haskell
	forget_stale haskell
	run_cabal haskell v2-build lib:ferry-openmp
	mkdir -p "$build/tests"
	GHC_ENVIRONMENT=- ghc -v0 -Wall -Werror -O -c -outputdir "${object%/*}" -package base "$source"
	GHC_ENVIRONMENT=- ghc -v0 "${how[@]}" "$object" -o "$build/tests/openmp-host-plain"
	GHC_ENVIRONMENT=- ghc -v0 "${how[@]}" -package-db "$build/haskell/packagedb/ghc-$compiler" \
		-package ferry-openmp "$object" -o "$build/tests/openmp-host-ferry"
}

# ferry-ingress is in a project of its own
doc() {
	if [ $# -eq 0 ]; then
		document haskell "${libraries[@]}"
		set -- ferry-ingress
	fi
	if [ "$*" = ferry-ingress ]; then
		project=haskell/ingress
		document haskell-libraries "$@"
	else
		document haskell "$@"
	fi
}

# document FOLDER PACKAGE…: Haddock's pages of packages of one project, which FOLDER has what is made of
document() {
	local folder=$1 said
	shift
	alone "$folder"
	said=$(V=1 run_cabal "$folder" v2-haddock "${@/#/lib:}")
	# an export without a comment, but for those of other packages; or a link that leads nowhere, but for those to
	# what other packages hide: instances of a class that is exported again name it
	if grep -qE '^ +([^ ]+ \([^ ]+:[0-9]+\)|Module header)$|^[[:space:]]+- Ferry\.' <<<"$said" ||
		grep -vE 'package servers|could not find link destinations' <<<"$said" | grep -q '^Warning:'; then
		grep -vE '^ 100%' <<<"$said" >&2
		return 1
	fi
	grep -A1 '^Documentation created' <<<"$said" | grep '^/'
}

check() {
	local file said status=0
	mkdir -p "$build/cabal"
	for file in "$root"/haskell/{,*/,*/*/}*.cabal "$root"/examples/haskell/*.cabal; do
		said=$(cd "$(dirname "$file")" &&
			CABAL_DIR=$build/cabal cabal --config-file="$build/cabal/config" check 2>&1) || true
		[ "$said" = 'No errors or warnings could be found in the package.' ] && continue
		printf '%s: %s\n' "${file#"$root"/}" "$said" >&2
		status=1
	done
	return $status
}

case $what in
programs | crossings | tests | hosts | libraries | profiled | doc | check) "$what" "$@" ;;
*)
	echo "scripts/compile/haskell.sh: unknown '$what': programs, crossings, tests, hosts, libraries, profiled," \
		'doc or check' >&2
	exit 2
	;;
esac
