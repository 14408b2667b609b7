# SPDX-License-Identifier: BSD-3-Clause
"""Contexts for asyncio over a long time: many calls, many loops, and events that nobody can decode."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any, cast

from paths import BUILD, ROOT

#: As in test_echo_python.py: a process opens one library, and one worker may run both files.
os.environ.setdefault("ECHO_LIBRARY", str(BUILD / "nim" / "lib" / "libecho.so"))
os.environ.setdefault("FERRY_INGRESS_LIBRARY", str(BUILD / "lib" / "libferryingress.so.0"))
sys.path[:0] = [str(ROOT / "hosts" / "python" / "src"), str(ROOT / "build" / "echo" / "python" / "src")]

from echo import AsyncEcho, Echo, EchoRequest  # noqa: E402 - after its path
from ferry_ingress import BadPayloadError, Event, Status, core  # noqa: E402
from ferry_ingress.answers import Answer, AsyncAnswering  # noqa: E402

PATIENCE = 60.0


def test_calls_and_contexts_take_few_tickets() -> None:
    """There are 2^61 of them for all calls that a process ever makes."""

    async def some() -> None:
        for _ in range(4):
            await AsyncEcho.version()
            async with await AsyncEcho.create("hi ") as host:
                await host.echo(EchoRequest("you", 0))

    before = core.tickets(1)
    asyncio.run(some())
    assert core.tickets(1) - before < 1 << 20


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_context_lets_go_of_loops_that_have_ended() -> None:
    async def use() -> str:
        return (await host.echo(EchoRequest("you", 0))).echoed

    host = asyncio.run(AsyncEcho.create("hi "))
    assert asyncio.run(use()) == "hi you"
    before = descriptors()
    for _ in range(20):
        asyncio.run(use())
    assert descriptors() <= before + 2
    asyncio.run(host.destroy())


def test_an_infinite_timeout_is_none() -> None:
    assert Echo.version(timeout=float("inf")) == Echo.version(timeout=PATIENCE)
    assert core.nanoseconds(float("inf")) == core.nanoseconds(1e300) == core.nanoseconds(None) == core.FOREVER
    assert core.nanoseconds(-1.0) == core.nanoseconds(float("-inf")) == 0
    assert core.nanoseconds(1.5) == 1_500_000_000


class _Asked:
    """A source of questions, the first of which cannot be decoded."""

    def __init__(self) -> None:
        bad = BadPayloadError(Status.BAD_PAYLOAD, "question: missing")
        self.left: list[Exception | Event[int]] = [bad, Event(7, 0)]

    async def next(self) -> Event[int] | None:
        found = self.left.pop(0) if self.left else None
        if isinstance(found, Exception):
            raise found
        return found

    def close(self) -> None:
        self.left.clear()


class _Kind:
    """A question whose answers are numbers."""

    def returned(self, asked: int, value: int) -> tuple[int, int]:
        return asked, value


def test_questions_are_answered_after_one_that_cannot_be_decoded() -> None:
    async def answered() -> list[Any]:
        brought: list[Any] = []
        done = asyncio.Event()

        async def bring(answer: Answer) -> None:
            brought.append(answer)
            done.set()

        AsyncAnswering(bring, cast(Any, _Kind()), lambda asked: asked + 1, cast(Any, _Asked()))
        async with asyncio.timeout(PATIENCE):
            await done.wait()
        return brought

    assert asyncio.run(answered()) == [(7, 8)]
