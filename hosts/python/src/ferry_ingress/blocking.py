# SPDX-License-Identifier: BSD-3-Clause
"""Contexts whose calls block their thread."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from ferry_ingress import core
from ferry_ingress.answers import Answer, AskKind, answering
from ferry_ingress.closing import Closing
from ferry_ingress.core import Library, Options
from ferry_ingress.errors import ReentrantError, Status, error
from ferry_ingress.events import Event, EventKind
from ferry_ingress.message import Params, Raises, decoded, payload, raised
from ferry_ingress.streams import Stream, StreamKind
from ferry_ingress.wire import UNIT, Codec, Wire

T = TypeVar("T")
V = TypeVar("V")


def asked(
    context: int, method: int, wire: Wire, data: bytes, reply: Codec[T], timeout: float | None,
    raises: Raises[Any] | None,
) -> T:  # fmt: skip
    """Submit a request, and wait for its result."""
    try:
        found, answer = core.ask(context, method, wire, data, core.nanoseconds(timeout))
    except core.Raised as cause:
        raise raised(raises, cause.wire, cause.data) from None
    return decoded(reply, found, answer)


def call_static(
    library: Library, wire: Wire, method: int, params: Params | None, args: tuple[Any, ...], reply: Codec[T],
    timeout: float | None, raises: Raises[Any] | None = None,
) -> T:  # fmt: skip
    """Call a method that needs no context, and wait for its result."""
    data = payload(params, wire, args)
    return asked(library.static_context(), method, wire, data, reply, timeout, raises)


class Context:
    """A running instance of a library. Any thread may use it at any time; leaving its `with` ends it.

    A context to which no reference is left is ended too, and so are all contexts when the interpreter ends.
    """

    def __init__(
        self, library: Library, options: Options, wire: Wire, method: int, params: Params | None,
        args: tuple[Any, ...], timeout: float | None, raises: Raises[Any] | None = None,
    ) -> None:  # fmt: skip
        self._wire = options.wire or wire
        self._destroy_timeout = options.destroy_timeout
        self._streams: weakref.WeakSet[Events[Any]] = weakref.WeakSet()
        self._flows: weakref.WeakSet[Stream[Any]] = weakref.WeakSet()
        #: What answers, also where the program keeps no reference to it. Threads add to it at the same time.
        self._answering: set[Subscription] = set()
        data = payload(params, self._wire, args)
        timeout_ns = core.nanoseconds(timeout)
        try:
            self._token = core.context_create(library, options, method, self._wire, data, timeout_ns)
        except core.Raised as cause:
            raise raised(raises, cause.wire, cause.data) from None
        self._end = self._abandoned()

    def _abandoned(self) -> weakref.finalize[..., Self]:
        return weakref.finalize(self, core.abandon, self._token, core.nanoseconds(self._destroy_timeout))

    def _ask(
        self, method: int, params: Params | None, args: tuple[Any, ...], reply: Codec[T], timeout: float | None,
        raises: Raises[Any] | None = None,
    ) -> T:  # fmt: skip
        return asked(self._token, method, self._wire, payload(params, self._wire, args), reply, timeout, raises)

    def _destroy(self, timeout: float | None) -> None:
        if self._end.detach() is None:
            return
        seconds = self._destroy_timeout if timeout is None else timeout
        for flow in list(self._flows):
            flow.end("the context was destroyed")
        # a call that waits for an answer would keep its context from ending
        for each in list(self._answering):
            each.close()
        try:
            core.context_destroy(self._token, core.nanoseconds(seconds))
        except ReentrantError:
            # the core did nothing, so this object still has to end the context
            self._end = self._abandoned()
            raise
        except BaseException:
            self._end_streams()
            raise
        self._end_streams()

    def _end_streams(self) -> None:
        for stream in list(self._streams):
            stream.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._destroy(None)

    def _on(self, kind: EventKind[T], notify: Callable[[Event[T]], None]) -> Subscription:
        return Subscription(self._token, self._wire, kind, notify)

    def _answer(self, kind: AskKind[T, V], function: Callable[[T], V]) -> Subscription:
        token, wire = self._token, self._wire

        def bring(answer: Answer) -> None:
            method, params, args = answer
            asked(token, method, wire, payload(params, wire, args), UNIT, None, None)

        each = answering(kind, function, bring)
        subscription = Subscription(token, wire, kind.event, lambda event: each(event.value))
        self._answering.difference_update([each for each in list(self._answering) if not each.is_open])
        self._answering.add(subscription)
        return subscription

    def _stream(self, kind: StreamKind[T], args: tuple[Any, ...], most: int, timeout: float | None) -> Stream[T]:
        stream = Stream(self._token, self._wire, kind, args, most, timeout)
        self._flows.add(stream)
        return stream

    def _events(self, kind: EventKind[T]) -> Events[T]:
        stream = Events(self._token, self._wire, kind)
        self._streams.add(stream)
        return stream


class Subscription(Closing):
    """A callback that is called for each event, on the event thread; leaving its `with` removes it."""

    def __init__(self, context: int, wire: Wire, kind: EventKind[T], notify: Callable[[Event[T]], None]) -> None:
        def each(found: Wire, data: bytes, lost: int) -> None:
            notify(Event(decoded(kind.codec, found, data), lost))

        self._listening = core.Listening(context, wire, (kind.number, kind.overflow, kind.depth), notify=each)
        self._is_open = True

    @property
    def is_open(self) -> bool:
        """Whether the callback was not removed."""
        return self._is_open

    def close(self) -> None:
        """Remove the callback. When this returns, the callback is not running and never will be.

        Within a callback, where no code may wait, this does not wait: if the removed callback is running, it runs on.
        """
        if self._is_open:
            self._is_open = False
            self._listening.close()


class Events(Closing, Generic[T]):
    """The events of one kind from now on; one thread takes them. The stream ends with its context."""

    #: How long a look at the inbox lasts before it is asked whether the context has ended, in nanoseconds.
    _LOOK_NS = 50_000_000

    def __init__(self, context: int, wire: Wire, kind: EventKind[T]) -> None:
        self._codec = kind.codec
        self._inbox = core.Inbox()
        self._lock = threading.Lock()
        self._has_ended = False
        try:
            event = (kind.number, kind.overflow, kind.depth)
            self._listening = core.Listening(context, wire, event, inbox=self._inbox.handle)
        except BaseException:
            self._inbox.close()
            raise
        self._finalize = weakref.finalize(self, self._inbox.close)

    def end(self) -> None:
        """Accept no more events; those that are there can still be taken."""
        self._has_ended = True

    def wait(self, timeout: float | None = None) -> Event[T] | None:
        """Return the next event, or None once the context has ended; raises DeadlineError.

        In a child of the process that made the stream it raises ClosedError.
        """
        # this comes before the lock: in a child a thread of the parent's may hold that for ever
        self._inbox.require_own()
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            has_ended = self._has_ended
            left = core.FOREVER if deadline is None else core.nanoseconds(deadline - time.monotonic())
            with self._lock:
                items = self._inbox.take(0 if has_ended else min(left, self._LOOK_NS), 1)
            for item in items:
                return Event(decoded(self._codec, item.wire, item.data), item.lost)
            if has_ended:
                return None
            if left == 0:
                raise error(Status.TIMEOUT, "no event came in time")

    def close(self) -> None:
        """Stop listening."""
        self.end()
        self._listening.close()
        if self._inbox.is_parents:
            # no lock here: a thread of the parent's may hold it for ever, and no thread of this process uses the inbox
            self._inbox.close()
            return
        with self._lock:
            self._inbox.close()

    def __iter__(self) -> Iterator[Event[T]]:
        while (event := self.wait()) is not None:
            yield event
