# SPDX-License-Identifier: BSD-3-Clause
"""Rust from `ferry bindgen`: the vectors, and names and texts that need care."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from ferry.bindgen import generate, reader, rust
from ferry.bindgen.hash import interface_hash
from ferry.bindgen.language import Options
from ferry.bindgen.model import Constant, Field, HandleRef, Map, Option, Scalar, Seq
from paths import BUILD, CARGO, ROOT

RUNTIME = ROOT / "hosts" / "rust" / "ferry-ingress"
ECHO = ROOT / "examples" / "echo" / "echo.json"
TYPES = ROOT / "spec" / "wire" / "types.json"
CARGO_SECONDS = 300


def write_crate(description: Path, folder: Path) -> None:
    """Write the crate of a description."""
    files = generate.render(
        reader.read(description), rust.LANGUAGE, Options("c", "BSD-3-Clause", description.name, str(RUNTIME))
    )
    generate.write(files, folder)


def cargo(folder: Path, *arguments: str, library: str) -> subprocess.CompletedProcess[str]:
    """Run cargo on a workspace that was written, with an empty library of that name to link with."""
    stub = folder / f"lib{library}.so"
    source = f"const void *ferry_library_{library}(void) {{ return 0; }}"
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(stub)], input=source, text=True, check=True, timeout=600
    )
    command = [str(CARGO), str(BUILD), *arguments, "--manifest-path", str(folder / "Cargo.toml")]
    environment = os.environ | {f"{library.upper()}_LIB_DIR": str(folder), "RUST_BACKTRACE": "0"}
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=CARGO_SECONDS, check=False)


@pytest.fixture(scope="module")
def transcoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that runs the vectors."""
    folder = tmp_path_factory.mktemp("transcode")
    write_crate(TYPES, folder / "wire")
    methods = reader.read(TYPES).methods
    roots = "".join(
        f"        {json.dumps(method.name)} => transcoded::<{rust.codec(method.returns)}>,\n"
        for method in methods
        if method.returns is not None
    )
    (folder / "src").mkdir()
    imports = ", ".join(rust.imports(method.returns for method in methods))
    table = f"""
use ::wire::{{{imports}}};

type Root = fn(Wire, &[u8]) -> Result<String, DecodeError>;

fn root(name: &str) -> Root {{
    match name {{
{roots}        _ => panic!("no such method"),
    }}
}}
"""
    (folder / "src" / "main.rs").write_text((ROOT / "tests" / "wire" / "transcode.rs").read_text() + table)
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "transcode"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n\n[dependencies]\n'
        f'wire = {{ path = "wire" }}\nferry-ingress = {{ path = "{RUNTIME}" }}\n'
    )
    done = cargo(folder, "build", "--quiet", library="wire")
    assert done.returncode == 0, done.stderr
    return BUILD / "rust" / "debug" / "transcode"


def test_a_crate_without_its_library_says_what_to_set(tmp_path: Path) -> None:
    write_crate(ECHO, tmp_path / "echo")
    script = tmp_path / "build"
    rustc = "/usr/bin/rustc" if Path("/usr/bin/rustc").exists() else "rustc"
    subprocess.run([rustc, "--edition=2021", tmp_path / "echo" / "build.rs", "-o", script], check=True, timeout=600)
    environment = {name: value for name, value in os.environ.items() if name != "ECHO_LIB_DIR"}
    environment["PKG_CONFIG_PATH"] = environment["PKG_CONFIG_LIBDIR"] = str(tmp_path)

    def said(**more: str) -> str:
        return subprocess.run(
            [script], capture_output=True, text=True, env=environment | more, timeout=600, check=True
        ).stdout

    (warning,) = [line for line in said().splitlines() if line.startswith("cargo:warning=")]
    assert "does not know echo" in warning
    assert "set ECHO_LIB_DIR to the folder" in warning
    assert "cargo:warning=" not in said(ECHO_LIB_DIR=str(tmp_path))
    (tmp_path / "echo.pc").write_text("Name: echo\nDescription: echo\nVersion: 0\nLibs: -L/opt/echo -lecho\n")
    assert "native=/opt/echo" in said()
    assert "cargo:warning=" not in said()


def expectations() -> list[tuple[str, str]]:
    """Every message of the vectors, and what it has to be transcoded to."""
    found = []
    for path in sorted(TYPES.parent.glob("*.json")):
        for vector in json.loads(path.read_text()) if path != TYPES else []:
            if "error" in vector:
                wire = "c" if "c" in vector else "cbor"
                found.append((f"{vector['type']} {wire} {vector[wire]}", f"error {vector['error']}"))
                continue
            messages = [("cbor", vector["cbor"]), ("c", vector["c"])]
            messages += [("cbor", read) for read in vector.get("reads", [])]
            expected = f"ok {vector['cbor']} {vector['c']}"
            found += [(f"{vector['type']} {wire} {message}", expected) for wire, message in messages]
    return found


def test_the_codecs_run_the_vectors(transcoder: Path) -> None:
    expected = expectations()
    assert len(expected) > 300
    lines = "".join(f"{line}\n" for line, _ in expected)
    environment = os.environ | {"LD_LIBRARY_PATH": f"{BUILD / 'lib'}"}
    done = subprocess.run([str(transcoder)], input=lines, capture_output=True, text=True, env=environment, timeout=600)
    assert done.returncode == 0, done.stderr
    answers = done.stdout.splitlines()
    wrong = [(*pair, got) for pair, got in zip(expected, answers, strict=True) if pair[1] != got]
    assert wrong == []


@pytest.mark.parametrize(
    ("type_", "value", "param", "codec"),
    [
        (Scalar("string"), "String", "&str", "wire::Text"),
        (Option(Scalar("bytes")), "Option<Vec<u8>>", "Option<&[u8]>", "wire::Opt<wire::Bytes>"),
        (Seq(Scalar("u8")), "Vec<u8>", "&[u8]", "wire::Seq<wire::U8>"),
        (HandleRef("Reader"), "Reader", "Reader", "wire::Handle<Reader>"),
        (
            Map(Scalar("i64"), Seq(Scalar("f32"))),
            "BTreeMap<i64, Vec<f32>>",
            "&BTreeMap<i64, Vec<f32>>",
            "wire::Map<wire::I64, wire::Seq<wire::F32>>",
        ),
    ],
)
def test_types(type_: Option | Scalar | Seq | Map | HandleRef, value: str, param: str, codec: str) -> None:
    assert (rust.rust_type(type_), rust.param_type(type_), rust.codec(type_)) == (value, param, codec)


def test_names_that_rust_keeps_to_itself() -> None:
    assert (rust.value_name("type"), rust.param_name("options"), rust.type_name("Option")) == (
        "type_",
        "options_",
        "Option_",
    )
    assert rust.request_value(Field("self", Scalar("u8"), "")) == "wire::Plain::new(&self_)"


@pytest.mark.parametrize(
    ("type_", "value", "text"),
    [
        ("string", 'a"\\\n\u202e', '"a\\"\\\\\\u{a}\\u{202e}"'),
        ("f64", float("nan"), "f64::NAN"),
        ("f32", float("-inf"), "f32::NEG_INFINITY"),
        ("f64", 1e300, "1e+300"),
        ("bool", True, "true"),
        ("i64", -(1 << 63), "-9223372036854775808"),
    ],
)
def test_constants(type_: str, value: str | float | bool, text: str) -> None:
    assert rust.constant(Constant("x", Scalar(type_), value, "")) == text


def test_comments_are_no_links() -> None:
    assert rust.doc("a [b] <c> `d[0]<e>`", "") == "/// a \\[b\\] \\<c\\> `d[0]<e>`\n"
    assert rust.doc("", "otherwise") == "/// otherwise\n"


def test_an_interface_full_of_reserved_words_compiles(tmp_path: Path) -> None:
    fields = [
        {"name": name, "type": "u8"} for name in ("type", "self", "crate", "input", "out", "value", "left", "end")
    ]
    everything: dict[str, object] = {
        "ferry_interface": 1,
        "library": {"name": "loop", "version": "1.2.3", "doc": "A [library] of <words>."},
        "hash": "0" * 16,
        "constants": [{"name": "pi", "type": "f64", "value": "3.14159"}, {"name": "n0", "type": "u8", "value": 1}],
        "types": [
            {"kind": "enum", "name": "Option", "values": [{"name": "self", "value": 1}, {"name": "none", "value": -5}]},
            {"kind": "object", "name": "String", "fields": fields},
            {"kind": "handle", "name": "Vec"},
            {"kind": "handle", "name": "N0"},
            {
                "kind": "object",
                "name": "Loop",
                "fields": [{"name": "map", "type": {"map": ["string", {"enum": "Option"}]}}],
            },
        ],
        "methods": [
            {"name": "new", "kind": "constructor", "params": [{"name": "options", "type": "u8"}], "returns": None},
            {"name": "drop", "kind": "destructor", "params": [], "returns": None},
            {
                "name": "match",
                "kind": "method",
                "params": [
                    *({"name": name, "type": "string"} for name in ("fn", "request", "requests", "wire", "timeout")),
                    {"name": "maybe", "type": {"option": {"object": "String"}}},
                    {"name": "many", "type": {"seq": {"handle": "Vec"}}},
                    {"name": "perhaps", "type": {"option": {"map": ["u64", "bytes"]}}},
                ],
                "returns": {"map": ["i8", {"object": "Loop"}]},
            },
            {"name": "on_return", "kind": "method", "params": [], "returns": None},
        ],
        "events": [{"name": "return", "type": {"option": "f32"}, "overflow": "coalesce", "depth": 3}],
    }
    everything["hash"] = interface_hash(everything)
    (tmp_path / "loop.json").write_text(json.dumps(everything))
    write_crate(tmp_path / "loop.json", tmp_path)
    with (tmp_path / "Cargo.toml").open("a") as manifest:
        manifest.write("\n[workspace]\n")
    done = cargo(tmp_path, "clippy", "--quiet", library="loop")
    assert (done.returncode, done.stderr) == (0, "")
