# SPDX-License-Identifier: BSD-3-Clause
"""make install of the OpenMP runtime: linked by pkg-config, put in libgomp's place, started and measured by ferry."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from installed import check_output, environment

PROGRAM = r"""
#include <omp.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 1; i <= 100; i++)
        sum += i * (omp_get_num_threads() == 2);
    printf("%d\n", sum);
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512], path[512], seen[512] = "";
    while (maps && fgets(line, sizeof(line), maps)) {
        if (sscanf(line, "%*s %*s %*s %*s %*s %511s", path) == 1 && strstr(path, "omp.so") && strcmp(path, seen))
            puts(strcpy(seen, path));
    }
    return 0;
}
"""


def build(folder: Path, *flags: str) -> Path:
    (folder / "program.c").write_text(PROGRAM)
    check_output(["gcc", "-Wall", "-o", folder / "program", folder / "program.c", *flags])
    return folder / "program"


def pkg_config(prefix: Path, *arguments: str) -> list[str]:
    folders = {"PKG_CONFIG_LIBDIR": f"{prefix}/lib/pkgconfig"}
    return check_output(["pkg-config", *arguments, "ferryomp"], **folders).split()


@pytest.fixture
def ordinary(tmp_path: Path) -> Path:
    """A program as any compiler's user would have it."""
    return build(tmp_path, "-fopenmp")


def test_one_file_is_installed_under_all_names(stage: Path) -> None:
    lib = stage / "usr/lib"
    file = lib / "ferry/gomp/libgomp.so.1"
    assert not file.is_symlink()
    assert re.findall(r"SONAME\s+(\S+)", check_output(["objdump", "-p", file])) == ["libferryomp.so.0"]
    links = sorted(path for path in lib.rglob("*") if path.is_symlink() and path.samefile(file))
    names = [path.relative_to(lib).as_posix() for path in links]
    assert re.sub(r"\.\d+\.\d+$", "", names.pop()) == "libferryomp.so.0"
    assert names == [
        "ferry/gomp/libgomp.so.1.0.0",
        "ferry/gomp/libiomp5.so",
        "ferry/gomp/libomp.so",
        "ferry/gomp/libomp.so.5",
        "libferryomp.so",
        "libferryomp.so.0",
    ]
    assert (lib / "libferryomp.so").readlink() == Path("libferryomp.so.0")
    assert (lib / "libferryomp.a").exists()
    for name in ("libgomp.so.1", "libomp.so", "libomp.so.5", "libiomp5.so"):
        assert not (lib / name).exists(), "programs would load it unasked"


def test_the_loaders_cache_has_no_name_of_another_runtime(prefix: Path, tmp_path: Path) -> None:
    """ldconfig makes a link with the soname of each library in its folders."""
    before = sorted(path.name for path in (prefix / "lib").iterdir())
    (tmp_path / "ld.so.conf").write_text(f"{prefix}/lib\n")
    check_output(["/sbin/ldconfig", "-f", tmp_path / "ld.so.conf", "-C", tmp_path / "cache"])
    assert sorted(path.name for path in (prefix / "lib").iterdir()) == before
    cached = check_output(["/sbin/ldconfig", "-p", "-C", tmp_path / "cache"])
    assert f"libferryomp.so.0 (libc6,x86-64) => {prefix}/lib/libferryomp.so.0" in cached
    assert f"=> {prefix}/lib/libgomp" not in cached


def test_pkg_config_links_the_shared_library(prefix: Path, tmp_path: Path) -> None:
    program = build(tmp_path, *pkg_config(prefix, "--cflags", "--libs"))
    needed = re.findall(r"NEEDED\s+(\S+)", check_output(["objdump", "-p", program]))
    assert "libferryomp.so.0" in needed
    lines = check_output([program], LD_LIBRARY_PATH=f"{prefix}/lib").splitlines()
    assert lines[0] == "5050"
    assert f"{prefix}/lib/ferry/gomp/libgomp.so.1" in lines


def test_pkg_config_links_the_static_library(prefix: Path, tmp_path: Path) -> None:
    program = build(tmp_path, *pkg_config(prefix, "--static", "--cflags", "--libs"), "-static")
    assert check_output([program]) == "5050\n"
    symbols = check_output(["nm", program])
    assert " omp__team_run" in symbols
    assert "gomp_team_start" not in symbols, "libgomp.a is linked too"


def test_the_folder_takes_libgomps_place(prefix: Path, ordinary: Path) -> None:
    folder = pkg_config(prefix, "--variable=gompdir")[0]
    assert check_output([ordinary], LD_LIBRARY_PATH=folder) == f"5050\n{prefix}/lib/ferry/gomp/libgomp.so.1\n"


@pytest.mark.parametrize("flags", [[], ["--preload"], ["--"], ["--preload", "--"]])
def test_ferry_omp_starts_a_program(prefix: Path, ordinary: Path, flags: list[str]) -> None:
    shown = check_output([prefix / "bin/ferry", "omp", *flags, ordinary], LD_LIBRARY_PATH="/nonexistent")
    assert shown == f"5050\n{prefix}/lib/ferry/gomp/libgomp.so.1\n"


def test_ferry_omp_keeps_options_and_exit_status(prefix: Path) -> None:
    script = 'echo "$1 $LD_LIBRARY_PATH"; exit 7'
    command: list[str | Path] = [prefix / "bin/ferry", "omp", "sh", "-c", script, "sh", "--preload"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment() | {"LD_LIBRARY_PATH": "/x"})
    assert (done.returncode, done.stdout) == (7, f"--preload {prefix}/lib/ferry/gomp:/x\n")


def test_ferry_omp_says_what_is_wrong(prefix: Path, tmp_path: Path) -> None:
    ferry = prefix / "bin/ferry"
    done = subprocess.run([ferry, "omp", tmp_path / "none"], capture_output=True, text=True, env=environment())
    assert done.returncode == 1
    assert f"cannot run {tmp_path}/none: No such file" in done.stderr
    elsewhere = environment() | {"FERRY_BENCH": str(tmp_path)}
    done = subprocess.run([ferry, "omp", "true"], capture_output=True, text=True, env=elsewhere)
    assert done.returncode == 1
    assert "libgomp.so.1 is not there" in done.stderr
    assert subprocess.run([ferry, "omp"], capture_output=True, env=environment()).returncode == 2


def test_ferry_measures_the_installed_runtime(prefix: Path, tmp_path: Path) -> None:
    results = tmp_path / "openmp.json"
    check_output([prefix / "bin/ferry", "measure", "--quick", "--json", results, "openmp"])
    text = results.read_text()
    for variant in ("ours:fork_join@2", "libgomp:fork_join@2"):
        assert f'"{variant}"' in text
    # the floor hands a cache line from one processor to another
    assert ('"floor:barrier@2"' in text) == (len(os.sched_getaffinity(0)) > 1)
    # the benchmarks alone
    shutil.copytree(prefix / "lib/ferry/bench", tmp_path / "bench", copy_function=os.link)
    command: list[str | Path] = [prefix / "bin/ferry", "measure", "--quick", "openmp"]
    elsewhere = environment() | {"FERRY_BENCH": str(tmp_path / "bench")}
    done = subprocess.run(command, capture_output=True, text=True, env=elsewhere)
    assert done.returncode == 1
    assert "gomp/libgomp.so.1 is not there; run `make build`" in done.stderr


def test_the_haskell_benchmark_runs_on_the_installed_runtime(prefix: Path) -> None:
    program = prefix / "lib/ferry/bench/openmp-haskell"
    if not program.exists():
        pytest.skip("the Haskell package is not built here")
    found = re.search(r"libferryomp\.so\.0 => (\S+)", check_output(["ldd", program]))
    assert found
    assert Path(found[1]).resolve() == (prefix / "lib/libferryomp.so").resolve()
    shown = check_output([program, "--repetitions=1", "--n=3", "--variant=held_idle,sum"])
    assert shown.count('"boundary":"openmp-haskell"') == 2
