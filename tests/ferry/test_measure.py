# SPDX-License-Identifier: BSD-3-Clause
"""`ferry measure` end to end, on the real benchmarks and on ones that fail."""

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from fakes import fake_bench, ferry, write_program
from ferry import __version__
from ferry.boundaries import BOUNDARIES, Guest, Programs
from ferry.measurement import MACHINE_KEYS
from paths import BUILD, ROOT

NUMBER = int | float


def check_schema(document: dict[str, Any]) -> None:
    """The schema of the JSON file, key by key."""
    assert set(document) == {"machine", "results", "ratios"}
    assert set(MACHINE_KEYS) <= set(document["machine"])
    for result in document["results"]:
        assert isinstance(result["boundary"], str)
        assert isinstance(result["variant"], str)
        assert result["unit"] in ("ns", "cpu_ns")
        for key in ("fixed", "fixed_err", "per_call", "per_call_err"):
            assert isinstance(result[key], NUMBER)
        assert result["fixed_err"] >= 0
        assert result["per_call_err"] >= 0
        assert result["samples"]
        for sample in result["samples"]:
            assert set(sample) == {"n", "value"}
            assert isinstance(sample["n"], int)
            assert isinstance(sample["value"], NUMBER)
    for ratio in document["ratios"]:
        assert set(ratio) == {"boundary", "numerator", "denominator", "n", "value", "err"}
        assert ratio["value"] > 0
        assert ratio["err"] >= 0


@pytest.fixture(scope="module")
def big_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree with subtrees of 200, 400, 800 and 1,600 files."""
    root = tmp_path_factory.mktemp("tree")
    for k in range(4):
        folder = root / f"{k}"
        folder.mkdir()
        for name in range(200 << k):
            (folder / f"{name}").touch()
    return root


def test_quick_on_the_real_benchmarks(tmp_path: Path, big_tree: Path) -> None:
    file = tmp_path / "new folder" / "measure.json"
    done = ferry("measure", "--quick", "--all", "--json", file, "--tree", big_tree)
    assert done.returncode == 0, done.stderr
    document = json.loads(file.read_text())
    check_schema(document)
    assert not list(file.parent.glob("*.partial"))

    results = {(result["boundary"], result["variant"]): result for result in document["results"]}
    # few machines have a kernel that runs batches; elsewhere its boundaries are left out
    runs_batches = "left out: kernel: " not in done.stderr
    names = [boundary.name for boundary in BOUNDARIES if runs_batches or not isinstance(boundary.source, Guest)]
    assert {boundary for boundary, _ in results} == set(names)
    entry = results["syscall", "direct:getppid"]
    assert 5 < entry["per_call"] < 5000, "a system call takes neither 5 ns nor 5 µs"
    assert results["function", "direct:long"]["per_call"] < entry["per_call"]
    assert results["syscall", "null:getppid"]["per_call"] < entry["per_call"]
    for text in (
        *names,
        "loop ÷ libc",
        " ± ",
        "floor",
        document["machine"]["cpu"],
    ):
        assert text in done.stdout
    for name in names:
        assert f"measured {name} in" in done.stderr


@pytest.mark.parametrize(
    "program", sorted({name for b in BOUNDARIES if isinstance(b.source, Programs) for name in b.source.names})
)
def test_every_benchmark_has_the_options_of_all(program: str) -> None:
    path = BUILD / "bench" / program

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([path, *arguments], capture_output=True, text=True, timeout=600, check=False)

    help_text = run("--help")
    assert help_text.returncode == 0
    for option in ("--quick", "--repetitions", "--n", "--variant", "--help", "--version"):
        assert option in help_text.stdout
    assert run("--version").stdout == f"{program} (Ferry) {__version__}\n"
    for wrong in (["--nonsense"], ["--n", "0"], ["--n", "1,x"], ["--n", "1,"], ["--repetitions", "-1"], ["word"]):
        refused = run(*wrong)
        assert refused.returncode == 2, wrong
        assert refused.stderr
        assert not refused.stdout
    assert "not a variant" in run("--variant", "nonsense").stderr
    few = run("--repetitions", "2", "--n", "1,3").stdout.splitlines()
    samples = [line for line in map(json.loads, few) if line["type"] == "sample"]
    variants = {sample["variant"] for sample in samples}
    assert len(samples) == 2 * 2 * len(variants)
    assert {sample["n"] for sample in samples} == {1, 3}


def test_samples_are_as_long_as_the_environment_says() -> None:
    """Longer by more runs in a sample, or by more samples of what is run once in each; see bench/README.md."""

    def run(program: str, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"FERRY_SAMPLE_US": text, "OMP_NUM_THREADS": "1"}
        command = [str(BUILD / "bench" / program), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, env=environment)

    programs = [("syscall", "direct:getppid"), ("haskell", "unsafe:one"), ("openmp-haskell", "empty")]
    for program, variant in programs:
        started = time.monotonic()
        long = run(program, "100000", "--repetitions", "5", "--n", "1", "--variant", variant)
        # a sample has as many runs as the quickest of three would need
        assert time.monotonic() - started > 0.1, program
        assert long.stdout.count('"type":"sample"') == 5, program
    once = run("openmp", "100000", "--repetitions", "2", "--n", "1", "--variant", "barrier")
    assert once.stdout.count('"type":"sample"') == 2 * 100
    suite = "from suite import Suite, measure; measure(Suite('p', 'b', 'q', (1,)), {'a': len})"
    python = [sys.executable, "-c", suite]
    for text in ("", "0", "-1", "x", "1,2", "1000001"):
        environment = os.environ | {"FERRY_SAMPLE_US": text, "PYTHONPATH": str(ROOT / "bench/python")}
        refused = subprocess.run(python, capture_output=True, text=True, timeout=600, check=False, env=environment)
        for done in (*(run(program, text, "--n", "1") for program, _ in programs), refused):
            assert done.returncode == 2, text
            assert "FERRY_SAMPLE_US" in done.stderr
            assert not done.stdout


def test_exact_benchmarks_give_exact_figures(tmp_path: Path) -> None:
    file = tmp_path / "measure.json"
    done = ferry("measure", "syscall", "--json", file, FERRY_BENCH=str(fake_bench(tmp_path / "bench")))
    assert done.returncode == 0, done.stderr
    document = json.loads(file.read_text())
    check_schema(document)
    fits = {result["variant"]: (result["fixed"], result["per_call"]) for result in document["results"]}
    assert fits["direct:getppid"] == pytest.approx((20, 85))
    assert fits["loop:getppid"] == pytest.approx((300, 60))
    ratios = {(r["numerator"], r["denominator"], r["n"]): r["value"] for r in document["ratios"]}
    assert ratios["loop:getppid", "direct:getppid", 10] == pytest.approx(900 / 870)
    assert ratios["loop:getppid", "libc:getppid", 1000] == pytest.approx(60_300 / 106_005)
    assert "(60300" not in done.stdout


def failing(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    """Measure `function` when that benchmark is a script."""
    bench = fake_bench(tmp_path / "bench")
    write_program(bench, "function", text)
    return ferry("measure", "function", FERRY_BENCH=str(bench))


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("#!/bin/sh\necho the disk is on fire >&2\nexit 4\n", ["function", "exit status 4", "the disk is on fire"]),
        ("#!/bin/sh\nkill -SEGV $$\n", ["function", "SIGSEGV"]),
        ("#!/bin/sh\nhead -c 100 /dev/zero\n", ["function", "line 1 is not JSON"]),
        ("#!/bin/sh\nprintf '\\377\\n'\n", ["function", "not UTF-8"]),
        ("#!/bin/sh\nexit 0\n", ["function", "machine line"]),
        ("#!/no/such/interpreter\n", ["function", "cannot be run"]),
    ],
)
def test_a_failing_benchmark_is_named(tmp_path: Path, text: str, messages: list[str]) -> None:
    done = failing(tmp_path, text)
    assert done.returncode == 1
    for message in messages:
        assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert "±" not in done.stdout


def test_what_is_not_there_is_left_out(tmp_path: Path, big_tree: Path) -> None:
    """Not built, or not possible here (exit status 3): no failure, unless that boundary was asked for by name."""
    environment = fake_walkers(tmp_path, '#!/bin/sh\nexec du -s "$3"\n')
    bench = environment["FERRY_BENCH"]
    write_program(Path(bench), "uring", "#!/bin/sh\necho io_uring is switched off here >&2\nexit 3\n")
    done = ferry("measure", "--quick", "--tree", big_tree, **environment)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stderr.split())
    assert f"left out: haskell: {bench}/haskell is not built; run `make haskell`" in said
    # one program of several leaves the boundary's others
    assert "left out: codec-nim: it is not built; run `make nim`" in said
    assert "left out: codec-rust: it is not built; run `make host-benches`" in said
    assert "left out: codec: " not in said
    assert "left out: uring" in said
    assert "io_uring is switched off here" in said
    assert "walk" in done.stdout
    for name, why in (("haskell", "run `make haskell`"), ("uring", "io_uring is switched off here")):
        asked = ferry("measure", name, **environment)
        assert asked.returncode == 1
        assert why in " ".join(asked.stderr.split())


def test_a_benchmark_with_one_size_is_refused(tmp_path: Path) -> None:
    bench = fake_bench(tmp_path / "bench")
    text = (bench / "function").read_text().replace("(1, 10, 100, 1000)", "(10,)")
    done = failing(tmp_path, text)
    assert done.returncode == 1
    assert "function, variant direct:getppid: a line needs two different n" in done.stderr


def test_missing_programs(tmp_path: Path) -> None:
    for bench in (tmp_path / "nowhere", tmp_path):
        done = ferry("measure", "syscall", FERRY_BENCH=str(bench))
        assert done.returncode == 1
        assert "is not built; run `make build`" in done.stderr
    done = ferry("measure", "syscall", FERRY_BENCH="")
    assert done.returncode == 1
    assert "FERRY_BENCH is not set" in done.stderr
    done = ferry("measure", "walk", FERRY_BIN=str(tmp_path), FERRY_BENCH=str(fake_bench(tmp_path / "bench")))
    assert done.returncode == 1
    assert "`make build`" in done.stderr


def test_unknown_boundary() -> None:
    done = ferry("measure", "syscall", "sycall")
    assert done.returncode == 2
    assert "unknown boundary 'sycall'" in done.stderr
    for boundary in BOUNDARIES:
        assert boundary.name in done.stderr


def test_json_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    bench = str(fake_bench(tmp_path / "bench"))
    done = ferry("measure", "syscall", "--json", tmp_path / "file" / "x.json", FERRY_BENCH=bench)
    assert done.returncode == 1
    assert "--json" in done.stderr
    assert "Traceback" not in done.stderr
    # it is said before anything is measured
    assert "measuring syscall" not in done.stderr


def fake_walkers(tmp_path: Path, mdu: str) -> dict[str, str]:
    """Stand-ins for the programs that walk trees."""
    bench, tools = fake_bench(tmp_path / "bench"), tmp_path / "bin"
    write_program(bench, "walk", '#!/bin/sh\nexec find "$3" -print\n')
    write_program(tools, "mdu", mdu)
    return {"FERRY_BENCH": str(bench), "FERRY_BIN": str(tools)}


def test_processes_are_timed_and_compared(tmp_path: Path, big_tree: Path) -> None:
    file = tmp_path / "walk.json"
    environment = fake_walkers(tmp_path, '#!/bin/sh\nexec du -s "$3"\n')
    done = ferry("measure", "walk", "--quick", "--tree", big_tree, "--json", file, **environment)
    assert done.returncode == 0, done.stderr
    document = json.loads(file.read_text())
    check_schema(document)
    results = {result["variant"]: result for result in document["results"]}
    assert set(results) == {"floor", "mdu", "du"}
    assert {result["unit"] for result in results.values()} == {"cpu_ns"}
    sizes = {sample["n"] for sample in results["du"]["samples"]}
    assert sizes == {200, 400, 800, 1600, 3004}
    counts = {variant: len(result["samples"]) for variant, result in results.items()}
    assert len(set(counts.values())) == 1, "every variant has as many samples as the others"
    assert {(r["numerator"], r["denominator"]) for r in document["ratios"]} >= {("mdu", "du"), ("mdu", "floor")}


def test_a_failing_process_is_named(tmp_path: Path, big_tree: Path) -> None:
    environment = fake_walkers(tmp_path, "#!/bin/sh\necho no such luck >&2\nexit 7\n")
    done = ferry("measure", "walk", "--quick", "--tree", big_tree, **environment)
    assert done.returncode == 1
    for message in ("mdu -s -j1", "exit status 7", "no such luck"):
        assert message in done.stderr


def test_a_tree_too_small(tmp_path: Path) -> None:
    environment = fake_walkers(tmp_path, "#!/bin/sh\nexit 0\n")
    (tmp_path / "small").mkdir()
    done = ferry("measure", "walk", "--tree", tmp_path / "small", **environment)
    assert done.returncode == 1
    assert "--tree" in done.stderr
    assert "give the path of a larger tree" in done.stderr
    assert ferry("measure", "walk", "--tree", tmp_path / "none").returncode == 2


def test_progress_bar_on_a_terminal(tmp_path: Path) -> None:
    """Standard error is a terminal here, so there is a bar; the table still goes to standard output alone."""
    ours, theirs = pty.openpty()
    environment = os.environ | {
        "FERRY_BENCH": str(fake_bench(tmp_path / "bench")),
        "PYTHONPATH": str(ROOT / "tools" / "ferry" / "src"),
        "TERM": "xterm-256color",
        "COLUMNS": "120",
    }
    command = [sys.executable, "-m", "ferry", "measure", "syscall", "--quick", "--all"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        assert process.stdout
        table = process.stdout.read()
    os.close(ours)
    assert process.returncode == 0
    assert "━".encode() in shown
    assert b"2/2" in shown
    assert b"per call" in table
    assert "━".encode() not in table


def test_narrow_terminals_lose_columns_not_figures(tmp_path: Path) -> None:
    from ferry.measurement import load
    from ferry.table import fitting_table
    from rich.console import Console

    file = tmp_path / "measure.json"
    ferry("measure", "syscall", "--json", file, FERRY_BENCH=str(fake_bench(tmp_path / "bench")))
    measurement = load(file)
    headings = []
    for width in (140, 100, 80, 60, 40):
        table = fitting_table(measurement, Console(width=width))
        headings.append([str(column.header) for column in table.columns])
    assert "line off by" in headings[0]
    assert [len(row) for row in headings] == sorted((len(row) for row in headings), reverse=True)
    assert len(headings[-1]) < len(headings[0])
    assert all("per call" in row for row in headings)


def test_help_and_version() -> None:
    assert ferry("--version").stdout == f"ferry (Ferry) {__version__}\n"
    top = ferry("--help")
    assert top.returncode == 0
    for command in ("measure", "report"):
        assert command in top.stdout
        assert ferry(command, "--help").returncode == 0
    assert "--quick" in ferry("measure", "--help").stdout
    for wrong in (["--nonsense"], ["nonsense"], ["measure", "--nonsense"]):
        done = ferry(*wrong)
        assert done.returncode == 2
        assert "nonsense" in done.stderr
