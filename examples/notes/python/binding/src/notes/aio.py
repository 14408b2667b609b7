# SPDX-License-Identifier: BSD-3-Clause
# Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
# what it says are the words of the library's author
# ruff: noqa: D301, D400, D401, D404, RUF100
"""The library, for asyncio."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from ferry_ingress.aio import AsyncContext, AsyncEvents, call_static
from ferry_ingress.blocking import Subscription
from ferry_ingress.core import Options
from ferry_ingress.events import Event

from notes import _wire, types
from notes._library import LIBRARY, WIRE
from notes.batch import AsyncNotesBatch


class AsyncNotes(AsyncContext):
    """Full-text search over a folder of notes, with changes as they happen."""

    @classmethod
    async def open(cls, path: str, database: str | None, watch: bool, *, options: Options | None = None) -> Self:
        """Open the folder `path` and bring its index up to date.

        The index is kept in the file `database`, or in memory; with `watch` it follows the folder's changes.
        """
        options = options or Options()
        context = cls(options.wire or WIRE, options)
        await context._start(
            LIBRARY,
            0,
            _wire.OPEN_PARAMS,
            (
                path,
                database,
                watch,
            ),
        )
        return context

    async def close(self, timeout: float | None = None) -> None:
        """Close the index."""
        await self._destroy(timeout)

    def batch(self) -> AsyncNotesBatch:
        """Return an empty batch of calls, which are submitted together."""
        return AsyncNotesBatch(self._token)

    async def find(self, text: str, order: types.Order, limit: int) -> list[types.Found]:
        """The notes that match.

        Words must all occur; "a phrase", begin*, -without and #tag are understood.
        """
        return await self._ask(
            2,
            _wire.FIND_PARAMS,
            (
                text,
                order,
                limit,
            ),
            _wire.FIND_REPLY,
        )

    async def search(self, text: str, order: types.Order) -> types.Cursor:
        """As find, for many matches: a cursor from which they are fetched."""
        return await self._ask(
            3,
            _wire.SEARCH_PARAMS,
            (
                text,
                order,
            ),
            _wire.SEARCH_REPLY,
        )

    async def fetch(self, cursor: types.Cursor, count: int) -> list[types.Found]:
        """The next `count` matches; none at the end."""
        return await self._ask(
            4,
            _wire.FETCH_PARAMS,
            (
                cursor,
                count,
            ),
            _wire.FETCH_REPLY,
        )

    async def end_search(self, cursor: types.Cursor) -> None:
        """Forget a cursor."""
        return await self._ask(5, _wire.END_SEARCH_PARAMS, (cursor,), _wire.END_SEARCH_REPLY)

    async def read(self, path: str) -> str:
        """The text of a note."""
        return await self._ask(6, _wire.READ_PARAMS, (path,), _wire.READ_REPLY)

    async def write(self, path: str, text: str) -> None:
        """Write a note, and index it.

        It is replaced as a whole or not at all.
        """
        return await self._ask(
            7,
            _wire.WRITE_PARAMS,
            (
                path,
                text,
            ),
            _wire.WRITE_REPLY,
        )

    async def remove(self, path: str) -> None:
        """Remove a note's file, and forget it."""
        return await self._ask(8, _wire.REMOVE_PARAMS, (path,), _wire.REMOVE_REPLY)

    async def refresh(self) -> types.Totals:
        """Look at the whole folder again; other requests go on meanwhile."""
        return await self._ask(9, None, (), _wire.REFRESH_REPLY)

    async def totals(self) -> types.Totals:
        """What the index holds."""
        return await self._ask(10, None, (), _wire.TOTALS_REPLY)

    async def skipped(self) -> dict[str, str]:
        """The files that were left out, and why."""
        return await self._ask(11, None, (), _wire.SKIPPED_REPLY)

    async def tags(self) -> dict[str, int]:
        """Every tag, and how many notes have it."""
        return await self._ask(12, None, (), _wire.TAGS_REPLY)

    @staticmethod
    async def parse(text: str) -> str:
        """How a query is understood, in the words of SQLite's FTS5; a query that cannot be asked fails."""
        return await call_static(LIBRARY, WIRE, 13, _wire.PARSE_PARAMS, (text,), _wire.PARSE_REPLY)

    def note_changed_events(self) -> AsyncEvents[types.Change]:
        """A note was added, changed or removed, and the index knows."""
        return self._events(_wire.NOTE_CHANGED_EVENT)

    def on_note_changed(self, notify: Callable[[Event[types.Change]], None]) -> Subscription:
        """A note was added, changed or removed, and the index knows."""
        return self._on(_wire.NOTE_CHANGED_EVENT, notify)

    def scanned_events(self) -> AsyncEvents[types.Progress]:
        """A scan has come so far; at its end `done` is `total`."""
        return self._events(_wire.SCANNED_EVENT)

    def on_scanned(self, notify: Callable[[Event[types.Progress]], None]) -> Subscription:
        """A scan has come so far; at its end `done` is `total`."""
        return self._on(_wire.SCANNED_EVENT, notify)
