# SPDX-License-Identifier: BSD-3-Clause
"""End to end with sanitizers: the echo library in Nim, the core, and hosts in C++ and C, all of them instrumented.

Nim's memory is malloc's here, so that AddressSanitizer and valgrind see each block. Once by default, and the
host in C++, which takes half a minute to compile, without ThreadSanitizer; all for FERRY_STRESS_SECONDS each under
`make stress`.
"""

import os
import shutil
import subprocess
import time
from functools import cache
from pathlib import Path

import pytest
from native import make, native_environment
from nim_compiler import Way, compile_nim
from paths import BUILD, ROOT

STRESS_SECONDS = int(os.environ.get("FERRY_STRESS_SECONDS", "0"))
TIMEOUT_S = 900
#: As libraries are built. In a debug build the standard library numbers futures with a global counter of all threads
#: (`currentID` of asyncfutures): a race in what only its debugging reads.
WAY = Way("forky", "orc", "release")
HOSTS = ("test_cpp_conformance", "test_c_conformance", "test_c_conformance_cbor")
SANITIZERS = ("address,undefined", "thread")
#: Threads of the core sleep for good; what they have is `possibly lost`.
LEAKS = ("--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite")
MEMCHECK = ("valgrind", "--quiet", "--error-exitcode=9", *LEAKS)
HAS_VALGRIND = shutil.which("valgrind") is not None


def build_of(sanitizers: str) -> Path:
    """Where what is built with these sanitizers lies; "" for none."""
    return BUILD / sanitizers.split(",")[0] if sanitizers else BUILD


@cache
def library_in_nim(sanitizers: str) -> Path:
    """The folder of the echo library in Nim."""
    build = build_of(sanitizers)
    make(build, build / "lib/libferryingress.so", sanitize=sanitizers)
    flags = f"-fsanitize={sanitizers} -fno-omit-frame-pointer" if sanitizers else ""
    return compile_nim(
        WAY,
        ROOT / "examples/echo/echo.nim",
        build / "nim/malloc/libecho.so",
        "-d:useMalloc",
        f"--passC:-g1 {flags}",
        f"--passL:-L{build}/lib -lferryingress {flags}",
    ).parent


def host(sanitizers: str, name: str) -> Path:
    """A conformance program, built."""
    program = build_of(sanitizers) / "tests" / name
    make(build_of(sanitizers), program, sanitize=sanitizers)
    return program


def run(library: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    program = next(Path(part) for part in command if Path(part).name in HOSTS)
    environment = native_environment() | {"LD_LIBRARY_PATH": f"{library}:{program.parent.parent}/lib"}
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=TIMEOUT_S, check=False)


def hold(library: Path, *command: str | Path) -> None:
    """Run the program, again and again under `make stress`: each time every case is ok, and nothing is found."""
    until = time.monotonic() + STRESS_SECONDS
    while True:
        done = run(library, *command)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "not ok" not in done.stdout, done.stdout
        assert done.stdout.count("\nok ") > 10
        if time.monotonic() >= until:
            break


@pytest.mark.parametrize(
    ("sanitizers", "name"),
    [
        (sanitizers, name)
        for sanitizers in SANITIZERS
        for name in HOSTS
        if STRESS_SECONDS or (sanitizers, name) != ("thread", "test_cpp_conformance")
    ],
)
def test_sanitizers_find_nothing_in_the_library_in_nim(sanitizers: str, name: str) -> None:
    hold(library_in_nim(sanitizers), host(sanitizers, name))


@pytest.mark.skipif(not HAS_VALGRIND, reason="valgrind is not installed (Debian package valgrind)")
@pytest.mark.parametrize("name", HOSTS)
def test_valgrind_finds_nothing_in_a_host(name: str) -> None:
    program = host("", name)
    hold(BUILD / "lib/echo-cpp", *MEMCHECK, program)


if STRESS_SECONDS:

    @pytest.mark.skipif(not HAS_VALGRIND, reason="valgrind is not installed (Debian package valgrind)")
    @pytest.mark.parametrize("name", HOSTS)
    def test_valgrind_finds_nothing_in_the_library_in_nim(name: str) -> None:
        hold(library_in_nim(""), *MEMCHECK, host("", name))

    @pytest.mark.parametrize("name", HOSTS)
    @pytest.mark.parametrize("library", ["cpp", "nim"])
    def test_the_plain_host_holds(library: str, name: str) -> None:
        program = host("", name)
        hold(BUILD / "lib/echo-cpp" if library == "cpp" else library_in_nim(""), program)
