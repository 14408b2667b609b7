# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/ingress-nim.md are compiled as they stand there, and its first part is followed line by line."""

import re
import subprocess
from pathlib import Path

from installed import environment
from nim_compiler import COMPILE_TIMEOUT_S, compiler
from paths import BUILD, ROOT

TEXT = (ROOT / "docs/ingress-nim.md").read_text()
BLOCKS = re.findall(r"^```nim\n(.*?)^```", TEXT, re.M | re.S)


def indented(text: str) -> list[list[str]]:
    """The blocks of a text that are indented, each as its lines, outside of fences."""
    plain = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return [re.findall(r"^    (.*)$", part, re.M) for part in re.findall(r"(?:^    .*\n)+", plain, re.M)]


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


def test_the_page_is_followed(tmp_path: Path, prefix: Path) -> None:
    """From an installed Ferry, with the compiler that `make nim` fetches."""
    folder = compiler("bookworm").parent
    assert folder == BUILD / "nim/bookworm/bin"
    assert "`build/nim/bookworm/bin/nim`" in TEXT
    (tmp_path / "ferry").symlink_to(prefix)
    first = TEXT[: TEXT.index("## What there is")]
    settings, build, call = ("\n".join(part) for part in indented(first))
    (tmp_path / "notes.nim").write_text(BLOCKS[0])
    (tmp_path / "notes.nim.cfg").write_text(settings)
    exports = (
        f"export PATH={folder}:$HOME/ferry/bin:$PATH LD_LIBRARY_PATH=$HOME/ferry/lib "
        "PKG_CONFIG_PATH=$HOME/ferry/lib/pkgconfig"
    )
    done = subprocess.run(
        ["bash", "-euc", f"{exports}\n{build}\n{call}"], cwd=tmp_path, env=environment() | {"HOME": str(tmp_path)},
        capture_output=True, text=True, timeout=COMPILE_TIMEOUT_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "1"
