# SPDX-License-Identifier: BSD-3-Clause
"""The C of the libraries, and of their unit tests, compiles for aarch64 without a warning.

`make aarch64-test` runs unit tests there, which takes much longer. This test notices a size, a system call or a header
that only x86-64 has.
"""

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from paths import ROOT

COMPILER = "aarch64-linux-gnu-gcc"
#: The headers of libraries come from this machine; those of the C library come with the compiler.
FLAGS = (
    "-std=gnu11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-Iinclude", "-Isrc", "-Ibench",
    "-Itests", "-pthread", "-fopenmp", "-idirafter", "/usr/include",
)  # fmt: skip
#: The macros of batch.h leave a slot's reserved words out, as those of the original header did.
TEST_FLAGS = ("-Wno-missing-field-initializers",)
FILES_AT_ONCE = 20
#: How many files each pattern finds at least, so that a folder that was moved is noticed.
PATTERNS = {"src/**/*.c": 200, "bench/*.c": 8, "tests/*/unit/*.c": 80}
#: It includes what `ferry bindgen` writes.
LEFT_OUT = {"bench/codec.c"}


def compiled(names: list[str], *flags: str) -> str:
    """Compile the files, as many at a time as there are processors, and return what the compiler says."""

    def some(first: int) -> str:
        command = [COMPILER, *FLAGS, *flags, *names[first : first + FILES_AT_ONCE]]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
        return done.stderr or f"exit status {done.returncode}" * (done.returncode != 0)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return "".join(pool.map(some, range(0, len(names), FILES_AT_ONCE)))


@pytest.mark.skipif(shutil.which(COMPILER) is None, reason="the Debian package gcc-aarch64-linux-gnu is not installed")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_it_compiles_for_aarch64(pattern: str) -> None:
    names = sorted({str(path.relative_to(ROOT)) for path in ROOT.glob(pattern)} - LEFT_OUT)
    assert len(names) >= PATTERNS[pattern]
    assert compiled(names, *(TEST_FLAGS if pattern.startswith("tests/") else ())) == ""
