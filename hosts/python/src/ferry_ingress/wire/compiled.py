# SPDX-License-Identifier: BSD-3-Clause
r"""Functions that read and write an object in format `cbor`, compiled from its fields as dataclasses compiles methods.

A loop over the fields would take twice as long. The compiled functions read the deterministic form: a short head, the
keys in their order, short texts and sequences. Where the message differs, they leave the value to its codec and the
rest of the object to `rest`, so nothing is read twice. A sequence of objects with an i64 `n` and a text `s` is read by

    for _ in range(count):
        if depth < 32 and data.startswith(b"\xa2\x61n", at):
            (read n, go past b"\x61s" or give up, read s)
            values.append(made); continue
        values.append(rest(reader, left, [v0, v1], seen))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ferry_ingress.wire.cbor import HEADS, Reader, head
from ferry_ingress.wire.codec import Codec
from ferry_ingress.wire.compound import Opt, Seq
from ferry_ingress.wire.error import DEPTH_MAX, DecodeError, deeper
from ferry_ingress.wire.scalar import Bool, Int, Text

#: Arguments below this are in the head's own byte.
_SHORT = 24
_FUNCTIONS = ("put_cbor", "put_all", "get_cbor", "get_all", "made")


class Field:
    """A field of an object: its index among the values, its name and key in the interface, its codec."""

    __slots__ = ("codec", "index", "key", "name", "offset")

    def __init__(self, index: int, name: str, codec: Codec[Any], offset: int) -> None:
        self.index = index
        self.name = name
        self.codec = codec
        self.offset = offset
        data = name.encode()
        self.key = head(3, len(data)) + data

    def get(self, reader: Reader) -> Any:
        """Read the value of an option; null gives None."""
        return None if reader.take_null() else self.codec.get_cbor(reader)

    @property
    def plain(self) -> Codec[Any]:
        """The codec of the value; of an option, the codec of the value inside."""
        return self.codec.item if isinstance(self.codec, Opt) else self.codec


def compiled(
    fields: Sequence[Field], make: Callable[..., Any], names: Sequence[str] | None, rest: Callable[..., Any]
) -> dict[str, Callable[..., Any]]:
    """Return an object's `put_cbor`, `put_all`, `get_cbor`, `get_all` and `made`, which makes one of its values."""
    ordered = sorted(fields, key=lambda field: field.key)
    space: dict[str, Any] = {
        "DecodeError": DecodeError, "deeper": deeper, "head": head, "make": make, "new": object.__new__, "rest": rest,
        "maps": HEADS[5], "texts": HEADS[3], "unsigned": HEADS[0], "whole": Int.head,
    }  # fmt: skip
    before = b"" if _optional(fields) else head(5, len(fields))
    for field in ordered:
        space |= _constants(field, before)
        before = b""
    source = _put_functions(fields, ordered, names) + _get_functions(fields, ordered, names)
    exec("\n".join(source), space)  # the source is made above, from the fields alone
    return {name: space[name] for name in _FUNCTIONS}


def _optional(fields: Sequence[Field]) -> list[Field]:
    return [field for field in fields if not field.codec.is_required]


def _inside(line: str, *lines: str) -> list[str]:
    """Return a line, followed by the others one level deeper."""
    return [line, *(" " + each for each in lines)]


def _constants(field: Field, before: bytes) -> dict[str, Any]:
    """Return the names that the lines of a field use, with their values. `before` is written together with its key."""
    index, codec, key = field.index, field.plain, before + field.key
    found: dict[str, Any] = {f"k{index}": key, f"c{index}": codec, f"get{index}": field.get}
    for kind, major in ((Int, 0), (Text, 3), (Seq, 4)):
        if isinstance(codec, kind):
            found[f"h{index}"] = [key + HEADS[major][value] for value in range(_SHORT)]
    if isinstance(codec, Seq):
        found[f"c{index}"] = codec.item if field.codec.is_required else codec
    return found


# ---- writing --------------------------------------------------------------------------------------------------------


def _put_functions(fields: Sequence[Field], ordered: Sequence[Field], names: Sequence[str] | None) -> list[str]:
    body = _put_body(fields, ordered, names)
    # a field that is a sequence adds a level, which is checked here for all of them
    depth = DEPTH_MAX - any(isinstance(field.codec, Seq) for field in fields)
    return [
        *_inside("def put_cbor(out, value, depth):", f"if depth >= {depth}: deeper({DEPTH_MAX})", "depth += 1", *body),
        *_inside(
            "def put_all(out, values, depth):",
            f"if depth >= {depth} and len(values): deeper({DEPTH_MAX})",
            "depth += 1",
            *_inside("for value in values:", *body),
        ),
    ]


def _put_body(fields: Sequence[Field], ordered: Sequence[Field], names: Sequence[str] | None) -> list[str]:
    if names is None:
        lines = [f"{''.join(f'v{field.index}, ' for field in fields)}= value"]
    else:
        lines = [f"v{field.index} = value.{name}" for field, name in zip(fields, names, strict=True)]
    optional = _optional(fields)
    parts = []
    if optional:
        count = f"{len(fields)}{''.join(f' - (v{field.index} is None)' for field in optional)}"
        parts = [f"maps[{count}]" if len(fields) < len(HEADS[5]) else f"head(5, {count})"]
    for field in ordered:
        first, written, then = _put_field(field)
        if field in optional:
            lines += [
                *_appended(parts),
                *_inside(f"if v{field.index} is not None:", *first, *_appended(written), *then),
            ]
            parts = []
            continue
        lines += first
        parts += written
        if then:
            lines += [*_appended(parts), *then]
            parts = []
    return lines + _appended(parts)


def _appended(parts: list[str]) -> list[str]:
    if not parts:
        return []
    return [f"out.append({parts[0]})"] if len(parts) == 1 else [f"out += ({', '.join(parts)})"]


def _put_field(field: Field) -> tuple[list[str], list[str], list[str]]:
    """Return three things: lines that come first, what is appended (with the key), and lines that append more."""
    codec, k, h, v, n, b = field.plain, *(f"{letter}{field.index}" for letter in "khvnb")
    if isinstance(codec, Text):
        long = f"texts[{n}] if {n} < {len(HEADS[3])} else head(3, {n})"
        return [f"{b} = {v}.encode()", f"{n} = len({b})"], [f"{h}[{n}] if {n} < {_SHORT} else {k} + ({long})", b], []
    if isinstance(codec, Int):
        end = min(codec.most + 1, len(HEADS[0]))
        long = f"unsigned[{v}] if 0 <= {v} < {end} else whole(c{field.index}, {v})"
        return [], [f"{h}[{v}] if 0 <= {v} < {_SHORT} else {k} + ({long})"], []
    if isinstance(codec, Seq) and field.codec.is_required:
        return (
            [f"{n} = len({v})"],
            [f"{h}[{n}] if {n} < {_SHORT} else {k} + head(4, {n})"],
            [f"c{field.index}.put_all(out, {v}, depth + 1)"],
        )
    return [], [k], [f"c{field.index}.put_cbor(out, {v}, depth)"]


# ---- reading --------------------------------------------------------------------------------------------------------


def _get_functions(fields: Sequence[Field], ordered: Sequence[Field], names: Sequence[str] | None) -> list[str]:
    begin = ["data = reader.data", "at = reader.at", "size = len(data)", "depth = reader.depth"]
    values = ", ".join(f"v{field.index}" for field in fields)
    slow = ["reader.at = at", f"made = rest(reader, left, [{values}], seen)"]
    made = _made(fields, names)
    one = _get_body(fields, ordered, [*made, "reader.at = at", "return made"])
    every = _get_body(fields, ordered, [*made, "add(made)", "continue"])
    return [
        *_inside("def made(values):", f"[{values}] = values", *made, "return made"),
        *_inside("def get_cbor(reader):", *begin, *one, *slow, "return made"),
        *_inside(
            "def get_all(reader, count, values):",
            *begin,
            "add = values.append",
            *_inside("try:", *_inside("for _ in range(count):", *every, *slow, "add(made)", "at = reader.at")),
            "except DecodeError as error: raise error.inside(f'[{len(values)}]') from None",
            "reader.at = at",
        ),
    ]


def _made(fields: Sequence[Field], names: Sequence[str] | None) -> list[str]:
    """Return the lines that make the object. They do what the `__init__` of its class, a dataclass, would do."""
    if names is None:
        return [f"made = ({''.join(f'v{field.index}, ' for field in fields)})"]
    stores = [f"made.{name} = v{field.index}" for field, name in zip(fields, names, strict=True)]
    return ["made = new(make)", *stores]


def _get_body(fields: Sequence[Field], ordered: Sequence[Field], done: list[str]) -> list[str]:
    """Return lines that read an object and go on with `done`. If they cannot, the lines after them read the rest."""
    exact = not _optional(fields)
    # the depth has to be counted only where values may nest
    counts = not exact or any(field.codec.is_nested for field in fields)
    below = ["reader.depth = depth + 1"]
    read = _exact_lines(ordered) if exact else _any_lines(ordered)
    required = [f"v{field.index} is not None" for field in fields if field.codec.is_required]
    return [
        f"{''.join(f'v{field.index} = ' for field in fields)}None",
        "left = -1",
        "seen = 0",
        *_inside(
            "try:",
            *_inside(
                _exact_head(ordered) if exact else f"if depth < {DEPTH_MAX} and at < size and 0xa0 <= data[at] < 0xb8:",
                *(below if counts else []),
                *read,
                *_inside(
                    f"if {' and '.join(['not left', *required])}:",
                    *(["reader.depth = depth"] if counts else []),
                    *done,
                ),
                *([] if counts else below),
            ),
        ),
        "except DecodeError as error: raise error.inside(name) from None",
        "except UnicodeDecodeError: raise DecodeError('invalid UTF-8').inside(name) from None",
        "except IndexError: raise DecodeError('ends early').inside(name) from None",
    ]


def _exact_head(ordered: Sequence[Field]) -> str:
    """Return the condition that begins an object without options: one comparison covers its head and its first key."""
    return f"if depth < {DEPTH_MAX} and data.startswith(k{ordered[0].index}, at):"


def _exact_lines(ordered: Sequence[Field]) -> list[str]:
    """Return lines that read all fields of an object without options. Where one differs, `left` and `seen` are set."""
    count = len(ordered)
    lines = [f"at += {len(head(5, count) + ordered[0].key)}"]
    seen = 0
    for place, field in enumerate(ordered):
        if place:
            given_up = (f"left = {count - place}", f"seen = {seen}", "break")
            lines += [*_inside(f"if not data.startswith(k{field.index}, at):", *given_up), f"at += {len(field.key)}"]
        lines += [f"name = {field.name!r}", *_get_field(field)]
        seen |= 1 << field.index
    return _inside("while True:", *lines, "left = 0", f"seen = {seen}", "break")


def _any_lines(ordered: Sequence[Field]) -> list[str]:
    """Return the lines that read an object that may have fewer keys than fields."""
    lines = ["left = data[at] & 31", "at += 1"]
    for field in ordered:
        lines += _inside(
            f"if left and data.startswith(k{field.index}, at):",
            "left -= 1",
            f"seen |= {1 << field.index}",
            f"name = {field.name!r}",
            f"at += {len(field.key)}",
            *_get_field(field),
        )
    return lines


def _get_field(field: Field) -> list[str]:
    """Return the lines that read the value at `at` and go past it. When bytes are missing they raise IndexError."""
    codec, c, v = field.plain, f"c{field.index}", f"v{field.index}"
    slow = _inside("else:", "reader.at = at", f"{v} = get{field.index}(reader)", "at = reader.at")
    early = "if end > size: raise DecodeError('ends early')"
    if isinstance(codec, Text):
        return [
            *_inside(f"if -1 < (n := data[at] - 0x60) < {_SHORT}:", "at += 1", "end = at + n", early),
            *_inside(f"elif n == {_SHORT}:", "at += 2", "end = at + data[at - 1]", early),
            *_inside("else:", "end = 0"),
            *_inside("if end:", f"{v} = data[at:end].decode()", "at = end"),
            *slow,
        ]
    if isinstance(codec, Int):
        most = codec.most
        return [
            *_inside(f"if (n := data[at]) < {_SHORT}:", f"{v} = n", "at += 1"),
            *_inside(f"elif n == 24 and data[at + 1] <= {most}:", f"{v} = data[at + 1]", "at += 2"),
            *(_inside("elif n == 25:", f"{v} = data[at + 1] << 8 | data[at + 2]", "at += 3") if most >= 65535 else []),
            *slow,
        ]
    if isinstance(codec, Seq) and field.codec.is_required:
        return [
            *_inside(
                f"if -1 < (n := data[at] - 0x80) < {_SHORT} and n * {codec.item.least} < size - at"
                f" and depth < {DEPTH_MAX - 1}:",
                f"{v} = []",
                "reader.at = at + 1",
                "reader.depth = depth + 2",
                f"{c}.get_all(reader, n, {v})",
                "reader.depth = depth + 1",
                "at = reader.at",
            ),
            *slow,
        ]
    if isinstance(codec, Bool):
        return [*_inside("if 0xf4 <= (n := data[at]) <= 0xf5:", f"{v} = n == 0xf5", "at += 1"), *slow]
    # for a value that is neither a tag nor null
    direct = ("reader.at = at", f"{v} = {c}.get_cbor(reader)", "at = reader.at")
    return [*_inside("if not 0xc0 <= data[at] < 0xf7:", *direct), *slow]
