# SPDX-License-Identifier: BSD-3-Clause
"""Both wire formats of spec/interface.md: a codec stands for a type and writes and reads its values in each.

Reading is total: any bytes give a value or a DecodeError with the path to the bad field. The modules in the order in
which data meets them: `codec` has whole messages; `object`, `variant`, `compound` and `scalar` the types; `cbor` and
`flat` the formats. `compiled` makes the functions by which `object` reads and writes the form of `cbor` that encoders
write.

bench/python/codec.py measures these codecs beside cbor2. They cannot be built on cbor2: of a key that is given twice it
keeps the last value, and it makes objects of tags.
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
from ferry_ingress.wire.variant import Variant

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
    "Variant",
    "Wire",
    "request",
]
