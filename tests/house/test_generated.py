# SPDX-License-Identifier: BSD-3-Clause
"""Generated files are what spec/batch.toml says, and the check that says so notices every kind of drift."""

import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from ferry import spec
from paths import ROOT

GENERATED = (
    "compiler/wrappers.h",
    "include/ferry/uapi.h",
    "include/ferry/typed.h",
    "src/batch/calls.h",
    "src/batch/reasons.h",
    "kernel/core/batch_calls.h",
    "kernel/include/uapi/linux/batch.h",
    "tests/batch/conformance/names.h",
    "tools/ferry/src/ferry/spec.py",
    "haskell/src/Ferry/Internal/Spec.hs",
    "haskell/src/Ferry/Internal/SystemCalls.hs",
)


def generate(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(root / "spec" / "generate.py"), *arguments], capture_output=True, text=True, timeout=600
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What the generator reads and writes, to be spoilt."""
    shutil.copytree(ROOT / "spec", tmp_path / "spec")
    for name in GENERATED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_nothing_has_drifted() -> None:
    done = generate(ROOT, "--check")
    assert done.returncode == 0, done.stderr


def test_every_generated_file_is_known_here() -> None:
    banner = "Generated from spec/batch.toml" + " by spec/generate.py"
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    found = [
        name
        for name in listed
        if name.endswith((".h", ".c", ".py", ".hs")) and banner in "\n".join((ROOT / name).read_text().splitlines()[:3])
    ]
    assert sorted(found) == sorted(GENERATED)


def test_an_untouched_copy_passes(copy: Path) -> None:
    assert generate(copy, "--check").returncode == 0


@pytest.mark.parametrize("name", GENERATED)
def test_an_edited_file_is_named(copy: Path, name: str) -> None:
    (copy / name).write_text((copy / name).read_text() + "\n")
    done = generate(copy, "--check")
    assert done.returncode == 1
    assert done.stderr.startswith(f"{name}: differs")
    assert "make generate" in done.stderr
    assert generate(copy).returncode == 0
    assert (copy / name).read_bytes() == (ROOT / name).read_bytes()


def test_a_missing_file_is_named(copy: Path) -> None:
    (copy / GENERATED[0]).unlink()
    done = generate(copy, "--check")
    assert done.returncode == 1
    assert GENERATED[0] in done.stderr


def test_a_changed_limit_reaches_every_table(copy: Path) -> None:
    toml = copy / "spec" / "batch.toml"
    toml.write_text(toml.read_text().replace("value = 1048576", "value = 1048577"))
    done = generate(copy, "--check")
    assert done.returncode == 1
    assert "include/ferry/uapi.h" in done.stderr
    assert "tools/ferry/src/ferry/spec.py" in done.stderr


def test_a_denied_call_that_becomes_allowed_is_noticed(copy: Path) -> None:
    toml = copy / "spec" / "batch.toml"
    toml.write_text(toml.read_text().replace('verdict = "deny"', 'verdict = "allow"', 1))
    done = generate(copy, "--check")
    assert done.returncode == 1
    assert "src/batch/calls.h" in done.stderr


def test_a_number_in_two_groups_is_refused(copy: Path) -> None:
    toml = copy / "spec" / "batch.toml"
    toml.write_text(toml.read_text() + "\nread_again = 0\n")
    done = generate(copy, "--check")
    assert done.returncode == 1
    assert "two groups" in done.stderr


def test_python_tables_are_the_specification() -> None:
    batch = tomllib.loads((ROOT / "spec" / "batch.toml").read_text())
    numbers = {
        name: (number, group, body["verdict"] == "allow")
        for group, body in batch["calls"].items()
        for name, number in body["numbers"].items()
    }
    assert numbers == spec.CALLS
    assert all(spec.GROUP_REASONS[group] for _, group, _ in spec.CALLS.values())


@pytest.mark.parametrize("header", ["asm", "asm-generic"])
def test_calls_have_the_numbers_of_the_kernels_headers(header: str) -> None:
    # what an architecture that takes the generic table, as aarch64, asks for before it includes that
    wanted = ("NEW_STAT", "RENAMEAT", "SET_GET_RLIMIT", "SYS_CLONE3", "MEMFD_SECRET")
    asked = [f"-D__ARCH_WANT_{name}" for name in wanted]
    done = subprocess.run(
        ["cc", "-E", "-dM", *asked, "-"],
        input=f"#include <{header}/unistd.h>\n",
        capture_output=True,
        text=True,
        check=True,
    )
    defined = dict(re.findall(r"^#define __NR_?(\w+) (\S+)$", done.stdout, re.M))
    found = {name: str(defined.get(number.removeprefix("__NR"), number)) for name, number in defined.items()}
    generate = runpy.run_path(str(ROOT / "spec" / "generators" / "common.py"))
    batch = tomllib.loads((ROOT / "spec" / "batch.toml").read_text())
    every = {name: number for number, name, _, _ in generate["calls"](batch)}
    numbers = every if header == "asm" else generate["generic_numbers"](batch)
    known = {name: int(number) for name, number in found.items() if name in every and number.isdigit()}
    assert len(known) > 300
    # a header may be older than the specification; what it has, the specification has with the same number
    assert known == {name: numbers.get(name) for name in known}
