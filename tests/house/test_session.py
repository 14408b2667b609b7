# SPDX-License-Identifier: BSD-3-Clause
"""What is a test besides Python is collected, and what hspec prints is read as what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hspec import WAYS, examples
from paths import ROOT

OUTPUT = """
Ferry.Call
  Batched [x]
    adds [✔]
    agrees with the model [✔]
      +++ OK, passed 100 tests.
    stops [✘]
    throws [✘]
  waits [‐]
    # PENDING: no kernel here
at the top [✘]

Failures:

  tests/Ferry/CallSpec.hs:10:7:{blank}
  1) Ferry.Call, Batched [x], stops
       Falsified (after 6 tests):
         5

  tests/Ferry/CallSpec.hs:11:20:{blank}
  2) Ferry.Call, Batched [x], throws
       uncaught exception: ErrorCall

  tests/Main.hs:15:15:{blank}
  3) at the top
       expected: 2
        but got: 1

Randomized with seed 1963693218

Finished in 0.0008 seconds
6 examples, 3 failures, 1 pending
""".format(blank=" ")


def test_each_example_has_its_groups_and_its_result() -> None:
    assert [(example.name, example.status) for example in examples(OUTPUT)] == [
        ("Ferry.Call/Batched [x]/adds", "ok"),
        ("Ferry.Call/Batched [x]/agrees with the model", "ok"),
        ("Ferry.Call/Batched [x]/stops", "not ok"),
        ("Ferry.Call/Batched [x]/throws", "not ok"),
        ("Ferry.Call/waits", "skip"),
        ("at the top", "not ok"),
    ]


def test_each_failure_has_what_is_said_about_it() -> None:
    said = {example.name.split("/")[-1]: example.output for example in examples(OUTPUT)}
    assert said["stops"].startswith("tests/Ferry/CallSpec.hs:10:7")
    assert "Falsified" in said["stops"]
    assert "ErrorCall" not in said["stops"]
    assert "ErrorCall" in said["throws"]
    assert "but got: 1" in said["at the top"]
    assert "1963693218" not in said["at the top"]
    assert said["waits"] == "# PENDING: no kernel here"


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a session collects where nothing is built, so that nothing is run; the model needs the library."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "--ignore=tests/batch/model"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"FERRY_BUILD": str(tmp_path_factory.mktemp("build"))},
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "expected",
    [
        "fuzz/fuzz_vector.c::plain",
        "tests/batch/unit/test_build.c::address",
        "tests/batch/unit/test_run.c::thread",
        "tests/batch/conformance/runner.c::plain",
    ]
    + [f"haskell/tests/Main.hs::{way}" for way in WAYS],
)
def test_programs_are_collected(expected: str, collected: str) -> None:
    assert expected in collected.splitlines()


@pytest.mark.parametrize("program", ["tests/batch/unit/test_build.c", "fuzz/fuzz_vector.c"])
def test_a_program_of_one_thread_is_not_run_with_threadsanitizer(program: str, collected: str) -> None:
    assert f"{program}::plain" in collected.splitlines()
    assert f"{program}::thread" not in collected


def test_what_takes_longest_begins_first(collected: str) -> None:
    block = re.search(r"^LONGEST = \((.*?)^\)", (ROOT / "conftest.py").read_text(), re.M | re.S)
    assert block
    files = dict.fromkeys(line.partition("::")[0] for line in collected.splitlines() if "::" in line)
    longest = re.findall(r'"(\S+)"', block[1])
    assert list(files)[: len(longest)] == longest


#: What stands in for a test program in each build: what it prints, and the status it ends with.
PROGRAMS = {
    ".": ("ok 1 - adds\nnot ok 2 - wraps\n# wraps: 5 is not 4\nnot ok 3 # SKIP waits\n", 1),
    "address": ("ok 1 - adds\n", 99),
    "thread": ("", 0),
}


@pytest.mark.parametrize("workers", [(), ("-n2",)])
def test_a_programs_results_are_named_and_counted(workers: tuple[str, ...], tmp_path: Path) -> None:
    for build, (printed, status) in PROGRAMS.items():
        program = tmp_path / build / "tests" / "test_run"
        program.parent.mkdir(parents=True)
        program.write_text(f"#!/bin/sh\ncat <<'.'\n{printed}.\nexit {status}\n")
        program.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *workers, "tests/batch/unit/test_run.c"],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        env=os.environ | {"FERRY_BUILD": str(tmp_path), "FERRY_STALE": "run"},
        timeout=600,
    )
    lines = done.stdout.splitlines()
    path = "tests/batch/unit/test_run.c"
    assert done.returncode == 1, done.stdout + done.stderr
    # a program whose failed results explain how it ended is well as a whole
    assert lines[-1] == "3 passed, 3 failed, 1 skipped"
    failed = sorted(line.removeprefix("FAILED ").partition(" - ")[0] for line in lines if line.startswith("FAILED "))
    assert failed == [f"{path}::address", f"{path}::plain:wraps", f"{path}::thread"]
    assert "# wraps: 5 is not 4" in lines
    assert f"SKIPPED {path}::plain:waits" in done.stdout
    assert "test_run ended with 99" in done.stdout
    assert "test_run printed no test result" in done.stdout


def test_an_example_that_hangs_is_named_beside_one_that_failed(tmp_path: Path) -> None:
    program = tmp_path / "tests" / "haskell-threaded"
    program.parent.mkdir()
    stacks = "#0 yieldCapability ()\n" * 1000
    said = f"hung: Ferry.Call/waits has not ended\n{stacks}hung: Ferry.Call/waits has not ended; see above\n"
    (tmp_path / "said").write_text(said)
    program.write_text(f"#!/bin/sh\nprintf 'Ferry.Call\\n  stops [✘]\\n'\ncat '{tmp_path}/said' >&2\nexit 3\n")
    program.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "haskell/tests/Main.hs::threaded"],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        env=os.environ | {"FERRY_BUILD": str(tmp_path), "FERRY_STALE": "run"},
        timeout=600,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "haskell-threaded ended with 3" in done.stdout
    assert "hung: Ferry.Call/waits has not ended; see above" in done.stdout
    assert done.stdout.splitlines()[-1] == "0 passed, 2 failed, 0 skipped"
