# SPDX-License-Identifier: BSD-3-Clause
# Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
# what it says are the words of the library's author
# ruff: noqa: D301, D400, D401, D404, RUF100
"""The library, for asyncio."""

from __future__ import annotations

import builtins as _builtins
from collections.abc import Callable
from typing import Self

from ferry_ingress.aio import AsyncContext, AsyncEvents, call_static
from ferry_ingress.blocking import Subscription
from ferry_ingress.core import Options
from ferry_ingress.events import Event

from echo import _wire, types
from echo._library import LIBRARY, WIRE


class AsyncEcho(AsyncContext):
    """A library that gives back what it is given, sometimes later.

    It has something of every kind, so that one conformance program can be written in every language.
    """

    @classmethod
    async def create(cls, prefix: str, *, options: Options | None = None) -> Self:
        """Start an echo.

        prefix: What every echo begins with. `fail` makes the constructor fail.
        """
        options = options or Options()
        context = cls(options.wire or WIRE, options)
        await context._start(LIBRARY, 0, _wire.CREATE_PARAMS, (prefix,))
        return context

    async def destroy(self, timeout: float | None = None) -> None:
        """End an echo."""
        await self._destroy(timeout)

    async def echo(self, request: types.EchoRequest) -> types.EchoResponse:
        """Give back a message, after the prefix, when the delay is over.

        Emits `echoed`.

        request: What to echo, and when.
        """
        return await self._ask(2, _wire.ECHO_PARAMS, (request,), _wire.ECHO_REPLY)

    async def complex(self, request: types.ComplexRequest) -> types.ComplexResponse:
        """Take many things and sum them up.

        request: Many things.
        """
        return await self._ask(3, _wire.COMPLEX_PARAMS, (request,), _wire.COMPLEX_REPLY)

    async def bytes(self, payload: _builtins.bytes) -> _builtins.bytes:
        """Give back the same bytes.

        payload: Any bytes.
        """
        return await self._ask(4, _wire.BYTES_PARAMS, (payload,), _wire.BYTES_REPLY)

    async def fail(self, message: str) -> None:
        """Fail with a message.

        message: What the error says.
        """
        return await self._ask(5, _wire.FAIL_PARAMS, (message,), _wire.FAIL_REPLY)

    async def all(self, value: types.AllTypes) -> types.AllTypes:
        """Give back the same value.

        value: Any value.
        """
        return await self._ask(6, _wire.ALL_PARAMS, (value,), _wire.ALL_REPLY)

    async def tree(self, root: types.Tree) -> types.Tree:
        """Give back the same tree.

        root: Any tree.
        """
        return await self._ask(7, _wire.TREE_PARAMS, (root,), _wire.TREE_REPLY)

    async def maybe(self, value: str | None) -> str | None:
        """Give back the text or nothing.

        value: A text or nothing.
        """
        return await self._ask(8, _wire.MAYBE_PARAMS, (value,), _wire.MAYBE_REPLY)

    async def ticks(self, count: int) -> None:
        """Emit `tick` that many times.

        count: How many.
        """
        return await self._ask(9, _wire.TICKS_PARAMS, (count,), _wire.TICKS_REPLY)

    async def open(self, text: str) -> types.Reader:
        """Open a reader of a text.

        text: What is to be read.
        """
        return await self._ask(10, _wire.OPEN_PARAMS, (text,), _wire.OPEN_REPLY)

    async def read(self, reader: types.Reader, bytes_max: int) -> str | None:
        """Read on.

        Nothing at the end of the text. Pieces are cut between bytes, so the text should be ASCII.

        reader: An open reader.
        bytes_max: How many bytes to read at most; 1 or more.
        """
        return await self._ask(
            11,
            _wire.READ_PARAMS,
            (
                reader,
                bytes_max,
            ),
            _wire.READ_REPLY,
        )

    async def close(self, reader: types.Reader) -> None:
        """Close a reader.

        Whoever uses it afterwards is refused.

        reader: An open reader.
        """
        return await self._ask(12, _wire.CLOSE_PARAMS, (reader,), _wire.CLOSE_REPLY)

    @staticmethod
    async def version() -> str:
        """The version of the library."""
        return await call_static(LIBRARY, WIRE, 13, None, (), _wire.VERSION_REPLY)

    @staticmethod
    async def sum(left: int, right: int) -> int:
        """Add two numbers, wrapping around.

        left: A number.
        right: Another.
        """
        return await call_static(
            LIBRARY,
            WIRE,
            14,
            _wire.SUM_PARAMS,
            (
                left,
                right,
            ),
            _wire.SUM_REPLY,
        )

    def tick_events(self) -> AsyncEvents[None]:
        """Something happened."""
        return self._events(_wire.TICK_EVENT)

    def on_tick(self, notify: Callable[[Event[None]], None]) -> Subscription:
        """Something happened."""
        return self._on(_wire.TICK_EVENT, notify)

    def echoed_events(self) -> AsyncEvents[types.EchoResponse]:
        """An echo was given."""
        return self._events(_wire.ECHOED_EVENT)

    def on_echoed(self, notify: Callable[[Event[types.EchoResponse]], None]) -> Subscription:
        """An echo was given."""
        return self._on(_wire.ECHOED_EVENT, notify)
