# SPDX-License-Identifier: BSD-3-Clause
"""Calls in a row that a loop can add: the same call with the same arguments, but for numbers and buffers of their own.

Nothing may single one of them out: no word is copied to or from it, no other call jumps to it, it is no member of a
search, and it goes where the others go when it turns out otherwise than in the trace.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ferry.advise.arguments_c import Argument
from ferry.advise.runs import Run

#: calls that are worth a loop; fewer are as quickly read one by one
LOOP_CALLS_MIN = 3
NUMBERS_IN_A_LINE = 4
#: the variable that counts
COUNTER = "k"
_NUMBER = re.compile(r"-?(?:0x[0-9a-fA-F]+|\d+)(?: /\*.*\*/)?")


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


def stretches(run: Run, slots: Sequence[Slot], labelled: set[int]) -> Iterator[tuple[int, int]]:
    """Cut the calls into stretches, first and count; those that no loop can add have a count of 1."""
    fed = {index for index, feeds in enumerate(run.feeds) if feeds}
    fed |= {feed.source for feeds in run.feeds for feed in feeds}
    first = 0
    while first < len(slots):
        count = 1
        while (
            first not in fed
            and first + count < len(slots)
            and _is_alike(run, slots, first, first + count, fed, labelled)
        ):
            count += 1
        yield from [(first, count)] if count >= LOOP_CALLS_MIN else [(first + k, 1) for k in range(count)]
        first += count


def _is_alike(run: Run, slots: Sequence[Slot], first: int, other: int, fed: set[int], labelled: set[int]) -> bool:
    one, two = slots[first], slots[other]
    if other in fed or other in labelled or one.search_end != first or two.search_end != other:
        return False
    if (one.name, one.surprise, len(one.arguments)) != (two.name, two.surprise, len(two.arguments)):
        return False
    if run.calls[first].failed != run.calls[other].failed:
        return False
    return all(_is_same(a, b, first, other) for a, b in zip(one.arguments, two.arguments, strict=True))


def _moved(text: str, index: int, to: int) -> str:
    """Return what would stand there if the call were another of the run: its objects end in its number."""
    return re.sub(rf"\b(bytes|out|pair|stat|statx)_{index}(?=_|\b)", rf"\1_{to}", text)


def _is_same(one: Argument, two: Argument, first: int, other: int) -> bool:
    if one.text == two.text and one.declaration == two.declaration:
        return True
    if _NUMBER.fullmatch(one.text) and _NUMBER.fullmatch(two.text):
        return True
    # an object that is read has its contents in its declaration, and differs with them
    return (_moved(two.text, other, first), _moved(two.declaration, other, first)) == (one.text, one.declaration)


def looped(slots: Sequence[Slot]) -> Looped:
    """Make the arguments of a stretch: numbers that differ become a table, buffers an array of them."""
    first, arguments, declarations = slots[0], [], []
    for place, argument in enumerate(first.arguments):
        texts = [slot.arguments[place].text for slot in slots]
        if len(set(texts)) == 1 or argument.declaration.startswith("static const"):
            # the same word, or bytes that are read: those of one call do for all
            arguments.append(argument)
        elif _NUMBER.fullmatch(argument.text):
            name = f"varied_{first.index}_{place}"
            rows = [", ".join(texts[k : k + NUMBERS_IN_A_LINE]) for k in range(0, len(texts), NUMBERS_IN_A_LINE)]
            declarations.append("\n".join([f"static const long {name}[] = {{", *(f"\t{row}," for row in rows), "};"]))
            arguments.append(replace(argument, text=f"{name}[{COUNTER}]"))
        else:
            named = re.sub(rf"\b{argument.name}\b", f"{argument.name}[{COUNTER}]", argument.text)
            arguments.append(replace(argument, text=named))
            declarations.append(re.sub(rf"\b{argument.name}\b", f"{argument.name}[{len(slots)}]", argument.declaration))
    return Looped(arguments, declarations)


def without_numbers(missing: str) -> str:
    """Return what is missing, said of any call of a stretch."""
    return re.sub(r"^call \d+ ", "", missing)
