#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build the module of kernel/ in a copy of its source: scripts/compile/kernel_module.sh BUILD KDIR [make arguments]
# KDIR is a kernel's headers or its build tree. The module is BUILD/kernel/module/batch.ko; a warning is an error.
set -euo pipefail
build=$1 kdir=$2
shift 2
[ -e "$kdir/Makefile" ] || {
	echo "make kernel-module: no kernel headers at $kdir. Install them, on Debian" >&2
	echo "  sudo apt-get install linux-headers-$(uname -r)" >&2
	echo "or name others: make kernel-module KDIR=/usr/src/linux-headers-VERSION" >&2
	exit 2
}
out=$build/kernel/module
rm -rf "$out"
mkdir -p "$out"
cp -r kernel/Kbuild kernel/core kernel/module kernel/include "$out"
# BTF is for tracers and needs the kernel's own pahole and vmlinux
log=$out/build.log
if ! make -C "$kdir" M="$(realpath "$out")" CONFIG_DEBUG_INFO_BTF_MODULES= "$@" modules >"$log" 2>&1; then
	cat "$log" >&2
	exit 1
fi
if grep -E '(^|[^a-z])(warning|error):' "$log" | grep -vE '^warning: (pahole|the compiler)'; then
	echo "make kernel-module: the module builds with warnings; all of them are in $log" >&2
	exit 1
fi
echo "$out/batch.ko: insmod it as root; mode=0666 lets every user open /dev/batch"
