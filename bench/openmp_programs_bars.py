# SPDX-License-Identifier: BSD-3-Clause
"""Time real programs with our OpenMP runtime and with libgomp, at more threads than processors, and check the bars.

numpy on OpenBLAS and scikit-learn run unchanged, process by process in turn; each times its own cases after a first run
of each. `make programs` installs them. A wheel of PyPI finds its own libgomp first, so ours is preloaded there.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

PROGRAMS = Path(__file__).parent / "openmp" / "programs"
FOREIGN = re.compile(r"(OMP|GOMP|KMP)_|LD_(LIBRARY_PATH|PRELOAD)$")
TIMEOUT_S = 300
#: No slower than with libgomp.
BAR = 1.0


def seconds_of(command: list[str], folder: Path | None, preload: bool, threads: int) -> dict[str, float]:
    """Run a program with a library and return the seconds of each of its cases."""
    clean = {name: value for name, value in os.environ.items() if not FOREIGN.match(name)}
    clean["OMP_NUM_THREADS"] = str(threads)
    if folder:
        clean["LD_LIBRARY_PATH"] = str(folder)
        if preload:
            clean["LD_PRELOAD"] = str(folder / "libgomp.so.1")
    done = subprocess.run([*command, "time"], env=clean, stdout=subprocess.PIPE, timeout=TIMEOUT_S, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def print_case(name: str, times: dict[str, list[float]]) -> bool:
    """Print one case; return whether its bar is met."""
    ratios = [ours / other for ours, other in zip(times["ours"], times["libgomp"], strict=True)]
    ratio = statistics.median(ratios)
    medians = "".join(f"{1000 * statistics.median(times[library]):12.1f}" for library in ("ours", "libgomp"))
    verdict = "met" if ratio <= BAR else "MISSED"
    print(f"  {name:10}{medians}{ratio:9.3f}  {min(ratios):.3f} to {max(ratios):.3f}  {verdict}")
    return ratio <= BAR


def main() -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description="Time real OpenMP programs with our runtime and with libgomp.")
    parser.add_argument("--build", type=Path, default=Path("build"), help="where Ferry was built (default: build)")
    parser.add_argument("--ours", type=Path, help="the folder with our libgomp.so.1 (default: BUILD/lib/gomp)")
    parser.add_argument("--passes", type=int, default=5, help="processes with each library (default: 5)")
    parser.add_argument("--threads", type=int, default=4, help="OMP_NUM_THREADS (default: 4)")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a bar is missed")
    options = parser.parse_args()
    ours = (options.ours or options.build / "lib" / "gomp").absolute()
    python = options.build.absolute() / "programs" / "venv" / "bin" / "python"
    programs = (("/usr/bin/python3", PROGRAMS / "blas.py", False), (python, PROGRAMS / "learn.py", True))
    if not (ours / "libgomp.so.1").exists() or not python.exists():
        print(f"left out: needs {ours}/libgomp.so.1 and {python}; run `make programs`")
        return 0
    taken: dict[str, dict[str, list[float]]] = {}
    for _ in range(options.passes):
        for interpreter, script, preload in programs:
            for library, folder in (("ours", ours), ("libgomp", None)):
                found = seconds_of([str(interpreter), str(script)], folder, preload, options.threads)
                for name, value in found.items():
                    taken.setdefault(name, {}).setdefault(library, []).append(value)
    print(f"{options.threads} threads, {os.cpu_count()} processors, {options.passes} interleaved passes, milliseconds")
    print(f"  {'case':10}{'ours':>12}{'libgomp':>12}{'ratio':>9}  spread; bar: at most {BAR}")
    verdicts = [print_case(name, times) for name, times in taken.items()]
    return 1 if options.strict and not all(verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
