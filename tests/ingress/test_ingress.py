# SPDX-License-Identifier: BSD-3-Clause
"""The ingress core besides its unit tests: under valgrind, its benchmark's counts, and what its library exports."""

import json
import shutil
import subprocess

import pytest
from native import native_environment
from paths import BUILD

TIMEOUT_S = 900
#: Memcheck's view of threads that sleep for good is `possibly lost`: their stacks' own bookkeeping.
VALGRIND = ("valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite")


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed (Debian package valgrind)")
@pytest.mark.parametrize("name", ["request", "event", "handle", "inbox"])
def test_valgrind_finds_nothing(name: str) -> None:
    program = BUILD / "tests" / f"test_ingress_{name}"
    done = subprocess.run(
        [*VALGRIND, program], capture_output=True, text=True, timeout=TIMEOUT_S, env=native_environment(), check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_benchmark_counts_every_callback() -> None:
    done = subprocess.run(
        [BUILD / "bench" / "ingress", "--repetitions", "2", "--n", "1000"],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = {line["variant"] for line in map(json.loads, done.stdout.splitlines()) if line["type"] == "sample"}
    assert {"submit:requests@1", "submit:requests@8", "ask:large", "listen:event"} <= found


def test_only_public_names_are_exported() -> None:
    library = BUILD / "lib" / "libferryingress.so"
    done = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    names = {line.split()[-1].split("@")[0] for line in done.stdout.splitlines()} - {"FERRY_INGRESS_0"}
    assert {"ingress_submit", "ingress_ask", "ingress_answer_copy"} <= names
    assert {name for name in names if not name.startswith("ingress_") or name.startswith("ingress__")} == set()
