# SPDX-License-Identifier: BSD-3-Clause
# Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
"""How what the library takes and gives travels."""

from ferry_ingress import Overflow, wire
from ferry_ingress.events import EventKind

from echo import types

ECHO_REQUEST_OBJECT: wire.Object[types.EchoRequest] = wire.Object(
    types.EchoRequest,
    (
        "message",
        "delay_ms",
    ),
    16,
    8,
    20,
)
ECHO_RESPONSE_OBJECT: wire.Object[types.EchoResponse] = wire.Object(
    types.EchoResponse,
    (
        "echoed",
        "timer",
    ),
    16,
    4,
    16,
)
COMPLEX_REQUEST_OBJECT: wire.Object[types.ComplexRequest] = wire.Object(
    types.ComplexRequest,
    (
        "messages",
        "tags",
        "note",
        "retries",
    ),
    48,
    8,
    17,
)
COMPLEX_RESPONSE_OBJECT: wire.Object[types.ComplexResponse] = wire.Object(
    types.ComplexResponse,
    (
        "summary",
        "item_count",
        "has_note",
        "retries",
    ),
    24,
    8,
    41,
)
ALL_TYPES_OBJECT: wire.Object[types.AllTypes] = wire.Object(
    types.AllTypes,
    (
        "a_bool",
        "an_i8",
        "an_i16",
        "an_i32",
        "an_i64",
        "a_u8",
        "a_u16",
        "a_u32",
        "a_u64",
        "an_f32",
        "an_f64",
        "a_string",
        "some_bytes",
        "a_color",
        "an_object",
        "maybe_number",
        "maybe_text",
        "maybe_object",
        "maybe_color",
        "numbers",
        "flags",
        "colors",
        "rows",
        "maybe_words",
        "blobs",
        "text_by_number",
        "number_by_text",
        "objects_by_text",
    ),
    216,
    8,
    243,
)
TREE_OBJECT: wire.Object[types.Tree] = wire.Object(
    types.Tree,
    (
        "name",
        "children",
    ),
    16,
    4,
    17,
)
ECHO_REQUEST_OBJECT.define(
    ("message", wire.TEXT),
    ("delay_ms", wire.I64),
)
ECHO_RESPONSE_OBJECT.define(
    ("echoed", wire.TEXT),
    ("timer", wire.TEXT),
)
COMPLEX_REQUEST_OBJECT.define(
    ("messages", wire.Seq(ECHO_REQUEST_OBJECT)),
    ("tags", wire.Seq(wire.TEXT)),
    ("note", wire.Opt(wire.TEXT)),
    ("retries", wire.Opt(wire.I64)),
)
COMPLEX_RESPONSE_OBJECT.define(
    ("summary", wire.TEXT),
    ("item_count", wire.U32),
    ("has_note", wire.BOOL),
    ("retries", wire.I64),
)
ALL_TYPES_OBJECT.define(
    ("a_bool", wire.BOOL),
    ("an_i8", wire.I8),
    ("an_i16", wire.I16),
    ("an_i32", wire.I32),
    ("an_i64", wire.I64),
    ("a_u8", wire.U8),
    ("a_u16", wire.U16),
    ("a_u32", wire.U32),
    ("a_u64", wire.U64),
    ("an_f32", wire.F32),
    ("an_f64", wire.F64),
    ("a_string", wire.TEXT),
    ("some_bytes", wire.BYTES),
    ("a_color", wire.EnumOf(types.Color)),
    ("an_object", ECHO_REQUEST_OBJECT),
    ("maybe_number", wire.Opt(wire.I32)),
    ("maybe_text", wire.Opt(wire.TEXT)),
    ("maybe_object", wire.Opt(ECHO_REQUEST_OBJECT)),
    ("maybe_color", wire.Opt(wire.EnumOf(types.Color))),
    ("numbers", wire.Seq(wire.F64)),
    ("flags", wire.Seq(wire.BOOL)),
    ("colors", wire.Seq(wire.EnumOf(types.Color))),
    ("rows", wire.Seq(wire.Seq(wire.I32))),
    ("maybe_words", wire.Seq(wire.Opt(wire.TEXT))),
    ("blobs", wire.Seq(wire.BYTES)),
    ("text_by_number", wire.Map(wire.I32, wire.TEXT)),
    ("number_by_text", wire.Map(wire.TEXT, wire.I64)),
    ("objects_by_text", wire.Map(wire.TEXT, ECHO_REQUEST_OBJECT)),
)
TREE_OBJECT.define(
    ("name", wire.TEXT),
    ("children", wire.Seq(TREE_OBJECT)),
)
CREATE_PARAMS = wire.request(
    ("prefix", wire.TEXT),
)
ECHO_PARAMS = wire.request(
    ("request", ECHO_REQUEST_OBJECT),
)
COMPLEX_PARAMS = wire.request(
    ("request", COMPLEX_REQUEST_OBJECT),
)
BYTES_PARAMS = wire.request(
    ("payload", wire.BYTES),
)
FAIL_PARAMS = wire.request(
    ("message", wire.TEXT),
)
ALL_PARAMS = wire.request(
    ("value", ALL_TYPES_OBJECT),
)
TREE_PARAMS = wire.request(
    ("root", TREE_OBJECT),
)
MAYBE_PARAMS = wire.request(
    ("value", wire.Opt(wire.TEXT)),
)
TICKS_PARAMS = wire.request(
    ("count", wire.U32),
)
OPEN_PARAMS = wire.request(
    ("text", wire.TEXT),
)
READ_PARAMS = wire.request(
    ("reader", wire.HandleOf(types.Reader)),
    ("bytes_max", wire.U32),
)
CLOSE_PARAMS = wire.request(
    ("reader", wire.HandleOf(types.Reader)),
)
SUM_PARAMS = wire.request(
    ("left", wire.I64),
    ("right", wire.I64),
)
ECHO_REPLY = ECHO_RESPONSE_OBJECT
COMPLEX_REPLY = COMPLEX_RESPONSE_OBJECT
BYTES_REPLY = wire.BYTES
FAIL_REPLY = wire.UNIT
ALL_REPLY = ALL_TYPES_OBJECT
TREE_REPLY = TREE_OBJECT
MAYBE_REPLY = wire.Opt(wire.TEXT)
TICKS_REPLY = wire.UNIT
OPEN_REPLY = wire.HandleOf(types.Reader)
READ_REPLY = wire.Opt(wire.TEXT)
CLOSE_REPLY = wire.UNIT
VERSION_REPLY = wire.TEXT
SUM_REPLY = wire.I64
TICK_EVENT = EventKind(0, wire.UNIT, Overflow.DROP_NEWEST, 0)
ECHOED_EVENT = EventKind(1, ECHO_RESPONSE_OBJECT, Overflow.DROP_OLDEST, 0)
