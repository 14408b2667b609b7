# SPDX-License-Identifier: BSD-3-Clause
# Generated from notes.json by ferry-bindgen; edit that file and run `ferry bindgen` again.
"""The library itself, and the format of calls unless the options say otherwise."""

from ferry_ingress import Library, Wire

LIBRARY = Library("notes", 0xBD49E7C7BD8010B6)
WIRE = Wire.CBOR
