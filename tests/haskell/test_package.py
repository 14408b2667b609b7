# SPDX-License-Identifier: BSD-3-Clause
"""The Haskell package as its users meet it: installed, packed, documented, and in the documents."""

import os
import re
import subprocess
import tarfile
from pathlib import Path

import pytest
from paths import BUILD, ROOT

PACKAGE = ROOT / "haskell"
TIMEOUT_S = 600
DOCUMENTS = sorted(path for pattern in ("*.md", "docs/**/*.md") for path in ROOT.glob(pattern))

CABAL_FILE = """\
cabal-version: 3.0
name: newcomer
version: 1
build-type: Simple

executable newcomer
  default-language: Haskell2010
  main-is: Main.hs
  build-depends: base, ferry
  ghc-options: -Wall -threaded
"""

#: The same with C of its own that is compiled with -fopenmp, and OpenBLAS.
OPENMP_CABAL_FILE = (
    CABAL_FILE
    + """\
  c-sources: kernel.c
  cc-options: -O2 -fopenmp
  pkgconfig-depends: openblas
"""
)
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


def check_output(command: list[str | Path], cwd: Path = ROOT, **variables: str) -> str:
    done = subprocess.run(
        command, capture_output=True, encoding="utf-8", env=environment() | variables, timeout=TIMEOUT_S, cwd=cwd
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def programs() -> list[tuple[str, str]]:
    """Every whole Haskell program of the documents, as (where it stands, its text)."""
    found = []
    for document in DOCUMENTS:
        for number, text in enumerate(re.findall(r"^```haskell\n(.*?)^```", document.read_text(), re.M | re.S), 1):
            if re.search(r"^main ::", text, re.M):
                found.append((f"{document.relative_to(ROOT)}#{number}", text))
    return found


def package_db() -> list[str]:
    """What has ghc find the package as it was built in the tree."""
    (found,) = (BUILD / "haskell" / "packagedb").glob("ghc-*")
    return ["-package-db", str(found), "-package", "ferry", "-package-env", "-"]


@pytest.fixture(scope="module")
def archive(prefix: Path) -> Path:
    """The package that is installed."""
    (found,) = (prefix / "share" / "ferry").glob("ferry-*.tar.gz")
    return found


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's own cabal, with no package source; what one project has built of the archive, the next one finds."""
    folder = tmp_path_factory.mktemp("cabal")
    (folder / "config").write_text("active-repositories: :none\n")
    return folder


def cabal(home: Path, folder: Path, *arguments: str, **variables: str) -> str:
    """Run cabal with that store, so that nothing comes from elsewhere."""
    command: list[str | Path] = ["cabal", f"--config-file={home}/config", *arguments]
    return check_output(command, folder, CABAL_DIR=str(home), **variables)


def test_a_new_project_builds_on_what_is_installed(prefix: Path, archive: Path, home: Path, tmp_path: Path) -> None:
    where, text = next((where, text) for where, text in programs() if where.startswith("docs/haskell.md"))
    (tmp_path / "newcomer.cabal").write_text(CABAL_FILE)
    (tmp_path / "cabal.project").write_text(f"packages: . {archive}\n")
    (tmp_path / "Main.hs").write_text(text)
    libraries = {"PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig", "LD_LIBRARY_PATH": f"{prefix}/lib"}
    cabal(home, tmp_path, "v2-build", "--offline", "all", **libraries)
    ran = cabal(home, tmp_path, "v2-run", "--offline", "-v0", "newcomer", **libraries)
    assert ran == "5.0\n", where
    program = cabal(home, tmp_path, "list-bin", "--offline", "-v0", "newcomer", **libraries).strip()
    needed = check_output(["ldd", program], LD_LIBRARY_PATH=f"{prefix}/lib")
    assert f"{prefix}/lib/libferry.so.0" in needed


def test_openmp_of_a_new_project_and_of_openblas_is_ours(
    prefix: Path, archive: Path, home: Path, tmp_path: Path
) -> None:
    """The cabal file names ferry, -fopenmp and OpenBLAS; no module of ferry is imported."""
    (tmp_path / "newcomer.cabal").write_text(OPENMP_CABAL_FILE)
    (tmp_path / "cabal.project").write_text(f"packages: . {archive}\n")
    (tmp_path / "Main.hs").write_text(OPENMP_MAIN)
    (tmp_path / "kernel.c").write_text(OPENMP_KERNEL)
    libraries = {"PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig", "LD_LIBRARY_PATH": f"{prefix}/lib"}
    cabal(home, tmp_path, "v2-build", "--offline", "all", **libraries)
    program = cabal(home, tmp_path, "list-bin", "--offline", "-v0", "newcomer", **libraries).strip()
    debug = {"LD_DEBUG": "bindings", "LD_DEBUG_OUTPUT": str(tmp_path / "log"), "OMP_NUM_THREADS": "2"}
    assert check_output([program], tmp_path, LD_LIBRARY_PATH=f"{prefix}/lib", **debug) == "2.7e7\n"
    log = "".join(file.read_text(errors="replace") for file in tmp_path.glob("log.*"))
    bound = re.findall(r"binding file (\S+) \[0\] to (\S+) \[0\]: normal symbol `((?:GOMP|omp)_\w+)'", log)
    assert {to for _, to, _ in bound} == {f"{prefix}/lib/libferryomp.so.0"}
    assert {Path(who).name for who, _, symbol in bound if symbol == "GOMP_parallel"} == {"newcomer", "libopenblas.so.0"}
    # the constructor that registers GHC as a co-scheduler is there, though nothing of the package is imported
    assert "normal symbol `ferryomp_coscheduler_register'" in log


def test_the_archive_has_what_cabal_would_pack(archive: Path, tmp_path: Path) -> None:
    config = f"--config-file={BUILD}/cabal/haskell/config"
    listed = check_output(["cabal", config, "v2-sdist", "--list-only", f"--builddir={tmp_path}"], PACKAGE)
    wanted = {os.path.normpath(name) for name in listed.splitlines()}
    with tarfile.open(archive) as packed:
        names = {member.name.partition("/")[2] for member in packed if member.isfile()}
        assert all(member.isfile() or member.isdir() for member in packed)
        assert all(member.uid == member.gid == member.mtime == 0 for member in packed)
    assert "ferry.cabal" in wanted
    assert names == wanted


def test_every_export_is_documented_and_every_link_leads_somewhere() -> None:
    page = check_output(["scripts/haskell.sh", BUILD, "doc"]).strip()
    assert "Ferry.Call" in Path(page).read_text()


def test_comments_that_are_missing_or_lead_nowhere_are_named(tmp_path: Path) -> None:
    for name in ("scripts", "include", "bench", "examples", "haskell"):
        check_output(["cp", "-a", ROOT / name, tmp_path / name])
    run = tmp_path / "haskell" / "src" / "Ferry" / "Run.hs"
    text = run.read_text()
    for comment, spoilt in (
        (r"^-- \| Run a prepared program and read nothing\.$", ""),
        (r"^-- \| Set a parameter for the runs that follow\.", "-- | See 'noSuchThing'."),
    ):
        text, count = re.subn(comment, spoilt, text, flags=re.M)
        assert count == 1
    run.write_text(text)
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "lib").symlink_to(BUILD / "lib")
    done = subprocess.run(
        [tmp_path / "scripts/haskell.sh", tmp_path / "build", "doc"],
        capture_output=True,
        encoding="utf-8",
        env=environment(),
        timeout=TIMEOUT_S,
    )
    assert done.returncode == 1
    assert "noSuchThing" in done.stderr
    assert "runPrepared_" in done.stderr


@pytest.mark.parametrize(("where", "text"), programs(), ids=lambda value: value if "#" in value[:60] else "")
def test_a_program_of_the_documents_runs(where: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "Main.hs").write_text(text)
    # ghc loads the package too, for Template Haskell
    libraries = {"LD_LIBRARY_PATH": f"{BUILD}/lib"}
    check_output(["ghc", "-v0", "-Wall", "-Werror", *package_db(), "Main.hs", "-o", "program"], tmp_path, **libraries)
    done = subprocess.run([tmp_path / "program"], capture_output=True, env=environment() | libraries, timeout=600)
    assert done.returncode == 0, f"{where}: {done.stderr.decode()}"
