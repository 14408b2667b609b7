# SPDX-License-Identifier: BSD-3-Clause
"""Skipping unknown items of format `cbor` (W3, W7), as quickly as pure Python allows.

A message may consist of unknown items alone, one for each byte, so the work for each item counts. Runs of items of one
byte are matched by one expression. Other items without parts, and small containers of these, are matched in blocks.
After a block that matches, the next is four times as large; after one that does not, a quarter as large. So the bytes
that are matched in vain are at most four times those that are skipped. The loop itself skips heads of containers whose
parts have parts, and short texts that are not ASCII. All other items, and all errors, are left to `_item`, which goes
one head at a time.

Nothing here recurses, and no expression backtracks: each group is atomic, and each group is repeated a fixed number of
times or at most `_RUN_MAX` times. (A possessive `(?:…)*+` of alternatives is no way out: CPython 3.11.2 ends it within
the alternative that failed.)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final

from ferry_ingress.wire.error import DEPTH_MAX, DecodeError

#: Blocks have from 1 to 1 << this many items, by powers of four.
_BLOCK_BITS_MAX: Final = 10
_BLOCK_BITS_STEP: Final = 2
#: Expressions of blocks take a tenth of a second to compile, so short messages do without: for items, for pairs.
_BLOCKS_BYTES_LEAST: Final = 4096
_PAIRS_BYTES_LEAST: Final = 1 << 16
#: Expressions of pairs that are kept: one for each size of block and each object that unknown keys came in.
_PAIRS_MAX: Final = 256
#: Containers of at most this many items, or pairs, are matched whole.
_ITEMS_MAX: Final = 4
#: Texts and bytes below this have their length in their head's own byte.
_SHORT: Final = 24
_BREAK: Final = 0xFF

#: What is left of an array of indefinite length, and of a map: a key or the break has to come, or a value.
_ARRAY: Final = -1
_KEY: Final = -2
_VALUE: Final = -3

#: Items that are one byte: small integers, empty strings, and simple values. Empty containers are one byte too, and a
#: level.
_ONE_BYTE: Final = rb"\x00-\x17\x20-\x37\x40\x60\xe0-\xf7"
#: Tags, chunks, and items of a container of indefinite length, that one expression matches at most.
_RUN_MAX: Final = 64
_TAG: Final = rb"(?>(?:[\xc0-\xd7]|\xd8.|\xd9..|\xda.{4}|\xdb.{8}){1,%d})" % _RUN_MAX
_singles = re.compile(rb"[" + _ONE_BYTE + rb"]++").match
_or_empty = re.compile(rb"[" + _ONE_BYTE + rb"\x80\xa0]++").match
_tags = re.compile(_TAG, re.DOTALL).match

#: What a first byte begins: an item of one byte, a small array or map, a short string, an item that blocks match.
_OTHER, _ONE, _CONTAINER, _STRING, _BLOCK = range(5)


def _kind(first: int) -> int:
    major, info = first >> 5, first & 31
    if major in (4, 5):
        # the head says how many items or pairs the container has: `info`, or an indefinite number
        return _ONE if not info else _CONTAINER if info < _SHORT or info == 31 else _OTHER
    if re.match(rb"[" + _ONE_BYTE + rb"]", bytes([first])):
        return _ONE
    if major in (2, 3):
        return _STRING if info < _SHORT else _OTHER
    return _BLOCK if info < 28 else _OTHER


_KINDS: Final = [_kind(first) for first in range(256)]
#: What is left of a container with this head.
_INSIDE: Final = [
    (_ARRAY if first >> 5 == 4 else _KEY) if first & 31 == 31 else (first & 31) * ((first >> 5) - 3)
    for first in range(256)
]


def _byte(value: int) -> bytes:
    return rb"\x%02x" % value


@cache
def _leaf() -> bytes:
    """Return the expression of an item without parts. It matches texts of ASCII only: others have to be decoded."""
    numbers = [rb"[" + _ONE_BYTE + rb"]", rb"[\x18\x38].", rb"[\x19\x39\xf9]..", rb"\xf8[\x20-\xff]"]
    numbers += [rb"[\x1a\x3a\xfa].{4}", rb"[\x1b\x3b\xfb].{8}"]
    texts = [_byte(0x60 + count) + rb"[\x00-\x7f]{%d}+" % count for count in range(1, _SHORT)]
    strings = [_byte(0x40 + count) + rb".{%d}+" % count for count in range(1, _SHORT)]
    return b"(?:" + b"|".join(numbers + texts + strings) + b")"


def _items(nested: bool) -> bytes:
    """Return the expression of an item in a block. With `nested` it may be a small container, one level deeper."""
    leaf = _leaf()
    kinds = [leaf]
    if nested:
        run = rb"){0,%d})\xff" % _RUN_MAX
        kinds += [rb"[\x80\xa0]", rb"\x9f(?>(?:" + leaf + run, rb"\xbf(?>(?:" + leaf + leaf + run]
        for count in range(1, _ITEMS_MAX + 1):
            kinds.append(_byte(0x80 + count) + leaf + rb"{%d}+" % count)
            kinds.append(_byte(0xA0 + count) + leaf + rb"{%d}+" % (2 * count))
    kinds.append(_TAG + leaf)
    return b"(?>" + b"|".join(kinds) + b")"


@cache
def _block(bits: int, nested: bool) -> Callable[[bytes, int], re.Match[bytes] | None]:
    """Return the matcher of a block of 1 << bits items."""
    return re.compile(_items(nested) + rb"{%d}+" % (1 << bits), re.DOTALL).match


@lru_cache(_PAIRS_MAX)
def _pairs(known: tuple[bytes, ...], bits: int, nested: bool) -> Callable[[bytes, int], re.Match[bytes] | None]:
    """Return the matcher of a block of 1 << bits pairs with keys that are not among `known`."""
    other = b"(?!" + b"|".join(map(re.escape, known)) + b")" if known else b""
    pair = b"(?>" + other + _leaf() + _items(nested) + b")"
    return re.compile(pair + rb"{%d}+" % (1 << bits), re.DOTALL).match


def skip_pairs(data: bytes, at: int, left: int, depth: int, known: tuple[bytes, ...]) -> tuple[int, int]:
    """Skip the pairs that can be skipped in blocks; return where they end, and how many are left (-1: any number).

    Skipping stops before a key of `known`, a tuple of shortest encodings. A block matches no other encoding of a key.
    """
    bits = 0
    if len(data) - at < _PAIRS_BYTES_LEAST:
        return at, left
    while left < 0 or left >= 1 << bits:
        found = _pairs(known, bits, depth < DEPTH_MAX)(data, at)
        if not found:
            break
        at = found.end()
        left -= 1 << bits if left > 0 else 0
        bits = min(bits + _BLOCK_BITS_STEP, _BLOCK_BITS_MAX)
    return at, left


def _after(left: int, count: int) -> int:
    """Return how many items are left when `count` more were skipped."""
    if left > 0:
        return left - count
    return left if left == _ARRAY or not count & 1 else _KEY + _VALUE - left


def skip(data: bytes, at: int, depth: int) -> int:
    """Return where the item at `at` ends. It has to be well-formed, with texts in UTF-8; `depth` levels are open."""
    size = len(data)
    by_blocks = size - at >= _BLOCKS_BYTES_LEAST
    around: list[int] = []
    #: How deep the last container was that was begun, and whether one has ended since that had none within.
    last, is_flat = 0, False
    left = 1
    bits = 0
    while True:
        if not left:
            if not around:
                return at
            is_flat = len(around) == last
            left = around.pop()
            continue
        if at >= size:
            raise DecodeError("ends early")
        first = data[at]
        kind = _KINDS[first]
        if kind == _CONTAINER and not (is_flat and by_blocks):
            if len(around) + depth >= DEPTH_MAX:
                raise DecodeError("nested too deep")
            at += 1
            inside = _INSIDE[first]
            if inside > size - at:
                raise DecodeError("ends early")
            around.append(_after(left, 1))
            last, left = len(around), inside
            continue
        is_nested = len(around) + depth < DEPTH_MAX
        if kind == _ONE:
            found = (_or_empty if is_nested else _singles)(data, at, size if left < 0 else at + left)
            if not found:
                raise DecodeError("nested too deep")
            left, at = _after(left, found.end() - at), found.end()
            continue
        if by_blocks and kind >= _CONTAINER and (not bits or left < 0 or left >= 1 << bits):
            found = _block(bits, is_nested)(data, at)
            if found:
                at, left = found.end(), _after(left, 1 << bits)
                bits = min(bits + _BLOCK_BITS_STEP, _BLOCK_BITS_MAX)
                continue
        if bits:
            bits -= _BLOCK_BITS_STEP
        elif first == _BREAK and left in (_ARRAY, _KEY):
            at += 1
            left = 0
        elif kind == _STRING:
            at = _string(data, at + 1, first >> 5, first & 31)
            left = _after(left, 1)
        elif kind == _CONTAINER:
            is_flat = False
        else:
            at, inside = _item(data, at, len(around) + depth)
            left = _after(left, 1)
            if inside:
                around.append(left)
                last, left = len(around), inside


def _item(data: bytes, at: int, level: int) -> tuple[int, int]:
    """Go past one item. Of an array or a map, go past its head only, and return which items have to follow."""
    size = len(data)
    while tags := _tags(data, at):
        at = tags.end()
    if at >= size:
        raise DecodeError("ends early")
    first = data[at]
    major, info = first >> 5, first & 31
    at, value = _argument(data, at + 1, major, info)
    if major in (2, 3):
        return (_chunks(data, at, major) if info == 31 else _string(data, at, major, value)), 0
    if major in (4, 5):
        if level >= DEPTH_MAX:
            raise DecodeError("nested too deep")
        if info == 31:
            return at, _ARRAY if major == 4 else _KEY
        if value > (size - at) // (major - 3):
            raise DecodeError("ends early")
        return at, value * (major - 3)
    return at, 0


def _argument(data: bytes, at: int, major: int, info: int) -> tuple[int, int]:
    """Return where an argument ends, and its value."""
    if info < 24:
        return at, info
    if info < 28:
        end = at + (1 << (info - 24))
        if end > len(data):
            raise DecodeError("ends early")
        value = int.from_bytes(data[at:end], "big")
        if (major, info) == (7, 24) and value < 32:
            raise DecodeError("malformed")
        return end, value
    if info == 31 and 2 <= major <= 5:
        return at, 0
    raise DecodeError("malformed")


def _string(data: bytes, at: int, major: int, count: int) -> int:
    end = at + count
    if end > len(data):
        raise DecodeError("ends early")
    if major == 3:
        try:
            data[at:end].decode()
        except UnicodeDecodeError:
            raise DecodeError("invalid UTF-8") from None
    return end


@cache
def _short_chunks(major: int) -> re.Pattern[bytes]:
    """Return the expression of chunks whose heads contain their lengths; those of a text have to be ASCII."""
    each = rb"." if major == 2 else rb"[\x00-\x7f]"
    head = 0x40 if major == 2 else 0x60
    kinds = [_byte(head + count) + (each + rb"{%d}+" % count if count else b"") for count in range(_SHORT)]
    return re.compile(b"(?>(?:" + b"|".join(kinds) + rb"){1,%d})" % _RUN_MAX, re.DOTALL)


def _chunks(data: bytes, at: int, major: int) -> int:
    """Go past the chunks of an indefinite text or bytes."""
    short = _short_chunks(major).match
    while True:
        while run := short(data, at):
            at = run.end()
        if at >= len(data):
            raise DecodeError("ends early")
        first = data[at]
        if first == _BREAK:
            return at + 1
        found, info = first >> 5, first & 31
        at, count = _argument(data, at + 1, found, info)
        if found != major or info == 31:
            raise DecodeError("malformed")
        at = _string(data, at, major, count)
