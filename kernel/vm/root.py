# SPDX-License-Identifier: GPL-2.0-only
"""Run a program of another root in a guest: a folder with all that the program needs, which becomes the root there.

The folder goes into an ext4 file system in the initramfs, so that no kernel needs a disk. The program is /program of
the folder, and runs as root. What it prints is printed here.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from vm import console, programs, qemu, tools
from vm.debian import Archive
from vm.kernels import KERNELS
from vm.say import VmError, run_logged, say

#: What the guest starts in its root.
PROGRAM = "program"
#: Suites of whole programs take hours where QEMU emulates each instruction.
TIMEOUT_S = 6 * 3600
#: Room for what the program writes, besides its /tmp.
FREE_MIB = 512
#: The initramfs is in memory twice while the guest starts, and /tmp is there as well.
MEMORY_MIB = 1536


def file_system(archive: Archive, root: Path, folder: Path) -> Path:
    """Return an ext4 file system with what is in `root`, without a journal. Raises UnavailableError."""
    folder.mkdir(parents=True, exist_ok=True)
    image = folder / "root.ext4"
    image.unlink(missing_ok=True)
    used = subprocess.run(["du", "-sm", "--apparent-size", root], capture_output=True, text=True, check=True).stdout
    size = int(used.split()[0]) * 5 // 4 + FREE_MIB
    command = [tools.mke2fs(), "-q", "-F", "-t", "ext4", "-O", "^has_journal", "-m", "0", "-d", str(root), str(image)]
    run_logged("making a file system", [*command, f"{size}M"], archive.folder / "mke2fs.log")
    return image


def run(archive: Archive, name: str, root: Path) -> int:
    """Boot a kernel, run the program, print what it says, and return its status. Raises VmError."""
    kernel = KERNELS[name]
    fetched = programs.obtain(archive, kernel)
    folder = archive.folder / "roots" / name
    files = tools.modules(archive, kernel)
    image = file_system(archive, root, folder)
    files["files.ext4"] = image.read_bytes()
    machine = qemu.Machine(
        fetched.image,
        programs.image(archive, kernel, fetched, folder, only=("machine",), more=files),
        memory_mib=MEMORY_MIB + 3 * (image.stat().st_size >> 20),
        append=(*kernel.append, f"vm.root={PROGRAM}"),
        timeout_s=TIMEOUT_S,
    )
    image.unlink()
    say(f"{name}: booting {fetched.version} for /{PROGRAM} of {root}")
    outcome = qemu.boot(machine, folder, name)
    said = outcome.tests.partition("# program root\n")[2].partition("# exit root ")
    print(said[0], end="")
    if outcome.stopped or not said[1]:
        raise VmError(f"{name}: {outcome.stopped or 'the machine ended before the program did'}; see {folder}")
    if findings := console.scan(outcome.console):
        raise VmError(f"{name}: the kernel was harmed:\n{console.excerpt(outcome.console, findings[0])}")
    say(f"{name}: {outcome.seconds:.0f} s; its log is {folder / 'console.log'}")
    return int(said[2].split()[0])


def main(archive: Archive, names: list[str], root: Path) -> int:
    """Run the program on the kernels named; the status is the highest of theirs."""
    if not os.access(root / PROGRAM, os.X_OK):
        print(f"vm: --root {root}: there is no program {root / PROGRAM} that can be run", file=sys.stderr)
        return 2
    return qemu.status_of(lambda: max(run(archive, name, root) for name in names))
