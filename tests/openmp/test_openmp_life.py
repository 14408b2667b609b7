# SPDX-License-Identifier: BSD-3-Clause
"""How programs and the OpenMP runtime come and go: libraries unloaded, threads that end, exceptions, a static copy."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from paths import BUILD, ROOT

SOURCES = ROOT / "tests" / "openmp" / "life"
OURS = BUILD / "lib" / "gomp"
RUN_TIMEOUT_S = 900

Done = subprocess.CompletedProcess[str]


def run(*command: str | Path, **variables: str) -> Done:
    kept = {name: value for name, value in os.environ.items() if not re.match(r"OMP_|GOMP_|LD_", name)}
    environment = kept | {"LD_LIBRARY_PATH": str(OURS)} | variables
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=RUN_TIMEOUT_S)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("life")
    plugin = ["gcc", "-O1", "-fopenmp", "-shared", "-fPIC", "-o"]
    subprocess.run([*plugin, made / "plugin.so", SOURCES / "plugin.c"], check=True)
    subprocess.run(["gcc", "-O1", "-o", made / "host", SOURCES / "host.c", "-ldl", "-pthread"], check=True)
    subprocess.run(["g++", "-O1", "-fopenmp", "-o", made / "exceptions", SOURCES / "exceptions.cpp"], check=True)
    return made


@pytest.mark.parametrize("wait", ["active", "passive"])
def test_a_library_is_unloaded_while_the_workers_wait(folder: Path, wait: str) -> None:
    done = run(folder / "host", folder / "plugin.so", OMP_WAIT_POLICY=wait)
    assert done.returncode == 0, done.stderr


def test_the_runtime_is_closed_and_stays(folder: Path) -> None:
    done = run(folder / "host", folder / "plugin.so", OURS / "libgomp.so.1")
    assert done.returncode == 0, done.stderr


def test_a_library_with_a_runtime_of_its_own_is_never_unloaded(folder: Path) -> None:
    """As docs/openmp.md says: linked with libferryomp.a, a library needs -z nodelete, because workers sleep in it."""
    plugin = folder / "own.so"
    command: list[str | Path] = ["gcc", "-O1", "-fopenmp", "-shared", "-fPIC", "-o", plugin, SOURCES / "plugin.c"]
    subprocess.run([*command, BUILD / "lib/libferryomp.a", "-Wl,-z,nodelete", "-pthread", "-ldl"], check=True)
    done = run(folder / "host", plugin, OMP_NUM_THREADS="3")
    assert done.returncode == 7, done.stderr


def test_exceptions_are_caught_inside_constructs(folder: Path) -> None:
    done = run(folder / "exceptions")
    assert done.returncode == 0, done.stderr


def test_an_exception_that_leaves_a_region_ends_the_program(folder: Path) -> None:
    done = run(folder / "exceptions", "leave")
    assert done.returncode == -6, done.stderr
    assert "terminate called" in done.stderr
