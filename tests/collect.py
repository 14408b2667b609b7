# SPDX-License-Identifier: BSD-3-Clause
"""What the session collects besides Python tests: every native test program, as items of its own.

A native test is a program that prints TAP: a cmocka program built from tests/unit/test_NAME.c, the runner of the
vectors built from tests/conformance/, what tests the kernel's batch core in user space from kernel/hosttest/, or a fuzz
target of fuzz/ that replays its corpus. Each is run once per build (plain and sanitized; the OpenMP runtime's also
inside a Haskell program) and each of its TAP lines becomes a result here. The suite of the Haskell package, which
begins with haskell/tests/Main.hs, is run in every way it was linked; each of its examples becomes a result.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hspec import HspecFile
from native import HOSTED_ENVIRONMENT, NativeItem, builds_of, native_environment
from paths import ROOT

NATIVE_TIMEOUT_S = 900


class NativeFile(pytest.File):
    """A native test source; collecting it runs its program in every build."""

    program_name: str
    program_arguments: tuple[str, ...] = ()

    def collect(self) -> Iterator[pytest.Item]:
        for build, folder in builds_of(self.program_name).items():
            program = folder / "tests" / self.program_name
            if not program.exists():
                yield self.item(f"{build}:built", "not ok", f"{program} is not built; run `make test`")
                continue
            yield from self.run_program(build, program)

    def item(self, name: str, status: str, output: str) -> pytest.Item:
        return NativeItem.from_parent(self, name=name, result=(status, output))

    def run_program(self, build: str, program: Path) -> Iterator[pytest.Item]:
        try:
            done = subprocess.run(
                [program, *self.program_arguments],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=NATIVE_TIMEOUT_S,
                env=native_environment() | (HOSTED_ENVIRONMENT if build == "ghc" else {}),
                cwd=ROOT,
            )
        except subprocess.TimeoutExpired:
            yield self.item(f"{build}:exit", "not ok", f"{program} did not end within {NATIVE_TIMEOUT_S} s")
            return
        text = done.stdout + done.stderr
        # cmocka's own skip() is "not ok N # SKIP NAME"; why, the source says where it calls that
        output = re.sub(r"^not ok (\d+) # SKIP (\S+)$", r"ok \1 - \2 # SKIP", done.stdout, flags=re.M)
        results = re.findall(r"^(ok|not ok) \d+ - (\S+)(?: # (SKIP).*)?$", output, re.M)
        for status, name, skip in results:
            own = "\n".join(line for line in done.stdout.splitlines() if line.startswith(f"# {name}: "))
            said = f"{name}: skipped for a reason that {self.path.name} gives" if skip else f"{name}: {text[-6000:]}"
            yield self.item(f"{build}:{name}", "skip" if skip else status, own or said)
        if done.returncode != 0 and all(status == "ok" for status, _, _ in results):
            yield self.item(f"{build}:exit", "not ok", f"{program} ended with {done.returncode}\n{text[-6000:]}")
        elif not results:
            yield self.item(f"{build}:tap", "not ok", f"{program} printed no test result\n{text[-6000:]}")


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.Collector | None:
    folder = file_path.parent.relative_to(ROOT).as_posix() if file_path.is_relative_to(ROOT) else ""
    name = file_path.stem
    arguments: tuple[str, ...] = ()
    if (folder, file_path.name) == ("haskell/tests", "Main.hs"):
        return HspecFile.from_parent(parent, path=file_path)
    if (folder, file_path.name) == ("tests/conformance", "runner.c"):
        name, arguments = "conformance", ("spec/vectors",)
    elif folder == "fuzz" and file_path.match("fuzz_*.c"):
        arguments = (f"fuzz/corpus/{name.removeprefix('fuzz_')}",)
    elif (folder == "tests/ingress/c" and file_path.match("test_*.c")) or (
        folder == "tests/ingress/cpp" and file_path.match("test_*.cpp")
    ):
        pass
    elif (folder, file_path.name) == ("kernel/hosttest", "kernel_entry.c"):
        name, arguments = "conformance-core", ("-e", "kernel", "spec/vectors")
    elif folder not in ("tests/unit", "kernel/hosttest") or not file_path.match("test_*.c"):
        return None
    native = NativeFile.from_parent(parent, path=file_path)
    native.program_name, native.program_arguments = name, arguments
    return native
