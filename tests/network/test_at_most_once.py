# SPDX-License-Identifier: BSD-3-Clause
"""Many requests while everything fails that can fail: no handler runs twice, and each request is answered once.

The library counts in a file how often the handler of each request ran (count/library.c), and the host keeps how each
was answered (count/host.c). FERRY_STRESS_SECONDS makes it a million requests.
"""

import os
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from nats_server import NEEDS_SERVER, Line, Provider, Server
from paths import BUILD

pytestmark = NEEDS_SERVER
HOST = BUILD / "tests" / "network" / "count-host"
LIBRARY = BUILD / "tests" / "network" / "libcount.so"
LONG = "FERRY_STRESS_SECONDS" in os.environ
REQUESTS, PER_SECOND = (1_000_000, 20_000) if LONG else (30_000, 2_000)
SECONDS = 600
#: As the core numbers them; 255 is what the host says of a request that was answered twice.
OK, CLOSED, LOST, SKIPPED, UNANSWERED, TWICE = 0, 3, 17, 20, 254, 255
#: What a host and a provider may have had at most, ever; both have 10 to 20 MiB when they are idle.
MEMORY_KIB = 128 << 10


class World:
    """A server, two providers behind a line each, and a host behind another."""

    def __init__(self, folder: Path, requests: int, per_second: int, *words: str) -> None:
        self.counts = folder / "counts"
        self.counts.write_bytes(bytes(requests))
        self.became = folder / "became"
        self.server = Server(folder)
        self.lines = [Line(self.server.port) for _ in range(3)]
        self.providers = [self._provider(0), self._provider(1)]
        self.host = subprocess.Popen(
            [HOST, str(requests), str(per_second), self.became, *words],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"FERRY_NATS_URL": self.lines[2].url},
        )
        self.memory: list[int] = []

    def _provider(self, index: int) -> Provider:
        settings = {"COUNT_FILE": str(self.counts)}
        return Provider(self.server, url=self.lines[index].url, library=LIBRARY, settings=settings)

    def look_at_memory(self) -> None:
        for process in (self.host, *(provider.process for provider in self.providers)):
            if found := re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text()):
                self.memory.append(int(found[1]))

    def kill_provider(self, index: int) -> None:
        self.look_at_memory()
        self.providers[index].end(signal.SIGKILL)
        self.providers[index] = self._provider(index)

    def kill_server(self) -> None:
        self.server.kill()
        time.sleep(0.5)
        self.server.start()

    def suspend(self, process: subprocess.Popen[str], seconds: float) -> None:
        process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        process.send_signal(signal.SIGCONT)

    def faults(self) -> list[Callable[[], None]]:
        return [
            lambda: self.kill_provider(0),
            lambda: self.kill_provider(1),
            self.kill_server,
            lambda: self.lines[2].cut(5),
            lambda: self.suspend(self.host, 1),
            # longer than a host is silent before it calls what it waits for lost
            lambda: self.suspend(self.providers[0].process, 4),
            lambda: self.suspend(self.providers[1].process, 4),
            lambda: self.lines[0].cut(1),
        ]

    def end(self) -> None:
        if self.host.poll() is None:
            self.host.kill()
            self.host.communicate()
        for provider in self.providers:
            if provider.process.poll() is None:
                provider.end(signal.SIGKILL)
        self.server.kill()
        for line in self.lines:
            line.close()


@pytest.fixture
def make_world(tmp_path: Path) -> Iterator[Callable[..., World]]:
    made: list[World] = []

    def make(*arguments: str) -> World:
        made.append(World(tmp_path, REQUESTS, PER_SECOND, *arguments))
        return made[-1]

    yield make
    for world in made:
        world.end()


def counts_and_answers(world: World) -> Counter[tuple[int, int]]:
    """Return how often each pair of an answer and a count of handlers came, once all requests are answered."""
    text, _ = world.host.communicate(timeout=SECONDS)
    assert world.host.returncode == 0
    assert text.startswith(f"answered {REQUESTS} of {REQUESTS}, "), text
    return Counter(zip(world.became.read_bytes(), world.counts.read_bytes(), strict=True))


@pytest.mark.parametrize("words", [(), ("chains",)], ids=["singly", "chains"])
def test_no_handler_runs_twice_and_every_request_is_answered_once(
    make_world: Callable[..., World], words: tuple[str, ...]
) -> None:
    world = make_world(*words)
    faults = world.faults()
    done = 0
    while done < len(faults) or (LONG and world.host.poll() is None):
        time.sleep(0.3)
        faults[done % len(faults)]()
        done += 1
    if world.host.poll() is None:
        world.look_at_memory()
    seen = counts_and_answers(world)
    assert max(count for _, count in seen) == 1, "a handler ran twice"
    assert {status for status, _ in seen} <= {OK, CLOSED, LOST, *([SKIPPED] if words else [])}, seen
    assert (OK, 0) not in seen, "a request that no handler saw was answered"
    assert (SKIPPED, 1) not in seen, "a request that was skipped ran"
    # the faults were there, and most requests did not notice
    assert seen[LOST, 0] + seen[LOST, 1] > 0
    assert seen[OK, 1] > REQUESTS / 2, seen
    assert max(world.memory) < MEMORY_KIB
    print(seen, f"{done} faults", f"{max(world.memory)} KiB")


def test_idempotent_requests_are_repeated_and_done_once(make_world: Callable[..., World]) -> None:
    """As long as the provider's process lives it remembers: nothing is LOST, and still nothing is done twice."""
    world = make_world("again")
    for fault in (
        world.kill_server,
        lambda: world.lines[2].cut(4),
        lambda: world.lines[0].cut(1),
        lambda: world.suspend(world.providers[0].process, 4),
        lambda: world.suspend(world.providers[1].process, 4),
    ):
        time.sleep(0.3)
        fault()
    seen = counts_and_answers(world)
    assert seen == {(OK, 1): REQUESTS}, seen
