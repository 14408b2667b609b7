# SPDX-License-Identifier: GPL-2.0-only
"""Make what a kernel boots into: a cpio archive (newc) with busybox, the tests and an init that runs them.

Written here rather than by cpio(1), so that it needs no root for its device nodes and is the same bytes each time.
"""

from __future__ import annotations

import gzip
import io
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from vm.say import UnavailableError

DIRECTORY, REGULAR, LINK, CHARACTER = 0o040000, 0o100000, 0o120000, 0o020000
#: Where an ELF file names the loader it needs, if it needs one.
INTERPRETER_BYTES = 4096
#: From this size on an archive is not compressed.
STORED_BYTES = 256 << 20
INIT = Path(__file__).with_name("init")


@dataclass
class Initramfs:
    """An archive that grows entry by entry."""

    buffer: io.BytesIO = field(default_factory=io.BytesIO)
    known: set[str] = field(default_factory=set)

    def _entry(self, name: str, mode: int, data: bytes = b"", device: tuple[int, int] = (0, 0)) -> None:
        self.known.add(name)
        links = 2 if mode & DIRECTORY == DIRECTORY else 1
        path = name.encode() + b"\0"
        fields = (len(self.known), mode, 0, 0, links, 0, len(data), 0, 0, *device, len(path), 0)
        self.buffer.write(b"070701" + b"".join(b"%08X" % number for number in fields) + path)
        self._pad()
        self.buffer.write(data)
        self._pad()

    def _pad(self) -> None:
        self.buffer.write(bytes(-self.buffer.tell() % 4))

    def directory(self, name: str, mode: int = 0o755) -> None:
        """Add a directory, and those above it."""
        above = name.rpartition("/")[0]
        if above and above not in self.known:
            self.directory(above)
        if name not in self.known:
            self._entry(name, DIRECTORY | mode)

    def file(self, name: str, data: bytes, mode: int = 0o755) -> None:
        """Add a file."""
        if "/" in name:
            self.directory(name.rpartition("/")[0])
        self._entry(name, REGULAR | mode, data)

    def link(self, name: str, to: str) -> None:
        """Add a symbolic link."""
        self._entry(name, LINK | 0o777, to.encode())

    def device(self, name: str, major: int, minor: int) -> None:
        """Add a character device."""
        self._entry(name, CHARACTER | 0o600, device=(major, minor))

    def packed(self) -> bytes:
        """Return the whole archive, compressed where that is quicker than to emulate how it is expanded."""
        self._entry("TRAILER!!!", 0)
        level = 6 if self.buffer.tell() < STORED_BYTES else 0
        return gzip.compress(self.buffer.getvalue(), level, mtime=0)


def busybox() -> Path:
    """Return this machine's static busybox. Raises UnavailableError."""
    found = shutil.which("busybox")
    if not found or b"/ld-linux-x86-64.so.2\0" in Path(found).read_bytes()[:INTERPRETER_BYTES]:
        raise UnavailableError("there is no static busybox; install busybox-static (scripts/install/deps.sh kernel)")
    return Path(found)


def make(programs: dict[str, bytes], files: dict[str, bytes], to: Path) -> Path:
    """Write an archive whose init runs `programs` in the order of their names, with `files` beside them."""
    archive = Initramfs()
    for name in ("dev", "proc", "sys", "bin", "tests"):
        archive.directory(name)
    archive.directory("tmp", 0o1777)
    # the kernel opens it before init has mounted anything
    archive.device("dev/console", 5, 1)
    archive.file("bin/busybox", busybox().read_bytes())
    archive.link("bin/sh", "busybox")
    archive.file("init", INIT.read_bytes())
    archive.file("etc/passwd", b"root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n", 0o644)
    archive.file("etc/group", b"root:x:0:\nnogroup:x:65534:\n", 0o644)
    for name, data in programs.items():
        archive.file(f"tests/{name}", data)
    for name, data in files.items():
        archive.file(name, data)
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(archive.packed())
    return to
