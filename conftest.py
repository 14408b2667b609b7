# SPDX-License-Identifier: BSD-3-Clause
"""The one test session over four folders: what it collects, how workers share it, its closing line, and fixtures.

tests/helpers/collect.py says what is a test besides Python.
"""

import fcntl
import os
import shutil
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest
from collect import pytest_collect_file
from installed import install
from native import builds, native_environment
from paths import BUILD
from program import name_result
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

__all__ = ["pytest_collect_file"]

#: What takes minutes begins first, the longest of all before the others, so that no worker is left with it at the end.
LONGEST = (
    "tests/haskell/test_matrix.py",
    "tests/kernel/test_vm.py",
    "haskell/tests/Main.hs",
    "tests/stress/test_delays.py",
    "tests/house/test_spin_models.py",
    "tests/haskell/test_package.py",
    "tests/openmp/test_openmp_conformance.py",
)


class Scheduling(LoadScopeScheduling):  # type: ignore[misc]
    """A file of Python tests goes to one worker, for its fixtures; a program's runs go wherever there is room.

    They begin in the order in which they were collected, not with the file that has the most tests.
    """

    def __init__(self, config: pytest.Config, log: object) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return file if file.endswith(".py") else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Scheduling:
    return Scheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    begins = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: begins.get(item.nodeid.partition("::")[0], len(LONGEST)))


#: The property of a report that says so: processor_seconds().
USED = "processor seconds"


def processor_seconds() -> float:
    """Return how long this process and its children that have ended have used a processor."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give each part of a test what it has used: that is the same beside others, unlike the time that has passed."""
    global _used
    report = yield
    now = processor_seconds()
    report.user_properties.append((USED, now - _used))
    _used = now
    return report


_used = processor_seconds()


class Reporting:
    """What the process that reports does with results, its own or its workers'."""

    #: How many of the tests that have used the most are named.
    NAMED = 12

    def __init__(self) -> None:
        self.session: pytest.Session | None = None
        self.counts: dict[str, int] = {}
        self.seconds: defaultdict[str, float] = defaultdict(float)
        #: What folders and tests have used of a processor.
        self.used: defaultdict[str, float] = defaultdict(float)
        self.used_by_test: defaultdict[str, float] = defaultdict(float)

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self.session = session

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        folder = "/".join(Path(report.nodeid.partition("::")[0]).parts[:2])
        self.seconds[folder] += report.duration
        used = sum(float(str(value)) for name, value in report.user_properties if name == USED)
        self.used[folder] += used
        self.used_by_test[report.nodeid] += used
        # a program's results are not known when it is collected; the progress shown counts them too
        if name_result(report) and self.session:
            self.session.testscollected += 1

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for name in ("passed", "failed", "error", "skipped"):
            self.counts[name] = len(terminalreporter.stats.get(name, []))
        for report in terminalreporter.stats.get("skipped", []):
            terminalreporter.write_line(f"SKIPPED {report.nodeid}: {report.longrepr}")

        for folder, seconds in sorted(self.seconds.items(), key=lambda item: -item[1]):
            terminalreporter.write_line(f"  TIME {folder}: {seconds:.0f} s, of a processor {self.used[folder]:.0f} s")
        for name, used in sorted(self.used_by_test.items(), key=lambda item: -item[1])[: self.NAMED]:
            terminalreporter.write_line(f"  TIME {name}: of a processor {used:.1f} s")

    def pytest_unconfigure(self) -> None:
        if self.counts:
            failed = self.counts["failed"] + self.counts["error"]
            print(f"{self.counts['passed']} passed, {failed} failed, {self.counts['skipped']} skipped")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reporting())


@pytest.fixture(scope="session")
def bin_dir() -> Path:
    """Name the folder of the built programs."""
    return BUILD / "bin"


@pytest.fixture(params=["plain", "address"])
def each_bin_dir(request: pytest.FixtureRequest) -> Path:
    """Name the folder of the built programs: once as they are installed, once with AddressSanitizer and UBSan."""
    return builds()[str(request.param)] / "bin"


@pytest.fixture
def environment() -> dict[str, str]:
    """Give the environment that native programs are tested in."""
    return native_environment()


@pytest.fixture(scope="session")
def prefix(bin_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install under DESTDIR for a prefix, and move the tree to that prefix; all workers read the same tree."""
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with (folder / "prefix.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "prefix").exists():
            done = install(bin_dir.parent, str(folder / "prefix"), str(folder / "stage"))
            assert done.returncode == 0, done.stdout + done.stderr
            (folder / "stage" / folder.relative_to("/") / "prefix").rename(folder / "prefix")
            shutil.rmtree(folder / "stage")
    return folder / "prefix"
