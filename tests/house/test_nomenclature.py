# SPDX-License-Identifier: BSD-3-Clause
"""The noun that a name of a file, a struct, an enum or a class ends in stands in docs/nomenclature.md."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from paths import ROOT

#: What the page covers; src/batch and src/walk are older than it, and their public names are in include/ferry.
FOLDERS = (
    "src/openmp",
    "src/ingress",
    "src/thread",
    "src/network",
    "src/compiled",
    "compiler",
    "haskell/cbits",
    "haskell/cmm",
    "haskell/openmp/cbits",
    "haskell/ingress/cbits",
    "haskell/ingress/include",
    "include/ferry",
    "nim/src",
    "hosts",
    "python",
)
#: How names begin that say where they belong and nothing else.
PREFIXES = {"omp", "ingress", "thread", "batch", "walk", "ferry", "ferryomp", "ferryingress", ""}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
#: What introduces a name, by the kind of file.
C_NAMES = re.compile(
    r"^\s*(?:struct|enum|union|class|enum class)\s+(\w+)(?:\s+final)?(?:\s*:[^;{]*)?\s*\{", re.MULTILINE
)
DECLARATIONS = {
    ".c": C_NAMES,
    ".h": C_NAMES,
    ".hpp": C_NAMES,
    ".cc": C_NAMES,
    ".cmm": C_NAMES,
    ".go": re.compile(r"^type\s+(\w+)", re.MULTILINE),
    ".rs": re.compile(
        r"^\s*(?:pub(?:\([a-z]+\))?\s+)?(?:unsafe )?(?:struct|enum|trait|union|type)\s+(\w+)", re.MULTILINE
    ),
    ".py": re.compile(r"^\s*class\s+(\w+)", re.MULTILINE),
    ".nim": re.compile(
        r"^\s+(\w+)\*?(?:\s*\{\.[^}]*\.\})?(?:\[[^\]]*\])?\s*=\s*(?:ref |ptr )?(?:object|enum|tuple|distinct)\b",
        re.MULTILINE,
    ),
}


def noun(name: str) -> str:
    """Return the last word of a name, or "" where it says only where it belongs: `omp__task_queue` is a queue."""
    parts = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower().split("_")
    return next((part for part in reversed(parts) if part not in PREFIXES), "")


def names(path: str, text: str) -> Iterator[tuple[int, str]]:
    """Every name that a file introduces, with its line: the file's own, and those of structs, enums and classes."""
    pattern = DECLARATIONS.get(Path(path).suffix)
    if pattern is None or "Generated from " in text[:1000]:
        return
    yield 1, Path(path).stem
    # comments keep their lines
    code = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text) if pattern is C_NAMES else text
    for found in pattern.finditer(code):
        yield code.count("\n", 0, found.start(1)) + 1, found[1]


def known_words(page: str) -> set[str]:
    """The words of the page: the first column of its tables, and the list of plain words."""
    tables, _, retired = page.partition("## Words that are not used any more")
    assert retired, "docs/nomenclature.md has no table of retired words"
    tables, _, plain = tables.partition("## Plain words")
    cells = " ".join(line.split("|")[1] for line in tables.splitlines() if line.startswith("|"))
    return {word.lower() for word in re.findall(r"[A-Za-z0-9]+", cells + plain)}


def stands_in(word: str, words: set[str]) -> bool:
    """Whether a word is one of them, in the singular or in the plural."""
    forms = {word, f"{word}s", word.removesuffix("s"), re.sub(r"ies$", "y", word)}
    return not forms.isdisjoint(words)


def unknown(files: dict[str, str], page: str) -> list[str]:
    """Return what is missing, as `file:line: why`."""
    words = known_words(page)
    return [
        f"{path}:{line}: {name} ends in '{noun(name)}', which docs/nomenclature.md does not explain; use a word that "
        "it has, or add a row with one sentence and where the word comes from"
        for path, text in files.items()
        for line, name in names(path, text)
        if noun(name) and not stands_in(noun(name), words)
    ]


def covered() -> dict[str, str]:
    """The files of the parts that the page covers, without their tests and examples."""
    command = ["git", "ls-files", "-z", *FOLDERS]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    kept = [name for name in listed if name and not re.search(r"/(?:tests|examples)/", name)]
    return {name: (ROOT / name).read_text() for name in kept if (ROOT / name).is_file()}


def test_every_noun_of_a_name_is_explained() -> None:
    files = covered()
    assert len(files) > 200, "the listing of the repository is not what it was"
    found = unknown(files, (ROOT / "docs" / "nomenclature.md").read_text())
    assert not found, "\n".join(found)


PAGE = """
| word | meaning |
|---|---|
| queue, work share (`workshare`) | what |
## Plain words
list
## Words that are not used any more
| crowd | x |
"""


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("src/openmp/omp_crowd.c", "", 1),
        ("src/openmp/queue.h", "\n/*\n * struct omp__x {\n */\nstruct omp__task_shelf {\n", 5),
        ("include/ferry/cpp/list.hpp", "class Shelf final : public Queue {\n", 1),
        ("compiler/list.cc", "\nclass shelf\n{\n", 2),
        ("haskell/cmm/shelf.cmm", "", 1),
        ("hosts/go/list.go", "\ntype Shelf[T any] struct {\n", 2),
        ("hosts/rust/src/list.rs", "\npub(crate) enum Shelf<T> {\n", 2),
        ("hosts/python/list.py", "class _Shelf:\n", 1),
        ("nim/src/list.nim", "type\n  Shelf* {.bycopy.} = object\n", 2),
    ],
)
def test_a_noun_that_is_not_explained_is_named(path: str, text: str, line: int) -> None:
    found = unknown({path: text}, PAGE)
    assert [finding.partition(": ")[0] for finding in found] == [f"{path}:{line}"]
    assert "add a row" in found[0]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/openmp/task_queues.c", "struct omp__workshare *share;\nenum omp__lists {\n"),
        ("src/openmp/made.c", "/* Generated from spec/x by y; edit that file */\nstruct shelf {\n"),
        ("hosts/python/queue.md", "class Shelf:"),
    ],
)
def test_what_is_explained_or_generated_passes(path: str, text: str) -> None:
    assert unknown({path: text}, PAGE) == []
