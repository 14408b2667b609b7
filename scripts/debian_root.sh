# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Debian roots for the scripts that read this file: a clean one of each suite, which is kept, and layers on it
# (overlayfs). Mounts are in a namespace that ends with the script.
mirror=${FERRY_MATRIX_MIRROR:-http://deb.debian.org/debian}

# fail STATUS TEXT
fail() {
	echo "${0##*/}: $2" >&2
	exit "$1"
}

# clean_root ROOTS SUITE: make ROOTS/SUITE, where it is not there
clean_root() {
	local root=$1/$2
	[ "$(id -u)" -eq 0 ] || fail 3 'it makes a Debian root and enters it, which needs root; try: sudo make …'
	command -v debootstrap >/dev/null || fail 3 'debootstrap is not installed; run scripts/install/deps.sh matrix'
	unshare --mount true 2>/dev/null ||
		fail 3 'this machine allows no mount namespace; a container needs CAP_SYS_ADMIN'
	mkdir -p "$1"
	exec {lock}>"$root.lock"
	flock "$lock"
	if [ ! -e "$root/etc/debian_version" ] || [ -e "$root/debootstrap" ]; then
		rm -rf --one-file-system "$root"
		echo "Making a Debian $2 in $root"
		debootstrap --variant=minbase "$2" "$root" "$mirror" sid >"$root.log" 2>&1 ||
			{ tail -n 5 "$root.log" >&2 && fail 3 "debootstrap failed; $root.log has all it said"; }
	fi
	flock --unlock "$lock"
}

# inside ROOT UPPER SHARED COMMAND…: run it in ROOT with what it writes in UPPER, and the folder SHARED as /shared. A
# layer UPPER.lower, where there is one, is between the two. Debian's archives are kept beside ROOT. The certificates
# that this machine trusts are trusted there too, since pip meets the same proxy.
inside() {
	local root=$1 upper=$2 shared=$3
	shift 3
	mkdir -p "$upper/upper" "$upper/work" "$upper/merged" "$root.archives/partial"
	# shellcheck disable=SC2016 # the inner shell expands it
	unshare --mount --propagation private --pid --fork --kill-child bash -c '
		set -e
		root=$1 upper=$2 shared=$3
		shift 3
		to=$upper/merged
		lower=$root
		[ ! -d "$upper.lower/upper" ] || lower=$upper.lower/upper:$root
		mount -t overlay overlay -o "lowerdir=$lower,upperdir=$upper/upper,workdir=$upper/work" "$to"
		mkdir -p "$to/shared"
		mount -t proc proc "$to/proc"
		mount --rbind /dev "$to/dev"
		mount --bind "$root.archives" "$to/var/cache/apt/archives"
		mount --bind "$shared" "$to/shared"
		cp /etc/resolv.conf "$to/etc/resolv.conf"
		certificates=
		if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
			certificates=/etc/this-machine.crt
			cp /etc/ssl/certs/ca-certificates.crt "$to$certificates"
		fi
		printf "#!/bin/sh\nexit 101\n" >"$to/usr/sbin/policy-rc.d"
		chmod +x "$to/usr/sbin/policy-rc.d"
		printf "%s;\n" "Acquire::Check-Valid-Until \"false\"" "APT::Install-Recommends \"false\"" \
			"Binary::apt::APT::Keep-Downloaded-Packages \"true\"" "APT::Keep-Downloaded-Packages \"true\"" \
			>"$to/etc/apt/apt.conf.d/90ferry"
		rm -f "$to/etc/apt/apt.conf.d/docker-clean"
		exec chroot "$to" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			DEBIAN_FRONTEND=noninteractive \
			${certificates:+SSL_CERT_FILE=$certificates PIP_CERT=$certificates} "$@"
	' inside "$root" "$upper" "$shared" "$@"
}

# throw_away UPPER: remove a layer
throw_away() {
	rm -rf --one-file-system "$1"
}
