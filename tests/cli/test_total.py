# SPDX-License-Identifier: BSD-3-Clause
"""total: sums, errors by name and reason, and no descriptor left behind."""

import os
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[bytes]]
#: Descriptors a run may have at once: far fewer than it has operands.
DESCRIPTOR_LIMIT = 12
SHRINKING_BYTES = 8 << 30


@pytest.fixture
def program(each_bin_dir: Path) -> Path:
    return each_bin_dir / "total"


@pytest.fixture
def total(program: Path, environment: dict[str, str], tmp_path: Path) -> Run:
    def run(*arguments: str | Path, command: tuple[str, ...] = ()) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*command, program, *arguments], capture_output=True, env=environment, cwd=tmp_path, timeout=600
        )

    return run


def signed_sum(content: bytes) -> int:
    return sum(byte - 256 if byte > 127 else byte for byte in content)


@pytest.mark.parametrize("size", [1, 7, 8, 9, 1023, 1024, 1025, 4096, 100_003])
def test_sums_signed_bytes(total: Run, tmp_path: Path, size: int) -> None:
    content = random.Random(size).randbytes(size)
    (tmp_path / "file").write_bytes(content)
    done = total("file")
    assert done.stdout.decode() == f"grand total: {signed_sum(content)}\n"
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("byte", [0x00, 0x7F, 0x80, 0xFF])
def test_no_lane_overflows(total: Run, tmp_path: Path, byte: int) -> None:
    content = bytes([byte]) * 300_001
    (tmp_path / "file").write_bytes(content)
    assert total("file").stdout.decode() == f"grand total: {signed_sum(content)}\n"


def test_an_empty_file_is_no_error(total: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    done = total("empty")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"grand total: 0\n", b"")


def test_lists_each_file(total: Run, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\x01\x02")
    (tmp_path / "new\nline").write_bytes(b"\xff")
    assert total("--list", "a", "new\nline").stdout == b"3\ta\n-1\tnew\nline\ngrand total: 2\n"
    assert total("-l0", "a", "new\nline").stdout == b"3\ta\0-1\tnew\nline\0grand total: 2\n"


def test_names_what_failed_and_goes_on(total: Run, tmp_path: Path) -> None:
    (tmp_path / "good").write_bytes(b"\x05")
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "loop").symlink_to("loop")
    names = ["folder", "missing", "fifo", "loop", "good/below", "x" * 300, "/dev/null"]
    (tmp_path / "folder").mkdir()
    done = total("good", *names, "good")
    assert done.returncode == 1
    assert done.stdout == b"grand total: 10\n"
    assert done.stderr.decode().splitlines() == [
        "total: folder: Is a directory",
        "total: missing: No such file or directory",
        "total: fifo: not a regular file",
        "total: loop: Too many levels of symbolic links",
        "total: good/below: Not a directory",
        f"total: {'x' * 300}: File name too long",
        "total: /dev/null: not a regular file",
    ]


def test_no_path_leaves_a_descriptor_open(total: Run, tmp_path: Path) -> None:
    (tmp_path / "good").write_bytes(b"\x01")
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    operands = ["good", "empty", "folder", "fifo", "missing"] * 50
    limit = ("prlimit", f"--nofile={DESCRIPTOR_LIMIT}:{DESCRIPTOR_LIMIT}")
    done = total(*operands, command=limit)
    assert done.stdout == b"grand total: 50\n"
    assert b"Too many open files" not in done.stderr


def test_a_file_that_shrinks_is_an_error_not_a_crash(
    program: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "shrinking"
    with file.open("wb") as out:
        out.truncate(SHRINKING_BYTES)
    with subprocess.Popen([program, file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        maps = Path(f"/proc/{process.pid}/maps")
        while process.poll() is None and str(file) not in maps.read_text():
            time.sleep(0.001)
        os.truncate(file, 0)
        out_text, error_text = process.communicate(timeout=600)
    assert process.returncode == 1
    assert error_text.decode() == f"total: {file}: the file became shorter while it was read\n"
    assert out_text == b"grand total: 0\n"


def test_needs_a_file(total: Run) -> None:
    done = total()
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"give at least one FILE" in done.stderr
