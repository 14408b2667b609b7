# SPDX-License-Identifier: BSD-3-Clause
"""Go from `ferry bindgen`: the vectors in both formats and damaged ones, names and constants, and reserved words."""

import json
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from bindgen.test_python import codecs as codecs
from bindgen.test_python import transcoded
from bindgen.wire_vectors import FOLDER, TYPES, bytes_of, damaged_messages, differences, wrong
from ferry.bindgen import generate, go, reader
from ferry.bindgen.hash import interface_hash
from ferry.bindgen.language import Options
from ferry.bindgen.model import Constant, Map, Option, Scalar, Seq
from go_module import write_go_mod
from paths import BUILD, GO, ROOT

sys.path.insert(0, str(ROOT / "hosts" / "python" / "src"))
from ferry_ingress.wire import Wire

RUNTIME = ROOT / "hosts" / "go"
SECONDS = 300
MAIN = """package main

import (
	"os"

	"wire_"
)

func main() {
	if err := wire_.Transcode(os.Stdin, os.Stdout); err != nil {
		panic(err)
	}
}
"""


def write_module(description: Path, folder: Path) -> None:
    """Write the module of a description."""
    options = Options("c", "BSD-3-Clause", description.name, str(RUNTIME))
    generate.write(generate.render(reader.read(description), go.LANGUAGE, options), folder)


def run_go(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run go in a module."""
    command = [str(GO), str(BUILD), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=SECONDS, check=False)


@pytest.fixture(scope="module")
def transcoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that transcodes lines."""
    folder = tmp_path_factory.mktemp("transcode")
    write_module(FOLDER / "types.json", folder)
    shutil.copy(ROOT / "tests" / "wire" / "transcode.go", folder)
    roots = "".join(
        f'\t"{method.name}": transcoded({go.codec(method.returns)}),\n' for method in TYPES.methods if method.returns
    )
    (folder / "roots.go").write_text(
        'package wire_\n\nimport (\n\tformats "ferryingress/wire"\n\t"ferryingress/wire"\n)\n\n'
        f"var roots = map[string]func(formats.Format, []byte) string{{\n{roots}}}\n"
    )
    (folder / "main").mkdir()
    (folder / "main" / "main.go").write_text(MAIN)
    done = run_go(folder, "build", "-o", "transcode", "./main")
    assert done.returncode == 0, done.stderr
    return folder / "transcode"


def answers(transcoder: Path, lines: list[str]) -> list[str]:
    done = subprocess.run(
        [str(transcoder)], input="".join(f"{line}\n" for line in lines), capture_output=True, text=True,
        env={"LD_LIBRARY_PATH": str(BUILD / "lib")}, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_codecs_run_the_vectors(transcoder: Path) -> None:
    assert wrong(partial(answers, transcoder)) == []


def test_damaged_messages_are_values_or_errors_as_in_python(transcoder: Path, codecs) -> None:  # type: ignore[no-untyped-def]  # noqa: F811
    damaged = damaged_messages()
    expected = [transcoded(codecs[name], Wire[wire.upper()], bytes_of(text)) for name, wire, text in damaged]
    found = answers(transcoder, [" ".join(message) for message in damaged])
    assert differences(damaged, expected, found)[:9] == []


def test_names_and_types() -> None:
    types = {"Reader": "Reader"}
    assert go.go_type(Option(Scalar("bytes")), types) == "*[]byte"
    assert go.go_type(Map(Scalar("i64"), Seq(Scalar("u8"))), types) == "map[int64][]uint8"
    assert go.codec(Map(Scalar("i64"), Seq(Scalar("f32")))) == "wire.Map(wire.I64, wire.Seq(wire.F32))"
    assert (go.param_name("type"), go.param_name("max_count"), go.param_name("string")) == (
        "type_",
        "maxCount",
        "string_",
    )


@pytest.mark.parametrize(
    ("type_", "value", "text"),
    [
        ("string", 'a"\\\n\u202e', 'string = "a\\"\\\\\\u000a\\u202e"'),
        ("f64", float("nan"), "= float64(math.NaN())"),
        ("f32", float("-inf"), "= float32(math.Inf(-1))"),
        ("f64", 1e300, "float64 = 1e+300"),
        ("bool", True, "bool = true"),
        ("i64", -(1 << 63), "int64 = -9223372036854775808"),
    ],
)
def test_constants(type_: str, value: str | float | bool, text: str) -> None:
    assert go.constant(Constant("x", Scalar(type_), value, "")) == text


def test_an_interface_full_of_reserved_words_compiles(tmp_path: Path) -> None:
    fields = [{"name": name, "type": "u8"} for name in ("type", "func", "error", "string", "value", "close")]
    everything: dict[str, object] = {
        "ferry_interface": 1,
        "library": {"name": "range", "version": "1.2.3", "doc": "Words.\n\n    indented\n- list"},
        "hash": "",
        "constants": [
            {"name": "pi", "type": "f64", "value": "nan"},
            {"name": "n0", "type": "u8", "value": 1},
            {"name": "range_batch", "type": "string", "value": "a\n"},
        ],
        "types": [
            {"kind": "enum", "name": "Option", "values": [{"name": "self", "value": 1}, {"name": "none", "value": -5}]},
            {"kind": "object", "name": "OptionSelf", "fields": fields},
            {"kind": "handle", "name": "Vec"},
            {"kind": "handle", "name": "N0"},
            {
                "kind": "object",
                "name": "Range",
                "fields": [{"name": "map", "type": {"map": ["u8", {"enum": "Option"}]}}],
            },
            # as what a chain of this library is called, and what makes the promise of a field
            {"kind": "handle", "name": "RangeChain"},
            {"kind": "handle", "name": "OptionSelfType"},
        ],
        "methods": [
            {"name": "new", "kind": "constructor", "params": [{"name": "options", "type": "u8"}], "returns": None},
            {"name": "close", "kind": "destructor", "params": [], "returns": None},
            {
                "name": "submit",
                "kind": "method",
                "params": [
                    *({"name": name, "type": "string"} for name in ("fn", "ctx", "c", "b", "err", "string", "wire")),
                    {"name": "maybe", "type": {"option": {"object": "OptionSelf"}}},
                    {"name": "many", "type": {"seq": {"handle": "Vec"}}},
                    {"name": "perhaps", "type": {"option": {"map": ["u64", "bytes"]}}},
                ],
                "returns": {"map": ["i8", {"object": "Range"}]},
            },
            {"name": "return_events", "kind": "method", "params": [], "returns": None},
            {"name": "batch", "kind": "method", "params": [], "returns": None},
            *(
                {"name": name, "kind": "method", "params": [], "returns": {"option": {"object": "OptionSelf"}}}
                for name in ("chain", "after", "result", "promise")
            ),
            {"name": "option", "kind": "static", "params": [], "returns": None},
        ],
        "events": [{"name": "return", "type": {"option": "f32"}, "overflow": "coalesce", "depth": 3}],
    }
    everything["hash"] = interface_hash(everything)
    (tmp_path / "range.json").write_text(json.dumps(everything))
    write_module(tmp_path / "range.json", tmp_path)
    made = (tmp_path / "chain.go").read_text()
    for name in (
        "func (c *Range) Chain_() *RangeChain_ ", "func (c *RangeChain_) Submit_(ctx", "func (c *RangeChain_) After_(",
        "func OptionSelfType_(promise *ferryingress.Promise[OptionSelf]) ",
    ):  # fmt: skip
        assert name in made, name
    done = run_go(tmp_path, "vet", "./...")
    assert (done.returncode, done.stderr) == (0, "")


def test_an_argument_of_another_type_does_not_compile(tmp_path: Path) -> None:
    calls = [
        "chain.Open(chain.Maybe(ferryingress.Value[*string](nil)))",
        "chain.Maybe(chain.Version())",
        "chain.Read(chain.Version(), ferryingress.Value[uint32](1))",
        'chain.Open("text")',
        "chain.Sum(ferryingress.Value(1.5), ferryingress.Value[int64](1))",
        "ferryingress.Element(chain.Version(), 0)",
        "echo.TreeName(chain.Version())",
        "chain.Maybe(ferryingress.Some(chain.Version()))",
    ]
    head = 'package use\n\nimport (\n\t"echo"\n\t"ferryingress"\n)\n\nfunc use(chain *echo.EchoChain) {\n'
    (tmp_path / "use.go").write_text(head + "\n".join(calls) + "\n}\n")
    write_go_mod(tmp_path, "use")
    done = run_go(tmp_path, "build", "-gcflags=-e", ".")
    wrong = {int(line.split(":")[1]) for line in done.stderr.splitlines() if line.startswith("./use.go:")}
    first = head.count("\n") + 1
    assert wrong == set(range(first, first + len(calls) - 1)), done.stderr
