#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Run go with the host of hosts/go and the libraries of BUILD: scripts/compile/go.sh BUILD [go's arguments]
# FERRY_GO names another go than the first in PATH. Nothing is fetched. The host finds the core by pkg-config, so a file
# for that is written, which names this tree. What is built is kept in BUILD/go.
set -euo pipefail
build=$(realpath "$1")
shift
root=$(realpath "$(dirname "$0")/../..")

mkdir -p "$build/go/pkgconfig"
printf '%s\n' 'Name: ferryingress' 'Description: of a build tree' 'Version: 0' "Cflags: -I$root/include" \
	"Libs: -L$build/lib -lferryingress" >"$build/go/pkgconfig/.ferryingress.$$"
mv "$build/go/pkgconfig/.ferryingress.$$" "$build/go/pkgconfig/ferryingress.pc"
export PKG_CONFIG_PATH=$build/go/pkgconfig GOCACHE=$build/go/cache GOPATH=$build/go/path
export GOPROXY=off GOTOOLCHAIN=local GOFLAGS="${GOFLAGS:+$GOFLAGS }-mod=mod -buildvcs=false" CGO_ENABLED=1
# without the compiler of another language or cache in front: cgo asks it which flags it knows
export CGO_CFLAGS="-O2 -g" LD_LIBRARY_PATH=$build/lib:$build/nim/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export ECHO_LIBRARY=${ECHO_LIBRARY:-$build/nim/lib/libecho.so}
export NOTES_LIBRARY=${NOTES_LIBRARY:-$build/nim/lib/libnotes.so}
exec "${FERRY_GO:-go}" "$@"
