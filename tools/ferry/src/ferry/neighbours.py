# SPDX-License-Identifier: BSD-3-Clause
"""Busy loops beside what is measured: `ferry measure --beside N[:nice][/ON/OFF]`.

A *world* is the machine as one sample finds it: quiet, or with some neighbours of ours, which are processes that only
compute. All worlds belong to one run: the loops of each are started once and stand still (SIGSTOP) while it is another
world's turn, so that the figures of all worlds come from the same minutes.

No loop outlives the command, however that ends. The loops of a world are children of one process, the nursery; the
kernel kills the nursery when the command dies, and each loop when the nursery dies (PR_SET_PDEATHSIG). Both look for
their parent once more after they asked for that, because it may have died before. The nursery has a process group of
its own, so that one signal reaches all of its loops and an interrupt from the keyboard none; it stays in the command's
session, because the scheduler may share the processors out between sessions.

A world may also be of bursts: each loop computes for some microseconds, rests for some, and again.

Non-goals: loops with a memory footprint, and pinned loops.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import click

#: More loops than this would take a minute to tell about nothing new; each is a process.
LOOPS_MAX = 256
#: More worlds than this make a table that nobody can read.
WORLDS_MAX = 4
NICE_MIN, NICE_MAX = -20, 19
#: How long a world is left to itself before it is measured: the scheduler spreads the loops over the processors, and a
#: container's quota, which is dealt out every 100 ms, is no longer short of what another world's loops took.
SETTLE_S = 0.2
#: A burst or a rest longer than this is a world of its own.
BURST_US_MAX = 1_000_000
#: The nursery says that its loops run within this time, or does not work.
START_TIMEOUT_S = 60
#: The quota of the control group that this process sees as the top, as "200000 100000" (µs in a period of so many).
QUOTA = Path("/sys/fs/cgroup/cpu.max")

#: The nursery. Arguments: the command's process id, how many loops, their nice value or "", and the microseconds of a
#: burst and of a rest (0: the loops never rest). Errors go to its standard
#: output, as the byte that says that all loops are there.
NURSERY = """
import ctypes, os, signal, sys, time
parent, loops, nice = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
on, off = (int(word) / 1e6 for word in sys.argv[4:6])
def die_with(process):
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() != process:
        os._exit(1)
os.setpgid(0, 0)
die_with(parent)
nursery = os.getpid()
try:
    if nice:
        os.setpriority(os.PRIO_PROCESS, 0, int(nice))
    for _ in range(loops):
        if os.fork() == 0:
            die_with(nursery)
            os.close(1)
            while True:
                began = time.perf_counter()
                while not off or time.perf_counter() - began < on:
                    for _ in range(1000):
                        pass
                time.sleep(off)
except OSError as error:
    os.write(1, (error.strerror or str(error)).encode())
    os._exit(1)
os.write(1, b"+")
os.close(1)
os.wait()
os._exit(1)
"""


class NeighbourError(RuntimeError):
    """The loops cannot be started, or have ended; the message says what to do."""


@dataclass(frozen=True)
class World:
    """What runs beside a sample: so many busy loops, of our own priority or at a nice value."""

    loops: int = 0
    nice: int | None = None
    #: How long each loop computes and then rests, in microseconds; none: it never rests.
    burst_us: tuple[int, int] | None = None

    @property
    def quiet(self) -> bool:
        """Whether nothing of ours runs beside."""
        return self.loops == 0

    @property
    def text(self) -> str:
        """As the command line has it; empty for the quiet world."""
        if self.quiet:
            return ""
        nice = "" if self.nice is None else f":{self.nice}"
        return f"{self.loops}{nice}" + ("" if self.burst_us is None else "/{}/{}".format(*self.burst_us))

    @property
    def words(self) -> str:
        """For people."""
        if self.quiet:
            return "with nothing of ours beside it"
        loops = f"beside {self.loops} busy loop{'s' if self.loops > 1 else ''}"
        nice = "" if self.nice is None else f" at nice {self.nice}"
        bursts = "" if self.burst_us is None else ", {} µs on and {} µs off".format(*self.burst_us)
        return loops + nice + bursts

    def to_json(self) -> dict[str, Any]:
        """As a file of measurements has it: nothing for the quiet world."""
        if self.quiet:
            return {}
        bursts = {} if self.burst_us is None else {"burst_us": list(self.burst_us)}
        return {"beside": {"loops": self.loops, "nice": self.nice} | bursts}


QUIET = World()


def parse_world(text: str) -> World:
    """Read N, N:nice, or either with /ON/OFF behind it. Raises ValueError that says what is wrong and what to do."""
    found = re.fullmatch(r"(\d+)(?::([+-]?\d+))?(?:/(\d+)/(\d+))?", text, re.ASCII)
    if not found:
        raise ValueError(f"'{text}' is not N or N:nice; give for example 2, or 2:19 for loops at nice 19")
    loops, nice = int(found[1]), None if found[2] is None else int(found[2])
    if loops < 1:
        raise ValueError(f"'{text}' asks for no loop; give 1 or more, or leave --beside out: quiet is always measured")
    if loops > LOOPS_MAX:
        raise ValueError(f"'{text}' asks for {loops} loops; give {LOOPS_MAX} at most")
    if nice is not None and not NICE_MIN <= nice <= NICE_MAX:
        raise ValueError(f"'{text}' has the nice value {nice}; give one from {NICE_MIN} to {NICE_MAX}")
    burst_us = None if found[3] is None else (int(found[3]), int(found[4]))
    if burst_us and not all(1 <= length <= BURST_US_MAX for length in burst_us):
        raise ValueError(f"'{text}' has bursts of {found[3]} and {found[4]} µs; give 1 to {BURST_US_MAX} for each")
    return World(loops, nice, burst_us)


class WorldType(click.ParamType):
    """The value of --beside."""

    name = "N[:NICE][/ON/OFF]"

    def convert(self, value: str | World, param: click.Parameter | None, ctx: click.Context | None) -> World:
        """Read it."""
        if isinstance(value, World):
            return value
        try:
            return parse_world(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Nursery:
    """The loops of one world, which stand still unless it is their turn."""

    def __init__(self, world: World) -> None:
        self.world = world
        nice = "" if world.nice is None else str(world.nice)
        command = [sys.executable, "-I", "-S", "-c", NURSERY, str(os.getpid()), str(world.loops), nice]
        command += map(str, world.burst_us or (0, 0))
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        try:
            self._await_start()
        except BaseException:
            self.end()
            raise

    def _await_start(self) -> None:
        assert self.process.stdout
        said = self._read_within(START_TIMEOUT_S)
        if said == b"+":
            self._signal(signal.SIGSTOP)
            return
        why = said.decode(errors="replace") or "their process ended"
        advice = "give fewer loops"
        if self.world.nice is not None and self.world.nice < os.getpriority(os.PRIO_PROCESS, 0):
            advice = (
                "a nice value below this process's own needs the right to set it; give a greater one, or run as root"
            )
        raise NeighbourError(f"--beside {self.world.text}: the loops cannot be started: {why}; {advice}")

    def _read_within(self, limit_s: float) -> bytes:
        """Return what the nursery says until it closes its output."""
        assert self.process.stdout
        said, ends = b"", time.monotonic() + limit_s
        while select.select([self.process.stdout], [], [], max(ends - time.monotonic(), 0))[0]:
            piece = self.process.stdout.read(4096)
            said += piece
            if not piece or said == b"+":
                return said
        return said or f"they were not there within {limit_s:g} s".encode()

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def wake(self) -> None:
        """Let the loops run. Raises NeighbourError when one of them has ended: then all have."""
        self._signal(signal.SIGCONT)
        self.check()

    def check(self) -> None:
        """Raise NeighbourError when one of the loops has ended, and with it all."""
        if self.process.poll() is not None:
            raise NeighbourError(
                f"--beside {self.world.text}: the busy loops were ended by somebody else; see the system's log "
                "(out of memory?), or give fewer"
            )

    def rest(self) -> None:
        """Make the loops stand still."""
        self._signal(signal.SIGSTOP)

    def end(self) -> None:
        """End the loops."""
        # before its first instruction the nursery is not yet in a group of its own
        self.process.kill()
        self._signal(signal.SIGKILL)
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


class Worlds:
    """The quiet world and those that were asked for, one of them at a time."""

    def __init__(self, asked: tuple[World, ...] = ()) -> None:
        self.asked = tuple(dict.fromkeys(asked))
        self.nurseries: dict[World, Nursery] = {}

    def __enter__(self) -> Worlds:
        try:
            for world in self.asked:
                self.nurseries[world] = Nursery(world)
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        for nursery in self.nurseries.values():
            nursery.end()
        self.nurseries.clear()

    @property
    def count(self) -> int:
        """How many worlds there are."""
        return 1 + len(self.asked)

    def turns(self, step: int) -> Iterator[World]:
        """Yield each world while it is there, each step beginning with another. Raises NeighbourError."""
        worlds = [QUIET, *self.asked]
        first = step % len(worlds)
        for world in worlds[first:] + worlds[:first]:
            with self._turn(world):
                yield world

    @contextlib.contextmanager
    def _turn(self, world: World) -> Iterator[None]:
        nursery = self.nurseries.get(world)
        if nursery:
            nursery.wake()
        if self.asked:
            time.sleep(SETTLE_S)
        try:
            yield
            # a world that broke down while it was measured was not the one that was asked for
            if nursery:
                nursery.check()
        finally:
            if nursery:
                nursery.rest()


def note_limits(asked: tuple[World, ...], note: Callable[[str], None], quota: Path = QUOTA) -> None:
    """Say where the loops meet more than the processors: a container's quota is theirs too."""
    if not asked:
        return
    try:
        share, period = quota.read_text().split()[:2]
        processors = int(share) / int(period)
    except (OSError, ValueError):
        return
    note(
        f"the quota of this control group is {processors:g} processors, and the loops of --beside take their part of"
        " it: beside them a program is held back by the quota as well"
    )
