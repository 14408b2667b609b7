# SPDX-License-Identifier: BSD-3-Clause
"""`make install`, and programs run from what it installed."""

import os
import re
import subprocess
from pathlib import Path

from paths import ROOT, VERSION

INSTALL_TIMEOUT_S = 600


def environment() -> dict[str, str]:
    """This environment, without the variables that a surrounding make has set."""
    kept = {name: value for name, value in os.environ.items() if not re.match(r"MAKE|MFLAGS|FERRY_|PYTHONPATH", name)}
    return kept | {"LC_ALL": "C.UTF-8"}


def _install(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env=environment(), timeout=INSTALL_TIMEOUT_S
    )


def make_install(build: Path, prefix: str, destdir: str) -> subprocess.CompletedProcess[str]:
    """What a user types; make and cabal look first whether all is built, which takes them half a minute."""
    return _install(
        "make", "--no-print-directory", "install", f"BUILD={build}", f"PREFIX={prefix}", f"DESTDIR={destdir}"
    )


def install(build: Path, prefix: str, destdir: str = "") -> subprocess.CompletedProcess[str]:
    """What `make install` does with what is built."""
    return _install("scripts/install/install.sh", build, prefix, destdir, VERSION)


def check_output(command: list[str | Path], **variables: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, env=environment() | variables, timeout=600, cwd="/")
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout
