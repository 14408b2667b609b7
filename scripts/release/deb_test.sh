#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What scripts/release/deb.sh runs in a clean Debian that has the packages in /shared: deb_test.sh VERSION
# All packages are installed in an earlier revision, upgraded, tested by debian/tests, removed and purged. Nothing of
# them may be left then.
set -euo pipefail
version=$1
apt-get update -qq

# every package once more, as if an earlier revision had the same files
mkdir -p /tmp/earlier
for package in /shared/*.deb; do
	case $package in *-dbgsym_*) continue ;; esac
	dpkg-deb --raw-extract "$package" /tmp/unpacked
	now=$(dpkg-deb --field "$package" Version)
	sed -i "s/$now/$version-0/g" /tmp/unpacked/DEBIAN/control
	dpkg-deb --build -Znone /tmp/unpacked /tmp/earlier >/dev/null
	rm -rf /tmp/unpacked
done
mapfile -t packages < <(for file in /tmp/earlier/*.deb; do dpkg-deb --field "$file" Package; done)

# versions: the version that each package is installed in
versions() {
	# shellcheck disable=SC2016 # dpkg-query expands it
	dpkg-query --show --showformat='${db:Status-Status} ${Version}\n' "${packages[@]}" | sort -u
}

echo "== install ${packages[*]}"
apt-get install -y -qq /tmp/earlier/*.deb >/dev/null
[ "$(versions)" = "installed $version-0" ]

echo '== upgrade'
find /shared -name '*.deb' ! -name '*-dbgsym_*' -print0 | xargs -0 apt-get install -y -qq >/dev/null
[ "$(versions)" = "installed $now" ]
dpkg --verify "${packages[@]}"
# for a bill of materials: these and what they depend on
cp /var/lib/dpkg/status /shared/dpkg-status

echo '== debian/tests'
apt-get install -y -qq apt-utils autopkgtest dpkg-dev >/dev/null
status=0
autopkgtest --no-built-binaries /shared/*.deb /shared/*.dsc -- null || status=$?
# 2: a test said that it cannot run here
[ $status -eq 0 ] || [ $status -eq 2 ]

echo '== remove'
dpkg-query --listfiles "${packages[@]}" | grep -v '^$' | sort -u | while read -r path; do
	[ -d "$path" ] || echo "$path"
done >/tmp/files
apt-get purge -y -qq "${packages[@]}" >/dev/null
while read -r path; do
	[ ! -e "$path" ] || { echo "$path is left" >&2 && exit 1; }
done </tmp/files
find / -xdev -path /proc -prune -o -path /tmp -prune -o -path /shared -prune -o -path '/var/*/apt' -prune -o \
	-iname '*ferry*' ! -path '/etc/apt/*' -print >/tmp/left
[ ! -s /tmp/left ] || { echo 'left behind:' && cat /tmp/left && exit 1; } >&2
dpkg --audit
echo '== done'
