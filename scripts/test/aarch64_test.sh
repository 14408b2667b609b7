#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Run the libraries' unit tests in a Debian 12 for aarch64: scripts/test/aarch64_test.sh FOLDER [PATTERN]
# A compiler of this machine compiles them; QEMU boots Debian's kernel with them, without a disk, and is this machine's
# own emulator (TCG) where it is no aarch64 itself. Only tests whose names match PATTERN run. The root and what is
# compiled stay in FOLDER for the next time. Exit status 3 means that the root could not be made, as without a network.
set -euo pipefail
mkdir -p "$1"
folder=$(realpath "$1")
pattern=${2:-*}
suite=bookworm
mirror=${FERRY_MATRIX_MIRROR:-http://deb.debian.org/debian}
packages=linux-image-cloud-arm64,libcmocka-dev,liburing-dev,libsqlite3-dev,libstdc++6
# how long the tests may take in all, and each of them: an emulated processor is some 20 times slower
whole_s=5400 each_s=600
root=$folder/root image=$folder/image build=$folder/build
triplet=aarch64-linux-gnu

fail() {
	echo "make aarch64-test: $2" >&2
	exit "$1"
}
[ "$(id -u)" -eq 0 ] || fail 3 'debootstrap needs root; try: sudo make aarch64-test'
command -v debootstrap >/dev/null || fail 3 'debootstrap is not installed; run scripts/install/deps.sh aarch64'

# Unpacked and not configured: none of it runs here.
make_root() {
	[ ! -e "$root/.done" ] || return 0
	rm -rf --one-file-system "$root"
	mkdir -p "$root"
	echo "Unpacking a Debian $suite for aarch64 in $root"
	debootstrap --foreign --arch=arm64 --variant=minbase --include=$packages "$suite" "$root" "$mirror" \
		>"$root.log" 2>&1 || fail 3 "debootstrap failed; $root.log has all it said"
	for package in "$root"/var/cache/apt/archives/*.deb; do
		dpkg-deb --extract "$package" "$root"
	done
	touch "$root/.done"
}

# The C library is that of the cross compiler, other libraries are the root's.
build_tests() {
	local library
	mkdir -p "$folder/lib"
	for library in cmocka uring sqlite3; do
		ln -sf "$root/usr/lib/$triplet/lib$library".* "$folder/lib/"
	done
	for compiler in gcc g++; do
		printf '#!/bin/sh\nexec %s "$@" -idirafter %s -L%s\n' "$triplet-$compiler" "$root/usr/include" \
			"$folder/lib" >"$folder/$compiler"
		chmod +x "$folder/$compiler"
	done
	make --no-print-directory -j"$(nproc)" BUILD="$build" CC="$folder/gcc" CXX="$folder/g++" \
		AR=$triplet-gcc-ar HAS_NATS= unit-tests "$build/bin/mdu" "$build/bin/readmany"
}

# What the tests need of the system, the programs, and an init that runs them.
make_image() {
	rm -rf --one-file-system "$image"
	mkdir -p "$image"/{dev,proc,sys,tmp,var/tmp,ferry/bin}
	tar --create --file=- --directory="$root" --exclude='./usr/share' --exclude='./var' --exclude='./boot' \
		--exclude='./usr/include' --exclude='*.a' --exclude='*/gconv' --exclude='./lib/modules' \
		--exclude='*/perl*' --exclude='./debootstrap' --exclude='./usr/lib/systemd' . |
		tar --extract --file=- --directory="$image"
	cp -a "$build/tests" "$build/lib" "$image/ferry/"
	cp -a "$build/bin/mdu" "$build/bin/readmany" "$image/ferry/bin/"
	find "$image/ferry" \( -name '*.o' -o -name '*.d' \) -delete
	find "$image/ferry/tests" -type f -exec $triplet-strip {} + 2>/dev/null || true
	# tests read it, and look up users
	cp /etc/passwd "$image/etc/passwd"
	cp scripts/test/aarch64_init.sh "$image/init"
	echo "$pattern" >"$image/ferry/pattern"
	echo "$each_s" >"$image/ferry/each_s"
	(cd "$image" && find . | cpio --quiet -o -H newc | gzip -1) >"$folder/image.gz"
}

# Print the tests' results as they come. With one thread for each processor, the emulator on x86-64 lets a load-acquire
# overtake a store-release before it, which aarch64 forbids (Arm ARM, B2.3): now and then a wake-up of ours is lost by
# that. One thread for all processors cannot do so, and still switches between them anywhere.
boot() {
	local kernel
	kernel=$(echo "$root"/boot/vmlinuz-*)
	timeout --kill-after=5 $whole_s qemu-system-aarch64 -machine virt -cpu max -smp 2 -m 4G \
		-accel tcg,thread=single -nodefaults -nographic -serial stdio -no-reboot -kernel "$kernel" \
		-initrd "$folder/image.gz" -append 'console=ttyAMA0 quiet panic=-1' </dev/null |
		tee "$folder/console" | sed -un 's/\r$//; /^  \(ok\|FAILED\|skip\) /p; /^    | /p'
}

make_root
build_tests >"$folder/make.log" 2>&1 || { tail -n 20 "$folder/make.log" >&2 && fail 1 'the tests do not compile'; }
compgen -G "$build/tests/$pattern" >/dev/null || fail 2 "no unit test is called '$pattern'; $build/tests has them"
make_image
boot
grep -q '^DONE' "$folder/console" || fail 1 "the machine stopped before the last test; $folder/console has all it said"
passed=$(grep -c '^  ok ' "$folder/console") || true
failed=$(grep -c '^  FAILED ' "$folder/console") || true
skipped=$(grep -c '^  skip ' "$folder/console") || true
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
