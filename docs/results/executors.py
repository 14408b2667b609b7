#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write docs/results/executors.json from what bench/auto and bench/tools have printed, here or in a virtual machine.

Usage: docs/results/executors.py FILE…

A FILE has the lines of one run: of `build/bench/auto`, or of `python3 -m vm --measure R --program auto` (or `tools`)
with PYTHONPATH=kernel, which counts instructions. Its table replaces the one that is there; the other tables stay. A
cost is the least of all samples. `make generate` then writes the tables into the documents.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).resolve().with_name("executors.json")
COUNTED = "QEMU's TCG with `-icount shift=0`: the counts do not depend on the machine"
COMMANDS = {
    ("auto", "ns"): "build/bench/auto",
    ("auto", "instructions"): "python3 -m vm --measure 3 --program auto",
    ("tools", "instructions"): "python3 -m vm --measure 3 --program tools",
}
SHAPES = {
    "getppid": "getppid",
    "statx": "statx by path",
    "fstat": "open, fstat, close",
    "file": "open, read, close: 4 KiB",
    "large": "open, read, close: 64 KiB",
}
PROGRAMS = {
    "du:tree": "GNU `du -s`",
    "loop:tree": "`mdu -s -j1 --executor=loop`",
    "kernel:tree": "`mdu -s -j1 --executor=kernel`",
    "auto:tree": "`mdu -s -j1`",
    "cat:files": "GNU `cat`",
    "loop:files": "`readmany --executor=loop`",
    "uring:files": "`readmany --executor=uring`",
    "kernel:files": "`readmany --executor=kernel`",
    "auto:files": "`readmany`",
}

#: Variant -> n -> the least cost of a run.
Costs = dict[str, dict[int, float]]


def read(file: Path) -> tuple[str, str, str, Costs]:
    """Return the boundary, the unit, the machine and the costs of one run."""
    costs: Costs = defaultdict(dict)
    boundary = unit = machine = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["type"] == "machine":
            machine = f"{entry['cpu']}, {entry['kernel']}, {entry['compiler']}, {entry['cores']} cores"
        elif entry["type"] == "sample":
            boundary, unit = entry["boundary"], entry["unit"]
            known = costs[entry["variant"].partition("@")[0]]
            known[entry["n"]] = min(entry["ns"], known.get(entry["n"], entry["ns"]))
    return boundary, unit, COUNTED if unit == "instructions" else machine, costs


def cost(value: float, unit: str) -> str:
    """Return a cost for people."""
    if unit == "instructions":
        return f"{value:,.0f}"
    return f"{value / 1000:,.2f} µs" if value >= 1000 else f"{value:,.0f} ns"


def choices(costs: Costs, unit: str) -> dict[str, Any]:
    """Make the table of what auto costs beside the best executor, which is named, for one item of n."""
    sizes = sorted({n for known in costs.values() for n in known})
    rows = []
    for shape, text in SHAPES.items():
        row = [text]
        for n in sizes:
            ways = {way: costs[f"{way}:{shape}"][n] for way in ("loop", "uring", "kernel") if f"{way}:{shape}" in costs}
            best = min(ways, key=lambda way: ways[way])
            row.append(f"{cost(ways[best] / n, unit)} {best}; {costs[f'auto:{shape}'][n] / ways[best]:.2f}")
        rows.append(row)
    return {"columns": ["the best for one; `auto` ÷ that", *(f"n = {n:,}" for n in sizes)], "rows": rows}


def programs(costs: Costs, unit: str) -> dict[str, Any]:
    """Make the table of whole programs: a line through the fewest and the most files, and where it is beside GNU's."""
    rows: list[list[str]] = []
    beside: dict[str, float] = {}
    for variant, text in PROGRAMS.items():
        few, many = min(costs[variant]), max(costs[variant])
        each = (costs[variant][many] - costs[variant][few]) / (many - few)
        call = variant.partition(":")[2]
        beside.setdefault(call, each)
        fixed = costs[variant][few] - few * each
        rows.append([text, cost(fixed, unit), cost(each, unit), f"{each / beside[call]:.3f}"])
    return {"columns": ["instructions", "start and end", "each file", "of GNU's"], "rows": rows}


def main() -> int:
    """Write the tables of the files that the command line names."""
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print((__doc__ or "").strip())
        return 2 if len(sys.argv) < 2 else 0
    known: dict[str, Any] = {"tables": {}}
    if RESULTS.exists():
        known = json.loads(RESULTS.read_text(encoding="utf-8"))
    for name in sys.argv[1:]:
        boundary, unit, machine, costs = read(Path(name))
        table = programs(costs, unit) if boundary == "tools" else choices(costs, unit)
        key = boundary if boundary == "tools" or unit == "ns" else f"{boundary}-counted"
        command = COMMANDS[boundary, unit]
        known["tables"][key] = table | {"machine": machine, "command": command}
    known = {"machine": COUNTED, "command": "docs/results/executors.py", "tables": known["tables"]}
    RESULTS.write_text(json.dumps(known, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
