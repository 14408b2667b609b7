# SPDX-License-Identifier: GPL-2.0-only
"""What is said while something long goes on, and the error that ends a run with a sentence."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

#: Exit status when this machine lacks what is needed.
EXIT_UNAVAILABLE = 3
#: So much of a failed command's log is shown.
LOG_LINES = 25
#: How often a long command says how far it is.
TELL_SECONDS = 15


class VmError(RuntimeError):
    """The tests could not be run; the message says why and what to do."""


class UnavailableError(VmError):
    """Something is needed that is not here, as a network or QEMU."""


def say(text: str) -> None:
    """Tell the user what goes on. Standard output is for TAP alone."""
    print(f"  {text}", file=sys.stderr, flush=True)


def tail(log: Path) -> str:
    """Return the last lines of a log, indented for a message."""
    lines = log.read_text(errors="replace").splitlines()[-LOG_LINES:] if log.exists() else []
    return "\n".join(f"    {line}" for line in lines)


def run_logged(
    what: str, command: Sequence[str | Path], log: Path, environment: Mapping[str, str] | None = None
) -> None:
    """Run a command that may take minutes: its output goes to `log`, and every few seconds its last line is shown."""
    log.parent.mkdir(parents=True, exist_ok=True)
    say(what)
    start = time.monotonic()
    told = start
    with log.open("w") as file, subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, env=environment) as p:
        while True:
            try:
                status = p.wait(timeout=1)
                break
            except subprocess.TimeoutExpired:
                if time.monotonic() - told > TELL_SECONDS:
                    told = time.monotonic()
                    last = log.read_text(errors="replace").splitlines()[-1:] or [""]
                    say(f"{what}: {told - start:.0f} s: {last[0].strip()[:70]}")
            except BaseException:
                p.kill()
                raise
    if status != 0:
        raise VmError(f"{what} failed with exit status {status}; {log} ends with\n{tail(log)}")
