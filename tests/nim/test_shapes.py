# SPDX-License-Identifier: BSD-3-Clause
"""A stream of variants: each case arrives as itself, in both wire formats."""

from pathlib import Path

import pytest
from nim_compiler import Way
from nim_library import call, make_library
from paths import BUILD, ROOT

PROGRAM = """
import sys
from ferry_ingress import Options, Wire
from shapes import Shapes
with Shapes.create(options=Options(wire=Wire[sys.argv[1]])) as shapes:
    for each in shapes.draw(4, timeout=60): print(each)
    print(len(list(shapes.draw(1000, credits=1, timeout=60))))
"""


@pytest.fixture(scope="module")
def library() -> Path:
    return make_library(Way("bookworm", "orc", "release"), ROOT / "nim/tests/shapes.nim", BUILD / "nim/shapes")


@pytest.mark.parametrize("wire", ["C", "CBOR"])
def test_each_case_arrives_as_itself(library: Path, wire: str) -> None:
    assert call(library, PROGRAM, wire) == [
        "ShapeNothingCase()",
        "ShapeCircleCase(value=ShapeCircle(radius=1.0))",
        "ShapeLabelCase(value=ShapeLabel(text='shape 2'))",
        "ShapeNothingCase()",
        "1000",
    ]
