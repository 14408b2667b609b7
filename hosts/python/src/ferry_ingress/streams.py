# SPDX-License-Identifier: BSD-3-Clause
"""Streams: the values that a method yields, one after another (spec/interface.md, S1 to S6).

A stream has one request under way while its program uses the values of the answer before. Each request brings credits,
so of a program that is slow at most two answers are in memory, and the library waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from ferry_ingress import core
from ferry_ingress.closing import AsyncClosing, Closing
from ferry_ingress.errors import BadHandleError, CancelledError, ClosedError, IngressError, Status, error
from ferry_ingress.message import Params, Raises, decoded, payload, raised
from ferry_ingress.wire import Codec, Wire

if TYPE_CHECKING:
    from ferry_ingress.aio import LoopInbox

T = TypeVar("T")

#: How many values one answer has at most, unless the program says so: a stream has twice as many in memory.
STREAM_CREDITS = 256
#: How long closing a stream waits for the answer that it opened with, in nanoseconds, to close what that has.
OPENING_NS = 100_000_000


class StreamKind(Generic[T]):
    """A method that yields: its number, which those of the two other methods follow, and how its messages travel."""

    __slots__ = ("close", "more", "number", "open", "part", "raises")

    def __init__(
        self, number: int, opens: Params, more: Params, close: Params, part: Codec[Any], raises: Raises[Any] | None
    ) -> None:
        self.number = number
        self.open = opens
        self.more = more
        self.close = close
        self.part = part
        self.raises = raises


class _Source(Generic[T]):
    """The requests of a stream of one context. It knows nothing of its owner, whose end closes it."""

    def __init__(self, context: int, wire: Wire, kind: StreamKind[T], args: tuple[Any, ...], most: int) -> None:
        self.context = context
        self.wire = wire
        self.kind = kind
        #: How many values one answer has at most.
        self.credits = most
        self.opening = payload(kind.open, wire, (*args, most))
        #: The library's handle, while there is more to come.
        self.handle: Any = None
        self.has_ended = False
        #: Why nothing comes any more although the stream had not ended.
        self.closed = ""
        #: Whether a request for values is under way.
        self.is_asked = False

    def stop(self) -> None:
        """Have the library end the stream."""
        raise NotImplementedError

    def request(self) -> tuple[int, bytes]:
        """Return the method and the payload of the next request for values."""
        if self.handle is None:
            return self.kind.number, self.opening
        return self.kind.number + 1, payload(self.kind.more, self.wire, (self.handle, self.credits))

    def ending(self) -> tuple[int, bytes]:
        """Return the method and the payload of the request that closes the stream."""
        return self.kind.number + 2, payload(self.kind.close, self.wire, (self.handle,))

    def take(self, part: Any) -> Iterator[T]:
        """Return the values of an answer."""
        self.handle = part.stream
        self.has_ended = part.stream is None or bool(self.closed)
        return iter(part.values)

    def failed(self, cause: IngressError) -> IngressError:
        """End the stream by an error, and return what its program is told."""
        self.has_ended = True
        self.handle = None
        if self.closed and isinstance(cause, CancelledError | BadHandleError):
            return ClosedError(Status.CLOSED, self.closed)
        return cause


class _Values(Generic[T]):
    """What a stream has of its values, wherever its answers come."""

    _source: _Source[T]
    _values: Iterator[T]
    #: Closes the source, once: also when the last reference to the stream goes.
    _finalize: Callable[[], object]

    def end(self, why: str) -> None:
        """Have the library end the stream: its context is about to end."""
        if not self._source.has_ended:
            self._source.closed = why
            self._source.stop()

    def close(self) -> None:
        """Want no more values: the library hears it. Only for the thread that takes the values."""
        self._values = iter(())
        self._finalize()


class _Inbox(_Source[T]):
    """A source whose answers come in an inbox of its own."""

    def __init__(self, context: int, wire: Wire, kind: StreamKind[T], args: tuple[Any, ...], most: int) -> None:
        super().__init__(context, wire, kind, args, most)
        self.inbox = core.Inbox()
        self.tag = 0

    def ask(self) -> None:
        method, data = self.request()
        self.tag = core.tickets(1)
        core.submit(self.context, method, self.wire, data, self.inbox.handle, self.tag)
        self.is_asked = True

    def answer(self, timeout_ns: int) -> Iterator[T] | None:
        """Return the values of the next answer, after which another request is under way; None: it did not come."""
        if not self.is_asked:
            self.ask()
        deadline = time.monotonic_ns() + timeout_ns
        while True:
            items = self.inbox.take(max(0, min(timeout_ns, deadline - time.monotonic_ns())), 1)
            if not items:
                return None
            if items[0].tag == self.tag and items[0].status != Status.STALE:
                break
        self.is_asked = False
        try:
            values = self.take(self._part(items[0]))
        except IngressError as cause:
            raise self.failed(cause) from None
        if not self.has_ended:
            with contextlib.suppress(IngressError):  # it is tried again when these values are used up
                self.ask()
        return values

    def _part(self, item: core.Item) -> Any:
        if item.status == Status.RAISED:
            raise raised(self.kind.raises, item.wire, item.data)
        if item.status != Status.OK:
            core.checked(item.status, item.data.decode(errors="replace"))
        return decoded(self.kind.part, item.wire, item.data)

    def stop(self) -> None:
        """Have the library end the stream; what waits for an answer of it gets that."""
        if self.has_ended:
            return
        if self.handle is None:
            core.cancel(self.context, self.tag)
            return
        method, data = self.ending()
        # without a context there is no stream either
        with contextlib.suppress(IngressError):
            core.submit(self.context, method, self.wire, data, self.inbox.handle, 0)

    def close(self) -> None:
        """Want no more values. Nobody waits for any."""
        if self.inbox.is_closed:
            return
        if not self.inbox.is_parents:
            is_opening = self.is_asked and self.handle is None
            self.stop()
            if is_opening:
                self._close_opened()
        self.has_ended = True
        self.inbox.close()

    def _close_opened(self) -> None:
        # the library may have answered before it saw that the request was cancelled
        with contextlib.suppress(IngressError):
            if self.answer(OPENING_NS) is not None:
                self.stop()


class Stream(_Values[T], Closing):
    """The values that a method yields, in order, for one thread.

    Leaving its `with` closes it, and so does its last reference.
    Waiting for a value raises DeadlineError when the timeout of the stream has passed; the stream goes on then.
    """

    def __init__(
        self, context: int, wire: Wire, kind: StreamKind[T], args: tuple[Any, ...], most: int, timeout: float | None
    ) -> None:
        self._source: _Inbox[T] = _Inbox(context, wire, kind, args, most)
        self._timeout_ns = core.nanoseconds(timeout)
        self._values: Iterator[T] = iter(())
        self._lock = threading.Lock()
        try:
            self._source.ask()
        except BaseException:
            self._source.inbox.close()
            raise
        self._finalize = weakref.finalize(self, self._source.close)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        while True:
            for value in self._values:
                return value
            source = self._source
            if source.closed:
                raise ClosedError(Status.CLOSED, source.closed)
            if source.has_ended:
                raise StopIteration
            # this comes before the lock: in a child a thread of the parent's may hold that for ever
            source.inbox.require_own()
            with self._lock:
                values = source.answer(self._timeout_ns)
            if values is None:
                raise error(Status.TIMEOUT, "no value came in time")
            self._values = values


class _Loop(_Source[T]):
    """A source whose answers come in the inbox of a loop."""

    def __init__(
        self, inbox: LoopInbox, context: int, wire: Wire, kind: StreamKind[T], args: tuple[Any, ...], most: int
    ) -> None:
        super().__init__(context, wire, kind, args, most)
        self.inbox = inbox
        self.tag = 0
        self.future: asyncio.Future[Any] | None = None

    def ask(self) -> None:
        method, data = self.request()
        self.tag, self.future = self.inbox.expect(method, self.kind.part, self.kind.raises)
        # an answer for which nobody waits any more may be an error
        self.future.add_done_callback(lambda future: future.cancelled() or future.exception())
        try:
            core.submit(self.context, method, self.wire, data, self.inbox.inbox.handle, self.tag)
        except BaseException:
            del self.inbox.waiting[self.tag]
            raise
        self.is_asked = True

    async def answer(self) -> Iterator[T]:
        """Return the values of the next answer, after which another request is under way."""
        if not self.is_asked:
            self.ask()
        assert self.future is not None
        try:
            # a task that is cancelled leaves the answer to the next one
            part = await asyncio.shield(self.future)
            self.is_asked = False
            values = self.take(part)
        except IngressError as cause:
            raise self.failed(cause) from None
        if not self.has_ended:
            with contextlib.suppress(IngressError):  # it is tried again when these values are used up
                self.ask()
        return values

    def stop(self) -> None:
        """Have the library end the stream; any thread may call this."""
        if self.has_ended:
            return
        self.has_ended = True
        if self.inbox.inbox.is_closed or self.inbox.inbox.is_parents:
            return
        if self.handle is not None:
            self._end()
            return
        core.cancel(self.context, self.tag)
        if self.future is not None and not self.inbox.loop.is_closed():
            # the library may have answered before it saw that the request was cancelled
            self.inbox.loop.call_soon_threadsafe(self.future.add_done_callback, self._close_opened)

    def _close_opened(self, future: asyncio.Future[Any]) -> None:
        if future.cancelled() or future.exception() is not None or future.result().stream is None:
            return
        self.handle = future.result().stream
        self._end()

    def _end(self) -> None:
        method, data = self.ending()
        # without a context there is no stream either
        with contextlib.suppress(IngressError):
            core.submit(self.context, method, self.wire, data, self.inbox.inbox.handle, 0)


class AsyncStream(_Values[T], AsyncClosing):
    """The values that a method yields, in order, for one task.

    Leaving its `async with` closes it, and so does its last reference. A task that is cancelled while it waits for a
    value does not close the stream.
    """

    def __init__(
        self, inbox: LoopInbox, context: int, wire: Wire, kind: StreamKind[T], args: tuple[Any, ...], most: int
    ) -> None:
        self._source: _Loop[T] = _Loop(inbox, context, wire, kind, args, most)
        self._values: Iterator[T] = iter(())
        self._source.ask()
        self._finalize = weakref.finalize(self, self._source.stop)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        while True:
            for value in self._values:
                return value
            source = self._source
            if source.closed:
                raise ClosedError(Status.CLOSED, source.closed)
            if source.has_ended:
                raise StopAsyncIteration
            self._values = await source.answer()
