# SPDX-License-Identifier: BSD-3-Clause
"""The builder against a naive one: labels that are known beforehand, feeds that are written out."""

import ctypes
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from model import library
from model.library import LIBRARY, Builder, Error, Label

OUTCOMES = ("jump_fail", "jump_zero", "jump_positive")
CALL_NUMBERS = st.sampled_from([0, 1, 3, 39, -1, 32767])
WORDS = st.lists(st.integers(-(1 << 63), (1 << 63) - 1), max_size=6)


@dataclass(frozen=True)
class Call:
    """A call, what feeds it (argument -> earlier slot, counted from the end), and where its outcomes go."""

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


def usable_feeds(call: Call, count: int) -> list[tuple[int, int]]:
    """The feeds that have an earlier slot and an argument to go to."""
    return [(argument, back) for argument, back in call.feeds if argument < len(call.words) and back <= count]


def naive(program: list[Call], places: list[int], slots: ctypes.Array[library.Slot], rets: object) -> int:
    """Lay the program out by hand. `places`: before which call each label stands."""
    starts, index = [], 0
    for call in program:
        starts.append(index)
        index += len(usable_feeds(call, index)) + 1
    targets = [starts[place] if place < len(starts) else index for place in places]
    index = 0
    base, ret_base = ctypes.addressof(slots), ctypes.addressof(rets)  # type: ignore[arg-type]
    for position, call in enumerate(program):
        feeds = usable_feeds(call, index)
        at = index + len(feeds)
        for k, (argument, back) in enumerate(feeds):
            copy = slots[index + k]
            copy.nr, copy.argc = -2, 2
            copy.arg[0] = base + at * 64 + 16 + argument * 8
            copy.arg[1] = ret_base + (index - back) * 8
        slots[at].nr, slots[at].argc = call.nr, len(call.words)
        for k, word in enumerate(call.words):
            slots[at].arg[k] = word
        for name, where in zip(OUTCOMES, call.targets, strict=True):
            if where == "stop":
                setattr(slots[at], name, -1)
            elif isinstance(where, int) and places[where] > position:
                setattr(slots[at], name, targets[where] - at - 1)
        index = at + 1
    return index


def build(program: list[Call], places: list[int], slots: ctypes.Array[library.Slot], rets: object) -> int:
    """The same with the library."""
    builder, labels = Builder(), [Label(-1, (-1, -1, -1)) for _ in places]
    LIBRARY.batch_builder_init(ctypes.byref(builder), slots, rets, len(slots))
    for position, call in enumerate(program):
        for label, place in zip(labels, places, strict=True):
            if place == position:
                assert LIBRARY.batch_builder_label(ctypes.byref(builder), ctypes.byref(label)) == 0
        start = builder.count
        for argument, back in usable_feeds(call, start):
            assert LIBRARY.batch_builder_feed(ctypes.byref(builder), argument, start - back) >= 0
        words = (ctypes.c_long * 6)(*call.words)
        index = LIBRARY.batch_builder_call(ctypes.byref(builder), call.nr, len(call.words), words)
        for outcome, where in enumerate(call.targets):
            if where == "stop":
                assert LIBRARY.batch_builder_stop(ctypes.byref(builder), index, outcome) == 0
            elif isinstance(where, int) and places[where] > position:
                label = labels[where]
                assert LIBRARY.batch_builder_jump(ctypes.byref(builder), index, outcome, ctypes.byref(label)) == 0
    for label, place in zip(labels, places, strict=True):
        if place >= len(program):
            assert LIBRARY.batch_builder_label(ctypes.byref(builder), ctypes.byref(label)) == 0
    error = Error()
    ctypes.set_errno(library.ERRNO_MARK)
    count = LIBRARY.batch_builder_finish(ctypes.byref(builder), ctypes.byref(error))
    assert ctypes.get_errno() == library.ERRNO_MARK
    return int(count)


@settings(max_examples=1000, deadline=None, derandomize=True)
@given(programs, st.lists(st.integers(0, 15), min_size=4, max_size=4))
def test_builder_lays_out_what_one_would_by_hand(program: list[Call], places: list[int]) -> None:
    capacity = 15 * 3
    by_hand, built = (library.Slot * capacity)(), (library.Slot * capacity)()
    rets = (ctypes.c_long * capacity)()
    count = build(program, places, built, rets)
    # addresses of argument words differ between the two arrays: lay the naive one out, then move them
    assert naive(program, places, by_hand, rets) == count
    distance = ctypes.addressof(built) - ctypes.addressof(by_hand)
    for slot in by_hand[:count]:
        if slot.nr == -2:
            slot.arg[0] += distance
    assert bytes(by_hand)[: count * 64] == bytes(built)[: count * 64]
