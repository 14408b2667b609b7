# SPDX-License-Identifier: BSD-3-Clause
"""What became of a request, and the exception that says so."""

from __future__ import annotations

from enum import IntEnum
from typing import Generic, TypeVar

E = TypeVar("E")


class Status(IntEnum):
    """What became of a request, or why it was refused: `enum ingress_status`."""

    OK = 0
    FAILED = 1
    STALE = 2
    CLOSED = 3
    TIMEOUT = 4
    QUEUE_FULL = 5
    TOO_LARGE = 6
    BAD_TOKEN = 7
    BAD_METHOD = 8
    BAD_PAYLOAD = 9
    BAD_ARGUMENT = 10
    BAD_HANDLE = 11
    REENTRANT = 12
    EVENTS_STUCK = 13
    NO_CONTEXT = 14
    NO_MEMORY = 15
    WRONG_INTERFACE = 16
    LOST = 17
    RAISED = 18
    CANCELLED = 19
    SKIPPED = 20


class IngressError(Exception):
    """A call has no result. `status` says why; the text is the handler's message, or the text of the status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class FailedError(IngressError):
    """The handler failed; the text is the handler's message."""


class ClosedError(IngressError):
    """The context was destroyed, or is being destroyed, or belongs to the process that this one was forked from."""


class DeadlineError(IngressError, TimeoutError):
    """The deadline passed. A handler that runs is left alone; its reply is dropped."""


class QueueFullError(IngressError):
    """The queue is full: as many requests as it holds are unanswered. Submit again later."""


class TooLargeError(IngressError):
    """The payload is over the limit."""


class BadPayloadError(IngressError):
    """A payload could not be decoded; the text has the path to the bad field."""


class BadHandleError(IngressError):
    """A handle is not known: it was closed, or belongs to another kind or context."""


class ReentrantError(IngressError):
    """A handler called its own context, or a callback waited for its own context."""


class EventsStuckError(IngressError):
    """A listener's callback has not returned for too long."""


class WrongInterfaceError(IngressError):
    """The library was built from another interface than the binding: generate it again."""


class LostError(IngressError):
    """The connection to the library's process was lost. Nobody knows whether the handler ran."""


class RaisedError(IngressError, Generic[E]):
    """The handler failed with the error that its method declares: `value`. Each type has a class below this."""

    def __init__(self, value: E) -> None:
        super().__init__(Status.RAISED, f"the handler failed with {value!r}")
        self.value = value


class CancelledError(IngressError):
    """The request was cancelled, and the library did not do it, or not all of it."""


class SkippedError(IngressError):
    """An earlier call of the chain failed, so this one did not run; the text has its number."""


_CLASSES: dict[int, type[IngressError]] = {
    Status.FAILED: FailedError,
    Status.CLOSED: ClosedError,
    Status.BAD_TOKEN: ClosedError,
    Status.TIMEOUT: DeadlineError,
    Status.QUEUE_FULL: QueueFullError,
    Status.TOO_LARGE: TooLargeError,
    Status.BAD_PAYLOAD: BadPayloadError,
    Status.BAD_HANDLE: BadHandleError,
    Status.REENTRANT: ReentrantError,
    Status.EVENTS_STUCK: EventsStuckError,
    Status.WRONG_INTERFACE: WrongInterfaceError,
    Status.LOST: LostError,
    Status.CANCELLED: CancelledError,
    Status.SKIPPED: SkippedError,
}


def error(status: int, message: str) -> IngressError:
    """Return the exception that belongs to a status other than OK."""
    return _CLASSES.get(status, IngressError)(status, message)
