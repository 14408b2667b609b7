# SPDX-License-Identifier: BSD-3-Clause
"""Read what `ferry measure` fitted on this machine, or have it measured now."""

import json
import math
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ferry.advise.errors import AdviseError

#: `ferry measure syscall --quick` takes seconds; more than this is a hang
MEASURE_TIMEOUT_S = 180.0
#: units that are read: nanoseconds by the clock, and of user and system CPU time
UNITS = ("ns", "cpu_ns")
_NUMBERS = ("fixed", "fixed_err", "per_call", "per_call_err")


@dataclass(frozen=True, slots=True)
class Fit:
    """T(N) = fixed + per_call · N in ns, with standard errors; the unit says of which clock."""

    fixed: float
    fixed_err: float
    per_call: float
    per_call_err: float
    unit: str = "ns"


@dataclass
class Measurement:
    """The fits of one machine by boundary and variant."""

    source: str
    machine: dict[str, Any] = field(default_factory=dict)
    fits: dict[tuple[str, str], Fit] = field(default_factory=dict)

    def fit(self, variant: str) -> Fit | None:
        """Look up the fit of a variant, whatever boundary it belongs to; `syscall` first."""
        found = self.fits.get(("syscall", variant))
        return found or next((fit for (_, name), fit in self.fits.items() if name == variant), None)

    def machine_text(self) -> str:
        """Describe the machine in a few words."""
        known = [str(self.machine[key]) for key in ("cpu", "kernel") if self.machine.get(key)]
        return ", ".join(known) or "a machine without a card"


def _number(result: dict[str, Any], key: str, path: str) -> float:
    value = result.get(key, 0.0 if key.endswith("_err") else None)
    if value is None and key.endswith("_err"):
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise AdviseError(f"--measurement {path}: a result's \"{key}\" is {value!r}, not a number: make it again with"
                          " `ferry measure syscall --json FILE`", 2)  # fmt: skip
    return float(value)


def parse_measurement(document: object, path: str) -> Measurement:
    """Take the fits out of `ferry measure --json`'s document."""
    if not isinstance(document, dict) or not isinstance(document.get("results"), list):
        raise AdviseError(f"--measurement {path}: no \"results\" list in it: give a file that"
                          " `ferry measure --json FILE` wrote", 2)  # fmt: skip
    machine = document.get("machine")
    measurement = Measurement(path, machine if isinstance(machine, dict) else {})
    for result in document["results"]:
        if not isinstance(result, dict) or result.get("unit") not in UNITS:
            continue
        fixed, fixed_err, per_call, per_call_err = (_number(result, key, path) for key in _NUMBERS)
        measurement.fits[str(result.get("boundary")), str(result.get("variant"))] = Fit(
            fixed, fixed_err, per_call, per_call_err, result["unit"]
        )
    return measurement


def load_measurement(path: Path) -> Measurement:
    """Read --measurement FILE."""
    try:
        return parse_measurement(json.loads(path.read_bytes()), str(path))
    except OSError as error:
        raise AdviseError(f"--measurement {path}: {error.strerror}: give a file that `ferry measure --json FILE` wrote",
                          2) from None  # fmt: skip
    except ValueError as error:
        raise AdviseError(f"--measurement {path}: not JSON ({error}): give a file that `ferry measure --json FILE`"
                          " wrote", 2) from None  # fmt: skip


def measure_now() -> Measurement:
    """Measure the `syscall` boundary quickly, as `ferry measure` does. Raises AdviseError when that cannot be done."""
    with tempfile.TemporaryDirectory(prefix="ferry-advise-") as folder:
        path = Path(folder) / "measurement.json"
        arguments = [sys.executable, "-m", "ferry", "measure", "syscall", "--quick", "--json", str(path)]
        try:
            done = subprocess.run(
                arguments,
                capture_output=True,
                stdin=subprocess.DEVNULL,
                text=True,
                errors="replace",
                timeout=MEASURE_TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            raise AdviseError(f"`ferry measure syscall --quick` did not end within {MEASURE_TIMEOUT_S:.0f} s") from None
        if done.returncode != 0 or not path.exists():
            said = (done.stderr or done.stdout).strip().splitlines()
            raise AdviseError(
                f"`ferry measure syscall --quick` ended with {done.returncode}: {said[-1] if said else 'no message'}"
            )
        measurement = load_measurement(path)
    measurement.source = "`ferry measure syscall --quick`, just now"
    return measurement
