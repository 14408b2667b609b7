# SPDX-License-Identifier: BSD-3-Clause
"""Reading what benchmark programs print."""

import json
from typing import Any

import pytest
from ferry.folders import MeasureError
from ferry.native import Sample, describe_exit, parse_lines

MACHINE = {"type": "machine", "cpu": "a", "cores": 2, "kernel": "b", "compiler": "c", "mitigations": "d"}
SAMPLE = {"type": "sample", "boundary": "x", "variant": "v", "unit": "ns", "n": 10, "repetition": 0, "ns": 12.5}


def lines(*entries: dict[str, Any]) -> str:
    return "".join(json.dumps(entry) + "\n" for entry in entries)


def test_samples_and_machine_are_read() -> None:
    text = lines(MACHINE, {"type": "calibration", "name": "timer", "ns": 20}, SAMPLE, SAMPLE | {"ns": 13})
    machine, samples = parse_lines("p", text, "x")
    assert machine == {key: value for key, value in MACHINE.items() if key != "type"}
    assert samples == [Sample("v", "ns", 10, 12.5), Sample("v", "ns", 10, 13.0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "did not begin with a machine line"),
        (lines(SAMPLE), "did not begin with a machine line"),
        (lines(MACHINE) + "not json\n", "line 2 is not JSON.*not json"),
        (lines(MACHINE) + "[1]\n", "line 2 is not a JSON object"),
        (lines(MACHINE, {"type": "x"}), "line 2: unexpected 'type' 'x'"),
        (lines(MACHINE, MACHINE), "line 2: unexpected 'type' 'machine'"),
        (lines({"type": "machine", "cpu": "a"}), "lacks cores, kernel, compiler, mitigations"),
        (lines(MACHINE, SAMPLE | {"boundary": "y"}), "line 2: 'boundary' is 'y', not 'x'"),
        (lines(MACHINE, SAMPLE | {"variant": ""}), "'variant' is ''"),
        (lines(MACHINE, SAMPLE | {"unit": "s"}), "'unit' is 's', not one of ns, cpu_ns"),
        (lines(MACHINE, SAMPLE | {"n": 0}), "'n' is 0"),
        (lines(MACHINE, SAMPLE | {"n": 1.5}), "'n' is 1.5"),
        (lines(MACHINE, SAMPLE | {"n": True}), "'n' is True"),
        (lines(MACHINE, SAMPLE | {"ns": "1"}), "'ns' is '1'"),
        (lines(MACHINE, SAMPLE | {"ns": float("nan")}), "'ns' is nan"),
    ],
)
def test_a_malformed_line_is_named(text: str, message: str) -> None:
    with pytest.raises(MeasureError, match=message) as caught:
        parse_lines("program-name", text, "x")
    assert "program-name" in str(caught.value)


def test_how_a_process_ended() -> None:
    assert describe_exit(3) == "ended with exit status 3"
    assert describe_exit(-9) == "was killed by SIGKILL"
    assert describe_exit(-34) == "was killed by signal 34" or "SIGRTMIN" in describe_exit(-34)
