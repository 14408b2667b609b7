# SPDX-License-Identifier: BSD-3-Clause
"""CDDL from `ferry bindgen`: a tool that is not ours reads it, and finds the vectors to be what they say."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pycddl  # type: ignore[import-untyped]
import pytest
from paths import ROOT

VECTORS = ROOT / "spec" / "wire"
#: Errors that a value of another shape gives; the others are about encodings, which CDDL does not describe.
SHAPES = ("wrong type", "unknown enum value", "missing")
#: Types that pycddl 0.6.4 reads and cannot check: choices and arrays in an array, maps with keys of a range in others,
#: a choice of maps (an option in a map of the choice is taken for a member of the choice).
UNCHECKED = (
    *("colors", "rows", "flag_by_number", "text_by_number", "map_by_text", "forest"),
    *("shape", "shapes", "shape_by_text", "drawing"),
)


def schema(root: str, text: str) -> pycddl.Schema:
    """A schema that begins with this rule: the first is what a message has to be.

    pycddl 0.6.4 reads ranges that begin below 0, as RFC 8610, section 2.2.2.1, has them, but cannot check them.
    """
    checked = re.sub(r"-\d+\.\.\d+", "int", text)
    return pycddl.Schema(f"root = {root}\n{checked}")


def cddl(description: Path, folder: Path) -> str:
    """The CDDL of what a description describes."""
    words: list[str | Path] = [sys.executable, "-m", "ferry", "bindgen", description, "--lang", "cddl", "--out", folder]
    environment = {"PYTHONPATH": str(ROOT / "tools" / "ferry" / "src"), "PATH": "/usr/bin:/bin"}
    subprocess.run(words, check=True, timeout=120, env=environment, stdout=subprocess.DEVNULL)
    (file,) = folder.glob("*.cddl")
    return file.read_text()


@pytest.fixture(scope="module")
def wire(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The CDDL of the vectors' types."""
    return cddl(VECTORS / "types.json", tmp_path_factory.mktemp("cddl"))


def vectors(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((VECTORS / name).read_text())
    return found


def encoded(text: str) -> bytes:
    return bytes.fromhex("" if text == "-" else text)


@pytest.mark.parametrize("library", ["echo/echo.json", "notes/notes.json"])
def test_what_an_example_describes_is_cddl(library: str, tmp_path: Path) -> None:
    pycddl.Schema(cddl(ROOT / "examples" / library, tmp_path))


def test_every_value_is_one_of_its_rule(wire: str) -> None:
    seen = 0
    for vector in vectors("values.json"):
        if vector["type"] in UNCHECKED:
            continue
        schema(f"reply-{vector['type'].replace('_', '-')}", wire).validate_cbor(encoded(vector["cbor"]))
        seen += 1
    assert seen > 30


def test_what_has_another_shape_is_none(wire: str) -> None:
    seen = 0
    for vector in vectors("malformed_cbor.json"):
        # what tags mean is not in CDDL either
        is_shape = vector["error"].rpartition(": ")[2] in SHAPES and "tag" not in vector["name"]
        if not is_shape or vector["type"] in UNCHECKED:
            continue
        rule = schema(f"reply-{vector['type'].replace('_', '-')}", wire)
        with pytest.raises(pycddl.ValidationError):
            rule.validate_cbor(encoded(vector["cbor"]))
        seen += 1
    assert seen > 10
