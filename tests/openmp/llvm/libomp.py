# SPDX-License-Identifier: BSD-3-Clause
"""LLVM's compiler and OpenMP runtime in a release, from Debian's packages where they are not installed.

Packages are unpacked into BUILD/conformance, not installed: only one libomp can be installed at a time.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path


def unpacked(major: int, build: Path, what: str, packages: list[str]) -> Path:
    """Return the folder of a release in which the packages were unpacked, downloading them when they are not there."""
    root = build / "conformance" / f"llvm-{major}-{what}"
    folder = root / f"usr/lib/llvm-{major}"
    if not (folder / "lib" / "complete").exists():
        root.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "-q", "download", *packages], cwd=root, check=True, stdout=sys.stderr)
        for package in root.glob("*.deb"):
            subprocess.run(["dpkg", "-x", package.name, "."], cwd=root, check=True)
        # its programs look for libraries beside themselves, where the package has them in the system's folder
        for library in (root / "usr/lib/x86_64-linux-gnu").glob("lib*.so*"):
            if not (link := folder / "lib" / library.name).exists():
                link.symlink_to(library.absolute())
        (folder / "lib" / "complete").touch()
    return folder.absolute()


def libomp(major: int, build: Path) -> Path:
    """Return the folder of libomp."""
    installed = Path(f"/usr/lib/llvm-{major}/lib")
    if (installed / "libomp.so.5").exists():
        return installed
    return unpacked(major, build, "libomp", [f"libomp5-{major}", f"libomp-{major}-dev"]) / "lib"


def clang(major: int, build: Path) -> Path:
    """Return the folder of the commands clang-MAJOR and clang++-MAJOR."""
    if installed := shutil.which(f"clang++-{major}"):
        return Path(installed).parent
    names = ["clang-{}", "libclang-cpp{}", "libllvm{}", "libclang-common-{}-dev", "libclang-rt-{}-dev"]
    folder = unpacked(major, build, "clang", [name.format(major) for name in names]) / "bin"
    if not (link := folder / f"clang++-{major}").exists():
        link.symlink_to("clang++")
    return folder
