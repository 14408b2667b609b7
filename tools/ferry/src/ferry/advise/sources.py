# SPDX-License-Identifier: BSD-3-Clause
"""Where in its source a program makes a call, and what the compiler plugin said of that line.

strace -k prints each call's stack. The site of a call is the first frame that is not in the C library; binutils'
addr2line finds its line, where the program has debug information. The plugin's words are what GCC printed when it
compiled the program by `ferry cc -fopt-info-optimized-missed`.
"""

import re
import struct
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ferry.advise.errors import AdviseError
from ferry.advise.runs import Run
from ferry.advise.trace import Site

ADDR2LINE_TIMEOUT_S = 60.0
#: what GCC prints of a line: FILE:LINE:COLUMN: optimized: TEXT
_SAID = re.compile(r"(?P<file>.+?):(?P<line>\d+):\d+: (?P<kind>optimized|missed): +(?P<text>(?:batched|no batch) .*)$")
#: A loaded part of an ELF file of 64 bits: type, flags, offset, address, physical address, size in the file.
_PROGRAM_HEADER = struct.Struct("<IIQQQQ")
_PT_LOAD = 1


@dataclass(frozen=True)
class Line:
    """A line of a source file."""

    file: str
    number: int

    def __str__(self) -> str:
        """Write it as compilers do, with the file's name alone."""
        return f"{Path(self.file).name}:{self.number}"


@dataclass
class Plugin:
    """What the plugin said, by line; a file is known by its name, as builds run in many folders."""

    said: dict[tuple[str, int], str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "Plugin":
        """Read GCC's diagnostics. Raises AdviseError where the plugin says nothing in them."""
        found = cls()
        for text in path.read_text(errors="replace").splitlines():
            if said := _SAID.match(text):
                key = (Path(said["file"]).name, int(said["line"]))
                if said["kind"] == "optimized" or key not in found.said:
                    found.said[key] = said["text"]
        if not found.said:
            raise AdviseError(
                f"--compiled {path}: the plugin says nothing there: compile by"
                " `ferry cc -g -fopt-info-optimized-missed`, and keep what GCC prints",
                2,
            )
        return found

    def of(self, lines: Iterable[Line | None]) -> str:
        """Say whether the first batch or obstacle at these lines."""
        texts = [self.said.get((Path(line.file).name, line.number), "") for line in lines if line]
        batched = [text for text in texts if text.startswith("batched")]
        return next(iter([*batched, *filter(None, texts)]), "nothing: it was not compiled there, or it saw no call")


class Sources:
    """The lines of sites, each file's looked up together."""

    def __init__(self, sites: Iterable[Site]) -> None:
        """Look up the lines of all sites."""
        self.lines: dict[Site, Line] = {}
        wanted: dict[str, set[Site]] = {}
        for site in sites:
            wanted.setdefault(site.file, set()).add(site)
        for file, those in wanted.items():
            self._look_up(file, sorted(those, key=lambda site: site.offset))

    def _look_up(self, file: str, sites: list[Site]) -> None:
        try:
            # an address behind a call may be the next line's
            addresses = [hex(_address(Path(file), site.offset) - 1) for site in sites]
            done = subprocess.run(
                ["addr2line", "-e", file],
                input="\n".join(addresses),
                capture_output=True,
                text=True,
                timeout=ADDR2LINE_TIMEOUT_S,
            )
        except (OSError, subprocess.TimeoutExpired):
            return
        for site, text in zip(sites, done.stdout.splitlines(), strict=False):
            name, _, number = text.split(" (")[0].rpartition(":")
            if number.isdigit() and int(number):
                self.lines[site] = Line(name, int(number))

    def of(self, run: Run) -> list[Line | None]:
        """Return the line of each call."""
        return [self.lines.get(call.site) if call.site else None for call in run.calls]

    def text(self, run: Run) -> str:
        """Name where each call of a run is made, each place once."""
        places: dict[str, list[str]] = {}
        for call, line in zip(run.calls, self.of(run), strict=True):
            names = places.setdefault(str(line or call.site or "the C library"), [])
            if call.name not in names:
                names.append(call.name)
        return ", ".join(f"{place} {'/'.join(names)}" for place, names in places.items())


def _address(path: Path, offset: int) -> int:
    """Return the address that code at an offset of a file is linked for."""
    with path.open("rb") as file:
        head = file.read(64)
        if head[:5] != b"\x7fELF\x02":
            return offset
        (at,) = struct.unpack_from("<Q", head, 32)
        size, count = struct.unpack_from("<HH", head, 54)
        file.seek(at)
        table = file.read(size * count)
    for number in range(count):
        kind, _, begin, address, _, bytes_ = _PROGRAM_HEADER.unpack_from(table, number * size)
        if kind == _PT_LOAD and begin <= offset < begin + bytes_:
            return int(address + offset - begin)
    return offset
