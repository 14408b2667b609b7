# SPDX-License-Identifier: BSD-3-Clause
"""Calls in a row that a loop can add: a call, or a group of calls, over and over, but for numbers, texts and buffers.

Nothing may single one repetition out: no word is copied from it to a call that is not its own, no other call jumps into
it, none of its calls is a member of a search, and each goes where its like in the other repetitions goes when it turns
out otherwise than in the trace: to a call of its own repetition, to the next one, or to the same call after the loop.
"""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ferry.advise.arguments_c import Argument
from ferry.advise.runs import Run

#: repetitions that are worth a loop; fewer are as quickly read one by one
LOOP_REPETITIONS_MIN = 3
#: calls of the longest group that is looked for
GROUP_CALLS_MAX = 16
NUMBERS_IN_A_LINE = 4
#: the variable that counts
COUNTER = "k"
_NUMBER = re.compile(r"-?(?:0x[0-9a-fA-F]+|\d+)(?: /\*.*\*/)?")
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
#: what calls with a table for the arguments that differ, by what all of these are: its type
_TABLES = ((_NUMBER, "long "), (_TEXT, "char *const "))


class Slot(Protocol):
    """What is asked about a call on its way to C."""

    index: int
    name: str
    arguments: list[Argument]
    surprise: str
    search_end: int


@dataclass(frozen=True)
class Looped:
    """Arguments for the body of a loop, and what they need declared in place of what each call needed."""

    arguments: list[Argument]
    declarations: list[str]
    #: objects that are an array now, with an element for each repetition
    arrays: list[str]


@dataclass(frozen=True)
class Stretch:
    """Calls of a run: `count` repetitions of a group of `period` calls. One call by itself is 1 of 1."""

    first: int
    period: int = 1
    count: int = 1

    @property
    def end(self) -> int:
        """The call after its last."""
        return self.first + self.period * self.count

    @property
    def is_loop(self) -> bool:
        """Whether a loop adds it."""
        return self.count > 1


def stretches(run: Run, slots: Sequence[Slot], labels: Mapping[int, str]) -> Iterator[Stretch]:
    """Cut the calls into stretches: loops, and calls by themselves. `labels` names the calls that others jump to."""
    cutter = _Cutter(run, slots, labels)
    first = 0
    while first < len(slots):
        found = cutter.longest(first)
        yield found
        first = found.end


class _Cutter:
    """Finds the loops of a run."""

    def __init__(self, run: Run, slots: Sequence[Slot], labels: Mapping[int, str]) -> None:
        self.run, self.slots = run, slots
        self.target = {name: index for index, name in labels.items()}
        #: for each call, the last that takes a word from it, and the first that jumps to it or takes from it
        self.jumpers: dict[int, list[int]] = {}
        self.takers: dict[int, list[int]] = {}
        for slot in slots:
            if slot.surprise in self.target:
                self.jumpers.setdefault(self.target[slot.surprise], []).append(slot.index)
            if slot.search_end != slot.index:
                self.jumpers.setdefault(slot.search_end + 1, []).append(slot.index)
        for index, feeds in enumerate(run.feeds):
            for feed in feeds:
                self.takers.setdefault(feed.source, []).append(index)

    def longest(self, first: int) -> Stretch:
        """Return the loop from this call on that has the most calls, and of these the one with the shortest group."""
        best = Stretch(first)
        for period in range(1, min(GROUP_CALLS_MAX, (len(self.slots) - first) // LOOP_REPETITIONS_MIN) + 1):
            count = self._repetitions(first, period)
            if count >= LOOP_REPETITIONS_MIN and period * count > best.period * best.count:
                best = Stretch(first, period, count)
        return best

    def _repetitions(self, first: int, period: int) -> int:
        """Return how often the group of `period` calls stands there, as far as a loop can add it."""
        count = 1
        while first + (count + 1) * period <= len(self.slots) and all(
            self._is_alike(first + k, first + count * period + k, first, period) for k in range(period)
        ):
            count += 1
        while count > 1 and not all(self._is_closed(first + n * period, period, first) for n in range(count)):
            count -= 1
        return count

    def _is_closed(self, begin: int, period: int, first: int) -> bool:
        """Whether one repetition is singled out by nothing: words stay in it, and jumps into it come from it."""
        end = begin + period
        for index in range(begin, end):
            if self.slots[index].search_end != index:
                return False
            if any(taker >= end for taker in self.takers.get(index, ())):
                return False
            # to its first call the repetition before it may jump, or to the first one's anybody
            before = begin - period if begin > first else 0
            allowed = range(before if index == begin else begin, end)
            if any(jumper not in allowed for jumper in self.jumpers.get(index, ())):
                return False
        return True

    def _is_alike(self, one: int, two: int, first: int, period: int) -> bool:
        """Whether a call of the first repetition is as its like in another one."""
        a, b = self.slots[one], self.slots[two]
        if (a.name, len(a.arguments)) != (b.name, len(b.arguments)):
            return False
        if self.run.calls[one].failed != self.run.calls[two].failed:
            return False
        if not self._goes_alike(a, b, first + period):
            return False
        fed, other = self.run.feeds[one], self.run.feeds[two]
        # a group of one call that is fed could only take from before the loop: those are left as they are
        if len(fed) != len(other) or (period == 1 and fed):
            return False
        for x, y in zip(fed, other, strict=True):
            is_own = x.source >= first and y.source == x.source + two - one
            if (x.argument, x.word) != (y.argument, y.word) or not (is_own or x.source == y.source < first):
                return False
        places = {feed.argument for feed in fed}
        return all(
            place in places or _is_same(x, y, one, two)
            for place, (x, y) in enumerate(zip(a.arguments, b.arguments, strict=True))
        )

    def _goes_alike(self, one: Slot, two: Slot, end: int) -> bool:
        """Whether both go on at the same place: of their own repetition, or at one behind the loop."""
        to, other = self.target.get(one.surprise), self.target.get(two.surprise)
        if to is None or other is None:
            return one.surprise == two.surprise
        return other == to + two.index - one.index if to <= end else other == to


def _moved(text: str, index: int, to: int) -> str:
    """Return what would stand there if the call were another of the run: its objects end in its number."""
    return re.sub(rf"\b(bytes|out|pair|stat|statx)_{index}(?=_|\b)", rf"\1_{to}", text)


def _is_same(one: Argument, two: Argument, first: int, other: int) -> bool:
    if one.text == two.text and one.declaration == two.declaration:
        return True
    if any(kind.fullmatch(one.text) and kind.fullmatch(two.text) for kind, _ in _TABLES):
        return True
    # an object that is read has its contents in its declaration, and differs with them
    return (_moved(two.text, other, first), _moved(two.declaration, other, first)) == (one.text, one.declaration)


def looped(slots: Sequence[Slot], fed: Container[int] = ()) -> Looped:
    """Make the arguments of a call of all repetitions: what differs becomes a table, buffers an array of them."""
    first = slots[0]
    made = Looped([], [], [])
    for place, argument in enumerate(first.arguments):
        texts = [slot.arguments[place].text for slot in slots]
        table = next((type_ for kind, type_ in _TABLES if kind.fullmatch(argument.text)), "")
        if place in fed or len(set(texts)) == 1 or argument.declaration.startswith("static const"):
            # the same word, or bytes that are read: those of one call do for all
            made.arguments.append(argument)
        elif table:
            name = f"varied_{first.index}_{place}"
            rows = [", ".join(texts[k : k + NUMBERS_IN_A_LINE]) for k in range(0, len(texts), NUMBERS_IN_A_LINE)]
            lines = [f"static const {table}{name}[] = {{", *(f"\t{row}," for row in rows), "};"]
            made.declarations.append("\n".join(lines))
            made.arguments.append(replace(argument, text=f"{name}[{COUNTER}]"))
        else:
            made.arguments.append(replace(argument, text=element(argument.text, argument.name)))
            size = f"{argument.name}[{len(slots)}]"
            made.declarations.append(re.sub(rf"\b{argument.name}\b", size, argument.declaration))
            made.arrays.append(argument.name)
    return made


def element(text: str, name: str) -> str:
    """Write the element of this repetition where the text names an array."""
    return re.sub(rf"\b{name}\b(?!\[)", f"{name}[{COUNTER}]", text)


def without_numbers(missing: str) -> str:
    """Return what is missing, said of any call of a stretch."""
    return re.sub(r"^call \d+ ", "", missing)
