# SPDX-License-Identifier: BSD-3-Clause
"""An installed tree that has not been moved to its prefix, what mdu and du are run on, and places for outputs."""

import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import fake_bench
from installed import make_install
from outputs import FILES, World, make_device, run


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


@pytest.fixture(scope="session")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> World:
    folder = tmp_path_factory.mktemp("inputs")
    world = World(
        folder,
        trace=folder / "trace",
        measurement=folder / "measurement.json",
        crossing=folder / "crossing.json",
        bench=fake_bench(folder / "bench"),
    )
    world.trace.write_text("getuid() = 0\ngetgid() = 0\n" * 60)
    done = run(FILES[0], world, world.measurement)
    assert done.returncode == 0, done.stderr
    # what ferry advise wants to know besides
    world.crossing.write_text(world.measurement.read_text().replace(":getppid", ":unimplemented"))
    return world


@pytest.fixture
def world(inputs: World, tmp_path: Path) -> Iterator[World]:
    folder = tmp_path / "place"
    folder.mkdir()
    yield replace(inputs, folder=folder)
    # whatever was done, no part of a file is left
    folder.chmod(0o755)
    assert not [path.name for path in folder.rglob("*.partial")]


@pytest.fixture
def full(world: World) -> Path:
    return make_device(world.folder / "full", 7, "/dev/full")


@pytest.fixture
def null(world: World) -> Path:
    return make_device(world.folder / "null", 3, "/dev/null")
