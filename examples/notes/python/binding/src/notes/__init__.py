# SPDX-License-Identifier: BSD-3-Clause
# Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
# what it says are the words of the library's author
# ruff: noqa: D301, D400, D404, RUF100
"""Full-text search over a folder of notes, with changes as they happen."""

from ferry_ingress import IngressError, Options, Status, Wire

from notes.aio import AsyncNotes
from notes.batch import AsyncNotesBatch, NotesBatch
from notes.blocking import Notes
from notes.types import (
    MAX_RESULTS,
    Change,
    ChangeKind,
    Cursor,
    Found,
    Note,
    Order,
    Progress,
    Totals,
)

__all__ = [
    "MAX_RESULTS",
    "AsyncNotes",
    "AsyncNotesBatch",
    "Change",
    "ChangeKind",
    "Cursor",
    "Found",
    "IngressError",
    "Note",
    "Notes",
    "NotesBatch",
    "Options",
    "Order",
    "Progress",
    "Status",
    "Totals",
    "Wire",
]
