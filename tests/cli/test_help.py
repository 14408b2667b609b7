# SPDX-License-Identifier: BSD-3-Clause
"""Every program of examples/c: help, version, wrong options, and standard output that cannot be written."""

import re
import subprocess
from pathlib import Path

import pytest
from paths import ROOT, VERSION

PROGRAMS = sorted(path.stem for path in (ROOT / "examples" / "c").iterdir() if path.is_dir() or path.suffix == ".c")


def run(bin_dir: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([bin_dir / name, *arguments], capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize("name", PROGRAMS)
def test_help_goes_to_standard_output(bin_dir: Path, name: str) -> None:
    done = run(bin_dir, name, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: {name} ")
    assert {"--help", "--version"} <= set(re.findall(r"--[a-z-]+", done.stdout))
    assert max(map(len, done.stdout.splitlines())) <= 100


@pytest.mark.parametrize("name", PROGRAMS)
def test_version_names_the_program_and_the_library(bin_dir: Path, name: str) -> None:
    done = run(bin_dir, name, "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{name} (Ferry) {VERSION}\n", "")


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("option", ["--no-such-option", "-Z"])
def test_an_unknown_option_is_named_with_what_to_do(bin_dir: Path, name: str, option: str) -> None:
    done = run(bin_dir, name, option)
    assert (done.returncode, done.stdout) == (2, "")
    assert option.lstrip("-") in done.stderr
    assert f"{name} --help" in done.stderr


@pytest.mark.parametrize("name", PROGRAMS)
def test_help_that_cannot_be_written_is_a_failure(bin_dir: Path, name: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([bin_dir / name, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=600)
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
