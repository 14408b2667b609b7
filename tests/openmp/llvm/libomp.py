# SPDX-License-Identifier: BSD-3-Clause
"""LLVM's OpenMP runtime as a peer, in the release of a compiler."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def libomp(major: int, build: Path) -> Path:
    """Return the folder of libomp, from Debian's packages where they are not installed: one can be at a time."""
    installed = Path(f"/usr/lib/llvm-{major}/lib")
    if (installed / "libomp.so.5").exists():
        return installed
    root = build / "conformance" / f"llvm-{major}-libomp"
    folder = root / f"usr/lib/llvm-{major}/lib"
    if not (folder / "complete").exists():
        root.mkdir(parents=True, exist_ok=True)
        packages = [f"libomp5-{major}", f"libomp-{major}-dev"]
        subprocess.run(["apt-get", "-q", "download", *packages], cwd=root, check=True, stdout=sys.stderr)
        for package in root.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package.name, "."], cwd=root, check=True)
        (folder / "complete").touch()
    return folder.absolute()
