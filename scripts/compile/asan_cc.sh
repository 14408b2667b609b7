#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The linker of Rust programs with AddressSanitizer: cc, with gcc's runtime in place of the toolchain's own, so that a
# program and the libraries in C and C++ that it is linked with have one. Debian's Rust ships none in any case.
set -euo pipefail
arguments=("-Wl,--no-as-needed" "$(gcc -print-file-name=libasan.so)")
for argument in "$@"; do
	case $argument in
	*rt.asan.a) ;;
	*) arguments+=("$argument") ;;
	esac
done
exec cc "${arguments[@]}"
