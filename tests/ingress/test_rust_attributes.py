# SPDX-License-Identifier: BSD-3-Clause
"""Libraries in Rust by attributes: what the compiler says of mistakes, and the description that it writes.

The conformance programs call such a library in test_providers.py, and test_rust_tokio.py one on tokio.
"""

import json
import re
from pathlib import Path

import pytest
from ferry.bindgen import model, reader, shared_object
from native import make
from nim_library import call
from paths import BUILD, ROOT
from rust_compiler import build_attributes, compile_rust, make_library

REFUSED = sorted((ROOT / "tests" / "ingress" / "rust" / "refused").glob("*.rs"))
ACCEPTED = ROOT / "tests" / "ingress" / "rust" / "accepted"

#: A host that meets types which travel as another, in one wire format.
CARRIED = """
import sys
from ferry_ingress import IngressError, Options, Wire
from carried import Carried, Page, PickAsked, RaisedWhy, Why
def refused(function):
    try: print("taken", function())
    except IngressError as error: print(type(error).__name__, error)
options = Options(wire=Wire[sys.argv[1]])
for digit in (4, 10): refused(lambda: Carried.open(digit, options=options, timeout=60))
carried = Carried.open(None, options=options, timeout=60)
rated, moved = iter(carried.rated_events()), iter(carried.moved_events())
page = Page(key=b"k", words=["é", "a", "bc"], numbers=[9, -1, 0, -300], counts={-1: 5, 300: 0, 2: 2**63 - 1})
same = carried.same(page, timeout=60)
print(same.share, same.stars, same.tilt, same.key, same.words, same.numbers)
print(sorted(same.counts.items()))
print(next(rated).value, next(moved).value)
for changed in ({"stars": 0}, {"stars": 6}, {"share": 101}, {"tilt": 1}, {"tilt": -1, "numbers": [1, 1]},
    {"words": ["", ""]}, {"counts": {1: -1}}):
    page = Page(**{"key": b"", "words": [], "numbers": [], "counts": {}} | changed)
    refused(lambda: carried.same(page, timeout=60))
refused(lambda: carried.rate(6, timeout=60))
refused(lambda: carried.rate(5, timeout=60))
stream = carried.climb(9, timeout=60)
print([next(stream) for _ in range(5)])
refused(lambda: next(stream))
for type_ in (1, 3): print(carried.place(Why(type_, 50), timeout=60))
refused(lambda: carried.place(Why(5, 100), timeout=60))
refused(lambda: carried.place(Why(5, 101), timeout=60))
asked = []
listening = carried.answer_pick(lambda question: asked.append(question.among) or 4)
print(carried.choose(timeout=60), asked)
"""


#: What it prints.
MET = """
RaisedWhy the handler failed with Why(type_=4, share=4)
BadPayloadError digit: out of range
7 3 None b'k' ['a', 'bc', 'é'] [-300, -1, 0, 9]
[(-1, 5), (2, 9223372036854775807), (300, 0)]
3 Why(type_=3, share=7)
BadPayloadError page.stars: out of range
BadPayloadError page.stars: out of range
BadPayloadError page.share: out of range
BadPayloadError page.tilt: out of range
BadPayloadError page.numbers: given twice
BadPayloadError page.words: given twice
BadPayloadError page.counts[0].value: out of range
FailedError the result cannot be sent: a number is not in the range that the library gives it
taken 5
[1, 2, 3, 4, 5]
FailedError a value cannot be sent: a number is not in the range that the library gives it
PlaceNowhereCase()
PlaceAtCase(value=Why(type_=3, share=50))
RaisedWhy the handler failed with Why(type_=5, share=100)
BadPayloadError at.share: out of range
4 [[1, 2, 3]]
""".strip().splitlines()


@pytest.fixture(scope="module", autouse=True)
def attributes() -> None:
    build_attributes()


def compile_errors(source: Path, output: Path) -> set[tuple[int, str]]:
    """The lines of a file at which the compiler finds an error, with what it says."""
    done = compile_rust(source, "--emit", "metadata", "--error-format", "json", "--out-dir", output)
    assert done.returncode == 1, done.stderr
    messages = [json.loads(line) for line in done.stderr.splitlines()]
    return {
        (span["line_start"], message["message"])
        for message in messages
        if message["level"] == "error"
        for span in message["spans"]
        if span["is_primary"]
    }


@pytest.mark.parametrize("source", REFUSED, ids=lambda path: path.stem)
def test_mistakes_are_refused_where_they_are(source: Path, tmp_path: Path) -> None:
    expected = {
        (number, comment[1])
        for number, line in enumerate(source.read_text().splitlines(), 1)
        if (comment := re.search(r"//~ (.*)", line))
    }
    assert len(expected) > 10
    found = compile_errors(source, tmp_path)
    # an expectation may be the end of what is said
    ended = {
        (line, next((text for at, text in expected if at == line and message.endswith(text)), message))
        for line, message in found
    }
    assert sorted(ended - expected) == []
    assert sorted(expected - ended) == []


def compiled(source: Path, output: Path) -> Path:
    """The object file that the compiler makes of a file."""
    made = output / "made.o"
    done = compile_rust(source, "--emit", f"obj={made}", "--out-dir", output)
    assert done.returncode == 0, done.stderr
    return made


def test_every_form_is_described(tmp_path: Path) -> None:
    found = reader.read(compiled(ACCEPTED / "forms.rs", tmp_path))
    assert (found.name, found.version) == ("forms", "2.1")
    assert found.doc == "Has many forms.\n\nAnd a second paragraph."
    assert [(each.name, each.type.name, each.value) for each in found.constants] == [
        ("kib", "u32", 1024),
        ("large", "u32", 4097),
        ("small", "f32", 0.1),
        ("never", "f64", float("-inf")),
        ("quoted", "string", 'a "raw" text'),
    ]
    assert [(field.name, model.text(field.type), field.default) for field in found.object("Word").fields] == [
        ("type", "string", None),
        ("at", "i64", None),
        ("names", "seq of string", None),
        ("counts", "map of string to bytes", None),
        ("reader", "option of Reader", None),
        ("share", "f64", 2.0),
        ("mark", "string", "é\n"),
        ("rank", "i8", -1),
    ]
    assert [(value.name, value.value) for value in found.enum("Way").values] == [("by_http_call", 0), ("plain2", 1024)]
    assert [
        (
            method.name,
            method.kind,
            [f"{field.name}: {model.text(field.type)}" for field in method.given],
            None if method.opens or not method.returns else model.text(method.returns),
            method.error and method.error.name,
        )
        for method in found.methods
        if method.is_authors
    ] == [
        ("add", "static", ["left: u32", "right: u32"], "u32", None),
        ("open", "constructor", ["way: option of Way"], None, "Way"),
        ("close", "destructor", [], None, None),
        ("reply", "method", ["words: seq of Word", "raw: bytes"], "i64", "Way"),
        ("fails", "method", ["held: Reader", "also: Reader"], None, None),
        ("later", "method", ["word: Word"], "Word", None),
        ("many", "method", ["type: u8"], None, "Way"),
    ]
    assert found.method("add").idempotent
    assert [(each.name, each.overflow, each.depth) for each in found.events if not each.ask] == [
        ("moved", "coalesce", 16),
        ("said", "drop_newest", 0),
        ("listed", "drop_oldest", 0),
    ]
    assert [(ask.name, ask.returns) for ask in found.asks] == [("hurry", None)]


def test_the_description_is_the_one_that_nim_writes() -> None:
    library = BUILD / "lib" / "echo-rust-attributes" / "libecho.so"
    make(BUILD, library)
    with library.open("rb") as file:
        assert shared_object.description(file) == (ROOT / "examples" / "echo" / "echo.json").read_bytes()


@pytest.fixture(scope="module")
def carried() -> Path:
    return make_library(ACCEPTED / "carried.rs", BUILD / "rust" / "carried")


@pytest.mark.parametrize("wire", ["C", "CBOR"])
def test_types_that_travel_as_another_stand_where_any_may(carried: Path, wire: str) -> None:
    assert call(carried, CARRIED, wire) == MET
