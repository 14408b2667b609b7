# SPDX-License-Identifier: BSD-3-Clause
"""A library that stands for one that runs elsewhere: C for a shared object with the library's own name and symbol.

It is no host language: bindings in any of these load it in the place of the library, and are not changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ferry.bindgen.language import Language, Options, Output
from ferry.bindgen.model import Event, Interface, Method

_KINDS = {
    "method": "INGRESS_METHOD",
    "constructor": "INGRESS_CONSTRUCTOR",
    "destructor": "INGRESS_DESTRUCTOR",
    "static": "INGRESS_STATIC",
}


def kind(method: Method) -> str:
    """Return the enum ingress_method_kind of a method."""
    return _KINDS[method.kind]


def overflow(event: Event) -> str:
    """Return the enum ingress_overflow of an event."""
    return f"INGRESS_{event.overflow.upper()}"


def _files(interface: Interface, options: Options) -> Iterable[Output]:
    return [Output(f"{interface.name}_nats.c", "library.c.j2")]


def _filters(interface: Interface) -> Mapping[str, Callable[..., Any]]:
    return {"kind": kind, "overflow": overflow}


LANGUAGE = Language("nats", _files, _filters, "// ")
