# SPDX-License-Identifier: BSD-3-Clause
"""Finds the description in a library: the attributes of ferry-ingress-provider leave it in a section of the file."""

from __future__ import annotations

import struct
from typing import BinaryIO

from ferry.bindgen.node import DescriptionError

MAGIC = b"\x7fELF"
SECTION = b".ferry_interface"
#: ELF of 64 bits, the lower byte first, as on each machine that Ferry runs on.
_CLASS = b"\x02\x01"
_HEADER_BYTES = 64
_SECTION_BYTES = 64


def description(file: BinaryIO) -> bytes:
    """Return the description in a shared object, which can be read from any place."""
    if not file.seekable():
        raise DescriptionError("", "is a shared object; name its file, since it is not read from a pipe")
    header = _at(file, 0, _HEADER_BYTES)
    if header[4:6] != _CLASS:
        raise DescriptionError("", "is no ELF of 64 bits, little-endian; write its description, or build it here")
    (start,) = struct.unpack_from("<Q", header, 0x28)
    size, count, names = struct.unpack_from("<HHH", header, 0x3A)
    if size != _SECTION_BYTES or names >= count:
        raise _without()
    table = _at(file, start, size * count)
    sections = [struct.unpack_from("<I4xQQQQ", table, size * number) for number in range(count)]
    _, _, _, text_at, text_bytes = sections[names]
    text = _at(file, text_at, text_bytes)
    for name, _, _, offset, length in sections:
        if text[name : name + len(SECTION) + 1] == SECTION + b"\0":
            return _at(file, offset, length)
    raise _without()


def _without() -> DescriptionError:
    return DescriptionError(
        "", "is a shared object without a description in it; give the description that its compiler wrote, a .json"
    )


def _at(file: BinaryIO, offset: int, length: int) -> bytes:
    """Return so many bytes from a place."""
    if offset + length > file.seek(0, 2):
        raise DescriptionError("", "ends early; build the shared object again")
    file.seek(offset)
    return file.read(length)
