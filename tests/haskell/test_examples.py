# SPDX-License-Identifier: BSD-3-Clause
"""Short programs on Ferry.Foreign, and their twins on GHC's own foreign imports: both print what Python computes."""

import random
import re
import signal
import socket
import subprocess
import urllib.error
import urllib.request
import zlib
from contextlib import closing
from pathlib import Path

import pytest
from paths import BUILD

EXAMPLES = BUILD / "examples"
TIMEOUT_S = 300
LATENESS = re.compile(r"\d+\.\d{3} s; another thread was late by at most \d+\.\d ms")


def run(program: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program, *arguments], capture_output=True, encoding="utf-8", timeout=TIMEOUT_S, check=False)


@pytest.mark.parametrize("name", ["rows", "rows-plain"])
def test_rows_of_sqlite_are_summed_up(name: str) -> None:
    for count in (0, 5000):
        done = run(EXAMPLES / name, str(count))
        assert (done.returncode, done.stdout) == (0, f"{sum(number % 7 for number in range(1, count + 1))}\n")
        assert LATENESS.fullmatch(done.stderr.strip()), done.stderr
    done = run(EXAMPLES / name, "many")
    assert (done.returncode, done.stderr) == (1, "rows: give it the number of rows, from 0, or nothing\n")


@pytest.mark.parametrize("name", ["deflated", "deflated-plain"])
def test_zlib_compresses_files_and_adds_them_up(name: str, tmp_path: Path) -> None:
    source = random.Random(1)
    contents = {"empty": b"", "short": b"ferry", "long": bytes(source.choices(b"abcd", k=300_001))}
    for file, data in contents.items():
        (tmp_path / file).write_bytes(data)
    paths = [tmp_path / file for file in contents]
    done = run(EXAMPLES / name, *paths)
    sums = {file: f"{zlib.crc32(data):08x} {len(zlib.compress(data, 9))}" for file, data in contents.items()}
    expected = [f"{numbers} {tmp_path / file}" for file, numbers in sums.items()]
    assert (done.returncode, done.stdout.splitlines()) == (0, expected), done.stderr
    assert len(LATENESS.findall(done.stderr)) == len(paths)


@pytest.mark.parametrize("name", ["tree", "tree-conduit", "tree-pipes"])
def test_a_tree_is_counted_and_added_up(name: str, tmp_path: Path) -> None:
    if name != "tree" and not (EXAMPLES / name).exists():
        pytest.skip("conduit or pipes was not installed when the examples were built: scripts/install/deps.sh examples")
    for number in range(30):
        folder = tmp_path / f"folder{number}" / "inner"
        folder.mkdir(parents=True)
        for size in range(number):
            (folder / f"f\udcff{size}").write_bytes(b"x" * size)
    (tmp_path / "link").symlink_to("/")
    found = [tmp_path, *tmp_path.rglob("*")]
    size = sum(path.lstat().st_size for path in found)
    done = run(EXAMPLES / name, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{len(found)} names, {size} bytes\n", "")
    done = run(EXAMPLES / name, "--names", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{len(found)} names\n", "")
    done = run(EXAMPLES / name, tmp_path / "missing")
    assert (done.returncode, done.stdout) == (0, "0 names, 0 bytes\n")
    assert "missing: statx: does not exist" in done.stderr
    done = run(EXAMPLES / name)
    assert (done.returncode, done.stderr) == (1, f"usage: {name} [--names] PATH\n")


def answered(address: str) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(address, timeout=TIMEOUT_S) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


@pytest.mark.parametrize("name", ["served", "served-plain"])
def test_a_folder_is_served(name: str, tmp_path: Path) -> None:
    if not (EXAMPLES / name).exists():
        pytest.skip("warp was not installed when the examples were built: scripts/install/deps.sh examples")
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path / "served"
    (folder / "inner").mkdir(parents=True)
    (folder / "large").write_bytes(random.Random(2).randbytes(300_000))
    (tmp_path / "secret").write_bytes(b"not served")
    words = [str(EXAMPLES / name), str(folder), str(port)]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    try:
        assert server.stdout
        address = server.stdout.readline().strip()
        assert address == f"http://127.0.0.1:{port}/"
        assert answered(address) == (200, b"inner\nlarge\n")
        assert answered(address + "inner/") == (200, b"")
        assert answered(address + "large") == (200, (folder / "large").read_bytes())
        for outside in ("missing", "..%2fsecret", "%2e%2e/secret", "inner/../../secret", "large%00"):
            assert answered(address + outside)[0] == 404, outside
        server.send_signal(signal.SIGTERM)
        assert LATENESS.fullmatch(server.communicate(timeout=TIMEOUT_S)[1].strip())
        assert server.returncode == 0
    finally:
        server.kill()
        server.wait()
    done = run(EXAMPLES / name, folder, "many")
    assert (done.returncode, done.stderr) == (1, "usage: served FOLDER PORT\n")
