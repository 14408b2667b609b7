# SPDX-License-Identifier: BSD-3-Clause
"""The programs of docs/ingress.md: each is run as it stands there, against the echo library; so is that in Rust of
docs/ingress-chains.md."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from go_module import write_go_mod
from paths import BUILD, GO, ROOT

TEXT = (ROOT / "docs" / "ingress.md").read_text()
RULES = (ROOT / "docs" / "ingress-rules.md").read_text()
INGRESS = ROOT / "tests" / "ingress"
#: what `ferry bindgen` writes for the library
ECHO = ROOT / "build" / "echo"
LIBRARIES = (BUILD / "lib", BUILD / "nim" / "lib")
ENVIRONMENT = {
    "LD_LIBRARY_PATH": ":".join(map(str, LIBRARIES)),
    "ECHO_LIBRARY": str(BUILD / "nim" / "lib" / "libecho.so"),
    "FERRY_INGRESS_LIBRARY": str(BUILD / "lib" / "libferryingress.so.0"),
    "PYTHONPATH": f"{ROOT / 'hosts' / 'python' / 'src'}:{ECHO / 'python' / 'src'}",
}
LINK = [f"-I{ROOT / 'include'}", *(f"-L{folder}" for folder in LIBRARIES), "-lferryingress", "-lecho"]
#: What a compiled program is made with: its suffix, the compiler, and where its binding is.
COMPILED = {
    "c": ("c", ["cc", "-std=gnu11"], ECHO / "c" / "include"),
    "cpp": ("cpp", ["c++", "-std=c++17"], ECHO / "cpp" / "include"),
}


def program(language: str, text: str = TEXT) -> str:
    """The one program of the page in this language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)
    return str(found)


def run(*command: str | Path) -> str:
    words = list(map(str, command))
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ | ENVIRONMENT, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("language", COMPILED)
def test_a_compiled_program_runs(language: str, tmp_path: Path) -> None:
    suffix, compiler, include = COMPILED[language]
    source = tmp_path / f"hello.{suffix}"
    source.write_text(program(language))
    output = tmp_path / "hello"
    warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]
    run(*compiler, *warnings, source, "-o", output, f"-I{include}", *LINK)
    said = run(output).splitlines()
    assert said == ["hello, world", "hello, again"][: 1 if language == "c" else 2]


def test_the_go_programs_run_in_one_folder(tmp_path: Path) -> None:
    """By the commands of the pages, beside a program in C, which `go run .` would refuse."""
    (tmp_path / "hello.c").write_text(program("c"))
    write_go_mod(tmp_path, "hello")
    for page, says in (("ingress.md", ["hello, world", "hello, again"]), ("ingress-chains.md", ["a text"])):
        text = (ROOT / "docs" / page).read_text()
        (name,) = re.findall(r"\bgo run (\S+)$", text, re.M)
        (tmp_path / name).write_text(program("go", text))
        command = [GO, BUILD, "run", name]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
        assert done.stdout.splitlines() == says, done.stderr


@pytest.mark.parametrize(
    ("page", "example", "says"),
    [("ingress.md", "hello", ["hello, world", "hello, again"]), ("ingress-chains.md", "chain", ["a text"])],
)
def test_the_rust_program_runs(page: str, example: str, says: list[str]) -> None:
    source = (INGRESS / "rust" / "examples" / f"{example}.rs").read_text()
    found = program("rust", (ROOT / "docs" / page).read_text())
    assert source.endswith(f"\n\n{found}"), f"docs/{page} and tests/ingress/rust/examples/{example}.rs differ"
    assert run(BUILD / "rust" / "debug" / "examples" / example).splitlines() == says


def test_the_python_program_runs(tmp_path: Path) -> None:
    source = tmp_path / "hello.py"
    source.write_text(program("python"))
    said = run(sys.executable, "-W", "error", source).splitlines()
    assert said[:1] == ["hello, everyone"]
    assert said[1:3] == ["hello, world", "hello, again"]
    assert said[3].startswith("heard hello, ")


def test_limits_are_what_the_core_has() -> None:
    limits = (ROOT / "src" / "ingress" / "limits.h").read_text()
    for name, value, says in (
        ("QUEUE_DEPTH", "4096u", "| 4,096 |"),
        ("EVENT_DEPTH", "1024u", "| 1,024 |"),
        ("PAYLOAD_BYTES", "(64ULL << 20)", "| 64 MiB |"),
        ("SPIN_NS", "50000LL", "| 50 µs |"),
        ("STALE_NS", "5000000000LL", "| 5 s |"),
        ("CONTEXTS_MAX", "65535u", "65,535 contexts"),
        ("INLINE_BYTES", "160u", "160 bytes"),
    ):
        assert re.search(rf"^#define INGRESS__{name} {re.escape(value)}(\s|$)", limits, re.M), name
        assert says in TEXT + RULES


def test_every_status_is_named() -> None:
    header = (ROOT / "include" / "ferry" / "ingress.h").read_text()
    (statuses,) = re.findall(r"^enum ingress_status \{\n(.*?)^\};", header, re.M | re.S)
    names = re.findall(r"^\tINGRESS_([A-Z_]+) = \d+,", statuses, re.M)
    assert len(names) >= 17
    for name in set(names) - {"OK", "STATUS_COUNT"}:
        assert f"`{name}`" in RULES, name
