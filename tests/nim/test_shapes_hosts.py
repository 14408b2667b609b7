# SPDX-License-Identifier: BSD-3-Clause
"""A stream of variants in the hosts that are compiled: each case arrives as itself, in both wire formats.

The programs of the hosts are tests/nim/shapes, one for each language; they print the same. test_shapes.py has Python.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from go_module import write_go_mod
from nim_compiler import Way
from nim_library import PATIENCE_S, make_library
from paths import BUILD, CARGO, GO, ROOT

PROGRAMS = ROOT / "tests" / "nim" / "shapes"
SECONDS = 300
WIRES = ("C", "CBOR")
#: What a program prints: a stream with each case, and how many values one has of which each answer has one.
LINES = ["nothing", "circle 1.0", "label shape 2", "nothing", "1000"]
#: From the library and a folder to a program for each format.
Build = Callable[[Path, Path], dict[str, list[str]]]


@pytest.fixture(scope="module")
def library() -> Path:
    return make_library(Way("bookworm", "orc", "release"), ROOT / "nim/tests/shapes.nim", BUILD / "nim/shapes-hosts")


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> str:
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, env=os.environ | environment, timeout=SECONDS,
        check=False, cwd=cwd,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def binding(library: Path, language: str, runtime: str = "") -> Path:
    """The binding of the library, written beside it."""
    made = library.parent / language
    more = ("--runtime", str(ROOT / "hosts" / runtime)) if runtime else ()
    bindgen = (sys.executable, "-m", "ferry", "bindgen", library.parent / "shapes.json", "--lang", language)
    run(*bindgen, "--out", made, *more, PYTHONPATH=str(ROOT / "tools" / "ferry" / "src"))
    return made


def compiled(library: Path, language: str, folder: Path, name: str, *command: str) -> str:
    """A program in C or C++."""
    run(
        *command, "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", PROGRAMS / f"shapes.{language}",
        "-o", folder / name, f"-I{ROOT / 'include'}", f"-I{library.parent / language / 'include'}",
        f"-L{BUILD / 'lib'}", f"-L{library.parent}", "-lshapes", "-lferryingress",
    )  # fmt: skip
    return str(folder / name)


def in_c(library: Path, folder: Path) -> dict[str, list[str]]:
    """The format is one of the program, which is compiled for each."""
    binding(library, "c")
    return {
        wire: [compiled(library, "c", folder, wire, "cc", "-std=gnu11", f"-DSHAPES_WIRE=INGRESS_WIRE_{wire}")]
        for wire in WIRES
    }


def in_cpp(library: Path, folder: Path) -> dict[str, list[str]]:
    binding(library, "cpp")
    program = compiled(library, "cpp", folder, "shapes", "c++", "-std=c++17")
    return {wire: [program, wire] for wire in WIRES}


def in_rust(library: Path, folder: Path) -> dict[str, list[str]]:
    made = binding(library, "rust", "rust/ferry-ingress")
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "shapes-host"\nversion = "0.1.0"\nedition = "2021"\n\n[workspace]\n\n'
        f'[[bin]]\nname = "shapes-host"\npath = "{PROGRAMS / "shapes.rs"}"\n\n[dependencies]\n'
        f'shapes = {{ path = "{made}" }}\nferry-ingress = {{ path = "{ROOT / "hosts/rust/ferry-ingress"}" }}\n'
    )
    # where the crates that it needs are built already
    command = (CARGO, BUILD, "build", "--quiet", "--manifest-path", folder / "Cargo.toml")
    run(*command, SHAPES_LIB_DIR=str(library.parent))
    return {wire: [str(BUILD / "rust" / "debug" / "shapes-host"), wire] for wire in WIRES}


def in_go(library: Path, folder: Path) -> dict[str, list[str]]:
    made = binding(library, "go", "go")
    (folder / "main.go").write_text((PROGRAMS / "shapes.go").read_text())
    write_go_mod(folder, "host", "shapes", made)
    go = [GO, BUILD]
    run(*go, "vet", ".", cwd=folder)
    run(*go, "build", "-o", "shapes", ".", cwd=folder)
    return {wire: [str(folder / "shapes"), wire] for wire in WIRES}


@pytest.mark.parametrize("build", [in_c, in_cpp, in_rust, in_go])
def test_each_case_arrives_in_every_host(library: Path, tmp_path: Path, build: Build) -> None:
    programs = build(library, tmp_path)
    for wire in WIRES:
        done = subprocess.run(
            programs[wire], capture_output=True, text=True, timeout=PATIENCE_S, check=False,
            env=os.environ | {"LD_LIBRARY_PATH": f"{BUILD / 'lib'}:{library.parent}", "SHAPES_LIBRARY": str(library)},
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stdout.splitlines() == LINES, wire
