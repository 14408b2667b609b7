# SPDX-License-Identifier: BSD-3-Clause
"""Every program of examples/c, and the ferry command: help, version, wrong options, and standard output that cannot be
written."""

import re
import subprocess
from pathlib import Path

import pytest
from ferry.cli import COMMANDS
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


def test_the_list_of_commands_cuts_no_sentence(bin_dir: Path) -> None:
    done = run(bin_dir, "ferry", "--help")
    assert done.returncode == 0
    listed = done.stdout.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == list(COMMANDS)
    assert all(line.endswith(".") and not line.endswith("...") and len(line) <= 80 for line in listed), done.stdout


def test_a_failure_names_the_command(bin_dir: Path, tmp_path: Path) -> None:
    missing = run(bin_dir, "ferry", "omp", str(tmp_path / "missing"))
    assert (missing.returncode, missing.stdout) == (1, "")
    assert missing.stderr == f"ferry omp: cannot run {tmp_path / 'missing'}: No such file or directory\n"
    wrong = run(bin_dir, "ferry", "report", str(bin_dir / "ferry"))
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("ferry report: ")


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
