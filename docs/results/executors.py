#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write docs/results/executors.json from what bench/auto, tools and interrupted have printed, here or in QEMU.

Usage: docs/results/executors.py FILE…

A FILE has the lines of one run: of `build/bench/auto`, or of `python3 -m vm --measure R --program auto` (or `tools`,
`interrupted`) with PYTHONPATH=kernel, which counts instructions. Its table replaces the one that is there; the other
tables stay. A cost is the least of all samples. `make generate` then writes the tables into the documents.
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
    ("tools", "instructions"): "python3 -m vm --measure 3 --program tools debian-6.12 plain-6.12",
    ("kernel", "instructions"): "python3 -m vm --measure 20 --program interrupted debian-6.12 plain-6.12",
}
#: The kernels of kernel/vm that instructions are counted on: how they are called, and the way to a batch.
KERNELS = {"debian-6.12": ("Debian 6.12", "`/dev/batch`"), "plain-6.12": ("minimal 6.12", "`batch(2)`")}
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

INTERRUPTIONS = {
    "signal": "a signal with a handler, sent by each call",
    "signal-16": "16 calls, the last of which sends the signal",
    "stop": "a call that stops the process, and going on",
    "sleep": "a read that sleeps until another process writes",
    "sleep-stop": "the same, stopped while it sleeps, and going on",
    "sleep-freeze": "the same, frozen while it sleeps, and thawed",
}

#: Variant -> n -> the least cost of a run.
Costs = dict[str, dict[int, float]]


def read(file: Path) -> tuple[str, str, str, dict[str, Costs]]:
    """Return the boundary, the unit, the machine and, for each kernel that was counted on, the costs of one run."""
    costs: dict[str, Costs] = defaultdict(lambda: defaultdict(dict))
    boundary = unit = machine = ""
    for line in file.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["type"] == "machine":
            machine = f"{entry['cpu']}, {entry['kernel']}, {entry['compiler']}, {entry['cores']} cores"
        elif entry["type"] == "sample":
            boundary, unit = entry["boundary"], entry["unit"]
            variant, _, kernel = entry["variant"].partition("@")
            known = costs[kernel][variant]
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


def line(points: dict[int, float]) -> tuple[float, float]:
    """Return what is fixed and what each of n takes, by the fewest and the most."""
    few, many = min(points), max(points)
    each = (points[many] - points[few]) / (many - few)
    return points[few] - few * each, each


def programs(kernels: dict[str, Costs]) -> dict[str, Any]:
    """Make the table of whole programs: a line through the fewest and the most files, and where it is beside GNU's."""
    columns = ["instructions"]
    rows = [[text] for text in PROGRAMS.values()]
    for kernel, costs in kernels.items():
        columns += [f"{KERNELS[kernel][0]}, {KERNELS[kernel][1]}: start and end", "each file", "of GNU's"]
        beside: dict[str, float] = {}
        for row, variant in zip(rows, PROGRAMS, strict=True):
            fixed, each = line(costs[variant])
            row += [cost(fixed, "instructions"), cost(each, "instructions")]
            row += [f"{each / beside.setdefault(variant.partition(':')[2], each):.3f}"]
    return {"columns": columns, "rows": rows}


def interruptions(kernels: dict[str, Costs]) -> dict[str, Any]:
    """Make the table of what comes in between the calls of a batch: a run in which it comes once, in both ways."""
    columns = ["instructions"]
    rows = [[text] for text in INTERRUPTIONS.values()]
    for kernel, costs in kernels.items():
        columns += [f"{KERNELS[kernel][0]}: system calls", f"{KERNELS[kernel][1]}", "more"]
        for row, kind in zip(rows, INTERRUPTIONS, strict=True):
            direct, batched = (costs[f"{way}:{kind}"][1] for way in ("direct", "kernel"))
            row += [cost(value, "instructions") for value in (direct, batched, batched - direct)]
    return {"columns": columns, "rows": rows}


def main() -> int:
    """Write the tables of the files that the command line names."""
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print((__doc__ or "").strip())
        return 2 if len(sys.argv) < 2 else 0
    known: dict[str, Any] = {"tables": {}}
    if RESULTS.exists():
        known = json.loads(RESULTS.read_text(encoding="utf-8"))
    for name in sys.argv[1:]:
        boundary, unit, machine, kernels = read(Path(name))
        if boundary == "tools":
            key, table = boundary, programs(kernels)
        elif boundary == "kernel":
            key, table = "interrupted", interruptions(kernels)
        else:
            (costs,) = kernels.values()
            key, table = boundary if unit == "ns" else f"{boundary}-counted", choices(costs, unit)
        known["tables"][key] = table | {"machine": machine, "command": COMMANDS[boundary, unit]}
    known = {"machine": COUNTED, "command": "docs/results/executors.py", "tables": known["tables"]}
    RESULTS.write_text(json.dumps(known, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
