# SPDX-License-Identifier: BSD-3-Clause
"""A library in Nim, and the same in Rust by attributes, of variants, tuples, arrays, sets, times and ranges.

Both have one description, and answer hosts alike in both wire formats.
"""

from pathlib import Path

import pytest
import rust_compiler
from ferry.bindgen import shared_object
from nim_compiler import Way
from nim_library import call, make_library
from paths import BUILD, ROOT

#: What is not refused, as a host writes it, and the context that takes it.
BEGIN = """
import sys
from dataclasses import replace
from ferry_ingress import IngressError, Options, Wire
from shapes import Point, Shade, Shapes, Sheet
shapes = Shapes.create(options=Options(wire=Wire[sys.argv[1]]))
sheet = Sheet(id=5, name="n", corner=Point(1.0, 2.0), corners=[Point(3.0, 4.0), Point(5.0, 6.0)], key=b"abcd",
    matrix=[[1, 2, 3], [4, 5, 6]], shades=[Shade.BLUE, Shade.RED], at=-1_500_000_000, took=2_000_000_001, ids=[1, -2],
    places={"b": [0, 100], "ab": None, "a": [7, 8]})
def refused(function):
    try: function()
    except IngressError as error: print(type(error).__name__, error)
    else: print("taken")
"""

STREAM = """
for each in shapes.draw(4, timeout=60): print(each)
print(len(list(shapes.draw(1000, credits=1, timeout=60))))
for each in shapes.points(2, timeout=60): print(each)
"""

VALUES = """
same = shapes.same(sheet, timeout=60)
print(same == replace(sheet, shades=[Shade.RED, Shade.BLUE]), same.percent, same.small, list(same.places.items())[0])
same = shapes.same(replace(sheet, percent=100, small=9, percents=[0, 100]), timeout=60)
print(same.percent, same.small, same.percents)
print(shapes.mixed([Shade.GREEN], 9, [0, 1], 5, timeout=60), shapes.mixed([], 0, [0, 1], 0, timeout=60))
print(shapes.far(-2, timeout=60))
"""

REFUSALS = """
for changed in [{"percent": 101}, {"small": -6}, {"small": 10}, {"corners": [Point(0.0, 0.0)]}, {"key": b"abcde"},
    {"matrix": [[1, 2, 3], [4, 5]]}, {"shades": [Shade.RED, Shade.RED]}, {"percents": [0, -1]}]:
    refused(lambda: shapes.same(replace(sheet, **changed), timeout=60))
refused(lambda: shapes.same(replace(sheet, places={"k": [1]}), timeout=60))
refused(lambda: shapes.mixed([Shade.RED, Shade.RED], 0, [0, 1], 0, timeout=60))
refused(lambda: shapes.mixed([], 10, [0, 1], 0, timeout=60))
refused(lambda: shapes.mixed([], 0, [0, 1, 2], 0, timeout=60))
refused(lambda: shapes.mixed([], 0, [0, 101], 0, timeout=60))
"""

REFUSED = """
sheet.percent: out of range
sheet.small: out of range
sheet.small: out of range
sheet.corners: out of range
sheet.key: out of range
sheet.matrix[1]: out of range
sheet.shades: given twice
sheet.percents[1]: out of range
sheet.places[0].value: out of range
shades: given twice
share: out of range
both: out of range
both[1]: out of range
""".strip().splitlines()


@pytest.fixture(scope="module")
def nim() -> Path:
    return make_library(Way("bookworm", "orc", "release"), ROOT / "nim/tests/shapes.nim", BUILD / "nim/shapes")


@pytest.fixture(scope="module")
def rust() -> Path:
    return rust_compiler.make_library(ROOT / "tests/ingress/rust/accepted/shapes.rs", BUILD / "rust/shapes")


@pytest.fixture(params=["nim", "rust"])
def library(request: pytest.FixtureRequest) -> Path:
    made: Path = request.getfixturevalue(request.param)
    return made


@pytest.fixture(params=["C", "CBOR"])
def wire(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_each_case_arrives_as_itself(library: Path, wire: str) -> None:
    assert call(library, BEGIN + STREAM, wire) == [
        "ShapeNothingCase()",
        "ShapeCircleCase(value=ShapeCircle(radius=1.0))",
        "ShapeLabelCase(value=ShapeLabel(text='shape 2'))",
        "ShapeNothingCase()",
        "1000",
        "Point(x=0.0, y=-0.0)",
        "Point(x=1.0, y=-1.0)",
    ]


def test_values_come_back(library: Path, wire: str) -> None:
    assert call(library, BEGIN + VALUES, wire) == [
        "True 50 -1 ('a', [7, 8])",
        "100 9 [0, 100]",
        "[<Shade.RED: 0>, <Shade.BLUE: 7>] [<Shade.RED: 0>, <Shade.GREEN: 1>, <Shade.BLUE: 7>]",
        "-2000000000",
    ]


def test_what_a_type_cannot_be_is_refused_by_its_name(library: Path, wire: str) -> None:
    assert call(library, BEGIN + REFUSALS, wire) == [f"BadPayloadError {each}" for each in REFUSED]


def test_a_time_that_nanoseconds_cannot_hold_fails_its_call(library: Path, wire: str) -> None:
    program = BEGIN + "refused(lambda: shapes.far(-(10**10), timeout=60)); print(shapes.far(1, timeout=60))"
    failure, other = call(library, program, wire)
    assert failure.startswith("FailedError ")
    assert failure.endswith("a time or a duration of more than 292 years does not fit into nanoseconds")
    assert other == "1000000000"


def test_both_have_one_description(nim: Path, rust: Path) -> None:
    with rust.open("rb") as file:
        assert shared_object.description(file) == (nim.parent / "shapes.json").read_bytes()
