# SPDX-License-Identifier: BSD-3-Clause
"""Contexts for asyncio. A context has an inbox for each loop, which watches its descriptor; no call has a thread."""

from __future__ import annotations

import asyncio
import itertools
import weakref
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from ferry_ingress import core
from ferry_ingress.answers import Answer, AskKind, AsyncAnswering
from ferry_ingress.blocking import Subscription
from ferry_ingress.closing import AsyncClosing
from ferry_ingress.core import Library, Options, Overflow
from ferry_ingress.errors import ClosedError, Status
from ferry_ingress.events import Event, EventKind
from ferry_ingress.message import Params, Raises, decoded, payload, raised
from ferry_ingress.streams import AsyncStream, StreamKind
from ferry_ingress.wire import UNIT, Codec, Wire

T = TypeVar("T")
V = TypeVar("V")

#: How many events wait in a stream whose interface does not say.
STREAM_DEPTH = 1024
#: How many tags an inbox takes at once. The core has 2^61, for all inboxes there ever are.
TAGS_AT_ONCE = 1 << 12


class _Waiting:
    """A call whose reply is still to come."""

    __slots__ = ("codec", "future", "method", "raises")

    def __init__(self, future: asyncio.Future[Any], method: int, codec: Codec[Any], raises: Raises[Any] | None) -> None:
        self.future = future
        self.method = method
        self.codec = codec
        self.raises = raises

    def take(self, item: core.Item) -> None:
        if self.future.done():
            return
        try:
            if item.status == Status.RAISED:
                raise raised(self.raises, item.wire, item.data)
            if item.status != Status.OK:
                core.checked(item.status, item.data.decode(errors="replace"))
            self.future.set_result(decoded(self.codec, item.wire, item.data))
        except Exception as cause:
            self.future.set_exception(cause)


class LoopInbox:
    """The replies and events of one context in one loop. Only that loop's thread uses it."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, on_stale: Callable[[int], None] | None, at_once: int = TAGS_AT_ONCE
    ) -> None:
        self.loop = loop
        self.inbox = core.Inbox()
        self.tags = itertools.chain.from_iterable(map(core.ticket_range, itertools.repeat(at_once)))
        self.waiting: dict[int, _Waiting] = {}
        self.streams: dict[int, AsyncEvents[Any]] = {}
        self._on_stale = on_stale
        loop.add_reader(self.inbox.descriptor, self.drain)
        self._finalize = weakref.finalize(self, self.inbox.close)

    def expect(self, method: int, codec: Codec[T], raises: Raises[Any] | None) -> tuple[int, asyncio.Future[T]]:
        """Return a new tag, and a future for the reply that will carry it."""
        tag = next(self.tags)
        future: asyncio.Future[T] = self.loop.create_future()
        self.waiting[tag] = _Waiting(future, method, codec, raises)
        return tag, future

    def drain(self) -> None:
        """Hand out the replies and events that are there."""
        while items := self.inbox.take(0):
            for item in items:
                if item.is_event:
                    stream = self.streams.get(item.tag)
                    if stream is not None:
                        stream.push(item)
                elif item.status == Status.STALE:
                    waiting = self.waiting.get(item.tag)
                    if waiting is not None:
                        self._tell_stale(waiting.method)
                else:
                    reply = self.waiting.pop(item.tag, None)
                    if reply is not None:
                        reply.take(item)
            if len(items) < core.ITEMS_MAX:
                break

    def _tell_stale(self, method: int) -> None:
        if self._on_stale is None:
            return
        try:
            self._on_stale(method)
        except Exception as cause:
            # a callback that fails must not keep the items after this one from being handed out
            self.loop.call_exception_handler({"message": "on_stale failed", "exception": cause})

    def close(self) -> None:
        """Hand out what is left, end the streams, and let go of the loop."""
        if self.inbox.is_closed:
            return
        # A forked child shares the loop's epoll with its parent. If it removed the reader, the parent would not be
        # woken any more.
        if not self.inbox.is_parents:
            self.drain()
            if not self.loop.is_closed():
                self.loop.remove_reader(self.inbox.descriptor)
        self.inbox.close()
        for waiting in self.waiting.values():
            if not waiting.future.done():
                waiting.future.set_exception(ClosedError(Status.CLOSED, "the context was destroyed"))
        self.waiting.clear()
        for stream in list(self.streams.values()):
            stream.end()


class AsyncContext:
    """A running instance of a library, for asyncio. Any loop may use it; leaving its `async with` ends it."""

    def __init__(self, wire: Wire, options: Options) -> None:
        self._wire = wire
        self._options = options
        self._token = 0
        self._inboxes: dict[asyncio.AbstractEventLoop, LoopInbox] = {}
        self._flows: weakref.WeakSet[AsyncStream[Any]] = weakref.WeakSet()
        #: What answers, also where the program keeps no reference to it. Loops add to it at the same time.
        self._answering: set[AsyncAnswering[Any, Any]] = set()

    async def _start(
        self, library: Library, method: int, params: Params | None, args: tuple[Any, ...],
        raises: Raises[Any] | None = None,
    ) -> None:  # fmt: skip
        inbox = self._inbox()
        tag, future = inbox.expect(method, UNIT, raises)
        try:
            data = payload(params, self._wire, args)
            self._token = core.context_start(library, self._options, method, self._wire, data, inbox.inbox.handle, tag)
            timeout_ns = core.nanoseconds(self._options.destroy_timeout)
            self._end = weakref.finalize(self, core.abandon, self._token, timeout_ns)
            await future
        except BaseException:
            # the constructor was given up; or it failed, and then the context has ended by itself
            if self._token:
                self._end()
            inbox.waiting.pop(tag, None)
            inbox.close()
            raise

    def _inbox(self) -> LoopInbox:
        loop = asyncio.get_running_loop()
        inbox = self._inboxes.get(loop)
        if inbox is None:
            # a loop that has ended takes no more replies, and its inbox has a descriptor
            for ended in [each for each in list(self._inboxes) if each.is_closed()]:
                if gone := self._inboxes.pop(ended, None):
                    gone.inbox.close()
            inbox = self._inboxes[loop] = LoopInbox(loop, self._options.on_stale)
        return inbox

    async def _ask(
        self, method: int, params: Params | None, args: tuple[Any, ...], reply: Codec[T],
        raises: Raises[Any] | None = None,
    ) -> T:  # fmt: skip
        data = payload(params, self._wire, args)
        if not self._end.alive:
            raise ClosedError(Status.CLOSED, "the context was destroyed")
        return await submitted(self._inbox(), self._token, self._wire, method, data, reply, raises)

    async def _destroy(self, timeout: float | None) -> None:
        if self._end.detach() is None:
            return
        seconds = self._options.destroy_timeout if timeout is None else timeout
        loop = asyncio.get_running_loop()
        for flow in list(self._flows):
            flow.end("the context was destroyed")
        # a call that waits for an answer would keep its context from ending
        for each in list(self._answering):
            each.end()
        try:
            # the core waits while it destroys a context, so another thread does that
            await loop.run_in_executor(None, core.context_destroy, self._token, core.nanoseconds(seconds))
        finally:
            for owner, inbox in list(self._inboxes.items()):
                if owner is loop:
                    inbox.close()
                elif not owner.is_closed():
                    owner.call_soon_threadsafe(inbox.close)
            self._inboxes.clear()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._destroy(None)

    def _on(self, kind: EventKind[T], notify: Callable[[Event[T]], None]) -> Subscription:
        return Subscription(self._token, self._wire, kind, notify)

    def _answer(self, kind: AskKind[T, V], function: Callable[[T], Awaitable[V] | V]) -> AsyncAnswering[T, V]:
        answering = AsyncAnswering(self._bring, kind, function, self._events(kind.event))
        self._answering.difference_update([each for each in list(self._answering) if not each.is_open])
        self._answering.add(answering)
        return answering

    async def _bring(self, answer: Answer) -> None:
        """Bring an answer to a question."""
        method, params, args = answer
        await self._ask(method, params, args, UNIT)

    def _stream(self, kind: StreamKind[T], args: tuple[Any, ...], most: int) -> AsyncStream[T]:
        if not self._end.alive:
            raise ClosedError(Status.CLOSED, "the context was destroyed")
        stream = AsyncStream(self._inbox(), self._token, self._wire, kind, args, most)
        self._flows.add(stream)
        return stream

    def _events(self, kind: EventKind[T]) -> AsyncEvents[T]:
        return AsyncEvents(self._inbox(), self._token, self._wire, kind)


async def submitted(
    inbox: LoopInbox, context: int, wire: Wire, method: int, data: bytes, reply: Codec[T], raises: Raises[Any] | None
) -> T:
    """Submit a request and await its reply."""
    tag, future = inbox.expect(method, reply, raises)
    try:
        core.submit(context, method, wire, data, inbox.inbox.handle, tag)
    except BaseException:
        del inbox.waiting[tag]
        raise
    try:
        return await future
    except asyncio.CancelledError:
        # of this task: the library never answers a future by that
        core.cancel(context, tag)
        raise


async def call_static(
    library: Library, wire: Wire, method: int, params: Params | None, args: tuple[Any, ...], reply: Codec[T],
    raises: Raises[Any] | None = None,
) -> T:  # fmt: skip
    """Call a method that needs no context."""
    data = payload(params, wire, args)
    context = library.static_context()
    inbox = LoopInbox(asyncio.get_running_loop(), None, at_once=1)
    try:
        return await submitted(inbox, context, wire, method, data, reply, raises)
    finally:
        inbox.close()


class AsyncEvents(AsyncClosing, Generic[T]):
    """The events of one kind from now on, for one task. The stream ends with its context."""

    def __init__(self, inbox: LoopInbox, context: int, wire: Wire, kind: EventKind[T]) -> None:
        self._inbox = inbox
        self._codec = kind.codec
        self._overflow = kind.overflow
        self._depth = kind.depth or STREAM_DEPTH
        self._events: deque[core.Item] = deque()
        self._lost = 0
        self._has_ended = False
        self._changed: asyncio.Future[None] | None = None
        self._tag = next(inbox.tags)
        event = (kind.number, kind.overflow, kind.depth)
        self._listening = core.Listening(context, wire, event, inbox=inbox.inbox.handle, tag=self._tag)
        inbox.streams[self._tag] = self

    def push(self, item: core.Item) -> None:
        """Queue an event, or drop one, as the overflow policy says."""
        if self._overflow is Overflow.COALESCE and self._events:
            self._lost += sum(1 + gone.lost for gone in self._events)
            self._events.clear()
        elif len(self._events) >= self._depth:
            if self._overflow is Overflow.DROP_NEWEST:
                self._lost += 1 + item.lost
                return
            self._lost += 1 + self._events.popleft().lost
        self._events.append(item)
        self._wake()

    def end(self) -> None:
        """Accept no more events; those that are queued can still be taken."""
        self._has_ended = True
        self._wake()

    def _wake(self) -> None:
        if self._changed is not None and not self._changed.done():
            self._changed.set_result(None)

    async def next(self) -> Event[T] | None:
        """Return the next event, or None once the context has ended."""
        while not self._events:
            if self._has_ended:
                return None
            self._changed = self._inbox.loop.create_future()
            await self._changed
        item = self._events.popleft()
        lost, self._lost = self._lost + item.lost, 0
        return Event(decoded(self._codec, item.wire, item.data), lost)

    def close(self) -> None:
        """Stop listening."""
        if self._inbox.streams.pop(self._tag, None) is not None:
            self._listening.close()
        self.end()

    async def __aiter__(self) -> AsyncIterator[Event[T]]:
        while (event := await self.next()) is not None:
            yield event
