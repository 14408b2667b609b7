# SPDX-License-Identifier: BSD-3-Clause
"""Fortran's names of the OpenMP routines, called by programs that gfortran compiled."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from paths import BUILD, ROOT

from openmp.test_openmp_symbols import listed

SOURCES = ROOT / "tests" / "openmp" / "fortran"
OURS = BUILD / "lib" / "gomp"
#: what gfortran compiles for a call of each routine that is not a C function
NAMES = {name.partition("@@")[0] for name in listed() if re.search(r"_@@", name)}
RUN_TIMEOUT_S = 900


def build(folder: Path, name: str, *flags: str | Path) -> Path:
    command: list[str | Path] = [
        "gfortran",
        "-O1",
        "-g",
        "-fopenmp",
        "-Wno-deprecated-declarations",
        "-o",
        folder / name,
    ]
    subprocess.run([*command, SOURCES / f"{name}.f90", *flags], check=True, cwd=folder)
    return folder / name


def run(program: Path, **variables: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not re.match(r"OMP_|GOMP_|LD_", name)}
    done = subprocess.run([program], env=kept | variables, capture_output=True, text=True, timeout=RUN_TIMEOUT_S)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fortran")


@pytest.fixture(scope="module")
def calls(folder: Path) -> Path:
    return build(folder, "omp_lib_calls")


@pytest.fixture(scope="module")
def newer(folder: Path) -> Path:
    """The linker knows the routines of GCC 16 from our library alone."""
    return build(folder, "omp_lib_newer", f"-L{BUILD}/lib", "-lferryomp")


@pytest.mark.parametrize("places", ["", "cores", "{0}"])
def test_every_routine_of_omp_lib_gives_what_libgomp_gives(calls: Path, places: str) -> None:
    variables = {"OMP_NUM_THREADS": "2"} | ({"OMP_PLACES": places} if places else {})
    expected = run(calls, **variables)
    assert "captured" in expected
    assert run(calls, LD_LIBRARY_PATH=str(OURS), **variables) == expected


def test_what_is_newer_than_gcc_12(newer: Path) -> None:
    run(newer, LD_LIBRARY_PATH=f"{OURS}:{BUILD}/lib")


def test_no_routine_is_left_out(calls: Path, newer: Path) -> None:
    called: set[str] = set()
    for program in (calls, newer):
        done = subprocess.run(["nm", "-u", program], capture_output=True, text=True, check=True)
        called |= {line.split()[-1].partition("@")[0] for line in done.stdout.splitlines()}
    assert NAMES - called == set()
