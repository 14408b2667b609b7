# SPDX-License-Identifier: BSD-3-Clause
"""`ferry omp` names each OpenMP runtime that it does not replace: real programs of gcc and clang."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fakes import ferry
from ferry.replaced import Kind, kind_of, program_of
from paths import BUILD, ROOT

OURS = BUILD / "lib" / "gomp" / "libgomp.so.1"
#: The watcher speaks within this, however busy the machine is.
PATIENCE_S = 60
#: Counts the threads of a region.
REGION = r"""
#include <stdio.h>
int count(void)
{
    int threads = 0;
#pragma omp parallel num_threads(2) reduction(+ : threads)
    threads++;
    return threads;
}
"""
PROGRAM = (
    REGION
    + r"""
int main(void)
{
    printf("%d\n", count());
    return 0;
}
"""
)
CALLER = '#include <stdio.h>\nint count(void);\nint main(void) { printf("%d\\n", count()); return 0; }\n'
WARNING = "ferry omp: warning: "


def compiled(folder: Path, compiler: str, text: str, *flags: str, name: str = "program") -> Path:
    """Compile one file."""
    source = folder / f"{name}.c"
    source.write_text(text)
    command = [compiler, "-O1", "-o", str(folder / name), str(source), *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / name


def run(program: Path | str, *flags: str, **environment: str) -> tuple[str, list[str]]:
    """What a program that is started by `ferry omp` prints, and the warnings."""
    done = ferry("omp", *flags, program, **environment)
    assert done.returncode == 0, done.stderr
    lines = done.stderr.splitlines()
    assert all(line.startswith(WARNING) for line in lines), done.stderr
    return done.stdout, [line.removeprefix(WARNING) for line in lines]


def runtime_of(name: str) -> Path:
    """A runtime of this system by its soname."""
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    found = re.search(rf"{re.escape(name)} \(libc6,x86-64\) => (\S+)", listed)
    assert found, f"{name} is not installed"
    return Path(found[1])


@pytest.mark.parametrize("flags", [[], ["--preload"]])
def test_what_is_replaced_is_not_warned_of(tmp_path: Path, flags: list[str]) -> None:
    program = compiled(tmp_path, "gcc", PROGRAM, "-fopenmp")
    assert run(program, *flags) == ("2\n", [])
    assert run("true", *flags) == ("", [])


def test_a_program_with_our_runtime_in_it(tmp_path: Path) -> None:
    library = str(BUILD / "lib" / "libferryomp.a")
    compiled(tmp_path, "gcc", PROGRAM, "-fopenmp", "-c", name="program.o")
    program = tmp_path / "program"
    subprocess.run(["gcc", "-static", "-o", program, tmp_path / "program.o", library, "-pthread"], check=True)
    assert run(program) == ("2\n", [])


def bound_to(program: Path, symbol: str, *flags: str, of: Path | None = None) -> set[Path]:
    """The files that the loader binds a call of a program, or of a library of it, to: its own account."""
    bindings = program.parent / "bindings"
    for file in program.parent.glob("bindings.*"):
        file.unlink()
    assert run(program, *flags, LD_DEBUG="bindings", LD_DEBUG_OUTPUT=str(bindings)) == ("2\n", [])
    told = "".join(file.read_text(errors="replace") for file in program.parent.glob("bindings.*"))
    caller = re.escape(str(of or program))
    return {
        Path(file).resolve()
        for file in re.findall(rf"file {caller} \[0\] to (\S+) \[0\]: normal symbol `{symbol}'", told)
    }


@pytest.mark.parametrize("flags", [[], ["--preload"]])
@pytest.mark.parametrize("name", ["libomp.so.5", "libomp.so", "libiomp5.so"])
def test_a_clang_program(tmp_path: Path, name: str, flags: list[str]) -> None:
    """Whatever name its runtime has: the loader's names for it are those of LLVM, Debian and Intel."""
    copy = tmp_path / "linked" / name
    copy.parent.mkdir()
    # the same length: names in a file have their places
    soname = name.encode().ljust(len(b"libomp.so.5"), b"\0")
    copy.write_bytes(runtime_of("libomp.so.5").read_bytes().replace(b"libomp.so.5", soname))
    compiled(tmp_path, "clang", PROGRAM, "-fopenmp", "-c", name="program.o")
    program = tmp_path / "program"
    subprocess.run(["gcc", "-o", program, tmp_path / "program.o", copy], check=True)
    assert bound_to(program, "__kmpc_fork_call", *flags) == {OURS.resolve()}


def test_a_libomp_that_a_clang_program_brings(tmp_path: Path) -> None:
    """An old-style run path comes before LD_LIBRARY_PATH."""
    shutil.copy(runtime_of("libomp.so.5"), tmp_path / "libomp.so.5")
    flags = ("-fopenmp", "-Wl,--disable-new-dtags", f"-Wl,-rpath,{tmp_path}")
    program = compiled(tmp_path, "clang", PROGRAM, *flags)
    printed, warnings = run(program)
    assert printed == "2\n"
    assert warnings == [
        f"{program} finds an OpenMP runtime of LLVM or Intel of its own, {tmp_path}/libomp.so.5, before Ferry's "
        "runtime; run it by `ferry omp --preload`, which comes first"
    ]
    assert run(program, "--quiet") == ("2\n", [])
    assert bound_to(program, "__kmpc_fork_call", "--preload") == {OURS.resolve()}


def test_libomp_linked_into_a_library(tmp_path: Path) -> None:
    """A library without "omp" in its name that has the runtime: libomp itself stands for what -static-openmp makes."""
    library = tmp_path / "libcount.so"
    library.write_bytes(runtime_of("libomp.so.5").read_bytes().replace(b"libomp.so.5", b"libcount.so"))
    compiled(tmp_path, "clang", PROGRAM, "-fopenmp", "-c", name="program.o")
    program = tmp_path / "program"
    subprocess.run(["gcc", "-o", program, tmp_path / "program.o", library, f"-Wl,-rpath,{tmp_path}"], check=True)
    for flags in ([], ["--preload"]):
        printed, warnings = run(program, *flags)
        assert printed == "2\n"
        assert warnings == [
            f"{library} has the OpenMP runtime of LLVM or Intel linked into it, which cannot be replaced; "
            "link it with the shared libomp instead (without -static-openmp)"
        ]


@pytest.mark.parametrize("flags", [[], ["--preload"]])
def test_a_library_of_clang_under_a_program_of_gcc(tmp_path: Path, flags: list[str]) -> None:
    library = compiled(tmp_path, "clang", REGION, "-fopenmp", "-shared", "-fPIC", name="libcount.so")
    program = compiled(tmp_path, "gcc", CALLER, "-fopenmp", f"-L{tmp_path}", "-lcount", f"-Wl,-rpath,{tmp_path}")
    assert bound_to(program, "__kmpc_fork_call", *flags, of=library) == {OURS.resolve()}


@pytest.mark.parametrize("stripped", [False, True])
@pytest.mark.parametrize("how", [["-static"], ["-Wl,-Bstatic", "-lgomp", "-Wl,-Bdynamic"]])
def test_libgomp_linked_statically(tmp_path: Path, how: list[str], stripped: bool) -> None:
    compiled(tmp_path, "gcc", PROGRAM, "-fopenmp", "-c", name="program.o")
    program = tmp_path / "program"
    libraries = ["-fopenmp"] if how == ["-static"] else []
    command = ["gcc", "-o", str(program), str(tmp_path / "program.o"), *libraries, *how, "-pthread"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    if stripped:
        subprocess.run(["strip", program], check=True)
    for flags in ([], ["--preload"]):
        printed, warnings = run(program, *flags)
        assert printed == "2\n"
        assert warnings == [
            f"{program} has GNU's libgomp linked into it, which cannot be replaced; "
            "link it with the shared libgomp instead (without -static)"
        ]


@pytest.fixture
def bundled(tmp_path: Path) -> Path:
    """A program with a libgomp of another name that it finds by a run path, as in a wheel; it prints what it maps."""
    copy = tmp_path / "libgomp-a.so"
    # the same length: names in a file have their places
    copy.write_bytes(runtime_of("libgomp.so.1").read_bytes().replace(b"libgomp.so.1", b"libgomp-a.so"))
    return compiled(tmp_path, "gcc", PROGRAM, "-fopenmp", "-fno-lto", str(copy), f"-Wl,-rpath,{tmp_path}")


def test_a_libgomp_that_a_program_brings(bundled: Path) -> None:
    needed = subprocess.run(["readelf", "-d", bundled], capture_output=True, text=True, check=True).stdout
    assert "libgomp-a.so" in needed
    printed, warnings = run(bundled)
    assert printed == "2\n"
    assert warnings == [
        f"{bundled} finds a libgomp of its own, {bundled.parent}/libgomp-a.so, before Ferry's runtime; "
        "run it by `ferry omp --preload`, which comes first"
    ]


def test_preloading_replaces_a_libgomp_that_a_program_brings(bundled: Path) -> None:
    assert bound_to(bundled, "GOMP_parallel", "--preload") == {OURS.resolve()}


def test_a_run_path_before_the_search_path(tmp_path: Path) -> None:
    """A libgomp.so.1 that an old-style run path finds, as in conda's programs: LD_LIBRARY_PATH comes after that."""
    shutil.copy(runtime_of("libgomp.so.1"), tmp_path / "libgomp.so.1")
    flags = ("-fopenmp", "-Wl,--disable-new-dtags", f"-Wl,-rpath,{tmp_path}")
    program = compiled(tmp_path, "gcc", PROGRAM, *flags)
    assert [f"{tmp_path}/libgomp.so.1" in text and "--preload" in text for text in run(program)[1]] == [True]
    assert run(program, "--preload") == ("2\n", [])


def test_llvms_library_in_libgomps_place(tmp_path: Path) -> None:
    """Calls of gcc's code that LLVM's library answers, under a version of its own, are ours."""
    library = runtime_of("libomp.so.5")
    compiled(tmp_path, "gcc", PROGRAM, "-fopenmp", "-c", name="program.o")
    program = tmp_path / "program"
    subprocess.run(["gcc", "-o", program, tmp_path / "program.o", library], check=True)
    assert bound_to(program, "GOMP_parallel") == {OURS.resolve()}
    assert bound_to(program, "GOMP_parallel", "--preload") == {OURS.resolve()}


def test_what_is_loaded_later_and_by_a_descendant(tmp_path: Path) -> None:
    """A script's interpreter loads a library with a libomp of its own while it runs. The watcher ends with it."""
    shutil.copy(runtime_of("libomp.so.5"), tmp_path / "libomp.so.5")
    flags = ("-fopenmp", "-shared", "-fPIC", "-Wl,--disable-new-dtags", f"-Wl,-rpath,{tmp_path}")
    library = compiled(tmp_path, "clang", REGION, *flags, name="libcount.so")
    script = tmp_path / "script.py"
    script.write_text(
        f"import ctypes, sys, time\nprint(ctypes.CDLL('{library}').count(), flush=True)\ntime.sleep(600)\n"
    )
    environment = os.environ | {"FERRY_BENCH": str(BUILD / "bench"), "PYTHONPATH": str(ROOT / "tools/ferry/src")}
    command = [sys.executable, "-m", "ferry", "omp", "sh", "-c", f"'{sys.executable}' '{script}'; exit 3"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == "2\n"
        warning = process.stderr.readline()
        assert warning.startswith(WARNING)
        assert "libomp" in warning
        assert "finds an OpenMP runtime of LLVM or Intel of its own" in warning
        child = int(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0])
        os.kill(child, signal.SIGKILL)
        ends = time.monotonic() + PATIENCE_S
        # it ends only when nobody holds it any more: the watcher has gone
        assert process.stderr.read().replace("Killed\n", "") == ""
        assert time.monotonic() < ends
        assert process.wait(PATIENCE_S) == 3


def test_which_file_will_run(tmp_path: Path) -> None:
    for line in ("/bin/sh", "/usr/bin/env sh", "/usr/bin/env -S A=b sh -e"):
        script = tmp_path / "script"
        script.write_text(f"#!{line}\n")
        script.chmod(0o755)
        found = program_of((str(script),))
        assert found
        assert Path(found).samefile("/bin/sh")
    script.write_text(f"#!{script}\n")
    assert program_of((str(script),)) is None
    assert program_of(("no such program",)) is None
    assert program_of((str(tmp_path),)) is None


def test_runtimes_are_told_apart(tmp_path: Path) -> None:
    assert kind_of(str(runtime_of("libgomp.so.1"))) is Kind.GNU
    assert kind_of(str(runtime_of("libomp.so.5"))) is Kind.LLVM
    assert kind_of(str(OURS)) is Kind.NONE
    (tmp_path / "empty").touch()
    assert kind_of(str(tmp_path / "empty")) is Kind.NONE
    assert kind_of(str(tmp_path)) is Kind.NONE
