# SPDX-License-Identifier: BSD-3-Clause
"""Draw what blas_gaps.py measured: draw_gaps.py WITHOUT WITH, files of its lines; print SVG, or with --medians a table.

Run it with Ferry's Python: PYTHONPATH=tools/ferry/src build/venv/bin/python.
"""

import itertools
import json
import statistics
import sys
from pathlib import Path

from ferry.charts import Chart, Series, draw
from ferry.report import standalone

LABELS = ("as installed", "with Ferry")


def load(path: str) -> dict[str, list[float]]:
    """Put the lines of a file together."""
    lines = [json.loads(line) for line in Path(path).read_text().splitlines()]
    return {name: [value for line in lines for value in line[name]] for name in lines[0]}


def series(label: str, colour: int, found: dict[str, list[float]]) -> Series:
    """Medians over the gaps, with the upper quartile as the error bar; straight lines between."""
    gaps = sorted(
        int(name.removeprefix("after ")) for name in found if name.startswith("after ") and name[6:].isdigit()
    )
    points = []
    for gap in gaps:
        values = found[f"after {gap}"]
        if gap:
            points.append((float(gap), statistics.median(values), statistics.quantiles(values, n=4)[2]))

    def line(x: float) -> float:
        for (low, below, _), (high, above, _) in itertools.pairwise(points):
            if x <= high:
                return below + (above - below) * (x - low) / (high - low)
        return points[-1][1]

    return Series(label, colour, tuple(points), line)


def main() -> None:
    """Print the picture or the table."""
    found = [load(path) for path in sys.argv[-2:]]
    if "--medians" in sys.argv:
        for name in found[0]:
            print(name, *(round(statistics.median(one[name]), 1) for one in found))
        return
    both = [series(label, colour, one) for label, colour, one in zip(LABELS, (2, 1), found, strict=True)]
    title = "k-means after a matrix product, by the pause between them"
    description = f"{title}: milliseconds as scikit-learn and numpy are installed, and with Ferry"
    chart = Chart("openmp-python-gaps", title, description, "pause after the product, ms", "k-means, ms", both)
    print(standalone(draw(chart, lambda value: f"{value:,.0f}")), end="")


if __name__ == "__main__":
    main()
