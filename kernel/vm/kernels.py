# SPDX-License-Identifier: GPL-2.0-only
"""Which kernels there are to test: Debian's own with the module, and ones built here with the series of patches."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Release:
    """A kernel that Debian packages, by what its packages are called."""

    series: str
    #: What stands for `VERSION` in linux-headers-VERSION-amd64; the newest that matches is taken.
    pattern: str
    #: Where it is from, for people.
    suite: str


RELEASES = {
    release.series: release
    for release in (
        Release("6.1", r"6\.1\.0-\d+", "bookworm"),
        Release("6.12", r"6\.12\.\d+\+deb12(?:\.\d+)?", "bookworm-backports"),
        Release("7.2", r"7\.2\.\d+\+deb13(?:\.\d+)?", "trixie-backports"),
    )
}


#: What there is a series of patches for.
PATCHED = (RELEASES["6.12"], RELEASES["7.2"])


#: Each system call has a stack offset of its own.
OFFSETS = "randomize_kstack_offset=on"


@dataclass(frozen=True)
class Kernel:
    """A kernel to boot."""

    name: str
    series: str
    #: "" for Debian's own; else the fragment of configuration in kernel/vm/config that ours is built with.
    config: str
    #: Slots that root_random runs.
    slots: int = 20_000
    #: How much longer than on Debian's kernel its programs take, at most.
    slowness: int = 1
    memory_mib: int = 512
    #: Added to its command line.
    append: tuple[str, ...] = ()
    #: Instructions that a batch may take besides its slots; 0: not counted here.
    fixed_bar: int = 0
    #: Whether ours has the patches.
    patched: bool = True
    #: No tests: the kernel that a system call is to cost as much on as here.
    as_on: str = ""


KERNELS = {
    kernel.name: kernel
    for kernel in (
        Kernel("debian-6.12", "6.12", "", fixed_bar=760),
        Kernel("debian-6.1", "6.1", ""),
        Kernel("debian-7.2", "7.2", ""),
        # 270, and 5 that each system call takes where a kernel can give it a stack offset
        Kernel("plain-6.12", "6.12", "plain", fixed_bar=275, append=(OFFSETS,)),
        Kernel("plain-7.2", "7.2", "plain", append=(OFFSETS,)),
        Kernel(
            "debug-6.12",
            "6.12",
            "debug",
            slots=1_000_000,
            slowness=8,
            memory_mib=1536,
            # checks, and no call trace for each object besides those that KASAN and kmemleak keep
            append=("slub_debug=F", OFFSETS),
        ),
        Kernel("off-6.12", "6.12", "off", as_on="bare-6.12"),
    )
}
#: Kernels that others are compared with.
REFERENCES = {kernel.name: kernel for kernel in (Kernel("bare-6.12", "6.12", "off", patched=False),)}
#: What `make test` boots: nothing of it has to be built.
SHORT = "debian-6.12"
