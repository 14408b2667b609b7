# SPDX-License-Identifier: BSD-3-Clause
"""Measure what a round trip of a codec costs in Python: encode a dataclass, decode another.

Prints the lines that ../README.md describes, of the boundary `codec`; one of the `n` calls is one round trip. Values
are those of bench/codec.c. WAY is `python-cbor` or `python-c`, ours, or `cbor2`, where it is installed: dictionaries
written by hand around that library, as a program without generated code would.
"""

from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from typing import Any

from suite import Run, Suite, measure

try:
    import cbor2
except ImportError:
    cbor2 = None  # type: ignore[assignment]
from echo import (
    ComplexRequest,
    EchoRequest,
    EchoResponse,
    ShapeCaptionCase,
    ShapeGroup,
    ShapeLabel,
    ShapeLabelCase,
    _wire,
)
from ferry_ingress import wire

Trip = Callable[[], object]
SIZES = {
    "bytes_100": 100,
    "bytes_1k": 1 << 10,
    "bytes_10k": 10 << 10,
    "bytes_64k": 64 << 10,
    "bytes_150k": 150 << 10,
    "bytes_1m": 1 << 20,
}


def from_request(request: EchoRequest) -> dict[str, Any]:
    """Return the value in the form that cbor2 encodes."""
    return {"message": request.message, "delay_ms": request.delay_ms}


def to_request(found: dict[str, Any]) -> EchoRequest:
    """Return what cbor2 decoded as the value that a program uses."""
    return EchoRequest(found["message"], found["delay_ms"])


def from_complex(request: ComplexRequest) -> dict[str, Any]:
    """Return the value in the form that cbor2 encodes."""
    made: dict[str, Any] = {"messages": [from_request(one) for one in request.messages], "tags": request.tags}
    if request.note is not None:
        made["note"] = request.note
    if request.retries is not None:
        made["retries"] = request.retries
    return made


def to_complex(found: dict[str, Any]) -> ComplexRequest:
    """Return what cbor2 decoded as the value that a program uses."""
    messages = [to_request(one) for one in found["messages"]]
    return ComplexRequest(messages, found["tags"], found.get("note"), found.get("retries"))


#: The cases that are measured, as a program that writes dictionaries tells them apart.
Case = ShapeLabelCase | ShapeCaptionCase
CASES: dict[str, type[Case]] = {"label": ShapeLabelCase, "caption": ShapeCaptionCase}


def from_shape(shape: Case) -> dict[str, Any]:
    """Return the value in the form that cbor2 encodes."""
    return {"label" if isinstance(shape, ShapeLabelCase) else "caption": {"text": shape.value.text}}


def to_shape(found: dict[str, Any]) -> Case:
    """Return what cbor2 decoded as the value that a program uses."""
    ((name, carried),) = found.items()
    return CASES[name](ShapeLabel(carried["text"]))


def from_group(parts: list[Case]) -> dict[str, Any]:
    """Return the value in the form that cbor2 encodes."""
    return {"parts": [from_shape(part) for part in parts]}


def to_group(found: dict[str, Any]) -> ShapeGroup:
    """Return what cbor2 decoded as the value that a program uses."""
    return ShapeGroup([to_shape(part) for part in found["parts"]])


def there_and_back(blob: bytes) -> object:
    """Encode and decode bytes with cbor2."""
    return cbor2.loads(cbor2.dumps(blob))


def ours(codec: wire.Codec[Any], value: object, way: wire.Wire) -> Trip:
    """Return a round trip of ours."""
    assert codec.decode(way, codec.encode(way, value)) == value
    return lambda: codec.decode(way, codec.encode(way, value))


def times(trip: Trip) -> Run:
    """Return what makes a round trip n times."""

    def run(n: int) -> None:
        for _ in range(n):
            trip()

    return run


def variants() -> dict[str, Run]:
    """Return every way to make a round trip of every shape."""
    request = EchoRequest("hello world", 100)
    response = EchoResponse("hello world", "bench-timer")
    several = ComplexRequest(
        [EchoRequest("alpha", 1), EchoRequest("beta", 2), EchoRequest("gamma", 3), EchoRequest("delta", 4)],
        ["fast", "async", "bench"],
        "a slightly longer note that survives the round-trip",
        7,
    )
    # a variant, and four of them, each beside objects whose message in cbor is as long
    label = ShapeLabelCase(ShapeLabel("hello world"))
    of_four: list[Case] = [
        ShapeLabelCase(ShapeLabel("alpha to beta")),
        ShapeCaptionCase(ShapeLabel("to gamma")),
        ShapeLabelCase(ShapeLabel("delta, epsilon")),
        ShapeCaptionCase(ShapeLabel("zeta or theta")),
    ]
    as_object = ShapeLabel("hello, wider world")
    as_objects = ComplexRequest(several.messages, [], None, None)
    shapes: list[tuple[str, wire.Codec[Any], Any, Trip]] = [
        (
            "echo_request", _wire.ECHO_REQUEST_OBJECT, request,
            lambda: to_request(cbor2.loads(cbor2.dumps(from_request(request)))),
        ),
        (
            "echo_response", _wire.ECHO_RESPONSE_OBJECT, response,
            lambda: EchoResponse(**cbor2.loads(cbor2.dumps({"echoed": response.echoed, "timer": response.timer}))),
        ),
        (
            "complex_request", _wire.COMPLEX_REQUEST_OBJECT, several,
            lambda: to_complex(cbor2.loads(cbor2.dumps(from_complex(several)))),
        ),
        (
            "variant", _wire.SHAPE_OBJECT, label,
            lambda: to_shape(cbor2.loads(cbor2.dumps(from_shape(label)))),
        ),
        (
            "variant_as_object", _wire.SHAPE_LABEL_OBJECT, as_object,
            lambda: ShapeLabel(cbor2.loads(cbor2.dumps({"text": as_object.text}))["text"]),
        ),
        (
            "variants", _wire.SHAPE_GROUP_OBJECT, ShapeGroup([*of_four]),
            lambda: to_group(cbor2.loads(cbor2.dumps(from_group(of_four)))),
        ),
        (
            "variants_as_objects", _wire.COMPLEX_REQUEST_OBJECT, as_objects,
            lambda: to_complex(cbor2.loads(cbor2.dumps(from_complex(as_objects)))),
        ),
    ]  # fmt: skip
    for name, size in SIZES.items():
        blob = bytes(index * 7 & 255 for index in range(size))
        shapes.append((name, wire.BYTES, blob, partial(there_and_back, blob)))
    found: dict[str, Run] = {}
    for name, codec, value, theirs in shapes:
        found[f"python-cbor:{name}"] = times(ours(codec, value, wire.Wire.CBOR))
        found[f"python-c:{name}"] = times(ours(codec, value, wire.Wire.C))
        if cbor2 is not None:
            assert theirs() == value
            found[f"cbor2:{name}"] = times(theirs)
    return found


if __name__ == "__main__":
    measure(
        Suite(
            program="codec-python",
            boundary="codec",
            question="What does a round trip of a codec cost in Python?",
            n=(1, 10, 100),
            beside=f"cbor2 {version('cbor2')}" if cbor2 else "",
        ),
        variants(),
    )
