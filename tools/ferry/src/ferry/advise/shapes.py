# SPDX-License-Identifier: BSD-3-Clause
"""What runs have in common: the sequence of call names, whether each failed, and the word copies between them.

Within a run, a sequence that repeats at once is written once: `(openat→read→close)×24`. Runs whose shapes differ only
in how often such a sequence repeats are one group. Repeats within repeats are not looked for.
"""

from dataclasses import dataclass, field

from ferry.advise.dataflow import Feed
from ferry.advise.runs import Run

#: calls in a sequence that is looked for again
UNIT_CALLS_MAX = 16
#: the longest run that stands as a group's example, if it has a shorter one
EXAMPLE_CALLS_MAX = 64


@dataclass(frozen=True, slots=True)
class Step:
    """One call without its values: feeds are by distance, so that the same sequence is equal wherever it stands."""

    name: str
    failed: bool
    feeds: tuple[tuple[int, str, int], ...]

    def text(self) -> str:
        """As the report writes it."""
        return self.name + ("!" if self.failed else "")


@dataclass(frozen=True, slots=True)
class Part:
    """A sequence of steps, and how often it stands in a row in one run."""

    steps: tuple[Step, ...]
    times: int


@dataclass
class Group:
    """Runs of one shape."""

    parts: tuple[tuple[tuple[Step, ...], bool], ...]
    runs: list[Run] = field(default_factory=list)
    #: per part, the fewest and most times it stands in a row
    times: list[tuple[int, int]] = field(default_factory=list)

    @property
    def calls(self) -> int:
        """Calls of all runs together."""
        return sum(len(run.calls) for run in self.runs)

    @property
    def example(self) -> Run:
        """The longest run that is not too long to read; failing that the shortest."""
        short = [run for run in self.runs if len(run.calls) <= EXAMPLE_CALLS_MAX]
        if short:
            return max(short, key=lambda run: len(run.calls))
        return min(self.runs, key=lambda run: len(run.calls))

    def text(self) -> str:
        """Write the shape in one line: `→` before a call fed by an earlier one, `!` after one that failed."""
        return " ".join(
            _part_text(steps, least, most) for (steps, _), (least, most) in zip(self.parts, self.times, strict=True)
        ).replace(" →", "→")


def _part_text(steps: tuple[Step, ...], least: int, most: int) -> str:
    text = " ".join(("→" if step.feeds else "") + step.text() for step in steps).replace(" →", "→")
    if most == 1:
        return text
    many = f"×{most}" if least == most else f"×{least}…{most}"
    return (text if len(steps) == 1 else f"({text})") + many


def steps_of(run: Run) -> list[Step]:
    """Take a run's calls without their values."""
    return [
        Step(call.name, call.failed, tuple(_relative(feed, index) for feed in feeds))
        for index, (call, feeds) in enumerate(zip(run.calls, run.feeds, strict=True))
    ]


def _relative(feed: Feed, index: int) -> tuple[int, str, int]:
    return feed.argument, feed.word, index - feed.source


def fold(steps: list[Step]) -> list[Part]:
    """Write sequences that repeat at once only once: at each place the one that covers most, the shortest of those."""
    parts: list[Part] = []
    position = 0
    while position < len(steps):
        length, times = 1, 1
        for candidate in range(1, min(UNIT_CALLS_MAX, (len(steps) - position) // 2) + 1):
            repeats = _repeats(steps, position, candidate)
            if repeats > 1 and repeats * candidate > length * times:
                length, times = candidate, repeats
        if times == 1 and parts and parts[-1].times == 1:
            parts[-1] = Part((*parts[-1].steps, steps[position]), 1)
        else:
            parts.append(Part(tuple(steps[position : position + length]), times))
        position += length * times
    return parts


def _repeats(steps: list[Step], position: int, length: int) -> int:
    times = 1
    while steps[position : position + length] == steps[position + times * length : position + (times + 1) * length]:
        times += 1
    return times


def group_runs(runs: list[Run]) -> list[Group]:
    """Put runs of the same shape together."""
    groups: dict[tuple[tuple[tuple[Step, ...], bool], ...], Group] = {}
    for run in runs:
        parts = fold(steps_of(run))
        key = tuple((part.steps, part.times > 1) for part in parts)
        group = groups.setdefault(key, Group(key, times=[(part.times, part.times) for part in parts]))
        group.runs.append(run)
        group.times = [
            (min(least, part.times), max(most, part.times))
            for (least, most), part in zip(group.times, parts, strict=True)
        ]
    return list(groups.values())
