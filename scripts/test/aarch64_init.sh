#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The first process of the machine that aarch64_test.sh boots: it runs each test program and switches it off.
export PATH=/bin:/usr/bin:/sbin:/usr/sbin HOME=/tmp
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
ln -s /proc/self/fd /dev/fd
mkdir -p /dev/shm
mount -t tmpfs tmp /dev/shm
mount -t tmpfs tmp /tmp
cd /ferry || exit 1
pattern=$(cat pattern) each_s=$(cat each_s)

# say RESULT NAME: with the time it took
say() {
	printf '  %s %s (%d s)\n' "$1" "$2" $(($(date +%s) - begin))
}

# left_out NAME: why a test does not run here
left_out() {
	case $1 in
	test_openmp_*) echo 'make wheels-test runs it for aarch64' ;;
	test_batch_* | test_kernel_*) echo "the kernel's part is built and tested for x86-64" ;;
	esac
}

for program in tests/test_*; do
	name=${program#tests/}
	# shellcheck disable=SC2254 # it is a pattern
	case $name in *.so) continue ;; $pattern) ;; *) continue ;; esac
	begin=$(date +%s)
	why=$(left_out "$name")
	if [ -n "$why" ]; then
		say 'skip  ' "$name: $why"
	elif timeout "$each_s" "$program" </dev/null >/tmp/output 2>&1; then
		say 'ok    ' "$name"
	else
		say 'FAILED' "$name"
		# without the tests that passed; the last line names the one that timed out
		sed '/^\[ RUN /{N;/\n\[       OK /d}' /tmp/output | tail -n 15 | sed 's/^/    | /'
	fi
done
# the tools print what coreutils print
same() {
	begin=$(date +%s)
	if [ "$2" = "$3" ]; then say 'ok    ' "$1"; else say 'FAILED' "$1"; fi
}
same readmany "$(bin/readmany /etc/passwd /proc/version)" "$(cat /etc/passwd /proc/version)"
same mdu "$(bin/mdu /usr/lib)" "$(du /usr/lib)"
echo DONE
echo o >/proc/sysrq-trigger
sleep 60
