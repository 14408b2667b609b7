# SPDX-License-Identifier: BSD-3-Clause
"""The OpenMP runtime inside ferry-openmp: `make packages-test` runs this, since Cabal takes a minute to compile it."""

from pathlib import Path

from newcomer import OPENMP_MAIN, OPENMP_NAME, OPENMP_PART, Newcomer, archives, home, symbols

__all__ = ["archives", "home"]


def test_the_runtime_inside_is_for_the_program_alone(archives: dict[str, Path], home: Path, tmp_path: Path) -> None:
    """The cabal file names ferry-openmp and -fopenmp; no module of the package is imported. OpenBLAS keeps libgomp."""
    packages = {name: archives[name] for name in ("ferry", "ferry-openmp")}
    newcomer = Newcomer(home, tmp_path, packages, OPENMP_MAIN, OPENMP_PART)
    program = newcomer.build()
    bound = newcomer.bindings(program)
    assert {(who, to) for who, to, _ in bound} == {("libopenblas.so.0", "libgomp.so.1")}
    # the constructor that registers GHC as a co-scheduler is there, though nothing of the package is imported
    assert {"GOMP_parallel", "ferryomp_coscheduler_register", "ferry_coscheduler"} <= symbols(program)
    assert not {name for name in symbols(program, "-D") if OPENMP_NAME.fullmatch(name)}
