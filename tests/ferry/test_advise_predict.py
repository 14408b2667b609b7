# SPDX-License-Identifier: BSD-3-Clause
"""What is predicted from measured fits, and what is said about fits that cannot be used."""

from pathlib import Path
from typing import Any

import pytest
from ferry.advise.costs import load_costs
from ferry.advise.errors import AdviseError
from ferry.advise.predict import Predictor, open_read_close_files
from ferry.advise.report import duration, rank
from ferry.advise.runs import Run, find_runs
from ferry.advise.shapes import group_runs
from ferry.advise.strace_parser import parse_lines
from ferry.measurement import Measurement, from_json


def result(variant: str, fixed: float, per_call: float, boundary: str = "syscall", unit: str = "ns") -> dict[str, Any]:
    errors = {"fixed_err": 3.0, "per_call_err": 0.5, "samples": []}
    return {"boundary": boundary, "variant": variant, "unit": unit, "fixed": fixed, "per_call": per_call, **errors}


BASE = [
    result("direct:unimplemented", 0, 100),
    result("libc:unimplemented", 0, 104),
    result("loop:unimplemented", 6, 101),
]


def predictor(*more: dict[str, Any]) -> Predictor:
    measurement = from_json({"machine": {"cpu": "a CPU"}, "results": [*BASE, *more], "ratios": []})
    found = Predictor.of(measurement)
    assert found is not None
    return found


def run_of(*lines: str) -> Run:
    (run,) = find_runs(parse_lines(lines)).runs
    return run


TEN = run_of(*["getuid() = 0"] * 10)
FILES = run_of(*['openat(AT_FDCWD, "/a", O_RDONLY) = 3', 'read(3, "x", 9) = 1', "close(3) = 0"] * 4)
SIZE = run_of(
    'openat(AT_FDCWD, "/a", O_RDONLY) = 3',
    "fstat(3, {st_mode=S_IFREG|0644, st_size=258, ...}) = 0",
    "mmap(NULL, 258, PROT_READ, MAP_PRIVATE, 3, 0) = 0x7f0000000000",
)


def test_without_a_kernel_executor_the_bound_is_one_crossing_left() -> None:
    saving = predictor().run(TEN)
    assert saving.crossings.ns == 1000
    assert saving.at_most.ns == 900
    assert saving.at_most.err == pytest.approx(9 * 0.5)
    assert (saving.kernel, saving.uring) == (None, None)
    assert saving.rank == 900


def test_loop_saves_the_detour_only_and_pays_for_copies_out_of_memory() -> None:
    loop = predictor().run(TEN).loop
    assert loop is not None
    assert loop.ns == 10 * 104 - (6 + 10 * 101)
    fed_a_size = predictor().run(SIZE).loop
    assert fed_a_size is not None
    assert fed_a_size.ns == 3 * 104 - (6 + 3 * 101) - 100


def test_a_measured_kernel_executor_is_charged_for_its_word_copies() -> None:
    saving = predictor(result("kernel:unimplemented", 250, 20)).run(FILES)
    assert FILES.copies == 8
    assert saving.kernel is not None
    assert saving.kernel.ns == 12 * 100 - (250 + 20 * 20)
    assert saving.rank == saving.kernel.ns


def test_uring_is_predicted_for_measured_chains_only() -> None:
    fits = [
        result("direct:file", 0, 2000, "uring", "cpu_ns"),
        result("uring:file", 500, 1500, "uring", "cpu_ns"),
    ]
    assert open_read_close_files(FILES) == 4
    saving = predictor(*fits).run(FILES)
    assert saving.uring is not None
    assert saving.uring.ns == 4 * 2000 - (500 + 4 * 1500)
    assert predictor(*fits).run(TEN).uring is None
    other_clock = fits[1] | {"unit": "ns"}
    assert predictor(fits[0], other_clock).run(FILES).uring is None
    assert predictor().run(FILES).uring is None


def test_a_failed_or_unfed_chain_is_no_chain() -> None:
    unfed = run_of('openat(AT_FDCWD, "/a", O_RDONLY) = 3', 'read(9, "x", 9) = 1', "close(3) = 0")
    assert open_read_close_files(unfed) == 0
    assert open_read_close_files(TEN) == 0
    assert open_read_close_files(SIZE) == 0


def test_groups_are_ranked_by_saving() -> None:
    trace = parse_lines([*["getuid() = 0"] * 3, "exit_group(0) = ?", *["getgid() = 0", "getpid() = 5"] * 4])
    groups = group_runs(find_runs(trace).runs)
    assert [group.text() for group, _ in rank(groups, predictor())] == ["(getgid getpid)×4", "getuid×3"]
    assert [group.text() for group, _ in rank(groups, None)] == ["(getgid getpid)×4", "getuid×3"]
    (_, best), _ = rank(groups, predictor())
    assert best is not None
    assert best.at_most.ns == 700


def test_without_the_price_of_a_crossing_nothing_is_predicted() -> None:
    assert Predictor.of(Measurement({}, ())) is None


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"", "not JSON"),
        (b"\xff\x00", "not JSON"),
        (b"[]", "no 'machine' object"),
        (b'{"machine": {}}', "'results' is"),
    ],
)
def test_a_bad_measurement_is_named(tmp_path: Path, text: bytes, what: str) -> None:
    path = tmp_path / "m.json"
    path.write_bytes(text)
    with pytest.raises(AdviseError) as caught:
        load_costs(path)
    assert what in str(caught.value)
    assert str(path) in str(caught.value)
    assert "--measurement" in str(caught.value)
    assert "ferry measure" in str(caught.value)
    assert caught.value.status == 2


@pytest.mark.parametrize(
    ("ns", "text"),
    [(0.1, "0"), (85, "85 ns"), (-374.2, "-374 ns"), (8240, "8.24 µs"), (123456, "123 µs"), (4.79e6, "4.79 ms"),
     (2e9, "2 s")],
)  # fmt: skip
def test_times_are_written_with_their_unit(ns: float, text: str) -> None:
    assert duration(ns) == text
