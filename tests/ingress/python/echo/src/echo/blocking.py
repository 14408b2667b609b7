# SPDX-License-Identifier: BSD-3-Clause
# Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
# what it says are the words of the library's author
# ruff: noqa: D301, D400, D401, D404, RUF100
"""The library, for threads that may block."""

from __future__ import annotations

import builtins as _builtins
from collections.abc import Callable
from typing import Self

from ferry_ingress.blocking import Context, Events, Subscription, call_static
from ferry_ingress.core import Options
from ferry_ingress.events import Event

from echo import _wire, types
from echo._library import LIBRARY, WIRE


class Echo(Context):
    """A library that gives back what it is given, sometimes later.

    It has something of every kind, so that one conformance program can be written in every language.
    """

    @classmethod
    def create(cls, prefix: str, *, options: Options | None = None, timeout: float | None = None) -> Self:
        """Start an echo.

        prefix: What every echo begins with. `fail` makes the constructor fail.
        """
        return cls(LIBRARY, options or Options(), WIRE, 0, _wire.CREATE_PARAMS, (prefix,), timeout)

    def destroy(self, timeout: float | None = None) -> None:
        """End an echo."""
        self._destroy(timeout)

    def echo(self, request: types.EchoRequest, *, timeout: float | None = None) -> types.EchoResponse:
        """Give back a message, after the prefix, when the delay is over.

        Emits `echoed`.

        request: What to echo, and when.
        """
        return self._ask(2, _wire.ECHO_PARAMS, (request,), _wire.ECHO_REPLY, timeout)

    def complex(self, request: types.ComplexRequest, *, timeout: float | None = None) -> types.ComplexResponse:
        """Take many things and sum them up.

        request: Many things.
        """
        return self._ask(3, _wire.COMPLEX_PARAMS, (request,), _wire.COMPLEX_REPLY, timeout)

    def bytes(self, payload: _builtins.bytes, *, timeout: float | None = None) -> _builtins.bytes:
        """Give back the same bytes.

        payload: Any bytes.
        """
        return self._ask(4, _wire.BYTES_PARAMS, (payload,), _wire.BYTES_REPLY, timeout)

    def fail(self, message: str, *, timeout: float | None = None) -> None:
        """Fail with a message.

        message: What the error says.
        """
        return self._ask(5, _wire.FAIL_PARAMS, (message,), _wire.FAIL_REPLY, timeout)

    def all(self, value: types.AllTypes, *, timeout: float | None = None) -> types.AllTypes:
        """Give back the same value.

        value: Any value.
        """
        return self._ask(6, _wire.ALL_PARAMS, (value,), _wire.ALL_REPLY, timeout)

    def tree(self, root: types.Tree, *, timeout: float | None = None) -> types.Tree:
        """Give back the same tree.

        root: Any tree.
        """
        return self._ask(7, _wire.TREE_PARAMS, (root,), _wire.TREE_REPLY, timeout)

    def maybe(self, value: str | None, *, timeout: float | None = None) -> str | None:
        """Give back the text or nothing.

        value: A text or nothing.
        """
        return self._ask(8, _wire.MAYBE_PARAMS, (value,), _wire.MAYBE_REPLY, timeout)

    def ticks(self, count: int, *, timeout: float | None = None) -> None:
        """Emit `tick` that many times.

        count: How many.
        """
        return self._ask(9, _wire.TICKS_PARAMS, (count,), _wire.TICKS_REPLY, timeout)

    def open(self, text: str, *, timeout: float | None = None) -> types.Reader:
        """Open a reader of a text.

        text: What is to be read.
        """
        return self._ask(10, _wire.OPEN_PARAMS, (text,), _wire.OPEN_REPLY, timeout)

    def read(self, reader: types.Reader, bytes_max: int, *, timeout: float | None = None) -> str | None:
        """Read on.

        Nothing at the end of the text. Pieces are cut between bytes, so the text should be ASCII.

        reader: An open reader.
        bytes_max: How many bytes to read at most; 1 or more.
        """
        return self._ask(
            11,
            _wire.READ_PARAMS,
            (
                reader,
                bytes_max,
            ),
            _wire.READ_REPLY,
            timeout,
        )

    def close(self, reader: types.Reader, *, timeout: float | None = None) -> None:
        """Close a reader.

        Whoever uses it afterwards is refused.

        reader: An open reader.
        """
        return self._ask(12, _wire.CLOSE_PARAMS, (reader,), _wire.CLOSE_REPLY, timeout)

    @staticmethod
    def version(*, timeout: float | None = None) -> str:
        """The version of the library."""
        return call_static(LIBRARY, WIRE, 13, None, (), _wire.VERSION_REPLY, timeout)

    @staticmethod
    def sum(left: int, right: int, *, timeout: float | None = None) -> int:
        """Add two numbers, wrapping around.

        left: A number.
        right: Another.
        """
        return call_static(
            LIBRARY,
            WIRE,
            14,
            _wire.SUM_PARAMS,
            (
                left,
                right,
            ),
            _wire.SUM_REPLY,
            timeout,
        )

    def tick_events(self) -> Events[None]:
        """Something happened."""
        return self._events(_wire.TICK_EVENT)

    def on_tick(self, notify: Callable[[Event[None]], None]) -> Subscription:
        """Something happened."""
        return self._on(_wire.TICK_EVENT, notify)

    def echoed_events(self) -> Events[types.EchoResponse]:
        """An echo was given."""
        return self._events(_wire.ECHOED_EVENT)

    def on_echoed(self, notify: Callable[[Event[types.EchoResponse]], None]) -> Subscription:
        """An echo was given."""
        return self._on(_wire.ECHOED_EVENT, notify)
