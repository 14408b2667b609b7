# SPDX-License-Identifier: BSD-3-Clause
"""The tests of libgomp's testsuite: taken out of Debian's source package into the build folder, listed, classified.

The suite belongs to GCC (GPL) and never enters the repository. A test has an identity `LANGUAGE/PATH`, for example
`c/libgomp.c/barrier-1.c`; what stands in libgomp.c-c++-common is one test in each language. The release is that of the
compiler: gcc 12 compiles the tests of gcc-12-source.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from openmp.conformance.directives import Directives, parse, targets_of

SOURCES = Path("/usr/src")
COMMON = "libgomp.c-c++-common"
FORTRAN_SUFFIXES = (".f", ".f90", ".f95", ".f03", ".f08", ".F", ".F90", ".F95", ".F03", ".F08")
#: language -> (folders, suffixes of the files)
LANGUAGES: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "c": (("libgomp.c", (".c",)), (COMMON, (".c",))),
    "c++": (("libgomp.c++", (".C",)), (COMMON, (".c",))),
    "fortran": (("libgomp.fortran", FORTRAN_SUFFIXES),),
}
WANTED = (
    "*/libgomp/testsuite/libgomp.c/*",
    "*/libgomp/testsuite/libgomp.c++/*",
    "*/libgomp/testsuite/libgomp.fortran/*",
    f"*/libgomp/testsuite/{COMMON}/*",
    "*/libgomp/libgomp_g.h",
    "*/include/gomp-constants.h",
)
#: libgomp's build writes a config.h that one test looks into.
CONFIG_H = "#define HAVE_PTHREAD_AFFINITY_NP 1\n"
TARGET_REGION = re.compile(r"#\s*pragma\s+omp\s+(?:.*\s)?target\b|_Pragma\s*\(\s*\"omp\s+target\b")
FORTRAN_TARGET_REGION = re.compile(r"^\s*[!c*]\$omp\s+(?:.*\s)?target\b", re.M | re.I)
INCLUDE = re.compile(r"""^\s*#?\s*include\s*["']([^"']+)["']""", re.M | re.I)
HOST_KINDS = {"c": "C host", "c++": "C++ host", "fortran": "Fortran host"}
TARGET_KINDS = {"c": "target", "c++": "target", "fortran": "Fortran target"}
KINDS = (*HOST_KINDS.values(), "target", "Fortran target")


class SuiteError(RuntimeError):
    """The suite cannot be had; the message says what to do."""


@dataclass(frozen=True)
class Test:
    """One source file in one language."""

    __test__ = False
    suite: Path
    language: str
    path: str
    targets: frozenset[str]

    @property
    def identity(self) -> str:
        """The name the test is reported by."""
        return f"{self.language}/{self.path}"

    @property
    def file(self) -> Path:
        """Where its source is."""
        return self.suite / "libgomp/testsuite" / self.path

    @cached_property
    def directives(self) -> Directives:
        """What it says about itself."""
        return parse(self.file.read_text(errors="surrogateescape"), self.language, self.targets)

    @property
    def kind(self) -> str:
        """Which of the counts it belongs to."""
        region = FORTRAN_TARGET_REGION if self.language == "fortran" else TARGET_REGION
        is_target = any(region.search(text) for text in texts_of(self.file))
        return (TARGET_KINDS if is_target else HOST_KINDS)[self.language]


def texts_of(file: Path) -> list[str]:
    """Return a file's text and those of what it includes by a quoted name, from folders of the suite."""
    seen: dict[Path, str] = {}
    pending = [file]
    while pending:
        path = pending.pop().resolve()
        if path in seen or not path.is_file():
            continue
        seen[path] = path.read_text(errors="surrogateescape").replace("\\\n", " ")
        pending += [path.parent / name for name in INCLUDE.findall(seen[path])]
    return list(seen.values())


def release() -> str:
    """Return the compiler's major version, such as `12`."""
    done = subprocess.run(["gcc", "-dumpversion"], capture_output=True, text=True, check=True)
    return done.stdout.strip().partition(".")[0]


def extract(build: Path) -> Path:
    """Return the folder with the suite, taking it out of the package's archive when it is not there yet."""
    folder = build / "conformance" / "suite"
    name = f"gcc-{release()}"
    complete = folder / f"{name}.complete"
    if complete.exists():
        return folder
    archives = sorted((SOURCES / name).glob(f"{name}*.tar.xz"))
    if not archives:
        raise SuiteError(f"no {name}*.tar.xz in {SOURCES / name}; run scripts/install/deps.sh conformance")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    command: list[str | Path] = ["tar", "--extract", "--xz", "--strip-components=1", "--directory", folder]
    command += ["--file", archives[0], "--wildcards", *WANTED]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SuiteError(f"tar failed on {archives[0]}:\n{done.stderr}")
    (folder / "libgomp" / "config.h").write_text(CONFIG_H)
    complete.touch()
    return folder


def processor_flags() -> frozenset[str]:
    """Return the flags line of /proc/cpuinfo, as a set."""
    match = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    return frozenset(match[1].split()) if match else frozenset()


def list_suite(suite: Path) -> list[Test]:
    """List every test of the suite, in a fixed order."""
    root = suite / "libgomp/testsuite"
    targets = targets_of(processor_flags())
    return [
        Test(suite, language, path.relative_to(root).as_posix(), targets)
        for language, folders in LANGUAGES.items()
        for folder, suffixes in folders
        for path in sorted(path for path in (root / folder).rglob("*") if path.suffix in suffixes)
    ]
