# SPDX-License-Identifier: BSD-3-Clause
"""Run the tests of LLVM's OpenMP runtime with libomp and with ours: PYTHONPATH=tests python3 -m openmp.llvm

They are taken from Debian's source package into BUILD/conformance and never committed. A test says how it is run in its
RUN lines. Prints the counts, and each test that libomp passes and ours does not, unless differences.toml says why; the
exit status is 1 if there is one. What libomp says of affinity on standard output, ours says on standard error, as
libgomp does; those tests read both.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from openmp.llvm.libomp import clang, libomp

#: clang's major version -> the release of Debian's source package.
RELEASES = {14: "14.0.6", 16: "16.0.6", 19: "19.1.7"}
POOL = "http://deb.debian.org/debian/pool/main/l/llvm-toolchain-{major}/llvm-toolchain-{major}_{release}.orig.tar.xz"
FOLDER = "openmp/runtime"
#: The tests, and the header of the runtime that some of them include.
TAKEN = ("test/", "src/kmp_platform.h")
SUFFIXES = (".c", ".cpp")
#: Tests of what is displayed.
DISPLAYED = "affinity/format/"
DIFFERENCES = Path(__file__).parent / "differences.toml"
RUN = re.compile(r"^\s*(?://|/?\*)\s*RUN:\s*(.*?)\s*$", re.M)
FILE_CHECK = "/usr/lib/llvm-14/bin/FileCheck"
LIBOMP, OURS = "libomp", "ours"


@dataclass(frozen=True)
class Library:
    """A library to run with; None is the compiler's own folder."""

    name: str
    folder: Path


@dataclass(frozen=True)
class Suite:
    """The tests of one release, its compiler and its own library."""

    major: int
    folder: Path
    compiler: Path
    libomp: Path


class SuiteError(RuntimeError):
    """The suite cannot be had; the message says what to do."""


def download(major: int, build: Path) -> Path:
    """Return the folder with the tests, downloading the source package when it is not there yet."""
    if major not in RELEASES:
        raise SuiteError(f"the release of clang {major} is not known; add it to RELEASES in {__file__}")
    folder = build / "conformance" / f"llvm-{major}-runtime"
    if (folder / "complete").exists():
        return folder / "test"
    folder.mkdir(parents=True, exist_ok=True)
    url = POOL.format(major=major, release=RELEASES[major])
    print(f"downloading {url}", file=sys.stderr, flush=True)
    with urllib.request.urlopen(url) as answer, tarfile.open(fileobj=answer, mode="r|xz") as archive:
        for member in archive:
            _, found, path = member.name.partition(f"/{FOLDER}/")
            if found and member.isfile() and path.startswith(TAKEN):
                member.name = path
                archive.extract(member, folder)
    (folder / "complete").touch()
    return folder / "test"


def joined(lines: list[str]) -> Iterator[str]:
    """Yield the commands; one that ends with a backslash goes on in the next line."""
    command = ""
    for line in lines:
        command += line.removesuffix("\\")
        if not line.endswith("\\"):
            yield command
            command = ""


def commands(test: Path, suite: Suite, scratch: Path, library: Library) -> list[str]:
    """Return the shell commands of a test, or none when it is for something else."""
    lines = list(joined(RUN.findall(test.read_text(errors="replace"))))
    major = suite.major
    # omp.h lies beside the compiler's other headers, or where the package was unpacked
    folders = f"-I {suite.folder} -I {suite.folder}/ompt -I {suite.libomp}/clang/{major}/include"
    flags = f"-fopenmp {folders} -L {suite.libomp} -g -w"
    run = f"env LD_LIBRARY_PATH={library.folder}"
    cc, cxx = (f"{suite.compiler}/{name}-{major} {flags}" for name in ("clang", "clang++"))
    product = scratch / "program"
    compile_c, compile_cxx = f"{cc} %s -o %t -lm", f"{cxx} -std=c++14 %s -o %t -lm"
    longest_first = {
        "%libomp-cxx-compile-and-run": f"{compile_cxx} && {run} %t",
        "%libomp-cxx20-compile-and-run": f"{cxx} -std=c++20 %s -o %t -lm && {run} %t",
        "%libomp-irbuilder-compile-and-run": f"{cc} -fopenmp-enable-irbuilder %s -o %t -lm && {run} %t",
        "%libomp-cxx-compile-c": f"{cxx} %s -o %t -lm",
        "%libomp-cxx-compile": compile_cxx,
        "%libomp-c99-compile-and-run": f"{cc} -std=c99 %s -o %t -lm && {run} %t",
        "%libomp-compile-and-run": f"{compile_c} && {run} %t",
        "%libomp-c99-compile": f"{cc} -std=c99 %s -o %t -lm",
        "%libomp-compile": compile_c,
        "%libomp-run": f"{run} %t",
        "%flags-use-compiler-omp-h": "",
        "%clangXX": cxx,
        "%openmp_flags": "",
        "%sort-threads": "sort -n -s",
        "%no-as-needed-flag": "-Wl,--no-as-needed",
        "%clang": cc,
        "%preload-tool": f"env LD_PRELOAD={scratch}/tool.so",
        "%not": "!",
        "%python": sys.executable,
        "%suppression": "",
        "%deallocation": "",
        "%flags": flags,
        "FileCheck": FILE_CHECK,
        "%S": str(test.parent),
        "%s": str(test),
        "%T": str(scratch),
        "%t": str(product),
    }
    for i, line in enumerate(lines):
        if DISPLAYED in test.as_posix():
            line = line.replace(" | %python", " 2>&1 | %python")
        for name, value in longest_first.items():
            end = "" if name in ("%t", "%T") else r"(?![-\w])"
            line = value.join(re.split(re.escape(name) + end, line))
        lines[i] = line
    return lines


def run_test(test: Path, suite: Suite, library: Library, threads: int, limit_s: float) -> str:
    """Run it; return "" when it passed, else why not."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "KMP_", "LD_"))}
    environment["OMP_NUM_THREADS"] = str(threads)
    # for the programs that a test starts by itself
    environment["LD_LIBRARY_PATH"] = str(library.folder)
    with tempfile.TemporaryDirectory() as name:
        lines = commands(test, suite, Path(name), library)
        if not lines:
            return "it has no RUN line"
        script = "set -o pipefail\n" + " &&\n".join(f"{{ {line.replace('env ! ', '! env ')}; }}" for line in lines)
        process = subprocess.Popen(
            ["bash", "-c", script],
            cwd=name,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            said, _ = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return f"it took more than {limit_s:.0f} s"
    lines = said.strip().splitlines() or [""]
    return "" if process.returncode == 0 else f"exit status {process.returncode}: {lines[-1][:200]}"


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="openmp.llvm", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tests", nargs="*", metavar="REGEX", help="only tests whose path contains one of these")
    parser.add_argument("--build", type=Path, default=Path("build"), help="where Ferry was built (default: build)")
    parser.add_argument("--suite", type=Path, help="a folder that has the tests already")
    parser.add_argument("--clang", type=int, default=14, metavar="MAJOR", help="compiler and suite (default: 14)")
    parser.add_argument("--threads", type=int, default=4, help="OMP_NUM_THREADS (default: 4)")
    parser.add_argument("--jobs", type=int, default=2, help="tests run at once (default: 2)")
    parser.add_argument("--limit", type=float, default=300, metavar="SECONDS", help="for one run (default: 300)")
    parser.add_argument("--only", choices=[LIBOMP, OURS], help="run with this library alone")
    parser.add_argument("--lost", action="store_true", help="run with libomp only what fails with ours")
    return parser.parse_args()


def run_named(suite: Suite, options: argparse.Namespace, library: Library, name: str) -> str:
    """Run the test of a name; return what run_test returns."""
    return run_test(suite.folder / name, suite, library, options.threads, options.limit)


def differences(major: int) -> dict[str, str]:
    """Return the tests of a release that are known to fail with ours, each with what is different."""
    with DIFFERENCES.open("rb") as file:
        tables = tomllib.load(file)
    of = {topic: topic.rpartition("-")[2] for topic in tables}
    here = [table for topic, table in tables.items() if of[topic] in (topic, str(major))]
    return {name: why for table in here for name, why in table.items()}


def main() -> int:
    """Run, print, and return the exit status."""
    options = parse_arguments()
    try:
        folder = (options.suite or download(options.clang, options.build)).absolute()
        suite = Suite(options.clang, folder, clang(options.clang, options.build), libomp(options.clang, options.build))
    except (SuiteError, OSError, subprocess.CalledProcessError) as error:
        print(f"openmp.llvm: {error}", file=sys.stderr)
        return 2
    paths = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES)
    names = [path.relative_to(folder).as_posix() for path in paths]
    names = [name for name in names if not options.tests or any(re.search(each, name) for each in options.tests)]
    libraries = [
        Library(OURS, (options.build / "lib" / "gomp").absolute()),
        Library(LIBOMP, suite.libomp),
    ]
    results: dict[str, dict[str, str]] = {}
    for library in libraries:
        if options.only not in (None, library.name):
            continue
        if options.lost and library.name == LIBOMP:
            names = [name for name, why in results[OURS].items() if why]
        with ThreadPoolExecutor(options.jobs) as pool:
            whys = pool.map(partial(run_named, suite, options, library), names)
            results[library.name] = dict(zip(names, whys, strict=True))
    for name, of in results.items():
        print(f"{name}: {sum(not why for why in of.values())} of {len(of)} pass")
    lost = {name: why for name, why in results.get(OURS, {}).items() if why and not results.get(LIBOMP, {}).get(name)}
    listed = differences(options.clang)
    for name, why in lost.items():
        print(f"  {name}: {why}{f' (known: {listed[name]})' if name in listed else ''}")
    for name in listed:
        if results.get(OURS, {}).get(name) == "":
            print(f"  {name} passes; take it out of {DIFFERENCES.name}")
    report = options.build / "conformance" / f"llvm-{options.clang}-{options.threads}-report.json"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text(json.dumps(results, indent=1))
    return 1 if lost.keys() - listed.keys() else 0


if __name__ == "__main__":
    sys.exit(main())
