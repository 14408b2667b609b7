# SPDX-License-Identifier: BSD-3-Clause
"""What goes to a library and comes from it: parameters, results, and errors that methods declare."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from ferry_ingress.errors import BadPayloadError, IngressError, RaisedError, Status
from ferry_ingress.wire import Codec, DecodeError, Object, Wire

T = TypeVar("T")
Params = Object[tuple[Any, ...]]


def decoded(codec: Codec[T], wire: Wire, data: bytes) -> T:
    """Decode bytes that the library sent."""
    try:
        return codec.decode(wire, data)
    except DecodeError as cause:
        raise BadPayloadError(Status.BAD_PAYLOAD, str(cause)) from cause


class Raises(Generic[T]):
    """The error that a method declares: the class of its exceptions, and how it travels."""

    __slots__ = ("codec", "exception")

    def __init__(self, exception: type[RaisedError[T]], codec: Codec[T]) -> None:
        self.exception = exception
        self.codec = codec


def raised(raises: Raises[Any] | None, wire: Wire, data: bytes) -> IngressError:
    """Return the exception of a handler that failed with the error of its method."""
    if raises is None:
        return IngressError(Status.RAISED, "the handler failed with an error that the binding does not know")
    try:
        return raises.exception(decoded(raises.codec, wire, data))
    except BadPayloadError as cause:
        return cause


def payload(params: Params | None, wire: Wire, args: tuple[Any, ...]) -> bytes:
    """Encode a method's parameters."""
    if params is None:
        return b"\xa0" if wire is Wire.CBOR else b""
    return params.encode(wire, args)
