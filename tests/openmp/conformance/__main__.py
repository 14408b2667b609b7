# SPDX-License-Identifier: BSD-3-Clause
"""Run libgomp's testsuite against libgomp and against ours: PYTHONPATH=tests python3 -m openmp.conformance

Prints both counts and each difference with its reason, and writes BUILD/conformance/report.json. With --host ghc
each test runs inside a Haskell program, with either library (host.py). With --llvm 19 clang-19 and flang-new-19 compile
the tests, and libomp is the reference; differences.toml names what is no fault. The exit status is 1 when there is a
difference.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tomllib
from pathlib import Path

from openmp.conformance.build import GCC, Compilers
from openmp.conformance.host import SHARED, in_haskell
from openmp.conformance.report import OURS, REFERENCE
from openmp.conformance.run import Library, LibraryError
from openmp.conformance.session import Plan, conduct
from openmp.conformance.suite import SuiteError, Test, extract, list_suite
from openmp.llvm.libomp import libomp

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools" / "ferry" / "src"))
from ferry.output import Output, OutputError

THREADS = (2, 3, 4, 8)
LIBOMP = "libomp"
#: What ours may fail where clang compiles the tests.
DIFFERENCES = Path(__file__).with_name("differences.toml")
QUICK = Path(__file__).with_name("quick.txt")


def whole_numbers(text: str) -> list[int]:
    """Read numbers joined by commas."""
    return [int(word) for word in text.split(",")]


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="openmp.conformance", description="Run libgomp's testsuite against libgomp and against ours."
    )
    parser.add_argument("tests", nargs="*", metavar="REGEX", help="only tests whose name contains one of these")
    parser.add_argument("--build", type=Path, default=Path("build"), help="where Ferry was built (default: build)")
    parser.add_argument("--list", type=Path, metavar="FILE", help="only the tests that FILE names, one a line")
    parser.add_argument("--quick", action="store_true", help="only the tests of quick.txt: about a minute")
    parser.add_argument("--threads", type=whole_numbers, default=list(THREADS), help="OMP_NUM_THREADS (2,3,4,8)")
    parser.add_argument("--only", choices=[REFERENCE, LIBOMP, OURS], help="run with this library alone")
    parser.add_argument("--ours", type=Path, help="the folder with our libgomp.so.1 (default: BUILD/lib/gomp)")
    parser.add_argument(
        "--llvm", type=int, metavar="RELEASE", help="compile by clang and flang RELEASE, and run beside libomp"
    )
    parser.add_argument("--host", choices=["ghc"], help="run each test inside a Haskell program (make haskell-hosts)")
    parser.add_argument("--jobs", type=int, default=2, help="tests run at once (default: 2)")
    parser.add_argument("--limit", type=float, default=30, metavar="SECONDS", help="for one run (default: 30)")
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="default: BUILD/conformance/report[-HOST].json; - is standard output",
    )
    options = parser.parse_args()
    if options.host and options.llvm:
        parser.error("--llvm is not for --host")
    if options.host and options.ours:
        parser.error("--ours is not for --host: a Haskell program uses the library it was linked with")
    return options


def named_in(file: Path) -> set[str]:
    """Return the names of a list; what follows # is a comment."""
    lines = (line.partition("#")[0].strip() for line in file.read_text().splitlines())
    return {line for line in lines if line}


def chosen(tests: list[Test], options: argparse.Namespace) -> list[Test]:
    """Return the tests the command line asks for."""
    file = QUICK if options.quick else options.list
    if file:
        names = named_in(file)
        unknown = names - {test.identity for test in tests}
        if unknown:
            raise SuiteError(f"{file}: there is no test {sorted(unknown)[0]}")
        tests = [test for test in tests if test.identity in names]
    if options.tests:
        tests = [test for test in tests if any(re.search(pattern, test.identity) for pattern in options.tests)]
    if not tests:
        raise SuiteError("no test has such a name; names are like c/libgomp.c/barrier-1.c")
    return tests


def libraries(options: argparse.Namespace) -> list[Library]:
    """Return the libraries to run with."""
    ours = (options.ours or options.build / "lib" / "gomp").absolute()
    every = [Library(REFERENCE, None), Library(OURS, ours)]
    if options.llvm:
        peer = libomp(options.llvm, options.build)
        every = [Library(LIBOMP, peer, file="libomp.so.5"), Library(OURS, ours, file="libomp.so.5")]
    if options.host:
        every = in_haskell(options.build.absolute(), REFERENCE, OURS)
    return [library for library in every if options.only in (None, library.name)]


def compilers(options: argparse.Namespace, tests: list[Test]) -> Compilers:
    """Return the compilers of the tests. Raises SuiteError when one that they need is not installed."""
    if not options.llvm:
        return GCC
    names = {"c": "clang", "c++": "clang++", "fortran": "flang-new"}
    commands = {language: f"{name}-{options.llvm}" for language, name in names.items()}
    for language in sorted({test.language for test in tests}):
        if not shutil.which(commands[language]):
            why = (
                f"{commands[language]} is not installed; install it, or name tests of another language, like c/ or c++/"
            )
            raise SuiteError(why)
    # flang does not look for libomp where clang does
    where = f"-L{libomp(options.llvm, options.build)}"
    return {language: [command, where] for language, command in commands.items()}


def main() -> int:
    """Run, print, and return the exit status."""
    options = parse_arguments()
    host = f"-{options.host}" if options.host else f"-llvm-{options.llvm}" if options.llvm else ""
    output = Output("--report", options.report or options.build / "conformance" / f"report{host}.json", parents=True)

    def progress(done: int, count: int, what: str) -> None:
        print(f"  {what}: {done} of {count}", file=sys.stderr, flush=True)

    try:
        output.check()
        output.claim()
        tests = chosen(list_suite(extract(options.build.absolute())), options)
        commands = compilers(options, tests)
        plan = Plan(
            options.build.absolute(),
            libraries(options),
            options.threads,
            options.jobs,
            options.limit,
            SHARED if options.host else (),
            commands,
            LIBOMP if options.llvm else REFERENCE,
            tomllib.loads(DIFFERENCES.read_text()) if options.llvm else {},
        )
        report = conduct(plan, tests, progress)
    except (SuiteError, LibraryError, OutputError) as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2
    report.remember(options.build / "conformance" / f"{plan.reference}-failures{host}.json")
    for line in report.lines():
        print(line)
    try:
        output.write(report.to_text())
    except OutputError as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2
    return 1 if report.differences() else 0


if __name__ == "__main__":
    sys.exit(main())
