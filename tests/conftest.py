# SPDX-License-Identifier: BSD-3-Clause
"""The one test session: its fixtures, and its closing line. tests/collect.py says what is a test besides Python."""

import shutil
from pathlib import Path

import pytest
from collect import pytest_collect_file
from installed import make_install
from native import builds, native_environment
from paths import BUILD

__all__ = ["pytest_collect_file"]


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


@pytest.fixture(scope="session")
def prefix(bin_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree installed under DESTDIR for a prefix, and then moved to that prefix."""
    folder = tmp_path_factory.mktemp("moved")
    done = make_install(bin_dir.parent, str(folder / "prefix"), str(folder / "stage"))
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / "stage" / folder.relative_to("/") / "prefix").rename(folder / "prefix")
    shutil.rmtree(folder / "stage")
    return folder / "prefix"


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
