# SPDX-License-Identifier: BSD-3-Clause
"""Draw the report's charts as inline SVG: two logarithmic axes, or a logarithmic and a linear one.

A chart is a string that stands by itself inside an HTML page: no script, no font, no address of anything else. Colours
come from the page's CSS classes `s0`…`s7`, so that a dark page recolours them. Every series has a colour, a marker and
a label at its end; no one of them is needed to tell series apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

WIDTH, HEIGHT = 500, 340
LEFT, TOP, BOTTOM = 64, 30, 46
#: What a label at the end of a series takes: its leader and marker, then each letter at a narrow page's font size.
LABEL_START, LETTER = 36, 9.3
LABEL_GAP = 16
LINE_STEPS = 80
MARKER_SIZE = 3.6


@dataclass(frozen=True)
class Series:
    """One variant: its points (x, y, top of the error bar) and the line through them."""

    label: str
    colour: int
    points: tuple[tuple[float, float, float], ...]
    line: Callable[[float], float]


@dataclass(frozen=True)
class Mark:
    """A vertical line at x."""

    x: float
    label: str


@dataclass(frozen=True)
class Axis:
    """Maps values to pixels."""

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool

    def at(self, value: float) -> float:
        """Return the pixel of a value."""
        low, high, value = (
            (math.log(self.low), math.log(self.high), math.log(value))
            if self.logarithmic
            else (self.low, self.high, value)
        )
        return self.start + (self.end - self.start) * (value - low) / (high - low)

    def holds(self, value: float) -> bool:
        """Whether a value can be drawn."""
        return math.isfinite(value) and self.low <= value <= self.high

    def ticks(self) -> list[float]:
        """Round values within the axis, about five."""
        if self.logarithmic:
            first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
            step = max(1, math.ceil((last - first) / 6))
            return [10.0**k for k in range(first, last + 1, step)]
        rough = (self.high - self.low) / 5
        power = 10.0 ** math.floor(math.log10(rough))
        step_size = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
        count = math.floor((self.high - self.low) / step_size + 1e-9)
        return [self.low + k * step_size for k in range(count + 1)]


def _x_axis(series: list[Series]) -> Axis:
    right = LABEL_START + LETTER * max(len(one.label) for one in series)
    xs = [x for one in series for x, _, _ in one.points]
    low, high = min(xs), max(xs)
    return Axis(low / 1.15, max(high, low * 2) * 1.15, LEFT, max(WIDTH - right, WIDTH / 2), logarithmic=True)


def _y_axis(series: Iterable[Series], logarithmic: bool) -> Axis:
    ys = [y for one in series for _, low, high in one.points for y in (low, high) if not logarithmic or y > 0]
    low, high = (min(ys), max(ys)) if ys else (1.0, 10.0)
    if logarithmic:
        return Axis(10 ** (math.floor(math.log10(low) * 2) / 2), high * 1.4, HEIGHT - BOTTOM, TOP, logarithmic=True)
    return Axis(0.0, high * 1.08 if high > 0 else 1.0, HEIGHT - BOTTOM, TOP, logarithmic=False)


def _text(x: float, y: float, text: str, anchor: str = "start", css: str = "") -> str:
    attribute = f' class="{css}"' if css else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{attribute}>{escape(text)}</text>'


def _segment(x1: float, y1: float, x2: float, y2: float, css: str) -> str:
    return f'<line class="{css}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _marker(shape: int, x: float, y: float) -> str:
    """One of six outlines, so that colour is not needed."""
    r = MARKER_SIZE
    if shape % 6 == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r}"/>'
    corners = {
        1: [(-r, -r), (r, -r), (r, r), (-r, r)],
        2: [(0, -r * 1.25), (r * 1.2, r), (-r * 1.2, r)],
        3: [(0, -r * 1.4), (r * 1.4, 0), (0, r * 1.4), (-r * 1.4, 0)],
        4: [(0, r * 1.25), (r * 1.2, -r), (-r * 1.2, -r)],
        5: [(-r * 1.3, -r * 0.6), (r * 1.3, -r * 0.6), (r * 1.3, r * 0.6), (-r * 1.3, r * 0.6)],
    }[shape % 6]
    return '<polygon points="' + " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners) + '"/>'


def _frame(x: Axis, y: Axis, x_title: str, y_title: str, y_format: Callable[[float], str]) -> list[str]:
    parts = [_text(2, 14, y_title, css="axis")]
    for tick in y.ticks():
        at = y.at(tick)
        parts += [_segment(x.start, at, x.end, at, "grid"), _text(x.start - 7, at + 4, y_format(tick), "end", "tick")]
    for tick in x.ticks():
        at = x.at(tick)
        parts += [_segment(at, y.start, at, y.end, "grid"), _text(at, y.start + 18, f"{tick:,.0f}", "middle", "tick")]
    parts.append(_text((x.start + x.end) / 2, HEIGHT - 8, x_title, "middle", "axis"))
    parts.append(_segment(x.start, y.start, x.end, y.start, "base"))
    return parts


def _curve(one: Series, x: Axis, y: Axis) -> str:
    """Draw the fitted line over the measured sizes, interrupted where it leaves the chart."""
    xs = [point[0] for point in one.points]
    low, high = math.log(min(xs)), math.log(max(xs))
    path, drawing = [], False
    for k in range(LINE_STEPS + 1):
        value_x = math.exp(low + (high - low) * k / LINE_STEPS)
        value_y = one.line(value_x)
        inside = y.holds(value_y)
        if inside:
            path.append(f"{'L' if drawing else 'M'}{x.at(value_x):.1f} {y.at(value_y):.1f}")
        drawing = inside
    return f'<path class="fit" d="{"".join(path)}"/>' if path else ""


def _points(one: Series, x: Axis, y: Axis) -> list[str]:
    parts = []
    for value_x, low, high in one.points:
        if not y.holds(low):
            continue
        at = x.at(value_x)
        top = y.at(min(max(high, low), y.high))
        if y.at(low) - top > 0.5:
            parts += [_segment(at, y.at(low), at, top, "bar"), _segment(at - 3, top, at + 3, top, "bar")]
        parts.append(_marker(one.colour, at, y.at(low)))
    return parts


def _spread(wanted: list[float], low: float, high: float) -> list[float]:
    """Move label positions apart to LABEL_GAP, in order, within low and high."""
    order = sorted(range(len(wanted)), key=lambda k: wanted[k])
    placed = [0.0] * len(wanted)
    edge = low
    for k in order:
        placed[k] = max(wanted[k], edge)
        edge = placed[k] + LABEL_GAP
    edge = high
    for k in reversed(order):
        placed[k] = min(placed[k], edge)
        edge = placed[k] - LABEL_GAP
    return placed


def _labels(series: list[Series], x: Axis, y: Axis) -> list[str]:
    ends = []
    for one in series:
        value_x, value_y, _ = max(one.points)
        ends.append((x.at(value_x), y.at(value_y) if y.holds(value_y) else y.start))
    heights = _spread([end[1] for end in ends], y.end + 4, y.start - 2)
    parts = []
    for one, (end_x, end_y), height in zip(series, ends, heights, strict=True):
        leader = x.end + 12
        path = f"M{end_x + 6:.1f} {end_y:.1f}L{leader:.1f} {height:.1f}"
        parts.append(
            f'<g class="s{one.colour}"><path class="leader" d="{path}"/>'
            f'<g class="points">{_marker(one.colour, leader + 6, height)}</g>'
            f"{_text(leader + 13, height + 4.5, one.label, css='label')}</g>"
        )
    return parts


def _marks(marks: Iterable[Mark], x: Axis, y: Axis) -> list[str]:
    parts = []
    for row, mark in enumerate(mark for mark in marks if x.holds(mark.x)):
        at, height = x.at(mark.x), y.end + 12 + 15 * row
        right = at > (x.start + x.end) / 2
        parts.append(_segment(at, y.start, at, y.end, "mark"))
        parts.append(_text(at - 5 if right else at + 5, height, mark.label, "end" if right else "start", "mark-label"))
    return parts


@dataclass(frozen=True)
class Chart:
    """A chart's words and data."""

    identifier: str
    title: str
    description: str
    x_title: str
    y_title: str
    series: list[Series]
    marks: tuple[Mark, ...] = ()
    logarithmic: bool = True


def draw(chart: Chart, y_format: Callable[[float], str]) -> Markup:
    """Draw a chart."""
    x, y = _x_axis(chart.series), _y_axis(chart.series, chart.logarithmic)
    parts = _frame(x, y, chart.x_title, chart.y_title, y_format)
    parts += _marks(chart.marks, x, y)
    for one in chart.series:
        points = "".join(_points(one, x, y))
        parts.append(f'<g class="s{one.colour}">{_curve(one, x, y)}<g class="points">{points}</g></g>')
    parts += _labels(chart.series, x, y)
    name = escape(chart.identifier)
    return Markup(
        f'<svg id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{escape(chart.title)}</title>'
        f'<desc id="{name}-desc">{escape(chart.description)}</desc>{"".join(parts)}</svg>'
    )
