# SPDX-License-Identifier: BSD-3-Clause
"""Libraries in Rust by attributes: what the compiler says of mistakes, and the description that it writes.

The conformance programs call such a library in test_providers.py, and test_rust_tokio.py one on tokio.
"""

import json
import re
import subprocess
from pathlib import Path

import pytest
from ferry.bindgen import model, reader, shared_object
from native import make
from paths import BUILD, ROOT

REFUSED = sorted((ROOT / "tests" / "ingress" / "rust" / "refused").glob("*.rs"))
ACCEPTED = ROOT / "tests" / "ingress" / "rust" / "accepted"
DEBUG = BUILD / "rust" / "debug"


@pytest.fixture(scope="module", autouse=True)
def attributes() -> None:
    """Where they lie is only up to date when cargo has looked at them."""
    command = (ROOT / "scripts" / "rust.sh", BUILD, "build", "--quiet", "--package", "ferry-ingress-provider")
    subprocess.run(command, check=True, timeout=600)


def compile_rust(source: Path, *options: str | Path) -> subprocess.CompletedProcess[str]:
    """Compile a file that has the attributes, by the compiler that has built them."""
    rustc = Path("/usr/bin/rustc")
    command: list[str | Path] = [rustc if rustc.exists() else "rustc", "--edition", "2021", "--crate-type", "lib"]
    command += ["--extern", f"ferry={DEBUG / 'libferry_ingress_provider.rlib'}", "-L", DEBUG / "deps"]
    return subprocess.run([*command, *options, source], capture_output=True, text=True, timeout=60, check=False)


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
