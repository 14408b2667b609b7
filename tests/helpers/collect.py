# SPDX-License-Identifier: BSD-3-Clause
"""Collects native test programs as items of the session, besides the Python tests.

A native test is a program that prints TAP: a cmocka program built from tests/COMPONENT/unit/test_NAME.c, the runner
of the vectors built from tests/batch/conformance/, a test of the kernel's batch core in user space from
kernel/hosttest/, or a fuzz target of fuzz/ that replays its corpus. Each program is an item for each build (plain and
sanitized; those of the OpenMP runtime also inside a Haskell program), and each of its TAP lines becomes a result. The
suite of the Haskell package, which begins with haskell/tests/Main.hs, is run in each way in which it was linked, and
that of ferry-directory in one; each of their examples becomes a result.
"""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hspec import HspecFile
from native import HOSTED_ENVIRONMENT, builds_of, is_stale, native_environment
from paths import BUILD, ROOT
from program import ProgramItem, Result, run_program

NATIVE_TIMEOUT_S = 900


class NativeFile(pytest.File):
    """A native test source, whose program is run in every build."""

    program_name: str
    program_arguments: tuple[str, ...] = ()

    def collect(self) -> Iterator[pytest.Item]:
        for build, folder in builds_of(self.program_name).items():
            program = folder / "tests" / self.program_name
            environment = native_environment() | (HOSTED_ENVIRONMENT if build == "ghc" else {})
            run = partial(self.results, environment=environment)
            yield ProgramItem.from_parent(self, name=build, program=program, run=run, is_stale=is_stale)

    def results(self, program: Path, environment: dict[str, str]) -> Iterator[Result]:
        done = run_program([program, *self.program_arguments], ROOT, environment, NATIVE_TIMEOUT_S)
        # cmocka's own skip() prints "not ok N # SKIP NAME", without a reason; the test's source has that
        output = re.sub(r"^not ok (\d+) # SKIP (\S+)$", r"ok \1 - \2 # SKIP", done.stdout, flags=re.M)
        found = re.findall(r"^(ok|not ok) \d+ - (\S+)(?: # (SKIP).*)?$", output, re.M)
        for status, name, skip in found:
            own = "\n".join(line for line in done.stdout.splitlines() if line.startswith(f"# {name}: "))
            said = f"{name}: skipped for a reason that {self.path.name} gives" if skip else f"{name}: {done.text}"
            yield Result(name, "skip" if skip else status, own or said)
        done.check(any(status != "ok" for status, _, _ in found), len(found))


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.Collector | None:
    folder = file_path.parent.relative_to(ROOT).as_posix() if file_path.is_relative_to(ROOT) else ""
    name = file_path.stem
    arguments: tuple[str, ...] = ()
    if folder in ("haskell/tests", "haskell/directory/tests") and file_path.name == "Main.hs":
        return HspecFile.from_parent(parent, path=file_path)
    if (folder, file_path.name) == ("tests/batch/conformance", "runner.c"):
        name, arguments = "conformance", ("spec/vectors",)
    elif folder == "fuzz" and file_path.match("fuzz_*.c"):
        arguments = (f"fuzz/corpus/{name.removeprefix('fuzz_')}",)
    elif (folder == "tests/ingress/c" and file_path.match("test_*.c")) or (
        folder == "tests/ingress/cpp" and file_path.match("test_*.cpp")
    ):
        pass
    elif (folder, file_path.name) == ("kernel/hosttest", "kernel_entry.c"):
        name, arguments = "conformance-core", ("-e", "kernel", "spec/vectors")
    elif not (Path(folder).match("tests/*/unit") or folder == "kernel/hosttest") or not file_path.match("test_*.c"):
        return None
    native = NativeFile.from_parent(parent, path=file_path)
    native.program_name, native.program_arguments = name, arguments
    if folder == "tests/network/unit":
        has_nats = (BUILD / "bin" / "ferry-serve").exists()
        reason = "libnats is not installed (scripts/install/deps.sh network)"
        native.add_marker(pytest.mark.skipif(not has_nats, reason=reason))
    return native
