# SPDX-License-Identifier: BSD-3-Clause
# Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
# what it says are the words of the library's author
# ruff: noqa: D301, D400, D401, D404, RUF100
"""The library, for threads that may block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from ferry_ingress.blocking import Context, Events, Subscription, call_static
from ferry_ingress.core import Options
from ferry_ingress.events import Event

from notes import _wire, types
from notes._library import LIBRARY, WIRE
from notes.batch import NotesBatch


class Notes(Context):
    """Full-text search over a folder of notes, with changes as they happen."""

    @classmethod
    def open(
        cls,
        path: str,
        database: str | None,
        watch: bool,
        *,
        options: Options | None = None,
        timeout: float | None = None,
    ) -> Self:
        """Open the folder `path` and bring its index up to date.

        The index is kept in the file `database`, or in memory; with `watch` it follows the folder's changes.
        """
        return cls(
            LIBRARY,
            options or Options(),
            WIRE,
            0,
            _wire.OPEN_PARAMS,
            (
                path,
                database,
                watch,
            ),
            timeout,
        )

    def close(self, timeout: float | None = None) -> None:
        """Close the index."""
        self._destroy(timeout)

    def batch(self) -> NotesBatch:
        """Return an empty batch of calls, which are submitted together."""
        return NotesBatch(self._token)

    def find(self, text: str, order: types.Order, limit: int, *, timeout: float | None = None) -> list[types.Found]:
        """The notes that match.

        Words must all occur; "a phrase", begin*, -without and #tag are understood.
        """
        return self._ask(
            2,
            _wire.FIND_PARAMS,
            (
                text,
                order,
                limit,
            ),
            _wire.FIND_REPLY,
            timeout,
        )

    def search(self, text: str, order: types.Order, *, timeout: float | None = None) -> types.Cursor:
        """As find, for many matches: a cursor from which they are fetched."""
        return self._ask(
            3,
            _wire.SEARCH_PARAMS,
            (
                text,
                order,
            ),
            _wire.SEARCH_REPLY,
            timeout,
        )

    def fetch(self, cursor: types.Cursor, count: int, *, timeout: float | None = None) -> list[types.Found]:
        """The next `count` matches; none at the end."""
        return self._ask(
            4,
            _wire.FETCH_PARAMS,
            (
                cursor,
                count,
            ),
            _wire.FETCH_REPLY,
            timeout,
        )

    def end_search(self, cursor: types.Cursor, *, timeout: float | None = None) -> None:
        """Forget a cursor."""
        return self._ask(5, _wire.END_SEARCH_PARAMS, (cursor,), _wire.END_SEARCH_REPLY, timeout)

    def read(self, path: str, *, timeout: float | None = None) -> str:
        """The text of a note."""
        return self._ask(6, _wire.READ_PARAMS, (path,), _wire.READ_REPLY, timeout)

    def write(self, path: str, text: str, *, timeout: float | None = None) -> None:
        """Write a note, and index it.

        It is replaced as a whole or not at all.
        """
        return self._ask(
            7,
            _wire.WRITE_PARAMS,
            (
                path,
                text,
            ),
            _wire.WRITE_REPLY,
            timeout,
        )

    def remove(self, path: str, *, timeout: float | None = None) -> None:
        """Remove a note's file, and forget it."""
        return self._ask(8, _wire.REMOVE_PARAMS, (path,), _wire.REMOVE_REPLY, timeout)

    def refresh(self, *, timeout: float | None = None) -> types.Totals:
        """Look at the whole folder again; other requests go on meanwhile."""
        return self._ask(9, None, (), _wire.REFRESH_REPLY, timeout)

    def totals(self, *, timeout: float | None = None) -> types.Totals:
        """What the index holds."""
        return self._ask(10, None, (), _wire.TOTALS_REPLY, timeout)

    def skipped(self, *, timeout: float | None = None) -> dict[str, str]:
        """The files that were left out, and why."""
        return self._ask(11, None, (), _wire.SKIPPED_REPLY, timeout)

    def tags(self, *, timeout: float | None = None) -> dict[str, int]:
        """Every tag, and how many notes have it."""
        return self._ask(12, None, (), _wire.TAGS_REPLY, timeout)

    @staticmethod
    def parse(text: str, *, timeout: float | None = None) -> str:
        """How a query is understood, in the words of SQLite's FTS5; a query that cannot be asked fails."""
        return call_static(LIBRARY, WIRE, 13, _wire.PARSE_PARAMS, (text,), _wire.PARSE_REPLY, timeout)

    def note_changed_events(self) -> Events[types.Change]:
        """A note was added, changed or removed, and the index knows."""
        return self._events(_wire.NOTE_CHANGED_EVENT)

    def on_note_changed(self, notify: Callable[[Event[types.Change]], None]) -> Subscription:
        """A note was added, changed or removed, and the index knows."""
        return self._on(_wire.NOTE_CHANGED_EVENT, notify)

    def scanned_events(self) -> Events[types.Progress]:
        """A scan has come so far; at its end `done` is `total`."""
        return self._events(_wire.SCANNED_EVENT)

    def on_scanned(self, notify: Callable[[Event[types.Progress]], None]) -> Subscription:
        """A scan has come so far; at its end `done` is `total`."""
        return self._on(_wire.SCANNED_EVENT, notify)
