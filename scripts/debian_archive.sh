# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Packages of a Debian suite, fetched without installing them, for the scripts that read this file.
mirror=${FERRY_MATRIX_MIRROR:-http://deb.debian.org/debian}

# archive TYPE SUITE FOLDER: make `apt` an apt-get of that suite alone, with TYPE deb or deb-src. FOLDER has its state:
# neither what is installed nor the machine's own lists matter, and neither is touched.
archive() {
	mkdir -p "$3/lists/partial" "$3/cache/archives/partial"
	echo "$1 [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $2 main" >"$3/sources.list"
	# shellcheck disable=SC2034 # the script that reads this file uses it
	apt=(apt-get -qq -o Dir::Etc::sourcelist="$3/sources.list" -o Dir::Etc::sourceparts=-
		-o Dir::State::status=/dev/null -o Dir::State::lists="$3/lists" -o Dir::Cache="$3/cache"
		-o Acquire::Check-Valid-Until=false -o APT::Sandbox::User="$(id -un)")
}
