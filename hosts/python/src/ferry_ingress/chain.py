# SPDX-License-Identifier: BSD-3-Clause
"""Batches: calls that are submitted together, as a chain (C1 to C9 of spec/interface.md).

A call of a batch returns a promise. A promise, or a field of it, may be an argument of a later call: the library's side
puts the value there, so the whole batch is one crossing, or one round trip. Chains travel in format `cbor`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Generic, TypeVar, cast

from ferry_ingress import core
from ferry_ingress.errors import BadPayloadError, IngressError, Status
from ferry_ingress.message import Params, Raises, decoded, raised
from ferry_ingress.wire import TEXT, Codec, EncodeError, Map, Object, Opt, Seq, Variant, Wire
from ferry_ingress.wire.cbor import head

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")

_NULL = b"\xf6"
_NOT_IN_A_KEY = frozenset(".[]\0")


class _Call:
    """A call of a batch, and what became of it."""

    def __init__(self, batch: Calls, number: int, method: int, reply: Codec[Any], raises: Raises[Any] | None) -> None:
        self.batch = batch
        self.number = number
        self.method = method
        self.reply = reply
        self.raises = raises
        self.data = b""
        self.links: list[core.Link] = []
        self.value: Any = None
        self.failure: Exception | None = None
        self.is_answered = False

    def take(self, item: core.Item) -> None:
        """Take the reply, which is the terminal one."""
        self.is_answered = True
        try:
            if item.status == Status.RAISED:
                raise raised(self.raises, item.wire, item.data)
            core.checked(item.status, item.data.decode(errors="replace"))
            self.value = decoded(self.reply, item.wire, item.data)
        except IngressError as cause:
            self.failure = cause


class Promise(Generic[T_co]):
    """The result of a call of a batch, or a part of it, before it is there: an argument for later calls of the batch.

    `promise.title` is the field `title` of an object, or what the case `title` of a variant carries; `promise["title"]`
    is the same for any name, and the value of that key in a map; `promise[3]` is an element of a sequence. A part that
    is not there when the batch runs is a BadPayloadError, of the call that takes it, and of `result`.
    """

    __slots__ = ("_call", "_codec", "_find", "_path")

    def __init__(self, call: _Call, codec: Codec[T_co], path: str, find: Callable[[Any], Any]) -> None:
        self._call = call
        self._codec = codec
        self._path = path
        self._find = find

    def result(self) -> T_co:
        """Return the value, once the batch was submitted; raises what the call failed with."""
        if self._call.failure is not None:
            raise self._call.failure
        if not self._call.is_answered:
            raise ValueError("the batch was not submitted: there is no result yet")
        return cast(T_co, self._find(self._call.value))

    def _part(self, codec: Codec[Any], path: str, find: Callable[[Any], Any]) -> Promise[Any]:
        """Promise a part of what is promised, where `find` returns it, or fails as a value without it does."""

        def found(value: Any) -> Any:
            try:
                return find(self._find(value))
            except (AttributeError, IndexError, KeyError):
                raise BadPayloadError(Status.BAD_PAYLOAD, f"{path}: missing") from None

        return Promise(self._call, codec, path, found)

    def __getattr__(self, name: str) -> Promise[Any]:
        codec = self._codec.item if isinstance(self._codec, Opt) else self._codec
        path = f"{self._path}." if self._path else ""
        if isinstance(codec, Object) and codec.names and name in codec.names:
            field = codec.fields[codec.names.index(name)]
            return self._part(field.codec, path + field.name, lambda value: getattr(value, name))
        if isinstance(codec, Variant) and name in codec.by_name and not codec.by_name[name].is_empty:
            case = codec.by_name[name]
            return self._part(case.codec, path + name, case.only)
        raise AttributeError(f"what is promised has no field {name!r}")

    def __getitem__(self, key: int | str) -> Promise[Any]:
        codec = self._codec.item if isinstance(self._codec, Opt) else self._codec
        if isinstance(key, str) and isinstance(codec, Map) and codec.key is TEXT:
            # the characters of paths: a path with these would lead elsewhere
            if not key or not _NOT_IN_A_KEY.isdisjoint(key):
                raise KeyError(f"a promise leads to no key like {key!r}, which is empty or has '.', '[', ']' or a zero")
            path = f"{self._path}." if self._path else ""
            return self._part(codec.item, path + key, lambda value: (value or {})[key])
        if isinstance(key, str):
            return Promise.__getattr__(self, key)
        if not isinstance(codec, Seq) or key < 0:
            raise IndexError(f"what is promised has no element {key}")
        return self._part(codec.item, f"{self._path}[{key}]", lambda value: (value or ())[key])

    # else the method above would make every promise a sequence without an end
    __iter__ = None


class Calls:
    """Calls of one context that run one after another. One thread at a time may use it; it is submitted once."""

    def __init__(self, context: int) -> None:
        self._context = context
        self._calls: list[_Call] = []
        self._is_submitted = False

    def _add(
        self, method: int, params: Params | None, args: tuple[Any, ...], reply: Codec[T],
        raises: Raises[Any] | None, after: Promise[Any] | None,
    ) -> Promise[T]:  # fmt: skip
        if self._is_submitted:
            raise ValueError("the batch was submitted: make another")
        call = _Call(self, len(self._calls), method, reply, raises)
        out = bytearray() if params else bytearray(b"\xa0")
        if params is not None:
            try:
                self._put(call, out, params, args)
            except (TypeError, AttributeError) as cause:
                raise EncodeError(f"a value is not of its type: {cause}") from cause
        call.data = bytes(out)
        if after is not None:
            call.links.append(core.Link(call.number, self._source(after), core.LINK_AFTER, 0, b""))
        self._calls.append(call)
        return Promise(call, reply, "", lambda value: value)

    def _source(self, promise: Promise[Any]) -> int:
        call = promise._call
        if call.batch is not self:
            raise ValueError("the promise is of another batch: only a call of the same one can take it")
        return call.number

    def _put(self, call: _Call, out: bytearray, codec: Codec[Any], value: Any) -> None:
        """Append a value in format `cbor`, with null where a promise stands."""
        if isinstance(value, Promise):
            kind = core.LINK_FIELD if value._codec.is_required else core.LINK_OPTION
            call.links.append(core.Link(call.number, self._source(value), kind, len(out), value._path.encode()))
            out += _NULL
        elif isinstance(codec, Object):
            pairs = [
                (field.key, field.codec, item)
                for field, item in zip(codec.fields, codec.values(value), strict=True)
                if item is not None or field.codec.is_required
            ]
            out += head(5, len(pairs))
            for key, inner, item in sorted(pairs, key=lambda pair: pair[0]):
                out += key
                self._put(call, out, inner, item)
        elif isinstance(codec, Variant):
            case = codec.of(value)
            out += case.key
            self._put(call, out, case.codec, case.carried(value))
        elif isinstance(codec, Seq):
            out += head(4, len(value))
            for item in value:
                self._put(call, out, codec.item, item)
        elif isinstance(codec, Map):
            out += head(5, len(value))
            keyed = [(codec.key.encode(Wire.CBOR, key), item) for key, item in value.items()]
            for key, item in sorted(keyed, key=lambda pair: pair[0]):
                out += key
                self._put(call, out, codec.item, item)
        elif isinstance(codec, Opt) and value is not None:
            self._put(call, out, codec.item, value)
        else:
            out += codec.encode(Wire.CBOR, value)

    def _chain(self) -> core.Chain:
        """Return what is submitted, once."""
        if self._is_submitted:
            raise ValueError("the batch was submitted: make another")
        self._is_submitted = True
        links = [link for call in self._calls for link in call.links]
        return core.Chain([(call.method, call.data) for call in self._calls], links)


class Batch(Calls):
    """Calls whose `submit` blocks."""

    def submit(self, timeout: float | None = None) -> None:
        """Submit the calls, and wait until each has its result or its failure: see `Promise.result`.

        A call to which the library comes after the timeout does not run. Raises what the batch was refused for.
        """
        chain = self._chain()
        if not self._calls:
            return
        for item in core.ask_chain(self._context, chain, core.nanoseconds(timeout)):
            self._calls[item.tag].take(item)


class AsyncBatch(Calls):
    """Calls for asyncio."""

    async def submit(self, timeout: float | None = None) -> None:
        """Submit the calls, and wait until each has its result or its failure: see `Promise.result`.

        A call to which the library comes after the timeout does not run. If the task is cancelled, so are the calls.
        """
        loop = asyncio.get_running_loop()
        chain = self._chain()
        if not self._calls:
            return
        inbox = core.Inbox()
        first = core.tickets(len(self._calls))
        done: asyncio.Future[None] = loop.create_future()
        missing = len(self._calls)

        def drain() -> None:
            nonlocal missing
            for item in inbox.take(0):
                if item.status != Status.STALE:
                    missing -= 1
                    self._calls[item.tag - first].take(item)
            if not missing and not done.done():
                done.set_result(None)

        loop.add_reader(inbox.descriptor, drain)
        try:
            core.submit_chain(self._context, chain, inbox.handle, first, core.nanoseconds(timeout))
            await done
        except asyncio.CancelledError:
            # the last one first, so that none begins when an earlier one ends
            for number in reversed(range(len(self._calls))):
                core.cancel(self._context, first + number)
            raise
        finally:
            loop.remove_reader(inbox.descriptor)
            inbox.close()
