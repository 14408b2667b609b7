# SPDX-License-Identifier: BSD-3-Clause
"""Measure what a typed call from Python to a library on a thread of its own costs.

As bench/ingress/host_cpp.cpp asks in C++: values are encoded, cross, are decoded by the library, answered and decoded
again. Prints the lines that ../README.md describes, of the boundary `ingress`; with --latency percentiles of single
calls instead. The library is the file that ECHO_LIBRARY names. `executor` is what Python itself has for this: the same
request to a function that a thread of a pool runs.
"""

import asyncio
import json
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from echo import AsyncEcho, CountRequest, Echo, EchoRequest, EchoResponse, Options
from ferry_ingress.events import Event
from ferry_ingress.wire import Wire
from suite import Run, Suite, measure

#: Requests under way in the lanes that do not wait.
WINDOW = 64
#: Bytes of a large payload.
LARGE = 65536
LATENCY_CALLS = 5_000
#: A sparse call comes so long after the one before; caches and processors have done something else meanwhile.
SPARSE_S = 0.006
SPARSE_CALLS = 300
PATIENCE_S = 60.0
REQUEST = EchoRequest("hello world", 0)


def options(wire: Wire) -> Options:
    """Return options with which no event of a run is lost."""
    return Options(wire=wire, queue_depth=1 << 12, event_depth=1 << 17)


def ask(echo: Echo, n: int) -> None:
    """Call n times, one after the other."""
    for _ in range(n):
        echo.echo(REQUEST, timeout=PATIENCE_S)


def together(threads: int, echo: Echo, n: int) -> None:
    """Call from that many threads, each with its share of n."""
    others = [threading.Thread(target=ask, args=(echo, n // threads)) for _ in range(threads)]
    for other in others:
        other.start()
    for other in others:
        other.join()


def ask_large(echo: Echo, n: int) -> None:
    """Send and get back 64 KiB n times."""
    payload = bytes(LARGE)
    for _ in range(n):
        assert len(echo.bytes(payload, timeout=PATIENCE_S)) == LARGE


def values(echo: Echo, n: int) -> None:
    """Take the n values of one stream."""
    assert sum(1 for _ in echo.count(CountRequest(n), timeout=PATIENCE_S)) == n


def events(echo: Echo, n: int) -> None:
    """Hear n events."""
    left = n
    all_heard = threading.Event()

    def hear(event: Event[None]) -> None:
        nonlocal left
        left -= 1 + event.lost
        if not left:
            all_heard.set()

    with echo.on_tick(hear):
        echo.ticks(n, timeout=PATIENCE_S)
        if not all_heard.wait(PATIENCE_S):
            sys.exit(f"ingress-python: {left} of {n} events did not come")


class Loop:
    """An asyncio loop with a context of its own."""

    def __init__(self, wire: Wire) -> None:
        self._runner = asyncio.Runner()
        self._echo = self._runner.run(AsyncEcho.create("", options=options(wire)))

    async def _some(self, n: int) -> None:
        for _ in range(n):
            await self._echo.echo(REQUEST)

    async def _all(self, n: int) -> None:
        share, rest = divmod(n, WINDOW)
        await asyncio.gather(*(self._some(share + (index < rest)) for index in range(WINDOW)))

    async def _events(self, n: int) -> None:
        stream = self._echo.tick_events()
        await self._echo.ticks(n)
        try:
            for _ in range(n):
                assert await stream.next() is not None
        finally:
            stream.close()

    def calls(self, n: int) -> None:
        """Call n times, 64 under way."""
        self._runner.run(self._all(n))

    def events(self, n: int) -> None:
        """Hear n events."""
        self._runner.run(self._events(n))


def answer(request: EchoRequest) -> EchoResponse:
    """Compute what the library would answer."""
    return EchoResponse(request.message, "")


class Pool:
    """An asyncio loop and a pool of one thread, as a program without a library in another language has it."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._pool = ThreadPoolExecutor(1)

    async def _some(self, n: int) -> None:
        loop = asyncio.get_running_loop()
        for _ in range(n):
            await loop.run_in_executor(self._pool, answer, REQUEST)

    async def _all(self, n: int) -> None:
        share, rest = divmod(n, WINDOW)
        await asyncio.gather(*(self._some(share + (index < rest)) for index in range(WINDOW)))

    def calls(self, n: int) -> None:
        """Call n times, 64 under way."""
        self._runner.run(self._all(n))


def variants() -> dict[str, Run]:
    """Return every lane in both formats."""
    found: dict[str, Run] = {"executor:call": Pool().calls}
    for wire in Wire:
        echo = Echo.create("", options=options(wire), timeout=PATIENCE_S)
        loop = Loop(wire)
        name = wire.name.lower()
        found[f"python-{name}:call"] = lambda n, echo=echo: ask(echo, n)  # type: ignore[misc]
        found[f"python-{name}:call@2"] = lambda n, echo=echo: together(2, echo, n)  # type: ignore[misc]
        found[f"python-async-{name}:call"] = loop.calls
        found[f"python-{name}:large"] = lambda n, echo=echo: ask_large(echo, n)  # type: ignore[misc]
        found[f"python-{name}:value"] = lambda n, echo=echo: values(echo, n)  # type: ignore[misc]
        found[f"python-{name}:tick"] = lambda n, echo=echo: events(echo, n)  # type: ignore[misc]
    return found


def latency(lane: str, wire: Wire, threads: int) -> None:
    """Print percentiles of one lane."""
    call = ask_large if lane == "ask_large" else ask
    samples: list[list[int]] = [[] for _ in range(threads)]

    def one(mine: list[int]) -> None:
        for _ in range(LATENCY_CALLS):
            start = time.perf_counter_ns()
            call(echo, 1)
            mine.append(time.perf_counter_ns() - start)

    with Echo.create("", options=options(wire), timeout=PATIENCE_S) as echo:
        others = [threading.Thread(target=one, args=(mine,)) for mine in samples]
        began = time.perf_counter_ns()
        for other in others:
            other.start()
        for other in others:
            other.join()
        took = time.perf_counter_ns() - began
    every = [value for mine in samples for value in mine]
    show(f"{lane}:{wire.name.lower()}", threads, every, calls_per_s=round(len(every) / took * 1e9))


def show(lane: str, threads: int, every: list[int], **more: int) -> None:
    """Print percentiles of so many samples, in nanoseconds."""
    ordered = sorted(every)
    row = {
        "type": "latency", "lane": lane, "threads": threads, "calls": len(ordered),
        "p50_ns": ordered[len(ordered) // 2], "p99_ns": ordered[len(ordered) * 99 // 100],
    }  # fmt: skip
    print(json.dumps(row | more, separators=(",", ":")))


def sparse() -> None:
    """Print percentiles of calls that come now and then, by turns with what Python has: two queues and a thread."""
    asked: SimpleQueue[EchoRequest | None] = SimpleQueue()
    answered: SimpleQueue[EchoResponse] = SimpleQueue()

    def serve() -> None:
        while request := asked.get():
            answered.put(answer(request))

    def exchange(n: int) -> None:
        for _ in range(n):
            asked.put(REQUEST)
            answered.get()

    server = threading.Thread(target=serve)
    server.start()
    lanes: dict[str, Run] = {"queue_sparse": exchange}
    for wire in Wire:
        echo = Echo.create("", options=options(wire), timeout=PATIENCE_S)
        lanes[f"ask_sparse:{wire.name.lower()}"] = lambda n, echo=echo: ask(echo, n)  # type: ignore[misc]
    samples: dict[str, list[int]] = {lane: [] for lane in lanes}
    for _ in range(SPARSE_CALLS):
        for lane, call in lanes.items():
            time.sleep(SPARSE_S)
            start = time.perf_counter_ns()
            call(1)
            samples[lane].append(time.perf_counter_ns() - start)
    asked.put(None)
    server.join()
    for lane, every in samples.items():
        show(lane, 1, every)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--latency"]:
        for each in Wire:
            for count in (1, 2):
                latency("ask", each, count)
            latency("ask_large", each, 1)
        sparse()
        sys.exit()
    measure(
        Suite(
            program="ingress-python",
            boundary="ingress",
            question="What does a typed call from Python to a library on a thread of its own cost?",
            n=(64, 640, 1920),
        ),
        variants(),
    )
