# SPDX-License-Identifier: BSD-3-Clause
"""Programs of clang run with ours in libomp's place: they print what they print with libomp; and one pool for all."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from paths import BUILD, ROOT

SOURCES = ROOT / "tests" / "openmp" / "kmp"
OURS = BUILD / "lib" / "omp"
CLANG = shutil.which("clang-14")
pytestmark = [
    pytest.mark.skipif(not CLANG, reason="clang-14 is not installed: scripts/deps.sh test"),
    pytest.mark.skipif("SANITIZE" in os.environ, reason="clang's programs are not built with gcc's sanitizers"),
]


def compiled(source: Path, program: Path, *flags: str) -> Path:
    """Compile with clang, C or C++ by the file's name."""
    compiler = "clang++-14" if source.suffix == ".cpp" else "clang-14"
    command: list[str | Path] = [compiler, "-O1", "-fopenmp", "-w", "-o", program, source, "-lm", *flags]
    subprocess.run(command, check=True, timeout=300)
    return program


def output(program: Path, variables: dict[str, str], folder: Path | None = None) -> str:
    """What it prints, with the compiler's own library or the one in a folder."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "LD_"))}
    environment |= variables
    if folder:
        environment["LD_LIBRARY_PATH"] = str(folder)
    done = subprocess.run([program], env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, f"{program} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


@pytest.mark.parametrize("source", ["regions.c", "tasks.cpp"])
def test_a_program_prints_the_same_as_with_libomp(source: str, tmp_path: Path) -> None:
    program = compiled(SOURCES / source, tmp_path / "program")
    for variables in (
        {"OMP_NUM_THREADS": "2"},
        {"OMP_NUM_THREADS": "4", "OMP_CANCELLATION": "true"},
        {"OMP_NUM_THREADS": "3", "OMP_SCHEDULE": "guided,3", "OMP_PROC_BIND": "close"},
    ):
        assert output(program, variables, OURS) == output(program, variables)


@pytest.mark.parametrize("name", ["libomp.so.5", "libomp.so", "libiomp5.so"])
def test_a_drop_in_has_its_name_and_needs_the_runtime(name: str) -> None:
    said = subprocess.run(["readelf", "-dV", OURS / name], capture_output=True, text=True, check=True).stdout
    assert f"soname: [{name}]" in said
    assert "NEEDED)             Shared library: [libferryomp.so.0]" in said
    assert "Name: VERSION" in said


POOL = r"""
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

/* Opens a library and says how many threads the process has after a region of its own and one of the library's. */
int main(int count, char **name)
{
    char line[256];
    int threads = 0;
#pragma omp parallel num_threads(3)
    {}
    for (int i = 1; i < count; i++) {
        void *library = dlopen(name[i], RTLD_NOW | RTLD_LOCAL);
        int (*region)(void) = library ? (int (*)(void))dlsym(library, "region") : NULL;
        if (!region)
            return puts(dlerror()), 1;
        printf("region %d\n", region());
    }
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof(line), status))
        sscanf(line, "Threads: %d", &threads);
    printf("threads %d\n", threads);
}
"""
REGION = r"""
#include <omp.h>
int region(void)
{
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += omp_get_num_threads();
    return sum;
}
"""


def test_code_of_both_compilers_has_one_pool(tmp_path: Path) -> None:
    (tmp_path / "pool.c").write_text(POOL)
    (tmp_path / "region.c").write_text(REGION)
    gcc = tmp_path / "gcc.so"
    subprocess.run(["gcc", "-fopenmp", "-fPIC", "-shared", "-o", gcc, tmp_path / "region.c"], check=True)
    clang = compiled(tmp_path / "region.c", tmp_path / "clang.so", "-fPIC", "-shared")
    intel = tmp_path / "intel.so"
    subprocess.run(
        ["clang-14", "-fopenmp=libiomp5", "-fPIC", "-c", "-o", tmp_path / "i.o", tmp_path / "region.c"], check=True
    )
    subprocess.run(
        ["gcc", "-shared", "-o", intel, tmp_path / "i.o", OURS / "libiomp5.so", BUILD / "lib/libferryomp.so"],
        check=True,
    )
    program = tmp_path / "pool"
    subprocess.run(["gcc", "-fopenmp", "-o", program, tmp_path / "pool.c", "-ldl"], check=True)
    folders = f"{BUILD / 'lib/gomp'}:{OURS}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "LD_"))}
    for order in ([gcc, clang, intel], [intel, clang, gcc]):
        done = subprocess.run(
            [program, *order],
            env=environment | {"LD_LIBRARY_PATH": folders},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.stdout == "region 9\n" * 3 + "threads 3\n", done.stdout + done.stderr
