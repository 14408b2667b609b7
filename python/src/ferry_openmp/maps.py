# SPDX-License-Identifier: BSD-3-Clause
"""Which libraries a process has mapped (proc(5), maps), and in which of them a symbol of this process lies.

A library is opened only if it is loaded already (RTLD_NOLOAD). The lookup of a symbol also searches the libraries that
a library was linked with, so an address counts only if it lies in the library's own mapping.
"""

from __future__ import annotations

import bisect
import ctypes
import os
from dataclasses import dataclass, field
from pathlib import Path

NO_LOAD = getattr(os, "RTLD_NOLOAD", 4) | os.RTLD_LAZY


@dataclass(frozen=True)
class Maps:
    """What is mapped, sorted by address."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    files: tuple[str, ...]
    opened: dict[str, ctypes.CDLL | None] = field(default_factory=dict, compare=False)

    def libraries(self) -> list[str]:
        """Return the mapped files that look like shared libraries, in the order of their addresses."""
        return [file for file in dict.fromkeys(self.files) if ".so" in Path(file).name]

    def file_at(self, address: int) -> str | None:
        """Return the file that is mapped at an address."""
        number = bisect.bisect_right(self.starts, address) - 1
        return self.files[number] if number >= 0 and address < self.ends[number] else None

    def open(self, file: str) -> ctypes.CDLL | None:
        """Open a library that is loaded; None for a file that is only mapped."""
        if file not in self.opened:
            try:
                self.opened[file] = ctypes.CDLL(file, mode=NO_LOAD)
            except OSError:
                self.opened[file] = None
        return self.opened[file]

    def defines(self, file: str, symbol: str) -> bool:
        """Whether a loaded library itself defines a symbol."""
        handle = self.open(file)
        address = address_of(handle, symbol) if handle else None
        return address is not None and self.file_at(address) == file


def address_of(handle: ctypes.CDLL, symbol: str) -> int | None:
    """Return the address of a symbol that is looked up in a library; None if it is not found."""
    try:
        return ctypes.cast(getattr(handle, symbol), ctypes.c_void_p).value
    except AttributeError:
        return None


def maps_of(process: int | str = "self") -> Maps:
    """Read the maps of a process. Raises OSError when the process is gone or its maps may not be read."""
    found: list[tuple[int, int, str]] = []
    for line in Path(f"/proc/{process}/maps").read_text(errors="surrogateescape").splitlines():
        words = line.split(maxsplit=5)
        if len(words) == 6 and words[5].startswith("/"):
            start, _, end = words[0].partition("-")
            found.append((int(start, 16), int(end, 16), words[5]))
    found.sort()
    return Maps(tuple(one[0] for one in found), tuple(one[1] for one in found), tuple(one[2] for one in found))
