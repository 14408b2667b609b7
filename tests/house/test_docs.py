# SPDX-License-Identifier: BSD-3-Clause
"""The documents tell the truth: their programs compile and run, and their links lead somewhere."""

import re
import subprocess
from pathlib import Path

import pytest
from paths import BUILD, ROOT

PATTERNS = ("*.md", "docs/**/*.md", "spec/**/*.md", "bench/*.md", "examples/**/*.md")
DOCUMENTS = sorted(path for pattern in PATTERNS for path in ROOT.glob(pattern))


def programs() -> list[tuple[str, str]]:
    """Every whole C program of the documents, as (where it stands, its text)."""
    found = []
    for document in DOCUMENTS:
        for number, text in enumerate(re.findall(r"^```c\n(.*?)^```", document.read_text(), re.M | re.S), 1):
            # those on the echo library are run by tests/ingress: test_documents.py and test_chains_python.py
            if "int main(" in text and '#include "echo.h"' not in text:
                found.append((f"{document.relative_to(ROOT)}#{number}", text))
    return found


@pytest.mark.parametrize(("where", "text"), programs(), ids=lambda value: value if "#" in value[:60] else "")
def test_program_runs(where: str, text: str, tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(text)
    subprocess.run(
        [
            *("cc", "-Wall", "-Wextra", "-Werror", "-O2", str(source), "-o", str(tmp_path / "program")),
            *(f"-I{ROOT}/include", str(BUILD / "lib" / "libferry.a"), "-luring", "-pthread"),
        ],
        check=True,
    )
    done = subprocess.run([tmp_path / "program"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{where}: {done.stderr}"


@pytest.fixture(scope="session")
def first_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first program of the README, as its reader compiles it."""
    folder = tmp_path_factory.mktemp("first")
    text = next(text for where, text in programs() if where == "README.md#1")
    (folder / "first.c").write_text(text)
    strict = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-std=gnu11")
    libraries = (str(BUILD / "lib" / "libferry.a"), "-luring", "-pthread")
    subprocess.run(["cc", *strict, "first.c", "-o", "first", f"-I{ROOT}/include", *libraries], check=True, cwd=folder)
    return folder / "first"


@pytest.mark.parametrize(
    ("name", "status", "out", "err"),
    [
        ("full", 0, b"some text\0and more\n", ""),
        ("longer", 0, b"x" * 256, ""),
        ("empty", 0, b"", ""),
        ("missing", 1, b"", "missing: No such file or directory\n"),
        (".", 1, b"", ".: Is a directory\n"),
    ],
    ids=["full", "longer", "empty", "missing", "folder"],
)
def test_first_program_prints_what_it_read_or_why_not(
    first_program: Path, tmp_path: Path, name: str, status: int, out: bytes, err: str
) -> None:
    (tmp_path / "full").write_bytes(b"some text\0and more\n")
    (tmp_path / "longer").write_bytes(b"x" * 300)
    (tmp_path / "empty").write_bytes(b"")
    done = subprocess.run([first_program, name], capture_output=True, cwd=tmp_path, timeout=600)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (status, out, err)


def test_there_are_programs() -> None:
    assert len(programs()) >= 4


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(document: Path) -> None:
    prose = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose):
        if not target.startswith(("http://", "https://", "mailto:")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}, which is not there"


def anchors(document: Path) -> set[str]:
    """What a link may name after `#`: the headings, as GitHub writes them; the second of a name ends in -1."""
    found: dict[str, int] = {}
    names = set()
    prose = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S)
    for heading in re.findall(r"^#+ (.+)$", prose, re.M):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        count = found.get(name, 0)
        names.add(f"{name}-{count}" if count else name)
        found[name] = count + 1
    return names


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_anchors_lead_to_a_heading(document: Path) -> None:
    prose = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S)
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", prose):
        page = document.parent / target if target else document
        if page.suffix == ".md" and not target.startswith(("http://", "https://")):
            assert anchor in anchors(page), f"{document.name} links to {target}#{anchor}, which is no heading there"
