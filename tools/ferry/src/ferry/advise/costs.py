# SPDX-License-Identifier: BSD-3-Clause
"""Get the fits that predictions rest on: from a file of `ferry measure`, or by running it now."""

import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ferry.advise.errors import AdviseError, temporary_folder
from ferry.measurement import Measurement, MeasurementError, load

#: `ferry measure syscall --quick` takes seconds; more than this is a hang
MEASURE_TIMEOUT_S = 180.0


@dataclass(frozen=True)
class Costs:
    """A measurement and where it comes from."""

    measurement: Measurement
    source: str

    def machine_text(self) -> str:
        """Describe the machine in a few words."""
        known = [str(self.measurement.machine[key]) for key in ("cpu", "kernel") if self.measurement.machine.get(key)]
        return ", ".join(known) or "a machine without a card"


def load_costs(path: Path) -> Costs:
    """Read --measurement FILE."""
    try:
        return Costs(load(path), str(path))
    except (OSError, MeasurementError) as error:
        said = f"{path}: {error.strerror}" if isinstance(error, OSError) else str(error)
        raise AdviseError(
            f"--measurement: {said}. Give a file that `ferry measure syscall --json FILE` wrote", 2
        ) from None


def measure_now() -> Costs:
    """Measure the `syscall` boundary quickly, as `ferry measure` does. Raises AdviseError when that cannot be done."""
    with tempfile.TemporaryDirectory(prefix="ferry-advise-", dir=temporary_folder()) as folder:
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
        except OSError as error:
            raise AdviseError(f"`ferry measure syscall --quick` cannot be run: {error.strerror}") from None
        except subprocess.TimeoutExpired:
            raise AdviseError(f"`ferry measure syscall --quick` did not end within {MEASURE_TIMEOUT_S:.0f} s") from None
        if done.returncode != 0 or not path.exists():
            said = (done.stderr or done.stdout).strip().splitlines()
            raise AdviseError(
                f"`ferry measure syscall --quick` ended with {done.returncode}: {said[-1] if said else 'no message'}"
            )
        return Costs(load_costs(path).measurement, "`ferry measure syscall --quick`, just now")
