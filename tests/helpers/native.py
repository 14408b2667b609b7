# SPDX-License-Identifier: BSD-3-Clause
"""The builds in which native programs are tested, and their environment."""

import os
import re
import subprocess
from collections.abc import Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from paths import BUILD, ROOT

SANITIZED = ("address", "thread")
MAKE_TIMEOUT_S = 900
#: What makes a sanitizer's finding a failure of the program.
SANITIZER_ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_leaks=1:abort_on_error=0:exitcode=99",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1:exitcode=99",
    "TSAN_OPTIONS": "halt_on_error=1:exitcode=99",
}


def builds() -> dict[str, Path]:
    """Every build in which native tests run, by name."""
    return {"plain": BUILD} | {name: BUILD / name for name in SANITIZED}


#: The unit tests of the OpenMP runtime run inside a Haskell program too, but for those that mk/haskell.mk names.
HOSTED = "test_openmp_*"
#: GHC as a co-scheduler makes teams of what is free by default. Tests count on the teams they ask for.
HOSTED_ENVIRONMENT = {"OMP_DYNAMIC": "false"}


@cache
def words_of_make(file: str, variable: str) -> tuple[str, ...]:
    """What a variable of a makefile lists, with the patterns as fnmatch has them."""
    found = re.search(rf"^{variable} := ((?:.*\\\n)*.*)", (ROOT / file).read_text(), re.M)
    assert found
    return tuple(found[1].replace("\\\n", " ").replace("%", "*").split())


def builds_of(program: str) -> dict[str, Path]:
    """Every build in which a native test program runs, by name."""
    hosted = fnmatch(program, HOSTED) and program not in words_of_make("mk/haskell.mk", "UNHOSTED_TESTS")
    found = builds() | ({"ghc": BUILD / "ghc"} if hosted else {})
    if any(fnmatch(program, pattern) for pattern in words_of_make("Makefile", "NO_THREAD_BUILD")):
        del found["thread"]
    return found


def native_environment() -> dict[str, str]:
    """The environment of native test programs, without variables of the user's shell that would change them."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("BATCH_")}
    return clean | SANITIZER_ENVIRONMENT | {"CMOCKA_MESSAGE_OUTPUT": "TAP"}


#: What make is told for a build in a folder of this name.
SETTINGS = {"address": "SANITIZE=address,undefined", "thread": "SANITIZE=thread", "delays": "DELAYS=1"}


def run_make(*arguments: str, build: Path, targets: Sequence[Path]) -> subprocess.CompletedProcess[str]:
    # relative paths, as make names the files, so that make finds the headers on which they depend
    names = [os.path.relpath(path, ROOT) if path.is_relative_to(ROOT) else str(path) for path in (build, *targets)]
    command = ["make", "--no-print-directory", *arguments, f"BUILD={names[0]}", *names[1:]]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=MAKE_TIMEOUT_S, check=False)


def is_stale(program: Path) -> bool:
    """Whether a program of one of the builds is older than a file from which it is made; make decides that.

    With FERRY_STALE=run in the environment no program counts as too old.
    """
    if os.environ.get("FERRY_STALE") == "run":
        return False
    build = program.parents[1]
    # a test inside a Haskell program is a library; the program itself is a link beside it
    target = program.with_name(f"{program.name}.so") if build == BUILD / "ghc" else program
    settings = [SETTINGS[build.name]] if build.name in SETTINGS else []
    build = BUILD if build == BUILD / "ghc" else build
    return run_make("--question", *settings, build=build, targets=[target]).returncode == 1


def make(build: Path, *targets: Path, sanitize: str = "") -> None:
    """Build targets that lie in `build`. A target that is newer than its sources is left alone, as in `make test`."""
    done = run_make(f"SANITIZE={sanitize}", build=build, targets=targets)
    assert done.returncode == 0, done.stdout + done.stderr
