# SPDX-License-Identifier: BSD-3-Clause
# Generated from echo.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
"""The library itself, and the format of calls unless the options say otherwise."""

from ferry_ingress import Library, Wire

LIBRARY = Library("echo", 0x78AE369F375EE35F)
WIRE = Wire.CBOR
