#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build Debian's Python for musl, which Debian has no Python for: scripts/compile/musl_python.sh ROOT
# ROOT/bin/python3 is Python 3.11 of bookworm; it is built once, in minutes. It runs with the musl of forky, because
# numpy's wheel crashes with bookworm's, 1.2.3.
# Exit status 3 means that the sources could not be had, as without a network.
set -euo pipefail
# shellcheck source=scripts/debian_archive.sh
. "$(dirname "$0")/../debian_archive.sh"

fail() {
	echo "scripts/compile/musl_python.sh: $2" >&2
	exit "$1"
}
[ $# -eq 1 ] || fail 2 'scripts/compile/musl_python.sh ROOT'
root=$(realpath -m "$1")
mkdir -p "$(dirname "$root")"
exec {lock}>"$root.lock"
flock "$lock"
[ ! -e "$root/.done" ] || exit 0
command -v musl-gcc >/dev/null || fail 3 'musl-gcc is not installed; run scripts/install/deps.sh wheels'

work=$root.build log=$root.log
rm -rf "$work" "$root"
mkdir -p "$work/kernel"
trap 'rm -rf "$work"' EXIT
# fetch TYPE SUITE WHAT…: into `work`
fetch() {
	archive "$1" "$2" "$work/$2"
	{
		"${apt[@]}" update && (cd "$work" && "${apt[@]}" "${@:3}")
	} >"$log" 2>&1 || fail 3 "Python for musl needs what could not be fetched: $(tail -n 1 "$log")"
}
fetch deb-src bookworm source --download-only python3.11 libffi zlib
fetch deb forky download musl
for archive in "$work"/*.orig.tar.*; do
	tar --extract --no-same-owner --file "$archive" --directory "$work"
done
dpkg -x "$work"/musl_*.deb "$work/musl"
# the C library is its own loader
loader=$root/lib/ld-musl-$(uname -m).so.1
install -D "$work/musl/usr/lib/$(uname -m)-linux-musl/libc.so" "$loader"

# musl's headers do not have the kernel's. Python asks which folder of Debian its libraries are in.
ln -s /usr/include/linux /usr/include/asm-generic "/usr/include/$(uname -m)-linux-gnu/asm" "$work/kernel"
cat >"$work/cc" <<-END
	#!/bin/sh
	case \$* in *-print-multiarch) echo $(uname -m)-linux-musl && exit ;; esac
	exec musl-gcc -idirafter $work/kernel "\$@"
END
chmod +x "$work/cc"
export CC=$work/cc CFLAGS='-O1 -w'
(
	cd "$work"/libffi-*
	./configure --prefix="$root" --disable-shared --with-pic --disable-docs
	make -j"$(nproc)" install
	cd "$work"/zlib-*
	CFLAGS="$CFLAGS -fPIC" ./configure --prefix="$root" --static
	make -j"$(nproc)" install
	cd "$work"/Python-*
	export PKG_CONFIG_LIBDIR=$root/lib/pkgconfig CPPFLAGS=-I$root/include OPT=-O1
	LDFLAGS="-L$root/lib -Wl,-dynamic-linker,$loader" ./configure --prefix="$root" \
		--without-ensurepip --with-system-ffi --disable-test-modules
	make -j"$(nproc)" install
	"$root/bin/python3" -c 'import ctypes, zlib'
) >"$log" 2>&1 || fail 1 "Python was not built; $log has all that was said: $(tail -n 1 "$log")"
touch "$root/.done"
