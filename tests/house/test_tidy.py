# SPDX-License-Identifier: BSD-3-Clause
"""The project's own rules: the repository keeps them, and each notices a file that does not."""

from pathlib import Path

import pytest
import tidy
from paths import ROOT

C = "/* SPDX-License-Identifier: BSD-3-Clause */\n"
PYTHON = "# SPDX-License-Identifier: BSD-3-Clause\n"
HASKELL = "-- SPDX-License-Identifier: BSD-3-Clause\n"
LONG_HASKELL = "f :: IO ()\nf = do\n" + "  g\n\n" * 36 + "\nh :: Int\nh = 1\n"
LONG_C = "int f(void)\n{\n" + "\tg();\n" * 70 + "}\n"


def found(tmp_path: Path, name: str, text: str) -> list[str]:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return list(tidy.findings(tmp_path))


def test_the_repository_keeps_its_rules() -> None:
    assert list(tidy.findings(ROOT)) == []


@pytest.mark.parametrize(
    ("name", "text", "line", "complaint"),
    [
        ("src/a.c", "int a;\n", 1, "no licence"),
        ("scripts/a.sh", "#!/bin/sh\ntrue\n", 1, "no licence"),
        ("scripts/a", "#!/bin/sh\ntrue\n", 1, "no licence"),
        ("spec/vectors/a.batch", "getpid()\n", 1, "no licence"),
        ("kernel/a.c", C, 1, "files of kernel/ are GPL-2.0-only"),
        ("src/a.c", C + "int a;\n" * 500, 501, "501 lines, more than 500"),
        ("src/a.c", C + LONG_C, 3, "a function of 72 lines"),
        ("haskell/a.hs", "a :: Int\n", 1, "no licence"),
        ("haskell/a.cmm", "a() { }\n", 1, "no licence"),
        ("haskell/a.cabal", "cabal-version: 3.0\n", 1, "no licence"),
        ("haskell/a.hs", HASKELL + "a :: Int\n" * 500, 501, "501 lines, more than 500"),
        ("haskell/a.hs", HASKELL + LONG_HASKELL, 3, "a function of 72 lines"),
        ("haskell/a.hsc", HASKELL + "a = " + "b" * 117 + "\n", 2, "wider than 120 columns"),
        ("haskell/a.cmm", HASKELL + "/* " + "b" * 118 + "\n", 2, "wider than 120 columns"),
        ("tools/a.py", PYTHON + "def f():\n" + "    g()\n" * 70, 2, "a function of 71 lines"),
        ("include/ferry/a.h", C + "int batch_a(void);\n", 2, "batch_a has no comment"),
        ("docs/a.md", "see /wo" + "rk/main\n", 1, "a path of one machine"),
        ("src/a.c", C + "/* TO" + "DO: later */\n", 2, "a marker left behind"),
        ("docs/a.md", "one \ntwo\n", 1, "blanks at the end"),
        ("docs/a.md", "one", 1, "no line end"),
        ("src/a.c", C + "\t" * 15 + " x\n", 2, "wider than 120 columns"),
        ("src/batch/a.c", C + "errno = 1;\n", 2, "errno is neither read nor set"),
        ("src/a.c", C + "typedef struct { int a; } b;\n", 2, "a typedef of a struct"),
        ("man/nothing.1", ".TH NOTHING 1\n", 1, "no program of that name"),
    ],
)
def test_a_bad_file_is_named(name: str, text: str, line: int, complaint: str, tmp_path: Path) -> None:
    findings = found(tmp_path, name, text)
    assert len(findings) == 1, findings
    assert findings[0].startswith(f"{name}:{line}: ")
    assert complaint in findings[0]
    assert "; " in findings[0], "it says what to do"


def test_a_program_needs_its_page_and_its_test(tmp_path: Path) -> None:
    findings = found(tmp_path, "examples/c/new.c", C)
    assert [text.split("; ")[1] for text in findings] == ["write man/new.1", "write tests/cli/test_new.py"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("src/a.c", C + "/* long: a table */\n" + LONG_C + "int a;\n" * 500),
        ("src/a.h", C + "/* Generated from a.toml by b.py; edit that file */\n" + "int a;\n" * 600),
        ("include/ferry/a.h", C + "/* What a does. */\nint batch_a(void);\n"),
        (
            "src/batch/a.c",
            C + "#include <errno.h>\n/*\n * errno: not here\n */\nint a = -ENOSYS; /* no errno */\n",
        ),
        ("docs/a.md", "mkdtemp(XXXXXX) and a very long line of prose" * 9 + "\n"),
        ("include/compat/linux/a.h", C + "typedef struct batch_slot syscall_t;\n"),
    ],
)
def test_a_good_file_passes(name: str, text: str, tmp_path: Path) -> None:
    assert found(tmp_path, name, text) == []
