# SPDX-License-Identifier: BSD-3-Clause
"""The suite under newer GHCs, each in a Debian root of its own, and what `make matrix` says where it cannot make one.

It is run in one way, and so is the library echo on ferry-ingress; `make matrix` runs every way.
"""

import contextlib
import fcntl
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from hspec import examples
from paths import BUILD, ROOT

#: With more Capabilities than cores, so that the calls meet each other.
WAY = "pressed"
#: Debian's suites with a newer GHC than bookworm's 9.0.2. The first, with 9.6.6, has the Capabilities in an array; the
#: second has the newest GHC of Debian.
SUITES = ("trixie", "forky")
#: What the script ends with when the machine or the network does not allow it.
UNAVAILABLE = 3
READY_TIMEOUT_S = 3600
RUN_TIMEOUT_S = 900


def matrix(
    *arguments: str | Path, suite: str = SUITES[-1], timeout_s: int = RUN_TIMEOUT_S
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["scripts/test/matrix.sh", *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        env=os.environ | {"FERRY_MATRIX_SUITE": suite},
        timeout=timeout_s,
    )


def mounts() -> str:
    return Path("/proc/self/mounts").read_text()


def runs_in(root: Path) -> bool:
    """Whether a suite runs in the root."""
    for process in Path("/proc").glob("[0-9]*"):
        # it may have ended by now
        with contextlib.suppress(OSError):
            if (process / "root").readlink() == root and b"/haskell-" in (process / "cmdline").read_bytes():
                return True
    return False


def ready(suite: str, way: str = WAY) -> Path:
    """Return the root of a Debian suite, with the test suite built in it, or what another way needs."""
    folder = BUILD / suite
    done = matrix(folder, "ready", way, suite=suite, timeout_s=READY_TIMEOUT_S)
    if done.returncode == UNAVAILABLE:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def root() -> Path:
    return ready(SUITES[-1])


@pytest.mark.parametrize("suite", SUITES)
def test_the_suite_passes_under_a_newer_ghc(suite: str) -> None:
    root = ready(suite)
    before = mounts()
    done = matrix(root, "run", WAY, suite=suite)
    assert done.returncode == 0, done.stdout + done.stderr
    found = list(examples(done.stdout))
    assert found
    assert all(example.status != "not ok" for example in found)
    assert mounts() == before


def test_hosts_call_a_library_in_haskell_under_the_newest_ghc() -> None:
    root = ready(SUITES[-1], "ingress")
    done = matrix(root, "run", "ingress")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "not ok" not in done.stdout
    assert done.stdout.count("\nok ") > 100
    # and the notes are compiled
    assert (root / "ferry" / "build" / "lib" / "notes-haskell" / "libnotes.so").exists()


def test_a_suite_that_fails_is_named(root: Path) -> None:
    done = matrix(root, "run", "nothing-like-it")
    assert done.returncode == 1
    assert done.stderr.strip().endswith("failed: nothing-like-it")


def test_without_root_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n")
    (tmp_path / "id").chmod(0o755)
    done = subprocess.run(
        ["make", "--no-print-directory", "matrix", f"MATRIX_ROOT={tmp_path}/root"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        timeout=600,
    )
    assert done.returncode != 0
    assert "sudo make matrix" in done.stderr
    assert not (tmp_path / "root").exists()


def test_a_folder_that_is_somebody_elses_is_left_alone(root: Path, tmp_path: Path) -> None:
    del root  # where it can be made at all
    (tmp_path / "thesis").write_text("important")
    done = matrix(tmp_path)
    assert done.returncode == 2
    assert "was not made by make matrix" in done.stderr
    assert (tmp_path / "thesis").read_text() == "important"


def test_an_unknown_command_is_refused(root: Path) -> None:
    done = matrix(root, "holiday")
    assert done.returncode == 2
    assert "holiday" in done.stderr


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_when_it_is_stopped(root: Path, stop: signal.Signals) -> None:
    before = mounts()
    with subprocess.Popen(
        ["scripts/test/matrix.sh", root, "run", *[WAY] * 100],
        stdout=subprocess.DEVNULL,
        cwd=ROOT,
        start_new_session=True,
        # a shell that starts this session in the background has it ignored, and then no child can be interrupted
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as running:
        while not runs_in(root):
            assert running.poll() is None
            time.sleep(0.02)
        os.kill(running.pid, stop)
        assert running.wait(RUN_TIMEOUT_S) in (128 + stop, -stop)
    # what it started holds the lock for as long as it lives
    with Path(f"{root}.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
    assert mounts() == before
