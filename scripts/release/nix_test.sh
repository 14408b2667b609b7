#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Build the packages of haskell/default.nix by Nix: scripts/release/nix_test.sh BUILD [PACKAGE…]
# In place of nixpkgs stands tests/haskell/nix/pkgs.nix, which builds with this machine's GHC. Nix has a store of its
# own in BUILD/nix; nothing is fetched, and no build is kept apart from the machine.
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
store=$(realpath "$1")/nix
shift
[ $# -gt 0 ] || set -- ferry ferry-openmp ferry-directory
wanted=()
for package in "$@"; do wanted+=(-A "$package"); done
mkdir -p "$store/configuration"
export NIX_STORE_DIR=$store/store NIX_STATE_DIR=$store/state NIX_LOG_DIR=$store/log NIX_CONF_DIR=$store/configuration
# Nix makes no links in the home of the user who runs it
export HOME=$store
made=$(nix-build "$root/haskell" --arg pkgs "import $root/tests/haskell/nix/pkgs.nix" "${wanted[@]}" --no-out-link \
	--option sandbox false --option build-users-group '' --option substitute false)
for one in $made; do
	ghc-pkg --package-db="$one/packages" list --simple-output
done
