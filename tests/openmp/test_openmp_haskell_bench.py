# SPDX-License-Identifier: BSD-3-Clause
"""The benchmarks of OpenMP inside Haskell: they run on the library given, and the targets are right."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from fakes import fake_bench, ferry, write_program
from paths import BUILD, ROOT

PROGRAM = BUILD / "bench" / "openmp-haskell"
TARGETS = ROOT / "bench" / "targets.toml"
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


def check(build: Path, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    options = ("--check", TARGETS, "--passes=2", *arguments, "openmp-haskell")
    return ferry("measure", *options, FERRY_BENCH=str(build / "bench"), FERRY_BIN=str(build / "bin"), **environment)


@pytest.fixture
def build(tmp_path: Path) -> Path:
    fake_bench(tmp_path / "bench")
    for name in ("openmp-haskell", "haskell-interference", "haskell-openmp", "haskell", "openmp"):
        write_program(tmp_path / "bench", name, FAKE)
    return tmp_path


def targets(file: Path) -> dict[str, Any]:
    """Each target's text -> what was measured of it."""
    return {one["target"]: one for one in json.loads(file.read_text())["targets"]}


def test_every_target_has_its_figure(build: Path, tmp_path: Path) -> None:
    done = check(build, "--json", tmp_path / "out.json")
    assert done.returncode == 0, done.stderr
    seen = {text: one["value"] for text, one in targets(tmp_path / "out.json").items()}
    assert seen["a region that an idle Haskell program opens"] == pytest.approx(1)
    # half of the regions' rate and 10 of 18 units
    assert seen["busy2: the shares of regions and of Haskell threads, added"] == pytest.approx(1.056, abs=1e-3)
    assert seen["busy2: the smaller share"] == pytest.approx(0.5)
    assert seen["busy2: how late a thread wakes, p99"] == pytest.approx(0.2)
    assert seen["regions that went wrong"] == 0
    # 8 n of the sequential loop against 400 + 4 n
    assert seen["from how many sines on a region pays"] == pytest.approx(100)
    # 100 of 40 + 500
    assert seen["an empty region"] == pytest.approx(100 / 540)
    assert "no figure" not in done.stdout
    assert "MISSED" not in done.stdout
    figures = {one["figure"]: one["values"] for one in json.loads((tmp_path / "out.json").read_text())["figures"]}
    assert figures["libgomp wrong"] == [18, 18]
    assert figures["libgomp crossover"] == pytest.approx([500, 500])


def test_a_missed_target_counts_only_when_asked(build: Path, tmp_path: Path) -> None:
    done = check(build, "--json", tmp_path / "out.json", FAKE_SLOW="1")
    assert done.returncode == 0, done.stderr
    seen = targets(tmp_path / "out.json")
    assert seen["busy1: the smaller share"]["value"] == pytest.approx(0.125)
    missed = {text for text, one in seen.items() if not one["met"]}
    assert missed == {
        *(f"busy{k}: the smaller share" for k in (1, 2)),
        *(f"busy{k}: the shares of regions and of Haskell threads, added" for k in (1, 2)),
    }
    assert check(build, "--strict", FAKE_SLOW="1").returncode == 1
    assert check(build, "--strict").returncode == 0


def test_what_is_not_there_or_fails_is_named(build: Path) -> None:
    write_program(build / "bench", "haskell-interference", "#!/bin/sh\necho no region >&2\nexit 4\n")
    failed = check(build, "--strict")
    assert failed.returncode == 1
    assert "haskell-interference" in failed.stderr
    assert "no region" in failed.stderr
    (build / "bench" / "haskell-openmp").unlink()
    missing = check(build)
    assert missing.returncode == 1
    assert "haskell-openmp is not built; run `make haskell`" in " ".join(missing.stderr.split())


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
    plain = {f"{way}{call}" for way in ("", "held_") for call in ("empty", "idle", "busy1", "busy2", "sum", "apart")}
    assert {sample["variant"] for sample in samples} == plain | {"loop_empty", "loop", "sequential"}
    bound = "".join(path.read_text() for path in tmp_path.glob("bindings.*"))
    of_program = re.findall(rf"binding file \S*{program.name} \[0\] to (\S+) .*`GOMP_parallel'", bound)
    assert of_program
    assert {Path(name).name.partition(".so")[0] for name in of_program} == {"libgomp" if library else "libferryomp"}


def test_wrong_options(program: Path) -> None:
    for wrong in (["--nonsense"], ["--n", "0"], ["word"], ["--variant", "nonsense"]):
        refused = run(program, *wrong)
        assert (refused.returncode, refused.stdout) == (2, "")
