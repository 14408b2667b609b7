# SPDX-License-Identifier: BSD-3-Clause
"""Unknown items in Python: skipping ends where it does in C, or is refused for the same reason; in bounded time."""

import io
import random
import subprocess
import sys
import time
from pathlib import Path

import cbor2
import pytest
from paths import ROOT

sys.path.insert(0, str(ROOT / "hosts" / "python" / "src"))

from ferry_ingress.wire import I64, DecodeError, Wire, request
from ferry_ingress.wire.cbor import head
from ferry_ingress.wire.skip import skip

DEPTH_MAX = 32
SEED = random.SystemRandom().randrange(1 << 32)
#: What makes an item of each kind, in another encoding than the shortest too.
TEXTS = ("", "a", "twenty-two bytes long!", "wörld", "日本", "x" * 23, "x" * 24, "é" * 200)


def wide(r: random.Random, major: int, value: int) -> bytes:
    """A head of any width that holds the value."""
    widths = [bits for bits, end in enumerate((24, 1 << 8, 1 << 16, 1 << 32, 1 << 64)) if value < end]
    width = r.choice(widths) if r.random() < 0.2 else widths[0]
    if not width:
        return bytes([major << 5 | value])
    return bytes([major << 5 | 23 + width]) + value.to_bytes(1 << width - 1, "big")


def item(r: random.Random, levels: int) -> bytes:
    """A well-formed item that nests at most so deep."""
    tags = b"".join(wide(r, 6, r.choice((7, 77, 55799))) for _ in range(r.choice((0,) * 12 + (1, 3))))
    kind = r.randrange(9 if levels else 6)
    if kind < 2:
        return tags + wide(r, r.randrange(2), r.choice((0, 23, 24, 255, 256, 1 << 16, (1 << 64) - 1)))
    if kind == 2:
        return tags + r.choice((b"\xf4", b"\xf6", b"\xe0", b"\xf8\x20", b"\xf9<\0", b"\xfa????", b"\xfb12345678"))
    if kind < 6:
        major = r.choice((2, 3))
        text = [r.choice(TEXTS).encode() for _ in range(r.randrange(4))]
        if r.random() < 0.2:
            return tags + bytes([major << 5 | 31]) + b"".join(wide(r, major, len(t)) + t for t in text) + b"\xff"
        whole = b"".join(text)
        return tags + wide(r, major, len(whole)) + whole
    major = r.choice((4, 5))
    # runs of one kind, of two, and of many, so that blocks of every size match and break off
    count = r.choice((0, 1, 2, 3, 4, 5, 9, 23, 24, 70)[: 10 if levels == 1 else 5])
    kinds = [item(r, levels - 1) for _ in range(r.choice((1, 2, 5)))]
    inside = b"".join(r.choice(kinds) for _ in range(count * (major - 3)))
    if r.random() < 0.2:
        return tags + bytes([major << 5 | 31]) + inside + b"\xff"
    return tags + wide(r, major, count) + inside


def mutated(r: random.Random, data: bytes) -> bytes:
    """Some bytes changed, left out, put in or cut off."""
    found = bytearray(data)
    for _ in range(r.randrange(1, 4)):
        at = r.randrange(len(found)) if found else 0
        what = r.randrange(4)
        odd = r.choice((0x00, 0x7F, 0x80, 0x9F, 0xBF, 0xC1, 0xD8, 0xF8, 0xFC, 0xFF, 0x1C, 0x5F, r.randrange(256)))
        if what == 0:
            found.insert(at, odd)
        elif what == 1:
            del found[at:]
        elif found:
            found[at : at + 1] = bytes([odd]) if what == 2 else b""
    return bytes(found)


def skipped(data: bytes, depth: int = 0) -> str:
    """Where the item ends, or why it is none."""
    try:
        return str(skip(data, 0, depth))
    except DecodeError as error:
        return str(error)


@pytest.fixture(params=["blocks", "heads"])
def blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short messages with and without the expressions that long ones are worth."""
    if request.param == "blocks":
        monkeypatch.setattr("ferry_ingress.wire.skip._BLOCKS_BYTES_LEAST", 0)
        monkeypatch.setattr("ferry_ingress.wire.skip._PAIRS_BYTES_LEAST", 0)


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that answers with what C does."""
    program = tmp_path_factory.mktemp("skip") / "skip"
    command = [
        "gcc",
        "-O1",
        "-D_GNU_SOURCE",
        f"-I{ROOT / 'include'}",
        ROOT / "tests" / "wire" / "skip.c",
        "-o",
        program,
    ]
    subprocess.run([*map(str, command)], check=True, timeout=300)
    return program


def answers(program: Path, messages: list[bytes]) -> list[str]:
    lines = "".join(f"{message.hex()}\n" for message in messages)
    return subprocess.run(
        [program], input=lines, capture_output=True, text=True, check=True, timeout=300
    ).stdout.splitlines()


def compare(program: Path, messages: list[bytes]) -> None:
    found = [
        (message.hex(), skipped(message), c) for message, c in zip(messages, answers(program, messages), strict=True)
    ]
    assert [each for each in found if each[1] != each[2]] == [], f"seed {SEED}"


@pytest.mark.usefixtures("blocks")
def test_what_is_well_formed_ends_where_it_does_elsewhere(in_c: Path) -> None:
    r = random.Random(SEED)
    messages = [item(r, r.choice((1, 2, 3, 4))) + r.choice((b"", b"\0")) for _ in range(1500)]
    compare(in_c, messages)
    # among others, in a message that is large enough for blocks
    compare(in_c, [b"\x9f" + b"".join(messages[at : at + 100]) + b"\xff" for at in range(0, 1500, 100)])
    for message in messages:
        read = io.BytesIO(message)
        cbor2.CBORDecoder(read, tag_hook=lambda _, tag: tag.value, str_errors="strict").decode()
        assert skipped(message) == str(read.tell()), (SEED, message.hex())


@pytest.mark.usefixtures("blocks")
def test_what_is_not_well_formed_is_refused_for_the_reason_of_c(in_c: Path) -> None:
    r = random.Random(SEED)
    messages = [mutated(r, item(r, r.choice((1, 2, 3)))) for _ in range(4000)]
    messages += [r.randbytes(r.randrange(1, 12)) for _ in range(4000)]
    compare(in_c, messages)


@pytest.mark.usefixtures("blocks")
def test_every_pair_of_bytes(in_c: Path) -> None:
    compare(in_c, [bytes((first, second)) for first in range(256) for second in range(256)])


@pytest.mark.usefixtures("blocks")
@pytest.mark.parametrize("around", [b"\x81", b"\x9f", b"\xa1\0", b"\xbf\0", b"\xc1\x81", b"\x98\x01"])
@pytest.mark.parametrize(
    "inside", [b"\0", b"\x80", b"\xa0", b"\x81\0", b"\xa1\0\0", b"\x9f\xff", b"\x18\x18", b"\xc1\x80"]
)
def test_nesting_ends_where_it_does_in_c(in_c: Path, around: bytes, inside: bytes) -> None:
    ending = b"\xff" if around in (b"\x9f", b"\xbf\0") else b""
    messages = [around * levels + inside + ending * levels for levels in range(DEPTH_MAX - 3, DEPTH_MAX + 3)]
    compare(in_c, messages)
    assert "nested too deep" in [skipped(message) for message in messages]


@pytest.mark.usefixtures("blocks")
def test_levels_that_are_open_count() -> None:
    assert skipped(b"\x80", DEPTH_MAX - 1) == "1"
    for container in (b"\x80", b"\xa0", b"\x81\0", b"\x9f\xff", b"\x9a\0\0\0\0"):
        assert skipped(container, DEPTH_MAX) == "nested too deep"
    assert skipped(b"\x61a", DEPTH_MAX) == "2"


@pytest.mark.usefixtures("blocks")
def test_unknown_keys_are_gone_past_and_known_ones_are_found() -> None:
    """Many unknown pairs, in any encoding, and known keys among them, in the shortest encoding and in others."""
    codec = request(("aa", I64), ("b", I64))
    r = random.Random(SEED)
    for _ in range(150):
        pairs = [(b"\x61b", head(0, 7)), (r.choice((b"\x62aa", b"\x78\x02aa", b"\x7f\x61a\x61a\xff")), b"\x05")]
        keys = (b"\0", b"\x20", b"\x61c", b"\x63aaa", b"\x40", b"\xc1\0", b"\x62\xc3\xa9", b"\x60", b"\x80")
        kinds = [(r.choice(keys), item(r, 2)) for _ in range(r.choice((1, 2, 40)))]
        pairs += [r.choice(kinds) for _ in range(r.choice((0, 1, 15, 16, 17, 200)))]
        r.shuffle(pairs)
        inside = b"".join(key + value for key, value in pairs)
        for message in (head(5, len(pairs)) + inside, b"\xbf" + inside + b"\xff"):
            assert codec.decode(Wire.CBOR, message) == (5, 7), (SEED, message.hex())
        with pytest.raises(DecodeError, match="b: given twice"):
            codec.decode(Wire.CBOR, head(5, len(pairs) + 1) + inside + b"\x61b\x07")


def test_work_follows_the_bytes() -> None:
    """Twice the items take about twice the time, whatever they are: nothing is looked at again and again."""
    shapes = [b"\0", b"\x18\x40", b"\x81\0", b"\x81\x81\0", b"\x62\xc3\xa9", b"\x18\x40\x81\x81\0", b"\x80", b"\xc1\0"]
    shapes += [b"\x81" * 30 + b"\0", b"\x58\x18" + bytes(24), b"\x18\x40" * 7 + b"\x81\x81\0", b"\xc1" * 50 + b"\0"]

    def seconds(shape: bytes, count: int) -> float:
        message = b"\x9f" + shape * count + b"\xff"
        took = []
        for _ in range(3):
            begin = time.process_time()
            assert skip(message, 0, 0) == len(message)
            took.append(time.process_time() - begin)
        return min(took)

    for shape in shapes:
        seconds(shape, 2000)  # expressions are compiled once
        few, many = seconds(shape, 2000), seconds(shape, 16000)
        assert many < 8 * 4 * few + 0.01, shape.hex()
