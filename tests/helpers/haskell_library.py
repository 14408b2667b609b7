# SPDX-License-Identifier: BSD-3-Clause
"""GHC with the package ferry-ingress of this build, for tests of libraries in Haskell."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from native import make
from paths import BUILD, ROOT

LIBRARY = Path("lib/echo-haskell/libecho.so")
SECONDS = 600


def why_no_ghc() -> str:
    """Return why nothing in Haskell can be compiled here, or nothing."""
    return "" if shutil.which("ghc") and shutil.which("cabal") else "no ghc or no cabal: run `make haskell`"


needs_ghc = pytest.mark.skipif(bool(why_no_ghc()), reason=why_no_ghc() or "ghc is here")


def echo() -> Path:
    """Return the library echo in Haskell, built, and with it the package that all such libraries stand on."""
    if why_no_ghc():
        pytest.skip(why_no_ghc())
    make(BUILD, BUILD / LIBRARY)
    return BUILD / LIBRARY


def ghc(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run ghc, which knows of the packages that come with it and of ferry-ingress."""
    version = subprocess.run(["ghc", "--numeric-version"], capture_output=True, text=True, check=True).stdout.strip()
    packages = ["base", "bytestring", "containers", "text", "ferry-ingress"]
    command: list[str | Path] = ["ghc", "-v1", "-hide-all-packages", "-dynamic", "-fPIC"]
    command += ["-package-db", BUILD / "haskell-libraries" / "packagedb" / f"ghc-{version}"]
    command += [word for package in packages for word in ("-package", package)]
    environment = os.environ | {"GHC_ENVIRONMENT": "-", "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        list(map(str, [*command, *arguments])), capture_output=True, text=True, env=environment, cwd=ROOT,
        timeout=SECONDS, check=False,
    )  # fmt: skip


def link(folder: Path, name: str, *sources: Path) -> Path:
    """Build the library of a folder that `ferry bindgen` has written to, with the author's sources."""
    version = subprocess.run(["ghc", "--numeric-version"], capture_output=True, text=True, check=True).stdout.strip()
    made = folder / f"lib{name}.so"
    paths = ":".join(map(str, [*(source.parent for source in sources), folder / "src", folder / "generated"]))
    done = ghc(
        "-O0", "-shared", "-threaded", "-Wall", "-Werror", f"-i{paths}", "-outputdir", folder / "made", "-o", made,
        f"-I{ROOT / 'include'}", f"-I{ROOT / 'haskell' / 'ingress' / 'include'}", "-optl-Wl,-z,nodelete",
        f"-lHSrts_thr-ghc{version}", f"-L{BUILD / 'lib'}", "-lferryingress",
        folder / "generated" / f"{name}_library.c", *(folder / "generated").glob("*/Export.hs"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return made
