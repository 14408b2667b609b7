# SPDX-License-Identifier: BSD-3-Clause
"""- for standard output and standard input, and standard output that is lost: full, closed, a closed pipe."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from outputs import Done, Row, World, command_line, each_written, environment, names, run, traced
from paths import BUILD


@each_written
def test_a_dash_is_standard_output_and_nothing_else_is_there(row: Row, world: World) -> None:
    path = world.folder / "out"
    assert run(row, world, path).returncode == 0
    done = run(row, world, "-", cwd=world.folder)
    assert done.returncode == 0, done.stderr
    # times differ between two measurements, and nothing else
    assert done.stdout[:20] == path.read_text()[:20]
    assert abs(len(done.stdout) - path.stat().st_size) < 100 + path.stat().st_size // 10
    assert names(world.folder) == ["out"]


@each_written
def test_a_link_to_standard_output_is_not_replaced_either(row: Row, world: World) -> None:
    path, link = world.folder / "out", world.folder / "stdout"
    with path.open("w") as stdout:
        # what /dev/stdout is; that of the machine is not put at risk
        link.symlink_to("/proc/self/fd/1")
        done = run(row, world, link, stdout=stdout)
        assert done.returncode == 0, done.stderr
        assert os.fstat(stdout.fileno()).st_nlink == 1
    assert len(path.read_text()) > 100
    assert link.is_symlink()


def lost(row: Row, done: Done, reason: str) -> None:
    assert done.returncode == row.failed
    assert f"standard output: {reason}" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@each_written
def test_standard_output_that_is_full_is_said(row: Row, world: World, full: Path) -> None:
    with full.open("w") as stdout:
        lost(row, run(row, world, "-", stdout=stdout), "No space left on device")


@each_written
def test_standard_output_that_is_closed_is_said(row: Row, world: World) -> None:
    line = command_line(row, world, "-")
    done = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *line],
        stderr=subprocess.PIPE,
        text=True,
        env=environment(world),
        cwd=world.folder,
        check=False,
    )
    lost(row, done, "Bad file descriptor")


@each_written
def test_a_closed_pipe_is_said(row: Row, world: World) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        lost(row, run(row, world, "-", stdout=writing), "Broken pipe")
    finally:
        os.close(writing)


#: Commands whose result goes to standard output by itself.
PRINTING: dict[str, Callable[[World], list[str]]] = {
    "measure": lambda w: ["measure", "syscall", "--quick"],
    "report": lambda w: ["report", str(w.measurement), "-o", str(w.folder / "page")],
    "advise": traced,
    "bindgen": lambda w: ["bindgen", str(w.description), "--lang", "c", "--out", str(w.folder / "bound")],
    "help": lambda w: ["measure", "--help"],
    "version": lambda w: ["--version"],
}


@pytest.mark.parametrize("name", PRINTING)
def test_what_is_printed_and_lost_is_said(name: str, world: World, full: Path) -> None:
    row = Row(f"ferry {name}", "", lambda w, path: PRINTING[name](w), 125 if name == "advise" else 1)
    with full.open("w") as stdout:
        lost(row, run(row, world, "", stdout=stdout), "No space left on device")
    done = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *command_line(row, world, "")],
        stderr=subprocess.PIPE,
        text=True,
        env=environment(world),
        check=False,
    )
    lost(row, done, "Bad file descriptor")


READING: dict[str, Callable[[World], tuple[list[str], Path]]] = {
    "report": lambda w: (["report", "-", "-o", str(w.folder / "page")], w.measurement),
    "advise --strace": lambda w: (["advise", "--measurement", str(w.crossing), "--strace", "-"], w.trace),
    "advise --measurement": lambda w: (["advise", "--measurement", "-", "--strace", str(w.trace)], w.crossing),
    "bindgen": lambda w: (["bindgen", "-", "--lang", "c", "--out", str(w.folder / "bound")], w.description),
}


@pytest.mark.parametrize("name", READING)
def test_a_dash_is_standard_input_where_a_file_is_read(name: str, world: World) -> None:
    arguments, file = READING[name](world)
    row = Row(name, "", lambda w, path: arguments)
    with file.open() as stdin:
        done = run(row, world, "", stdin=stdin)
    assert done.returncode == 0, done.stderr
    assert not (world.folder / "-").exists()


def test_a_program_under_omp_has_the_signals_that_python_ignores(world: World) -> None:
    row = Row("ferry omp", "", lambda w, path: ["omp", "sh", "-c", "kill -PIPE $$; echo went on"])
    done = run(row, world, "", env=environment(world) | {"FERRY_BENCH": str(BUILD / "bench")})
    assert (done.returncode, done.stdout) == (-signal.SIGPIPE, ""), done.stderr
