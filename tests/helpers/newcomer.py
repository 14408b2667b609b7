# SPDX-License-Identifier: BSD-3-Clause
"""A project of somebody who has installed the Haskell packages."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from paths import ROOT

#: The packages for Hackage, and the folder of each.
FOLDERS = {
    name: ROOT / "haskell" / folder
    for name, folder in (("ferry", ""), ("ferry-openmp", "openmp"), ("ferry-directory", "directory"))
}
TIMEOUT_S = 600
#: What an OpenMP runtime is called by.
OPENMP_NAME = re.compile(r"(GOMP_|omp_|kmp_|__kmpc_|ferryomp_)\w+")

CABAL_FILE = """\
cabal-version: 3.0
name: newcomer
version: 1
build-type: Simple

executable newcomer
  default-language: Haskell2010
  main-is: Main.hs
  build-depends: base, @PACKAGES@
  ghc-options: -Wall -threaded
"""

#: Added to it: C of its own that is compiled with -fopenmp, and OpenBLAS.
OPENMP_PART = """\
  c-sources: kernel.c
  cc-options: -fopenmp
  pkgconfig-depends: openblas
"""
#: And the C compiler's own runtime.
LIBGOMP_PART = "  extra-libraries: gomp\n"
OPENMP_MAIN = """\
module Main (main) where

foreign import ccall safe "kernel" kernel :: Int -> IO Double

main :: IO ()
main = kernel 300 >>= print
"""
OPENMP_KERNEL = """\
#include <cblas.h>
#include <omp.h>
#include <stdlib.h>

/* The sum of all elements of a product of two matrices of ones. */
double kernel(long size)
{
    double *ones = malloc((size_t)(size * size) * sizeof(double));
    double *product = malloc((size_t)(size * size) * sizeof(double));
    double sum = 0;
    int n = (int)size;

#pragma omp parallel for
    for (long i = 0; i < size * size; i++)
        ones[i] = 1;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, ones, n, ones, n, 0, product, n);
#pragma omp parallel for reduction(+ : sum)
    for (long i = 0; i < size * size; i++)
        sum += product[i];
    free(ones);
    free(product);
    return omp_get_num_threads() * sum;
}
"""


def environment() -> dict[str, str]:
    """This environment, without what a make above has left in it."""
    kept = {name: value for name, value in os.environ.items() if not re.match(r"MAKE|MFLAGS|FERRY_|GHC_", name)}
    return kept | {"LC_ALL": "C.UTF-8"}


def succeed(command: list[str | Path], cwd: Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", env=environment() | variables, timeout=TIMEOUT_S, cwd=cwd
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done


def check_output(command: list[str | Path], cwd: Path = ROOT, **variables: str) -> str:
    return succeed(command, cwd, **variables).stdout


@pytest.fixture(scope="module")
def archives(prefix: Path) -> dict[str, Path]:
    """The packages that are installed."""
    return {name: next((prefix / "share" / "ferry").glob(f"{name}-[0-9]*.tar.gz")) for name in FOLDERS}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's own cabal, with no package source; what one project has built of an archive, the next one finds."""
    folder = tmp_path_factory.mktemp("cabal")
    (folder / "config").write_text("active-repositories: :none\n")
    return folder


def cabal(home: Path, folder: Path, *arguments: str, **variables: str) -> str:
    """Run cabal with that store, so that nothing comes from elsewhere. It says of nothing that it is an error."""
    command: list[str | Path] = ["cabal", f"--config-file={home}/config", *arguments]
    done = succeed(command, folder, CABAL_DIR=str(home), **variables)
    assert not [line for line in (done.stdout + done.stderr).splitlines() if "error:" in line]
    return done.stdout


class Newcomer:
    """A project of somebody who has installed the packages."""

    def __init__(self, home: Path, folder: Path, packages: dict[str, Path], main: str, part: str = "") -> None:
        self.home, self.folder = home, folder
        (folder / "newcomer.cabal").write_text(CABAL_FILE.replace("@PACKAGES@", ", ".join(packages)) + part)
        # make packages-test builds them as they are; here it is a matter of seconds
        options = "package *\n  optimization: False\npackage ferry-openmp\n  shared: False\n"
        (folder / "cabal.project").write_text(f"packages: . {' '.join(map(str, packages.values()))}\n{options}")
        (folder / "Main.hs").write_text(main)
        (folder / "kernel.c").write_text(OPENMP_KERNEL)

    def build(self, *options: str, **variables: str) -> Path:
        """Build the program, and return it."""
        cabal(self.home, self.folder, "v2-build", "--offline", *options, "all", **variables)
        found = cabal(self.home, self.folder, "list-bin", "--offline", "-v0", *options, "newcomer", **variables)
        return Path(found.strip())

    def bindings(self, program: Path, **variables: str) -> set[tuple[str, str, str]]:
        """Run a program with OpenMP; which file got which function of an OpenMP runtime, and from which file."""
        debug = {"LD_DEBUG": "bindings", "LD_DEBUG_OUTPUT": str(self.folder / "log"), "OMP_NUM_THREADS": "2"}
        assert check_output([program], self.folder, **debug, **variables) == "2.7e7\n"
        log = "".join(file.read_text(errors="replace") for file in self.folder.glob("log.*"))
        bound = re.findall(r"binding file (\S+) \[0\] to (\S+) \[0\]: normal symbol `(\w+)'", log)
        return {(Path(who).name, Path(to).name, name) for who, to, name in bound if OPENMP_NAME.fullmatch(name)}


def symbols(program: Path, *options: str) -> set[str]:
    """The names in a program."""
    return {line.split()[-1] for line in check_output(["nm", *options, program]).splitlines()}
