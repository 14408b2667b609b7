# SPDX-License-Identifier: BSD-3-Clause
"""Programs whose calls for memory and threads fail: failing.c, built and asked for."""

import subprocess
from pathlib import Path

from paths import ROOT

#: What the program's standard output has once a call has failed.
FAILS = "a call fails\n"
ALL = 10**6


def build_failing(folder: Path) -> Path:
    made = folder / "failing.so"
    source = ROOT / "tests" / "helpers" / "failing.c"
    if not made.exists():
        compiler = ["gcc", "-O1", "-fno-builtin", "-shared", "-fPIC", "-o"]
        subprocess.run([*compiler, made, source, "-ldl", "-pthread"], check=True)
    return made


def fail(library: Path, where: str, first: int, count: int) -> dict[str, str]:
    """The environment in which `count` calls fail from the first on, of the object with that in its name."""
    return {"LD_PRELOAD": str(library), "FAIL_IN": where, "FAIL_AT": str(first), "FAIL_COUNT": str(count)}
