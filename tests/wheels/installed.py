# SPDX-License-Identifier: BSD-3-Clause
"""ferry-openmp as a user has it: a wheel, installed by pip, with the numpy and scipy of the tests beside it."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from paths import BUILD, ROOT

LIBRARIES = BUILD / "python" / "lib"
TAG = f"linux_{os.uname().machine}"
TIMEOUT_S = 300


def build_wheel(folder: Path, tag: str = TAG) -> Path:
    """Build the wheel with the libraries of `make native`."""
    libraries = [f"{name}={LIBRARIES / name}" for name in ("libferryomp.so.0", "libferryblas.so")]
    command: list[str | Path] = [sys.executable, ROOT / "python" / "wheel.py", tag, *libraries, folder]
    return Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())


class Installed:
    """A virtual environment that has the wheel."""

    def __init__(self, folder: Path, libraries: Mapping[str, Path]) -> None:
        self.python = folder / "venv" / "bin" / "python"
        self.command = self.python.with_name("ferry-openmp")
        #: Small libraries by name: `user`, which GCC compiled with OpenMP, `openblas` and a copy of libgomp.
        self.libraries = libraries

    def environment(self, **variables: str) -> dict[str, str]:
        foreign = re.compile(r"(OMP|GOMP|KMP|FERRY|OPENBLAS|PYTHON)|LD_(LIBRARY_PATH|PRELOAD)$")
        kept = {name: value for name, value in os.environ.items() if not foreign.match(name)}
        return kept | {f"LIBRARY_{name.upper()}": str(path) for name, path in self.libraries.items()} | variables

    def run(self, *arguments: str | Path, status: int = 0, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run its interpreter."""
        done = subprocess.run(
            [self.python, *arguments],
            env=self.environment(**variables),
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done

    def output(self, *arguments: str | Path, **variables: str) -> str:
        return self.run(*arguments, status=0, **variables).stdout


def compile_library(name: str, folder: Path, *options: str) -> None:
    source, made = Path(__file__).parent / "unit" / f"{name}.c", folder / f"lib{name}.so"
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", *options, "-o", made, source, "-pthread"], check=True)
