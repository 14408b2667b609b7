# SPDX-License-Identifier: BSD-3-Clause
"""Both wire formats of spec/interface.md: a codec stands for a type and writes and reads its values in each.

Reading is total: any bytes give a value or a DecodeError with the path to the bad field. In the way data goes: `codec`
has whole messages, `object`, `compound` and `scalar` the types, `cbor` and `flat` the formats; `compiled` is what
`object` does in the form of `cbor` that encoders write. Measured beside cbor2, which this neither needs nor may use: it
keeps the last of a key that is given twice, and makes objects of tags (bench/python/codec.py).
"""

from ferry_ingress.wire.codec import Codec, Wire
from ferry_ingress.wire.compound import Map, Opt, Seq
from ferry_ingress.wire.error import BYTES_END, DEPTH_MAX, DecodeError, EncodeError
from ferry_ingress.wire.object import Object, request
from ferry_ingress.wire.scalar import (
    BOOL,
    BYTES,
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    TEXT,
    U8,
    U16,
    U32,
    U64,
    UNIT,
    EnumOf,
    HandleId,
    HandleOf,
)

__all__ = [
    "BOOL",
    "BYTES",
    "BYTES_END",
    "DEPTH_MAX",
    "F32",
    "F64",
    "I8",
    "I16",
    "I32",
    "I64",
    "TEXT",
    "U8",
    "U16",
    "U32",
    "U64",
    "UNIT",
    "Codec",
    "DecodeError",
    "EncodeError",
    "EnumOf",
    "HandleId",
    "HandleOf",
    "Map",
    "Object",
    "Opt",
    "Seq",
    "Wire",
    "request",
]
