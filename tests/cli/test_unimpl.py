# SPDX-License-Identifier: BSD-3-Clause
"""unimpl: the original's columns, so that its fits apply, and options that are checked."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
#: The batch sizes of the original.
COUNTS = [*range(1, 11), 16, 20, 24, 32, 36, 40, 44, 50, 60, 70, 80, 90, 100, 128, 256, 384, 1024]


@pytest.fixture
def unimpl(each_bin_dir: Path, environment: dict[str, str]) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [each_bin_dir / "unimpl", *arguments], capture_output=True, text=True, env=environment, timeout=600
        )

    return run


def rows(done: subprocess.CompletedProcess[str]) -> list[list[int]]:
    assert (done.returncode, done.stderr) == (0, "")
    header, *lines = done.stdout.splitlines()
    assert header == "N\tm\tns\trs"
    return [[int(word) for word in line.split("\t")] for line in lines]


@pytest.mark.parametrize("executor", ["loop", "null", "auto"])
def test_prints_the_original_columns(unimpl: Run, executor: str) -> None:
    table = rows(unimpl(f"--executor={executor}"))
    assert [row[0] for row in table] == COUNTS
    for n, m, ns, rs in table:
        assert m == 1_000_000 // (360 + 46 * n)
        assert ns > 0
        assert rs == 10 * m * (n - 1)


def test_the_fitting_line_of_the_original_takes_it(unimpl: Run) -> None:
    done = unimpl("--counts=1,100", "--trials=2")
    fitted = subprocess.run(
        ["awk", "{print $3,$2,$1*$2}"], input=done.stdout, capture_output=True, text=True, check=True
    )
    _, first, second = fitted.stdout.splitlines()
    assert first.split()[1:] == ["2463", "2463"]
    assert second.split()[1:] == ["201", "20100"]


def test_null_costs_less_than_a_crossing(bin_dir: Path, environment: dict[str, str]) -> None:
    def least_ns(executor: str) -> int:
        done = subprocess.run(
            [bin_dir / "unimpl", "-x", executor, "-n", "100"], capture_output=True, text=True, env=environment
        )
        return rows(done)[0][2]

    assert least_ns("null") * 3 < least_ns("loop")


def test_kernel_runs_or_says_why_not(unimpl: Run) -> None:
    done = unimpl("-x", "kernel", "-n", "1,100", "-t", "2")
    if done.returncode == 0:
        assert [row[0] for row in rows(done)] == [1, 100]
        return
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "unimpl: --executor=kernel: no batch(2) and no /dev/batch for this process, or BATCH_EMUL is set:"
        " this machine does not offer the executor: use the loop executor, or auto\n"
    )


def test_kernel_is_not_there_in_emulation(each_bin_dir: Path, environment: dict[str, str]) -> None:
    def run(executor: str) -> subprocess.CompletedProcess[str]:
        command: list[str | Path] = [each_bin_dir / "unimpl", "-n", "8", "-t", "1", "-x", executor]
        asked = environment | {"BATCH_EMUL": "1", "BATCH_VERBOSE": "1"}
        return subprocess.run(command, capture_output=True, text=True, env=asked, timeout=600)

    assert run("kernel").returncode == 1
    done = run("auto")
    assert (done.returncode, done.stderr) == (0, "ferry: auto: loop\nsys_batch Emul\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--executor=uring"], "no executor 'uring' can run this; use loop, kernel, auto or null"),
        (["--executor="], "no executor ''"),
        (["--counts=0"], "'0' is no number from 1 to 65536"),
        (["--counts=1,,2"], "'' is no number"),
        (["--counts=65537"], "'65537' is no number"),
        (["--counts=1x"], "'1x' is no number"),
        (["--counts=" + ",".join(["1"] * 257)], "comes after 256 others"),
        (["--trials=0"], "--trials: '0' is no number"),
        (["--trials=-3"], "--trials: '-3' is no number"),
        (["10"], "'10' is not an option"),
    ],
)
def test_names_the_option_that_is_wrong(unimpl: Run, arguments: list[str], message: str) -> None:
    done = unimpl(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.endswith("Try 'unimpl --help' for more information.\n")


def test_the_largest_sizes(unimpl: Run) -> None:
    assert [row[:2] for row in rows(unimpl("-n", "65536,1", "-t", "1"))] == [[65536, 1], [1, 2463]]


def test_says_what_runs_the_batches_when_asked(each_bin_dir: Path, environment: dict[str, str]) -> None:
    command: list[str | Path] = [each_bin_dir / "unimpl", "-n", "1", "-t", "1"]
    for verbose, said in (("", ""), ("1", "sys_batch Emul\n")):
        asked = environment | ({"BATCH_VERBOSE": verbose} if verbose else {})
        done = subprocess.run(command, capture_output=True, text=True, env=asked, timeout=600)
        assert (done.returncode, done.stderr) == (0, said)
