# SPDX-License-Identifier: BSD-3-Clause
"""What ferry prints where the encoding of its output has not all of its characters."""

import os
import subprocess
import sys

import pytest
from outputs import FILES, World, environment, run
from paths import ROOT

#: Every character of a source but those of ASCII.
OTHERS = sorted(
    {
        character
        for source in (ROOT / "tools" / "ferry" / "src" / "ferry").rglob("*.py")
        for character in source.read_text(encoding="utf-8")
        if not character.isascii()
    }
)
MEASURE, REPORT = FILES[:2]


def printed(text: str, encoding: str, stream: str = "stdout") -> bytes:
    code = f"import sys; from ferry import streams; streams.watch_standard_output(); print({text!a}, file=sys.{stream})"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True,
        env=os.environ | {"PYTHONIOENCODING": encoding, "PYTHONPATH": str(ROOT / "tools" / "ferry" / "src")},
    )  # fmt: skip
    return bytes(getattr(done, stream))


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_what_an_encoding_lacks_is_written_plainly(stream: str) -> None:
    assert printed("3 µs × 2 ≤ 7 ± 1 …", "ascii", stream) == b"3 us x 2 <= 7 +- 1 ...\n"
    assert printed("3 µs × 2 ≤ 7 ± 1 …", "latin-1", stream) == "3 µs × 2 <= 7 ± 1 ...\n".encode("latin-1")
    assert printed("3 µs × 2 ≤ 7 ± 1 …", "utf-8", stream) == "3 µs × 2 ≤ 7 ± 1 …\n".encode()
    assert printed("日", "ascii", stream) == b"?\n"


@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_a_file_name_that_is_no_text_keeps_its_bytes(encoding: str) -> None:
    assert printed("\udcff\udc80", encoding) == b"\xff\x80\n"


def test_each_character_of_ferrys_own_has_a_plain_one() -> None:
    assert b"?" not in printed("".join(OTHERS), "ascii")


def test_no_measurement_is_lost(world: World) -> None:
    plain = environment(world) | {"PYTHONIOENCODING": "ascii"}
    path = world.folder / "measured.json"
    done = run(MEASURE, world, path, env=plain)
    assert done.returncode == 0, done.stderr
    assert " ns" in done.stdout
    assert path.exists()


def test_a_file_at_standard_output_is_in_utf_8(world: World) -> None:
    path, plain = world.folder / "page.html", environment(world) | {"PYTHONIOENCODING": "ascii"}
    assert run(REPORT, world, path).returncode == 0
    with (world.folder / "printed.html").open("wb") as stdout:
        assert run(REPORT, world, "-", env=plain, stdout=stdout).returncode == 0
    page = path.read_bytes()
    assert "µ".encode() in page or "×".encode() in page
    assert (world.folder / "printed.html").read_bytes() == page
