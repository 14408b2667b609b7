# SPDX-License-Identifier: BSD-3-Clause
"""What is compared with what, and what is said about it."""

import pytest
from ferry.boundaries import BOUNDARIES, Guest, Programs, Runtimes, by_name, call, joined, way
from ferry.compare import floor_of, pairs_of, ratios, verdict
from ferry.line import Line
from ferry.measurement import Result

SIZES = (1, 10, 100, 1000)


def result(variant: str, fixed: float, per_call: float, err: float = 0.1, boundary: str = "syscall") -> Result:
    line = Line(fixed, per_call, err**2, 0.0, err**2)
    return Result(boundary, variant, "ns", line, tuple((n, fixed + per_call * n) for n in SIZES))


@pytest.mark.parametrize(
    ("batched", "naive", "text"),
    [
        ((400, 60), (0, 85), "loop is cheaper than libc from n = 16.0 ± 0.1 on."),
        ((0, 85), (400, 60), "loop is dearer than libc from n = 16.0 ± 0.1 on."),
        ((0, 60), (400, 85), "loop is cheaper than libc at every n measured."),
        ((400, 85), (0, 60), "loop is dearer than libc at every n measured."),
        ((10, 60), (0, 85), "loop is cheaper than libc at every n measured."),
        ((50_000, 60), (0, 85), "loop is dearer than libc at every n measured; the lines cross at n = 2000 ± 11."),
        ((400, 85.1), (0, 85), "loop and libc differ by less per call than this run could tell."),
    ],
)
def test_verdict(batched: tuple[float, float], naive: tuple[float, float], text: str) -> None:
    assert verdict(result("loop:x", *batched), result("libc:x", *naive)).text == text


def test_only_variants_of_the_same_call_are_compared() -> None:
    boundary = by_name("syscall")
    assert boundary
    results = [result(f"{kind}:{name}", 10, 85) for name in ("a", "b") for kind in ("direct", "loop", "libc", "null")]
    named = {one.variant: one for one in results}
    assert floor_of(boundary, named["loop:b"], results) is named["direct:b"]
    assert floor_of(boundary, named["direct:b"], results) is None
    assert floor_of(boundary, named["null:b"], results) is None
    assert [(one.variant, other.variant) for one, other in pairs_of(boundary, results)] == [
        ("loop:a", "libc:a"),
        ("loop:b", "libc:b"),
    ]
    compared = {(ratio.numerator, ratio.denominator, ratio.n) for ratio in ratios(boundary, results)}
    expected = {("loop", "direct"), ("libc", "direct"), ("loop", "libc")}
    assert compared == {(f"{a}:{c}", f"{b}:{c}", n) for a, b in expected for c in "ab" for n in (10, 1000)}


def test_a_ratio_of_times_below_zero_is_left_out() -> None:
    boundary = by_name("syscall")
    assert boundary
    results = [result("direct:a", 10, 85), result("loop:a", -1e6, 1)]
    assert not list(ratios(boundary, results))


def test_the_table_of_boundaries_is_sound() -> None:
    assert len({boundary.name for boundary in BOUNDARIES}) == len(BOUNDARIES)
    for boundary in BOUNDARIES:
        assert boundary.name.replace("-", "_").isidentifier()
        assert list(boundary.ratio_sizes) == sorted(boundary.ratio_sizes)
        if isinstance(boundary.source, Programs | Guest):
            assert boundary.source.quick_repetitions <= boundary.source.repetitions
        elif isinstance(boundary.source, Runtimes):
            assert {boundary.floor, *(way for pair in boundary.pairs for way in pair)} == {
                boundary.floor,
                *(runtime.way for runtime in boundary.source.runtimes),
                *(floor.way for floor in boundary.source.floors if floor.way),
            }
        else:
            assert boundary.floor in {process.variant for process in boundary.source.commands}
    assert by_name("nonsense") is None


def test_names() -> None:
    assert (way("loop:getppid"), call("loop:getppid")) == ("loop", "getppid")
    assert (way("mdu"), call("mdu")) == ("mdu", "")
    assert (joined("loop", "getppid"), joined("mdu", "")) == ("loop:getppid", "mdu")
