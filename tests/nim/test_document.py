# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/ingress-nim.md are compiled as they stand there."""

import re
import subprocess
from pathlib import Path

from nim_compiler import COMPILE_TIMEOUT_S, compiler
from paths import ROOT

BLOCKS = re.findall(r"^```nim\n(.*?)^```", (ROOT / "docs/ingress-nim.md").read_text(), re.M | re.S)


def compiled(folder: Path, name: str, source: str, *more: str) -> str:
    """Compile a library as far as C, and return the description of its interface."""
    (folder / f"{name}.nim").write_text(source)
    description = folder / f"{name}.json"
    flags = ("--compileOnly", "--hints:off", "--styleCheck:error", "--threads:on", "--app:lib", f"-p:{ROOT}/nim/src")
    files = (f"--nimcache:{folder}/cache", f"-d:ferryInterface:{description}")
    done = subprocess.run(
        [compiler("forky"), "c", *flags, *files, *more, folder / f"{name}.nim"],
        capture_output=True,
        encoding="utf-8",
        timeout=COMPILE_TIMEOUT_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return description.read_text()


def test_the_library_is_compiled_with_what_is_added_to_it(tmp_path: Path) -> None:
    """The library, objects with cases, a method that yields, and a question."""
    library, cases, stream, question, _ = BLOCKS
    before, last, after = library.partition("ferryLibrary notes")
    source = "import std/sequtils\n" + before + cases + stream + question + last + after
    description = compiled(tmp_path, "notes", source)
    for name in ("AddError", "DrawingByIsColored", "titles", "confirm", "wait"):
        assert f'"name": "{name}"' in description


def test_the_library_for_nim_ffi_is_compiled(tmp_path: Path) -> None:
    """With asyncdispatch, and what stands for the package results in tests."""
    paths = (f"-p:{ROOT}/nim/src/ferry/compat", f"-p:{ROOT}/nim/tests/compat", "-d:asyncBackend:asyncdispatch")
    description = compiled(tmp_path, "counter", "import results\n" + BLOCKS[-1], *paths)
    for name in ('"create"', '"bump"', '"destroy"', '"bumped"', '"Bumped"'):
        assert f'"name": {name}' in description
