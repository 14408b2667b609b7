# SPDX-License-Identifier: BSD-3-Clause
"""Call a library that runs on a thread of its own, through Ferry's ingress core (libferryingress).

Programs use a package that `ferry bindgen --lang python` wrote for their library, and that package uses this one. It
has two classes for the library's context, a blocking one and one for asyncio, with a method for each of the library's.
Handles are plain ids: the library refuses one that was closed, and closing is a method like any other.
"""

from ferry_ingress.aio import AsyncContext, AsyncEvents
from ferry_ingress.blocking import Context, Events, Subscription
from ferry_ingress.chain import AsyncBatch, Batch, Promise
from ferry_ingress.core import Library, Options, Overflow
from ferry_ingress.errors import (
    BadHandleError,
    BadPayloadError,
    CancelledError,
    ClosedError,
    DeadlineError,
    EventsStuckError,
    FailedError,
    IngressError,
    LostError,
    QueueFullError,
    RaisedError,
    ReentrantError,
    SkippedError,
    Status,
    TooLargeError,
    WrongInterfaceError,
)
from ferry_ingress.events import Event
from ferry_ingress.streams import STREAM_CREDITS, AsyncStream, Stream
from ferry_ingress.wire import DecodeError, EncodeError, Wire

__all__ = [
    "STREAM_CREDITS",
    "AsyncBatch",
    "AsyncContext",
    "AsyncEvents",
    "AsyncStream",
    "BadHandleError",
    "BadPayloadError",
    "Batch",
    "CancelledError",
    "ClosedError",
    "Context",
    "DeadlineError",
    "DecodeError",
    "EncodeError",
    "Event",
    "Events",
    "EventsStuckError",
    "FailedError",
    "IngressError",
    "Library",
    "LostError",
    "Options",
    "Overflow",
    "Promise",
    "QueueFullError",
    "RaisedError",
    "ReentrantError",
    "SkippedError",
    "Status",
    "Stream",
    "Subscription",
    "TooLargeError",
    "Wire",
    "WrongInterfaceError",
]
