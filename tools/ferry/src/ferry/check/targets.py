# SPDX-License-Identifier: BSD-3-Clause
"""A file of targets: what is measured, and which bound each figure is to keep. bench/README.md describes the format.

A *measurement* makes figures: in each pass its processes run once, interleaved, and each process gives some figures by
name. A *target* is a bound on a figure: on its own value, or on its quotient by the least of some other figures.
Figures are nanoseconds unless the target says `unit = "count"`.
"""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ferry.check.derived import DERIVED
from ferry.check.inputs import INPUTS
from ferry.check.libraries import LIBRARIES
from ferry.check.table import Table, TargetError
from ferry.neighbours import World, parse_world

#: What a figure of one process may be of its samples.
STATISTICS = ("median", "least", "p50", "p99", "most")
#: The units of a bound on a figure itself.
FIGURE_UNITS = ("ns", "count")
#: How the passes are put together: the median of their quotients, or the quotient of the least figures of all.
JUDGED_BY = ("median", "least")


@dataclass(frozen=True)
class Run:
    """Processes of a benchmark program that prints lines (bench/README.md): one for each library and thread count."""

    program: str
    variants: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    repetitions: int = 0
    #: WAY -> library: how this WAY's figures begin, and which library the process gets.
    libraries: dict[str, str] = field(default_factory=dict)
    threads: tuple[int, ...] = ()
    statistic: str = "median"
    #: More statistics of the same samples; the figure of one is called STATISTIC:NAME.
    also: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    #: A process that takes longer has failed; PROGRAM_TIMEOUT_S without it.
    limit_s: float | None = None
    #: The target of the Makefile that builds the program.
    target: str = "build"
    #: Whether the measurement is left out where the program is missing; else the program alone is.
    required: bool = True


@dataclass(frozen=True)
class Command:
    """A whole command that is timed: its figures are `NAME wall` and `NAME cpu`, and what it prints itself."""

    name: str
    words: tuple[str, ...]
    libraries: dict[str, str] = field(default_factory=dict)
    threads: tuple[int, ...] = ()
    #: WAY -> variables that its process has besides those of its library.
    settings: dict[str, dict[str, str]] = field(default_factory=dict)
    #: "json": standard output is an object of seconds by name.
    prints: str = ""
    #: figure -> pattern with one group around a number, looked for in standard error.
    seconds: dict[str, str] = field(default_factory=dict)
    microseconds: dict[str, str] = field(default_factory=dict)
    #: A process that takes longer counts as taking so long; without it, as failed after PROGRAM_TIMEOUT_S.
    limit_s: float | None = None
    #: So many of them run side by side; the time is that of all.
    copies: int = 1
    target: str = "build"
    required: bool = True


@dataclass(frozen=True)
class Plan:
    """A measurement: how a pass of it is made."""

    name: str
    title: str
    passes: int
    quick_passes: int
    runs: tuple[Run, ...]
    commands: tuple[Command, ...]
    #: What a command needs, by the name it has in braces there.
    inputs: tuple[str, ...] = ()
    derive: str = ""
    #: entry -> the entry that does the same work without the construct, whose time is taken off.
    work: dict[str, str] = field(default_factory=dict)
    #: Entries whose work one thread does while the others wait.
    serial: tuple[str, ...] = ()
    #: All commands of a pass have to print the same.
    same_output: bool = False
    worlds: tuple[World, ...] = ()


@dataclass(frozen=True)
class Target:
    """A bound."""

    measurement: str
    text: str
    figure: str
    of: tuple[str, ...]
    limit: float
    at_least: bool
    floor: str
    why: str
    unit: str = "ns"
    by: str = "median"


@dataclass(frozen=True)
class TargetFile:
    """What a file says."""

    plans: tuple[Plan, ...]
    targets: tuple[Target, ...]


def _run(table: Table) -> Run:
    table.only(
        *("program", "variants", "sizes", "repetitions", "libraries", "threads", "statistic", "also", "arguments"),
        *("limit_s", "target", "required"),
    )
    statistic, also = table.text("statistic", "median"), table.texts("also")
    for one in (statistic, *also):
        if one not in STATISTICS:
            raise TargetError(f"{table.where}: unknown statistic '{one}'; the known ones are: {', '.join(STATISTICS)}")
    return Run(
        program=table.text("program"),
        variants=table.texts("variants"),
        sizes=table.counts("sizes"),
        repetitions=table.count("repetitions", 5) if "repetitions" in table.values else 0,
        libraries=_libraries(table),
        threads=table.counts("threads"),
        statistic=statistic,
        also=also,
        arguments=table.texts("arguments"),
        limit_s=table.number("limit_s"),
        target=table.text("target", "build"),
        required=table.flag("required", True),
    )


def _libraries(table: Table) -> dict[str, str]:
    found = table.named_texts("libraries")
    for name in found.values():
        if name not in LIBRARIES:
            raise TargetError(f"{table.where}: unknown library '{name}'; the known ones are: {', '.join(LIBRARIES)}")
    return found


def _patterns(table: Table, key: str) -> dict[str, str]:
    patterns = table.named_texts(key)
    for pattern in patterns.values():
        try:
            groups = re.compile(pattern).groups
        except re.error as error:
            raise TargetError(f"{table.where}: '{pattern}' is not a regular expression: {error}") from error
        if groups != 1:
            raise TargetError(f"{table.where}: '{pattern}' has {groups} groups; put one around the number")
    return patterns


def _settings(table: Table) -> dict[str, dict[str, str]]:
    """Return WAY -> variables; every WAY has a library."""
    settings = table.values.get("settings", {})
    if not isinstance(settings, dict):
        raise TargetError(f"{table.where}: 'settings' is {settings!r}; give a table: WAY = {{ VARIABLE = \"VALUE\" }}")
    known = table.named_texts("libraries")
    for way in settings:
        if way not in known:
            raise TargetError(f"{table.where}: settings of '{way}', which is not in 'libraries'; add it there")
    inner = Table(f"{table.where}, settings", settings)
    return {way: inner.named_texts(way) for way in settings}


def _command(table: Table) -> Command:
    table.only(
        *("name", "words", "libraries", "threads", "prints", "seconds", "microseconds", "limit_s", "copies", "target"),
        *("required", "settings"),
    )
    prints = table.text("prints", "")
    if prints not in ("", "json"):
        raise TargetError(f"{table.where}: 'prints' is '{prints}'; give \"json\", or leave it out")
    words = table.texts("words")
    if not words:
        raise TargetError(f"{table.where}: 'words' is missing; give the command as a list of words")
    return Command(
        name=table.text("name"),
        words=words,
        libraries=_libraries(table),
        threads=table.counts("threads"),
        settings=_settings(table),
        prints=prints,
        seconds=_patterns(table, "seconds"),
        microseconds=_patterns(table, "microseconds"),
        limit_s=table.number("limit_s"),
        copies=table.count("copies", 1),
        target=table.text("target", "build"),
        required=table.flag("required", True),
    )


def _plan(name: str, table: Table) -> Plan:
    table.only(
        *("title", "passes", "quick_passes", "run", "command", "inputs", "derive", "work", "serial", "same_output"),
        "beside",
    )
    plan = Plan(
        name=name,
        title=table.text("title"),
        passes=table.count("passes", 5),
        quick_passes=table.count("quick_passes", 2),
        runs=tuple(_run(one) for one in table.tables("run")),
        commands=tuple(_command(one) for one in table.tables("command")),
        inputs=table.texts("inputs"),
        derive=table.text("derive", ""),
        work=_work(table),
        serial=table.texts("serial"),
        same_output=table.flag("same_output"),
        worlds=tuple(_world(table, text) for text in table.texts("beside")),
    )
    if not plan.runs and not plan.commands:
        raise TargetError(f"{table.where}: nothing is run; give [[measurement.{name}.run]] or […command]")
    for kind, given, known in (("input", plan.inputs, INPUTS), ("way to derive", [plan.derive], DERIVED)):
        for one in given:
            if one and one not in known:
                raise TargetError(f"{table.where}: unknown {kind} '{one}'; the known ones are: {', '.join(known)}")
    return plan


def _work(table: Table) -> dict[str, str]:
    """Return entry -> reference, of a table reference -> entries."""
    work = table.values.get("work", {})
    if not isinstance(work, dict):
        raise TargetError(f"{table.where}: 'work' is {work!r}; give a table: reference = [entries]")
    inner = Table(f"{table.where}, work", work)
    return {entry: reference for reference in work for entry in inner.texts(reference)}


def _world(table: Table, text: str) -> World:
    try:
        return parse_world(text)
    except ValueError as error:
        raise TargetError(f"{table.where}: beside: {error}") from error


def _places(each: dict[str, Any], where: str) -> Iterator[dict[str, str]]:
    """Yield every combination of the values of `each`."""
    for values in each.values():
        if not isinstance(values, list) or not values:
            raise TargetError(f'{where}: each value of \'each\' is a list; give for example {{ call = ["a", "b"] }}')
    for values in itertools.product(*each.values()):
        yield dict(zip(each, map(str, values), strict=True))


def _filled(text: str, places: dict[str, str], where: str) -> str:
    try:
        return text.format_map(places)
    except (KeyError, ValueError, IndexError) as error:
        raise TargetError(f"{where}: '{text}' names {error}, which 'each' does not have; add it there") from error


def _targets(table: Table) -> Iterator[Target]:
    """Yield a target for each combination of `each`."""
    table.only(
        *("measurement", "text", "figure", "of", "at_most", "at_least", "floor", "why", "unit", "by", "each"),
    )
    most, least = table.number("at_most"), table.number("at_least")
    limit = least if most is None else most
    if limit is None or (most is not None and least is not None):
        raise TargetError(f"{table.where}: give one bound, 'at_most' or 'at_least'")
    unit, by = table.text("unit", "ns"), table.text("by", "median")
    for key, value, known in (("unit", unit, FIGURE_UNITS), ("by", by, JUDGED_BY)):
        if value not in known:
            raise TargetError(f"{table.where}: '{key}' is '{value}'; give one of {', '.join(known)}")
    each = table.values.get("each", {})
    if not isinstance(each, dict):
        raise TargetError(f"{table.where}: 'each' is {each!r}; give a table of lists")
    for places in _places(each, table.where):
        figure = _filled(table.text("figure"), places, table.where)
        of = tuple(_filled(one, places, table.where) for one in table.texts("of"))
        yield Target(
            measurement=table.text("measurement"),
            text=_filled(table.text("text", figure), places, table.where),
            figure=figure,
            of=of,
            limit=limit,
            at_least=most is None,
            floor=_filled(table.text("floor", ""), places, table.where),
            why=table.text("why"),
            unit=unit,
            by=by,
        )


def read_targets(text: str) -> TargetFile:
    """Read the text of a file. Raises TargetError."""
    try:
        whole = Table("the file", tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise TargetError(f"not TOML: {error}") from error
    whole.only("measurement", "target")
    plans = {name: _plan(name, table) for name, table in whole.named_tables("measurement").items()}
    targets = [target for table in whole.tables("target") for target in _targets(table)]
    if not targets:
        raise TargetError("there is no target; give [[target]] tables")
    for target in targets:
        if target.measurement not in plans:
            raise TargetError(
                f"target '{target.text}': unknown measurement '{target.measurement}'; "
                f"the file has: {', '.join(plans) or 'none'}"
            )
    return TargetFile(tuple(plans.values()), tuple(targets))


def load_targets(path: Path) -> TargetFile:
    """Read a file. Raises TargetError that names it."""
    try:
        return read_targets(path.read_text(encoding="utf-8"))
    except TargetError as error:
        raise TargetError(f"--check {path}: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise TargetError(f"--check {path}: {reason}; give a file of targets, such as bench/targets.toml") from error
