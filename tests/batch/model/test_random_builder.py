# SPDX-License-Identifier: BSD-3-Clause
"""The builder against a naive one: labels that are known beforehand, word copies that are written out."""

import ctypes
import errno
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from batch.model import library
from batch.model.library import LIBRARY, Argument, Builder, Error, Label

OUTCOMES = ("jump_fail", "jump_zero", "jump_positive")
REASON_SKIPPED = 17
CALL_NUMBERS = st.sampled_from([0, 1, 3, 39, -1, 32767])
WORDS = st.lists(st.integers(-(1 << 63), (1 << 63) - 1), max_size=6)


@dataclass(frozen=True)
class Call:
    """A call, the values it is given (argument, earlier slot counted from the end), and where its outcomes go."""

    nr: int
    words: list[int]
    feeds: list[tuple[int, int]]
    #: for each outcome: None, "stop", or the number of a label
    targets: tuple[int | str | None, int | str | None, int | str | None]


target = st.one_of(st.none(), st.just("stop"), st.integers(0, 3))
calls = st.builds(
    Call,
    CALL_NUMBERS,
    WORDS,
    st.lists(st.tuples(st.integers(0, 5), st.integers(1, 4)), max_size=2),
    st.tuples(target, target, target),
)
programs = st.lists(calls, min_size=1, max_size=15)


@dataclass
class Plan:
    """Where everything of a program will lie."""

    #: of each call: the index of its first word copy
    starts: list[int]
    #: of each call: argument -> slot whose result it is given, in the order of the arguments
    feeds: list[dict[int, int]]
    #: (index, index it may jump to) of every jump to a label
    jumps: list[tuple[int, int]]
    length: int


def passed_by(jumps: list[tuple[int, int]], value: int, at: int) -> bool:
    """Whether one of these jumps leads from before slot `value` to behind it, and not beyond slot `at`."""
    return any(start < value < target <= at for start, target in jumps)


def plan(program: list[Call], places: list[int], with_passed_by: bool) -> Plan:
    """Lay the program out, with the feeds that have an earlier slot and an argument; maybe those that are refused too.

    A label that is placed before the call that jumps to it is left out. Jumps whose label stands before the call at
    hand are known: its first slot is where they lead at the farthest.
    """
    made = Plan([], [], [], 0)
    waiting: list[tuple[int, int]] = []  # (index, number of the call it will jump to)
    for position, call in enumerate(program):
        made.starts.append(made.length)
        made.jumps += [(index, made.length) for index, place in waiting if place == position]
        fed = {argument: made.length - back for argument, back in call.feeds if argument < len(call.words)}
        fed = {argument: slot for argument, slot in sorted(fed.items()) if slot >= 0}
        if not with_passed_by:
            fed = {k: slot for k, slot in fed.items() if not passed_by(made.jumps, slot, made.length)}
        made.feeds.append(fed)
        made.length += len(fed) + 1
        targets = [places[label] for label in call.targets if isinstance(label, int)]
        waiting += [(made.length - 1, place) for place in targets if place > position]
    return made


def naive(program: list[Call], places: list[int], slots: ctypes.Array[library.Slot], rets: object) -> int:
    """Write the program by hand. `places`: before which call each label stands."""
    made = plan(program, places, with_passed_by=False)
    targets = [made.starts[place] if place < len(program) else made.length for place in places]
    base, ret_base = ctypes.addressof(slots), ctypes.addressof(rets)  # type: ignore[arg-type]
    for position, call in enumerate(program):
        fed = made.feeds[position]
        at = made.starts[position] + len(fed)
        for k, (argument, slot) in enumerate(fed.items()):
            copy = slots[made.starts[position] + k]
            copy.nr, copy.argc = -2, 2
            copy.arg[0] = base + at * 64 + 16 + argument * 8
            copy.arg[1] = ret_base + slot * 8
        slots[at].nr, slots[at].argc = call.nr, len(call.words)
        for k, word in enumerate(call.words):
            slots[at].arg[k] = 0 if k in fed else word
        for name, where in zip(OUTCOMES, call.targets, strict=True):
            if where == "stop":
                setattr(slots[at], name, -1)
            elif isinstance(where, int) and places[where] > position:
                setattr(slots[at], name, targets[where] - at - 1)
    return made.length


def build(
    program: list[Call], places: list[int], slots: ctypes.Array[library.Slot], rets: object, *, with_passed_by: bool
) -> tuple[int, Error]:
    """The same with the library."""
    made = plan(program, places, with_passed_by)
    builder, labels = Builder(), [Label(-1, (-1, -1, -1)) for _ in places]
    LIBRARY.batch_builder_init(ctypes.byref(builder), slots, rets, len(slots))
    for position, call in enumerate(program):
        for label, place in zip(labels, places, strict=True):
            if place == position:
                LIBRARY.batch_builder_label(ctypes.byref(builder), ctypes.byref(label))
        arguments = (Argument * 6)(*(Argument(word) for word in call.words))
        for argument, slot in made.feeds[position].items():
            value = LIBRARY.batch_builder_value(ctypes.byref(builder), slot)
            arguments[argument] = Argument(value.slot, value.batch, value.kind)
        value = LIBRARY.batch_builder_add_arguments(ctypes.byref(builder), call.nr, len(call.words), arguments)
        for outcome, where in enumerate(call.targets):
            if where == "stop":
                LIBRARY.batch_builder_stop(ctypes.byref(builder), value, outcome)
            elif isinstance(where, int) and places[where] > position:
                LIBRARY.batch_builder_jump(ctypes.byref(builder), value, outcome, ctypes.byref(labels[where]))
    for label, place in zip(labels, places, strict=True):
        if place >= len(program):
            LIBRARY.batch_builder_label(ctypes.byref(builder), ctypes.byref(label))
    error = Error()
    ctypes.set_errno(library.ERRNO_MARK)
    count = LIBRARY.batch_builder_finish(ctypes.byref(builder), ctypes.byref(error))
    assert ctypes.get_errno() == library.ERRNO_MARK
    return int(count), error


PLACES = st.lists(st.integers(0, 15), min_size=4, max_size=4)
CAPACITY = 15 * 3


@settings(max_examples=300, deadline=None, derandomize=True)
@given(programs, PLACES)
def test_builder_lays_out_what_one_would_by_hand(program: list[Call], places: list[int]) -> None:
    by_hand, built = (library.Slot * CAPACITY)(), (library.Slot * CAPACITY)()
    rets = (ctypes.c_long * CAPACITY)()
    count, error = build(program, places, built, rets, with_passed_by=False)
    assert count > 0, (error.reason, error.slot)
    # addresses of argument words differ between the two arrays: lay the naive one out, then move them
    assert naive(program, places, by_hand, rets) == count
    distance = ctypes.addressof(built) - ctypes.addressof(by_hand)
    for slot in by_hand[:count]:
        if slot.nr == -2:
            slot.arg[0] += distance
    assert bytes(by_hand)[: count * 64] == bytes(built)[: count * 64]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(programs, PLACES)
def test_a_value_that_may_be_missing_is_refused(program: list[Call], places: list[int]) -> None:
    """The first of them is named, and only such are refused."""
    slots, rets = (library.Slot * CAPACITY)(), (ctypes.c_long * CAPACITY)()
    made = plan(program, places, with_passed_by=True)
    missing = [
        slot
        for start, fed in zip(made.starts, made.feeds, strict=True)
        for slot in fed.values()
        if passed_by([jump for jump in made.jumps if jump[0] < start], slot, start)
    ]
    count, error = build(program, places, slots, rets, with_passed_by=True)
    if missing:
        assert (count, error.reason, error.slot) == (-errno.EINVAL, REASON_SKIPPED, missing[0])
    else:
        assert count == made.length
