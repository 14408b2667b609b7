# SPDX-License-Identifier: BSD-3-Clause
"""`ferry measure kernel` where the kernel runs no batches: instructions are counted in a guest, and said to be such."""

import json
from pathlib import Path

import pytest
from fakes import ferry, write_program

MACHINE = {"type": "machine", "cpu": "c", "cores": 1, "kernel": "k", "compiler": "g", "mitigations": "none"}
#: A guest that counts 740 + 90 n instructions for a batch, and 240 n for the loop.
GUEST = f"""
import json, sys
print("guest:", *sys.argv[1:], file=sys.stderr)
print(json.dumps({MACHINE!r}))
call = {{"kernel": "getppid", "interrupted": "signal"}}[sys.argv[sys.argv.index("--program") + 1]]
for way, fixed, per_call in (("direct", 0, 240), ("entry", 740, 90)):
    for n in (1, 10, 100, 1000):
        for repetition in range(3):
            print(json.dumps({{"type": "sample", "boundary": "kernel", "variant": f"{{way}}:{{call}}@debian-6.12",
                "unit": "instructions", "n": n, "repetition": repetition, "ns": fixed + per_call * n}}))
"""


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """Benchmarks of which `kernel` finds no kernel for it."""
    folder = tmp_path / "build" / "bench"
    folder.mkdir(parents=True)
    write_program(folder, "syscall", f"#!/usr/bin/env python3\nprint({json.dumps(MACHINE)!r})\n")
    write_program(folder, "kernel", "#!/bin/sh\necho neither batch-2 nor /dev/batch >&2\nexit 3\n")
    return folder


def guest(folder: Path, text: str) -> str:
    package = folder / "kernel" / "vm"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(text)
    return str(package.parent)


def test_instructions_are_counted_and_called_so(bench: Path, tmp_path: Path) -> None:
    file = tmp_path / "measure.json"
    kernel = guest(tmp_path, GUEST)
    done = ferry("measure", "kernel", "--quick", "--json", file, FERRY_BENCH=str(bench), FERRY_KERNEL=kernel)
    assert done.returncode == 0, done.stderr
    for program in ("kernel", "interrupted"):
        assert f"guest: --build {bench.parent} --measure 5 --program {program} debian-6.12" in done.stderr
    assert "Instructions under emulation" in done.stderr
    assert "kernel (instructions under emulation)" in done.stdout
    assert "ins" in done.stdout
    assert " ns" not in done.stdout
    results = {result["variant"]: result for result in json.loads(file.read_text())["results"]}
    assert "entry:signal@debian-6.12" in results
    entry = results["entry:getppid@debian-6.12"]
    assert (entry["unit"], entry["fixed"], entry["per_call"]) == ("instructions", pytest.approx(740), pytest.approx(90))
    page = tmp_path / "index.html"
    reported = ferry("report", file, "--output", page)
    assert reported.returncode == 0, reported.stderr
    assert "instructions under emulation, not time" in page.read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import sys; print('vm: there is no qemu', file=sys.stderr); sys.exit(3)", "no guest can be booted here"),
        ("import sys; sys.exit(1)", "counting in a guest failed"),
    ],
)
def test_a_guest_that_fails_is_an_error(bench: Path, tmp_path: Path, text: str, said: str) -> None:
    done = ferry("measure", "kernel", FERRY_BENCH=str(bench), FERRY_KERNEL=guest(tmp_path, text))
    assert done.returncode == 1
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_where_it_was_installed_there_are_no_guests(bench: Path) -> None:
    done = ferry("measure", "kernel", FERRY_BENCH=str(bench), FERRY_KERNEL="")
    assert done.returncode == 1
    assert "neither batch-2 nor /dev/batch" in done.stderr
    assert "in Ferry's folder, can count in QEMU" in done.stderr
