# SPDX-License-Identifier: BSD-3-Clause
"""The echo library in other languages than Nim: the conformance programs of every host hold against each.

The programs in C and C++ run with the library's sanitized builds too.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import haskell_library
import pytest
from native import make, native_environment
from paths import BUILD, GO, ROOT

#: Language of the library -> where it lies in a build.
LIBRARIES = {
    "c": Path("lib/echo-c/libecho.so"),
    "haskell": haskell_library.LIBRARY,
    "rust": Path("lib/echo-rust/libecho.so"),
    "rust-attributes": Path("lib/echo-rust-attributes/libecho.so"),
}
#: Programs that run with any libecho.so, and how many of their cases pass, or are skipped, at least.
HOSTS = {
    "test_cpp_chains": 1,
    "test_cpp_conformance": 11,
    "test_cpp_life_cycle": 6,
    "test_cpp_lives": 6,
    "test_c_chains": 1,
    "test_c_conformance": 11,
    "test_c_conformance_cbor": 11,
    "test_c_life_cycle": 5,
    "test_c_streams": 3,
}
#: What a library cannot do, by where it lies: GHC's runtime system does not run in a forked child.
REFUSED = {
    "echo-haskell": {"a_forked_child_uses_contexts_of_its_own", "what_was_the_parents_can_be_dropped_in_a_child"},
}
#: Programs that have such cases.
WITH_CHILDREN = {"test_cpp_life_cycle", "test_c_life_cycle"}
#: What tells a program of such a library.
SETTINGS: dict[str, dict[str, Any]] = {"echo-haskell": {"ECHO_NOT_IN_CHILDREN": "1"}}
SANITIZERS = {"address": "address,undefined", "thread": "thread"}
SECONDS = 600


@pytest.fixture(scope="module", params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> Path:
    """The library, built."""
    if request.param == "haskell" and haskell_library.why_no_ghc():
        pytest.skip(haskell_library.why_no_ghc())
    path = BUILD / LIBRARIES[request.param]
    make(BUILD, path)
    return path


def run(*command: str | Path, cwd: Path = ROOT, status: int = 0, **environment: str | Path) -> str:
    done = subprocess.run(
        list(map(str, command)),
        capture_output=True,
        text=True,
        cwd=cwd,
        env=native_environment() | {name: str(value) for name, value in environment.items()},
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == status, done.stdout[-6000:] + done.stderr[-6000:]
    return done.stdout


def refused_of(library: Path, lines: list[str]) -> set[str]:
    """Return the cases that do not pass, which are just those that the program has and the library cannot do."""
    cases = [found.groups() for line in lines if (found := re.match(r"(ok|not ok) \d+ - (\w+)", line))]
    failed = {name for result, name in cases if result != "ok"}
    assert failed == REFUSED.get(library.parent.name, set()) & {name for _, name in cases}
    return failed


def hold(build: Path, library: Path, name: str) -> None:
    program = build / "tests" / name
    make(build, program, sanitize=SANITIZERS.get(build.name, ""))
    refused = library.parent.name in REFUSED and name in WITH_CHILDREN
    output = run(
        program, status=1 if refused else 0, LD_LIBRARY_PATH=f"{library.parent}:{build}/lib",
        **SETTINGS.get(library.parent.name, {}),
    )  # fmt: skip
    lines = output.splitlines()
    assert bool(refused_of(library, lines)) == refused
    # a case that cannot run with ThreadSanitizer says so
    assert sum(line.startswith("ok ") or "# SKIP " in line for line in lines) >= HOSTS[name]


@pytest.mark.parametrize("name", HOSTS)
def test_native_hosts_call_it(library: Path, name: str) -> None:
    hold(BUILD, library, name)


@pytest.mark.parametrize("name", ["test_c_conformance", "test_c_conformance_cbor", "test_c_streams"])
@pytest.mark.parametrize("sanitizer", SANITIZERS)
def test_sanitizers_find_nothing_in_the_library_in_c(sanitizer: str, name: str) -> None:
    build = BUILD / sanitizer
    library = build / LIBRARIES["c"]
    make(build, library, sanitize=SANITIZERS[sanitizer])
    hold(build, library, name)


def test_the_host_in_rust_calls_it(library: Path) -> None:
    program = BUILD / "rust" / "debug" / "echo-conformance"
    refused = library.parent.name in REFUSED
    output = run(program, status=1 if refused else 0, LD_LIBRARY_PATH=f"{library.parent}:{BUILD}/lib")
    lines = output.splitlines()[1:]
    assert len(lines) >= 30
    assert bool(refused_of(library, lines)) == refused


def test_the_host_in_python_calls_it(library: Path) -> None:
    script = ROOT / "tests" / "ingress" / "test_echo_python.py"
    # a build that is new enough is checked by the tests that call the library in Nim
    output = run(sys.executable, "-m", "pytest", "-q", script, ECHO_LIBRARY=library, FERRY_STALE="run")
    assert "passed" in output
    assert " 0 failed" in output


def test_the_host_in_go_calls_it(library: Path) -> None:
    output = run(
        GO, BUILD, "test", "-v", "-count=1", ".",
        cwd=ROOT / "tests" / "ingress" / "go", ECHO_LIBRARY=library, HOME=os.environ.get("HOME", "/root"),
    )  # fmt: skip
    assert output.count("    --- PASS: Test/") >= 50
