# SPDX-License-Identifier: BSD-3-Clause
# Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
# what it says are the words of the library's author
# ruff: noqa: D301, D400, D404, RUF100
"""A library that gives back what it is given, sometimes later.

It has something of every kind, so that one conformance program can be written in every language.
"""

from ferry_ingress import IngressError, Options, Status, Wire

from echo.aio import AsyncEcho
from echo.blocking import Echo
from echo.types import (
    DEBUG,
    GREETING,
    HALF,
    LOWEST,
    MAX_DELAY_MS,
    AllTypes,
    Color,
    ComplexRequest,
    ComplexResponse,
    EchoRequest,
    EchoResponse,
    Reader,
    Tree,
)

__all__ = [
    "DEBUG",
    "GREETING",
    "HALF",
    "LOWEST",
    "MAX_DELAY_MS",
    "AllTypes",
    "AsyncEcho",
    "Color",
    "ComplexRequest",
    "ComplexResponse",
    "Echo",
    "EchoRequest",
    "EchoResponse",
    "IngressError",
    "Options",
    "Reader",
    "Status",
    "Tree",
    "Wire",
]
