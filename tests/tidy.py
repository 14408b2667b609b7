#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The project's own rules about its files, for what no other tool checks.

Usage: tests/tidy.py [FOLDER]

Looks at every file that git knows, or does not ignore, below FOLDER (this repository). Each finding is a line
`file:line: what is wrong; what to do` on stdout, and the exit status is 1 when there is one. A new rule is a function
that takes a File and yields findings, and a line in RULES. Tables to extend: RETIRED (words that are not used any
more) and PLAIN (files in plain English) in vocabulary.py, FOLDERS (which folder of C may include which) here.
"""

import argparse
import ast
import posixpath
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path, PurePosixPath

from vocabulary import HEADLESS, PLAIN, RETIRED

FILE_LINES_MAX = 500
FUNCTION_LINES_MAX = 70
#: Lines that a generator wrote and that are committed: public headers, tables that packages are built from, one sample.
GENERATED_LINES_MAX = 7000
LINE_COLUMNS_MAX = 120
TAB_COLUMNS = 8
#: Where the licence, the banner and a reason for being long may stand.
HEADER_LINES = 30

HASKELL = (".hs", ".hsc")
SOURCES = (
    *(".c", ".h", ".cc", ".cpp", ".hpp", ".py", ".sh", ".batch", ".toml", ".map", ".in", ".j2", ".css", ".js", ".awk"),
    *(".go", ".nim", ".nims", ".rs"),
    *(*HASKELL, ".cmm", ".cabal", ".project"),
)
#: Where another tool looks at the width, or a long line is one sentence or one command.
OTHER_WIDTH = (".py", ".rs", ".go", ".nim", ".toml", ".j2", ".in")
#: Files that quote others or are other people's text.
NOT_OURS = re.compile(r"^LICENSES/|^fuzz/corpus/|\.(png|gz|txt|json|patch)$")
#: Words that are spelt in two parts here, so that this file passes.
MARKERS = re.compile(r"\b(?:TO" + r"DO|FIX" + r"ME|X" + r"XX|HA" + r"CK)\b")
MACHINE_PATHS = re.compile(r"/wo" + r"rk/|/tmp/pe" + r"er\b")
#: In a comment of its own: a generator has the banner as a string.
GENERATED = re.compile(r"^(?:#|//|--|/\*) Generated from \S+ by \S+; edit that file", re.M)
# not of a function that returns a struct
TYPEDEF_STRUCT = re.compile(r"^\s*typedef\s+(?:struct|union)\b(?!.*\()")
ERRNO_WORD = re.compile(r"\berrno\b")
FUNCTION_OPEN = re.compile(r"^\{\s*$")
HASKELL_BINDING = re.compile(
    r"^(?!(?:module|import|data|newtype|type|class|instance|foreign|deriving|infix[lr]?|where)\b)[a-z_]"
)
PROTOTYPE = re.compile(r"^[a-z][\w\s*]*?\b(\w+)\(")

INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]')

Finding = tuple[int, str]


#: The folders of the OpenMP runtime, in the way of data from the last to the first: each may include those before it.
OPENMP_FOLDERS = (
    *("abi", "system", "environment", "places", "waiting", "state", "tool", "synchronization", "scheduler"),
    *("team", "memory", "process", "allocation", "task", "worksharing", "target", "coscheduling", "entry"),
)
#: The folders of the ingress, in the same order.
INGRESS_FOLDERS = ("self", "waiting", "memory", "queues", "context", "process", "events", "requests", "threads", "host")
#: The folders of the Haskell package's C, from the last to the first as well.
HASKELL_FOLDERS = ("files", "capability", "collector", "time_slice", "held", "coscheduler", "batch")
#: Folders of C, and which others each may include besides itself and include/. The way of data has no other direction.
FOLDERS: dict[str, tuple[str, ...]] = {
    "src/thread": (),
    "src/batch": (),
    "src/walk": ("src/batch",),
    "src/compiled": ("src/batch",),
    "compiler": (),
    **{
        f"src/ingress/{folder}": (
            *("src/thread", "src/ingress"),
            *(f"src/ingress/{other}" for other in INGRESS_FOLDERS[:number]),
        )
        for number, folder in enumerate(INGRESS_FOLDERS)
    },
    # limits and the words of statuses, for all of its folders
    "src/ingress": ("src/thread",),
    "src/network": ("src/thread",),
    "src/network/serve": ("src/network", "src/thread"),
    **{
        f"src/openmp/{folder}": ("src/thread", *(f"src/openmp/{other}" for other in OPENMP_FOLDERS[:number]))
        for number, folder in enumerate(OPENMP_FOLDERS)
    },
    # beside entry/: neither includes the other
    "src/openmp/kmp": ("src/thread", *(f"src/openmp/{other}" for other in OPENMP_FOLDERS[:-1])),
    # in no folder of the runtime: a file there includes nothing of it
    "src/openmp": ("src/thread",),
    **{
        f"haskell/cbits/{folder}": ("src/thread", *(f"haskell/cbits/{other}" for other in HASKELL_FOLDERS[:number]))
        for number, folder in enumerate(HASKELL_FOLDERS)
    },
    "haskell/cbits": ("src/thread",),
    # of ferry they see what that installs
    "haskell/openmp/cbits/coscheduler": ("haskell/cbits/coscheduler", "haskell/cbits/held"),
    "haskell/openmp/cbits/region": (),
    "include": (),
}


@dataclass(frozen=True)
class File:
    """A file of the repository, by its path from the root."""

    root: Path
    name: str

    @cached_property
    def text(self) -> str:
        """What is in it."""
        return (self.root / self.name).read_text(errors="surrogateescape")

    @cached_property
    def lines(self) -> list[str]:
        """Its lines, without their ends."""
        return self.text.splitlines()

    @property
    def is_source(self) -> bool:
        """Whether it is a program, a header, a specification or the like."""
        return self.name.endswith(SOURCES) or (self.lines[:1] != [] and self.lines[0].startswith("#!"))

    @property
    def is_c(self) -> bool:
        """Whether it is C."""
        return self.name.endswith((".c", ".h", ".cpp", ".hpp"))

    @cached_property
    def header(self) -> str:
        """Its first lines."""
        return "\n".join(self.lines[:HEADER_LINES])

    @property
    def is_generated(self) -> bool:
        """Whether a generator wrote it."""
        return bool(GENERATED.search(self.header))

    @property
    def may_be_long(self) -> bool:
        """Whether its header gives a reason for its length."""
        return re.search(r"\blong: \w+", self.header) is not None


def licence(file: File) -> Iterator[Finding]:
    """Every source file names its licence in one of its first three lines."""
    if file.is_source and "SPDX-License-Identifier: " not in "\n".join(file.lines[:3]):
        yield 1, "no licence; start the file with an SPDX-License-Identifier line"
    if file.name.startswith("kernel/") and file.is_source and "GPL-2.0-only" not in "\n".join(file.lines[:3]):
        yield 1, "files of kernel/ are GPL-2.0-only; name that licence in the SPDX line"


def length(file: File) -> Iterator[Finding]:
    """A file can be read in one sitting."""
    exempt = (
        file.is_generated
        or file.may_be_long
        or not file.name.endswith((".c", ".h", ".cpp", ".hpp", ".py", ".sh", *HASKELL))
    )
    if len(file.lines) > FILE_LINES_MAX and not exempt:
        yield (
            len(file.lines),
            f"{len(file.lines)} lines, more than {FILE_LINES_MAX}; split the file by concept, or say in its header "
            "comment `long: why`",
        )


def c_functions(file: File) -> Iterator[tuple[int, int]]:
    """First and last line of each function body, by the braces in the first column that the formatter leaves there."""
    start = 0
    for number, line in enumerate(file.lines, 1):
        if FUNCTION_OPEN.match(line):
            start = number
        elif line == "}" and start:
            yield start, number
            start = 0


def python_functions(file: File) -> Iterator[tuple[int, int]]:
    """First and last line of each function."""
    for node in ast.walk(ast.parse(file.text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, node.end_lineno or node.lineno


def haskell_functions(file: File) -> Iterator[tuple[int, int]]:
    """First and last line of each top-level binding and signature, by the first column that the formatter leaves."""
    start = last = 0
    for number, line in enumerate([*file.lines, "."], 1):
        if line[:1].strip():
            if start:
                yield start, last
            start = number if HASKELL_BINDING.match(line) else 0
        if line.strip():
            last = number


def function_length(file: File) -> Iterator[Finding]:
    """A function can be seen whole."""
    finders = {".py": python_functions, ".c": c_functions, ".h": c_functions} | dict.fromkeys(
        HASKELL, haskell_functions
    )
    finder = finders.get(Path(file.name).suffix)
    if finder is None or file.is_generated or file.may_be_long:
        return
    for first, last in finder(file):
        if last - first + 1 > FUNCTION_LINES_MAX:
            yield (
                first,
                f"a function of {last - first + 1} lines, more than {FUNCTION_LINES_MAX}; give its parts names of "
                "their own, or say in the file's header comment `long: why`",
            )


def documented(file: File) -> Iterator[Finding]:
    """Every function of a public header has a comment right above it."""
    if not file.name.startswith("include/ferry/") or file.is_generated:
        return
    previous = ""
    for number, line in enumerate(file.lines, 1):
        found = PROTOTYPE.match(line)
        has_comment = previous.rstrip().endswith("*/") and "SPDX" not in previous
        if found and not line.startswith(("typedef", "return")) and not has_comment:
            yield number, f"{found.group(1)} has no comment; say above it what it does, returns and refuses"
        previous = previous if line.startswith("template <") else line


def words(file: File) -> Iterator[Finding]:
    """No paths of one machine, no notes left behind."""
    for number, line in enumerate(file.lines, 1):
        if MACHINE_PATHS.search(line):
            yield number, "a path of one machine; write it relative to the repository, or as a variable"
        if MARKERS.search(line):
            yield number, "a marker left behind; do it, or open an issue and delete the line"


def retired_words(file: File) -> Iterator[Finding]:
    """One word for each thing: those that were given up do not come back."""
    rows = [row for row in RETIRED if file.name.startswith(row.where)]
    for number, line in enumerate(file.lines, 1):
        for row in rows:
            found = row.expression.search(re.sub(row.kept, "", line))
            if found:
                yield number, f"'{found.group()}' is not used any more; use {row.use}: docs/nomenclature.md"


def plain_english(file: File) -> Iterator[Finding]:
    """A sentence names what it speaks of."""
    if not file.name.startswith(PLAIN):
        return
    for number, line in enumerate(file.lines, 1):
        if HEADLESS.search(line):
            yield number, "a sentence begins with a headless 'who'; name the thread, the caller or the owner"


def whitespace(file: File) -> Iterator[Finding]:
    """No blanks at the end of a line, a line end at the end of the file, nothing wider than a screen."""
    for number, line in enumerate(file.lines, 1):
        # in a patch, a line that is the same before and after starts with a blank, also when it is empty
        if line.rstrip(" \t\r") != line and not file.name.endswith(".patch"):
            yield number, "blanks at the end of the line; delete them"
        wide = len(line.expandtabs(TAB_COLUMNS)) > LINE_COLUMNS_MAX
        if wide and not file.is_generated and file.is_source and not file.name.endswith(OTHER_WIDTH):
            yield number, f"wider than {LINE_COLUMNS_MAX} columns; break the line"
    if file.text and not file.text.endswith("\n"):
        yield len(file.lines), "no line end at the end of the file; add one"


def code_only(line: str) -> str:
    """The line without what is in comments and strings, as far as one line shows."""
    line = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)
    line = re.sub(r"/\*.*?(?:\*/|$)|//.*", "", line)
    return "" if re.match(r"^\s*\*(?:\s|$|/)", line) else line


def no_errno(file: File) -> Iterator[Finding]:
    """The batch neither reads nor sets errno (R9)."""
    if not file.is_c or not file.name.startswith("src/batch/"):
        return
    for number, line in enumerate(file.lines, 1):
        if ERRNO_WORD.search(code_only(line)) and "#include" not in line:
            yield number, "errno is neither read nor set in src/batch; use the -errno that the call returned"


def no_typedef_struct(file: File) -> Iterator[Finding]:
    """Structs are named `struct batch_x`."""
    if not file.is_c or file.name.startswith("include/compat/"):
        return
    for number, line in enumerate(file.lines, 1):
        if TYPEDEF_STRUCT.match(line):
            yield number, "a typedef of a struct; use `struct name` itself"


RULES: tuple[Callable[[File], Iterator[Finding]], ...] = (
    licence,
    length,
    function_length,
    documented,
    words,
    retired_words,
    plain_english,
    whitespace,
    no_errno,
    no_typedef_struct,
)


def programs(root: Path) -> set[str]:
    """Every program that is installed: a file or a folder of examples/c, a folder of examples/haskell with its Main."""
    examples = root / "examples"
    files = [*examples.glob("c/*"), *(main.parent for main in examples.glob("haskell/*/Main.hs"))]
    return {path.stem for path in files if path.is_dir() or path.suffix in (".c", ".hs")}


def manual_in_step(root: Path) -> Iterator[str]:
    """Programs and their manual pages and tests go together."""
    pages = {path.stem for path in (root / "man").glob("*.1")}
    for name in sorted(programs(root) - pages):
        yield f"examples: {name} has no manual page; write man/{name}.1"
    for name in sorted(page for page in pages - programs(root) if not page.startswith("ferry")):
        yield f"man/{name}.1:1: no program of that name; delete the page, or add examples/c/{name}.c"
    for name in sorted(programs(root)):
        if not (root / "tests" / "cli" / f"test_{name}.py").exists():
            yield f"examples/c/{name}: no test; write tests/cli/test_{name}.py"


def folder_of(name: str) -> str | None:
    """The folder that a file is in."""
    return next((folder for folder in FOLDERS if name.startswith(f"{folder}/")), None)


def includes(file: File, names: set[str]) -> Iterator[tuple[int, str]]:
    """Where a file includes another of the repository, and which."""
    folders = (PurePosixPath(file.name).parent.as_posix(), "src", "include", "haskell/cbits", "haskell/openmp/cbits")
    for number, line in enumerate(file.lines, 1):
        for included in INCLUDE.findall(line):
            candidates = (posixpath.normpath(f"{folder}/{included}") for folder in folders)
            found = next((name for name in candidates if name in names), None)
            if found:
                yield number, found


def layered(root: Path, names: list[str]) -> Iterator[str]:
    """Folders include each other one way only, and so do the files of a folder; X.h and X.c count as one."""
    known = set(names)
    uses: dict[str, dict[str, set[str]]] = {folder: {} for folder in FOLDERS}
    for name in names:
        folder = folder_of(name)
        if folder is None or not name.endswith((".c", ".h")):
            continue
        for number, other in includes(File(root, name), known):
            other_folder = folder_of(other)
            if other_folder == folder:
                stem, other_stem = name.rpartition(".")[0], other.rpartition(".")[0]
                uses[folder].setdefault(stem, set()).update({other_stem} - {stem})
            elif other_folder not in (*FOLDERS[folder], "include"):
                allowed = " and ".join((*FOLDERS[folder], "include"))
                yield (
                    f"{name}:{number}: {folder} includes {other}; it may include {allowed}: move what is needed there, "
                    "or change FOLDERS in tests/tidy.py"
                )
    for folder, graph in uses.items():
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle = " -> ".join(reversed(error.args[1]))
            yield f"{folder}:1: files include each other in a circle, {circle}; give what both need a file of its own"


def generated_lines(root: Path, names: list[str]) -> int:
    """How many lines of the files are a generator's; a patch is one's too."""
    files = [File(root, name) for name in names if not (root / name).is_symlink() and not name.endswith(".png")]
    written = (file for file in files if GENERATED.search("\n".join(file.lines[:3])) or file.name.endswith(".patch"))
    return sum(len(file.lines) for file in written)


def few_generated_lines(root: Path, names: list[str]) -> Iterator[str]:
    """What can be made when the project is built is not committed."""
    count = generated_lines(root, names)
    if count > GENERATED_LINES_MAX:
        yield f".:1: {count} generated lines are committed, more than {GENERATED_LINES_MAX}; generate into build/"


def listed(root: Path) -> list[str]:
    """The files to look at: what git does not ignore, or all where there is no repository."""
    if not (root / ".git").exists():
        return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return sorted({name for name in done.stdout.split("\0") if name and (root / name).is_file()})


def findings(root: Path) -> Iterator[str]:
    """Everything that is wrong below `root`."""
    names = listed(root)
    for name in names:
        if NOT_OURS.search(name):
            continue
        file = File(root, name)
        for rule in RULES:
            for number, text in rule(file):
                yield f"{name}:{number}: {text}"
    yield from layered(root, names)
    yield from few_generated_lines(root, names)
    yield from manual_in_step(root)


def main() -> int:
    """Print the findings."""
    parser = argparse.ArgumentParser(description="Check the project's own rules about its files.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    count = 0
    for finding in findings(parser.parse_args().folder):
        print(finding)
        count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
