# SPDX-License-Identifier: BSD-3-Clause
"""The Nim provider: its codecs, what it does with requests, what it refuses to compile, and a library made with it.

Two compilers, two memory managers and two modes make eight ways; four of them have every pair. FERRY_NIM_WAYS=all runs
the eight.
"""

import json
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from ferry.bindgen.reader import read
from native import native_environment
from paths import BUILD, ROOT

UNAVAILABLE = 3
COMPILE_TIMEOUT_S = 300
RUN_TIMEOUT_S = 300
REFUSED = sorted((ROOT / "nim/tests/refused").glob("*.nim"))
LIBRARY = ROOT / "tests/ingress/echo.nim"


class Way(NamedTuple):
    suite: str
    memory: str
    mode: str

    def __str__(self) -> str:
        return "-".join(self)


PAIRS = [
    Way("bookworm", "orc", "danger"),
    Way("bookworm", "refc", "debug"),
    Way("forky", "orc", "debug"),
    Way("forky", "refc", "danger"),
]
ALL = [Way(s, m, k) for s in ("bookworm", "forky") for m in ("orc", "refc") for k in ("debug", "danger")]
WAYS = ALL if os.environ.get("FERRY_NIM_WAYS") == "all" else PAIRS


@cache
def compiler_of(suite: str) -> tuple[Path, str]:
    """Nim of a Debian suite, and why it cannot be had."""
    folder = BUILD / "nim" / suite
    done = subprocess.run(
        ["scripts/nim.sh", suite, folder], capture_output=True, encoding="utf-8", cwd=ROOT, timeout=COMPILE_TIMEOUT_S
    )
    if done.returncode == UNAVAILABLE:
        return folder, done.stderr.strip().splitlines()[-1]
    assert done.returncode == 0, done.stderr
    return folder / "bin/nim", ""


def compiler(suite: str) -> Path:
    path, why = compiler_of(suite)
    if why:
        pytest.skip(why)
    return path


def compile_nim(way: Way, source: Path, output: Path, *more: str) -> Path:
    """Compile a program or a library, without a warning."""
    output.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [
            compiler(way.suite),
            "c",
            "--hints:off",
            "--styleCheck:error",
            "--threads:on",
            f"--mm:{way.memory}",
            *([f"-d:{way.mode}"] if way.mode != "debug" else ["--undef:release"]),
            f"--nimcache:{BUILD}/nim/cache/{way}/{output.name}",
            f"-p:{ROOT}/nim/src",
            f"-p:{ROOT}/tests/ingress",
            f"--passC:-I{ROOT}/include -I{ROOT}/tests/ingress/c/include -I{ROOT}/nim/tests",
            *more,
            f"-o:{output}",
            source,
        ],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        timeout=COMPILE_TIMEOUT_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Warning:" not in done.stdout + done.stderr, done.stdout + done.stderr
    return output


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        env=native_environment() | environment,
        timeout=RUN_TIMEOUT_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize("program", ["wire", "serve"])
def test_program(way: Way, program: str) -> None:
    output = BUILD / "nim/tests" / f"{program}-{way}"
    compile_nim(way, ROOT / f"nim/tests/{program}.nim", output)
    assert "ok" in run(output, FERRY_ROUNDS="25" if way.mode == "debug" else "100")


@pytest.mark.parametrize("way", WAYS[1:3], ids=str)
def test_vectors(way: Way) -> None:
    output = compile_nim(way, ROOT / "nim/tests/vectors.nim", BUILD / "nim/tests" / f"vectors-{way}")
    assert "ok" in run(output, ROOT / "spec/wire")


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_library_conforms(way: Way) -> None:
    """The conformance programs in C++ and C, against the library in Nim; all bindings are of its description."""
    description = BUILD / "nim/lib" / str(way) / "echo.json"
    library = compile_nim(
        way,
        LIBRARY,
        description.parent / "libecho.so",
        f"-d:ferryInterface:{description}",
        f"--passL:-L{BUILD}/lib -lferryingress",
    )
    assert json.loads(description.read_text()) == json.loads((ROOT / "tests/ingress/echo.json").read_text())
    assert read(description).name == "echo"
    host = BUILD / "nim/tests/conformance"
    subprocess.run(
        [
            "g++",
            "-o",
            host,
            BUILD / "obj/tests/ingress/cpp/test_cpp_conformance.o",
            f"-L{library.parent}",
            "-lecho",
            f"-L{BUILD}/lib",
            "-lferryingress",
            "-pthread",
        ],
        check=True,
    )
    output = run(host, LD_LIBRARY_PATH=f"{library.parent}:{BUILD}/lib")
    assert "not ok" not in output
    assert output.count("\nok ") > 10
    for program in ("test_c_conformance", "test_c_conformance_cbor"):
        output = run(BUILD / "tests" / program, LD_LIBRARY_PATH=f"{library.parent}:{BUILD}/lib")
        assert "not ok" not in output
        assert output.count("\nok ") > 10


@pytest.mark.parametrize("source", REFUSED, ids=lambda path: path.stem)
def test_mistake_is_refused(source: Path) -> None:
    """The first line of each says what the compiler has to say about it."""
    expected = source.read_text().splitlines()[0].removeprefix("# refused: ")
    done = subprocess.run(
        [compiler("forky"), "check", "--hints:off", "--threads:on", f"-p:{ROOT}/nim/src", source],
        capture_output=True,
        encoding="utf-8",
        timeout=COMPILE_TIMEOUT_S,
    )
    said = done.stdout + done.stderr
    assert done.returncode != 0, said
    assert [line for line in said.splitlines() if "Error:" in line and expected in line], said


def test_benchmark_prints_the_common_lines() -> None:
    way = Way("forky", "orc", "danger")
    program = compile_nim(way, ROOT / "nim/bench/codec.nim", BUILD / "nim/tests/codec", f"--passC:-I{ROOT}/bench")
    lines = [json.loads(line) for line in run(program, "--repetitions", "1", "--n", "1").splitlines()]
    assert lines[0]["type"] == "machine"
    variants = {line["variant"] for line in lines if line["type"] == "sample"}
    assert {"nim-cbor:echo_request", "nim-c:complex_request", "nim-c:bytes_1m"} <= variants
