# SPDX-License-Identifier: BSD-3-Clause
"""`make wheels` refuses a runtime that does not export what this machine's compiler makes of the same source."""

import subprocess
import sys
from pathlib import Path

import pytest
from paths import BUILD, ROOT

RUNTIME = BUILD / "lib" / "gomp" / "libgomp.so.1"
VERSIONS = "OMP_1.0 { global: first; };\nOMP_3.0 { global: second; local: *; } OMP_1.0;\n"
SECOND = 'void second(void) {}\n__asm__(".globl old\\nold: ret\\n.symver old, second@OMP_1.0");\n'


def check(versions: Path, expected: Path, library: Path) -> str:
    command: list[str | Path] = [sys.executable, ROOT / "python" / "symbols.py", versions, expected, library]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (not done.stderr), done.stderr
    return done.stderr.replace(f"{versions.parent}/", "")


def test_the_runtime_of_this_machines_compiler_exports_what_its_versions_list() -> None:
    assert check(ROOT / "src" / "openmp" / "abi" / "libgomp.map", RUNTIME, RUNTIME) == ""


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("void first(void) {}\n" + SECOND, ""),
        (SECOND, "lib.so does not export what libgomp.map lists: first@@OMP_1.0\n"),
        (
            "void first(void) {}\nvoid second(void) {}\n",
            "lib.so does not export what expected.so does: second@OMP_1.0\n",
        ),
    ],
)
def test_what_is_left_out_is_named(tmp_path: Path, source: str, wrong: str) -> None:
    versions = tmp_path / "libgomp.map"
    versions.write_text(VERSIONS)
    for name, text in (("expected", "void first(void) {}\n" + SECOND), ("lib", source)):
        (tmp_path / f"{name}.c").write_text(text)
        link = ["-shared", "-fPIC", f"-Wl,--version-script={versions}", "-Wl,--undefined-version"]
        subprocess.run(["gcc", *link, "-o", tmp_path / f"{name}.so", tmp_path / f"{name}.c"], check=True)
    found = check(versions, tmp_path / "expected.so", tmp_path / "lib.so")
    assert found.startswith(wrong)
    assert bool(found) == bool(wrong)
