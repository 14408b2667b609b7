# SPDX-License-Identifier: BSD-3-Clause
"""The front door: what `make` offers, and what it says where something is missing."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from paths import BUILD, ROOT

TARGETS = (
    *("build", "haskell", "demo", "demo-all", "test", "check", "conformance", "programs", "bench", "lint"),
    *("lint-quick", "fuzz", "stress", "matrix", "generate", "clean", "install", "uninstall", "help"),
    *("nim", "nim-benches", "rust-tests", "host-benches", "kernel-module", "kernel-patches", "vm-test", "wheels"),
    *("wheels-test", "conformance-directory", "openmp-clang", "packages-test", "suites"),
    *(
        "aarch64-test",
        "network",
        "network-benches",
        "nix-test",
        "fuzz-compiler",
        "compiler-matrix",
        "deb",
        "deb-test",
        "release",
        "abi",
    ),
)


@pytest.fixture
def bare_machine(tmp_path: Path) -> dict[str, str]:
    """Make an environment in which no package is installed, the user is not root, and apt-get leaves a mark."""
    fakes = {
        "dpkg-query": "exit 1",
        "id": "echo 1000",
        "apt-get": f"touch {tmp_path}/apt-get-ran",
    }
    for name, body in fakes.items():
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)
    return os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}


def run(*command: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env, timeout=600)


@pytest.mark.parametrize("target", ["build", "haskell", "demo", "test", "bench", "lint"])
def test_without_root_the_missing_packages_are_named(target: str, bare_machine: dict[str, str], tmp_path: Path) -> None:
    done = run("make", "--no-print-directory", target, env=bare_machine)
    assert done.returncode != 0
    command = re.search(r"^  sudo apt-get install --no-install-recommends (.+)$", done.stderr, re.M)
    assert command
    assert {"gcc", "liburing-dev", "python3-venv"} <= set(command[1].split())
    assert ("clang" in command[1].split()) == (target in ("test", "lint"))
    assert ("ghc" in command[1].split()) == (target in ("haskell", "test", "lint"))
    assert not (tmp_path / "apt-get-ran").exists()


def test_an_unknown_purpose_is_refused() -> None:
    done = run("scripts/install/deps.sh", "holiday")
    assert done.returncode != 0
    assert "holiday" in done.stderr


def test_help_lists_every_target() -> None:
    done = run("make", "help")
    assert set(re.findall(r"^  make ([a-z0-9-]+)", done.stdout, re.M)) == set(TARGETS)


def test_a_path_that_make_cannot_handle_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "my projects"
    folder.mkdir()
    for command in (("-C", str(folder), "-f", str(ROOT / "Makefile")), (f"BUILD={folder}",)):
        done = run("make", "--no-print-directory", *command, "help")
        assert done.returncode != 0
        assert f"cannot be built at a path with a space, '{folder}'" in done.stderr


@pytest.mark.parametrize("found", [True, False])
def test_build_has_the_haskell_package_where_ghc_is(found: bool) -> None:
    done = run("make", "--no-print-directory", "--dry-run", "build", f"HASKELL={'yes' if found else ''}")
    assert ("haskell.sh" in done.stdout) == found
    assert ("Haskell: skipped; run `make haskell`" in done.stdout) != found


def test_an_unknown_part_of_the_haskell_package_is_refused() -> None:
    done = run("scripts/compile/haskell.sh", str(BUILD), "holiday")
    assert done.returncode != 0
    assert "holiday" in done.stderr


def test_continuous_integration_runs_the_tests() -> None:
    done = run("make", "--no-print-directory", "--dry-run", "test")
    assert "scripts/test/test.sh" in done.stdout
    assert "\nmake test\n" in (ROOT / ".ci" / "run").read_text()
