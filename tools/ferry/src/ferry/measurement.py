# SPDX-License-Identifier: BSD-3-Clause
"""What `ferry measure --json FILE` writes and `ferry report` and `ferry advise` read.

FILE is {"machine": {…}, "results": [{"boundary", "variant", "unit", "fixed", "fixed_err", "per_call", "per_call_err",
"samples": [{"n", "value"}]}], "ratios": [{"boundary", "numerator", "denominator", "n", "value", "err"}]}. A result also
has "covariance" (of fixed and per_call: without it the error of T(n) cannot be worked out), "residual" and "residual_n"
(how far the line is from a measured minimum, at worst, and where). Times are nanoseconds; the unit says of which clock.

A result or ratio of samples beside busy loops also has "beside": {"loops": N, "nice": NICE or null for the priority of
the benchmark} with "burst_us": [ON, OFF] where the loops rest between bursts. Its line is through the means of the
samples, not the minima. Where it is absent, the world was quiet.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ferry.line import Line
from ferry.neighbours import QUIET, World
from ferry.output import open_input

#: Unit -> which clock its nanoseconds are of, or what else is counted.
UNITS = {
    "ns": "wall time",
    "cpu_ns": "CPU time, user and system",
    "instructions": "instructions under emulation, not time",
}
#: The units that are nanoseconds.
TIMES = ("ns", "cpu_ns")
MACHINE_KEYS = ("cpu", "cores", "kernel", "compiler", "mitigations")


class MeasurementError(ValueError):
    """A file is not what `ferry measure --json` writes."""


@dataclass(frozen=True)
class Result:
    """One variant's samples and the line through them."""

    boundary: str
    variant: str
    unit: str
    line: Line
    samples: tuple[tuple[int, float], ...]
    world: World = QUIET

    def to_json(self) -> dict[str, Any]:
        """As the file has it."""
        return self.world.to_json() | {
            "boundary": self.boundary,
            "variant": self.variant,
            "unit": self.unit,
            "fixed": self.line.fixed,
            "fixed_err": self.line.fixed_err,
            "per_call": self.line.per_call,
            "per_call_err": self.line.per_call_err,
            "covariance": self.line.covariance,
            "residual": self.line.residual,
            "residual_n": self.line.residual_n,
            "samples": [{"n": n, "value": value} for n, value in self.samples],
        }


@dataclass(frozen=True)
class Ratio:
    """T of one variant over T of another at n."""

    boundary: str
    numerator: str
    denominator: str
    n: int
    value: float
    err: float
    world: World = QUIET

    def to_json(self) -> dict[str, Any]:
        """As the file has it."""
        return {key: value for key, value in vars(self).items() if key != "world"} | self.world.to_json()


@dataclass(frozen=True)
class Measurement:
    """A whole run."""

    machine: dict[str, Any]
    results: tuple[Result, ...]
    ratios: tuple[Ratio, ...] = field(default=())

    def of(self, boundary: str, world: World | None = None) -> list[Result]:
        """Return the results of one boundary, as measured, in every world or in one."""
        return [r for r in self.results if r.boundary == boundary and world in (None, r.world)]

    def find(self, boundary: str, variant: str, world: World = QUIET) -> Result | None:
        """Return one result, if it is there."""
        return next((r for r in self.of(boundary, world) if r.variant == variant), None)

    def worlds(self, boundary: str | None = None) -> list[World]:
        """Return the worlds with busy loops that were measured, in order."""
        found = dict.fromkeys(r.world for r in self.results if boundary in (None, r.boundary))
        return [world for world in found if not world.quiet]

    def boundaries(self) -> list[str]:
        """Return the names of the measured boundaries, in order."""
        return list(dict.fromkeys(result.boundary for result in self.results))

    def to_json(self) -> dict[str, Any]:
        """As the file has it."""
        return {
            "machine": self.machine,
            "results": [result.to_json() for result in self.results],
            "ratios": [ratio.to_json() for ratio in self.ratios],
        }


def to_text(measurement: Measurement) -> str:
    """Make the text of the file."""
    return json.dumps(measurement.to_json(), ensure_ascii=False, allow_nan=False) + "\n"


def _number(entry: dict[str, Any], key: str, where: str) -> float:
    value = entry.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise MeasurementError(f"{where}: '{key}' is {value!r}, not a number")
    return float(value)


def _count(entry: dict[str, Any], key: str, where: str) -> int:
    value = entry.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise MeasurementError(f"{where}: '{key}' is {value!r}, not a whole number of 1 or more")
    return value


def _text(entry: dict[str, Any], key: str, where: str) -> str:
    value = entry.get(key)
    if not isinstance(value, str) or not value:
        raise MeasurementError(f"{where}: '{key}' is {value!r}, not a name")
    return value


def _list(entry: dict[str, Any], key: str, where: str) -> list[dict[str, Any]]:
    value = entry.get(key)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise MeasurementError(f"{where}: '{key}' is not a list of objects")
    return value


def _world(entry: dict[str, Any], where: str) -> World:
    beside = entry.get("beside")
    if beside is None:
        return QUIET
    if not isinstance(beside, dict):
        raise MeasurementError(f"{where}: 'beside' is {beside!r}, not an object with 'loops' and 'nice'")
    loops, nice = _count(beside, "loops", f"{where}, beside"), beside.get("nice")
    if nice is not None and (isinstance(nice, bool) or not isinstance(nice, int)):
        raise MeasurementError(f"{where}, beside: 'nice' is {nice!r}, not a whole number or null")
    burst = beside.get("burst_us")
    if burst is not None and not (isinstance(burst, list) and len(burst) == 2 and all(type(us) is int for us in burst)):
        raise MeasurementError(f"{where}, beside: 'burst_us' is {burst!r}, not two whole numbers")
    return World(loops, nice, None if burst is None else (burst[0], burst[1]))


def _result(entry: dict[str, Any], where: str) -> Result:
    samples = tuple(
        (_count(sample, "n", f"{where}, sample {k}"), _number(sample, "value", f"{where}, sample {k}"))
        for k, sample in enumerate(_list(entry, "samples", where))
    )
    unit = _text(entry, "unit", where)
    if unit not in UNITS:
        raise MeasurementError(f"{where}: unknown unit '{unit}'; known: {', '.join(UNITS)}")
    line = Line(
        fixed=_number(entry, "fixed", where),
        per_call=_number(entry, "per_call", where),
        fixed_variance=_number(entry, "fixed_err", where) ** 2,
        covariance=_number(entry, "covariance", where) if "covariance" in entry else 0.0,
        per_call_variance=_number(entry, "per_call_err", where) ** 2,
        residual=_number(entry, "residual", where) if "residual" in entry else 0.0,
        residual_n=_count(entry, "residual_n", where) if "residual_n" in entry else 0,
    )
    names = _text(entry, "boundary", where), _text(entry, "variant", where)
    return Result(*names, unit, line, samples, _world(entry, where))


def _ratio(entry: dict[str, Any], where: str) -> Ratio:
    boundary, numerator, denominator = (_text(entry, key, where) for key in ("boundary", "numerator", "denominator"))
    value, err = _number(entry, "value", where), _number(entry, "err", where)
    return Ratio(boundary, numerator, denominator, _count(entry, "n", where), value, err, _world(entry, where))


def from_json(document: Any) -> Measurement:
    """Check a parsed file and make a Measurement of it. Raises MeasurementError naming what is wrong."""
    if not isinstance(document, dict) or not isinstance(document.get("machine"), dict):
        raise MeasurementError("there is no 'machine' object; is this a file of `ferry measure --json`?")
    results = [_result(entry, f"result {k}") for k, entry in enumerate(_list(document, "results", "the file"))]
    if not results:
        raise MeasurementError("'results' is empty")
    ratios = [_ratio(entry, f"ratio {k}") for k, entry in enumerate(_list(document, "ratios", "the file"))]
    return Measurement(document["machine"], tuple(results), tuple(ratios))


def load(path: Path) -> Measurement:
    """Read a file, or standard input for -. Raises MeasurementError, or OSError when it cannot be read."""
    try:
        with open_input(path) as file:
            return from_json(json.loads(file.read().decode("utf-8")))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise MeasurementError(f"{path} is not JSON: {error}") from error
    except MeasurementError as error:
        raise MeasurementError(f"{path}: {error}") from error
