#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Test suites of real programs whose system calls ferry cc has made into batches:
# scripts/test/suites.sh BUILD WAY SUITE…
# dash, busybox, its ash, coreutils, git and make are built from Debian's sources in BUILD/suites. With WAY loop or off
# their suites run here, with FERRY_COMPILED=WAY. With the name of a kernel of `make vm-test` they run in that guest, in
# a Debian of their own, with every batch in the kernel: the tests in which batches ran with loop, or all where there
# were none; what fails there runs once more without batches. BUILD/suites/*.said have a line for each test.
set -euo pipefail
scripts=$(realpath "$(dirname "$0")/..")
# shellcheck source=scripts/debian_root.sh
. "$scripts/debian_root.sh"
[ $# -ge 3 ] || fail 2 'scripts/test/suites.sh BUILD WAY SUITE…'
build=$(realpath -m "$1") way=$2
shift 2
root=$(dirname "$scripts")
folder=$build/suites
run=$root/tests/compiler/suites/run.sh
ferry=$build/bin/ferry
# Not root, who may do what the suites test that others may not. And no signal is ignored, which stays so in whatever is
# started, and one test looks: GNU make starts its commands by posix_spawn, and glibc's leaves two signals ignored that
# are its own, so that only the system call (13, rt_sigaction) can reset them.
# shellcheck disable=SC2016 # perl expands it
nobody=(perl -e '$default = "\0" x 32; syscall(13, $_, $default, 0, 8) for 1 .. 64; exec @ARGV'
	env -i PATH=/usr/local/bin:/usr/bin:/bin TMPDIR=/tmp)
[ "$(id -u)" -ne 0 ] || nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups "${nobody[@]}")
# files of git's suite that take seconds here, and minutes where QEMU emulates each instruction
git_tests='t0000-basic.sh t0001-init.sh t0002-gitfile.sh t0004-unwritable.sh t0006-date.sh t0010-racy-git.sh
	t0020-crlf.sh t0021-conversion.sh t0030-stripspace.sh t0050-filesystem.sh t0060-path-utils.sh
	t0061-run-command.sh t0062-revision-walking.sh t0070-fundamental.sh t0100-previous.sh
	t0200-gettext-basic.sh t0300-credentials.sh t1000-read-tree-m-3way.sh t1003-read-tree-prefix.sh
	t1006-cat-file.sh t1007-hash-object.sh t1020-subdirectory.sh t1050-large.sh t1300-config.sh
	t1301-shared-repo.sh t1400-update-ref.sh t1402-check-ref-format.sh t1410-reflog.sh
	t1500-rev-parse.sh t1501-work-tree.sh t1510-repo-setup.sh t2000-conflict-when-checking-files-out.sh
	t3000-ls-files-others.sh t3200-branch.sh t3300-funny-names.sh t3600-rm.sh t3700-add.sh
	t3903-stash.sh t5300-pack-object.sh t5304-prune.sh t5601-clone.sh t6500-gc.sh t7004-tag.sh
	t7500-commit-template-squash-signoff.sh t7508-status.sh'

# The suites' versions are those of Debian 12.
source_of() {
	case $1 in
	ash | busybox) echo busybox ;;
	make) echo make-dfsg ;;
	*) echo "$1" ;;
	esac
}

# fetch SOURCE: unpack it to BUILD/suites/src/SOURCE, with apt's state kept apart from this machine's
fetch() {
	local apt=$folder/apt options
	[ ! -e "$folder/src/$1" ] || return 0
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$folder/src"
	options=(-qq -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=-
		-o "Dir::State::lists=$apt/lists"
		-o Dir::State::status=/dev/null -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root)
	if [ ! -e "$apt/sources.list" ]; then
		echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror bookworm main" \
			>"$apt/sources.list"
		apt-get "${options[@]}" update
	fi
	(cd "$folder/src" && apt-get "${options[@]}" source --download-only "$1" &&
		dpkg-source --no-check -x "$1"_*.dsc "$1") >"$folder/$1.fetch.log" 2>&1 ||
		fail 3 "Debian's source of $1 cannot be had; see $folder/$1.fetch.log"
}

# compile PROGRAM: as its users do, with make CC="ferry cc"
compile() {
	local cc="$ferry cc" to=$folder/$1
	[ ! -e "$to/.done" ] || return 0
	echo "Building $1"
	fetch "$(source_of "$1")"
	rm -rf "$to"
	cp -a "$folder/src/$(source_of "$1")" "$to"
	cd "$to"
	export FORCE_UNSAFE_CONFIGURE=1
	{
		case $1 in
		dash) ./configure CFLAGS=-O2 && make -j"$(nproc)" CC="$cc" ;;
		busybox)
			make defconfig && sed -i 's/^CONFIG_TC=y/# CONFIG_TC is not set/' .config &&
				make -j"$(nproc)" CC="$cc" && gcc -Os -w -o testsuite/echo-ne scripts/echo.c &&
				for program in printenv recho zecho; do
					gcc -O2 -w -o "shell/ash_test/$program" "shell/ash_test/$program.c"
				done && cp .config shell/ash_test/
			;;
		coreutils)
			find . -name '*.in' -exec touch {} + && ./configure --disable-nls CFLAGS=-O2 &&
				make -j"$(nproc)" CC="$cc"
			;;
		git)
			make -j"$(nproc)" CC="$cc" CFLAGS=-O2 NO_CURL=1 NO_OPENSSL=1 NO_GETTEXT=1 NO_TCLTK=1 \
				NO_PYTHON=1 NO_EXPAT=1
			;;
		make)
			# Debian's source has no configure
			autoreconf -fi && ./configure --disable-nls CFLAGS=-O2 && make -j"$(nproc)" CC="$cc"
			;;
		esac
	} >"$folder/$1.log" 2>&1 || fail 1 "$1 cannot be built; see $folder/$1.log"
	find . -name '*.[oa]' -delete
	touch .done
	cd "$root"
}

# what coreutils' makefile tells its tests
environment_of_coreutils() {
	make -s -C "$folder/coreutils" -f Makefile -f - ferry-environment <<'END'
ferry-environment:
	@echo "built_programs='$(built_programs) $(single_binary_progs)'"
	@echo "VERSION='$(VERSION)'"
	@echo "tests='$(filter-out $(all_root_tests),$(all_tests))'"
END
}

# guest_root SUITE…: a Debian with the programs and what they need of Ferry, each where it is on this machine. Its
# /program runs the suites with every batch in the kernel, and what did not pass once more without batches.
guest_root() {
	local to=$folder/root program suite
	[ "$(id -u)" -eq 0 ] || fail 3 'it makes a Debian root, which needs root; try: sudo make …'
	if [ ! -e "$folder/debian/etc/debian_version" ] || [ -e "$folder/debian/debootstrap" ]; then
		command -v debootstrap >/dev/null ||
			fail 3 'debootstrap is not installed; run scripts/install/deps.sh matrix'
		rm -rf --one-file-system "$folder/debian"
		echo 'Making a Debian bookworm for the guest'
		debootstrap --variant=minbase --include=perl,make,procps bookworm "$folder/debian" "$mirror" \
			>"$folder/debian.log" 2>&1 || fail 3 "debootstrap failed; $folder/debian.log has all it said"
		rm -rf "$folder"/debian/var/{cache/apt,lib/apt/lists}/* "$folder"/debian/usr/share/{doc,locale,man}
	fi
	rm -rf --one-file-system "$to"
	cp -a "$folder/debian" "$to"
	mkdir -p "$to$folder" "$to$build/lib" "$to${run%/*}"
	cp -a "$build"/lib/libferry.so* "$to$build/lib/"
	cp -L "$(ldconfig -p | sed -n 's/.*liburing.so.2 .* => //p' | head -n 1)" "$to/usr/lib/x86_64-linux-gnu/"
	cp "$run" "$to$run"
	for program in dash busybox coreutils git make coreutils.env; do
		[ ! -e "$folder/$program" ] || cp -a "$folder/$program" "$to$folder/"
	done
	find "$to$folder" -name '*.[oa]' -delete
	{
		echo '#!/bin/bash'
		declare -p nobody run folder git_tests
		declare -f run_suite in_guest
		for suite; do
			echo "in_guest $suite '${TESTS:-$(with_batches "$suite")}'"
		done
	} >"$to/program"
	chmod +x "$to/program"
}

# run_suite WAY SUITE TESTS
run_suite() {
	local tests=$3
	[ "$2" != git ] || tests=${tests:-$git_tests}
	(cd /tmp && "${nobody[@]}" TESTS="$tests" bash "$run" "$folder" "$1" "$2")
}

# in_guest SUITE TESTS
in_guest() {
	local failed
	run_suite kernel "$1" "$2" | tee /tmp/said
	failed=$(awk '$2 == "kernel" && $4 == "fail" { print $1 ~ /^(dash|ash)$/ ? $3 ".tests" : $3 }' /tmp/said)
	[ -z "$failed" ] || run_suite off "$1" "$failed"
}

# summary FILE SUITE…: say of each suite how many tests ended in which way, and in how many (of busybox, git and make:
# in how many files) batches ran; fail where no test of a suite ran
summary() {
	local file=$1 suite
	shift
	awk '$2 ~ /^(loop|kernel|off)$/ && $4 ~ /^(ok|fail|skip)$/ {
		what = $1 " " $2
		lines[what]++
		if ($1 ~ /^(busybox|git|make)$/) { ok[what] += $5; fail[what] += $6; skip[what] += $7 }
		else { ok[what] += $4 == "ok"; fail[what] += $4 == "fail"; skip[what] += $4 == "skip" }
		if ($NF > 0) { with[what]++; batches[what] += $NF }
	}
	END {
		for (what in lines)
			printf "%s: %d passed, %d failed, %d skipped; %d of %d had batches, %d in all\n", what,
				ok[what], fail[what], skip[what], with[what], lines[what], batches[what]
	}' "$file" | sort
	for suite; do
		grep -Eq "^$suite (loop|kernel|off) .* (ok|fail|skip) " "$file" ||
			fail 1 "no test of $suite ran; $file has all that was said"
	done
}

# with_batches SUITE: its tests in which batches ran here
with_batches() {
	local suffix=
	[ "$1" != dash ] && [ "$1" != ash ] || suffix=.tests
	[ ! -e "$folder/loop.$1.said" ] || awk -v suite="$1" -v suffix="$suffix" \
		'$1 == suite && $2 == "loop" && $NF > 0 { printf "%s%s ", $3, suffix }' "$folder/loop.$1.said"
}

case $way:$build in
loop:* | off:*) ;;
*:/tmp/*) fail 2 "$build cannot be in the guest, whose /tmp is its own; build in another folder" ;;
esac
mkdir -p "$folder"
for suite; do
	case $suite in
	dash) compile dash && compile busybox ;;
	ash) compile busybox ;;
	busybox | git | make) compile "$suite" ;;
	coreutils) compile coreutils && environment_of_coreutils >"$folder/coreutils.env" ;;
	*) fail 2 "there is no suite '$suite'; the known ones are: dash ash busybox coreutils git make" ;;
	esac
done
case $way in
loop | off)
	"${nobody[@]}" test -x "$run" || fail 3 "the user nobody cannot reach $run"
	for suite; do
		run_suite "$way" "$suite" "${TESTS:-}" >"$folder/$way.$suite.said"
		summary "$folder/$way.$suite.said" "$suite"
	done
	;;
*)
	guest_root "$@"
	PYTHONPATH=$root/kernel "${PYTHON:-python3}" -m vm --build "$build" --root "$folder/root" "$way" \
		>"$folder/$way.said"
	summary "$folder/$way.said" "$@"
	;;
esac
