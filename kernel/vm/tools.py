# SPDX-License-Identifier: GPL-2.0-only
"""What bench/tools and bench/auto need in a guest: an ext4 file system, and du and cat of this machine.

Most files that people read are in such a file system: a read of it can say at once that it would have to wait
(RWF_NOWAIT), by which readmany knows in one call that it has read a file to its end. Debian's kernels have ext4 as a
module, and so are those that it needs; it is built into ours.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from vm.debian import Archive
from vm.kernels import RELEASES, Kernel
from vm.say import UnavailableError, run_logged

#: What ext4 on a file needs, each before those that need it.
MODULES = ("crc16", "crc32c_generic", "mbcache", "jbd2", "ext4", "loop")
#: GNU's programs beside ours.
BESIDE = ("du", "cat")
FILE_SYSTEM_MIB = 64


def files(archive: Archive, kernel: Kernel, folder: Path) -> dict[str, bytes]:
    """Return the files of the initramfs that these benchmarks need besides themselves. Raises UnavailableError."""
    return {**modules(archive, kernel), **dynamic(), "files.ext4": file_system(archive, folder)}


def modules(archive: Archive, kernel: Kernel) -> dict[str, bytes]:
    """Return the modules that a file system in a file needs, in the order in which init loads them."""
    found = {} if kernel.config else archive.modules(RELEASES[kernel.series], MODULES)
    return {f"modules/{index}-{name}.ko": data for index, (name, data) in enumerate(found.items())}


def dynamic() -> dict[str, bytes]:
    """Return du and cat of this machine with the libraries that they need. Raises UnavailableError."""
    found = {}
    for name in BESIDE:
        program = shutil.which(name)
        if not program:
            raise UnavailableError(f"there is no {name} on this machine to compare with")
        found[f"programs/{name}"] = Path(program).read_bytes()
        needs = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
        for library in re.findall(r"(/\S+) \(0x", needs):
            found[library.lstrip("/")] = Path(library).read_bytes()
    return found


def mke2fs() -> str:
    """Return what makes file systems. Raises UnavailableError."""
    make = shutil.which("mke2fs", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if not make:
        raise UnavailableError("there is no mke2fs; install e2fsprogs (scripts/install/deps.sh kernel)")
    return make


def file_system(archive: Archive, folder: Path) -> bytes:
    """Return an empty ext4 file system, without a journal, whose thread would run now and then."""
    folder.mkdir(parents=True, exist_ok=True)
    image = folder / "files.ext4"
    image.unlink(missing_ok=True)
    command = [mke2fs(), "-q", "-F", "-t", "ext4", "-O", "^has_journal", str(image), f"{FILE_SYSTEM_MIB}M"]
    run_logged("making a file system", command, archive.folder / "mke2fs.log")
    return image.read_bytes()
