#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Run test suites of programs that ferry cc has compiled: run.sh PROGRAMS WAY SUITE…
# PROGRAMS is where scripts/test/suites.sh has built them, and WAY is what FERRY_COMPILED says there: loop, kernel or
# off. A line is printed for each test, `SUITE WAY TEST RESULT BATCHES`, with the batches that ran in it, by the log of
# ferry-cc(1). A line of busybox, git or make is of many tests, and has before BATCHES how many passed, failed and were
# skipped (and, of git's, are known to fail). TESTS names those that run. All runs as the caller, who should not be
# root.
set -u
programs=$1
export FERRY_COMPILED=$2 LC_ALL=C HOME=${TMPDIR:-/tmp} programs
jobs=$(nproc)
# seconds for a file of tests: what hangs is found by this alone
limit=${SUITE_LIMIT:-1800}
shift 2

# Have the batches of a test counted.
count_batches() {
	FERRY_COMPILED_LOG=$(mktemp)
	chmod 666 "$FERRY_COMPILED_LOG"
	export FERRY_COMPILED_LOG
}

# Say how many there were.
batches() {
	wc -l <"$FERRY_COMPILED_LOG"
	rm -f "$FERRY_COMPILED_LOG"
}

# in_folder SUITE PATH: a copy of the suite, so that two runs meet in nothing
in_folder() {
	folder=$(mktemp -d) || exit
	cp -a "$programs/$2" "$folder/$1"
	cd "$folder/$1" || exit
}

# busybox's tests of its ash, with another shell: ash_tests SUITE SHELL
ash_tests() {
	in_folder "$1" busybox/shell/ash_test
	ln -sf "$2" ash
	eval "$(sed -e '/^#/d' -e '/^$/d' -e 's:^:export :' .config)"
	export PATH=$PWD:$PATH THIS_SH=$PWD/ash
	export -f one_of_ash count_batches batches
	export limit suite=$1
	# shellcheck disable=SC2086 # they are words
	printf '%s\n' ${TESTS:-ash-*/*.tests} | xargs -P "$jobs" -I{} bash -c 'one_of_ash {}'
}

# one_of_ash TEST: as ./run-all does
one_of_ash() {
	local name=${1%.tests} result=fail
	[ -x "$1" ] && [ -f "$name.right" ] || return 0
	count_batches
	(cd "${1%/*}" && timeout -s KILL "$limit" "$THIS_SH" "./${1##*/}" 2>&1 |
		grep -va '^ash: using fallback suid method$' | cmp -s - "${name##*/}.right") && result=ok
	echo "$suite $FERRY_COMPILED $name $result $(batches)"
}

suite_dash() {
	ash_tests dash "$programs/dash/src/dash"
}

suite_ash() {
	ash_tests ash "$programs/busybox/busybox"
}

# Each applet's tests are numbered, as git's are. They share a folder of links to busybox, so one runs after the other.
suite_busybox() {
	local applet
	in_folder busybox busybox/testsuite
	mkdir "$folder/bin"
	cp "$programs/busybox/busybox" "$programs/busybox/.config" "$folder/bin"
	export bindir=$folder/bin tsdir=$PWD
	for applet in ${TESTS:-$(printf '%s\n' */ *.tests | sed 's,/$,,; s,\.tests$,,' | sort -u)}; do
		count_batches
		timeout -s KILL "$limit" ./runtest "$applet" 2>/dev/null </dev/null | awk -v applet="$applet" '
			BEGIN { what = "busybox " ENVIRON["FERRY_COMPILED"] " " applet }
			/^PASS: / { ok++ }
			/^FAIL: / { fail++; print "# " what ": " $0 }
			/^(SKIPPED|UNTESTED): / { skip++ }
			END { printf "%s %s %d %d %d ", what, (fail ? "fail" : ok ? "ok" : "skip"), ok, fail, skip }'
		batches
	done
}

# one_of_coreutils TEST: as its makefile does
one_of_coreutils() {
	local test=$1 result status said
	# shellcheck source=/dev/null # a part of coreutils
	. tests/lang-default
	case $test in
	*.sh) set -- /bin/bash "$test" ;;
	*.pl) set -- perl -w -Itests -MCuSkip -MCoreutils -M"CuTmpdir qw($test)" "$test" ;;
	*.xpl) set -- perl -T -w -Itests -MCuSkip -MCoreutils -M"CuTmpdir qw($test)" "$test" ;;
	esac
	count_batches
	said=$(timeout -s KILL "$limit" "$@" 9>&1 2>&1 </dev/null)
	status=$?
	case $status in 0) result=ok ;; 77) result=skip ;; *) result=fail ;; esac
	echo "coreutils $FERRY_COMPILED $test $result $(batches)"
	[ "$result" != fail ] || printf '%s\n' "$said" | tail -n 20 | sed "s,^,# $test: ,"
}

suite_coreutils() {
	local top=$programs/coreutils
	in_folder coreutils coreutils/tests
	mkdir "$folder/top" && mv "$PWD" "$folder/top/tests" && cd "$folder/top" || exit
	ln -s "$top"/{src,init.cfg,build-aux,man,lib,AUTHORS,THANKS.in,scripts} .
	# shellcheck source=/dev/null # written by scripts/test/suites.sh
	. "$programs/coreutils.env"
	export abs_top_builddir=$PWD abs_top_srcdir=$PWD abs_srcdir=$PWD srcdir=. top_srcdir=.
	export fail=0 CONFIG_HEADER=$top/lib/config.h
	export CU_TEST_NAME=coreutils AWK=awk EGREP='grep -E' EXEEXT='' MAKE=make CC=gcc PERL=perl SHELL=/bin/sh
	export host_os=linux-gnu host_triplet=x86_64-pc-linux-gnu built_programs VERSION PACKAGE_VERSION=$VERSION
	export LOCALE_FR=none LOCALE_FR_UTF8=none TMPDIR=${TMPDIR:-/tmp} PATH=$top/src:$PATH limit
	export -f one_of_coreutils count_batches batches
	# shellcheck disable=SC2086 # they are words
	printf '%s\n' ${TESTS:-$tests} | xargs -P "$jobs" -I{} bash -c 'one_of_coreutils {}'
}

# one_of_git FILE: its tests are numbered, and the line says how many end in which way
one_of_git() {
	local said
	count_batches
	said=$(timeout -s KILL "$limit" sh "./$1" --root="$folder/trash" 2>/dev/null | awk -v file="$1" '
		/^ok .*# skip/ { skip++; next }
		/^not ok .*# [T]ODO/ { known++; next }
		/^not ok/ { fail++; print "# " file ": " $0; next }
		/^ok/ { ok++ }
		/^1\.\.[0-9]/ { ended = 1 }
		END {
			printf "git %s %s %s ", ENVIRON["FERRY_COMPILED"], file, (ended && !fail ? "ok" : "fail")
			printf "%d %d %d %d", ok, fail, skip, known
		}')
	echo "$said $(batches)"
}

suite_git() {
	folder=$(mktemp -d)
	cd "$programs/git/t" || exit
	export -f one_of_git count_batches batches
	export folder limit TEST_NO_MALLOC_CHECK=1 TEST_OUTPUT_DIRECTORY=$folder
	mkdir "$folder/trash"
	# shellcheck disable=SC2086 # they are words
	printf '%s\n' ${TESTS:?} | xargs -P "$jobs" -I{} bash -c 'one_of_git {}'
}

# one_of_make FILE: how many of its tests passed, as its driver says; where it says N/A, make cannot do that here
one_of_make() {
	local own said
	own=$(mktemp -d "$folder/run.XXXXXX")
	ln -s "$folder/make/scripts" "$own/"
	count_batches
	# the makefile's limit, which a test counts with
	said=$(cd "$own" && ulimit -n 128 && timeout -s KILL "$limit" perl "$folder/make/run_make_tests.pl" \
		-srcdir "$programs/make" -make "$programs/make/make" "$1" 2>&1 </dev/null | awk -v file="$1" '
		BEGIN { what = "make " ENVIRON["FERRY_COMPILED"] " " file }
		/(^| )ok +\([0-9]+ passed\)$/ { ok = substr($(NF - 1), 2); ended = 1 }
		/(^| )N\/A$/ { skip = 1; ended = 1 }
		/(^| )FAILED \(.*\)$/ {
			# all that ran may have passed, when the file itself failed
			if (split(substr($(NF - 1), 2), part, "/") == 2) { ok = part[1]; fail = part[2] - part[1] }
		}
		{ last = last "# " what ": " $0 "\n" }
		END {
			if (!ended && !fail) fail = 1
			if (fail) printf "%s", last
			printf "%s %s %d %d %d", what, (fail ? "fail" : ok ? "ok" : "skip"), ok, fail, skip
		}')
	echo "$said $(batches)"
}

# The driver gives its tests an environment of its own, and to each five seconds or what it asks for, which is less than
# a guest needs. A test takes the caller's SHELL for a shell, which nobody's is not.
suite_make() {
	in_folder make make/tests
	sed -i -e "s/'LD_LIBRARY_PATH',/& 'FERRY_COMPILED', 'FERRY_COMPILED_LOG',/" \
		-e "s/^\$test_timeout = .*/\$test_timeout = $limit;/" test_driver.pl
	sed -i "/and .test_timeout = .timeout;$/d" run_make_tests.pl
	export -f one_of_make count_batches batches
	export folder limit SHELL=/bin/sh
	# shellcheck disable=SC2086 # they are words
	printf '%s\n' ${TESTS:-$(cd scripts && echo */*)} | xargs -P "$jobs" -I{} bash -c 'one_of_make {}'
}

for suite; do
	start=$SECONDS
	(suite_"$suite")
	echo "# $suite $FERRY_COMPILED: $((SECONDS - start)) s"
done
