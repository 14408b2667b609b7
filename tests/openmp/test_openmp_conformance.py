# SPDX-License-Identifier: BSD-3-Clause
"""libgomp's testsuite: the harness reads it as DejaGnu does, notices a bad library, and ours passes the subset."""

import subprocess
import sys
from pathlib import Path

import pytest
from paths import BUILD, ROOT

from openmp.conformance import build
from openmp.conformance.build import Program, compile_test
from openmp.conformance.directives import parse
from openmp.conformance.host import SHARED, in_haskell
from openmp.conformance.run import Library, first_lacking, judge, run_test
from openmp.conformance.suite import KINDS, Test, extract, list_suite

TARGETS = frozenset({"tls_runtime", "avx_runtime", "native"})
SUITE_TIMEOUT_S = 600


@pytest.fixture(scope="module")
def suite() -> dict[str, Test]:
    return {test.identity: test for test in list_suite(extract(BUILD))}


@pytest.fixture(scope="module")
def barrier(suite: dict[str, Test], tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = compile_test(suite["c/libgomp.c/barrier-1.c"], tmp_path_factory.mktemp("programs"))
    assert program.path, program.message
    return program


def test_a_compiler_that_takes_too_long_is_ended_with_its_processes(
    suite: dict[str, Test], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "slow"
    slow.write_text(f"#!/bin/sh\nsleep 600 &\necho $! >{tmp_path}/child\nwait\n")
    slow.chmod(0o755)
    monkeypatch.setattr(build, "COMPILE_TIMEOUT_S", 2)
    program = compile_test(suite["c/libgomp.c/barrier-1.c"], tmp_path, compilers={"c": [str(slow)]})
    assert (program.path, program.why) == (None, "the compiler took more than 2 s")
    child = Path("/proc") / (tmp_path / "child").read_text().strip() / "stat"
    assert not child.exists() or child.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize(
    ("text", "language", "do", "skip", "options"),
    [
        ("", "c", "run", "", ["-O2"]),
        ("/* { dg-do compile } */", "c", "compile", "", ["-O2"]),
        ("/* { dg-do run { target tls_runtime } } */", "c", "run", "", ["-O2"]),
        ("/* { dg-do run { target offload_device } } */", "c", "run", "needs offload_device", ["-O2"]),
        ('/* { dg-options "-O0 -g" } */', "c", "run", "", ["-O0", "-g"]),
        ('/* { dg-options "-std=gnu99" { target c } } */', "c++", "run", "", ["-O2"]),
        ('! { dg-do run }\n! { dg-options "-fopenmp" }', "fortran", "run", "", ["-fopenmp"]),
        ('/* { dg-additional-options "-mavx" { target avx_runtime } } */', "c", "run", "", ["-O2", "-mavx"]),
        ('/* { dg-additional-options "-m" { target { i?86-*-* && ia32 } } } */', "c", "run", "", ["-O2"]),
        (
            '// { dg-additional-options "-m" { target { { i?86-*-* x86_64-*-* } && c++ } } }',
            "c++",
            "run",
            "",
            ["-O2", "-m"],
        ),
        ('/* { dg-additional-options "-D" { target { ! run_expensive_tests } } } */', "c", "run", "", ["-O2", "-D"]),
        ("/* { dg-require-effective-target offload_device } */", "c", "run", "needs offload_device", ["-O2"]),
        ('/* { dg-skip-if "" { *-*-* } } */', "c", "run", "dg-skip-if *-*-*", ["-O2"]),
    ],
)
def test_directives(text: str, language: str, do: str, skip: str, options: list[str]) -> None:
    found = parse(text + "\nint main () { }\n", language, TARGETS)
    assert (found.do, found.skip, found.options) == (do, skip, options)


def test_what_a_run_is_judged_by() -> None:
    found = parse(
        '/* { dg-set-target-env-var OMP_PROC_BIND "spread,close" } */\n'
        '/* { dg-shouldfail "" } */\n'
        '/* { dg-output "libgomp: \\\\\\[a\\\\\\](\\n|\\r)" } */\n'
        '/* { dg-output "b" { target { native && x86_64-*-* } } } */\n'
        '/* { dg-output "c" { target offload_device } } */\n',
        "c",
        TARGETS,
    )
    assert found.environment == {"OMP_PROC_BIND": "spread,close"}
    assert found.should_fail
    assert found.output == ["libgomp: \\[a\\](\n|\r)", "b"]


@pytest.mark.parametrize(
    ("patterns", "text", "lacking"),
    [
        ([], "", ""),
        (["a.*", "b"], "a\nb\n", ""),
        (["a.*", "b"], "b\na\n", "b"),
        (["b", "c"], "abd", "c"),
        (["x", "c"], "abc", "x"),
    ],
)
def test_outputs_follow_each_other(patterns: list[str], text: str, lacking: str) -> None:
    assert first_lacking(patterns, text) == lacking


@pytest.mark.parametrize(
    ("status", "output", "reason"),
    [
        (0, "", ""),
        (1, "", "exit 1"),
        (-11, "", "SIGSEGV"),
        (None, "", "timeout 5 s"),
        (127, "x: undefined symbol: GOMP_scope_start, version GOMP_5.1\n", "missing symbol GOMP_scope_start"),
        (1, "x: version `GOMP_5.0' not found (required by x)\n", "missing symbol GOMP_5.0"),
    ],
)
def test_reasons(barrier: Program, status: int | None, output: str, reason: str) -> None:
    assert judge(barrier, status, output, 5).reason == reason


def test_the_suite_has_its_host_and_target_tests(suite: dict[str, Test]) -> None:
    kinds = [test.kind for test in suite.values()]
    assert [kinds.count(kind) for kind in KINDS] == [441, 353, 292, 251, 94]
    assert suite["c++/libgomp.c-c++-common/task-detach-1.c"].kind == "C++ host"


def test_a_library_without_the_functions_fails(barrier: Program, tmp_path: Path) -> None:
    source = tmp_path / "empty.c"
    source.write_text("")
    library = tmp_path / "libgomp.so.1"
    subprocess.run(["gcc", "-shared", "-Wl,-soname,libgomp.so.1", "-o", library, source], check=True)
    outcome = run_test(barrier, Library("ours", tmp_path), 2, 20)
    assert outcome.reason.startswith("missing symbol ")
    assert run_test(barrier, Library("libgomp", None), 2, 20).passed


def conformance(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "openmp.conformance", "--quick", "--build", BUILD, *arguments]
    done = subprocess.run(
        command,
        env={"PYTHONPATH": str(ROOT / "tests"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=SUITE_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_our_runtime_passes_the_quick_subset(tmp_path: Path) -> None:
    if not (ROOT / "src" / "openmp").is_dir():
        pytest.skip("this tree has no OpenMP runtime (src/openmp)")
    conformance("--threads=2,4", "--only=ours", "--report", tmp_path / "report.json")


def test_our_runtime_passes_a_part_of_it_compiled_by_clang(tmp_path: Path) -> None:
    conformance(
        "--llvm=14", "--threads=4", "--report", tmp_path / "report.json", r"^c(\+\+)?/.*(barrier|critical|lock|nested)"
    )


HOSTED = ("barrier", "cancel", "copyprivate", "doacross", "lib-", "lock", "nested", "reduction", "sections", "task")


def test_our_runtime_passes_a_part_of_it_inside_a_haskell_program(tmp_path: Path) -> None:
    conformance("--host=ghc", "--threads=4", "--only=ours", "--report", tmp_path / "report.json", *HOSTED)


def test_a_haskell_program_runs_a_main_with_its_library_and_ends_with_its_status(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(
        "#include <omp.h>\n#include <stdio.h>\n"
        'int main(int argc, char **argv) { printf("%d %s\\n", omp_get_dynamic(), argv[1]); return 258 + argc; }\n'
    )
    subprocess.run(["gcc", "-fopenmp", *SHARED, "-o", tmp_path / "program.so", source], check=True)
    for library, dynamic in zip(in_haskell(BUILD, "libgomp", "ours"), (0, 1), strict=True):
        own = {"LD_LIBRARY_PATH": str(library.folder)} if library.folder else {}
        assert library.host
        done = subprocess.run(
            [tmp_path / "program", "word"],
            executable=library.host,
            env=own,
            capture_output=True,
            text=True,
            check=False,
        )
        # only where a co-scheduler is registered are teams dynamic from the start
        assert (done.stdout, done.returncode) == (f"{dynamic} word\n", 4), done.stderr
