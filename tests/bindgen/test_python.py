# SPDX-License-Identifier: BSD-3-Clause
"""Python from `ferry bindgen`: the vectors in both formats, random values and any bytes, and the committed package."""

import ast
import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from bindgen import wire_model, wire_values
from bindgen.wire_vectors import FOLDER, NAN_CBOR, ROOTS, TYPES, bytes_of, expectations, hexed
from ferry.bindgen import docstrings, generate, python, reader
from ferry.bindgen.hash import interface_hash
from ferry.bindgen.language import Options
from ferry.bindgen.model import Constant, Scalar
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ROOT

RUNTIME = ROOT / "hosts" / "python" / "src"
sys.path.insert(0, str(RUNTIME))
from ferry_ingress.wire import Codec, DecodeError, EncodeError, Wire  # noqa: E402 - after its path

ECHO = ROOT / "examples" / "echo" / "echo.json"
MYPY = ("-m", "mypy", "--strict", "--no-incremental", "--cache-dir=/dev/null")


def render(description: Path) -> dict[str, str]:
    """Return the files of the package of a description."""
    options = Options(python.LANGUAGE.wire, "BSD-3-Clause", description.name)
    return generate.render(reader.read(description), python.LANGUAGE, options)


def write_package(description: Path, folder: Path) -> None:
    """Write the package of a description."""
    generate.write(render(description), folder)


@pytest.fixture(scope="module")
def codecs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Codec[Any]]:
    """The codec of each method's reply."""
    folder = tmp_path_factory.mktemp("wire")
    write_package(FOLDER / "types.json", folder)
    sys.path.insert(0, str(folder / "src"))
    module: ModuleType = importlib.import_module("wire._wire")
    return {name: getattr(module, f"{name.upper()}_REPLY") for name in ROOTS}


def transcoded(codec: Codec[Any], wire: Wire, data: bytes) -> str:
    """What became of a message: its value in both formats, or the error."""
    try:
        value = codec.decode(wire, data)
    except DecodeError as error:
        return f"error {error}"
    return f"ok {hexed(codec.encode(Wire.CBOR, value))} {hexed(codec.encode(Wire.C, value))}"


def test_the_codecs_run_the_vectors(codecs: dict[str, Codec[Any]]) -> None:
    wrong = []
    for (name, wire, message), expected in expectations().items():
        got = transcoded(codecs[name], Wire[wire.upper()], bytes_of(message))
        if got != expected:
            wrong.append((name, wire, message, expected, got))
    assert wrong == []


def scalars(type_: Scalar) -> st.SearchStrategy[Any]:
    if type_.name == "bool":
        return st.booleans()
    if type_.name in ("f32", "f64"):
        return st.floats(width=32 if type_.name == "f32" else 64, allow_nan=False)
    if type_.name == "string":
        return st.text(max_size=30) | st.text("ab\0é", max_size=300)
    if type_.name == "bytes":
        return st.binary(max_size=40).map(bytes.hex)
    return st.integers(*wire_model.limits(type_.name))


MESSAGES = wire_values.messages(TYPES, scalars)


@settings(max_examples=150, deadline=None)
@given(MESSAGES, st.data())
def test_random_values_and_what_damage_makes_of_them(
    codecs: dict[str, Codec[Any]], message: tuple[str, Any], data: st.DataObject
) -> None:
    name, value = message
    type_ = ROOTS[name]
    whole = {Wire.CBOR: wire_model.cbor(TYPES, type_, value), Wire.C: wire_model.c(TYPES, type_, value)}
    expected = f"ok {hexed(whole[Wire.CBOR])} {hexed(whole[Wire.C])}"
    for wire, encoded in whole.items():
        assert transcoded(codecs[name], wire, encoded) == expected
        for end in range(0, len(encoded), 1 + len(encoded) // 20):
            cut = transcoded(codecs[name], wire, encoded[:end])
            assert cut.startswith("error ")
            assert wire is Wire.C or cut.endswith("ends early")
        assert transcoded(codecs[name], wire, encoded + b"\0").startswith("error ")
        if encoded:
            damaged = bytearray(encoded)
            at = data.draw(st.integers(0, len(encoded) - 1))
            damaged[at] = data.draw(st.integers(0, 255))
            got = transcoded(codecs[name], wire, bytes(damaged))
            # in format c, what decodes anyway has one encoding, but for NaN, whose bits are not kept
            kept = got.startswith("error ") or NAN_CBOR in got or got.endswith(hexed(bytes(damaged)))
            assert wire is Wire.CBOR or kept


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(ROOTS)), st.sampled_from(list(Wire)), st.binary(max_size=60))
def test_any_bytes_give_a_value_or_an_error(codecs: dict[str, Codec[Any]], name: str, wire: Wire, data: bytes) -> None:
    assert transcoded(codecs[name], wire, data).startswith(("ok ", "error "))


@pytest.mark.parametrize("wire", list(Wire))
@pytest.mark.parametrize(
    ("name", "value"), [("a_u8", 256), ("a_u8", -1), ("a_u8", "1"), ("a_string", 5), ("a_string", "\ud800")]
)
def test_what_is_no_value_of_the_type_is_not_encoded(
    codecs: dict[str, Codec[Any]], wire: Wire, name: str, value: object
) -> None:
    with pytest.raises(EncodeError, match="not of its type"):
        codecs[name].encode(wire, value)


@pytest.mark.parametrize(
    ("type_", "value", "text"),
    [
        ("string", 'a"\\\n\u202e', '"a\\"\\\\\\x0a\\U0000202e"'),
        ("f64", float("nan"), 'float("nan")'),
        ("f32", float("-inf"), 'float("-inf")'),
        ("f64", 0.5, "0.5"),
        ("bool", True, "True"),
    ],
)
def test_constants(type_: str, value: str | float | bool, text: str) -> None:
    assert python.constant(Constant("x", Scalar(type_), value, "")) == text


def test_an_interface_full_of_reserved_words_is_typed(tmp_path: Path) -> None:
    words = ("type", "self", "class", "id", "values", "none", "match")
    everything: dict[str, Any] = {
        "ferry_interface": 1,
        "library": {"name": "json", "version": "1.2.3", "doc": 'A """library""" of \\words'},
        "hash": "",
        "constants": [{"name": "import", "type": "f64", "value": "3.5"}, {"name": "n0", "type": "u8", "value": 1}],
        "types": [
            {"kind": "handle", "name": "N0"},
            {"kind": "enum", "name": "Options", "values": [{"name": "name", "value": 1}, {"name": "mro", "value": -5}]},
            {"kind": "object", "name": "List", "fields": [{"name": name, "type": "u8"} for name in words]},
            {"kind": "handle", "name": "Context"},
            {
                "kind": "object",
                "name": "Json",
                "fields": [{"name": "m", "type": {"map": ["string", {"enum": "Options"}]}}],
            },
        ],
        "methods": [
            {"name": "new", "kind": "constructor", "params": [{"name": "options", "type": "u8"}], "returns": None},
            {"name": "del", "kind": "destructor", "params": [], "returns": None},
            {
                "name": "lambda",
                "kind": "method",
                "params": [
                    *({"name": name, "type": "string"} for name in ("self", "timeout", "cls", "types")),
                    {"name": "maybe", "type": {"option": {"object": "List"}}},
                    {"name": "many", "type": {"seq": {"handle": "Context"}}},
                ],
                "returns": {"map": ["i8", {"object": "Json"}]},
            },
            {"name": "on_return", "kind": "static", "params": [], "returns": None},
        ],
        "events": [{"name": "return", "type": {"option": "f32"}, "overflow": "coalesce", "depth": 3}],
    }
    everything["hash"] = interface_hash(everything)
    (tmp_path / "json.json").write_text(json.dumps(everything))
    write_package(tmp_path / "json.json", tmp_path)
    package = tmp_path / "src" / "json_"
    command = [sys.executable, *MYPY, str(package)]
    environment = {"MYPYPATH": f"{RUNTIME}:{tmp_path / 'src'}"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    assert done.returncode == 0, done.stdout
    code = f"import sys; sys.path[:0] = [{str(RUNTIME)!r}, {str(tmp_path / 'src')!r}]; import json_; json_.JsonContext"
    code += "; assert json_.N0_ == 1 and isinstance(json_.N0, type)"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=600)


LONG = "word " * 60
#: Doc comments as authors write them, and none should.
DOCS = (
    "",
    "no capital and no end",
    f"One sentence. And {LONG}.",
    f"{LONG}without an end in one line",
    '"Quoted" it begins. Then \\ and """ follow',
    'Ends with a "quote"',
    "This is forbidden by D404! Is it?",
    "Looks up things, e.g. this one. i.e. that.\n\n- a list\n- of two, the second of which is "
    + LONG
    + "\n\n    code = 1",
    "```\nfenced\n\nblock\n```",
    "\ttab\n\n\n\n  ",
    "https://example.org/" + "x" * 150,
    "a\\",
)


def documented(docs: tuple[str, ...]) -> dict[str, Any]:
    """A description with each of these in every place that has a doc comment."""
    numbered = [(f"item{number}", doc) for number, doc in enumerate(docs)]
    fields = [{"name": name, "type": "u8", "doc": doc} for name, doc in numbered]
    made: list[dict[str, Any]] = [
        {"name": "create", "kind": "constructor", "params": fields, "returns": None, "doc": docs[-1]},
        {"name": "destroy", "kind": "destructor", "params": [], "returns": None, "doc": docs[-2]},
    ]
    return {
        "ferry_interface": 1,
        "library": {"name": "words", "version": "1.2.3", "doc": "\n\n".join(docs)},
        "hash": "",
        "constants": [{"name": name, "type": "u8", "value": 1, "doc": doc} for name, doc in numbered],
        "types": [
            {
                "kind": "enum",
                "name": "Kind",
                "values": [{"name": name, "value": i, "doc": doc} for i, (name, doc) in enumerate(numbered)],
                "doc": docs[2],
            },
            *({"kind": "object", "name": f"Type{name}", "fields": fields, "doc": doc} for name, doc in numbered),
            {"kind": "handle", "name": "Handle", "doc": docs[3]},
        ],
        "methods": [
            *made,
            *(
                {"name": name, "kind": "method", "params": fields, "returns": None, "doc": doc}
                for name, doc in numbered
            ),
        ],
        "events": [
            {"name": name, "type": "f32", "overflow": "coalesce", "depth": 3, "doc": doc} for name, doc in numbered
        ],
    }


def test_any_doc_comment_is_laid_out_as_ruff_has_it(tmp_path: Path) -> None:
    for name, docs in (("many", DOCS), ("plain", ("Return something.", "Return more."))):
        folder = tmp_path / name
        folder.mkdir()
        everything = documented(docs * 2)
        everything["hash"] = interface_hash(everything)
        (folder / "words.json").write_text(json.dumps(everything))
        write_package(folder / "words.json", folder)
    ruff = Path(sys.executable).parent / "ruff"
    command: list[str | Path] = [
        ruff,
        "check",
        "--config",
        ROOT / "pyproject.toml",
        "--no-cache",
        "--output-format",
        "concise",
        tmp_path,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout


@given(st.text(st.sampled_from('ab.!? \n\t-"\\`é'), max_size=400), st.sampled_from([0, 4, 8]))
def test_a_docstring_has_every_word(text: str, indent: int) -> None:
    written = docstrings.docstring(text, "Otherwise.", indent, [("name", text)])
    says = ast.literal_eval(written)
    assert isinstance(says, str)
    words = text.split()
    said = says.split()
    params = said.index("name:")
    assert said[params + 1 :] == words
    if said[:1] == ["Otherwise."]:
        said, params = said[1:], params - 1
    # the first sentence is given a capital and a stop where it had none
    letters = "".join(said[:params]).replace(".", "").lower()
    assert letters == "".join(words).replace(".", "").lower()
    first, *rest = (" " * indent + written).splitlines()
    assert len(first) <= docstrings.COLUMNS
    assert all(len(line) <= docstrings.COLUMNS or len(line.split()) == 1 for line in rest)
    assert not rest or rest[0] == ""
