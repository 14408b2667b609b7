# SPDX-License-Identifier: BSD-3-Clause
"""`make install`, and programs run from what it installed."""

import os
import re
import subprocess
from pathlib import Path

from paths import ROOT

INSTALL_TIMEOUT_S = 600


def environment() -> dict[str, str]:
    """This environment, without the variables that a surrounding make has set."""
    kept = {name: value for name, value in os.environ.items() if not re.match(r"MAKE|MFLAGS|FERRY_|PYTHONPATH", name)}
    return kept | {"LC_ALL": "C.UTF-8"}


def make_install(build: Path, prefix: str, destdir: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "--no-print-directory", "install", f"BUILD={build}", f"PREFIX={prefix}", f"DESTDIR={destdir}"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment(),
        timeout=INSTALL_TIMEOUT_S,
    )


def check_output(command: list[str | Path], **variables: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, env=environment() | variables, timeout=600, cwd="/")
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout
