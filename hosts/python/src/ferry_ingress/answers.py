# SPDX-License-Identifier: BSD-3-Clause
"""Questions that a library asks its host, and the functions of a program that answer them.

What a function returns goes back to the library, and so does what it raises: the error that the question declares as a
value, anything else as a text. An answer to a question that is over is dropped.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ferry_ingress.closing import AsyncClosing
from ferry_ingress.errors import BadPayloadError, IngressError, QueueFullError, RaisedError, TooLargeError
from ferry_ingress.events import EventKind
from ferry_ingress.message import Params

if TYPE_CHECKING:
    from ferry_ingress.aio import AsyncEvents

A = TypeVar("A")
V = TypeVar("V")

#: How often an answer is tried again for which the queue of requests has no room, and after how many seconds.
TRIES_MAX = 1000
TRY_AGAIN = 0.001


@dataclass(frozen=True, slots=True)
class AskKind(Generic[A, V]):
    """A question that a library declares: its event, and the methods that bring an answer, by number and parameters."""

    event: EventKind[A]
    by_return: tuple[int, Params]
    by_raise: tuple[int, Params] | None
    by_fail: tuple[int, Params]
    #: The exception that stands for the error that it declares.
    raises: type[RaisedError[Any]] | None
    has_value: bool

    def returned(self, asked: A, value: V) -> Answer:
        """Return what brings a value."""
        question = asked.question  # type: ignore[attr-defined]
        return (*self.by_return, (question, value) if self.has_value else (question,))

    def refused(self, asked: A, cause: BaseException) -> Answer:
        """Return what brings the reason of a function that failed."""
        question = asked.question  # type: ignore[attr-defined]
        if self.by_raise and self.raises and isinstance(cause, self.raises):
            return (*self.by_raise, (question, cause.value))
        said = str(cause).encode(errors="replace").decode() or type(cause).__name__
        return (*self.by_fail, (question, said))


#: The number of a method, and what it is called with.
Answer = tuple[int, Params, tuple[Any, ...]]


def does_not_fit(cause: Exception) -> bool:
    """Return whether an answer failed for what is in it, and not since the question or its context is over."""
    return not isinstance(cause, IngressError) or isinstance(cause, BadPayloadError | TooLargeError)


def answering(
    kind: AskKind[A, V], function: Callable[[A], V], bring: Callable[[Answer], None]
) -> Callable[[A], None]:  # fmt: skip
    """Return what is called with each question: it answers by the function."""

    def brought(answer: Answer) -> None:
        for _ in range(TRIES_MAX):
            try:
                bring(answer)
                break
            except QueueFullError:
                time.sleep(TRY_AGAIN)

    def each(asked: A) -> None:
        try:
            answer = kind.returned(asked, function(asked))
        except BaseException as cause:
            answer = kind.refused(asked, cause)
        try:
            brought(answer)
        except Exception as cause:
            if does_not_fit(cause):
                brought(kind.refused(asked, cause))

    return each


class AsyncAnswering(AsyncClosing, Generic[A, V]):
    """Answers questions in a loop, each in a task of its own. Leaving its `async with` ends it; so does its context."""

    def __init__(
        self,
        bring: Callable[[Answer], Awaitable[None]],
        kind: AskKind[A, V],
        function: Callable[[A], Awaitable[V] | V],
        events: AsyncEvents[A],
    ) -> None:
        self._bring = bring
        self._kind = kind
        self._function = function
        self._events = events
        #: Whether it answers.
        self.is_open = True
        self._tasks: set[asyncio.Task[None]] = set()
        self._reading = asyncio.get_running_loop().create_task(self._read())

    async def _read(self) -> None:
        while True:
            try:
                event = await self._events.next()
            except BadPayloadError:
                # it has no number to answer to: the library hears of that at its deadline
                continue
            if event is None:
                break
            task = asyncio.get_running_loop().create_task(self._one(event.value))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _one(self, asked: A) -> None:
        try:
            value = self._function(asked)
            if inspect.isawaitable(value):
                value = await value
            answer = self._kind.returned(asked, value)
        except asyncio.CancelledError:
            raise
        except BaseException as cause:
            answer = self._kind.refused(asked, cause)
        try:
            await self._brought(answer)
        except Exception as cause:
            if does_not_fit(cause):
                await self._brought(self._kind.refused(asked, cause))

    async def _brought(self, answer: Answer) -> None:
        for _ in range(TRIES_MAX):
            try:
                await self._bring(answer)
                break
            except QueueFullError:
                await asyncio.sleep(TRY_AGAIN)

    def end(self) -> None:
        """Close it in its own loop, soon if that is another one: the context is about to end."""
        loop = self._reading.get_loop()
        if loop is asyncio.get_running_loop():
            self.close()
        elif not loop.is_closed():
            loop.call_soon_threadsafe(self.close)

    def close(self) -> None:
        """Answer no more questions. What still answers is cancelled, and the library hears that nobody answers."""
        self.is_open = False
        self._events.close()
        for task in self._tasks:
            task.cancel()
