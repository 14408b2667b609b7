# SPDX-License-Identifier: BSD-3-Clause
"""A C program that brings GHC's runtime system up itself, linked with the package: OpenMP before, during and after."""

import os
import subprocess
from pathlib import Path

import pytest
from paths import BUILD, ROOT

SOURCES = ROOT / "tests" / "haskell" / "host"
CASES = ("before-during-after", "during-only", "never-ended", "ends-beside-regions", "forks")
TIMEOUT_S = 900


def compile_program(folder: Path, *arguments: str | Path) -> Path:
    """Have ghc make a program with the package as it was built in the tree, and return it."""
    (database,) = (BUILD / "haskell" / "packagedb").glob("ghc-*")
    command: list[str | Path] = ["ghc", "-v0", "-O", "-Wall", "-Werror", "-outputdir", folder]
    command += ["-package-env", "-", "-package-db", database, "-package", "ferry-openmp"]
    command += ["-optc-fopenmp", "-optc-O2", "-optc-D_GNU_SOURCE", f"-optl-Wl,-rpath,{BUILD}/lib"]
    subprocess.run([*command, *arguments, "-o", folder / "program"], check=True, timeout=TIMEOUT_S)
    return folder / "program"


def build(folder: Path, *options: str) -> Path:
    """Link the C program with what GHC makes of Exported.hs, and return it."""
    return compile_program(folder, "-no-hs-main", *options, SOURCES / "Exported.hs", SOURCES / "host.c")


def run(program: Path, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    cleared = ("OMP_", "GOMP_", "LD_", "GHCRTS")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(cleared)}
    return subprocess.run(
        [program, *arguments], env=kept | variables, capture_output=True, encoding="utf-8", timeout=TIMEOUT_S
    )


@pytest.fixture(scope="module")
def threaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("host"), "-threaded")


@pytest.fixture(scope="module")
def dynamic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("dynamic"), "-threaded", "-dynamic")


@pytest.mark.parametrize("capabilities", [1, 2, 8])
@pytest.mark.parametrize("case", CASES)
def test_openmp_before_during_and_after_haskell(threaded: Path, case: str, capabilities: int) -> None:
    done = run(threaded, case, str(capabilities))
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stdout + done.stderr


@pytest.mark.parametrize("case", CASES)
def test_the_same_with_shared_libraries(dynamic: Path, case: str) -> None:
    needed = subprocess.run(["ldd", dynamic], capture_output=True, encoding="utf-8", check=True).stdout
    assert "libHSferry-" in needed
    assert "libHSrts_thr-" in needed
    done = run(dynamic, case, "2")
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stdout + done.stderr


def test_a_haskell_program_with_shared_libraries(tmp_path: Path) -> None:
    program = compile_program(tmp_path, "-threaded", "-dynamic", SOURCES / "Main.hs")
    done = run(program)
    assert done.stdout.splitlines() == ["499500", "1000", "2"], done.stderr


def test_without_threaded_it_says_what_to_add(tmp_path: Path) -> None:
    program = build(tmp_path)
    done = run(program, "loop-without-threads", "1")
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stdout + done.stderr
    assert "add -threaded to its ghc-options" in done.stderr
    done = run(program, "team-without-threads", "1", OMP_DYNAMIC="false")
    assert done.returncode == 1
    assert "add -threaded to the program's ghc-options" in done.stderr


def test_a_region_and_haskell_leave_no_memory_behind(threaded: Path) -> None:
    """C's heap is what it was after half of the rounds, each with threads that come, use everything, and go."""
    done = run(threaded, "memory", "2")
    assert done.returncode == 0, done.stdout + done.stderr
