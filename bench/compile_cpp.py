# SPDX-License-Identifier: BSD-3-Clause
"""Measure what a file of C++ costs to compile that includes a binding and calls two of its methods.

Beside it stands a file that includes the standard headers which the binding needs, and nothing else: what is above that
is the binding's own. Compilers are run one after the other in rounds, and of each the least processor time counts,
since other programs only add to it.
"""

from __future__ import annotations

import argparse
import re
import resource
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
INCLUDE = ROOT / "include"
SECONDS = 300


@dataclass(frozen=True)
class Binding:
    """A generated header, and a program that calls two of its methods."""

    name: str
    header: Path
    calls: str

    @property
    def flags(self) -> tuple[str, ...]:
        """Where its headers are."""
        return (f"-I{INCLUDE}", f"-I{self.header.parent}")

    @property
    def program(self) -> str:
        """The file that is compiled."""
        return f"#include <{self.header.name}>\n{self.calls}\n"

    @property
    def standard(self) -> str:
        """A file with the standard headers that the binding includes, itself or through Ferry's headers."""
        sources = [self.header, INCLUDE / "ferry" / "ingress.hpp", *sorted((INCLUDE / "ferry" / "cpp").glob("*.hpp"))]
        found = {name for path in sources for name in re.findall(r"^#include <([a-z_]+)>$", path.read_text(), re.M)}
        return "".join(f"#include <{name}>\n" for name in sorted(found))


def bindings(build: Path) -> list[Binding]:
    """Those of the examples: that of the notes, and that of the echo library, which has something of everything."""
    return [
        Binding(
            "notes",
            ROOT / "examples" / "notes" / "cpp" / "binding" / "include" / "notes.hpp",
            'std::string text(const notes::Context &on) { return on.read("a") + std::to_string(on.totals().notes); }',
        ),
        Binding(
            "echo",
            build / "echo" / "cpp" / "include" / "echo.hpp",
            'std::string text(const echo::Context &on) { return on.echo({ "a", 1 }).echoed + on.tree({}).name; }',
        ),
    ]


def compile_file(compiler: str, standard: str, text: str, *flags: str) -> str:
    """Compile a file without writing an object, and return what the compiler says."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "file.cpp"
        source.write_text(text)
        command = [compiler, f"-std=c++{standard}", "-fsyntax-only", *flags, str(source)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return done.stderr


def seconds(compiler: str, standard: str, text: str, *flags: str) -> float:
    """Return the processor time, in user mode, of compiling a file."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    compile_file(compiler, standard, text, *flags)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def megabytes(text: str, *flags: str) -> float:
    """Return how much memory g++ hands out for what a file declares and instantiates: always the same, unlike time."""
    report = compile_file("g++", "17", text, *flags, "-ftime-report")
    found = re.search(r"^ TOTAL .*?(\d+)([kMG])\s*$", report, re.M)
    assert found, f"g++ -ftime-report has no total:\n{report[-2000:]}"
    return int(found[1]) * {"k": 1e-3, "M": 1.0, "G": 1e3}[found[2]]


def rows(build: Path, compilers: Iterable[str], standards: Iterable[str], rounds: int) -> Iterable[str]:
    """Yield the table's rows."""
    for compiler in compilers:
        for standard in standards:
            for one in bindings(build):
                files = ((one.standard, ()), (one.program, one.flags))
                least = [min(times) for times in zip(
                    *([seconds(compiler, standard, text, *flags) for text, flags in files] for _ in range(rounds)),
                    strict=True,
                )]  # fmt: skip
                yield (
                    f"{compiler:10} c++{standard} {one.name:6} {least[1]:8.2f} s {least[0]:8.2f} s"
                    f" {least[1] / least[0]:6.2f}"
                )


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description="Measure what compiling a C++ binding costs.")
    parser.add_argument("--build", type=Path, default=ROOT / "build", help="where `make native` has built")
    parser.add_argument("--compiler", action="append", help="which compilers (default: g++ and clang++)")
    parser.add_argument("--standard", action="append", help="which standards (default: 17 and 20)")
    parser.add_argument("--rounds", type=int, default=5, help="how often each file is compiled (default: 5)")
    given = parser.parse_args()
    print("compiler   standard binding  two calls    headers   ratio")
    compilers, standards = given.compiler or ["g++", "clang++"], given.standard or ["17", "20"]
    for row in rows(given.build, compilers, standards, given.rounds):
        print(row, flush=True)


if __name__ == "__main__":
    main()
