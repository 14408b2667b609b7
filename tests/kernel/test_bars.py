# SPDX-License-Identifier: BSD-3-Clause
"""Whether counted instructions are within their bars: a batch, its slots, and what is outside a batch."""

import json

import pytest
from vm.bars import OFFSET_CALL, Line, as_on, judge, kills, lines, offset
from vm.measure import lines_of
from vm.say import VmError

GOOD = {
    "entry:unimplemented": Line(731, 89),
    "entry:getppid": Line(731, 172),
    "direct:getppid": Line(7, 326),
    "without:getppid": Line(7, 326),
}


def failed(changes: dict[str, Line], module: bool = True) -> list[str]:
    return [result.name for result in judge(GOOD | changes, 760, module) if result.status == "not ok"]


def test_what_is_within_its_bars_passes() -> None:
    assert failed({}) == []


@pytest.mark.parametrize(
    ("variant", "line", "what"),
    [
        ("entry:unimplemented", Line(731, 91), "unimplemented: a slot: at most 90"),
        ("entry:getppid", Line(731, 181), "getppid: a slot: at most 180"),
        ("entry:getppid", Line(761, 172), "getppid: a batch besides its slots: at most 760"),
        ("direct:getppid", Line(7, 327), "getppid: outside a batch as without the module"),
        ("direct:getppid", Line(7, 325), "getppid: outside a batch as without the module"),
    ],
)
def test_what_is_not_fails(variant: str, line: Line, what: str) -> None:
    assert failed({variant: line}) == [f"instructions: {what}"]


def test_without_a_module_there_is_nothing_to_compare_with() -> None:
    assert failed({"direct:getppid": Line(7, 400)}, module=False) == []


def test_a_call_that_costs_more_than_on_another_kernel_fails() -> None:
    assert as_on("getppid", {"off-6.12": 206.01, "bare-6.12": 206.0}).status == "ok"
    more = as_on("getppid", {"off-6.12": 207.0, "bare-6.12": 206.0})
    assert (more.status, more.said) == (
        "not ok",
        "a call: 207.00 instructions on off-6.12, 206.00 on bare-6.12",
    )


@pytest.mark.parametrize(("more", "status"), [(OFFSET_CALL, "ok"), (OFFSET_CALL + 1, "not ok")])
def test_a_stack_offset_costs_a_slot_what_it_costs_a_call(more: int, status: str) -> None:
    without = {"direct:getppid": Line(7, 206), "entry:getppid": Line(269, 123)}
    with_ = {"direct:getppid": Line(7, 218), "entry:getppid": Line(269, 123 + 12 + more)}
    assert offset("getppid", without, with_).status == status


def sample(variant: str, n: int, value: float) -> str:
    return json.dumps({"type": "sample", "variant": variant, "n": n, "unit": "ns", "ns": value})


def test_a_guest_is_read() -> None:
    said = [
        "# program without",
        *(sample("direct:getppid", n, 7 + 300 * n) for n in (1, 1000)),
        "# exit without 0",
        "# program measure",
        *(sample("direct:getppid", n, 7 + 326 * n) for n in (1, 100, 1000) for _ in range(2)),
        # two of three with a timer tick
        *(sample("direct:getppid", 1000, 4_000_000 + k) for k in range(4)),
        "# exit measure 0",
    ]
    fits = lines(lines_of("debian-6.12", "\n".join(said)))
    assert [fits["without:getppid"].fixed, fits["without:getppid"].per_call] == pytest.approx([7, 300])
    assert [fits["direct:getppid"].fixed, fits["direct:getppid"].per_call] == pytest.approx([7, 326])


KILLED = """# program killed
# short calls: SIGKILL to reaped: longest of 16: 10012 us; 16 in a batch
ok 1 - device: short calls: killed
{} 2 - device: short calls: reaped within 10 ms
1..2
# exit killed {}
"""


def test_kills_are_timed_in_instructions() -> None:
    assert [result.status for result in kills(KILLED.format("ok", 0))] == ["ok", "ok"]
    slow = kills(KILLED.format("not ok", 1))
    assert [(result.name, result.status) for result in slow][1:] == [
        ("instructions: killed: device: short calls: reaped within 10 ms", "not ok")
    ]


def test_kills_that_were_not_timed_fail() -> None:
    assert [result.status for result in kills("# program measure\n# exit measure 0\n")] == ["not ok"]
    assert "not ok" in [result.status for result in kills(KILLED.format("ok", 0).partition("ok 2")[0])]


@pytest.mark.parametrize("program", ["without", "measure"])
def test_a_benchmark_that_failed_is_no_figure(program: str) -> None:
    with pytest.raises(VmError, match="the benchmark failed"):
        list(lines_of("debian-6.12", f"# program {program}\n# exit {program} 1\n"))
