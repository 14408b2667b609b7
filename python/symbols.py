# SPDX-License-Identifier: BSD-3-Clause
"""Check what a wheel's runtime exports: symbols.py MAP EXPECTED LIBRARY.

LIBRARY must export every name that MAP lists, and exactly what EXPECTED exports, which was built by this machine's
compiler: another compiler or linker may leave a version out without an error. readelf can read libraries of every
processor.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

#: How many names an error shows.
SHOWN_MAX = 10


def exported(library: Path) -> set[str]:
    """Return the names that a library defines, with their versions: NAME@@DEFAULT and NAME@OTHER."""
    command = ["readelf", "--wide", "--dyn-syms", str(library)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | {"LC_ALL": "C"})
    rows = [line.split() for line in done.stdout.splitlines() if re.match(r"\s*\d+: ", line)]
    return {row[7] for row in rows if len(row) > 7 and row[6] != "UND" and "@" in row[7]}


def listed(versions: Path) -> set[str]:
    """Return the names of a linker's version script; patterns are left out."""
    text = re.sub(r"/\*.*?\*/", "", versions.read_text(), flags=re.DOTALL)
    nodes = re.findall(r"([\w.]+)\s*\{\s*global:(.*?)\}", text, flags=re.DOTALL)
    plain = re.compile(r"(?<![\w*])(\w+);")
    return {f"{name}@@{node}" for node, body in nodes for name in plain.findall(body.partition("local:")[0])}


def shown(names: Iterable[str]) -> str:
    """Return the first names, and how many more there are."""
    names = sorted(names)
    more = f" and {len(names) - SHOWN_MAX} more" if len(names) > SHOWN_MAX else ""
    return " ".join(names[:SHOWN_MAX]) + more


def differences(versions: Path, expected: Path, library: Path) -> list[str]:
    """Return a sentence for each difference between what a library exports and what it should export."""
    found, model, least = exported(library), exported(expected), listed(versions)
    sentences = {
        f"{library} does not export what {versions} lists": least - found,
        f"{library} does not export what {expected} does": model - found,
        f"{library} exports what {expected} does not": found - model,
    }
    return [f"{sentence}: {shown(names)}" for sentence, names in sentences.items() if names]


def main() -> None:
    """Check one library."""
    versions, expected, library = map(Path, sys.argv[1:])
    wrong = differences(versions, expected, library)
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
