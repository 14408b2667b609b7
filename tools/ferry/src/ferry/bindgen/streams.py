# SPDX-License-Identifier: BSD-3-Clause
"""What a method that yields comes to (S1): three methods, a handle and an object, of which templates see nothing new.

So a stream needs no codec, no kind of request and no rule for errors of its own, in any language.
"""

from __future__ import annotations

from dataclasses import replace

from ferry.bindgen import names
from ferry.bindgen.model import (
    Field,
    Handle,
    HandleRef,
    Interface,
    Method,
    Object,
    ObjectRef,
    Option,
    Scalar,
    Seq,
    Stream,
    Type,
)

#: The parameter that comes last: how many values the host takes.
CREDITS = "credits"
_CREDITS = Field(CREDITS, Scalar("u32"), "How many values the host takes at most; 0 counts as 1.")


def of(name: str, yields: Type) -> Stream:
    """Return the names that come with a method that yields."""
    pascal = names.pascal(name)
    return Stream(yields, name, f"{name}_next", f"{name}_close", f"{pascal}Stream", f"{pascal}Part")


def expanded(interface: Interface) -> Interface:
    """Return the interface with what comes with the methods that yield, and each method with its number (I4)."""
    methods: list[Method] = []
    types = list(interface.types)
    handles = len(interface.handles)
    for method in interface.methods:
        methods.append(replace(method, number=len(methods)))
        if method.stream:
            methods[-1:] = _methods(methods[-1], method.stream)
            types += _types(method, method.stream, handles)
            handles += 1
    return replace(interface, methods=tuple(methods), types=tuple(types))


def _methods(method: Method, stream: Stream) -> list[Method]:
    """Return the three methods of a stream, the one that was declared first."""
    of_stream = Field("stream", HandleRef(stream.handle), f"A stream that `{method.name}` opened.")
    part = ObjectRef(stream.part)
    more = replace(method, name=stream.next, number=method.number + 1, params=(of_stream, _CREDITS), returns=part)
    end = replace(method, name=stream.close, number=method.number + 2, params=(of_stream,), error=None)
    return [
        replace(method, params=(*method.params, _CREDITS), returns=part, part_in_stream="open"),
        replace(more, doc=f"Take the next values of `{method.name}`.", part_in_stream="next"),
        replace(end, doc=f"Want no more values of `{method.name}`.", part_in_stream="close"),
    ]


def _types(method: Method, stream: Stream, handles: int) -> list[Handle | Object]:
    """Return the handle and the object of a stream."""
    fields = (
        Field("stream", Option(HandleRef(stream.handle)), "The stream, unless it has ended with these values."),
        Field("values", Seq(stream.yields), "The values, in order."),
    )
    return [
        Handle(stream.handle, handles, f"A stream of what `{method.name}` yields."),
        Object(stream.part, fields, f"Some of what `{method.name}` yields."),
    ]
