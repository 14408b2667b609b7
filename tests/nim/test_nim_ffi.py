# SPDX-License-Identifier: BSD-3-Clause
"""Libraries written for nim-ffi 0.3, and libraries whose procedures are those of chronos.

The library of these tests is built as it is. Without chronos it is built with asyncdispatch, and a module of a few
lines stands for the package results. FERRY_NIM_PACKAGES names the folders of chronos, results and stew, with a colon
between two; then it is built with those too.
"""

import os
from pathlib import Path

import pytest
from nim_compiler import Way
from nim_library import call, make_library
from paths import BUILD, ROOT

WAY = Way("forky", "orc", "release")
PACKAGES = [Path(folder) for folder in os.environ.get("FERRY_NIM_PACKAGES", "").split(":") if folder]
STYLE = ROOT / "nim/tests/compat"


def library(backend: str, name: str, *more: str) -> Path:
    """Compile a library of nim/tests/compat, and write its binding for Python beside it."""
    if backend == "chronos":
        if not PACKAGES:
            pytest.skip("FERRY_NIM_PACKAGES does not say where chronos, results and stew are")
        more = (*more, *(f"-p:{package}" for package in PACKAGES))
    more = (f"-d:asyncBackend:{backend}", f"-p:{ROOT}/nim/src/ferry/compat", *more)
    return make_library(WAY, STYLE / f"{name}.nim", BUILD / "nim/compat" / backend, *more)


PANTRY = """
import pantry
from pantry import Item, Pantry, PantryConfig, Season

def failed(call):
    try: return f"{call()} is no failure"
    except pantry.IngressError as e: return f"{type(e).__name__}: {e}"

print(pantry.MAX_ITEMS, pantry.MOTTO, Season.SN_AUTUMN.value)
print(failed(lambda: Pantry.create(PantryConfig(""))))
print(Pantry.parse("nut/autumn"))
print(failed(lambda: Pantry.parse("nut")))
for owner in "Ada", "Eve":
    with Pantry.create(PantryConfig(owner, ["tea"])) as kept:
        with kept.added_events() as added, kept.item_moved_events() as moved, kept.note_events() as notes:
            print(kept.add(Item("jam", Season.SN_AUTUMN, b"x"), 5), kept.add(Item("rye", Season.SN_SPRING, b""), 0))
            print(failed(lambda: kept.add(Item("oil", Season.SN_SPRING, b""), 0)))
            print(kept.move("jam", 1, 2))
            print(added.wait(60).value, notes.wait(60).value)
            print(moved.wait(60).value)
        print(failed(kept.fail))
        jar = kept.open_jar("jam")
        print(kept.take_spoon(jar), kept.take_spoon(jar), kept.close_jar(jar))
        print(failed(lambda: kept.take_spoon(jar)))
    print(Pantry.ended())
"""


@pytest.mark.parametrize("backend", ["asyncdispatch", "chronos"])
def test_a_library_for_nim_ffi_is_built_as_it_is(backend: str) -> None:
    """Constructor, methods, static and synchronous procedures, handles, three kinds of events, constants, an enum with
    texts, modules of its own, and a destructor that waits."""
    made = library(backend, "pantry")
    once = [
        "2 3",
        "FailedError: the pantry of {owner} is full",
        "moved jam",
        "Added(item=Item(name='jam', season=<Season.SN_AUTUMN: 5>, seal=b'x'), count=2) {owner} has jam",
        "OnItemMovedPayload(item='jam', from_shelf=1, to_shelf=2)",
        "FailedError: the shelf broke",
        "1 2 None",
        "BadHandleError: jar: no open Jar has this handle",
        "{ended}",
    ]
    assert call(made, PANTRY) == [
        "3 waste not 5",
        "FailedError: a pantry has an owner",
        "Item(name='nut', season=<Season.SN_AUTUMN: 5>, seal=b'\\x01\\x02')",
        "FailedError: write name/season",
        *(line.format(owner="Ada", ended=1) for line in once),
        *(line.format(owner="Eve", ended=2) for line in once),
    ]


TINY = """
import os, threading, time
import tiny
from tiny import Tiny

def failed(call):
    try: return f"{call()} is no failure"
    except tiny.IngressError as e: return f"{type(e).__name__}: {e}"

print(failed(lambda: Tiny.open(-1)))
with Tiny.open(21) as made:
    print(made.halve(2), failed(lambda: made.halve(-1)))
    print(made.wait(0), made.wait(5), made.leave(), made.talk("hi"), made.talk("ho"))
    print(failed(lambda: made.fail("broken")), "/", failed(made.give_up))
    waiting = [threading.Thread(target=made.wait, args=(200,)) for _ in range(50)]
    for each in waiting: each.start()
    print(made.halve(3))
    for each in waiting: each.join()
for round in range(20):
    if round == 2: open_before = len(os.listdir("/proc/self/fd"))
    with Tiny.open(round) as made:
        assert made.talk("x") == f"x {round}"
        made.leave()
print(len(os.listdir("/proc/self/fd")) <= open_before)
beats = Tiny.beats_so_far()
time.sleep(0.05)
print(Tiny.beats_so_far() - beats)
"""


def test_procedures_of_chronos_and_results_are_served() -> None:
    """Timers, sockets, errors, cancelled procedures, and tasks that the end of a context drops with its descriptors."""
    assert call(library("chronos", "tiny"), TINY) == [
        "RaisedTrouble: the handler failed with <Trouble.NEGATIVE: 1>",
        "10 RaisedTrouble: the handler failed with <Trouble.NEGATIVE: 1>",
        "21 21 None hi 21 ho 21",
        "FailedError: broken / CancelledError: Future operation cancelled!",
        "7",
        "True",
        "0",
    ]
