# SPDX-License-Identifier: BSD-3-Clause
"""Benchmark programs and tools that tests put in place of the built ones; and a way to run the ferry command."""

import os
import subprocess
import sys
from pathlib import Path

from paths import BUILD, ROOT

#: A benchmark whose lines are exact: T(n) = 20 + 85 n by `direct`, 300 + 60 n by `loop`, 5 + 106 n by `libc`.
EXACT_BENCH = """#!/usr/bin/env python3
print('{"type":"machine","cpu":"Fake","cores":1,"kernel":"k","compiler":"c","mitigations":"m"}')
for repetition in range(3):
    for n in (1, 10, 100, 1000):
        for way, a, b in (("direct", 20, 85), ("loop", 300, 60), ("libc", 5, 106)):
            print('{"type":"sample","boundary":"%s","variant":"%s:getppid","unit":"ns","n":%d,"repetition":%d,"ns":%d}'
                  % ("BOUNDARY", way, n, repetition, a + b * n))
"""


def write_program(folder: Path, name: str, text: str) -> Path:
    """Put an executable script in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(text)
    program.chmod(0o755)
    return program


def fake_bench(folder: Path) -> Path:
    """Make a folder with exact benchmarks, of every boundary that is not left to a test."""
    plain = ("syscall", "function", "kernel", "tools", "openmp", "handoff", "codec", "codec-cpp")
    for name in (*plain, "ingress", "ingress-cpp"):
        write_program(folder, name, EXACT_BENCH.replace("BOUNDARY", name.removesuffix("-cpp")))
    gomp = folder.parent / "lib" / "gomp"
    gomp.parent.mkdir(exist_ok=True)
    if not gomp.is_symlink():
        gomp.symlink_to(BUILD / "lib" / "gomp")
    return folder


def ferry(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the ferry command as a user would, with the built programs unless the environment says otherwise."""
    variables = {
        "FERRY_BENCH": str(BUILD / "bench"),
        "FERRY_BIN": str(BUILD / "bin"),
        "PYTHONPATH": str(ROOT / "tools" / "ferry" / "src"),
    }
    return subprocess.run(
        [sys.executable, "-m", "ferry", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=os.environ | variables | environment,
    )
