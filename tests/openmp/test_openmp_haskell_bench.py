# SPDX-License-Identifier: BSD-3-Clause
"""The benchmarks of OpenMP inside Haskell: they run on the library given, and the bars are right."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fakes import write_program
from paths import BUILD, ROOT

PROGRAM = BUILD / "bench" / "openmp-haskell"
SCRIPT = ROOT / "bench" / "openmp_haskell_bars.py"
TIMEOUT_S = 900

#: Prints what its options ask for, with exact times; libgomp's are five times ours. FAKE_SLOW makes regions beside
#: computing threads four times as long.
FAKE = """#!/usr/bin/env python3
import os, sys
options = dict(argument[2:].split("=") for argument in sys.argv[1:])
factor = 5 if os.environ.get("LD_PRELOAD") or os.path.basename(sys.argv[0]) == "openmp" else 1
print('{"type":"machine","cpu":"Fake","cores":2,"kernel":"k","compiler":"c","mitigations":"m","ghc":"ghc 0"}')

def line(variant, n, ns):
    text = '{"type":"sample","boundary":"b","variant":"%s","unit":"ns","n":%d,"repetition":0,"ns":%f}'
    print(text % (variant, n, ns))

def beside(variant):
    busy = "busy" in variant
    slow = 4 if busy and os.environ.get("FAKE_SLOW") else 1
    region, unit = (8000 * slow, 18000) if busy else (4000, 10000)
    wrong = 0 if factor == 1 else 3
    times = dict(region=region, p50=region, p99=2 * region, slow=7, unit=unit, gap=1000, pause=1000, gcwaitmost=5e6)
    return times, wrong

for variant in options["variant"].split(","):
    for n in map(int, options["n"].split(",")):
        if "interference" in sys.argv[0]:
            times, wrong = beside(variant)
            for kind, ns in times.items():
                line(kind + ":" + variant, n, ns * factor)
            line("wrong:" + variant, n, wrong)
        elif "openmp-haskell" in sys.argv[0]:
            line(variant, n, 100 * n * factor)
        elif variant == "sum-c:1":
            line(variant, n, 8 * n)
        elif variant.startswith("sum"):
            line(variant, n, 400 * factor + 8 * n / int(variant[-1]))
        elif variant == "safe:one":
            line(variant, n, 40)
        else:
            line(variant, n, 6 * n / int(variant[-1]) if variant[-1] in "12" else 100 * n * factor)
"""


def bars(build: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, SCRIPT, "--build", build, "--passes=2", *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


@pytest.fixture
def build(tmp_path: Path) -> Path:
    for name in ("openmp-haskell", "haskell-interference", "haskell-openmp", "haskell", "openmp"):
        write_program(tmp_path / "bench", name, FAKE)
    return tmp_path


def bar_lines(shown: str) -> dict[str, list[str]]:
    """A bar's text -> limit, ours, spread, safe, libgomp, whether it is met."""
    lines = [line for line in shown.splitlines() if line.endswith(("  met", "MISSED"))]
    return {line[:52].strip(): line[52:].split() for line in lines}


def test_every_bar_is_printed_with_its_ratio(build: Path, tmp_path: Path) -> None:
    done = bars(build, "--json", str(tmp_path / "figures.json"))
    assert done.returncode == 0, done.stderr
    seen = bar_lines(done.stdout)
    assert seen["idle: rate of the same loop in C"][:3] == ["≥", "0.95", "1.000"]
    # half of the regions' rate and 10 of 18 units
    assert seen["busy2: shares, added"][2] == "1.056"
    assert seen["busy2: the smaller share"][2] == "0.500"
    assert seen["busy2: late to wake, p99, of libgomp's"][2] == "0.200"
    assert seen["regions that went wrong"][2:] == ["0.000", "0.000", "to", "0.000", "0.000", "30.000", "met"]
    # 8 n of the sequential loop against 400 + 4 n, of libgomp 2000 + 4 n
    assert seen["crossover, sines"][2] == "100.000"
    assert seen["crossover, sines"][-2] == "500.000"
    # 100 of 40 + 500
    assert seen["empty region, of safe call + libgomp's"][2] == "0.185"
    assert [words[-1] for words in seen.values()].count("MISSED") == 0, done.stdout
    for table in ("FFI scaling", "crossover", "forkIO and OpenMP", "tasks", "callbacks", "gc ", "busy2", "floors"):
        assert table in done.stdout
    assert "7.0, 7.0, 7.0 of 1,000 regions" in done.stdout
    assert "1000  late to wake" in done.stdout
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert {(row["pass"], row["library"]) for row in figures["figures"]} == {
        (step, library) for step in (0, 1) for library in ("ours", "libgomp")
    }


def test_a_missed_bar_counts_only_when_asked(build: Path) -> None:
    done = bars(build, "--part=interference", FAKE_SLOW="1")
    assert done.returncode == 0, done.stderr
    seen = bar_lines(done.stdout)
    assert seen["busy1: the smaller share"][2] == "0.125"
    assert seen["busy1: the smaller share"][-1] == seen["busy2: shares, added"][-1] == "MISSED"
    assert seen["eight callers: rate of one's"][-1] == "met"
    assert "crossover, sines" not in seen
    assert bars(build, "--part=interference", "--strict", FAKE_SLOW="1").returncode == 1
    assert bars(build, "--part=interference", "--strict").returncode == 0


def test_what_is_not_there_or_fails_is_named(build: Path) -> None:
    write_program(build / "bench", "haskell-interference", "#!/bin/sh\necho no region >&2\nexit 3\n")
    failed = bars(build)
    assert failed.returncode == 1
    assert "haskell-interference" in failed.stderr
    assert "no region" in failed.stderr
    (build / "bench" / "haskell-openmp").unlink()
    for options, status in (([], 0), (["--strict"], 1)):
        missing = bars(build, *options)
        assert missing.returncode == status
        assert f"{build}/bench/haskell-openmp is not built; run `make haskell`" in missing.stderr


@pytest.fixture(scope="module")
def program() -> Path:
    if not PROGRAM.is_file():
        pytest.skip("the Haskell package is not built here")
    return PROGRAM


def run(program: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *arguments],
        env=os.environ | {"OMP_NUM_THREADS": "2"} | environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )


@pytest.mark.parametrize("library", ["", "libgomp.so.1"])
def test_every_variant_runs_on_the_library_it_is_given(program: Path, tmp_path: Path, library: str) -> None:
    log = tmp_path / "bindings"
    done = run(
        *(program, "--repetitions=1", "--n=3"), LD_PRELOAD=library, LD_DEBUG="bindings", LD_DEBUG_OUTPUT=str(log)
    )
    assert done.returncode == 0, done.stderr
    samples = [line for line in map(json.loads, done.stdout.splitlines()) if line["type"] == "sample"]
    plain = {f"{way}{call}" for way in ("", "held_") for call in ("empty", "idle", "busy1", "busy2", "sum")}
    assert {sample["variant"] for sample in samples} == plain | {"loop_empty", "loop", "sequential"}
    bound = "".join(path.read_text() for path in tmp_path.glob("bindings.*"))
    of_program = re.findall(rf"binding file \S*{program.name} \[0\] to (\S+) .*`GOMP_parallel'", bound)
    assert of_program
    assert {Path(name).name.partition(".so")[0] for name in of_program} == {"libgomp" if library else "libferryomp"}


def test_wrong_options(program: Path) -> None:
    for wrong in (["--nonsense"], ["--n", "0"], ["word"], ["--variant", "nonsense"]):
        refused = run(program, *wrong)
        assert (refused.returncode, refused.stdout) == (2, "")
