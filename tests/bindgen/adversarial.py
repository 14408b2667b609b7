# SPDX-License-Identifier: BSD-3-Clause
"""Interfaces whose names are the worst that the rules allow (I3): those a host language, a library or a template has.

`interface` makes one from a random generator; `crowded` one that has every name of the tables at once, in every place.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable
from itertools import cycle
from typing import Any

from ferry.bindgen import names, node, reader, reserved, streams
from ferry.bindgen.hash import interface_hash
from ferry.bindgen.model import Interface

#: What templates make of names, so that one name is made of another.
MADE = """
    a a_b ab b_a x x_events on_x on_x_events post_x take_x x_event x_listener x_call x_reply x_submit x_post
    x_take x_known x_reply_free x_event_free x_params x_pair try_x x_future x_async x_add x_id x_tag x_closer
    x_encode_c x_decode_cbor x_borrow_c seq_x option_x map_x_x map_string_x seq_option_x version interface_hash
    wire h c_h cbor_h types_h e_none none e check submit post take free close open drop clone create destroy
    echo init iter next str repr len eq hash new del enter exit aenter aexit await_ fmt from into as_ref default
    eof null stdin errno major minor unix linux i386 main self this super crate true false nil token answer call
    reader writer value values present items count key done user notify status message data memory error reply
    buffer room whole bound at seen members number result more left names field fields tuple object string text
    bytes vec box option context options library event events string_view uint8_t size_t int64_t std ferry
    ingress detail instance link id release reset get_all builtins annotations dataclass name mro _ int float
    bool list dict set types wire_ aio blocking n0 n1 i8 u64 f32 half_moon a1 a1b a_1_b http2
"""
SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
CAMEL = re.compile(r"[A-Z][A-Za-z0-9]*")
#: Tables whose words are names of every kind; of the large ones, samples.
TABLES = [value for key, value in sorted(vars(reserved).items()) if isinstance(value, frozenset) and key != "LIBRARIES"]
WORDS = sorted({word for table in TABLES for word in table} | set(MADE.split()))
SNAKES = sorted({word.lower() for word in WORDS if SNAKE.fullmatch(word.lower())})
CAMELS = sorted(
    {word for word in WORDS if CAMEL.fullmatch(word)} | {names.pascal(word) for word in SNAKES if SNAKE.fullmatch(word)}
)
#: Names of a library: few, since a test compiles one at a time.
LIBRARIES = [word for word in SNAKES if word not in reserved.LIBRARIES]
MADE_SNAKES = [word for word in MADE.split() if SNAKE.fullmatch(word)]
#: What generated files have of their own, in every language: every interface that is crowded has all of these.
OWN = sorted({
    names.snake(word)
    for table in (
        reserved.C_LOCALS, reserved.C_FUNCTIONS, reserved.C_OWN_MACROS, reserved.CPP_NAMESPACE, reserved.CPP_TYPES,
        reserved.CPP_MEMBERS, reserved.CPP_HANDLE_MEMBERS, reserved.CPP_LOCALS, reserved.CPP_CONSTANTS,
        reserved.RUST_TYPES, reserved.RUST_CONSTANTS, reserved.RUST_FUNCTIONS, reserved.RUST_LOCALS,
        reserved.PYTHON_TYPES, reserved.PYTHON_FIELDS, reserved.PYTHON_METHODS, reserved.PYTHON_ANNOTATIONS,
        reserved.PYTHON_LOCALS,
    )
    for word in table
})  # fmt: skip


def parsed(description: dict[str, Any]) -> Interface:
    """The interface of a description without its hash."""
    description["hash"] = interface_hash(description)
    return reader.parse(json.dumps(description).encode())


class Namer:
    """Gives out names of one list, which differ in more than case and `_`."""

    def __init__(self, pick: Callable[[], str]) -> None:
        self._pick = pick
        self._seen: set[str] = set()

    def __call__(self) -> str:
        while True:
            name = self._pick()
            plain = name.replace("_", "").lower()
            if plain not in self._seen and len(name) <= node.NAME_BYTES_MAX:
                self._seen.add(plain)
                return name

    def refuse(self, taken: Iterable[str]) -> None:
        """Give out none of these."""
        self._seen.update(name.replace("_", "").lower() for name in taken)


def _snake(r: random.Random) -> str:
    kind = r.randrange(10)
    if kind < 4:
        return r.choice(MADE_SNAKES)
    if kind < 8:
        return r.choice(SNAKES)
    if kind == 8:
        return f"{r.choice(MADE_SNAKES)}_{r.choice(MADE_SNAKES)}"
    return "".join(r.choice("abexz019") for _ in range(r.randrange(1, 6))).lstrip("019") or "q"


def _camel(r: random.Random) -> str:
    return r.choice(CAMELS) if r.random() < 0.6 else names.pascal(_snake(r)) or "Q"


def _type(r: random.Random, declared: list[dict[str, Any]], levels: int = 2) -> Any:
    if levels and r.random() < 0.4:
        inner = _type(r, declared, levels - 1)
        kind = r.randrange(3)
        if kind == 0 and not (isinstance(inner, dict) and "option" in inner):
            return {"option": inner}
        return {"seq": inner} if kind == 1 else {"map": [r.choice(("string", "u8", "i64")), inner]}
    if declared and r.random() < 0.6:
        chosen = r.choice(declared)
        return {chosen["kind"]: chosen["name"]}
    return r.choice(("bool", "i8", "u16", "i32", "u64", "f32", "f64", "string", "bytes"))


def _error(r: random.Random, declared: list[dict[str, Any]]) -> dict[str, Any]:
    """What a method has that declares an error, now and then."""
    found = [entry for entry in declared if entry["kind"] != "handle"]
    if not found or r.random() < 0.6:
        return {}
    chosen = r.choice(found)
    return {"error": {chosen["kind"]: chosen["name"]}}


def _result(r: random.Random, kind: str, declared: list[dict[str, Any]]) -> dict[str, Any]:
    """What a method returns, or yields."""
    if kind == "method" and r.random() < 0.3:
        variants = [{"variant": each["name"]} for each in declared if each["kind"] == "variant"]
        return {"returns": None, "yields": r.choice(variants) if variants and r.random() < 0.5 else _type(r, declared)}
    return {"returns": _type(r, declared) if kind in ("method", "static") and r.random() < 0.7 else None}


def _method(r: random.Random, name: str, kind: str, declared: list[dict[str, Any]]) -> dict[str, Any]:
    """A method; one that yields has no parameter that the reader refuses there."""
    made: dict[str, Any] = {
        "name": name,
        "kind": kind,
        "params": [] if kind == "destructor" else _fields(r, r.randrange(5), declared),
        **({} if kind == "destructor" else _error(r, declared)),
        **_result(r, kind, declared),
    }
    if "yields" in made:
        made["params"] = [field for field in made["params"] if field["name"].replace("_", "") != streams.CREDITS]
    return made


def _fields(r: random.Random, count: int, declared: list[dict[str, Any]]) -> list[dict[str, Any]]:
    name = Namer(lambda: _snake(r))
    return [{"name": name(), "type": _type(r, declared)} for _ in range(count)]


def _cases(r: random.Random, carried: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Cases of a variant, the first of which carries something."""
    name = Namer(lambda: _snake(r))
    found = []
    for number in range(r.randrange(1, 6)):
        chosen = r.choice(carried)
        is_empty = number > 0 and r.random() < 0.3
        found.append({"name": name(), "type": None if is_empty else {chosen["kind"]: chosen["name"]}})
    return found


DEFAULTS = {
    "bool": (True, False), "i8": (-128, 7), "u16": (0, 65535), "i32": (-(1 << 31), 5), "u64": ((1 << 64) - 1, 1),
    "f32": ("0.5", "nan", "-inf"), "f64": ("-0.0", "1e300", "inf"), "string": ("", 'a "b" \\ ?\n%{}', "wörld\0x*/"),
}  # fmt: skip


#: Of the types that the words of `crowded` have as fields.
DEFAULTS_OF_WORDS = {"u8": 1, "string": "x", "bool": True, "f64": "inf"}


def _asks(
    r: random.Random, name: Namer, taken: Iterable[str], types: Iterable[str], declared: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Questions whose own names meet none that is taken."""
    used = {each.replace("_", "").lower() for each in (*taken, *types)}
    found = []
    for _ in range(r.randrange(3)):
        ask = name()
        plain = ask.replace("_", "").lower()
        if any(f"{plain}{end}" in used for end in ASK_ENDS):
            continue
        used.update(f"{plain}{end}" for end in ASK_ENDS)
        params = [field for field in _fields(r, r.randrange(5), declared) if field["name"] != "question"]
        returns = _type(r, declared) if r.random() < 0.7 else None
        found.append({"name": ask, "params": params, "returns": returns, **_error(r, declared)})
    return found


#: What comes behind a question's name in the names that come with it, and in those of the parameters of its methods.
ASK_ENDS = ("question", "asked", "return", "raise", "fail", "returnparams", "raiseparams", "failparams")


def _with_defaults(r: random.Random, fields: list[dict[str, Any]], declared: list[dict[str, Any]]) -> None:
    """Give defaults to half of the fields that may have one."""
    values = {entry["name"]: [value["name"] for value in entry["values"]] for entry in declared if "values" in entry}
    for field in fields:
        kind = field["type"]
        found = DEFAULTS.get(kind) if isinstance(kind, str) else values.get(kind.get("enum"))
        if found and r.random() < 0.5:
            field["default"] = r.choice(found)


def interface(r: random.Random, library: str | None = None) -> Interface:
    """An interface of random adversarial names."""
    method_name, type_name = Namer(lambda: _snake(r)), Namer(lambda: _camel(r))
    methods = [method_name() for _ in range(r.randrange(4, 12))]
    type_name.refuse(f"{name}_params" for name in methods)
    declared: list[dict[str, Any]] = []
    for _ in range(r.randrange(2, 8)):
        carried = [each for each in declared if each["kind"] in ("object", "variant")]
        kind = r.choice(("enum", "object", "handle", *(("variant",) if carried else ())))
        entry: dict[str, Any] = {"kind": kind, "name": type_name()}
        if kind == "enum":
            value = Namer(lambda: _snake(r))
            entry["values"] = [{"name": value(), "value": number - 1} for number in range(r.randrange(1, 6))]
        if kind == "object":
            entry["fields"] = _fields(r, r.randrange(1, 7), declared)
            _with_defaults(r, entry["fields"], declared)
        if kind == "variant":
            entry["cases"] = _cases(r, carried)
        declared.append(entry)
    kinds = ["constructor", "destructor", *r.choices(("method", "static"), (3, 1), k=len(methods) - 2)]
    event_name = Namer(lambda: r.choice(methods) if r.random() < 0.3 else _snake(r))
    constant_name = Namer(lambda: _snake(r))
    events = [
        {
            "name": event_name(),
            "type": _type(r, declared) if r.random() < 0.7 else None,
            "overflow": "coalesce",
            "depth": 0,
        }
        for _ in range(r.randrange(4))
    ]
    return parsed(
        {
            "ferry_interface": 1,
            "library": {"name": library or r.choice(LIBRARIES), "version": "1.0.0"},
            "constants": [
                {"name": constant_name(), "type": kind, "value": value}
                for kind, value in (("u8", 1), ("string", "x"), ("f64", "0.5"), ("bool", True), ("i64", -1))
            ],
            "types": declared,
            "methods": [_method(r, name, kind, declared) for name, kind in zip(methods, kinds, strict=True)],
            "events": events,
            "asks": _asks(r, event_name, methods, [entry["name"] for entry in declared], declared),
        }
    )


def _given(field: dict[str, Any]) -> dict[str, Any]:
    """A field with a default, but for every third one."""
    return field if len(field["name"]) % 3 == 0 else field | {"default": DEFAULTS_OF_WORDS[field["type"]]}


#: How many words a method, a question or a variant of a crowded interface has. A compiler's time for a variant grows
#: with the square of its cases: one with all words took g++ half a minute.
TOGETHER = 20


def _of_words(words: list[str], fields: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Types with all words as fields, without defaults and with them, and variants that have them as cases."""
    cases = [{"name": name, "type": {"object": "AllWords"} if i % 2 == 0 else None} for i, name in enumerate(words)]
    return [
        {"kind": "object", "name": "AllWords", "fields": fields},
        {"kind": "object", "name": "AllDefaults", "fields": [*map(_given, fields)]},
        *(
            {"kind": "variant", "name": f"Cases{i}", "cases": cases[i : i + TOGETHER]}
            for i in range(0, len(cases), TOGETHER)
        ),
    ]


def _flows(declared: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A method that yields and is given a handle alone, where there is a kind of handles."""
    held = [{"name": "held", "type": {"handle": each["name"]}} for each in declared if each["kind"] == "handle"]
    return (
        [{"name": "words_flow", "kind": "method", "params": held[:1], "returns": None, "yields": "u8"}] if held else []
    )


def crowded(library: str, words: list[str]) -> Interface:
    """An interface that has each of these words in every place: as a constant, a field, a type, a method, an event …"""
    snakes = Namer(iter([*(word for word in words if SNAKE.fullmatch(word)), "end_of_words"]).__next__)
    found: list[str] = []
    while not found or found[-1] != "end_of_words":
        found.append(snakes())
    found.pop()
    params = {f"{name}_params".replace("_", "") for name in found}
    camels = {names.pascal(name).lower(): names.pascal(name) for name in found if CAMEL.fullmatch(names.pascal(name))}
    types = [camel for plain, camel in camels.items() if plain not in params and plain != "everything"]
    plain = [
        {"name": name, "type": kind} for name, kind in zip(found, cycle(("u8", "string", "bool", "f64")), strict=False)
    ]
    declared: list[dict[str, Any]] = [
        {"kind": "enum", "name": "Everything", "values": [{"name": name, "value": i} for i, name in enumerate(found)]}
    ]
    for number, name in enumerate(types):
        kind = ("enum", "handle", "object")[number % 3]
        more: dict[str, dict[str, Any]] = {
            "enum": {"values": [{"name": "only", "value": 0}]},
            "object": {"fields": [{"name": "only", "type": "u8"}]},
        }
        declared.append({"kind": kind, "name": name, **more.get(kind, {})})
    methods: list[dict[str, Any]] = [
        {
            "name": name,
            "kind": "static" if i % 5 == 4 else "method",
            "params": [],
            "returns": ("bytes", "i64", None)[i % 3],
            **({"error": {"enum": "Everything"}} if i % 4 == 3 else {}),
        }
        for i, name in enumerate(found)
    ]
    several = [
        {
            "name": f"words{i}",
            "kind": "method",
            "params": [*plain[i : i + TOGETHER], {"name": f"words{i}_given", "type": {"variant": f"Cases{i}"}}],
            "returns": {"variant": f"Cases{i}"},
            "error": {"object": "AllWords"} if i % (2 * TOGETHER) == 0 else {"variant": f"Cases{i}"},
        }
        for i in range(0, len(plain), TOGETHER)
    ]
    ends = [
        {"name": "construct_words", "kind": "constructor", "params": plain[:TOGETHER], "returns": None},
        {"name": "end_words", "kind": "destructor", "params": [], "returns": None},
    ]
    return parsed(
        {
            "ferry_interface": 1,
            "library": {"name": library, "version": "1.0.0"},
            "constants": [{"name": name, "type": "u8", "value": 1} for name in found],
            "types": [*declared, *_of_words(found, plain)],
            "methods": [*ends, *methods, *several, *_flows(declared)],
            "events": [{"name": name, "type": None, "overflow": "coalesce", "depth": 0} for name in found],
            "asks": [
                {
                    "name": f"words{i}_asked",
                    "params": [field for field in plain[i : i + TOGETHER] if field["name"] != "question"],
                    "returns": ("bytes", "i64", None)[i % 3],
                    **({"error": {"enum": "Everything"}} if i % 4 == 0 else {}),
                }
                for i in range(0, len(plain), TOGETHER)
            ],
        }
    )
