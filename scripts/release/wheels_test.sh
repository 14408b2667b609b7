#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Check the wheels of ferry-openmp, and run them on an older system: scripts/release/wheels_test.sh WHEELS ARCH…
# For each processor a Debian 11 (glibc 2.31, Python 3.9) is unpacked into WHEELS/ARCH/root; programs of another
# processor run under qemu-user. There pip installs the wheel, Python runs a program with it, and the runtime's unit
# tests run, which GCC compiles and `zig cc` links with the very objects of the wheel.
# For x86_64-musl the unit tests run with bookworm's musl and with that of forky, and a Python that is built for it runs
# programs of PyPI with the wheel.
# Exit status 3 means that a root or that Python could not be made, as without a network.
set -euo pipefail
wheels=$(realpath "$1")
shift
suite=bullseye
mirror=${FERRY_MATRIX_MIRROR:-http://deb.debian.org/debian}
packages=python3,python3-distutils,python-pip-whl,libcmocka-dev
declare -A debian=([x86_64]=amd64 [aarch64]=arm64) gcc=([x86_64]=gcc [aarch64]=aarch64-linux-gnu-gcc)
# What qemu-user cannot do; each line has the test, the fault that tests/wheels/unit/qemu_user.c shows, and why it
# matters to the test.
skips=$(dirname "$0")/wheels_test.skip
# On x86-64 the emulator lets a load overtake a store before it, which aarch64 forbids for those of C's seq_cst
# (tests/wheels/unit/qemu_user.c shows it). So a thread that goes to sleep and the one that has to wake it can miss each
# other. On one processor the threads take turns, and a store is done before the next one's turn. So what is emulated
# runs on this one, and the unit tests are told that there are two (tests/wheels/unit/two_processors.c).
one_processor=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*\([0-9]*\).*/\1/p' /proc/self/status)
# It becomes another user, and a namespace that registers qemu-user has one. It starts no program, so it needs none.
without_namespace=test_openmp_allocator
# It looks on which processor a thread runs, so it is told how many there are.
knows_processors=test_openmp_rest

fail() {
	echo "make wheels-test: $2" >&2
	exit "$1"
}
[ "$(id -u)" -eq 0 ] || fail 3 'it enters a Debian root, which needs root; try: sudo make wheels-test'
command -v debootstrap >/dev/null || fail 3 'debootstrap is not installed; run scripts/install/deps.sh wheels'

# Unpacked and not configured: nothing of it is run but Python and the tests, so no other processor is needed for it.
make_root() {
	local arch=$1 root=$wheels/$1/root
	[ ! -e "$root/.done" ] || return 0
	rm -rf --one-file-system "$root"
	mkdir -p "$root"
	echo "Unpacking a Debian $suite for $arch in $root"
	debootstrap --foreign --arch="${debian[$arch]}" --variant=minbase --include=$packages \
		"$suite" "$root" "$mirror" >"$root.log" 2>&1 || fail 3 "debootstrap failed; $root.log has all it said"
	for package in "$root"/var/cache/apt/archives/*.deb; do
		dpkg-deb --extract "$package" "$root"
	done
	ln -sf dash "$root/bin/sh"
	mkdir -p "$root/ferry"
	touch "$root/.done"
}

# inside ARCH COMMAND…: run it in the root, with what qemu-user needs registered in a namespace that ends with it
inside() {
	local arch=$1 apart=(--mount --propagation private --pid --fork --kill-child) memory=()
	shift
	# a table of binary formats of its own belongs to a namespace of users
	[ "$arch" = "$(uname -m)" ] || apart+=(--user --map-root-user)
	# the emulator allocates in some threads, for each of which glibc reserves 64 MiB; what it runs may do so too
	[ "$arch" = "$(uname -m)" ] || memory=(MALLOC_ARENA_MAX=1 QEMU_UNSET_ENV=MALLOC_ARENA_MAX)
	# shellcheck disable=SC2016 # the inner shell expands it
	unshare "${apart[@]}" bash -c '
		set -e
		root=$1 arch=$2
		shift 2
		mount -t proc proc "$root/proc"
		mount --rbind /dev "$root/dev"
		mount --rbind /sys "$root/sys"
		if [ "$arch" != "$(uname -m)" ]; then
			mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
			cat "/usr/lib/binfmt.d/qemu-$arch.conf" >/proc/sys/fs/binfmt_misc/register
		fi
		exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/ferry LC_ALL=C.UTF-8 "$@"
	' inside "$wheels/$arch/root" "$arch" "${memory[@]}" "$@"
}

build_tests() {
	local arch=$1 root=$wheels/$1/root source name
	local flags=(-std=gnu11 -O2 -fopenmp -fPIC -D_GNU_SOURCE -Iinclude -Isrc -I"$root/usr/include" -pthread)
	mkdir -p "$wheels/$arch/tests" "$root/ferry/tests"
	for source in tests/openmp/unit/test_openmp_*.c tests/openmp/stress/random_*.c; do
		name=$(basename "$source" .c)
		"${gcc[$arch]}" "${flags[@]}" -c -o "$wheels/$arch/tests/$name.o" "$source"
	done
	for source in tests/openmp/unit/test_openmp_*.c; do
		name=$(basename "$source" .c)
		local objects=("$wheels/$arch/tests/$name.o")
		[ "$name" != test_openmp_random ] || objects+=("$wheels/$arch"/tests/random_*.o)
		[ "$arch" = "$(uname -m)" ] || [ "$name" = $knows_processors ] ||
			objects+=(tests/wheels/unit/two_processors.c)
		"$wheels/$arch/cc" -o "$root/ferry/tests/$name" "${objects[@]}" -D_GNU_SOURCE \
			tests/wheels/unit/gettid.c "$wheels/$arch/lib/libferryomp.a" \
			-L"$root/usr/lib/$arch-linux-gnu" -lcmocka -lpthread -ldl -lm
	done
	"$wheels/$arch/cc" -D_GNU_SOURCE -O2 -o "$root/ferry/tests/qemu_user" tests/wheels/unit/qemu_user.c -lpthread
}

check_wheel() {
	local tag=$1 wheel=$2 said
	said=$(PATH=$wheels/venv/bin:$PATH auditwheel show "$wheel")
	grep -Eqz "following platform tag:\s+\"$tag\"" <<<"$said" ||
		fail 1 "$wheel is for newer systems than its name says: $said"
}

# under_emulator ARCH PROGRAM…: run it as this user, by the emulator's name
under_emulator() {
	local arch=$1
	shift
	"qemu-$arch-static" -L "$wheels/$arch/root" "$wheels/$arch/root$1" "${@:2}"
}

# skipped ARCH NAME: whether a test says nothing here; print why. The fault is looked for each time.
skipped() {
	local arch=$1 name=$2 line fault
	[ "$arch" != "$(uname -m)" ] || return 1
	line=$(grep "^$name:" "$skips") || return 1
	fault=$(cut -d ' ' -f 2 <<<"$line")
	if under_emulator "$arch" /ferry/tests/qemu_user "${fault%:}" >"$wheels/test.log" 2>&1; then
		echo "  skip  $arch: $name: ${line#*: *: }; without Ferry: $(cat "$wheels/test.log")"
		return 0
	fi
	return 1
}

failed=() count=0
# step NAME COMMAND…: run a check, say how it went, and go on
step() {
	local name=$1 begin=$SECONDS log status=0
	shift
	log=$wheels/test.log
	count=$((count + 1))
	# SIGKILL, and to all of them: the first process of a namespace of processes and unshare outlive SIGTERM
	timeout --signal=KILL 600 "$@" >"$log" 2>&1 || status=$?
	if [ $status -eq 0 ]; then
		printf '  ok    %s (%d s)\n' "$name" $((SECONDS - begin))
	else
		printf '  FAILED %s (%d s), status %d\n' "$name" $((SECONDS - begin)) $status
		tail -n 30 "$log"
		failed+=("$name")
	fi
}
export -f inside under_emulator
export wheels

test_arch() {
	local arch=$1 root=$wheels/$1/root program name how
	local wheel pin=()
	wheel=$(echo "$wheels/dist/"*"-manylinux_"*"_$arch.whl")
	check_wheel "manylinux_2_(17|28)_$arch" "$wheel"
	make_root "$arch"
	build_tests "$arch"
	rm -rf "$root/ferry/site"
	cp "$wheel" tests/wheels/unit/older_system.py "$root/ferry/"
	if [ "$arch" != "$(uname -m)" ]; then
		pin=(taskset --cpu-list "$one_processor")
		# shellcheck disable=SC2016 # the inner shell expands it
		step "$arch: on one processor no load overtakes a store" "${pin[@]}" bash -c '
			! under_emulator "$1" /ferry/tests/qemu_user loads-overtake-stores
		' pinned "$arch"
	fi
	# shellcheck disable=SC2016 # the inner shell expands it
	step "$arch: pip installs it" "${pin[@]}" bash -c 'inside "$@"' inside "$arch" sh -c '
		export PYTHONPATH="$(echo /usr/share/python-wheels/pip-*.whl)"
		exec python3 -m pip --no-cache-dir install --no-index --target /ferry/site "$1"
	' pip "/ferry/$(basename "$wheel")"
	step "$arch: Python runs with it" "${pin[@]}" bash -c 'inside "$@"' inside "$arch" \
		env PYTHONPATH=/ferry/site python3 /ferry/older_system.py
	for program in "$root"/ferry/tests/${FERRY_WHEELS_ONLY:-test_openmp_*}; do
		name=$(basename "$program")
		! skipped "$arch" "$name" || continue
		how=inside
		[ "$name" != "$without_namespace" ] || [ "$arch" = "$(uname -m)" ] || how=under_emulator
		step "$arch: $name" "${pin[@]}" bash -c '"$@"' step "$how" "$arch" "/ferry/tests/$name"
	done
}

# musl's headers do not have the kernel's. Debian has no cmocka for musl, and musl has no malloc_trim. Two tests count
# allocations by means of glibc and are left out.
build_musl_tests() {
	local folder=$wheels/x86_64-musl source name tests
	local flags=(-std=gnu11 -O2 -fopenmp -fPIC -D_GNU_SOURCE '-Dmalloc_trim(pad)=((void)(pad))' -pthread
		-Itests/wheels/unit -Iinclude -Isrc -idirafter /usr/include -idirafter /usr/include/x86_64-linux-gnu)
	mkdir -p "$folder/tests/objects"
	mapfile -t tests < <(grep -L counted_allocator.h tests/openmp/unit/test_openmp_*.c)
	for source in "${tests[@]}" tests/openmp/stress/random_*.c; do
		musl-gcc "${flags[@]}" -c -o "$folder/tests/objects/$(basename "$source" .c).o" "$source"
	done
	for source in "${tests[@]}"; do
		name=$(basename "$source" .c)
		local objects=("$folder/tests/objects/$name.o")
		[ "$name" != test_openmp_random ] || objects+=("$folder"/tests/objects/random_*.o)
		musl-gcc -o "$folder/tests/$name" "${objects[@]}" "$folder/lib/libferryomp.a" -pthread -lm
	done
	musl-gcc -O2 -o "$folder/tests/musl_leave" tests/wheels/unit/musl_leave.c -pthread
}

# musl_programs [LOADER]: the unit tests with this machine's musl, or with another. musl's threads have stacks of
# 128 KiB, which is too little for tests that recurse. auditwheel cannot look at the wheel on a system whose own libc.so
# is a text.
musl_programs() {
	local folder=$wheels/x86_64-musl program name version
	version=$("${1:-/lib/ld-musl-x86_64.so.1}" 2>&1 | sed -n 's/^Version //p') || true
	name="x86_64-musl $version"
	step "$name: musl loads its libraries" "$@" "$folder/tests/musl_leave" \
		"$folder"/lib/{gomp/libgomp.so.1,libferryblas.so}
	for program in "$folder"/tests/${FERRY_WHEELS_ONLY:-test_openmp_*}; do
		if [ "$(basename "$program")" = test_openmp_fork ] && "$@" "$folder/tests/musl_leave"; then
			echo "  skip  $name: test_openmp_fork; in this musl a child that was forked hangs," \
				"without Ferry too (tests/wheels/unit/musl_leave.c)"
			continue
		fi
		step "$name: $(basename "$program")" env OMP_STACKSIZE=8M "$@" "$program"
	done
}

test_musl() {
	local folder=$wheels/x86_64-musl python=$wheels/x86_64-musl/python site wheel
	build_musl_tests
	musl_programs
	scripts/compile/musl_python.sh "$python" || fail 3 'there is no Python for musl'
	musl_programs "$python/lib/ld-musl-x86_64.so.1"
	site=$(echo "$python"/lib/python3.*/site-packages)
	wheel=$(echo "$wheels/dist/"*-musllinux_*_x86_64.whl)
	# the pip of another Python fetches and unpacks them
	step 'x86_64-musl: pip installs it' "$wheels/venv/bin/python" -m pip --no-cache-dir install --quiet --upgrade \
		--target "$site" --platform musllinux_1_2_x86_64 --python-version 3.11 --implementation cp --abi cp311 \
		--abi abi3 --only-binary :all: -c bench/openmp/programs/requirements.txt numpy scipy faiss-cpu "$wheel"
	step 'x86_64-musl: Python runs with it' "$python/bin/python3" tests/wheels/unit/older_system.py
	step 'x86_64-musl: programs of PyPI run with it' "$python/bin/python3" tests/wheels/unit/on_musl.py
}

for name in "$@"; do
	if [ "$name" = x86_64-musl ]; then test_musl; else test_arch "$name"; fi
done
echo "$((count - ${#failed[@]})) passed, ${#failed[@]} failed"
[ ${#failed[@]} -eq 0 ]
