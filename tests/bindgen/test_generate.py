# SPDX-License-Identifier: BSD-3-Clause
"""`ferry bindgen` as a command: what it writes compiles without a warning, and can be checked for drift."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ferry.bindgen.hash import interface_hash
from paths import ROOT

ECHO = ROOT / "examples" / "echo" / "echo.json"


def bindgen(*arguments: str | Path, path: str = "/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ferry", "bindgen", *map(str, arguments)]
    environment = {"PYTHONPATH": str(ROOT / "tools" / "ferry" / "src"), "PATH": path}
    return subprocess.run(command, capture_output=True, text=True, timeout=600, env=environment)


def test_drift_is_named(tmp_path: Path) -> None:
    assert bindgen(ECHO, "--lang", "c", "--out", tmp_path).returncode == 0
    assert bindgen(ECHO, "--lang", "c", "--out", tmp_path, "--check").returncode == 0
    header = tmp_path / "include" / "echo_types.h"
    header.write_text(header.read_text() + "\n")
    (tmp_path / "echo.pc.in").unlink()
    done = bindgen(ECHO, "--lang", "c", "--out", tmp_path, "--check")
    assert done.returncode == 1
    assert f"{header}: differs" in done.stderr
    assert f"{tmp_path / 'echo.pc.in'}: missing" in done.stderr
    assert "run: ferry bindgen" in done.stderr


def test_without_a_formatter_the_files_are_there_and_work(tmp_path: Path) -> None:
    done = bindgen(ECHO, "--lang", "cpp", "--out", tmp_path, path=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "clang-format is not installed" in done.stderr
    assert "apt-get install clang-format" in done.stderr
    include = [f"-I{ROOT / 'include'}", f"-I{tmp_path / 'include'}"]
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++", "-include", "echo.hpp"]
    compiled = subprocess.run(["g++", *flags, *include, "/dev/null"], capture_output=True, text=True, timeout=600)
    assert compiled.returncode == 0, compiled.stderr
    # what is compared has to be formatted
    checked = bindgen(ECHO, "--lang", "cpp", "--out", tmp_path, "--check", path=str(tmp_path))
    assert checked.returncode == 1
    assert "clang-format is not installed; apt-get install clang-format" in checked.stderr


def test_a_formatter_that_cannot_be_run_is_named(tmp_path: Path) -> None:
    """As where the system gives no more processes."""
    formatter = tmp_path / "clang-format"
    formatter.write_bytes(b"\x7fELF")
    formatter.chmod(0o755)
    done = bindgen(ECHO, "--lang", "cpp", "--out", tmp_path / "out", path=str(tmp_path))
    assert done.returncode == 1
    assert f": {formatter} cannot be run: Exec format error" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_description_is_refused(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text(ECHO.read_text().replace('"u32"', '"u33"', 1))
    done = bindgen(wrong, "--lang", "c", "--out", tmp_path / "out")
    assert done.returncode == 1
    assert done.stderr.startswith(f"ferry bindgen: {wrong}: $.constants[0].type: is 'u33'")
    assert not (tmp_path / "out").exists()


def test_a_missing_description_is_named(tmp_path: Path) -> None:
    done = bindgen(tmp_path / "nothing.json", "--lang", "c", "--out", tmp_path)
    assert done.returncode == 1
    nothing = tmp_path / "nothing.json"
    assert done.stderr == f"ferry bindgen: {nothing}: cannot be read: No such file or directory\n"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = bindgen(ECHO, "--lang", "cddl", "--out", tmp_path / "file" / "below")
    assert done.returncode == 1
    assert "Not a directory; give a folder to write to" in done.stderr


def with_lists(**lists: list[dict[str, Any]]) -> dict[str, Any]:
    """The description of echo, with more in its lists."""
    description: dict[str, Any] = json.loads(ECHO.read_text())
    for name, more in lists.items():
        description[name] += more
    return description | {"hash": interface_hash(description)}


def c_headers(description: dict[str, Any], folder: Path) -> str:
    """Everything that is generated for C, which compiles."""
    path = folder / "clash.json"
    path.write_text(json.dumps(description))
    done = bindgen(path, "--lang", "c", "--out", folder)
    assert done.returncode == 0, done.stderr
    flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-fsyntax-only", "-x", "c"]
    include = [f"-I{ROOT / 'include'}", f"-I{folder / 'include'}"]
    source = '#include "echo.h"\n'
    compiled = subprocess.run(["gcc", *flags, *include, "-"], input=source, capture_output=True, text=True, timeout=600)
    assert compiled.returncode == 0, compiled.stderr
    return "".join(header.read_text() for header in sorted((folder / "include").iterdir()))


def test_what_meets_a_method_in_c_gets_a_line_appended(tmp_path: Path) -> None:
    """The method was there first, so it keeps its names."""
    text = c_headers(with_lists(types=[{"kind": "handle", "name": "EchoReply"}]), tmp_path)
    assert "struct echo_echo_reply_ {" in text
    assert "struct echo_echo_reply {" in text


def test_an_event_may_have_the_name_of_a_method_in_c(tmp_path: Path) -> None:
    event = {"name": "echo", "type": "u8", "overflow": "coalesce", "depth": 0}
    text = c_headers(with_lists(events=[event]), tmp_path)
    assert "echo_on_echo(" in text
    assert "echo_echo(" in text


def test_constants_never_take_a_macro_of_the_binding(tmp_path: Path) -> None:
    constants = [
        {"name": name, "type": "u8", "value": 1} for name in ("version", "interface_hash", "wire", "color_none")
    ]
    text = c_headers(with_lists(constants=constants), tmp_path)
    for macro in ("VERSION_", "INTERFACE_HASH_", "WIRE_", "COLOR_NONE"):
        assert f"#define ECHO_{macro} (UINT8_C(1))" in text
    assert re.search(r"^\tECHO_COLOR_NONE_ = ", text, re.M)


def test_a_library_is_not_called_as_another_is(tmp_path: Path) -> None:
    description = with_lists()
    description["library"]["name"] = "ferry"
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(description | {"hash": interface_hash(description)}))
    done = bindgen(wrong, "--lang", "c", "--out", tmp_path / "out")
    assert done.returncode == 1
    assert "$.library.name: is 'ferry', and libferry.so is another library; choose another name" in done.stderr


AWKWARD: dict[str, Any] = {
    "ferry_interface": 1,
    "library": {"name": "awkward", "version": '1 "two"', "doc": "Ends a comment */ and\nbegins /* one\x07."},
    "constants": [
        {"name": "int", "type": "i8", "value": -128},
        {"name": "text", "type": "string", "value": 'a"\\?\n\0é1'},
        {"name": "not_a_number", "type": "f32", "value": "nan"},
        {"name": "less", "type": "f64", "value": "-inf"},
        {"name": "small", "type": "f32", "value": "-1e-9"},
        {"name": "large", "type": "u64", "value": (1 << 64) - 1},
    ],
    "types": [
        {"kind": "enum", "name": "Switch", "values": [{"name": "default", "value": -(1 << 31)}]},
        {
            "kind": "object",
            "name": "Struct",
            "fields": [{"name": "int", "type": "u8"}, {"name": "class", "type": {"option": {"enum": "Switch"}}}],
        },
        {"kind": "handle", "name": "Register"},
    ],
    "methods": [
        {
            "name": "static",
            "kind": "static",
            "params": [
                {"name": "buffer", "type": {"map": ["u8", {"option": {"seq": {"handle": "Register"}}}]}},
                {"name": "reply", "type": {"object": "Struct"}},
                {"name": "while", "type": "bool"},
            ],
            "returns": {"option": {"seq": {"option": {"object": "Struct"}}}},
        },
    ],
    "events": [],
}


@pytest.mark.parametrize("wire", ["c", "cbor"])
@pytest.mark.parametrize("compiler", [["gcc"], ["clang", "-Wno-unused-function"]], ids=["gcc", "clang"])
def test_reserved_words_and_odd_texts_compile_without_a_warning(compiler: list[str], wire: str, tmp_path: Path) -> None:
    description = tmp_path / "awkward.json"
    description.write_text(json.dumps(AWKWARD | {"hash": interface_hash(AWKWARD)}))
    assert bindgen(description, "--lang", "c", "--out", tmp_path, "--wire", wire).returncode == 0
    source = tmp_path / "program.c"
    source.write_text(
        '#include "awkward.h"\n'
        '_Static_assert(sizeof(AWKWARD_TEXT) == 10 && AWKWARD_INT == -128, "constants");\n'
        f'_Static_assert(AWKWARD_WIRE == INGRESS_WIRE_{wire.upper()}, "wire");\n'
        "int main(void)\n{\n\treturn AWKWARD_SMALL < 0 ? 0 : 1;\n}\n"
    )
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wshadow", "-Wstrict-prototypes", "-fsyntax-only"]
    include = [f"-I{ROOT / 'include'}", f"-I{tmp_path / 'include'}"]
    done = subprocess.run([*compiler, *flags, *include, str(source)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def test_the_program_of_the_documents_compiles(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "ingress.md").read_text()
    programs = [block for block in re.findall(r"^```c\n(.*?)^```", text, re.M | re.S) if '#include "echo.h"' in block]
    assert programs
    for number, program in enumerate(programs):
        source = tmp_path / f"{number}.c"
        source.write_text(program)
        include = [f"-I{ROOT / 'include'}", f"-I{ROOT / 'build/echo/c/include'}"]
        flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-fsyntax-only"]
        done = subprocess.run(["gcc", *flags, *include, str(source)], capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stderr
