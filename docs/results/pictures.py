#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draw what a call to a library costs, from another thread to 10 ms away, from docs/results/*.json.

Usage: docs/results/pictures.py [--check]

It writes docs/pictures/call-cost.svg: for each place in which the library may run, a call that waits for its reply and
one of many that travel together, on one logarithmic axis. --check writes nothing and fails where the picture differs.
"""

import argparse
import json
import math
import re
import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

RESULTS = Path(__file__).resolve().parent
PICTURE = RESULTS.parent / "pictures" / "call-cost.svg"
UNITS = {"ns": 1e-3, "µs": 1.0, "ms": 1e3, "s": 1e6}
#: The axis, in decades of microseconds, and the picture's measures in pixels.
LOW, HIGH = -2, 5
WIDTH, LEFT, RIGHT, TOP, ROW, BOTTOM = 720, 190, 90, 34, 46, 58
STYLE = """
:root { --page: #ffffff; --ink: #1c2126; --soft: #5a636d; --grid: #e4e6e4; --one: #c84e00; --many: #0072b2; }
@media (prefers-color-scheme: dark) {
  :root { --page: #16191c; --ink: #e6e9ec; --soft: #a3acb5; --grid: #2c3238; --one: #ff9a5c; --many: #63b5f0; }
}
text { font: 14px system-ui, sans-serif; fill: var(--ink); }
.soft { fill: var(--soft); font-size: 12.5px; }
.page { fill: var(--page); }
.grid { stroke: var(--grid); }
.between { stroke: var(--soft); stroke-width: 1.5; }
.one { fill: var(--one); }
.many { fill: var(--many); }
"""


@dataclass(frozen=True)
class Place:
    """Where a library runs, and what a call to it costs in microseconds: one that waits, one of many together."""

    words: str
    one: float
    many: float


def microseconds(cell: str) -> float:
    """Return a cell's figure: a time, the middle of two, or what one of so many millions a second takes."""
    found = re.match(r"(?P<low>[\d.,]+)(–(?P<high>[\d.,]+))?( ± [\d.]+)? (?P<unit>\S+)", cell)
    if found is None or (found["unit"] != "M/s" and found["unit"] not in UNITS):
        raise ValueError(f"'{cell}' is no time and no rate")
    low = float(found["low"].replace(",", ""))
    middle = (low + float(found["high"] or low)) / 2
    return 1 / middle if found["unit"] == "M/s" else middle * UNITS[found["unit"]]


def places() -> list[Place]:
    """Return what the tables of the ingress and of the network have."""

    def rows(name: str, table: str) -> dict[str, list[str]]:
        tables = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))["tables"]
        return {row[0]: row[1:] for row in tables[table]["rows"]}

    core, network = rows("ingress", "core"), rows("network", "calls")
    one, many = core["blocking call, 1 thread"][0], core["64 calls under way, replies by callback"][0]
    words = {"loopback": "another process", "1 ms each way": "1 ms away", "10 ms each way": "10 ms away"}
    return [
        Place("another thread", microseconds(one), microseconds(many)),
        *(Place(words[name], microseconds(row[1]), microseconds(row[2])) for name, row in network.items()),
    ]


def plain(value: float) -> str:
    """Return a time in microseconds with two digits and its unit."""
    unit, scale = next((unit, scale) for unit, scale in reversed(UNITS.items()) if value >= scale or unit == "ns")
    return f"{float(f'{value / scale:.2g}') if value < 100 * scale else round(value / scale):g} {unit}"


def draw(rows: list[Place]) -> str:
    """Return the picture."""
    height = TOP + ROW * len(rows) + BOTTOM

    def at(value: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(value) - LOW) / (HIGH - LOW)

    def text(x: float, y: float, words: str, anchor: str = "start", kind: str = "") -> str:
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(words)}</text>'

    parts = [f'<rect class="page" width="{WIDTH}" height="{height}"/>']
    for decade in range(LOW, HIGH + 1):
        x = at(10.0**decade)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{height - BOTTOM}"/>')
        parts.append(text(x, height - BOTTOM + 18, plain(10.0**decade), "middle", "soft"))
    for number, row in enumerate(rows):
        y, one, many = TOP + ROW * (number + 0.5), at(row.one), at(row.many)
        parts += [
            text(LEFT - 16, y + 5, row.words, "end"),
            f'<line class="between" x1="{many:.1f}" y1="{y}" x2="{one:.1f}" y2="{y}"/>',
            f'<circle class="one" cx="{one:.1f}" cy="{y}" r="6"/>',
            f'<rect class="many" x="{many - 5.5:.1f}" y="{y - 5.5}" width="11" height="11"/>',
            text(one + 12, y + 5, plain(row.one)),
            text(many, y - 11, plain(row.many), "middle"),
        ]
    y = height - 16
    parts += [
        f'<circle class="one" cx="{LEFT + 6}" cy="{y - 5}" r="6"/>',
        text(LEFT + 18, y, "one call, which waits for its reply"),
        f'<rect class="many" x="{LEFT + 270}" y="{y - 10.5}" width="11" height="11"/>',
        text(LEFT + 288, y, "each of many together"),
    ]
    title = "The cost of a call to a library, by where the library runs"
    return (
        f"<!-- SPDX-License-Identifier: BSD-3-Clause -->\n"
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{title}">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n" + "\n".join(parts) + "\n</svg>\n"
    )


def main() -> int:
    """Write the picture, or say that it differs."""
    parser = argparse.ArgumentParser(description="Draw docs/pictures/call-cost.svg from docs/results/*.json.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the picture differs")
    wanted = draw(places())
    if not parser.parse_args().check:
        PICTURE.write_text(wanted, encoding="utf-8")
    elif PICTURE.read_text(encoding="utf-8") != wanted:
        print(f"{PICTURE.name} differs from docs/results; run `make generate`")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
