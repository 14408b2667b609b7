# SPDX-License-Identifier: BSD-3-Clause
"""Every option that names an output file, on everything that may be there: tests/helpers/outputs.py has the rows."""

import os
import resource
import stat
import subprocess
import threading
from pathlib import Path

import pytest
from outputs import (
    IS_ROOT,
    OBEYING,
    OLD,
    OWNER,
    Row,
    World,
    command_line,
    each_file,
    each_written,
    environment,
    expect_refusal,
    names,
    run,
)
from paths import ROOT


@each_written
def test_a_new_file_has_the_mode_of_any(row: Row, world: World) -> None:
    path = world.folder / "out"
    done = run(row, world, path, umask=0o027)
    assert done.returncode == 0, done.stderr
    assert len(path.read_text()) > 100
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names(world.folder) == ["out"]


@each_written
def test_a_file_is_replaced_and_keeps_mode_and_owner(row: Row, world: World) -> None:
    path = world.folder / "out"
    path.write_text(OLD)
    path.chmod(0o604)
    if IS_ROOT:
        os.chown(path, OWNER, OWNER)
    before = path.stat()
    with path.open() as reader:
        assert run(row, world, path).returncode == 0
        # a reader that had it open still has all of the old one
        assert reader.read() == OLD
    after = path.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert OLD not in path.read_text()


@each_written
def test_a_file_with_another_name_keeps_both(row: Row, world: World) -> None:
    path, other = world.folder / "out", world.folder / "other"
    path.write_text(OLD)
    other.hardlink_to(path)
    assert run(row, world, path).returncode == 0
    assert path.samefile(other)
    assert OLD not in other.read_text()


@each_written
@pytest.mark.parametrize("exists", [True, False], ids=["to a file", "dangling"])
def test_a_link_stays_a_link(row: Row, world: World, exists: bool) -> None:
    link, target = world.folder / "link", world.folder / "target"
    link.symlink_to("target")
    if exists:
        target.write_text(OLD)
    assert run(row, world, link).returncode == 0
    assert link.is_symlink()
    assert OLD not in target.read_text()


@each_written
def test_a_device_is_written_through(row: Row, world: World, null: Path) -> None:
    done = run(row, world, null)
    assert done.returncode == 0, done.stderr
    assert null.is_char_device()


@each_written
@pytest.mark.parametrize("linked", [False, True], ids=["itself", "by a link"])
def test_a_full_device_is_named_and_stays(row: Row, world: World, full: Path, linked: bool) -> None:
    path = full
    if linked:
        path = world.folder / "link"
        path.symlink_to(full)
    before = names(world.folder)
    expect_refusal(row, run(row, world, path), path, "No space left on device")
    assert full.is_char_device()
    assert path.is_symlink() == (linked or full.is_symlink())
    assert names(world.folder) == before


#: what a reader of a FIFO may take when its writer has ended; a FIFO that was replaced has no writer
JOIN_SECONDS = 20


@each_written
def test_a_fifo_gets_it_all(row: Row, world: World) -> None:
    fifo = world.folder / "fifo"
    os.mkfifo(fifo)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(fifo.read_text()), daemon=True)
    reader.start()
    done = run(row, world, fifo)
    reader.join(JOIN_SECONDS)
    assert done.returncode == 0, done.stderr
    assert fifo.is_fifo()
    assert len(got[0]) > 100


@each_file
def test_a_folder_is_refused_at_once(row: Row, world: World) -> None:
    done = run(row, world, world.folder)
    # click finds it, and says so in its own words
    assert done.returncode in (2, row.failed)
    assert str(world.folder) in done.stderr
    assert "directory" in done.stderr
    assert names(world.folder) == []


@each_file
def test_a_file_in_the_way_is_named(row: Row, world: World) -> None:
    (world.folder / "file").write_text(OLD)
    path = world.folder / "file" / "out"
    done = run(row, world, path)
    assert done.returncode == row.failed
    assert f"{row.named}{path}: " in done.stderr
    assert "Not a directory" in done.stderr or "File exists" in done.stderr
    assert (world.folder / "file").read_text() == OLD


@each_file
def test_a_folder_that_may_not_be_written_is_named_at_once(row: Row, world: World) -> None:
    world.folder.chmod(0o555)
    path = world.folder / "out"
    expect_refusal(row, run(row, world, path, OBEYING), path, "Permission denied")
    assert names(world.folder) == []


@each_written
def test_a_file_there_that_may_be_written_is(row: Row, world: World) -> None:
    path = world.folder / "out"
    path.write_text(OLD)
    world.folder.chmod(0o555)
    done = run(row, world, path, OBEYING)
    assert done.returncode == 0, done.stderr
    assert OLD not in path.read_text()


@each_file
def test_a_file_that_may_not_be_written_is_not(row: Row, world: World) -> None:
    path = world.folder / "out"
    path.write_text(OLD)
    path.chmod(0o444)
    expect_refusal(row, run(row, world, path, OBEYING), path, "Permission denied")
    assert path.read_text() == OLD


@each_written
@pytest.mark.parametrize("old", [OLD, None], ids=["over a file", "new"])
def test_a_limit_on_files_leaves_the_old_one_or_none(row: Row, world: World, old: str | None) -> None:
    """A file that may not grow: what a full disk is to every user, without a disk."""
    path = world.folder / "out"
    if old:
        path.write_text(old)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

    expect_refusal(row, run(row, world, path, preexec_fn=limit), path, "File too large")
    assert (path.read_text() if path.exists() else None) == old


#: Runs a command in a full file system of its own, on $1, then says in $2 what is there.
FULL_DISK = """
folder=$1 said=$2
shift 2
mount -t tmpfs -o size=4k tmpfs "$folder" || exit 77
printf 'what was there before\\n' >"$folder/out"
head -c 65536 /dev/zero >"$folder/filler" 2>/dev/null
"$@"
echo "$? $(ls -A "$folder" | tr '\\n' ' ')" >"$said"
cat "$folder/out" >>"$said"
"""


@each_written
def test_a_full_disk_leaves_the_old_file(row: Row, world: World) -> None:
    """The disk is a file system in memory that only this test's process sees; to mount it takes root."""
    if not IS_ROOT:
        pytest.skip("mounting a file system takes root; the test of a limit on files stands for it")
    path, said = world.folder / "out", world.folder.parent / "said"
    inside = ["unshare", "-m", "sh", "-c", FULL_DISK, "sh", str(world.folder), str(said)]
    done = subprocess.run(
        [*inside, *command_line(row, world, path)],
        capture_output=True,
        text=True,
        env=environment(world),
        cwd=ROOT,
        check=False,
    )
    if done.returncode == 77:
        pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
    assert said.read_text() == f"{row.failed} filler out \n{OLD}"
    assert f"{row.named}{path}: No space left on device" in done.stderr
