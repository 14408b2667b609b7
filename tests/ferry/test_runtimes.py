# SPDX-License-Identifier: BSD-3-Clause
"""One program under several libraries: which environment each process gets, in which order, and what is missing."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import write_program
from ferry.boundaries import Boundary, Floor, Runtime, Runtimes
from ferry.folders import MeasureError
from ferry.native import UnavailableError
from ferry.neighbours import QUIET, World, Worlds
from ferry.runtimes import available, measure_runtimes

#: Writes what it was started with to a log, and takes 7 ns per call and thread.
PROGRAM = """#!/usr/bin/env python3
import os, sys
log = os.path.join(os.path.dirname(sys.argv[0]), "log")
known = {k: v for k, v in os.environ.items() if k.startswith(("OMP_", "GOMP_", "LD_"))}
with open(log, "a") as file:
    print(known, file=file)
print('{"type":"machine","cpu":"Fake","cores":1,"kernel":"k","compiler":"c","mitigations":"m"}')
for n in (1, 10, 100):
    time = 7 * n * int(os.environ.get("OMP_NUM_THREADS", 1))
    print('{"type":"sample","boundary":"BOUNDARY","variant":"VARIANT","unit":"ns","n":%d,"repetition":0,"ns":%d}'
          % (n, time))
"""
SOURCE = Runtimes(
    program="omp",
    library="libgomp.so.1",
    runtimes=(
        Runtime("one", ("../none", "../one"), "build it", required=True),
        Runtime("system"),
        Runtime("other", ("../other",)),
    ),
    variants=("barrier",),
    sizes=(1, 10, 100),
    threads=(1, 2),
    floor_program="floors",
    floors=(Floor("barrier@2", "line", 0.5),),
    passes=2,
)
BOUNDARY = Boundary("openmp", "t", "construct", "constructs", SOURCE, "floor", "f")


def ignore(*_: object) -> None:
    """Take progress and notes."""


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    folder = tmp_path / "bench"
    write_program(folder, "omp", PROGRAM.replace("BOUNDARY", "openmp").replace("VARIANT", "barrier"))
    write_program(folder, "floors", PROGRAM.replace("BOUNDARY", "handoff").replace("VARIANT", "line"))
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "libgomp.so.1").touch()
    return folder


def test_samples_are_named_by_library_and_threads(bench: Path) -> None:
    samples = measure_runtimes(BOUNDARY, SOURCE, bench, False, ignore, ignore, Worlds())
    values = {(sample.variant, sample.n): sample.value for sample in samples}
    assert {variant for variant, _ in values} == {
        *("one:barrier@1", "one:barrier@2", "system:barrier@1", "system:barrier@2"),
        "floor:barrier@2",
    }
    assert values["one:barrier@2", 100] == 1400
    assert values["floor:barrier@2", 100] == 700


def test_every_library_and_floor_is_measured_in_every_world(bench: Path) -> None:
    with Worlds((World(1, 19),)) as worlds:
        samples = measure_runtimes(BOUNDARY, replace(SOURCE, passes=1), bench, False, ignore, ignore, worlds)
    quiet, beside = ({s.variant for s in samples if s.world == world} for world in (QUIET, World(1, 19)))
    assert quiet == beside
    assert "floor:barrier@2" in beside


def test_every_pass_starts_with_another_library(bench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_WAIT_POLICY", "passive")
    monkeypatch.setenv("LD_PRELOAD", "")
    measure_runtimes(BOUNDARY, replace(SOURCE, floors=(), threads=(2,)), bench, False, ignore, ignore, Worlds())
    log = [line for line in (bench / "log").read_text().splitlines() if "OMP_NUM_THREADS" in line]
    one = {"LD_LIBRARY_PATH": str(bench.parent / "one"), "OMP_NUM_THREADS": "2"}
    expected = [one, {"OMP_NUM_THREADS": "2"}, {"OMP_NUM_THREADS": "2"}, one]
    assert [json.loads(line.replace("'", '"')) for line in log] == expected


def test_a_program_that_is_linked_with_one_gets_others_before_it(bench: Path) -> None:
    write_program(bench, "omp", PROGRAM.replace("BOUNDARY", "openmp").replace("VARIANT", "held_barrier"))
    runtimes = (Runtime("held", prefix="held_"), Runtime("libgomp", preload="libm.so.6"))
    source = replace(SOURCE, runtimes=runtimes, passes=1, threads=(2,), floors=(Floor("barrier@2", "line", 2.0, "x"),))
    samples = measure_runtimes(BOUNDARY, source, bench, False, ignore, ignore, Worlds())
    assert {sample.variant for sample in samples} == {"held:barrier@2", "libgomp:held_barrier@2", "x:barrier@2"}
    log = [json.loads(line.replace("'", '"')) for line in (bench / "log").read_text().splitlines()]
    two = {"OMP_NUM_THREADS": "2"}
    assert log == [two, two | {"LD_PRELOAD": "libm.so.6"}, two]


def test_what_stands_beside_the_floor_has_a_way_of_its_own(bench: Path) -> None:
    write_program(bench, "floors", PROGRAM.replace("BOUNDARY", "openmp").replace("VARIANT", "line"))
    floors = (Floor("barrier@2", "line", 0.5), Floor("barrier@2", "line", 1.0, way="sequential"))
    samples = measure_runtimes(BOUNDARY, replace(SOURCE, floors=floors), bench, False, ignore, ignore, Worlds())
    values = {sample.variant: sample.value for sample in samples if sample.n == 100}
    assert values["floor:barrier@2"] * 2 == values["sequential:barrier@2"] == 1400


def test_a_library_that_the_loader_does_not_find(bench: Path) -> None:
    missing = replace(SOURCE, runtimes=(Runtime("system"), Runtime("no", preload="libno.so.9", advice="install it")))
    notes: list[str] = []
    assert set(available(missing, bench, notes.append)) == {"system"}
    assert notes == ["left out: no: libno.so.9 cannot be preloaded; install it"]


def test_a_program_that_needs_more_to_be_built_may_be_missing(bench: Path) -> None:
    source = replace(SOURCE, program="no", target="haskell")
    with pytest.raises(UnavailableError, match="run `make haskell`"):
        measure_runtimes(BOUNDARY, source, bench, False, ignore, ignore, Worlds())


def test_a_floor_that_the_machine_cannot_measure(bench: Path) -> None:
    """As with one processor; the note says so once, and the constructs are measured."""
    write_program(bench, "floors", "#!/bin/sh\necho 'floors: two processors: No such device' >&2\nexit 3\n")
    notes: list[str] = []
    samples = measure_runtimes(BOUNDARY, SOURCE, bench, False, ignore, notes.append, Worlds())
    assert {sample.variant for sample in samples} == {
        *("one:barrier@1", "one:barrier@2", "system:barrier@1", "system:barrier@2")
    }
    floors = [note for note in notes if note.startswith("left out: floor")]
    assert len(floors) == 1
    assert "floor of openmp: this machine cannot measure it:" in floors[0]
    assert "floors: two processors: No such device" in floors[0]


def test_a_missing_library(bench: Path) -> None:
    notes: list[str] = []
    assert set(available(SOURCE, bench, notes.append)) == {"one", "system"}
    assert len(notes) == 1
    assert notes[0].startswith("left out: other: ")
    (bench.parent / "one" / "libgomp.so.1").unlink()
    with pytest.raises(MeasureError, match="build it"):
        available(SOURCE, bench, notes.append)


def test_a_library_that_the_system_has_under_another_name(bench: Path, tmp_path: Path) -> None:
    for version in (14, 19):
        home = tmp_path / f"llvm-{version}"
        home.mkdir()
        (home / "libomp.so.5").touch()
    system = (str(tmp_path / "nowhere-*" / "libomp.so.5"), str(tmp_path / "llvm-*" / "libomp.so.5"))
    source = replace(SOURCE, runtimes=(Runtime("libomp", system=system), Runtime("none", system=system[:1])))
    said: list[str] = []
    found = available(source, bench, said.append)
    assert found["libomp"] is not None
    assert (found["libomp"] / "libgomp.so.1").resolve() == tmp_path / "llvm-19" / "libomp.so.5"
    assert "none" not in found
    assert f"left out: none: {system[0]} is not there" in said[0]
