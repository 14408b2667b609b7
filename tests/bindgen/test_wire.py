# SPDX-License-Identifier: BSD-3-Clause
"""The codecs that `ferry bindgen` writes for C: the vectors, random values beside two other encoders, and any bytes."""

import math
import random
import re
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import cbor2
import pytest
from bindgen import wire_model, wire_values
from bindgen.wire_vectors import ROOTS, TYPES, VECTORS, wrong
from ferry.bindgen import layout
from ferry.bindgen.model import FLOATS, EnumRef, HandleRef, ObjectRef, Option, Scalar, Type
from hypothesis import given, settings
from hypothesis import strategies as st
from native import builds, native_environment
from paths import BUILD, ROOT

RULES = re.findall(r"^\*\*(I8|[WV]\d+)", (ROOT / "spec" / "interface.md").read_text(), re.M)
#: Rules that no single message can show.
NOT_SHOWN = {"V2"}


def transcode(lines: list[str], build: Path = BUILD, program: str = "transcode") -> list[str]:
    """Run a transcoder on lines `METHOD FORMAT HEX`."""
    done = subprocess.run(
        [str(build / "tests" / program)],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=600,
        env=native_environment(),
    )
    assert done.returncode == 0, done.stderr
    answers = done.stdout.splitlines()
    assert len(answers) == len(lines)
    return answers


def ok(name: str, value: Any) -> str:
    type_ = ROOTS[name]
    cbor, c = wire_model.cbor(TYPES, type_, value).hex(), wire_model.c(TYPES, type_, value).hex()
    return f"ok {cbor or '-'} {c or '-'}"


def test_a_byte_that_is_not_utf8_is_found_wherever_it_lies() -> None:
    """The bytes of a text are looked at in several widths, by its length."""
    lines, expected = [], []
    for count in range(1, 50):
        for place in range(count):
            for byte, text in (
                (0xFF, "error invalid UTF-8"),
                (0x41, ok("a_string", "a" * place + "A" + "a" * (count - place - 1))),
            ):
                data = bytearray(b"a" * count)
                data[place] = byte
                lines.append(
                    f"a_string c {(8).to_bytes(4, 'little').hex()}{count.to_bytes(4, 'little').hex()}{data.hex()}00"
                )
                expected.append(text)
    assert transcode(lines) == expected


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_vector(rule: str) -> None:
    assert rule in NOT_SHOWN or any(rule in vector["rules"] for vector in VECTORS)


def test_every_vector_names_rules_and_types_that_exist() -> None:
    assert {rule for vector in VECTORS for rule in vector["rules"]} <= set(RULES)
    assert {vector["type"] for vector in VECTORS} == set(ROOTS)


def test_the_vectors_are_what_the_model_encodes() -> None:
    others = [v for v in VECTORS if "error" not in v and f"ok {v['cbor']} {v['c']}" != ok(v["type"], v["value"])]
    assert others == []


@pytest.mark.parametrize("build", ["plain", "address"])
def test_the_c_codecs_run_the_vectors(build: str) -> None:
    assert wrong(partial(transcode, build=builds()[build])) == []


@pytest.mark.parametrize("build", ["plain", "address"])
def test_the_cpp_codecs_run_the_vectors(build: str) -> None:
    assert wrong(partial(transcode, build=builds()[build], program="transcode-cpp")) == []


def test_the_reasons_are_those_of_the_specification() -> None:
    table = (ROOT / "spec" / "interface.md").read_text()
    reasons = set(re.findall(r"^\| `([^`]+)` \|", table, re.M))
    seen = {vector["error"].rsplit(": ", 1)[-1] for vector in VECTORS if "error" in vector}
    assert seen == reasons


def scalars(type_: Scalar) -> st.SearchStrategy[Any]:
    if type_.name == "bool":
        return st.booleans()
    if type_.name in FLOATS:
        width = FLOATS[type_.name]
        plain = st.floats(width=32 if width == 32 else 64, allow_nan=False) | st.floats(width=16, allow_nan=False)
        return plain | st.just("nan")
    if type_.name == "string":
        return st.text(max_size=40) | st.text("ab\0é", max_size=300)
    if type_.name == "bytes":
        return st.binary(max_size=40).map(bytes.hex)
    least, most = wire_model.limits(type_.name)
    return st.integers(least, most) | st.sampled_from([least, most, 0, min(most, 23), min(most, 24), max(least, -1)])


MESSAGES = wire_values.messages(TYPES, scalars)


@settings(max_examples=12, deadline=None)
@given(st.lists(MESSAGES, min_size=20, max_size=40))
def test_random_values_are_encoded_as_the_model_does(messages: list[tuple[str, Any]]) -> None:
    lines, expected = [], []
    for name, value in messages:
        expected += [ok(name, value)] * 3
        _, cbor, c = expected[-1].split()
        other = cbor2.dumps(wire_model.general(TYPES, ROOTS[name], value)).hex()
        lines += [f"{name} cbor {cbor}", f"{name} c {c}", f"{name} cbor {other}"]
    assert transcode(lines) == expected


def alike(left: Any, right: Any) -> bool:
    """Equality in which NaN is NaN and the zeros differ."""
    if isinstance(left, float) and isinstance(right, float):
        return (math.isnan(left) and math.isnan(right)) or (left == right and str(left) == str(right))
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(alike, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(alike(left[key], right[key]) for key in left)
    return type(left) is type(right) and bool(left == right)


@settings(max_examples=200, deadline=None)
@given(MESSAGES)
def test_another_library_reads_what_the_model_encodes(message: tuple[str, Any]) -> None:
    name, value = message
    assert alike(cbor2.loads(wire_model.cbor(TYPES, ROOTS[name], value)), wire_model.general(TYPES, ROOTS[name], value))


#: Bytes that mean something in either format.
TELLING = bytes.fromhex("000117181b1f405f617f80819fa1bfc1f4f6f9ff")


def spoil(message: str, chance: random.Random) -> str:
    """Change one or two bytes of a message, or cut it."""
    data = bytearray.fromhex(message.strip("-"))
    for _ in range(chance.randint(1, 2) if data else 0):
        at = chance.randrange(len(data))
        if chance.random() < 0.1:
            del data[at:]
            break
        data[at] = chance.choice(TELLING) if chance.random() < 0.7 else chance.randrange(256)
    return data.hex() or "-"


@pytest.mark.parametrize("seed", range(6))
def test_spoilt_messages_give_a_value_or_an_error(seed: int) -> None:
    """Under AddressSanitizer. A value that comes out is encoded in one way, which decodes to the same."""
    chance = random.Random(seed)
    good = [(vector["type"], wire, vector[wire]) for vector in VECTORS for wire in ("cbor", "c") if "value" in vector]
    spoilt = [(name, wire, spoil(message, chance)) for name, wire, message in good for _ in range(4)]
    answers = transcode([" ".join(words) for words in spoilt], builds()["address"])
    accepted = [(words, got) for words, got in zip(spoilt, answers, strict=True) if got.startswith("ok")]
    assert 100 < len(accepted) < len(spoilt) - 100
    again = transcode([f"{name} cbor {got.split()[1]}" for (name, wire, _), got in accepted if wire == "cbor"])
    assert again == [got for (_, wire, _), got in accepted if wire == "cbor"]
    assert all(got.split()[2] == message for (_, wire, message), got in accepted if wire == "c"), "one encoding in c"


def test_layout_is_what_a_c_compiler_makes(tmp_path: Path) -> None:
    """Format c lays out structs as C does: offsets and sizes of the description's, beside gcc's own."""
    scalar = {"bool": "bool", "f32": "float", "f64": "double", "string": "struct ref", "bytes": "struct ref"}

    def ctype(type_: Type) -> str:
        if isinstance(type_, Scalar):
            return scalar.get(type_.name) or f"{'u' if type_.name[0] == 'u' else ''}int{type_.name[1:]}_t"
        if isinstance(type_, EnumRef):
            return "int32_t"
        if isinstance(type_, HandleRef):
            return "uint64_t"
        if isinstance(type_, Option):
            return f"struct {{ bool present; {ctype(type_.item)} value; }}"
        return f"struct {type_.name}" if isinstance(type_, ObjectRef) else "struct ref"

    lines = ["#include <stdbool.h>", "#include <stddef.h>", "#include <stdint.h>", "struct ref { uint32_t a, b; };"]
    for object_ in layout.in_order(TYPES):
        if object_.is_variant:
            cases = " ".join(f"{ctype(case.type)} {case.name}_;" for case in object_.fields if not case.is_empty)
            lines.append(f"struct {object_.name} {{ int32_t which; union {{ {cases} }} as; }};")
            size, at = layout.object_layout(TYPES, object_).size, layout.case_offset(TYPES, object_)
            lines.append(f'_Static_assert(sizeof(struct {object_.name}) == {size}, "{object_.name}");')
            lines.append(f'_Static_assert(offsetof(struct {object_.name}, as) == {at}, "{object_.name}");')
            continue
        fields = " ".join(f"{ctype(field.type)} {field.name};" for field in object_.fields)
        lines.append(f"struct {object_.name} {{ {fields} }};")
        size = layout.object_layout(TYPES, object_).size
        lines.append(f'_Static_assert(sizeof(struct {object_.name}) == {size}, "{object_.name}");')
        lines += [
            f'_Static_assert(offsetof(struct {object_.name}, {m.field.name}) == {m.offset}, "{m.field.name}");'
            for m in layout.members(TYPES, object_)
        ]
    source = tmp_path / "layout.c"
    source.write_text("\n".join(lines) + "\n")
    subprocess.run(["gcc", "-std=gnu11", "-fsyntax-only", str(source)], check=True, timeout=600)
