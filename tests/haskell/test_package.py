# SPDX-License-Identifier: BSD-3-Clause
"""The Haskell packages as their users meet them: installed, packed, documented, and in the documents."""

import os
import re
import subprocess
import tarfile
from pathlib import Path

import pytest
from native import make
from newcomer import (
    FOLDERS,
    LIBGOMP_PART,
    OPENMP_MAIN,
    OPENMP_NAME,
    OPENMP_PART,
    TIMEOUT_S,
    Newcomer,
    archives,
    check_output,
    environment,
    home,
    symbols,
)
from paths import BUILD, ROOT

__all__ = ["archives", "home"]

PAGES = ("*.md", "docs/**/*.md", "haskell/*.md", "haskell/openmp/*.md", "haskell/directory/*.md")
DOCUMENTS = sorted(path for pattern in PAGES for path in ROOT.glob(pattern))


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


def test_the_runtime_inside_is_hidden_from_shared_libraries(tmp_path: Path) -> None:
    """`make packages-test` has the whole of it (tests/haskell/inside.py), which takes Cabal a minute to compile."""
    text = (FOLDERS["ferry-openmp"] / "ferry-openmp.cabal").read_text()
    inside = re.search(r"^  else\n    cc-options:\n((?:      .*\n)+)", text, re.M)
    assert inside
    source = ROOT / "src" / "openmp" / "entry" / "gomp_parallel.c"
    command = ["cc", "-std=gnu11", "-D_GNU_SOURCE", f"-I{ROOT}/src", f"-I{ROOT}/include", *inside[1].split()]
    check_output([*command, "-c", "-o", tmp_path / "object.o", source])
    found = check_output(["readelf", "--symbols", "--wide", tmp_path / "object.o"])
    (parallel,) = re.findall(r"^.* GLOBAL (\w+) +\d+ GOMP_parallel$", found, re.M)
    assert parallel == "HIDDEN"


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
    make(BUILD, BUILD / "lib/pkgconfig/ferryingress.pc", BUILD / "lib/libferryingress.so")
    pages = check_output(["scripts/compile/haskell.sh", BUILD, "doc"]).splitlines()
    text = "".join(Path(page).read_text() for page in pages)
    assert {"Ferry.Call", "Ferry.OpenMP", "Ferry.Directory", "Ferry.Ingress"} <= set(re.findall(r"Ferry\.\w+", text))


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
        [tmp_path / "scripts/compile/haskell.sh", tmp_path / "build", "doc", "ferry"],
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
    options = ["-v0", "-threaded", "-Wall", "-Werror", *package_db()]
    check_output(["ghc", *options, "Main.hs", "-o", "program"], tmp_path, **libraries)
    done = subprocess.run(
        [tmp_path / "program"], capture_output=True, cwd=tmp_path, env=environment() | libraries, timeout=600
    )
    assert done.returncode == 0, f"{where}: {done.stderr.decode()}"
