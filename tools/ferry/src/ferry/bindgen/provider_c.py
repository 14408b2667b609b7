# SPDX-License-Identifier: BSD-3-Clause
"""A library in C: the codecs of the C bindings, and what lies between the core and the author's functions.

The names are not those of a host's bindings: where a host has a function that calls a method, a library has one that
its author writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ferry.bindgen import c, nats, reserved
from ferry.bindgen.language import Language, Options, Output
from ferry.bindgen.model import Interface, Type

#: Functions and structs of a library that belong to no method.
_OWN = ("cancelled", "context", "descriptor", "state", "turn", "wake")


class Writer(c.Writer):
    """Writes C for the types of one interface, as its library has them."""

    own = reserved.C_FUNCTIONS.union(_OWN)
    method_tags = ("_call", "_params")
    method_functions = ("", "_answer", "_raise", "_fail", "_cancelled", "_give_up", *c.REQUEST_FUNCTIONS)
    event_tags: tuple[str, ...] = ()
    event_functions: tuple[str, ...] = ()
    event_ways = ("emit", "hears")
    type_tags = (*c.Writer.type_tags, "_object")
    type_functions = (*c.Writer.type_functions, "_open", "_object", "_close", "_free")

    def own_name(self, name: str) -> str:
        """Return the name of a thing that belongs to no method."""
        assert name in _OWN
        return f"{self.prefix}_{name}"

    def parameter_type(self, type_: Type) -> str:
        """Return how a parameter of this type is declared, up to its name."""
        return f"const {self.ctype(type_)} *" if self.by_pointer(type_) else f"{self.ctype(type_)} "


def _files(interface: Interface, options: Options) -> Iterable[Output]:
    name = interface.name
    variables = c.variables(interface)
    generated = [
        (f"{name}_types.h", "types.h.j2"),
        (f"{name}_cbor.h", "cbor.h.j2"),
        (f"{name}_c.h", "c.h.j2"),
        (f"{name}_provider.h", "provider.h.j2"),
        (f"{name}_provider.c", "provider.c.j2"),
    ]
    return [
        Output(f"{name}.c", "library.c.j2", formatter=c.FORMATTER, is_authors=True),
        Output("Makefile", "Makefile.j2", is_authors=True),
        *(Output(f"generated/{path}", template, variables, c.FORMATTER) for path, template in generated),
    ]


def _filters(interface: Interface) -> Mapping[str, Callable[..., Any]]:
    writer = Writer(interface)
    return c.filters(writer) | {
        "own": writer.own_name,
        "method_kind": nats.kind,
        "overflow": nats.overflow,
    }


LANGUAGE = Language("provider_c", _files, _filters, "/* ", parents=("c",))
