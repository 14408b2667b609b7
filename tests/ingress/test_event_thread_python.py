# SPDX-License-Identifier: BSD-3-Clause
"""The event thread as callbacks in Python see it: one thread, whose state lasts."""

import contextlib
import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable

from paths import BUILD, ROOT

#: As in test_echo_python.py: a process opens one library, and one worker may run both files.
os.environ.setdefault("ECHO_LIBRARY", str(BUILD / "nim" / "lib" / "libecho.so"))
os.environ.setdefault("FERRY_INGRESS_LIBRARY", str(BUILD / "lib" / "libferryingress.so.0"))
PATHS = [str(ROOT / "hosts" / "python" / "src"), str(ROOT / "build" / "echo" / "python" / "src")]
sys.path[:0] = PATHS

from echo import Echo  # noqa: E402 - after its path
from ferry_ingress import Event  # noqa: E402

PATIENCE = 60.0
#: INGRESS__IDLE_MAX of src/ingress/limits.h.
IDLE_MAX = 16


class Left:
    """Something that a callback leaves in its thread."""


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_a_callback_finds_what_an_earlier_one_left_in_its_thread() -> None:
    local = threading.local()
    found: list[int] = []

    def count(_: Event[None]) -> None:
        local.calls = getattr(local, "calls", 0) + 1
        found.append(local.calls)

    with Echo.create("", timeout=PATIENCE) as host, host.on_tick(count):
        host.ticks(3)
        until(lambda: len(found) == 3)
        # the thread has slept in between
        time.sleep(0.05)
        host.ticks(1)
        until(lambda: len(found) == 4)
    assert found == [1, 2, 3, 4]


def test_what_callbacks_left_goes_with_their_thread() -> None:
    local = threading.local()
    left: list[weakref.ref[Left]] = []

    def leave(_: Event[None]) -> None:
        local.value = Left()
        left.append(weakref.ref(local.value))

    with contextlib.ExitStack() as stack:
        for number in range(IDLE_MAX + 14):
            host = stack.enter_context(Echo.create("", timeout=PATIENCE))
            stack.enter_context(host.on_tick(leave))
            host.ticks(1)
            until(lambda number=number: len(left) > number)  # type: ignore[misc]
    gc.collect()
    # the core keeps the threads of some contexts that have ended, for the next ones
    until(lambda: sum(value() is not None for value in left) <= IDLE_MAX)


def test_a_callback_that_raises_ends_nothing() -> None:
    found: list[int] = []
    said: list[object] = []
    before, sys.unraisablehook = sys.unraisablehook, lambda what: said.append(what.exc_value)

    def fail(_: Event[None]) -> None:
        found.append(1)
        raise ValueError(len(found))

    try:
        with Echo.create("", timeout=PATIENCE) as host, host.on_tick(fail):
            host.ticks(3)
            until(lambda: len(said) == 3)
    finally:
        sys.unraisablehook = before
    assert len(found) == 3


def test_an_interpreter_ends_while_callbacks_run() -> None:
    code = (
        "import echo, threading\n"
        "host, ran = echo.Echo.create('x'), threading.Event()\n"
        "subscription = host.on_tick(lambda tick: ran.set())\n"
        "host.ticks(100_000)\n"
        "assert ran.wait(60)\n"
        "print('ends')\n"
    )
    environment = os.environ | {"PYTHONPATH": ":".join(PATHS)}
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env=environment, timeout=600
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "ends\n", "")


def test_a_forked_child_has_event_threads_of_its_own() -> None:
    code = (
        "import echo, os, sys, threading\n"
        "def use(count):\n"
        "    left = threading.Semaphore(0)\n"
        "    hosts = [echo.Echo.create('x', timeout=60) for _ in range(count)]\n"
        "    held = [host.on_tick(lambda tick: left.release()) for host in hosts]\n"
        "    for host in hosts:\n"
        "        host.ticks(2)\n"
        "    for _ in range(2 * count):\n"
        "        assert left.acquire(timeout=60)\n"
        "    for host in hosts:\n"
        "        host.destroy()\n"
        f"use({IDLE_MAX + 4})\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        f"    use({IDLE_MAX + 4})\n"
        "    sys.exit(7)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    environment = os.environ | {"PYTHONPATH": ":".join(PATHS)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=600)
    assert (done.returncode, done.stdout, done.stderr) == (0, "7\n", "")
