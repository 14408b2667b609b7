# SPDX-License-Identifier: BSD-3-Clause
"""Random batches: the executors give what the model gives, in results, last slot and all memory."""

import ctypes
import errno
import mmap
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from ferry.spec import CALLS
from hypothesis import given, settings
from hypothesis import strategies as st

from batch.model import library, model
from batch.model.model import SLOT_BYTES, WORD_BYTES, WORD_COPY

NUMBER = {name: number for name, (number, _, _) in CALLS.items()}
DENIED = sorted(number for number, _, allowed in CALLS.values() if not allowed)
ALLOWED = {number for number, _, allowed in CALLS.values() if allowed}
SLOTS_MAX = 12
SCRATCH_BYTES = 64
#: Addresses where nothing is mapped: below the lowest that may be, above user space, and just below 2^64.
BAD_ADDRESSES = (0, 8, 0xFFF, 1 << 62, -1, -8, -4096)
#: Scheduling policies whose answer every kernel agrees on; 7 is a policy on some.
POLICIES = (-1, 0, 1, 2, 3, 5, 6, 100)
#: A descriptor that is not open: above every limit.
NO_DESCRIPTOR = 1 << 30


def unused_result(nr: int, words: tuple[int, ...]) -> int | None:
    """What a harmless call gives: calls whose result follows from their arguments and this process."""
    # the kernel takes `int` and `unsigned int` arguments from the low half of the word
    first = words[0] & 0xFFFFFFFF
    if nr == NUMBER["getppid"]:
        return os.getppid()
    if nr == NUMBER["getpid"]:
        return os.getpid()
    if nr in (NUMBER["close"], NUMBER["dup"], NUMBER["fsync"], NUMBER["lseek"]):
        assert first >= NO_DESCRIPTOR
        return -errno.EBADF
    if nr == NUMBER["sched_get_priority_max"]:
        return {0: 0, 1: 99, 2: 99, 3: 0, 5: 0, 6: 0}.get(first, -errno.EINVAL)
    if nr in ALLOWED:
        raise AssertionError(f"the model does not know call {nr}")
    return None


@dataclass(frozen=True)
class Place:
    """An address that is known when the batch is laid out."""

    region: str
    offset: int


Word = int | Place


@dataclass(frozen=True)
class Slot:
    """A slot whose words may be addresses."""

    nr: int
    jumps: tuple[int, int, int]
    argc: int
    #: every byte of `flags` and `reserved`
    reserved: int
    words: tuple[Word, ...]


jump = st.one_of(st.integers(0, 3), st.sampled_from([-1, -2, -5, -32768, 11, 12, 13, 32767]))
jumps = st.tuples(jump, jump, jump)
bad_call = st.sampled_from([*DENIED, -1, -3, -32768, 32767, 337, 423, 512, 1023, 1024])
descriptor = st.integers(NO_DESCRIPTOR, (1 << 32) - 1).map(lambda low: low - (1 << 33))


def in_region(region: str, count: int, unit: int) -> st.SearchStrategy[Place]:
    """An address in a region of `count` units: any byte, words that go over the end included."""
    aligned = st.integers(0, count * unit // WORD_BYTES - 1).map(lambda i: i * WORD_BYTES)
    return st.one_of(aligned, st.integers(0, count * unit - WORD_BYTES)).map(lambda o: Place(region, o))


def argument_places(count: int) -> st.SearchStrategy[Place]:
    """Places inside the argument words, which do not change what a slot is."""
    return st.tuples(st.integers(0, count - 1), st.integers(0, 40)).map(
        lambda at: Place("slots", at[0] * SLOT_BYTES + 16 + at[1])
    )


@st.composite
def slots_of(draw: st.DrawFn, count: int) -> list[Slot]:
    """A batch of `count` slots."""
    anywhere = st.one_of(
        in_region("rets", count, WORD_BYTES),
        in_region("scratch", SCRATCH_BYTES, 1),
        st.just(Place("page", mmap.PAGESIZE - 8)),
        st.sampled_from(BAD_ADDRESSES),
    )
    # a word half in the page is read in no part; one written there may be in part, so that is not drawn
    over_the_end = st.sampled_from([Place("page", mmap.PAGESIZE - 4), Place("page", mmap.PAGESIZE - 1)])
    copy = st.tuples(
        st.just(WORD_COPY),
        st.tuples(
            st.one_of(anywhere, argument_places(count)),
            st.one_of(anywhere, over_the_end, in_region("slots", count, 64)),
        ),
    )
    harmless = st.one_of(
        st.tuples(st.sampled_from([NUMBER["getppid"], NUMBER["getpid"]]), st.just((0,))),
        st.tuples(st.sampled_from([NUMBER["close"], NUMBER["dup"], NUMBER["fsync"]]), st.tuples(descriptor)),
        st.tuples(st.just(NUMBER["lseek"]), st.tuples(descriptor, st.integers(0, 9), st.integers(0, 9))),
        st.tuples(st.just(NUMBER["sched_get_priority_max"]), st.tuples(st.sampled_from(POLICIES))),
        st.tuples(bad_call, st.tuples(st.integers(-(1 << 63), (1 << 63) - 1))),
    )
    made = []
    for _ in range(count):
        nr, words = draw(st.one_of(copy, harmless))
        made.append(Slot(nr, draw(jumps), draw(st.integers(0, 6)), draw(st.integers(0, 255)), words))
    return made


batches = st.integers(1, SLOTS_MAX).flatmap(slots_of)


class Laid:
    """A batch in real memory, and a copy of all that memory for the model."""

    def __init__(self, slots: list[Slot]) -> None:
        self.count = len(slots)
        self.slots = (library.Slot * self.count)()
        self.rets = (ctypes.c_long * self.count)(*[0x5A5A0000 + i for i in range(self.count)])
        self.scratch = (ctypes.c_uint8 * SCRATCH_BYTES)(*range(SCRATCH_BYTES))
        # the end of a mapping: the page behind it is made inaccessible, so that a word may hang over into nothing
        self.pages = mmap.mmap(-1, 2 * mmap.PAGESIZE)
        self.page = (ctypes.c_char * mmap.PAGESIZE).from_buffer(self.pages)
        self.addresses = {name: ctypes.addressof(getattr(self, name)) for name in ("slots", "rets", "scratch", "page")}
        code = ctypes.CDLL(None).mprotect(
            ctypes.c_void_p(self.addresses["page"] + mmap.PAGESIZE), ctypes.c_size_t(mmap.PAGESIZE), 0
        )
        assert code == 0
        for real, slot in zip(self.slots, slots, strict=True):
            self.fill(real, slot)

    def fill(self, real: library.Slot, slot: Slot) -> None:
        real.nr, real.argc = slot.nr, slot.argc
        real.jump_fail, real.jump_zero, real.jump_positive = slot.jumps
        real.flags, real.reserved = slot.reserved, (ctypes.c_uint8 * 6)(*[slot.reserved] * 6)
        for k, word in enumerate(slot.words):
            real.arg[k] = self.addresses[word.region] + word.offset if isinstance(word, Place) else word

    def memory(self) -> model.Memory:
        names = ("slots", "rets", "scratch", "page")
        return model.Memory({name: bytearray(getattr(self, name)) for name in names}, self.addresses)

    def close(self) -> None:
        del self.page
        self.pages.close()


def compare(slots: list[Slot], on: ctypes.Structure, call: Callable[[int, tuple[int, ...]], int | None]) -> None:
    """Run on the model, then on the library, and compare everything."""
    laid = Laid(slots)
    try:
        expected = laid.memory()
        try:
            last = model.run(expected, laid.count, call)
        except DangerousCallError:
            return
        assert library.run(on, laid.rets, laid.slots, laid.count) == last
        found = laid.memory()
        for name, bytes_found in found.regions.items():
            assert bytes_found == expected.regions[name], name
        walk(laid, last)
    finally:
        laid.close()


class DangerousCallError(Exception):
    """A word copy made a call that must not be made from a test, or that nobody can foretell: the batch is not run."""


def careful(nr: int, words: tuple[int, ...]) -> int | None:
    """As unused_result, but word copies may have put something else into an argument."""
    first = words[0] & 0xFFFFFFFF
    if nr in (NUMBER["close"], NUMBER["dup"], NUMBER["fsync"], NUMBER["lseek"]) and first < NO_DESCRIPTOR:
        raise DangerousCallError
    if nr == NUMBER["sched_get_priority_max"] and first not in {policy & 0xFFFFFFFF for policy in POLICIES}:
        raise DangerousCallError
    return unused_result(nr, words)


def on_null(nr: int, words: tuple[int, ...]) -> int | None:
    """`null` makes no call."""
    return 0 if nr in ALLOWED else None


def walk(laid: Laid, last: int) -> None:
    """batch_result_next visits the slots that ran, from 0 to the last; batch_result_failed finds the first failure.

    Both follow the jumps as they are after the run, so a batch that rewrote a slot that has run is not looked at; the
    strategy writes argument words only.
    """
    visited, index = [], 0
    while index >= 0:
        visited.append(index)
        index = library.LIBRARY.batch_result_next(laid.slots, laid.rets, last, index)
    assert visited == sorted(set(visited))
    rets_written = any(
        slot.nr == WORD_COPY and laid.addresses["rets"] - 8 < slot.arg[0] < laid.addresses["rets"] + 8 * laid.count
        for slot in laid.slots
    )
    if rets_written:
        return
    assert visited[-1] == last
    failed = [i for i in visited if laid.rets[i] < 0]
    assert library.LIBRARY.batch_result_failed(laid.slots, laid.rets, last) == (failed[0] if failed else -1)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(batches)
def test_loop_gives_what_the_model_gives(slots: list[Slot]) -> None:
    compare(slots, library.executor("loop"), careful)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(batches)
def test_null_gives_what_the_model_gives(slots: list[Slot]) -> None:
    compare(slots, library.executor("null"), on_null)


LONG6 = ctypes.CFUNCTYPE(ctypes.c_long, *[ctypes.c_long] * 6)


def wrapped(value: int) -> int:
    """As a signed word."""
    return struct.unpack("<q", struct.pack("<Q", value & (1 << 64) - 1))[0]  # type: ignore[no-any-return]


def weighed(*words: int) -> int:
    return wrapped(sum(word * (2 * i + 1) for i, word in enumerate(words)))


def constant(value: int) -> Callable[..., int]:
    return lambda *words: value


FUNCTIONS: list[Callable[..., int] | None] = [weighed, constant(0), None, constant(-7), constant(3), lambda *w: w[5]]
FUNCTION_POINTERS = [LONG6(function) if function else None for function in FUNCTIONS]


def on_functions(nr: int, words: tuple[int, ...]) -> int | None:
    function = FUNCTIONS[nr] if 0 <= nr < len(FUNCTIONS) else None
    return None if function is None else function(*words)


function_slots = st.lists(
    st.builds(
        Slot,
        st.sampled_from([0, 0, 1, 2, 3, 4, 5, 6, -1, -3, 32767, -32768]),
        jumps,
        st.just(6),
        st.just(0),
        st.tuples(*[st.integers(-(1 << 63), (1 << 63) - 1)] * 6),
    ),
    min_size=1,
    max_size=SLOTS_MAX,
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(function_slots, st.data())
def test_call_gives_what_the_model_gives(slots: list[Slot], data: st.DataObject) -> None:
    copies = data.draw(slots_of(len(slots)))
    mixed = [copy if copy.nr == WORD_COPY else slot for slot, copy in zip(slots, copies, strict=True)]
    call, _table = library.call_executor([(pointer, 6) for pointer in FUNCTION_POINTERS])
    compare(mixed, call.executor, on_functions)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(batches, st.lists(st.sampled_from([0, 1, 1]), min_size=4, max_size=40), st.integers(1, 4))
def test_parts_give_what_the_model_gives(slots: list[Slot], gos: list[int], step: int) -> None:
    """A batch that is held while a word says so, and released for some slots whenever it pauses."""
    laid = Laid(slots)
    prepared, error, go = library.Prepared(), library.Error(), ctypes.c_ulong()
    on = library.executor("loop")
    try:
        expected = laid.memory()
        try:
            last = model.run(expected, laid.count, careful)
        except DangerousCallError:
            return
        code = library.LIBRARY.batch_prepare(
            ctypes.byref(prepared), ctypes.byref(on), laid.rets, laid.slots, laid.count, 0, ctypes.byref(error)
        )
        assert code == 0
        found = ~0
        for part in range(2 * laid.count):
            go.value = gos[part % len(gos)]
            held = library.LIBRARY.batch_prepared_run_while(ctypes.byref(prepared), ~found, ctypes.byref(go))
            found = held if held >= 0 else library.LIBRARY.batch_prepared_run_some(ctypes.byref(prepared), ~held, step)
            if found >= 0:
                break
        assert found == last
        for name, bytes_found in laid.memory().regions.items():
            assert bytes_found == expected.regions[name], name
    finally:
        laid.close()


def test_the_model_can_tell_a_wrong_result() -> None:
    """The comparison fails when the model is told something else than what happens."""
    slots = [Slot(NUMBER["getppid"], (0, 0, 0), 0, 0, (0,))]
    with pytest.raises(AssertionError):
        compare(slots, library.executor("loop"), lambda nr, words: os.getppid() + 1)
