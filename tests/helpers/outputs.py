# SPDX-License-Identifier: BSD-3-Clause
"""Tries every option that names an output on every kind of file that may be there.

The tests, tests/cli/test_outputs*.py, look at what is written, replaced and refused, and at the messages. A row is an
option of a command; a place is the file that its argument names. Devices are nodes in the test's own folder, since the
mistake that the tests look for replaces them: `ferry measure --json /dev/full`, as root, once made that a regular
file. A test goes through all parsers, and fails when an option that names an output has no row.
"""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from paths import BUILD, ROOT

OLD = "what was there before\n"
OWNER = 12345
Done = subprocess.CompletedProcess[str]
IS_ROOT = os.geteuid() == 0


@dataclass(frozen=True)
class World:
    """A folder, with the files that the commands read."""

    folder: Path
    trace: Path
    measurement: Path
    crossing: Path
    bench: Path
    description: Path = ROOT / "examples" / "echo" / "echo.json"


@dataclass(frozen=True)
class Row:
    """An option that names a file."""

    command: str
    option: str
    arguments: Callable[[World, str], list[str]]
    #: exit status when the file cannot be written
    failed: int = 1
    #: how messages begin that are about it
    named: str = ""
    script: str = ""
    #: what is said when the file cannot be written comes before the work, which is not done here
    only_refused: bool = False

    @property
    def name(self) -> str:
        """The name that pytest shows."""
        return f"{self.command} {self.option}"


def ferry_row(command: str, option: str, arguments: Callable[[World, str], list[str]], failed: int = 1) -> Row:
    return Row(f"ferry {command}", option, arguments, failed, f"{option} ")


def script_row(script: str, option: str, failed: int = 1) -> Row:
    command = script.rpartition("/")[2].removesuffix(".py")
    return Row(command, option, lambda w, path: [option, path], failed, f"{option} ", script, only_refused=True)


FILES = [
    ferry_row("measure", "--json", lambda w, path: ["measure", "syscall", "--quick", "--json", path]),
    ferry_row("report", "-o", lambda w, path: ["report", str(w.measurement), "-o", path]),
    ferry_row("advise", "--json", lambda w, path: [*traced(w), "--json", path], 125),
    ferry_row("advise", "--output", lambda w, path: [*traced(w), "--emit", "c", "--output", path], 125),
    Row(
        "kmeans_points",
        "FILE",
        lambda w, path: ["--points", "20", path],
        named="FILE ",
        script="bench/kmeans_points.py",
    ),
    script_row("tests/openmp/conformance/__main__.py", "--report", 2),
]
WRITTEN = [row for row in FILES if not row.only_refused]
FOLDERS = [
    ferry_row("bindgen", "--out", lambda w, path: ["bindgen", str(w.description), "--lang", "c", "--out", path]),
    ferry_row(
        "report",
        "--pictures",
        lambda w, path: ["report", str(w.measurement), "-o", str(w.folder / "page.html"), "--pictures", path],
    ),
]


def traced(world: World) -> list[str]:
    return ["advise", "--measurement", str(world.crossing), "--strace", str(world.trace)]


def environment(world: World) -> dict[str, str]:
    paths = f"{ROOT / 'tools' / 'ferry' / 'src'}:{ROOT / 'tests'}"
    return os.environ | {"FERRY_BENCH": str(world.bench), "FERRY_BIN": str(BUILD / "bin"), "PYTHONPATH": paths}


def command_line(row: Row, world: World, path: Path | str) -> list[str]:
    if row.script.startswith("tests/"):
        module = row.script.removeprefix("tests/").removesuffix("/__main__.py").replace("/", ".")
        return [sys.executable, "-m", module, *row.arguments(world, str(path))]
    start = [str(ROOT / row.script)] if row.script else ["-m", "ferry"]
    return [sys.executable, *start, *row.arguments(world, str(path))]


def run(row: Row, world: World, path: Path | str, prefix: tuple[str, ...] = (), **more: object) -> Done:
    folder = ROOT if row.script else None
    options = {
        "stdout": subprocess.PIPE,
        "stdin": subprocess.DEVNULL,
        "cwd": folder,
        "env": environment(world),
    } | more
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [*prefix, *command_line(row, world, path)],
        stderr=subprocess.PIPE,
        text=True,
        timeout=600,
        **options,
    )


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def expect_refusal(row: Row, done: Done, path: Path | str, reason: str, statuses: tuple[int, ...] = ()) -> None:
    """Check for a clear error: it names the option, the file and the reason, and the exit status is right."""
    assert done.returncode in (statuses or (row.failed,)), done.stderr
    assert f"{row.named}{path}: " in done.stderr
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def make_device(path: Path, minor: int, usual: str) -> Path:
    """Make a memory device for this test; where that is not allowed, link to the machine's, which cannot be harmed."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, minor))
        os.close(os.open(path, os.O_WRONLY))
    except PermissionError:
        if IS_ROOT:
            pytest.skip("no device node can be made or used here, and root could replace the machine's own")
        path.unlink(missing_ok=True)
        path.symlink_to(usual)
    return path


#: Root may write anywhere, unless it gives that up.
OBEYING = ("setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner") if IS_ROOT else ()


each_written = pytest.mark.parametrize("row", WRITTEN, ids=lambda row: row.name)
each_file = pytest.mark.parametrize("row", FILES, ids=lambda row: row.name)
each_folder = pytest.mark.parametrize("row", FOLDERS, ids=lambda row: row.name)
