# SPDX-License-Identifier: BSD-3-Clause
"""Small libraries in Nim that a host in Python calls."""

import os
import subprocess
import sys
from pathlib import Path

from nim_compiler import Way, compile_nim
from paths import BUILD, ROOT

PATIENCE_S = 60


def make_library(way: Way, source: Path, folder: Path, *more: str) -> Path:
    """Compile a library into a folder, and write its binding for Python beside it."""
    description = folder / f"{source.stem}.json"
    made = compile_nim(
        way,
        source,
        folder / f"lib{source.stem}.so",
        "--app:lib",
        "-d:noSignalHandler",
        f"-d:ferryInterface:{description}",
        f"--passL:-L{BUILD}/lib -lferryingress",
        *more,
    )
    path = os.environ | {"PYTHONPATH": str(ROOT / "tools/ferry/src")}
    bindgen = [sys.executable, "-m", "ferry", "bindgen", "--lang", "python"]
    command = [*bindgen, "--out", str(folder / "python"), str(description)]
    subprocess.run(command, env=path, check=True, capture_output=True, timeout=PATIENCE_S)
    return made


def call(made: Path, program: str, *arguments: str) -> list[str]:
    """Run a program in Python that uses the library; returns its lines."""
    name = made.stem.removeprefix("lib")
    environment = {
        f"{name.upper()}_LIBRARY": str(made),
        "FERRY_INGRESS_LIBRARY": str(BUILD / "lib/libferryingress.so.0"),
        "PYTHONPATH": f"{ROOT}/hosts/python/src:{made.parent}/python/src",
    }
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        env=os.environ | environment,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    return done.stdout.splitlines()
