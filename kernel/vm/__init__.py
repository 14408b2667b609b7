# SPDX-License-Identifier: GPL-2.0-only
"""Boot kernels in QEMU and run the kernel side's tests in them: `make vm-test`, `python -m vm --help`.

In the order of what happens: `kernels` (which there are), `debian` (fetch Debian's kernels, headers and sources),
`build` (a kernel of our own), `programs` (the selftests, the module), `initramfs` (what boots), `qemu` (boot it, with a
time limit), `console` (what the kernel said that it should not have), `tap` (what the tests said), `branches` (what
the module's code may do where branches are tracked), `measure` and `bars` (what it costs, in instructions), `__main__`
(all of it, and one TAP stream).
"""
