# SPDX-License-Identifier: BSD-3-Clause
"""`ferry report`: one self-contained HTML page of a measurement. It refers to nothing outside itself."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click
import jinja2
from markupsafe import Markup

from ferry import __version__
from ferry.bars import draw_summary
from ferry.boundaries import Boundary, by_name, call, way
from ferry.charts import Chart, Mark, Series, draw
from ferry.compare import Verdict, beside_quiet, floor_of, pairs_of, size_text, verdict
from ferry.line import LINEAR_WITHIN, difference, means, minima
from ferry.measurement import TIMES, UNITS, Measurement, MeasurementError, Result, load
from ferry.neighbours import QUIET, World
from ferry.output import DASH, Output, OutputError, require_folder
from ferry.quantity import cost_with_error, percent, plain_cost, time_scale, with_error
from ferry.summary import not_measured, summary
from ferry.table import fit_text, ratio_between

DEFAULT_OUTPUT = Path("ferry-report.html")
#: Colour classes of the page: the floor's, then the two of the first pair, then the others'.
FLOOR_COLOUR, BATCHED_COLOUR, NAIVE_COLOUR = 0, 1, 2
OTHER_COLOURS = (3, 4, 5, 6, 7)
#: Where the dearest is this many times the cheapest, a cost axis is logarithmic.
LINEAR_RANGE = 12


@dataclass(frozen=True)
class Row:
    """A line of the results table."""

    variant: str
    colour: int
    fixed: str
    per_call: str
    above: str
    ratios: list[str]
    off: str
    linear: bool
    #: Of each world with busy loops: the cost of a call, and the time there over that of the quiet world.
    beside: list[tuple[str, str]]


@dataclass(frozen=True)
class Picture:
    """A chart with what it shows."""

    caption: str
    chart: Markup


@dataclass(frozen=True)
class Group:
    """The variants of a boundary that do the same work, as the page shows them."""

    name: str
    description: str
    charts: list[Picture]
    verdicts: list[str]
    rows: list[Row]
    sizes: list[str]
    worlds: list[str]


@dataclass(frozen=True)
class Section:
    """One boundary, as the page shows it."""

    name: str
    title: str
    item: str
    clock: str
    floor: str
    floor_text: str
    groups: list[Group]


def colours(boundary: Boundary | None, ways: list[str]) -> dict[str, int]:
    """Give every WAY of a boundary its colour; the same one in every chart."""
    given: dict[str, int] = {}
    if boundary:
        given[boundary.floor] = FLOOR_COLOUR
        for batched, naive in boundary.pairs[:1]:
            given.setdefault(batched, BATCHED_COLOUR)
            given.setdefault(naive, NAIVE_COLOUR)
    free = [c for c in (BATCHED_COLOUR, NAIVE_COLOUR, *OTHER_COLOURS) if c not in given.values()]
    for k, name in enumerate(name for name in ways if name not in given):
        given[name] = free[k % len(free)]
    return given


def _medians(result: Result) -> dict[int, float]:
    by_n: dict[int, list[float]] = {}
    for n, value in result.samples:
        by_n.setdefault(n, []).append(value)
    return {n: statistics.median(values) for n, values in by_n.items()}


def _series(results: list[Result], colour: dict[str, int], amortised: bool) -> list[Series]:
    series = []
    for result in results:
        medians = _medians(result)
        divide = (lambda n: n) if amortised else (lambda n: 1)
        fitted = minima(result.samples) if result.world.quiet else means(result.samples)
        points = tuple((n, low / divide(n), medians[n] / divide(n)) for n, low in fitted.items())
        name = way(result.variant)
        line = result.line.amortised if amortised else result.line.time
        series.append(Series(name, colour[name], points, line))
    return series


def _logarithmic(series: list[Series]) -> bool:
    values = [low for one in series for _, low, _ in one.points if low > 0]
    return bool(values) and max(values) > LINEAR_RANGE * min(values)


def _tick(value: float) -> str:
    scale, unit = time_scale(value)
    return f"{value / scale:g} {unit}" if value else "0"


def _ticks(results: list[Result]) -> Callable[[float], str]:
    """Return what writes the ticks of a chart: times, or counts."""
    return _tick if all(result.unit in TIMES for result in results) else "{:,g}".format


def _time_chart(identifier: str, words: str, items: str, results: list[Result], colour: dict[str, int]) -> Markup:
    fits = "; ".join(
        f"{way(r.variant)}: {plain_cost(r.line.fixed, r.unit)} + n × {plain_cost(r.line.per_call, r.unit)}"
        for r in results
    )
    chart = Chart(
        identifier=identifier,
        title=f"{words}: time of one run of n",
        description=f"Measured times and fitted lines, both axes logarithmic. {fits}.",
        x_title="n",
        y_title=f"time of one run of n {items}",
        series=_series(results, colour, amortised=False),
    )
    return draw(chart, _ticks(results))


def _cost_chart(
    identifier: str, words: str, items: str, results: list[Result], colour: dict[str, int], verdicts: list[Verdict]
) -> Markup:
    series = _series(results, colour, amortised=True)
    marks = tuple(
        Mark(one.crossing.value, f"break-even n = {size_text(one.crossing)}")
        for one in verdicts
        if one.crossing and one.measurable
    )
    chart = Chart(
        identifier=identifier,
        title=f"{words}: amortised cost of one of n {items}",
        description="fixed / n + per call against n. " + " ".join(one.text for one in verdicts),
        x_title="n",
        y_title=f"cost of one of n {items}",
        series=series,
        marks=marks,
        logarithmic=_logarithmic(series),
    )
    return draw(chart, _ticks(results))


def _row(measurement: Measurement, boundary: Boundary | None, result: Result, colour: int, sizes: list[int]) -> Row:
    line = result.line
    floor = floor_of(boundary, result, measurement.of(result.boundary, QUIET)) if boundary else None
    above = ""
    ratios = dict.fromkeys(sizes, "")
    if floor:
        more = difference(line, floor.line)
        above = cost_with_error(more.value, more.err, result.unit)
        ratios |= {r.n: with_error(r.value, r.err) for r in ratio_between(measurement, result, floor)}
    elif boundary and way(result.variant) == boundary.floor:
        above = "floor"
    return Row(
        variant=way(result.variant),
        colour=colour,
        fixed=cost_with_error(line.fixed, line.fixed_err, result.unit),
        per_call=cost_with_error(line.per_call, line.per_call_err, result.unit),
        above=above,
        ratios=list(ratios.values()),
        off=fit_text(result).removeprefix("† "),
        linear=line.linear,
        beside=[_beside(measurement, result, world) for world in measurement.worlds(result.boundary)],
    )


def _beside(measurement: Measurement, quiet: Result, world: World) -> tuple[str, str]:
    result = measurement.find(quiet.boundary, quiet.variant, world)
    if result is None:
        return "", ""
    times = beside_quiet(result, [quiet])
    cost = cost_with_error(result.line.per_call, result.line.per_call_err, result.unit)
    return cost, with_error(times.value, times.err) if times else ""


def _pair_text(measurement: Measurement, one: Verdict) -> str:
    ratios = ratio_between(measurement, one.batched, one.naive)
    shares = " and ".join(f"{with_error(r.value, r.err)} of its time at n = {r.n:,}" for r in ratios)
    return f"{one.text} It takes {shares}." if shares else one.text


def _verdicts(boundary: Boundary, results: list[Result]) -> list[Verdict]:
    """Judge the pairs of the table; where there are none, each variant against the floor."""
    pairs = list(pairs_of(boundary, results))
    if not pairs:
        pairs = [(result, floor) for result in results if (floor := floor_of(boundary, result, results))]
    return [verdict(one, other) for one, other in pairs]


def _charts(
    identifier: str, words: str, boundary: Boundary | None, results: list[Result], colour: dict[str, int]
) -> tuple[list[Picture], list[Verdict]]:
    """Draw the two charts of one world, and judge its pairs."""
    world = results[0].world
    if not world.quiet:
        identifier = f"{identifier}-beside-{world.text.replace(':', '-')}"
        words = f"{words}, {world.words}"
    where = "" if world.quiet else f" {world.words}"
    verdicts = _verdicts(boundary, results) if boundary else []
    # what makes no call would press the others together on the cost chart
    costed = [r for r in results if not boundary or way(r.variant) not in boundary.apart] or results
    items = boundary.items if boundary else "calls"
    time = _time_chart(f"{identifier}-time", words, items, results, colour)
    cost = _cost_chart(f"{identifier}-cost", words, items, costed, colour, verdicts)
    return [Picture(f"Measured times and fits{where}", time), Picture(f"Amortised cost{where}", cost)], verdicts


def _group(measurement: Measurement, name: str, kind: str, colour: dict[str, int]) -> Group:
    boundary = by_name(name)
    identifier = "-".join(part for part in (name, kind) if part)
    words = f"{name}, {kind}" if kind else name
    charts: list[Picture] = []
    sentences: list[str] = []
    for world in (QUIET, *measurement.worlds(name)):
        results = [result for result in measurement.of(name, world) if call(result.variant) == kind]
        if not results:
            continue
        drawn, verdicts = _charts(identifier, words, boundary, results, colour)
        charts += drawn
        before = "" if world.quiet else f"{world.words[0].upper()}{world.words[1:]}: "
        sentences += [before + _pair_text(measurement, one) for one in verdicts]
    sizes = sorted({r.n for r in measurement.ratios if r.boundary == name})
    quiet = [result for result in measurement.of(name, QUIET) if call(result.variant) == kind]
    return Group(
        name=kind,
        description=dict(boundary.calls).get(kind, "") if boundary else "",
        charts=charts,
        verdicts=sentences,
        rows=[_row(measurement, boundary, result, colour[way(result.variant)], sizes) for result in quiet],
        sizes=[f"{n:,}" for n in sizes],
        worlds=[world.text for world in measurement.worlds(name)],
    )


def _section(measurement: Measurement, name: str) -> Section:
    boundary, results = by_name(name), measurement.of(name)
    colour = colours(boundary, list(dict.fromkeys(way(result.variant) for result in results)))
    kinds = dict.fromkeys(call(result.variant) for result in results)
    return Section(
        name=name,
        title=boundary.title if boundary else "",
        item=boundary.item if boundary else "call",
        clock=UNITS[results[0].unit],
        floor=boundary.floor if boundary else "",
        floor_text=boundary.floor_text if boundary else "",
        groups=[_group(measurement, name, kind, colour) for kind in kinds],
    )


def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("ferry"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def standalone(chart: Markup) -> str:
    """Make a chart a picture of its own."""
    opening, bracket, rest = str(chart).partition(">")
    start = opening.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"') + bracket
    return _environment().get_template("chart.svg.j2").render(start=Markup(start), rest=Markup(rest)) + "\n"


def pictures(measurement: Measurement) -> dict[str, str]:
    """Make every chart of the page a picture of its own, by its name."""
    found: dict[str, str] = {}
    for name in measurement.boundaries():
        for group in _section(measurement, name).groups:
            for picture in group.charts:
                found[str(picture.chart).split('"')[1]] = standalone(picture.chart)
    return found


def render(measurement: Measurement) -> str:
    """Make the page."""
    lines = summary(measurement)
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            version=__version__,
            machine=measurement.machine,
            chart=draw_summary(lines) if lines else None,
            absent=not_measured(measurement),
            sections=[_section(measurement, name) for name in measurement.boundaries()],
            linear_within=percent(LINEAR_WITHIN),
            worlds=measurement.worlds(),
            sample_count=sum(len(result.samples) for result in measurement.results),
        )
    )


@click.command(name="report", short_help="Draw a measurement as one HTML page.")
@click.argument("measurement", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=DEFAULT_OUTPUT,
    show_default=True,
    metavar="FILE",
    help="Write the page to FILE; - is standard output.",
)
@click.option(
    "--pictures",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Also write each chart to FOLDER, as an SVG file of its own.",
)
def report_command(measurement: Path, output: Path, folder: Path | None) -> None:
    """Draw MEASUREMENT, a file of `ferry measure --json`, as one self-contained HTML page. - is standard input."""
    try:
        loaded = load(measurement)
        page = render(loaded)
    except MeasurementError as error:
        raise click.ClickException(f"{error}; make one with `ferry measure --json FILE`") from error
    except OSError as error:
        raise click.ClickException(f"{measurement} cannot be read: {error.strerror}") from error
    try:
        if folder:
            require_folder("--pictures", folder)
        Output("-o", output, parents=True).write(page)
        # the page may be on standard output
        to_stderr = str(output) == DASH
        if not to_stderr:
            click.echo(f"wrote {output}")
        if folder:
            _write_pictures(loaded, folder, to_stderr)
    except OutputError as error:
        raise click.ClickException(str(error)) from error


def _write_pictures(measurement: Measurement, folder: Path, to_stderr: bool) -> None:
    for name, text in pictures(measurement).items():
        file = folder / f"{name}.svg"
        Output("--pictures", file, parents=True, advice="give a folder to write to").write(text)
        click.echo(f"wrote {file}", err=to_stderr)
