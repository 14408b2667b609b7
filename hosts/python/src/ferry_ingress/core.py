# SPDX-License-Identifier: BSD-3-Clause
"""libferryingress by ctypes: include/ferry/ingress.h as Python sees it.

Why ctypes and not cffi: ctypes comes with Python. A call by either costs little beside the rest of a request, and both
release the interpreter lock while the core waits. No other module uses structs and functions of the core.

long: one list of what C declares.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

from ferry_ingress.errors import IngressError, Status, error
from ferry_ingress.event_thread import EventThreads
from ferry_ingress.wire import Wire

FOREVER = (1 << 63) - 1
#: The kinds of links of a chain: enum ingress_link_kind.
LINK_FIELD, LINK_OPTION, LINK_AFTER = range(3)
#: How many items are taken from an inbox at once.
ITEMS_MAX = 64
#: The formats by their numbers. Asking the enum for one, or for its number, takes Python code of its own each time.
_WIRES = tuple(Wire)
#: How long closing a context waits for handlers that run, in seconds, unless the options say otherwise.
DESTROY_SECONDS = 5.0


class Overflow(IntEnum):
    """What happens to a new event when as many events as the depth allows wait for the listener."""

    DROP_OLDEST = 1
    DROP_NEWEST = 2
    COALESCE = 3


@dataclass(frozen=True, slots=True)
class Options:
    """Limits of a context, and times in seconds; for 0 and None the library's own values hold."""

    queue_depth: int = 0
    event_depth: int = 0
    payload_bytes: int = 0
    #: How often a call whose handler is still running is reported to `on_stale`.
    stale: float = 0
    stuck: float = 0
    #: How long either side spins before it sleeps; 0: never.
    spin: float | None = None
    #: Instead of the format that the binding was generated for.
    wire: Wire | None = None
    #: How long closing the context waits for handlers that run.
    destroy_timeout: float = DESTROY_SECONDS
    #: Told the number of a method whose handler is still running; asyncio only.
    on_stale: Callable[[int], None] | None = None


class _Options(ctypes.Structure):
    _fields_ = [  # noqa: RUF012
        ("queue_depth", ctypes.c_uint32),
        ("event_depth", ctypes.c_uint32),
        ("payload_bytes", ctypes.c_uint64),
        ("stale_ns", ctypes.c_int64),
        ("stuck_ns", ctypes.c_int64),
        ("spin_ns", ctypes.c_int64),
        ("reserved", ctypes.c_uint64 * 4),
    ]


#: Bytes that are the core's. A slice copies them within ctypes; `string_at` would call a C function to do so.
_Bytes = ctypes.POINTER(ctypes.c_char)


class _Answer(ctypes.Structure):
    _fields_ = [  # noqa: RUF012
        ("status", ctypes.c_uint32),
        ("wire", ctypes.c_uint32),
        ("data", _Bytes),
        ("bytes", ctypes.c_size_t),
        ("private_block", ctypes.c_void_p),
    ]


class _Call(ctypes.Structure):
    _fields_ = [  # noqa: RUF012
        ("method", ctypes.c_uint32),
        ("wire", ctypes.c_uint32),
        ("data", ctypes.c_char_p),
        ("bytes", ctypes.c_size_t),
        ("release", ctypes.c_void_p),
        ("owner", ctypes.c_void_p),
        ("reply", ctypes.c_void_p),
        ("user", ctypes.c_void_p),
        ("inbox", ctypes.c_void_p),
        ("tag", ctypes.c_uint64),
        ("ticket", ctypes.c_uint64),
    ]


class _Link(ctypes.Structure):
    _fields_ = [  # noqa: RUF012
        ("request", ctypes.c_uint32),
        ("source", ctypes.c_uint32),
        ("kind", ctypes.c_uint32),
        ("place", ctypes.c_uint32),
        ("path", ctypes.c_char_p),
        ("path_bytes", ctypes.c_uint32),
    ]


class _Refusal(ctypes.Structure):
    _fields_ = [  # noqa: RUF012
        ("request", ctypes.c_uint32),
        ("link", ctypes.c_uint32),
        ("text", ctypes.c_char_p),
    ]


class _Event(ctypes.Structure):
    _fields_ = [  # noqa: RUF012
        ("number", ctypes.c_uint32),
        ("wire", ctypes.c_uint32),
        ("data", _Bytes),
        ("bytes", ctypes.c_size_t),
        ("lost", ctypes.c_uint64),
    ]


_NOTIFY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_Event))
_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Listener(ctypes.Structure):
    _fields_ = [  # noqa: RUF012
        ("event", ctypes.c_uint32),
        ("wire", ctypes.c_uint32),
        ("overflow", ctypes.c_uint32),
        ("depth", ctypes.c_uint32),
        ("notify", _NOTIFY),
        ("user", ctypes.c_void_p),
        ("release", _RELEASE),
        ("inbox", ctypes.c_void_p),
        ("tag", ctypes.c_uint64),
    ]


class _Item(ctypes.Structure):
    _fields_ = [  # noqa: RUF012
        ("kind", ctypes.c_uint32),
        ("status", ctypes.c_uint32),
        ("wire", ctypes.c_uint32),
        ("number", ctypes.c_uint32),
        ("tag", ctypes.c_uint64),
        ("lost", ctypes.c_uint64),
        ("data", _Bytes),
        ("bytes", ctypes.c_size_t),
        ("private_block", ctypes.c_void_p),
    ]


class Item(NamedTuple):
    """A copy of a reply or an event from an inbox. A tuple, since a frozen dataclass takes twice as long to make."""

    is_event: bool
    status: int
    wire: Wire
    tag: int
    lost: int
    data: bytes


@cache
def core() -> Any:
    """Load libferryingress: the file that FERRY_INGRESS_LIBRARY names, or the loader's choice."""
    path = os.environ.get("FERRY_INGRESS_LIBRARY", "libferryingress.so.0")
    try:
        library = ctypes.CDLL(path)
    except OSError as cause:
        message = f"{path} cannot be loaded: {cause}; install Ferry, or name the file in FERRY_INGRESS_LIBRARY"
        raise IngressError(Status.NO_MEMORY, message) from cause
    pointer, u32, u64, i64, size = (
        ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int64, ctypes.c_size_t,
    )  # fmt: skip
    prototypes: dict[str, tuple[Any, tuple[Any, ...]]] = {
        "ingress_status_text": (ctypes.c_char_p, (u32,)),
        "ingress_library_check": (u32, (pointer, u64)),
        "ingress_answer_release": (None, (pointer,)),
        "ingress_submit": (u32, (u64, pointer)),
        "ingress_submit_chain": (u32, (u64, pointer, size, pointer, size, i64, pointer)),
        "ingress_ask_chain": (u32, (u64, pointer, size, pointer, size, i64, pointer, pointer)),
        "ingress_tickets": (u64, (u64,)),
        "ingress_cancel": (u32, (u64, u64)),
        "ingress_ask": (u32, (u64, u32, u32, ctypes.c_char_p, size, i64, pointer)),
        "ingress_context_start": (u32, (pointer, pointer, pointer, pointer)),
        "ingress_context_create": (
            u32, (pointer, pointer, u32, u32, ctypes.c_char_p, size, i64, pointer, pointer),
        ),
        "ingress_context_destroy": (u32, (u64, i64)),
        "ingress_context_close": (u32, (u64,)),
        "ingress_static_context": (u32, (pointer, pointer)),
        "ingress_listen": (u32, (u64, pointer, pointer)),
        "ingress_unlisten": (u32, (u64, u64)),
        "ingress_event_threads_watch": (u32, (pointer, pointer)),
        "ingress_event_threads_unwatch": (u32, (pointer, pointer)),
        "ingress_inbox_create": (u32, (pointer,)),
        "ingress_inbox_descriptor": (ctypes.c_int, (pointer,)),
        "ingress_inbox_take": (size, (pointer, pointer, size, i64)),
        "ingress_items_release": (None, (pointer, size)),
        "ingress_inbox_close": (None, (pointer,)),
    }  # fmt: skip
    for name, (result, arguments) in prototypes.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


@cache
def event_threads() -> EventThreads:
    """Return the event threads of the core."""
    return EventThreads(core())


def nanoseconds(seconds: float | None) -> int:
    """Return a time for the core; None is forever."""
    if seconds is None or seconds * 1e9 >= FOREVER:
        return FOREVER
    return int(seconds * 1e9) if seconds > 0 else 0


def checked(status: int, message: str = "") -> None:
    """Raise the exception that belongs to a status, unless it is OK."""
    if status != Status.OK:
        raise error(status, message or core().ingress_status_text(status).decode())


class Raised(Exception):  # noqa: N818 - it never leaves this package
    """A handler failed with the error that its method declares, which is still encoded."""

    def __init__(self, wire: Wire, data: bytes) -> None:
        super().__init__()
        self.wire = wire
        self.data = data


class Library:
    """A provider's library, loaded and checked against the interface of a binding.

    `name` is the library's name. NAME_LIBRARY in the environment names its file; otherwise the loader chooses that.
    """

    def __init__(self, name: str, interface_hash: int) -> None:
        self.name = name
        self.interface_hash = interface_hash
        self._handle: int | None = None

    @property
    def handle(self) -> int:
        """The library as the core needs it. It is loaded at the first use."""
        if self._handle is None:
            lib = core()
            variable = f"{self.name.upper()}_LIBRARY"
            path = os.environ.get(variable, f"lib{self.name}.so")
            try:
                function = getattr(ctypes.CDLL(path), f"ferry_library_{self.name}")
            except (OSError, AttributeError) as cause:
                message = f"{path} cannot be used: {cause}; install it, or name the file in {variable}"
                raise IngressError(Status.WRONG_INTERFACE, message) from cause
            function.restype = ctypes.c_void_p
            handle = function()
            checked(lib.ingress_library_check(handle, self.interface_hash))
            self._handle = handle
        assert self._handle is not None
        return self._handle

    def static_context(self) -> int:
        """Return the token of the context of static methods."""
        token = ctypes.c_uint64()
        checked(core().ingress_static_context(self.handle, ctypes.byref(token)))
        return token.value


def _raw_options(options: Options) -> _Options:
    return _Options(
        queue_depth=options.queue_depth,
        event_depth=options.event_depth,
        payload_bytes=options.payload_bytes,
        stale_ns=nanoseconds(options.stale),
        stuck_ns=nanoseconds(options.stuck),
        spin_ns=0 if options.spin is None else nanoseconds(options.spin) or -1,
    )


def _raw_call(method: int, wire: Wire, data: bytes) -> _Call:
    call = _Call()
    call.method = method
    call.wire = wire._value_
    call.data = data
    call.bytes = len(data)
    return call


def _copied(data: Any, count: int) -> bytes:
    copy: bytes = data[:count] if count else b""
    return copy


def _answered(status: int, answer: _Answer) -> tuple[Wire, bytes]:
    data = _copied(answer.data, answer.bytes)
    wire = _WIRES[answer.wire]
    core().ingress_answer_release(ctypes.byref(answer))
    if status:
        if status == Status.RAISED:
            raise Raised(wire, data)
        checked(status, data.decode(errors="replace"))
    return wire, data


def ask(context: int, method: int, wire: Wire, data: bytes, timeout_ns: int) -> tuple[Wire, bytes]:
    """Submit a request and wait for its reply. Return the reply, or raise the exception of its status.

    A program that calls now and then pays for each line that its processor has to read again from memory: here are few.
    """
    answer = _Answer()
    status = core().ingress_ask(
        context, method, wire._value_, data, len(data), timeout_ns, ctypes.byref(answer)
    )  # fmt: skip
    return _answered(status, answer)


def submit(context: int, method: int, wire: Wire, data: bytes, inbox: int, tag: int) -> None:
    """Submit a request whose reply goes to an inbox. Its tag is its ticket too: see `tickets` and `cancel`."""
    call = _raw_call(method, wire, data)
    call.inbox = inbox
    call.tag = call.ticket = tag
    checked(core().ingress_submit(context, ctypes.byref(call)))


@dataclass(frozen=True, slots=True)
class Link:
    """What a request of a chain has from an earlier one: struct ingress_link."""

    request: int
    source: int
    kind: int
    place: int
    path: bytes


@dataclass(frozen=True, slots=True)
class Chain:
    """Calls of a chain, each a method and its payload in `cbor`, and the links between them."""

    calls: list[tuple[int, bytes]]
    links: list[Link]

    def raw(self) -> tuple[Any, int, Any, int]:
        """Return what the core is given."""
        calls = (_Call * len(self.calls))(*(_raw_call(method, Wire.CBOR, data) for method, data in self.calls))
        links = (_Link * len(self.links))(
            *(_Link(link.request, link.source, link.kind, link.place, link.path, len(link.path)) for link in self.links)
        )
        return calls, len(calls), links, len(links)


def submit_chain(context: int, chain: Chain, inbox: int, first_tag: int, timeout_ns: int) -> None:
    """Submit a chain whose replies go to an inbox; their tags are numbers from the first on, and tickets too."""
    calls, count, links, link_count = chain.raw()
    for number in range(count):
        calls[number].inbox = inbox
        calls[number].tag = calls[number].ticket = first_tag + number
    refusal = _Refusal()
    status = core().ingress_submit_chain(context, calls, count, links, link_count, timeout_ns, ctypes.byref(refusal))
    _accepted(status, refusal, chain.links)


def ask_chain(context: int, chain: Chain, timeout_ns: int) -> list[Item]:
    """Submit a chain and wait for its replies, whose tags are their numbers."""
    calls, count, links, link_count = chain.raw()
    answers, refusal = (_Answer * count)(), _Refusal()
    status = core().ingress_ask_chain(
        context, calls, count, links, link_count, timeout_ns, answers, ctypes.byref(refusal)
    )
    _accepted(status, refusal, chain.links)
    items = []
    for tag, answer in enumerate(answers):
        data = _copied(answer.data, answer.bytes)
        items.append(Item(is_event=False, status=answer.status, wire=_WIRES[answer.wire], tag=tag, lost=0, data=data))
        core().ingress_answer_release(ctypes.byref(answer))
    return items


def _accepted(status: int, refusal: _Refusal, links: list[Link]) -> None:
    if status != Status.OK:
        checked(status, f"{_refused(refusal, links)}{refusal.text.decode()}")


def _refused(refusal: _Refusal, links: list[Link]) -> str:
    """Say which request of a chain was refused, and for which link."""
    if refusal.link < len(links):
        return f"request {refusal.request} of the batch, {links[refusal.link].path.decode() or 'a result'}: "
    return f"request {refusal.request} of the batch: " if refusal.request != 0xFFFFFFFF else ""


def tickets(count: int) -> int:
    """Return the first of so many numbers that no other request has as its ticket."""
    first: int = core().ingress_tickets(count)
    return first


def ticket_range(count: int) -> range:
    """Return so many numbers that no other request has as its ticket."""
    first = tickets(count)
    return range(first, first + count)


def cancel(context: int, ticket: int) -> None:
    """Cancel a request. When its context has ended it was answered."""
    core().ingress_cancel(context, ticket)


def context_create(library: Library, options: Options, method: int, wire: Wire, data: bytes, timeout_ns: int) -> int:
    """Start a context, wait for its constructor, and return the token."""
    token, answer, raw = ctypes.c_uint64(), _Answer(), _raw_options(options)
    status = core().ingress_context_create(
        library.handle, ctypes.byref(raw), method, wire.value, data, len(data), timeout_ns, ctypes.byref(token),
        ctypes.byref(answer),
    )  # fmt: skip
    _answered(status, answer)
    return token.value


def context_start(
    library: Library, options: Options, method: int, wire: Wire, data: bytes, inbox: int, tag: int
) -> int:
    """Start a context whose constructor's reply goes to an inbox; return the token."""
    token, raw, call = ctypes.c_uint64(), _raw_options(options), _raw_call(method, wire, data)
    call.inbox = inbox
    call.tag = tag
    checked(core().ingress_context_start(library.handle, ctypes.byref(raw), ctypes.byref(call), ctypes.byref(token)))
    return token.value


def context_destroy(context: int, timeout_ns: int) -> None:
    """End a context."""
    checked(core().ingress_context_destroy(context, timeout_ns))


def abandon(context: int, timeout_ns: int) -> None:
    """End a context whose owner is gone, so that a failure cannot be reported to anybody.

    The last reference may go within a callback of the context, where no code may wait: then the context ends by itself.
    """
    if core().ingress_context_destroy(context, timeout_ns) == Status.REENTRANT:
        core().ingress_context_close(context)


#: Called for each event of a listener, with its payload and how many were lost before.
Notify = Callable[[Wire, bytes, int], None]

_notified: dict[int, Notify] = {}


def _on_event(user: int, event: Any) -> None:
    # ctypes makes one C function for all listeners, which is never freed, so not while it runs either
    event_threads().keep()
    notify = _notified.get(user)
    if notify is not None:
        raw = event.contents
        notify(_WIRES[raw.wire], _copied(raw.data, raw.bytes), raw.lost)


def _on_release(user: int) -> None:
    # the core also calls this for a listener that nobody closed, when its context has ended
    _notified.pop(user, None)


_ON_EVENT = _NOTIFY(_on_event)
_ON_RELEASE = _RELEASE(_on_release)
_NOBODY = _NOTIFY()


class Listening:
    """A listener of a context: its events go into an inbox, or to a callback on the event thread."""

    def __init__(
        self,
        context: int,
        wire: Wire,
        event: tuple[int, Overflow, int],
        *,
        inbox: int = 0,
        tag: int = 0,
        notify: Notify | None = None,
    ) -> None:
        number, overflow, depth = event
        self._context = context
        self._user = 0
        raw = _Listener(event=number, wire=wire.value, overflow=int(overflow), depth=depth, tag=tag)
        if notify is None:
            raw.notify = _NOBODY
            raw.inbox = inbox
        else:
            # the core's numbers: threads that listen at the same time get different ones
            self._user = tickets(1)
            _notified[self._user] = notify
            # made here once: two event threads could make it at the same time, each at its first callback
            event_threads()
            raw.notify = _ON_EVENT
            raw.user = self._user
            raw.release = _ON_RELEASE
        identity = ctypes.c_uint64()
        checked(core().ingress_listen(context, ctypes.byref(raw), ctypes.byref(identity)))
        self._id = identity.value

    def close(self) -> None:
        """Stop listening. When this returns, the callback is not running and never will be.

        Within a callback, where no code may wait, this does not wait: a listener's callback that is running runs on.
        """
        core().ingress_unlisten(self._context, self._id)


def _inbox_close(handle: int) -> None:
    core().ingress_inbox_close(handle)


class Inbox:
    """An inbox of the core, from which one thread takes replies and events."""

    def __init__(self) -> None:
        handle = ctypes.c_void_p()
        checked(core().ingress_inbox_create(ctypes.byref(handle)))
        assert handle.value is not None
        self.handle: int = handle.value
        self.descriptor: int = core().ingress_inbox_descriptor(self.handle)
        self._items = (_Item * ITEMS_MAX)()
        self.is_closed = False

    @property
    def is_parents(self) -> bool:
        """Whether this process is a forked child of the one that made the inbox. Only that one may use it."""
        return not self.is_closed and core().ingress_inbox_descriptor(self.handle) < 0

    def require_own(self) -> None:
        """Raise ClosedError in a child of the process that made the inbox: nothing will ever come to the child."""
        if self.is_parents:
            checked(Status.CLOSED)

    def take(self, timeout_ns: int, capacity: int = ITEMS_MAX) -> list[Item]:
        """Take up to `capacity` items. Wait for the first one as long as `timeout_ns` says; 0 does not wait."""
        if self.is_closed:
            return []
        self.require_own()
        count = core().ingress_inbox_take(self.handle, self._items, capacity, timeout_ns)
        taken = [
            Item(raw.kind == 1, raw.status, _WIRES[raw.wire], raw.tag, raw.lost, _copied(raw.data, raw.bytes))
            for raw in self._items[:count]
        ]
        if count:
            core().ingress_items_release(self._items, count)
        return taken

    def close(self) -> None:
        """Close the inbox; replies that are still to come are dropped."""
        if not self.is_closed:
            self.is_closed = True
            _inbox_close(self.handle)
