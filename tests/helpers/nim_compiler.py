# SPDX-License-Identifier: BSD-3-Clause
"""The Nim compilers that tests run, and the ways in which they compile."""

import os
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from paths import BUILD, ROOT

UNAVAILABLE = 3
COMPILE_TIMEOUT_S = 900


class Way(NamedTuple):
    """A compiler, which the name of its Debian suite stands for, with a memory manager and a mode."""

    suite: str
    memory: str
    mode: str

    def __str__(self) -> str:
        return "-".join(self)


#: Two ways have each compiler, each memory manager and each mode once.
PAIRS = [Way("bookworm", "refc", "debug"), Way("forky", "orc", "danger")]
ALL = [Way(s, m, k) for s in ("bookworm", "forky") for m in ("orc", "refc") for k in ("debug", "danger")]
EACH_WAY = os.environ.get("FERRY_NIM_WAYS") == "all"
WAYS = ALL if EACH_WAY else PAIRS
#: gcc takes three times as long to optimise what Nim writes as to compile it, and the libraries that hosts are tested
#: with (mk/nim.mk) are optimised.
OPTIONS = () if EACH_WAY else ("--opt:none",)


@cache
def compiler_of(suite: str) -> tuple[Path, str]:
    """The path of a Debian suite's Nim; or why there is none."""
    folder = BUILD / "nim" / suite
    done = subprocess.run(
        ["scripts/compile/nim.sh", suite, folder],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        timeout=COMPILE_TIMEOUT_S,
    )
    if done.returncode == UNAVAILABLE:
        return folder, done.stderr.strip().splitlines()[-1]
    assert done.returncode == 0, done.stderr
    return folder / "bin/nim", ""


def compiler(suite: str) -> Path:
    """The path of a Debian suite's Nim. If there is none, the test is skipped."""
    path, why = compiler_of(suite)
    if why:
        pytest.skip(why)
    return path


def compile_nim(way: Way, source: Path, output: Path, *more: str) -> Path:
    """Compile a program or a library into `output`, which lies in BUILD, without a warning."""
    output.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [
            compiler(way.suite),
            "c",
            "--hints:off",
            "--styleCheck:error",
            "--threads:on",
            f"--mm:{way.memory}",
            *([f"-d:{way.mode}"] if way.mode != "debug" else ["--undef:release"]),
            *OPTIONS,
            f"--nimcache:{BUILD}/nim/cache/{way}/{output.relative_to(BUILD)}",
            f"-p:{ROOT}/nim/src",
            f"-p:{ROOT}/examples/echo",
            f"--passC:-I{ROOT}/include -I{ROOT}/build/echo/c/include -I{ROOT}/nim/tests",
            *more,
            f"-o:{output}",
            source,
        ],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        timeout=COMPILE_TIMEOUT_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Warning:" not in done.stdout + done.stderr, done.stdout + done.stderr
    return output
