# SPDX-License-Identifier: GPL-2.0-only
"""The places of a kernel's files where the series changes them: all that must be known of a kernel to write the series.

places/SERIES.txt has a section `== FILE` for each file, and in it the lines that a patch shows as they are, each behind
its number, with a few more above and below, and the line that git names behind `@@`. A file of those lines alone, each
where it belongs and the others empty, gives the same patch as the whole file. So nobody needs a kernel's source to have
the patches; `python3 -m patches --update` reads one, and writes places/ anew.
"""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).with_name("places")
BANNER = "# Generated from linux-source by kernel/patches/__main__.py; edit that file and run it with --update.\n"
#: Lines above and below a change. A patch shows three; git looks at more where a change could as well begin elsewhere.
AROUND = 5
HUNK = re.compile(r"^@@ -(\d+)(?:,\d+)? \+\S+ @@(.*)$")
#: What git takes for the line that a change belongs to.
NAMED = re.compile(r"[A-Za-z_$]")


def hunk_places(hunks: list[str], whole: list[str]) -> dict[int, str]:
    """Return the lines of a file that a patch of it depends on, by number; `hunks` is its part of the patch."""
    found: dict[int, str] = {}
    number = 0
    for line in hunks:
        if begin := HUNK.match(line):
            number = int(begin[1])
            if begin[2]:
                named = next(n for n in range(number - 1, 0, -1) if NAMED.match(whole[n - 1]))
                found[named] = whole[named - 1]
        elif number and line[:1] in (" ", "-"):
            found[number] = line[1:]
            number += 1
    return found


def series_places(series: dict[str, str], base: dict[str, str]) -> dict[str, dict[int, str]]:
    """Return the places of each file that a series changes, from its patches on whole files."""
    found: dict[str, dict[int, str]] = {}
    for patch in series.values():
        for name, diff in re.findall(r"^diff --git a/(\S+) b/\S+\n(.*?)(?=^diff --git |\Z)", patch, re.M | re.S):
            if name not in base:
                continue
            if name in found:
                raise RuntimeError(f"{name} is changed by two patches; places/ has room for one")
            # a mail ends with `--` and git's version, or here with nothing
            found[name] = hunk_places(diff.splitlines(), base[name].splitlines())
    return found


def write(series: str, places: dict[str, dict[int, str]]) -> Path:
    """Write places/SERIES.txt."""
    FOLDER.mkdir(exist_ok=True)
    text = BANNER
    for name, lines in sorted(places.items()):
        text += f"== {name}\n" + "".join(f"{number} {line}\n" for number, line in sorted(lines.items()))
    file = FOLDER / f"{series}.txt"
    file.write_text(text)
    return file


def read(series: str) -> dict[str, str]:
    """Return files that a series can be made on: each with the lines of places/SERIES.txt, and the others empty."""
    base: dict[str, str] = {}
    for part in (FOLDER / f"{series}.txt").read_text().split("\n== ")[1:]:
        name, *rows = part.removesuffix("\n").split("\n")
        lines = {int(number): line for number, _, line in (row.partition(" ") for row in rows)}
        base[name] = "".join(lines.get(number, "") + "\n" for number in range(1, max(lines) + 1))
    return base
