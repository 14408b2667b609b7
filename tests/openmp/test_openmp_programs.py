# SPDX-License-Identifier: BSD-3-Clause
"""Real programs, unchanged: each gives the same with our runtime in libgomp's place as with libgomp.

`make programs` installs what they need and runs this; elsewhere a program that is not there is skipped. A wheel of PyPI
brings a libgomp of its own and its path comes before LD_LIBRARY_PATH, so ours is preloaded there.
"""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from paths import BUILD, ROOT

SOURCES = ROOT / "bench" / "openmp" / "programs"
LEARN_PYTHON = BUILD / "programs" / "venv" / "bin" / "python"
MKL = BUILD / "programs" / "venv" / "lib" / "libmkl_rt.so.3"
OURS = Path(os.environ.get("FERRY_OPENMP", BUILD / "lib" / "gomp")).absolute()
FOREIGN = re.compile(r"(OMP|GOMP|KMP)_|LD_(LIBRARY_PATH|PRELOAD)$")
TIMEOUT_S = 900
FORKS = 1000
FORKS_TIMEOUT_S = 3600


@dataclass(frozen=True)
class Case:
    """A program: what must be there, how it is compiled (`{out}` is the program) and run."""

    name: str
    needs: tuple[str | Path, ...]
    run: tuple[str | Path, ...]
    compile: tuple[str | Path, ...] = ()
    preload: bool = False


CASES = (
    Case(
        "numpy",
        ("/usr/lib/python3/dist-packages/numpy", "/usr/lib/x86_64-linux-gnu/openblas-openmp/libblas.so.3"),
        ("/usr/bin/python3", SOURCES / "blas.py"),
    ),
    Case("torch", ("/usr/lib/python3/dist-packages/torch",), ("/usr/bin/python3", SOURCES / "network.py")),
    Case("scikit-learn", (LEARN_PYTHON,), (LEARN_PYTHON, SOURCES / "learn.py"), preload=True),
    # R's own script puts the system's folders before ours
    Case(
        "data.table",
        ("/usr/lib/R/site-library/data.table",),
        ("/usr/bin/Rscript", SOURCES / "table.R"),
        preload=True,
    ),
    Case("mkl", (LEARN_PYTHON, MKL), (LEARN_PYTHON, SOURCES / "mkl.py"), preload=True),
    Case(
        "fftw",
        ("/usr/include/fftw3.h",),
        ("{out}",),
        ("gcc", "-O2", "-fopenmp", "-o", "{out}", SOURCES / "transform.c", "-lfftw3_omp", "-lfftw3", "-lm"),
    ),
    Case(
        "imagemagick",
        # not what else may be called so
        ("/usr/bin/convert",),
        (
            "/usr/bin/convert",
            "-seed",
            "1",
            "rose:",
            "-resize",
            "700x700",
            "-blur",
            "0x6",
            "-rotate",
            "17",
            "-format",
            "%#",
            "info:",
        ),
    ),
    Case(
        "mpi",
        ("mpicc", "mpirun"),
        ("mpirun", "-n", "2", "--allow-run-as-root", "--oversubscribe", "{out}"),
        ("mpicc", "-O2", "-fopenmp", "-o", "{out}", SOURCES / "hybrid.c"),
    ),
)


def output_with(folder: Path | None, case: Case, command: list[str], threads: int, log: Path) -> str:
    """Run a program and return what it printed; with a folder, make sure that its library was the one that started."""
    clean = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
    clean |= {"OMP_NUM_THREADS": str(threads), "MAGICK_THREAD_LIMIT": str(threads), "OMP_DYNAMIC": "false"}
    clean |= {"NUMBA_NUM_THREADS": str(threads)}
    if folder:
        clean |= {"LD_LIBRARY_PATH": str(folder), "LD_DEBUG": "libs", "LD_DEBUG_OUTPUT": str(log)}
        clean |= {"LD_PRELOAD": str(folder / "libgomp.so.1")} if case.preload else {}
    done = subprocess.run(command, env=clean, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stdout}\n{done.stderr}"
    if folder:
        started = "".join(file.read_text(errors="replace") for file in log.parent.glob(f"{log.name}.*"))
        assert f"calling init: {folder / 'libgomp.so.1'}" in started, "the program did not load our library"
    return done.stdout


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_program_gives_the_same_as_with_libgomp(case: Case, threads: int, tmp_path: Path) -> None:
    if not (OURS / "libgomp.so.1").exists() and not (ROOT / "src" / "openmp").is_dir():
        pytest.skip("this tree has no OpenMP runtime (src/openmp)")
    missing = [need for need in case.needs if not shutil.which(need) and not Path(need).exists()]
    if missing:
        pytest.skip(f"{missing[0]} is not installed; `make programs` installs it")
    program = tmp_path / case.name
    if case.compile:
        compiler = [str(word).format(out=program) for word in case.compile]
        subprocess.run(compiler, check=True, timeout=TIMEOUT_S)
    command = [str(word).format(out=program) for word in case.run]
    expected = output_with(None, case, command, threads, tmp_path / "log")
    assert expected.strip()
    assert output_with(OURS, case, command, threads, tmp_path / "log") == expected


def names(library: Path, which: str) -> set[str]:
    """The names that a library defines (--defined-only) or asks for (--undefined-only)."""
    done = subprocess.run(["nm", "-D", which, library], capture_output=True, text=True, check=True)
    return {line.split()[-1].partition("@")[0] for line in done.stdout.splitlines()}


def test_every_name_that_mkl_takes_from_its_runtime_is_in_ours() -> None:
    """A name that is missing ends the process only when it is called."""
    if not MKL.exists():
        pytest.skip(f"{MKL} is not there; `make programs` installs it")
    intels = names(MKL.with_name("libiomp5.so"), "--defined-only")
    wanted = names(MKL.with_name("libmkl_intel_thread.so.3"), "--undefined-only") & intels
    assert "__kmpc_fork_call" in wanted
    assert wanted - names(OURS / "libgomp.so.1", "--defined-only") == set()


def test_code_of_intel_numba_and_scikit_learn_have_one_pool(tmp_path: Path) -> None:
    """Each brings a runtime of its own, or asks for the system's; preloaded, ours serves them all."""
    if not MKL.exists():
        pytest.skip(f"{MKL} is not there; `make programs` installs it")
    case = next(case for case in CASES if case.name == "mkl")
    command = [*map(str, case.run), "pool"]
    theirs, ours = (json.loads(output_with(each, case, command, 4, tmp_path / "log")) for each in (None, OURS))
    assert theirs["threads"] > 3, "they share one already"
    assert ours["threads"] == 3
    assert [file for file in ours["runtimes"] if "libiomp5" in file] == []


@pytest.mark.parametrize("library", ["scikit-learn", "lightgbm", "xgboost", "faiss"])
def test_children_use_a_library_that_the_parent_has_used(library: str) -> None:
    """With libgomp the first child waits for ever for workers that only the parent has."""
    if not LEARN_PYTHON.exists():
        pytest.skip(f"{LEARN_PYTHON} is not there; `make programs` installs it")
    clean = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
    done = subprocess.run(
        [LEARN_PYTHON, "-W", "ignore", SOURCES / "forks.py", library, str(FORKS)],
        env=clean | {"LD_PRELOAD": str(OURS / "libgomp.so.1")},
        capture_output=True,
        text=True,
        timeout=FORKS_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == f"{FORKS} children, 0 failed"
