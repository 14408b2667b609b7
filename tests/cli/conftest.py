# SPDX-License-Identifier: BSD-3-Clause
"""An installed tree that has not been moved to its prefix, and what mdu and du are run on."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from installed import make_install


@pytest.fixture(scope="session")
def stage(bin_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make install PREFIX=/usr` puts under DESTDIR."""
    destdir = tmp_path_factory.mktemp("stage")
    done = make_install(bin_dir.parent, "/usr", str(destdir))
    assert done.returncode == 0, done.stdout + done.stderr
    return destdir


@pytest.fixture(scope="session")
def mdu(bin_dir: Path) -> Path:
    return bin_dir / "mdu"


@pytest.fixture(scope="module")
def mixed() -> Iterator[Path]:
    """Some of everything."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "mixed"
        for name in ("a/b/c", "a/d", "e/f", "e/empty", "ü/日本", "sp ace"):
            (root / name).mkdir(parents=True)
        for index, name in enumerate(("a/1", "a/b/2", "a/b/c/3", "a/d/4", "e/5", "e/f/6", "ü/日本/7", "sp ace/8", "9")):
            (root / name).write_bytes(b"x" * (index * 5003))
        with (root / "a/sparse").open("wb") as file:
            file.truncate(50_000_000)
            file.seek(20_000_000)
            file.write(b"data")
        os.link(root / "a/b/2", root / "a/b/c/two")
        os.link(root / "a/b/2", root / "e/two")
        os.link(root / "e/5", root / "a/d/five")
        os.link(root / "e/5", root / "e/f/five")
        (root / "e/loop").symlink_to("..")
        (root / "a/dangling").symlink_to("nowhere")
        os.mkfifo(root / "a/fifo")
        Path(os.fsdecode(os.fsencode(root) + b"/new\nline")).mkdir()
        Path(os.fsdecode(os.fsencode(root) + b"/new\nline/\xff\xfe bytes")).mkdir()
        Path(os.fsdecode(os.fsencode(root) + b"/new\nline/\xff\xfe bytes/\x01'\"$(x)")).write_bytes(b"y" * 9999)
        (root / "n").mkdir()
        (root / "n" / ("N" * 255)).mkdir()
        (root / "n" / ("N" * 255) / ("é" * 127)).write_bytes(b"z" * 5000)
        yield root
