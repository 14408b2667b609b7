# SPDX-License-Identifier: BSD-3-Clause
"""Benchmarks of hosts where their languages are not: left out, with the reason, by `make` and by `ferry measure`."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from fakes import fake_bench, ferry, write_program
from paths import ROOT

PROGRAMS = ("blobs-rust", "codec-rust", "ingress-rust", "skip-rust")
SKIPPED = f"Rust: skipped: {' '.join(PROGRAMS)}"
#: What scripts/compile/rust_bench.sh needs besides a cargo.
TOOLS = ("bash", "dirname", "realpath", "rm")


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """A build folder with benchmarks of exact figures, Rust's from an earlier day among them."""
    bench = fake_bench(tmp_path / "build" / "bench")
    for name in PROGRAMS:
        another = "ingress-cpp" if name == "ingress-rust" else "codec-cpp"
        shutil.copy(bench / another, bench / name)
    return bench.parent


def build_rust(build: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Build the benchmarks in Rust on a machine that has nothing but the tools."""
    tools = build.parent / "tools"
    tools.mkdir()
    for name in TOOLS:
        (tools / name).symlink_to(shutil.which(name) or f"/bin/{name}")
    return subprocess.run(
        [ROOT / "scripts" / "compile" / "rust_bench.sh", build],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={name: value for name, value in os.environ.items() if name != "FERRY_CARGO"}
        | {"PATH": str(tools)}
        | environment,
    )


def said(text: str) -> str:
    """What a terminal's lines say."""
    return " ".join(text.split())


def test_without_cargo_rust_is_left_out_and_says_why(build: Path, tmp_path: Path) -> None:
    done = build_rust(build)
    assert done.returncode == 0, done.stderr
    assert f"{SKIPPED}: there is no cargo; run scripts/install/deps.sh hosts" in done.stdout
    # what an earlier build left would measure another program
    assert [name for name in PROGRAMS if (build / "bench" / name).exists()] == []
    file = tmp_path / "measure.json"
    measured = ferry("measure", "codec", "--quick", "--json", file, FERRY_BENCH=str(build / "bench"))
    assert measured.returncode == 0, measured.stderr
    for name in ("codec-rust", "codec-python"):
        assert f"left out: {name}: it is not built; run `make host-benches`" in said(measured.stderr)
    assert "Traceback" not in measured.stderr
    assert {result["boundary"] for result in json.loads(file.read_text())["results"]} == {"codec"}


def test_a_cargo_without_its_crates_is_left_out_too(build: Path) -> None:
    write_program(build.parent / "other", "cargo", "#!/bin/sh\necho no network >&2\nexit 101\n")
    done = build_rust(build, FERRY_CARGO=str(build.parent / "other" / "cargo"))
    assert done.returncode == 0, done.stderr
    assert f"{SKIPPED}: the crates of bench/rust/Cargo.lock" in done.stdout
    assert "no network" in done.stderr
    assert [name for name in PROGRAMS if (build / "bench" / name).exists()] == []


def test_without_go_its_benchmark_is_left_out_and_says_why(build: Path) -> None:
    shutil.copy(build / "bench" / "ingress-cpp", build / "bench" / "ingress-go")
    done = subprocess.run(
        [ROOT / "scripts" / "compile" / "go_bench.sh", build],
        capture_output=True, text=True, timeout=600, check=False, env=os.environ | {"FERRY_GO": "/nowhere/go"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Go: skipped: ingress-go: there is no go; run scripts/install/deps.sh hosts" in done.stdout
    assert not (build / "bench" / "ingress-go").exists()


def test_a_host_that_fails_is_named(build: Path) -> None:
    write_program(build / "bench", "ingress-python", "#!/bin/sh\necho no module named ferry_ingress >&2\nexit 1\n")
    measured = ferry("measure", "ingress", "--quick", FERRY_BENCH=str(build / "bench"))
    assert measured.returncode == 1
    assert "ingress-python ended with exit status 1" in said(measured.stderr)
    assert "no module named ferry_ingress" in measured.stderr
    assert "Traceback" not in measured.stderr
