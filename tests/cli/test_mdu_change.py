# SPDX-License-Identifier: BSD-3-Clause
"""mdu on a tree that others change meanwhile: what vanishes is no error, and the rest is counted."""

import itertools
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

THREADS = (1, 2, 4)
TIMEOUT_S = 900
#: Memory, where there is some: a disk changes less often.
SHM = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else None


@pytest.fixture
def tree() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=SHM) as folder:
        (Path(folder) / "tree").mkdir()
        yield Path(folder) / "tree"


def churn(root: Path, stop: threading.Event) -> None:
    """Make, move and remove files and directories until told to stop."""
    index = 0
    while not stop.is_set():
        index += 1
        folder = root / f"d{index % 7}" / f"e{index % 11}"
        folder.mkdir(parents=True, exist_ok=True)
        for name in range(20):
            (folder / f"f{name}").touch()
        if index % 3 == 0:
            shutil.rmtree(root / f"d{(index + 3) % 7}", ignore_errors=True)
        if index % 5 == 0:
            (root / f"d{index % 7}").rename(root / f"moved{index}")
            shutil.rmtree(root / f"moved{index}", ignore_errors=True)


CHAINS = 20
CHAIN = ("blinking",) + ("s",) * 5


def blink(root: Path, stop: threading.Event) -> None:
    """Take directories of chains away and put them back, with other things in their places between."""
    away = root.parent / "away"
    index = 0
    while not stop.is_set():
        index += 1
        path = root / CHAIN[0] / f"c{index % CHAINS}" / Path(*CHAIN[1 : 1 + index % len(CHAIN)])
        path.rename(away)
        if index % 4 == 1:
            path.touch()
            path.unlink()
        elif index % 4 == 2:
            path.symlink_to("/")
            path.unlink()
        elif index % 4 == 3:
            path.mkdir()
            path.rmdir()
        away.rename(path)


def test_a_tree_that_changes_meanwhile(bin_dir: Path, tree: Path) -> None:
    for index in range(200):
        (tree / "kept" / f"k{index}").mkdir(parents=True)
        (tree / "kept" / f"k{index}" / "file").write_bytes(b"x" * 100)
    for index in range(CHAINS):
        for name in ("x", "y", "z"):
            (tree / CHAIN[0] / f"c{index}" / Path(*CHAIN[1:]) / name).mkdir(parents=True)
    stop = threading.Event()
    workers = [threading.Thread(target=change, args=(tree, stop)) for change in (churn, blink)]
    for worker in workers:
        worker.start()
    try:
        until = time.monotonic() + 3
        while time.monotonic() < until:
            for threads, option, limit in itertools.product(THREADS, ("-s", "-a"), (1024, 8 + 4 * max(THREADS))):
                # with few descriptors, directories are closed and opened again
                script = f"ulimit -n {limit}; exec {bin_dir / 'mdu'} -j{threads} {option} {tree}"
                done = subprocess.run(["bash", "-c", script], capture_output=True, timeout=TIMEOUT_S)
                assert (done.returncode, done.stderr) == (0, b"")
                if option == "-a":
                    assert done.stdout.count(b"/kept/k") == 400
    finally:
        stop.set()
        for worker in workers:
            worker.join()
