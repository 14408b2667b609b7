# SPDX-License-Identifier: BSD-3-Clause
"""The one test session: Python tests, and every native test program as items of its own.

A native test is a program that prints TAP: a cmocka program built from tests/unit/test_NAME.c, the runner of the
vectors built from tests/conformance/, or a fuzz target of fuzz/ that replays its corpus. Each is run once per build
(plain and sanitized) and each of its TAP lines becomes a result here.
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from native import builds, native_environment
from paths import BUILD, ROOT

NATIVE_TIMEOUT_S = 300


@pytest.fixture(scope="session")
def bin_dir() -> Path:
    """Where the built programs are."""
    return BUILD / "bin"


@pytest.fixture(params=["plain", "address"])
def each_bin_dir(request: pytest.FixtureRequest) -> Path:
    """Where the built programs are: once as they are installed, once with AddressSanitizer and UBSan."""
    return builds()[str(request.param)] / "bin"


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment a native program is tested in."""
    return native_environment()


class NativeError(Exception):
    """A native test said `not ok`, or its program died."""


class NativeItem(pytest.Item):
    """One test function of a native program, whose result the program's single run decided."""

    def __init__(self, *, result: tuple[str, str], **kwargs: object) -> None:
        super().__init__(**kwargs)  # type: ignore[arg-type]
        self.result = result

    def runtest(self) -> None:
        status, output = self.result
        if status == "skip":
            pytest.skip(output)
        if status != "ok":
            raise NativeError(output)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        return str(excinfo.value)


class NativeFile(pytest.File):
    """A native test source; collecting it runs its program in every build."""

    program_name: str
    program_arguments: tuple[str, ...] = ()

    def collect(self) -> Iterator[pytest.Item]:
        for build, folder in builds().items():
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
                env=native_environment(),
                cwd=ROOT,
            )
        except subprocess.TimeoutExpired:
            yield self.item(f"{build}:exit", "not ok", f"{program} did not end within {NATIVE_TIMEOUT_S} s")
            return
        text = done.stdout + done.stderr
        results = re.findall(r"^(ok|not ok) \d+ - (\S+)(?: # (SKIP).*)?$", done.stdout, re.M)
        for status, name, skip in results:
            own = "\n".join(line for line in done.stdout.splitlines() if line.startswith(f"# {name}: "))
            output = own or f"{name}: {text[-6000:]}"
            yield self.item(f"{build}:{name}", "skip" if skip else status, output)
        if done.returncode != 0 and all(status == "ok" for status, _, _ in results):
            yield self.item(f"{build}:exit", "not ok", f"{program} ended with {done.returncode}\n{text[-6000:]}")
        elif not results:
            yield self.item(f"{build}:tap", "not ok", f"{program} printed no test result\n{text[-6000:]}")


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> pytest.Collector | None:
    folder = file_path.parent.relative_to(ROOT).as_posix() if file_path.is_relative_to(ROOT) else ""
    name = file_path.stem
    arguments: tuple[str, ...] = ()
    if (folder, file_path.name) == ("tests/conformance", "runner.c"):
        name, arguments = "conformance", ("spec/vectors",)
    elif folder == "fuzz" and file_path.match("fuzz_*.c"):
        arguments = (f"fuzz/corpus/{name.removeprefix('fuzz_')}",)
    elif folder != "tests/unit" or not file_path.match("test_*.c"):
        return None
    native = NativeFile.from_parent(parent, path=file_path)
    native.program_name, native.program_arguments = name, arguments
    return native


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Keep the counts for the closing line."""
    counts = {name: len(terminalreporter.stats.get(name, [])) for name in ("passed", "failed", "error", "skipped")}
    for report in terminalreporter.stats.get("skipped", []):
        terminalreporter.write_line(f"SKIPPED {report.nodeid}: {report.longrepr}")
    config.stash[COUNTS] = counts


COUNTS: pytest.StashKey[dict[str, int]] = pytest.StashKey()


def pytest_unconfigure(config: pytest.Config) -> None:
    counts = config.stash.get(COUNTS, None)
    if counts is not None:
        failed = counts["failed"] + counts["error"]
        print(f"{counts['passed']} passed, {failed} failed, {counts['skipped']} skipped")
