# SPDX-License-Identifier: BSD-3-Clause
"""`make check` finds the test that is meant, and no program that is older than its sources is run."""

import os
import subprocess
from pathlib import Path

import native
import pytest
from paths import BUILD, ROOT


def check(test: str, **settings: str) -> subprocess.CompletedProcess[str]:
    words = [f"{name}={value}" for name, value in settings.items()]
    return subprocess.run(
        ["make", "--no-print-directory", "check", f"BUILD={os.path.relpath(BUILD, ROOT)}", f"T={test}", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=600,
    )


@pytest.mark.parametrize("test", ["batch/result", "tests/batch/unit/test_result.c"])
def test_a_test_is_named_by_its_component_or_its_path(test: str) -> None:
    done = check(test)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].endswith(" passed, 0 failed, 0 skipped")


def test_a_test_in_another_build() -> None:
    done = check("batch/result", SANITIZE="address")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_test_that_is_not_there_is_named_with_what_is_near() -> None:
    done = check("openmp/tea")
    assert done.returncode == 2
    assert "there is no test 'openmp/tea'; near it are" in done.stderr
    assert "tests/openmp/unit/test_openmp_team.c" in done.stderr


def test_a_test_that_nothing_is_near_is_named_with_what_lists_all() -> None:
    done = check("frobnicate")
    assert done.returncode == 2
    assert "there is no test 'frobnicate', and none of a name like it; 'make check' lists all" in done.stderr


def test_without_a_test_all_are_listed() -> None:
    done = check("")
    assert done.returncode == 2
    assert "make check T=openmp/team; tests are" in done.stderr
    assert "  tests/house/test_check.py" in done.stderr


def test_a_build_that_there_is_not_is_refused() -> None:
    done = check("batch/result", SANITIZE="memory")
    assert done.returncode == 2
    assert "SANITIZE is address or thread, and DELAYS is 1" in done.stderr


def test_a_test_in_python_has_one_build() -> None:
    done = check("house/check", SANITIZE="thread")
    assert done.returncode == 2
    assert "only tests in C and C++ have" in done.stderr


def test_a_program_without_such_a_build_is_left_out() -> None:
    alone = check("batch/result", SANITIZE="thread")
    assert alone.returncode == 2
    assert "and not all of them with thread (NO_THREAD_BUILD in the Makefile)" in alone.stderr
    among = check("batch/(list|result)", SANITIZE="thread")
    assert among.returncode == 0, among.stdout + among.stderr
    assert among.stdout.splitlines()[-1].endswith(" passed, 0 failed, 0 skipped")


def test_a_program_older_than_its_sources_is_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FERRY_STALE", raising=False)
    program = tmp_path / "build" / "tests" / "test_deque"
    native.make(tmp_path / "build", program)
    assert not native.is_stale(program)
    os.utime(program, (0, 0))
    assert native.is_stale(program)
