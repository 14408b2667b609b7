# SPDX-License-Identifier: BSD-3-Clause
"""The Haskell packages as their users meet them: installed, packed, documented, and in the documents."""

import os
import re
import subprocess
import tarfile
from pathlib import Path

import pytest
from paths import BUILD, ROOT

#: The packages for Hackage, and the folder of each.
FOLDERS = {
    name: ROOT / "haskell" / folder
    for name, folder in (("ferry", ""), ("ferry-openmp", "openmp"), ("ferry-directory", "directory"))
}
TIMEOUT_S = 600
PAGES = ("*.md", "docs/**/*.md", "haskell/*.md", "haskell/openmp/*.md", "haskell/directory/*.md")
DOCUMENTS = sorted(path for pattern in PAGES for path in ROOT.glob(pattern))
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
    """What has ghc find the packages as they were built in the tree."""
    (found,) = (BUILD / "haskell" / "packagedb").glob("ghc-*")
    return ["-package-db", str(found), "-package", "ferry", "-package-env", "-"]


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
    """Run cabal with that store, so that nothing comes from elsewhere."""
    command: list[str | Path] = ["cabal", f"--config-file={home}/config", *arguments]
    return check_output(command, folder, CABAL_DIR=str(home), **variables)


class Newcomer:
    """A project of somebody who has installed the packages."""

    def __init__(self, home: Path, folder: Path, packages: dict[str, Path], main: str, part: str = "") -> None:
        self.home, self.folder = home, folder
        (folder / "newcomer.cabal").write_text(CABAL_FILE.replace("@PACKAGES@", ", ".join(packages)) + part)
        project = f"packages: . {' '.join(map(str, packages.values()))}\npackage ferry-openmp\n  shared: False\n"
        (folder / "cabal.project").write_text(project)
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


def test_a_new_project_builds_on_what_is_installed(archives: dict[str, Path], home: Path, tmp_path: Path) -> None:
    """It needs no library of ours and no variable of the environment, and has no OpenMP runtime."""
    where, text = next((where, text) for where, text in programs() if where.startswith("docs/haskell.md"))
    newcomer = Newcomer(home, tmp_path, {"ferry": archives["ferry"]}, text)
    program = newcomer.build()
    assert check_output([program]) == "5.0\n", where
    needed = check_output(["ldd", program])
    assert "libferry" not in needed
    assert "libgomp" not in needed
    assert not {name for name in symbols(program) if OPENMP_NAME.fullmatch(name)}
    logs = [log.read_text() for log in home.glob("logs/**/*ferry*.log")]
    assert logs
    assert not [line for log in logs for line in log.splitlines() if "error:" in line]


def test_a_program_on_ferry_alone_keeps_its_openmp_runtime(
    archives: dict[str, Path], home: Path, tmp_path: Path
) -> None:
    main = OPENMP_MAIN.replace("main = kernel", "main = readFiles [] >> kernel").replace(
        "foreign", "import Ferry.Files\n\nforeign", 1
    )
    newcomer = Newcomer(home, tmp_path, {"ferry": archives["ferry"]}, main, OPENMP_PART + LIBGOMP_PART)
    bound = newcomer.bindings(newcomer.build())
    assert {to for _, to, _ in bound} == {"libgomp.so.1"}
    assert {who for who, _, name in bound if name == "GOMP_parallel"} == {"newcomer", "libopenblas.so.0"}


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


def test_with_the_installed_runtime_openblas_shares_it(
    prefix: Path, archives: dict[str, Path], home: Path, tmp_path: Path
) -> None:
    packages = {name: archives[name] for name in ("ferry", "ferry-openmp")}
    newcomer = Newcomer(home, tmp_path, packages, OPENMP_MAIN, OPENMP_PART)
    libraries = {"PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig", "LD_LIBRARY_PATH": f"{prefix}/lib"}
    program = newcomer.build("--constraint=ferry-openmp +systemlib", **libraries)
    bound = newcomer.bindings(program, LD_LIBRARY_PATH=libraries["LD_LIBRARY_PATH"])
    assert {to for _, to, _ in bound} == {"libferryomp.so.0"}
    assert {who for who, _, name in bound if name == "GOMP_parallel"} == {"newcomer", "libopenblas.so.0"}


def test_the_runtime_inside_is_what_make_builds() -> None:
    versioned = re.search(r"^OMP_VERSIONED := (.*)$", (ROOT / "mk/openmp.mk").read_text(), re.M)
    assert versioned
    left_out = [name.removeprefix("%/").replace(".o", ".c") for name in versioned[1].split()]
    files = {path.relative_to(ROOT / "src").as_posix() for path in ROOT.glob("src/openmp/*/*.c")}
    files = {file for file in files if not any(file.endswith(f"/{name}") for name in left_out)}
    text = (FOLDERS["ferry-openmp"] / "ferry-openmp.cabal").read_text()
    named = set(re.findall(r"^ +core/(openmp/\S+\.c)$", text, re.M))
    assert named == files, "write into ferry-openmp.cabal what src/openmp has"


@pytest.mark.parametrize("name", FOLDERS)
def test_an_archive_has_what_cabal_would_pack(name: str, archives: dict[str, Path], tmp_path: Path) -> None:
    config = f"--config-file={BUILD}/cabal/haskell/config"
    command: list[str | Path] = ["cabal", config, "v2-sdist", "--list-only", f"--builddir={tmp_path}", f":pkg:{name}"]
    listed = check_output(command, FOLDERS["ferry"])
    folder = os.path.relpath(FOLDERS[name], FOLDERS["ferry"])
    wanted = {os.path.relpath(line, folder) for line in listed.splitlines()}
    with tarfile.open(archives[name]) as packed:
        names = {member.name.partition("/")[2] for member in packed if member.isfile()}
        assert all(member.isfile() or member.isdir() for member in packed)
        assert all(member.uid == member.gid == member.mtime == 0 for member in packed)
    assert f"{name}.cabal" in wanted
    assert names == wanted


def test_every_export_is_documented_and_every_link_leads_somewhere() -> None:
    pages = check_output(["scripts/haskell.sh", BUILD, "doc"]).splitlines()
    text = "".join(Path(page).read_text() for page in pages)
    assert {"Ferry.Call", "Ferry.OpenMP", "Ferry.Directory"} <= set(re.findall(r"Ferry\.\w+", text))


def test_comments_that_are_missing_or_lead_nowhere_are_named(tmp_path: Path) -> None:
    for name in ("scripts", "include", "src", "bench", "tests/batch/conformance", "examples", "haskell"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
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
        [tmp_path / "scripts/haskell.sh", tmp_path / "build", "doc", "ferry"],
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
