# SPDX-License-Identifier: BSD-3-Clause
"""Draw the summary as one chart: for each line a bar without Ferry and a bar with it, and a mark where the floor is.

All bars of a line share one scale on which the bar without Ferry is as long as the chart; a mark and a text say what
colour says. As the other charts (ferry.charts) it stands by itself in an HTML page.
"""

from __future__ import annotations

from markupsafe import Markup, escape

from ferry.quantity import plain_cost
from ferry.summary import Line, from_text, times_text

WIDTH = 500
#: Where the bars begin and end; behind them stand the figures.
LEFT, RIGHT = 8, 300
ROW, TOP, BAR = 82, 8, 13
#: A bar that is longer than the chart ends with a sign that it goes on.
LONGEST = 1.0
WITHOUT, WITH, FLOOR = "s2", "s1", "s0"


def _length(value: float, line: Line) -> float:
    share = value / line.without if line.without > 0 else LONGEST
    return (RIGHT - LEFT) * min(share, LONGEST)


def _bar(y: float, value: float, line: Line, colour: str, words: str) -> str:
    length = _length(value, line)
    more = " »" if line.without > 0 and value / line.without > LONGEST else ""
    text = escape(f"{plain_cost(value, line.unit)}{more} {words}")
    return (
        f'<g class="{colour}"><rect class="summary-bar" x="{LEFT}" y="{y:.1f}" width="{max(length, 1):.1f}" '
        f'height="{BAR}"/></g><text class="tick" x="{RIGHT + 10}" y="{y + BAR - 2:.1f}">{text}</text>'
    )


def _row(number: int, line: Line) -> list[str]:
    y = TOP + ROW * number
    times = f"{times_text(line.times)} as fast; worth it: {from_text(line.from_n)}"
    parts = [
        f'<text x="{LEFT}" y="{y + 13}">{escape(line.text)}</text>',
        f'<text class="label" x="{LEFT}" y="{y + 20 + 2 * BAR + 20}">{escape(times)}</text>',
        _bar(y + 20, line.without, line, WITHOUT, line.without_text),
        _bar(y + 20 + BAR + 3, line.ferry, line, WITH, "with Ferry"),
    ]
    if line.floor is not None:
        x = LEFT + _length(line.floor, line)
        parts.append(
            f'<g class="{FLOOR}"><line class="summary-floor" x1="{x:.1f}" y1="{y + 17}" x2="{x:.1f}" '
            f'y2="{y + 22 + 2 * BAR + 4}"/></g>'
        )
    return parts


def _words(line: Line) -> str:
    return (
        f"{line.text}: {plain_cost(line.without, line.unit)} with {line.without_text}, "
        f"{plain_cost(line.ferry, line.unit)} with Ferry"
        + (f", floor {plain_cost(line.floor, line.unit)}" if line.floor is not None else "")
    )


def draw_summary(lines: list[Line]) -> Markup:
    """Draw the chart."""
    height = TOP + ROW * len(lines)
    parts = [part for number, line in enumerate(lines) for part in _row(number, line)]
    description = escape("; ".join(map(_words, lines)))
    return Markup(
        f'<svg id="summary-chart" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-labelledby="summary-chart-title summary-chart-desc">'
        '<title id="summary-chart-title">What a call costs without Ferry and with it</title>'
        f'<desc id="summary-chart-desc">{description}</desc>{"".join(parts)}</svg>'
    )
