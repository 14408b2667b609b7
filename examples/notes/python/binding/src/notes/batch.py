# SPDX-License-Identifier: BSD-3-Clause
# Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
# what it says are the words of the library's author
# ruff: noqa: D301, D400, D401, D404, RUF100
"""Calls that are submitted together, of which later ones take results of earlier ones."""

from __future__ import annotations

from ferry_ingress.chain import AsyncBatch, Batch, Calls, Promise

from notes import _wire, types


class _Calls(Calls):
    def find(
        self,
        text: str | Promise[str],
        order: types.Order | Promise[types.Order],
        limit: int | Promise[int],
        *,
        after: Promise[object] | None = None,
    ) -> Promise[list[types.Found]]:
        """The notes that match.

        Words must all occur; "a phrase", begin*, -without and #tag are understood.
        """
        return self._add(
            2,
            _wire.FIND_PARAMS,
            (
                text,
                order,
                limit,
            ),
            _wire.FIND_REPLY,
            None,
            after,
        )

    def search(
        self,
        text: str | Promise[str],
        order: types.Order | Promise[types.Order],
        *,
        after: Promise[object] | None = None,
    ) -> Promise[types.Cursor]:
        """As find, for many matches: a cursor from which they are fetched."""
        return self._add(
            3,
            _wire.SEARCH_PARAMS,
            (
                text,
                order,
            ),
            _wire.SEARCH_REPLY,
            None,
            after,
        )

    def fetch(
        self,
        cursor: types.Cursor | Promise[types.Cursor],
        count: int | Promise[int],
        *,
        after: Promise[object] | None = None,
    ) -> Promise[list[types.Found]]:
        """The next `count` matches; none at the end."""
        return self._add(
            4,
            _wire.FETCH_PARAMS,
            (
                cursor,
                count,
            ),
            _wire.FETCH_REPLY,
            None,
            after,
        )

    def end_search(
        self, cursor: types.Cursor | Promise[types.Cursor], *, after: Promise[object] | None = None
    ) -> Promise[None]:
        """Forget a cursor."""
        return self._add(5, _wire.END_SEARCH_PARAMS, (cursor,), _wire.END_SEARCH_REPLY, None, after)

    def read(self, path: str | Promise[str], *, after: Promise[object] | None = None) -> Promise[str]:
        """The text of a note."""
        return self._add(6, _wire.READ_PARAMS, (path,), _wire.READ_REPLY, None, after)

    def write(
        self, path: str | Promise[str], text: str | Promise[str], *, after: Promise[object] | None = None
    ) -> Promise[None]:
        """Write a note, and index it.

        It is replaced as a whole or not at all.
        """
        return self._add(
            7,
            _wire.WRITE_PARAMS,
            (
                path,
                text,
            ),
            _wire.WRITE_REPLY,
            None,
            after,
        )

    def remove(self, path: str | Promise[str], *, after: Promise[object] | None = None) -> Promise[None]:
        """Remove a note's file, and forget it."""
        return self._add(8, _wire.REMOVE_PARAMS, (path,), _wire.REMOVE_REPLY, None, after)

    def refresh(self, *, after: Promise[object] | None = None) -> Promise[types.Totals]:
        """Look at the whole folder again; other requests go on meanwhile."""
        return self._add(9, None, (), _wire.REFRESH_REPLY, None, after)

    def totals(self, *, after: Promise[object] | None = None) -> Promise[types.Totals]:
        """What the index holds."""
        return self._add(10, None, (), _wire.TOTALS_REPLY, None, after)

    def skipped(self, *, after: Promise[object] | None = None) -> Promise[dict[str, str]]:
        """The files that were left out, and why."""
        return self._add(11, None, (), _wire.SKIPPED_REPLY, None, after)

    def tags(self, *, after: Promise[object] | None = None) -> Promise[dict[str, int]]:
        """Every tag, and how many notes have it."""
        return self._add(12, None, (), _wire.TAGS_REPLY, None, after)

    def parse(self, text: str | Promise[str], *, after: Promise[object] | None = None) -> Promise[str]:
        """How a query is understood, in the words of SQLite's FTS5; a query that cannot be asked fails."""
        return self._add(13, _wire.PARSE_PARAMS, (text,), _wire.PARSE_REPLY, None, after)


class NotesBatch(_Calls, Batch):
    """Calls of a context of `notes` that run one after another."""


class AsyncNotesBatch(_Calls, AsyncBatch):
    """Calls of a context of `notes` that run one after another, for asyncio."""
