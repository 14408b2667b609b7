# SPDX-License-Identifier: BSD-3-Clause
"""Runs mdu and GNU du side by side, which have to print the same lines and messages, at any number of threads."""

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

THREADS = (1, 2, 4)
TIMEOUT_S = 900
#: What du 9.1 says of a link that leads nowhere has no reason; mdu gives one.
REASON = re.compile(rb"^(cannot access .*): No such file or directory$")

needs_gnu_du = pytest.mark.skipif(
    b"(GNU coreutils)" not in subprocess.run(["du", "--version"], capture_output=True).stdout,
    reason="du here is not GNU du, which mdu is compared with",
)


def run(
    program: str | Path,
    *arguments: str | bytes | Path,
    environment: dict[str, str] | None = None,
    **options: object,
) -> subprocess.CompletedProcess[bytes]:
    done: subprocess.CompletedProcess[bytes] = subprocess.run(
        [program, *arguments],
        capture_output=True,
        timeout=TIMEOUT_S,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"} | (environment or {}),
        **options,  # type: ignore[call-overload]
    )
    return done


def complaints(done: subprocess.CompletedProcess[bytes]) -> list[bytes]:
    """The messages on standard error, sorted by their text, without the program's name."""
    said = (re.sub(rb"^m?du: ", b"", line) for line in done.stderr.splitlines())
    return sorted(REASON.sub(rb"\1", line) for line in said)


def agree(
    mdu: Path,
    arguments: Sequence[str | bytes | Path],
    *,
    ordered: bool = True,
    environment: dict[str, str] | None = None,
    **options: object,
) -> bytes:
    """Run both programs and compare all that they print. Returns standard output."""
    expected = run("du", *arguments, environment=environment, **options)
    for threads in THREADS:
        done = run(mdu, f"-j{threads}", *arguments, environment=environment, **options)
        if ordered:
            assert done.stdout == expected.stdout, (threads, arguments)
        else:
            assert sorted(done.stdout.splitlines()) == sorted(expected.stdout.splitlines()), (threads, arguments)
        assert complaints(done) == complaints(expected)
        assert done.returncode == expected.returncode
    return expected.stdout
