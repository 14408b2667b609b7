# SPDX-License-Identifier: BSD-3-Clause
"""The project's own rules: the repository keeps them, and each notices a file that does not."""

from pathlib import Path

import pytest
import tidy
from paths import ROOT

NIM = "# SPDX-License-Identifier: BSD-3-Clause\n"
C = "/* SPDX-License-Identifier: BSD-3-Clause */\n"
PYTHON = "# SPDX-License-Identifier: BSD-3-Clause\n"
HASKELL = "-- SPDX-License-Identifier: BSD-3-Clause\n"
LONG_HASKELL = "f :: IO ()\nf = do\n" + "  g\n\n" * 36 + "\nh :: Int\nh = 1\n"
BANNER_OF_A_GENERATOR = 'BANNER = "Generated from a.toml by b.py; edit that file"\n'
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
        # a generator is not generated
        ("spec/a.py", PYTHON + BANNER_OF_A_GENERATOR + "a()\n" * 499, 501, "501 lines, more than 500"),
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
        ("src/ingress/a.c", C + "int crowded_by;\n", 2, "'crowded' is not used any more"),
        ("src/ingress/a.c", C + "int lane_room;\n", 2, "use credits (of a lane)"),
        ("src/openmp/a.c", C + "unsigned docked_from;\n", 2, "'docked' is not used any more"),
        ("src/openmp/a.c", C + "/* The task is put off. */\n", 2, "use defer, deferred"),
        ("src/openmp/a.c", C + "bool is_root;\n", 2, "use initial thread"),
        ("docs/ingress-a.md", "It gives a turn to the library.\n", 1, "'a turn' is not used any more"),
        ("nim/a.nim", NIM + "## The bar is 20 ns.\n", 2, "use target"),
        ("nim/a.nim", "let a = 1\n", 1, "no licence"),
        ("hosts/go/a.go", "package a\n", 1, "no licence"),
        ("src/network/a.c", C + "/* The keeper of a link. */\n", 2, "use monitor"),
        ("tests/openmp/unit/a.c", C + "/* With a guest it is true. */\n", 2, "use co-scheduler"),
        ("src/openmp/a.c", C + "/* The host makes threads. */\n", 2, "a host calls a library"),
        ("docs/kernel.md", "The guest's clock is the host's.\n", 1, "the machine outside"),
        ("docs/ingress-a.md", "It is asleep. Who wakes it is told.\n", 1, "a headless 'who'"),
        ("src/ingress/a.c", C + "/* release: who finds it finds all */\n", 2, "a headless 'who'"),
    ],
)
def test_a_bad_file_is_named(name: str, text: str, line: int, complaint: str, tmp_path: Path) -> None:
    findings = found(tmp_path, name, text)
    assert len(findings) == 1, findings
    assert findings[0].startswith(f"{name}:{line}: ")
    assert complaint in findings[0]
    assert "; " in findings[0], "it says what to do"


def included(tmp_path: Path, files: dict[str, str]) -> list[str]:
    """What is found in a repository of C files, each with these includes."""
    for name, includes in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(C + "".join(f'#include "{other}"\n' for other in includes.split()))
    return list(tidy.findings(tmp_path))


def test_a_folder_includes_only_what_the_table_allows(tmp_path: Path) -> None:
    files = {"src/thread/a.h": "", "src/ingress/b.h": "thread/a.h", "src/thread/c.c": "a.h ../ingress/b.h"}
    findings = included(tmp_path, files)
    assert len(findings) == 1, findings
    assert findings[0].startswith("src/thread/c.c:3: src/thread includes src/ingress/b.h; ")


def test_a_circle_of_files_in_a_folder_is_named(tmp_path: Path) -> None:
    files = {"src/batch/a.h": "", "src/batch/a.c": "a.h b.h", "src/batch/b.h": "c.h", "src/batch/c.h": "a.h"}
    findings = included(tmp_path, files)
    assert len(findings) == 1, findings
    assert findings[0].startswith("src/batch:1: files include each other in a circle, ")
    for stem in "abc":
        assert f"src/batch/{stem}" in findings[0]


@pytest.mark.parametrize(
    ("low", "middle", "high"),
    [("openmp/state", "openmp/team", "openmp/entry"), ("ingress/queues", "ingress/context", "ingress/host")],
)
def test_a_folder_includes_only_those_below_it(tmp_path: Path, low: str, middle: str, high: str) -> None:
    files = {
        "src/thread/a.h": "",
        f"src/{low}/b.h": "thread/a.h",
        f"src/{middle}/c.c": f"{low}/b.h ../{high.partition('/')[2]}/d.h",
        f"src/{high}/d.h": f"{low}/b.h",
    }
    findings = included(tmp_path, files)
    assert len(findings) == 1, findings
    assert findings[0].startswith(f"src/{middle}/c.c:3: src/{middle} includes src/{high}/d.h; ")


@pytest.mark.parametrize("folder", ["openmp/state", "ingress/queues"])
def test_a_file_in_a_folder_that_is_not_in_the_table_may_include_none(tmp_path: Path, folder: str) -> None:
    top = folder.partition("/")[0]
    findings = included(tmp_path, {f"src/{top}/attic/a.c": f"{folder}/b.h", f"src/{folder}/b.h": ""})
    assert len(findings) == 1, findings
    assert findings[0].startswith(f"src/{top}/attic/a.c:2: src/{top} includes src/{folder}/b.h; ")


def test_a_folder_that_goes_one_way_is_left_alone(tmp_path: Path) -> None:
    assert (
        included(
            tmp_path, {"src/batch/a.h": "", "src/batch/a.c": "a.h b.h", "src/batch/b.h": "", "src/batch/b.c": "b.h"}
        )
        == []
    )


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
        ("src/ingress/a.c", C + "/* in turn, ->turn(), ingress_answer_room(): Who calls them? */\n"),
        ("docs/ingress-a.md", "`bench/codec_bars.py` turns crowns into bare words.\n"),
        ("src/openmp/a.c", C + '/* The host device. */\nchar a[] = "[host]";\n'),
        ("docs/kernel.md", "In the guest a program runs.\n"),
        ("tests/openmp/model/a.pml", "/* SPDX-License-Identifier: BSD-3-Clause */\n:: who < 3 -> run(who); who++\n"),
        ("docs/a.md", "mkdtemp(XXXXXX) and a very long line of prose" * 9 + "\n"),
        ("include/compat/linux/a.h", C + "typedef struct batch_slot syscall_t;\n"),
    ],
)
def test_a_good_file_passes(name: str, text: str, tmp_path: Path) -> None:
    assert found(tmp_path, name, text) == []


def test_generated_lines_are_counted_wherever_they_are(tmp_path: Path) -> None:
    banner = "/* Generated from spec/a.toml by spec/a.py; edit that file and run `make generate`. */\n"
    assert found(tmp_path, "include/a.h", C + banner + "int a;\n" * 10) == []
    text = "# Generated from spec/a.toml by spec/a.py; edit that file.\n" + "line\n" * tidy.GENERATED_LINES_MAX
    (complaint,) = found(tmp_path, "spec/a.txt", text)
    assert f"{tidy.GENERATED_LINES_MAX + 13} generated lines are committed" in complaint
