# SPDX-License-Identifier: BSD-3-Clause
"""make install: staged under DESTDIR and moved, found by pkg-config and CMake, run, and free of the build's paths."""

import re
import subprocess
from pathlib import Path

import pytest
from installed import check_output, environment, install
from paths import ROOT, VERSION

#: While the major version is 0, a minor version is compatible only with itself.
SERIES = VERSION.rpartition(".")[0]
PROGRAMS = sorted(path.stem for path in (ROOT / "examples" / "c").iterdir() if path.is_dir() or path.suffix == ".c")
#: a file, or every file of a folder
BENCHES = sorted(
    {path.stem for path in (ROOT / "bench").glob("*.c")}
    | {path.parent.name for path in (ROOT / "bench").glob("*/*.c")}
    | {"codec-cpp", "codec-nim", "ingress-cpp"}
)
HASKELL_FOLDERS = ("haskell/bench", "haskell/directory/bench", "examples/haskell")
PACKAGES = [package for folder in HASKELL_FOLDERS for package in (ROOT / folder).glob("*.cabal")]
HASKELL = [name for package in PACKAGES for name in re.findall(r"^executable (\S+)", package.read_text(), re.M)]
HASKELL_BENCHES = [name.removeprefix("bench-") for name in HASKELL if name.startswith("bench-")]
HASKELL_PROGRAMS = [name for name in HASKELL if not name.startswith(("bench-", "example-"))]

PROGRAM = r"""
#include <stdio.h>
#include <ferry/batch.h>

int main(void)
{
	struct batch_slot slots[] = { scall0(getppid, 0, 0, 0) };
	long rets[1];

	if (batch_run(&batch_executor_loop, rets, slots, 1, 0, NULL) != 0 || rets[0] <= 0)
		return 1;
	puts(ferry_version());
	return 0;
}
"""

COMPAT_PROGRAM = r"""
#include <linux/batch.h>

int main(void)
{
	syscall_t one = scall0(getppid, 0, 0, 0);
	long r = 0;

	return batch(&r, &one, 1, 0, 0) != 0 || r <= 0;
}
"""

CMAKE_LISTS = """
cmake_minimum_required(VERSION 3.18)
project(user C)
find_package(ferry {version} REQUIRED)
add_executable(shared program.c)
target_link_libraries(shared ferry::ferry)
add_executable(static program.c)
target_link_libraries(static ferry::ferry-static)
add_executable(compat compat.c)
target_link_libraries(compat ferry::compat)
"""


def compile_program(folder: Path, text: str, flags: str) -> Path:
    source = folder / "program.c"
    source.write_text(text)
    check_output(["cc", "-Wall", "-Werror", "-o", folder / "program", source, *flags.split()])
    return folder / "program"


def test_everything_is_where_it_belongs(stage: Path) -> None:
    usr = stage / "usr"
    assert [path.name for path in stage.iterdir()] == ["usr"]
    assert sorted(path.name for path in (usr / "bin").iterdir()) == sorted(
        ["ferry", "ferry-serve", *PROGRAMS, *HASKELL_PROGRAMS]
    )
    assert sorted(path.name for path in (usr / "lib/ferry/bench").iterdir()) == sorted([*BENCHES, *HASKELL_BENCHES])
    assert list((usr / "lib/ferry").glob("gcc-*/libferry_gcc.so"))
    assert (usr / "lib/pkgconfig/ferrynetwork.pc").is_file()
    assert (usr / "lib/libferrynetwork.so").resolve().name == f"libferrynetwork.so.{VERSION}"
    archives = {f"{name}-{VERSION}.tar.gz" for name in ("ferry", "ferry-openmp", "ferry-directory", "ferry-ingress")}
    shared = {"go", "nim", "rust", "python", *archives}
    assert {path.name for path in (usr / "share/ferry").iterdir()} == shared
    for header in (ROOT / "include/ferry").glob("*.h"):
        assert (usr / "include/ferry" / header.name).read_bytes() == header.read_bytes()
    assert (usr / "include/ferry-compat/linux/batch.h").exists()
    assert (usr / "include/ferry-compat/omp-tools.h").exists()
    assert not (usr / "include/linux").exists()
    for page in (ROOT / "man").glob("*.[0-9]"):
        assert (usr / f"share/man/man{page.suffix[1:]}" / page.name).read_bytes() == page.read_bytes()


def test_every_file_is_in_one_debian_package(stage: Path) -> None:
    left = {path.relative_to(stage).as_posix() for path in stage.rglob("*") if path.is_symlink() or path.is_file()}
    for listing in (*ROOT.glob("debian/*.install"), ROOT / "debian/not-installed"):
        for line in listing.read_text().splitlines():
            # Debian has the folders of its own processors, which the stage has not
            found = [path.relative_to(stage).as_posix() for path in stage.glob(line.replace("usr/lib/*/", "usr/lib/"))]
            assert found or line.startswith("#"), f"{listing.name}: nothing is installed as {line}"
            here = {name for name in left for path in found if name == path or name.startswith(f"{path}/")}
            assert here or line.startswith("#"), f"{listing.name}: what {line} names is in another package too"
            left -= here
    assert left == set()


def test_the_library_has_its_soname_and_links(stage: Path) -> None:
    lib = stage / "usr/lib"
    shown = check_output(["objdump", "-p", lib / "libferry.so"])
    found = re.search(r"SONAME\s+(\S+)", shown)
    assert found
    assert found[1] == f"libferry.so.{VERSION.split('.')[0]}"
    assert (lib / "libferry.so").readlink() == Path(found[1])
    assert (lib / found[1]).readlink() == Path(f"libferry.so.{VERSION}")
    assert not (lib / f"libferry.so.{VERSION}").is_symlink()


def test_no_path_of_the_build_is_installed(stage: Path, bin_dir: Path) -> None:
    forbidden = [f"{path}/".encode() for path in (ROOT, bin_dir.parent, stage)]
    files = [path for path in stage.rglob("*") if path.is_file() and not path.is_symlink()]
    assert len(files) > 1000
    for path in files:
        content = path.read_bytes()
        for text in forbidden:
            assert text not in content, f"{path} contains {text.decode()}"


def test_permissions_suit_everybody(stage: Path) -> None:
    for path in (stage / "usr").rglob("*"):
        if not path.is_symlink():
            mode = path.stat().st_mode & 0o777
            assert mode & 0o022 == 0, path
            assert mode & 0o444 == 0o444, path
            assert not path.is_dir() or mode & 0o111 == 0o111, path


def pkg_config(stage: Path, *arguments: str) -> str:
    system = check_output(["pkg-config", "--variable=pc_path", "pkg-config"]).strip()
    return check_output(
        ["pkg-config", *arguments],
        PKG_CONFIG_SYSROOT_DIR=str(stage),
        PKG_CONFIG_LIBDIR=f"{stage}/usr/lib/pkgconfig:{system}",
        PKG_CONFIG_ALLOW_SYSTEM_CFLAGS="1",
        PKG_CONFIG_ALLOW_SYSTEM_LIBS="1",
    )


def test_pkg_config_links_the_shared_library(stage: Path, tmp_path: Path) -> None:
    assert pkg_config(stage, "--modversion", "ferry").strip() == VERSION
    program = compile_program(tmp_path, PROGRAM, pkg_config(stage, "--cflags", "--libs", "ferry"))
    needed = check_output(["objdump", "-p", program])
    assert re.search(r"NEEDED\s+libferry\.so\.0", needed)
    assert check_output([program], LD_LIBRARY_PATH=f"{stage}/usr/lib") == f"{VERSION}\n"


def test_pkg_config_links_the_static_library(stage: Path, tmp_path: Path) -> None:
    flags = pkg_config(stage, "--static", "--cflags", "--libs", "ferry")
    assert "-luring" in flags
    program = compile_program(tmp_path, PROGRAM, f"{flags} -static")
    assert check_output([program]) == f"{VERSION}\n"


def test_pkg_config_finds_the_compatibility_header(stage: Path, tmp_path: Path) -> None:
    program = compile_program(tmp_path, COMPAT_PROGRAM, pkg_config(stage, "--cflags", "--libs", "ferry-compat"))
    check_output([program], LD_LIBRARY_PATH=f"{stage}/usr/lib")


def test_cmake_finds_the_package_wherever_it_lies(stage: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "CMakeLists.txt").write_text(CMAKE_LISTS.format(version=VERSION))
    (source / "program.c").write_text(PROGRAM)
    (source / "compat.c").write_text(COMPAT_PROGRAM)
    build = tmp_path / "build"
    check_output(["cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={stage}/usr"])
    check_output(["cmake", "--build", build])
    assert check_output([build / "shared"]) == f"{VERSION}\n"
    assert check_output([build / "static"]) == f"{VERSION}\n"
    check_output([build / "compat"])
    assert "libferry" not in check_output(["objdump", "-p", build / "static"])


@pytest.mark.parametrize(
    ("wanted", "fits"), [(SERIES, True), ("0", True), ("0.0", False), (f"{SERIES}9", False), ("1", False)]
)
def test_cmake_refuses_an_incompatible_version(stage: Path, tmp_path: Path, wanted: str, fits: bool) -> None:
    script = tmp_path / "check.cmake"
    version_file = stage / "usr/lib/cmake/ferry/ferryConfigVersion.cmake"
    count = len(wanted.split("."))
    script.write_text(
        f'set(PACKAGE_FIND_VERSION "{wanted}")\nset(PACKAGE_FIND_VERSION_COUNT {count})\n'
        f'include("{version_file}")\nmessage("fits=${{PACKAGE_VERSION_COMPATIBLE}}")\n'
    )
    done = subprocess.run(["cmake", "-P", script], capture_output=True, text=True, env=environment(), timeout=600)
    assert f"fits={str(fits).upper()}" in done.stderr


def test_installed_programs_run(prefix: Path) -> None:
    for name in PROGRAMS:
        assert check_output([prefix / "bin" / name, "--version"]) == f"{name} (Ferry) {VERSION}\n"


@pytest.mark.parametrize(
    "name", [f"bin/{name}" for name in HASKELL_PROGRAMS] + [f"lib/ferry/bench/{name}" for name in HASKELL_BENCHES]
)
def test_installed_haskell_programs_find_the_library(prefix: Path, name: str) -> None:
    shown = check_output(["ldd", prefix / name])
    assert "libc.so" in shown
    # a peer that a benchmark compares with does not link it
    for found in re.findall(r"libferry\.so\.0 => (.+?)(?: \(|$)", shown, re.M):
        assert Path(found).resolve() == (prefix / "lib/libferry.so").resolve()


def test_the_ferry_command_runs_from_its_prefix_alone(prefix: Path) -> None:
    ferry = prefix / "bin/ferry"
    assert VERSION in check_output([ferry, "--version"])
    assert "Usage" in check_output([ferry, "--help"])
    text = ferry.read_text()
    assert f"{prefix}/lib/ferry/bench" in text
    assert f"{prefix}/bin" in text
    python = re.search(r"exec (\S+) -m ferry", text)
    assert python
    assert "venv" not in python[1]
    where = "import ferry, numpy, rich, click, jinja2; print(ferry.__file__, numpy.__file__)"
    modules = check_output([python[1], "-c", where], PYTHONPATH=f"{prefix}/lib/ferry/python").split()
    assert all(module.startswith(f"{prefix}/lib/ferry/python/") for module in modules)


def test_man_finds_every_name(prefix: Path) -> None:
    for name in ("total", "batch_run", "batch_prepared_run", "batch_builder_statx", "scall3", "ferry_version"):
        shown = check_output(["man", "-w", name], MANPATH=f"{prefix}/share/man")
        assert shown.startswith(f"{prefix}/share/man/"), name
    shown = check_output(["man", "-P", "cat", "batch_prepared_run"], MANPATH=f"{prefix}/share/man")
    assert "BATCH_PREPARE(3)" in shown


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_what_is_installed_can_be_removed(bin_dir: Path, prefix: Path, tmp_path: Path) -> None:
    """Twice over, so that a file of an earlier version goes; what is somebody else's stays."""
    before = tmp_path / "include" / "mine.h"
    before.parent.mkdir()
    before.write_text("mine")
    done = install(bin_dir.parent, str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert names(tmp_path) == names(prefix) | {"include/mine.h", "share/ferry/installed"}
    listed = tmp_path / "share/ferry/installed"
    with listed.open("a") as more:
        more.write("bin/older\n")
    (tmp_path / "bin/older").write_text("")
    first = names(tmp_path)
    done = install(bin_dir.parent, f"{tmp_path}/")
    assert done.returncode == 0, done.stderr
    assert names(tmp_path) == first - {"bin/older"}

    done = uninstall(tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert names(tmp_path) == {"include", "include/mine.h"}
    done = uninstall(tmp_path)
    assert done.returncode == 2
    assert f"there is no {listed}" in done.stderr


def uninstall(prefix: Path | str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / "scripts/install/uninstall.sh", str(prefix)], capture_output=True, text=True, timeout=600
    )


@pytest.mark.parametrize("path", ["../outside", "lib/../../outside", ""])
def test_a_list_that_leads_outside_is_refused(tmp_path: Path, path: str) -> None:
    (tmp_path / "outside").write_text("somebody's")
    listed = tmp_path / "prefix/share/ferry/installed"
    listed.parent.mkdir(parents=True)
    listed.write_text(f"{path}\n")
    done = uninstall(tmp_path / "prefix")
    assert done.returncode == 2
    assert f"names '{path}'" in done.stderr
    assert (tmp_path / "outside").exists()


@pytest.mark.parametrize(("prefix_", "message"), [("relative", "is not an absolute path"), ("/a b", "blanks")])
def test_a_bad_prefix_is_named(bin_dir: Path, tmp_path: Path, prefix_: str, message: str) -> None:
    done = subprocess.run(
        [ROOT / "scripts/install/install.sh", bin_dir.parent, prefix_, tmp_path, VERSION],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []
