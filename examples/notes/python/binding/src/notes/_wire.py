# SPDX-License-Identifier: BSD-3-Clause
# Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
"""How what the library takes and gives travels."""

from ferry_ingress import Overflow, wire
from ferry_ingress.events import EventKind

from notes import types

NOTE_OBJECT: wire.Object[types.Note] = wire.Object(
    types.Note,
    (
        "path",
        "title",
        "modified_ns",
        "bytes",
    ),
    32,
    8,
    34,
)
FOUND_OBJECT: wire.Object[types.Found] = wire.Object(
    types.Found,
    (
        "note",
        "snippet",
        "score",
    ),
    48,
    8,
    56,
)
TOTALS_OBJECT: wire.Object[types.Totals] = wire.Object(
    types.Totals,
    (
        "notes",
        "bytes",
        "skipped",
    ),
    24,
    8,
    24,
)
CHANGE_OBJECT: wire.Object[types.Change] = wire.Object(
    types.Change,
    (
        "kind",
        "path",
    ),
    12,
    4,
    13,
)
PROGRESS_OBJECT: wire.Object[types.Progress] = wire.Object(
    types.Progress,
    (
        "done",
        "total",
    ),
    16,
    8,
    14,
)
NOTE_OBJECT.define(
    ("path", wire.TEXT),
    ("title", wire.TEXT),
    ("modified_ns", wire.I64),
    ("bytes", wire.I64),
)
FOUND_OBJECT.define(
    ("note", NOTE_OBJECT),
    ("snippet", wire.TEXT),
    ("score", wire.F64),
)
TOTALS_OBJECT.define(
    ("notes", wire.I64),
    ("bytes", wire.I64),
    ("skipped", wire.I64),
)
CHANGE_OBJECT.define(
    ("kind", wire.EnumOf(types.ChangeKind)),
    ("path", wire.TEXT),
)
PROGRESS_OBJECT.define(
    ("done", wire.I64),
    ("total", wire.I64),
)
OPEN_PARAMS = wire.request(
    ("path", wire.TEXT),
    ("database", wire.Opt(wire.TEXT)),
    ("watch", wire.BOOL),
)
FIND_PARAMS = wire.request(
    ("text", wire.TEXT),
    ("order", wire.EnumOf(types.Order)),
    ("limit", wire.U32),
)
SEARCH_PARAMS = wire.request(
    ("text", wire.TEXT),
    ("order", wire.EnumOf(types.Order)),
)
FETCH_PARAMS = wire.request(
    ("cursor", wire.HandleOf(types.Cursor)),
    ("count", wire.U32),
)
END_SEARCH_PARAMS = wire.request(
    ("cursor", wire.HandleOf(types.Cursor)),
)
READ_PARAMS = wire.request(
    ("path", wire.TEXT),
)
WRITE_PARAMS = wire.request(
    ("path", wire.TEXT),
    ("text", wire.TEXT),
)
REMOVE_PARAMS = wire.request(
    ("path", wire.TEXT),
)
PARSE_PARAMS = wire.request(
    ("text", wire.TEXT),
)
FIND_REPLY = wire.Seq(FOUND_OBJECT)
SEARCH_REPLY = wire.HandleOf(types.Cursor)
FETCH_REPLY = wire.Seq(FOUND_OBJECT)
END_SEARCH_REPLY = wire.UNIT
READ_REPLY = wire.TEXT
WRITE_REPLY = wire.UNIT
REMOVE_REPLY = wire.UNIT
REFRESH_REPLY = TOTALS_OBJECT
TOTALS_REPLY = TOTALS_OBJECT
SKIPPED_REPLY = wire.Map(wire.TEXT, wire.TEXT)
TAGS_REPLY = wire.Map(wire.TEXT, wire.U32)
PARSE_REPLY = wire.TEXT
NOTE_CHANGED_EVENT = EventKind(0, CHANGE_OBJECT, Overflow.DROP_OLDEST, 0)
SCANNED_EVENT = EventKind(1, PROGRESS_OBJECT, Overflow.COALESCE, 0)
