# SPDX-License-Identifier: BSD-3-Clause
"""What Rust and Python declare of include/ferry/ingress.h is as C has it: sizes, offsets and numbers."""

import ctypes
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from paths import BUILD, CARGO, ROOT

sys.path.insert(0, str(ROOT / "hosts" / "python" / "src"))

from ferry_ingress import Overflow, Status, Wire, core

HEADER = ROOT / "include" / "ferry" / "ingress.h"
#: Only where replies and events are taken by callbacks, and only where by an inbox.
ONLY_BY_CALLBACK = {"reply"}
ONLY_BY_INBOX = {"item"}
RUST_TIMEOUT_S = 600

Layout = dict[str, tuple[int, ...]]


def parsed(text: str) -> Layout:
    """The lines `NAME NUMBER…` of a text."""
    found = re.findall(r"^([a-z]+(?:\.\w+)?)((?: \d+)+)$", text, re.M)
    return {name: tuple(map(int, numbers.split())) for name, numbers in found}


def without(layout: Layout, structs: set[str]) -> Layout:
    return {name: numbers for name, numbers in layout.items() if name.split(".")[0] not in structs}


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    program = tmp_path_factory.mktemp("layouts") / "layouts"
    subprocess.run(["cc", f"-I{ROOT}/include", "-o", program, ROOT / "tests/ingress/layouts.c"], check=True)
    return parsed(subprocess.run([program], capture_output=True, text=True, check=True).stdout)


def test_no_field_is_left_out(in_c: Layout) -> None:
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.S)
    declared = {
        f"{struct}.{field}"
        for struct, body in re.findall(r"struct ingress_(\w+) \{(.*?)\n\};", text, re.S)
        for field in re.findall(r"(\w+)(?:\[\d+\])?;", body)
    }
    numbers = {
        f"{kind}.{name}"
        for kind, body in re.findall(r"enum ingress_(status|wire|overflow) \{(.*?)\}", text, re.S)
        for name in re.findall(r"INGRESS_(\w+) =", body)
    }
    assert len(declared) > 40
    assert declared | (numbers - {"status.STATUS_COUNT", "overflow.OVERFLOW_DEFAULT"}) == {n for n in in_c if "." in n}


def in_ctypes() -> Iterator[tuple[str, tuple[int, ...]]]:
    for name in ("options", "answer", "call", "link", "refusal", "event", "listener", "item"):
        struct: type[ctypes.Structure] = getattr(core, f"_{name.title()}")
        yield name, (ctypes.sizeof(struct),)
        for field, *_ in struct._fields_:
            place = getattr(struct, field)
            yield f"{name}.{field}", (place.offset, place.size)
    yield from ((f"status.{status.name}", (status.value,)) for status in Status)
    yield from ((f"wire.WIRE_{wire.name}", (wire.value,)) for wire in Wire)
    yield from ((f"overflow.{overflow.name}", (overflow.value,)) for overflow in Overflow)


def test_python_has_the_layouts_of_c(in_c: Layout) -> None:
    assert dict(in_ctypes()) == without(in_c, ONLY_BY_CALLBACK)


def name_of(name: str) -> str:
    """BadToken, as C has it: BAD_TOKEN; fields are called alike."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper() if name[:1].isupper() else name


def test_rust_has_the_layouts_of_c(in_c: Layout) -> None:
    command = [str(CARGO), str(BUILD), "test", "--quiet", "--package", "ferry-ingress", "--lib"]
    done = subprocess.run(
        [*command, "layouts_are_printed", "--", "--nocapture"],
        capture_output=True,
        text=True,
        timeout=RUST_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    in_rust = {".".join(map(name_of, name.split("."))): numbers for name, numbers in parsed(done.stdout).items()}
    assert in_rust == without(in_c, ONLY_BY_INBOX)
